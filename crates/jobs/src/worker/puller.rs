//! The task that pulls jobs: as many as there are free threads.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Input, Shared};
use crate::Class;
use crate::backoff::Backoff;
use crate::transport::Queue;

/// Pulls until the worker drains.
pub(super) async fn run(shared: Arc<Shared>) {
    pull(&shared).await;
    // Without a supervisor there is no one to tell.
    let _ = shared.inputs.send(Input::PullingEnded);
}

async fn pull(shared: &Shared) {
    let mut queues = shared.queues.subscribe();
    let mut puller = shared.transport.puller();
    let mut backoff = Backoff::new();
    let mut round = 0;
    while !shared.is_draining.load(Ordering::Relaxed) {
        let current = queues.borrow_and_update().clone();
        if current.is_empty() {
            tokio::select! {
                _ = queues.changed() => {}
                () = shared.cancel.notified() => {}
            }
            continue;
        }
        let Ok(permit) = Arc::clone(&shared.permits).acquire_owned().await else {
            return;
        };
        let mut permits = vec![permit];
        while let Ok(permit) = Arc::clone(&shared.permits).try_acquire_owned() {
            permits.push(permit);
        }
        if shared.is_draining.load(Ordering::Relaxed) {
            return;
        }
        let order = in_order(&current, round);
        round = round.wrapping_add(1);
        let pulled = puller.next(&order, permits.len(), &shared.cancel);
        match pulled.await {
            Ok(deliveries) => {
                backoff = Backoff::new();
                for delivery in deliveries {
                    let input = Input::Delivered(delivery, permits.pop());
                    if shared.inputs.send(input).is_err() {
                        return;
                    }
                }
            }
            Err(_) => backoff.wait().await,
        }
    }
}

/// Urgent queues first; among those of a class another one is first each time, so that a long
/// tournament does not starve a proof.
fn in_order(queues: &[Queue], round: usize) -> Vec<Queue> {
    let mut order = Vec::with_capacity(queues.len());
    for class in [Class::Page, Class::Bulk] {
        let mut of_class: Vec<Queue> = queues
            .iter()
            .copied()
            .filter(|queue| queue.class == class)
            .collect();
        if !of_class.is_empty() {
            let first = round % of_class.len();
            of_class.rotate_left(first);
        }
        order.extend(of_class);
    }
    order
}
