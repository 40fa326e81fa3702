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
}

/// Traces an automaton: the key, each row that is compared with it, the reply. Rows of another board
/// are one step for each board. After `most` steps the run is cut short.
///
/// # Errors
/// When the table has no reply.
pub fn trace_table<G: Game>(
    strategy: &mut dyn Strategy<G>,
    turn: Turn<'_, G>,
    table: &TransitionTable,
    most: usize,
) -> Result<Trace, NoMove> {
    let decision = strategy.decide(turn)?;
    let chosen = decision.chosen();
    let rows: Vec<&Row> = table.rows().iter().map(|(_, row)| row).collect();
    let found = chosen
        .and_then(row_text)
        .and_then(|text| rows.iter().position(|row| row.to_string() == text));
    let (Some(chosen), Some(found)) = (chosen, found) else {
        // The first move of the game: nothing was put in, and no row is looked up.
        return Ok(scored(&decision, Listing::Automaton));
    };
    let step = |code, event| step_at(code, Vec::new(), true, event);
    let wanted = rows[found];
    let key = key(wanted);
    let mut steps = vec![step(code::KEY, TraceEvent::Key { key: key.clone() })];
    let mut at = 0;
    while at <= found {
        let row = rows[at];
        let is_same_board = row.board == wanted.board;
        let group = rows[at..]
            .iter()
            .take_while(|other| other.board == row.board);
        let count = if is_same_board { 1 } else { group.count() };
        let compare = TraceEvent::Compare {
            key: key.clone(),
            state: table.state_name(&row.board).map(str::to_owned),
            row: row.to_string(),
            rows: count,
            difference: difference(row, wanted),
        };
        steps.push(step(code::COMPARE, compare));
        at += count;
    }
    let reply = TraceEvent::Score {
        candidate: chosen.clone(),
        best: true,
    };
    steps.push(step(code::REPLY, reply));
    let choose = TraceEvent::Choose { mv: decision.best };
    steps.push(step(Listing::Automaton.lines(), choose));
    Ok(limited(steps, most))
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

/// Returns the part of a row that is compared: the board and the input, characters 1 to 11 after
/// the flag.
fn key(row: &Row) -> String {
    row.to_string().chars().skip(1).take(11).collect()
}

fn difference(row: &Row, wanted: &Row) -> Option<usize> {
    let (mine, theirs) = (key(row), key(wanted));
    let at = mine.chars().zip(theirs.chars()).position(|(a, b)| a != b);
    at.map(|at| at + 1)
}
