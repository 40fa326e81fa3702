//! UGI server: papan as an engine.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use papan_rules::{MAX_CELLS, Move, Outcome, Player, sanitize};
use papan_strategies::{Limits, StopToken};

use super::search_handler::{ReportWhen, SearchHandler, format_pv, format_score};
use super::{Command, Go, NULL_MOVE, Query, Reply};
use crate::engine_session::EngineSession;
use crate::move_overhead::MoveOverhead;
use crate::session::{Inbox, Input, SearchResult};

/// Time limit of `go infinite` and `go ponder`: without any, the session's default applies.
const UNLIMITED: Duration = Duration::from_secs(1 << 32);
/// Maximum length of an error message in characters.
const MAX_MESSAGE: usize = 200;

/// Answers commands until `quit` or the end of the input, also during a search.
///
/// # Errors
/// When writing fails.
pub fn serve(session: &mut EngineSession, input: Input, output: impl Write) -> io::Result<()> {
    let mut engine = UgiServer {
        session,
        output,
        inbox: Inbox::new(input),
        implied_passes: false,
        ponder: false,
        multi_pv: 1,
        position_rejected: false,
        overhead: MoveOverhead::over_pipe(),
    };
    while let Some(line) = engine.inbox.next_line() {
        match Command::parse(&line) {
            Some(Command::Quit) => break,
            Some(command) => engine.execute(command)?,
            None if line.trim().is_empty() => {}
            None => engine.send_error(&format!("unknown command: {line}"))?,
        }
    }
    Ok(())
}

struct UgiServer<'a, W: Write> {
    session: &'a mut EngineSession,
    output: W,
    inbox: Inbox,
    /// Whether forced passes are left out of `position` (option `Passes`).
    implied_passes: bool,
    /// Whether `bestmove` names a move to ponder on (option `Ponder`).
    ponder: bool,
    /// Number of principal variations to report (option `MultiPV`).
    multi_pv: usize,
    /// Whether the last `position` was invalid; `go` and `query` then have no answer.
    position_rejected: bool,
    overhead: MoveOverhead,
}

impl<W: Write> UgiServer<'_, W> {
    fn send(&mut self, reply: &Reply) -> io::Result<()> {
        writeln!(self.output, "{reply}")?;
        self.output.flush()
    }

    /// The protocol has no error reply, so errors are sent as `info string`.
    fn send_error(&mut self, message: &str) -> io::Result<()> {
        let text: String = sanitize(message).chars().take(MAX_MESSAGE).collect();
        self.send(&Reply::Info(format!("string {text}")))
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Ugi => self.send_identity(),
            Command::IsReady => self.send(&Reply::Ready),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::NewGame => {
                self.session.new_game();
                self.position_rejected = false;
                Ok(())
            }
            Command::Position { start, moves } => self.set_position(start.as_deref(), &moves),
            Command::Go(go) => self.go(&go),
            Command::Query(query) => {
                let response = self.answer_query(query);
                self.send(&Reply::Response(response))
            }
            Command::Stop | Command::PonderHit | Command::Quit => Ok(()),
        }
    }

    fn send_identity(&mut self) -> io::Result<()> {
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
            self.send(&reply)?;
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        let set = match name {
            "Game" => match value.parse() {
                Ok(game) => self.session.set_game(game).map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Strategy" => match value.parse() {
                Ok(strategy) => self
                    .session
                    .set_strategy(strategy)
                    .map_err(|e| e.to_string()),
                Err(error) => Err(format!("{error}")),
            },
            "Level" => self.session.set_level(value),
            "Seed" => match value.parse() {
                Ok(seed) => {
                    self.session.set_seed(seed);
                    Ok(())
                }
                Err(_) => Err(format!("`{value}` is not a 64-bit integer")),
            },
            "Passes" => match value {
                "spoken" | "implied" => {
                    self.implied_passes = value == "implied";
                    Ok(())
                }
                _ => Err(format!("`{value}` is neither spoken nor implied")),
            },
            "Ponder" => match value.parse() {
                Ok(ponder) => {
                    self.ponder = ponder;
                    Ok(())
                }
                Err(_) => Err(format!("`{value}` is neither true nor false")),
            },
            "MultiPV" => match value.parse() {
                Ok(count) if (1..=MAX_CELLS).contains(&count) => {
                    self.multi_pv = count;
                    Ok(())
                }
                _ => Err(format!("`{value}` is not a number from 1 to {MAX_CELLS}")),
            },
            _ => Err(format!("unknown option `{name}`")),
        };
        set.or_else(|error| self.send_error(&error))
    }

    fn set_position(&mut self, start: Option<&str>, moves: &[String]) -> io::Result<()> {
        self.position_rejected = true;
        self.session.clear();
        if let Some(Err(error)) = start.map(|start| self.session.set_position(start)) {
            return self.send_error(&error.to_string());
        }
        for word in moves {
            let word = if word == NULL_MOVE { "pass" } else { word };
            if let Err(error) = self.session.play(word) {
                return self.send_error(&error.to_string());
            }
        }
        if self.implied_passes && self.session.line().legal_moves() == [Move::PASS] {
            // Cannot fail: the pass is the only legal move.
            let _ = self.session.play("pass");
        }
        self.position_rejected = false;
        Ok(())
    }

    fn answer_query(&self, query: Query) -> String {
        let line = self.session.line();
        match query {
            _ if self.position_rejected => "none".into(),
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
        if self.position_rejected {
            self.send_error("the position was rejected")?;
            return self.send_no_move();
        }
        let mut start = Instant::now();
        if go.ponder {
            let limits = Limits {
                time: Some(UNLIMITED),
                ..Limits::default()
            };
            let outcome = self.search(&limits, start, ReportWhen::StoppedOrHit)?;
            match outcome.ponder_hit {
                // Searched again under its own limits, with a warm transposition table.
                Some(hit) => start = hit,
                None => return self.report(outcome),
            }
        }
        let me = self.session.line().turn().index();
        let limits = Limits {
            depth: go.depth,
            nodes: go.nodes,
            time: go.infinite.then_some(UNLIMITED).or(go.time),
            clock: go.clocks[me].map(|left| (left, go.increments[me])),
            memory: None,
        };
        let report_when = if go.infinite {
            ReportWhen::Stopped
        } else {
            ReportWhen::Done
        };
        let outcome = self.search(&limits, start, report_when)?;
        self.overhead.record(&limits, start.elapsed());
        self.report(outcome)
    }

    /// Searches under limits that were received at `start`.
    fn search(
        &mut self,
        limits: &Limits,
        start: Instant,
        report_when: ReportWhen,
    ) -> io::Result<SearchOutcome> {
        let stop = StopToken::default();
        let notation = self.session.notation().clone();
        let mut handler = SearchHandler::new(&stop, report_when, &mut self.output, &notation);
        let (session, token) = (&mut *self.session, stop.clone());
        let (overhead, multi_pv) = (self.overhead, self.multi_pv);
        let work = move |listener| {
            let search_limits = overhead.apply(limits, start.elapsed());
            if multi_pv > 1 {
                session.decide(&search_limits, &token, Some(listener))
            } else {
                session.choose(&search_limits, &token, Some(listener))
            }
        };
        let result = self.inbox.search(&stop, work, &mut handler)?;
        Ok(SearchOutcome {
            result,
            start,
            ponder_hit: handler.ponder_hit(),
            pv: handler.into_pv(),
        })
    }

    fn report(&mut self, outcome: SearchOutcome) -> io::Result<()> {
        match outcome.result {
            Ok(decision) => {
                let (mv, nodes) = (decision.best, decision.nodes);
                let time = outcome.start.elapsed().as_millis();
                let ranked = decision.ranked().into_iter().take(self.multi_pv);
                for (rank, (candidate, score)) in (1..).zip(ranked) {
                    let pv = format_pv(&candidate.pv, self.session.notation());
                    let info = format!("multipv {rank}{}{pv}", format_score(score));
                    self.send(&Reply::Info(info))?;
                }
                self.send(&Reply::Info(format!("nodes {nodes} time {time}")))?;
                let expected = match *outcome.pv {
                    [first, next, ..] if first == mv && next != Move::PASS => Some(next),
                    _ => None,
                };
                let notation = self.session.notation();
                let best = Reply::BestMove {
                    word: notation.own(mv).into(),
                    ponder: expected
                        .filter(|_| self.ponder)
                        .map(|mv| notation.own(mv).into()),
                };
                self.send(&best)
            }
            Err(why) => {
                self.send_error(&why.to_string())?;
                self.send_no_move()
            }
        }
    }

    fn send_no_move(&mut self) -> io::Result<()> {
        self.send(&Reply::BestMove {
            word: "none".into(),
            ponder: None,
        })
    }
}

struct SearchOutcome {
    result: SearchResult,
    start: Instant,
    /// When `ponderhit` was received.
    ponder_hit: Option<Instant>,
    /// The last principal variation reported by the search.
    pv: Vec<Move>,
}
