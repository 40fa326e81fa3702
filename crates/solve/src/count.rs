//! Enumeration of a game: the numbers of positions, games and final positions.
//!
//! Breadth-first over one representative of each symmetry class. Every node carries the number of
//! paths that lead to it, so games are added up without being enumerated.

use papan_rules::{Outcome, Player, Symmetric, Symmetry};
use papan_strategies::{StepKind, Watch};
use rustc_hash::{FxHashMap, FxHashSet};

/// A value for each result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts<T> {
    /// The first player wins.
    pub first: T,
    /// The second player wins.
    pub second: T,
    /// Draws.
    pub draws: T,
}

impl<T> ResultCounts<T> {
    fn of(&mut self, outcome: Outcome) -> &mut T {
        match outcome {
            Outcome::Win(Player::First) => &mut self.first,
            Outcome::Win(Player::Second) => &mut self.second,
            Outcome::Draw => &mut self.draws,
        }
    }
}

impl<T: Copy + std::ops::Add<Output = T>> ResultCounts<T> {
    /// Returns the sum.
    pub fn total(&self) -> T {
        self.first + self.second + self.draws
    }
}

/// The counts of a game, in total and up to the symmetries that fix the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Distinct positions, with the start and the final ones.
    pub positions: u64,
    /// The same up to symmetry.
    pub positions_up_to_symmetry: u64,
    /// Games, as sequences of moves from the start to a final position.
    pub games: ResultCounts<u128>,
    /// Games, with moves to symmetric positions counted as one.
    pub games_up_to_symmetry: ResultCounts<u128>,
    /// Distinct final positions.
    pub endings: ResultCounts<u64>,
    /// The same up to symmetry.
    pub endings_up_to_symmetry: ResultCounts<u64>,
    /// Plies of the longest game.
    pub longest: usize,
}

/// Why a game cannot be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// It was stopped.
    #[error("stopped before the end")]
    Stopped,
    /// Too many positions for the memory.
    #[error("more than {0} positions would have to be held at once")]
    TooLarge(usize),
    /// There are more games than 128 bits can count.
    #[error("too many games to count: more than 3.4e38")]
    TooMany,
}

/// Maximum number of positions in memory; a few gigabytes.
const MAX_POSITIONS: usize = 20_000_000;

/// Number of paths to a position, in total and up to symmetry.
#[derive(Clone, Copy, Debug, Default)]
struct Paths {
    all: u128,
    distinct: u128,
}

impl Paths {
    fn add(&mut self, all: u128, distinct: u128) -> Result<(), CountError> {
        let sum = |a: u128, b: u128| a.checked_add(b).ok_or(CountError::TooMany);
        self.all = sum(self.all, all)?;
        self.distinct = sum(self.distinct, distinct)?;
        Ok(())
    }
}

/// Counts positions, games and final positions.
///
/// ```
/// use papan_rules::tictactoe;
/// use papan_solve::count;
/// use papan_strategies::Watch;
///
/// let counts = count(&tictactoe(), &Watch::default())?;
/// assert_eq!(counts.games.total(), 255_168);
/// let endings = counts.endings_up_to_symmetry;
/// assert_eq!((endings.first, endings.second, endings.draws), (91, 44, 3));
/// # Ok::<(), papan_solve::CountError>(())
/// ```
///
/// # Errors
/// If it is stopped, or the game is too large.
pub fn count<G: Symmetric>(game: &G, watch: &Watch) -> Result<GameCounts, CountError> {
    let counter = Counter::new(game);
    let mut counts = GameCounts::default();
    // If moves need not fill a cell, a position can occur on several levels; count it once.
    let mut seen = (!game.properties().fills_up).then(FxHashSet::default);
    let start = game.start();
    let first = Paths {
        all: 1,
        distinct: 1,
    };
    let mut level = FxHashMap::default();
    level.insert(game.pack(&start), (start, first));
    let mut held = 0;
    for ply in 0.. {
        watch.begin_step(ply, StepKind::Positions, level.len() as u64);
        if level.is_empty() {
            break;
        }
        counts.longest = ply;
        let mut next = FxHashMap::default();
        for (key, (pos, paths)) in level {
            watch.check_stop().map_err(|_| CountError::Stopped)?;
            watch.advance(1, 1);
            if seen.as_mut().is_none_or(|seen| seen.insert(key)) {
                held += usize::from(seen.is_some());
                counter.position(&pos, &mut counts);
            }
            if let Some(outcome) = game.outcome(&pos) {
                add(counts.games.of(outcome), paths.all)?;
                add(counts.games_up_to_symmetry.of(outcome), paths.distinct)?;
                continue;
            }
            for child in counter.children(&pos) {
                let all = paths
                    .all
                    .checked_mul(child.moves)
                    .ok_or(CountError::TooMany)?;
                let (_, sum) = next
                    .entry(child.key)
                    .or_insert((child.position, Paths::default()));
                sum.add(all, paths.distinct)?;
            }
            if held + next.len() > MAX_POSITIONS {
                return Err(CountError::TooLarge(MAX_POSITIONS));
            }
        }
        level = next;
    }
    // The total must not overflow either.
    let mut total = 0;
    for part in [counts.games.first, counts.games.second, counts.games.draws] {
        add(&mut total, part)?;
    }
    Ok(counts)
}

fn add(sum: &mut u128, more: u128) -> Result<(), CountError> {
    *sum = sum.checked_add(more).ok_or(CountError::TooMany)?;
    Ok(())
}

/// A representative after one move.
struct Child<G: Symmetric> {
    key: G::Packed,
    position: G::Position,
    /// Number of moves that lead to its symmetry class.
    moves: u128,
}

struct Counter<'a, G: Symmetric> {
    game: &'a G,
    /// The symmetries that fix the start. The set of reachable positions is symmetric only under
    /// these.
    symmetries: Vec<&'a Symmetry>,
}

impl<'a, G: Symmetric> Counter<'a, G> {
    fn new(game: &'a G) -> Self {
        let start = game.start();
        let fixes = |symmetry: &&Symmetry| game.transform(&start, symmetry) == start;
        Self {
            game,
            symmetries: game.symmetries().iter().filter(fixes).collect(),
        }
    }

    fn images(&self, pos: &G::Position) -> impl Iterator<Item = G::Position> {
        let symmetries = self.symmetries.iter();
        symmetries.map(|symmetry| self.game.transform(pos, symmetry))
    }

    /// Counts a representative and its symmetry class.
    fn position(&self, pos: &G::Position, counts: &mut GameCounts) {
        let mut images: Vec<G::Packed> = self.images(pos).map(|p| self.game.pack(&p)).collect();
        images.sort_unstable();
        images.dedup();
        let orbit = images.len() as u64;
        counts.positions += orbit;
        counts.positions_up_to_symmetry += 1;
        if let Some(outcome) = self.game.outcome(pos) {
            *counts.endings.of(outcome) += orbit;
            *counts.endings_up_to_symmetry.of(outcome) += 1;
        }
    }

    /// Returns the representatives after one move, with the number of moves to each.
    fn children(&self, pos: &G::Position) -> Vec<Child<G>> {
        let mut children: Vec<Child<G>> = Vec::new();
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            let images = self.images(&next).map(|p| (self.game.pack(&p), p));
            let (key, position) = images
                .min_by_key(|(key, _)| *key)
                .expect("the identity fixes the start");
            match children.iter_mut().find(|child| child.key == key) {
                Some(child) => child.moves += 1,
                None => children.push(Child {
                    key,
                    position,
                    moves: 1,
                }),
            }
        }
        children
    }
}
