//! Compliance with the NBoard protocol: `ping`, game setup, moves, hints.

use super::transcript::Transcript;
use super::{Compliance, satisfied_if};
use crate::nboard::Reply;
use crate::process::ProcessError;

/// A game after f5.
const GAME: &str = "set game (;GM[Othello]PB[a]PW[b]TY[8]\
    BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)";
/// White's legal moves after f5.
const REPLIES_TO_F5: [&str; 3] = ["D6", "F4", "F6"];
/// Black's legal moves after f5 d6.
const REPLIES_TO_D6: [&str; 5] = ["C3", "C4", "C5", "C6", "C7"];

/// Reads the next reply that is not `status`.
fn reply(transcript: &mut Transcript<'_>) -> Result<Reply, ProcessError> {
    let is_status = |reply: &Reply| matches!(reply, Reply::Status(_));
    transcript.read(|line| Reply::parse(line).filter(|reply| !is_status(reply)))
}

/// Skips all replies up to `pong` with this number.
fn pong(transcript: &mut Transcript<'_>, number: u64) -> Result<Reply, ProcessError> {
    loop {
        let reply = reply(transcript)?;
        if reply == Reply::Pong(number) {
            return Ok(reply);
        }
    }
}

/// Skips all replies up to a move.
fn next_move(transcript: &mut Transcript<'_>) -> Result<Reply, ProcessError> {
    loop {
        if let reply @ Reply::Move { .. } = reply(transcript)? {
            return Ok(reply);
        }
    }
}

fn is_one_of(reply: &Reply, legal: &[&str]) -> Compliance {
    let is_legal = |word: &str| legal.contains(&word.to_uppercase().as_str());
    satisfied_if(matches!(reply, Reply::Move { word, .. } if is_legal(word)))
}

pub(super) fn check(transcript: &mut Transcript<'_>) {
    for (number, expectation, commands) in [
        (1, "`ping` is answered by `pong`", "nboard 2"),
        (2, "an unknown command is ignored", "papan_nonsense"),
        (
            3,
            "`set depth` and `set contempt` are accepted",
            "set depth 4\nset contempt 0",
        ),
        (4, "`set game` is accepted", GAME),
    ] {
        transcript.check(
            expectation,
            &format!("{commands}\nping {number}\n"),
            |transcript| pong(transcript, number),
            |_| Compliance::Satisfied,
        );
    }
    transcript.check(
        "`go` is answered by a legal move, which is not played",
        "go\n",
        next_move,
        |reply| is_one_of(reply, &REPLIES_TO_F5),
    );
    transcript.check(
        "`move` changes the side to move",
        "move D6\nping 5\ngo\n",
        |transcript| pong(transcript, 5).and_then(|_| next_move(transcript)),
        |reply| is_one_of(reply, &REPLIES_TO_D6),
    );
    for (number, expectation, command) in [
        (6, "`hint` ends before `pong`", "hint 2"),
        (7, "`learn` (optional) ends before `pong`", "learn"),
    ] {
        transcript.check(
            expectation,
            &format!("{command}\nping {number}\n"),
            |transcript| pong(transcript, number),
            |_| Compliance::Satisfied,
        );
    }
}
