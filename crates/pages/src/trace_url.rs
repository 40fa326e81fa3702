//! A step of a run as a query string: the position, the step, the unfolded positions of the tree, and
//! the score of predictions.

use std::fmt::Write as _;

use papan_catalog::AnyGame;
use papan_rules::Move;
use serde::Deserialize;

use crate::error::PageError;
use crate::numbers::optional_ply;
use crate::position_url::PositionUrl;

/// Maximum number of steps of a run.
pub(crate) const MAX_STEPS: usize = 4000;
/// Plies of the tree that are shown without a number of them.
const DEFAULT_SHOWN: usize = 3;
/// Maximum number of plies that are shown.
const MAX_SHOWN: usize = 9;
/// Maximum length of the unfolded positions; the oldest are folded first.
const MAX_OPEN: usize = 600;

/// The fields of a step beside those of the position.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct StepFields {
    /// The number of the step, from 1.
    #[serde(default, deserialize_with = "optional_ply")]
    pub(crate) step: Option<usize>,
    /// Plies of the tree that are shown.
    #[serde(default, deserialize_with = "optional_ply")]
    shown: Option<usize>,
    /// Unfolded positions: the moves to each joined by `-`, separated by dots.
    open: Option<String>,
    /// Whether the visitor predicts the move first.
    predict: Option<String>,
    /// The predicted move.
    pub(crate) guess: Option<String>,
    /// Correct predictions before this one.
    #[serde(default, deserialize_with = "optional_ply")]
    right: Option<usize>,
    /// All predictions before this one.
    #[serde(default, deserialize_with = "optional_ply")]
    asked: Option<usize>,
}

/// The score of the predictions so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PredictionScore {
    pub(crate) right: usize,
    pub(crate) asked: usize,
}

impl PredictionScore {
    pub(crate) fn after(self, is_right: bool) -> Self {
        Self {
            right: self.right + usize::from(is_right),
            asked: self.asked + 1,
        }
    }
}

/// A step of a run.
#[derive(Clone, Debug)]
pub(crate) struct TraceUrl {
    pub(crate) position: PositionUrl,
    pub(crate) step: Option<usize>,
    pub(crate) shown: usize,
    /// The unfolded positions, each by its moves.
    pub(crate) open: Vec<Vec<Move>>,
    /// The score before this position, if moves are predicted.
    pub(crate) predicts: Option<PredictionScore>,
    pub(crate) guess: Option<Move>,
}

impl TraceUrl {
    /// Parses the fields of a step in this game.
    ///
    /// # Errors
    /// If there are too many unfolded positions. Unknown moves are ignored.
    pub(crate) fn new(
        position: PositionUrl,
        fields: &StepFields,
        game: &AnyGame,
    ) -> Result<Self, PageError> {
        let open = fields.open.as_deref().unwrap_or("");
        if open.len() > MAX_OPEN {
            return Err(PageError::TooLarge);
        }
        let moves = |path: &str| -> Option<Vec<Move>> {
            let words = path.split('-').filter(|word| !word.is_empty());
            words.map(|word| game.parse_move(word).ok()).collect()
        };
        let is_predicted = fields.predict.as_deref().is_some_and(|on| !on.is_empty());
        // More would only be a forged address.
        let count = |number: Option<usize>| number.unwrap_or(0).min(9999);
        Ok(Self {
            position,
            step: fields.step,
            shown: fields.shown.unwrap_or(DEFAULT_SHOWN).clamp(1, MAX_SHOWN),
            open: open
                .split('.')
                .filter_map(moves)
                .filter(|path| !path.is_empty())
                .collect(),
            predicts: is_predicted.then(|| PredictionScore {
                right: count(fields.right).min(count(fields.asked)),
                asked: count(fields.asked),
            }),
            guess: fields
                .guess
                .as_deref()
                .and_then(|text| game.parse_move(text).ok()),
        })
    }

    /// Returns the address.
    pub(crate) fn link(&self, game: &AnyGame) -> String {
        let mut link = self.position.link("/trace");
        let mut add = |name: &str, value: &str| {
            let _ = write!(link, "&{name}={value}");
        };
        if self.shown != DEFAULT_SHOWN {
            add("shown", &self.shown.to_string());
        }
        if let Some(step) = self.step {
            add("step", &step.to_string());
        }
        let open = open_text(game, &self.open);
        if !open.is_empty() {
            add("open", &open);
        }
        if let Some(score) = self.predicts {
            add("predict", "1");
            if score.asked > 0 {
                add("right", &score.right.to_string());
                add("asked", &score.asked.to_string());
            }
            if let Some(guess) = self.guess {
                add("guess", &game.format_move(guess));
            }
        }
        link
    }

    /// Returns the address of another step.
    pub(crate) fn at(&self, game: &AnyGame, step: usize) -> String {
        let url = Self {
            step: Some(step),
            ..self.clone()
        };
        url.link(game)
    }

    /// Returns the address with a position unfolded, or folded if it is not.
    pub(crate) fn toggled(&self, game: &AnyGame, path: &[Move]) -> String {
        let mut open = self.open.clone();
        match open.iter().position(|known| known == path) {
            Some(known) => {
                open.remove(known);
            }
            None => open.push(path.to_vec()),
        }
        while open_text(game, &open).len() > MAX_OPEN {
            open.remove(0);
        }
        let url = Self {
            open,
            ..self.clone()
        };
        url.link(game)
    }
}

fn open_text(game: &AnyGame, open: &[Vec<Move>]) -> String {
    let path = |path: &Vec<Move>| {
        let moves: Vec<String> = path.iter().map(|mv| game.format_move(*mv)).collect();
        moves.join("-")
    };
    open.iter().map(path).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(query: &str) -> Result<TraceUrl, PageError> {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let position = serde_urlencoded::from_str(query).unwrap();
        let fields = serde_urlencoded::from_str(query).unwrap();
        TraceUrl::new(position, &fields, &game)
    }

    #[test]
    fn an_address_is_read_as_it_is_written() {
        let game: AnyGame = "tictactoe".parse().unwrap();
        let query = "game=tictactoe&moves=1+5&strategy=alphabeta&shown=5&step=17&open=2-3.4";
        let link = url(query).unwrap().link(&game);
        assert_eq!(link, format!("/trace?{query}"));
        let predicted = format!("{query}&predict=1&right=1&asked=2&guess=9");
        assert_eq!(
            url(&predicted).unwrap().link(&game),
            format!("/trace?{predicted}")
        );
        let path = [Move::on(3)];
        assert!(
            url(query)
                .unwrap()
                .toggled(&game, &path)
                .ends_with("open=2-3")
        );
        let other = [Move::on(8), Move::on(0)];
        let unfolded = url(query).unwrap().toggled(&game, &other);
        assert!(unfolded.ends_with("open=2-3.4.9-1"), "{unfolded}");
    }

    #[test]
    fn foreign_values_are_bounded() {
        let wild = url("game=tictactoe&shown=99999999999999999999&step=0&open=xx.99.1").unwrap();
        assert_eq!((wild.shown, wild.open.len()), (MAX_SHOWN, 1));
        assert!(url("game=tictactoe&open=").unwrap().open.is_empty());
        let score = url("predict=1&right=7&asked=3").unwrap().predicts;
        assert_eq!(score, Some(PredictionScore { right: 3, asked: 3 }));
        assert!(url(&format!("open={}", "1.".repeat(400))).is_err());
        let mut full = url("game=tictactoe").unwrap();
        let game: AnyGame = "tictactoe".parse().unwrap();
        for at in 0..500 {
            full.open.push(vec![Move::on(at % 9), Move::on(at / 9 % 9)]);
            full.open.dedup();
        }
        let link = full.toggled(&game, &[Move::on(1)]);
        assert!(
            link.len() < MAX_OPEN + 100 && link.ends_with(".2"),
            "{link}"
        );
    }
}
