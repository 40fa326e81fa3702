//! How long the engine takes to answer a stop while it solves: `stopping FILE.obf [threads=1]`.
//!
//! Every position is searched several times and stopped at moments spread over two seconds.

use papan_othello::{Engine, Options, Task, obf};
use papan_strategies::StopToken;
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("stopping FILE.obf [threads]")?;
    let threads = words.next().map_or(Ok(1), |word| word.parse())?;
    let options = Options {
        threads,
        hash_mib: 128,
    };
    let mut engine = Engine::new(&options)?;
    let mut delays = Vec::new();
    for problem in obf::parse(&std::fs::read_to_string(path)?)? {
        for round in 1..=10 {
            let stop = StopToken::default();
            let delay = std::thread::scope(|scope| {
                let asked = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(197 * round));
                    stop.stop();
                    Instant::now()
                });
                let report = engine.search(problem.board, &Task::default(), &stop, |_| {});
                let answered = Instant::now();
                let asked = asked.join().expect("the stopping thread does not panic");
                (!report.exact).then(|| answered.saturating_duration_since(asked))
            });
            delays.extend(delay);
            engine.clear();
        }
    }
    delays.sort_unstable();
    let at = |part: f64| delays.get((part * delays.len() as f64) as usize);
    println!(
        "{} stops: median {:?}, 99 of 100 {:?}, longest {:?}",
        delays.len(),
        at(0.5),
        at(0.99),
        delays.last()
    );
    Ok(())
}
