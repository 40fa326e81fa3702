//! Spot checks of claims about a strategy: the strategy itself is asked.
//!
//! A proof can be far larger than what a server may spend on its check. So the strategy plays random
//! opponents that a worker cannot foresee, each of its moves in a losing line has to be its own, and
//! an answer that is claimed to be missing is asked for.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use papan_catalog::{Family, GameVisitor, StrategySpec, strategy_factory};
use papan_rules::{Line, Move, Player, SplitMix};
use papan_strategies::{Context, StopToken, Strategy, Turn};

/// Random opponents at most; the time limit of the check usually ends it before.
const MAX_OPPONENTS: usize = 1000;

/// A claim about a strategy.
pub(crate) enum Claim {
    /// It never loses.
    NeverLoses,
    /// It can lose in this way.
    LosesBy(Vec<Move>),
    /// It has no legal answer after these moves.
    NoAnswer(Vec<Move>),
    /// It uses a random seed.
    IsNondeterministic,
}

/// A claim to check, until it is stopped.
pub(crate) struct SpotCheck<'a> {
    pub(crate) strategy: &'a StrategySpec,
    /// Its seat.
    pub(crate) player: Player,
    pub(crate) claim: Claim,
    pub(crate) stop: &'a StopToken,
}

/// The end of a check before its claim is refuted.
struct Stopped;

impl GameVisitor for SpotCheck<'_> {
    /// The reason why the claim is false.
    type Output = Result<(), String>;

    fn visit<G: Family>(self, game: &Arc<G>) -> Result<(), String> {
        let Ok(factory) = strategy_factory(game, self.strategy) else {
            return Ok(());
        };
        if matches!(self.claim, Claim::IsNondeterministic) {
            let is_random = factory().is_nondeterministic();
            return is_random
                .then_some(())
                .ok_or_else(|| "the strategy is deterministic".into());
        }
        let mut asked = Asked {
            game: &**game,
            strategy: factory(),
            player: self.player,
            context: Context::default().stopped_by(self.stop),
            choices: Vec::new(),
        };
        let checked = match &self.claim {
            Claim::NeverLoses => asked.play_opponents(),
            Claim::LosesBy(moves) => asked.replay(moves, false),
            Claim::NoAnswer(moves) => asked.replay(moves, true),
            Claim::IsNondeterministic => Ok(Ok(())),
        };
        // A claim that is not refuted in time is accepted.
        checked.unwrap_or(Ok(()))
    }
}

struct Asked<'a, G: Family> {
    game: &'a G,
    strategy: Box<dyn Strategy<G>>,
    player: Player,
    context: Context,
    choices: Vec<Move>,
}

impl<G: Family> Asked<'_, G> {
    /// Asks for the moves that the strategy may play; none if one of them is illegal.
    fn ask(&mut self, line: &Line<G>) -> Result<(), Stopped> {
        let turn = Turn::new(self.game, line, &self.context);
        let answered = self.strategy.choices(turn, &mut self.choices);
        // A search that is interrupted may choose anything.
        if self.context.stop.is_stopped() {
            return Err(Stopped);
        }
        let game = self.game;
        let is_legal = |mv: &Move| game.is_legal(line.position(), *mv);
        if answered.is_err() || !self.choices.iter().all(is_legal) {
            self.choices.clear();
        }
        Ok(())
    }

    fn play_opponents(&mut self) -> Result<Result<(), String>, Stopped> {
        let mut random = SplitMix::new(RandomState::new().hash_one("opponents"));
        let game = self.game;
        for _ in 0..MAX_OPPONENTS {
            let mut line = Line::new(game);
            self.strategy.forget();
            while game.outcome(line.position()).is_none() {
                let mut moves: Vec<Move> = game.legal_moves(line.position()).collect();
                if game.turn(line.position()) == self.player && moves != [Move::PASS] {
                    self.ask(&line)?;
                    if self.choices.is_empty() {
                        let plies = line.moves().len();
                        return Ok(Err(format!("the strategy has no answer at ply {plies}")));
                    }
                    moves.clone_from(&self.choices);
                }
                let mv = moves[random.below(moves.len())];
                line.play(game, mv).expect("legal moves are played");
            }
            let outcome = game.outcome(line.position());
            if outcome.and_then(papan_rules::Outcome::winner) == Some(self.player.other()) {
                let moves = line.moves().iter().map(|mv| game.format_move(*mv));
                let moves: Vec<String> = moves.collect();
                return Ok(Err(format!("the strategy loses: {}", moves.join(" "))));
            }
        }
        Ok(Ok(()))
    }

    /// Checks that the strategy may play its part of a line, and what it does at its end.
    fn replay(
        &mut self,
        moves: &[Move],
        has_no_answer: bool,
    ) -> Result<Result<(), String>, Stopped> {
        let game = self.game;
        let mut line = Line::new(game);
        self.strategy.forget();
        for &mv in moves {
            if game.turn(line.position()) == self.player && mv != Move::PASS {
                self.ask(&line)?;
                if !self.choices.contains(&mv) {
                    let mv = game.format_move(mv);
                    return Ok(Err(format!("the strategy does not play {mv} in its line")));
                }
            }
            if line.play(game, mv).is_err() {
                return Ok(Err("its line is illegal".into()));
            }
        }
        if has_no_answer {
            if game.turn(line.position()) != self.player {
                return Ok(Err("the strategy is not to move after its line".into()));
            }
            self.ask(&line)?;
            if !self.choices.is_empty() {
                return Ok(Err("the strategy has an answer after its line".into()));
            }
        }
        Ok(Ok(()))
    }
}
