//! Jobs over NATS JetStream.
//!
//! | stream | subjects | kept |
//! |---|---|---|
//! | `JOBS` | `jobs.ROUTE.CLASS.GROUP.KEY` | until acknowledged (work queue); one message per subject, new ones refused, so that submitting twice queues once; where several producers share a group, message ids refuse a job that has been done meanwhile |
//! | `RESULTS` | `results.GROUP.KEY` | one message per subject, new ones refused: the first result counts |
//! | `DEAD_LETTERS` | `dead.GROUP.KEY` | the last reason of each job |
//! | `BLOBS` | `blobs.DIGEST.CHUNK` | group bodies and results that exceed a message |
//! | `KV_GROUPS`, `KV_WORKERS` | key-value buckets | open groups; workers alive, which expire |
//!
//! Messages under `notify.` are not stored: they only make workers and producers look sooner.
//!
//! A result is stored (and confirmed by the server) before its job is acknowledged, so a crash
//! between the two repeats work and loses none. The coordinator's journal, file or table is the truth,
//! not the stream: JetStream syncs its files lazily by default, and streams keep messages for a
//! limited time (`streams::MAX_AGE`).
//!
//! References: <https://docs.nats.io/nats-concepts/jetstream/streams>,
//! <https://docs.nats.io/nats-concepts/jetstream/consumers>, the wire protocol of pull requests and
//! acknowledgements in <https://docs.nats.io/reference/reference-protocols/nats_api_reference>.

mod connect;
mod link;
mod pull;
mod reader;
mod streams;
mod subjects;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::HeaderMap;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::{Mutex, broadcast, mpsc};

use super::{
    Completion, Delivery, Event, Interest, Pull, Queue, RawResult, ReadResults, Receipt, Reply,
    Transport,
};
use crate::address::NatsAddress;
use crate::notice::Notice;
use crate::record::{DeadLetter, GroupCounts, GroupRecord, JobAddress, WorkerRecord};
use crate::{Class, Digest, JobsError};
use link::{Link, Published, WORKER};
use reader::{ResultReader, WorkerDirectory};

/// Events that one receiver may have unread.
const EVENT_CAPACITY: usize = 1024;

/// Headers of dead letters.
const REASON: &str = "Papan-Reason";
const ROUTE: &str = "Papan-Route";
const CLASS: &str = "Papan-Class";

/// A connection to a NATS server or cluster.
pub(crate) struct NatsTransport {
    link: Arc<Link>,
    directory: Mutex<WorkerDirectory>,
    /// A message for each time that the connection is back.
    reconnected: broadcast::Sender<()>,
}

impl NatsTransport {
    /// Connects; the server has to be there at first.
    pub(crate) async fn connect(address: &NatsAddress, notice: Notice) -> Result<Self, JobsError> {
        let (reconnected, _) = broadcast::channel(16);
        let client = connect::connect(address, notice, reconnected.clone()).await?;
        let context = async_nats::jetstream::ContextBuilder::new()
            .timeout(streams::REQUEST_TIMEOUT)
            .ack_timeout(streams::REQUEST_TIMEOUT)
            .build(client);
        Ok(Self {
            directory: Mutex::new(WorkerDirectory::new(&context)),
            link: Arc::new(Link {
                context,
                name: address.to_string(),
                replicas: address.replicas,
            }),
            reconnected,
        })
    }
}

impl NatsTransport {
    /// Reads a message of `DEAD_LETTERS`; `None` if it is gone or not ours.
    async fn read_dead_letter(&self, subject: &str) -> Result<Option<DeadLetter>, JobsError> {
        let stream = streams::DEAD_LETTERS;
        let Some(message) = self.link.last_message(stream, subject).await? else {
            return Ok(None);
        };
        let header = |name| message.headers.get(name).map(ToString::to_string);
        let (Some((group, key)), Some(route), Some(class)) = (
            subjects::parse_dead(subject),
            header(ROUTE).and_then(|route| route.parse().ok()),
            header(CLASS).and_then(|class| Class::from_name(&class)),
        ) else {
            return Ok(None);
        };
        Ok(Some(DeadLetter {
            address: JobAddress {
                route,
                class,
                group,
                key,
            },
            reason: header(REASON).unwrap_or_default(),
            worker: header(WORKER).unwrap_or_default(),
            body: message.payload.to_vec(),
            sequence: message.sequence,
        }))
    }
}

impl Transport for NatsTransport {
    fn name(&self) -> &str {
        &self.link.name
    }

    fn open_group<'a>(&'a self, record: &'a GroupRecord, body: &'a [u8]) -> Reply<'a, ()> {
        Box::pin(async move {
            self.link.retry(|| self.link.ensure_streams()).await?;
            self.link.put_blob(body).await?;
            for class in &record.classes {
                let queue = Queue {
                    class: *class,
                    route: record.route,
                };
                self.link.retry(|| self.link.ensure_queue(queue)).await?;
            }
            let value = serde_json::to_vec(record).expect("plain data becomes JSON");
            let subject = subjects::group(&record.name);
            self.link
                .publish(&subject, HeaderMap::new(), value.clone().into())
                .await?;
            self.link.send(subjects::GROUPS_CHANGED.into(), value).await
        })
    }

    fn groups(&self) -> Reply<'_, Vec<GroupRecord>> {
        Box::pin(async move {
            let mut groups = Vec::new();
            for subject in self
                .link
                .subjects(streams::GROUPS, &subjects::group("*"))
                .await?
            {
                let message = self.link.last_message(streams::GROUPS, &subject).await?;
                // Records of later versions are skipped.
                let record =
                    message.and_then(|message| serde_json::from_slice(&message.payload).ok());
                groups.extend(record);
            }
            Ok(groups)
        })
    }

    fn is_open<'a>(&'a self, group: &'a str) -> Reply<'a, bool> {
        Box::pin(self.link.exists(streams::GROUPS, subjects::group(group)))
    }

    fn prepare(&self) -> Reply<'_, ()> {
        Box::pin(async move {
            // An observer may look at streams and not create them.
            if self.link.context.get_stream(streams::WORKERS).await.is_ok() {
                return Ok(());
            }
            self.link.ensure_streams().await
        })
    }

    fn group_body<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, Vec<u8>> {
        Box::pin(self.link.blob(&record.body))
    }

    fn close_group<'a>(&'a self, record: &'a GroupRecord) -> Reply<'a, ()> {
        Box::pin(async move {
            let name = &record.name;
            self.link
                .purge(streams::GROUPS, &subjects::group(name))
                .await?;
            let event = serde_json::to_vec(name).expect("a text becomes JSON");
            self.link
                .send(subjects::GROUPS_CHANGED.into(), event)
                .await?;
            self.link
                .purge(streams::JOBS, &subjects::jobs_of(record.route, name))
                .await?;
            self.link
                .purge(streams::RESULTS, &subjects::results_of(name))
                .await?;
            self.link
                .purge(streams::DEAD_LETTERS, &subjects::dead_of(name))
                .await?;
            self.link
                .purge(streams::BLOBS, &subjects::chunks_of(record.body.digest))
                .await
        })
    }

    fn submit<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()> {
        Box::pin(async move {
            let subject = subjects::job(address);
            self.link.publish(&subject, HeaderMap::new(), body).await?;
            Ok(())
        })
    }

    fn submit_once<'a>(&'a self, address: &'a JobAddress, body: Bytes) -> Reply<'a, ()> {
        Box::pin(async move {
            let JobAddress { group, key, .. } = address;
            let subject = subjects::job(address);
            let mut id = format!("{group}.{key}");
            loop {
                let mut headers = HeaderMap::new();
                headers.insert(async_nats::header::NATS_MESSAGE_ID, id.as_str());
                let published = self.link.publish(&subject, headers, body.clone()).await?;
                let Published::Repeated(sequence) = published else {
                    return Ok(());
                };
                // In this order: a result is stored before its job is acknowledged.
                let queued = self.link.last_message(streams::JOBS, &subject).await?;
                if queued.is_some() || self.result(group, *key).await?.is_some() {
                    return Ok(());
                }
                // It was withdrawn, has failed, or its result was false. All producers give the
                // next message the same id.
                id = format!("{group}.{key}.{sequence}");
            }
        })
    }

    fn taken<'a>(&'a self, addresses: &'a [JobAddress]) -> Reply<'a, Vec<bool>> {
        Box::pin(async move {
            let mut delivered: HashMap<Queue, u64> = HashMap::new();
            let mut taken = Vec::with_capacity(addresses.len());
            for address in addresses {
                let queue = Queue {
                    class: address.class,
                    route: address.route,
                };
                // A consumer delivers the messages of its queue in their order.
                let last = match delivered.get(&queue) {
                    Some(last) => *last,
                    None => {
                        let last = self.link.last_delivered(queue).await?;
                        delivered.insert(queue, last);
                        last
                    }
                };
                let subject = subjects::job(address);
                let message = self.link.last_message(streams::JOBS, &subject).await?;
                taken.push(message.is_some_and(|message| message.sequence <= last));
            }
            Ok(taken)
        })
    }

    fn withdraw<'a>(
        &'a self,
        record: &'a GroupRecord,
        keys: Option<&'a [Digest]>,
    ) -> Reply<'a, ()> {
        Box::pin(async move {
            let Some(keys) = keys else {
                let all = subjects::jobs_of(record.route, &record.name);
                return self.link.purge(streams::JOBS, &all).await;
            };
            for key in keys {
                let one = subjects::job_of_any_class(record.route, &record.name, *key);
                self.link.purge(streams::JOBS, &one).await?;
            }
            let payload = serde_json::to_vec(keys).expect("texts become JSON");
            self.link
                .send(subjects::withdrawn(&record.name), payload)
                .await
        })
    }

    fn results(&self, group: &str) -> Box<dyn ReadResults> {
        Box::new(ResultReader::new(&self.link, group))
    }

    fn result<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<RawResult>> {
        Box::pin(async move {
            let subject = subjects::result(group, key);
            let Some(message) = self.link.last_message(streams::RESULTS, &subject).await? else {
                return Ok(None);
            };
            let headers = Some(&message.headers);
            let payload = message.payload.clone();
            self.link
                .read_result(&subject, message.sequence, headers, payload)
                .await
        })
    }

    fn reject<'a>(&'a self, result: &'a RawResult) -> Reply<'a, ()> {
        Box::pin(self.link.delete(streams::RESULTS, result.sequence))
    }

    fn puller(&self) -> Box<dyn Pull> {
        let reconnected = self.reconnected.subscribe();
        Box::new(pull::JobPuller::new(&self.link.context, reconnected))
    }

    fn extend<'a>(&'a self, receipt: &'a Receipt) -> Reply<'a, ()> {
        Box::pin(self.link.acknowledge(receipt, "+WPI"))
    }

    fn complete<'a>(
        &'a self,
        delivery: &'a Delivery,
        worker: &'a str,
        completion: Completion,
    ) -> Reply<'a, ()> {
        Box::pin(async move {
            match completion {
                Completion::Done(output) => {
                    self.link.store_result(delivery, worker, &output).await?;
                    self.link.acknowledge(&delivery.receipt, "+ACK").await
                }
                Completion::Dead(reason) => {
                    let address = &delivery.address;
                    let mut headers = HeaderMap::new();
                    headers.insert(WORKER, worker);
                    // A header is one line.
                    headers.insert(REASON, reason.replace(['\r', '\n'], " ").as_str());
                    headers.insert(ROUTE, address.route.to_string().as_str());
                    headers.insert(CLASS, address.class.name());
                    let subject = subjects::dead(&address.group, address.key);
                    self.link
                        .publish(&subject, headers, delivery.body.clone())
                        .await?;
                    self.link.acknowledge(&delivery.receipt, "+ACK").await
                }
                Completion::Release(delay) => {
                    let nak = if delay.is_zero() {
                        "-NAK".to_owned()
                    } else {
                        format!("-NAK {{\"delay\": {}}}", delay.as_nanos())
                    };
                    self.link.acknowledge(&delivery.receipt, &nak).await
                }
                Completion::Discard => self.link.acknowledge(&delivery.receipt, "+ACK").await,
            }
        })
    }

    fn announce<'a>(&'a self, record: &'a WorkerRecord) -> Reply<'a, ()> {
        Box::pin(async move {
            let value = serde_json::to_vec(record).expect("plain data becomes JSON");
            // Without waiting for the server: the next one comes in a few seconds.
            self.link.send(subjects::worker(&record.name), value).await
        })
    }

    fn retire<'a>(&'a self, worker: &'a str) -> Reply<'a, ()> {
        Box::pin(async move {
            // An empty value: a worker may have no right to purge.
            self.link.send(subjects::worker(worker), Vec::new()).await?;
            let flushed = self.link.context.client().flush().await;
            flushed.map_err(|error| self.link.timed_out(error))
        })
    }

    fn workers(&self) -> Reply<'_, Vec<WorkerRecord>> {
        Box::pin(async move { self.directory.lock().await.workers().await })
    }

    fn events(&self, interest: Interest) -> Reply<'_, mpsc::Receiver<Event>> {
        Box::pin(async move {
            let client = self.link.context.client();
            let mut subscriptions = Vec::new();
            for subject in subjects::of_interest(&interest) {
                let subscription = client.subscribe(subject).await;
                subscriptions.push(subscription.map_err(|error| self.link.timed_out(error))?);
            }
            let mut messages = futures_util::stream::select_all(subscriptions);
            let mut reconnected = self.reconnected.subscribe();
            let (sender, receiver) = mpsc::channel(EVENT_CAPACITY);
            tokio::spawn(async move {
                loop {
                    let event = tokio::select! {
                        () = sender.closed() => return,
                        back = reconnected.recv() => match back {
                            Err(broadcast::error::RecvError::Closed) => return,
                            _ => Some(Event::Reconnected),
                        },
                        message = messages.next() => match message {
                            None => return,
                            Some(message) => {
                                subjects::parse_event(&message.subject, &message.payload)
                            }
                        },
                    };
                    if let Some(event) = event
                        && sender.send(event).await.is_err()
                    {
                        return;
                    }
                }
            });
            Ok(receiver)
        })
    }

    fn notify<'a>(&'a self, group: &'a str, event: Event) -> Reply<'a, ()> {
        Box::pin(async move {
            let Some((subject, payload)) = subjects::event(group, &event) else {
                return Ok(());
            };
            self.link.send(subject, payload).await
        })
    }

    fn dead_letters<'a>(&'a self, group: Option<&'a str>) -> Reply<'a, Vec<DeadLetter>> {
        Box::pin(async move {
            let filter = subjects::dead_of(group.unwrap_or("*"));
            let mut letters = Vec::new();
            for subject in self.link.subjects(streams::DEAD_LETTERS, &filter).await? {
                letters.extend(self.read_dead_letter(&subject).await?);
            }
            letters.sort_by_key(|letter| (letter.address.group.clone(), letter.address.key));
            Ok(letters)
        })
    }

    fn dead_letter<'a>(&'a self, group: &'a str, key: Digest) -> Reply<'a, Option<DeadLetter>> {
        Box::pin(async move { self.read_dead_letter(&subjects::dead(group, key)).await })
    }

    fn drop_dead_letter<'a>(&'a self, letter: &'a DeadLetter) -> Reply<'a, ()> {
        Box::pin(self.link.delete(streams::DEAD_LETTERS, letter.sequence))
    }

    fn counts<'a>(&'a self, group: &'a str) -> Reply<'a, GroupCounts> {
        Box::pin(async move {
            let queued = subjects::jobs_of_any_route(group);
            let queued = self.link.subjects(streams::JOBS, &queued).await?;
            let done = subjects::results_of(group);
            let done = self.link.subjects(streams::RESULTS, &done).await?;
            let dead = subjects::dead_of(group);
            let dead = self.link.subjects(streams::DEAD_LETTERS, &dead).await?;
            Ok(GroupCounts {
                queued: queued.len() as u64,
                done: done.len() as u64,
                dead: dead.len() as u64,
            })
        })
    }
}

/// How long a worker stays in the list without a heartbeat.
pub(crate) const WORKER_TTL: Duration = Duration::from_secs(20);
