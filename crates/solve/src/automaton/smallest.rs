//! Strategies with the fewest positions, by branch and bound.
//!
//! Positions count up to all symmetries of the board, applied anew at every move. A strategy that
//! never loses is then a closed set of positions: each has one move, and every reply leads to the
//! set again. Few positions leave a real choice, so trying every choice and abandoning sets that
//! are no smaller than the best one finds a minimum and proves it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use papan_rules::{GameInfo, Move, Outcome, Player, Symmetric};
use papan_strategies::{Watch, list_text};

use crate::ProveError;

/// A strategy that never loses, with the fewest positions.
#[derive(Clone, Debug)]
pub struct SmallestStrategy<P> {
    /// The positions and their moves, by the number of pieces.
    pub answers: Vec<(P, Move)>,
    /// Number of sets examined.
    pub tried: u64,
}

/// Why there is no smallest strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmallestStrategyError {
    /// The opponent can force a win.
    #[error("the opponent can force a win: there is no strategy that never loses")]
    Lost,
    /// Too many positions.
    #[error("the board has more than {0} positions to choose from")]
    TooLarge(usize),
    /// The opening is not a legal move.
    #[error("that opening is not a legal move")]
    Opening,
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] ProveError),
}

/// Maximum number of positions explored.
const MAX_POSITIONS: usize = 20_000;

/// Finds a smallest strategy for `player`, optionally with a fixed opening.
///
/// # Errors
/// If there is none, or the board is too large.
pub fn smallest_strategy<G: Symmetric>(
    game: &G,
    player: Player,
    opening: Option<Move>,
    watch: &Watch,
) -> Result<SmallestStrategy<G::Position>, SmallestStrategyError> {
    let mut choices = Choices {
        game,
        player,
        opening,
        positions: HashMap::new(),
        options: BTreeMap::new(),
    };
    if opening.is_some_and(|mv| !game.is_legal(&game.start(), mv)) {
        return Err(SmallestStrategyError::Opening);
    }
    let starts = choices
        .arrivals(&game.start())
        .ok_or(SmallestStrategyError::Lost)?;
    for &start in &starts {
        if !choices.explore(start)? {
            return Err(SmallestStrategyError::Lost);
        }
    }
    let mut search = BranchAndBound {
        options: &choices.options,
        best: None,
        tried: 0,
        watch,
    };
    search.grow(&PartialStrategy::default().with(&choices.options, &starts))?;
    let best = search
        .best
        .expect("every start can be played without a loss");
    let answers = best
        .moves
        .iter()
        .map(|(key, &mv)| (choices.positions[key].clone(), mv));
    let mut answers: Vec<(G::Position, Move)> = answers.collect();
    answers.sort_by_key(|(pos, _)| (pieces(game, pos), game.pack(pos)));
    Ok(SmallestStrategy {
        answers,
        tried: search.tried,
    })
}

impl<P> SmallestStrategy<P> {
    /// Returns the list in the format of `lookup(file=…)`.
    #[must_use]
    pub fn text<G: GameInfo<Position = P>>(&self, game: &G) -> String {
        list_text(game, self.answers.iter().map(|(pos, mv)| (pos, *mv)))
    }
}

fn pieces<G: Symmetric>(game: &G, pos: &G::Position) -> usize {
    let occupied = |&cell: &usize| game.piece(pos, cell).is_some();
    (0..game.cells()).filter(occupied).count()
}

/// A move that never loses.
#[derive(Clone)]
struct SafeMove<K> {
    mv: Move,
    /// The positions that the strategy must contain after it.
    required: BTreeSet<K>,
}

/// The positions that a strategy may need, with their moves worth playing.
struct Choices<'a, G: Symmetric> {
    game: &'a G,
    player: Player,
    opening: Option<Move>,
    positions: HashMap<G::Packed, G::Position>,
    /// Safe moves of each position; empty if every move loses.
    options: BTreeMap<G::Packed, Vec<SafeMove<G::Packed>>>,
}

impl<G: Symmetric> Choices<'_, G> {
    /// Returns the positions with the strategy to move that follow this one; `None` if the opponent
    /// can win before.
    fn arrivals(&mut self, pos: &G::Position) -> Option<BTreeSet<G::Packed>> {
        if let Some(outcome) = self.game.outcome(pos) {
            let lost = outcome == Outcome::Win(self.player.other());
            return (!lost).then(BTreeSet::new);
        }
        if self.game.turn(pos) == self.player {
            let (representative, _) = self.game.canonical(pos);
            let key = self.game.pack(&representative);
            self.positions.insert(key, representative);
            return Some(BTreeSet::from([key]));
        }
        let mut all = BTreeSet::new();
        for reply in self.game.legal_moves(pos) {
            let next = self.game.after(pos, reply);
            all.extend(self.arrivals(&next)?);
        }
        Some(all)
    }

    /// Finds the safe moves of a position; returns whether there are any.
    fn explore(&mut self, key: G::Packed) -> Result<bool, SmallestStrategyError> {
        if let Some(known) = self.options.get(&key) {
            return Ok(!known.is_empty());
        }
        if self.options.len() >= MAX_POSITIONS {
            return Err(SmallestStrategyError::TooLarge(MAX_POSITIONS));
        }
        let pos = self.positions[&key].clone();
        let mut found: Vec<SafeMove<G::Packed>> = Vec::new();
        let opening = self.opening.filter(|_| pos == self.game.start());
        for mv in self.game.legal_moves(&pos) {
            if opening.is_some_and(|opening| opening != mv) {
                continue;
            }
            let next = self.game.after(&pos, mv);
            let Some(required) = self.arrivals(&next) else {
                continue;
            };
            let mut holds = true;
            for &below in &required {
                holds &= self.explore(below)?;
            }
            if holds {
                found.push(SafeMove { mv, required });
            }
        }
        // A move that requires a subset of another's positions makes the other one useless.
        let is_minimal = |&at: &usize| {
            let own = &found[at].required;
            !found.iter().enumerate().any(|(other, safe)| {
                let is_smaller = safe.required.len() < own.len() || other < at;
                other != at && is_smaller && safe.required.is_subset(own)
            })
        };
        let minimal: Vec<SafeMove<G::Packed>> = (0..found.len())
            .filter(is_minimal)
            .map(|at| found[at].clone())
            .collect();
        let is_safe = !minimal.is_empty();
        self.options.insert(key, minimal);
        Ok(is_safe)
    }
}

/// A partial strategy: positions with a chosen move, and positions that need one.
#[derive(Clone)]
struct PartialStrategy<K> {
    moves: BTreeMap<K, Move>,
    undecided: BTreeSet<K>,
}

impl<K> Default for PartialStrategy<K> {
    fn default() -> Self {
        Self {
            moves: BTreeMap::new(),
            undecided: BTreeSet::new(),
        }
    }
}

impl<K: Copy + Ord> PartialStrategy<K> {
    fn len(&self) -> usize {
        self.moves.len() + self.undecided.len()
    }

    /// Adds positions, and those that follow from them without a choice.
    fn with(&self, options: &BTreeMap<K, Vec<SafeMove<K>>>, required: &BTreeSet<K>) -> Self {
        let mut set = self.clone();
        let mut open: Vec<K> = required.iter().copied().collect();
        while let Some(key) = open.pop() {
            if set.moves.contains_key(&key) || set.undecided.contains(&key) {
                continue;
            }
            match &options[&key][..] {
                [SafeMove { mv, required }] => {
                    set.moves.insert(key, *mv);
                    open.extend(required);
                }
                _ => {
                    set.undecided.insert(key);
                }
            }
        }
        set
    }
}

struct BranchAndBound<'a, K> {
    options: &'a BTreeMap<K, Vec<SafeMove<K>>>,
    best: Option<PartialStrategy<K>>,
    tried: u64,
    watch: &'a Watch,
}

impl<K: Copy + Ord> BranchAndBound<'_, K> {
    /// Tries every move of one more position.
    fn grow(&mut self, set: &PartialStrategy<K>) -> Result<(), ProveError> {
        self.watch.check_stop()?;
        self.watch.advance(0, 1);
        self.tried += 1;
        // The set only grows: prune if it is no smaller than the best one.
        if self
            .best
            .as_ref()
            .is_some_and(|best| set.len() >= best.len())
        {
            return Ok(());
        }
        let Some(&key) = set.undecided.first() else {
            self.best = Some(set.clone());
            return Ok(());
        };
        for SafeMove { mv, required } in &self.options[&key] {
            let mut next = set.clone();
            next.undecided.remove(&key);
            next.moves.insert(key, *mv);
            self.grow(&next.with(self.options, required))?;
        }
        Ok(())
    }
}
