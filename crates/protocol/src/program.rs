//! An external program as a player of the catalog ([`Guest`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use papan_catalog::{AnyGame, Guest, GuestMove, GuestPlayer, GuestTurn, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Limits, NoMove};

use crate::engine::{Engine, EngineMove, MoveRequest};
use crate::engine_command::{EngineCommand, Protocol};
use crate::forfeit::{Forfeit, ForfeitKind};
use crate::notation::ProtocolNotation;

/// Time for a move where nothing limits it. A program that thinks longer counts as hung.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// Time to start for a program whose protocol has no handshake: its first answer may take this much
/// longer, because time to start is no time to think.
const START: Duration = Duration::from_secs(5);
/// Time for the answer to arrive after the time limit of a move.
const MARGIN: Duration = Duration::from_millis(200);

/// A program that plays in another process, under limits of its own.
#[derive(Clone, Debug)]
pub struct Program {
    command: EngineCommand,
    limits: Limits,
    name: String,
    /// Whether an instance did not answer in its time to start: later ones get none, so that a
    /// program that hangs does not cost it again and again.
    hung_at_start: Arc<AtomicBool>,
}

impl Program {
    /// Creates a player from a command; `name` is the text that the user wrote. Its own limits take
    /// precedence over those of the game.
    #[must_use]
    pub fn new(command: EngineCommand, limits: Limits, name: String) -> Self {
        Self {
            command,
            limits,
            name,
            hung_at_start: Arc::default(),
        }
    }

    /// Returns the player as a strategy.
    #[must_use]
    pub fn strategy(self) -> StrategySpec {
        StrategySpec::guest(Arc::new(self))
    }

    /// Starts the program for a game.
    ///
    /// # Errors
    /// When it does not start or does not support the game.
    pub fn seated(&self, game: &AnyGame) -> Result<SeatedProgram, crate::EngineError> {
        let mut player = SeatedProgram {
            program: self.clone(),
            notation: ProtocolNotation::of_any(game),
            engine: None,
            known: Vec::new(),
            has_answered: false,
        };
        player.start()?;
        Ok(player)
    }
}

impl Guest for Program {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn identity(&self) -> String {
        let files = self.command.file_digests();
        let files: Vec<String> = files
            .iter()
            .map(|file| format!("{} sha256 {}", file.name, file.sha256))
            .collect();
        format!("{} [{}]", self.name, files.join(", "))
    }

    fn seat(&self, game: &AnyGame, _: &Limits) -> Result<Box<dyn GuestPlayer>, String> {
        let seated = self.seated(game);
        Ok(Box::new(seated.map_err(|error| error.to_string())?))
    }
}

/// A program that was started for a game.
pub struct SeatedProgram {
    program: Program,
    notation: ProtocolNotation,
    engine: Option<Box<dyn Engine>>,
    /// The moves of the game that the program plays, its own answer included.
    known: Vec<Move>,
    /// Whether the running process has answered.
    has_answered: bool,
}

impl SeatedProgram {
    fn start(&mut self) -> Result<(), crate::EngineError> {
        self.engine = Some(self.program.command.start(&self.notation)?);
        self.known.clear();
        self.has_answered = false;
        Ok(())
    }

    fn limits(&self, given: &Limits) -> Limits {
        let own = &self.program.limits;
        Limits {
            time: own.time.or(given.time),
            nodes: own.nodes.or(given.nodes),
            depth: own.depth.or(given.depth),
            clock: if own.time.is_some() {
                None
            } else {
                given.clock
            },
            ..*given
        }
    }

    /// Returns the running engine; `None` after a failure, until the next question.
    #[must_use]
    pub fn engine(&self) -> Option<&dyn Engine> {
        self.engine.as_deref()
    }

    /// Asks for a move, which need not be legal. A program that failed is started again.
    ///
    /// # Errors
    /// When the program fails to answer.
    pub fn ask(&mut self, turn: &GuestTurn<'_>) -> Result<EngineMove, Forfeit> {
        let answer = self.answer(turn);
        if answer.is_err() {
            // A program that failed in any way is started again for the next question.
            self.engine = None;
        }
        answer
    }

    fn answer(&mut self, turn: &GuestTurn<'_>) -> Result<EngineMove, Forfeit> {
        let protocol = self.program.command.protocol;
        if turn.start.is_some() && protocol != Protocol::PositionLine {
            let why = format!(
                "{}: programs play from the start of the game only",
                protocol.word()
            );
            return Err(Forfeit::new(ForfeitKind::Protocol, why));
        }
        if self.engine.is_none() {
            self.start()
                .map_err(|error| Forfeit::new(ForfeitKind::Crash, error))?;
        }
        let limits = self.limits(turn.context.limits());
        let crashed = || Forfeit::new(ForfeitKind::Crash, "the program is not running");
        let engine = self.engine.as_mut().ok_or_else(crashed)?;
        if self.known.is_empty() || !turn.moves.starts_with(&self.known) {
            engine.new_game(&limits)?;
        }
        let asked = Instant::now();
        let budget = limits.time.or(limits.clock.map(|(left, _)| left));
        let hung_at_start = &self.program.hung_at_start;
        let is_start = protocol == Protocol::PositionLine && !self.has_answered;
        let start = if is_start && !hung_at_start.load(Ordering::Relaxed) {
            START
        } else {
            Duration::ZERO
        };
        let wait = budget.map_or(PATIENCE, |time| time + MARGIN) + start;
        let answer = engine.choose(&MoveRequest {
            start: turn.start,
            moves: turn.moves,
            limits: &limits,
            other_clock: None,
            deadline: asked + wait,
        });
        if is_start && matches!(&answer, Err(forfeit) if forfeit.kind == ForfeitKind::Hang) {
            hung_at_start.store(true, Ordering::Relaxed);
        }
        let answer = answer?;
        self.has_answered = true;
        self.known.clear();
        self.known.extend_from_slice(turn.moves);
        self.known.push(answer.mv);
        Ok(answer)
    }
}

impl GuestPlayer for SeatedProgram {
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
        let asked = Instant::now();
        let answer = self.ask(turn)?;
        Ok(GuestMove {
            mv: answer.mv,
            nodes: answer.nodes.unwrap_or(0),
            time: asked.elapsed(),
        })
    }

    fn forget(&mut self) {
        self.known.clear();
    }
}
