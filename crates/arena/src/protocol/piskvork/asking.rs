//! Piskvork as the manager, the side that asks.

use std::time::{Duration, Instant};

use papan_rules::Move;
use papan_strategies::Limits;

use super::{Cell, Command, Reply, plays};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::process::LineProcess;
use crate::protocol::{Answer, Engine, EngineCommand, EngineError, READY, Request};
use crate::wire_board::{WireBoard, mover};

/// What a brain is told when a game has no time limit: the protocol has no words
/// for "as you like".
const USUAL_TURN: Duration = Duration::from_secs(1);

/// A brain that speaks Piskvork's protocol.
#[derive(Debug)]
pub struct Asking {
    process: LineProcess,
    board: WireBoard,
    name: String,
    started: bool,
    /// How many moves of the game it has been told.
    told: usize,
}

impl Asking {
    /// Starts a brain for games on a board.
    ///
    /// # Errors
    /// When the game is not five in a row, or the brain does not start.
    pub fn start(command: &str, board: &WireBoard) -> Result<Self, EngineError> {
        if !plays(board) {
            let why = "its protocol knows five in a row on flat boards only";
            return Err(EngineCommand::unready(command, why));
        }
        let mut brain = Self {
            process: LineProcess::start(command)?,
            board: board.clone(),
            name: command.into(),
            started: false,
            told: 0,
        };
        brain
            .set_up()
            .map_err(|why| EngineCommand::unready(command, why))?;
        Ok(brain)
    }

    /// A new game: over again if it has played before and knows how, from the
    /// beginning otherwise.
    fn set_up(&mut self) -> Result<(), Forfeit> {
        let deadline = Instant::now() + READY;
        self.told = 0;
        if self.started {
            self.say(&Command::Restart, deadline)?;
            if self.hear(deadline)? == Reply::Ok {
                return Ok(());
            }
        }
        let (rows, columns) = (self.board.sides()[0], self.board.sides()[1]);
        let start = match rows == columns {
            true => Command::Start(rows),
            false => Command::RectStart(columns, rows),
        };
        self.say(&start, deadline)?;
        self.started = true;
        match self.hear(deadline)? {
            Reply::Ok => Ok(()),
            reply => Err(Forfeit::new(
                ForfeitKind::Protocol,
                format!("`{start}` was answered by `{reply}`"),
            )),
        }
    }

    pub(crate) fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\r\n"), deadline)?)
    }

    /// The next line that is meant for a manager.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            match Reply::parse(&self.process.line(deadline)?) {
                None | Some(Reply::Note(_)) => {}
                Some(reply) => return Ok(reply),
            }
        }
    }

    fn cell(&self, mv: Move) -> Cell {
        // There are no passes in these games.
        self.board.coordinates(mv).unwrap_or_default()
    }

    /// The words that tell a brain what it does not know yet.
    fn question(&self, moves: &[Move]) -> Vec<Command> {
        match moves {
            [] => vec![Command::Begin],
            [.., last] if self.told + 1 == moves.len() => vec![Command::Turn(self.cell(*last))],
            _ => {
                let me = mover(moves.len());
                let stones = moves.iter().enumerate().map(|(ply, &mv)| {
                    let whose = if mover(ply) == me { 1 } else { 2 };
                    Command::Stone(self.cell(mv), whose)
                });
                let mut words = vec![Command::Board];
                words.extend(stones);
                words.push(Command::Done);
                words
            }
        }
    }
}

fn info(key: &str, value: impl std::fmt::Display) -> Command {
    Command::Info {
        key: key.into(),
        value: value.to_string(),
    }
}

impl Engine for Asking {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        self.set_up()?;
        let deadline = Instant::now() + READY;
        let match_time = limits.clock.map_or(Duration::ZERO, |(left, _)| left);
        let turn = limits.time.or(limits.clock.map(|(left, _)| left));
        for setting in [
            info("timeout_turn", turn.unwrap_or(USUAL_TURN).as_millis()),
            info("timeout_match", match_time.as_millis()),
            info("max_memory", 0),
            info("game_type", 1),
            info("rule", 0),
        ] {
            self.say(&setting, deadline)?;
        }
        Ok(())
    }

    fn choose(&mut self, request: &Request<'_>) -> Result<Answer, Forfeit> {
        let mut text = String::new();
        if let Some((left, _)) = request.limits.clock {
            text += &format!("{}\r\n", info("time_left", left.as_millis()));
        }
        for command in self.question(request.moves) {
            text += &format!("{command}\r\n");
        }
        self.process.send(&text, request.deadline)?;
        let cell = loop {
            match self.hear(request.deadline)? {
                Reply::Move(cell) => break cell,
                Reply::Suggest(cell) => self.say(&Command::Play(cell), request.deadline)?,
                Reply::Error(error) => {
                    return Err(Forfeit::new(
                        ForfeitKind::Protocol,
                        format!("ERROR {error}"),
                    ));
                }
                _ => {}
            }
        };
        let mv = self.board.at(cell).ok_or_else(|| {
            let why = format!("`{}` is not on the board", Reply::Move(cell));
            Forfeit::new(ForfeitKind::Illegal, why)
        })?;
        self.told = request.moves.len() + 1;
        Ok(Answer { mv, nodes: None })
    }
}
