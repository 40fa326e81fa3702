//! Self-play of five in a row: seed and number determine a game.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use papan_mnk::{GridEngine, GridEngineOptions};
use papan_rules::{
    Game as _, Gomoku, GomokuError, GomokuRule, Line, Move, Outcome, Player, SplitMix,
};
use papan_strategies::Context;

use super::games::{GomokuGame, ScoredMove};

/// Settings of self-play.
#[derive(Clone, Copy, Debug)]
pub struct GomokuSelfPlay {
    /// The rule.
    pub rule: GomokuRule,
    /// The side of the board.
    pub side: u8,
    /// Nodes per move.
    pub nodes: u64,
    /// Seed of the openings.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
}

/// Random moves at the start of a game, at least and at most.
const RANDOM_MOVES: [usize; 2] = [3, 9];
/// Openings with a larger score of a short search are not played.
const MAX_OPENING_SCORE: i16 = 80;
/// Games whose number is a multiple of this may begin with an unbalanced opening.
const UNBALANCED: u64 = 8;
/// Mean number of moves from one random move near the stones to the next.
const BLUNDERS: usize = 50;
/// Distance of a random move from earlier ones.
const SPREAD: usize = 3;

impl GomokuSelfPlay {
    /// Plays the games with these numbers, or as many as fit into the time, and returns them in order
    /// of their numbers, without gaps.
    ///
    /// # Errors
    /// When there is no board of this side.
    pub fn play(
        &self,
        numbers: std::ops::Range<u64>,
        time: Duration,
    ) -> Result<Vec<GomokuGame>, GomokuError> {
        let game = Gomoku::new(self.side.into(), self.rule)?;
        let next = AtomicU64::new(numbers.start);
        let played = Mutex::new(BTreeMap::new());
        let start = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..self.threads {
                scope.spawn(|| {
                    let options = GridEngineOptions {
                        hash_mib: 1,
                        ..GridEngineOptions::default()
                    };
                    let mut engine = GridEngine::at_gomoku(&game, options);
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= numbers.end || start.elapsed() > time {
                            break;
                        }
                        let finished = self.play_one(&game, &mut engine, number);
                        let mut played = played.lock().unwrap_or_else(|e| e.into_inner());
                        played.insert(number, finished);
                    }
                });
            }
        });
        let played = played.into_inner().unwrap_or_else(|e| e.into_inner());
        let in_order = numbers.zip(played);
        Ok(in_order
            .take_while(|(expected, (number, _))| expected == number)
            .map(|(_, (_, game))| game)
            .collect())
    }

    fn play_one(&self, game: &Gomoku, engine: &mut GridEngine, number: u64) -> GomokuGame {
        let mut random = SplitMix::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let score = |engine: &mut GridEngine, line: &Line<Gomoku>, nodes: u64| {
            let context = Context::default().with_nodes(nodes);
            engine.best_at_gomoku(game, line.position(), &context)
        };
        let mut line = Line::new(game);
        // An opening that is not decided yet.
        for _ in 0..20 {
            line = random_opening(game, &mut random);
            let judged = score(engine, &line, self.nodes);
            let is_even = judged.is_ok_and(|(_, score)| score.abs() <= MAX_OPENING_SCORE);
            if is_even
                || number.is_multiple_of(UNBALANCED) && game.outcome(line.position()).is_none()
            {
                break;
            }
        }
        let mut moves: Vec<ScoredMove> = line
            .moves()
            .iter()
            .filter_map(|mv| mv.cell())
            .map(|cell| ScoredMove {
                cell: cell as u16,
                score: 0,
            })
            .collect();
        let opening = moves.len();
        let mut result = None;
        while game.outcome(line.position()).is_none() {
            let Ok((mut mv, value)) = score(engine, &line, self.nodes) else {
                break;
            };
            let turn = game.turn(line.position());
            if value >= GridEngine::WIN {
                result = Some(Outcome::Win(turn));
            }
            if result.is_none() && random.below(BLUNDERS) == 0 {
                mv = random_move(game, &line, &mut random).unwrap_or(mv);
            }
            let Some(cell) = mv.cell() else { break };
            moves.push(ScoredMove {
                cell: cell as u16,
                score: value,
            });
            if result.is_some() || line.play(game, mv).is_err() {
                break;
            }
        }
        let result = result.or_else(|| game.outcome(line.position()));
        GomokuGame {
            rule: self.rule,
            side: self.side,
            random: opening as u8,
            result: match result {
                Some(Outcome::Win(Player::First)) => 2,
                Some(Outcome::Win(Player::Second)) => 0,
                _ => 1,
            },
            moves,
        }
    }
}

fn random_opening(game: &Gomoku, random: &mut SplitMix) -> Line<Gomoku> {
    let [least, most] = RANDOM_MOVES;
    let count = least + random.below(most - least + 1);
    let mut line = Line::new(game);
    for _ in 0..count {
        if let Some(mv) = random_move(game, &line, random) {
            // The move is legal.
            let _ = line.play(game, mv);
        }
    }
    line
}

/// Returns a random legal move near an earlier one, or near the middle.
fn random_move(game: &Gomoku, line: &Line<Gomoku>, random: &mut SplitMix) -> Option<Move> {
    let side = game.side();
    let moves = line.moves();
    for _ in 0..100 {
        let near = if moves.is_empty() {
            game.cells() / 2
        } else {
            moves[random.below(moves.len())].cell()?
        };
        let mut shifted = |at: usize| (at + random.below(2 * SPREAD + 1)).checked_sub(SPREAD);
        let (Some(row), Some(column)) = (shifted(near / side), shifted(near % side)) else {
            continue;
        };
        if row >= side || column >= side {
            continue;
        }
        let mv = Move::on(row * side + column);
        if game.check_move(line.position(), mv).is_ok() {
            return Some(mv);
        }
    }
    None
}
