//! RemoteWorkers on the same database: while some are alive, they do what visitors ask for
//! and this server only looks how far they are.

use std::time::Duration;

use papan_store::{GameStore, JobStanding, Key, NewJob, Queue, StoreError, Undertaking};

use crate::analysis::job::AnalysisJob;
use crate::settings::Settings;

/// Between two looks at what workers do.
pub(crate) const LOOK: Duration = Duration::from_millis(500);
/// For how many seconds a result can be asked for again, here or at another server.
const KEPT: u32 = 3600;
/// Whoever waits at a page comes before tournaments.
const PEOPLE: i64 = 1_000_000;

/// RemoteWorkers on the same database.
pub(crate) struct RemoteWorkers {
    queue: Queue,
    undertaking: Undertaking,
}

impl RemoteWorkers {
    /// Where there can be any: several machines share the database, and it is known
    /// which papan answers as this one does.
    pub(crate) fn of(settings: &Settings, store: &dyn GameStore) -> Option<Self> {
        let version = settings.reproduced_by.clone()?;
        Some(Self {
            queue: store.queue()?,
            undertaking: Undertaking {
                name: format!("studies of {version}"),
                kind: AnalysisJob::KIND.into(),
                needs: version,
                body: String::new(),
            },
        })
    }

    /// A study as a job; of two, the one of the lower rank is done first.
    pub(crate) fn job(study: &AnalysisJob, rank: usize) -> NewJob {
        NewJob {
            body: study.text(),
            priority: PEOPLE - i64::try_from(rank).unwrap_or(PEOPLE),
        }
    }

    /// How these jobs stand; those that are new are handed out. Nothing when there is
    /// nobody to do them: they are this server's own again.
    ///
    /// # Errors
    /// When the database is away.
    pub(crate) async fn look(
        &self,
        jobs: &[NewJob],
    ) -> Result<Option<Vec<JobStanding>>, StoreError> {
        let Undertaking { name, needs, .. } = &self.undertaking;
        let keys: Vec<Key> = jobs.iter().map(NewJob::key).collect();
        let standings = self.queue.standings(name, &keys).await?;
        let open =
            |standing: &Option<JobStanding>| matches!(standing, None | Some(JobStanding::Waiting));
        if standings.iter().any(open) && !self.queue.has_workers(name, needs).await? {
            self.queue.take_back(name, &keys).await?;
            return Ok(None);
        }
        let new = jobs.iter().zip(&standings);
        let new = new.filter(|(_, standing)| standing.is_none());
        let new: Vec<NewJob> = new.map(|(job, _)| job.clone()).collect();
        if !new.is_empty() {
            self.queue.begin(&self.undertaking).await?;
            self.queue.post(name, &new).await?;
        }
        let known = |standing: Option<JobStanding>| standing.unwrap_or(JobStanding::Waiting);
        Ok(Some(standings.into_iter().map(known).collect()))
    }

    /// Forgets what was asked for long ago; what came of it is stored elsewhere.
    ///
    /// # Errors
    /// When the database is away.
    pub(crate) async fn forget(&self) -> Result<(), StoreError> {
        self.queue.forget_ended(AnalysisJob::KIND, KEPT).await
    }
}
