//! GTP client: drives an engine.

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

/// Maximum length of a response in bytes, over all its lines.
const MAX_RESPONSE: usize = 1 << 18;

/// A GTP engine in another process.
#[derive(Debug)]
pub struct GtpClient {
    process: LineProcess,
    settings: EngineSettings,
    notation: ProtocolNotation,
    name: String,
    commands: HashSet<String>,
    /// Number of moves of the current game that it knows.
    moves_sent: usize,
    /// The number of the last command.
    id: u32,
    /// Whether the engine accepts numbered commands.
    numbers: bool,
    /// The number of an unanswered `genmove`.
    pending_move: Option<u32>,
    /// Whether it repeats numbers, as the protocol requires: only then can late or surplus
    /// responses be recognised.
    repeats_ids: bool,
}

impl GtpClient {
    /// Starts an engine and prepares it for games on a board.
    ///
    /// # Errors
    /// When the engine does not start, does not answer, or does not support the game.
    pub fn start(
        command: &EngineCommand,
        notation: &ProtocolNotation,
    ) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            notation: notation.clone(),
            name: command.command.clone(),
            commands: HashSet::new(),
            moves_sent: 0,
            id: 0,
            numbers: true,
            pending_move: None,
            repeats_ids: false,
        };
        engine.handshake().map_err(|why| command.not_ready(why))?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), Forfeit> {
        // Not every engine accepts numbers, although the protocol requires it.
        let listed = self.request("list_commands")?;
        self.numbers = listed.is_ok_and(|list| list.contains("genmove"));
        let commands = self.require("list_commands")?;
        self.commands = commands.split_whitespace().map(Into::into).collect();
        if let Ok(name) = self.request("name")? {
            self.name = name;
        }
        if let Ok(version) = self.request("version")? {
            self.name = format!("{} {version}", self.name);
        }
        if self.commands.contains("set_game") {
            self.set_game()?;
        }
        if let [side, other] = *self.notation.sides()
            && side == other
            && self.commands.contains("boardsize")
        {
            self.require(&format!("boardsize {side}"))?;
        }
        for (key, value) in self.settings.options.clone() {
            self.require(&format!("{key} {value}"))?;
        }
        self.require("clear_board").map(drop)
    }

    /// Sets the game by papan's name, or else by the engine's name of its family, such as
    /// `Othello`.
    fn set_game(&mut self) -> Result<(), Forfeit> {
        let ours = self.notation.name().to_owned();
        if self.request(&format!("set_game {ours}"))?.is_ok() {
            return Ok(());
        }
        let list = if self.commands.contains("list_games") {
            self.request("list_games")?.unwrap_or_default()
        } else {
            String::new()
        };
        let family = ours.split(':').next().unwrap_or(&ours);
        let mut listed = list.lines().map(str::trim);
        let theirs = listed.find(|name| name.eq_ignore_ascii_case(family));
        let name = theirs.unwrap_or(family);
        self.require(&format!("set_game {name}")).map(drop)
    }

    /// Formats a command with the next number.
    fn numbered(&mut self, command: &str) -> String {
        self.id = self.id.wrapping_add(1);
        if self.numbers {
            format!("{} {command}\n", self.id)
        } else {
            format!("{command}\n")
        }
    }

    /// Sends a command and returns the text of the response or its error message.
    fn request(&mut self, command: &str) -> Result<Result<String, String>, Forfeit> {
        let deadline = Instant::now() + self.settings.start_timeout();
        let line = self.numbered(command);
        self.process.send(&line, deadline)?;
        self.response(self.id, deadline)
            .map(|response| response.text)
    }

    /// Sends a command that must succeed.
    fn require(&mut self, command: &str) -> Result<String, Forfeit> {
        self.request(command)?.map_err(|error| {
            Forfeit::new(
                ForfeitKind::Protocol,
                format!("`{command}` failed: {error}"),
            )
        })
    }

    /// Reads the response to the command with this number. Late and surplus responses to
    /// others are skipped.
    fn response(&mut self, id: u32, deadline: Instant) -> Result<Response, Forfeit> {
        loop {
            let mut response = self.next_response(deadline)?;
            if self.numbers && response.take_id(id) {
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

    /// Reads one response; lines before it are skipped.
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
            if lines.len() > MAX_RESPONSE {
                self.process.abandon();
                return Err(Forfeit::new(ForfeitKind::Protocol, "endless response"));
            }
        }
        Response::parse(&lines)
            .ok_or_else(|| Forfeit::new(ForfeitKind::Protocol, format!("`{lines}`")))
    }

    /// Whether the engine is papan, which takes all limits exactly.
    fn knows_limits(&self) -> bool {
        self.commands.contains("papan-limits")
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
        if !self.commands.contains("time_settings") {
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

    /// The `time_left` commands for both players.
    fn time_left_commands(&self, request: &MoveRequest<'_>) -> Vec<String> {
        let Some(mine) = request
            .limits
            .clock
            .filter(|_| self.commands.contains("time_left"))
        else {
            return Vec::new();
        };
        let me = mover(request.moves.len());
        let other = request.other_clock.unwrap_or(mine);
        let line = |player: Player, (remaining, _): (Duration, Duration)| {
            let seconds = remaining.as_secs().max(1);
            format!("time_left {} {seconds} 0", colour(player))
        };
        vec![line(me, mine), line(me.other(), other)]
    }
}

/// Expresses a time per move in GTP's terms: whole seconds per period of up to a hundred
/// moves, rounded up where that is not exact.
fn whole_seconds(time: Duration) -> AnnouncedTime {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
    let exact = (1..=100).find(|moves| millis.saturating_mul(*moves) % 1000 == 0);
    let moves = exact.unwrap_or(1);
    let period = Duration::from_secs(millis.saturating_mul(moves).div_ceil(1000));
    match moves {
        1 => AnnouncedTime::Move(period),
        _ => AnnouncedTime::Period {
            time: period,
            moves: moves as u32,
        },
    }
}

impl Engine for GtpClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        self.moves_sent = 0;
        if let Some(id) = self.pending_move.take() {
            self.response(id, Instant::now() + GRACE)?;
        }
        self.require("clear_board")?;
        if let Some(command) = self.limits_command(limits) {
            self.require(&command)?;
        }
        Ok(())
    }

    fn announced(&self, limits: &Limits) -> AnnouncedTime {
        match AnnouncedTime::of(limits) {
            AnnouncedTime::Move(time) if !self.knows_limits() => whole_seconds(time),
            AnnouncedTime::Clock(time) if !self.knows_limits() => {
                AnnouncedTime::Clock(Duration::from_secs(time.as_secs().max(1)))
            }
            exact => exact,
        }
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        // New moves, clocks and `genmove` are sent at once, to save round trips.
        let new_moves = &request.moves[self.moves_sent..];
        let plays = (self.moves_sent..).zip(new_moves).map(|(ply, &mv)| {
            let vertex = self.notation.vertex(mv);
            format!("play {} {vertex}", colour(mover(ply)))
        });
        let mut commands: Vec<String> = plays.collect();
        commands.extend(self.time_left_commands(request));
        let me = mover(request.moves.len());
        commands.push(format!("genmove {}", colour(me)));
        let first = self.id.wrapping_add(1);
        let text: String = commands.iter().map(|line| self.numbered(line)).collect();
        let genmove = self.id;
        self.process.send(&text, request.deadline)?;
        self.pending_move = Some(genmove);
        for (number, &mv) in new_moves.iter().enumerate() {
            let id = first.wrapping_add(number as u32);
            // Some engines make forced passes by themselves and reject the command.
            if let Err(error) = self.response(id, request.deadline)?.text
                && mv != Move::PASS
            {
                let vertex = self.notation.vertex(mv);
                let why = format!("it rejects the legal move `{vertex}`: {error}");
                return Err(Forfeit::new(ForfeitKind::Protocol, why));
            }
        }
        for number in new_moves.len()..commands.len() - 1 {
            let id = first.wrapping_add(number as u32);
            self.response(id, request.deadline)?;
        }
        let response = self.response(genmove, request.deadline)?;
        self.pending_move = None;
        let word = response
            .text
            .map_err(|error| Forfeit::new(ForfeitKind::NoMove, error))?;
        if word.eq_ignore_ascii_case("resign") {
            return Err(Forfeit::new(ForfeitKind::Resigned, ""));
        }
        let mv = self
            .notation
            .parse_vertex(&word)
            .ok_or_else(|| Forfeit::unknown_move(&word))?;
        // `genmove` also plays the move.
        self.moves_sent = request.moves.len() + 1;
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
    fn fractions_of_a_second_become_periods() {
        let announced = |millis: u64| whole_seconds(Duration::from_millis(millis));
        let period = |seconds, moves| AnnouncedTime::Period {
            time: Duration::from_secs(seconds),
            moves,
        };
        assert_eq!(announced(100), period(1, 10));
        assert_eq!(announced(1900), period(19, 10));
        assert_eq!(announced(250), period(1, 4));
        assert_eq!(announced(2000), AnnouncedTime::Move(Duration::from_secs(2)));
        assert_eq!(announced(333), AnnouncedTime::Move(Duration::from_secs(1)));
        assert_eq!(announced(0), AnnouncedTime::Move(Duration::from_secs(1)));
    }
}
