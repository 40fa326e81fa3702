//! The keys of the board.

use crossterm::event::{KeyCode, KeyEvent};
use papan_view::Language;

use super::{moves, prompt, setup, start, with};
use crate::keys::{self, Command};
use crate::message::Effect;
use crate::settings::{Drawing, SPEEDS};
use crate::state::{Asks, State};
use crate::table::{Numbers, Table};
use crate::view::geometry;
use crate::view::theme::Theme;
use crate::wording;

/// A key at the board.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if review_key(state, key.code) {
        return;
    }
    let Some(command) = keys::command(key) else {
        return;
    };
    match command {
        Command::Left => step(state, 0, -1),
        Command::Right => step(state, 0, 1),
        Command::Up => step(state, -1, 0),
        Command::Down => step(state, 1, 0),
        Command::Level => level(state, 1),
        Command::LevelBack => level(state, -1),
        Command::Place => moves::place(state),
        Command::Type => prompt::ask(state, Asks::Move, ""),
        Command::Undo => moves::undo(state),
        Command::Redo => moves::redo(state),
        Command::Back => moves::walk(state, |table| table.tree.back()),
        Command::Forward => moves::walk(state, |table| table.tree.forward()),
        Command::First => moves::walk(state, |table| {
            let moved = table.tree.current() != 0;
            table.tree.go(0);
            moved
        }),
        Command::Last => moves::walk(state, |table| {
            let mut moved = false;
            while table.tree.forward() {
                moved = true;
            }
            moved
        }),
        Command::NextVariation => moves::walk(state, |table| table.tree.sibling(1)),
        Command::PreviousVariation => moves::walk(state, |table| table.tree.sibling(-1)),
        Command::SetUp => setup::begin(state),
        Command::Stop => stop(state),
        Command::Quit => effects.push(Effect::Quit(None)),
        Command::Help => state.help = Some(0),
        Command::New => {
            state.table = None;
            state.start.editing = None;
        }
        _ => ask_for(state, command, effects),
    }
}

/// The keys that ask for something to be shown, kept or changed.
fn ask_for(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Hint => hint(state),
        Command::Explain => {
            numbers(state);
        }
        Command::Evaluation => {
            state.settings.evaluation = !state.settings.evaluation;
            remember(state, effects);
        }
        Command::Pause => pause(state),
        Command::Faster => speed(state, 1, effects),
        Command::Slower => speed(state, -1, effects),
        Command::Flip => {
            if let Some(table) = &mut state.table {
                table.players.swap(0, 1);
                table.decided = None;
                state.say(state.words().text("board-flipped"));
            }
        }
        Command::Review => review(state),
        Command::Rematch => rematch(state),
        Command::Save => prompt::ask(state, Asks::Save, file_name(state)),
        Command::Open => prompt::ask(state, Asks::Open, ""),
        Command::Paste => prompt::ask(state, Asks::Position, ""),
        Command::Copy => {
            if let Some(table) = &state.table {
                let text = table.line().text();
                state.say(with(state, "board-copied", "moves", text.clone()));
                effects.push(Effect::Copy(text));
            }
        }
        Command::Analyse => analyse(state),
        Command::Theme => {
            let place = Theme::ALL.iter().position(|t| *t == state.settings.theme);
            let next = (place.unwrap_or(0) + 1) % Theme::ALL.len();
            state.settings.theme = Theme::ALL[next];
            remember(state, effects);
        }
        Command::Language => {
            state.settings.language = Some(match state.words().language() {
                Language::English => Language::Indonesian,
                Language::Indonesian => Language::English,
            });
            remember(state, effects);
        }
        Command::Drawing => {
            state.settings.drawing = match state.ascii() {
                true => Drawing::Boxes,
                false => Drawing::Ascii,
            };
            remember(state, effects);
        }
        _ => {}
    }
}

/// Keeps how things are shown. Game and players stay those of the start page: what
/// the command line chose is for this time only.
fn remember(state: &mut State, effects: &mut Vec<Effect>) {
    let State {
        settings,
        remembered,
        ..
    } = state;
    remembered.theme = settings.theme;
    remembered.language = settings.language;
    remembered.drawing = settings.drawing;
    remembered.speed = settings.speed;
    remembered.evaluation = settings.evaluation;
    effects.push(Effect::Remember(Box::new(remembered.clone())));
}

fn step(state: &mut State, rows: isize, columns: isize) {
    let Some(geometry) = geometry::of_table(state) else {
        return;
    };
    if let Some(table) = &mut state.table {
        table.cursor = geometry.step(table.cursor, rows, columns);
    }
}

fn level(state: &mut State, by: isize) {
    let Some(table) = &mut state.table else {
        return;
    };
    let sides = table.game.shape().sides();
    let flat: usize = sides.iter().rev().take(2).product();
    let cells = table.game.cells() as isize;
    let next = table.cursor as isize + by * flat as isize;
    table.cursor = next.rem_euclid(cells) as usize;
}

fn hint(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    if table.outcome().is_some() {
        state.complain(words.text("wrong-game-over"));
        return;
    }
    table.hint = Some(table.tree.current());
    match wording::hint(state) {
        Some(text) => state.say(text),
        None => state.say(words.text("board-thinking-of-hint")),
    }
}

/// Off, a strategy's reasons, the advisor's scores, off again.
fn numbers(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    table.numbers = match table.numbers {
        Numbers::None => Numbers::Reasons,
        Numbers::Reasons => Numbers::Scores,
        Numbers::Scores => Numbers::None,
    };
    let (key, strategy) = match table.numbers {
        Numbers::None => ("board-numbers-off", String::new()),
        Numbers::Reasons => ("board-numbers-reasons", table.explainer().to_string()),
        Numbers::Scores => ("board-numbers-scores", table.advisor.to_string()),
    };
    let text = words.with(key, [("strategy", strategy.into())]);
    state.say(text);
}

fn pause(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    // From an earlier position, the game goes on from there.
    if table.walking {
        table.walking = false;
        table.paused = false;
    } else {
        table.paused = !table.paused;
    }
    let key = if table.paused {
        "board-paused"
    } else {
        "board-goes-on"
    };
    state.say(words.text(key));
}

fn speed(state: &mut State, by: isize, effects: &mut Vec<Effect>) {
    let next = state.settings.speed.saturating_add_signed(by);
    state.settings.speed = next.min(SPEEDS.len() - 1);
    let seconds = state.settings.pause_between_moves().as_secs_f64();
    state.say(with(state, "board-speed", "seconds", seconds.to_string()));
    remember(state, effects);
}

fn stop(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    if table.review.take().is_some() {
        return;
    }
    table.hint = None;
    table.numbers = Numbers::None;
    if table.thinking.is_some() {
        table.paused = true;
        state.say(words.text("board-stopped"));
    }
}

fn review(state: &mut State) {
    let Some(table) = &mut state.table else {
        return;
    };
    table.review = match table.review {
        Some(_) => None,
        None => Some(0),
    };
    state.notice = None;
}

/// While the review is open, up and down choose a mistake and show it.
fn review_key(state: &mut State, key: KeyCode) -> bool {
    let Some(table) = &mut state.table else {
        return false;
    };
    let Some(chosen) = table.review else {
        return false;
    };
    let mistakes = table.mistakes();
    let last = mistakes.len().saturating_sub(1);
    let next = match key {
        KeyCode::Up => chosen.saturating_sub(1),
        KeyCode::Down => (chosen + 1).min(last),
        KeyCode::Enter => chosen.min(last),
        _ => return false,
    };
    table.review = Some(next);
    if let Some(mistake) = mistakes.get(next) {
        // The position before the mistake, with the better move under the cursor.
        let before = table.tree.node(mistake.node).parent;
        table.tree.go(mistake.node);
        table.tree.go(before);
        table.walking = true;
        if let Some(cell) = mistake.better.cell() {
            table.cursor = cell;
        }
    }
    true
}

fn rematch(state: &mut State) {
    let Some(old) = &state.table else { return };
    let (game, players) = (old.game.clone(), old.players.clone());
    let mut table = Table::new(
        &*game.line(),
        players,
        state.settings.clock,
        old.seed.wrapping_add(1),
    );
    table.moved_at = state.now;
    table.analysing = old.analysing;
    table.numbers = old.numbers;
    state.table = Some(table);
    state.notice = None;
}

fn analyse(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    if table.analysing {
        table.analysing = false;
        table.numbers = Numbers::None;
        table.paused = true;
        state.say(words.text("board-paused"));
    } else {
        start::begin_analysis(state);
    }
}

/// A name for the record of this game.
fn file_name(state: &State) -> String {
    let game = state.table.as_ref().map(|table| table.game.name());
    let game = game.unwrap_or_default().replace(':', "-");
    format!("{game}.papan")
}
