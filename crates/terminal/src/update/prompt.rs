//! Text prompts (a move, a file, a position) and pasted text.

use std::io;

use crossterm::event::KeyCode;
use papan_catalog::{AnyGame, AnyLine};
use papan_rules::Record;
use papan_view::{Messages, messages as view_messages};

use super::{autosave, moves, with};
use crate::game::Game;
use crate::message::Effect;
use crate::state::{Prompt, PromptKind, State};

/// Opens a prompt.
pub(super) fn ask(state: &mut State, kind: PromptKind, text: impl Into<String>) {
    state.prompt = Some(Prompt {
        kind,
        text: text.into(),
    });
    state.notice = None;
}

/// Clears the text of the prompt, or of the row that is edited on the start page.
pub(super) fn clear(state: &mut State) {
    if let Some(prompt) = &mut state.prompt {
        prompt.text.clear();
    } else if let Some(editing) = &mut state.start.editing {
        editing.clear();
    } else if let Some(game) = &mut state.game {
        game.typed.clear();
    }
}

/// Handles a key while a prompt is open.
pub(super) fn press(state: &mut State, key: KeyCode, effects: &mut Vec<Effect>) {
    let Some(prompt) = &mut state.prompt else {
        return;
    };
    match key {
        KeyCode::Char(character) => prompt.text.push(character),
        KeyCode::Backspace => {
            prompt.text.pop();
        }
        KeyCode::Esc => state.prompt = None,
        KeyCode::Enter => {
            let Prompt { kind, text } = prompt.clone();
            state.prompt = None;
            if !text.trim().is_empty() {
                answer(state, kind, text.trim(), effects);
            }
        }
        _ => {}
    }
}

fn answer(state: &mut State, kind: PromptKind, text: &str, effects: &mut Vec<Effect>) {
    match kind {
        PromptKind::Move => type_move(state, text),
        PromptKind::Save => {
            let Some(game) = &state.game else { return };
            effects.push(Effect::Save {
                path: text.into(),
                text: game.record().to_string(),
            });
        }
        PromptKind::Open => effects.push(Effect::Open { path: text.into() }),
        PromptKind::Position => take_text(state, text),
    }
}

fn type_move(state: &mut State, text: &str) {
    let messages = state.messages();
    let Some(game) = &state.game else { return };
    match game.rules.parse_move(text) {
        Ok(mv) => moves::play(state, mv),
        Err(error) => {
            let text = view_messages::notation(messages, &game.rules, &error);
            state.report_error(text);
        }
    }
}

/// Handles pasted text: into an open prompt, otherwise onto the board.
pub(super) fn paste(state: &mut State, text: &str) {
    let one_line = text.replace(char::is_control, " ");
    if let Some(prompt) = &mut state.prompt {
        prompt.text.push_str(&one_line);
    } else if let Some(editing) = &mut state.start.editing {
        editing.push_str(one_line.trim());
    } else {
        take_text(state, text);
    }
}

/// Puts a record, a position or a list of moves on the analysis board.
fn take_text(state: &mut State, text: &str) {
    let messages = state.messages();
    let text = text.trim_start();
    if state.game.is_none() || text.starts_with("papan record") {
        open_record(state, text);
        return;
    }
    let Some(game) = &mut state.game else {
        return;
    };
    let as_position = game.rules.line_from(text);
    let line = match as_position {
        Ok(line) => line,
        Err(error) => {
            let mut line = game.rules.line();
            if let Err(wrong) = line.extend(text) {
                if open_other(state, text) {
                    return;
                }
                // Report the error of the likelier reading.
                let like_cells = |c: char| c.is_whitespace() || "xXoO*-./;".contains(c);
                let complaint = if text.chars().all(like_cells) {
                    view_messages::position(messages, &error)
                } else {
                    messages.with("board-wrong-moves", [("word", wrong.word.into())])
                };
                state.report_error(complaint);
                return;
            }
            line
        }
    };
    game.restart(&*line);
    game.analysing = true;
    state.notify(messages.text("board-set-up"));
}

/// Reports that a file was written, or why not.
pub(super) fn saved(state: &mut State, path: &str, result: io::Result<()>) {
    match result {
        Ok(()) => state.notify(with(state, "recorded", "file", path)),
        Err(error) => {
            autosave::failed(state, path);
            complain_of(state, "board-not-saved", path, &error);
        }
    }
}

/// Puts a file on the board, or reports why it could not be read.
pub(super) fn opened(state: &mut State, path: &str, result: io::Result<String>) {
    match result {
        Ok(text) => open_record(state, &text),
        Err(error) => complain_of(state, "board-not-opened", path, &error),
    }
}

fn complain_of(state: &mut State, key: &str, path: &str, error: &io::Error) {
    let messages = state.messages();
    let reason = view_messages::file(messages, error);
    let values = [("file", path.into()), ("reason", reason.into())];
    state.report_error(messages.with(key, values));
}

fn read_record(messages: Messages, text: &str) -> Result<(Record, Box<dyn AnyLine>), String> {
    let wrong = |game: Option<&AnyGame>, error| view_messages::record(messages, game, &error);
    let record = Record::parse(text).map_err(|error| wrong(None, error))?;
    let game = record.game.parse::<AnyGame>();
    let game = game.map_err(|error| view_messages::game(messages, &error))?;
    let line = game
        .line_of(&record)
        .map_err(|error| wrong(Some(&game), error))?;
    Ok((record, line))
}

/// Puts the first of `count` records on the board.
fn take_up(state: &mut State, record: &Record, count: usize) {
    let messages = state.messages();
    if let Some(mut game) = Game::from_record(record, state.entropy) {
        game.paused = true;
        state.game = Some(game);
        let text = match count {
            1 => messages.text("board-opened"),
            _ => messages.with("board-opened-first", [("count", count.to_string().into())]),
        };
        state.notify(text);
    }
}

/// Opens a game file of another program (SGF, GGF, …); returns `false` when it is none.
fn open_other(state: &mut State, text: &str) -> bool {
    let here = state.game.as_ref().map(|game| &game.rules);
    let game = here.unwrap_or(&state.start.game).clone();
    let games = papan_files::read(text.as_bytes(), Some(&game))
        .map(|file| file.records)
        .unwrap_or_default();
    if let Some(first) = games.first() {
        take_up(state, first, games.len());
    }
    !games.is_empty()
}

fn open_record(state: &mut State, text: &str) {
    if !text.starts_with("papan ") && open_other(state, text) {
        return;
    }
    match read_record(state.messages(), text) {
        Ok((record, _)) => take_up(state, &record, 1),
        Err(reason) => state.report_error(with(state, "board-wrong-record", "reason", reason)),
    }
}
