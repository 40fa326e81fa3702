//! Playing, undoing and browsing moves, and the clocks.

use std::time::Duration;

use papan_rules::{Move, Player, SwapStep};
use papan_view::{MoveNotation, messages};

use super::with;
use crate::game::{Forfeit, Game};
use crate::state::State;
use crate::text::{choose_first, result, side};

/// Plays a move of the user.
pub(super) fn play(state: &mut State, mv: Move) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    let notation = MoveNotation::of(&game.rules, &game.typed).unwrap_or_default();
    game.typed.clear();
    if let Some(cell) = mv.cell() {
        game.cursor = cell;
    }
    if game.outcome().is_some() {
        state.report_error(messages.text("wrong-game-over"));
    } else if !game.human_may_move() {
        state.report_error(messages.text("board-not-your-turn"));
    } else if let SwapStep::Choose { .. } = game.swap_step() {
        let text = choose_first(state);
        state.report_error(text);
    } else if let Err(why) = game.line().check_move(mv) {
        let text = messages::illegal(messages, game.line(), notation, mv, why);
        state.report_error(text);
    } else {
        // A move against the computer resumes the game.
        if !game.is_watched() && !game.analysing {
            game.paused = false;
        }
        make(state, mv);
    }
}

/// Plays a legal move.
pub(super) fn make(state: &mut State, mv: Move) {
    let now = state.now;
    let Some(game) = &mut state.game else {
        return;
    };
    let mover = game.actor();
    game.rewind_opening(now);
    if game.tree.play(mv).is_err() {
        return;
    }
    game.stop_clock(mover, now);
    game.moved_at = now;
    game.browsing = false;
    game.pending_move = None;
    game.hint = None;
    game.typed.clear();
    if mv == Move::PASS {
        let side = side(state, mover);
        let text = with(state, "passed", "side", side);
        state.notify(text);
    }
    show_result(state);
}

/// Shows the result if the game is over.
pub(super) fn show_result(state: &mut State) {
    if let Some(text) = result(state) {
        state.notify(text);
    }
}

/// Plays on the cell under the cursor, or passes if that is the only legal move.
pub(super) fn place(state: &mut State) {
    let Some(game) = &state.game else { return };
    let only_pass = game.line().legal_moves() == [Move::PASS];
    let mv = if only_pass {
        Move::PASS
    } else {
        Move::on(game.cursor)
    };
    play(state, mv);
}

/// Browses to another position of the tree; at the end of a variation play resumes.
pub(super) fn browse(state: &mut State, step: impl FnOnce(&mut Game) -> bool) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    game.typed.clear();
    game.pending_move = None;
    let here = game.tree.current();
    if !step(game) {
        state.report_error(messages.text("board-no-further"));
        return;
    }
    if game.lacks_choice() {
        game.tree.go(here);
        let text = choose_first(state);
        state.report_error(text);
        return;
    }
    game.browsing = !game.tree.at_tip();
    if let Some(cell) = game.line().moves().last().and_then(|mv| mv.cell()) {
        game.cursor = cell;
    }
    show_result(state);
}

/// Undoes the moves since the user's last turn.
pub(super) fn undo(state: &mut State) {
    let (messages, now) = (state.messages(), state.now);
    let Some(game) = &mut state.game else {
        return;
    };
    let (here, opening) = (game.tree.current(), game.opening);
    let mut moved = back(game, now);
    while moved && computer_to_move(game) && game.tree.current() != 0 {
        moved = back(game, now);
    }
    if !moved || computer_to_move(game) {
        game.tree.go(here);
        game.set_opening(opening, now);
        state.report_error(messages.text("nothing-to-undo"));
        return;
    }
    game.browsing = false;
    game.pending_move = None;
    game.typed.clear();
}

/// Takes back the last choice or move.
fn back(game: &mut Game, now: Duration) -> bool {
    let moved = game.undo_choice(now) || game.tree.back();
    game.rewind_opening(now);
    moved
}

/// Redoes undone moves up to the user's next turn.
pub(super) fn redo(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    let here = game.tree.current();
    if !game.tree.forward() {
        state.report_error(messages.text("board-nothing-to-redo"));
        return;
    }
    if game.lacks_choice() {
        game.tree.go(here);
        let text = choose_first(state);
        state.report_error(text);
        return;
    }
    while computer_to_move(game) && game.tree.forward() {}
    game.browsing = false;
    game.pending_move = None;
    show_result(state);
}

/// Whether a computer player would start to search here.
fn computer_to_move(game: &Game) -> bool {
    let over = game.line().outcome().is_some();
    !over && !game.paused && game.strategy(game.actor()).is_some() && !game.is_watched()
}

/// Runs the clock of the side to move, and ends the game when it runs out.
pub(super) fn run_clock(state: &mut State) {
    let now = state.now;
    let Some(game) = &mut state.game else {
        return;
    };
    let stands = game.paused || game.browsing || game.setup.is_some() || game.analysing;
    let runs: Option<Player> = match game.outcome() {
        None if !stands => Some(game.actor()),
        _ => None,
    };
    let node = game.tree.current();
    let Some(clock) = &mut game.clock else {
        return;
    };
    match runs {
        Some(player) => clock.start(player, now),
        None => clock.stop(now),
    }
    if let Some(loser) = clock.flagged(now) {
        clock.stop(now);
        game.forfeit = Some(Forfeit {
            node,
            loser,
            by_time: true,
        });
        show_result(state);
    }
}
