//! How fast the arena is: the numbers of the README, measured.
use papan_arena::{Format, Settings, Tournament, run};
use papan_store::Journal;
use papan_strategies::Limits;
use std::time::{Duration, Instant};
fn main() {
    let games: u64 = std::env::args()
        .nth(1)
        .map_or(400_000, |n| n.parse().unwrap());
    for concurrency in [1, 2] {
        let t = Tournament {
            game: "tictactoe".parse().unwrap(),
            entrants: vec!["random".parse().unwrap(), "greedy".parse().unwrap()],
            format: Format::RoundRobin,
            games,
            openings: vec![vec![]],
            limits: Limits::default(),
            margin: Duration::ZERO,
            patience: Duration::ZERO,
            seed: 1,
            timed: true,
        };
        let path = std::path::PathBuf::from("target/speed.results");
        let _ = std::fs::remove_file(&path);
        let mut j = Journal::open(&path, &t.header()).unwrap();
        let begun = Instant::now();
        let l = run(
            &t,
            &mut j,
            Settings {
                concurrency,
                sprt: None,
                observer: &mut |_| {},
            },
        )
        .unwrap();
        let s = begun.elapsed().as_secs_f64();
        println!(
            "{concurrency}: {:.0} games/s {:?} {:?} {} bytes",
            games as f64 / s,
            l.standings().tallies[0],
            l.standings().distinct(),
            std::fs::metadata(&path).unwrap().len()
        );
    }
}
