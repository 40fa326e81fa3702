//! Analyses a whole game within a time budget.

use std::time::Duration;

use papan_strategies::{Clock, Limits, NoMove, StepKind, Watch};

use super::{Finisher, PositionAnalysis, ReviewQuestion};
use crate::{AnyGame, AnyLine, Seat, StrategySpec, Unplayable, advisor};

/// How long a review may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewTime {
    /// All of it.
    Whole(Duration),
    /// Each position.
    Each(Duration),
}

/// The analysing strategy, and a solver for the last moves.
pub struct Reviewer {
    game: AnyGame,
    strategy: StrategySpec,
    seat: Box<dyn Seat>,
    finisher: Option<Finisher>,
}

impl Reviewer {
    /// Creates a reviewer with the game's advisor on `threads` threads, or another strategy.
    ///
    /// # Errors
    /// When the strategy cannot play this game.
    pub fn new(
        game: &AnyGame,
        strategy: Option<&StrategySpec>,
        threads: usize,
    ) -> Result<Self, Unplayable> {
        let strategy = match strategy {
            Some(strategy) => strategy.clone(),
            None => with_threads(advisor(game), threads),
        };
        // It will play by time.
        let limits = Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        };
        Ok(Self {
            seat: game.seat(&strategy, &limits)?,
            finisher: Finisher::new(game, &strategy),
            game: game.clone(),
            strategy,
        })
    }

    /// Who is asked.
    #[must_use]
    pub fn strategy(&self) -> &StrategySpec {
        &self.strategy
    }

    /// Analyses every position of a line, from its end to its start: the tables stay warm, so that
    /// more of the game is solved exactly. If `watch` stops it, the first positions have no
    /// analysis.
    ///
    /// # Errors
    /// When the strategy has no answer.
    ///
    /// # Panics
    /// When the line is of another game value.
    pub fn review(
        &mut self,
        line: &dyn AnyLine,
        time: ReviewTime,
        watch: &Watch,
        clock: &(impl Clock + Clone + 'static),
    ) -> Result<Vec<Option<PositionAnalysis>>, NoMove> {
        assert!(line.game().is(&self.game), "a line of the same game value");
        let began = clock.now();
        let mut walked = line.clone_line();
        let mut insights = vec![None; line.moves().len() + 1];
        watch.begin_step(0, StepKind::Game, insights.len() as u64);
        // Whether the position behind was known for certain: then this one may be as well.
        let mut near_end = true;
        loop {
            let ply = walked.moves().len();
            let limits = Limits {
                time: Some(match time {
                    ReviewTime::Each(each) => each,
                    ReviewTime::Whole(whole) => {
                        let left = whole.saturating_sub(clock.now().saturating_sub(began));
                        share(left, ply + 1, near_end)
                    }
                }),
                ..Limits::default()
            };
            let question = ReviewQuestion {
                line: &*walked,
                limits,
                stop: &watch.stop,
                clock,
                near_end,
            };
            let seat = &mut self.seat;
            let (insight, nodes) = question.analyse(self.finisher.as_mut(), |context| {
                seat.decide(&*walked, context)
            })?;
            if watch.check_stop().is_err() {
                return Ok(insights);
            }
            near_end = insight.is_certain();
            insights[ply] = Some(insight);
            watch.advance(1, nodes);
            if walked.undo().is_none() {
                return Ok(insights);
            }
        }
    }
}

/// Returns the time for one of the remaining positions. Near the end several shares: an exact score
/// is better than an estimate, and makes the next position exact as well.
fn share(left: Duration, positions: usize, near_end: bool) -> Duration {
    const TO_SOLVE: u32 = 4;
    let even = left / positions.max(1) as u32;
    let share = if near_end {
        (even * TO_SOLVE).min(left / 2).max(even)
    } else {
        even
    };
    share.max(Duration::from_millis(1))
}

fn with_threads(strategy: StrategySpec, threads: usize) -> StrategySpec {
    if strategy.info().name != "engine" || threads < 2 {
        return strategy;
    }
    let text = strategy.to_string();
    let threaded = match text.strip_suffix(')') {
        Some(arguments) => format!("{arguments},threads={threads})"),
        None => format!("{text}(threads={threads})"),
    };
    threaded.parse().unwrap_or(strategy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Judgement, judgements};
    use papan_strategies::{Score, SystemClock};

    fn reviewed(line: &dyn AnyLine) -> Vec<Judgement> {
        let mut reviewer = Reviewer::new(&line.game(), None, 1).unwrap();
        let time = ReviewTime::Whole(Duration::from_secs(20));
        let watch = Watch::default();
        let insights = reviewer.review(line, time, &watch, &SystemClock).unwrap();
        let part = watch.progress().part.unwrap();
        assert_eq!((part.done, part.total), (insights.len() as u64, part.done));
        judgements(line, &insights)
    }

    /// The value of a position for the player to move, by plain negamax.
    fn negamax(line: &mut Box<dyn AnyLine>) -> i32 {
        if line.outcome().is_some() {
            return line.final_score(line.turn());
        }
        let mut best = i32::MIN;
        let mover = line.turn();
        for mv in line.legal_moves() {
            line.play(mv).unwrap();
            let value = negamax(line);
            best = best.max(if line.turn() == mover { value } else { -value });
            line.undo();
        }
        best
    }

    /// Holds the judgements on the moves from `from` on against negamax.
    fn hold(line: &dyn AnyLine, from: usize) {
        let judgements = reviewed(line);
        let mut walked = line.clone_line();
        while walked.moves().len() > from {
            let mv = walked.undo().unwrap();
            let judgement = &judgements[walked.moves().len()];
            assert_eq!((judgement.player, judgement.mv), (walked.turn(), mv));
            let before = negamax(&mut walked);
            assert_eq!(judgement.before.and_then(Score::proven), Some(before));
            walked.play(mv).unwrap();
            let value = negamax(&mut walked);
            let same = walked.turn() == judgement.player;
            let after = if same { value } else { -value };
            assert_eq!(judgement.after.and_then(Score::proven), Some(after));
            assert_eq!(judgement.loss, Some((before - after) as f32));
            walked.undo();
        }
    }

    #[test]
    fn a_small_game_is_known_for_certain_from_its_beginning() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend("1 2 5 3 4 9 6").unwrap();
        hold(&*line, 2);
        let judgements = reviewed(&*line);
        let turned: Vec<bool> = judgements
            .iter()
            .map(|judgement| judgement.turning)
            .collect();
        assert_eq!(turned, [false, true, false, false, false, false, false]);
    }

    /// The last moves of a game that is not played well, and so with mistakes in it.
    fn last_moves(game: &AnyGame, count: usize) -> Box<dyn AnyLine> {
        let mut whole = game.line();
        while whole.outcome().is_none() {
            let legal = whole.legal_moves();
            let mv = legal[whole.moves().len() * 7 % legal.len()];
            whole.play(mv).unwrap();
        }
        let moves = whole.moves().to_vec();
        let (first, last) = moves.split_at(moves.len() - count);
        while whole.moves().len() > first.len() {
            whole.undo();
        }
        let mut line = game.line_from(&whole.position_text()).unwrap();
        for &mv in last {
            line.play(mv).unwrap();
        }
        line
    }

    #[test]
    fn the_end_of_othello_is_known_for_certain() {
        for side in ["8x8", "6x6"] {
            let game: AnyGame = format!("othello:{side}").parse().unwrap();
            hold(&*last_moves(&game, 8), 0);
        }
    }

    #[test]
    fn what_is_stopped_says_what_is_known() {
        let game: AnyGame = "othello".parse().unwrap();
        let mut line = game.line();
        line.extend("f5d6c3d3c4").unwrap();
        let watch = Watch::default();
        let mut reviewer = Reviewer::new(&game, None, 1).unwrap();
        let each = ReviewTime::Each(Duration::from_millis(5));
        let insights = std::thread::scope(|scope| {
            let review = scope.spawn(|| reviewer.review(&*line, each, &watch, &SystemClock));
            while watch.progress().part.is_none_or(|part| part.done < 2) {
                std::thread::yield_now();
            }
            watch.stop.stop();
            review.join().unwrap()
        });
        let known: Vec<bool> = insights.unwrap().iter().map(Option::is_some).collect();
        // It walks from the end, and never leaves a gap.
        assert!(known[4..] == [true, true] && known.is_sorted(), "{known:?}");
    }
}
