//! Doing work: claiming a job, staying alive, bringing the result.

use sqlx::Row as _;

use super::{MOST_ATTEMPTS, Queue, RESULTS, key_of};
use crate::StoreError;

/// A job that a worker has claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimed {
    /// Its number.
    pub id: i64,
    /// What it belongs to.
    pub undertaking: String,
    /// What is to be done.
    pub body: String,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// With a result.
    Done(Vec<u8>),
    /// Without; it is tried again only when somebody says so.
    Failed(String),
    /// The worker ends, or cannot do it: it is the next one's.
    PutBack,
}

impl Queue {
    /// Claims the next job of these kinds for so many seconds: one that waits, or one
    /// whose worker has fallen silent. Undertakings that this worker has refused are
    /// left to others.
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
            .bind(MOST_ATTEMPTS)
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

    /// Says that a worker is alive and still does these jobs, for so many seconds
    /// more, and how far each is. Jobs that killed worker after worker count as failed from now on.
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
            .bind(MOST_ATTEMPTS)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await
        };
        beating.await.map_err(|error| self.failed(&error))
    }

    /// Ends a job that this worker claimed. A result counts, also where the job has
    /// been given to another meanwhile; the first one does.
    ///
    /// # Errors
    /// When the database cannot be reached; it may be said again.
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
                    // One at a time: whoever reads results up to a number must not
                    // miss a lower one that is committed later.
                    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
                        .bind(&job.undertaking)
                        .execute(&mut *transaction)
                        .await?;
                    // An undertaking that is gone wants no results.
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

    /// Says why a worker cannot do the jobs of an undertaking.
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

    /// Takes a worker off the list, with its refusals.
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
