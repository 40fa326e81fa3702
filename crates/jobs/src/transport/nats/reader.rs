//! Reading a stream in order with a pull consumer that acknowledges nothing.
//!
//! The client library's ordered consumer took 17 seconds to notice that a server had restarted.
//! This one asks for messages with a deadline, and makes its consumer anew when an answer is
//! missing. One request for many messages stays open while its reader verifies the first of them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::{Message, StatusCode, Subscriber};
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::time::{Instant, timeout, timeout_at};

use super::link::Link;
use super::{WORKER_TTL, streams, subjects};
use crate::JobsError;
use crate::record::WorkerRecord;
use crate::transport::{RawResult, ReadResults, Reply};

/// Messages that are read at once.
const BATCH: usize = 500;
/// How long a request for further messages stays open.
const OPEN_REQUEST: Duration = Duration::from_secs(2);
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
    open: Option<OpenRequest>,
    /// The sequence of the last message that was read.
    last: u64,
}

/// A request whose messages come in one after the other.
struct OpenRequest {
    inbox: Subscriber,
    missing: usize,
    /// Until when the server answers.
    deadline: Instant,
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
        let name = name.map_err(|error| self.failed(error))?;
        self.consumer = Some(name.clone());
        Ok(name)
    }

    fn failed(&self, reason: impl std::fmt::Display) -> JobsError {
        JobsError::TimedOut {
            server: self.stream.into(),
            reason: reason.to_string(),
        }
    }

    /// Sends a request for messages.
    async fn request(&mut self, body: String) -> Result<Subscriber, JobsError> {
        let consumer = self.consumer().await?;
        let client = self.context.client();
        let address = client.new_inbox();
        let inbox = client.subscribe(address.clone()).await;
        let inbox = inbox.map_err(|error| self.failed(error))?;
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{consumer}", self.stream);
        let sent = client
            .publish_with_reply(subject, address, body.into())
            .await;
        sent.map_err(|error| self.failed(error))?;
        Ok(inbox)
    }

    /// Waits up to `wait` for the next messages.
    async fn next(&mut self, wait: Duration) -> Result<Vec<StreamMessage>, JobsError> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => {
                let expires = OPEN_REQUEST.as_nanos();
                let body = format!(r#"{{"batch":{BATCH},"expires":{expires}}}"#);
                OpenRequest {
                    inbox: self.request(body).await?,
                    missing: BATCH,
                    deadline: Instant::now() + OPEN_REQUEST + NETWORK_WAIT,
                }
            }
        };
        let until = open.deadline.min(Instant::now() + wait);
        let mut next = match timeout_at(until, open.inbox.next()).await {
            Ok(next) => next,
            Err(_) if Instant::now() < open.deadline => {
                self.open = Some(open);
                return Ok(Vec::new());
            }
            Err(_) => None,
        };
        let mut messages = Vec::new();
        loop {
            let Some(message) = next else {
                // The server went away, and the consumer with it.
                self.consumer = None;
                break;
            };
            match self.enter(message, &mut messages) {
                Entered::Message => open.missing -= 1,
                Entered::Nothing => {}
                Entered::End => break,
            }
            if open.missing == 0 {
                break;
            }
            // All that have come already.
            let Some(come) = open.inbox.next().now_or_never() else {
                self.open = Some(open);
                break;
            };
            next = come;
        }
        self.checked(messages)
    }

    /// Reads the messages that there are.
    async fn read_all(&mut self) -> Result<Vec<StreamMessage>, JobsError> {
        let mut messages = Vec::new();
        loop {
            let body = format!(r#"{{"batch":{BATCH},"no_wait":true}}"#);
            let mut inbox = self.request(body).await?;
            for _ in 0..BATCH {
                let Ok(Some(message)) = timeout(NETWORK_WAIT, inbox.next()).await else {
                    self.consumer = None;
                    return self.checked(messages);
                };
                if matches!(self.enter(message, &mut messages), Entered::End) {
                    return self.checked(messages);
                }
            }
        }
    }

    fn enter(&mut self, message: Message, messages: &mut Vec<StreamMessage>) -> Entered {
        match message.status {
            None => {
                // A consumer that was made anew may repeat messages.
                if let Some(sequence) = sequence(&message).filter(|found| *found > self.last) {
                    self.last = sequence;
                    messages.push(StreamMessage { sequence, message });
                }
                Entered::Message
            }
            Some(StatusCode::IDLE_HEARTBEAT) => Entered::Nothing,
            Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => Entered::End,
            Some(_) => {
                self.consumer = None;
                Entered::End
            }
        }
    }

    fn checked(&self, messages: Vec<StreamMessage>) -> Result<Vec<StreamMessage>, JobsError> {
        if self.consumer.is_none() && messages.is_empty() {
            return Err(self.failed("it cannot be read"));
        }
        Ok(messages)
    }
}

/// The kind of an answer.
enum Entered {
    Message,
    Nothing,
    /// The request has ended.
    End,
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
                open: None,
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
                results.extend(read?);
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
                open: None,
                last: 0,
            },
            seen: HashMap::new(),
        }
    }

    pub(super) async fn workers(&mut self) -> Result<Vec<WorkerRecord>, JobsError> {
        let mut attempts = 0;
        let messages = loop {
            match self.reader.read_all().await {
                Ok(messages) => break messages,
                Err(error) => {
                    attempts += 1;
                    if attempts > 2 {
                        return Err(error);
                    }
                }
            }
        };
        for message in &messages {
            self.enter(message);
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
