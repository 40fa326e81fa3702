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
    let words = state.words();
    let Some(table) = &mut state.table else {
        return false;
    };
    let typed_out = table.typed_out.take();
    match key.code {
        KeyCode::Enter if typed_out == Some(table.cursor) => return true,
        KeyCode::Char(digit @ '0'..='9') => table.typed.push(digit),
        KeyCode::Char(letter @ 'a'..='z') => {
            return match with_letter(&table.game, &table.typed, letter) {
                Some(typed) => {
                    table.typed = typed;
                    !moves_cursor(letter)
                }
                None => {
                    table.typed.clear();
                    false
                }
            };
        }
        KeyCode::Backspace if !table.typed.is_empty() => {
            table.typed.pop();
            return true;
        }
        KeyCode::Esc if !table.typed.is_empty() => {
            table.typed.clear();
            return true;
        }
        KeyCode::Enter if !table.typed.is_empty() => {
            let typed = std::mem::take(&mut table.typed);
            return enter(state, &typed, effects);
        }
        _ => {
            table.typed.clear();
            return false;
        }
    }
    match meaning(&table.game, &table.typed) {
        Meaning::Complete(mv) => {
            table.typed_out = mv.cell();
            moves::play(state, mv);
        }
        Meaning::Open(cell) => {
            if let Some(cell) = cell {
                table.cursor = cell;
            }
        }
        Meaning::Nothing => {
            let typed = std::mem::take(&mut table.typed);
            if let Err(error) = table.game.parse_move(&typed) {
                let text = messages::notation(words, &table.game, &error);
                state.complain(text);
            }
        }
    }
    true
}

/// Enter plays the square, or does what a lone letter is the command of. A letter
/// that has moved the cursor, or is no command, leaves Enter to the cursor's cell.
fn enter(state: &mut State, typed: &str, effects: &mut Vec<Effect>) -> bool {
    if let Some(command) = waiting_command(typed) {
        commands::perform(state, command, effects);
        return true;
    }
    if typed.bytes().all(|b| b.is_ascii_lowercase()) {
        return false;
    }
    let words = state.words();
    let Some(table) = &state.table else {
        return false;
    };
    match table.game.parse_move(typed) {
        Ok(mv) => moves::play(state, mv),
        Err(error) => {
            let text = messages::notation(words, &table.game, &error);
            state.complain(text);
        }
    }
    true
}

/// The command that a typed letter is too, and that waits for Enter.
pub(crate) fn waiting_command(typed: &str) -> Option<keys::Command> {
    let mut letters = typed.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return None;
    };
    let key = KeyEvent::from(KeyCode::Char(letter));
    keys::command(key).filter(|_| letter.is_ascii_lowercase() && !moves_cursor(letter))
}

fn moves_cursor(letter: char) -> bool {
    matches!(letter, 'h' | 'j' | 'k' | 'l')
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
