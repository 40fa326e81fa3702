//! Pulling jobs: urgent queues first, one round over all queues, then waiting at all of them.
//!
//! Consumers of a work-queue stream may not overlap, so "any of these routes, urgent first" is
//! several pull requests. While jobs wait, requests that expire after some milliseconds go to one
//! queue after the other; all their answers come to one inbox, which lives as long as the worker.
//! (For a request with `no_wait` the server counts the waiting jobs by comparing the subject of each
//! message in the stream: with 3,000 jobs that was 70 % of its processor time.) Once all queues are
//! empty, one request waits at each.
//!
//! A request that is given up must not swallow a job until its acknowledgement times out. So each
//! inbox of a waiting request is subscribed for exactly one message (`UNSUB` with a limit of 1). To
//! give the request up, a malformed one is sent with the same inbox: either its answer "bad request"
//! or the job is that one message, and the server decides which. A job that the server cannot
//! deliver after that goes to another worker at once. The `drain` of the client library does not wait
//! for the server and loses such jobs.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::{Client, Message, StatusCode, Subscriber};
use futures_util::StreamExt as _;
use futures_util::stream::{FuturesUnordered, select_all};
use tokio::sync::{Notify, broadcast};
use tokio::time::timeout;

use super::{streams, subjects};
use crate::JobsError;
use crate::backoff::jitter;
use crate::transport::{Delivery, Pull, Queue, Receipt, Reply};

/// How long requests wait at empty queues. A consumer that moves to another node of a cluster
/// forgets them.
const IDLE_WAIT: Duration = Duration::from_secs(10);
/// How long requests of a round wait: enough for the server to look at the queue.
const ROUND_WAIT: Duration = Duration::from_millis(5);
/// The body of a request that the server refuses.
const MALFORMED: &str = "{";
/// How long an answer to a request may be on its way.
const NETWORK_WAIT: Duration = Duration::from_secs(2);
/// Before asking again for a queue that has no consumer.
const MISSING_WAIT: Duration = Duration::from_secs(1);

fn failed(error: impl std::fmt::Display) -> JobsError {
    JobsError::TimedOut {
        server: "NATS".into(),
        reason: error.to_string(),
    }
}

/// See [`Pull`].
pub(super) struct JobPuller {
    client: Client,
    reconnected: broadcast::Receiver<()>,
    inbox: Option<Inbox>,
    /// Whether the last wait at all queues ended without a job: no round is needed before the next.
    is_idle: bool,
}

impl JobPuller {
    pub(super) fn new(context: &Context, reconnected: broadcast::Receiver<()>) -> Self {
        Self {
            client: context.client(),
            reconnected,
            inbox: None,
            is_idle: false,
        }
    }

    async fn pull(
        &mut self,
        queues: &[Queue],
        limit: usize,
        cancel: &Notify,
    ) -> Result<Vec<Delivery>, JobsError> {
        let client = &self.client;
        let inbox = match &mut self.inbox {
            Some(inbox) => inbox,
            none => none.insert(Inbox::open(client).await?),
        };
        let mut deliveries = Vec::new();
        if !std::mem::take(&mut self.is_idle) {
            let mut is_missing = false;
            for queue in queues {
                is_missing |= inbox.ask(client, *queue, limit, &mut deliveries).await?;
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
        }
        // Outages before the requests are sent do not matter.
        self.reconnected = self.reconnected.resubscribe();
        let mut waiting = Vec::with_capacity(queues.len());
        for queue in queues {
            waiting.push(WaitingRequest::send(client, *queue).await?);
        }
        let mut answered = None;
        {
            let inboxes = waiting.iter_mut().enumerate().map(|(index, request)| {
                let messages = &mut request.inbox;
                messages.map(move |message| Answer { index, message })
            });
            let mut answers = select_all(inboxes);
            tokio::select! {
                () = cancel.notified() => {}
                // The server has forgotten the requests.
                _ = self.reconnected.recv() => {}
                late = inbox.messages.next() => deliveries.extend(late.and_then(delivery)),
                // Any answer ends the waiting: a job, or that the time is up.
                answer = timeout(IDLE_WAIT + NETWORK_WAIT, answers.next()) => {
                    answered = answer.ok().flatten();
                }
            }
        }
        let mut is_expired = false;
        if let Some(Answer { index, message }) = answered {
            waiting.swap_remove(index);
            is_expired = message.status == Some(StatusCode::TIMEOUT);
            deliveries.extend(delivery(message));
        }
        let mut ended: FuturesUnordered<_> = waiting
            .into_iter()
            .map(|request| request.give_up(client))
            .collect();
        while let Some(job) = ended.next().await {
            deliveries.extend(job);
        }
        self.is_idle = is_expired && deliveries.is_empty();
        Ok(deliveries)
    }
}

impl Pull for JobPuller {
    fn next<'a>(
        &'a mut self,
        queues: &'a [Queue],
        limit: usize,
        cancel: &'a Notify,
    ) -> Reply<'a, Vec<Delivery>> {
        Box::pin(self.pull(queues, limit, cancel))
    }
}

/// The body of a pull request.
fn body(batch: usize, expires: Duration) -> String {
    format!(r#"{{"batch":{batch},"expires":{}}}"#, expires.as_nanos())
}

/// Sends a pull request.
async fn request(
    client: &Client,
    queue: Queue,
    reply: &str,
    body: String,
) -> Result<(), JobsError> {
    let consumer = queue.name();
    let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{consumer}", streams::JOBS);
    let sent = client
        .publish_with_reply(subject, reply.to_owned(), body.into())
        .await;
    sent.map_err(failed)
}

/// The inbox of requests of a round.
struct Inbox {
    /// Requests are numbered below it.
    prefix: String,
    messages: Subscriber,
    requests: u64,
}

impl Inbox {
    async fn open(client: &Client) -> Result<Self, JobsError> {
        let prefix = client.new_inbox();
        let messages = client.subscribe(format!("{prefix}.*")).await;
        Ok(Self {
            messages: messages.map_err(failed)?,
            prefix,
            requests: 0,
        })
    }

    /// Asks for jobs that wait now, until there are `enough`. Returns whether the queue does not
    /// exist.
    async fn ask(
        &mut self,
        client: &Client,
        queue: Queue,
        enough: usize,
        deliveries: &mut Vec<Delivery>,
    ) -> Result<bool, JobsError> {
        self.requests += 1;
        let reply = format!("{}.{}", self.prefix, self.requests);
        let body = body(enough - deliveries.len(), ROUND_WAIT);
        request(client, queue, &reply, body).await?;
        while deliveries.len() < enough {
            // An answer that is late is read by the next request.
            let Ok(Some(message)) = timeout(NETWORK_WAIT, self.messages.next()).await else {
                return Ok(true);
            };
            // A job has its own subject, a status that of the request.
            let is_status = *message.subject == *reply;
            let is_missing = message.status == Some(StatusCode::NO_RESPONDERS);
            deliveries.extend(delivery(message));
            if is_status {
                return Ok(is_missing);
            }
        }
        Ok(false)
    }
}

/// The answer to one of several requests.
struct Answer {
    index: usize,
    message: Message,
}

/// A request that waits at an empty queue, with an inbox for one message.
struct WaitingRequest {
    queue: Queue,
    address: String,
    inbox: Subscriber,
}

impl WaitingRequest {
    async fn send(client: &Client, queue: Queue) -> Result<Self, JobsError> {
        let address = client.new_inbox();
        let inbox = client.subscribe(address.clone()).await;
        let mut inbox = inbox.map_err(failed)?;
        inbox.unsubscribe_after(1).await.map_err(failed)?;
        request(client, queue, &address, body(1, IDLE_WAIT)).await?;
        Ok(Self {
            queue,
            address,
            inbox,
        })
    }

    /// Ends the request. Returns the job if it came first.
    async fn give_up(mut self, client: &Client) -> Option<Delivery> {
        let asked = request(client, self.queue, &self.address, MALFORMED.into()).await;
        let answer = timeout(NETWORK_WAIT, self.inbox.next()).await;
        asked.ok().and(answer.ok()).flatten().and_then(delivery)
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
