//! What the keys of the board ask for.

use crossterm::event::{KeyCode, KeyEvent};
use papan_view::Language;

use super::{keeping, moves, prompt, remember, setup, start, with};
use crate::keys::{self, Command};
use crate::message::Effect;
use crate::settings::{Drawing, SPEEDS};
use crate::state::{Asks, State};
use crate::table::{Annotation, Review, Table};
use crate::view::geometry;
use crate::view::theme::Theme;
use crate::wording;

/// A key at the board.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if review_key(state, key.code) {
        return;
    }
    if let Some(command) = keys::command(key) {
        perform(state, command, effects);
    }
}

/// Does what a key asks for.
pub(super) fn perform(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    let leaves = matches!(command, Command::Rematch | Command::New | Command::Quit);
    if leaves && state.table.as_ref().is_some_and(Table::is_under_way) {
        state.question = Some(command);
        return;
    }
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
        Command::Rematch | Command::New | Command::Quit => leave(state, command, effects),
        Command::Help => state.help = Some(0),
        _ => ask_for(state, command, effects),
    }
}

/// The answer to whether a game that is under way is to be left: yes by `y`, and
/// any other key is no.
pub(super) fn answer(state: &mut State, key: KeyCode, effects: &mut Vec<Effect>) {
    if let Some(command) = state.question.take()
        && matches!(key, KeyCode::Char('y' | 'Y'))
    {
        leave(state, command, effects);
    }
}

/// Leaves the game, for another or for good.
fn leave(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Rematch => rematch(state),
        Command::New => {
            keeping::offer(state);
            state.table = None;
            state.start.editing = None;
        }
        _ => effects.push(Effect::Quit(None)),
    }
}

/// The keys that ask for something to be shown, kept or changed.
fn ask_for(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Hint => hint(state),
        Command::Explain => annotate(state),
        Command::Evaluation => {
            state.settings.evaluation = !state.settings.evaluation;
            remember(state, effects, |kept, now| kept.evaluation = now.evaluation);
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
            remember(state, effects, |kept, now| kept.theme = now.theme);
        }
        Command::Language => {
            state.settings.language = Some(match state.words().language() {
                Language::English => Language::Indonesian,
                Language::Indonesian => Language::English,
            });
            remember(state, effects, |kept, now| kept.language = now.language);
        }
        Command::Drawing => {
            state.settings.drawing = match state.ascii() {
                true => Drawing::Boxes,
                false => Drawing::Ascii,
            };
            remember(state, effects, |kept, now| kept.drawing = now.drawing);
        }
        _ => {}
    }
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
fn annotate(state: &mut State) {
    let words = state.words();
    let Some(table) = &mut state.table else {
        return;
    };
    table.annotation = match table.annotation {
        Annotation::None => Annotation::Reasons,
        Annotation::Reasons => Annotation::Scores,
        Annotation::Scores => Annotation::None,
    };
    let (key, strategy) = match table.annotation {
        Annotation::None => ("board-numbers-off", String::new()),
        Annotation::Reasons => ("board-numbers-reasons", table.explainer().to_string()),
        Annotation::Scores => ("board-numbers-scores", table.advisor.to_string()),
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
    remember(state, effects, |kept, now| kept.speed = now.speed);
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
    table.annotation = Annotation::None;
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
        None => Some(Review::default()),
    };
    state.notice = None;
}

/// While the review is open, up and down choose a mistake and show it.
fn review_key(state: &mut State, key: KeyCode) -> bool {
    let Some(table) = &mut state.table else {
        return false;
    };
    let Some(review) = table.review else {
        return false;
    };
    let mistakes = table.mistakes();
    let chosen = mistakes
        .iter()
        .position(|mistake| Some(mistake.node) == review.chosen);
    let next = match (key, chosen) {
        (KeyCode::Up, Some(chosen)) => chosen.saturating_sub(1),
        (KeyCode::Down, Some(chosen)) => (chosen + 1).min(mistakes.len() - 1),
        (KeyCode::Enter, Some(chosen)) => chosen,
        (KeyCode::Up | KeyCode::Down | KeyCode::Enter, None) => 0,
        _ => return false,
    };
    if let Some(mistake) = mistakes.get(next) {
        table.review = Some(Review {
            chosen: Some(mistake.node),
        });
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
    table.annotation = old.annotation;
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
        table.annotation = Annotation::None;
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
