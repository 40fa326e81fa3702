//! Swap openings played by a strategy: choices by the evaluation of both sides.
//!
//! The score that a strategy gives the position decides: it takes White if the side to move is better
//! off, else Black. Stones are placed so that the opponent, who chooses next, gains little: a few
//! random placements are scored, and the one nearest to even is taken. A strategy without scores
//! chooses at random.

use papan_rules::{GameInfo, Line, Move, SplitMix, SwapAction, SwapChoice, SwapOpening, SwapStep};

use crate::{Context, NoMove, Strategy, Turn};

/// Number of placements that are scored.
const PLACEMENTS: usize = 12;
/// Node limit for the score of one placement.
const PLACEMENT_NODES: u64 = 2_000;
/// A balance closer to 0 than this favours neither side: two more stones leave the choice to the
/// opponent.
const EVEN: f32 = 0.01;
/// Maximum distance of the stones of a placement in each dimension.
const REACH: usize = 3;

/// Returns the actions of a strategy whose turn it is in a swap opening: the stones that it has to
/// place, or its choice and the stones that follow from it.
///
/// # Errors
/// When the opening is over, or the strategy fails.
pub fn answer_swap<G: GameInfo>(
    strategy: &mut (impl Strategy<G> + ?Sized),
    turn: Turn<'_, G>,
    opening: SwapOpening,
) -> Result<Vec<SwapAction>, NoMove> {
    let step = opening.step(turn.line.moves().len());
    match step {
        SwapStep::Over => Err(NoMove::Failed("the opening is over".into())),
        SwapStep::Place { left, .. } => place(strategy, turn, left),
        SwapStep::Choose { may_place_two, .. } => {
            let choice = match balance(strategy, turn)? {
                Some(balance) if balance > EVEN => SwapChoice::White,
                Some(balance) if balance < -EVEN => SwapChoice::Black,
                Some(_) if may_place_two => SwapChoice::PlaceTwo,
                _ => {
                    let choices = step.choices();
                    let seed = strategy.seed();
                    choices[turn.context.random_below(choices.len(), seed, turn.line)]
                }
            };
            let mut actions = vec![SwapAction::Choose(choice)];
            if choice == SwapChoice::PlaceTwo {
                actions.extend(place(strategy, turn, 2)?);
            }
            Ok(actions)
        }
    }
}

/// Returns the score of the position for the side to move, above 0 if it is ahead.
fn balance<G: GameInfo>(
    strategy: &mut (impl Strategy<G> + ?Sized),
    turn: Turn<'_, G>,
) -> Result<Option<f32>, NoMove> {
    let decision = strategy.decide(turn)?;
    let score = decision.chosen().and_then(|chosen| chosen.score);
    Ok(score.map(crate::Score::balance))
}

/// Returns the most balanced of a few random placements of this many stones.
fn place<G: GameInfo>(
    strategy: &mut (impl Strategy<G> + ?Sized),
    turn: Turn<'_, G>,
    stones: usize,
) -> Result<Vec<SwapAction>, NoMove> {
    let Turn {
        game,
        line,
        context,
    } = turn;
    let mut random = SplitMix::new(context.random(strategy.seed(), line));
    let mut best: Option<(f32, Vec<Move>)> = None;
    for _ in 0..PLACEMENTS {
        let Some(placed) = placement(game, line, stones, &mut random) else {
            continue;
        };
        let scored =
            context.with_nodes(PLACEMENT_NODES.min(context.limits().nodes.unwrap_or(u64::MAX)));
        let turn = Turn::new(game, &placed, &scored);
        let away = balance(strategy, turn)?.map(f32::abs);
        let moves = placed.moves()[line.moves().len()..].to_vec();
        if best
            .as_ref()
            .is_none_or(|(least, _)| away.unwrap_or(0.0) < *least)
        {
            best = Some((away.unwrap_or(0.0), moves));
        }
        // Without scores the first is as good as any. The last part of the time is a reserve.
        if away.is_none() || is_late(context) {
            break;
        }
    }
    let (_, moves) = best.ok_or_else(|| NoMove::Failed("no cell is left".into()))?;
    Ok(moves.into_iter().map(SwapAction::Place).collect())
}

/// Whether half of the time is spent.
fn is_late(context: &Context) -> bool {
    context.stop.is_stopped() || context.budget().first(1, 2).is_spent()
}

/// Returns the line after a random placement of stones near each other; `None` if it would end the
/// game.
fn placement<G: GameInfo>(
    game: &G,
    line: &Line<G>,
    stones: usize,
    random: &mut SplitMix,
) -> Option<Line<G>> {
    let mut placed = line.clone();
    let sides = game.shape().sides();
    let mut anchor = line.moves().first().and_then(|mv| mv.cell());
    for _ in 0..stones {
        let near = |mv: &Move| {
            let (Some(cell), Some(anchor)) = (mv.cell(), anchor) else {
                return true;
            };
            is_near(sides, cell, anchor)
        };
        let legal: Vec<Move> = game.legal_moves(placed.position()).filter(near).collect();
        if legal.is_empty() {
            return None;
        }
        let mv = legal[random.below(legal.len())];
        anchor = anchor.or(mv.cell());
        placed.play(game, mv).ok()?;
    }
    game.outcome(placed.position()).is_none().then_some(placed)
}

/// Whether two cells are at most [`REACH`] apart in every dimension.
fn is_near(sides: &[usize], mut a: usize, mut b: usize) -> bool {
    sides.iter().rev().all(|side| {
        let near = (a % side).abs_diff(b % side) <= REACH;
        (a, b) = (a / side, b / side);
        near
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candidate, Decision, Random, Score};
    use papan_rules::{Game as _, Gomoku, GomokuRule, SwapRule};

    fn game() -> Gomoku {
        Gomoku::new(15, GomokuRule::Freestyle).unwrap()
    }

    /// Scores every position alike.
    struct Fixed(f32);

    impl Strategy<Gomoku> for Fixed {
        fn choices(&mut self, turn: Turn<'_, Gomoku>, out: &mut Vec<Move>) -> Result<u64, NoMove> {
            out.clear();
            out.extend(turn.game.legal_moves(turn.position()).next());
            Ok(1)
        }
        fn decide(&mut self, turn: Turn<'_, Gomoku>) -> Result<Decision, NoMove> {
            let mut moves = Vec::new();
            let nodes = self.choices(turn, &mut moves)?;
            let mut candidate = Candidate::new(moves[0], Vec::new());
            candidate.score = Some(Score::chance(self.0));
            Ok(Decision {
                best: moves[0],
                candidates: vec![candidate],
                nodes,
            })
        }
    }

    #[test]
    fn the_better_side_is_chosen_and_an_even_position_is_given_two_more_stones() {
        let game = game();
        let line = Line::parse(&game, "h8 i9 k10").unwrap();
        let context = Context::default();
        let turn = Turn::new(&game, &line, &context);
        let choice = |chance, rule| {
            let opening = SwapOpening::new(rule);
            let actions = answer_swap(&mut Fixed(chance), turn, opening).unwrap();
            (actions[0], actions.len())
        };
        let choose = SwapAction::Choose;
        assert_eq!(choice(0.7, SwapRule::Swap2), (choose(SwapChoice::White), 1));
        assert_eq!(choice(0.2, SwapRule::Swap2), (choose(SwapChoice::Black), 1));
        assert_eq!(
            choice(0.5, SwapRule::Swap2),
            (choose(SwapChoice::PlaceTwo), 3)
        );
        let (even, stones) = choice(0.5, SwapRule::Swap);
        assert_ne!(even, choose(SwapChoice::PlaceTwo));
        assert_eq!(stones, 1);
    }

    #[test]
    fn every_strategy_opens_legally_and_the_same_way_for_the_same_seed() {
        let game = game();
        for seed in 0..20 {
            let context = Context::with_seed(seed);
            let open = || {
                let mut opening = SwapOpening::new(SwapRule::Swap2);
                let mut line = Line::new(&game);
                let mut history = Vec::new();
                while opening.step(line.moves().len()) != SwapStep::Over {
                    let turn = Turn::new(&game, &line, &context);
                    let actions = answer_swap(&mut Random::default(), turn, opening).unwrap();
                    for &action in &actions {
                        match action {
                            SwapAction::Place(mv) => line.play(&game, mv).unwrap(),
                            SwapAction::Choose(choice) => {
                                opening.choose(line.moves().len(), choice).unwrap();
                            }
                        }
                    }
                    history.extend(actions);
                }
                opening.check(line.moves().len()).unwrap();
                history
            };
            assert_eq!(open(), open());
        }
    }
}
