//! `computer`: an opponent of adjustable strength.
//!
//! It searches to the depth of its level, scores every move, and adds noise to each score that is a
//! function of the move, the position and the game's seed. It therefore errs like people: it misses
//! deep lines and prefers some good moves to others. The same seed gives the same game everywhere.

mod judges;
mod levels;

use papan_rules::{Game, Line, Move, SplitMix};
use papan_strategies::{Context, Decision, Limits, NoMove, Strategy, Term, Turn, Value};

pub(crate) use judges::{at_any_game, at_gomoku, at_grid, at_othello};
use levels::Level;
pub use levels::{DEFAULT_LEVEL, LEVELS};

use crate::strategy_info::Arguments;

/// Who judges the moves, at a game of one type.
struct Judge<G: Game> {
    /// Weighs every move to a depth.
    weigher: Box<dyn Strategy<G>>,
    /// Plays as well as it can.
    best: Box<dyn Strategy<G>>,
    /// The term with the score of a move.
    unit: &'static str,
    /// Whether the scoring strategy may keep its tables between moves without changing its answers.
    may_remember: bool,
}

/// The player behind `computer(level=N)`.
struct Computer<G: Game> {
    level: Level,
    judge: Judge<G>,
    seed: Option<u64>,
}

impl<G: Game> Computer<G> {
    fn new(level: Level, judge: Judge<G>, arguments: &Arguments) -> Self {
        Self {
            level,
            judge,
            seed: arguments.number("seed"),
        }
    }

    /// The context of a decision at this level: its nodes, and how deep it looks this time.
    fn narrowed(&self, line: &Line<G>, context: &Context) -> Context {
        let given = *context.limits();
        if self.level.patient && given != Limits::default() {
            return context.clone();
        }
        let depth = self.level.depth_at(self.random(line, context, 0));
        context.with_limits(Limits {
            nodes: self.level.nodes.into_iter().chain(given.nodes).min(),
            depth: depth.into_iter().chain(given.depth).min(),
            ..given
        })
    }

    /// Earlier moves must not influence this one. Without a time limit the scoring strategies
    /// ensure it themselves.
    fn begin(&mut self, context: &Context, noise: i64) {
        if self.judge.may_remember || self.level.patient || !context.budget().is_limited() {
            return;
        }
        match noise {
            0 => self.judge.best.forget(),
            _ => self.judge.weigher.forget(),
        }
    }

    /// A number that belongs to the game's seed, the position and one thing in it.
    fn random(&self, line: &Line<G>, context: &Context, thing: u64) -> u64 {
        let here = context.random(self.seed, line);
        SplitMix::new(here ^ thing.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next()
    }

    /// How far off the judgement of a move is.
    fn misjudgement(&self, line: &Line<G>, context: &Context, mv: Move, noise: i64) -> i64 {
        let thing = mv.cell().map_or(u64::MAX, |cell| cell as u64 + 1);
        bell(self.random(line, context, thing)) * noise / BELL_DEVIATION
    }

    /// Every move as this level sees it, the one that it likes best chosen.
    fn judged(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        noise: i64,
    ) -> Result<Decision, NoMove> {
        let mut decision = self.judge.weigher.decide(Turn::new(game, line, context))?;
        let unit = self.judge.unit;
        let mut liked: Option<(i64, Move)> = None;
        for candidate in &mut decision.candidates {
            let worth = worth(&candidate.terms, unit);
            let felt = worth + self.misjudgement(line, context, candidate.mv, noise);
            for term in &mut candidate.terms {
                term.decides = false;
            }
            candidate
                .terms
                .insert(0, Term::deciding("felt", felt / PARTS));
            if liked.is_none_or(|(most, _)| felt > most) {
                liked = Some((felt, candidate.mv));
            }
        }
        if let Some((_, mv)) = liked {
            decision.best = mv;
        }
        Ok(decision)
    }
}

/// Parts of the judge's unit, so that a misjudgement may be smaller than one.
const PARTS: i64 = 100;

/// Returns the score of a move in parts; among moves with the same outcome, the sooner win and the
/// later loss.
fn worth(terms: &[Term], unit: &str) -> i64 {
    let number = |name: &str| {
        let term = terms.iter().find(|term| term.name == name)?;
        match term.value {
            Value::Number(number) => Some(number),
            _ => None,
        }
    };
    number(unit).unwrap_or(0) * PARTS + number("plies").unwrap_or(0)
}

/// The standard deviation of [`bell`].
const BELL_DEVIATION: i64 = 147;

/// A number of the bell curve around 0, from four even ones between -127 and 128. Integers,
/// so that every machine finds the same.
fn bell(random: u64) -> i64 {
    let even = random.to_le_bytes();
    even[..4].iter().map(|&byte| i64::from(byte)).sum::<i64>() - 510
}

impl<G: Game> Strategy<G> for Computer<G> {
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let noise = self.level.noise_at(line.ply());
        self.begin(context, noise);
        let narrow = self.narrowed(line, context);
        match noise {
            0 => self.judge.best.choices(Turn::new(game, line, &narrow), out),
            noise => {
                let decision = self.judged(game, line, &narrow, noise)?;
                out.clear();
                out.push(decision.best);
                Ok(decision.nodes)
            }
        }
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let noise = self.level.noise_at(line.ply());
        self.begin(context, noise);
        let narrow = self.narrowed(line, context);
        match noise {
            0 => self.judge.best.decide(Turn::new(game, line, &narrow)),
            noise => self.judged(game, line, &narrow, noise),
        }
    }

    fn is_nondeterministic(&self) -> bool {
        true
    }

    fn seed(&self) -> Option<u64> {
        self.seed
    }

    fn forget(&mut self) {
        self.judge.weigher.forget();
        self.judge.best.forget();
    }
}
