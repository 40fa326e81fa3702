//! Wanting work done: undertakings, their jobs, what came of them.

use sqlx::Row as _;

use super::{JOBS, Queue, key_of};
use crate::{Key, StoreError};

/// What a set of jobs shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undertaking {
    /// Its name; the same name is the same undertaking.
    pub name: String,
    /// What its jobs are.
    pub kind: String,
    /// Which papan reproduces it.
    pub needs: String,
    /// What all its jobs share.
    pub body: String,
}

/// A job before anybody does it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewJob {
    /// What is to be done; the same body is the same job.
    pub body: String,
    /// Higher ones first.
    pub priority: i64,
}

impl NewJob {
    /// What it is known by in its undertaking.
    #[must_use]
    pub fn key(&self) -> Key {
        key_of(&self.body)
    }
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobResult {
    /// Its place among all results; later ones have higher numbers.
    pub number: i64,
    /// The job's key.
    pub key: Key,
    /// What came of it.
    pub body: Vec<u8>,
}

impl Queue {
    /// Begins an undertaking, or goes on with it.
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

    /// An undertaking, while it is open.
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

    /// Posts jobs, those that are not there already; returns how many.
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

    /// The results of an undertaking after this number, in their order, `most` of them.
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

    /// Takes back jobs that nobody has begun.
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

    /// Ends an undertaking: what nobody has begun is not begun any more. What came of
    /// it stays.
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

    /// Forgets an undertaking with its jobs and results; says whether it was there.
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
