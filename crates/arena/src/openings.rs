//! Where games start: from a file, or drawn from balanced positions.

use std::collections::HashSet;
use std::sync::Arc;

use papan_catalog::{AnyGame, Family, Job};
use papan_rules::{Line, LineError, Move, Player};
use papan_strategies::{Context, Limits, Pace, Perfect, Random, Strategy as _, SystemClock};

/// The moves that a game starts with.
pub type Opening = Vec<Move>;

/// An opening that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// A move is wrong.
    #[error("opening in line {number}, `{text}`: {cause}")]
    Illegal {
        /// The line, counted from 1.
        number: usize,
        /// The line's text.
        text: String,
        /// Which move, and why.
        cause: LineError,
    },
    /// Nothing is left to play.
    #[error("opening in line {number}, `{text}`: the game is over after it")]
    Over {
        /// The line, counted from 1.
        number: usize,
        /// The line's text.
        text: String,
    },
    /// There is none.
    #[error("there is no opening in it; write one list of moves per line")]
    None,
}

/// Reads openings: one list of moves per line; `#` starts a comment.
///
/// # Errors
/// When a list is illegal or ends the game, or there is none.
pub fn parse<G: Family>(game: &G, text: &str) -> Result<Vec<Opening>, OpeningError> {
    let mut openings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let moves = line.split('#').next().unwrap_or("").trim();
        if moves.is_empty() {
            continue;
        }
        let (number, text) = (index + 1, moves.to_owned());
        match Line::parse(game, moves) {
            Err(cause) => {
                return Err(OpeningError::Illegal {
                    number,
                    text,
                    cause,
                });
            }
            Ok(line) if game.outcome(line.position()).is_some() => {
                return Err(OpeningError::Over { number, text });
            }
            Ok(line) => openings.push(line.moves().to_vec()),
        }
    }
    if openings.is_empty() {
        return Err(OpeningError::None);
    }
    Ok(openings)
}

/// [`parse`] for a game of any type.
///
/// # Errors
/// As [`parse`].
pub fn parse_any(game: &AnyGame, text: &str) -> Result<Vec<Opening>, OpeningError> {
    struct Parse<'a>(&'a str);
    impl Job for Parse<'_> {
        type Output = Result<Vec<Opening>, OpeningError>;
        fn run<G: Family>(self, game: &Arc<G>) -> Self::Output {
            parse(&**game, self.0)
        }
    }
    game.run(Parse(text))
}

/// [`random`] for a game of any type.
#[must_use]
pub fn random_any(game: &AnyGame, wanted: usize, seed: u64) -> Vec<Opening> {
    struct Draw(usize, u64);
    impl Job for Draw {
        type Output = Vec<Opening>;
        fn run<G: Family>(self, game: &Arc<G>) -> Self::Output {
            random(&**game, self.0, self.1)
        }
    }
    game.run(Draw(wanted, seed))
}

/// Positions that are looked at for each opening that is wanted.
const CANDIDATES: usize = 4;
/// Games played by chance to see how balanced a position is.
const PLAYOUTS: u64 = 32;
/// Nodes to find out whether a position is decided already.
const NODES_TO_SOLVE: u64 = 2_000;

/// Draws openings by lot and keeps the most balanced: those that nobody is known
/// to win, and in which games played by chance go neither way. No two lead to the
/// same position or its mirror image. Small boards may have fewer than `wanted`.
pub fn random<G: Family>(game: &G, wanted: usize, seed: u64) -> Vec<Opening> {
    let least_plies = (game.cells() / 10).clamp(2, 8);
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    // When a number of plies has too few balanced positions, a longer one has more.
    for plies in least_plies..least_plies + 4 {
        let enough = candidates.len() + wanted * CANDIDATES;
        for attempt in 0..20 * (wanted + 10) {
            if candidates.len() >= enough {
                break;
            }
            let lot = seed.wrapping_add((plies as u64) << 32 | attempt as u64);
            let Some(line) = random_line(game, plies, lot) else {
                continue;
            };
            let (canonical, _) = game.canonical(line.position());
            if seen.insert(game.pack(&canonical)) {
                let rank = imbalance(game, &line, seed);
                candidates.push((rank, candidates.len(), line.moves().to_vec()));
            }
        }
        let open = candidates.iter().filter(|((decided, _), ..)| !decided);
        if open.count() >= wanted {
            break;
        }
    }
    candidates.sort_by_key(|&(rank, order, _)| (rank, order));
    candidates.truncate(wanted);
    candidates.into_iter().map(|(_, _, moves)| moves).collect()
}

/// So many moves by lot; `None` when the game ends before or a pass is among them.
fn random_line<G: Family>(game: &G, plies: usize, seed: u64) -> Option<Line<G>> {
    let mut line = Line::new(game);
    let context = Context::with_seed(seed);
    let mut choices = Vec::new();
    for _ in 0..plies {
        let (mv, _) = Random::default()
            .choose(game, &line, &context, &mut choices)
            .ok()?;
        if mv == Move::PASS {
            return None;
        }
        line.play(game, mv).ok()?;
    }
    game.outcome(line.position()).is_none().then_some(line)
}

/// How far a position is from balanced: first whether somebody is known to win,
/// then by how much games played by chance favour one side.
fn imbalance<G: Family>(game: &G, line: &Line<G>, seed: u64) -> (bool, u64) {
    let limits = Limits {
        nodes: Some(NODES_TO_SOLVE),
        ..Limits::default()
    };
    let mut pace = Pace::new(&Context::default().limited(limits, &SystemClock));
    let solution = Perfect::default().solve(game, line.position(), &mut pace);
    let decided = solution.is_some_and(|solution| solution.value != 0);
    let mut context = Context::with_seed(seed);
    let mut choices = Vec::new();
    let mut balance = 0_i64;
    for round in 0..PLAYOUTS {
        context.round = round;
        let mut game_on = line.clone();
        while let Ok((mv, _)) = Random::default().choose(game, &game_on, &context, &mut choices) {
            if game_on.play(game, mv).is_err() {
                break;
            }
        }
        let outcome = game.outcome(game_on.position());
        balance += outcome.map_or(0, |o| i64::from(o.value_for(Player::First)));
    }
    (decided, balance.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Game, Othello, Symmetric, tictactoe};

    #[test]
    fn a_file_holds_one_opening_per_line() {
        let openings = parse(&tictactoe(), "# mine\n5 1\n\n1, 9 # corners\n").unwrap();
        let cells = |opening: &Opening| -> Vec<usize> {
            opening.iter().map(|mv| mv.cell().unwrap() + 1).collect()
        };
        assert_eq!(cells(&openings[0]), [5, 1]);
        assert_eq!(cells(&openings[1]), [1, 9]);
    }

    #[test]
    fn an_impossible_opening_is_named_with_its_line() {
        let game = tictactoe();
        let error = parse(&game, "5 1\n5 5").unwrap_err().to_string();
        assert!(
            error.starts_with("opening in line 2, `5 5`: move `5` at column 3"),
            "{error}"
        );
        let error = parse(&game, "1 4 2 5 3").unwrap_err();
        assert!(matches!(error, OpeningError::Over { number: 1, .. }));
        assert_eq!(parse(&game, "# nothing\n"), Err(OpeningError::None));
    }

    #[test]
    fn drawn_openings_on_3x3_are_all_drawn_games() {
        let game = tictactoe();
        let openings = random(&game, 6, 1);
        assert_eq!(openings.len(), 6);
        let mut unlimited = Pace::new(&Context::default());
        for opening in &openings {
            let mut pos = game.start();
            opening
                .iter()
                .for_each(|&mv| game.play(&mut pos, mv).unwrap());
            let solution = Perfect::default().solve(&game, &pos, &mut unlimited);
            assert_eq!(solution.unwrap().value, 0, "{opening:?}");
        }
        assert_eq!(openings, random(&game, 6, 1));
        assert_ne!(openings, random(&game, 6, 2));
    }

    #[test]
    fn drawn_openings_differ_even_when_mirrored() {
        let game = Othello::default();
        let openings = random(&game, 20, 3);
        let positions: HashSet<_> = openings
            .iter()
            .map(|opening| {
                let mut pos = game.start();
                opening
                    .iter()
                    .for_each(|&mv| game.play(&mut pos, mv).unwrap());
                game.pack(&game.canonical(&pos).0)
            })
            .collect();
        assert_eq!(positions.len(), 20);
    }
}
