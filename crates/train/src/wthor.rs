//! Tournament games from WTHOR databases, labelled with the theoretical scores they contain.

use crate::games::Game;
use papan_files::wthor::{Database, Entry};
use papan_othello::{Board, Square};

/// Reads the games of a file; skips games with illegal moves.
pub fn read(file: &[u8]) -> Vec<Game> {
    let Some(database) = Database::new(file) else {
        return Vec::new();
    };
    let solved_at = database.solved_at();
    database
        .entries()
        .filter_map(|entry| game(&entry, solved_at))
        .collect()
}

fn game(entry: &Entry<'_>, solved_at: u8) -> Option<Game> {
    let score = 2 * i32::from(entry.theoretical().min(64)) - 64;
    let mut game = Game::default();
    let mut board = Board::START;
    let mut black_to_move = true;
    for square in entry.squares() {
        if board.moves().is_empty() {
            board = board.passed();
            black_to_move = !black_to_move;
        }
        // The theoretical score does not hold after mistakes in the solved part of the game.
        let has_label = board.empties() >= u32::from(solved_at);
        let label = if black_to_move { score } else { -score };
        game.labels.push(has_label.then_some(label as i8));
        let square = Square::new(square?)?;
        board = board.play(square)?;
        black_to_move = !black_to_move;
        game.moves.push(square);
    }
    board.is_over().then_some(game)
}
