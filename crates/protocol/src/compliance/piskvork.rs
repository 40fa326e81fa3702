//! Compliance with the Gomocup protocol: board setup, moves, restart.
//!
//! `ABOUT` between two checks separates their answers.

use papan_catalog::AnyGame;

use super::transcript::Transcript;
use super::{Compliance, satisfied_if};
use crate::piskvork::{Cell, Command, Reply};
use crate::process::ProcessError;

const SETTINGS: &str = "INFO timeout_turn 500\r\nINFO timeout_match 0\r\n\
    INFO max_memory 367001600\r\nINFO rule 0\r\nINFO time_left 2147483647\r\n";

/// Reads the next reply that is not `MESSAGE` or `DEBUG`.
fn reply(transcript: &mut Transcript<'_>) -> Result<Reply, ProcessError> {
    let is_note = |reply: &Reply| matches!(reply, Reply::Note(_));
    transcript.read(|line| Reply::parse(line).filter(|reply| !is_note(reply)))
}

/// Skips all replies up to the answer to `ABOUT`.
fn synchronise(transcript: &mut Transcript<'_>) {
    transcript.send("ABOUT\r\n");
    while reply(transcript).is_ok_and(|reply| !matches!(reply, Reply::About(_))) {}
}

/// Reads a move and skips everything before it: an engine may report an error and still move.
fn next_move(transcript: &mut Transcript<'_>) -> Result<Reply, ProcessError> {
    let is_move = |reply: &Reply| matches!(reply, Reply::Move(_));
    transcript.read(|line| Reply::parse(line).filter(is_move))
}

pub(super) fn check(transcript: &mut Transcript<'_>, game: &AnyGame) {
    let sides = game.shape().sides();
    let rows = sides.first().copied().unwrap_or(15);
    let columns = sides.last().copied().unwrap_or(15);
    let start = if rows == columns {
        Command::Start(rows)
    } else {
        Command::RectStart(columns, rows)
    };
    transcript.check(
        "`ABOUT` is answered by a description",
        "ABOUT\r\n",
        reply,
        |reply| satisfied_if(matches!(reply, Reply::About(_))),
    );
    synchronise(transcript);
    let start_command = format!("{start}\r\n");
    transcript.check(
        &format!("`{start}` is answered by `OK`"),
        &start_command,
        reply,
        |reply| satisfied_if(*reply == Reply::Ok),
    );
    synchronise(transcript);
    transcript.check(
        "an unknown command is answered by `UNKNOWN` or `ERROR`",
        "PAPANNONSENSE\r\n",
        reply,
        |reply| satisfied_if(matches!(reply, Reply::Unknown(_) | Reply::Error(_))),
    );
    synchronise(transcript);
    transcript.send(SETTINGS);
    synchronise(transcript);
    let checks: [(&str, &str, &[Cell]); 3] = [
        (
            "`BEGIN` is answered by a move on the board",
            "BEGIN\r\n",
            &[],
        ),
        (
            "`TURN 2,2` is answered by another cell",
            "TURN 2,2\r\n",
            &[(2, 2)],
        ),
        (
            "`BOARD` … `DONE` is answered by an empty cell",
            "BOARD\r\n0,0,1\r\n1,1,2\r\n0,1,1\r\n2,1,2\r\nDONE\r\n",
            &[(0, 0), (1, 1), (0, 1), (2, 1)],
        ),
    ];
    for (number, (expectation, commands, occupied)) in checks.into_iter().enumerate() {
        if number > 0 {
            check_restart(transcript, &start_command);
        }
        transcript.check(expectation, commands, next_move, |reply| {
            satisfied_if(matches!(reply, Reply::Move(cell)
                if cell.0 < columns && cell.1 < rows && !occupied.contains(cell)))
        });
        synchronise(transcript);
    }
}

/// Begins a new game, with a new process if the engine does not support `RESTART`.
fn check_restart(transcript: &mut Transcript<'_>, start_command: &str) {
    let expectation = "`RESTART` (optional) is answered by `OK`";
    let answer = transcript.check(expectation, "RESTART\r\n", reply, |reply| match reply {
        Reply::Ok => Compliance::Satisfied,
        Reply::Unknown(_) | Reply::Error(_) => Compliance::Unsupported,
        _ => Compliance::Violated,
    });
    if answer != Some(Reply::Ok) {
        transcript.restart();
        transcript.send(start_command);
    }
    transcript.send(SETTINGS);
    synchronise(transcript);
}
