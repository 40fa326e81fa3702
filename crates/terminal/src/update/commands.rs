//! Commands of the game screen.

use crossterm::event::{KeyCode, KeyEvent};
use papan_rules::SwapOpening;
use papan_view::Language;

use super::{autosave, moves, prompt, remember, setup, start, with};
use crate::game::{Annotation, Game, Review};
use crate::keys::{self, Command};
use crate::layout;
use crate::message::Effect;
use crate::settings::{Drawing, SPEEDS};
use crate::state::{PromptKind, State};
use crate::text;
use crate::theme::Theme;

/// Handles a key on the game screen.
pub(super) fn press(state: &mut State, key: KeyEvent, effects: &mut Vec<Effect>) {
    if review_key(state, key.code) {
        return;
    }
    if let Some(command) = keys::command(key) {
        perform(state, command, effects);
    }
}

/// Executes a command.
pub(super) fn perform(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    let leaves = matches!(command, Command::Rematch | Command::New | Command::Quit);
    if leaves && state.game.as_ref().is_some_and(Game::is_in_progress) {
        state.confirm = Some(command);
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
        Command::Type => prompt::ask(state, PromptKind::Move, ""),
        Command::Undo => moves::undo(state),
        Command::Redo => moves::redo(state),
        Command::Back => moves::browse(state, |game| game.tree.back()),
        Command::Forward => moves::browse(state, |game| game.tree.forward()),
        Command::First => moves::browse(state, |game| {
            let moved = game.tree.current() != 0;
            game.tree.go(0);
            moved
        }),
        Command::Last => moves::browse(state, |game| {
            let mut moved = false;
            while game.tree.forward() {
                moved = true;
            }
            moved
        }),
        Command::NextVariation => moves::browse(state, |game| game.tree.sibling(1)),
        Command::PreviousVariation => moves::browse(state, |game| game.tree.sibling(-1)),
        Command::SetUp => setup::begin(state),
        Command::Stop => stop(state),
        Command::Rematch | Command::New | Command::Quit => leave(state, command, effects),
        Command::Help => state.help = Some(0),
        _ => perform_other(state, command, effects),
    }
}

/// Handles the reply to a confirmation: `y` is yes, any other key is no.
pub(super) fn answer(state: &mut State, key: KeyCode, effects: &mut Vec<Effect>) {
    if let Some(command) = state.confirm.take()
        && matches!(key, KeyCode::Char('y' | 'Y'))
    {
        leave(state, command, effects);
    }
}

/// Leaves the game.
fn leave(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Rematch => rematch(state),
        Command::New => {
            autosave::offer(state);
            state.game = None;
            state.start.editing = None;
        }
        _ => effects.push(Effect::Quit(None)),
    }
}

/// Executes a command that shows, saves or changes something.
fn perform_other(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
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
            if let Some(game) = &mut state.game {
                game.players.swap(0, 1);
                game.pending_move = None;
                state.notify(state.messages().text("board-flipped"));
            }
        }
        Command::Review => review(state),
        Command::Save => prompt::ask(state, PromptKind::Save, file_name(state)),
        Command::Open => prompt::ask(state, PromptKind::Open, ""),
        Command::Paste => prompt::ask(state, PromptKind::Position, ""),
        Command::Copy => {
            if let Some(game) = &state.game {
                let text = game.line().text();
                state.notify(with(state, "board-copied", "moves", text.clone()));
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
            state.settings.language = Some(match state.messages().language() {
                Language::English => Language::Indonesian,
                Language::Indonesian => Language::English,
            });
            remember(state, effects, |kept, now| kept.language = now.language);
        }
        Command::Drawing => {
            state.settings.drawing = if state.ascii() {
                Drawing::Boxes
            } else {
                Drawing::Ascii
            };
            remember(state, effects, |kept, now| kept.drawing = now.drawing);
        }
        _ => {}
    }
}

fn step(state: &mut State, rows: isize, columns: isize) {
    let Some(geometry) = layout::board_layout(state) else {
        return;
    };
    if let Some(game) = &mut state.game {
        game.cursor = geometry.step(game.cursor, rows, columns);
    }
}

fn level(state: &mut State, by: isize) {
    let Some(game) = &mut state.game else {
        return;
    };
    let sides = game.rules.shape().sides();
    let flat: usize = sides.iter().rev().take(2).product();
    let cells = game.rules.cells() as isize;
    let next = game.cursor as isize + by * flat as isize;
    game.cursor = next.rem_euclid(cells) as usize;
}

fn hint(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    if game.outcome().is_some() {
        state.report_error(messages.text("wrong-game-over"));
        return;
    }
    game.hint = Some(game.tree.current());
    match text::hint(state) {
        Some(text) => state.notify(text),
        None => state.notify(messages.text("board-thinking-of-hint")),
    }
}

/// Cycles through no numbers, the advisor's scores and a strategy's reasons.
fn annotate(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    game.annotation = match game.annotation {
        Annotation::None => Annotation::Scores,
        Annotation::Scores => Annotation::Reasons,
        Annotation::Reasons => Annotation::None,
    };
    let (key, strategy) = match game.annotation {
        Annotation::None => ("board-numbers-off", String::new()),
        Annotation::Reasons => ("board-numbers-reasons", game.explainer().to_string()),
        Annotation::Scores => ("board-numbers-scores", game.advisor.to_string()),
    };
    let text = messages.with(key, [("strategy", strategy.into())]);
    state.notify(text);
}

fn pause(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    // While browsing, the game continues from the position shown.
    if game.browsing {
        game.browsing = false;
        game.paused = false;
    } else {
        game.paused = !game.paused;
    }
    let key = if game.paused {
        "board-paused"
    } else {
        "board-resumed"
    };
    state.notify(messages.text(key));
}

fn speed(state: &mut State, by: isize, effects: &mut Vec<Effect>) {
    let next = state.settings.speed.saturating_add_signed(by);
    state.settings.speed = next.min(SPEEDS.len() - 1);
    let seconds = state.settings.move_delay().as_secs_f64();
    state.notify(with(state, "board-speed", "seconds", seconds.to_string()));
    remember(state, effects, |kept, now| kept.speed = now.speed);
}

fn stop(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    if game.review.take().is_some() {
        return;
    }
    game.hint = None;
    game.annotation = Annotation::None;
    if game.player_job.is_some() {
        game.paused = true;
        state.notify(messages.text("board-stopped"));
    }
}

fn review(state: &mut State) {
    let Some(game) = &mut state.game else {
        return;
    };
    game.review = match game.review {
        Some(_) => None,
        None => Some(Review::default()),
    };
    state.notice = None;
}

/// Handles a key of the review: up and down select a mistake and show it.
fn review_key(state: &mut State, key: KeyCode) -> bool {
    let Some(game) = &mut state.game else {
        return false;
    };
    let Some(review) = game.review else {
        return false;
    };
    let mistakes = game.mistakes();
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
        game.review = Some(Review {
            chosen: Some(mistake.node),
        });
        // Show the position before the mistake, with the cursor on the better move.
        let before = game.tree.node(mistake.node).parent;
        game.tree.go(mistake.node);
        game.tree.go(before);
        game.browsing = true;
        if let Some(cell) = mistake.better.cell() {
            game.cursor = cell;
        }
    }
    true
}

fn rematch(state: &mut State) {
    let Some(old) = &state.game else { return };
    let (game, players) = (old.rules.clone(), old.players.clone());
    let opening = old.opening.map(|opening| SwapOpening::new(opening.rule()));
    let mut game = Game::new(
        &*game.line(),
        players,
        state.settings.clock,
        old.seed.wrapping_add(1),
    );
    game.opening = opening;
    game.moved_at = state.now;
    game.analysing = old.analysing;
    game.annotation = old.annotation;
    state.game = Some(game);
    state.notice = None;
}

fn analyse(state: &mut State) {
    let messages = state.messages();
    let Some(game) = &mut state.game else {
        return;
    };
    if game.analysing {
        game.analysing = false;
        game.annotation = Annotation::None;
        game.paused = true;
        state.notify(messages.text("board-paused"));
    } else {
        start::begin_analysis(state);
    }
}

/// Returns the default file name of a record.
fn file_name(state: &State) -> String {
    let game = state.game.as_ref().map(|game| game.rules.name());
    let game = game.unwrap_or_default().replace(':', "-");
    format!("{game}.papan")
}
