//! UGI as the side that answers.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use papan_rules::{Move, Outcome, Player, printable};
use papan_strategies::{Bound, Limits, NoMove, Progress, StopToken};

use super::{Command, Go, Query, Reply};
use crate::protocol::attention::{Attention, Inbox, Later};
use crate::responder::Responder;
use crate::wire_board::WireBoard;

/// Answers commands until `quit` or the end of the input. Reads on while it
/// thinks, so that `stop` is heard.
///
/// # Errors
/// When the output fails.
pub fn answer(
    responder: &mut Responder,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let mut engine = Answering {
        responder,
        output,
        inbox: Inbox::new(input),
        implied_passes: false,
        refused: false,
    };
    while let Some(line) = engine.inbox.next_line() {
        match Command::parse(&line) {
            Some(Command::Quit) => break,
            Some(command) => engine.obey(command)?,
            None if line.trim().is_empty() => {}
            None => engine.complain(&format!("not understood: {line}"))?,
        }
    }
    Ok(())
}

struct Answering<'a, W: Write> {
    responder: &'a mut Responder,
    output: W,
    inbox: Inbox<Result<(Move, u64), NoMove>>,
    /// Whether a pass that is forced goes without saying.
    implied_passes: bool,
    /// Whether the last `position` was refused: a question about it has no answer.
    refused: bool,
}

impl<W: Write> Answering<'_, W> {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    /// The protocol has no errors; people read `info string`.
    fn complain(&mut self, what: &str) -> io::Result<()> {
        let what: String = printable(what).chars().take(200).collect();
        self.say(&Reply::Info(format!("string {what}")))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.say(&Reply::Ready),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.responder.new_game();
                self.refused = false;
                Ok(())
            }
            Command::Position { start, moves } => self.set_position(start.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Query(query) => {
                let response = self.respond(query);
                self.say(&Reply::Response(response))
            }
            Command::Stop | Command::Quit => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let id = |key: &str, value: &str| Reply::Id {
            key: key.into(),
            value: value.into(),
        };
        let option = |name: &str, rest: String| Reply::Option {
            name: name.into(),
            rest,
        };
        let name = format!(
            "papan {} {}",
            env!("CARGO_PKG_VERSION"),
            self.responder.strategy()
        );
        let game = format!("string default {}", self.responder.game().name());
        let strategy = format!("string default {}", self.responder.strategy());
        let seed = format!("spin default 0 min 0 max {}", u64::MAX);
        for reply in [
            id("name", &name),
            id("author", "the papan developers"),
            option("Game", game),
            option("Strategy", strategy),
            option("Level", "spin default 10 min 0 max 10".into()),
            option("Seed", seed),
            option(
                "Passes",
                "combo default spoken var spoken var implied".into(),
            ),
            Reply::Ok,
        ] {
            self.say(&reply)?;
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let set = match name {
            "Game" => match value.parse() {
                Ok(game) => self.responder.turn_to(game).map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Strategy" => match value.parse() {
                Ok(strategy) => self.responder.take_up(strategy).map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Level" => self.responder.take_level(value),
            "Seed" => match value.parse() {
                Ok(seed) => {
                    self.responder.set_seed(seed);
                    Ok(())
                }
                Err(_) => Err(format!("`{value}` is not a seed")),
            },
            "Passes" => match value {
                "spoken" | "implied" => {
                    self.implied_passes = value == "implied";
                    Ok(())
                }
                _ => Err(format!("`{value}` is neither spoken nor implied")),
            },
            _ => Err(format!("there is no option `{name}`")),
        };
        set.or_else(|error| self.complain(&error))
    }

    fn set_position(&mut self, start: Option<&str>, moves: &[String]) -> io::Result<()> {
        self.refused = true;
        self.responder.clear();
        if let Some(Err(error)) = start.map(|start| self.responder.set_up(start)) {
            return self.complain(&error.to_string());
        }
        for word in moves {
            if let Err(error) = self.responder.play(word) {
                return self.complain(&error.to_string());
            }
        }
        if self.implied_passes && self.responder.line().legal_moves() == [Move::PASS] {
            // A forced pass is always legal.
            let _ = self.responder.play("pass");
        }
        self.refused = false;
        Ok(())
    }

    fn respond(&self, query: Query) -> String {
        let line = self.responder.line();
        match query {
            _ if self.refused => "none".into(),
            Query::GameOver => line.outcome().is_some().to_string(),
            Query::P1Turn => (line.turn() == Player::First).to_string(),
            Query::Result => match line.outcome() {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Player::First)) => "p1win",
                Some(Outcome::Win(Player::Second)) => "p2win",
            }
            .into(),
        }
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        if self.refused {
            self.complain("the position was refused")?;
            return self.say(&Reply::BestMove("none".into()));
        }
        let me = self.responder.line().turn().index();
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            // Hardly a limit, but not the responder's usual one either.
            time: go
                .infinite
                .then_some(Duration::from_secs(1 << 32))
                .or(go.time),
            clock: go.clocks[me].map(|left| (left, go.increments[me])),
            memory: None,
        };
        let stop = StopToken::default();
        let begun = Instant::now();
        let board = self.responder.board().clone();
        let mut listening = Listening {
            stop: &stop,
            may_answer: !go.infinite,
            output: &mut self.output,
            board: &board,
            begun,
        };
        let (responder, thinking) = (&mut *self.responder, stop.clone());
        let work = move |listener| responder.choose(&limits, &thinking, Some(listener));
        let chosen = self.inbox.while_thinking(&stop, work, &mut listening)?;
        match chosen {
            Some(Ok((mv, nodes))) => {
                let time = begun.elapsed().as_millis();
                self.say(&Reply::Info(format!("nodes {nodes} time {time}")))?;
                self.say(&Reply::BestMove(board.own(mv).into()))
            }
            Some(Err(why)) => {
                self.complain(&why.to_string())?;
                self.say(&Reply::BestMove("none".into()))
            }
            None => Ok(()),
        }
    }
}

/// What can be said to an engine that is thinking.
struct Listening<'a, W: Write> {
    stop: &'a StopToken,
    may_answer: bool,
    output: &'a mut W,
    board: &'a WireBoard,
    begun: Instant,
}

impl<W: Write> Listening<'_, W> {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }
}

impl<W: Write> Attention for Listening<'_, W> {
    fn told(&mut self, progress: &Progress) -> io::Result<()> {
        let info = describe(progress, self.board, self.begun);
        self.say(&info)
    }

    fn hear(&mut self, line: Option<String>, later: &mut Later) -> io::Result<()> {
        let command = line.as_deref().and_then(Command::parse);
        let in_order = later.is_empty();
        match command {
            Some(Command::IsReady) if in_order => return self.say(&Reply::Ready),
            Some(Command::Stop) if in_order || !self.may_answer => {
                self.stop.stop();
                self.may_answer = true;
                return Ok(());
            }
            Some(Command::Quit) if in_order => self.stop.stop(),
            _ => {}
        }
        // Whatever comes next, nobody will say `stop` in time for this move.
        if !self.may_answer && (line.is_none() || command == Some(Command::Quit)) {
            self.stop.stop();
            self.may_answer = true;
        }
        later.push_back(line);
        Ok(())
    }

    fn may_answer(&self) -> bool {
        self.may_answer
    }
}

fn describe(progress: &Progress, board: &WireBoard, begun: Instant) -> Reply {
    let mut info = format!(
        "depth {} nodes {} time {}",
        progress.depth,
        progress.nodes,
        begun.elapsed().as_millis()
    );
    info += &match progress.score {
        None => String::new(),
        Some(score) => match score.bound() {
            Bound::Exact => format!(" score proven {}", score.balance()),
            Bound::AtMost => format!(" score upperbound {}", score.balance()),
            Bound::AtLeast => format!(" score lowerbound {}", score.balance()),
            Bound::Estimate => format!(" score {}", score.balance()),
        },
    };
    if !progress.pv.is_empty() {
        info += " pv";
        for &mv in &progress.pv {
            info += " ";
            info += board.own(mv);
        }
    }
    Reply::Info(info)
}
