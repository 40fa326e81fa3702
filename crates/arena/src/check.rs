//! Does an engine keep to its protocol? What is tried, and what it does.

use std::time::{Duration, Instant};

use papan_catalog::AnyGame;
use papan_rules::Player;
use papan_store::{Memory, Results as _};
use papan_strategies::Limits;

use crate::entrant::{Entrant, EntrantKind};
use crate::finished::Finished;
use crate::process::{LineProcess, ProcessFault, StartError};
use crate::protocol::{EngineCommand, Protocol, gtp, piskvork, ugi};
use crate::run::{Settings, run};
use crate::tournament::{Format, Tournament};

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// What was said or done to the engine, and what it should do.
    pub what: String,
    /// What it did.
    pub did: String,
    /// Whether that is how it should be.
    pub kept: bool,
}

/// Tries an engine. `patience` is how long any answer may take.
///
/// # Errors
/// When it does not start at all.
pub fn check(
    command: &EngineCommand,
    game: &AnyGame,
    patience: Duration,
) -> Result<Vec<Trial>, StartError> {
    let mut talk = Talk {
        process: LineProcess::start(&command.command)?,
        patience,
        trials: Vec::new(),
    };
    match command.protocol {
        Protocol::Gtp => talk.gtp(),
        Protocol::Ugi => talk.ugi(),
        Protocol::Piskvork => talk.piskvork(game),
    }
    let Talk {
        process,
        mut trials,
        ..
    } = talk;
    trials.push(leaves(process, command.protocol, patience));
    trials.extend(whole_games(command, game, patience));
    Ok(trials)
}

/// A conversation in which everything is written down.
struct Talk {
    process: LineProcess,
    patience: Duration,
    trials: Vec<Trial>,
}

impl Talk {
    fn note(&mut self, what: &str, did: impl Into<String>, kept: bool) {
        let did: String = did.into();
        let did = did.replace('\n', " / ").chars().take(100).collect();
        let what = what.into();
        self.trials.push(Trial { what, did, kept });
    }

    fn send(&mut self, text: &str) {
        // An engine that does not read shows itself by not answering.
        let _ = self.process.send(text, Instant::now() + self.patience);
    }

    /// Reads lines until one is wanted.
    fn hear<T>(&mut self, wanted: impl Fn(&str) -> Option<T>) -> Result<T, ProcessFault> {
        let deadline = Instant::now() + self.patience;
        loop {
            let line = self.process.line(deadline)?;
            if let Some(found) = wanted(&line) {
                return Ok(found);
            }
        }
    }

    /// One GTP answer.
    fn gtp_answer(&mut self, text: &str) -> Result<gtp::Response, ProcessFault> {
        self.send(&format!("{text}\n"));
        let first = self.hear(|line| line.starts_with(['=', '?']).then(|| line.to_owned()))?;
        let mut lines = first;
        while let line = self.hear(|line| Some(line.to_owned()))?
            && !line.trim().is_empty()
        {
            lines = lines + "\n" + &line;
        }
        gtp::Response::parse(&lines).ok_or(ProcessFault::Silent)
    }

    fn gtp(&mut self) {
        let said =
            |talk: &mut Self, what: &str, text: &str, right: &dyn Fn(&gtp::Response) -> bool| {
                match talk.gtp_answer(text) {
                    Ok(response) => {
                        let kept = right(&response);
                        let shown = response.to_string();
                        talk.note(what, shown.trim_end(), kept);
                    }
                    Err(fault) => talk.note(what, fault.to_string(), false),
                }
            };
        said(self, "`protocol_version` is 2", "protocol_version", &|r| {
            r.text == Ok("2".into())
        });
        said(self, "`7 name` repeats its number", "7 name", &|r| {
            r.id == Some(7) && r.text.is_ok()
        });
        said(self, "`version` is answered", "version", &|r| {
            r.text.is_ok()
        });
        said(
            self,
            "a comment and an empty line are skipped",
            "# hello\n\n8 name",
            &|r| r.id == Some(8),
        );
        let required = [
            "name",
            "play",
            "genmove",
            "clear_board",
            "boardsize",
            "known_command",
            "quit",
        ];
        said(
            self,
            "`list_commands` has what every engine must have",
            "list_commands",
            &|r| {
                let listed: Vec<&str> = r
                    .text
                    .iter()
                    .flat_map(|text| text.split_whitespace())
                    .collect();
                required.iter().all(|command| listed.contains(command))
            },
        );
        said(
            self,
            "`known_command` knows no nonsense",
            "known_command papan_nonsense",
            &|r| r.text == Ok("false".into()),
        );
        said(
            self,
            "an unknown command is an error",
            "papan_nonsense",
            &|r| r.text.is_err(),
        );
        said(self, "`clear_board` is obeyed", "clear_board", &|r| {
            r.text.is_ok()
        });
        said(
            self,
            "a move off the board is refused",
            "play black z99",
            &|r| r.text.is_err(),
        );
        said(
            self,
            "a colour that is none is refused",
            "play green a1",
            &|r| r.text.is_err(),
        );
    }

    fn ugi(&mut self) {
        self.send("ugi\n");
        let mut named = false;
        let introduced = self.hear(|line| {
            ugi::Reply::parse(line)
                .filter(|reply| matches!(reply, ugi::Reply::Ok | ugi::Reply::Id { .. }))
        });
        let mut introduced = introduced;
        while let Ok(ugi::Reply::Id { key, .. }) = &introduced {
            named |= key == "name";
            introduced = self.hear(|line| {
                ugi::Reply::parse(line)
                    .filter(|reply| matches!(reply, ugi::Reply::Ok | ugi::Reply::Id { .. }))
            });
        }
        let did = introduced
            .as_ref()
            .map_or_else(ToString::to_string, ToString::to_string);
        self.note("`ugi` is answered by `ugiok`", did, introduced.is_ok());
        self.note(
            "it says its name",
            if named { "`id name`" } else { "no `id name`" },
            named,
        );
        let said =
            |talk: &mut Self, what: &str, text: &str, right: &dyn Fn(&ugi::Reply) -> bool| {
                talk.send(&format!("{text}\n"));
                let is_info = |reply: &ugi::Reply| matches!(reply, ugi::Reply::Info(_));
                match talk.hear(|line| ugi::Reply::parse(line).filter(|reply| !is_info(reply))) {
                    Ok(reply) => talk.note(what, reply.to_string(), right(&reply)),
                    Err(fault) => talk.note(what, fault.to_string(), false),
                }
            };
        let is_ready = |reply: &ugi::Reply| *reply == ugi::Reply::Ready;
        let responds = |text: &'static str| {
            move |reply: &ugi::Reply| *reply == ugi::Reply::Response(text.into())
        };
        said(
            self,
            "`isready` is answered by `readyok`",
            "isready",
            &is_ready,
        );
        said(
            self,
            "an unknown word is skipped",
            "papan_nonsense\nisready",
            &is_ready,
        );
        let start = "uginewgame\nposition startpos";
        let asked = format!("{start}\nquery gameover");
        said(
            self,
            "at the start the game is not over",
            &asked,
            &responds("false"),
        );
        said(
            self,
            "the first player has the first turn",
            "query p1turn",
            &responds("true"),
        );
        said(
            self,
            "at the start there is no result",
            "query result",
            &responds("none"),
        );
        said(
            self,
            "`isready` is answered while it thinks",
            "go infinite\nisready",
            &is_ready,
        );
        said(self, "`stop` is answered by `bestmove`", "stop", &|reply| {
            matches!(reply, ugi::Reply::BestMove(_))
        });
    }

    fn piskvork(&mut self, game: &AnyGame) {
        let sides = game.shape().sides();
        let (rows, columns) = (sides.first().copied(), sides.last().copied());
        let (rows, columns) = (rows.unwrap_or(15), columns.unwrap_or(15));
        let start = match rows == columns {
            true => piskvork::Command::Start(rows),
            false => piskvork::Command::RectStart(columns, rows),
        };
        let said =
            |talk: &mut Self, what: &str, text: &str, right: &dyn Fn(&piskvork::Reply) -> bool| {
                talk.send(&format!("{}\r\n", text.replace('\n', "\r\n")));
                let is_note = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::Note(_));
                match talk.hear(|line| piskvork::Reply::parse(line).filter(|reply| !is_note(reply)))
                {
                    Ok(reply) => talk.note(what, reply.to_string(), right(&reply)),
                    Err(fault) => talk.note(what, fault.to_string(), false),
                }
            };
        let is_ok = |reply: &piskvork::Reply| *reply == piskvork::Reply::Ok;
        let on_board = |reply: &piskvork::Reply| matches!(reply, piskvork::Reply::Move((x, y)) if *x < columns && *y < rows);
        said(self, "`ABOUT` says who it is", "ABOUT", &|reply| {
            matches!(reply, piskvork::Reply::About(_))
        });
        said(
            self,
            &format!("`{start}` is answered by `OK`"),
            &start.to_string(),
            &is_ok,
        );
        said(
            self,
            "an unknown command is answered by `UNKNOWN` or `ERROR`",
            "PAPANNONSENSE",
            &|reply| {
                matches!(
                    reply,
                    piskvork::Reply::Unknown(_) | piskvork::Reply::Error(_)
                )
            },
        );
        let settings =
            "INFO timeout_turn 500\nINFO timeout_match 0\nINFO max_memory 0\nINFO rule 0";
        let begin = format!("{settings}\nBEGIN");
        said(
            self,
            "`BEGIN` is answered by a move on the board",
            &begin,
            &on_board,
        );
        said(self, "`RESTART` is answered by `OK`", "RESTART", &is_ok);
        said(
            self,
            "`TURN 2,2` is answered by another cell",
            "TURN 2,2",
            &|reply| on_board(reply) && *reply != piskvork::Reply::Move((2, 2)),
        );
        said(self, "`RESTART` is obeyed again", "RESTART", &is_ok);
        let position = "BOARD\n0,0,1\n1,1,2\n0,1,1\n2,1,2\nDONE";
        said(
            self,
            "`BOARD` … `DONE` is answered by an empty cell",
            position,
            &|reply| {
                let taken = [(0, 0), (1, 1), (0, 1), (2, 1)];
                on_board(reply) && !taken.iter().any(|&at| *reply == piskvork::Reply::Move(at))
            },
        );
    }
}

/// Whether it leaves when it is told to.
fn leaves(mut process: LineProcess, protocol: Protocol, patience: Duration) -> Trial {
    let goodbye = match protocol {
        Protocol::Gtp | Protocol::Ugi => "quit\n",
        Protocol::Piskvork => "END\r\n",
    };
    let deadline = Instant::now() + patience;
    let sent = process.send(goodbye, deadline);
    let did = loop {
        match sent.clone().and_then(|()| process.line(deadline)) {
            Ok(_) => {}
            Err(fault) => break fault,
        }
    };
    Trial {
        what: format!("`{}` makes it leave", goodbye.trim()),
        kept: matches!(did, ProcessFault::Ended { .. }),
        did: did.to_string(),
    }
}

/// Plays a game from each seat against lots, by papan's rules.
fn whole_games(command: &EngineCommand, game: &AnyGame, patience: Duration) -> Vec<Trial> {
    let entrant = Entrant {
        kind: EntrantKind::Engine(command.clone()),
        limits: Limits::default(),
    };
    let lots: Entrant = "random".parse().expect("there is a strategy of that name");
    let tournament = Tournament {
        game: game.clone(),
        entrants: vec![entrant, lots],
        format: Format::RoundRobin,
        games: 2,
        openings: vec![Vec::new()],
        limits: Limits::default(),
        margin: Duration::ZERO,
        patience,
        seed: 1,
        timed: true,
    };
    let mut store = Memory::default();
    let settings = Settings {
        concurrency: 1,
        sprt: None,
        observer: &mut |_| {},
    };
    let what = |seat: &str| format!("a whole game of {} with the {seat} move", game.name());
    if let Err(error) = run(&tournament, &mut store, settings) {
        return vec![Trial {
            what: what("first"),
            did: error.to_string(),
            kept: false,
        }];
    }
    let mut trials = Vec::new();
    let replayed = store.replay(&mut |record| {
        let Ok(finished) = Finished::decode(record) else {
            return;
        };
        let seat = Player::BOTH[(finished.game % 2) as usize];
        let failed = finished.forfeit.is_some() && finished.outcome.value_for(seat) < 0;
        let slowest = finished.efforts[seat.index()];
        trials.push(Trial {
            what: what(if finished.game == 0 {
                "first"
            } else {
                "second"
            }),
            did: match finished.forfeit {
                Some(forfeit) if failed => forfeit.to_string(),
                _ => {
                    let time = slowest.time.as_secs_f64() * 1000.0 / slowest.moves.max(1) as f64;
                    format!("{} legal moves, {time:.1} ms each", slowest.moves)
                }
            },
            kept: !failed,
        });
    });
    replayed.expect("memory can be read");
    trials
}
