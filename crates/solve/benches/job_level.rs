//! Jobs and time of job-level proof-number search, without a job server.
//!
//! ```sh
//! cargo bench -p papan-solve --bench job_level -- ROUNDS BOARD [CELL…]
//! ```
//!
//! Runs the leaves one after another, with eight in flight as eight workers would have, and checks the
//! certificate. ROUNDS with a `w` before it leaves out the
//! searches for draws. BOARD is a size and a length, `6x6:4`; the cells of moves from the start follow by
//! number.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use papan_rules::{Game as _, Grid, Move, Wide};
use papan_solve::{JobLevelSearch as _, JobLevelTree, LeafQuery, check_claims, solve_leaf};
use papan_strategies::StopToken;

/// Leaves in flight.
const WORKERS: usize = 8;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [rounds, board, moves @ ..] = &arguments[..] else {
        println!("usage: ROUNDS BOARD [CELL…]");
        return;
    };
    let wins_only = rounds.starts_with('w');
    let rounds: u32 = rounds
        .trim_start_matches('w')
        .parse()
        .expect("a number of rounds");
    let (sides, length) = board.split_once(':').expect("a board such as 6x6:4");
    let sides: Vec<usize> = sides
        .split('x')
        .map(|n| n.parse().expect("a side"))
        .collect();
    let length = length.parse().expect("a length");
    let grid = Arc::new(Grid::<Wide>::new(&sides, length).expect("a board"));
    let mut root = grid.start();
    for cell in moves {
        let cell = cell.parse().expect("the number of a cell");
        grid.play_unchecked(&mut root, Move::on(cell));
    }
    let begin = Instant::now();
    let mut search = JobLevelTree::new(&grid, &root);
    let (mut in_flight, mut jobs) = (VecDeque::new(), 0);
    while search.verdict().is_none() {
        while in_flight.len() < WORKERS
            && let Some(job) = search.next_job()
        {
            in_flight.push_back(job);
        }
        let job = in_flight.pop_front().expect("an open search has a job");
        let query = LeafQuery {
            attacker: grid.turn(&root),
            rounds,
            wins_only,
        };
        let result = solve_leaf(&grid, &job, query, &StopToken::default()).expect("a leaf");
        search.add_result(&job, &result).expect("a result");
        jobs += 1;
        let withdrawn = search.take_solved_jobs();
        in_flight.retain(|job| !withdrawn.contains(job));
    }
    let seconds = begin.elapsed().as_secs_f64();
    let certificate = search.certificate().expect("a certificate");
    check_claims(&grid, &certificate).expect("the certificate holds");
    println!(
        "{board} {moves:?}: {} by {jobs} jobs in {seconds:.1} s, {:?}, certificate {} bytes",
        if search.verdict() == Some(true) {
            "win"
        } else {
            "draw"
        },
        search.size(),
        certificate.len()
    );
}
