//! Perfect: it knows the value of every move, by playing the game to its end.
//!
//! Among moves of one value it takes the shortest win and the longest loss, then
//! the first. Small boards only; which ones are small enough is said before the
//! game starts.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use papan_rules::{Line, Move, Player, Symmetric};

use crate::stable_hash::StableHasher;
use crate::{Candidate, Context, Decision, NoMove, Pace, Score, Strategy, Term};

/// The strategy that plays the solved value.
pub struct Perfect<G: Symmetric> {
    table: HashMap<G::Packed, Known, BuildHasherDefault<StableHasher>>,
}

impl<G: Symmetric> Default for Perfect<G> {
    fn default() -> Self {
        Self {
            table: HashMap::default(),
        }
    }
}

/// What is known of a position: its value lies between the bounds as far as
/// `depth` plies can see.
#[derive(Clone, Copy)]
struct Known {
    lower: i32,
    upper: i32,
    depth: u8,
}

/// The depth of what is known for good.
const TO_THE_END: u8 = u8::MAX;

/// More than any value.
const INFINITE: i32 = i32::MAX;

/// Positions with more pieces than this are not looked up by symmetry: turning
/// the board costs more than it finds.
const SYMMETRIC_PIECES: u32 = 8;

/// Entries of the table at most: about half a gigabyte.
const MOST_ENTRIES: usize = 12_000_000;

/// The value of a game from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final score that the player to move can reach.
    pub value: i32,
    /// In how many plies the game ends then, where wins are won or lost sooner or
    /// later; 0 for a draw, and where discs are counted.
    pub plies: u32,
}

/// More plies than any game of one-point wins has.
const FAR: i32 = 1 << 12;

struct Search<'a, G: Symmetric> {
    game: &'a G,
    table: &'a mut HashMap<G::Packed, Known, BuildHasherDefault<StableHasher>>,
    pace: &'a mut Pace,
    /// Whether wins are compared by how soon they come.
    counts_plies: bool,
    /// Whether the search came to the end of its depth somewhere.
    cut_short: bool,
}

impl<G: Symmetric> Search<'_, G> {
    /// A final score as a number that prefers early wins. `pieces` on the board
    /// tell the ply, however the position was reached.
    fn worth(&self, score: i32, pieces: u32) -> i32 {
        if self.counts_plies {
            score * (FAR - pieces as i32)
        } else {
            score
        }
    }

    /// The best the mover can reach, as far as `depth` plies can see; unfinished
    /// games count 0.
    fn search(
        &mut self,
        pos: &G::Position,
        depth: u8,
        pieces: u32,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        // Step 1. The end of the game, of the depth, of the time.
        let mover = self.game.turn(pos);
        if self.game.outcome(pos).is_some() {
            return self.worth(self.game.final_score(pos, mover), pieces);
        }
        if depth == 0 || !self.pace.tick() {
            self.cut_short = true;
            return 0;
        }
        // Step 2. Who cannot win any more.
        if !self.game.can_win(pos, mover) {
            beta = beta.min(0);
        }
        if !self.game.can_win(pos, mover.other()) {
            alpha = alpha.max(0);
        }
        if alpha >= beta {
            return alpha;
        }
        // Step 3. What is known already.
        let key = self.key(pos, pieces);
        let known = self.table.get(&key).copied();
        if let Some(known) = known {
            let deep = known.depth >= depth;
            // A win or a loss that was found stays found, however deep one looks.
            if (deep || known.lower > 0) && known.lower > alpha {
                alpha = known.lower;
            }
            if (deep || known.upper < 0) && known.upper < beta {
                beta = known.upper;
            }
            self.cut_short |= deep && known.depth != TO_THE_END;
            if alpha >= beta {
                return alpha;
            }
        }
        // Step 4. The moves that matter.
        let window = (alpha, beta);
        let cut_short = std::mem::take(&mut self.cut_short);
        let mut best = -INFINITE;
        for mv in self.game.urgent_moves(pos) {
            let mut next = pos.clone();
            self.game.play_unchecked(&mut next, mv);
            let more = u32::from(mv != Move::PASS);
            let value = -self.search(&next, depth - 1, pieces + more, (-beta, -alpha));
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.pace.is_over() {
                break;
            }
        }
        // Step 5. Remember it.
        if !self.pace.is_over() {
            self.remember(key, best, window, depth);
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

    fn remember(&mut self, key: G::Packed, value: i32, (alpha, beta): (i32, i32), depth: u8) {
        let depth = if self.cut_short { depth } else { TO_THE_END };
        let known = Known {
            lower: if value > alpha { value } else { -INFINITE },
            upper: if value < beta { value } else { INFINITE },
            depth,
        };
        if self.table.len() < MOST_ENTRIES || self.table.contains_key(&key) {
            self.table.insert(key, known);
        }
    }
}

fn pieces<G: Symmetric>(game: &G, pos: &G::Position) -> u32 {
    let occupied = |cell: &usize| game.piece(pos, *cell).is_some();
    (0..game.cells()).filter(occupied).count() as u32
}

impl<G: Symmetric> Perfect<G> {
    /// The exact value of a position; `None` when the pace ran out.
    pub fn solve(&mut self, game: &G, pos: &G::Position, pace: &mut Pace) -> Option<Solution> {
        let pieces = pieces(game, pos);
        let counts_plies = game.best_score() == 1;
        let mut search = Search {
            game,
            table: &mut self.table,
            pace,
            counts_plies,
            cut_short: false,
        };
        let limit = TO_THE_END - 1;
        // Looking one ply farther each time finds the shortest win first. Where
        // discs are counted, only the end of the game counts.
        let first = if counts_plies { 1 } else { limit };
        for depth in first..=limit {
            search.cut_short = false;
            let worth = search.search(pos, depth, pieces, (-INFINITE, INFINITE));
            if search.pace.is_over() {
                return None;
            }
            if counts_plies && worth != 0 {
                let plies = (FAR - worth.abs()) as u32 - pieces;
                let value = worth.signum();
                return Some(Solution { value, plies });
            }
            if !search.cut_short {
                let value = worth;
                return Some(Solution { value, plies: 0 });
            }
        }
        None
    }

    /// Every move with its solution, as far as the pace allows.
    fn solutions(
        &mut self,
        game: &G,
        pos: &G::Position,
        pace: &mut Pace,
    ) -> Vec<(Move, Option<Solution>)> {
        let solve = |mv: Move| {
            let mut next = pos.clone();
            game.play_unchecked(&mut next, mv);
            let solution = self.solve(game, &next, pace).map(|s| Solution {
                value: -s.value,
                plies: if s.value == 0 { 0 } else { s.plies + 1 },
            });
            (mv, solution)
        };
        game.legal_moves(pos).map(solve).collect()
    }

    /// The solutions for one decision, and the nodes they cost.
    fn candidates(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
    ) -> (Vec<(Move, Option<Solution>)>, u64) {
        if context.limits().nodes.is_some() {
            // What was remembered must not decide how far a limited search comes,
            // or a game could not be replayed from its middle.
            self.table.clear();
        }
        let mut pace = Pace::new(context);
        let found = self.solutions(game, line.position(), &mut pace);
        (found, pace.nodes())
    }

    /// How play goes on when both play perfectly, as far as what is remembered
    /// tells without much more thought.
    fn line_after(&mut self, game: &G, line: &Line<G>, mv: Move, context: &Context) -> Vec<Move> {
        if context.budget().is_spent() {
            return vec![mv];
        }
        let mut pace = Pace::new(&context.with_nodes(20_000));
        let mut pos = line.position().clone();
        let mut pv = Vec::new();
        let mut next = Some(mv);
        while let (Some(mv), false) = (next, pace.is_over()) {
            game.play_unchecked(&mut pos, mv);
            pv.push(mv);
            next = first_best(&self.solutions(game, &pos, &mut pace));
        }
        pv
    }
}

/// How good a solution is for the player to move: the value, then wins soon and
/// losses late.
fn rank(solution: Solution) -> (i32, i64) {
    let sooner = -i64::from(solution.value.signum()) * i64::from(solution.plies);
    (solution.value, sooner)
}

/// The first of the best moves; without any solution, the first move.
fn first_best(candidates: &[(Move, Option<Solution>)]) -> Option<Move> {
    let mut best: Option<(Move, Option<(i32, i64)>)> = None;
    for &(mv, solution) in candidates {
        let rank = solution.map(rank);
        if best.is_none_or(|(_, most)| rank > most) {
            best = Some((mv, rank));
        }
    }
    best.map(|(mv, _)| mv)
}

impl<G: Symmetric> Strategy<G> for Perfect<G> {
    fn choices(
        &mut self,
        game: &G,
        line: &Line<G>,
        context: &Context,
        out: &mut Vec<Move>,
    ) -> Result<u64, NoMove> {
        let (candidates, nodes) = self.candidates(game, line, context);
        out.clear();
        out.push(first_best(&candidates).ok_or(NoMove::GameOver)?);
        Ok(nodes)
    }

    fn forget(&mut self) {
        self.table = HashMap::default();
    }

    fn decide(&mut self, game: &G, line: &Line<G>, context: &Context) -> Result<Decision, NoMove> {
        let (solved, nodes) = self.candidates(game, line, context);
        let best = first_best(&solved).ok_or(NoMove::GameOver)?;
        let candidate = |&(mv, solution): &(Move, Option<Solution>)| {
            let Some(Solution { value, plies }) = solution else {
                return Candidate::new(mv, Vec::new());
            };
            let mut terms = vec![Term::deciding("value", value)];
            let mut score = Score::counted(game.properties().counted, value);
            if plies != 0 {
                score = score.in_plies(plies);
                terms.push(Term::deciding("plies", rank(Solution { value, plies }).1));
            }
            Candidate {
                score: Some(score),
                pv: self.line_after(game, line, mv, context),
                ..Candidate::new(mv, terms)
            }
        };
        Ok(Decision {
            best,
            candidates: solved.iter().map(candidate).collect(),
            nodes,
        })
    }

    fn is_positional(&self) -> bool {
        true
    }
}

/// The player who wins a solved game, if anybody, with `turn` to move.
#[must_use]
pub fn winner(solution: Solution, turn: Player) -> Option<Player> {
    match solution.value.signum() {
        1 => Some(turn),
        -1 => Some(turn.other()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Minimax, Prefer};
    use papan_rules::{Grid, Othello, tictactoe};

    fn solve<G: Symmetric>(game: &G) -> Solution {
        let mut pace = Pace::new(&Context::default());
        Perfect::default()
            .solve(game, &game.start(), &mut pace)
            .unwrap()
    }

    #[test]
    fn known_boards_have_their_known_values() {
        let grid = |sides: &[usize], k| Grid::<u64>::new(sides, k).unwrap();
        assert_eq!(solve(&tictactoe()).value, 0);
        // On 4x3 with three in a row the first player wins in five moves.
        assert_eq!(solve(&grid(&[4, 3], 3)).value, 1);
        assert_eq!(solve(&grid(&[4, 4], 4)).value, 0);
        // The cube is won from the centre.
        assert_eq!(solve(&grid(&[3, 3, 3], 3)), Solution { value: 1, plies: 7 });
    }

    #[test]
    fn small_othello_is_won_by_the_second_player() {
        // Perfect play on 4x4 ends 3 to 11; the two empty squares go to the winner.
        assert_eq!(solve(&Othello::new(4).unwrap()).value, -10);
    }

    #[test]
    fn it_agrees_with_minimax_that_prefers_the_shortest() {
        let game = tictactoe();
        let mut perfect = Perfect::default();
        let mut minimax = Minimax {
            prefer: Prefer::Shortest,
            ..Minimax::default()
        };
        for moves in ["1", "1 2", "1 5 2", "2 1 5", "1 9 3", "5 2", "1 2 5 9 4"] {
            let line = Line::parse(&game, moves).unwrap();
            let a = perfect.decide(&game, &line, &Context::default()).unwrap();
            let b = minimax.decide(&game, &line, &Context::default()).unwrap();
            assert_eq!(a.best, b.best, "{moves}");
            for (x, y) in a.candidates.iter().zip(&b.candidates) {
                let value = |c: &Candidate| c.score.and_then(Score::proven);
                assert!(value(x).is_some());
                assert_eq!(value(x), value(y), "{moves}");
            }
        }
    }
}
