//! Prints a screenshot of the board, as text or, with `--svg`, as SVG:
//!
//! ```text
//! cargo run --package papan-terminal > docs/screen.txt
//! cargo run --package papan-terminal -- --svg > docs/screen.svg
//! ```
//!
//! With `--panic` it takes over the terminal and panics; a test checks that the terminal is restored.

use std::sync::mpsc::channel;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::{AnyGame, PlayerSpec};
use papan_terminal::{
    Effect, EngineTasks, Environment, Message, Screen, Settings, State, begin, snapshot, update,
};

/// The moves of the game on the screenshot.
const MOVES: &str = "1 2";

/// The keys that lead to the screen: open the analysis board, move the cursor left.
const KEYS: &str = "Ah";

/// Presses the keys and runs the searches that they start.
fn state() -> State {
    let settings = Settings {
        evaluation: true,
        ..Settings::default()
    };
    let mut state = State::new(settings, Environment::default(), (80, 24));
    let game: AnyGame = "tictactoe".parse().expect("a game of the catalog");
    let mut line = game.line();
    line.extend(MOVES).expect("legal moves");
    begin(&mut state, &*line, [PlayerSpec::Human, PlayerSpec::Human]);
    let mut messages: Vec<Message> = KEYS
        .chars()
        .rev()
        .map(|key| Message::Key(KeyEvent::from(KeyCode::Char(key))))
        .collect();
    while let Some(message) = messages.pop() {
        for effect in update(&mut state, message, Duration::ZERO) {
            if let Effect::Think(job) = effect {
                let (inbox, answers) = channel();
                EngineTasks::new(inbox).think(*job);
                let told = answers
                    .iter()
                    .filter(|m| !matches!(m, Message::Progress(..)));
                messages.extend(told.last());
            }
        }
    }
    state
}

fn main() -> std::io::Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("--panic") => {
            let _screen = Screen::take()?;
            panic!("on kind");
        }
        Some("--svg") => print!("{}", snapshot::svg(&state())),
        _ => print!("{}", snapshot::text(&state())),
    }
    Ok(())
}
