//! Scratch.
use std::sync::Arc;
use papan_rules::{Grid, Player, Wide};
use papan_threats::{Attack, Effort, State, Windows};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let sides: Vec<usize> = args[1].split('x').map(|s| s.parse().unwrap()).collect();
    let k: usize = args[2].parse().unwrap();
    let level: usize = args[3].parse().unwrap();
    let grid = Grid::<Wide>::new(&sides, k).unwrap();
    let mut state = State::new(Arc::new(Windows::new(&grid)));
    let mut side = Player::First;
    for m in args.get(4).map(String::as_str).unwrap_or("").split_whitespace() {
        state.put(m.parse::<u16>().unwrap() - 1, side);
        side = side.other();
    }
    let mut effort = Effort::FIRST;
    if let Some(e) = args.get(5) { let v: Vec<u64> = e.split(',').map(|s| s.parse().unwrap()).collect(); effort = Effort { fours: v[0], nodes: [v[1], v[2], v[3]] }; }
    let start = std::time::Instant::now();
    let mut attack = Attack::new(effort, Box::new(|| false));
    for round in 0..8 {
        let won = attack.win(&mut state, side, level);
        println!("round {round} {:?} nodes {} t {:?} size {:?}", won.as_ref().map(|p| p.first()), attack.nodes(), start.elapsed(), won.as_ref().map(|p| p.size()));
        if won.is_some() { break; }
        effort = effort.raised();
        attack.set_effort(effort);
    }
}
