//! Two lists of positions on 15x15, and how the search for threats does on them.
//!
//! ```sh
//! cargo run --release -p papan-mnk --example threat_lists -- stones 3000 2000
//! cargo run --release -p papan-mnk --example threat_lists -- openings 30 50
//! ```
//!
//! `stones`: a hundred positions of 14 random stones within five cells of the centre,
//! nobody about to complete five: the mean time of one search at level 2, with so many nodes
//! for fours and so many of its own; a fourth number makes another list. `openings`:
//! positions after four moves, the first in the centre, the second player's stones at
//! least four cells from it, the first player's other stone within two: the share that is
//! proved within so many seconds, of so many positions. Times are of the processor, so that
//! other programs do not count.

use std::sync::Arc;

use papan_mnk::{Cell, Lines, NodeBudget, State, ThreatSearch};
use papan_rules::{Grid, GridError, Player, Wide};

const SIDE: i64 = 15;
const CENTRE: i64 = SIDE / 2;

/// Seconds of the processor that this process has used; zero where the system does not tell.
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// The same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: i64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.0 >> 33) as i64) % limit
    }

    /// A cell whose distance from the centre is in a range.
    fn cell(&mut self, least: i64, most: i64) -> Cell {
        loop {
            let (row, column) = (self.below(SIDE), self.below(SIDE));
            let away = (row - CENTRE).abs().max((column - CENTRE).abs());
            if (least..=most).contains(&away) {
                return (row * SIDE + column) as Cell;
            }
        }
    }
}

fn random_stones(empty: &State, numbers: &mut Numbers) -> State {
    loop {
        let mut state = empty.clone();
        for at in 0..14 {
            let cell = loop {
                let cell = numbers.cell(0, 5);
                if state.owner(cell).is_none() {
                    break cell;
                }
            };
            state.put(cell, Player::BOTH[at % 2]);
        }
        let over = |side| state.has_won(side) || state.completing(side).is_some();
        if !Player::BOTH.into_iter().any(over) {
            return state;
        }
    }
}

fn opening(empty: &State, numbers: &mut Numbers) -> State {
    let mut state = empty.clone();
    state.put((CENTRE * SIDE + CENTRE) as Cell, Player::First);
    for (side, least, most) in [
        (Player::Second, 4, CENTRE),
        (Player::First, 1, 2),
        (Player::Second, 4, CENTRE),
    ] {
        let cell = loop {
            let cell = numbers.cell(least, most);
            if state.owner(cell).is_none() {
                break cell;
            }
        };
        state.put(cell, side);
    }
    state
}

fn stones(empty: &State, effort: NodeBudget, seed: u64) {
    let mut numbers = Numbers(seed);
    let (mut won, mut longest, mut nodes) = (0_u32, 0.0_f64, 0);
    let (mut winning, began) = (0.0, seconds());
    for _ in 0..100 {
        let mut state = random_stones(empty, &mut numbers);
        let mut attack = ThreatSearch::new(effort, Box::new(|| false));
        let before = seconds();
        let found = attack.win(&mut state, Player::First, 2).is_some();
        let took = seconds() - before;
        longest = longest.max(took);
        if found {
            won += 1;
            winning += took;
        }
        nodes += attack.nodes();
    }
    let mean = (seconds() - began) / 100.0;
    println!(
        "100 positions of 14 stones: {won} won in {:.2} ms in the mean; all {:.2} ms in the mean, \
         {:.1} ms at most, {nodes} nodes",
        winning / f64::from(won.max(1)) * 1e3,
        mean * 1e3,
        longest * 1e3
    );
}

fn openings(empty: &State, most_seconds: u64, count: usize) {
    let mut numbers = Numbers(4);
    let mut won = 0;
    for number in 1..=count {
        let mut state = opening(empty, &mut numbers);
        let (began, mut asked) = (seconds(), 0_u32);
        let halt = move || {
            // Asking the system takes longer than a node.
            asked += 1;
            asked.is_multiple_of(512) && seconds() - began > most_seconds as f64
        };
        let mut attack = ThreatSearch::new(NodeBudget::INITIAL, Box::new(halt));
        let mut effort = NodeBudget::INITIAL;
        let proof = loop {
            let found = (2..=3).find_map(|level| attack.win(&mut state, Player::First, level));
            if found.is_some() || attack.is_halted() {
                break found;
            }
            effort = effort.increased();
            attack.set_budget(effort);
        };
        won += u32::from(proof.is_some());
        let size = proof.map_or(0, |proof| proof.size());
        let took = seconds() - began;
        println!(
            "{number:2}: {took:6.2} s, {} nodes, proof of {size}",
            attack.nodes()
        );
    }
    println!("{won} of {count} proved within {most_seconds} s each");
}

fn main() -> Result<(), GridError> {
    let grid = Grid::<Wide>::new(&[SIDE as usize, SIDE as usize], 5)?;
    let empty = State::new(Arc::new(Lines::new(&grid)));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, usual: u64| {
        let given = arguments.get(at).and_then(|text| text.parse().ok());
        given.unwrap_or(usual)
    };
    match arguments.first().map(String::as_str) {
        Some("openings") => openings(&empty, number(1, 30), number(2, 50) as usize),
        _ => {
            let nodes = [number(2, 2_000), 100, 100];
            let fours = number(1, 3_000);
            stones(&empty, NodeBudget { fours, nodes }, number(3, 14));
        }
    }
    Ok(())
}
