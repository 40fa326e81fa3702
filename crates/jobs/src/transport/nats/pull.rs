//! Pulling jobs: urgent queues first, one round over all queues, then waiting at all of them.
//!
//! Consumers of a work-queue stream may not overlap, so "any of these routes, urgent first" is
//! several pull requests. While jobs wait, requests with `no_wait` go to one queue after the other.
//! Once all queues are empty, one request waits at each. A request that is given up could swallow a
//! job until its acknowledgement times out; such requests are therefore drained: the server drops a
//! request whose inbox has no subscriber, and jobs that were on their way are kept.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::{Message, StatusCode, Subscriber};
use futures_util::StreamExt as _;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::{streams, subjects};
use crate::JobsError;
use crate::backoff::jitter;
use crate::transport::{Delivery, Queue, Receipt};

/// How long requests wait at empty queues.
const IDLE_WAIT: Duration = Duration::from_secs(10);
/// How long an answer to a request may be on its way.
const NETWORK_WAIT: Duration = Duration::from_secs(2);
/// Before asking again for a queue that has no consumer.
const MISSING_WAIT: Duration = Duration::from_secs(1);

/// See [`crate::transport::Transport::pull`].
pub(super) async fn pull(
    context: &Context,
    queues: &[Queue],
    limit: usize,
    cancel: &Notify,
) -> Result<Vec<Delivery>, JobsError> {
    let mut deliveries = Vec::new();
    let mut is_missing = false;
    for queue in queues {
        let wanted = limit - deliveries.len();
        let request = Request::send(context, *queue, wanted, None).await?;
        is_missing |= request.collect(wanted, &mut deliveries).await;
        if deliveries.len() >= limit {
            break;
        }
    }
    if !deliveries.is_empty() {
        return Ok(deliveries);
    }
    if is_missing {
        // Its producer creates it anew when it notices.
        tokio::select! {
            () = cancel.notified() => {}
            () = tokio::time::sleep(jitter(MISSING_WAIT)) => {}
        }
        return Ok(deliveries);
    }
    wait_at_all(context, queues, cancel).await
}

fn failed(error: impl std::fmt::Display) -> JobsError {
    JobsError::TimedOut {
        server: "NATS".into(),
        reason: error.to_string(),
    }
}

/// The subject of pull requests for a queue.
fn next_subject(queue: Queue) -> String {
    format!(
        "$JS.API.CONSUMER.MSG.NEXT.{}.{}",
        streams::JOBS,
        subjects::consumer(queue)
    )
}

/// Waits until one of the queues has a job.
async fn wait_at_all(
    context: &Context,
    queues: &[Queue],
    cancel: &Notify,
) -> Result<Vec<Delivery>, JobsError> {
    let mut inboxes = Vec::new();
    for queue in queues {
        let request = Request::send(context, *queue, 1, Some(IDLE_WAIT)).await?;
        inboxes.push(request.inbox);
    }
    let mut deliveries = Vec::new();
    {
        let mut answers = futures_util::stream::select_all(inboxes.iter_mut());
        tokio::select! {
            () = cancel.notified() => {}
            // Any answer ends the waiting: a job, or that the time is up.
            answer = timeout(IDLE_WAIT + NETWORK_WAIT, answers.next()) => {
                if let Ok(Some(message)) = answer {
                    deliveries.extend(delivery(message));
                }
            }
        }
    }
    for inbox in &mut inboxes {
        inbox.drain().await.map_err(failed)?;
    }
    for inbox in &mut inboxes {
        while let Ok(Some(message)) = timeout(NETWORK_WAIT, inbox.next()).await {
            deliveries.extend(delivery(message));
        }
    }
    Ok(deliveries)
}

struct Request {
    inbox: Subscriber,
}

impl Request {
    /// Asks for jobs of a queue; without `expires` for those that wait now.
    async fn send(
        context: &Context,
        queue: Queue,
        batch: usize,
        expires: Option<Duration>,
    ) -> Result<Self, JobsError> {
        let client = context.client();
        let address = client.new_inbox();
        let inbox = client.subscribe(address.clone()).await.map_err(failed)?;
        let body = match expires {
            None => format!(r#"{{"batch":{batch},"no_wait":true}}"#),
            Some(wait) => format!(r#"{{"batch":{batch},"expires":{}}}"#, wait.as_nanos()),
        };
        client
            .publish_with_reply(next_subject(queue), address, body.into())
            .await
            .map_err(failed)?;
        Ok(Self { inbox })
    }

    /// Reads jobs until all have come or the server says that there are no more. Returns whether
    /// the queue does not exist.
    async fn collect(mut self, wanted: usize, deliveries: &mut Vec<Delivery>) -> bool {
        let enough = deliveries.len() + wanted;
        while deliveries.len() < enough {
            match timeout(NETWORK_WAIT, self.inbox.next()).await {
                Ok(Some(message)) => {
                    let is_missing = message.status == Some(StatusCode::NO_RESPONDERS);
                    match delivery(message) {
                        Some(job) => deliveries.push(job),
                        None => return is_missing,
                    }
                }
                Ok(None) | Err(_) => {
                    // Whatever still comes is not swallowed.
                    if self.inbox.drain().await.is_ok() {
                        while let Ok(Some(message)) = timeout(NETWORK_WAIT, self.inbox.next()).await
                        {
                            deliveries.extend(delivery(message));
                        }
                    }
                    return true;
                }
            }
        }
        false
    }
}

/// A message of `JOBS`; `None` for a status.
fn delivery(message: Message) -> Option<Delivery> {
    let address = subjects::parse_job(&message.subject)?;
    let receipt = message.reply?;
    Some(Delivery {
        address,
        body: message.payload,
        attempt: attempt(&receipt)?,
        receipt: Receipt::Nats(receipt),
    })
}

/// The number of deliveries, from the reply subject:
/// `$JS.ACK.STREAM.CONSUMER.DELIVERED.…`, or with domain and account before the stream.
fn attempt(reply: &str) -> Option<u64> {
    let tokens: Vec<&str> = reply.split('.').collect();
    let place = if tokens.len() >= 11 { 6 } else { 4 };
    tokens.get(place)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_deliveries_is_read_from_both_forms_of_the_reply_subject() {
        assert_eq!(
            attempt("$JS.ACK.JOBS.route-bulk.3.17.9.1700000000.5"),
            Some(3)
        );
        let long = "$JS.ACK._.account.JOBS.route-bulk.4.17.9.1700000000.5.token";
        assert_eq!(attempt(long), Some(4));
        assert_eq!(attempt("elsewhere"), None);
    }
}
