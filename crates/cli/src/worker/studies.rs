//! Jobs of the kind "analysis": positions of reviews, and proofs, requested by visitors.

use papan_store::{Finish, Undertaking};
use papan_web::{AnalysisJob, EngineCache};

use super::slot::Slot;

/// Name of the job kind.
pub(super) const KIND: &str = AnalysisJob::KIND;

/// Memory of the strategies of one thread, in MiB.
const MEMORY: usize = 96;

/// Answers analysis requests until there are none.
///
/// # Errors
/// Never: one request does not affect the next.
pub(super) fn answer(slot: &mut Slot<'_>, undertaking: &Undertaking) -> Result<(), String> {
    let mut players = EngineCache::new(MEMORY);
    while let Some(job) = slot.next_of(&undertaking.name) {
        let answer = AnalysisJob::read(&job.body).and_then(|study| {
            let watch = study.watch();
            slot.show(&watch);
            study.answer(&mut players, &watch)
        });
        slot.finish(&answer.map_or_else(Finish::Failed, Finish::Done));
    }
    Ok(())
}
