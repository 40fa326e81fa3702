//! Prints a real screen of the board, as text or, with `--svg`, as a picture:
//!
//! ```text
//! cargo run --package papan-terminal > docs/screen.txt
//! cargo run --package papan-terminal -- --svg > docs/screen.svg
//! ```
//!
//! With `--panic` it takes the terminal over and panics: a test looks at what is
//! left of the terminal.

use std::sync::mpsc::channel;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent};
use papan_catalog::{AnyGame, PlayerSpec};
use papan_terminal::{
    Effect, EngineTasks, Environment, Message, Screen, Settings, State, begin, snapshot, update,
};

/// The game that is shown: O has answered the corner badly.
const MOVES: &str = "1 2";

/// The keys that lead to the screen: the analysis board, the cursor to the left.
const KEYS: &str = "Ah";

/// Presses the keys, and lets whoever is asked to think do so.
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
            panic!("on purpose");
        }
        Some("--svg") => print!("{}", snapshot::svg(&state())),
        _ => print!("{}", snapshot::text(&state())),
    }
    Ok(())
}
