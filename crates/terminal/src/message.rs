//! What happens to the terminal board, and what it asks for.

use std::io;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, Unplayable};
use papan_strategies::{Decision, Limits, NoMove, Progress};

use crate::analysis::{Analysis, Effort};
use crate::settings::Settings;

/// The number of a piece of thinking, so that a late answer is known as such.
pub(crate) type JobId = u64;

/// Something that happened.
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse was used.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The window has this many columns and rows now.
    Resized(u16, u16),
    /// Time has passed.
    Tick,
    /// A strategy told what it thinks.
    Progress(JobId, Progress),
    /// A strategy has chosen, or says why not.
    Decision(JobId, Result<Decision, Failure>),
    /// The advisor judged a position, perhaps not for the last time.
    Analysis(JobId, Result<Analysis, Failure>),
    /// A record was written, or could not be.
    Saved(String, io::Result<()>),
    /// A file was read, or could not be.
    Opened(String, io::Result<String>),
    /// The shell wants the terminal for a while.
    Suspend,
    /// The terminal is ours again.
    Resumed,
    /// This signal asks the program to end.
    Terminate(i32),
    /// There will be no more keys.
    InputEnded,
}

/// Something to be done outside the state.
pub enum Effect {
    /// Lets a strategy think in the background.
    Think(Box<Job>),
    /// Lets it stop; its answer is not wanted any more.
    Stop(JobId),
    /// Writes a new file.
    Save {
        /// Where.
        path: String,
        /// What.
        text: String,
    },
    /// Writes a file, in place of the one that is there.
    Record {
        /// Where.
        path: String,
        /// What.
        text: String,
    },
    /// Reads a file.
    Open {
        /// Which.
        path: String,
    },
    /// Remembers the settings for the next time.
    Remember(Box<Settings>),
    /// Puts text on the clipboard.
    Copy(String),
    /// Gives the terminal to the shell until it is continued.
    Suspend,
    /// Draws everything again.
    Redraw,
    /// Leaves; after this signal, if there was one.
    Quit(Option<i32>),
}

/// A piece of thinking.
pub struct Job {
    /// Its number.
    pub id: JobId,
    /// What for.
    pub purpose: JobKind,
    /// In which game.
    pub game: AnyGame,
    /// By whom.
    pub strategy: StrategySpec,
    /// About what.
    pub line: Box<dyn AnyLine>,
    /// How far.
    pub limits: Limits,
    /// What draws of lots depend on.
    pub seed: u64,
}

/// Why thinking came to nothing.
#[derive(Debug)]
pub enum Failure {
    /// The strategy cannot play this board.
    Unplayable(Unplayable),
    /// It has no move here.
    NoMove(NoMove),
    /// It panicked.
    Panicked,
    /// It had no time for a single look.
    NoAnswer,
    /// The system gave it no thread.
    NoThread(io::Error),
}

/// What thinking is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// One decision, with its reasons.
    Decide,
    /// A score for every move, better and better.
    Advise(Effort),
}

impl Effort {
    /// How long the advisor thinks, pass after pass. A quick look ends as soon as
    /// every move has a score.
    #[must_use]
    pub fn passes(self) -> &'static [Duration] {
        const QUICK: [Duration; 2] = [Duration::from_millis(250), Duration::from_millis(3000)];
        const DEEP: [Duration; 4] = [
            Duration::from_millis(100),
            Duration::from_millis(400),
            Duration::from_millis(1500),
            Duration::from_millis(6000),
        ];
        match self {
            Self::Quick => &QUICK,
            Self::Deep => &DEEP,
        }
    }
}
