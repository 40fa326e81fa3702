//! Strategies with the fewest positions to look up.
//!
//! Positions count up to all symmetries of the board, taken anew at every move. A
//! strategy that never loses is then a closed set: each position has one move, and
//! whatever the opponent replies is in the set again. Few positions leave a real
//! choice, so trying every choice, and giving up as soon as the set is no smaller
//! than the best one known, finds a smallest set and proves that none is smaller.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use papan_rules::{GameInfo, Move, Outcome, Player, Symmetric};
use papan_strategies::{Watch, list_text};

use crate::ProveError;

/// A strategy that never loses, with as few positions to look up as there can be.
#[derive(Clone, Debug)]
pub struct SmallestStrategy<P> {
    /// The positions and the moves in them, by the number of pieces.
    pub answers: Vec<(P, Move)>,
    /// How many sets were looked at to know that none is smaller.
    pub tried: u64,
}

/// Why there is no smallest strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmallestStrategyError {
    /// The opponent can always win.
    #[error("whoever plays there can be beaten: there is no strategy that never loses")]
    Lost,
    /// Too many positions to try them all.
    #[error("the board has more than {0} positions to choose from")]
    TooLarge(usize),
    /// The opening is not a legal move.
    #[error("that opening is not a legal move")]
    Opening,
    /// Somebody asked to stop.
    #[error(transparent)]
    Stopped(#[from] ProveError),
}

/// Positions that are looked at, at most.
const MAX_POSITIONS: usize = 20_000;

/// A smallest strategy for `player`; a first player may be told where to open.
///
/// # Errors
/// When there is none, or the board is too large.
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
    let mut search = Search {
        options: &choices.options,
        best: None,
        tried: 0,
        watch,
    };
    search.grow(&Set::default().with(&choices.options, &starts))?;
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
    /// The list as `lookup(file=…)` reads it.
    #[must_use]
    pub fn text<G: GameInfo<Position = P>>(&self, game: &G) -> String {
        list_text(game, self.answers.iter().map(|(pos, mv)| (pos, *mv)))
    }
}

fn pieces<G: Symmetric>(game: &G, pos: &G::Position) -> usize {
    let occupied = |&cell: &usize| game.piece(pos, cell).is_some();
    (0..game.cells()).filter(occupied).count()
}

/// A move, and the positions that it asks the strategy to know.
type Answer<K> = (Move, BTreeSet<K>);

/// Every position that may have to be looked up, with the moves worth playing.
struct Choices<'a, G: Symmetric> {
    game: &'a G,
    player: Player,
    opening: Option<Move>,
    positions: HashMap<G::Packed, G::Position>,
    /// Empty where every move can be beaten.
    options: BTreeMap<G::Packed, Vec<Answer<G::Packed>>>,
}

impl<G: Symmetric> Choices<'_, G> {
    /// The positions with the strategy to move to which play can come from here;
    /// `None` when the opponent can win on the way.
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

    /// Finds the moves that never lose from a position; `false` if there is none.
    fn explore(&mut self, key: G::Packed) -> Result<bool, SmallestStrategyError> {
        if let Some(known) = self.options.get(&key) {
            return Ok(!known.is_empty());
        }
        if self.options.len() >= MAX_POSITIONS {
            return Err(SmallestStrategyError::TooLarge(MAX_POSITIONS));
        }
        let pos = self.positions[&key].clone();
        let mut found: Vec<Answer<G::Packed>> = Vec::new();
        let opening = self.opening.filter(|_| pos == self.game.start());
        for mv in self.game.legal_moves(&pos) {
            if opening.is_some_and(|opening| opening != mv) {
                continue;
            }
            let next = self.game.after(&pos, mv);
            let Some(asked) = self.arrivals(&next) else {
                continue;
            };
            let mut holds = true;
            for &below in &asked {
                holds &= self.explore(below)?;
            }
            if holds {
                found.push((mv, asked));
            }
        }
        // A move that asks for less makes one that asks for more useless.
        let smaller = |(at, other): (usize, &Answer<G::Packed>)| {
            !found.iter().enumerate().any(|(place, (_, asked))| {
                let fewer = asked.len() < other.1.len() || place < at;
                place != at && fewer && asked.is_subset(&other.1)
            })
        };
        let kept = found.iter().enumerate().filter(|&pair| smaller(pair));
        let kept: Vec<Answer<G::Packed>> = kept.map(|(_, answer)| answer.clone()).collect();
        let holds = !kept.is_empty();
        self.options.insert(key, kept);
        Ok(holds)
    }
}

/// Positions that must be looked up, and what has been decided of them.
#[derive(Clone)]
struct Set<K> {
    moves: BTreeMap<K, Move>,
    undecided: BTreeSet<K>,
}

impl<K> Default for Set<K> {
    fn default() -> Self {
        Self {
            moves: BTreeMap::new(),
            undecided: BTreeSet::new(),
        }
    }
}

impl<K: Copy + Ord> Set<K> {
    fn len(&self) -> usize {
        self.moves.len() + self.undecided.len()
    }

    /// The set with these positions, and all that follow where there is no choice.
    fn with(&self, options: &BTreeMap<K, Vec<Answer<K>>>, asked: &BTreeSet<K>) -> Self {
        let mut set = self.clone();
        let mut open: Vec<K> = asked.iter().copied().collect();
        while let Some(key) = open.pop() {
            if set.moves.contains_key(&key) || set.undecided.contains(&key) {
                continue;
            }
            match &options[&key][..] {
                [(mv, asked)] => {
                    set.moves.insert(key, *mv);
                    open.extend(asked);
                }
                _ => {
                    set.undecided.insert(key);
                }
            }
        }
        set
    }
}

struct Search<'a, K> {
    options: &'a BTreeMap<K, Vec<Answer<K>>>,
    best: Option<Set<K>>,
    tried: u64,
    watch: &'a Watch,
}

impl<K: Copy + Ord> Search<'_, K> {
    /// Decides one more position, in every way.
    fn grow(&mut self, set: &Set<K>) -> Result<(), ProveError> {
        self.watch.check_stop()?;
        self.watch.advance(0, 1);
        self.tried += 1;
        // What is in the set stays in it: it can only become larger.
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
        for (mv, asked) in &self.options[&key] {
            let mut next = set.clone();
            next.undecided.remove(&key);
            next.moves.insert(key, *mv);
            self.grow(&next.with(self.options, asked))?;
        }
        Ok(())
    }
}
