//! Autosave: the record file of the command line, and a file for every game in the data directory.

use std::time::Duration;

use crate::game::Game;
use crate::message::Effect;
use crate::start_page::SavedGame;
use crate::state::State;

/// Writes the records that changed since the last message.
pub(super) fn save(state: &mut State, effects: &mut Vec<Effect>) {
    save_record(state, effects);
    save_game(state, effects);
}

/// Writes the record file of the command line.
fn save_record(state: &mut State, effects: &mut Vec<Effect>) {
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

/// Writes the game to the autosave directory from its first move on. Analysis is not saved.
fn save_game(state: &mut State, effects: &mut Vec<Effect>) {
    let (Some(folder), Some(game)) = (&state.games, &mut state.game) else {
        return;
    };
    let here = game.saved_state();
    if game.analysing || !game.has_new_moves() || game.saved.as_ref() == Some(&here) {
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
    game.saved = Some(here);
}

/// Returns the path of a new file; names start with the time, so that they sort by age.
fn file(folder: &str, now: Duration, game: &str) -> String {
    let game = game.replace(':', "-");
    format!("{folder}/{:014}-{game}.papan", now.as_millis())
}

/// Turns autosave off after an error, which is reported once.
pub(super) fn failed(state: &mut State, path: &str) {
    if state
        .games
        .as_ref()
        .is_some_and(|games| path.starts_with(games))
    {
        state.games = None;
    }
}

/// Offers the game that is left on the start page.
pub(super) fn offer(state: &mut State) {
    let left = state.game.as_ref().filter(|game| game.is_in_progress());
    if let Some((game, path)) = left.and_then(|game| Some((game, game.file.clone()?))) {
        let record = game.record();
        state.start.offer(SavedGame { path, record });
    }
}

/// Continues the game that is offered.
pub(super) fn resume(state: &mut State) {
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
