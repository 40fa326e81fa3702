//! GTP as the side that asks.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use papan_rules::{Move, Player};
use papan_strategies::Limits;

use super::{Response, colour};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::process::LineProcess;
use crate::protocol::{Answer, Engine, EngineCommand, EngineError, READY, Request};
use crate::wire_board::{WireBoard, mover};

/// Bytes that an answer may have, over all its lines.
const LONGEST_ANSWER: usize = 1 << 18;

/// An engine that speaks GTP.
#[derive(Debug)]
pub struct Asking {
    process: LineProcess,
    board: WireBoard,
    name: String,
    known: HashSet<String>,
    /// How many moves of the game it has been told.
    told: usize,
}

impl Asking {
    /// Starts an engine for games on a board.
    ///
    /// # Errors
    /// When it does not start, does not answer, or does not play this game.
    pub fn start(command: &str, board: &WireBoard) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: LineProcess::start(command)?,
            board: board.clone(),
            name: command.into(),
            known: HashSet::new(),
            told: 0,
        };
        engine
            .get_ready()
            .map_err(|why| EngineCommand::unready(command, why))?;
        Ok(engine)
    }

    fn get_ready(&mut self) -> Result<(), Forfeit> {
        let commands = self.demand("list_commands")?;
        self.known = commands.split_whitespace().map(Into::into).collect();
        if let Ok(name) = self.ask("name")? {
            self.name = name;
        }
        if self.known.contains("set_game") {
            self.choose_game()?;
        }
        if let [side, other] = *self.board.sides()
            && side == other
            && self.known.contains("boardsize")
        {
            self.demand(&format!("boardsize {side}"))?;
        }
        self.demand("clear_board").map(drop)
    }

    /// By papan's name for the game, or else by the engine's name for its family,
    /// such as `Othello`.
    fn choose_game(&mut self) -> Result<(), Forfeit> {
        let ours = self.board.name().to_owned();
        if self.ask(&format!("set_game {ours}"))?.is_ok() {
            return Ok(());
        }
        let list = match self.known.contains("list_games") {
            true => self.ask("list_games")?.unwrap_or_default(),
            false => String::new(),
        };
        let family = ours.split(':').next().unwrap_or(&ours);
        let mut listed = list.lines().map(str::trim);
        let theirs = listed.find(|name| name.eq_ignore_ascii_case(family));
        let name = theirs.unwrap_or(family);
        self.demand(&format!("set_game {name}")).map(drop)
    }

    /// Sends a command and returns the text of the answer, or what was wrong.
    pub(crate) fn ask(&mut self, command: &str) -> Result<Result<String, String>, Forfeit> {
        let deadline = Instant::now() + READY;
        self.process.send(&format!("{command}\n"), deadline)?;
        self.response(deadline).map(|response| response.text)
    }

    fn demand(&mut self, command: &str) -> Result<String, Forfeit> {
        self.ask(command)?.map_err(|error| {
            Forfeit::new(
                ForfeitKind::Protocol,
                format!("`{command}` failed: {error}"),
            )
        })
    }

    /// Reads one answer. What stands before it is none of ours and skipped.
    fn response(&mut self, deadline: Instant) -> Result<Response, Forfeit> {
        let mut lines = self.process.line(deadline)?;
        while !lines.starts_with(['=', '?']) {
            lines = self.process.line(deadline)?;
        }
        loop {
            let line = self.process.line(deadline)?;
            if line.trim().is_empty() {
                break;
            }
            lines.push('\n');
            lines.push_str(&line);
            if lines.len() > LONGEST_ANSWER {
                return Err(Forfeit::new(ForfeitKind::Protocol, "an endless answer"));
            }
        }
        Response::parse(&lines)
            .ok_or_else(|| Forfeit::new(ForfeitKind::Protocol, format!("`{lines}`")))
    }

    fn limits_command(&self, limits: &Limits) -> Option<String> {
        if self.known.contains("papan-limits") {
            let mut words = vec![String::from("papan-limits")];
            words.extend(limits.depth.map(|depth| format!("depth {depth}")));
            words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
            words.extend(limits.time.map(|time| format!("time {}", time.as_millis())));
            return Some(words.join(" "));
        }
        if !self.known.contains("time_settings") {
            return None;
        }
        match (limits.clock, limits.time) {
            (Some((left, _)), _) => Some(format!("time_settings {} 0 0", seconds(left))),
            (None, Some(time)) => Some(format!("time_settings 0 {} 1", seconds(time))),
            (None, None) => None,
        }
    }
}

/// Whole seconds, as GTP wants them; an engine told 0 would have no time at all.
fn seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}

impl Engine for Asking {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        self.told = 0;
        self.demand("clear_board")?;
        if let Some(command) = self.limits_command(limits) {
            self.demand(&command)?;
        }
        Ok(())
    }

    fn choose(&mut self, request: &Request<'_>) -> Result<Answer, Forfeit> {
        // All in one breath: the moves since the last time, the clocks, the question.
        let mut text = String::new();
        let news = &request.moves[self.told..];
        for (ply, &mv) in (self.told..).zip(news) {
            let vertex = self.board.vertex(mv);
            text += &format!("play {} {vertex}\n", colour(mover(ply)));
        }
        let me = mover(request.moves.len());
        let clocks = match request.limits.clock {
            Some(mine) if self.known.contains("time_left") => {
                let other = request.other_clock.unwrap_or(mine);
                let line = |player: Player, (left, _): (Duration, Duration)| {
                    format!("time_left {} {} 0\n", colour(player), seconds(left))
                };
                text += &line(me, mine);
                text += &line(me.other(), other);
                2
            }
            _ => 0,
        };
        text += &format!("genmove {}\n", colour(me));
        self.process.send(&text, request.deadline)?;
        for &mv in news {
            // Passes are forced, and some programs make them by themselves.
            if let Err(error) = self.response(request.deadline)?.text
                && mv != Move::PASS
            {
                let vertex = self.board.vertex(mv);
                let why = format!("it refuses `{vertex}`, which is legal: {error}");
                return Err(Forfeit::new(ForfeitKind::Protocol, why));
            }
        }
        for _ in 0..clocks {
            self.response(request.deadline)?;
        }
        let word = self
            .response(request.deadline)?
            .text
            .map_err(|error| Forfeit::new(ForfeitKind::NoMove, error))?;
        if word.eq_ignore_ascii_case("resign") {
            return Err(Forfeit::new(ForfeitKind::Resigned, ""));
        }
        let mv = self.board.read(&word).ok_or_else(|| {
            Forfeit::new(
                ForfeitKind::Illegal,
                format!("`{word}` is no move of this board"),
            )
        })?;
        // It has played its own move on its own board.
        self.told = request.moves.len() + 1;
        Ok(Answer { mv, nodes: None })
    }
}
