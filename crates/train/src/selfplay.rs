//! Games that papan plays against itself, labelled with exact scores.
//!
//! A game opens with random moves, or with those of a tournament game, goes on with a shallow
//! search and is solved once few enough squares are empty. The mean of the solved score and of what the
//! search said labels every position since the opening: each errs where the other does not. After
//! that the game follows best play, leaving it now and then so that the late stages see
//! positions of all kinds; each of those is solved again.

use crate::games::Game;
use papan_othello::{Board, Engine, Evaluation, Options, SearchLimits, Square, Squares};
use papan_rules::SplitMix;
use papan_strategies::StopToken;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Plies searched for a move.
    pub depth: u32,
    /// From this many empty squares on, positions are solved.
    pub solve: u32,
    /// The games are a function of this and their number.
    pub seed: u64,
    /// How many games are played at a time.
    pub threads: usize,
}

/// Plays games of these numbers until the time is up, and hands over each one with its
/// number; returns how many. They open with random moves or, where there are games of
/// `others`, as one of those does.
pub fn play(
    settings: Settings,
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

/// A game of others is left with at most so many empty squares.
const EARLIEST: u32 = 44;

/// The moves of a game until it is left, at random but before it would be solved.
fn opening(given: &Game, settings: Settings, dice: &mut SplitMix) -> Vec<Square> {
    let span = EARLIEST.saturating_sub(settings.solve) as usize;
    let left = settings.solve + dice.below(span + 1) as u32;
    let mut board = Board::START;
    let kept = given.moves.iter().copied().take_while(|&square| {
        if board.moves().is_empty() {
            board = board.passed();
        }
        let wanted = board.empties() > left;
        match board.play(square) {
            Some(next) if wanted => {
                board = next;
                true
            }
            _ => false,
        }
    });
    kept.collect()
}

/// An engine for one thread.
pub(crate) fn engine(evaluation: &Arc<Evaluation>) -> Engine {
    let options = Options {
        threads: 1,
        hash_mib: 8,
    };
    Engine::with_evaluation(&options, evaluation.clone()).expect("8 MiB and a thread can be had")
}

/// The game of a number.
pub(crate) fn game(engine: &mut Engine, settings: Settings, others: &[Game], number: u64) -> Game {
    // What it learned of other games would show in this one.
    engine.clear();
    let mut dice = dice_of(settings, number);
    let (mut opening, random) = if others.is_empty() {
        // Most games leave the beaten track early, some late.
        let early = dice.below(10) < 7;
        let random = if early {
            4 + dice.below(15)
        } else {
            16 + dice.below(27)
        };
        (Vec::new(), random)
    } else {
        let given = &others[dice.below(others.len())];
        (opening(given, settings, &mut dice), dice.below(4))
    };
    let mut board = Board::START;
    for &square in &opening {
        if board.moves().is_empty() {
            board = board.passed();
        }
        board = board.play(square).expect("the opening was played before");
    }
    let all = opening.len() + random;
    while opening.len() < all && !board.is_over() {
        let moves = board.moves();
        if moves.is_empty() {
            board = board.passed();
            continue;
        }
        if board.empties() <= settings.solve {
            break;
        }
        let square = pick(moves, &mut dice);
        opening.push(square);
        board = board.play(square).expect("the move is legal");
    }
    on(engine, settings, opening, &mut dice)
}

/// A game that begins with these moves and goes on with good ones.
fn on(engine: &mut Engine, settings: Settings, opening: Vec<Square>, dice: &mut SplitMix) -> Game {
    let mut opening = opening.into_iter();
    let mut game = Game::default();
    let mut board = Board::START;
    let never = StopToken::default();
    // The positions since the opening with what the search said, and the side to move in all.
    let mut waiting: Vec<(usize, i32)> = Vec::new();
    let mut sides: Vec<bool> = Vec::new();
    let mut black = true;
    while !board.is_over() {
        let moves = board.moves();
        if moves.is_empty() {
            board = board.passed();
            black = !black;
            continue;
        }
        let ply = game.moves.len();
        let empties = board.empties();
        sides.push(black);
        game.labels.push(None);
        let late = empties <= settings.solve;
        let wild = late && empties > 4 && dice.below(8) == 0;
        let square = if let Some(square) = opening.next() {
            square
        } else {
            let task = SearchLimits {
                depth: (!late).then_some(settings.depth),
                ..SearchLimits::default()
            };
            let report = engine.search(board, &task, &never, |_| {});
            waiting.push((ply, report.score));
            if late {
                for (at, searched) in waiting.drain(..) {
                    let sign = if sides[at] == black { 1 } else { -1 };
                    game.labels[at] = Some(mean(searched, sign * report.score));
                }
            }
            if wild {
                pick(moves, dice)
            } else {
                report.best.expect("there is a move")
            }
        };
        game.moves.push(square);
        board = board.play(square).expect("the move is legal");
        black = !black;
    }
    game
}

/// The mean of two scores, halves away from zero.
fn mean(one: i32, other: i32) -> i8 {
    let sum = one + other;
    ((sum + sum.signum()) / 2) as i8
}

fn dice_of(settings: Settings, number: u64) -> SplitMix {
    SplitMix::new(settings.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d))
}

fn pick(mut moves: Squares, dice: &mut SplitMix) -> Square {
    let nth = dice.below(moves.len() as usize);
    moves.nth(nth).expect("nth is below the count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_begins_as_another_is_labelled_only_where_it_is_our_own() {
        let evaluation = Evaluation::shipped();
        let mut engine = engine(&evaluation);
        let settings = Settings {
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
            assert!(common >= 60 - EARLIEST as usize, "{common} moves in common");
            assert!(unlabelled <= common + 3, "three random moves at most");
            assert!(own.labels[unlabelled..].iter().all(Option::is_some));
        }
    }
}
