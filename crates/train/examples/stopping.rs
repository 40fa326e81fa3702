//! How long the engine takes to answer a stop while it solves:
//! `stopping FILE.obf [THREADS] [STOPS]`, one thread and a thousand stops where they are not given.
//!
//! The positions take turns, each search stopped at a moment of the first two fifths of a second.
//! Beside the time on the wall stands what the thread that was asked worked in it, to a few
//! milliseconds: on a crowded machine the first is mostly waiting.

use papan_files::obf;
use papan_othello::{Engine, Options, SearchLimits};
use papan_strategies::StopToken;
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("stopping FILE.obf [THREADS] [STOPS]")?;
    let threads = words.next().map_or(Ok(1), |word| word.parse())?;
    let stops = words.next().map_or(Ok(1000), |word| word.parse())?;
    let options = Options {
        threads,
        hash_mib: 16,
    };
    let mut engine = Engine::new(&options)?;
    let problems = obf::parse(&std::fs::read_to_string(path)?)?;
    let mut delays = Vec::new();
    for (round, problem) in problems.iter().cycle().take(stops).enumerate() {
        let stop = StopToken::default();
        let delay = std::thread::scope(|scope| {
            let asked = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(1 + 97 * round as u64 % 400));
                stop.stop();
                (Instant::now(), worked())
            });
            let report = engine.search(problem.board, &SearchLimits::default(), &stop, |_| {});
            let answered = (Instant::now(), worked());
            let asked = asked.join().expect("the stopping thread does not panic");
            let wall = answered.0.saturating_duration_since(asked.0);
            let used = answered.1.saturating_sub(asked.1);
            (!report.exact).then_some((used, wall))
        });
        delays.extend(delay);
        engine.clear();
    }
    println!("{} stops on {threads} threads", delays.len());
    let (used, wall): (Vec<_>, Vec<_>) = delays.into_iter().unzip();
    for (name, mut times) in [("worked", used), ("wall", wall)] {
        times.sort_unstable();
        let at = |part: f64| times.get((part * times.len() as f64) as usize);
        println!(
            "{name}: median {:?}, 99 of 100 {:?}, longest {:?}",
            at(0.5),
            at(0.99),
            times.last()
        );
    }
    Ok(())
}

/// The processor time of the thread that searches, which is the first one.
#[cfg(target_os = "linux")]
fn worked() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// Where the system does not tell, nothing is claimed.
#[cfg(not(target_os = "linux"))]
fn worked() -> Duration {
    Duration::ZERO
}
