//! View model of a board, shared by all front ends.

use papan_catalog::{AnyLine, StrategySpec};
use papan_rules::{Move, Outcome, Pieces, Player, Properties};

/// The letters of the first and the second player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// X moves first.
    #[default]
    XO,
    /// O moves first.
    OX,
}

impl Marks {
    /// Returns the marks of the position that a line began with.
    #[must_use]
    pub fn of(line: &dyn AnyLine) -> Self {
        if line.is_o_first() {
            Self::OX
        } else {
            Self::XO
        }
    }

    /// Returns the marks with which a strategy's decision is shown: O for the automaton, as its rows
    /// have it, and otherwise those of the line.
    #[must_use]
    pub fn deciding(line: &dyn AnyLine, strategy: &StrategySpec) -> Self {
        match (strategy.info().name, line.turn()) {
            ("automaton", Player::First) => Self::OX,
            ("automaton", Player::Second) => Self::XO,
            _ => Self::of(line),
        }
    }

    /// Returns a player's letter.
    #[must_use]
    pub const fn letter(self, player: Player) -> char {
        match (self, player) {
            (Self::XO, Player::First) | (Self::OX, Player::Second) => 'X',
            (Self::XO, Player::Second) | (Self::OX, Player::First) => 'O',
        }
    }
}

/// A board to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// The game's name.
    pub game: String,
    /// The sides of the board, the last varying fastest.
    pub sides: Vec<usize>,
    /// The kind of its pieces.
    pub pieces: Pieces,
    /// The letters of the players, where the pieces are marks.
    pub marks: Marks,
    /// Properties of the game.
    pub properties: Properties,
    /// Whether cells are named by squares, such as `h8`.
    pub names_squares: bool,
    /// The cells, first to last.
    pub cells: Vec<CellView>,
    /// The side to move.
    pub turn: Player,
    /// Number of pieces of each player.
    pub counts: [usize; 2],
    /// The outcome, if the game is over.
    pub outcome: Option<Outcome>,
    /// Whether the last move was a pass.
    pub passed: bool,
}

/// A cell to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellView {
    /// The move on this cell as it is displayed.
    pub name: String,
    /// The move as it is written in files and URLs.
    pub written: String,
    /// The owner of the piece.
    pub piece: Option<Player>,
    /// Whether it is a legal move.
    pub legal: bool,
    /// Whether it was the last move.
    pub last: bool,
    /// Whether the last move flipped its disc.
    pub flipped: bool,
    /// Whether it is on a winning line.
    pub winning: bool,
    /// Number of the move that placed a stone, from 1.
    pub number: Option<usize>,
}

impl BoardView {
    /// Returns the board at the end of a line of play.
    #[must_use]
    pub fn of(line: &dyn AnyLine) -> Self {
        let game = line.game();
        let last = line.moves().last().copied();
        let before = last.map(|_| {
            let mut before = line.clone_line();
            before.undo();
            before
        });
        let legal = line.legal_moves();
        let winning = line.winning_cells();
        // Discs are flipped and cells of small boards are obvious: only stones are numbered.
        let mut numbers = vec![None; game.cells()];
        if game.pieces() == Pieces::Stones {
            for (number, mv) in (1..).zip(line.moves()) {
                if let Some(cell) = mv.cell() {
                    numbers[cell] = Some(number);
                }
            }
        }
        let cells: Vec<CellView> = (0..game.cells())
            .map(|cell| {
                let mv = Move::on(cell);
                let piece = line.piece(cell);
                let earlier = before.as_ref().and_then(|before| before.piece(cell));
                CellView {
                    name: game.show_move(mv),
                    written: game.format_move(mv),
                    piece,
                    legal: legal.contains(&mv),
                    last: last == Some(mv),
                    flipped: earlier.is_some() && earlier != piece,
                    winning: winning.contains(&cell),
                    number: numbers[cell],
                }
            })
            .collect();
        let count = |player| cells.iter().filter(|c| c.piece == Some(player)).count();
        Self {
            game: game.name(),
            sides: game.shape().sides().to_vec(),
            pieces: game.pieces(),
            marks: Marks::of(line),
            properties: game.properties(),
            names_squares: game.names_squares(),
            counts: Player::BOTH.map(count),
            turn: line.turn(),
            outcome: line.outcome(),
            passed: last == Some(Move::PASS),
            cells,
        }
    }

    /// Whether a cell of a board with stones is a star point, marked on the board so that squares
    /// are found without counting.
    #[must_use]
    pub fn is_star_point(&self, cell: usize) -> bool {
        let [rows, columns] = self.sides[..] else {
            return false;
        };
        // On the fourth line from each edge, as on boards for go and renju, and in the centre.
        let place = |at: usize, count: usize| match count {
            _ if count % 2 == 1 && at == count / 2 => Some(true),
            13.. if at == 3 || at + 4 == count => Some(false),
            _ => None,
        };
        let star = match (place(cell / columns, rows), place(cell % columns, columns)) {
            (Some(middle), Some(central)) => middle == central || rows.min(columns) >= 19,
            _ => false,
        };
        star && self.pieces == Pieces::Stones && rows.min(columns) >= 9
    }

    /// Returns the two-dimensional slices of the board as rows of cell indices: one slice for a flat
    /// board, one per level of a cube, and so on.
    #[must_use]
    pub fn slices(&self) -> Vec<Vec<Vec<usize>>> {
        let columns = *self.sides.last().unwrap_or(&1);
        let rows = match self.sides.len() {
            0 | 1 => 1,
            n => self.sides[n - 2],
        };
        let flat = rows * columns;
        (0..self.cells.len() / flat)
            .map(|slice| {
                (0..rows)
                    .map(|row| {
                        (0..columns)
                            .map(|c| slice * flat + row * columns + c)
                            .collect()
                    })
                    .collect()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;

    #[test]
    fn a_board_of_gomoku_has_its_five_star_points() {
        let game: AnyGame = "gomoku".parse().unwrap();
        let view = BoardView::of(&*game.line());
        let stars = (0..view.cells.len()).filter(|&cell| view.is_star_point(cell));
        let names: Vec<&str> = stars.map(|cell| view.cells[cell].name.as_str()).collect();
        assert_eq!(names, ["d12", "l12", "h8", "d4", "l4"]);
        let mut line = game.line();
        line.extend("h8 i9").unwrap();
        let numbered = BoardView::of(&*line);
        let number = |name: &str| numbered.cells.iter().find(|cell| cell.name == name)?.number;
        assert_eq!(
            (number("h8"), number("i9"), number("a1")),
            (Some(1), Some(2), None)
        );
        let othello: AnyGame = "othello".parse().unwrap();
        let view = BoardView::of(&*othello.line());
        assert!(!(0..64).any(|cell| view.is_star_point(cell)));
    }
}
