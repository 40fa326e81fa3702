//! Trying weights out: how many nodes solving takes with them, and how they play.

use crate::parallel::in_parallel;
use papan_othello::Problem;
use papan_othello::{Board, Engine, EngineError, Evaluation, Options, Task};
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

/// What a player may use for a move.
#[derive(Clone, Copy, Debug)]
pub enum MoveLimit {
    /// So many nodes: the same games every time.
    Nodes(u64),
    /// So much time.
    Time(Duration),
}

impl MoveLimit {
    fn task(self) -> Task {
        let mut task = Task::default();
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
