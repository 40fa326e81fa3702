//! Tournament games in the WTHOR format, with what they teach.

use crate::games::Game;
use papan_files::wthor::{Database, Entry};
use papan_othello::{Board, Square};

/// The games of one file; those that cannot be replayed are left out.
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
    let mut game = Game {
        moves: Vec::new(),
        labels: Vec::new(),
    };
    let mut board = Board::START;
    let mut black = true;
    let mut sides = Vec::new();
    for square in entry.squares() {
        if board.moves().is_empty() {
            board = board.passed();
            black = !black;
        }
        let square = Square::new(square?)?;
        let solved = board.empties() >= u32::from(solved_at);
        sides.push((black, solved));
        board = board.play(square)?;
        black = !black;
        game.moves.push(square);
    }
    if !board.is_over() {
        return None;
    }
    let score = 2 * i32::from(entry.theoretical().min(64)) - 64;
    for (black, solved) in sides {
        // After the solved position people made mistakes: those positions have no score here.
        game.labels
            .push(solved.then_some(if black { score } else { -score } as i8));
    }
    Some(game)
}
