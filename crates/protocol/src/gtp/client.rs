//! GTP as the side that asks.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use papan_rules::{Move, Player};
use papan_strategies::Limits;

use super::{Response, colour};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::{ProtocolNotation, mover};
use crate::process::LineProcess;
use crate::time_control::AnnouncedTime;

/// Bytes that an answer may have, over all its lines.
const LONGEST_ANSWER: usize = 1 << 18;

/// An engine that speaks GTP.
#[derive(Debug)]
pub struct GtpClient {
    process: LineProcess,
    settings: EngineSettings,
    board: ProtocolNotation,
    name: String,
    known: HashSet<String>,
    /// How many moves of the game it has been told.
    told: usize,
    /// The number of the last command.
    id: u32,
    /// Whether commands are numbered.
    numbers: bool,
    /// The number of a command for a move that it still has to answer.
    owes_move: Option<u32>,
    /// Whether it repeats numbers, as it has to: only then can an answer that comes
    /// too late, or twice, be told from the one that is waited for.
    repeats_ids: bool,
}

impl GtpClient {
    /// Starts an engine for games on a board.
    ///
    /// # Errors
    /// When it does not start, does not answer, or does not play this game.
    pub fn start(command: &EngineCommand, board: &ProtocolNotation) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            board: board.clone(),
            name: command.command.clone(),
            known: HashSet::new(),
            told: 0,
            id: 0,
            numbers: true,
            owes_move: None,
            repeats_ids: false,
        };
        engine.get_ready().map_err(|why| command.unready(why))?;
        Ok(engine)
    }

    fn get_ready(&mut self) -> Result<(), Forfeit> {
        // Every engine has to take numbers, but not every one does.
        let listed = self.ask("list_commands")?;
        self.numbers = listed.is_ok_and(|list| list.contains("genmove"));
        let commands = self.demand("list_commands")?;
        self.known = commands.split_whitespace().map(Into::into).collect();
        if let Ok(name) = self.ask("name")? {
            self.name = name;
        }
        if let Ok(version) = self.ask("version")? {
            self.name = format!("{} {version}", self.name);
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
        for (key, value) in self.settings.options.clone() {
            self.demand(&format!("{key} {value}"))?;
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

    /// A numbered command as a line.
    fn numbered(&mut self, command: &str) -> String {
        self.id = self.id.wrapping_add(1);
        match self.numbers {
            true => format!("{} {command}\n", self.id),
            false => format!("{command}\n"),
        }
    }

    /// Sends a command and returns the text of the answer, or what was wrong.
    fn ask(&mut self, command: &str) -> Result<Result<String, String>, Forfeit> {
        let deadline = Instant::now() + self.settings.start_time();
        let line = self.numbered(command);
        self.process.send(&line, deadline)?;
        self.response(self.id, deadline)
            .map(|response| response.text)
    }

    fn demand(&mut self, command: &str) -> Result<String, Forfeit> {
        self.ask(command)?.map_err(|error| {
            Forfeit::new(
                ForfeitKind::Protocol,
                format!("`{command}` failed: {error}"),
            )
        })
    }

    /// Reads the answer to the command of this number. Answers to others, which come
    /// too late or twice, are skipped.
    fn response(&mut self, id: u32, deadline: Instant) -> Result<Response, Forfeit> {
        loop {
            let mut response = self.next_response(deadline)?;
            if self.numbers && response.take_number(id) {
                response.id = Some(id);
            }
            self.repeats_ids |= response.id.is_some();
            match response.id {
                Some(other) if other != id => {}
                None if self.repeats_ids && self.numbers => {}
                _ => return Ok(response),
            }
        }
    }

    /// Reads one answer. What stands before it is none of ours and skipped.
    fn next_response(&mut self, deadline: Instant) -> Result<Response, Forfeit> {
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
                self.process.abandon();
                return Err(Forfeit::new(ForfeitKind::Protocol, "an endless answer"));
            }
        }
        Response::parse(&lines)
            .ok_or_else(|| Forfeit::new(ForfeitKind::Protocol, format!("`{lines}`")))
    }

    fn knows_limits(&self) -> bool {
        self.known.contains("papan-limits")
    }

    fn limits_command(&self, limits: &Limits) -> Option<String> {
        if self.knows_limits() {
            let mut words = vec![String::from("papan-limits")];
            words.extend(limits.depth.map(|depth| format!("depth {depth}")));
            words.extend(limits.nodes.map(|nodes| format!("nodes {nodes}")));
            words.extend(limits.time.map(|time| format!("time {}", time.as_millis())));
            if let Some((_, increment)) = limits.clock {
                words.push(format!("increment {}", increment.as_millis()));
            }
            return Some(words.join(" "));
        }
        if !self.known.contains("time_settings") {
            return None;
        }
        match self.announced(limits) {
            AnnouncedTime::Unlimited => None,
            AnnouncedTime::Move(time) => Some(format!("time_settings 0 {} 1", time.as_secs())),
            AnnouncedTime::Period { time, moves } => {
                Some(format!("time_settings 0 {} {moves}", time.as_secs()))
            }
            AnnouncedTime::Clock(left) => Some(format!("time_settings {} 0 0", left.as_secs())),
        }
    }

    /// The clocks, in commands; each is answered.
    fn clocks(&self, request: &MoveRequest<'_>) -> Vec<String> {
        let Some(mine) = request
            .limits
            .clock
            .filter(|_| self.known.contains("time_left"))
        else {
            return Vec::new();
        };
        let me = mover(request.moves.len());
        let other = request.other_clock.unwrap_or(mine);
        let line = |player: Player, (left, _): (Duration, Duration)| {
            let seconds = left.as_secs().max(1);
            format!("time_left {} {seconds} 0", colour(player))
        };
        vec![line(me, mine), line(me.other(), other)]
    }
}

/// What GTP can say of a time for each move: whole seconds for a number of moves
/// together. Times that need more than a hundred moves for that are rounded up.
fn whole_seconds(time: Duration) -> AnnouncedTime {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
    let moves = (1..=100).find(|moves| millis.saturating_mul(*moves) % 1000 == 0);
    let moves = moves.unwrap_or(1);
    let time = Duration::from_secs(millis.saturating_mul(moves).div_ceil(1000));
    match moves {
        1 => AnnouncedTime::Move(time),
        moves => AnnouncedTime::Period {
            time,
            moves: moves as u32,
        },
    }
}

impl Engine for GtpClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        self.told = 0;
        if let Some(id) = self.owes_move.take() {
            self.response(id, Instant::now() + GRACE)?;
        }
        self.demand("clear_board")?;
        if let Some(command) = self.limits_command(limits) {
            self.demand(&command)?;
        }
        Ok(())
    }

    fn announced(&self, limits: &Limits) -> AnnouncedTime {
        match AnnouncedTime::of(limits) {
            AnnouncedTime::Move(time) if !self.knows_limits() => whole_seconds(time),
            AnnouncedTime::Clock(left) if !self.knows_limits() => {
                AnnouncedTime::Clock(Duration::from_secs(left.as_secs().max(1)))
            }
            said => said,
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        // All in one breath: the moves since the last time, the clocks, the question.
        let news = &request.moves[self.told..];
        let plays = (self.told..).zip(news).map(|(ply, &mv)| {
            let vertex = self.board.vertex(mv);
            format!("play {} {vertex}", colour(mover(ply)))
        });
        let mut commands: Vec<String> = plays.collect();
        let clocks = self.clocks(request);
        commands.extend(clocks);
        let me = mover(request.moves.len());
        commands.push(format!("genmove {}", colour(me)));
        let first = self.id.wrapping_add(1);
        let text: String = commands.iter().map(|line| self.numbered(line)).collect();
        let question = self.id;
        self.process.send(&text, request.deadline)?;
        self.owes_move = Some(question);
        for (number, &mv) in news.iter().enumerate() {
            let id = first.wrapping_add(number as u32);
            // Passes are forced, and some programs make them by themselves.
            if let Err(error) = self.response(id, request.deadline)?.text
                && mv != Move::PASS
            {
                let vertex = self.board.vertex(mv);
                let why = format!("it refuses `{vertex}`, which is legal: {error}");
                return Err(Forfeit::new(ForfeitKind::Protocol, why));
            }
        }
        for id in 0..(commands.len() - 1 - news.len()) as u32 {
            let id = first.wrapping_add(news.len() as u32 + id);
            self.response(id, request.deadline)?;
        }
        let response = self.response(question, request.deadline)?;
        self.owes_move = None;
        let word = response
            .text
            .map_err(|error| Forfeit::new(ForfeitKind::NoMove, error))?;
        if word.eq_ignore_ascii_case("resign") {
            return Err(Forfeit::new(ForfeitKind::Resigned, ""));
        }
        let mv = self.board.read_vertex(&word).ok_or_else(|| {
            Forfeit::new(
                ForfeitKind::Illegal,
                format!("`{word}` is no move of this board"),
            )
        })?;
        // It has played its own move on its own board.
        self.told = request.moves.len() + 1;
        Ok(EngineMove {
            mv,
            nodes: None,
            score: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_a_second_become_moves_together() {
        let said = |millis: u64| whole_seconds(Duration::from_millis(millis));
        let period = |seconds, moves| AnnouncedTime::Period {
            time: Duration::from_secs(seconds),
            moves,
        };
        assert_eq!(said(100), period(1, 10));
        assert_eq!(said(1900), period(19, 10));
        assert_eq!(said(250), period(1, 4));
        assert_eq!(said(2000), AnnouncedTime::Move(Duration::from_secs(2)));
        assert_eq!(said(333), AnnouncedTime::Move(Duration::from_secs(1)));
        assert_eq!(said(0), AnnouncedTime::Move(Duration::from_secs(1)));
    }
}
