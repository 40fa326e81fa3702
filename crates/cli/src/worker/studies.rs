//! What visitors of servers asked for: positions of reviews, and proofs.

use papan_store::{Finish, Undertaking};
use papan_web::{AnalysisJob, EngineCache};

use super::slot::Slot;

/// What these jobs are called in the queue.
pub(super) const KIND: &str = AnalysisJob::KIND;

/// What the strategies of one thread may remember together, in MiB.
const MEMORY: usize = 96;

/// Answers studies as long as there are any.
///
/// # Errors
/// Never: what one study asks for says nothing of the next.
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
