//! Piskvork as the manager, the side that asks.

use std::time::{Duration, Instant};

use papan_rules::Move;
use papan_strategies::Limits;

use super::{Cell, Command, Reply, plays};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::{ProtocolNotation, mover};
use crate::process::{LineProcess, ProcessError};

/// What a brain is told when a game has no time limit: the protocol has no words
/// for "as you like".
const USUAL_TURN: Duration = Duration::from_secs(1);
/// What is left of a clock that is none, as Piskvork itself says it.
const ENDLESS: u128 = 2_147_483_647;
/// Bytes of memory, as at Gomocup. Without a number some brains take all there is.
const USUAL_MEMORY: u64 = 350 << 20;

/// A brain that speaks Piskvork's protocol.
#[derive(Debug)]
pub struct PiskvorkClient {
    process: LineProcess,
    settings: EngineSettings,
    board: ProtocolNotation,
    name: String,
    /// Whether it has not played a game yet.
    fresh: bool,
    /// Whether it still has to answer with a move.
    owes_move: bool,
    /// How many moves of the game it has been told.
    told: usize,
    /// What it last complained of.
    complaint: Option<String>,
}

impl PiskvorkClient {
    /// Starts a brain for games on a board.
    ///
    /// # Errors
    /// When the game is not five in a row, or the brain does not start.
    pub fn start(command: &EngineCommand, board: &ProtocolNotation) -> Result<Self, EngineError> {
        if !plays(board) {
            return Err(command.unready("its protocol knows five in a row on flat boards only"));
        }
        let mut brain = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            board: board.clone(),
            name: command.command.clone(),
            fresh: true,
            owes_move: false,
            told: 0,
            complaint: None,
        };
        brain.set_up().map_err(|why| command.unready(why))?;
        Ok(brain)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.start_time()
    }

    /// Tells it the board, which is answered by `OK`.
    fn set_up(&mut self) -> Result<(), Forfeit> {
        let (rows, columns) = (self.board.sides()[0], self.board.sides()[1]);
        let start = match rows == columns {
            true => Command::Start(rows),
            false => Command::RectStart(columns, rows),
        };
        let deadline = self.deadline();
        self.say(&start, deadline)?;
        match self.hear(deadline)? {
            Reply::Ok => self.wait_until_ready(deadline),
            reply => Err(unexpected(&start, &reply)),
        }
    }

    /// `ABOUT` has to be answered. Whatever the brain is still busy with, or
    /// complains of, comes before the answer.
    fn wait_until_ready(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.say(&Command::About, deadline)?;
        loop {
            if let Reply::About(text) = self.hear(deadline)? {
                if let Some(name) = super::about_field(&text, "name") {
                    let version = super::about_field(&text, "version").unwrap_or_default();
                    self.name = format!("{name} {version}").trim_end().into();
                }
                return Ok(());
            }
        }
    }

    /// A new game on the same board. A brain that does not know `RESTART` has to be
    /// started again, as the protocol says.
    fn restart(&mut self) -> Result<(), Forfeit> {
        let soon = Instant::now() + GRACE;
        while self.owes_move {
            self.owes_move = !matches!(self.hear(soon)?, Reply::Move(_));
        }
        let deadline = self.deadline();
        self.say(&Command::Restart, deadline)?;
        loop {
            match self.hear(deadline)? {
                Reply::Ok => return Ok(()),
                reply @ (Reply::Unknown(_) | Reply::Error(_)) => {
                    return Err(unexpected(&Command::Restart, &reply));
                }
                _ => {}
            }
        }
    }

    fn say(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\r\n"), deadline)?)
    }

    /// The next line that is meant for a manager.
    fn hear(&mut self, deadline: Instant) -> Result<Reply, ProcessError> {
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

    /// Waits for the move. What else is said is for the log, as with other managers:
    /// a brain may complain of something and still answer.
    fn hear_move(&mut self, deadline: Instant) -> Result<Cell, Forfeit> {
        loop {
            match self.hear(deadline) {
                Ok(Reply::Move(cell)) => return Ok(cell),
                Ok(Reply::Suggest(cell)) => self.say(&Command::Play(cell), deadline)?,
                Ok(reply @ (Reply::Error(_) | Reply::Unknown(_))) => {
                    self.complaint = Some(reply.to_string());
                }
                Ok(_) => {}
                Err(fault) => {
                    let mut forfeit = Forfeit::from(fault);
                    if let Some(complaint) = &self.complaint {
                        let detail = format!("{}; it said `{complaint}`", forfeit.detail);
                        forfeit = Forfeit::new(forfeit.kind, detail);
                    }
                    return Err(forfeit);
                }
            }
        }
    }
}

fn unexpected(command: &Command, reply: &Reply) -> Forfeit {
    let why = format!("`{command}` was answered by `{reply}`");
    Forfeit::new(ForfeitKind::Protocol, why)
}

fn info(key: &str, value: impl std::fmt::Display) -> Command {
    Command::Info {
        key: key.into(),
        value: value.to_string(),
    }
}

impl Engine for PiskvorkClient {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        if !std::mem::take(&mut self.fresh) {
            self.restart()?;
        }
        self.told = 0;
        self.complaint = None;
        let match_time = limits.clock.map_or(Duration::ZERO, |(left, _)| left);
        let turn = limits.time.or(limits.clock.map(|(left, _)| left));
        let memory = self.settings.memory.unwrap_or(USUAL_MEMORY);
        let mut words = vec![
            info("timeout_turn", turn.unwrap_or(USUAL_TURN).as_millis()),
            info("timeout_match", match_time.as_millis()),
            info("max_memory", memory),
            info("game_type", 1),
            info("rule", 0),
        ];
        if self.settings.ponder {
            words.push(info("pondering", 1));
        }
        let options = self.settings.options.iter();
        words.extend(options.map(|(key, value)| info(key, value)));
        let deadline = self.deadline();
        for setting in words {
            self.say(&setting, deadline)?;
        }
        self.wait_until_ready(deadline)
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let left = request.limits.clock.map(|(left, _)| left.as_millis());
        let mut text = format!("{}\r\n", info("time_left", left.unwrap_or(ENDLESS)));
        for command in self.question(request.moves) {
            text += &format!("{command}\r\n");
        }
        self.process.send(&text, request.deadline)?;
        self.owes_move = true;
        let cell = self.hear_move(request.deadline)?;
        self.owes_move = false;
        let mv = self.board.at(cell).ok_or_else(|| {
            let why = format!("`{}` is not on the board", Reply::Move(cell));
            Forfeit::new(ForfeitKind::Illegal, why)
        })?;
        self.told = request.moves.len() + 1;
        Ok(EngineMove {
            mv,
            nodes: None,
            score: None,
        })
    }
}
