//! How many positions, games and endings a game has.
//!
//! Positions are visited level by level, one of each symmetric set; every node
//! carries the number of ways that lead to it, so that games are added up, never
//! walked.

use papan_rules::{Outcome, Player, Symmetric, Symmetry};
use papan_strategies::{StepKind, Watch};
use rustc_hash::{FxHashMap, FxHashSet};

/// A number for each result of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultCounts<T> {
    /// The first player wins.
    pub first: T,
    /// The second player wins.
    pub second: T,
    /// Nobody wins.
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
    /// All together.
    pub fn total(&self) -> T {
        self.first + self.second + self.draws
    }
}

/// What a game has, all of it, and up to the symmetries that keep its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Different positions, the start and the finished ones too.
    pub positions: u64,
    /// The same up to symmetry.
    pub positions_up_to_symmetry: u64,
    /// Games: sequences of moves from the start to an end.
    pub games: ResultCounts<u128>,
    /// Games in which moves that lead to symmetric positions are one move.
    pub games_up_to_symmetry: ResultCounts<u128>,
    /// Different finished positions.
    pub endings: ResultCounts<u64>,
    /// The same up to symmetry.
    pub endings_up_to_symmetry: ResultCounts<u64>,
    /// Moves of the longest game.
    pub longest: usize,
}

/// Why there is no count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// Somebody asked to stop.
    #[error("stopped before the end")]
    Stopped,
    /// The positions do not fit into memory.
    #[error("more than {0} positions would have to be held at once")]
    TooLarge(usize),
    /// There are more games than a number of 128 bits holds.
    #[error("too many games to count: more than 3.4e38")]
    TooMany,
}

/// Positions that may be held at once: a few gigabytes.
const MAX_POSITIONS: usize = 20_000_000;

/// How many ways lead to a position: all of them, and up to symmetry.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    all: u128,
    distinct: u128,
}

impl Ways {
    fn add(&mut self, all: u128, distinct: u128) -> Result<(), CountError> {
        let sum = |a: u128, b: u128| a.checked_add(b).ok_or(CountError::TooMany);
        self.all = sum(self.all, all)?;
        self.distinct = sum(self.distinct, distinct)?;
        Ok(())
    }
}

/// Counts positions, games and endings.
///
/// ```
/// use papan_rules::tictactoe;
/// use papan_solve::count;
/// use papan_strategies::Watch;
///
/// let census = count(&tictactoe(), &Watch::default())?;
/// assert_eq!(census.games.total(), 255_168);
/// let endings = census.endings_up_to_symmetry;
/// assert_eq!((endings.first, endings.second, endings.draws), (91, 44, 3));
/// # Ok::<(), papan_solve::CountError>(())
/// ```
///
/// # Errors
/// When it was stopped, or the game is too large.
pub fn count<G: Symmetric>(game: &G, watch: &Watch) -> Result<GameCounts, CountError> {
    let counter = Counter::new(game);
    let mut census = GameCounts::default();
    // Where a move need not fill a cell, one position can be several numbers of
    // moves away, and is to be counted once.
    let mut seen = (!game.properties().fills_up).then(FxHashSet::default);
    let start = game.start();
    let first = Ways {
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
        census.longest = ply;
        let mut next = FxHashMap::default();
        for (key, (pos, ways)) in level {
            watch.check_stop().map_err(|_| CountError::Stopped)?;
            watch.advance(1, 1);
            if seen.as_mut().is_none_or(|seen| seen.insert(key)) {
                held += usize::from(seen.is_some());
                counter.position(&pos, &mut census);
            }
            if let Some(outcome) = game.outcome(&pos) {
                add(census.games.of(outcome), ways.all)?;
                add(census.games_up_to_symmetry.of(outcome), ways.distinct)?;
                continue;
            }
            for (key, child, moves) in counter.children(&pos) {
                let all = ways.all.checked_mul(moves).ok_or(CountError::TooMany)?;
                let (_, sum) = next.entry(key).or_insert((child, Ways::default()));
                sum.add(all, ways.distinct)?;
            }
            if held + next.len() > MAX_POSITIONS {
                return Err(CountError::TooLarge(MAX_POSITIONS));
            }
        }
        level = next;
    }
    // So that a total of them can be asked for.
    let mut total = 0;
    for part in [census.games.first, census.games.second, census.games.draws] {
        add(&mut total, part)?;
    }
    Ok(census)
}

fn add(sum: &mut u128, more: u128) -> Result<(), CountError> {
    *sum = sum.checked_add(more).ok_or(CountError::TooMany)?;
    Ok(())
}

struct Counter<'a, G: Symmetric> {
    game: &'a G,
    /// The symmetries that keep the start: only under these does what can be
    /// reached lie symmetric.
    symmetries: Vec<&'a Symmetry>,
}

impl<'a, G: Symmetric> Counter<'a, G> {
    fn new(game: &'a G) -> Self {
        let start = game.start();
        let keeps = |symmetry: &&Symmetry| game.transform(&start, symmetry) == start;
        Self {
            game,
            symmetries: game.symmetries().iter().filter(keeps).collect(),
        }
    }

    fn images(&self, pos: &G::Position) -> impl Iterator<Item = G::Position> {
        let symmetries = self.symmetries.iter();
        symmetries.map(|symmetry| self.game.transform(pos, symmetry))
    }

    /// Adds a representative and all that are symmetric to it.
    fn position(&self, pos: &G::Position, census: &mut GameCounts) {
        let mut images: Vec<G::Packed> = self.images(pos).map(|p| self.game.pack(&p)).collect();
        images.sort_unstable();
        images.dedup();
        let orbit = images.len() as u64;
        census.positions += orbit;
        census.positions_up_to_symmetry += 1;
        if let Some(outcome) = self.game.outcome(pos) {
            *census.endings.of(outcome) += orbit;
            *census.endings_up_to_symmetry.of(outcome) += 1;
        }
    }

    /// The representatives that one move leads to, and how many moves lead to each.
    fn children(&self, pos: &G::Position) -> Vec<(G::Packed, G::Position, u128)> {
        let mut children: Vec<(G::Packed, G::Position, u128)> = Vec::new();
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            let images = self.images(&next).map(|p| (self.game.pack(&p), p));
            let (key, child) = images
                .min_by_key(|(key, _)| *key)
                .expect("the identity keeps the start");
            match children.iter_mut().find(|(other, ..)| *other == key) {
                Some((.., moves)) => *moves += 1,
                None => children.push((key, child, 1)),
            }
        }
        children
    }
}
