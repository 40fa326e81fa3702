//! The same work on several threads, its results in order.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `work` for 0, 1, 2, … on several threads and returns the results in order.
pub fn in_parallel<T: Send>(
    jobs: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<(usize, T)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads.clamp(1, jobs.max(1)))
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let job = next.fetch_add(1, Ordering::Relaxed);
                        if job >= jobs {
                            return done;
                        }
                        done.push((job, work(job)));
                    }
                })
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|h| h.join().expect("a worker does not panic"))
            .collect()
    });
    results.sort_by_key(|(job, _)| *job);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs `work` on every item, several threads at a time, in no particular order.
pub fn for_each<T: Send>(items: Vec<T>, threads: usize, work: impl Fn(T) + Sync) {
    let next = std::sync::Mutex::new(items.into_iter());
    let take = || {
        let mut next = next
            .lock()
            .expect("no thread panics while it takes an item");
        next.next()
    };
    let run = || {
        while let Some(item) = take() {
            work(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}
