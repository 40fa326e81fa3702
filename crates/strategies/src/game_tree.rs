//! Game tree shared by minimax and alpha-beta, valued for the player at the root.

use papan_rules::{Game, Line, Move, Player};

use crate::{Candidate, Context, Decision, LimitChecker, NoMove, Score, Term, Value};

/// Preference among moves of equal value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// The first one, as in the document, even if a later one wins sooner.
    #[default]
    First,
    /// The one that wins sooner or loses later.
    Shortest,
}

impl Prefer {
    /// A decided game `plies` moves away, as a number: with `Shortest`, wins that
    /// come sooner are larger.
    pub(crate) fn worth(self, outcome: i32, plies: u32) -> i32 {
        match self {
            Self::First => outcome,
            Self::Shortest => outcome * (MAX_PLIES - plies as i32),
        }
    }

    /// The inverse of [`Prefer::worth`]: the outcome, and the plies if they are known.
    fn outcome(self, worth: i32) -> (i32, Option<u32>) {
        match self {
            Self::First => (worth, None),
            Self::Shortest if worth == 0 => (0, None),
            Self::Shortest => (worth.signum(), Some((MAX_PLIES - worth.abs()) as u32)),
        }
    }
}

/// More plies than any game has.
const MAX_PLIES: i32 = 1 << 16;

/// More than any worth.
pub(crate) const INFINITE: i32 = i32::MAX;

/// Game tree shared by minimax and alpha-beta, valued for the player at the root (the maximiser).
///
/// Only with `EXPLAIN` are principal variations kept, because they cost time.
pub(crate) struct Tree<'a, G, const EXPLAIN: bool> {
    pub(crate) game: &'a G,
    pub(crate) maximiser: Player,
    pub(crate) prefer: Prefer,
    pub(crate) pace: LimitChecker,
    /// The best continuations found, by ply below the root.
    pv: Vec<Vec<Move>>,
    /// Whether an unfinished position was cut off by the depth.
    pub(crate) cut_short: bool,
}

impl<'a, G: Game, const EXPLAIN: bool> Tree<'a, G, EXPLAIN> {
    pub(crate) fn new(game: &'a G, line: &Line<G>, context: &Context, prefer: Prefer) -> Self {
        Self {
            game,
            maximiser: game.turn(line.position()),
            prefer,
            pace: LimitChecker::new(context),
            pv: Vec::new(),
            cut_short: false,
        }
    }

    /// Returns the value of a finished position, 0 for an unfinished one at the depth or node
    /// limit; `None` if the search continues.
    #[inline]
    pub(crate) fn leaf(&mut self, pos: &G::Position, depth: u32, ply: u32) -> Option<i32> {
        if let Some(outcome) = self.game.outcome(pos) {
            self.forget_line(ply);
            return Some(self.prefer.worth(outcome.value_for(self.maximiser), ply));
        }
        if depth == 0 || self.pace.is_over() {
            self.cut_short = true;
            self.forget_line(ply);
            return Some(0);
        }
        None
    }

    #[inline]
    fn forget_line(&mut self, ply: u32) {
        if EXPLAIN {
            let pv = &mut self.pv;
            pv.resize_with(pv.len().max(ply as usize + 1), Vec::new);
            pv[ply as usize].clear();
        }
    }

    /// Stores `mv` as the best move at `ply`, with its continuation.
    #[inline]
    pub(crate) fn remember(&mut self, ply: u32, mv: Move) {
        if EXPLAIN {
            let pv = &mut self.pv;
            let ply = ply as usize;
            pv.resize_with(pv.len().max(ply + 2), Vec::new);
            let (here, below) = pv.split_at_mut(ply + 1);
            here[ply].clear();
            here[ply].push(mv);
            here[ply].extend_from_slice(&below[0]);
        }
    }

    /// Returns the result and node count of a search of one ply without making the moves: in a game
    /// with `winning_moves` every other move is worth 0. `None` if the moves must be made.
    pub(crate) fn last_ply(
        &mut self,
        pos: &G::Position,
        ply: u32,
        maximising: bool,
        (alpha, beta): (i32, i32),
    ) -> Option<i32> {
        let win = self.game.winning_moves(pos)?.next();
        let moves = self.game.legal_moves(pos);
        let count = moves.clone().count();
        let first = moves.clone().next();
        // An only move may end the game in a draw; after a first that wins there may be no other
        // kind of move.
        if count < 2 || win == first {
            return None;
        }
        let cuts = |best: i32| {
            if maximising {
                best >= beta
            } else {
                best <= alpha
            }
        };
        let won = self.prefer.worth(if maximising { 1 } else { -1 }, ply + 1);
        let (best, seen) = match win {
            _ if cuts(0) => (0, 1),
            None => (0, count),
            Some(_) if !cuts(won) => (won, count),
            // Moves come first to last.
            Some(win) => {
                let (mut low, mut high) = (1, count - 1);
                while low < high {
                    let middle = usize::midpoint(low, high);
                    if moves.clone().nth(middle) < Some(win) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                (won, low + 1)
            }
        };
        if !self.pace.tick_all(seen as u64) {
            return None;
        }
        self.cut_short = true;
        self.forget_line(ply + 1);
        self.remember(ply, if best == 0 { first? } else { win? });
        Some(best)
    }

    /// The value of a node whose other moves there was no time for: they count as
    /// draws, like every position beyond the search.
    #[cold]
    pub(crate) fn unfinished(&mut self, best: i32, maximising: bool) -> i32 {
        self.cut_short = true;
        if maximising { best.max(0) } else { best.min(0) }
    }

    /// Searches the root and returns the first of the best moves. `value_of` searches below a move,
    /// given the best value so far; if it `prunes`, it may return a bound for a move that does not
    /// exceed it.
    pub(crate) fn root(
        mut self,
        line: &Line<G>,
        depth: u32,
        prunes: bool,
        value_of: impl Fn(&mut Self, &G::Position, u32, i32) -> i32,
    ) -> Result<Decision, NoMove> {
        self.pace.tick(); // the root is a node too
        let mut best: Option<(Move, i32)> = None;
        let mut candidates = Vec::new();
        for mv in self.game.legal_moves(line.position()) {
            let next = self.game.after(line.position(), mv);
            let so_far = best.map_or(-INFINITE, |(_, value)| value);
            self.cut_short = false;
            let value = value_of(&mut self, &next, depth - 1, so_far);
            if self.pace.is_over() && best.is_some() {
                break; // a move that was not searched whole says nothing
            }
            if EXPLAIN {
                let bound = prunes && best.is_some() && value <= so_far;
                candidates.push(self.candidate(mv, value, bound));
            }
            if best.is_none() || value > so_far {
                best = Some((mv, value));
            }
        }
        let (best, _) = best.ok_or(NoMove::GameOver)?;
        Ok(Decision {
            best,
            candidates,
            nodes: self.pace.nodes(),
        })
    }

    /// Returns the best continuation that was found after a root move.
    pub(crate) fn continuation(&self) -> &[Move] {
        self.pv.get(1).map_or(&[], Vec::as_slice)
    }

    /// A root move as a candidate.
    fn candidate(&self, mv: Move, worth: i32, bound: bool) -> Candidate {
        let (value, plies) = self.prefer.outcome(worth);
        let mut pv = vec![mv];
        pv.extend_from_slice(self.continuation());
        // Nothing is worse than a loss, so that a bound of -1 is the value itself.
        let open = bound && value > -1;
        let score = if open {
            Score::result(value).or_less()
        } else if bound {
            Score::result(value)
        } else if self.cut_short && value == 0 {
            Score::result(0).guessed()
        } else {
            let plies = plies.unwrap_or(pv.len() as u32);
            Score::result(value).in_plies(plies)
        };
        let value_term = if open {
            Value::AtMost(value.into())
        } else {
            Value::Number(value.into())
        };
        let mut terms = vec![Term::deciding("value", value_term)];
        if let Some(plies) = plies.filter(|_| !open) {
            // Sooner is better in a win and worse in a loss.
            let number = -i64::from(plies) * i64::from(value);
            let plies_term = if bound {
                Value::AtMost(number)
            } else {
                Value::Number(number)
            };
            terms.push(Term::deciding("plies", plies_term));
        }
        Candidate {
            mv,
            score: Some(score),
            pv,
            terms,
        }
    }
}

/// The smaller of a strategy's own depth and the limit's.
pub(crate) fn depth(own: Option<u32>, context: &Context) -> u32 {
    let own = own.unwrap_or(u32::MAX);
    own.min(context.limits().depth.unwrap_or(u32::MAX)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Turn;
    use crate::{AlphaBeta, Minimax, Strategy as _};
    use papan_rules::{Bits, Grid, GridPosition, Notation as _, Outcome, SplitMix, Wide};

    /// Every move made, as the document has it; with `cuts`, a move that cannot matter is the last.
    fn plain<B: Bits>(
        game: &Grid<B>,
        pos: &GridPosition<B>,
        (depth, ply): (u32, u32),
        (mut alpha, mut beta): (i32, i32),
        cuts: bool,
        nodes: &mut u64,
    ) -> i32 {
        *nodes += 1;
        let maximising = ply % 2 == 0;
        match game.outcome(pos) {
            Some(Outcome::Draw) => return 0,
            Some(_) => return if maximising { -1 } else { 1 },
            None if depth == 0 => return 0,
            None => {}
        }
        let mut best = if maximising { -INFINITE } else { INFINITE };
        for mv in game.legal_moves(pos) {
            let next = game.after(pos, mv);
            let value = plain(
                game,
                &next,
                (depth - 1, ply + 1),
                (alpha, beta),
                cuts,
                nodes,
            );
            if maximising {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if cuts && alpha >= beta {
                break;
            }
        }
        best
    }

    fn compare_with_plain<B: Bits>(sides: &[usize], length: usize) {
        let game = Grid::<B>::new(sides, length).unwrap();
        let mut random = SplitMix::new(7);
        let context = Context::default();
        let mut wins = 0;
        for at in 0..60 {
            // From nearly full boards to emptier ones.
            let mut line = Line::new(&game);
            for _ in 0..game.cells() - 1 - at % 12.min(game.cells() - 1) {
                let moves: Vec<Move> = game.legal_moves(line.position()).collect();
                let Some(&mv) = moves.get(random.below(moves.len().max(1))) else {
                    break;
                };
                let next = game.after(line.position(), mv);
                if game.outcome(&next).is_some() {
                    break;
                }
                line.push(&game, mv);
            }
            for depth in 1..=3 {
                let limit = Some(depth);
                let prefer = Prefer::First;
                let mut out = Vec::new();
                let (mut nodes, mut pruned) = (0, 0);
                let window = (-INFINITE, INFINITE);
                let pos = line.position();
                let value = plain(&game, pos, (depth, 0), window, false, &mut nodes);
                plain(&game, pos, (depth, 0), window, true, &mut pruned);
                let minimax = Minimax {
                    depth: limit,
                    prefer,
                };
                let told = { minimax }
                    .decide(Turn::new(&game, &line, &context))
                    .unwrap();
                assert_eq!(told.nodes, nodes, "{}", game.format_position(pos));
                let best = told.candidates.iter().find(|c| c.mv == told.best).unwrap();
                assert_eq!(best.score.map(|score| score.value()), Some(value as f32));
                let alphabeta = AlphaBeta {
                    depth: limit,
                    prefer,
                };
                let counted = { alphabeta }.choices(Turn::new(&game, &line, &context), &mut out);
                assert_eq!(counted, Ok(pruned), "{}", game.format_position(pos));
                assert_eq!(out, [told.best], "{}", game.format_position(pos));
                wins += u32::from(value != 0);
            }
        }
        assert!(wins > 10, "{sides:?}: too few of the positions are decided");
    }

    #[test]
    fn the_last_ply_is_counted_as_if_its_moves_were_made() {
        compare_with_plain::<u64>(&[3, 3], 3);
        compare_with_plain::<u64>(&[5, 5], 4);
        compare_with_plain::<u64>(&[3, 3, 3], 3);
        compare_with_plain::<u64>(&[1, 12], 2);
        compare_with_plain::<Wide>(&[9, 9], 4);
    }
}
