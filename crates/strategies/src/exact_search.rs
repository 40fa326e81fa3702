//! Exact search: the value of a position and the distance to the end, by iterative deepening.
//!
//! One number, the *worth*, encodes both: every ply until the end makes a win's final score
//! slightly smaller and a loss's slightly larger. A search to a fixed depth finds the worths
//! decided within it and takes all others for 0, so its result bounds the worth. Only such bounds
//! are stored in the table: they hold for every depth, so earlier queries change how long an answer
//! takes, never the answer.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use papan_rules::{Move, Symmetric};

use crate::stable_hash::StableHasher;
use crate::{Context, LimitChecker, Limits, Progress};

/// Table of bounds of worths.
pub(crate) type Table<P> = HashMap<P, Bounds, BuildHasherDefault<StableHasher>>;

/// The worth lies between these, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    lower: i32,
    upper: i32,
}

/// Positions with more pieces than this are not looked up by symmetry: turning
/// the board costs more than it finds.
const SYMMETRIC_PIECES: u32 = 8;

/// Maximum size of the table's entries in bytes; a growing table holds them twice.
const MAX_BYTES: usize = 480_000_000;

/// More than any worth.
const INFINITE: i32 = i32::MAX;

/// One point of the final score: more than twice the plies of any game.
const POINT: i32 = 1 << 16;

/// More plies than any game has.
const TO_THE_END: i32 = POINT / 2;

impl Bounds {
    const NONE: Self = Self {
        lower: -INFINITE,
        upper: INFINITE,
    };

    /// Returns the bounds that a search of `depth` plies sees.
    fn within(self, depth: i32) -> Self {
        Self {
            lower: within(self.lower, depth),
            upper: within(self.upper, depth),
        }
    }

    /// Returns the bounds of a worth from those seen by a search of `depth` plies.
    fn beyond(self, depth: i32) -> Self {
        let undecided = POINT - depth - 1;
        let lower = match self.lower {
            won @ 1.. => won,
            other => other.min(-undecided),
        };
        let upper = match self.upper {
            lost @ ..=-1 => lost,
            other => other.max(undecided),
        };
        Self { lower, upper }
    }

    fn and(self, other: Self) -> Self {
        Self {
            lower: self.lower.max(other.lower),
            upper: self.upper.min(other.upper),
        }
    }
}

/// A worth as a search of `depth` plies sees it: 0 when it is decided later.
fn within(worth: i32, depth: i32) -> i32 {
    if worth.abs() >= POINT - depth {
        worth
    } else {
        0
    }
}

/// A worth as it is seen one ply earlier.
fn earlier(worth: i32) -> i32 {
    worth - worth.signum()
}

/// A bound as it is seen one ply later.
fn later(bound: i32) -> i32 {
    bound.saturating_add(bound.signum()).max(-INFINITE)
}

/// Returns the final score of a worth and the plies until the end; a draw has none.
pub(crate) fn score_and_plies(worth: i32) -> (i32, u32) {
    let score = (worth.abs() + POINT - 1) / POINT;
    let plies = score * POINT - worth.abs();
    (score * worth.signum(), plies as u32)
}

/// A search to the end of the game.
pub(crate) struct ExactSearch<'a, G: Symmetric> {
    game: &'a G,
    table: &'a mut Table<G::Packed>,
    pace: &'a mut LimitChecker,
    /// Receiver of progress reports.
    context: Option<&'a Context>,
    /// How many positions the table may have.
    most: usize,
    /// Whether something was taken for 0 that is not known to be a draw.
    cut_short: bool,
}

impl<'a, G: Symmetric> ExactSearch<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        table: &'a mut Table<G::Packed>,
        pace: &'a mut LimitChecker,
    ) -> Self {
        Self {
            game,
            table,
            pace,
            context: None,
            most: Self::room(&Limits::default()),
            cut_short: false,
        }
    }

    /// The same, telling the context's listener how far it has come, and with no more
    /// memory than the context gives.
    pub(crate) fn within(mut self, context: Option<&'a Context>) -> Self {
        self.context = context;
        if let Some(context) = context {
            self.most = Self::room(context.limits());
        }
        self
    }

    fn room(limits: &Limits) -> usize {
        limits.room_for(size_of::<(G::Packed, Bounds)>(), MAX_BYTES)
    }

    /// The worth of a position for the player to move; `None` when the pace ran out.
    pub(crate) fn worth(&mut self, pos: &G::Position) -> Option<i32> {
        self.between(pos, (-INFINITE, INFINITE))
    }

    /// The first of the moves that keep the worth of a position; `None` at the end of
    /// the game and when the pace ran out.
    pub(crate) fn first_best(&mut self, pos: &G::Position) -> Option<Move> {
        let worth = self.worth(pos)?;
        // A move that loses nothing leaves the other with no more than this.
        let most = later(-worth);
        for mv in self.game.legal_moves(pos) {
            let next = self.game.after(pos, mv);
            if self.between(&next, (most, most + 1))? <= most {
                return Some(mv);
            }
        }
        None
    }

    /// The worth of a position, or a bound of it where it is not inside the window.
    fn between(&mut self, pos: &G::Position, window: (i32, i32)) -> Option<i32> {
        let pieces = self.pieces(pos);
        // Looking one ply farther each time finds the shortest win first. Where
        // discs are counted, only the end of the game counts.
        let first = if self.game.properties().score_unit.is_discs() {
            TO_THE_END
        } else {
            1
        };
        for depth in first..=TO_THE_END {
            self.tell(depth);
            self.cut_short = false;
            let best = self.search(pos, depth, pieces, window);
            if self.pace.is_over() {
                return None;
            }
            if let Some(worth) = answer(self.found(best, window, depth), window) {
                return Some(worth);
            }
        }
        None
    }

    fn tell(&self, depth: i32) {
        if let Some(context) = self.context {
            context.report(&Progress {
                depth: depth as u32,
                nodes: self.pace.nodes(),
                ..Progress::default()
            });
        }
    }

    fn pieces(&self, pos: &G::Position) -> u32 {
        let occupied = |cell: &usize| self.game.piece(pos, *cell).is_some();
        (0..self.game.cells()).filter(occupied).count() as u32
    }

    /// Returns the worth as seen within `depth` plies; outside the window, a bound.
    fn search(
        &mut self,
        pos: &G::Position,
        depth: i32,
        pieces: u32,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        // Step 1. The end of the game, of the depth, of the time.
        let mover = self.game.turn(pos);
        if self.game.outcome(pos).is_some() {
            return self.game.final_score(pos, mover) * POINT;
        }
        if depth == 0 || !self.pace.tick() {
            self.cut_short = true;
            return 0;
        }
        // Step 2. Impossible wins, and the table.
        let mut known = Bounds::NONE;
        if !self.game.can_win(pos, mover) {
            known.upper = 0;
        }
        if !self.game.can_win(pos, mover.other()) {
            known.lower = 0;
        }
        if let Some(answer) = answer(known, (alpha, beta)) {
            return answer;
        }
        let key = self.key(pos, pieces);
        if let Some(&remembered) = self.table.get(&key) {
            known = known.and(remembered);
        }
        // Step 3. Restrict the bounds to this depth.
        let seen = known.within(depth);
        if let Some(answer) = answer(seen, (alpha, beta)) {
            self.cut_short |= seen != known;
            return answer;
        }
        alpha = alpha.max(seen.lower);
        beta = beta.min(seen.upper);
        // Step 4. The moves that matter.
        let window = (alpha, beta);
        let cut_short = std::mem::replace(&mut self.cut_short, seen != known);
        let mut best = -INFINITE;
        for mv in self.game.urgent_moves(pos) {
            let next = self.game.after(pos, mv);
            let more = u32::from(mv != Move::PASS);
            let window = (later(-beta), later(-alpha));
            let worth = earlier(-self.search(&next, depth - 1, pieces + more, window));
            best = best.max(worth);
            alpha = alpha.max(worth);
            if alpha >= beta || self.pace.is_over() {
                break;
            }
        }
        // Step 5. Remember it.
        if !self.pace.is_over() {
            self.remember(key, known.and(self.found(best, window, depth)));
        }
        self.cut_short |= cut_short;
        best
    }

    fn key(&self, pos: &G::Position, pieces: u32) -> G::Packed {
        if pieces > SYMMETRIC_PIECES {
            self.game.pack(pos)
        } else {
            self.game.pack(&self.game.canonical(pos).0)
        }
    }

    /// Returns the bounds of the worth after a search of `depth` plies returned `best`.
    fn found(&self, best: i32, (alpha, beta): (i32, i32), depth: i32) -> Bounds {
        let found = Bounds {
            lower: if best > alpha { best } else { -INFINITE },
            upper: if best < beta { best } else { INFINITE },
        };
        if self.cut_short {
            found.beyond(depth)
        } else {
            found
        }
    }

    fn remember(&mut self, key: G::Packed, bounds: Bounds) {
        if self.table.len() < self.most || self.table.contains_key(&key) {
            self.table.insert(key, bounds);
        }
    }
}

/// Returns the known value if it suffices for the window.
fn answer(known: Bounds, (alpha, beta): (i32, i32)) -> Option<i32> {
    if known.lower >= beta || known.lower == known.upper {
        Some(known.lower)
    } else if known.upper <= alpha {
        Some(known.upper)
    } else {
        None
    }
}
