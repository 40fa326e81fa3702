//! UGI as the side that asks.

use std::time::Instant;

use papan_strategies::Limits;

use super::{Command, Go, Reply};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::process::LineProcess;
use crate::protocol::{Answer, Engine, EngineCommand, EngineError, READY, Request};
use crate::wire_board::{WireBoard, mover};

/// An engine that speaks UGI.
#[derive(Debug)]
pub struct Asking {
    process: LineProcess,
    board: WireBoard,
    name: String,
}

impl Asking {
    /// Starts an engine for games on a board. An engine with an option `Game` is
    /// told the game's name.
    ///
    /// # Errors
    /// When it does not start or does not answer.
    pub fn start(command: &str, board: &WireBoard) -> Result<Self, EngineError> {
        let mut engine = Self {
            process: LineProcess::start(command)?,
            board: board.clone(),
            name: command.into(),
        };
        engine
            .get_ready()
            .map_err(|why| EngineCommand::unready(command, why))?;
        Ok(engine)
    }

    fn get_ready(&mut self) -> Result<(), Forfeit> {
        let deadline = Instant::now() + READY;
        self.say(&Command::Ugi, deadline)?;
        let mut chooses_game = false;
        loop {
            match self.hear(deadline)? {
                Reply::Id { key, value } if key == "name" => self.name = value,
                Reply::Option { name, .. } => chooses_game |= name == "Game",
                Reply::Ok => break,
                _ => {}
            }
        }
        if chooses_game {
            let value = self.board.name().to_owned();
            let name = "Game".into();
            self.say(&Command::SetOption { name, value }, deadline)?;
        }
        self.wait_until_ready(deadline)
    }

    fn wait_until_ready(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.say(&Command::IsReady, deadline)?;
        while self.hear(deadline)? != Reply::Ready {}
        Ok(())
    }

    pub(crate) fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\n"), deadline)?)
    }

    /// The next line that the protocol knows; others are skipped.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            if let Some(reply) = Reply::parse(&self.process.line(deadline)?) {
                return Ok(reply);
            }
        }
    }
}

impl Engine for Asking {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _limits: &Limits) -> Result<(), Forfeit> {
        let deadline = Instant::now() + READY;
        self.say(&Command::NewGame, deadline)?;
        self.wait_until_ready(deadline)
    }

    fn choose(&mut self, request: &Request<'_>) -> Result<Answer, Forfeit> {
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
            for (player, (left, increment)) in [(me, mine), (1 - me, other)] {
                go.clocks[player] = Some(left);
                go.increments[player] = increment;
            }
        }
        // Without any limit `go` alone leaves it to the engine's own judgement.
        let moves = request.moves.iter().map(|&mv| self.board.own(mv).into());
        let position = Command::Position {
            start: None,
            moves: moves.collect(),
        };
        let text = format!("{position}\n{}\n", Command::Go(go));
        self.process.send(&text, request.deadline)?;
        let mut nodes = None;
        let word = loop {
            match self.hear(request.deadline)? {
                Reply::BestMove(word) => break word,
                reply => nodes = reply.nodes().or(nodes),
            }
        };
        let mv = self.board.read(&word).ok_or_else(|| {
            Forfeit::new(
                ForfeitKind::Illegal,
                format!("`{word}` is no move of this board"),
            )
        })?;
        Ok(Answer { mv, nodes })
    }
}
