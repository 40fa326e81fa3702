//! Producer side of the queue: job groups, jobs, results.

use sqlx::Row as _;

use super::{JOBS, Queue, key_of};
use crate::{Key, StoreError};

/// Data shared by a group of jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undertaking {
    /// Its name, which identifies it.
    pub name: String,
    /// The job kind.
    pub kind: String,
    /// The version that reproduces it.
    pub needs: String,
    /// The shared data.
    pub body: String,
}

/// A job to submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// Its data, which identifies it.
    pub body: String,
    /// Priority; higher ones run first.
    pub priority: i64,
}

impl NewJob {
    /// Returns its key within its group.
    #[must_use]
    pub fn key(&self) -> Key {
        key_of(&self.body)
    }
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobResult {
    /// Its sequence number among all results.
    pub number: i64,
    /// The job's key.
    pub key: Key,
    /// The result.
    pub body: Vec<u8>,
}

impl Queue {
    /// Starts or continues a job group.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn begin(&self, undertaking: &Undertaking) -> Result<(), StoreError> {
        let begun = sqlx::query(
            "INSERT INTO undertakings (name, kind, needs, body) VALUES ($1, $2, $3, $4)
             ON CONFLICT (name) DO UPDATE SET kind = excluded.kind, needs = excluded.needs,
             body = excluded.body, open = true",
        )
        .bind(&undertaking.name)
        .bind(&undertaking.kind)
        .bind(&undertaking.needs)
        .bind(&undertaking.body)
        .execute(&self.pool);
        begun.await.map_err(|error| self.failed(&error))?;
        Ok(())
    }

    /// Returns an open job group.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn undertaking(&self, name: &str) -> Result<Option<Undertaking>, StoreError> {
        let found = sqlx::query(
            "SELECT name, kind, needs, body FROM undertakings WHERE name = $1 AND open",
        )
        .bind(name)
        .fetch_optional(&self.pool);
        let read = async {
            let Some(row) = found.await? else {
                return Ok(None);
            };
            Ok(Some(Undertaking {
                name: row.try_get(0)?,
                kind: row.try_get(1)?,
                needs: row.try_get(2)?,
                body: row.try_get(3)?,
            }))
        };
        read.await.map_err(|error| self.failed(&error))
    }

    /// Submits new jobs; returns how many were new.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn post(&self, undertaking: &str, jobs: &[NewJob]) -> Result<u64, StoreError> {
        let keys: Vec<Vec<u8>> = jobs.iter().map(|job| job.key().bytes().to_vec()).collect();
        let bodies: Vec<&str> = jobs.iter().map(|job| job.body.as_str()).collect();
        let priorities: Vec<i64> = jobs.iter().map(|job| job.priority).collect();
        let posting = async {
            let mut transaction = self.pool.begin().await?;
            let posted = sqlx::query(
                "INSERT INTO jobs (undertaking, key, body, priority)
                 SELECT $1, * FROM unnest($2::bytea[], $3::text[], $4::bigint[])
                 ON CONFLICT (undertaking, key) DO NOTHING",
            )
            .bind(undertaking)
            .bind(keys)
            .bind(bodies)
            .bind(priorities)
            .execute(&mut *transaction)
            .await?;
            sqlx::query("SELECT pg_notify($1, '')")
                .bind(JOBS)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(posted.rows_affected())
        };
        posting.await.map_err(|error| self.failed(&error))
    }

    /// Returns at most `most` results of a group after this number, in order.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn results(
        &self,
        undertaking: &str,
        after: i64,
        most: u32,
    ) -> Result<Vec<JobResult>, StoreError> {
        let reading = async {
            let rows = sqlx::query(
                "SELECT number, key, body FROM results WHERE undertaking = $1 AND number > $2
                 ORDER BY number LIMIT $3",
            )
            .bind(undertaking)
            .bind(after)
            .bind(i64::from(most))
            .fetch_all(&self.pool)
            .await?;
            rows.iter()
                .map(|row| {
                    let key: &[u8] = row.try_get(1)?;
                    let wrong = || sqlx::Error::Decode("a key has the wrong length".into());
                    Ok(JobResult {
                        number: row.try_get(0)?,
                        key: Key::from_bytes(key).ok_or_else(wrong)?,
                        body: row.try_get(2)?,
                    })
                })
                .collect::<Result<Vec<JobResult>, sqlx::Error>>()
        };
        reading.await.map_err(|error| self.failed(&error))
    }

    /// Withdraws waiting jobs.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn withdraw(&self, undertaking: &str) -> Result<(), StoreError> {
        let gone = sqlx::query("DELETE FROM jobs WHERE undertaking = $1 AND state = 'waiting'")
            .bind(undertaking)
            .execute(&self.pool);
        gone.await.map_err(|error| self.failed(&error))?;
        Ok(())
    }

    /// Ends a group: waiting jobs are withdrawn, results stay.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn stop(&self, undertaking: &str) -> Result<(), StoreError> {
        let stopping = async {
            let mut transaction = self.pool.begin().await?;
            sqlx::query("UPDATE undertakings SET open = false WHERE name = $1")
                .bind(undertaking)
                .execute(&mut *transaction)
                .await?;
            sqlx::query("DELETE FROM jobs WHERE undertaking = $1 AND state <> 'done'")
                .bind(undertaking)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await
        };
        stopping.await.map_err(|error| self.failed(&error))
    }

    /// Deletes a group with its jobs and results; returns whether it existed.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn forget(&self, undertaking: &str) -> Result<bool, StoreError> {
        let gone = sqlx::query("DELETE FROM undertakings WHERE name = $1")
            .bind(undertaking)
            .execute(&self.pool);
        let gone = gone.await.map_err(|error| self.failed(&error))?;
        Ok(gone.rows_affected() > 0)
    }
}
