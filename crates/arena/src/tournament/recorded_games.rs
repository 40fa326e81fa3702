//! The counted games of a tournament, in the order of the plan.

use std::collections::BTreeMap;

use crate::game::game_result::GameResult;
use crate::results::{Results, ResultsError};
use crate::tournament::ScheduledGame;
use crate::tournament::schedule::Schedule;
use crate::tournament::scoreboard::Scoreboard;

/// Every counted game, by its number, however the games were played.
pub(crate) struct RecordedGames {
    schedule: Schedule,
    /// Records as they were kept: short, whatever the board.
    records: BTreeMap<u64, Vec<u8>>,
}

impl RecordedGames {
    pub(crate) fn read(
        scoreboard: &Scoreboard,
        results: &mut dyn Results,
    ) -> Result<Self, ResultsError> {
        let mut records = BTreeMap::new();
        results.replay(&mut |record| {
            if let Ok(finished) = GameResult::decode(record)
                && scoreboard.counts(finished.game)
            {
                let kept = records.entry(finished.game);
                kept.or_insert_with(|| record.to_vec());
            }
        })?;
        Ok(Self {
            schedule: scoreboard.standings().schedule().clone(),
            records,
        })
    }

    /// Each game with its place in the plan.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (ScheduledGame, GameResult)> {
        self.records.values().filter_map(|record| {
            let finished = GameResult::decode(record).ok()?;
            Some((self.schedule.game(finished.game)?, finished))
        })
    }
}
