//! What is said to an engine of each protocol, and what it should answer.

use papan_catalog::AnyGame;

use super::talk::Talk;
use crate::process::ProcessFault;
use crate::protocol::{gtp, piskvork, ugi};

/// Reads one GTP answer: everything up to an empty line.
fn gtp_answer(talk: &mut Talk) -> Result<gtp::Response, ProcessFault> {
    let is_answer = |line: &str| line.starts_with(['=', '?']).then(|| line.to_owned());
    let mut lines = talk.hear(is_answer)?;
    loop {
        let line = talk.hear(|line| Some(line.to_owned()))?;
        if line.trim().is_empty() || lines.len() > crate::process::LONGEST_LINE {
            return gtp::Response::parse(&lines).ok_or(ProcessFault::Silent);
        }
        lines = lines + "\n" + &line;
    }
}

pub(super) fn gtp(talk: &mut Talk) {
    type Right = fn(&gtp::Response) -> bool;
    const REQUIRED: [&str; 7] = [
        "name",
        "play",
        "genmove",
        "clear_board",
        "boardsize",
        "known_command",
        "quit",
    ];
    let is_error: Right = |r| r.text.is_err();
    let is_done: Right = |r| r.text.is_ok();
    let trials: [(&str, &str, Right); 10] = [
        ("`protocol_version` is 2", "protocol_version", |r| {
            r.text == Ok("2".into())
        }),
        ("`7 name` repeats its number", "7 name", |r| {
            r.id == Some(7) && r.text.is_ok()
        }),
        ("`version` is answered", "version", is_done),
        (
            "a comment and an empty line are skipped",
            "# hello\n\n8 name",
            |r| r.id == Some(8),
        ),
        (
            "`list_commands` has what every engine must have",
            "list_commands",
            |r| {
                let text = r.text.clone().unwrap_or_default();
                let listed: Vec<&str> = text.split_whitespace().collect();
                REQUIRED.iter().all(|command| listed.contains(command))
            },
        ),
        (
            "`known_command` knows no nonsense",
            "known_command papan_nonsense",
            |r| r.text == Ok("false".into()),
        ),
        ("an unknown command is an error", "papan_nonsense", is_error),
        ("`clear_board` is obeyed", "clear_board", is_done),
        (
            "a move off the board is refused",
            "play black z99",
            is_error,
        ),
        (
            "a colour that is none is refused",
            "play green a1",
            is_error,
        ),
    ];
    for (what, say, right) in trials {
        talk.ask(what, &format!("{say}\n"), gtp_answer, right);
    }
}

/// Reads what is neither empty words nor thinking aloud.
fn ugi_answer(talk: &mut Talk) -> Result<ugi::Reply, ProcessFault> {
    let is_info = |reply: &ugi::Reply| matches!(reply, ugi::Reply::Info(_));
    talk.hear(|line| ugi::Reply::parse(line).filter(|reply| !is_info(reply)))
}

pub(super) fn ugi(talk: &mut Talk) {
    talk.send("ugi\n");
    let mut named = false;
    let introduced = loop {
        match ugi_answer(talk) {
            Ok(ugi::Reply::Id { key, .. }) => named |= key == "name",
            Ok(ugi::Reply::Ok) => break Ok(()),
            Ok(_) => {}
            Err(fault) => break Err(fault),
        }
    };
    let did = match &introduced {
        Ok(()) => "ugiok".into(),
        Err(fault) => fault.to_string(),
    };
    talk.note("`ugi` is answered by `ugiok`", &did, introduced.is_ok());
    let did = if named { "`id name`" } else { "no `id name`" };
    talk.note("it says its name", did, named);
    let (ready, response) = (ugi::Reply::Ready, |text: &str| {
        ugi::Reply::Response(text.into())
    });
    for (what, say, answer) in [
        ("`isready` is answered by `readyok`", "isready", &ready),
        (
            "an unknown word is skipped",
            "papan_nonsense\nisready",
            &ready,
        ),
        (
            "at the start the game is not over",
            "uginewgame\nposition startpos\nquery gameover",
            &response("false"),
        ),
        (
            "the first player has the first turn",
            "query p1turn",
            &response("true"),
        ),
        (
            "at the start there is no result",
            "query result",
            &response("none"),
        ),
        (
            "`isready` is answered while it thinks",
            "go infinite\nisready",
            &ready,
        ),
    ] {
        talk.ask(what, &format!("{say}\n"), ugi_answer, |r| r == answer);
    }
    talk.ask(
        "`stop` is answered by `bestmove`",
        "stop\n",
        ugi_answer,
        |reply| matches!(reply, ugi::Reply::BestMove(_)),
    );
}

/// Reads what is not meant for people.
fn piskvork_answer(talk: &mut Talk) -> Result<piskvork::Reply, ProcessFault> {
    let is_note = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::Note(_));
    talk.hear(|line| piskvork::Reply::parse(line).filter(|reply| !is_note(reply)))
}

pub(super) fn piskvork(talk: &mut Talk, game: &AnyGame) {
    use piskvork::Reply;
    let sides = game.shape().sides();
    let rows = sides.first().copied().unwrap_or(15);
    let columns = sides.last().copied().unwrap_or(15);
    let start = match rows == columns {
        true => piskvork::Command::Start(rows),
        false => piskvork::Command::RectStart(columns, rows),
    };
    let is_empty = |reply: &Reply, taken: &[piskvork::Cell]| match reply {
        Reply::Move(cell) => cell.0 < columns && cell.1 < rows && !taken.contains(cell),
        _ => false,
    };
    let started = format!("`{start}` is answered by `OK`");
    let settings = "INFO timeout_turn 500\nINFO timeout_match 0\nINFO max_memory 0\nINFO rule 0";
    let begin = format!("{settings}\nBEGIN");
    let stones = [(0, 0), (1, 1), (0, 1), (2, 1)];
    let position = "BOARD\n0,0,1\n1,1,2\n0,1,1\n2,1,2\nDONE";
    let mut ask = |what: &str, say: &str, right: &dyn Fn(&Reply) -> bool| {
        let lines = format!("{say}\n").replace('\n', "\r\n");
        talk.ask(what, &lines, piskvork_answer, right);
    };
    let is_ok = |reply: &Reply| *reply == Reply::Ok;
    ask("`ABOUT` says who it is", "ABOUT", &|reply| {
        matches!(reply, Reply::About(_))
    });
    ask(&started, &start.to_string(), &is_ok);
    ask(
        "an unknown command is answered by `UNKNOWN` or `ERROR`",
        "PAPANNONSENSE",
        &|reply| matches!(reply, Reply::Unknown(_) | Reply::Error(_)),
    );
    ask(
        "`BEGIN` is answered by a move on the board",
        &begin,
        &|reply| is_empty(reply, &[]),
    );
    ask("`RESTART` is answered by `OK`", "RESTART", &is_ok);
    ask(
        "`TURN 2,2` is answered by another cell",
        "TURN 2,2",
        &|reply| is_empty(reply, &[(2, 2)]),
    );
    ask("`RESTART` is obeyed again", "RESTART", &is_ok);
    ask(
        "`BOARD` … `DONE` is answered by an empty cell",
        position,
        &|reply| is_empty(reply, &stones),
    );
}
