//! Puzzles: positions in which one move is right and every other is not. A new one
//! of each level every day, the same for everybody: made by lot from the day, and
//! solved exactly.

use std::net::IpAddr;
use std::sync::Arc;

use papan_catalog::{AnyGame, AnyLine, advisor};
use papan_rules::Move;
use papan_store::StoredStudy;
use papan_strategies::{Bound, Decision, Limits};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::analysis::engine_cache::{AnalysisRequest, EngineCache};
use crate::http::rejection::Rejection;
use crate::state::AppState;

/// Where the puzzles of a level come from.
pub(crate) struct Source {
    /// Its name in addresses; the key of its text has `web-puzzle-` before it.
    pub(crate) name: &'static str,
    game: &'static str,
    /// How many moves were made before, from one number to the other.
    plies: [u64; 2],
}

/// From the easiest to the hardest.
pub(crate) const SOURCES: [Source; 4] = [
    Source {
        name: "first",
        game: "tictactoe",
        plies: [3, 5],
    },
    Source {
        name: "second",
        game: "tictactoe:4x4:3",
        plies: [2, 4],
    },
    Source {
        name: "third",
        game: "othello",
        plies: [54, 56],
    },
    Source {
        name: "fourth",
        game: "othello",
        plies: [50, 52],
    },
];

/// Positions that are tried before a day has no puzzle.
const MOST_TRIES: u64 = 400;
/// Milliseconds of a day.
const DAY: i64 = 24 * 3600 * 1000;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Task {
    /// The one move that wins.
    Win,
    /// The one move that does not lose.
    Hold,
}

/// A position with one right move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Puzzle {
    pub(crate) game: String,
    /// The moves that led there.
    pub(crate) moves: Vec<String>,
    pub(crate) task: Task,
    pub(crate) answer: String,
}

impl Puzzle {
    /// The position.
    pub(crate) fn line(&self) -> Option<Box<dyn AnyLine>> {
        let game: AnyGame = self.game.parse().ok()?;
        let mut line = game.line();
        for text in &self.moves {
            line.play(game.parse_move(text).ok()?).ok()?;
        }
        Some(line)
    }
}

/// The task of a position in which one move is right and the others are not.
fn task(decision: &Decision) -> Option<Task> {
    if decision.candidates.len() < 3 {
        return None;
    }
    let value = |score: papan_strategies::Score| {
        (score.bound() == Bound::Exact).then(|| score.balance().partial_cmp(&0.0))
    };
    let mut signs = Vec::new();
    for candidate in &decision.candidates {
        signs.push(value(candidate.score?)??);
    }
    let count = |sign| signs.iter().filter(|known| **known == sign).count();
    use std::cmp::Ordering::{Equal, Greater};
    match (count(Greater), count(Equal)) {
        (1, _) => Some(Task::Win),
        (0, 1) => Some(Task::Hold),
        _ => None,
    }
}

/// A number that depends on nothing but these.
fn lot(day: i64, level: usize, attempt: u64, ply: u64) -> u64 {
    let text = format!("papan puzzle {day} {level} {attempt} {ply}");
    let digest = Sha256::digest(text);
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// The moves of a game by lot, as long as the level wants it and still open.
fn game_by_lot(game: &AnyGame, day: i64, level: usize, attempt: u64) -> Option<Vec<Move>> {
    let [least, most] = SOURCES[level].plies;
    let plies = least + lot(day, level, attempt, u64::MAX) % (most - least + 1);
    let mut line = game.line();
    for ply in 0..plies {
        let legal = line.legal_moves();
        let chosen = lot(day, level, attempt, ply) % legal.len().max(1) as u64;
        line.play(*legal.get(chosen as usize)?).ok()?;
    }
    line.outcome().is_none().then(|| line.moves().to_vec())
}

/// Makes the puzzle of a day.
fn make(players: &mut EngineCache, day: i64, level: usize, limits: Limits) -> Option<Puzzle> {
    let game: AnyGame = SOURCES[level].game.parse().ok()?;
    let strategy = advisor(&game);
    (0..MOST_TRIES).find_map(|attempt| {
        let moves = game_by_lot(&game, day, level, attempt)?;
        let question = AnalysisRequest {
            game: game.name(),
            start: None,
            moves: moves.clone(),
            strategy: strategy.clone(),
            limits,
            seed: 0,
        };
        let decision = players.decide(&question).ok()?;
        Some(Puzzle {
            game: game.name(),
            task: task(&decision)?,
            answer: game.format_move(decision.best),
            moves: moves.iter().map(|mv| game.format_move(*mv)).collect(),
        })
    })
}

impl AppState {
    /// The day of today, counted from 1970.
    pub(crate) fn today(&self) -> i64 {
        self.date().div_euclid(DAY)
    }

    /// The puzzle of a day and a level. It is made when somebody first asks.
    ///
    /// # Errors
    /// When the engine is busy, or there is none.
    pub(crate) async fn puzzle(
        self: &Arc<Self>,
        address: IpAddr,
        day: i64,
        level: usize,
    ) -> Result<Puzzle, Rejection> {
        let subject = format!("puzzle {day} {}", SOURCES[level].name);
        let kept = self.store.study(&subject).await?;
        if let Some(puzzle) = kept.and_then(|kept| serde_json::from_str(&kept.body).ok()) {
            return Ok(puzzle);
        }
        self.study_rate(address)?;
        let limits = self.study_limits();
        let made = self.lend(address, move |players| make(players, day, level, limits));
        let puzzle = made.await?.ok_or(Rejection::NotFound)?;
        let study = StoredStudy {
            subject,
            body: serde_json::to_string(&puzzle).expect("plain data becomes JSON"),
            at: self.date(),
        };
        self.store.keep_study(study).await?;
        Ok(puzzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plain negamax, to the end of the game: +1, 0 or -1.
    fn value(line: &dyn AnyLine) -> i32 {
        if let Some(outcome) = line.outcome() {
            return outcome.value_for(line.turn());
        }
        let after = |mv: Move| {
            let mut next = line.clone_line();
            next.play(mv).unwrap();
            match next.turn() == line.turn() {
                true => value(&*next),
                false => -value(&*next),
            }
        };
        line.legal_moves().into_iter().map(after).max().unwrap()
    }

    #[test]
    fn the_answer_of_a_puzzle_is_the_only_right_move_by_plain_negamax() {
        let mut players = EngineCache::new(64);
        // The other levels are too long for plain negamax.
        for level in [0, 2] {
            for day in 20_000..20_003 {
                let puzzle = make(&mut players, day, level, Limits::default());
                let puzzle = puzzle.unwrap_or_else(|| panic!("level {level} has none"));
                let again = make(&mut players, day, level, Limits::default()).unwrap();
                assert_eq!(puzzle, again, "the same for everybody");
                let line = puzzle.line().unwrap();
                let right = |mv: &Move| {
                    let mut next = line.clone_line();
                    next.play(*mv).unwrap();
                    let sign = if next.turn() == line.turn() { 1 } else { -1 };
                    let worth = sign * value(&*next);
                    worth >= if puzzle.task == Task::Win { 1 } else { 0 }
                };
                let right: Vec<Move> = line.legal_moves().into_iter().filter(right).collect();
                assert_eq!(right.len(), 1, "{puzzle:?}");
                assert_eq!(line.game().format_move(right[0]), puzzle.answer);
            }
        }
    }
}
