//! The user's opening book, learned from their own games, and its merge with the bundled book.

use std::path::PathBuf;
use std::sync::Arc;

use papan_othello::{Board, Book};
use papan_rules::{Move, Player};
use papan_strategies::Score;

use crate::{AnyLine, Unplayable, dirs};

/// Returns the path of the user's book: `othello.book` in the [data directory](dirs::data_dir).
/// `None` if there is no such directory.
#[must_use]
pub fn path() -> Option<PathBuf> {
    Some(dirs::data_dir()?.join("othello.book"))
}

/// Reads the user's book; an empty one if the file does not exist.
///
/// # Errors
/// When the file cannot be read or parsed.
pub fn read() -> Result<Book, Unplayable> {
    let Some(path) = path().filter(|path| path.exists()) else {
        return Ok(Book::default());
    };
    let name = path.display().to_string();
    let bytes = std::fs::read(&path).map_err(|cause| Unplayable::Unreadable {
        path: name.clone(),
        cause,
    })?;
    let text = String::from_utf8_lossy(&bytes);
    Book::parse(&text).map_err(|cause| Unplayable::BrokenBook { path: name, cause })
}

/// Reads the user's book and adds the bundled one. The user's entries take precedence.
///
/// # Errors
/// When the user's book cannot be read or parsed.
pub fn with_bundled() -> Result<Arc<Book>, Unplayable> {
    let mut book = read()?;
    if book.is_empty() {
        return Ok(Book::shipped());
    }
    book.extend(&Book::shipped());
    Ok(Arc::new(book))
}

/// Returns the book moves of a position of 8x8 Othello with their scores, best first; empty if it is
/// not in the book or belongs to another game.
#[must_use]
pub fn moves_of(line: &dyn AnyLine) -> Vec<(Move, Score)> {
    if line.game().name() != "othello" || line.outcome().is_some() {
        return Vec::new();
    }
    let discs = |player: Player| {
        let cells = (0..line.game().cells()).filter(|&cell| line.piece(cell) == Some(player));
        cells.fold(0_u64, |discs, cell| discs | 1 << cell)
    };
    let turn = line.turn();
    let Ok(board) = Board::try_new(discs(turn), discs(turn.other())) else {
        return Vec::new();
    };
    let Ok(book) = with_bundled() else {
        return Vec::new();
    };
    let moves = book.moves(board).into_iter();
    moves
        .map(|mv| {
            (
                Move::on(mv.square.index()),
                Score::about_discs(mv.value as f32),
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyGame;

    #[test]
    fn the_book_knows_the_replies_to_the_first_move_and_no_other_game() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5").unwrap();
        let moves = moves_of(&*line);
        assert!(moves.len() > 1, "{moves:?}");
        assert!(moves.iter().all(|(mv, _)| line.legal_moves().contains(mv)));
        assert!(moves.is_sorted_by(|a, b| a.1.balance() >= b.1.balance()));
        let other: AnyGame = "othello:6x6".parse().unwrap();
        assert!(moves_of(&*other.line()).is_empty());
    }
}
