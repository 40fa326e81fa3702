//! Board setup: editing a position.

use crossterm::event::{KeyCode, KeyEvent};
use papan_rules::Player;
use papan_view::Setup;
use papan_view::messages::position;

use super::commands;
use crate::keys::{self, Command};
use crate::message::Effect;
use crate::state::State;

/// Starts from the current position.
pub(super) fn begin(state: &mut State) {
    let Some(game) = &mut state.game else {
        return;
    };
    game.setup = Some(Setup::of(game.line()));
    game.typed.clear();
    state.notify(state.messages().text("board-setup-keys"));
}

/// Handles a key while a position is being set up.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    let command = keys::command(key);
    let Some(game) = &mut state.game else {
        return;
    };
    let (cursor, cells) = (game.cursor, game.rules.cells());
    let Some(setup) = &mut game.setup else {
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
            game.setup = None;
            state.notice = None;
        }
        _ if command.is_some_and(works_here) => commands::press(state, key, effects),
        _ => {}
    }
}

/// Whether a command of the game screen also works during setup.
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

fn finish(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    let Some(setup) = &game.setup else { return };
    match setup.line(&game.rules) {
        Ok(line) => {
            game.restart(&*line);
            game.analysing = true;
            state.notify(messages.text("board-set-up"));
        }
        Err(error) => state.report_error(position(messages, &error)),
    }
}
