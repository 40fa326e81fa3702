//! Measurements of an evaluation: nodes to solve positions, accuracy of searches, and matches.

use crate::parallel_map;
use papan_othello::Problem;
use papan_othello::{Board, Engine, EngineError, Evaluation, Options, SearchLimits};
use papan_strategies::{Budget, Limits, StopToken, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// Returns the number of nodes to solve each position with one thread. Solves several positions at
/// a time.
///
/// # Errors
/// If the transposition tables cannot be allocated.
pub fn nodes_to_solve(
    evaluation: &Arc<Evaluation>,
    problems: &[Problem],
    hash_mib: usize,
    threads: usize,
) -> Result<Vec<u64>, EngineError> {
    let options = Options {
        threads: 1,
        hash_mib,
    };
    let solve = |at: usize| {
        let mut engine = Engine::with_evaluation(&options, evaluation.clone())?;
        let report = engine.solve(problems[at].board, &StopToken::default(), |_| {});
        Ok(report.nodes)
    };
    parallel_map(problems.len(), threads, solve)
        .into_iter()
        .collect()
}

/// Size of the transposition table of a fixed-depth search.
const SEARCH_HASH_MIB: usize = 64;

/// The accuracy of a fixed-depth search of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchAccuracy {
    /// Score of the search minus the exact score, in discs.
    pub error: i32,
    /// Discs that its move loses.
    pub lost: i32,
}

/// Searches every position to a fixed depth with one thread and compares the result with the exact
/// scores. Solves positions and moves whose scores are missing with all threads, and calls
/// `on_solved` with each completed problem.
///
/// # Errors
/// If the transposition tables cannot be allocated.
pub fn search_accuracy(
    evaluation: &Arc<Evaluation>,
    problems: &[Problem],
    depth: u32,
    hash_mib: usize,
    threads: usize,
    on_solved: impl Fn(&Problem),
) -> Result<Vec<SearchAccuracy>, EngineError> {
    let search_options = Options {
        threads: 1,
        hash_mib: SEARCH_HASH_MIB,
    };
    let solver_options = Options { threads, hash_mib };
    let mut searcher = Engine::with_evaluation(&search_options, evaluation.clone())?;
    let mut solver = Engine::with_evaluation(&solver_options, evaluation.clone())?;
    let limits = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    let never = StopToken::default();
    let measure = |problem: &Problem| {
        let mut problem = problem.clone();
        searcher.clear();
        let result = searcher.search(problem.board, &limits, &never, |_| {});
        let best = problem.best_score().unwrap_or_else(|| {
            let solved = solver.solve(problem.board, &never, |_| {});
            problem.scores.push((solved.best, solved.score));
            solved.score
        });
        let exact_score = |problem: &Problem| {
            let found = problem.scores.iter().find(|(mv, _)| *mv == result.best);
            found.map(|&(_, score)| score)
        };
        if let (None, Some(square)) = (exact_score(&problem), result.best) {
            let child = problem.board.play(square).expect("the search found it");
            // Reuses the transposition table of the position itself.
            let reply = solver.solve(child, &never, |_| {});
            problem.scores.push((result.best, -reply.score));
        }
        on_solved(&problem);
        SearchAccuracy {
            error: result.score - best,
            lost: best - exact_score(&problem).unwrap_or(best),
        }
    };
    Ok(problems.iter().map(measure).collect())
}

/// The limit of a player for each move.
#[derive(Clone, Copy, Debug)]
pub enum MoveLimit {
    /// A number of nodes, which makes games reproducible.
    Nodes(u64),
    /// A time.
    Time(Duration),
}

impl MoveLimit {
    fn search_limits(self) -> SearchLimits {
        let mut search_limits = SearchLimits::default();
        match self {
            Self::Nodes(nodes) => search_limits.nodes = Some(nodes),
            Self::Time(time) => {
                let limits = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                search_limits.budget = Budget::begin(&limits, &SystemClock);
            }
        }
        search_limits
    }
}

/// Plays a match between two evaluations and returns the final disc differences for the first one.
/// Each opening is played twice with colours reversed, as far as it is legal.
///
/// # Errors
/// If the transposition tables cannot be allocated.
pub fn play_match(
    players: [&Arc<Evaluation>; 2],
    openings: &[&str],
    limit: MoveLimit,
    threads: usize,
) -> Result<Vec<i32>, EngineError> {
    let options = Options {
        threads: 1,
        hash_mib: 16,
    };
    let play = |at: usize| {
        let mut engines = [
            Engine::with_evaluation(&options, players[0].clone())?,
            Engine::with_evaluation(&options, players[1].clone())?,
        ];
        Ok(play_game(&mut engines, openings[at / 2], limit, at % 2))
    };
    parallel_map(2 * openings.len(), threads, play)
        .into_iter()
        .collect()
}

/// Plays a game; `black` is the index of the player who moves first.
fn play_game(engines: &mut [Engine; 2], opening: &str, limit: MoveLimit, black: usize) -> i32 {
    let mut book = opening
        .as_bytes()
        .chunks(2)
        .map_while(|name| std::str::from_utf8(name).ok()?.parse().ok());
    let (mut board, mut mover) = (Board::START, black);
    while !board.is_over() {
        if board.moves().is_empty() {
            board = board.passed();
        } else {
            let book_move = book.next().and_then(|square| board.play(square));
            board = book_move.unwrap_or_else(|| {
                let limits = limit.search_limits();
                let result = engines[mover].search(board, &limits, &StopToken::default(), |_| {});
                let best = result.best.expect("there is a legal move");
                board.play(best).expect("the move is legal")
            });
        }
        mover = 1 - mover;
    }
    let score = board.final_score();
    if mover == 0 { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_to_the_end_is_exact_and_a_shallow_one_has_an_error() {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
        let unsolved = papan_files::obf::parse_line(line, 1).expect("FFO 1 is a position");
        let mut solved = unsolved.clone();
        solved.scores = vec![(unsolved.board.moves().last(), 18)];
        let problems = [unsolved, solved];
        let weights = Evaluation::shipped();
        let scores = std::sync::Mutex::new(Vec::new());
        let on_solved = |problem: &Problem| scores.lock().unwrap().push(problem.best_score());
        let to_the_end = search_accuracy(&weights, &problems, 14, 16, 1, on_solved).unwrap();
        assert_eq!(to_the_end, [SearchAccuracy { error: 0, lost: 0 }; 2]);
        assert_eq!(scores.lock().unwrap()[..], [Some(18); 2]);
        let shallow = search_accuracy(&weights, &problems[..1], 1, 16, 1, |_| {}).unwrap();
        assert!(shallow[0].error != 0 && shallow[0].lost >= 0, "{shallow:?}");
    }

    #[test]
    fn the_suite_with_thirty_empty_squares_has_fifty_positions_and_legal_moves() {
        let text = include_str!("../../othello/suite/thirty.obf");
        let problems = papan_files::obf::parse(text).expect("the suite is OBF");
        assert_eq!(problems.len(), 50);
        for problem in problems {
            assert_eq!(problem.board.empties(), 30);
            assert!(problem.best_score().is_some_and(|score| score % 2 == 0));
            let moves = problem.scores.iter().filter_map(|(mv, _)| *mv);
            assert!(moves.clone().count() > 0);
            for mv in moves {
                assert!(problem.board.play(mv).is_some(), "{}", problem.format());
            }
        }
    }

    #[test]
    fn weights_against_themselves_are_even() {
        let weights = Evaluation::shipped();
        let scores = play_match(
            [&weights, &weights],
            &["f5d6c4d3c2b3b4b5"],
            MoveLimit::Nodes(300),
            1,
        )
        .expect("two tables of 16 MiB can be allocated");
        assert_eq!(scores.iter().sum::<i32>(), 0, "{scores:?}");
    }
}
