//! What papan has before it when it is the engine: a game, a line of play and a
//! strategy.

use std::time::Duration;

use papan_catalog::{AnyGame, AnyLine, LEVELS, Seat, StrategySpec, Unplayable, advisor};
use papan_rules::{LineError, Move, Outcome, Player, PositionError};
use papan_strategies::{Context, Decision, Limits, Listener, NoMove, StopToken, SystemClock};

use crate::notation::ProtocolNotation;

/// Time for a move when nobody says how long one may take.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// A game, a line of play and a strategy that chooses.
pub struct EngineSession {
    game: AnyGame,
    /// The strategy that was asked for, if any.
    wanted: Option<StrategySpec>,
    strategy: StrategySpec,
    seat: Box<dyn Seat>,
    line: Box<dyn AnyLine>,
    board: ProtocolNotation,
    limits: Limits,
    seed: u64,
    round: u64,
}

/// A seat whose memory has been touched once: what the system takes to hand it out would
/// be time of the first move.
fn sit_down(
    game: &AnyGame,
    strategy: &StrategySpec,
    limits: &Limits,
) -> Result<Box<dyn Seat>, Unplayable> {
    let mut seat = game.seat(strategy, limits)?;
    seat.forget();
    Ok(seat)
}

impl EngineSession {
    /// Sits down at a game, with the strategy that knows most of it if none is
    /// wanted. `limits` hold for moves that come with none of their own.
    ///
    /// # Errors
    /// When the strategy cannot play this game.
    pub fn new(
        game: AnyGame,
        wanted: Option<StrategySpec>,
        limits: Limits,
        seed: u64,
    ) -> Result<Self, Unplayable> {
        let usual = Limits {
            time: Some(USUAL_TIME),
            ..Limits::default()
        };
        let limits = if limits == Limits::default() {
            usual
        } else {
            limits
        };
        let strategy = wanted.clone().unwrap_or_else(|| advisor(&game));
        Ok(Self {
            seat: sit_down(&game, &strategy, &limits)?,
            line: game.line(),
            board: ProtocolNotation::of_any(&game),
            game,
            wanted,
            strategy,
            limits,
            seed,
            round: 0,
        })
    }

    /// Turns to another game.
    ///
    /// # Errors
    /// When the strategy cannot play it; everything then stays as it is.
    pub fn turn_to(&mut self, game: AnyGame) -> Result<(), Unplayable> {
        let wanted = self.wanted.clone();
        *self = Self::new(game, wanted, self.limits, self.seed)?;
        Ok(())
    }

    /// Takes up another strategy.
    ///
    /// # Errors
    /// When it cannot play this game; everything then stays as it is.
    pub fn take_up(&mut self, strategy: StrategySpec) -> Result<(), Unplayable> {
        self.seat = sit_down(&self.game, &strategy, &self.limits)?;
        self.wanted = Some(strategy.clone());
        self.strategy = strategy;
        Ok(())
    }

    /// Plays as the computer of a level.
    ///
    /// # Errors
    /// When there is no such level.
    pub fn take_level(&mut self, text: &str) -> Result<(), String> {
        let level = text.parse().ok().filter(|level| LEVELS.contains(level));
        let (least, most) = LEVELS.into_inner();
        let level = level.ok_or_else(|| format!("`{text}` is no level from {least} to {most}"))?;
        let taken = self.take_up(StrategySpec::computer(level));
        taken.map_err(|error| error.to_string())
    }

    /// Sets what all lots depend on.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Clears the board for the next game of the series.
    pub fn new_game(&mut self) {
        self.line = self.game.line();
        self.round += 1;
        self.seat.forget();
    }

    /// Sets up a position.
    ///
    /// # Errors
    /// When there is no such position.
    pub fn set_up(&mut self, position: &str) -> Result<(), PositionError> {
        self.line = self.game.line_from(position)?;
        Ok(())
    }

    /// Takes up a line of play.
    ///
    /// # Errors
    /// When the strategy cannot play its game; everything then stays as it is.
    pub fn take_line(&mut self, line: Box<dyn AnyLine>) -> Result<(), Unplayable> {
        let game = line.game();
        if !game.is(&self.game) {
            self.turn_to(game)?;
        }
        if line.moves().is_empty() {
            self.new_game();
        }
        self.line = line;
        Ok(())
    }

    /// Clears the board without beginning another game.
    pub fn clear(&mut self) {
        self.line = self.game.line();
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &AnyGame {
        &self.game
    }

    /// Its cells in the protocols' notations.
    #[must_use]
    pub fn board(&self) -> &ProtocolNotation {
        &self.board
    }

    /// The strategy.
    #[must_use]
    pub fn strategy(&self) -> &StrategySpec {
        &self.strategy
    }

    /// The line of play.
    #[must_use]
    pub fn line(&self) -> &dyn AnyLine {
        &*self.line
    }

    /// Plays a move; a pass that was left out is put in.
    ///
    /// # Errors
    /// When it is illegal.
    pub fn play(&mut self, word: &str) -> Result<(), LineError> {
        self.line.extend(word)
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        self.line.undo()
    }

    /// Chooses a move without playing it; the decision has no candidates. Limits that are
    /// not given are the session's own.
    ///
    /// # Errors
    /// When the strategy has no move.
    pub fn choose(
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

    /// Chooses a move and says what it thinks of the others, under the same conditions.
    ///
    /// # Errors
    /// When the strategy has no move.
    pub fn decide(
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

    /// A pass without alternatives is not searched; many strategies cannot evaluate it.
    fn forced_pass(&self) -> Option<Decision> {
        (self.line.legal_moves() == [Move::PASS]).then(|| Decision {
            best: Move::PASS,
            candidates: Vec::new(),
            nodes: 0,
        })
    }

    fn context(&self, limits: &Limits, stop: &StopToken, listener: Option<Listener>) -> Context {
        let own = *limits == Limits::default();
        let limits = if own { self.limits } else { *limits };
        let mut context = Context::with_seed(self.seed).limited(limits, &SystemClock);
        context.stop = stop.clone();
        context.round = self.round;
        context.listener = listener;
        context
    }

    /// The result of a finished game, `B+12` as GTP writes it.
    #[must_use]
    pub fn final_score(&self) -> Option<String> {
        Some(match self.line.outcome()? {
            Outcome::Draw => "0".into(),
            Outcome::Win(winner) => {
                let letter = if winner == Player::First { 'B' } else { 'W' };
                format!("{letter}+{}", self.line.final_score(winner).abs())
            }
        })
    }

    /// A picture of the board in plain characters.
    #[must_use]
    pub fn picture(&self) -> String {
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
