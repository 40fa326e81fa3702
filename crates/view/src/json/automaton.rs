//! Output of `papan automaton check` and `papan automaton minimize`.

use serde::Serialize;

/// The check of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableCheck {
    /// The file of the table; absent where there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Number of rows.
    pub rows: usize,
    /// The findings, by line.
    pub findings: Vec<Finding>,
    /// Whether it can lose.
    pub verdict: TableVerdict,
}

/// Whether a table can lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TableVerdict {
    /// An opponent can beat it.
    CanLose,
    /// It never loses where it has a reply.
    NeverLosesSoFar,
    /// It never loses.
    NeverLoses,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The line of the file.
    pub line: usize,
    /// The problem.
    #[serde(flatten)]
    pub problem: Problem,
}

/// A problem of a line. Moves are cell numbers, as text.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Problem {
    /// There is no row to start from.
    NoStart,
    /// Some moves of the opponent have no row.
    MissingInputs {
        /// The board before them.
        board: String,
        /// The moves.
        inputs: Vec<String>,
    },
    /// No game reaches this row.
    Unreachable,
    /// It contradicts an earlier line.
    Contradicts {
        /// The earlier line.
        earlier: usize,
    },
    /// It repeats an earlier line.
    Repeats {
        /// The earlier line.
        earlier: usize,
    },
    /// The opponent cannot play this input.
    IllegalInput,
    /// The reply is illegal or missing.
    IllegalReply {
        /// The reply.
        reply: Option<String>,
    },
    /// The flag is wrong.
    UntrueFlag {
        /// The correct one.
        truth: &'static str,
    },
    /// It misses an immediate win.
    MissedWin {
        /// The winning cells.
        cells: Vec<String>,
    },
    /// It loses.
    Loses {
        /// The lost game.
        game: Vec<String>,
    },
}

/// A machine before and after minimization.
#[derive(Clone, Debug, Serialize)]
pub struct MinimizedTable {
    /// Size before.
    pub before: Size,
    /// Size after.
    pub after: Size,
    /// Whether rotated boards are identified.
    pub rotation: bool,
    /// The transitions of the minimal machine.
    pub transitions: Vec<Transition>,
}

/// The size of a machine.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Size {
    /// Number of states.
    pub states: usize,
    /// Number of transitions.
    pub transitions: usize,
}

/// A transition; states are numbered from 1.
#[derive(Clone, Debug, Serialize)]
pub struct Transition {
    /// The state before.
    pub state: usize,
    /// The opponent's move.
    pub input: String,
    /// The reply, if there is one.
    pub reply: Option<String>,
    /// The state after, unless the game is over.
    pub next: Option<usize>,
    /// Quarter turns of the board in this transition.
    pub turns: u32,
    /// The result: `win`, `draw`, `loss`, or `stuck` without a reply.
    pub end: Option<&'static str>,
    /// Whether the flag of the row is not true.
    #[serde(rename = "wrong_flag")]
    pub is_flag_wrong: bool,
}
