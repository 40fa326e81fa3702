//! A seated player: a strategy, or an engine that may have to be restarted.

use std::time::{Duration, Instant};

use papan_catalog::{Family, Unplayable};
use papan_rules::{Line, Move, SwapAction, SwapOpening, SwapRule};
use papan_strategies::{Context, Limits, Strategy, answer_swap, format_time};

use crate::entrant::{Entrant, EntrantKind};
use papan_protocol::AnnouncedTime;
use papan_protocol::ProtocolNotation;
use papan_protocol::{Engine, EngineCommand, EngineError, EngineMove, MoveRequest, Restart};
use papan_protocol::{Forfeit, ForfeitKind};

/// Why a player cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// The strategy does not play this board.
    #[error(transparent)]
    Strategy(#[from] Unplayable),
    /// The engine does not start, or not for this game.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The engine's protocol has no such opening rule.
    #[error("its protocol has no opening rule {0}; Piskvork's has swap2")]
    Swap(SwapRule),
}

/// Somebody at the board.
pub(crate) enum SeatedPlayer<G: Family> {
    Strategy {
        strategy: Box<dyn Strategy<G>>,
        choices: Vec<Move>,
    },
    Engine(Box<SeatedEngine>),
}

/// An engine, which may have to be started again.
pub(crate) struct SeatedEngine {
    command: EngineCommand,
    board: ProtocolNotation,
    engine: Option<Box<dyn Engine>>,
    has_played: bool,
}

/// A request for a move.
pub(crate) struct MoveQuery<'a, G: Family> {
    pub(crate) game: &'a G,
    pub(crate) line: &'a Line<G>,
    pub(crate) context: &'a Context,
    pub(crate) other_clock: Option<(Duration, Duration)>,
    /// Maximum waiting time.
    pub(crate) wait: Duration,
}

impl<G: Family> SeatedPlayer<G> {
    /// Seats an entrant; an engine is started at once, to find out whether it can be.
    pub(crate) fn take(
        game: &G,
        entrant: &Entrant,
        limits: &Limits,
        swap: Option<SwapRule>,
    ) -> Result<Self, SeatError> {
        match &entrant.kind {
            EntrantKind::Strategy(spec) => Ok(Self::Strategy {
                strategy: game.strategy(spec, limits)?,
                choices: Vec::new(),
            }),
            EntrantKind::Engine(command) => {
                let board = ProtocolNotation::of(game);
                let engine = command.start(&board)?;
                if let Some(rule) = swap.filter(|&rule| !engine.supports_swap(rule)) {
                    return Err(SeatError::Swap(rule));
                }
                Ok(Self::Engine(Box::new(SeatedEngine {
                    command: command.clone(),
                    board,
                    engine: Some(engine),
                    has_played: false,
                })))
            }
        }
    }

    /// Gets ready for a new game.
    pub(crate) fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        match self {
            // No state may carry over from one game to another: games are played in any order, by
            // any worker, also after a restart.
            Self::Strategy { strategy, .. } => {
                strategy.forget();
                Ok(())
            }
            Self::Engine(player) => player.new_game(limits),
        }
    }

    /// Returns the time control announced to the player.
    pub(crate) fn announced(&self, limits: &Limits) -> AnnouncedTime {
        match self {
            Self::Engine(player) => match &player.engine {
                Some(engine) => engine.announced(limits),
                None => AnnouncedTime::of(limits),
            },
            Self::Strategy { .. } => AnnouncedTime::of(limits),
        }
    }

    /// Returns the chosen move and the reported score.
    #[inline]
    pub(crate) fn choose(&mut self, turn: &MoveQuery<'_, G>) -> Result<EngineMove, Forfeit> {
        match self {
            Self::Strategy { strategy, choices } => strategy
                .choose(
                    papan_strategies::Turn::new(turn.game, turn.line, turn.context),
                    choices,
                )
                .map(|(mv, nodes)| EngineMove {
                    mv,
                    nodes: Some(nodes),
                    score: None,
                })
                .map_err(|why| Forfeit::new(ForfeitKind::NoMove, why)),
            Self::Engine(player) => player.request(turn, |engine, request| engine.choose(request)),
        }
    }

    /// Returns the player's actions in a swap opening.
    pub(crate) fn answer_swap(
        &mut self,
        opening: SwapOpening,
        turn: &MoveQuery<'_, G>,
    ) -> Result<Vec<SwapAction>, Forfeit> {
        match self {
            Self::Strategy { strategy, .. } => answer_swap(
                &mut **strategy,
                papan_strategies::Turn::new(turn.game, turn.line, turn.context),
                opening,
            )
            .map_err(|why| Forfeit::new(ForfeitKind::NoMove, why)),
            Self::Engine(player) => {
                player.request(turn, |engine, request| engine.answer_swap(opening, request))
            }
        }
    }

    /// Handles a forfeit of the player.
    pub(crate) fn has_forfeited(&mut self, forfeit: &Forfeit) {
        if let Self::Engine(player) = self
            && forfeit.is_final()
        {
            player.engine = None;
        }
    }
}

impl SeatedEngine {
    /// Gets ready, with the engine that is there or with a new one. Time to start is
    /// no time to think, and an engine that has to be started again has not lost yet.
    fn new_game(&mut self, limits: &Limits) -> Result<(), Forfeit> {
        if self.command.settings.restart == Restart::Game && self.has_played {
            self.engine = None;
        }
        self.has_played = true;
        if let Some(engine) = &mut self.engine
            && engine.new_game(limits).is_ok()
        {
            return Ok(());
        }
        // The old one leaves before the new one comes.
        self.engine = None;
        let engine = self.command.start(&self.board);
        let engine = engine.map_err(|why| Forfeit::new(ForfeitKind::Crash, why))?;
        self.engine.insert(engine).new_game(limits)
    }

    fn request<G: Family, T>(
        &mut self,
        turn: &MoveQuery<'_, G>,
        ask: impl FnOnce(&mut dyn Engine, &MoveRequest<'_>) -> Result<T, Forfeit>,
    ) -> Result<T, Forfeit> {
        let gone = || Forfeit::new(ForfeitKind::Crash, "the engine is not running");
        let engine = self.engine.as_mut().ok_or_else(gone)?;
        let limits = turn.context.limits();
        let request = MoveRequest {
            start: None,
            moves: turn.line.moves(),
            limits,
            other_clock: turn.other_clock,
            deadline: Instant::now() + turn.wait,
        };
        match ask(&mut **engine, &request) {
            Ok(answer) => Ok(answer),
            Err(forfeit) if forfeit.kind == ForfeitKind::Hang => {
                let timed = limits.time.is_some() || limits.clock.is_some();
                let kind = if timed {
                    ForfeitKind::Late
                } else {
                    forfeit.kind
                };
                let wait = format_time(turn.wait);
                Err(Forfeit::new(
                    kind,
                    format!("{} within {wait}", forfeit.detail),
                ))
            }
            Err(forfeit) => Err(forfeit),
        }
    }
}
