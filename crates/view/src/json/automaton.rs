//! What `papan automaton check` and `minimize` found.

use serde::Serialize;

/// What is wrong with a table, and whether it ever loses.
#[derive(Clone, Debug, Serialize)]
pub struct TableCheck {
    /// The table.
    pub file: String,
    /// How many rows it has.
    pub rows: usize,
    /// What is wrong, line by line.
    pub findings: Vec<Finding>,
    /// Whether it ever loses.
    pub verdict: TableVerdict,
}

/// Whether a table ever loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableVerdict {
    /// Some opponent beats it.
    CanLose,
    /// Nobody beats it as far as it has an answer.
    NeverLosesSoFar,
    /// Nobody beats it.
    NeverLoses,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The line of the file.
    pub line: usize,
    /// What.
    #[serde(flatten)]
    pub problem: Problem,
}

/// What can be wrong with a line. Moves are cell numbers, as text.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// There is no row to start from.
    NoStart,
    /// Moves of the opponent have no row.
    MissingInputs {
        /// The board before them.
        board: String,
        /// The moves.
        inputs: Vec<String>,
    },
    /// No game comes here.
    Unreachable,
    /// An earlier line says otherwise.
    Contradicts {
        /// The earlier line.
        earlier: usize,
    },
    /// An earlier line says the same.
    Repeats {
        /// The earlier line.
        earlier: usize,
    },
    /// The opponent cannot move there.
    IllegalInput,
    /// The reply is illegal, or none where one is due.
    IllegalReply {
        /// The reply.
        reply: Option<String>,
    },
    /// The flag is wrong.
    UntrueFlag {
        /// The right one.
        truth: &'static str,
    },
    /// It could have won at once.
    MissedWin {
        /// Where.
        cells: Vec<String>,
    },
    /// It loses a game.
    Loses {
        /// That game.
        game: Vec<String>,
    },
}

/// A machine before and after it was made as small as possible.
#[derive(Clone, Debug, Serialize)]
pub struct MinimizedTable {
    /// As it was.
    pub before: Size,
    /// As it is now.
    pub after: Size,
    /// Whether turned boards count as the same.
    pub rotation: bool,
    /// What the small machine does.
    pub transitions: Vec<Transition>,
}

/// How large a machine is.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Its states.
    pub states: usize,
    /// Its transitions.
    pub transitions: usize,
}

/// One transition of a small machine; states count from 1.
#[derive(Clone, Debug, Serialize)]
pub struct Transition {
    /// The state before.
    pub state: usize,
    /// The opponent's move.
    pub input: String,
    /// The answer, if there is one.
    pub reply: Option<String>,
    /// The state after, while the game goes on.
    pub next: Option<usize>,
    /// Quarter turns of the board on the way.
    pub turns: u32,
    /// How the game ended: `win`, `draw`, `loss`; `stuck` without an answer.
    pub end: Option<&'static str>,
}
