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
    seat: Box<dyn Seat>,
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

/// Creates a seat and clears its memory, so that page faults do not cost time of the first
/// move.
fn warm_seat(
    game: &AnyGame,
    strategy: &StrategySpec,
    limits: &Limits,
) -> Result<Box<dyn Seat>, Unplayable> {
    let mut seat = game.seat(strategy, limits)?;
    seat.forget();
    Ok(seat)
}

impl EngineSession {
    /// Creates a session with the strongest strategy for the game unless one is requested.
    /// `limits` apply to searches that have none of their own.
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
        Self::build(game, requested, limits, seed, None)
    }

    fn build(
        game: AnyGame,
        requested: Option<StrategySpec>,
        limits: Limits,
        seed: u64,
        max_hash_mib: Option<u64>,
    ) -> Result<Self, Unplayable> {
        let mut strategy = requested.clone().unwrap_or_else(|| advisor(&game));
        if let Some(mib) = max_hash_mib {
            strategy = strategy.with_hash_at_most(mib);
        }
        Ok(Self {
            seat: warm_seat(&game, &strategy, &limits)?,
            line: game.line(),
            notation: ProtocolNotation::of_any(&game),
            game,
            requested,
            strategy,
            limits,
            seed,
            max_hash_mib,
            round: 0,
        })
    }

    /// Changes the game.
    ///
    /// # Errors
    /// When the strategy cannot play it; the session is then unchanged.
    pub(crate) fn set_game(&mut self, game: AnyGame) -> Result<(), Unplayable> {
        let requested = self.requested.clone();
        *self = Self::build(game, requested, self.limits, self.seed, self.max_hash_mib)?;
        Ok(())
    }

    /// Limits the memory of the program to this number of bytes, by the size of the hash table.
    pub(crate) fn limit_memory(&mut self, bytes: u64) {
        let mib = (bytes >> 20).saturating_sub(MEMORY_BESIDES_HASH).max(1);
        self.max_hash_mib = Some(mib);
        let limited = self.strategy.clone().with_hash_at_most(mib);
        if limited != self.strategy
            && let Ok(seat) = warm_seat(&self.game, &limited, &self.limits)
        {
            (self.seat, self.strategy) = (seat, limited);
        }
    }

    /// Changes the strategy.
    ///
    /// # Errors
    /// When it cannot play this game; the session is then unchanged.
    pub(crate) fn set_strategy(&mut self, strategy: StrategySpec) -> Result<(), Unplayable> {
        self.seat = warm_seat(&self.game, &strategy, &self.limits)?;
        self.requested = Some(strategy.clone());
        self.strategy = strategy;
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
        self.seat.forget();
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
        let context = self.context(limits, stop, listener);
        let (best, nodes) = self.seat.choose(&*self.line, &context)?;
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
        let context = self.context(limits, stop, listener);
        self.seat.decide(&*self.line, &context)
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
        let context = self.context(limits, stop, None);
        self.seat.answer_swap(opening, &*self.line, &context)
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
