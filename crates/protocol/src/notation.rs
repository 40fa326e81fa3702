//! What the protocols know of a board: how its cells are written.

use std::collections::HashMap;
use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor};
use papan_rules::{GameInfo, Move, Player};

/// The cells of a board in the notations of the protocols.
#[derive(Clone, Debug)]
pub struct ProtocolNotation {
    name: String,
    sides: Vec<usize>,
    winning_length: Option<usize>,
    own: Vec<String>,
    /// Empty where the board has none.
    letters: Vec<String>,
    vertices: Vec<String>,
    cells: HashMap<String, Move>,
    cells_by_vertex: HashMap<String, Move>,
}

impl ProtocolNotation {
    /// The board of a game.
    pub fn of<G: GameInfo>(game: &G) -> Self {
        let sides = game.shape().sides().to_vec();
        let words = |word: &dyn Fn(Move) -> String| -> Vec<String> {
            (0..game.cells()).map(|cell| word(Move::on(cell))).collect()
        };
        let own = words(&|mv| game.format_move(mv));
        // Go's programs write every grid their way; Othello's write it as it is written.
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

    /// The board of a game of any type.
    #[must_use]
    pub fn of_any(game: &AnyGame) -> Self {
        struct BoardOf;
        impl GameVisitor for BoardOf {
            type Output = ProtocolNotation;
            fn visit<G: Family>(self, game: &Arc<G>) -> ProtocolNotation {
                ProtocolNotation::of(&**game)
            }
        }
        game.visit(BoardOf)
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

    /// How many in a row win, in games that are won so.
    #[must_use]
    pub fn winning_length(&self) -> Option<usize> {
        self.winning_length
    }

    /// A move in the game's own notation.
    #[must_use]
    pub fn own(&self, mv: Move) -> &str {
        mv.cell().map_or("pass", |cell| &self.own[cell])
    }

    /// A move by letter and row from the top, on flat boards of at most 26 columns.
    #[must_use]
    pub fn by_letter(&self, mv: Move) -> Option<&str> {
        let letters = mv.cell().and_then(|cell| self.letters.get(cell));
        letters.map(String::as_str)
    }

    /// A move as GTP writes it. On flat grids the letter is the column, without `i`,
    /// and rows are counted from the bottom, as all of Go's programs have it; Othello
    /// and boards that are not flat have the game's own notation.
    #[must_use]
    pub fn vertex(&self, mv: Move) -> &str {
        mv.cell().map_or("pass", |cell| &self.vertices[cell])
    }

    /// A move as Piskvork writes it, column and row from 0; `None` for a pass and
    /// on boards that are not flat.
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

    /// Reads a move as GTP writes it.
    #[must_use]
    pub fn read_vertex(&self, word: &str) -> Option<Move> {
        let word = word.trim().to_ascii_lowercase();
        self.cells_by_vertex.get(&word).copied()
    }

    /// Reads a move in the game's own notation, or by letter and row from the top.
    #[must_use]
    pub fn read(&self, word: &str) -> Option<Move> {
        self.cells.get(&word.trim().to_ascii_lowercase()).copied()
    }
}

/// Columns as letters, as in Go: there is no `i`, which looks like a `j`.
const COLUMNS: &[u8] = b"abcdefghjklmnopqrstuvwxyz";

fn vertex(sides: &[usize], cell: usize) -> Option<String> {
    let [rows, columns] = *sides else {
        return None;
    };
    let letter = char::from(*COLUMNS.get(cell % columns)?);
    let fits = columns <= COLUMNS.len();
    fits.then(|| format!("{letter}{}", rows - cell / columns))
}

/// Who makes the move after `ply` moves of a game that was played from its start.
#[must_use]
pub(crate) fn mover(ply: usize) -> Player {
    Player::BOTH[ply % 2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Grid, Othello, Wide, tictactoe};

    #[test]
    fn every_cell_is_read_back_as_the_rules_read_it() {
        fn check<G: GameInfo>(game: &G) {
            let board = ProtocolNotation::of(game);
            for cell in 0..game.cells() {
                let mv = Move::on(cell);
                assert_eq!(board.read(board.own(mv)), Some(mv));
                assert_eq!(
                    board.read_vertex(&board.vertex(mv).to_uppercase()),
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
    fn grids_are_written_as_go_programs_write_them() {
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
        assert_eq!(board.read_vertex("i8"), None);
        let othello = ProtocolNotation::of(&Othello::default());
        assert_eq!(othello.vertex(Move::on(0)), "a1");
        assert_eq!(othello.vertex(Move::on(63)), "h8");
    }

    #[test]
    fn what_is_off_the_board_is_not_read() {
        let board = ProtocolNotation::of(&tictactoe());
        for word in ["", "0", "10", "d1", "a4", "a0", "passes", "é1"] {
            assert_eq!(board.read(word), None, "{word}");
        }
        assert_eq!(board.at((3, 0)), None);
        assert_eq!(board.read("PASS"), Some(Move::PASS));
    }
}
