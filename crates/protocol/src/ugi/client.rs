//! UGI client: drives an engine.
//!
//! UGI leaves two things to the engine: how cells are named and whether forced passes are
//! moves. The client finds out by test positions ([`UgiClient::detect_notation`],
//! [`UgiClient::detect_passes`]).

use std::time::{Duration, Instant};

use papan_rules::Move;
use papan_strategies::Limits;

use super::{Command, Go, NULL_MOVE, Query, Reply};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::Forfeit;
use crate::notation::{ProtocolNotation, mover};
use crate::process::LineProcess;

/// How an engine treats forced passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Passes {
    /// Not known before the first pass.
    Unknown,
    /// A pass is a move with this name.
    Explicit(&'static str),
    /// A pass is not a move.
    Implicit,
}

/// Time per move when the tournament has no limits, since `go` needs one.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);
/// Time of the search that shows the engine's notation.
const DETECTION_TIME: Duration = Duration::from_millis(10);

/// A UGI engine in another process.
#[derive(Debug)]
pub struct UgiClient {
    process: LineProcess,
    settings: EngineSettings,
    notation: ProtocolNotation,
    name: String,
    author: Option<String>,
    options: Vec<(String, String)>,
    info: String,
    passes: Passes,
    /// Whether it names the cells of a grid by letter and row instead of by number.
    by_letter: bool,
    /// Whether a `bestmove` is outstanding.
    is_searching: bool,
    /// Whether pondering is enabled and supported.
    can_ponder: bool,
    /// The moves of the position that it ponders on.
    ponder_moves: Option<Vec<Move>>,
}

impl UgiClient {
    /// Starts an engine and performs the handshake. The option `Game`, if there is one, is
    /// set to the game's name.
    ///
    /// # Errors
    /// When the engine does not start or does not answer.
    pub fn start(
        command: &EngineCommand,
        notation: &ProtocolNotation,
    ) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            notation: notation.clone(),
            name: command.command.clone(),
            author: None,
            options: Vec::new(),
            info: String::new(),
            passes: Passes::Unknown,
            by_letter: false,
            is_searching: false,
            can_ponder: false,
            ponder_moves: None,
        };
        engine.handshake().map_err(|why| command.not_ready(why))?;
        Ok(engine)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.start_timeout()
    }

    fn handshake(&mut self) -> Result<(), Forfeit> {
        let deadline = self.deadline();
        self.send(&Command::Ugi, deadline)?;
        loop {
            match self.reply(deadline)? {
                Reply::Id { key, value } if key == "name" => self.name = value,
                Reply::Id { key, value } if key == "author" => self.author = Some(value),
                Reply::Option { name, rest } => self.options.push((name, rest)),
                Reply::Ok => break,
                _ => {}
            }
        }
        let mut values = Vec::new();
        let options: Vec<&String> = self.options.iter().map(|(name, _)| name).collect();
        let has_game_option = options.iter().any(|&name| name == "Game");
        if has_game_option {
            values.push(("Game".into(), self.notation.name().to_owned()));
        }
        self.can_ponder = self.settings.ponder && options.iter().any(|&name| name == "Ponder");
        if self.can_ponder {
            values.push(("Ponder".into(), "true".into()));
        }
        if let Some(memory) = self.settings.memory {
            let hash = options
                .iter()
                .find(|name| name.eq_ignore_ascii_case("hash"));
            let megabytes = (memory >> 20).max(1).to_string();
            values.extend(hash.map(|&hash| (hash.clone(), megabytes)));
        }
        values.extend(self.settings.options.iter().cloned());
        for (name, value) in values {
            self.send(&Command::SetOption { name, value }, deadline)?;
        }
        self.synchronise(deadline)?;
        // An engine with the option is papan itself.
        if has_game_option {
            return Ok(());
        }
        self.detect_notation(deadline)
    }

    /// Finds out how the engine names the cells of a grid, by number or by letter and row,
    /// from its first move. The direction of the rows does not matter: a mirrored game is the
    /// same game.
    fn detect_notation(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        let is_grid = self.notation.winning_length().is_some();
        if !is_grid || self.notation.by_letter(Move::on(0)).is_none() {
            return Ok(());
        }
        self.send(&Command::NewGame, deadline)?;
        self.synchronise(deadline)?;
        self.send(&self.position(&[], Passes::Unknown), deadline)?;
        let go = Go {
            time: Some(DETECTION_TIME),
            ..Go::default()
        };
        self.send(&Command::Go(go), deadline)?;
        loop {
            if let Reply::BestMove { word, .. } = self.reply(deadline)? {
                let lower = word.to_ascii_lowercase();
                let mv = self.notation.parse(&lower);
                self.by_letter = mv.and_then(|mv| self.notation.by_letter(mv)) == Some(&lower);
                return Ok(());
            }
        }
    }

    /// Skips all replies up to `readyok`.
    fn synchronise(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.send(&Command::IsReady, deadline)?;
        while self.reply(deadline)? != Reply::Ready {}
        Ok(())
    }

    fn send(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\n"), deadline)?)
    }

    /// Reads the next reply; other lines are skipped.
    fn reply(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            if let Some(reply) = Reply::parse(&self.process.line(deadline)?) {
                return Ok(reply);
            }
        }
    }

    fn position(&self, moves: &[Move], passes: Passes) -> Command {
        let is_sent = |mv: &&Move| passes != Passes::Implicit || **mv != Move::PASS;
        let words = moves.iter().filter(is_sent);
        Command::Position {
            start: None,
            moves: words.map(|&mv| self.word(mv, passes).into()).collect(),
        }
    }

    fn word(&self, mv: Move, passes: Passes) -> &str {
        let letters = self.notation.by_letter(mv).filter(|_| self.by_letter);
        match passes {
            Passes::Explicit(word) if mv == Move::PASS => word,
            _ => letters.unwrap_or_else(|| self.notation.own(mv)),
        }
    }

    /// Parses a move of the engine.
    fn parse_move(&self, word: &str) -> Option<Move> {
        if word == NULL_MOVE {
            Some(Move::PASS)
        } else {
            self.notation.parse(word)
        }
    }

    /// Finds out at the first pass how the engine treats passes: `query p1turn` tells whether
    /// the turn has changed without the pass, with `0000` or with `pass`. An engine that
    /// supports no queries is sent `pass`.
    fn detect_passes(&mut self, moves: &[Move], deadline: Instant) -> Result<(), Forfeit> {
        let Some(first) = moves.iter().position(|&mv| mv == Move::PASS) else {
            return Ok(());
        };
        if self.passes != Passes::Unknown {
            return Ok(());
        }
        let p1_turn_after = if first.is_multiple_of(2) {
            "false"
        } else {
            "true"
        };
        self.passes = Passes::Explicit("pass");
        // Some engines exit at an unknown move, so the most common notation comes first.
        for passes in [
            Passes::Implicit,
            Passes::Explicit(NULL_MOVE),
            Passes::Explicit("pass"),
        ] {
            let position = self.position(&moves[..=first], passes);
            self.send(&position, deadline)?;
            self.send(&Command::Query(Query::P1Turn), deadline)?;
            self.send(&Command::IsReady, deadline)?;
            let mut turn = None;
            loop {
                match self.reply(deadline)? {
                    Reply::Response(text) => turn = Some(text),
                    Reply::Ready => break,
                    _ => {}
                }
            }
            if turn.as_deref() == Some(p1_turn_after) {
                self.passes = passes;
                break;
            }
        }
        Ok(())
    }

    /// Starts the search, or converts a ponder search on the same position.
    fn start_search(&mut self, request: &MoveRequest<'_>) -> Result<(), Forfeit> {
        match self.ponder_moves.take() {
            Some(moves) if moves == request.moves => {
                return self.send(&Command::PonderHit, request.deadline);
            }
            Some(_) => {
                self.send(&Command::Stop, request.deadline)?;
                while !matches!(self.reply(request.deadline)?, Reply::BestMove { .. }) {}
                self.is_searching = false;
            }
            None => {}
        }
        self.detect_passes(request.moves, request.deadline)?;
        let position = self.position(request.moves, self.passes);
        let text = format!("{position}\n{}\n", Command::Go(Self::go(request)));
        Ok(self.process.send(&text, request.deadline)?)
    }

    /// Starts pondering on the expected reply. Errors show at the next move.
    fn ponder(&mut self, request: &MoveRequest<'_>, mv: Move, expected: Move, start: Instant) {
        let mut moves = request.moves.to_vec();
        moves.extend([mv, expected]);
        if moves.contains(&Move::PASS) && self.passes == Passes::Unknown {
            return;
        }
        // Its clock after this move.
        let clock = request.limits.clock.map(|(remaining, increment)| {
            let after_move = remaining.saturating_sub(start.elapsed());
            (after_move.saturating_add(increment), increment)
        });
        let limits = Limits {
            clock,
            ..*request.limits
        };
        let go = Go {
            ponder: true,
            ..Self::go(&MoveRequest {
                moves: &moves,
                limits: &limits,
                ..*request
            })
        };
        let position = self.position(&moves, self.passes);
        let text = format!("{position}\n{}\n", Command::Go(go));
        if self.process.send(&text, request.deadline).is_ok() {
            self.is_searching = true;
            self.ponder_moves = Some(moves);
        }
    }

    fn go(request: &MoveRequest<'_>) -> Go {
        let limits = request.limits;
        let mut go = Go {
            time: limits.time,
            depth: limits.depth,
            nodes: limits.nodes,
            ..Go::default()
        };
        if let Some(mine) = limits.clock {
            let me = mover(request.moves.len()).index();
            let other = request.other_clock.unwrap_or(mine);
            for (player, (remaining, increment)) in [(me, mine), (1 - me, other)] {
                go.clocks[player] = Some(remaining);
                go.increments[player] = increment;
            }
        }
        if go == Go::default() {
            go.time = Some(DEFAULT_MOVE_TIME);
        }
        go
    }
}

impl Engine for UgiClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    fn options(&self) -> &[(String, String)] {
        &self.options
    }

    fn info(&self) -> &str {
        &self.info
    }

    fn new_game(&mut self, _limits: &Limits) -> Result<(), Forfeit> {
        let deadline = self.deadline();
        self.ponder_moves = None;
        if self.is_searching {
            let grace = Instant::now() + GRACE;
            self.send(&Command::Stop, grace)?;
            while !matches!(self.reply(grace)?, Reply::BestMove { .. }) {}
            self.is_searching = false;
        }
        self.send(&Command::NewGame, deadline)?;
        self.synchronise(deadline)
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let start = Instant::now();
        self.start_search(request)?;
        self.is_searching = true;
        self.info.clear();
        let (mut nodes, mut score) = (None, None);
        let (word, expected) = loop {
            match self.reply(request.deadline)? {
                Reply::BestMove { word, ponder } => break (word, ponder),
                reply => {
                    nodes = reply.nodes().or(nodes);
                    score = reply.score().or(score);
                    // Comments say nothing about the search.
                    if let Reply::Info(info) = reply
                        && !info.starts_with("string")
                    {
                        self.info = info;
                    }
                }
            }
        };
        self.is_searching = false;
        let mv = self
            .parse_move(&word)
            .ok_or_else(|| Forfeit::unknown_move(&word))?;
        if self.can_ponder
            && let Some(expected) = expected.and_then(|word| self.parse_move(&word))
        {
            self.ponder(request, mv, expected, start);
        }
        Ok(EngineMove { mv, nodes, score })
    }
}
