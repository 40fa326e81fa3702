//! Test driver: plays games by keys, with searches that finish at once.

use std::sync::mpsc::channel;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use papan_catalog::PlayerSpec;
use papan_terminal::{
    Effect, EngineTasks, Environment, Message, Settings, State, begin, snapshot, update,
};
use papan_view::Language;

/// A state with a simulated user.
pub(crate) struct Desk {
    pub(crate) state: State,
    pub(crate) now: Duration,
    pub(crate) effects: Vec<Effect>,
}

impl Desk {
    pub(crate) fn new(language: Language, size: (u16, u16)) -> Self {
        let environment = Environment {
            language,
            ..Environment::default()
        };
        Self {
            state: State::new(Settings::default(), environment, size),
            now: Duration::ZERO,
            effects: Vec::new(),
        }
    }

    /// Starts a game with these moves.
    pub(crate) fn at(mut self, game: &str, players: [&str; 2], moves: &str) -> Self {
        let game: papan_catalog::AnyGame = game.parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let players: [PlayerSpec; 2] = players.map(|player| player.parse().unwrap());
        begin(&mut self.state, &*line, players);
        self.tell(Message::Tick);
        self
    }

    /// Sends a message, and runs the searches that it starts.
    pub(crate) fn tell(&mut self, message: Message) {
        let mut messages = vec![message];
        while let Some(message) = messages.pop() {
            for effect in update(&mut self.state, message, self.now) {
                match effect {
                    Effect::Think(job) => {
                        let (inbox, answers) = channel();
                        let mut tasks = EngineTasks::new(inbox);
                        let id = job.id;
                        tasks.think(*job);
                        // Progress depends on the speed of the machine; the first analysis of an advisor is enough.
                        let told = answers.iter().find(|m| !matches!(m, Message::Progress(..)));
                        tasks.stop(id);
                        messages.extend(told.map(|told| match told {
                            Message::Analysis(id, Ok(mut analysis)) => {
                                analysis.settled = true;
                                Message::Analysis(id, Ok(analysis))
                            }
                            told => told,
                        }));
                    }
                    effect => self.effects.push(effect),
                }
            }
        }
    }

    /// Presses a key.
    pub(crate) fn press(&mut self, code: KeyCode) {
        self.tell(Message::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }

    /// Presses the keys of a text, one by one.
    pub(crate) fn keys(&mut self, text: &str) {
        for character in text.chars() {
            self.press(match character {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                character => KeyCode::Char(character),
            });
        }
    }

    /// Lets time pass.
    pub(crate) fn wait(&mut self, time: Duration) {
        self.now += time;
        self.tell(Message::Tick);
    }

    pub(crate) fn screen(&self) -> String {
        snapshot::text(&self.state)
    }

    pub(crate) fn moves(&self) -> String {
        self.state.game.as_ref().unwrap().line().text()
    }

    pub(crate) fn notice(&self) -> &str {
        self.state.notice.as_ref().map_or("", |notice| &notice.text)
    }
}
