//! Reading a stream in order with a pull consumer that acknowledges nothing.
//!
//! The client library's ordered consumer took 17 seconds to notice that a server had restarted.
//! This one asks for messages with a deadline, and makes its consumer anew when an answer is
//! missing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::{Message, StatusCode};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout};

use super::link::Link;
use super::{WORKER_TTL, streams, subjects};
use crate::JobsError;
use crate::record::WorkerRecord;
use crate::transport::{RawResult, ReadResults, Reply};

/// Messages that are read at once.
const BATCH: usize = 500;
/// How long an answer to a request may be on its way.
const NETWORK_WAIT: Duration = Duration::from_secs(2);
/// A consumer that is not asked disappears after this time.
const INACTIVE: Duration = Duration::from_secs(60);

/// A stream that is read in order.
struct StreamReader {
    context: Context,
    stream: &'static str,
    filter: String,
    /// Whether only the newest message of each subject is wanted.
    only_last: bool,
    consumer: Option<String>,
    /// The sequence of the last message that was read.
    last: u64,
}

struct StreamMessage {
    sequence: u64,
    message: Message,
}

impl StreamReader {
    async fn consumer(&mut self) -> Result<String, JobsError> {
        if let Some(name) = &self.consumer {
            return Ok(name.clone());
        }
        let deliver_policy = match (self.last, self.only_last) {
            (0, true) => DeliverPolicy::LastPerSubject,
            (last, _) => DeliverPolicy::ByStartSequence {
                start_sequence: last + 1,
            },
        };
        let config = pull::Config {
            deliver_policy,
            ack_policy: AckPolicy::None,
            filter_subject: self.filter.clone(),
            inactive_threshold: INACTIVE,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let created = self
            .context
            .create_consumer_on_stream(config, self.stream)
            .await;
        let name = created.map(|consumer| consumer.cached_info().name.clone());
        let name = name.map_err(|error| JobsError::TimedOut {
            server: self.stream.into(),
            reason: error.to_string(),
        })?;
        self.consumer = Some(name.clone());
        Ok(name)
    }

    /// Reads what there is; with nothing there, waits up to `wait` for the next message.
    async fn next(&mut self, wait: Duration) -> Result<Vec<StreamMessage>, JobsError> {
        let found = self.fetch(BATCH, None).await?;
        if !found.is_empty() || wait.is_zero() {
            return Ok(found);
        }
        self.fetch(1, Some(wait)).await
    }

    async fn fetch(
        &mut self,
        batch: usize,
        wait: Option<Duration>,
    ) -> Result<Vec<StreamMessage>, JobsError> {
        let consumer = self.consumer().await?;
        let failed = |reason: String| JobsError::TimedOut {
            server: "NATS".into(),
            reason,
        };
        let client = self.context.client();
        let address = client.new_inbox();
        let inbox = client.subscribe(address.clone()).await;
        let mut inbox = inbox.map_err(|error| failed(error.to_string()))?;
        let body = match wait {
            None => format!(r#"{{"batch":{batch},"no_wait":true}}"#),
            Some(wait) => format!(r#"{{"batch":{batch},"expires":{}}}"#, wait.as_nanos()),
        };
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{consumer}", self.stream);
        let sent = client
            .publish_with_reply(subject, address, body.into())
            .await;
        sent.map_err(|error| failed(error.to_string()))?;
        let mut messages = Vec::new();
        while messages.len() < batch {
            let patience = wait.unwrap_or_default() + NETWORK_WAIT;
            let Ok(Some(message)) = timeout(patience, inbox.next()).await else {
                // The server went away, and the consumer with it.
                self.consumer = None;
                break;
            };
            match message.status {
                None => {
                    let Some(sequence) = sequence(&message) else {
                        continue;
                    };
                    // A consumer that was made anew may repeat messages.
                    if sequence > self.last {
                        self.last = sequence;
                        messages.push(StreamMessage { sequence, message });
                    }
                }
                Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => break,
                Some(StatusCode::IDLE_HEARTBEAT) => {}
                Some(_) => {
                    self.consumer = None;
                    break;
                }
            }
        }
        if self.consumer.is_none() && messages.is_empty() {
            return Err(failed(format!("{} cannot be read", self.stream)));
        }
        Ok(messages)
    }
}

/// The stream sequence, from the reply subject.
fn sequence(message: &Message) -> Option<u64> {
    let tokens: Vec<&str> = message.reply.as_ref()?.split('.').collect();
    let place = if tokens.len() >= 11 { 7 } else { 5 };
    tokens.get(place)?.parse().ok()
}

/// The results of one group.
pub(super) struct ResultReader {
    reader: StreamReader,
    link: Arc<Link>,
}

impl ResultReader {
    pub(super) fn new(link: &Arc<Link>, group: &str) -> Self {
        Self {
            reader: StreamReader {
                context: link.context.clone(),
                stream: streams::RESULTS,
                filter: subjects::results_of(group),
                only_last: false,
                consumer: None,
                last: 0,
            },
            link: Arc::clone(link),
        }
    }
}

impl ReadResults for ResultReader {
    fn next(&mut self, wait: Duration) -> Reply<'_, Vec<RawResult>> {
        Box::pin(async move {
            let messages = self.reader.next(wait).await?;
            let mut results = Vec::with_capacity(messages.len());
            for StreamMessage { sequence, message } in messages {
                let headers = message.headers.as_ref();
                let payload = message.payload.clone();
                let read = self
                    .link
                    .read_result(&message.subject, sequence, headers, payload)
                    .await;
                match read {
                    Ok(result) => results.push(result),
                    // A worker must not be able to stop its producer: such a result has no job,
                    // and the producer rejects it.
                    Err(JobsError::Malformed { .. }) => {
                        results.extend(Link::unreadable_result(
                            &message.subject,
                            sequence,
                            headers,
                        ));
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(results)
        })
    }
}

/// The workers alive, as the last reading found them.
pub(super) struct WorkerDirectory {
    reader: StreamReader,
    seen: HashMap<String, (Instant, WorkerRecord)>,
}

impl WorkerDirectory {
    pub(super) fn new(context: &Context) -> Self {
        Self {
            reader: StreamReader {
                context: context.clone(),
                stream: streams::WORKERS,
                filter: "$KV.WORKERS.*".into(),
                only_last: true,
                consumer: None,
                last: 0,
            },
            seen: HashMap::new(),
        }
    }

    pub(super) async fn workers(&mut self) -> Result<Vec<WorkerRecord>, JobsError> {
        let mut attempts = 0;
        loop {
            match self.reader.next(Duration::ZERO).await {
                Ok(messages) if messages.is_empty() => break,
                Ok(messages) => messages
                    .into_iter()
                    .for_each(|message| self.enter(&message)),
                Err(error) => {
                    attempts += 1;
                    if attempts > 2 {
                        return Err(error);
                    }
                }
            }
        }
        let now = Instant::now();
        self.seen
            .retain(|_, (at, _)| now.duration_since(*at) < WORKER_TTL);
        let mut workers: Vec<WorkerRecord> = self
            .seen
            .values()
            .map(|(_, record)| record.clone())
            .collect();
        workers.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(workers)
    }

    fn enter(&mut self, message: &StreamMessage) {
        let subject = message.message.subject.to_string();
        match serde_json::from_slice(&message.message.payload) {
            Ok(record) => {
                self.seen.insert(subject, (Instant::now(), record));
            }
            // Empty: the worker has left.
            Err(_) => {
                self.seen.remove(&subject);
            }
        }
    }
}
