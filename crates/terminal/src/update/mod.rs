//! The update function of The Elm Architecture: applies messages to the state, without side
//! effects of its own.

mod autosave;
mod commands;
mod mouse;
mod moves;
mod prompt;
mod reconcile;
mod setup;
mod start;
mod swap;
mod typing;

pub use start::begin;

use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::message::{Effect, Message};
use crate::settings::Settings;
use crate::state::{State, drawn_size};

/// Applies a message and returns the effects to perform. `now` is the time since the program
/// started.
pub fn update(state: &mut State, message: Message, now: Duration) -> Vec<Effect> {
    state.now = now;
    let mut effects = Vec::new();
    match message {
        Message::Key(key) if key.kind != KeyEventKind::Release => press(state, key, &mut effects),
        Message::Key(_) | Message::Tick => {}
        Message::Mouse(event) => mouse::handle(state, event, &mut effects),
        Message::Paste(text) => prompt::paste(state, &text),
        Message::Resized(columns, rows) => state.size = drawn_size((columns, rows)),
        Message::Progress(job, progress) => reconcile::on_progress(state, job, progress),
        Message::Decision(job, answer) => reconcile::on_decision(state, job, answer),
        Message::Opening(job, answer) => reconcile::on_opening(state, job, answer),
        Message::Analysis(job, answer) => reconcile::on_analysis(state, job, answer),
        Message::Saved(path, result) => prompt::saved(state, &path, result),
        Message::Opened(path, result) => prompt::opened(state, &path, result),
        Message::Suspend => effects.push(Effect::Suspend),
        Message::Resumed => effects.push(Effect::Resume),
        Message::Terminate(signal) => effects.push(Effect::Quit(Some(signal))),
        Message::InputEnded => effects.push(Effect::Quit(None)),
    }
    moves::run_clock(state);
    reconcile::reconcile(state, &mut effects);
    autosave::save(state, &mut effects);
    effects
}

fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        match key.code {
            KeyCode::Char('c') => effects.push(Effect::Quit(None)),
            KeyCode::Char('z') => effects.push(Effect::Suspend),
            KeyCode::Char('l') => effects.push(Effect::Redraw),
            KeyCode::Char('u') => prompt::clear(state),
            _ => {}
        }
        return;
    }
    if state.help.is_some() {
        scroll_help(state, key.code);
    } else if state.confirm.is_some() {
        commands::answer(state, key.code, effects);
    } else if state.prompt.is_some() {
        prompt::press(state, key.code, effects);
    } else if state.game.is_none() {
        start::press(state, key, effects);
    } else if state.game.as_ref().is_some_and(|t| t.setup.is_some()) {
        setup::press(state, key, effects);
    } else {
        // A notice stays until the next key.
        state.notice = None;
        if !swap::press(state, key) && !typing::press(state, key, effects) {
            commands::press(state, key, effects);
        }
    }
}

fn scroll_help(state: &mut State, key: KeyCode) {
    let scrolled = state.help.unwrap_or(0);
    state.help = match key {
        KeyCode::Down | KeyCode::PageDown | KeyCode::Char('j') => {
            Some((scrolled + 1).min(crate::view::help::max_scroll(state)))
        }
        KeyCode::Up | KeyCode::PageUp | KeyCode::Char('k') => Some(scrolled.saturating_sub(1)),
        _ => None,
    };
}

/// Saves one setting. Options of the command line are not saved unless the user changes them.
fn remember(
    state: &mut State,
    effects: &mut Vec<Effect>,
    keep: impl FnOnce(&mut Settings, &Settings),
) {
    keep(&mut state.remembered, &state.settings);
    effects.push(Effect::Remember(Box::new(state.remembered.clone())));
}

/// Formats a message with one value.
fn with(state: &State, key: &str, name: &str, value: impl Into<String>) -> String {
    state.messages().with(key, [(name, value.into().into())])
}
