//! Tournament games in the WTHOR format.

use crate::games::Game;
use papan_othello::{Board, Square};

/// The games of one file; those that cannot be replayed are left out.
pub fn read(file: &[u8]) -> Vec<Game> {
    const HEADER: usize = 16;
    const RECORD: usize = 68;
    if file.len() < HEADER {
        return Vec::new();
    }
    // Byte 12 is the size of the board (0 for 8), byte 14 how many empty squares were left when
    // the theoretical score was solved.
    if !matches!(file[12], 0 | 8) {
        return Vec::new();
    }
    let solved_at = file[14];
    file[HEADER..]
        .chunks_exact(RECORD)
        .filter_map(|record| game(&record[8..], record[7], solved_at))
        .collect()
}

fn game(moves: &[u8], theoretical: u8, solved_at: u8) -> Option<Game> {
    let mut game = Game {
        moves: Vec::new(),
        labels: Vec::new(),
    };
    let mut board = Board::START;
    let mut black = true;
    let mut sides = Vec::new();
    for &mv in moves {
        if mv == 0 {
            break;
        }
        let (row, column) = (mv / 10, mv % 10);
        if !(1..=8).contains(&row) || !(1..=8).contains(&column) {
            return None;
        }
        if board.moves().is_empty() {
            board = board.passed();
            black = !black;
        }
        let square = Square::new(usize::from(row - 1) * 8 + usize::from(column - 1))?;
        let solved = board.empties() >= u32::from(solved_at);
        sides.push((black, solved));
        board = board.play(square)?;
        black = !black;
        game.moves.push(square);
    }
    if !board.is_over() {
        return None;
    }
    let score = 2 * i32::from(theoretical.min(64)) - 64;
    for (black, solved) in sides {
        // After the solved position people made mistakes: those positions have no score here.
        game.labels
            .push(solved.then_some(if black { score } else { -score } as i8));
    }
    Some(game)
}
