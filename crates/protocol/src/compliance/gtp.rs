//! Compliance with GTP version 2: required commands, numbering, comments, errors.
//!
//! Answers are matched by their number, so that a surplus answer to one command is not taken
//! for the answer to the next.

use super::transcript::Transcript;
use super::{Compliance, satisfied_if};
use crate::gtp::Response;
use crate::process::{MAX_LINE, ProcessError};

/// The commands of the specification's section "required commands" that every game needs.
const REQUIRED: [&str; 7] = [
    "name",
    "play",
    "genmove",
    "clear_board",
    "boardsize",
    "known_command",
    "quit",
];
const OPTIONAL: [&str; 3] = ["time_settings 0 10 1", "time_left black 10 1", "undo"];
/// A comment and an empty line, neither of which may be answered.
const COMMENT: &str = "# hello\n\n";

struct Check {
    expectation: &'static str,
    command: &'static str,
    is_satisfied: fn(&Response) -> bool,
}

const fn check_of(
    expectation: &'static str,
    command: &'static str,
    is_satisfied: fn(&Response) -> bool,
) -> Check {
    Check {
        expectation,
        command,
        is_satisfied,
    }
}

const CHECKS: [Check; 10] = [
    check_of("`protocol_version` is 2", "protocol_version", |r| {
        r.text.as_deref() == Ok("2")
    }),
    check_of("`name` is answered with its number", "name", |r| {
        r.id.is_some() && r.text.is_ok()
    }),
    check_of("`version` is answered", "version", |r| r.text.is_ok()),
    check_of(
        "a comment and an empty line are ignored",
        "name # hello",
        |r| r.text.is_ok(),
    ),
    check_of(
        "`list_commands` lists the required commands",
        "list_commands",
        |r| {
            let text = r.text.clone().unwrap_or_default();
            let listed: Vec<&str> = text.split_whitespace().collect();
            REQUIRED.iter().all(|command| listed.contains(command))
        },
    ),
    check_of(
        "`known_command` is false for an unknown command",
        "known_command papan_nonsense",
        |r| r.text.as_deref() == Ok("false"),
    ),
    check_of("an unknown command is an error", "papan_nonsense", |r| {
        r.text.is_err()
    }),
    check_of("`clear_board` succeeds", "clear_board", |r| r.text.is_ok()),
    check_of("a move off the board is an error", "play black z99", |r| {
        r.text.is_err()
    }),
    check_of("an unknown colour is an error", "play green a1", |r| {
        r.text.is_err()
    }),
];

/// Reads the next answer: all lines up to an empty one.
fn next_response(transcript: &mut Transcript<'_>) -> Result<Response, ProcessError> {
    loop {
        let is_answer = |line: &str| line.starts_with(['=', '?']).then(|| line.to_owned());
        let mut lines = transcript.read(is_answer)?;
        loop {
            let line = transcript.read(|line| Some(line.to_owned()))?;
            if line.trim().is_empty() || lines.len() > MAX_LINE {
                break;
            }
            lines = lines + "\n" + &line;
        }
        if let Some(response) = Response::parse(&lines) {
            return Ok(response);
        }
    }
}

/// Reads the answer with this number. If the engine repeats numbers, answers without one are
/// skipped.
fn response(
    transcript: &mut Transcript<'_>,
    id: u32,
    repeats_ids: bool,
) -> Result<Response, ProcessError> {
    loop {
        let mut response = next_response(transcript)?;
        let has_id_in_text = response.take_id(id);
        let matches = match response.id {
            Some(other) => other == id,
            None => has_id_in_text || !repeats_ids,
        };
        if matches {
            return Ok(response);
        }
    }
}

pub(super) fn check(transcript: &mut Transcript<'_>) {
    let mut listed = String::new();
    let mut repeats_ids = false;
    for (id, check) in (1..).zip(CHECKS) {
        let Check {
            expectation,
            command,
            is_satisfied,
        } = check;
        let has_comment = command.contains('#');
        let prefix = if has_comment { COMMENT } else { "" };
        let answer = transcript.check(
            expectation,
            &format!("{prefix}{id} {command}\n"),
            |transcript| {
                if has_comment {
                    next_response(transcript)
                } else {
                    response(transcript, id, repeats_ids)
                }
            },
            |r| satisfied_if(is_satisfied(r) && (r.id.is_some() || !(has_comment && repeats_ids))),
        );
        repeats_ids |= answer.as_ref().is_some_and(|r| r.id.is_some());
        if command == "list_commands" {
            listed = answer.and_then(|r| r.text.ok()).unwrap_or_default();
        }
    }
    for (id, command) in (101..).zip(OPTIONAL) {
        let name = command.split(' ').next().unwrap_or(command);
        let expectation = format!("`{name}` (optional) is answered");
        if listed.split_whitespace().any(|listed| listed == name) {
            // With no move to undo, an error is correct.
            let may_fail = name == "undo";
            transcript.check(
                &expectation,
                &format!("{id} {command}\n"),
                |transcript| response(transcript, id, repeats_ids),
                |r| satisfied_if(may_fail || r.text.is_ok()),
            );
        } else {
            transcript.record(&expectation, "", "not listed", Compliance::Unsupported);
        }
    }
}
