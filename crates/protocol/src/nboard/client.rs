//! NBoard client: drives an engine.

use std::time::Instant;

use papan_catalog::AnyGame;
use papan_files::Format;
use papan_rules::Move;
use papan_strategies::Limits;

use super::{Command, Reply, format_move, parse_move, supports};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::Forfeit;
use crate::notation::ProtocolNotation;
use crate::process::LineProcess;

/// An NBoard engine in another process.
pub struct NBoardClient {
    process: LineProcess,
    settings: EngineSettings,
    notation: ProtocolNotation,
    game: AnyGame,
    name: String,
    /// The moves of the current game that it knows.
    moves_sent: Vec<Move>,
    /// The number of the last `ping`.
    last_ping: u64,
    /// Whether a move is outstanding.
    is_searching: bool,
}

impl NBoardClient {
    /// Starts an engine and prepares it for games on a board.
    ///
    /// # Errors
    /// When the protocol does not support the game, or the engine does not start or answer.
    pub fn start(
        command: &EngineCommand,
        notation: &ProtocolNotation,
    ) -> Result<Self, EngineError> {
        let parsed = notation.name().parse().ok();
        let Some(game) = parsed.filter(|_| supports(notation)) else {
            return Err(command.not_ready("the protocol supports Othello only"));
        };
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            notation: notation.clone(),
            game,
            name: command.command.clone(),
            moves_sent: Vec::new(),
            last_ping: 0,
            is_searching: false,
        };
        engine.handshake().map_err(|why| command.not_ready(why))?;
        Ok(engine)
    }

    fn handshake(&mut self) -> Result<(), Forfeit> {
        let deadline = Instant::now() + self.settings.start_timeout();
        self.send(&Command::Version(2), deadline)?;
        for (name, value) in self.settings.options.clone() {
            self.process
                .send(&format!("set {name} {value}\n"), deadline)?;
        }
        self.synchronise(deadline)
    }

    /// Skips all replies up to the answer to a new `ping`.
    fn synchronise(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.last_ping += 1;
        self.send(&Command::Ping(self.last_ping), deadline)?;
        while self.reply(deadline)? != Reply::Pong(self.last_ping) {}
        Ok(())
    }

    fn send(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\n"), deadline)?)
    }

    /// Reads the next reply; other lines are skipped.
    fn reply(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            let reply = Reply::parse(&self.process.line(deadline)?);
            match reply {
                Some(Reply::MyName(name)) => self.name = name,
                Some(reply) => return Ok(reply),
                None => {}
            }
        }
    }

    /// The game so far, in GGF.
    fn ggf(&self, moves: &[Move]) -> Command {
        let mut line = self.game.line();
        for &mv in moves {
            line.play(mv).expect("the referee checked the move");
        }
        let record = line.record(["black".into(), "white".into()]);
        let text = papan_files::write(&[record], Format::Ggf);
        let ggf = text.expect("GGF is a format for Othello");
        Command::Game(ggf.trim_end().into())
    }

    /// The commands for the moves that the engine does not know.
    fn position_commands(&mut self, moves: &[Move]) -> String {
        let text = match moves.strip_prefix(&self.moves_sent[..]) {
            Some(new) => {
                let commands = new
                    .iter()
                    .map(|&mv| Command::Move(format_move(&self.notation, mv)));
                commands.map(|command| format!("{command}\n")).collect()
            }
            None => format!("{}\n", self.ggf(moves)),
        };
        self.moves_sent = moves.to_vec();
        text
    }
}

impl Engine for NBoardClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        let timeout = if self.is_searching {
            GRACE
        } else {
            self.settings.start_timeout()
        };
        let deadline = Instant::now() + timeout;
        self.synchronise(deadline)?;
        self.is_searching = false;
        if let Some(depth) = limits.depth {
            self.send(&Command::Depth(depth), deadline)?;
        }
        self.moves_sent.clear();
        let game = self.ggf(&[]);
        self.send(&game, deadline)?;
        self.synchronise(Instant::now() + self.settings.start_timeout())
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let position = self.position_commands(request.moves);
        self.last_ping += 1;
        let (ping, go) = (Command::Ping(self.last_ping), Command::Go);
        let text = format!("{position}{ping}\n{go}\n");
        self.process.send(&text, request.deadline)?;
        self.is_searching = true;
        // Replies before `pong` belong to earlier commands.
        while self.reply(request.deadline)? != Reply::Pong(self.last_ping) {}
        let mut nodes = None;
        loop {
            match self.reply(request.deadline)? {
                Reply::NodeStats { nodes: count, .. } => nodes = Some(count),
                Reply::Move { word, eval, .. } => {
                    self.is_searching = false;
                    let mv = parse_move(&self.notation, &word)
                        .ok_or_else(|| Forfeit::unknown_move(&word))?;
                    let score = eval.map(|discs| (100.0 * discs).round() as i32);
                    return Ok(EngineMove { mv, nodes, score });
                }
                _ => {}
            }
        }
    }
}
