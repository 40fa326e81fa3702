//! Setting a position up by hand.

use crossterm::event::{KeyCode, KeyEvent};
use papan_rules::Player;
use papan_view::wording;

use super::board;
use crate::keys::{self, Command};
use crate::message::Effect;
use crate::state::State;
use crate::table::Setup;

/// Begins with the position that is looked at.
pub(super) fn begin(state: &mut State) {
    let Some(table) = &mut state.table else {
        return;
    };
    let line = table.line();
    let cells = (0..table.game.cells()).map(|cell| line.piece(cell));
    table.setup = Some(Setup {
        cells: cells.collect(),
        turn: line.turn(),
    });
    table.typed.clear();
    state.say(state.words().text("board-setup-keys"));
}

/// A key while a position is being set up.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let command = keys::command(key);
    let Some(table) = &mut state.table else {
        return;
    };
    let (cursor, cells) = (table.cursor, table.game.cells());
    let Some(setup) = &mut table.setup else {
        return;
    };
    match key.code {
        KeyCode::Char('1') => setup.cells[cursor] = Some(Player::First),
        KeyCode::Char('2') => setup.cells[cursor] = Some(Player::Second),
        KeyCode::Char('0') | KeyCode::Delete | KeyCode::Backspace => setup.cells[cursor] = None,
        KeyCode::Char(' ') => {
            setup.cells[cursor] = match setup.cells[cursor] {
                None => Some(Player::First),
                Some(Player::First) => Some(Player::Second),
                Some(Player::Second) => None,
            }
        }
        KeyCode::Char('s') => setup.turn = setup.turn.other(),
        KeyCode::Char('c') => setup.cells = vec![None; cells],
        KeyCode::Enter | KeyCode::Char('E') => finish(state),
        KeyCode::Esc => {
            table.setup = None;
            state.notice = None;
        }
        _ if command.is_some_and(works_here) => board::press(state, key, effects),
        _ => {}
    }
}

/// Whether a command of the board also works while a position is set up.
fn works_here(command: Command) -> bool {
    matches!(
        command,
        Command::Left
            | Command::Right
            | Command::Up
            | Command::Down
            | Command::Level
            | Command::LevelBack
            | Command::Help
            | Command::Theme
            | Command::Language
            | Command::Drawing
            | Command::Quit
    )
}

/// The position as text: the form that every position is read from.
fn text(setup: &Setup) -> String {
    let letter = |piece: Option<Player>| match piece {
        Some(Player::First) => 'X',
        Some(Player::Second) => 'O',
        None => '-',
    };
    let cells: String = setup.cells.iter().map(|&piece| letter(piece)).collect();
    format!("{cells} {}", letter(Some(setup.turn)))
}

fn finish(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    let Some(setup) = &table.setup else { return };
    match table.game.line_from(&text(setup)) {
        Ok(line) => {
            table.restart(&*line);
            table.analysing = true;
            state.say(words.text("board-set-up"));
        }
        Err(error) => state.complain(wording::position(words, &error)),
    }
}
