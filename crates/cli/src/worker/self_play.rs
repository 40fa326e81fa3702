//! Jobs of the kind "self-play": batches of training games.

use papan_store::{Finish, Undertaking};
use papan_train::plan::{Batch, Plan};

use super::slot::Slot;

/// Name of the job kind.
pub(super) const KIND: &str = Plan::KIND;

/// Plays batches of one plan until there are none.
///
/// # Errors
/// When the plan cannot be read here.
pub(super) fn play(slot: &mut Slot<'_>, undertaking: &Undertaking) -> Result<(), String> {
    let plan: Plan = undertaking
        .body
        .parse()
        .map_err(|error| format!("{error}"))?;
    while let Some(job) = slot.next_of(&undertaking.name) {
        let batch: Result<Batch, _> = job.body.parse();
        slot.finish(&match batch {
            Ok(batch) => Finish::Done(plan.play_batch(&batch)),
            Err(error) => Finish::Failed(error.to_string()),
        });
    }
    Ok(())
}
