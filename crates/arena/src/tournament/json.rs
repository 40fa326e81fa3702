//! A tournament as text, for workers on other machines.

use std::time::Duration;

use papan_catalog::AnyGame;
use serde::{Deserialize, Serialize};

use crate::game::adjudication::{Adjudication, Agreement};
use crate::openings::Opening;
use crate::tournament::{Format, Tournament};
use papan_protocol::limits;

/// Why a plan cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// It is no plan, or one of a later papan.
    #[error("this is no plan of a tournament: {0}")]
    Unreadable(String),
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct PlanText {
    game: String,
    players: Vec<String>,
    limits: String,
    margin_ns: u64,
    patience_ns: u64,
    seed: u64,
    timed: bool,
    draw_after: Option<u32>,
    exact: Option<u64>,
    agreement: Option<(i32, u32)>,
    openings: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    swap: Option<String>,
}

impl Tournament {
    /// Returns everything that is needed to play one of its games.
    #[must_use]
    pub fn to_text(&self) -> String {
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let opening = |opening: &Opening| {
            let words = opening.iter().map(|&mv| self.game.format_move(mv));
            words.collect::<Vec<_>>().join(" ")
        };
        let agreement = self.adjudication.agreement;
        let text = PlanText {
            game: self.game.name(),
            players: self.entrants.iter().map(ToString::to_string).collect(),
            limits: limits::format(&self.limits),
            margin_ns: nanos(self.margin),
            patience_ns: nanos(self.patience),
            seed: self.seed,
            timed: self.timed,
            draw_after: self.adjudication.draw_after,
            exact: self.adjudication.exact,
            agreement: agreement.map(|said| (said.score, said.moves)),
            openings: self.openings.iter().map(opening).collect(),
            swap: self.swap.map(|rule| rule.to_string()),
        };
        serde_json::to_string(&text).expect("plain data becomes JSON")
    }

    /// Parses [`Tournament::to_text`]. Pairings are not included: they are part of each job.
    ///
    /// # Errors
    /// When the text is invalid.
    pub fn from_text(text: &str) -> Result<Self, PlanError> {
        let unreadable = |what: &dyn std::fmt::Display| PlanError::Unreadable(what.to_string());
        let text: PlanText = serde_json::from_str(text).map_err(|error| unreadable(&error))?;
        let name = papan_rules::stored_game_name(&text.game);
        let game: AnyGame = name.parse().map_err(|error| unreadable(&error))?;
        let entrants = text.players.iter().map(|player| player.parse());
        let entrants = entrants.collect::<Result<Vec<_>, _>>();
        let openings = text.openings.iter().map(|opening| {
            let moves = opening.split_whitespace().map(|word| game.parse_move(word));
            moves.collect::<Result<Opening, _>>()
        });
        let openings = openings.collect::<Result<Vec<_>, _>>();
        let swap = text.swap.map(|rule| rule.parse()).transpose();
        Ok(Self {
            entrants: entrants.map_err(|error| unreadable(&error))?,
            openings: openings.map_err(|error| unreadable(&error))?,
            swap: swap.map_err(|error: papan_rules::SwapError| unreadable(&error))?,
            game,
            format: Format::RoundRobin,
            games: 2,
            limits: limits::parse(&text.limits).map_err(|error| unreadable(&error))?,
            margin: Duration::from_nanos(text.margin_ns),
            patience: Duration::from_nanos(text.patience_ns),
            seed: text.seed,
            timed: text.timed,
            adjudication: Adjudication {
                draw_after: text.draw_after,
                exact: text.exact,
                agreement: text
                    .agreement
                    .map(|(score, moves)| Agreement { score, moves }),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::tests::tournament;

    #[test]
    fn a_plan_is_read_as_it_was_written() {
        let mut plan = tournament("othello:6x6", &["greedy@nodes=7", "alphabeta(depth=2)"], 10);
        let mv = |word| plan.game.parse_move(word).unwrap();
        plan.openings = vec![vec![mv("b3")], Vec::new()];
        plan.limits = limits::parse("time=60s+0.5s depth=3").unwrap();
        plan.seed = u64::MAX;
        plan.swap = Some(papan_rules::SwapRule::Swap2);
        plan.adjudication = Adjudication {
            draw_after: Some(9),
            exact: Some(10),
            agreement: Some("500,4".parse().unwrap()),
        };
        let read = Tournament::from_text(&plan.to_text()).unwrap();
        let header = |plan: &Tournament| plan.header().without("games");
        assert_eq!(header(&read), header(&plan));
    }

    #[test]
    fn an_invalid_plan_is_an_error() {
        assert!(Tournament::from_text("{}").is_err());
    }
}
