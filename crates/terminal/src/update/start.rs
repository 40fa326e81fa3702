//! Keys of the start page, and starting a game.

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::PlayerSpec;
use papan_rules::{Player, SwapOpening};
use papan_strategies::{Limits, parse_time};
use papan_view::messages;

use super::{autosave, prompt, remember, with};
use crate::game::{Annotation, Game};
use crate::message::Effect;
use crate::settings::Settings;
use crate::start_page::Row;
use crate::state::{PromptKind, State};

/// Handles a key on the start page.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    state.notice = None;
    if state.start.editing.is_some() {
        edit(state, key.code, effects);
        return;
    }
    match key.code {
        KeyCode::Up | KeyCode::BackTab | KeyCode::Char('k') => state.start.step(-1),
        KeyCode::Down | KeyCode::Tab | KeyCode::Char('j') => state.start.step(1),
        KeyCode::Left | KeyCode::Char('h') => change(state, -1, effects),
        KeyCode::Right | KeyCode::Char('l') => change(state, 1, effects),
        KeyCode::Home => state.start.focus = 0,
        KeyCode::End => state.start.focus = state.start.rows().len() - 1,
        KeyCode::Enter | KeyCode::Char(' ') => activate(state, effects),
        KeyCode::Char('?') | KeyCode::F(1) => state.help = Some(0),
        KeyCode::Char('q') => effects.push(Effect::Quit(None)),
        KeyCode::Char(character @ ('0'..='9' | ':' | '/' | '.')) if is_typed(state.start.row()) => {
            state.start.editing = Some(character.to_string());
        }
        _ => {}
    }
}

fn is_typed(row: Row) -> bool {
    matches!(
        row,
        Row::Game | Row::Parameter(..) | Row::Clock | Row::MoveTime | Row::Seed
    )
}

fn change(state: &mut State, step: isize, effects: &mut Vec<Effect>) {
    let State {
        start, settings, ..
    } = state;
    start.change(step, settings);
    remember_row(state, effects);
}

/// Handles Enter: activates a button, edits or changes another row.
pub(super) fn activate(state: &mut State, effects: &mut Vec<Effect>) {
    match state.start.row() {
        Row::Continue => autosave::resume(state),
        Row::Play => start_game(state, false, effects),
        Row::Analyse => start_game(state, true, effects),
        Row::Open => prompt::ask(state, PromptKind::Open, ""),
        Row::Quit => effects.push(Effect::Quit(None)),
        row if is_typed(row) => {
            let now = match row {
                Row::Game => state.start.game.name(),
                Row::Parameter(player, parameter) => {
                    state.start.value(player, parameter).unwrap_or_default()
                }
                Row::Clock => state
                    .settings
                    .clock
                    .map_or(String::new(), |c| c.to_string()),
                Row::MoveTime => {
                    let time = state.settings.move_time;
                    time.map_or(String::new(), |time| time.as_secs_f64().to_string())
                }
                _ => state.settings.seed.map_or(String::new(), |s| s.to_string()),
            };
            state.start.editing = Some(now);
        }
        _ => change(state, 1, effects),
    }
}

fn edit(state: &mut State, key: KeyCode, effects: &mut Vec<Effect>) {
    let Some(editing) = &mut state.start.editing else {
        return;
    };
    match key {
        KeyCode::Char(character) => editing.push(character),
        KeyCode::Backspace => {
            editing.pop();
        }
        KeyCode::Esc => state.start.editing = None,
        KeyCode::Enter => {
            let text = state.start.editing.take().unwrap_or_default();
            set(state, text.trim());
            remember_row(state, effects);
        }
        KeyCode::Up | KeyCode::Down | KeyCode::Tab | KeyCode::BackTab => {
            let text = state.start.editing.take().unwrap_or_default();
            set(state, text.trim());
            remember_row(state, effects);
            let up = matches!(key, KeyCode::Up | KeyCode::BackTab);
            state.start.step(if up { -1 } else { 1 });
        }
        _ => {}
    }
}

/// Sets the focused row to a typed text; an empty text resets it.
fn set(state: &mut State, text: &str) {
    let given = (!text.is_empty()).then_some(text);
    match state.start.row() {
        Row::Game => match text.parse() {
            Ok(game) => state.start.set_game(game),
            Err(error) => {
                let error: papan_catalog::GameError = error;
                state.report_error(with(state, "board-wrong-game", "reason", error.to_string()));
            }
        },
        Row::Parameter(player, parameter) => {
            let fits = state.start.set_parameter(player, parameter, given);
            if !fits {
                wrong_value(state, text);
            }
        }
        Row::Clock => match given.map(str::parse).transpose() {
            Ok(clock) => state.settings.clock = clock,
            Err(_) => wrong_value(state, text),
        },
        Row::MoveTime => match given.map(parse_time).transpose() {
            Ok(None) => state.settings.move_time = None,
            Ok(Some(time)) if !time.is_zero() && time <= MAX_MOVE_TIME => {
                state.settings.move_time = Some(time);
            }
            _ => wrong_value(state, text),
        },
        Row::Seed => match given.map(str::parse).transpose() {
            Ok(seed) => state.settings.seed = seed,
            Err(_) => wrong_value(state, text),
        },
        _ => {}
    }
}

/// Maximum time per move.
const MAX_MOVE_TIME: std::time::Duration = std::time::Duration::from_secs(86_400);

fn wrong_value(state: &mut State, text: &str) {
    state.report_error(with(state, "board-wrong-value", "text", text));
}

/// Saves the value of the focused row.
fn remember_row(state: &mut State, effects: &mut Vec<Effect>) {
    let keep: fn(&mut Settings, &Settings) = match state.start.row() {
        Row::Clock => |kept, now| kept.clock = now.clock,
        Row::MoveTime => |kept, now| kept.move_time = now.move_time,
        Row::Seed => |kept, now| kept.seed = now.seed,
        Row::OpeningRule => |kept, now| kept.opening_rule = now.opening_rule,
        Row::Marks => |kept, now| kept.marks = now.marks,
        Row::Language => |kept, now| kept.language = now.language,
        Row::Theme => |kept, now| kept.theme = now.theme,
        Row::Drawing => |kept, now| kept.drawing = now.drawing,
        _ => return remember_game(state, effects),
    };
    remember(state, effects, keep);
}

/// Saves the game and its players.
fn remember_game(state: &mut State, effects: &mut Vec<Effect>) {
    state.start.store(&mut state.settings);
    remember(state, effects, |kept, now| {
        kept.game.clone_from(&now.game);
        kept.players.clone_from(&now.players);
    });
}

fn start_game(state: &mut State, analysing: bool, effects: &mut Vec<Effect>) {
    remember_game(state, effects);
    let line = state.start.game.line();
    if !analysing && let Some(text) = seat_error(state) {
        state.report_error(text);
        return;
    }
    begin(state, &*line, state.start.players.clone());
    let rule = state
        .settings
        .opening_rule
        .filter(|_| state.start.game.has_swap_openings());
    if let (Some(rule), Some(game)) = (rule, &mut state.game) {
        game.opening = Some(SwapOpening::new(rule));
    }
    if analysing {
        begin_analysis(state);
    }
}

/// Returns why one of the selected players cannot play.
fn seat_error(state: &State) -> Option<String> {
    let limits = Limits {
        time: state.settings.move_time,
        ..Limits::default()
    };
    Player::BOTH.into_iter().find_map(|player| {
        let PlayerSpec::Strategy(spec) = &state.start.players[player.index()] else {
            return None;
        };
        let game = &state.start.game;
        let refused = game.can_seat_as(spec, &limits, player).err();
        let error = refused.or_else(|| game.seat(spec, &limits).err())?;
        Some(messages::unplayable(state.messages(), &error))
    })
}

/// Starts a game from a line of play.
pub fn begin(state: &mut State, line: &dyn papan_catalog::AnyLine, players: [PlayerSpec; 2]) {
    let seed = state.settings.seed.unwrap_or(state.entropy);
    let mut game = Game::new(line, players, state.settings.clock, seed);
    game.moved_at = state.now;
    state.game = Some(game);
    state.notice = None;
    state.help = None;
    state.prompt = None;
}

/// Turns the game into an analysis board.
pub(super) fn begin_analysis(state: &mut State) {
    if let Some(game) = &mut state.game {
        game.analysing = true;
        game.annotation = Annotation::Scores;
        state.notify(state.messages().text("board-analysing"));
    }
}
