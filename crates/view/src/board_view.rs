//! The board as data: what every front end draws.

use papan_catalog::AnyLine;
use papan_rules::{Move, Outcome, Pieces, Player, Properties};

/// Which letters the first and the second player are drawn as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Marks {
    /// X begins.
    #[default]
    XO,
    /// O begins.
    OX,
}

impl Marks {
    /// A player's letter.
    #[must_use]
    pub const fn letter(self, player: Player) -> char {
        match (self, player) {
            (Self::XO, Player::First) | (Self::OX, Player::Second) => 'X',
            (Self::XO, Player::Second) | (Self::OX, Player::First) => 'O',
        }
    }
}

/// A board to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardView {
    /// The game's name.
    pub game: String,
    /// The sides of the board, the last varying fastest.
    pub sides: Vec<usize>,
    /// How the pieces on it are drawn.
    pub pieces: Pieces,
    /// What holds in every position of the game.
    pub properties: Properties,
    /// Whether its cells are known by their squares, `h8`.
    pub names_squares: bool,
    /// The cells, first to last.
    pub cells: Vec<CellView>,
    /// Whose turn it is.
    pub turn: Player,
    /// How many pieces each has.
    pub counts: [usize; 2],
    /// How the game ended, if it has.
    pub outcome: Option<Outcome>,
    /// Whether the last move was a pass.
    pub passed: bool,
}

/// One cell of a board to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellView {
    /// How a move onto this cell is shown to people.
    pub name: String,
    /// How it is written in files and addresses.
    pub written: String,
    /// Whose piece is there.
    pub piece: Option<Player>,
    /// Whether the player to move may play there.
    pub legal: bool,
    /// Whether the last move was made there.
    pub last: bool,
    /// Whether the last move changed the piece there.
    pub flipped: bool,
    /// Whether it belongs to what won the game.
    pub winning: bool,
}

impl BoardView {
    /// The board at the end of a line of play.
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
                }
            })
            .collect();
        let count = |player| cells.iter().filter(|c| c.piece == Some(player)).count();
        Self {
            game: game.name(),
            sides: game.shape().sides().to_vec(),
            pieces: game.pieces(),
            properties: game.properties(),
            names_squares: game.names_squares(),
            counts: Player::BOTH.map(count),
            turn: line.turn(),
            outcome: line.outcome(),
            passed: last == Some(Move::PASS),
            cells,
        }
    }

    /// The board cut into flat slices, each a list of rows of cell numbers: one
    /// slice for a flat board, one per level of a cube, and so on.
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
