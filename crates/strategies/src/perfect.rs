//! Perfect play: knows the value of every move by exact search.
//!
//! Among moves of equal value it takes the shortest win and the longest loss, then the first. It
//! plays only boards that are small enough to be solved.

use papan_rules::{Line, Move, Player, Symmetric};

use crate::exact_search::{ExactSearch, Table, score_and_plies};
use crate::{Candidate, Context, Decision, LimitChecker, NoMove, Score, Strategy, Term, Turn};

/// The strategy that plays the solved value.
pub struct Perfect<G: Symmetric> {
    table: Table<G::Packed>,
}

impl<G: Symmetric> Default for Perfect<G> {
    fn default() -> Self {
        Self {
            table: Table::default(),
        }
    }
}

/// The value of a game from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The final score that the player to move can reach.
    pub value: i32,
    /// In how many plies the game ends, when the winner hurries and the loser does
    /// not; 0 for a draw.
    pub plies: u32,
}

impl<G: Symmetric> Perfect<G> {
    /// The exact value of a position; `None` when the pace ran out.
    pub fn solve(
        &mut self,
        game: &G,
        pos: &G::Position,
        pace: &mut LimitChecker,
    ) -> Option<Solution> {
        self.solve_telling(game, pos, pace, None)
    }

    fn solve_telling(
        &mut self,
        game: &G,
        pos: &G::Position,
        pace: &mut LimitChecker,
        context: Option<&Context>,
    ) -> Option<Solution> {
        let search = ExactSearch::new(game, &mut self.table, pace);
        let worth = search.within(context).worth(pos)?;
        let (value, plies) = score_and_plies(worth);
        Some(Solution { value, plies })
    }

    /// Every move with its solution, as far as the pace allows.
    fn solutions(
        &mut self,
        game: &G,
        pos: &G::Position,
        pace: &mut LimitChecker,
        context: &Context,
    ) -> Vec<(Move, Option<Solution>)> {
        let solve = |mv: Move| {
            let next = game.after(pos, mv);
            let solution = self.solve_telling(game, &next, pace, Some(context));
            let solution = solution.map(|s| Solution {
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
            // Earlier entries must not influence how far a limited search gets, or a game could not
            // be replayed from its middle.
            self.table.clear();
        }
        let mut pace = LimitChecker::new(context);
        let found = self.solutions(game, line.position(), &mut pace, context);
        (found, pace.nodes())
    }

    /// Returns the line of perfect play to the end, as far as time and stop token allow; with a
    /// node limit, within a few more nodes.
    fn line_after(&mut self, game: &G, line: &Line<G>, mv: Move, context: &Context) -> Vec<Move> {
        let mut pv = vec![mv];
        if context.is_over() {
            return pv;
        }
        let mut pace = match context.limits().nodes {
            Some(_) => LimitChecker::new(&context.with_nodes(NODES_FOR_A_LINE)),
            None => LimitChecker::new(context),
        };
        let search = ExactSearch::new(game, &mut self.table, &mut pace);
        let mut search = search.within(Some(context));
        let mut pos = game.after(line.position(), mv);
        while let Some(mv) = search.first_best(&pos) {
            game.play_unchecked(&mut pos, mv);
            pv.push(mv);
        }
        pv
    }
}

/// Nodes beyond a limit in nodes that go into telling one line of play.
const NODES_FOR_A_LINE: u64 = 20_000;

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
    fn choices(&mut self, turn: Turn<'_, G>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (candidates, nodes) = self.candidates(game, line, context);
        out.clear();
        out.push(first_best(&candidates).ok_or(NoMove::GameOver)?);
        Ok(nodes)
    }

    fn forget(&mut self) {
        self.table = Table::default();
    }

    fn decide(&mut self, turn: Turn<'_, G>) -> Result<Decision, NoMove> {
        let Turn {
            game,
            line,
            context,
        } = turn;
        let (solved, nodes) = self.candidates(game, line, context);
        let best = first_best(&solved).ok_or(NoMove::GameOver)?;
        let candidate = |&(mv, solution): &(Move, Option<Solution>)| {
            let Some(Solution { value, plies }) = solution else {
                return Candidate::new(mv, Vec::new());
            };
            let mut terms = vec![Term::deciding("value", value)];
            let mut score = Score::from_final(game.properties().score_unit, value);
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

/// Returns the winner of a solved game, if there is one, with `turn` to move.
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
    use std::collections::HashMap;

    use super::*;
    use crate::{Minimax, Prefer};
    use papan_rules::{Game as _, Grid, Othello, SplitMix, tictactoe};

    fn solve<G: Symmetric>(game: &G) -> Solution {
        let mut pace = LimitChecker::new(&Context::default());
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
            let a = perfect
                .decide(Turn::new(&game, &line, &Context::default()))
                .unwrap();
            let b = minimax
                .decide(Turn::new(&game, &line, &Context::default()))
                .unwrap();
            assert_eq!(a.best, b.best, "{moves}");
            for (x, y) in a.candidates.iter().zip(&b.candidates) {
                let value = |c: &Candidate| c.score.and_then(Score::proven);
                assert!(value(x).is_some());
                assert_eq!(value(x), value(y), "{moves}");
            }
        }
    }

    #[test]
    fn with_no_room_to_remember_it_answers_the_same() {
        let game = tictactoe();
        let none = crate::Limits {
            memory: Some(0),
            ..crate::Limits::default()
        };
        let none = Context::default().limited(none, &crate::SystemClock);
        let mut forgetful = Perfect::default();
        let line = Line::parse(&game, "1 9").unwrap();
        let usual = Perfect::default().decide(Turn::new(&game, &line, &Context::default()));
        let found = forgetful.decide(Turn::new(&game, &line, &none)).unwrap();
        assert_eq!(found.candidates, usual.unwrap().candidates);
        assert!(forgetful.table.is_empty());
    }

    /// Every position that can be reached, with its solution, by plain recursion.
    fn walk<G: Symmetric>(
        game: &G,
        pos: &G::Position,
        all: &mut HashMap<G::Position, Solution>,
    ) -> Solution {
        if let Some(&known) = all.get(pos) {
            return known;
        }
        let after = |mv| {
            let next = game.after(pos, mv);
            let Solution { value, plies } = walk(game, &next, all);
            let plies = if value == 0 { 0 } else { plies + 1 };
            let value = -value;
            Solution { value, plies }
        };
        let best = game.legal_moves(pos).map(after).max_by_key(|s| rank(*s));
        let found = best.unwrap_or_else(|| Solution {
            value: game.final_score(pos, game.turn(pos)),
            plies: 0,
        });
        all.insert(pos.clone(), found);
        found
    }

    /// Asks one player for every position that can be reached, in an order that
    /// mixes late and early ones.
    fn assert_like_walking<G: Symmetric>(game: &G) {
        let mut all = HashMap::new();
        walk(game, &game.start(), &mut all);
        let mut perfect = Perfect::default();
        let mut pace = LimitChecker::new(&Context::default());
        let mut mixed: Vec<_> = all.iter().collect();
        mixed.sort_by_cached_key(|(pos, _)| game.pack(pos));
        let mut random = SplitMix::new(1);
        mixed.sort_by_cached_key(|_| random.next());
        for (pos, &solution) in mixed {
            let found = perfect.solve(game, pos, &mut pace);
            assert_eq!(found, Some(solution), "{pos:?}");
            let first = game.legal_moves(pos).find(|&mv| {
                let next = game.after(pos, mv);
                let Solution { value, plies } = all[&next];
                let later = plies + u32::from(value != 0);
                (-value, later) == (solution.value, solution.plies)
            });
            let mut search = ExactSearch::new(game, &mut perfect.table, &mut pace);
            assert_eq!(search.first_best(pos), first, "{pos:?}");
        }
    }

    #[test]
    fn what_was_asked_before_changes_no_answer() {
        assert_like_walking(&tictactoe());
        assert_like_walking(&Grid::<u64>::new(&[4, 3], 3).unwrap());
        assert_like_walking(&Othello::new(4).unwrap());
    }

    #[test]
    fn a_line_of_play_goes_on_to_the_end() {
        let game = Grid::<u64>::new(&[4, 4], 4).unwrap();
        let decision = Perfect::default()
            .decide(Turn::new(&game, &Line::new(&game), &Context::default()))
            .unwrap();
        for candidate in &decision.candidates {
            let mut line = Line::new(&game);
            for &mv in &candidate.pv {
                line.play(&game, mv).unwrap();
            }
            assert!(game.outcome(line.position()).is_some(), "{candidate:?}");
            assert_eq!(candidate.pv[0], candidate.mv);
        }
    }
}
