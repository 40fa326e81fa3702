//! Trying weights out: how many nodes solving takes with them, and how they play.

use crate::parallel::in_parallel;
use papan_othello::Problem;
use papan_othello::{Board, Engine, EngineError, Evaluation, Options, SearchLimits};
use papan_strategies::{Budget, Limits, StopToken, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// The nodes that each position takes to solve on one thread, several positions at a time.
///
/// # Errors
/// When the hash tables do not fit in memory.
pub fn nodes(
    evaluation: &Arc<Evaluation>,
    problems: &[Problem],
    hash_mib: usize,
    threads: usize,
) -> Result<Vec<u64>, EngineError> {
    let options = Options {
        threads: 1,
        hash_mib,
    };
    let solved = in_parallel(problems.len(), threads, |at| {
        let mut engine = Engine::with_evaluation(&options, evaluation.clone())?;
        let report = engine.solve(problems[at].board, &StopToken::default(), |_| {});
        Ok(report.nodes)
    });
    solved.into_iter().collect()
}

/// The hash table of a search of fixed depth.
const SEARCH_HASH_MIB: usize = 64;

/// How a search of fixed depth stands beside the exact scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchAccuracy {
    /// The search's score less the exact one, in discs.
    pub error: i32,
    /// What its move loses.
    pub lost: i32,
}

/// Searches every position to the depth on one thread. Scores that a problem does not know (its own, and
/// the searched move's) are solved by all threads together; `known` hears of each problem with
/// them.
///
/// # Errors
/// When the hash tables do not fit in memory.
pub fn searches(
    evaluation: &Arc<Evaluation>,
    problems: &[Problem],
    depth: u32,
    hash_mib: usize,
    threads: usize,
    known: impl Fn(&Problem),
) -> Result<Vec<SearchAccuracy>, EngineError> {
    let alone = Options {
        threads: 1,
        hash_mib: SEARCH_HASH_MIB,
    };
    let together = Options { threads, hash_mib };
    let mut searcher = Engine::with_evaluation(&alone, evaluation.clone())?;
    let mut solver = Engine::with_evaluation(&together, evaluation.clone())?;
    let task = SearchLimits {
        depth: Some(depth),
        ..SearchLimits::default()
    };
    let never = StopToken::default();
    let searched = problems.iter().map(|problem| {
        let mut problem = problem.clone();
        searcher.clear();
        let told = searcher.search(problem.board, &task, &never, |_| {});
        let best = problem.best_score().unwrap_or_else(|| {
            let solved = solver.solve(problem.board, &never, |_| {});
            problem.scores.push((solved.best, solved.score));
            solved.score
        });
        let score_of = |problem: &Problem| {
            let found = problem.scores.iter().find(|(mv, _)| *mv == told.best);
            found.map(|&(_, score)| score)
        };
        if let (None, Some(square)) = (score_of(&problem), told.best) {
            let child = problem.board.play(square).expect("the search found it");
            // What is left in the table of the first search serves this one.
            let reply = solver.solve(child, &never, |_| {});
            problem.scores.push((told.best, -reply.score));
        }
        known(&problem);
        SearchAccuracy {
            error: told.score - best,
            lost: best - score_of(&problem).unwrap_or(best),
        }
    });
    Ok(searched.collect())
}

/// What a player may use for a move.
#[derive(Clone, Copy, Debug)]
pub enum MoveLimit {
    /// So many nodes: the same games every time.
    Nodes(u64),
    /// So much time.
    Time(Duration),
}

impl MoveLimit {
    fn task(self) -> SearchLimits {
        let mut task = SearchLimits::default();
        match self {
            Self::Nodes(nodes) => task.nodes = Some(nodes),
            Self::Time(time) => {
                let limits = Limits {
                    time: Some(time),
                    ..Limits::default()
                };
                task.budget = Budget::begin(&limits, &SystemClock);
            }
        }
        task
    }
}

/// Final differences, from the first evaluation's side: each opening once with either colour. An
/// opening that cannot be read or played is played as far as it can.
///
/// # Errors
/// When the hash tables do not fit in memory.
pub fn contest(
    players: [&Arc<Evaluation>; 2],
    openings: &[&str],
    pace: MoveLimit,
    threads: usize,
) -> Result<Vec<i32>, EngineError> {
    let options = Options {
        threads: 1,
        hash_mib: 16,
    };
    let played = in_parallel(2 * openings.len(), threads, |at| {
        let mut engines = [
            Engine::with_evaluation(&options, players[0].clone())?,
            Engine::with_evaluation(&options, players[1].clone())?,
        ];
        Ok(game(&mut engines, openings[at / 2], pace, at % 2))
    });
    played.into_iter().collect()
}

/// One game; `black` is the number of the player who begins.
fn game(engines: &mut [Engine; 2], opening: &str, pace: MoveLimit, black: usize) -> i32 {
    let mut book = opening
        .as_bytes()
        .chunks(2)
        .map_while(|name| std::str::from_utf8(name).ok()?.parse().ok());
    let (mut board, mut mover) = (Board::START, black);
    while !board.is_over() {
        if board.moves().is_empty() {
            board = board.passed();
        } else {
            let known = book.next().and_then(|square| board.play(square));
            board = known.unwrap_or_else(|| {
                let report =
                    engines[mover].search(board, &pace.task(), &StopToken::default(), |_| {});
                let best = report.best.expect("there is a move");
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
    fn a_search_to_the_end_is_right_and_a_shallow_one_is_told_what_it_misses() {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X;";
        let open = papan_files::obf::parse_line(line, 1).expect("FFO 1 is a position");
        let mut known = open.clone();
        known.scores = vec![(open.board.moves().last(), 18)];
        let problems = [open, known];
        let weights = Evaluation::shipped();
        let heard = std::sync::Mutex::new(Vec::new());
        let hear = |problem: &Problem| heard.lock().unwrap().push(problem.best_score());
        let to_the_end = searches(&weights, &problems, 14, 16, 1, hear).unwrap();
        assert_eq!(to_the_end, [SearchAccuracy { error: 0, lost: 0 }; 2]);
        assert_eq!(heard.lock().unwrap()[..], [Some(18); 2]);
        let shallow = searches(&weights, &problems[..1], 1, 16, 1, |_| {}).unwrap();
        assert!(shallow[0].error != 0 && shallow[0].lost >= 0, "{shallow:?}");
    }

    #[test]
    fn the_positions_with_thirty_empty_squares_are_fifty_and_their_moves_are_legal() {
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
        let scores = contest(
            [&weights, &weights],
            &["f5d6c4d3c2b3b4b5"],
            MoveLimit::Nodes(300),
            1,
        );
        let scores = scores.expect("two tables of 16 MiB can be had");
        assert_eq!(scores.iter().sum::<i32>(), 0, "{scores:?}");
    }
}
