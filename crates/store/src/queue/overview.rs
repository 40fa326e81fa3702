//! Status of the queue: job groups, workers, failures.

use sqlx::Row as _;

use super::Queue;
use crate::StoreError;

/// Seconds without a heartbeat after which a worker is hidden.
const SHOWN: f64 = 60.0;

/// Status of the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// The job groups, newest first.
    pub undertakings: Vec<UndertakingStatus>,
    /// The workers.
    pub workers: Vec<WorkerStatus>,
}

/// Status of a job group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndertakingStatus {
    /// Its name.
    pub name: String,
    /// The job kind.
    pub kind: String,
    /// The version that reproduces it.
    pub needs: String,
    /// Whether it is open.
    pub open: bool,
    /// Waiting jobs.
    pub waiting: u64,
    /// Running jobs.
    pub running: u64,
    /// Finished jobs.
    pub done: u64,
    /// Failed jobs, by id, with the reason.
    pub failures: Vec<(i64, String)>,
    /// Workers that declined it, with the reason.
    pub refusals: Vec<(String, String)>,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Number of concurrent jobs.
    pub threads: u64,
    /// Finished jobs.
    pub done: u64,
    /// Running jobs.
    pub running: u64,
    /// Seconds since the last heartbeat.
    pub silent: u64,
}

impl Queue {
    /// Returns the status of the queue.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn overview(&self) -> Result<Overview, StoreError> {
        self.look().await.map_err(|error| self.failed(&error))
    }

    async fn look(&self) -> Result<Overview, sqlx::Error> {
        let mut reader = self.pool.begin().await?;
        let rows = sqlx::query(
            "SELECT u.name, u.kind, u.needs, u.open,
             count(*) FILTER (WHERE j.state = 'waiting'),
             count(*) FILTER (WHERE j.state = 'running'),
             count(*) FILTER (WHERE j.state = 'done')
             FROM undertakings u LEFT JOIN jobs j ON j.undertaking = u.name
             GROUP BY u.name ORDER BY u.made_at DESC, u.name",
        )
        .fetch_all(&mut *reader)
        .await?;
        let mut undertakings = Vec::with_capacity(rows.len());
        for row in rows {
            let name: String = row.try_get(0)?;
            let failures = sqlx::query_as(
                "SELECT id, coalesce(why, '') FROM jobs
                 WHERE undertaking = $1 AND state = 'failed' ORDER BY id LIMIT 100",
            )
            .bind(&name)
            .fetch_all(&mut *reader)
            .await?;
            let refusals = sqlx::query_as(
                "SELECT worker, why FROM refusals WHERE undertaking = $1 ORDER BY worker",
            )
            .bind(&name)
            .fetch_all(&mut *reader)
            .await?;
            undertakings.push(UndertakingStatus {
                name,
                kind: row.try_get(1)?,
                needs: row.try_get(2)?,
                open: row.try_get(3)?,
                waiting: row.try_get::<i64, _>(4)? as u64,
                running: row.try_get::<i64, _>(5)? as u64,
                done: row.try_get::<i64, _>(6)? as u64,
                failures,
                refusals,
            });
        }
        let rows = sqlx::query(
            "SELECT w.name, w.version, w.threads, w.done,
             (SELECT count(*) FROM jobs j WHERE j.worker = w.name AND j.state = 'running'),
             extract(epoch FROM now() - w.seen_at)::bigint
             FROM workers w WHERE w.seen_at > now() - make_interval(secs => $1) ORDER BY w.name",
        )
        .bind(SHOWN)
        .fetch_all(&mut *reader)
        .await?;
        let number = |row: &sqlx::postgres::PgRow, column: usize| {
            Ok::<_, sqlx::Error>(row.try_get::<i64, _>(column)?.max(0) as u64)
        };
        let workers = rows.iter().map(|row| {
            Ok(WorkerStatus {
                name: row.try_get(0)?,
                version: row.try_get(1)?,
                threads: number(row, 2)?,
                done: number(row, 3)?,
                running: number(row, 4)?,
                silent: number(row, 5)?,
            })
        });
        let workers = workers.collect::<Result<_, sqlx::Error>>()?;
        Ok(Overview {
            undertakings,
            workers,
        })
    }

    /// Returns the number of concurrent jobs of all workers.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn threads(&self) -> Result<u64, StoreError> {
        let threads: Result<i64, sqlx::Error> = sqlx::query_scalar(
            "SELECT coalesce(sum(threads), 0)::bigint FROM workers
             WHERE seen_at > now() - make_interval(secs => $1)",
        )
        .bind(SHOWN)
        .fetch_one(&self.pool)
        .await;
        threads
            .map(|threads| threads as u64)
            .map_err(|error| self.failed(&error))
    }

    /// Returns the number of failed jobs of a group.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn failures(&self, undertaking: &str) -> Result<u64, StoreError> {
        let failed: Result<i64, sqlx::Error> = sqlx::query_scalar(
            "SELECT count(*) FROM jobs WHERE undertaking = $1 AND state = 'failed'",
        )
        .bind(undertaking)
        .fetch_one(&self.pool)
        .await;
        failed
            .map(|count| count as u64)
            .map_err(|error| self.failed(&error))
    }

    /// Resubmits failed jobs of one group or of all; returns how many.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn retry(&self, undertaking: Option<&str>) -> Result<u64, StoreError> {
        let retried = sqlx::query(
            "UPDATE jobs SET state = 'waiting', attempts = 0, worker = NULL, why = NULL,
             changed_at = now()
             WHERE state = 'failed' AND ($1::text IS NULL OR undertaking = $1)",
        )
        .bind(undertaking)
        .execute(&self.pool);
        let retried = retried.await.map_err(|error| self.failed(&error))?;
        Ok(retried.rows_affected())
    }
}
