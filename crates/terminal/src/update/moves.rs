//! Playing moves, walking through them, and the clocks.

use papan_rules::{Move, Player};
use papan_view::messages;

use super::with;
use crate::game::{Forfeit, Game};
use crate::state::State;
use crate::text::{result, side};

/// A person plays a move.
pub(super) fn play(state: &mut State, mv: Move) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    game.typed.clear();
    if let Some(cell) = mv.cell() {
        game.cursor = cell;
    }
    if game.outcome().is_some() {
        state.report_error(messages.text("wrong-game-over"));
    } else if !game.human_may_move() {
        state.report_error(messages.text("board-not-your-turn"));
    } else if let Err(why) = game.line().check_move(mv) {
        let text = messages::illegal(messages, game.line(), mv, why);
        state.report_error(text);
    } else {
        // Whoever moves on in a game against the computer wants an answer.
        if !game.is_watched() && !game.analysing {
            game.paused = false;
        }
        make(state, mv);
    }
}

/// Makes a legal move, whoever chose it.
pub(super) fn make(state: &mut State, mv: Move) {
    let now = state.now;
    let Some(game) = &mut state.game else {
        return;
    };
    let mover = game.turn();
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
    tell_the_end(state);
}

/// Says how the game ended, if it has.
pub(super) fn tell_the_end(state: &mut State) {
    if let Some(text) = result(state) {
        state.notify(text);
    }
}

/// Plays on the cell under the cursor; a pass where nothing else is left.
pub(super) fn place(state: &mut State) {
    let Some(game) = &state.game else { return };
    let only_pass = game.line().legal_moves() == [Move::PASS];
    let mv = match only_pass {
        true => Move::PASS,
        false => Move::on(game.cursor),
    };
    play(state, mv);
}

/// Looks at another position of the tree. At the end of a variation, play goes on.
pub(super) fn walk(state: &mut State, step: impl FnOnce(&mut Game) -> bool) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    game.typed.clear();
    game.pending_move = None;
    if !step(game) {
        state.report_error(messages.text("board-no-further"));
        return;
    }
    game.browsing = !game.tree.at_tip();
    if let Some(cell) = game.line().moves().last().and_then(|mv| mv.cell()) {
        game.cursor = cell;
    }
    tell_the_end(state);
}

/// Takes back what was played since the person's last turn.
pub(super) fn undo(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    let here = game.tree.current();
    let mut moved = game.tree.back();
    while moved && computer_to_move(game) && game.tree.current() != 0 {
        moved = game.tree.back();
    }
    if !moved || computer_to_move(game) {
        game.tree.go(here);
        state.report_error(messages.text("nothing-to-undo"));
        return;
    }
    game.browsing = false;
    game.pending_move = None;
    game.typed.clear();
}

/// Plays again what was taken back, up to the person's next turn.
pub(super) fn redo(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    if !game.tree.forward() {
        state.report_error(messages.text("board-nothing-to-redo"));
        return;
    }
    while computer_to_move(game) && game.tree.forward() {}
    game.browsing = false;
    game.pending_move = None;
    tell_the_end(state);
}

/// Whether going there would set a computer player to work at once.
fn computer_to_move(game: &Game) -> bool {
    let over = game.line().outcome().is_some();
    !over && !game.paused && game.strategy(game.turn()).is_some() && !game.is_watched()
}

/// Lets the right clock run, and ends the game of a player who is out of time.
pub(super) fn keep_time(state: &mut State) {
    let now = state.now;
    let Some(game) = &mut state.game else {
        return;
    };
    let stands = game.paused || game.browsing || game.setup.is_some() || game.analysing;
    let runs: Option<Player> = match game.outcome() {
        None if !stands => Some(game.turn()),
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
        tell_the_end(state);
    }
}
