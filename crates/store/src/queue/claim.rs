//! Worker side of the queue: claims, heartbeats, results.

use sqlx::Row as _;

use super::{MAX_ATTEMPTS, Queue, RESULTS, key_of};
use crate::StoreError;

/// A job claimed by a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its id.
    pub id: i64,
    /// Its group.
    pub undertaking: String,
    /// Its data.
    pub body: String,
}

/// The outcome of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// A result.
    Done(Vec<u8>),
    /// A failure; it is retried only on request.
    Failed(String),
    /// Released: another worker may claim it.
    PutBack,
}

impl Queue {
    /// Claims the next job of these kinds for `seconds`: a waiting one, or one without heartbeats.
    /// Groups that this worker has declined are skipped.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn claim(
        &self,
        worker: &str,
        kinds: &[&str],
        seconds: u32,
    ) -> Result<Option<Claimed>, StoreError> {
        let claiming = async {
            let row = sqlx::query(
                "WITH next AS (
                     SELECT j.id FROM jobs j JOIN undertakings u ON u.name = j.undertaking
                     WHERE (j.state = 'waiting' OR j.state = 'running' AND j.until < now())
                     AND u.open AND u.kind = ANY($2) AND j.attempts < $4
                     AND NOT EXISTS (SELECT 1 FROM refusals r
                         WHERE r.undertaking = j.undertaking AND r.worker = $1)
                     ORDER BY j.priority DESC, j.id LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
                 UPDATE jobs SET state = 'running', worker = $1, attempts = attempts + 1,
                     progress = 0, until = now() + make_interval(secs => $3), changed_at = now()
                 FROM next WHERE jobs.id = next.id
                 RETURNING jobs.id, jobs.undertaking, jobs.body",
            )
            .bind(worker)
            .bind(
                kinds
                    .iter()
                    .map(|&kind| kind.to_owned())
                    .collect::<Vec<_>>(),
            )
            .bind(f64::from(seconds))
            .bind(MAX_ATTEMPTS)
            .fetch_optional(&self.pool)
            .await?;
            let Some(row) = row else {
                return Ok(None);
            };
            Ok(Some(Claimed {
                id: row.try_get(0)?,
                undertaking: row.try_get(1)?,
                body: row.try_get(2)?,
            }))
        };
        claiming
            .await
            .map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Sends a heartbeat for these jobs, with their progress, valid for `seconds`. Jobs that ended
    /// several workers count as failed.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn beat(
        &self,
        worker: &str,
        version: &str,
        threads: usize,
        jobs: &[(i64, u64)],
        seconds: u32,
    ) -> Result<(), StoreError> {
        let (ids, progress): (Vec<i64>, Vec<i64>) = jobs
            .iter()
            .map(|&(id, progress)| (id, i64::try_from(progress).unwrap_or(i64::MAX)))
            .unzip();
        let beating = async {
            let mut transaction = self.pool.begin().await?;
            sqlx::query(
                "INSERT INTO workers (name, version, threads) VALUES ($1, $2, $3)
                 ON CONFLICT (name) DO UPDATE SET seen_at = now()",
            )
            .bind(worker)
            .bind(version)
            .bind(threads as i64)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "UPDATE jobs SET until = now() + make_interval(secs => $3), progress = told.progress
                 FROM unnest($2::bigint[], $4::bigint[]) AS told (id, progress)
                 WHERE jobs.id = told.id AND worker = $1 AND state = 'running'",
            )
            .bind(worker)
            .bind(ids)
            .bind(f64::from(seconds))
            .bind(progress)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "UPDATE jobs SET state = 'failed', changed_at = now(),
                 why = 'every worker that began it fell silent'
                 WHERE state = 'running' AND until < now() AND attempts >= $1",
            )
            .bind(MAX_ATTEMPTS)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await
        };
        beating.await.map_err(|error| self.failed(&error))
    }

    /// Finishes a claimed job. A result counts even if the job was given to another worker; the
    /// first one does.
    ///
    /// # Errors
    /// When the database cannot be reached; the call may be repeated.
    pub async fn finish(
        &self,
        job: &Claimed,
        worker: &str,
        finish: &Finish,
    ) -> Result<(), StoreError> {
        let finishing = async {
            let mut transaction = self.pool.begin().await?;
            match finish {
                Finish::Done(result) => {
                    // Serialised, so that a reader of results up to a number never misses a lower
                    // one committed later.
                    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
                        .bind(&job.undertaking)
                        .execute(&mut *transaction)
                        .await?;
                    // A deleted group takes no results.
                    sqlx::query(
                        "INSERT INTO results (undertaking, key, body)
                         SELECT $1, $2, $3 WHERE EXISTS
                         (SELECT 1 FROM undertakings WHERE name = $1 FOR KEY SHARE)
                         ON CONFLICT (undertaking, key) DO NOTHING",
                    )
                    .bind(&job.undertaking)
                    .bind(key_of(&job.body).bytes())
                    .bind(result)
                    .execute(&mut *transaction)
                    .await?;
                    sqlx::query(
                        "WITH done AS (
                             UPDATE jobs SET state = 'done', worker = $2, changed_at = now()
                             WHERE id = $1 AND state <> 'done' RETURNING 1)
                         UPDATE workers SET done = done + 1, seen_at = now()
                         WHERE name = $2 AND EXISTS (SELECT 1 FROM done)",
                    )
                    .bind(job.id)
                    .bind(worker)
                    .execute(&mut *transaction)
                    .await?;
                    sqlx::query("SELECT pg_notify($1, $2)")
                        .bind(RESULTS)
                        .bind(&job.undertaking)
                        .execute(&mut *transaction)
                        .await?;
                }
                Finish::Failed(why) => {
                    sqlx::query(
                        "UPDATE jobs SET state = 'failed', why = $3, changed_at = now()
                         WHERE id = $1 AND worker = $2 AND state = 'running'",
                    )
                    .bind(job.id)
                    .bind(worker)
                    .bind(why)
                    .execute(&mut *transaction)
                    .await?;
                }
                Finish::PutBack => {
                    sqlx::query(
                        "UPDATE jobs SET state = 'waiting', worker = NULL, until = NULL,
                         attempts = attempts - 1, changed_at = now()
                         WHERE id = $1 AND worker = $2 AND state = 'running'",
                    )
                    .bind(job.id)
                    .bind(worker)
                    .execute(&mut *transaction)
                    .await?;
                    sqlx::query("SELECT pg_notify($1, '')")
                        .bind(super::JOBS)
                        .execute(&mut *transaction)
                        .await?;
                }
            }
            transaction.commit().await
        };
        finishing.await.map_err(|error| self.failed(&error))
    }

    /// Declines the jobs of a group with a reason.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn refuse(
        &self,
        undertaking: &str,
        worker: &str,
        why: &str,
    ) -> Result<(), StoreError> {
        let refused = sqlx::query(
            "INSERT INTO refusals (undertaking, worker, why)
             SELECT $1, $2, $3 WHERE EXISTS (SELECT 1 FROM undertakings WHERE name = $1)
             ON CONFLICT (undertaking, worker) DO UPDATE SET why = excluded.why",
        )
        .bind(undertaking)
        .bind(worker)
        .bind(why)
        .execute(&self.pool);
        refused.await.map_err(|error| self.failed(&error))?;
        Ok(())
    }

    /// Removes a worker and its refusals.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn leave(&self, worker: &str) -> Result<(), StoreError> {
        let leaving = async {
            let mut transaction = self.pool.begin().await?;
            for gone in [
                "DELETE FROM workers WHERE name = $1",
                "DELETE FROM refusals WHERE worker = $1",
            ] {
                sqlx::query(gone)
                    .bind(worker)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        };
        leaving.await.map_err(|error| self.failed(&error))
    }
}
