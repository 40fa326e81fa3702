//! Playing moves, walking through them, and the clocks.

use papan_rules::{Move, Player};
use papan_view::messages;

use super::with;
use crate::state::State;
use crate::table::{Forfeit, Table};
use crate::wording::{result, side};

/// A person plays a move.
pub(super) fn play(state: &mut State, mv: Move) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    table.typed.clear();
    if let Some(cell) = mv.cell() {
        table.cursor = cell;
    }
    if table.outcome().is_some() {
        state.complain(words.text("wrong-game-over"));
    } else if !table.person_may_move() {
        state.complain(words.text("board-not-your-turn"));
    } else if let Err(why) = table.line().check_move(mv) {
        let text = messages::illegal(words, table.line(), mv, why);
        state.complain(text);
    } else {
        // Whoever moves on in a game against the computer wants an answer.
        if !table.is_watched() && !table.analysing {
            table.paused = false;
        }
        make(state, mv);
    }
}

/// Makes a legal move, whoever chose it.
pub(super) fn make(state: &mut State, mv: Move) {
    let now = state.now;
    let Some(table) = &mut state.table else {
        return;
    };
    let mover = table.turn();
    if table.tree.play(mv).is_err() {
        return;
    }
    table.stop_clock(mover, now);
    table.moved_at = now;
    table.walking = false;
    table.decided = None;
    table.hint = None;
    table.typed.clear();
    if mv == Move::PASS {
        let side = side(state, mover);
        let text = with(state, "passed", "side", side);
        state.say(text);
    }
    tell_the_end(state);
}

/// Says how the game ended, if it has.
pub(super) fn tell_the_end(state: &mut State) {
    if let Some(text) = result(state) {
        state.say(text);
    }
}

/// Plays on the cell under the cursor; a pass where nothing else is left.
pub(super) fn place(state: &mut State) {
    let Some(table) = &state.table else { return };
    let only_pass = table.line().legal_moves() == [Move::PASS];
    let mv = match only_pass {
        true => Move::PASS,
        false => Move::on(table.cursor),
    };
    play(state, mv);
}

/// Looks at another position of the tree. At the end of a variation, play goes on.
pub(super) fn walk(state: &mut State, step: impl FnOnce(&mut Table) -> bool) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    table.typed.clear();
    table.decided = None;
    if !step(table) {
        state.complain(words.text("board-no-further"));
        return;
    }
    table.walking = !table.tree.at_tip();
    if let Some(cell) = table.line().moves().last().and_then(|mv| mv.cell()) {
        table.cursor = cell;
    }
    tell_the_end(state);
}

/// Takes back what was played since the person's last turn.
pub(super) fn undo(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    let here = table.tree.current();
    let mut moved = table.tree.back();
    while moved && computer_to_move(table) && table.tree.current() != 0 {
        moved = table.tree.back();
    }
    if !moved || computer_to_move(table) {
        table.tree.go(here);
        state.complain(words.text("nothing-to-undo"));
        return;
    }
    table.walking = false;
    table.decided = None;
    table.typed.clear();
}

/// Plays again what was taken back, up to the person's next turn.
pub(super) fn redo(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    if !table.tree.forward() {
        state.complain(words.text("board-nothing-to-redo"));
        return;
    }
    while computer_to_move(table) && table.tree.forward() {}
    table.walking = false;
    table.decided = None;
    tell_the_end(state);
}

/// Whether going there would set a computer player to work at once.
fn computer_to_move(table: &Table) -> bool {
    let over = table.line().outcome().is_some();
    !over && !table.paused && table.strategy(table.turn()).is_some() && !table.is_watched()
}

/// Lets the right clock run, and ends the game of a player who is out of time.
pub(super) fn keep_time(state: &mut State) {
    let now = state.now;
    let Some(table) = &mut state.table else {
        return;
    };
    let stands = table.paused || table.walking || table.setup.is_some() || table.analysing;
    let runs: Option<Player> = match table.outcome() {
        None if !stands => Some(table.turn()),
        _ => None,
    };
    let node = table.tree.current();
    let Some(clock) = &mut table.clock else {
        return;
    };
    match runs {
        Some(player) => clock.start(player, now),
        None => clock.stop(now),
    }
    if let Some(loser) = clock.flagged(now) {
        clock.stop(now);
        table.forfeit = Some(Forfeit {
            node,
            loser,
            by_time: true,
        });
        tell_the_end(state);
    }
}
