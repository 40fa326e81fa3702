//! Games that keep themselves: the record that the command line asked for, and the
//! file of every game that is played.

use std::time::Duration;

use crate::game::Game;
use crate::message::Effect;
use crate::start_page::SavedGame;
use crate::state::State;

/// Writes what has gone on since the last message.
pub(super) fn keep(state: &mut State, effects: &mut Vec<Effect>) {
    keep_record(state, effects);
    keep_game(state, effects);
}

/// Writes the record of the command line anew when the game has gone on.
fn keep_record(state: &mut State, effects: &mut Vec<Effect>) {
    let (Some(path), Some(game)) = (&state.record, &state.game) else {
        return;
    };
    let text = game.record().to_string();
    if text != state.recorded {
        effects.push(Effect::Record {
            path: path.clone(),
            text: text.clone(),
        });
        state.recorded = text;
    }
}

/// Keeps the game among all others, from its first move on. What is only analysed is
/// no game.
fn keep_game(state: &mut State, effects: &mut Vec<Effect>) {
    let (Some(folder), Some(game)) = (&state.games, &mut state.game) else {
        return;
    };
    let here = game.progress();
    if game.analysing || !game.has_new_moves() || game.kept.as_ref() == Some(&here) {
        return;
    }
    let now = state.began + state.now;
    let path = game
        .file
        .get_or_insert_with(|| file(folder, now, &game.rules.name()));
    effects.push(Effect::Record {
        path: path.clone(),
        text: game.record().to_string(),
    });
    game.kept = Some(here);
}

/// A file of its own: the time it began comes first, so that the names are in order.
fn file(folder: &str, now: Duration, game: &str) -> String {
    let game = game.replace(':', "-");
    format!("{folder}/{:014}-{game}.papan", now.as_millis())
}

/// What could not be written is said once; the game goes on without.
pub(super) fn failed(state: &mut State, path: &str) {
    if state
        .games
        .as_ref()
        .is_some_and(|games| path.starts_with(games))
    {
        state.games = None;
    }
}

/// The game that is left, to be offered on the start page.
pub(super) fn offer(state: &mut State) {
    let left = state.game.as_ref().filter(|game| game.is_in_progress());
    if let Some((game, path)) = left.and_then(|game| Some((game, game.file.clone()?))) {
        let record = game.record();
        state.start.offer(SavedGame { path, record });
    }
}

/// Goes on with the game that is offered.
pub(super) fn go_on(state: &mut State) {
    let Some(kept) = state.start.unfinished.take() else {
        return;
    };
    if let Some(mut game) = Game::from_record(&kept.record, state.entropy) {
        game.file = Some(kept.path);
        game.moved_at = state.now;
        state.game = Some(game);
        state.notice = None;
    }
}
