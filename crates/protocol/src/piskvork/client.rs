//! Gomocup client (manager): drives an engine.

use std::time::{Duration, Instant};

use papan_rules::{Move, SwapAction, SwapChoice, SwapOpening, SwapRule, SwapStep};
use papan_strategies::Limits;

use super::{Cell, Command, Reply, about_field, rule_of, supports};
use crate::engine::{Engine, EngineMove, GRACE, MoveRequest};
use crate::engine_command::{EngineCommand, EngineError};
use crate::engine_settings::EngineSettings;
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::{ProtocolNotation, mover};
use crate::process::{LineProcess, ProcessError};

/// Time per move when the tournament has no limits, since the protocol cannot express that.
const DEFAULT_TURN_TIME: Duration = Duration::from_secs(1);
/// `time_left` of a game without a clock, as Piskvork itself sends it.
const UNLIMITED_TIME_LEFT: u128 = 2_147_483_647;
/// Memory limit in bytes, that of Gomocup. Some engines allocate all memory without one.
const DEFAULT_MEMORY: u64 = 350 << 20;

/// A Gomocup engine in another process.
#[derive(Debug)]
pub struct PiskvorkClient {
    process: LineProcess,
    settings: EngineSettings,
    notation: ProtocolNotation,
    name: String,
    /// Whether it has not played a game yet.
    is_fresh: bool,
    /// Whether a move is outstanding.
    is_searching: bool,
    /// Number of moves of the current game that it knows.
    moves_sent: usize,
    /// The last `ERROR` or `UNKNOWN`.
    last_error: Option<String>,
}

impl PiskvorkClient {
    /// Starts an engine and prepares it for games on a board.
    ///
    /// # Errors
    /// When the protocol does not support the game, or the engine does not start.
    pub fn start(
        command: &EngineCommand,
        notation: &ProtocolNotation,
    ) -> Result<Self, EngineError> {
        if !supports(notation) {
            let why = "the protocol supports five in a row on two-dimensional boards only";
            return Err(command.not_ready(why));
        }
        let mut engine = Self {
            process: command.process()?,
            settings: command.settings.clone(),
            notation: notation.clone(),
            name: command.command.clone(),
            is_fresh: true,
            is_searching: false,
            moves_sent: 0,
            last_error: None,
        };
        engine.handshake().map_err(|why| command.not_ready(why))?;
        Ok(engine)
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.settings.start_timeout()
    }

    fn handshake(&mut self) -> Result<(), Forfeit> {
        let (rows, columns) = (self.notation.sides()[0], self.notation.sides()[1]);
        let start = if rows == columns {
            Command::Start(rows)
        } else {
            Command::RectStart(columns, rows)
        };
        let deadline = self.deadline();
        self.send(&start, deadline)?;
        match self.reply(deadline)? {
            Reply::Ok => self.synchronise(deadline),
            reply => Err(unexpected(&start, &reply)),
        }
    }

    /// Skips all replies up to the answer to `ABOUT`, which every engine has to give.
    fn synchronise(&mut self, deadline: Instant) -> Result<(), Forfeit> {
        self.send(&Command::About, deadline)?;
        loop {
            if let Reply::About(text) = self.reply(deadline)? {
                if let Some(name) = about_field(&text, "name") {
                    let version = about_field(&text, "version").unwrap_or_default();
                    self.name = format!("{name} {version}").trim_end().into();
                }
                return Ok(());
            }
        }
    }

    /// Starts a new game on the same board. `RESTART` is optional; without it the process has
    /// to be restarted.
    fn restart(&mut self) -> Result<(), Forfeit> {
        let grace = Instant::now() + GRACE;
        while self.is_searching {
            let reply = self.reply(grace)?;
            let answers = matches!(reply, Reply::Move(_) | Reply::Stones(_) | Reply::Swap);
            self.is_searching = !answers;
        }
        let deadline = self.deadline();
        self.send(&Command::Restart, deadline)?;
        loop {
            match self.reply(deadline)? {
                Reply::Ok => return Ok(()),
                reply @ (Reply::Unknown(_) | Reply::Error(_)) => {
                    return Err(unexpected(&Command::Restart, &reply));
                }
                _ => {}
            }
        }
    }

    fn send(&mut self, command: &Command, deadline: Instant) -> Result<(), Forfeit> {
        Ok(self.process.send(&format!("{command}\r\n"), deadline)?)
    }

    /// Reads the next reply that is not `MESSAGE` or `DEBUG`.
    fn reply(&mut self, deadline: Instant) -> Result<Reply, ProcessError> {
        loop {
            match Reply::parse(&self.process.line(deadline)?) {
                None | Some(Reply::Note(_)) => {}
                Some(reply) => return Ok(reply),
            }
        }
    }

    fn cell(&self, mv: Move) -> Cell {
        self.notation
            .coordinates(mv)
            .expect("games of this protocol have no passes")
    }

    /// The commands that ask for a move, with the moves that the engine does not know.
    fn move_commands(&self, moves: &[Move]) -> Vec<Command> {
        match moves {
            [] => vec![Command::Begin],
            [.., last] if self.moves_sent + 1 == moves.len() => {
                vec![Command::Turn(self.cell(*last))]
            }
            _ => {
                let me = mover(moves.len());
                let stones = moves.iter().enumerate().map(|(ply, &mv)| {
                    let owner = if mover(ply) == me { 1 } else { 2 };
                    Command::Stone(self.cell(mv), owner)
                });
                let mut commands = vec![Command::Board];
                commands.extend(stones);
                commands.push(Command::Done);
                commands
            }
        }
    }

    /// Asks for a move or an action, and waits for the answer.
    fn ask(&mut self, commands: &[Command], request: &MoveRequest<'_>) -> Result<Reply, Forfeit> {
        let clock = request.limits.clock;
        let time_left = clock.map_or(UNLIMITED_TIME_LEFT, |(remaining, _)| remaining.as_millis());
        let mut text = format!("{}\r\n", info("time_left", time_left));
        for command in commands {
            text += &format!("{command}\r\n");
        }
        self.process.send(&text, request.deadline)?;
        self.is_searching = true;
        let answer = self.read_answer(request.deadline)?;
        self.is_searching = false;
        Ok(answer)
    }

    /// Returns the move on a cell.
    fn on_board(&self, cell: Cell) -> Result<Move, Forfeit> {
        self.notation.at(cell).ok_or_else(|| {
            let why = format!("`{}` is not on the board", Reply::Move(cell));
            Forfeit::new(ForfeitKind::Illegal, why)
        })
    }

    /// Waits for the answer. As in other managers, errors do not end the wait: an engine may
    /// report one and still move.
    fn read_answer(&mut self, deadline: Instant) -> Result<Reply, Forfeit> {
        loop {
            match self.reply(deadline) {
                Ok(answer @ (Reply::Move(_) | Reply::Stones(_) | Reply::Swap)) => {
                    return Ok(answer);
                }
                Ok(Reply::Suggest(cell)) => self.send(&Command::Play(cell), deadline)?,
                Ok(reply @ (Reply::Error(_) | Reply::Unknown(_))) => {
                    self.last_error = Some(reply.to_string());
                }
                Ok(_) => {}
                Err(error) => {
                    let forfeit = Forfeit::from(error);
                    return Err(match &self.last_error {
                        Some(last_error) => {
                            let detail = format!("{} after `{last_error}`", forfeit.detail);
                            Forfeit::new(forfeit.kind, detail)
                        }
                        None => forfeit,
                    });
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
        if !std::mem::take(&mut self.is_fresh) {
            self.restart()?;
        }
        self.moves_sent = 0;
        self.last_error = None;
        let clock = limits.clock.map(|(base, _)| base);
        let turn = limits.time.or(clock).unwrap_or(DEFAULT_TURN_TIME);
        let memory = self.settings.memory.unwrap_or(DEFAULT_MEMORY);
        let mut commands = vec![
            info("timeout_turn", turn.as_millis()),
            info("timeout_match", clock.unwrap_or_default().as_millis()),
            info("max_memory", memory),
            info("game_type", 1),
            info("rule", rule_of(self.notation.name())),
        ];
        if self.settings.ponder {
            commands.push(info("pondering", 1));
        }
        let options = self.settings.options.iter();
        commands.extend(options.map(|(key, value)| info(key, value)));
        let deadline = self.deadline();
        for command in commands {
            self.send(&command, deadline)?;
        }
        self.synchronise(deadline)
    }

    fn choose(&mut self, request: &MoveRequest<'_>) -> Result<EngineMove, Forfeit> {
        let commands = self.move_commands(request.moves);
        let mv = match self.ask(&commands, request)? {
            Reply::Move(cell) => self.on_board(cell)?,
            reply => return Err(unexpected(&commands[commands.len() - 1], &reply)),
        };
        self.moves_sent = request.moves.len() + 1;
        Ok(EngineMove {
            mv,
            nodes: None,
            score: None,
        })
    }

    fn supports_swap(&self, rule: SwapRule) -> bool {
        rule == SwapRule::Swap2
    }

    fn answer_swap(
        &mut self,
        opening: SwapOpening,
        request: &MoveRequest<'_>,
    ) -> Result<Vec<SwapAction>, Forfeit> {
        let stones = request
            .moves
            .iter()
            .map(|&mv| Command::Point(self.cell(mv)));
        let mut commands = vec![Command::Swap2Board];
        commands.extend(stones);
        commands.push(Command::Done);
        // The next request sends all stones.
        self.moves_sent = 0;
        let step = opening.step(request.moves.len());
        let reply = self.ask(&commands, request)?;
        let place = |cells: &[Cell]| -> Result<Vec<SwapAction>, Forfeit> {
            let place = |&cell: &Cell| self.on_board(cell).map(SwapAction::Place);
            cells.iter().map(place).collect()
        };
        let choose = SwapAction::Choose;
        let mut actions = Vec::new();
        match (&reply, step) {
            (Reply::Stones(cells), SwapStep::Place { left, .. }) if cells.len() == left => {}
            (Reply::Stones(cells), SwapStep::Choose { may_place_two, .. })
                if may_place_two && cells.len() == 2 =>
            {
                actions.push(choose(SwapChoice::PlaceTwo));
            }
            (Reply::Swap, SwapStep::Choose { .. }) => return Ok(vec![choose(SwapChoice::Black)]),
            (Reply::Move(_), SwapStep::Choose { .. }) => actions.push(choose(SwapChoice::White)),
            _ => return Err(unexpected(&Command::Swap2Board, &reply)),
        }
        match &reply {
            Reply::Stones(cells) => actions.extend(place(cells)?),
            Reply::Move(cell) => actions.extend(place(&[*cell])?),
            _ => {}
        }
        Ok(actions)
    }
}
