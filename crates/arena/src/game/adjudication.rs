//! Adjudication: ends decided or too long games early, as fastchess's `-draw` and `-resign` do.

use std::fmt;
use std::str::FromStr;

/// When a game is ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Number of plies after which the game is a draw.
    pub draw_after: Option<u32>,
    /// Node limit of an exact search whose result ends the game.
    pub exact: Option<u64>,
    /// Whether the game ends when both players agree on the winner.
    pub agreement: Option<Agreement>,
}

/// Both players report the same winner for a number of moves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Minimum score, in the players' own units.
    pub score: i32,
    /// Moves of each player in a row.
    pub moves: u32,
}

/// Who ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdjudicatedBy {
    /// It was too long.
    Length,
    /// papan knows the result.
    Knowledge,
    /// Both players reported the same winner.
    Agreement,
}

impl AdjudicatedBy {
    /// All of them, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Length, Self::Knowledge, Self::Agreement];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Knowledge => "knowledge",
            Self::Agreement => "agreement",
        }
    }
}

/// A text that is no agreement.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no agreement; write a score and a number of moves, 500,4")]
pub struct AdjudicationError(String);

impl FromStr for Agreement {
    type Err = AdjudicationError;

    fn from_str(text: &str) -> Result<Self, AdjudicationError> {
        let read = || {
            let (score, moves) = text.split_once(',')?;
            let score = score.trim().parse().ok().filter(|&score| score > 0)?;
            let moves = moves.trim().parse().ok().filter(|&moves| moves > 0)?;
            Some(Self { score, moves })
        };
        read().ok_or_else(|| AdjudicationError(text.into()))
    }
}

impl fmt::Display for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let agreement = self
            .agreement
            .map(|a| format!("agree={},{}", a.score, a.moves));
        let parts = [
            self.draw_after.map(|plies| format!("draw-after={plies}")),
            self.exact.map(|nodes| format!("exact={nodes}")),
            agreement,
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(" "))
    }
}

/// Scores reported by both players.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EngineScores {
    /// Number of consecutive moves for which each player reported a win, negative for a loss.
    streaks: [i64; 2],
}

impl EngineScores {
    /// Records a reported score; returns the winner when both agree.
    pub(crate) fn record(
        &mut self,
        agreement: Agreement,
        seat: usize,
        score: Option<i32>,
    ) -> Option<usize> {
        let streak = &mut self.streaks[seat];
        *streak = match score {
            Some(score) if score >= agreement.score => streak.max(&mut 0).saturating_add(1),
            Some(score) if score <= -agreement.score => streak.min(&mut 0).saturating_sub(1),
            _ => 0,
        };
        let enough = i64::from(agreement.moves);
        (0..2).find(|&seat| self.streaks[seat] >= enough && self.streaks[1 - seat] <= -enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_have_to_say_so_several_times_in_a_row() {
        let agreement: Agreement = "500,2".parse().unwrap();
        let mut scores = EngineScores::default();
        assert_eq!(scores.record(agreement, 0, Some(600)), None);
        assert_eq!(scores.record(agreement, 1, Some(-700)), None);
        assert_eq!(scores.record(agreement, 0, Some(900)), None);
        assert_eq!(scores.record(agreement, 1, None), None, "not sure any more");
        assert_eq!(scores.record(agreement, 0, Some(900)), None);
        assert_eq!(scores.record(agreement, 1, Some(-500)), None);
        assert_eq!(scores.record(agreement, 0, Some(900)), None);
        assert_eq!(scores.record(agreement, 1, Some(-500)), Some(0));
        for text in ["", "500", "0,3", "5,0", "a,b"] {
            assert!(text.parse::<Agreement>().is_err(), "{text}");
        }
    }
}
