//! Mouse input: a click plays or selects, the wheel steps through the moves.

use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use papan_rules::Player;

use super::{moves, scroll_help, start};
use crate::layout;
use crate::message::Effect;
use crate::state::State;
use crate::view::{panel, start as start_view};

/// Handles a mouse event.
pub(super) fn handle(state: &mut State, event: MouseEvent, effects: &mut Vec<Effect>) {
    let (x, y) = (event.column, event.row);
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => click(state, x, y, effects),
        MouseEventKind::ScrollUp => wheel(state, -1),
        MouseEventKind::ScrollDown => wheel(state, 1),
        _ => {}
    }
}

fn wheel(state: &mut State, by: isize) {
    if state.help.is_some() {
        scroll_help(state, if by < 0 { KeyCode::Up } else { KeyCode::Down });
    } else if state.game.is_none() {
        state.start.step(by);
    } else if state.prompt.is_none() && state.confirm.is_none() {
        state.notice = None;
        moves::browse(state, |game| {
            if by < 0 {
                game.tree.back()
            } else {
                game.tree.forward()
            }
        });
    }
}

fn click(state: &mut State, x: u16, y: u16, effects: &mut Vec<Effect>) {
    if state.help.is_some() {
        state.help = None;
        return;
    }
    if state.confirm.take().is_some() || state.prompt.is_some() {
        return;
    }
    state.notice = None;
    if state.game.is_none() {
        if let Some(row) = start_view::row_at(state, x, y) {
            let again = state.start.focus == row;
            state.start.focus = row;
            state.start.editing = None;
            // Buttons act at once; the first click on another row only focuses it.
            if again || start_view::is_button(state.start.row()) {
                start::activate(state, effects);
            }
        }
        return;
    }
    if let Some(node) = panel::node_at(state, x, y) {
        moves::browse(state, |game| {
            game.tree.go(node);
            true
        });
        return;
    }
    let Some(cell) = layout::board_layout(state).and_then(|geometry| geometry.cell_at(x, y)) else {
        return;
    };
    let Some(game) = &mut state.game else {
        return;
    };
    game.cursor = cell;
    if let Some(setup) = &mut game.setup {
        setup.cells[cell] = match setup.cells[cell] {
            None => Some(Player::First),
            Some(Player::First) => Some(Player::Second),
            Some(Player::Second) => None,
        };
        return;
    }
    moves::place(state);
}
