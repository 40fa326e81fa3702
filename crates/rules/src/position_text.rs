//! Positions as text: the cells in order, then the side to move.

use crate::{Game, Player};

/// The reason why a text is not a position of a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// A character without meaning.
    #[error("character {column}: `{found}` is not a cell; write X (first player), O (second) or -")]
    BadCharacter {
        /// The character.
        found: char,
        /// Its place, counted from 1.
        column: usize,
    },
    /// Too few or too many cells.
    #[error("the position has {found} cell{}, and the board has {expected}", if *found == 1 { "" } else { "s" })]
    Length {
        /// The number of cells in the text.
        found: usize,
        /// The number of cells of the board.
        expected: usize,
    },
    /// The side to move is missing.
    #[error("the side to move is missing: write X or O after the cells")]
    NoTurn,
    /// The numbers of pieces cannot arise.
    #[error("{first} X and {second} O cannot arise: X moves first, and they alternate")]
    Counts {
        /// Pieces of the first player.
        first: u32,
        /// Pieces of the second player.
        second: u32,
    },
    /// The other player is to move.
    #[error("with that many pieces the {right} player is to move")]
    Turn {
        /// The player to move.
        right: Player,
    },
    /// The side to move has won, so the game ended before the last move.
    #[error("the {0} player has a winning line already, so the last move cannot have been made")]
    WonAlready(Player),
    /// Two lines that one move cannot complete.
    #[error("the {0} player has two winning lines that no single move completes")]
    WonTwice(Player),
    /// The four centre squares of Othello are never empty.
    #[error("the four middle squares are never empty")]
    EmptyMiddle,
}

/// Parses cells and the side to move; the game decides whether they can arise. Spaces, newlines and
/// `/` are ignored.
///
/// # Errors
/// When a character has no meaning, or there are too few or too many.
pub fn parse_cells(
    text: &str,
    cells: usize,
) -> Result<(Vec<Option<Player>>, Player), PositionError> {
    let mut found = Vec::with_capacity(cells + 1);
    for (index, character) in text.chars().enumerate() {
        found.push(match character {
            'X' | 'x' | '*' => Some(Player::First),
            'O' | 'o' => Some(Player::Second),
            '-' | '.' => None,
            c if c.is_whitespace() || c == '/' || c == ';' => continue,
            other => {
                return Err(PositionError::BadCharacter {
                    found: other,
                    column: index + 1,
                });
            }
        });
    }
    match found.len() {
        n if n == cells + 1 => {
            let turn = found.pop().flatten().ok_or(PositionError::NoTurn)?;
            Ok((found, turn))
        }
        n if n == cells => Err(PositionError::NoTurn),
        n => Err(PositionError::Length {
            found: n.saturating_sub(1),
            expected: cells,
        }),
    }
}

/// Formats a position of any game.
pub(crate) fn format<G: Game>(game: &G, pos: &G::Position) -> String {
    let letter = |player: Option<Player>| match player {
        Some(Player::First) => 'X',
        Some(Player::Second) => 'O',
        None => '-',
    };
    let mut text: String = (0..game.cells())
        .map(|cell| letter(game.piece(pos, cell)))
        .collect();
    text.push(' ');
    text.push(letter(Some(game.turn(pos))));
    text
}
