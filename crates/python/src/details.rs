//! What a game file says about a game besides its start, its moves and the players.

use papan_rules::{Comment, Outcome, Player, Record, RecordResult, SwapOpening};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::errors::value_error;

/// The details of a game: `Board.details` in Python.
#[derive(Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Details {
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    /// `first`, `second` or `draw`, where the file states it and not the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// Why it ended: `time`, `resigned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// Milliseconds for each move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    variations: Vec<String>,
    /// The moves that lead to a position, and the comment on it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<(String, String)>,
}

impl Details {
    /// Takes the details from a record.
    pub(crate) fn of(record: Record) -> Self {
        let comments = record.comments.into_iter();
        let is_stated = record.reason.is_some();
        Self {
            date: record.date,
            event: record.event,
            clock: record.clock,
            opening: record.opening.map(|opening| opening.to_string()),
            result: is_stated.then(|| record.result.to_string()),
            reason: record.reason,
            times: record.times,
            variations: record.variations,
            comments: comments.map(|said| (said.moves, said.text)).collect(),
        }
    }

    /// Returns them as JSON; `None` if there are none.
    pub(crate) fn json(&self) -> Option<String> {
        (*self != Self::default())
            .then(|| serde_json::to_string(self).expect("plain data becomes JSON"))
    }

    /// Reads the dictionary of a board.
    pub(crate) fn read(details: &Bound<'_, PyAny>) -> PyResult<Self> {
        let json = details.py().import("json")?;
        let text: String = json.call_method1("dumps", (details,))?.extract()?;
        serde_json::from_str(&text).map_err(|error| value_error(format!("Board.details: {error}")))
    }

    /// Adds them to the record of a game with this number of moves.
    pub(crate) fn add_to(self, mut record: Record, plies: usize) -> PyResult<Record> {
        if let Some(result) = self.result {
            let stated = match &*result {
                "first" => RecordResult::Finished(Outcome::Win(Player::First)),
                "second" => RecordResult::Finished(Outcome::Win(Player::Second)),
                "draw" => RecordResult::Finished(Outcome::Draw),
                _ => {
                    return Err(value_error(format!(
                        "Board.details: a result is \"first\", \"second\" or \"draw\", not {result:?}"
                    )));
                }
            };
            // The rules have the last word.
            if record.result == RecordResult::Unfinished && self.reason.is_some() {
                record.result = stated;
                record.reason = self.reason;
            }
        }
        let opening = self.opening.map(|text| text.parse::<SwapOpening>());
        let opening = opening.transpose().map_err(value_error)?;
        record.opening = opening.filter(|opening| opening.check(plies).is_ok());
        record.date = self.date;
        record.event = self.event;
        record.clock = self.clock;
        record.times = self.times;
        record.times.truncate(plies);
        record.variations = self.variations;
        let comments = self.comments.into_iter();
        record.comments = comments
            .map(|(moves, text)| Comment { moves, text })
            .collect();
        Ok(record)
    }
}
