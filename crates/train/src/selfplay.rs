//! Self-play games, labelled with scores.
//!
//! A game starts with random moves or with the moves of a tournament game, continues with a
//! shallow search, and is solved once few squares are empty. Positions after the opening are
//! labelled with the mean of the solved score and of the score of their own search, because the
//! errors of the two are independent. From there the game follows best play with occasional random
//! moves, so that the late stages contain varied positions; each of these is solved.

use crate::games::Game;
use papan_othello::{Board, Engine, Evaluation, Options, SearchLimits, Square, Squares};
use papan_rules::SplitMix;
use papan_strategies::StopToken;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Settings of self-play.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlaySettings {
    /// Search depth in plies.
    pub depth: u32,
    /// Solve positions with at most this number of empty squares.
    pub solve: u32,
    /// Seed. Seed and number determine a game.
    pub seed: u64,
    /// Number of concurrent games.
    pub threads: usize,
}

/// Plays the games of these numbers until the time is up. Calls `keep` with each game and its
/// number, and returns how many there were. Games begin like one of `others`, or with random moves
/// if that is empty.
pub fn play(
    settings: SelfPlaySettings,
    evaluation: &Arc<Evaluation>,
    others: &[Game],
    numbers: Range<u64>,
    time: Duration,
    keep: impl Fn(u64, Game) + Sync,
) -> u64 {
    let start = Instant::now();
    let next = AtomicU64::new(numbers.start);
    std::thread::scope(|scope| {
        for _ in 0..settings.threads {
            scope.spawn(|| {
                let mut engine = engine(evaluation);
                while start.elapsed() < time {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end {
                        break;
                    }
                    keep(number, game(&mut engine, settings, others, number));
                }
            });
        }
    });
    next.load(Ordering::Relaxed).min(numbers.end) - numbers.start
}

/// Maximum number of empty squares at the end of an opening taken from another game.
const MAX_OPENING_EMPTIES: u32 = 44;

/// Returns the moves of a game up to a random ply, before the positions that are solved.
fn opening(given: &Game, settings: SelfPlaySettings, rng: &mut SplitMix) -> Vec<Square> {
    let range = MAX_OPENING_EMPTIES.saturating_sub(settings.solve) as usize;
    let end = settings.solve + rng.below(range + 1) as u32;
    let mut board = Board::START;
    let mut moves = Vec::new();
    for &square in &given.moves {
        if board.moves().is_empty() {
            board = board.passed();
        }
        let Some(next) = board.play(square).filter(|_| board.empties() > end) else {
            break;
        };
        board = next;
        moves.push(square);
    }
    moves
}

/// Creates an engine for one thread.
pub(crate) fn engine(evaluation: &Arc<Evaluation>) -> Engine {
    let options = Options {
        threads: 1,
        hash_mib: 8,
    };
    Engine::with_evaluation(&options, evaluation.clone()).expect("8 MiB can be allocated")
}

/// Plays the game of a number.
pub(crate) fn game(
    engine: &mut Engine,
    settings: SelfPlaySettings,
    others: &[Game],
    number: u64,
) -> Game {
    // The transposition table must not depend on earlier games.
    engine.clear();
    let mut rng = game_rng(settings, number);
    let (mut opening, random_moves) = if others.is_empty() {
        // Most games have few random moves, some have many.
        let is_short = rng.below(10) < 7;
        let random_moves = if is_short {
            4 + rng.below(15)
        } else {
            16 + rng.below(27)
        };
        (Vec::new(), random_moves)
    } else {
        let given = &others[rng.below(others.len())];
        (opening(given, settings, &mut rng), rng.below(4))
    };
    let mut board = Board::START;
    for &square in &opening {
        if board.moves().is_empty() {
            board = board.passed();
        }
        board = board.play(square).expect("the opening is legal");
    }
    let length = opening.len() + random_moves;
    while opening.len() < length && !board.is_over() {
        let moves = board.moves();
        if moves.is_empty() {
            board = board.passed();
            continue;
        }
        if board.empties() <= settings.solve {
            break;
        }
        let square = random_move(moves, &mut rng);
        opening.push(square);
        board = board.play(square).expect("the move is legal");
    }
    continue_game(engine, settings, opening, &mut rng)
}

/// A position that waits for its label.
struct Unlabelled {
    ply: usize,
    /// Score of its own search.
    score: i32,
}

/// Plays and labels a game with this opening.
fn continue_game(
    engine: &mut Engine,
    settings: SelfPlaySettings,
    opening: Vec<Square>,
    rng: &mut SplitMix,
) -> Game {
    let mut opening = opening.into_iter();
    let mut game = Game::default();
    let mut board = Board::START;
    let never = StopToken::default();
    let mut unlabelled: Vec<Unlabelled> = Vec::new();
    // Whether black is to move, by ply.
    let mut sides: Vec<bool> = Vec::new();
    let mut black_to_move = true;
    while !board.is_over() {
        let moves = board.moves();
        if moves.is_empty() {
            board = board.passed();
            black_to_move = !black_to_move;
            continue;
        }
        let ply = game.moves.len();
        let empties = board.empties();
        sides.push(black_to_move);
        game.labels.push(None);
        let is_solved = empties <= settings.solve;
        let is_random = is_solved && empties > 4 && rng.below(8) == 0;
        let square = if let Some(square) = opening.next() {
            square
        } else {
            let limits = SearchLimits {
                depth: (!is_solved).then_some(settings.depth),
                ..SearchLimits::default()
            };
            let result = engine.search(board, &limits, &never, |_| {});
            unlabelled.push(Unlabelled {
                ply,
                score: result.score,
            });
            if is_solved {
                for Unlabelled { ply, score } in unlabelled.drain(..) {
                    let sign = if sides[ply] == black_to_move { 1 } else { -1 };
                    game.labels[ply] = Some(mean(score, sign * result.score));
                }
            }
            if is_random {
                random_move(moves, rng)
            } else {
                result.best.expect("there is a legal move")
            }
        };
        game.moves.push(square);
        board = board.play(square).expect("the move is legal");
        black_to_move = !black_to_move;
    }
    game
}

/// Returns the mean of two scores, rounded away from zero.
fn mean(one: i32, other: i32) -> i8 {
    let sum = one + other;
    ((sum + sum.signum()) / 2) as i8
}

fn game_rng(settings: SelfPlaySettings, number: u64) -> SplitMix {
    SplitMix::new(settings.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d))
}

fn random_move(mut moves: Squares, rng: &mut SplitMix) -> Square {
    let index = rng.below(moves.len() as usize);
    moves.nth(index).expect("the index is below the count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opening_taken_from_another_game_has_no_labels() {
        let evaluation = Evaluation::shipped();
        let mut engine = engine(&evaluation);
        let settings = SelfPlaySettings {
            depth: 1,
            solve: 8,
            seed: 4,
            threads: 1,
        };
        let given = game(&mut engine, settings, &[], 0);
        for number in 1..6 {
            let own = game(&mut engine, settings, std::slice::from_ref(&given), number);
            let pairs = own.moves.iter().zip(&given.moves);
            let common = pairs.take_while(|(a, b)| a == b).count();
            let unlabelled = own.labels.iter().take_while(|l| l.is_none()).count();
            let min_common = 60 - MAX_OPENING_EMPTIES as usize;
            assert!(common >= min_common, "{common} moves in common");
            assert!(unlabelled <= common + 3, "at most three random moves");
            assert!(own.labels[unlabelled..].iter().all(Option::is_some));
        }
    }
}
