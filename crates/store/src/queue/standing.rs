//! Status of single jobs, for requests of visitors.

use sqlx::Row as _;

use super::Queue;
use crate::{Key, StoreError};

/// Seconds without a heartbeat after which a worker counts as dead.
const ALIVE: f64 = 15.0;

/// Status of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobStanding {
    /// Waiting.
    Waiting,
    /// Running, with its progress.
    Running(u64),
    /// Finished.
    Done(Vec<u8>),
    /// Failed, with the reason.
    Failed(String),
}

impl Queue {
    /// Returns the status of jobs by key; `None` for unknown ones.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn standings(
        &self,
        undertaking: &str,
        keys: &[Key],
    ) -> Result<Vec<Option<JobStanding>>, StoreError> {
        let reading = async {
            let rows = sqlx::query(
                "SELECT j.key, j.state, j.until >= now(), j.progress, j.why, r.body FROM jobs j
                 LEFT JOIN results r ON r.undertaking = j.undertaking AND r.key = j.key
                 WHERE j.undertaking = $1 AND j.key = ANY($2)",
            )
            .bind(undertaking)
            .bind(bytes(keys))
            .fetch_all(&self.pool)
            .await?;
            let mut standings = vec![None; keys.len()];
            for row in &rows {
                let key: &[u8] = row.try_get(0)?;
                let place = keys.iter().position(|asked| asked.bytes() == key);
                if let Some(place) = place {
                    standings[place] = Some(standing(row)?);
                }
            }
            Ok(standings)
        };
        reading
            .await
            .map_err(|error: sqlx::Error| self.failed(&error))
    }

    /// Returns whether a worker of this version is alive and has not declined a group.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn has_workers(&self, undertaking: &str, version: &str) -> Result<bool, StoreError> {
        let found = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM workers w
             WHERE w.version = $2 AND w.seen_at > now() - make_interval(secs => $3)
             AND NOT EXISTS (SELECT 1 FROM refusals r
                 WHERE r.undertaking = $1 AND r.worker = w.name))",
        )
        .bind(undertaking)
        .bind(version)
        .bind(ALIVE)
        .fetch_one(&self.pool);
        found.await.map_err(|error| self.failed(&error))
    }

    /// Withdraws these jobs unless they are running.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn take_back(&self, undertaking: &str, keys: &[Key]) -> Result<(), StoreError> {
        let gone = sqlx::query(
            "DELETE FROM jobs WHERE undertaking = $1 AND key = ANY($2)
             AND (state = 'waiting' OR state = 'running' AND until < now())",
        )
        .bind(undertaking)
        .bind(bytes(keys))
        .execute(&self.pool);
        gone.await.map_err(|error| self.failed(&error))?;
        Ok(())
    }

    /// Deletes jobs of a kind that ended `seconds` ago, with their results, and empty groups of
    /// that kind.
    ///
    /// # Errors
    /// When the database cannot be reached.
    pub async fn forget_ended(&self, kind: &str, seconds: u32) -> Result<(), StoreError> {
        let forgetting = async {
            let mut transaction = self.pool.begin().await?;
            sqlx::query(
                "DELETE FROM jobs j USING undertakings u
                 WHERE u.name = j.undertaking AND u.kind = $1 AND j.state IN ('done', 'failed')
                 AND j.changed_at < now() - make_interval(secs => $2)",
            )
            .bind(kind)
            .bind(f64::from(seconds))
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "DELETE FROM results r USING undertakings u
                 WHERE u.name = r.undertaking AND u.kind = $1 AND NOT EXISTS (SELECT 1
                     FROM jobs j WHERE j.undertaking = r.undertaking AND j.key = r.key)",
            )
            .bind(kind)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "DELETE FROM undertakings u WHERE u.kind = $1
                 AND u.made_at < now() - interval '1 day'
                 AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.undertaking = u.name)",
            )
            .bind(kind)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await
        };
        forgetting.await.map_err(|error| self.failed(&error))
    }
}

fn bytes(keys: &[Key]) -> Vec<Vec<u8>> {
    keys.iter().map(|key| key.bytes().to_vec()).collect()
}

fn standing(row: &sqlx::postgres::PgRow) -> Result<JobStanding, sqlx::Error> {
    // A result counts, whatever the status of the job.
    if let Some(body) = row.try_get::<Option<Vec<u8>>, _>(5)? {
        return Ok(JobStanding::Done(body));
    }
    let alive = row.try_get::<Option<bool>, _>(2)?.unwrap_or(false);
    Ok(match row.try_get::<&str, _>(1)? {
        "failed" => JobStanding::Failed(row.try_get::<Option<String>, _>(4)?.unwrap_or_default()),
        "running" if alive => JobStanding::Running(row.try_get::<i64, _>(3)?.max(0) as u64),
        _ => JobStanding::Waiting,
    })
}
