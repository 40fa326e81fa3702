//! Compliance with UGI: handshake, queries, `stop`, pondering.
//!
//! `isready` between two checks separates their answers.

use super::transcript::Transcript;
use super::{Compliance, satisfied_if};
use crate::process::ProcessError;
use crate::ugi::Reply;

/// Reads the next reply that is not `info`.
fn reply(transcript: &mut Transcript<'_>) -> Result<Reply, ProcessError> {
    let is_info = |reply: &Reply| matches!(reply, Reply::Info(_));
    transcript.read(|line| Reply::parse(line).filter(|reply| !is_info(reply)))
}

/// Skips all replies up to `readyok`.
fn synchronise(transcript: &mut Transcript<'_>) {
    transcript.send("isready\n");
    while reply(transcript).is_ok_and(|reply| reply != Reply::Ready) {}
}

fn is_best_move(reply: &Reply) -> Compliance {
    satisfied_if(matches!(reply, Reply::BestMove { .. }))
}

pub(super) fn check(transcript: &mut Transcript<'_>) {
    let has_ponder = check_handshake(transcript);
    check_queries(transcript);
    transcript.check(
        "`isready` is answered during a search",
        "go infinite\nisready\n",
        reply,
        |reply| satisfied_if(*reply == Reply::Ready),
    );
    transcript.check(
        "`stop` is answered by `bestmove`",
        "stop\n",
        reply,
        is_best_move,
    );
    synchronise(transcript);
    check_ponder(transcript, has_ponder);
}

/// Returns whether the engine has the option `Ponder`.
fn check_handshake(transcript: &mut Transcript<'_>) -> bool {
    transcript.send("ugi\n");
    let (mut has_name, mut has_ponder) = (false, false);
    let handshake = loop {
        match reply(transcript) {
            Ok(Reply::Id { key, .. }) => has_name |= key == "name",
            Ok(Reply::Option { name, .. }) => has_ponder |= name == "Ponder",
            Ok(Reply::Ok) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    let observed = match &handshake {
        Ok(()) => "ugiok".into(),
        Err(error) => error.to_string(),
    };
    let compliance = satisfied_if(handshake.is_ok());
    let expectation = "`ugi` is answered by `ugiok`";
    transcript.record(expectation, "ugi", &observed, compliance);
    let (observed, compliance) = if has_name {
        ("`id name`", Compliance::Satisfied)
    } else {
        ("no `id name`", Compliance::Unsupported)
    };
    transcript.record("the engine reports its name", "ugi", observed, compliance);
    has_ponder
}

fn check_queries(transcript: &mut Transcript<'_>) {
    let response = |text: &str| Reply::Response(text.into());
    for (expectation, commands, expected) in [
        (
            "`isready` is answered by `readyok`",
            "isready",
            Reply::Ready,
        ),
        (
            "an unknown command is ignored",
            "papan_nonsense\nisready",
            Reply::Ready,
        ),
        (
            "`query gameover` is false at the start",
            "uginewgame\nposition startpos\nquery gameover",
            response("false"),
        ),
        (
            "`query p1turn` is true at the start",
            "query p1turn",
            response("true"),
        ),
        (
            "`query result` is none at the start",
            "query result",
            response("none"),
        ),
    ] {
        transcript.check(expectation, &format!("{commands}\n"), reply, |reply| {
            satisfied_if(*reply == expected)
        });
        synchronise(transcript);
    }
}

fn check_ponder(transcript: &mut Transcript<'_>, is_offered: bool) {
    let expectation = "`ponderhit` (optional) is answered by `bestmove`";
    if !is_offered {
        return transcript.record(
            expectation,
            "",
            "no option `Ponder`",
            Compliance::Unsupported,
        );
    }
    transcript.send("setoption name Ponder value true\nposition startpos\n");
    let commands = "go ponder movetime 50\nponderhit\n";
    transcript.check(expectation, commands, reply, is_best_move);
    synchronise(transcript);
}
