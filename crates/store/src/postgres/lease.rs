//! Leases: exclusive tasks of one of several servers, which expire unless renewed. The database's
//! clock decides.

use super::PostgresGames;
use crate::StoreError;

impl PostgresGames {
    pub(super) async fn take_lease(&self, name: &str, seconds: u32) -> Result<bool, StoreError> {
        let taken = sqlx::query(
            "INSERT INTO leases (name, holder, until)
             VALUES ($1, $2, now() + make_interval(secs => $3))
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
             WHERE leases.holder = excluded.holder OR leases.until < now()",
        )
        .bind(name)
        .bind(&self.server)
        .bind(f64::from(seconds))
        .execute(&self.readers)
        .await
        .map_err(|error| self.options.failed(&error))?;
        Ok(taken.rows_affected() > 0)
    }

    pub(super) async fn give_back_lease(&self, name: &str) -> Result<(), StoreError> {
        // Also delete the expired leases of servers that died.
        sqlx::query(
            "DELETE FROM leases WHERE name = $1 AND holder = $2
             OR until < now() - interval '1 hour'",
        )
        .bind(name)
        .bind(&self.server)
        .execute(&self.readers)
        .await
        .map_err(|error| self.options.failed(&error))?;
        Ok(())
    }
}
