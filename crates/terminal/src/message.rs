//! Messages and effects of The Elm Architecture (`Msg` and `Cmd` there).

use std::io;
use std::time::Duration;

use crossterm::event::{KeyEvent, MouseEvent};
use papan_catalog::{AnyGame, AnyLine, StrategySpec, Unplayable};
use papan_rules::{SwapAction, SwapOpening};
use papan_strategies::{Decision, Limits, NoMove, Progress};

use crate::analysis::{Analysis, Effort};
use crate::settings::Settings;

/// Identifies a search, so that late results can be discarded.
pub(crate) type JobId = u64;

/// An event: the input of [`update`](crate::update).
pub enum Message {
    /// A key was pressed.
    Key(KeyEvent),
    /// A mouse event.
    Mouse(MouseEvent),
    /// Text was pasted.
    Paste(String),
    /// The window was resized to these columns and rows.
    Resized(u16, u16),
    /// The deadline of the state has passed.
    Tick,
    /// A search reported progress.
    Progress(JobId, Progress),
    /// A strategy chose a move, or failed.
    Decision(JobId, Result<Decision, Failure>),
    /// A strategy acted in a swap opening, or failed.
    Opening(JobId, Result<Vec<SwapAction>, Failure>),
    /// The advisor analysed a position; more passes may follow.
    Analysis(JobId, Result<Analysis, Failure>),
    /// A record was written, or failed to be.
    Saved(String, io::Result<()>),
    /// A file was read, or failed to be.
    Opened(String, io::Result<String>),
    /// SIGTSTP: suspend.
    Suspend,
    /// SIGCONT: continued.
    Resumed,
    /// A signal that ends the program.
    Terminate(i32),
    /// Standard input was closed.
    InputEnded,
}

/// A side effect for the runtime to perform.
pub enum Effect {
    /// Starts a search in the background.
    Think(Box<Job>),
    /// Stops a search and ignores its result.
    Stop(JobId),
    /// Writes a new file, without overwriting.
    Save {
        /// Its path.
        path: String,
        /// Its content.
        text: String,
    },
    /// Writes a file, replacing an existing one.
    Record {
        /// Its path.
        path: String,
        /// Its content.
        text: String,
    },
    /// Reads a file.
    Open {
        /// Its path.
        path: String,
    },
    /// Saves the settings.
    Remember(Box<Settings>),
    /// Copies text to the clipboard.
    Copy(String),
    /// Suspends the process.
    Suspend,
    /// Redraws the whole screen after the process was stopped and continued.
    Resume,
    /// Redraws the whole screen.
    Redraw,
    /// Quits, by this signal if there was one.
    Quit(Option<i32>),
}

/// A search to run.
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// What to compute.
    pub kind: JobKind,
    /// The rules.
    pub game: AnyGame,
    /// The strategy.
    pub strategy: StrategySpec,
    /// The line of play to the position.
    pub line: Box<dyn AnyLine>,
    /// Its limits.
    pub limits: Limits,
    /// Seed of random choices.
    pub seed: u64,
}

/// Why a search returned no result.
#[derive(Debug)]
pub enum Failure {
    /// The strategy cannot play this board.
    Unplayable(Unplayable),
    /// It has no move here.
    NoMove(NoMove),
    /// It panicked.
    Panicked,
    /// It returned no analysis.
    NoAnswer,
    /// The thread could not be started.
    NoThread(io::Error),
}

/// The kind of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// One move, with its reasons.
    Decide,
    /// The actions in a swap opening.
    Open(SwapOpening),
    /// A score for every move, in passes of growing length.
    Advise(Effort),
}

impl Effort {
    /// Time limits of the advisor's passes. A quick analysis ends as soon as every move has a score.
    #[must_use]
    pub(crate) fn passes(self) -> &'static [Duration] {
        const QUICK: [Duration; 2] = [Duration::from_millis(250), Duration::from_millis(3000)];
        const DEEP: [Duration; 4] = [
            Duration::from_millis(100),
            Duration::from_millis(400),
            Duration::from_millis(1500),
            Duration::from_millis(6000),
        ];
        match self {
            Self::Quick => &QUICK,
            Self::Deep | Self::Endless => &DEEP,
        }
    }

    /// Time limit of each further pass, if the search goes on.
    #[must_use]
    pub(crate) fn further_pass(self) -> Option<Duration> {
        (self == Self::Endless).then_some(Duration::from_secs(8))
    }
}
