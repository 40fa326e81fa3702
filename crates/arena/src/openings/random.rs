//! Random balanced openings.

use std::collections::HashSet;
use std::sync::Arc;

use papan_catalog::{AnyGame, Family, GameVisitor, StrategySpec, Unplayable};
use papan_rules::{Line, Move, Player};
use papan_strategies::{
    Bound, Context, Decision, LimitChecker, Limits, Perfect, Random, Score, Strategy as _,
    SystemClock, Turn, Unit,
};

use super::Opening;

/// [`random`] for a game of any type.
#[must_use]
pub fn random_any(game: &AnyGame, wanted: usize, seed: u64) -> Vec<Opening> {
    struct Draw(usize, u64);
    impl GameVisitor for Draw {
        type Output = Vec<Opening>;
        fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
            random(&**game, self.0, self.1)
        }
    }
    game.visit(Draw(wanted, seed))
}

/// Positions that are looked at for each opening that is wanted.
const CANDIDATES: usize = 4;
/// Games played by chance to see how balanced a position is.
const PLAYOUTS: u64 = 32;
/// Nodes to find out whether a position is decided already.
const NODES_TO_SOLVE: u64 = 2_000;

/// Draws random openings and keeps the most balanced: those without a known win, whose random
/// playouts favour neither side. No two lead to the same position or its mirror image. Small boards
/// may have fewer than `wanted`.
pub fn random<G: Family>(game: &G, wanted: usize, seed: u64) -> Vec<Opening> {
    draw(game, wanted, seed, &mut |line| imbalance(game, line, seed))
}

/// [`random`] for a game of any type, with a strategy that judges how balanced a
/// position is, within limits of its own.
///
/// # Errors
/// When the strategy cannot play this game.
pub fn random_judged(
    game: &AnyGame,
    wanted: usize,
    seed: u64,
    judge: &StrategySpec,
    limits: &Limits,
) -> Result<Vec<Opening>, Unplayable> {
    struct Draw<'a>(usize, u64, &'a StrategySpec, &'a Limits);
    impl GameVisitor for Draw<'_> {
        type Output = Result<Vec<Opening>, Unplayable>;
        fn visit<G: Family>(self, game: &Arc<G>) -> Self::Output {
            let Self(wanted, seed, spec, limits) = self;
            let mut judge = game.strategy(spec, limits)?;
            Ok(draw(&**game, wanted, seed, &mut |line| {
                let context = Context::default().limited(*limits, &SystemClock);
                let decision = judge.decide(Turn::new(game, line, &context)).ok();
                let chosen = decision.as_ref().and_then(Decision::chosen);
                chosen
                    .and_then(|chosen| chosen.score)
                    .map_or((true, u64::MAX), distance)
            }))
        }
    }
    game.visit(Draw(wanted, seed, judge, limits))
}

/// Returns the distance of a score from even, certain wins last.
fn distance(score: Score) -> (bool, u64) {
    let even = match score.unit() {
        Unit::Chance => 0.5,
        Unit::Result | Unit::Discs => 0.0,
    };
    let away = (score.value() - even).abs();
    let decided = score.bound() == Bound::Exact && score.unit() == Unit::Result && away > 0.0;
    (decided, (away * 1000.0) as u64)
}

fn draw<G: Family>(
    game: &G,
    wanted: usize,
    seed: u64,
    judge: &mut dyn FnMut(&Line<G>) -> (bool, u64),
) -> Vec<Opening> {
    let least_plies = (game.cells() / 10).clamp(2, 8);
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    // When a number of plies has too few balanced positions, a longer one has more.
    for plies in least_plies..least_plies + 4 {
        let enough = candidates.len() + wanted * CANDIDATES;
        for attempt in 0..20 * (wanted + 10) {
            if candidates.len() >= enough {
                break;
            }
            let lot = seed.wrapping_add((plies as u64) << 32 | attempt as u64);
            let Some(line) = random_line(game, plies, lot) else {
                continue;
            };
            let (canonical, _) = game.canonical(line.position());
            if seen.insert(game.pack(&canonical)) {
                let rank = judge(&line);
                candidates.push((rank, candidates.len(), line.moves().to_vec()));
            }
        }
        let open = candidates.iter().filter(|((decided, _), ..)| !decided);
        if open.count() >= wanted {
            break;
        }
    }
    candidates.sort_by_key(|&(rank, order, _)| (rank, order));
    candidates.truncate(wanted);
    candidates.into_iter().map(|(_, _, moves)| moves).collect()
}

/// Returns a random line of `plies` moves; `None` if the game ends earlier or contains a pass.
fn random_line<G: Family>(game: &G, plies: usize, seed: u64) -> Option<Line<G>> {
    let mut line = Line::new(game);
    let context = Context::with_seed(seed);
    let mut choices = Vec::new();
    for _ in 0..plies {
        let (mv, _) = Random::default()
            .choose(Turn::new(game, &line, &context), &mut choices)
            .ok()?;
        if mv == Move::PASS {
            return None;
        }
        line.play(game, mv).ok()?;
    }
    game.outcome(line.position()).is_none().then_some(line)
}

/// Returns the imbalance of a position: first whether a win is known, then the bias of random
/// playouts.
fn imbalance<G: Family>(game: &G, line: &Line<G>, seed: u64) -> (bool, u64) {
    let limits = Limits {
        nodes: Some(NODES_TO_SOLVE),
        ..Limits::default()
    };
    let mut pace = LimitChecker::new(&Context::default().limited(limits, &SystemClock));
    let solution = Perfect::default().solve(game, line.position(), &mut pace);
    let decided = solution.is_some_and(|solution| solution.value != 0);
    let mut context = Context::with_seed(seed);
    let mut choices = Vec::new();
    let mut balance = 0_i64;
    for round in 0..PLAYOUTS {
        context.round = round;
        let mut game_on = line.clone();
        while let Ok((mv, _)) =
            Random::default().choose(Turn::new(game, &game_on, &context), &mut choices)
        {
            if game_on.play(game, mv).is_err() {
                break;
            }
        }
        let outcome = game.outcome(game_on.position());
        balance += outcome.map_or(0, |o| i64::from(o.value_for(Player::First)));
    }
    (decided, balance.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_rules::{Game, Othello, Symmetric, tictactoe};

    #[test]
    fn drawn_openings_on_3x3_are_all_drawn_games() {
        let game = tictactoe();
        let openings = random(&game, 6, 1);
        assert_eq!(openings.len(), 6);
        let mut unlimited = LimitChecker::new(&Context::default());
        for opening in &openings {
            let mut pos = game.start();
            opening
                .iter()
                .for_each(|&mv| game.play(&mut pos, mv).unwrap());
            let solution = Perfect::default().solve(&game, &pos, &mut unlimited);
            assert_eq!(solution.unwrap().value, 0, "{opening:?}");
        }
        assert_eq!(openings, random(&game, 6, 1));
        assert_ne!(openings, random(&game, 6, 2));
    }

    #[test]
    fn drawn_openings_differ_even_when_mirrored() {
        let game = Othello::default();
        let openings = random(&game, 20, 3);
        let positions: HashSet<_> = openings
            .iter()
            .map(|opening| {
                let mut pos = game.start();
                opening
                    .iter()
                    .for_each(|&mv| game.play(&mut pos, mv).unwrap());
                game.pack(&game.canonical(&pos).0)
            })
            .collect();
        assert_eq!(positions.len(), 20);
    }

    /// The engine judges Othello's positions better than games by chance do.
    #[test]
    fn a_strategy_can_judge_how_balanced_openings_are() {
        let game: AnyGame = "othello:6x6".parse().unwrap();
        let judge = "alphabeta(depth=2)".parse().unwrap();
        let limits = Limits::default();
        let openings = random_judged(&game, 5, 3, &judge, &limits).unwrap();
        assert_eq!(openings.len(), 5);
        assert_eq!(
            openings,
            random_judged(&game, 5, 3, &judge, &limits).unwrap()
        );
        let nobody = "greedy".parse().unwrap();
        assert!(random_judged(&game, 5, 3, &nobody, &limits).is_err());
    }
}
