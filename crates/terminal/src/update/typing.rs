//! Squares and numbers typed straight at the board: `5`, `f5`, `56`.
//!
//! A letter that names a column begins a square; a row's digits go on with it. Where
//! the letter is a command too, the command waits for Enter, and any other key
//! forgets it. Only the four letters that move the cursor do so at once: a square
//! moves it again.

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::AnyGame;
use papan_rules::{Move, column_name};
use papan_view::messages;

use super::{commands, moves};
use crate::keys;
use crate::message::Effect;
use crate::state::State;

/// Takes the key if it belongs to a square; `false` leaves it to the commands.
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

/// Enter plays the square, or does what a lone letter is the command of. A letter
/// that has moved the cursor, or is no command, leaves Enter to the cursor's cell.
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

/// What is typed after this letter: a column, or the beginning of one. `None` when
/// no square begins so.
fn with_letter(game: &AnyGame, typed: &str, letter: char) -> Option<String> {
    let [_, columns] = game.shape().sides() else {
        return None;
    };
    // Small boards know their cells by numbers; there the letters that are no
    // command may still name a column.
    let columns = match game.names_squares() {
        true => *columns,
        false => (*columns).min(7),
    };
    let longer = format!("{typed}{letter}");
    let is_column = |name: &str| (0..columns).any(|column| column_name(column) == name);
    [longer, letter.to_string()]
        .into_iter()
        .find(|name| is_column(name))
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
