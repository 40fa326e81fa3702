//! State of the stepper: the run, the step, and the predictions.

use std::ops::ControlFlow;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use papan_catalog::AnyLine;
use papan_catalog::trace::{TraceRequest, TracedRun, trace};
use papan_rules::Move;

/// A run with the step that is shown.
pub struct Stepper {
    /// The request, to trace the next position as well.
    request: TraceRequest,
    run: TracedRun,
    at: usize,
    /// Whether the six components of the algorithm are shown in place of the tree.
    shows_components: bool,
    predictions: Option<Predictions>,
}

/// Predictions of the strategy's move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Predictions {
    /// The text typed so far.
    pub(super) typed: String,
    /// Whether the typed text is no legal move.
    pub(super) is_wrong: bool,
    /// The prediction for this position, once it is made.
    pub(super) guess: Option<Move>,
    pub(super) right: usize,
    pub(super) asked: usize,
}

/// Maximum length of a typed move.
const MAX_TYPED: usize = 16;

impl Stepper {
    /// Creates a stepper at the first step. With `predicts` it asks for the move of each position
    /// before it shows the run.
    #[must_use]
    pub fn new(run: TracedRun, request: TraceRequest, predicts: bool) -> Self {
        Self {
            request,
            run,
            at: 0,
            shows_components: false,
            predictions: predicts.then(Predictions::default),
        }
    }

    pub(super) fn run(&self) -> &TracedRun {
        &self.run
    }

    pub(super) fn strategy(&self) -> String {
        self.request.strategy.to_string()
    }

    /// Returns the number of the step, from 0.
    #[must_use]
    pub fn at(&self) -> usize {
        self.at
    }

    pub(super) fn shows_components(&self) -> bool {
        self.shows_components
    }

    pub(super) fn predictions(&self) -> Option<&Predictions> {
        self.predictions.as_ref()
    }

    /// Returns whether the move of this position is to be predicted first.
    pub(super) fn asks(&self) -> bool {
        let predictions = self.predictions.as_ref();
        predictions.is_some_and(|predictions| predictions.guess.is_none())
    }

    /// Returns whether there is a position after the strategy's move to predict next.
    pub(super) fn has_next(&self) -> bool {
        self.predictions.is_some() && !self.asks() && self.next_line().is_some()
    }

    /// Returns the line after the strategy's move, unless the game is over.
    fn next_line(&self) -> Option<Box<dyn AnyLine>> {
        let mut line = self.run.line.clone_line();
        line.play(self.run.trace.choice()?).ok()?;
        line.outcome().is_none().then_some(line)
    }

    /// Handles a key; breaks to quit.
    pub fn key(&mut self, key: KeyEvent) -> ControlFlow<()> {
        if key.kind == KeyEventKind::Release {
            return ControlFlow::Continue(());
        }
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) || key.code == KeyCode::Esc {
            return ControlFlow::Break(());
        }
        if self.asks() {
            self.type_key(key.code);
            return ControlFlow::Continue(());
        }
        let trace = &self.run.trace;
        let last = trace.steps.len() - 1;
        let next = match key.code {
            KeyCode::Char('q') => return ControlFlow::Break(()),
            KeyCode::Right | KeyCode::Char(' ' | 's' | 'l') | KeyCode::Enter => Some(self.at + 1),
            KeyCode::Left | KeyCode::Char('b' | 'h') | KeyCode::Backspace => self.at.checked_sub(1),
            KeyCode::Down | KeyCode::Char('o' | 'j') => trace.over(self.at),
            KeyCode::Up | KeyCode::Char('u' | 'k') => trace.out(self.at),
            KeyCode::Char('c') => trace.next_cut(self.at),
            KeyCode::Home | KeyCode::Char('g') => Some(0),
            KeyCode::End | KeyCode::Char('G') => Some(last),
            KeyCode::Char('n') => {
                self.predict_next();
                None
            }
            KeyCode::Char('i') => {
                self.shows_components = !self.shows_components;
                None
            }
            _ => None,
        };
        self.at = next.unwrap_or(self.at).min(last);
        ControlFlow::Continue(())
    }

    /// Traces the position after the strategy's move, and asks again.
    fn predict_next(&mut self) {
        if self.predictions.is_none() {
            return;
        }
        let Some(line) = self.next_line() else {
            return;
        };
        // A strategy that has no move there is not asked again.
        let Ok(run) = trace(&*line, &self.request) else {
            return;
        };
        (self.run, self.at) = (run, 0);
        if let Some(predictions) = &mut self.predictions {
            predictions.guess = None;
        }
    }

    fn type_key(&mut self, code: KeyCode) {
        let Some(predictions) = &mut self.predictions else {
            return;
        };
        predictions.is_wrong = false;
        match code {
            KeyCode::Char(letter) if predictions.typed.len() < MAX_TYPED => {
                predictions.typed.push(letter);
            }
            KeyCode::Backspace => {
                predictions.typed.pop();
            }
            KeyCode::Enter => {
                let typed = std::mem::take(&mut predictions.typed);
                let game = self.run.line.game();
                let mv = game.parse_move(typed.trim()).ok();
                let legal = mv.filter(|mv| self.run.line.check_move(*mv).is_ok());
                let Some(guess) = legal else {
                    predictions.is_wrong = true;
                    return;
                };
                predictions.guess = Some(guess);
                // The move of a run that is cut short is not known: such a prediction does not count.
                if let Some(choice) = self.run.trace.choice() {
                    predictions.asked += 1;
                    predictions.right += usize::from(guess == choice);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use papan_catalog::AnyGame;
    use papan_solve::TraceEvent;

    fn stepper(moves: &str, predicts: bool) -> Stepper {
        stepper_of(moves, predicts, 5000)
    }

    fn stepper_of(moves: &str, predicts: bool, steps: usize) -> Stepper {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let mut line = game.line();
        line.extend(moves).unwrap();
        let request = TraceRequest {
            strategy: "alphabeta".parse().unwrap(),
            shown: 3,
            steps,
            nodes: 1_000_000,
            playouts: 1,
            seed: 0,
        };
        let run = trace(&*line, &request).unwrap();
        Stepper::new(run, request, predicts)
    }

    fn press(stepper: &mut Stepper, code: KeyCode) -> bool {
        stepper.key(KeyEvent::from(code)).is_break()
    }

    #[test]
    fn keys_step_over_out_and_from_cut_to_cut_and_stay_within_the_run() {
        let mut stepper = stepper("1 5 9 3", false);
        let last = stepper.run().trace.steps.len() - 1;
        assert!(!press(&mut stepper, KeyCode::Left));
        assert_eq!(stepper.at(), 0);
        press(&mut stepper, KeyCode::Right);
        assert_eq!(stepper.at(), 1);
        press(&mut stepper, KeyCode::Char('o'));
        assert_eq!(Some(stepper.at()), stepper.run().trace.over(1));
        press(&mut stepper, KeyCode::Up);
        assert!(stepper.run().step(stepper.at()).path.is_empty());
        press(&mut stepper, KeyCode::Home);
        press(&mut stepper, KeyCode::Char('c'));
        let step = stepper.run().step(stepper.at());
        assert!(matches!(step.event, TraceEvent::Cut { .. }));
        press(&mut stepper, KeyCode::End);
        press(&mut stepper, KeyCode::Right);
        assert_eq!(stepper.at(), last);
        // Without predictions there is no next position.
        press(&mut stepper, KeyCode::Char('n'));
        assert_eq!(stepper.at(), last);
        assert!(press(&mut stepper, KeyCode::Char('q')));
    }

    #[test]
    fn a_prediction_of_a_run_that_is_cut_short_does_not_count() {
        let mut stepper = stepper_of("", true, 20);
        assert!(stepper.run().trace.is_cut_short);
        for code in [KeyCode::Char('1'), KeyCode::Enter] {
            press(&mut stepper, code);
        }
        let predictions = stepper.predictions().unwrap();
        assert_eq!((predictions.right, predictions.asked), (0, 0));
        assert!(!stepper.asks() && !stepper.has_next());
        let words = papan_view::Messages::new(papan_view::Language::English);
        let said = super::super::view::verdict(&stepper, words).unwrap();
        assert!(said.contains("not known here"), "{said}");
        assert!(
            !said.contains("You said") && !said.contains("0 of"),
            "{said}"
        );
    }

    #[test]
    fn a_prediction_is_typed_checked_and_counted() {
        let mut stepper = stepper("1", true);
        assert!(stepper.asks());
        for code in [KeyCode::Char('1'), KeyCode::Enter] {
            press(&mut stepper, code);
        }
        // The cell is taken.
        assert!(stepper.asks() && stepper.predictions().unwrap().is_wrong);
        for code in [
            KeyCode::Char('9'),
            KeyCode::Backspace,
            KeyCode::Char('5'),
            KeyCode::Enter,
        ] {
            press(&mut stepper, code);
        }
        let predictions = stepper.predictions().unwrap();
        assert_eq!((predictions.right, predictions.asked), (1, 1));
        assert!(!stepper.asks() && stepper.has_next());
        press(&mut stepper, KeyCode::Char('n'));
        assert!(stepper.asks());
        assert_eq!(stepper.run().line.moves().len(), 2);
        for code in [KeyCode::Char('9'), KeyCode::Enter] {
            press(&mut stepper, code);
        }
        let predictions = stepper.predictions().unwrap();
        assert_eq!((predictions.right, predictions.asked), (1, 2));
        assert!(press(&mut stepper, KeyCode::Esc));
    }
}
