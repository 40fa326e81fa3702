//! The database file: its kind, its version, its migrations.

use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use super::StoreError;

/// `papg` in ASCII: what kind of database this is, in SQLite's own field for it.
const KIND: i64 = 0x7061_7067;

/// Each migration leads from its index to the next version.
const MIGRATIONS: [&str; 3] = [
    include_str!("../../migrations/games_1.sql"),
    include_str!("../../migrations/games_2.sql"),
    include_str!("../../migrations/games_3.sql"),
];

/// How every connection to the file is made.
pub(super) fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // In WAL mode anything less may lose the last writes with the power.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(10))
        .disable_statement_logging()
}

/// Brings the file to the newest version.
pub(super) async fn migrate(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let path = || path.display().to_string();
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let kind: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *transaction)
        .await?;
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
        .fetch_one(&mut *transaction)
        .await?;
    if kind != KIND && (kind != 0 || tables != 0) {
        return Err(StoreError::Foreign { path: path() });
    }
    let found: i64 = sqlx::query_scalar("PRAGMA user_version")
        .fetch_one(&mut *transaction)
        .await?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Err(StoreError::Newer {
            path: path(),
            found,
            known,
        });
    }
    for migration in &MIGRATIONS[found as usize..] {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
    }
    // A pragma takes no bound values; these are numbers of our own.
    let stamp = format!("PRAGMA application_id = {KIND}; PRAGMA user_version = {known};");
    sqlx::raw_sql(sqlx::AssertSqlSafe(stamp))
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}
