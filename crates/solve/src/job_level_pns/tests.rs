//! Tests of job-level search on boards with known values.

use super::*;
use crate::check_claims;
use papan_rules::{Notation as _, Symmetric as _};
use papan_strategies::StopToken;

fn grid((sides, length): (&[usize], usize)) -> Grid<u64> {
    Grid::new(sides, length).unwrap()
}

fn query(rounds: u32) -> LeafQuery {
    LeafQuery {
        attacker: Player::First,
        rounds,
        wins_only: false,
    }
}

/// Solves with leaf jobs so short that the tree has to grow. Results come back in reverse
/// order, several at a time.
fn solve(
    (game, length): (&[usize], usize),
    rounds: u32,
    at_once: usize,
) -> (Option<bool>, Option<Vec<u8>>, usize) {
    let grid = Arc::new(grid((game, length)));
    let root = grid.start();
    let mut search = JobLevelTree::new(&grid, &root);
    let mut results: Vec<(String, Vec<u8>)> = Vec::new();
    while search.verdict().is_none() {
        let mut jobs = Vec::new();
        while jobs.len() < at_once
            && let Some(job) = search.next_job()
        {
            jobs.push(job);
        }
        assert!(!jobs.is_empty(), "open, but no job");
        while let Some(job) = jobs.pop() {
            let result = solve_leaf(&grid, &job, query(rounds), &StopToken::default()).unwrap();
            check_leaf(&grid, &job, grid.turn(&root), &result).unwrap();
            search.add_result(&job, &result).unwrap();
            results.push((job, result));
        }
    }
    // Replaying the results restores the tree.
    let mut again = JobLevelTree::new(&grid, &root);
    for (job, result) in &results {
        again.add_result(job, result).unwrap();
    }
    assert_eq!(again.verdict(), search.verdict());
    assert_eq!(again.certificate(), search.certificate());
    (search.verdict(), search.certificate(), results.len())
}

#[test]
fn a_win_is_proved_and_its_certificate_holds() {
    for (game, at_once) in [
        ((&[3, 4][..], 3), 1),
        ((&[4, 4][..], 3), 3),
        ((&[5, 6][..], 4), 4),
    ] {
        let (verdict, certificate, _) = solve(game, 1, at_once);
        assert_eq!(verdict, Some(true), "{game:?}");
        check_claims(&grid(game), &certificate.unwrap()).unwrap();
    }
}

#[test]
fn a_proof_against_one_reply_refutes_those_outside_its_zone() {
    let grid = Arc::new(grid((&[4, 4], 3)));
    let mut search = JobLevelTree::new(&grid, &grid.start());
    while search.verdict().is_none() {
        let job = search.next_job().expect("an open leaf");
        let result = solve_leaf(&grid, &job, query(0), &StopToken::default()).unwrap();
        search.add_result(&job, &result).unwrap();
    }
    let branches = || search.refuted_replies.values().flatten();
    assert!(branches().any(|branch| branch.cells.count() > 1));
    for (node, branches) in &search.refuted_replies {
        let cells: u32 = branches.iter().map(|branch| branch.cells.count()).sum();
        assert!(
            cells as usize <= search.tree.children(*node).len(),
            "each reply is covered once"
        );
    }
}

#[test]
fn a_draw_is_proved_and_its_certificate_holds_for_any_split_of_the_work() {
    // With 0 rounds the leaves find nothing and the tree does all the work.
    for (game, rounds) in [
        ((&[3, 3][..], 3), 0),
        ((&[3, 3][..], 3), 1),
        ((&[4, 4][..], 4), 1),
        ((&[5, 5][..], 4), 4),
    ] {
        let (verdict, certificate, jobs) = solve(game, rounds, 2);
        assert_eq!(verdict, Some(false), "{game:?}");
        assert!(jobs > 0);
        let file = check_claims(&grid(game), &certificate.unwrap()).unwrap();
        assert_eq!(file.value(), Some(0), "{file:?}");
    }
}

#[test]
fn promising_moves_first_and_reuse_need_fewer_jobs() {
    // 340 with all moves of a node at once, 174 without reuse of proofs and of equal positions.
    let (verdict, _, jobs) = solve((&[4, 4], 3), 0, 8);
    assert_eq!(verdict, Some(true));
    assert!(jobs <= 100, "{jobs} jobs");
}

#[test]
fn no_two_jobs_are_equal_up_to_symmetry_and_proofs_are_simulated() {
    let grid = Arc::new(grid((&[4, 4], 3)));
    let mut search = JobLevelTree::new(&grid, &grid.start());
    let mut stones = std::collections::BTreeSet::new();
    while search.verdict().is_none() {
        let job = search.next_job().expect("an open leaf");
        let position = grid.parse_position(&job).unwrap();
        let images = grid.symmetries().iter().map(|symmetry| {
            let image = grid.transform(&position, symmetry);
            grid.format_position(&image)
        });
        assert!(stones.insert(images.min()), "{job} is searched twice");
        let result = solve_leaf(&grid, &job, query(0), &StopToken::default()).unwrap();
        search.add_result(&job, &result).unwrap();
    }
    assert!(search.size().simulated > 0);
    let certificate = search.certificate().unwrap();
    check_claims(&grid, &certificate).unwrap();
}

/// Checks the proof of each position that the tree proves, also where no certificate needs it.
fn assert_proofs_hold(search: &JobLevelTree<u64>) {
    for node in 0..search.size().nodes {
        let position = search.position(node);
        if !search.tree.is_proved(node) || search.grid.outcome(&position).is_some() {
            continue;
        }
        let proof = leaf::write_win(&search.proof(node).expect("a proof"));
        let text = search.grid.format_position(&position);
        let checked = check_leaf(&search.grid, &text, search.attacker, &proof);
        assert_eq!(checked, Ok(()), "{text}");
    }
}

/// Solves with several jobs in flight whose results come back in the order of `random`, and checks
/// the certificate. Returns the number of jobs that were withdrawn.
fn solve_in_any_order(
    (sides, length): (&[usize], usize),
    rounds: u32,
    at_once: usize,
    mut random: u64,
) -> usize {
    let grid = Arc::new(grid((sides, length)));
    let mut search = JobLevelTree::new(&grid, &grid.start());
    let (mut in_flight, mut withdrawn) = (Vec::new(), 0);
    while search.verdict().is_none() {
        while in_flight.len() < at_once
            && let Some(job) = search.next_job()
        {
            in_flight.push(job);
        }
        // Knuth's generator; its high bits are good enough.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        assert!(!in_flight.is_empty(), "open, but no job");
        let index = (random >> 33) as usize % in_flight.len();
        let job = in_flight.swap_remove(index);
        let result = solve_leaf(&grid, &job, query(rounds), &StopToken::default()).unwrap();
        search.add_result(&job, &result).unwrap();
        for solved in search.take_solved_jobs() {
            let index = in_flight.iter().position(|job| *job == solved);
            in_flight.swap_remove(index.expect("a job in flight, once"));
            withdrawn += 1;
        }
    }
    assert_eq!(in_flight, Vec::<String>::new(), "the root is solved");
    assert_proofs_hold(&search);
    let certificate = search.certificate().expect("a complete proof");
    check_claims(&grid, &certificate).unwrap();
    withdrawn
}

#[test]
fn certificates_hold_in_whatever_order_results_arrive() {
    let mut withdrawn = 0;
    for seed in 0..8 {
        withdrawn += solve_in_any_order((&[4, 4], 3), 0, 8, seed);
        withdrawn += solve_in_any_order((&[5, 6], 4), 1, 3, seed);
    }
    assert!(withdrawn > 0);
}

#[test]
fn jobs_that_other_results_settle_are_withdrawn_while_the_search_runs() {
    // At the end at most the others that are in flight are settled.
    let withdrawn = solve_in_any_order((&[3, 3], 3), 0, 5, 0);
    assert!(withdrawn > 4, "{withdrawn}");
}
