//! Games that papan plays against itself, labelled with exact scores.
//!
//! A game opens with random moves, goes on with a shallow search and is solved once few enough
//! squares are empty. The solved score labels every position since the last random move. After
//! that the game follows best play, leaving it now and then so that the late stages see
//! positions of all kinds; each of those is solved again.

use crate::games::Game;
use papan_othello::{Board, Engine, Evaluation, Options, Square, Squares, Task};
use papan_rules::SplitMix;
use papan_strategies::StopToken;
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

/// Plays games numbered from `first` on until the time is up, and hands over each one.
pub fn play(
    settings: Settings,
    evaluation: &Arc<Evaluation>,
    first: u64,
    time: Duration,
    keep: impl Fn(Game) + Sync,
) -> u64 {
    let start = Instant::now();
    let next = AtomicU64::new(first);
    std::thread::scope(|scope| {
        for _ in 0..settings.threads {
            scope.spawn(|| {
                let options = Options {
                    threads: 1,
                    hash_mib: 8,
                };
                let mut engine = Engine::with_evaluation(&options, evaluation.clone())
                    .expect("8 MiB and a thread can be had");
                while start.elapsed() < time {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    keep(game(&mut engine, settings, number));
                }
            });
        }
    });
    next.load(Ordering::Relaxed) - first
}

/// The game of a number.
pub fn game(engine: &mut Engine, settings: Settings, number: u64) -> Game {
    let mut dice = SplitMix::new(settings.seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
    // Most games leave the beaten track early, some late.
    let random = if dice.below(10) < 7 {
        4 + dice.below(15)
    } else {
        16 + dice.below(27)
    };
    let mut game = Game::default();
    let mut board = Board::START;
    let never = StopToken::default();
    // The positions since the last random move, with the side to move.
    let mut waiting: Vec<usize> = Vec::new();
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
        let wild = ply < random || (late && empties > 4 && dice.below(8) == 0);
        let square = if wild && !late {
            waiting.clear();
            pick(moves, &mut dice)
        } else {
            waiting.push(ply);
            let task = Task {
                depth: (!late).then_some(settings.depth),
                ..Task::default()
            };
            let report = engine.search(board, &task, &never, |_| {});
            if late {
                for &at in &waiting {
                    let sign = if sides[at] == black { 1 } else { -1 };
                    game.labels[at] = Some((sign * report.score) as i8);
                }
                waiting.clear();
            }
            if wild {
                pick(moves, &mut dice)
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

fn pick(mut moves: Squares, dice: &mut SplitMix) -> Square {
    let nth = dice.below(moves.len() as usize);
    moves.nth(nth).expect("nth is below the count")
}
