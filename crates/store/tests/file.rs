//! Tests of SQLite files.

use papan_store::{GameStore, SqliteGames, StoreError};

async fn store(folder: &tempfile::TempDir) -> SqliteGames {
    SqliteGames::open(&folder.path().join("games.sqlite"))
        .await
        .unwrap()
}

#[tokio::test]
async fn a_file_of_the_first_version_is_brought_to_the_newest() {
    use sqlx::{ConnectOptions, Connection};
    let folder = tempfile::tempdir().unwrap();
    let options = sqlx::sqlite::SqliteConnectOptions::new()
        .filename(folder.path().join("games.sqlite"))
        .create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    for part in [
        include_str!("../migrations/games_1.sql"),
        "PRAGMA application_id = 0x70617067; PRAGMA user_version = 1;",
        "INSERT INTO games (id, rules, first, second, increment, created_at)
         VALUES ('g', 'tictactoe', 'human', 'human', 0, 7)",
    ] {
        sqlx::raw_sql(part).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
    let games = store(&folder).await;
    let kept = games.load("g").await.unwrap().unwrap();
    assert_eq!((kept.game.listed, &kept.game.names), (false, &[None, None]));
    assert_eq!((kept.game.created_at, kept.game.salt.as_str()), (7, ""));
    assert_eq!(games.study("a").await.unwrap(), None);
}

#[tokio::test]
async fn a_foreign_or_newer_file_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    store(&folder).await.close().await.unwrap();
    let stamp = |pragma: &'static str| {
        let path = path.clone();
        async move {
            use sqlx::{ConnectOptions, Connection};
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
            let mut connection = options.connect().await.unwrap();
            sqlx::raw_sql(pragma)
                .execute(&mut connection)
                .await
                .unwrap();
            connection.close().await.unwrap();
        }
    };
    stamp("PRAGMA user_version = 99").await;
    let error = SqliteGames::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, .. }));
    stamp("PRAGMA application_id = 5").await;
    let error = SqliteGames::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }));
}

#[tokio::test]
async fn a_second_server_on_the_same_file_is_refused_until_the_first_ends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let first = store(&folder).await;
    let error = SqliteGames::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert!(error.to_string().contains("games.sqlite is in use"));
    first.close().await.unwrap();
    SqliteGames::open(&path).await.unwrap();
}

#[tokio::test]
async fn an_error_names_the_file_and_says_once_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    std::fs::write(
        &path,
        "this is no database, and long enough to be seen as none",
    )
    .unwrap();
    let error = SqliteGames::open(&path).await.unwrap_err().to_string();
    assert_eq!(error, format!("{}: file is not a database", path.display()));
}

#[cfg(unix)]
#[tokio::test]
async fn a_second_path_to_the_same_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let first = store(&folder).await;
    let link = folder.path().join("link.sqlite");
    std::fs::hard_link(folder.path().join("games.sqlite"), &link).unwrap();
    let error = SqliteGames::open(&link).await.unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    // Earlier versions locked a file beside the database, which could be removed.
    let _ = std::fs::remove_file(folder.path().join("games.sqlite.lock"));
    let error = SqliteGames::open(&folder.path().join("games.sqlite")).await;
    assert!(matches!(error, Err(StoreError::InUse { .. })));
    first.close().await.unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_file_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    let file = std::fs::metadata(folder.path().join("games.sqlite")).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    games.close().await.unwrap();
}
