//! Benchmark: time from a stop request to the end of the search, while the engine solves.
//!
//! ```text
//! cargo bench -p papan-train --bench stop_latency -- FILE.obf [THREADS=1] [STOPS=1000]
//! ```
//!
//! Each search is stopped within its first 0.4 s. Besides the wall time, the CPU time of the
//! searching thread is measured: on a busy machine the wall time is mostly waiting.

use papan_files::obf;
use papan_othello::{Engine, Options, SearchLimits};
use papan_strategies::StopToken;
use std::error::Error;
use std::time::{Duration, Instant};

/// Wall and CPU time of the main thread.
struct Moment {
    wall: Instant,
    cpu: Duration,
}

impl Moment {
    fn now() -> Self {
        Self {
            wall: Instant::now(),
            cpu: cpu_time(),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo bench` passes --bench to every benchmark.
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let Some(path) = args.next() else {
        println!("usage: stop_latency FILE.obf [THREADS] [STOPS]");
        return Ok(());
    };
    let threads = args.next().map_or(Ok(1), |arg| arg.parse())?;
    let stops = args.next().map_or(Ok(1000), |arg| arg.parse())?;
    let mut engine = Engine::new(&Options {
        threads,
        hash_mib: 16,
    })?;
    let problems = obf::parse(&std::fs::read_to_string(path)?)?;
    let (mut cpu_times, mut wall_times) = (Vec::new(), Vec::new());
    for (round, problem) in problems.iter().cycle().take(stops).enumerate() {
        let stop = StopToken::default();
        std::thread::scope(|scope| {
            let stopper = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(1 + 97 * round as u64 % 400));
                stop.stop();
                Moment::now()
            });
            let result = engine.search(problem.board, &SearchLimits::default(), &stop, |_| {});
            let ended = Moment::now();
            let requested = stopper.join().expect("the stopping thread does not panic");
            // A search that was finished before the request has no latency.
            if !result.exact {
                cpu_times.push(ended.cpu.saturating_sub(requested.cpu));
                wall_times.push(ended.wall.saturating_duration_since(requested.wall));
            }
        });
        engine.clear();
    }
    println!("{} stops, {threads} threads", wall_times.len());
    for (name, mut times) in [("CPU", cpu_times), ("wall", wall_times)] {
        times.sort_unstable();
        let quantile = |part: f64| times.get((part * times.len() as f64) as usize);
        println!(
            "{name}: median {:?}, 99th percentile {:?}, maximum {:?}",
            quantile(0.5),
            quantile(0.99),
            times.last()
        );
    }
    Ok(())
}

/// Returns the CPU time of the main thread, which searches.
#[cfg(target_os = "linux")]
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Not measured on other systems.
#[cfg(not(target_os = "linux"))]
fn cpu_time() -> Duration {
    Duration::ZERO
}
