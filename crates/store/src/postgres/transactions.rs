//! Group commit while other servers write their own groups.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};

use super::connect::ConnectOptions;
use super::{append, notifications, statements};
use crate::StoreError;
use crate::tables::batching;
use crate::tables::change::{Change, Done};
use crate::tables::writer::Transactions;

/// Timeout of a transaction, after which the database counts as unreachable.
const DEADLINE: Duration = Duration::from_secs(30);
/// Number of retries after a deadlock with another server.
const RETRIES: usize = 8;

pub(super) struct SharedTransactions {
    options: ConnectOptions,
    server: String,
    connection: Option<PgConnection>,
}

impl SharedTransactions {
    pub(super) fn new(options: &ConnectOptions, server: &str, connection: PgConnection) -> Self {
        Self {
            options: options.clone(),
            server: server.into(),
            connection: Some(connection),
        }
    }

    /// Writes a group, and records whether the outcome of the commit is unknown.
    async fn write(
        &mut self,
        group: &[Change],
        in_doubt: &mut bool,
    ) -> Result<Vec<Done>, sqlx::Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            None => self.connection.insert(self.options.connect().await?),
        };
        // Every server locks its rows in the same order, which avoids deadlocks.
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by_key(|&index| place(&group[index]));
        let mut done: Vec<Option<Done>> = vec![None; group.len()];
        let mut transaction = connection.begin().await?;
        let events = batching::events(group);
        for (index, made) in append::append(&mut transaction, &events).await? {
            done[index] = Some(made);
        }
        for index in order {
            if done[index].is_some() {
                continue;
            }
            let made = statements::perform(&mut transaction, &group[index]).await?;
            done[index] = Some(made);
        }
        let done: Vec<Done> = done.into_iter().flatten().collect();
        notifications::tell(&mut transaction, &self.server, group, &done).await?;
        *in_doubt = true;
        transaction.commit().await?;
        Ok(done)
    }
}

impl Transactions for SharedTransactions {
    async fn commit(&mut self, group: &[Change]) -> Result<Vec<Done>, StoreError> {
        let mut retries = 0;
        loop {
            let (kept, mut in_doubt) = (self.connection.is_some(), false);
            let written = tokio::time::timeout(DEADLINE, self.write(group, &mut in_doubt));
            let written = written.await.unwrap_or(Err(sqlx::Error::PoolTimedOut));
            match written {
                Ok(done) => return Ok(done),
                Err(error) if is_in_the_way(&error) && retries < RETRIES => retries += 1,
                Err(error) => {
                    // The connection may be in any state; the next group gets a new one.
                    self.connection = None;
                    let late = matches!(error, sqlx::Error::PoolTimedOut);
                    let error = self.options.failed(&error);
                    let gone = matches!(error, StoreError::Away { .. }) && !late;
                    // The database may have restarted between two groups: if the commit had not
                    // begun, write the group on a new connection.
                    if !(kept && gone && !in_doubt) {
                        return Err(error);
                    }
                }
            }
        }
    }

    async fn end(self) {
        if let Some(connection) = self.connection {
            let _ = connection.close().await;
        }
    }
}

/// Returns the place of a change in the lock order of all servers: first games by id, then changes
/// without a game, last changes of many games.
fn place(change: &Change) -> (u8, &str) {
    match change {
        Change::Create(game) => (0, &game.id),
        Change::Append { game, .. } | Change::Join { game, .. } | Change::DeleteGame(game) => {
            (0, game)
        }
        Change::KeepStudy(study) => (1, &study.subject),
        Change::Beat(_) => (2, ""),
        Change::DeleteVisitor(_)
        | Change::DeleteName(_)
        | Change::Expire { .. }
        | Change::ForgetStudies { .. } => (3, ""),
    }
}

/// Returns whether PostgreSQL ended this transaction to break a deadlock.
fn is_in_the_way(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    matches!(code.as_deref(), Some("40P01" | "40001"))
}
