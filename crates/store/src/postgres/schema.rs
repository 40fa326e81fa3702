//! The schema `papan`: its kind, version and migrations.

use sqlx::{Connection as _, PgConnection};

use super::connect::ConnectOptions;
use super::retired_queue;
use crate::StoreError;
use crate::schema_version::SchemaVersion;

/// Each migration leads from its index to the next version.
const MIGRATIONS: [&str; 4] = [
    include_str!("../../migrations/postgres_1.sql"),
    include_str!("../../migrations/postgres_2.sql"),
    include_str!("../../migrations/postgres_3.sql"),
    include_str!("../../migrations/postgres_4.sql"),
];

/// Advisory lock: servers that start at the same time migrate one after the other.
const TURN: i64 = 0x7061_7067;

/// Connects to the database and migrates its schema to the newest version.
pub(crate) async fn open(options: &ConnectOptions) -> Result<PgConnection, StoreError> {
    let failed = |error| options.failed(&error);
    let mut connection = options.connect().await.map_err(failed)?;
    let found = migrate(&mut connection).await.map_err(failed)?;
    found.accept(options.name(), MIGRATIONS.len())?;
    Ok(connection)
}

async fn migrate(connection: &mut PgConnection) -> Result<SchemaVersion, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)")
        .bind(TURN)
        .execute(&mut *transaction)
        .await?;
    let tables: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'papan'",
    )
    .fetch_one(&mut *transaction)
    .await?;
    let ours: bool = sqlx::query_scalar("SELECT to_regclass('papan.schema_version') IS NOT NULL")
        .fetch_one(&mut *transaction)
        .await?;
    if tables > 0 && !ours {
        return Ok(SchemaVersion::Foreign);
    }
    if !ours {
        let begin = "CREATE SCHEMA IF NOT EXISTS papan;
             CREATE TABLE papan.schema_version (version BIGINT NOT NULL);
             INSERT INTO papan.schema_version VALUES (0);";
        sqlx::raw_sql(begin).execute(&mut *transaction).await?;
    }
    let found: i64 = sqlx::query_scalar("SELECT version FROM schema_version")
        .fetch_one(&mut *transaction)
        .await?;
    let known = MIGRATIONS.len() as i64;
    if found > known {
        return Ok(SchemaVersion::Newer(found));
    }
    let unfinished = retired_queue::unfinished_commands(&mut transaction, found).await?;
    for migration in &MIGRATIONS[found as usize..] {
        sqlx::raw_sql(*migration).execute(&mut *transaction).await?;
    }
    sqlx::query("UPDATE schema_version SET version = $1")
        .bind(known)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    for command in unfinished {
        tracing::warn!(
            "jobs go through NATS instead of PostgreSQL now; run again what was unfinished, with \
             the options that it had and the address of your server: {command}"
        );
    }
    Ok(SchemaVersion::Ours)
}
