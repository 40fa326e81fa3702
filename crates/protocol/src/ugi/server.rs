//! UGI as the side that answers.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use papan_rules::{MAX_CELLS, Move, Outcome, Player, sanitize};
use papan_strategies::{Limits, StopToken};

use super::search_handler::{Listening, Until, line_of_play, worth};
use super::{Command, Go, NULL_MOVE, Query, Reply};
use crate::engine_session::EngineSession;
use crate::move_overhead::MoveOverhead;
use crate::session::{Inbox, Input, SearchResult};

/// Hardly a limit, but not the session's usual one either.
const ENDLESS: Duration = Duration::from_secs(1 << 32);

/// Answers commands until `quit` or the end of the input. Reads on while it
/// thinks, so that `stop` is heard.
///
/// # Errors
/// When the output fails.
pub fn serve(session: &mut EngineSession, input: Input, output: impl Write) -> io::Result<()> {
    let mut engine = UgiServer {
        session,
        output,
        inbox: Inbox::new(input),
        implied_passes: false,
        ponders: false,
        lines: 1,
        refused: false,
        delivery: MoveOverhead::by_wire(),
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

struct UgiServer<'a, W: Write> {
    session: &'a mut EngineSession,
    output: W,
    inbox: Inbox,
    /// Whether a pass that is forced goes without saying.
    implied_passes: bool,
    /// Whether to say which answer is expected, to think about it on the other's time.
    ponders: bool,
    /// How many moves it tells of, each with its line.
    lines: usize,
    /// Whether the last `position` was refused: a question about it has no answer.
    refused: bool,
    delivery: MoveOverhead,
}

impl<W: Write> UgiServer<'_, W> {
    fn say(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    /// The protocol has no errors; people read `info string`.
    fn complain(&mut self, what: &str) -> io::Result<()> {
        let what: String = sanitize(what).chars().take(200).collect();
        self.say(&Reply::Info(format!("string {what}")))
    }

    fn obey(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ugi => self.introduce(),
            Command::IsReady => self.say(&Reply::Ready),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.session.new_game();
                self.refused = false;
                Ok(())
            }
            Command::Position { start, moves } => self.set_position(start.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Query(query) => {
                let response = self.respond(query);
                self.say(&Reply::Response(response))
            }
            Command::Stop | Command::PonderHit | Command::Quit => Ok(()),
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
            self.session.strategy()
        );
        let game = format!("string default {}", self.session.game().name());
        let strategy = format!("string default {}", self.session.strategy());
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
            option("Ponder", "check default false".into()),
            option("MultiPV", format!("spin default 1 min 1 max {MAX_CELLS}")),
            Reply::Ok,
        ] {
            self.say(&reply)?;
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let set = match name {
            "Game" => match value.parse() {
                Ok(game) => self.session.turn_to(game).map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Strategy" => match value.parse() {
                Ok(strategy) => self.session.take_up(strategy).map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Level" => self.session.take_level(value),
            "Seed" => match value.parse() {
                Ok(seed) => {
                    self.session.set_seed(seed);
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
            "Ponder" => match value.parse() {
                Ok(ponders) => {
                    self.ponders = ponders;
                    Ok(())
                }
                Err(_) => Err(format!("`{value}` is neither true nor false")),
            },
            "MultiPV" => match value.parse() {
                Ok(lines) if (1..=MAX_CELLS).contains(&lines) => {
                    self.lines = lines;
                    Ok(())
                }
                _ => Err(format!("`{value}` is no number from 1 to {MAX_CELLS}")),
            },
            _ => Err(format!("there is no option `{name}`")),
        };
        set.or_else(|error| self.complain(&error))
    }

    fn set_position(&mut self, start: Option<&str>, moves: &[String]) -> io::Result<()> {
        self.refused = true;
        self.session.clear();
        if let Some(Err(error)) = start.map(|start| self.session.set_up(start)) {
            return self.complain(&error.to_string());
        }
        for word in moves {
            let word = if word == NULL_MOVE { "pass" } else { word };
            if let Err(error) = self.session.play(word) {
                return self.complain(&error.to_string());
            }
        }
        if self.implied_passes && self.session.line().legal_moves() == [Move::PASS] {
            // A forced pass is always legal.
            let _ = self.session.play("pass");
        }
        self.refused = false;
        Ok(())
    }

    fn respond(&self, query: Query) -> String {
        let line = self.session.line();
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
            return self.none();
        }
        let endless = Limits {
            time: Some(ENDLESS),
            ..Limits::default()
        };
        let mut asked = Instant::now();
        if go.ponder {
            let thought = self.think(&endless, asked, Until::Hit)?;
            match thought.hit {
                // Thought about again in its own time, with all that was learned.
                Some(hit) => asked = hit,
                None => return self.give(thought),
            }
        }
        let me = self.session.line().turn().index();
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            time: go.infinite.then_some(ENDLESS).or(go.time),
            clock: go.clocks[me].map(|left| (left, go.increments[me])),
            memory: None,
        };
        let until = match go.infinite {
            true => Until::Stop,
            false => Until::Done,
        };
        let thought = self.think(&limits, asked, until)?;
        self.delivery.note(&limits, asked.elapsed());
        self.give(thought)
    }

    /// Thinks about the position under limits that were given at this moment.
    fn think(&mut self, given: &Limits, asked: Instant, until: Until) -> io::Result<Thought> {
        let stop = StopToken::default();
        let board = self.session.board().clone();
        let mut listening = Listening::new(&stop, until, &mut self.output, &board);
        let (session, thinking) = (&mut *self.session, stop.clone());
        let (delivery, lines) = (self.delivery, self.lines);
        let work = move |listener| {
            let left = delivery.left(given, asked.elapsed());
            if lines > 1 {
                session.decide(&left, &thinking, Some(listener))
            } else {
                session.choose(&left, &thinking, Some(listener))
            }
        };
        let chosen = self.inbox.search(&stop, work, &mut listening)?;
        let (hit, pv) = (listening.hit(), listening.into_pv());
        Ok(Thought {
            chosen,
            asked,
            hit,
            pv,
        })
    }

    fn give(&mut self, thought: Thought) -> io::Result<()> {
        match thought.chosen {
            Ok(decision) => {
                let (mv, nodes) = (decision.best, decision.nodes);
                let time = thought.asked.elapsed().as_millis();
                let ranked = decision.ranked().into_iter().take(self.lines);
                for (place, (candidate, score)) in (1..).zip(ranked) {
                    let line = line_of_play(&candidate.pv, self.session.board());
                    let info = format!("multipv {place}{}{line}", worth(score));
                    self.say(&Reply::Info(info))?;
                }
                self.say(&Reply::Info(format!("nodes {nodes} time {time}")))?;
                let expected = match *thought.pv {
                    [first, next, ..] if first == mv && next != Move::PASS => Some(next),
                    _ => None,
                };
                let board = self.session.board();
                let best = Reply::BestMove {
                    word: board.own(mv).into(),
                    ponder: expected
                        .filter(|_| self.ponders)
                        .map(|mv| board.own(mv).into()),
                };
                self.say(&best)
            }
            Err(why) => {
                self.complain(&why.to_string())?;
                self.none()
            }
        }
    }

    /// There is no move.
    fn none(&mut self) -> io::Result<()> {
        self.say(&Reply::BestMove {
            word: "none".into(),
            ponder: None,
        })
    }
}

/// What came of thinking about a position.
struct Thought {
    /// What was decided.
    chosen: SearchResult,
    asked: Instant,
    /// When it was said that the expected move has been made.
    hit: Option<Instant>,
    /// The line of play that it told of last.
    pv: Vec<Move>,
}
