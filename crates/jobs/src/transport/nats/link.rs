//! Requests to a JetStream server that are repeated until it answers.

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::Stream;
use bytes::Bytes;
use futures_util::StreamExt as _;

use super::{streams, subjects};
use crate::backoff::Backoff;
use crate::record::{BlobRecord, CHUNK_BYTES};
use crate::transport::{Delivery, Queue, RawResult, Receipt};
use crate::{Digest, JobsError};

/// Headers of results and dead letters.
pub(super) const WORKER: &str = "Papan-Worker";
const BLOB: &str = "Papan-Blob";

/// A server and how to ask it.
pub(super) struct Link {
    pub(super) context: Context,
    pub(super) name: String,
    /// Copies of each stream that is created.
    pub(super) replicas: usize,
}

/// The outcome of publishing a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Published {
    Stored,
    /// The subject has a message already.
    Occupied,
    /// A message with the same `Nats-Msg-Id` was stored before, with this sequence.
    Repeated(u64),
}

impl Link {
    pub(super) fn server_error(&self, reason: impl std::fmt::Display) -> JobsError {
        JobsError::Server {
            server: self.name.clone(),
            reason: reason.to_string(),
        }
    }

    pub(super) fn timed_out(&self, reason: impl std::fmt::Display) -> JobsError {
        JobsError::TimedOut {
            server: self.name.clone(),
            reason: reason.to_string(),
        }
    }

    /// A handle to a stream, without asking whether it exists.
    pub(super) async fn stream(&self, name: &str) -> Result<Stream<()>, JobsError> {
        let stream = self.context.get_stream_no_info(name).await;
        stream.map_err(|error| self.server_error(error))
    }

    /// Publishes a message until the server has stored it, however long it is away.
    pub(super) async fn publish(
        &self,
        subject: &str,
        headers: HeaderMap,
        payload: Bytes,
    ) -> Result<Published, JobsError> {
        let mut backoff = Backoff::new();
        loop {
            let sent = self
                .context
                .publish_with_headers(subject.to_owned(), headers.clone(), payload.clone())
                .await;
            let stored = match sent {
                Ok(acknowledgement) => acknowledgement.await,
                Err(error) => Err(error),
            };
            match stored {
                Ok(known) if known.duplicate => return Ok(Published::Repeated(known.sequence)),
                Ok(_) => return Ok(Published::Stored),
                Err(error) if is_occupied(&error) => return Ok(Published::Occupied),
                Err(error) => match error.kind() {
                    PublishErrorKind::StreamNotFound => {
                        // After a restart, or on a new server.
                        if let Err(error) = self.ensure_streams().await
                            && !error.is_temporary()
                        {
                            return Err(error);
                        }
                    }
                    PublishErrorKind::TimedOut
                    | PublishErrorKind::BrokenPipe
                    | PublishErrorKind::MaxAckPending => {}
                    _ if is_unavailable(&error.to_string()) => {}
                    _ => {
                        return Err(self.server_error(format_args!("{subject}: {error}")));
                    }
                },
            }
            backoff.wait().await;
        }
    }

    /// Repeats a request until the server answers.
    pub(super) async fn retry<T, F>(&self, mut request: impl FnMut() -> F) -> Result<T, JobsError>
    where
        F: Future<Output = Result<T, JobsError>>,
    {
        let mut backoff = Backoff::new();
        loop {
            match request().await {
                Err(error) if error.is_temporary() => backoff.wait().await,
                answer => return answer,
            }
        }
    }

    /// Stores bytes in chunks.
    pub(super) async fn put_blob(&self, bytes: &[u8]) -> Result<BlobRecord, JobsError> {
        let record = BlobRecord::of(bytes);
        for (number, chunk) in (0..).zip(bytes.chunks(CHUNK_BYTES)) {
            let subject = subjects::blob(record.digest, number);
            let payload = Bytes::copy_from_slice(chunk);
            self.publish(&subject, HeaderMap::new(), payload).await?;
        }
        Ok(record)
    }

    pub(super) async fn blob(&self, record: &BlobRecord) -> Result<Vec<u8>, JobsError> {
        let malformed = |reason: &str| JobsError::Malformed {
            what: format!("blob {}", record.digest),
            reason: reason.to_owned(),
        };
        let mut bytes = Vec::new();
        for chunk in 0..record.chunks {
            let subject = subjects::blob(record.digest, chunk);
            let message = self.last_message(streams::BLOBS, &subject).await?;
            let message = message.ok_or_else(|| malformed("a chunk is missing"))?;
            bytes.extend_from_slice(&message.payload);
        }
        if Digest::of(&bytes) != record.digest {
            return Err(malformed("its digest differs"));
        }
        Ok(bytes)
    }

    /// The last message of a subject, by direct get.
    pub(super) async fn last_message(
        &self,
        stream: &str,
        subject: &str,
    ) -> Result<Option<StreamMessage>, JobsError> {
        use async_nats::jetstream::stream::DirectGetErrorKind::{NotFound, TimedOut};
        let handle = self.stream(stream).await?;
        self.retry(|| async {
            match handle.direct_get_last_for_subject(subject).await {
                Ok(message) => Ok(Some(message)),
                Err(error) => match error.kind() {
                    NotFound => Ok(None),
                    TimedOut => Err(self.timed_out(error)),
                    _ if is_unavailable(&error.to_string()) => Err(self.timed_out(error)),
                    _ => Err(self.server_error(format_args!("{subject}: {error}"))),
                },
            }
        })
        .await
    }

    /// The sequence of the last message that the consumer of a queue has delivered; 0 if it has
    /// delivered none or does not exist.
    pub(super) async fn last_delivered(&self, queue: Queue) -> Result<u64, JobsError> {
        let name = queue.name();
        let stream = self.stream(streams::JOBS).await?;
        let info = stream.consumer_info(name).await;
        Ok(info.map_or(0, |info| info.delivered.stream_sequence))
    }

    /// Whether a subject has a message. Asks once.
    pub(super) async fn exists(&self, stream: &str, subject: String) -> Result<bool, JobsError> {
        use async_nats::jetstream::stream::DirectGetErrorKind::NotFound;
        let handle = self.stream(stream).await?;
        match handle.direct_get_last_for_subject(&subject).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == NotFound => Ok(false),
            Err(error) => Err(self.timed_out(error)),
        }
    }

    pub(super) async fn purge(&self, stream: &str, filter: &str) -> Result<(), JobsError> {
        use async_nats::jetstream::stream::PurgeErrorKind::{JetStream, Request, TimedOut};
        let handle = self.stream(stream).await?;
        self.retry(|| async {
            match handle.purge().filter(filter).await {
                Ok(_) => Ok(()),
                Err(error) => match error.kind() {
                    TimedOut | Request => Err(self.timed_out(error)),
                    // A stream that does not exist is empty.
                    JetStream(inner) if inner.error_code().0 == streams::STREAM_NOT_FOUND => Ok(()),
                    JetStream(_) => Err(self.server_error(format_args!("{filter}: {error}"))),
                },
            }
        })
        .await
    }

    /// Deletes one message, not a later one with the same subject.
    pub(super) async fn delete(&self, stream: &str, sequence: u64) -> Result<(), JobsError> {
        use async_nats::jetstream::stream::DeleteMessageErrorKind::{JetStream, Request, TimedOut};
        let handle = self.stream(stream).await?;
        self.retry(|| async {
            match handle.delete_message(sequence).await {
                Ok(_) => Ok(()),
                Err(error) => match error.kind() {
                    TimedOut | Request => Err(self.timed_out(error)),
                    JetStream(inner) if is_unavailable(&inner.to_string()) => {
                        Err(self.timed_out(error))
                    }
                    // One that is gone needs no deletion.
                    JetStream(_) => Ok(()),
                },
            }
        })
        .await
    }

    /// The subjects of a stream that match a filter.
    pub(super) async fn subjects(
        &self,
        stream: &str,
        filter: &str,
    ) -> Result<Vec<String>, JobsError> {
        let handle = self.stream(stream).await?;
        self.retry(|| async {
            let info = handle.info_with_subjects(filter).await;
            let mut info = info.map_err(|error| self.timed_out(error))?;
            let mut subjects = Vec::new();
            while let Some(next) = info.next().await {
                let (subject, _) = next.map_err(|error| self.timed_out(error))?;
                subjects.push(subject);
            }
            Ok(subjects)
        })
        .await
    }

    /// Sends a message that is not stored.
    pub(super) async fn send(&self, subject: String, payload: Vec<u8>) -> Result<(), JobsError> {
        let sent = self.context.client().publish(subject, payload.into()).await;
        sent.map_err(|error| self.timed_out(error))
    }

    pub(super) async fn acknowledge(&self, receipt: &Receipt, kind: &str) -> Result<(), JobsError> {
        let Receipt::Nats(subject) = receipt else {
            return Ok(());
        };
        let client = self.context.client();
        let sent = client
            .publish(subject.clone(), Bytes::copy_from_slice(kind.as_bytes()))
            .await;
        sent.map_err(|error| self.timed_out(error))
    }

    /// Stores a result; one that does not fit into a message goes into a blob.
    pub(super) async fn store_result(
        &self,
        delivery: &Delivery,
        worker: &str,
        output: &[u8],
    ) -> Result<(), JobsError> {
        let address = &delivery.address;
        let mut headers = HeaderMap::new();
        headers.insert(WORKER, worker);
        let mut payload = (delivery.body.len() as u32).to_be_bytes().to_vec();
        payload.extend_from_slice(&delivery.body);
        payload.extend_from_slice(output);
        if payload.len() > CHUNK_BYTES {
            let blob = self.put_blob(&payload).await?;
            headers.insert(BLOB, format!("{} {}", blob.digest, blob.chunks).as_str());
            payload.clear();
        }
        let subject = subjects::result(&address.group, address.key);
        self.publish(&subject, headers, payload.into()).await?;
        Ok(())
    }

    /// Reads a message of `RESULTS`. A worker must not be able to stop its producer: a result that
    /// cannot be read has no job, so that the producer rejects it. `None` if not even its subject is one.
    pub(super) async fn read_result(
        &self,
        subject: &str,
        sequence: u64,
        headers: Option<&HeaderMap>,
        payload: Bytes,
    ) -> Result<Option<RawResult>, JobsError> {
        let Some((group, key)) = subjects::parse_result(subject) else {
            return Ok(None);
        };
        let (job, output) = match self.read_output(subject, headers, payload).await {
            Err(JobsError::Malformed { .. }) => (Bytes::new(), Bytes::new()),
            read => read?,
        };
        let worker = headers.and_then(|headers| headers.get(WORKER));
        Ok(Some(RawResult {
            group,
            key,
            sequence,
            worker: worker.map_or_else(String::new, ToString::to_string),
            job,
            output,
        }))
    }

    /// Returns the job and the output of a result.
    async fn read_output(
        &self,
        subject: &str,
        headers: Option<&HeaderMap>,
        payload: Bytes,
    ) -> Result<(Bytes, Bytes), JobsError> {
        let malformed = |reason: &str| JobsError::Malformed {
            what: format!("result {subject}"),
            reason: reason.to_owned(),
        };
        let blob = headers.and_then(|headers| headers.get(BLOB));
        let payload = match blob {
            None => payload,
            Some(blob) => {
                let fields = blob.as_str().split_once(' ');
                let record = fields.and_then(|(digest, chunks)| {
                    Some(BlobRecord {
                        digest: digest.parse().ok()?,
                        chunks: chunks.parse().ok()?,
                    })
                });
                let record = record.ok_or_else(|| malformed("it names no blob"))?;
                self.blob(&record).await?.into()
            }
        };
        let length = payload
            .first_chunk()
            .map(|bytes| u32::from_be_bytes(*bytes));
        let end = length.map_or(usize::MAX, |length| length as usize + 4);
        if end > payload.len() {
            return Err(malformed("it is short"));
        }
        Ok((payload.slice(4..end), payload.slice(end..)))
    }
}

/// Whether a message was refused because its subject has one already.
fn is_occupied(error: &PublishError) -> bool {
    // The server reports every failure to store under one code, and the reason as text.
    error.to_string().contains("maximum messages per subject")
}

/// Whether a message says that JetStream has no leader or is still starting.
pub(super) fn is_unavailable(message: &str) -> bool {
    [
        "temporarily unavailable",
        "no responders",
        "offline",
        "10008",
    ]
    .iter()
    .any(|words| message.contains(words))
}
