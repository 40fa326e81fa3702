//! The model of The Elm Architecture: all state of the terminal interface.

use std::time::Duration;

use papan_view::{Language, Messages};

use crate::clock::next_tick;
use crate::game::Game;
use crate::keys::Command;
use crate::message::JobId;
use crate::settings::{Drawing, Settings};
use crate::start_page::StartPage;
use crate::theme::Theme;

/// Capabilities of the terminal, and preferences from the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Environment {
    /// Whether to use colours (`NO_COLOR` is not set).
    pub colour: bool,
    /// Whether the locale is UTF-8.
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

/// A notice at the bottom of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The text.
    pub text: String,
    /// Whether it is an error.
    pub wrong: bool,
}

/// A prompt with the text typed so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Its kind.
    pub kind: PromptKind,
    /// The text typed so far.
    pub text: String,
}

/// The kind of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    /// A move.
    Move,
    /// The file to save to.
    Save,
    /// The file to open.
    Open,
    /// A position or a list of moves.
    Position,
}

/// The largest area that is drawn; a larger window keeps an empty margin. The two screen buffers
/// take about 60 bytes for each of their cells, and a terminal may claim any size.
const MAX_SIZE: (u16, u16) = (1000, 400);

/// Returns the part of a window that is drawn.
#[must_use]
pub(crate) fn drawn_size((columns, rows): (u16, u16)) -> (u16, u16) {
    (columns.min(MAX_SIZE.0), rows.min(MAX_SIZE.1))
}

/// The state of the terminal interface.
#[derive(Clone)]
pub struct State {
    /// The settings in effect.
    pub settings: Settings,
    /// The settings as they are saved; options of the command line are not part of them.
    pub remembered: Settings,
    /// File to write the record to after every move.
    pub record: Option<String>,
    /// The autosave directory.
    pub games: Option<String>,
    /// Unix time when the program started.
    pub began: Duration,
    /// The environment.
    pub environment: Environment,
    /// Columns and rows of the drawn area.
    pub size: (u16, u16),
    /// The start page.
    pub start: StartPage,
    /// The game; without one the start page is shown.
    pub game: Option<Game>,
    /// Scroll offset of the help page, when it is open.
    pub help: Option<u16>,
    /// The open prompt.
    pub prompt: Option<Prompt>,
    /// A command that would leave an unfinished game and waits for confirmation.
    pub confirm: Option<Command>,
    /// A notice at the bottom of the screen.
    pub notice: Option<Notice>,
    /// Time since the program started.
    pub now: Duration,
    /// Source of seeds when none is set.
    pub entropy: u64,
    /// The text of the record that was written last.
    pub(crate) recorded: String,
    pub(crate) last_job: JobId,
    /// Searches that were started and have neither finished nor been stopped.
    pub(crate) running: Vec<JobId>,
}

impl State {
    /// Creates the state with the start page open.
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
            size: drawn_size(size),
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

    /// Returns the messages in the selected language.
    #[must_use]
    pub(crate) fn messages(&self) -> Messages {
        Messages::new(self.settings.language.unwrap_or(self.environment.language))
    }

    /// Whether to draw ASCII only.
    #[must_use]
    pub(crate) fn ascii(&self) -> bool {
        match self.settings.drawing {
            Drawing::Automatic => !self.environment.unicode,
            Drawing::Boxes => false,
            Drawing::Ascii => true,
        }
    }

    /// Returns the theme; plain without colours.
    #[must_use]
    pub(crate) fn theme(&self) -> Theme {
        if self.environment.colour {
            self.settings.theme
        } else {
            Theme::Plain
        }
    }

    /// Shows a notice.
    pub(crate) fn notify(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            wrong: false,
        });
    }

    /// Shows an error.
    pub(crate) fn report_error(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice {
            text: text.into(),
            wrong: true,
        });
    }

    /// Returns when the next [`Message::Tick`](crate::Message::Tick) is due: the next change of a
    /// clock, or the next move of a watched game.
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
