//! Move notation of the protocols.
//!
//! UGI uses the game's own notation or letter and row, GTP uses Go vertices (columns without
//! `i`, rows counted from the bottom), Piskvork uses `x,y` from 0.

use std::collections::HashMap;
use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_rules::{GameInfo, Move, Player};

/// Converts between moves and the notations of the protocols, for one board.
#[derive(Clone, Debug)]
pub struct ProtocolNotation {
    name: String,
    sides: Vec<usize>,
    winning_length: Option<usize>,
    /// The game's own notation, by cell.
    own: Vec<String>,
    /// Letter and row, by cell; empty where the board has no such notation.
    letters: Vec<String>,
    /// GTP vertices, by cell.
    vertices: Vec<String>,
    cells: HashMap<String, Move>,
    cells_by_vertex: HashMap<String, Move>,
}

impl ProtocolNotation {
    /// The notation for the board of a game.
    pub fn of<G: GameInfo>(game: &G) -> Self {
        let sides = game.shape().sides().to_vec();
        let words = |word: &dyn Fn(Move) -> String| -> Vec<String> {
            (0..game.cells()).map(|cell| word(Move::on(cell))).collect()
        };
        let own = words(&|mv| game.format_move(mv));
        // GTP controllers use Go vertices for every grid but for Othello's, which has its own
        // notation.
        let as_in_go = game.winning_length().is_some();
        let vertices = words(&|mv| {
            let vertex = vertex(&sides, mv.cell().unwrap_or(0)).filter(|_| as_in_go);
            vertex.unwrap_or_else(|| game.format_move(mv))
        });
        let letters: Vec<String> = match *sides.as_slice() {
            [_, columns] if columns <= 26 => words(&|mv| {
                let cell = mv.cell().unwrap_or(0);
                let letter = char::from(b'a' + (cell % columns) as u8);
                format!("{letter}{}", cell / columns + 1)
            }),
            _ => Vec::new(),
        };
        let reader = |list: &[String]| -> HashMap<String, Move> {
            let cells = list.iter().enumerate();
            let cells = cells.map(|(cell, word)| (word.to_ascii_lowercase(), Move::on(cell)));
            cells.chain([("pass".into(), Move::PASS)]).collect()
        };
        Self {
            name: game.name(),
            sides,
            winning_length: game.winning_length(),
            cells: reader(&letters).into_iter().chain(reader(&own)).collect(),
            cells_by_vertex: reader(&vertices),
            own,
            letters,
            vertices,
        }
    }

    /// The notation for the board of a game of any type.
    #[must_use]
    pub fn of_any(game: &AnyGame) -> Self {
        struct NotationOf;
        impl GameVisitor for NotationOf {
            type Output = ProtocolNotation;
            fn visit<G: Family>(self, game: &Arc<G>) -> ProtocolNotation {
                ProtocolNotation::of(&**game)
            }
        }
        game.visit(NotationOf)
    }

    /// The game's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The sides of the board.
    #[must_use]
    pub fn sides(&self) -> &[usize] {
        &self.sides
    }

    /// The winning length in k-in-a-row games.
    #[must_use]
    pub fn winning_length(&self) -> Option<usize> {
        self.winning_length
    }

    /// A move in the game's own notation.
    #[must_use]
    pub fn own(&self, mv: Move) -> &str {
        mv.cell().map_or("pass", |cell| &self.own[cell])
    }

    /// A move as letter and row from the top, on two-dimensional boards of at most 26
    /// columns.
    #[must_use]
    pub fn by_letter(&self, mv: Move) -> Option<&str> {
        let letters = mv.cell().and_then(|cell| self.letters.get(cell));
        letters.map(String::as_str)
    }

    /// A move as a GTP vertex. On two-dimensional grids the letter is the column, without
    /// `i`, and rows are counted from the bottom, as in Go; Othello and other boards have the
    /// game's own notation.
    #[must_use]
    pub fn vertex(&self, mv: Move) -> &str {
        mv.cell().map_or("pass", |cell| &self.vertices[cell])
    }

    /// A move in Piskvork's notation, column and row from 0; `None` for a pass and on boards
    /// that are not two-dimensional.
    #[must_use]
    pub fn coordinates(&self, mv: Move) -> Option<(usize, usize)> {
        match (self.sides.as_slice(), mv.cell()) {
            ([_, columns], Some(cell)) => Some((cell % columns, cell / columns)),
            _ => None,
        }
    }

    /// The inverse of [`ProtocolNotation::coordinates`].
    #[must_use]
    pub fn at(&self, (x, y): (usize, usize)) -> Option<Move> {
        match *self.sides.as_slice() {
            [rows, columns] if x < columns && y < rows => Some(Move::on(y * columns + x)),
            _ => None,
        }
    }

    /// Parses a GTP vertex.
    #[must_use]
    pub fn parse_vertex(&self, word: &str) -> Option<Move> {
        let word = word.trim().to_ascii_lowercase();
        self.cells_by_vertex.get(&word).copied()
    }

    /// Parses a move in the game's own notation, or as letter and row from the top.
    #[must_use]
    pub fn parse(&self, word: &str) -> Option<Move> {
        self.cells.get(&word.trim().to_ascii_lowercase()).copied()
    }
}

/// Column letters of Go: `i` is left out because it looks like `j`.
const COLUMNS: &[u8] = b"abcdefghjklmnopqrstuvwxyz";

fn vertex(sides: &[usize], cell: usize) -> Option<String> {
    let [rows, columns] = *sides else {
        return None;
    };
    let letter = char::from(*COLUMNS.get(cell % columns)?);
    let fits = columns <= COLUMNS.len();
    fits.then(|| format!("{letter}{}", rows - cell / columns))
}

/// The player to move after `ply` moves from the start of a game.
#[must_use]
pub(crate) fn mover(ply: usize) -> Player {
    Player::BOTH[ply % 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Grid, Othello, Wide, tictactoe};

    #[test]
    fn every_notation_round_trips() {
        fn check<G: GameInfo>(game: &G) {
            let board = ProtocolNotation::of(game);
            for cell in 0..game.cells() {
                let mv = Move::on(cell);
                assert_eq!(board.parse(board.own(mv)), Some(mv));
                assert_eq!(
                    board.parse_vertex(&board.vertex(mv).to_uppercase()),
                    Some(mv)
                );
                if let Some(at) = board.coordinates(mv) {
                    assert_eq!(board.at(at), Some(mv));
                }
            }
        }
        check(&tictactoe());
        check(&Othello::default());
        check(&Grid::<Wide>::new(&[15, 20], 5).unwrap());
        check(&Grid::<u64>::new(&[3, 3, 3], 3).unwrap());
    }

    /// Corners of a 15x15 board and the square after `h`, as GoGui names them.
    #[test]
    fn vertices_of_grids_are_those_of_go() {
        let board = ProtocolNotation::of(&Grid::<Wide>::new(&[15, 15], 5).unwrap());
        for (cell, vertex) in [
            (0, "a15"),
            (14, "p15"),
            (210, "a1"),
            (8, "j15"),
            (112, "h8"),
        ] {
            assert_eq!(board.vertex(Move::on(cell)), vertex);
        }
        assert_eq!(board.parse_vertex("i8"), None);
        let othello = ProtocolNotation::of(&Othello::default());
        assert_eq!(othello.vertex(Move::on(0)), "a1");
        assert_eq!(othello.vertex(Move::on(63)), "h8");
    }

    #[test]
    fn what_is_off_the_board_is_not_read() {
        let board = ProtocolNotation::of(&tictactoe());
        for word in ["", "0", "10", "d1", "a4", "a0", "passes", "é1"] {
            assert_eq!(board.parse(word), None, "{word}");
        }
        assert_eq!(board.at((3, 0)), None);
        assert_eq!(board.parse("PASS"), Some(Move::PASS));
    }
}
