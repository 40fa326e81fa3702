//! Group commit: one task writes all waiting changes in one transaction, so that many moves share
//! one sync of the disk.

use std::sync::{Arc, Mutex};

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::change::{Change, Done, FromOutcome};
use crate::StoreError;

/// Maximum number of changes in one transaction, which bounds the latency of the first.
const MAX_GROUP: usize = 512;
/// Maximum number of waiting changes; further callers wait.
const QUEUE_CAPACITY: usize = 4096;

type Answer = oneshot::Sender<Result<Done, StoreError>>;

/// Writes groups of changes into one database.
pub(crate) trait Transactions: Send + 'static {
    /// Executes all changes or none; returns their outcomes once they are on disk.
    fn commit(
        &mut self,
        group: &[Change],
    ) -> impl Future<Output = Result<Vec<Done>, StoreError>> + Send;
    /// Closes the connection.
    fn end(self) -> impl Future<Output = ()> + Send;
}

/// A handle of the writing task.
#[derive(Debug)]
pub(crate) struct Writer {
    changes: Mutex<Option<mpsc::Sender<(Change, Answer)>>>,
    task: Mutex<Option<JoinHandle<()>>>,
    last_failure: Arc<Mutex<Option<StoreError>>>,
}

impl Writer {
    pub(crate) fn start(transactions: impl Transactions) -> Self {
        let (changes, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let last_failure = Arc::default();
        let task = tokio::spawn(run(transactions, waiting, Arc::clone(&last_failure)));
        Self {
            changes: Mutex::new(Some(changes)),
            task: Mutex::new(Some(task)),
            last_failure,
        }
    }

    /// Submits a change and waits until it is on disk.
    pub(crate) async fn write<T: FromOutcome>(&self, change: Change) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let changes = self.changes.lock().expect("no panic inside").clone();
        let changes = changes.ok_or(StoreError::Closed)?;
        let sent = changes.send((change, answer)).await;
        sent.map_err(|_| StoreError::Closed)?;
        drop(changes);
        let done = answered.await.map_err(|_| StoreError::Closed)??;
        Ok(T::of(done).expect("a change is answered in its own kind"))
    }

    /// Returns the error of the last group, if it failed.
    pub(crate) fn failure(&self) -> Option<StoreError> {
        self.last_failure.lock().expect("no panic inside").clone()
    }

    /// Returns after all waiting changes are written.
    pub(crate) async fn close(&self) {
        self.changes.lock().expect("no panic inside").take();
        let task = self.task.lock().expect("no panic inside").take();
        if let Some(task) = task {
            // The task ends when all senders are dropped.
            let _ = task.await;
        }
    }
}

/// Writes until all senders are dropped.
async fn run(
    mut transactions: impl Transactions,
    mut waiting: mpsc::Receiver<(Change, Answer)>,
    last_failure: Arc<Mutex<Option<StoreError>>>,
) {
    let mut group = Vec::with_capacity(MAX_GROUP);
    while waiting.recv_many(&mut group, MAX_GROUP).await > 0 {
        let (changes, answers): (Vec<Change>, Vec<Answer>) = group.drain(..).unzip();
        let outcome = transactions.commit(&changes).await;
        *last_failure.lock().expect("no panic inside") = outcome.as_ref().err().cloned();
        let told: Vec<Result<Done, StoreError>> = match outcome {
            Ok(done) => done.into_iter().map(Ok).collect(),
            Err(error) => answers.iter().map(|_| Err(error.clone())).collect(),
        };
        for (answer, told) in answers.into_iter().zip(told) {
            // The caller may have been cancelled.
            let _ = answer.send(told);
        }
    }
    transactions.end().await;
}
