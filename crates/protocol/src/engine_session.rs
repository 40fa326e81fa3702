//! Engine session: the state of papan as an engine (game, line of play, strategy).
//!
//! Shared by the servers of all protocols, which only translate commands.

use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, LEVELS, Seat, StrategySpec, Unplayable, advisor};
use papan_rules::{
    IllegalMove, LineError, Move, Outcome, Player, PositionError, SwapAction, SwapOpening,
};
use papan_strategies::{Context, Decision, Limits, Listener, NoMove, StopToken, SystemClock};

use crate::notation::ProtocolNotation;

/// Time per move when neither the controller nor the user sets a limit.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The game, the line of play and the strategy of an engine.
pub struct EngineSession {
    game: AnyGame,
    /// The strategy that the user chose; kept when the game changes.
    requested: Option<StrategySpec>,
    strategy: StrategySpec,
    /// `None` until [`Self::prepare`]: a controller may limit the memory after it chose the game.
    seat: Option<Box<dyn Seat>>,
    line: Box<dyn AnyLine>,
    notation: ProtocolNotation,
    /// Limits of searches that have none of their own.
    limits: Limits,
    seed: u64,
    /// Maximum size of the hash table in MiB, if the controller limits memory.
    max_hash_mib: Option<u64>,
    /// Number of games so far, which varies the random choices.
    round: u64,
}

/// Memory in MiB that a strategy and the rest of the program need besides a hash table.
const MEMORY_BESIDES_HASH: u64 = 30;

impl EngineSession {
    /// Creates a session with the strongest strategy for the game unless one is requested.
    /// `limits` apply to searches that have none of their own. The strategy allocates its memory in
    /// [`Self::prepare`], at the latest in the first search.
    ///
    /// # Errors
    /// When the strategy cannot play this game.
    pub fn new(
        game: AnyGame,
        requested: Option<StrategySpec>,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, Unplayable> {
        let limits = if limits == Limits::default() {
            Limits {
                time: Some(DEFAULT_TIME),
                ..limits
            }
        } else {
            limits
        };
        let strategy = requested.clone().unwrap_or_else(|| advisor(&game));
        game.can_seat(&strategy, &limits)?;
        Ok(Self {
            seat: None,
            line: game.line(),
            notation: ProtocolNotation::of_any(&game),
            game,
            requested,
            strategy,
            limits,
            seed,
            max_hash_mib: None,
            round: 0,
        })
    }

    /// Allocates the memory of the strategy and writes to it, so that page faults do not cost time
    /// of the first move.
    ///
    /// # Errors
    /// When something that the strategy needs is missing.
    pub fn prepare(&mut self) -> Result<(), Unplayable> {
        if self.seat.is_none() {
            let mut seat = self.game.seat(&self.strategy, &self.limits)?;
            seat.forget();
            self.seat = Some(seat);
        }
        Ok(())
    }

    /// Changes the game and the strategy. If memory was allocated, it is released before the new
    /// strategy allocates its own, because together they could exceed the controller's limit.
    fn replace(&mut self, game: AnyGame, strategy: StrategySpec) -> Result<(), Unplayable> {
        game.can_seat(&strategy, &self.limits)?;
        let was_prepared = self.seat.take().is_some();
        let old_game = std::mem::replace(&mut self.game, game);
        let old_strategy = std::mem::replace(&mut self.strategy, strategy);
        if was_prepared && let Err(error) = self.prepare() {
            (self.game, self.strategy) = (old_game, old_strategy);
            return Err(error);
        }
        Ok(())
    }

    /// Changes the game.
    ///
    /// # Errors
    /// When the strategy cannot play it; the session is then unchanged.
    pub(crate) fn set_game(&mut self, game: AnyGame) -> Result<(), Unplayable> {
        let strategy = self.strategy_for(&game);
        self.replace(game, strategy)?;
        self.line = self.game.line();
        self.notation = ProtocolNotation::of_any(&self.game);
        self.round = 0;
        Ok(())
    }

    /// Limits the memory of the program to this number of bytes, by the size of the hash table.
    pub(crate) fn limit_memory(&mut self, bytes: u64) {
        let mib = (bytes >> 20).saturating_sub(MEMORY_BESIDES_HASH).max(1);
        self.max_hash_mib = Some(mib);
        let strategy = self.strategy_for(&self.game);
        if strategy != self.strategy {
            // It differs in its memory alone, so it can play this game.
            let _ = self.replace(self.game.clone(), strategy);
        }
    }

    /// Returns the requested strategy, or the strongest one, within the memory limit.
    fn strategy_for(&self, game: &AnyGame) -> StrategySpec {
        let strategy = self.requested.clone().unwrap_or_else(|| advisor(game));
        match self.max_hash_mib {
            Some(mib) => strategy.with_hash_at_most(mib),
            None => strategy,
        }
    }

    /// Changes the strategy.
    ///
    /// # Errors
    /// When it cannot play this game; the session is then unchanged.
    pub(crate) fn set_strategy(&mut self, strategy: StrategySpec) -> Result<(), Unplayable> {
        self.replace(self.game.clone(), strategy.clone())?;
        self.requested = Some(strategy);
        Ok(())
    }

    /// Sets the strategy to the computer player of a level.
    ///
    /// # Errors
    /// When there is no such level.
    pub(crate) fn set_level(&mut self, text: &str) -> Result<(), String> {
        let Some(level) = text.parse().ok().filter(|level| LEVELS.contains(level)) else {
            let (min, max) = LEVELS.into_inner();
            return Err(format!("`{text}` is not a level from {min} to {max}"));
        };
        self.set_strategy(StrategySpec::computer(level))
            .map_err(|error| error.to_string())
    }

    /// Sets the seed of all random choices.
    pub(crate) fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Starts the next game: clears the board and the strategy's memory.
    pub(crate) fn new_game(&mut self) {
        self.line = self.game.line();
        self.round += 1;
        if let Some(seat) = &mut self.seat {
            seat.forget();
        }
    }

    /// Sets the position.
    ///
    /// # Errors
    /// When the text is not a position of the game.
    pub(crate) fn set_position(&mut self, position: &str) -> Result<(), PositionError> {
        self.line = self.game.line_from(position)?;
        Ok(())
    }

    /// Sets the line of play, and the game if it differs.
    ///
    /// # Errors
    /// When the strategy cannot play its game; the session is then unchanged.
    pub(crate) fn set_line(&mut self, line: Box<dyn AnyLine>) -> Result<(), Unplayable> {
        let game = line.game();
        if !game.is(&self.game) {
            self.set_game(game)?;
        }
        if line.moves().is_empty() {
            self.new_game();
        }
        self.line = line;
        Ok(())
    }

    /// Clears the board without starting another game.
    pub(crate) fn clear(&mut self) {
        self.line = self.game.line();
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// The notation of the game's moves.
    #[must_use]
    pub fn notation(&self) -> &ProtocolNotation {
        &self.notation
    }

    /// The strategy.
    #[must_use]
    pub(crate) fn strategy(&self) -> &StrategySpec {
        &self.strategy
    }

    /// The line of play.
    #[must_use]
    pub(crate) fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Plays a move, and an omitted forced pass before it.
    ///
    /// # Errors
    /// When it is illegal.
    pub(crate) fn play(&mut self, word: &str) -> Result<(), LineError> {
        self.line.extend(word)
    }

    /// Takes the last move back.
    pub(crate) fn undo(&mut self) -> Option<Move> {
        self.line.undo()
    }

    /// Chooses a move without playing it; the decision has no candidates. Without limits,
    /// the session's own apply.
    ///
    /// # Errors
    /// When the strategy has no move.
    pub(crate) fn choose(
        &mut self,
        limits: &Limits,
        stop: &StopToken,
        listener: Option<Listener>,
    ) -> Result<Decision, NoMove> {
        if let Some(pass) = self.forced_pass() {
            return Ok(pass);
        }
        let (seat, line, context) = self.turn(limits, stop, listener)?;
        let (best, nodes) = seat.choose(line, &context)?;
        Ok(Decision {
            best,
            candidates: Vec::new(),
            nodes,
        })
    }

    /// Chooses a move and evaluates the alternatives (MultiPV), as [`Self::choose`].
    ///
    /// # Errors
    /// When the strategy has no move.
    pub(crate) fn decide(
        &mut self,
        limits: &Limits,
        stop: &StopToken,
        listener: Option<Listener>,
    ) -> Result<Decision, NoMove> {
        if let Some(pass) = self.forced_pass() {
            return Ok(pass);
        }
        let (seat, line, context) = self.turn(limits, stop, listener)?;
        seat.decide(line, &context)
    }

    /// Returns the actions in a swap opening, without playing them.
    ///
    /// # Errors
    /// When the strategy fails.
    pub(crate) fn answer_swap(
        &mut self,
        opening: SwapOpening,
        limits: &Limits,
        stop: &StopToken,
    ) -> Result<Vec<SwapAction>, NoMove> {
        let (seat, line, context) = self.turn(limits, stop, None)?;
        seat.answer_swap(opening, line, &context)
    }

    /// Replaces the line of play by one of these moves.
    ///
    /// # Errors
    /// When one is illegal; the session is then unchanged.
    pub(crate) fn set_moves(&mut self, moves: &[Move]) -> Result<(), IllegalMove> {
        let mut line = self.game.line();
        moves.iter().try_for_each(|&mv| line.play(mv))?;
        self.line = line;
        Ok(())
    }

    /// A pass without alternatives is not searched; many strategies cannot evaluate it.
    fn forced_pass(&self) -> Option<Decision> {
        (self.line.legal_moves() == [Move::PASS]).then(|| Decision {
            best: Move::PASS,
            candidates: Vec::new(),
            nodes: 0,
        })
    }

    /// Returns what a search needs. Its time starts when the memory is there.
    fn turn(
        &mut self,
        limits: &Limits,
        stop: &StopToken,
        listener: Option<Listener>,
    ) -> Result<(&mut dyn Seat, &dyn AnyLine, Context), NoMove> {
        self.prepare()
            .map_err(|error| NoMove::Failed(error.to_string()))?;
        let context = self.context(limits, stop, listener);
        let seat = self.seat.as_deref_mut().expect("the seat was prepared");
        Ok((seat, &*self.line, context))
    }

    fn context(&self, limits: &Limits, stop: &StopToken, listener: Option<Listener>) -> Context {
        let effective = if *limits == Limits::default() {
            self.limits
        } else {
            *limits
        };
        let mut context = Context::with_seed(self.seed).limited(effective, &SystemClock);
        context.stop = stop.clone();
        context.round = self.round;
        context.listener = listener;
        context
    }

    /// The result of a finished game in GTP's notation, such as `B+12`.
    #[must_use]
    pub(crate) fn final_score(&self) -> Option<String> {
        Some(match self.line.outcome()? {
            Outcome::Draw => "0".into(),
            Outcome::Win(winner) => {
                let letter = if winner == Player::First { 'B' } else { 'W' };
                format!("{letter}+{}", self.line.final_score(winner).abs())
            }
        })
    }

    /// The board as ASCII text.
    #[must_use]
    pub(crate) fn diagram(&self) -> String {
        let sides = self.game.shape().sides();
        let width = sides.last().copied().unwrap_or(1);
        let mut text = String::new();
        for cell in 0..self.game.cells() {
            text.push_str(match self.line.piece(cell) {
                Some(Player::First) => " X",
                Some(Player::Second) => " O",
                None => " .",
            });
            if (cell + 1).is_multiple_of(width) {
                text.push('\n');
            }
        }
        text + if self.line.turn() == Player::First {
            "X to move"
        } else {
            "O to move"
        }
    }
}
