//! papan beside a peer, in the same run: a plain negamax and a random player over
//! the traits of the crate `minimax`, with a tic-tac-toe of its own kind.
//!
//! Each side's best of many alternating rounds counts, so that whatever else the
//! machine does falls on both or on neither.

use std::hint::black_box;
use std::time::{Duration, Instant};

use minimax::{Game as _, Winner};
use papan_rules::{Game as _, Line, SplitMix, play_out, tictactoe};
use papan_strategies::{AlphaBeta, Context, Minimax, Random, Strategy as _, Turn};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Square {
    Empty,
    X,
    O,
}

#[derive(Clone)]
struct Board {
    squares: [Square; 9],
    to_move: Square,
}

struct Peer;

const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

impl Board {
    fn new() -> Self {
        Self {
            squares: [Square::Empty; 9],
            to_move: Square::X,
        }
    }

    fn just_moved(&self) -> Square {
        match self.to_move {
            Square::X => Square::O,
            _ => Square::X,
        }
    }
}

impl minimax::Game for Peer {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            let empty = |cell: &u8| board.squares[usize::from(*cell)] == Square::Empty;
            moves.extend((0..9).filter(empty));
        }
        winner
    }

    fn apply(board: &mut Board, mv: u8) -> Option<Board> {
        let mut next = board.clone();
        next.squares[usize::from(mv)] = board.to_move;
        next.to_move = board.just_moved();
        Some(next)
    }

    fn get_winner(board: &Board) -> Option<Winner> {
        let moved = board.just_moved();
        let won = |line: &[usize; 3]| line.iter().all(|&cell| board.squares[cell] == moved);
        if LINES.iter().any(won) {
            return Some(Winner::PlayerJustMoved);
        }
        let full = !board.squares.contains(&Square::Empty);
        full.then_some(Winner::Draw)
    }
}

/// A plain negamax over the peer's traits: nodes, and the value for the mover.
fn negamax(board: &mut Board, nodes: &mut u64) -> i16 {
    *nodes += 1;
    let mut moves = Vec::new();
    if let Some(winner) = Peer::generate_moves(board, &mut moves) {
        return winner.evaluate();
    }
    let mut best = minimax::WORST_EVAL;
    for mv in moves {
        let mut next = Peer::apply(board, mv).expect("the peer makes new boards");
        best = best.max(-negamax(&mut next, nodes));
    }
    best
}

/// One random game over the peer's traits; its length.
fn peer_random_game(lots: &mut u64) -> u64 {
    let mut board = Board::new();
    let mut moves = Vec::new();
    let mut plies = 0;
    loop {
        moves.clear();
        if Peer::generate_moves(&board, &mut moves).is_some() {
            return plies;
        }
        *lots = lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mv = moves[((*lots >> 33) as usize) % moves.len()];
        board = Peer::apply(&mut board, mv).expect("the peer makes new boards");
        plies += 1;
    }
}

/// The shortest of many rounds of each, alternating.
fn race(rounds: u32, mut ours: impl FnMut(), mut theirs: impl FnMut()) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..rounds {
        let start = Instant::now();
        ours();
        best.0 = best.0.min(start.elapsed());
        let start = Instant::now();
        theirs();
        best.1 = best.1.min(start.elapsed());
    }
    best
}

fn report(what: &str, (ours, theirs): (Duration, Duration), goal: &str) {
    let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
    println!(
        "{what:<44} papan {ours:>10.2?}  peer {theirs:>10.2?}  papan/peer {ratio:.3}  ({goal})"
    );
}

fn main() {
    let game = tictactoe();
    let line = Line::new(&game);
    let context = Context::default();
    let mut out = Vec::new();
    let mut count = 0;
    assert_eq!(negamax(&mut Board::new(), &mut count), 0);
    assert_eq!(count, 549_946, "the peer walks the same tree");

    let times = race(
        40,
        || {
            let nodes = Minimax::default().choices(Turn::new(&game, &line, &context), &mut out);
            assert_eq!(nodes, Ok(549_946));
        },
        || {
            let mut nodes = 0;
            black_box(negamax(&mut Board::new(), &mut nodes));
        },
    );
    report(
        "minimax from the empty board, 549,946 nodes",
        times,
        "goal 0.35, then 0.2",
    );

    const GAMES: u64 = 20_000;
    let (mut random, mut lots) = (SplitMix::new(1), 1);
    let times = race(
        40,
        || {
            for _ in 0..GAMES {
                let mut position = game.start();
                play_out(&game, &mut position, &mut random);
                black_box(position);
            }
        },
        || {
            for _ in 0..GAMES {
                black_box(peer_random_game(&mut lots));
            }
        },
    );
    report("20,000 games played out on 3x3", times, "as mcts does");

    // The strategy's lot follows from seed and position, so that a game can be had again.
    let mut line = Line::new(&game);
    let mut choices = Vec::new();
    let mut seed = 0;
    let times = race(
        40,
        || {
            let mut random = Random::default();
            let mut context = Context::default();
            for _ in 0..GAMES {
                seed += 1;
                context.seed = seed;
                line.clear();
                // At the end of the game there is nothing to choose.
                while let Ok((mv, _)) =
                    random.choose(Turn::new(&game, &line, &context), &mut choices)
                {
                    line.push(&game, mv);
                }
                black_box(line.ply());
            }
        },
        || {
            for _ in 0..GAMES {
                black_box(peer_random_game(&mut lots));
            }
        },
    );
    report(
        "20,000 games of `random` on 3x3",
        times,
        "goal 1/3, then 1/5",
    );
    let per_second = GAMES as f64 / times.0.as_secs_f64();
    println!("{:<44} {per_second:.0} games per second", "");

    let start = Instant::now();
    let line = Line::new(&game);
    let nodes = AlphaBeta::default().choices(Turn::new(&game, &line, &context), &mut out);
    println!(
        "alphabeta from the empty board: {nodes:?} nodes in {:.2?}",
        start.elapsed()
    );
}
