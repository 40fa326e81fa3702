//! What is said to an engine of each protocol, and what it should answer.
//!
//! After an answer too many the next question must not get it: GTP's answers are
//! told apart by their numbers, and in the other two protocols a word that has to be
//! answered stands between two trials.

use papan_catalog::AnyGame;

use super::Compliance;
use super::transcript::Transcript;
use crate::process::ProcessError;
use crate::{gtp, nboard, piskvork, ugi};

fn kept_if(right: bool) -> Compliance {
    match right {
        true => Compliance::Kept,
        false => Compliance::Broken,
    }
}

/// Reads the next GTP answer: everything up to an empty line.
fn gtp_next(talk: &mut Transcript<'_>) -> Result<gtp::Response, ProcessError> {
    loop {
        let is_answer = |line: &str| line.starts_with(['=', '?']).then(|| line.to_owned());
        let mut lines = talk.hear(is_answer)?;
        loop {
            let line = talk.hear(|line| Some(line.to_owned()))?;
            if line.trim().is_empty() || lines.len() > crate::process::LONGEST_LINE {
                break;
            }
            lines = lines + "\n" + &line;
        }
        if let Some(response) = gtp::Response::parse(&lines) {
            return Ok(response);
        }
    }
}

/// Reads the GTP answer with this number. From an engine that repeats numbers, an answer
/// without one belongs to nothing that was asked.
fn gtp_answer(
    talk: &mut Transcript<'_>,
    id: u32,
    repeats_numbers: bool,
) -> Result<gtp::Response, ProcessError> {
    loop {
        let mut response = gtp_next(talk)?;
        let numbered_behind = response.take_number(id);
        let is_meant = match response.id {
            Some(said) => said == id,
            None => numbered_behind || !repeats_numbers,
        };
        if is_meant {
            return Ok(response);
        }
    }
}

pub(super) fn gtp(talk: &mut Transcript<'_>) {
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
    const COMMENTS: &str = "# hello\n\n";
    let trials: [(&str, &str, Right); 10] = [
        ("`protocol_version` is 2", "protocol_version", |r| {
            r.text == Ok("2".into())
        }),
        ("`name` is answered with its number", "name", |r| {
            r.id.is_some() && r.text.is_ok()
        }),
        ("`version` is answered", "version", is_done),
        (
            "a comment and an empty line are skipped",
            "name # hello",
            is_done,
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
    let mut listed = String::new();
    let mut repeats_numbers = false;
    for (id, (what, say, right)) in (1..).zip(trials) {
        let about_comments = say.contains('#');
        let before = if about_comments { COMMENTS } else { "" };
        let answer = talk.ask(
            what,
            &format!("{before}{id} {say}\n"),
            |talk| match about_comments {
                true => gtp_next(talk),
                false => gtp_answer(talk, id, repeats_numbers),
            },
            |r| kept_if(right(r) && (r.id.is_some() || !(about_comments && repeats_numbers))),
        );
        repeats_numbers |= answer.as_ref().is_some_and(|r| r.id.is_some());
        if say == "list_commands" {
            listed = answer.and_then(|r| r.text.ok()).unwrap_or_default();
        }
    }
    // Nobody has to have these; whoever says so has them.
    for (id, say) in (101..).zip(["time_settings 0 10 1", "time_left black 10 1", "undo"]) {
        let name = say.split(' ').next().unwrap_or(say);
        let what = format!("`{name}`, which is optional, is answered");
        if listed.split_whitespace().any(|command| command == name) {
            let line = format!("{id} {say}\n");
            // With nothing to undo, an error is as good an answer.
            let may_fail = name == "undo";
            talk.ask(
                &what,
                &line,
                |talk| gtp_answer(talk, id, repeats_numbers),
                |r| kept_if(may_fail || r.text.is_ok()),
            );
        } else {
            talk.note(&what, "", "not listed", Compliance::Absent);
        }
    }
}

/// Reads what is neither empty words nor thinking aloud.
fn ugi_answer(talk: &mut Transcript<'_>) -> Result<ugi::Reply, ProcessError> {
    let is_info = |reply: &ugi::Reply| matches!(reply, ugi::Reply::Info(_));
    talk.hear(|line| ugi::Reply::parse(line).filter(|reply| !is_info(reply)))
}

/// Hears everything until the engine is ready.
fn ugi_catch_up(talk: &mut Transcript<'_>) {
    talk.send("isready\n");
    while ugi_answer(talk).is_ok_and(|reply| reply != ugi::Reply::Ready) {}
}

pub(super) fn ugi(talk: &mut Transcript<'_>) {
    talk.send("ugi\n");
    let (mut named, mut ponders) = (false, false);
    let introduced = loop {
        match ugi_answer(talk) {
            Ok(ugi::Reply::Id { key, .. }) => named |= key == "name",
            Ok(ugi::Reply::Option { name, .. }) => ponders |= name == "Ponder",
            Ok(ugi::Reply::Ok) => break Ok(()),
            Ok(_) => {}
            Err(fault) => break Err(fault),
        }
    };
    let did = match &introduced {
        Ok(()) => "ugiok".into(),
        Err(fault) => fault.to_string(),
    };
    let keeping = kept_if(introduced.is_ok());
    talk.note("`ugi` is answered by `ugiok`", "ugi", &did, keeping);
    let (did, keeping) = match named {
        true => ("`id name`", Compliance::Kept),
        false => ("no `id name`", Compliance::Absent),
    };
    talk.note("it says its name", "ugi", did, keeping);
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
    ] {
        talk.ask(what, &format!("{say}\n"), ugi_answer, |r| {
            kept_if(r == answer)
        });
        ugi_catch_up(talk);
    }
    talk.ask(
        "`isready` is answered while it thinks",
        "go infinite\nisready\n",
        ugi_answer,
        |r| kept_if(*r == ready),
    );
    talk.ask(
        "`stop` is answered by `bestmove`",
        "stop\n",
        ugi_answer,
        |reply| kept_if(matches!(reply, ugi::Reply::BestMove { .. })),
    );
    ugi_catch_up(talk);
    ugi_pondering(talk, ponders);
}

/// Thinking on the other's time, which nobody has to offer.
fn ugi_pondering(talk: &mut Transcript<'_>, offered: bool) {
    let what = "`ponderhit`, which is optional, is answered by `bestmove`";
    if !offered {
        return talk.note(what, "", "no option `Ponder`", Compliance::Absent);
    }
    talk.send("setoption name Ponder value true\nposition startpos\n");
    let ponderhit = "go ponder movetime 50\nponderhit\n";
    talk.ask(what, ponderhit, ugi_answer, |reply| {
        kept_if(matches!(reply, ugi::Reply::BestMove { .. }))
    });
    ugi_catch_up(talk);
}

/// Reads what is not meant for people.
fn piskvork_answer(talk: &mut Transcript<'_>) -> Result<piskvork::Reply, ProcessError> {
    let is_note = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::Note(_));
    talk.hear(|line| piskvork::Reply::parse(line).filter(|reply| !is_note(reply)))
}

/// Hears everything until the brain answers who it is.
fn piskvork_catch_up(talk: &mut Transcript<'_>) {
    talk.send("ABOUT\r\n");
    let is_about = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::About(_));
    while piskvork_answer(talk).is_ok_and(|reply| !is_about(&reply)) {}
}

/// Reads a move; what a brain complains of before it is for the log.
fn piskvork_move(talk: &mut Transcript<'_>) -> Result<piskvork::Reply, ProcessError> {
    let is_move = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::Move(_));
    talk.hear(|line| piskvork::Reply::parse(line).filter(is_move))
}

pub(super) fn piskvork(talk: &mut Transcript<'_>, game: &AnyGame) {
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
    let start = format!("{start}\r\n");
    let is_ok = |reply: &Reply| kept_if(*reply == Reply::Ok);
    talk.ask(
        "`ABOUT` says who it is",
        "ABOUT\r\n",
        piskvork_answer,
        |r| kept_if(matches!(r, Reply::About(_))),
    );
    piskvork_catch_up(talk);
    talk.ask(&started, &start, piskvork_answer, is_ok);
    piskvork_catch_up(talk);
    talk.ask(
        "an unknown command is answered by `UNKNOWN` or `ERROR`",
        "PAPANNONSENSE\r\n",
        piskvork_answer,
        |reply| kept_if(matches!(reply, Reply::Unknown(_) | Reply::Error(_))),
    );
    piskvork_catch_up(talk);
    let settings = "INFO timeout_turn 500\r\nINFO timeout_match 0\r\nINFO max_memory 367001600\r\n\
                    INFO rule 0\r\nINFO time_left 2147483647\r\n";
    talk.send(settings);
    piskvork_catch_up(talk);
    let stones = [(0, 0), (1, 1), (0, 1), (2, 1)];
    let position = "BOARD\r\n0,0,1\r\n1,1,2\r\n0,1,1\r\n2,1,2\r\nDONE\r\n";
    let trials = [
        (
            "`BEGIN` is answered by a move on the board",
            "BEGIN\r\n",
            &[][..],
        ),
        (
            "`TURN 2,2` is answered by another cell",
            "TURN 2,2\r\n",
            &[(2, 2)],
        ),
        (
            "`BOARD` … `DONE` is answered by an empty cell",
            position,
            &stones,
        ),
    ];
    for (number, (what, say, taken)) in trials.into_iter().enumerate() {
        if number > 0 {
            let again = "`RESTART`, which is optional, is answered by `OK`";
            let reply = talk.ask(again, "RESTART\r\n", piskvork_answer, |reply| match reply {
                Reply::Ok => Compliance::Kept,
                Reply::Unknown(_) | Reply::Error(_) => Compliance::Absent,
                _ => Compliance::Broken,
            });
            if reply != Some(Reply::Ok) {
                // As the protocol has it: the brain ends, and another begins.
                talk.start_again();
                talk.send(&start);
            }
            talk.send(settings);
            piskvork_catch_up(talk);
        }
        talk.ask(what, say, piskvork_move, |reply| {
            kept_if(is_empty(reply, taken))
        });
        piskvork_catch_up(talk);
    }
}

/// Reads what is not meant for people.
fn nboard_answer(talk: &mut Transcript<'_>) -> Result<nboard::Reply, ProcessError> {
    let is_note = |reply: &nboard::Reply| matches!(reply, nboard::Reply::Status(_));
    talk.hear(|line| nboard::Reply::parse(line).filter(|reply| !is_note(reply)))
}

pub(super) fn nboard(talk: &mut Transcript<'_>) {
    use nboard::Reply;
    const GAME: &str = "set game (;GM[Othello]PB[a]PW[b]TY[8]\
        BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[f5];)";
    // Everything before an answer to `ping` belongs to what was said before it.
    let pong = |number: u64| {
        move |talk: &mut Transcript<'_>| {
            loop {
                match nboard_answer(talk)? {
                    Reply::Pong(said) if said != number => {}
                    reply @ Reply::Pong(_) => return Ok(reply),
                    _ => {}
                }
            }
        }
    };
    let chosen = |talk: &mut Transcript<'_>| loop {
        if let reply @ Reply::Move { .. } = nboard_answer(talk)? {
            return Ok(reply);
        }
    };
    for (number, what, say) in [
        (1, "`ping` is answered by `pong`", "nboard 2"),
        (2, "an unknown word is skipped", "papan_nonsense"),
        (
            3,
            "`set depth` and `set contempt` are no questions",
            "set depth 4\nset contempt 0",
        ),
        (4, "`set game` is read", GAME),
    ] {
        let say = format!("{say}\nping {number}\n");
        talk.ask(what, &say, pong(number), |_| Compliance::Kept);
    }
    talk.ask(
        "`go` is answered by a legal move, which is not made",
        "go\n",
        chosen,
        |reply| {
            let right = |word: &str| ["D6", "F4", "F6"].contains(&word.to_uppercase().as_str());
            kept_if(matches!(reply, Reply::Move { word, .. } if right(word)))
        },
    );
    talk.ask(
        "after `move` the other side is asked",
        "move D6\nping 5\ngo\n",
        |talk| pong(5)(talk).and_then(|_| chosen(talk)),
        |reply| {
            let right =
                |word: &str| ["C3", "C4", "C5", "C6", "C7"].contains(&word.to_uppercase().as_str());
            kept_if(matches!(reply, Reply::Move { word, .. } if right(word)))
        },
    );
    talk.ask(
        "`hint` ends before `pong`",
        "hint 2\nping 6\n",
        pong(6),
        |_| Compliance::Kept,
    );
    talk.ask(
        "`learn`, which is optional, ends",
        "learn\nping 7\n",
        pong(7),
        |_| Compliance::Kept,
    );
}
