//! Requests: jobs that a server submits one by one while a visitor waits.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Mutex, broadcast};
use tokio::time::{Instant, timeout};

use crate::producer::{record_of, verified};
use crate::record::{GroupRecord, JobAddress};
use crate::transport::{Event, Interest, Transport};
use crate::{Class, Connection, Digest, JobKind, JobsError, Notice, Payload as _};

/// Between two looks for a result, in case its announcement was lost.
const LOOK: Duration = Duration::from_secs(1);
/// How long the answer to whether there are workers is reused.
const WORKERS_CACHE: Duration = Duration::from_secs(2);
/// Between two renewals of the group, which otherwise expires.
const REFRESH: Duration = Duration::from_secs(3600);
/// Events that a request may have unread.
const EVENT_CAPACITY: usize = 1024;

/// Why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// No worker alive can run the job; it was withdrawn.
    #[error("there are no workers")]
    NoWorkers,
    /// The job became a dead letter.
    #[error("{0}")]
    Failed(String),
    /// The server refused a request.
    #[error(transparent)]
    Jobs(#[from] JobsError),
}

/// A group of jobs, each of which one caller waits for. Web servers that share a job server share
/// the group and its results.
pub struct Requests<K: JobKind> {
    transport: Arc<dyn Transport>,
    group: K::Group,
    body: Vec<u8>,
    record: GroupRecord,
    events: broadcast::Sender<Event>,
    workers: Mutex<Seen>,
    refreshed: Mutex<Instant>,
    notice: Notice,
}

struct Seen {
    at: Option<Instant>,
    threads: usize,
}

impl<K: JobKind> Requests<K> {
    /// Opens the group.
    ///
    /// # Errors
    /// When the server refuses it.
    pub async fn begin(
        connection: &Connection,
        group: K::Group,
        command: &str,
        notice: Notice,
    ) -> Result<Self, JobsError> {
        let body = group.to_bytes();
        let record = record_of::<K>(&group, &body, command);
        let transport = Arc::clone(connection.transport());
        transport.open_group(&record, &body).await?;
        let (events, _) = broadcast::channel(EVENT_CAPACITY);
        let interest = Interest::Group(record.name.clone());
        let mut received = transport.events(interest).await?;
        let sender = events.clone();
        tokio::spawn(async move {
            while let Some(event) = received.recv().await {
                // Without a request under way there is no one to tell.
                let _ = sender.send(event);
            }
        });
        Ok(Self {
            transport,
            group,
            body,
            record,
            events,
            workers: Mutex::new(Seen {
                at: None,
                threads: 0,
            }),
            refreshed: Mutex::new(Instant::now()),
            notice,
        })
    }

    /// Returns how many jobs the workers alive run at once.
    pub async fn threads(&self) -> usize {
        let mut seen = self.workers.lock().await;
        if seen.at.is_none_or(|at| at.elapsed() > WORKERS_CACHE) {
            seen.at = Some(Instant::now());
            let workers = timeout(WORKERS_CACHE, self.transport.workers()).await;
            let workers = workers.ok().and_then(Result::ok).unwrap_or_default();
            let able = workers
                .iter()
                .filter(|worker| !worker.draining && worker.routes.contains(&self.record.route));
            seen.threads = able.map(|worker| worker.threads).sum();
        }
        seen.threads
    }

    /// Asks for a job and waits for its verified result. `progress` is called with the nodes of a
    /// running job. Asking twice runs the job once.
    ///
    /// # Errors
    /// When there are no workers, the job failed, or the server refuses it.
    pub async fn ask(
        &self,
        job: &K::Job,
        class: Class,
        mut progress: impl FnMut(u64) + Send,
    ) -> Result<K::Output, AskError> {
        self.refresh().await?;
        let body = Bytes::from(job.to_bytes());
        let key = Digest::of(&body);
        let address = JobAddress {
            route: self.record.route,
            class,
            group: self.record.name.clone(),
            key,
        };
        let mut events = self.events.subscribe();
        let mut is_submitted = false;
        loop {
            if let Some(output) = self.find(key).await? {
                return Ok(output);
            }
            let group = &self.record.name;
            if is_submitted && let Some(letter) = self.transport.dead_letter(group, key).await? {
                self.transport.drop_dead_letter(&letter).await?;
                return Err(AskError::Failed(letter.reason));
            }
            if self.threads().await == 0 {
                let keys = [key];
                self.transport.withdraw(&self.record, Some(&keys)).await?;
                return Err(AskError::NoWorkers);
            }
            // Also after a false result, or when the server lost the job.
            self.transport.submit(&address, body.clone()).await?;
            is_submitted = true;
            wait_for(key, &mut events, &mut progress).await;
        }
    }

    /// The stored result of a job, if it is right; a false one is dropped.
    async fn find(&self, key: Digest) -> Result<Option<K::Output>, JobsError> {
        let Some(raw) = self.transport.result(&self.record.name, key).await? else {
            return Ok(None);
        };
        match verified::<K>(&self.group, &raw) {
            Ok((_, output)) => Ok(Some(output)),
            Err(reason) => {
                self.notice.say(&format!(
                    "a result of worker {} is false and was dropped: {reason} (job {} of {})",
                    raw.worker,
                    key.short(),
                    self.record.name
                ));
                self.transport.reject(&raw).await?;
                let event = Event::Distrusted {
                    worker: raw.worker.clone(),
                    group: self.record.name.clone(),
                    reason,
                };
                self.transport.notify(&self.record.name, event).await?;
                Ok(None)
            }
        }
    }

    async fn refresh(&self) -> Result<(), JobsError> {
        let mut refreshed = self.refreshed.lock().await;
        if refreshed.elapsed() > REFRESH {
            self.transport.open_group(&self.record, &self.body).await?;
            *refreshed = Instant::now();
        }
        Ok(())
    }
}

/// Waits until a job has ended, or long enough to look.
async fn wait_for(
    key: Digest,
    events: &mut broadcast::Receiver<Event>,
    progress: &mut (dyn FnMut(u64) + Send),
) {
    let deadline = Instant::now() + LOOK;
    while let Ok(event) = tokio::time::timeout_at(deadline, events.recv()).await {
        match event {
            Ok(Event::Finished(ended)) if ended == key => return,
            Ok(Event::Progress(running, nodes)) if running == key => progress(nodes),
            Ok(_) => {}
            // Some were missed: look at once.
            Err(_) => return,
        }
    }
}
