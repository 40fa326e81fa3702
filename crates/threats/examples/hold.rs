//! Scratch.
use std::sync::Arc;
use papan_rules::{Grid, Player, Wide};
use papan_threats::{Duel, State, Verdict, Windows};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sides: Vec<usize> = args[1].split('x').map(|s| s.parse().unwrap()).collect();
    let k: usize = args[2].parse().unwrap();
    let counter = args[3] == "1";
    let grid = Grid::<Wide>::new(&sides, k).unwrap();
    let state = State::new(Arc::new(Windows::new(&grid)));
    let start = std::time::Instant::now();
    let mut duel = Duel::new(state, Player::First, Player::First, counter, Box::new(|| false));
    loop {
        let v = duel.run(20_000);
        println!("{v:?} nodes {} positions {} t {:?}", duel.nodes(), duel.positions(), start.elapsed());
        if v != Verdict::Unknown { break; }
    }
}
