//! Daily puzzles, generated on first request and stored.

use std::net::IpAddr;
use std::sync::Arc;

use papan_analysis::puzzle::{DAY, Puzzle, SOURCES, generate};
use papan_store::{GameStore, StoredStudy};

use crate::analysis::service::AnalysisService;
use crate::http::rejection::Rejection;
use crate::wall_clock::WallClock;

/// Daily puzzles.
pub(crate) struct Puzzles {
    store: Arc<dyn GameStore>,
    clock: Arc<dyn WallClock>,
    analysis: Arc<AnalysisService>,
}

impl Puzzles {
    pub(crate) fn new(
        store: Arc<dyn GameStore>,
        clock: Arc<dyn WallClock>,
        analysis: Arc<AnalysisService>,
    ) -> Self {
        Self {
            store,
            clock,
            analysis,
        }
    }

    /// Returns today's number: days since the Unix epoch.
    pub(crate) fn today(&self) -> i64 {
        self.clock.unix_millis().div_euclid(DAY)
    }

    /// Returns the puzzle of a day and a level, generated on first request.
    ///
    /// # Errors
    /// If the engine is busy, or no position of that day is a puzzle.
    pub(crate) async fn get(
        &self,
        client: IpAddr,
        day: i64,
        level: usize,
    ) -> Result<Puzzle, Rejection> {
        let subject = format!("puzzle {day} {}", SOURCES[level].name);
        let stored = self.store.study(&subject).await?;
        if let Some(puzzle) = stored.and_then(|stored| serde_json::from_str(&stored.body).ok()) {
            return Ok(puzzle);
        }
        self.analysis.take_token(client)?;
        let limits = self.analysis.limits();
        let generated = self
            .analysis
            .run_on_pool(client, move |engines| generate(engines, day, level, limits));
        let puzzle = generated.await?.ok_or(Rejection::NotFound)?;
        let study = StoredStudy {
            subject,
            body: serde_json::to_string(&puzzle).expect("puzzles serialize to JSON"),
            at: self.clock.unix_millis(),
        };
        self.store.keep_study(study).await?;
        Ok(puzzle)
    }
}
