//! Scoreboard: counts finished games in a deterministic order.

use std::collections::BTreeMap;

use crate::game::game_result::GameResult;
use crate::statistics::{Acceptance, Pentanomial, Sprt};
use crate::tournament::Tournament;
use crate::tournament::standings::Standings;

/// The standings, and the sequential test if there is one.
///
/// Sums do not depend on the order of games, but the moment at which a test ends does. With a test,
/// pairs are therefore counted in the order of the plan: the result is the same with one core or
/// twenty, also after interruptions.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    standings: Standings,
    test: Option<Test>,
}

#[derive(Clone, Debug)]
struct Test {
    sprt: Sprt,
    pairs: Pentanomial,
    next_pair: u64,
    waiting: BTreeMap<u64, Vec<GameResult>>,
    verdict: Acceptance,
}

impl Scoreboard {
    /// Before the first game.
    #[must_use]
    pub fn new(tournament: &Tournament, sprt: Option<Sprt>) -> Self {
        Self {
            standings: Standings::new(tournament),
            test: sprt.map(|sprt| Test {
                sprt,
                pairs: Pentanomial::default(),
                next_pair: 0,
                waiting: BTreeMap::new(),
                verdict: Acceptance::Open,
            }),
        }
    }

    /// Enters a game that is on disk. After the answer of a test nothing counts.
    pub fn add(&mut self, tournament: &Tournament, finished: GameResult) {
        let Some(test) = &mut self.test else {
            // A game of the next round proves that the one before it was over.
            while self.standings.schedule().game(finished.game).is_none()
                && self.standings.draw_next_round(tournament)
            {}
            self.standings.count(&finished);
            return;
        };
        if test.verdict != Acceptance::Open {
            return;
        }
        let pair = finished.game / 2;
        test.waiting.entry(pair).or_default().push(finished);
        while test.verdict == Acceptance::Open
            && let Some(pair) = test.waiting.first_entry()
            && *pair.key() == test.next_pair
            && pair.get().len() == 2
        {
            for finished in pair.remove() {
                self.standings.count(&finished);
            }
            test.next_pair += 1;
            test.pairs = self.standings.tallies[0].pairs;
            test.verdict = test.sprt.verdict(&test.pairs);
        }
    }

    /// Returns the standings.
    #[must_use]
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Returns whether a game of this number counts: games after the end of a test or beyond the
    /// requested number do not.
    #[must_use]
    pub fn counts(&self, game: u64) -> bool {
        let counted = |test: &Test| game / 2 < test.next_pair;
        let planned = self.standings.schedule().game(game).is_some();
        planned && self.test.as_ref().is_none_or(counted)
    }

    /// Draws the next round after all earlier games are counted; `false` if there is none or not
    /// yet.
    pub(crate) fn draw_next_round(&mut self, tournament: &Tournament) -> bool {
        self.test.is_none() && self.standings.draw_next_round(tournament)
    }

    /// Returns the test, its log-likelihood ratio and state.
    #[must_use]
    pub fn test(&self) -> Option<(Sprt, f64, Acceptance)> {
        let test = self.test.as_ref()?;
        let llr = test.sprt.log_likelihood_ratio(&test.pairs);
        Some((test.sprt, llr, test.verdict))
    }

    /// Returns whether the test has ended.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let open = |test: &Test| test.verdict == Acceptance::Open;
        self.test.as_ref().is_some_and(|test| !open(test))
    }
}
