//! Names of Othello openings.

use std::collections::HashMap;
use std::sync::OnceLock;

use papan_rules::{Game as _, Line, Move, Othello, OthelloPosition, Symmetric};

use crate::any_line::TypedLine;
use crate::{AnyGame, AnyLine};

/// Moves and a name in each line.
const TABLE: &str = include_str!("openings.txt");

/// Every named position, by its representative among its symmetric images.
struct Openings {
    game: Othello,
    names: HashMap<<Othello as Symmetric>::Packed, &'static str>,
    /// Maximum number of moves to a named opening.
    longest: usize,
}

/// The rows of the table.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split_once(' '))
        .map(|(moves, name)| (moves, name.trim()))
}

impl Openings {
    fn all() -> &'static Self {
        static ALL: OnceLock<Openings> = OnceLock::new();
        ALL.get_or_init(|| {
            let mut all = Self {
                game: Othello::default(),
                names: HashMap::new(),
                longest: 0,
            };
            for (moves, name) in rows() {
                // A test plays every row.
                if let Ok(line) = Line::parse(&all.game, moves) {
                    all.longest = all.longest.max(line.moves().len());
                    all.names.insert(all.key(line.position()), name);
                }
            }
            all
        })
    }

    fn key(&self, position: &OthelloPosition) -> <Othello as Symmetric>::Packed {
        self.game.pack(&self.game.canonical(position).0)
    }

    fn passed(
        &self,
        start: OthelloPosition,
        moves: impl Iterator<Item = Move>,
    ) -> Vec<&'static str> {
        let mut position = start;
        let mut passed: Vec<&'static str> = Vec::new();
        for mv in moves.take(self.longest) {
            if self.game.play(&mut position, mv).is_err() {
                break;
            }
            passed.extend(self.names.get(&self.key(&position)));
        }
        passed
    }
}

/// The names of the openings that a game of Othello on 8x8 passed, the first first.
#[must_use]
pub fn openings_of(moves: impl IntoIterator<Item = Move>) -> Vec<&'static str> {
    let all = Openings::all();
    all.passed(all.game.start(), moves.into_iter())
}

/// Returns the name of a game's opening: the last named position it passed. Only Othello on 8x8 has
/// names.
#[must_use]
pub fn opening(line: &dyn AnyLine) -> Option<&'static str> {
    let AnyGame::Othello(game) = line.game() else {
        return None;
    };
    if game.side() != 8 {
        return None;
    }
    let typed = TypedLine::of(&game, line)?;
    let mut start = typed.clone();
    while start.undo(&game).is_some() {}
    let all = Openings::all();
    let passed = all.passed(*start.position(), typed.moves().iter().copied());
    passed.last().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(moves: &str) -> Option<&'static str> {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        opening(&*line)
    }

    #[test]
    fn every_row_is_legal_and_names_a_position_of_its_own() {
        let game = Othello::default();
        for (moves, name) in rows() {
            let line = Line::parse(&game, moves);
            assert!(line.is_ok(), "{moves} {name}: {line:?}");
            assert_eq!(named(moves), Some(name), "{moves}");
        }
        assert_eq!(Openings::all().names.len(), rows().count());
    }

    #[test]
    fn a_name_is_known_in_every_symmetry_and_by_transposition() {
        // The tiger by each of Black's four first moves, and by another order.
        for moves in ["f5d6c3d3c4", "c4e3f6e6f5", "d3c5f6f5e6", "e6f4c3c4d3"] {
            assert_eq!(named(moves), Some("Tiger"), "{moves}");
        }
        assert_eq!(named("f5d6c4d3c3"), named("f5d6c3d3c4"));
        assert_eq!(named("f5"), None);
        assert_eq!(named("f5d6c3d3c4f4"), Some("Tiger"));
        assert_eq!(openings_of([]), Vec::<&str>::new());
    }

    #[test]
    fn other_boards_have_no_names() {
        let game: AnyGame = "othello:6x6".parse().unwrap();
        let mut line = game.line();
        let mv = line.legal_moves()[0];
        line.play(mv).unwrap();
        assert_eq!(opening(&*line), None);
    }
}
