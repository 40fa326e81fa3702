//! Squares and cell numbers typed without a prompt: `5`, `f5`, `56`.
//!
//! A letter that names a column begins a square, which the digits of a row complete. If the letter
//! is also a command, the command waits for Enter and any other key cancels it. Only the letters
//! that move the cursor (h, j, k, l) act at once, because typing a square moves it again.

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::AnyGame;
use papan_rules::{Move, column_name};
use papan_view::messages;

use super::{commands, moves};
use crate::keys;
use crate::message::Effect;
use crate::state::State;

/// Handles a key if it belongs to a square; returns `false` to leave it to the commands.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) -> bool {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return false;
    };
    let completed_cell = game.completed_cell.take();
    match key.code {
        KeyCode::Enter if completed_cell == Some(game.cursor) => return true,
        KeyCode::Char(digit @ '0'..='9') => game.typed.push(digit),
        KeyCode::Char(letter @ 'a'..='z') => {
            return match with_letter(&game.rules, &game.typed, letter) {
                Some(typed) => {
                    game.typed = typed;
                    !keys::moves_cursor(letter)
                }
                None => {
                    game.typed.clear();
                    false
                }
            };
        }
        KeyCode::Backspace if !game.typed.is_empty() => {
            game.typed.pop();
            return true;
        }
        KeyCode::Esc if !game.typed.is_empty() => {
            game.typed.clear();
            return true;
        }
        KeyCode::Enter if !game.typed.is_empty() => {
            let typed = std::mem::take(&mut game.typed);
            return enter(state, &typed, effects);
        }
        _ => {
            game.typed.clear();
            return false;
        }
    }
    match meaning(&game.rules, &game.typed) {
        Meaning::Complete(mv) => {
            game.completed_cell = mv.cell();
            moves::play(state, mv);
        }
        Meaning::Open(cell) => {
            if let Some(cell) = cell {
                game.cursor = cell;
            }
        }
        Meaning::Nothing => {
            let typed = std::mem::take(&mut game.typed);
            if let Err(error) = game.rules.parse_move(&typed) {
                let text = messages::notation(messages, &game.rules, &error);
                state.report_error(text);
            }
        }
    }
    true
}

/// Handles Enter: plays the typed square or executes the command of a single letter. Returns
/// `false` if the letter moved the cursor or is not a command, so that Enter plays on the cursor.
fn enter(state: &mut State, typed: &str, effects: &mut Vec<Effect>) -> bool {
    if let Some(command) = keys::waiting_command(typed) {
        commands::perform(state, command, effects);
        return true;
    }
    if typed.bytes().all(|b| b.is_ascii_lowercase()) {
        return false;
    }
    let messages = state.messages();
    let Some(game) = &state.game else {
        return false;
    };
    match game.rules.parse_move(typed) {
        Ok(mv) => moves::play(state, mv),
        Err(error) => {
            let text = messages::notation(messages, &game.rules, &error);
            state.report_error(text);
        }
    }
    true
}

/// Returns the typed text with another letter if it names a column.
fn with_letter(game: &AnyGame, typed: &str, letter: char) -> Option<String> {
    let [_, columns] = game.shape().sides() else {
        return None;
    };
    // The cells of small boards have numbers; there only unbound letters may name a column.
    let columns = if game.names_squares() {
        *columns
    } else {
        (*columns).min(7)
    };
    let longer = format!("{typed}{letter}");
    let is_column = |name: &str| (0..columns).any(|column| column_name(column) == name);
    [longer, letter.to_string()]
        .into_iter()
        .find(|name| is_column(name))
}

enum Meaning {
    /// A move, and no longer text begins with it.
    Complete(Move),
    /// The beginning of a longer text; the cell that it names so far.
    Open(Option<usize>),
    /// No move begins with it.
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
