//! Squares and numbers typed straight at the board: `5`, `f5`, `56`.

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::AnyGame;
use papan_rules::Move;
use papan_view::wording;

use super::moves;
use crate::state::State;

/// Takes the key if it belongs to a square; `false` leaves it to the commands.
pub(super) fn press(state: &mut State, key: KeyEvent) -> bool {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return false;
    };
    match key.code {
        KeyCode::Char(digit @ '0'..='9') => table.typed.push(digit),
        KeyCode::Char(letter @ 'a'..='z') if begins_square(&table.game, letter) => {
            table.typed = letter.to_string();
            // `h` also moves the cursor: the square's digit, if it comes, moves it again.
            return !matches!(letter, 'h'..='l');
        }
        KeyCode::Backspace if !table.typed.is_empty() => {
            table.typed.pop();
            return true;
        }
        KeyCode::Esc if !table.typed.is_empty() => {
            table.typed.clear();
            return true;
        }
        // A lone letter is not yet a square: Enter then means the cursor.
        KeyCode::Enter if table.typed.len() > 1 || is_number(&table.typed) => {
            let typed = std::mem::take(&mut table.typed);
            match table.game.parse_move(&typed) {
                Ok(mv) => moves::play(state, mv),
                Err(error) => {
                    let text = wording::notation(words, &table.game, &error);
                    state.complain(text);
                }
            }
            return true;
        }
        _ => {
            table.typed.clear();
            return false;
        }
    }
    match meaning(&table.game, &table.typed) {
        Meaning::Complete(mv) => moves::play(state, mv),
        Meaning::Open(cell) => {
            if let Some(cell) = cell {
                table.cursor = cell;
            }
        }
        Meaning::Nothing => {
            let typed = std::mem::take(&mut table.typed);
            if let Err(error) = table.game.parse_move(&typed) {
                let text = wording::notation(words, &table.game, &error);
                state.complain(text);
            }
        }
    }
    true
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a letter may begin a square here and is no command's.
fn begins_square(game: &AnyGame, letter: char) -> bool {
    let [_, columns] = game.shape().sides() else {
        return false;
    };
    let column = letter as usize - 'a' as usize;
    column < *columns && (column < 7 || game.names_squares() && *columns <= 8)
}

enum Meaning {
    /// A move, and nothing longer begins like it.
    Complete(Move),
    /// Perhaps the beginning of something longer; the cell it names so far.
    Open(Option<usize>),
    /// No move begins so.
    Nothing,
}

fn meaning(game: &AnyGame, typed: &str) -> Meaning {
    let now = game.parse_move(typed).ok();
    let longer =
        |text: &str| ('0'..='9').any(|digit| game.parse_move(&format!("{text}{digit}")).is_ok());
    match now {
        Some(mv) if !longer(typed) => Meaning::Complete(mv),
        Some(mv) => Meaning::Open(mv.cell()),
        None if longer(typed) => Meaning::Open(None),
        None => Meaning::Nothing,
    }
}
