//! Trace of the automaton of document 000: the scan of its transition table, row after row.

use papan_rules::Game;
use papan_strategies::{Candidate, NoMove, Row, Strategy, TransitionTable, Turn, Value};

use super::scoring::{scored, step_at};
use super::{Listing, Trace, TraceEvent, TraceStep};

/// Lines of the pseudo-code, as the view shows them.
mod code {
    pub(super) const KEY: u8 = 1;
    pub(super) const COMPARE: u8 = 3;
    pub(super) const REPLY: u8 = 4;
    pub(super) const MISSING: u8 = 5;
}

/// Traces an automaton: the key, each row that is compared with it, the reply, or that no row is equal.
/// Rows of another board are one step for each board. After `most` steps the run is cut short.
///
/// # Errors
/// When the table has no opening move, a position without its moves has no row, or the reply is illegal.
pub fn trace_table<G: Game>(
    strategy: &mut dyn Strategy<G>,
    turn: Turn<'_, G>,
    table: &TransitionTable,
    most: usize,
) -> Result<Trace, NoMove> {
    let decision = match strategy.decide(turn) {
        Ok(decision) => decision,
        Err(NoMove::NoRow(key)) if is_key(&key) => {
            let mut steps = scan(table, &key);
            steps.push(step(code::MISSING, TraceEvent::NoReply { key }));
            return Ok(limited(steps, most));
        }
        Err(error) => return Err(error),
    };
    let chosen = decision.chosen();
    let found = chosen.and_then(row_text).and_then(|text| {
        let mut rows = table.rows().iter().map(|(_, row)| row);
        rows.find(|row| row.to_string() == text)
    });
    let (Some(chosen), Some(found)) = (chosen, found) else {
        // The first move of the game: nothing was put in, and no row is looked up.
        return Ok(scored(&decision, Listing::Automaton));
    };
    let mut steps = scan(table, &key(found));
    let reply = TraceEvent::Score {
        candidate: chosen.clone(),
        best: true,
    };
    steps.push(step(code::REPLY, reply));
    let choose = TraceEvent::Choose { mv: decision.best };
    steps.push(step(Listing::Automaton.lines(), choose));
    Ok(limited(steps, most))
}

fn step(code: u8, event: TraceEvent) -> TraceStep {
    step_at(code, Vec::new(), true, event)
}

/// Compares the rows with a key, first to last, up to the first equal one.
fn scan(table: &TransitionTable, wanted: &str) -> Vec<TraceStep> {
    let rows: Vec<&Row> = table.rows().iter().map(|(_, row)| row).collect();
    let is_wanted_board = |row: &Row| key(row)[..BOARD] == wanted[..BOARD];
    let key_step = TraceEvent::Key {
        key: wanted.to_owned(),
    };
    let mut steps = vec![step(code::KEY, key_step)];
    let mut rest = &rows[..];
    while let Some(row) = rest.first() {
        let group = rest.iter().take_while(|other| other.board == row.board);
        let count = if is_wanted_board(row) {
            1
        } else {
            group.count()
        };
        let difference = difference(&key(row), wanted);
        let compare = TraceEvent::Compare {
            key: wanted.to_owned(),
            state: table.state_name(&row.board).map(str::to_owned),
            row: row.to_string(),
            rows: count,
            difference,
        };
        steps.push(step(code::COMPARE, compare));
        if difference.is_none() {
            break;
        }
        rest = &rest[count..];
    }
    steps
}

fn limited(mut steps: Vec<TraceStep>, most: usize) -> Trace {
    let is_cut_short = steps.len() > most;
    steps.truncate(most);
    Trace {
        steps,
        is_cut_short,
    }
}

fn row_text(candidate: &Candidate) -> Option<&str> {
    let row = candidate.terms.iter().find(|term| term.name == "row")?;
    match &row.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Cells of the board, the first part of a key.
const BOARD: usize = 9;

/// Returns whether a text is a key, and not a position without its last input.
fn is_key(text: &str) -> bool {
    text.is_ascii() && text.as_bytes().get(BOARD) == Some(&b'|')
}

/// Returns the part of a row that is compared: the board and the input, characters 1 to 11 after
/// the flag.
fn key(row: &Row) -> String {
    row.to_string().chars().skip(1).take(11).collect()
}

/// Returns the first character in which two keys differ, from 1.
fn difference(mine: &str, wanted: &str) -> Option<usize> {
    let at = mine.chars().zip(wanted.chars()).position(|(a, b)| a != b);
    at.map(|at| at + 1)
}
