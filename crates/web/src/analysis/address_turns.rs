//! Fair queueing of remote jobs: an address has at most one job of each class at the workers.
//!
//! The job server is a FIFO queue for each class, so an address that asks for many proofs would
//! otherwise delay all others by all of them.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use papan_jobs::Class;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::subnet::subnet;

/// A semaphore for each address that has a job.
#[derive(Debug, Default)]
pub(crate) struct AddressTurns(Mutex<HashMap<(IpAddr, Class), Arc<Semaphore>>>);

impl AddressTurns {
    /// Waits until an address has no other job of this class; first come, first served. The turn
    /// ends when the permit is dropped.
    pub(crate) async fn take(&self, address: IpAddr, class: Class) -> OwnedSemaphorePermit {
        let turn = {
            let mut turns = self.0.lock();
            // Permits and those who wait for one share the semaphore.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            let turn = turns.entry((subnet(address), class));
            Arc::clone(turn.or_insert_with(|| Arc::new(Semaphore::new(1))))
        };
        turn.acquire_owned().await.expect("it is never closed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn one_address_waits_for_itself_and_for_no_other() {
        let [ann, bob] = ["192.0.2.1", "192.0.2.2"].map(|text| text.parse::<IpAddr>().unwrap());
        let turns = AddressTurns::default();
        let first = turns.take(ann, Class::Page).await;
        let _bulk = turns.take(ann, Class::Bulk).await;
        let _other = turns.take(bob, Class::Page).await;
        let soon = Duration::from_millis(20);
        let second = tokio::time::timeout(soon, turns.take(ann, Class::Page)).await;
        assert!(second.is_err(), "it has one");
        drop(first);
        drop(turns.take(ann, Class::Page).await);
        drop(turns.take(bob, Class::Bulk).await);
        assert_eq!(turns.0.lock().len(), 3, "turns that ended are forgotten");
    }
}
