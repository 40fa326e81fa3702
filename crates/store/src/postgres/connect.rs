//! Connecting to PostgreSQL, and the database's name without its password.

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection};

use crate::StoreError;

/// Timeout for connecting.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Connection options of a database.
#[derive(Clone, Debug)]
pub(crate) struct ConnectOptions {
    options: PgConnectOptions,
    name: String,
}

impl ConnectOptions {
    /// Parses an address such as `postgres://papan@db.example/papan`.
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        // Never repeat the password in an error.
        let shown = url.rsplit_once('@').map_or(url, |(_, rest)| rest);
        let shown = shown.trim_start_matches("postgresql://");
        let shown = shown.trim_start_matches("postgres://");
        let name = format!("postgres://{}", shown.split('?').next().unwrap_or(shown));
        let known = url.starts_with("postgres://") || url.starts_with("postgresql://");
        let options = known.then(|| PgConnectOptions::from_str(url));
        let options = match options {
            Some(Ok(options)) => options,
            Some(Err(error)) => return Err(StoreError::database(&name, &error)),
            None => {
                return Err(StoreError::Database {
                    path: name,
                    what: "an address begins with postgres://".into(),
                });
            }
        };
        let options = options
            .application_name("papan")
            .options([("search_path", "papan")])
            .disable_statement_logging();
        Ok(Self { options, name })
    }

    /// Returns the name without the password.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn options(&self) -> PgConnectOptions {
        self.options.clone()
    }

    /// Opens a connection within the timeout.
    pub(crate) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let connecting = tokio::time::timeout(CONNECT_TIMEOUT, self.options.connect());
        connecting.await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
    }

    /// Adds the name of the database to an error.
    pub(crate) fn failed(&self, error: &sqlx::Error) -> StoreError {
        StoreError::database(&self.name, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_database_has_no_password() {
        let options =
            ConnectOptions::parse("postgres://ann:s3cret@db.example:5433/club?sslmode=require");
        assert_eq!(options.unwrap().name(), "postgres://db.example:5433/club");
        let error =
            ConnectOptions::parse("postgres://ann:s3cret@db.example:port/club").unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
        let error = ConnectOptions::parse("mysql://x").unwrap_err();
        assert!(error.to_string().contains("begins with postgres://"));
    }
}
