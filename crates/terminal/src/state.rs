//! Everything that the terminal board knows. The screen is a function of it.

use std::time::Duration;

use papan_view::{Language, Messages};

use crate::clock::next_tick;
use crate::game::Game;
use crate::keys::Command;
use crate::message::JobId;
use crate::settings::{Drawing, Settings};
use crate::start_page::StartPage;
use crate::theme::Theme;

/// What the terminal can do, and what the environment asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Whether colours are wanted: not with `NO_COLOR`.
    pub colour: bool,
    /// Whether the locale has more than ASCII.
    pub unicode: bool,
    /// The environment's language.
    pub language: Language,
}

impl Default for Environment {
    fn default() -> Self {
        Self {
            colour: true,
            unicode: true,
            language: Language::English,
        }
    }
}

/// A sentence at the foot of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The sentence.
    pub text: String,
    /// Whether something went wrong.
    pub wrong: bool,
}

/// A line that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// What for.
    pub kind: PromptKind,
    /// What was typed so far.
    pub text: String,
}

/// What a prompt asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A move.
    Move,
    /// Where to save.
    Save,
    /// What to open.
    Open,
    /// A position, or a list of moves.
    Position,
}

/// The state of the terminal board.
#[derive(Clone)]
pub struct State {
    /// The choices.
    pub settings: Settings,
    /// The choices as they are kept for the next time.
    pub remembered: Settings,
    /// Where the record of the game is written after every move, if anywhere.
    pub record: Option<String>,
    /// The folder in which every game is kept, if there is one.
    pub games: Option<String>,
    /// The time of day when the program began, since 1970.
    pub began: Duration,
    /// What the terminal can do.
    pub environment: Environment,
    /// The window's columns and rows.
    pub size: (u16, u16),
    /// The start page.
    pub start: StartPage,
    /// The game, when there is one; else the start page is shown.
    pub game: Option<Game>,
    /// How far the help page is scrolled, when it is open.
    pub help: Option<u16>,
    /// The line that is being typed.
    pub prompt: Option<Prompt>,
    /// What a game that is under way is to be left for: it waits for a yes.
    pub confirm: Option<Command>,
    /// A sentence at the foot of the screen.
    pub notice: Option<Notice>,
    /// Time since the program began.
    pub now: Duration,
    /// What seeds are drawn from when none is chosen.
    pub entropy: u64,
    /// The record that was written last.
    pub(crate) recorded: String,
    pub(crate) last_job: JobId,
    /// Thinking that was started and has not been answered or stopped.
    pub(crate) running: Vec<JobId>,
}

impl State {
    /// The start page, with these choices.
    #[must_use]
    pub fn new(settings: Settings, environment: Environment, size: (u16, u16)) -> Self {
        let language = environment.language;
        Self {
            start: StartPage::new(&settings, language),
            remembered: settings.clone(),
            settings,
            record: None,
            games: None,
            began: Duration::ZERO,
            recorded: String::new(),
            environment,
            size,
            game: None,
            help: None,
            prompt: None,
            confirm: None,
            notice: None,
            now: Duration::ZERO,
            entropy: 0,
            last_job: 0,
            running: Vec::new(),
        }
    }

    /// The texts in the chosen language.
    #[must_use]
    pub fn messages(&self) -> Messages {
        Messages::new(self.settings.language.unwrap_or(self.environment.language))
    }

    /// Whether only ASCII is drawn.
    #[must_use]
    pub fn ascii(&self) -> bool {
        match self.settings.drawing {
            Drawing::Automatic => !self.environment.unicode,
            Drawing::Boxes => false,
            Drawing::Ascii => true,
        }
    }

    /// The colours; none when the environment wants none.
    #[must_use]
    pub fn theme(&self) -> Theme {
        match self.environment.colour {
            true => self.settings.theme,
            false => Theme::Plain,
        }
    }

    /// Says something at the foot of the screen.
    pub fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            wrong: false,
        });
    }

    /// Says what went wrong.
    pub fn report_error(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            wrong: true,
        });
    }

    /// When something is to happen without a key: a clock's next tick, or the next
    /// move of a watched game. `None` is to wait for ever.
    #[must_use]
    pub fn deadline(&self) -> Option<Duration> {
        let game = self.game.as_ref()?;
        let tick = game.clock.and_then(|clock| next_tick(&clock, self.now));
        let pause = self.settings.move_delay();
        let waits = game.pending_move.is_some() && !game.paused && !game.browsing;
        let mv = waits.then(|| game.moved_at + pause);
        match (tick, mv) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}
