//! UGI as the side that answers.

use std::collections::VecDeque;
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use papan_rules::{Move, Outcome, Player, printable};
use papan_strategies::{Bound, Limits, Listener, NoMove, Progress, StopToken};

use super::{Command, Go, Query, Reply};
use crate::protocol::lines::next_line;
use crate::responder::Responder;

/// What the engine waits for.
enum Event {
    /// A line came in; `None` at the end of the input.
    Line(Option<String>),
    /// The strategy thinks aloud.
    Info(Progress),
    /// The strategy is done.
    Done(Result<(Move, u64), NoMove>),
}

/// Answers commands until `quit` or the end of the input. Reads on while it
/// thinks, so that `stop` is heard.
///
/// # Errors
/// When the output fails.
pub fn answer(
    responder: &mut Responder,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = channel();
    let lines = sender.clone();
    // Left to itself when the engine leaves first: nothing can interrupt a read.
    std::thread::spawn(move || {
        loop {
            let line = next_line(&mut input).unwrap_or(None);
            let is_end = line.is_none();
            if lines.send(Event::Line(line)).is_err() || is_end {
                return;
            }
        }
    });
    let mut engine = Answering {
        responder,
        output,
        sender,
        events,
        later: VecDeque::new(),
        implied_passes: false,
        refused: false,
    };
    while let Some(line) = engine.next_line() {
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
    sender: Sender<Event>,
    events: Receiver<Event>,
    /// Lines that came while it was thinking.
    later: VecDeque<Option<String>>,
    /// Whether a pass that is forced goes without saying.
    implied_passes: bool,
    /// Whether the last `position` was refused: a question about it has no answer.
    refused: bool,
}

impl<W: Write> Answering<'_, W> {
    fn next_line(&mut self) -> Option<String> {
        if let Some(line) = self.later.pop_front() {
            return line;
        }
        loop {
            match self.events.recv() {
                Ok(Event::Line(line)) => return line,
                Ok(_) => {}
                Err(_) => return None,
            }
        }
    }

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
        };
        let stop = StopToken::default();
        let begun = Instant::now();
        let (told, done) = (self.sender.clone(), self.sender.clone());
        let listener: Listener = Arc::new(move |progress: &Progress| {
            // Nobody listens any more when the engine leaves.
            let _ = told.send(Event::Info(progress.clone()));
        });
        let board = self.responder.board().clone();
        let (responder, output) = (&mut *self.responder, &mut self.output);
        let (events, later) = (&self.events, &mut self.later);
        let chosen = std::thread::scope(|scope| -> io::Result<_> {
            let thinking = stop.clone();
            scope.spawn(move || {
                let chosen = responder.choose(&limits, &thinking, Some(listener));
                let _ = done.send(Event::Done(chosen));
            });
            let mut listening = Listening {
                stop: &stop,
                may_answer: !go.infinite,
                later,
            };
            let mut chosen = None;
            while chosen.is_none() || !listening.may_answer {
                let said = match events.recv() {
                    Ok(Event::Done(result)) => {
                        chosen = Some(result);
                        None
                    }
                    Ok(Event::Info(progress)) => Some(describe(&progress, &board, begun)),
                    Ok(Event::Line(line)) => listening.hear(line),
                    Err(_) => break,
                };
                if let Some(reply) = said
                    && let Err(error) = writeln!(output, "{reply}").and_then(|()| output.flush())
                {
                    // The scope waits for the strategy, and nobody else will stop it.
                    stop.stop();
                    return Err(error);
                }
            }
            Ok(chosen)
        })?;
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
struct Listening<'a> {
    stop: &'a StopToken,
    may_answer: bool,
    later: &'a mut VecDeque<Option<String>>,
}

impl Listening<'_> {
    /// Hears a line. What is not for now is kept for later, and so is everything
    /// after it: a script may say everything at once.
    fn hear(&mut self, line: Option<String>) -> Option<Reply> {
        let command = line.as_deref().and_then(Command::parse);
        let in_order = self.later.is_empty();
        match command {
            Some(Command::IsReady) if in_order => return Some(Reply::Ready),
            Some(Command::Stop) if in_order || !self.may_answer => {
                self.stop.stop();
                self.may_answer = true;
                return None;
            }
            Some(Command::Quit) if in_order => self.stop.stop(),
            _ => {}
        }
        // Whatever comes next, nobody will say `stop` in time for this move.
        if !self.may_answer && (line.is_none() || command == Some(Command::Quit)) {
            self.stop.stop();
            self.may_answer = true;
        }
        self.later.push_back(line);
        None
    }
}

fn describe(progress: &Progress, board: &crate::wire_board::WireBoard, begun: Instant) -> Reply {
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
