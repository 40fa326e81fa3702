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

/// As after a crash of a version that left the mode to the umask.
#[cfg(unix)]
#[tokio::test]
async fn an_existing_file_and_its_log_become_readable_by_their_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, crashed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let games = store(&folder).await;
    let names = ["games.sqlite", "games.sqlite-wal", "games.sqlite-shm"];
    for name in names {
        let copy = crashed.path().join(name);
        std::fs::copy(folder.path().join(name), &copy).unwrap();
        std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o664)).unwrap();
    }
    games.close().await.unwrap();
    let games = store(&crashed).await;
    for name in names {
        let about = std::fs::metadata(crashed.path().join(name)).unwrap();
        assert_eq!(about.permissions().mode() & 0o777, 0o600, "{name}");
    }
    games.close().await.unwrap();
}

/// Moving the file away is like removing it, and can be undone.
#[cfg(unix)]
#[tokio::test]
async fn nothing_is_acknowledged_after_the_file_was_removed_or_replaced() {
    use papan_store::{NewGame, StoredStudy};
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (
        folder.path().join("games.sqlite"),
        folder.path().join("away.sqlite"),
    );
    let games = store(&folder).await;
    let keep = async |subject: &str| {
        let study = StoredStudy {
            subject: subject.into(),
            body: "x".into(),
            at: 0,
        };
        games.keep_study(study).await
    };
    keep("before").await.unwrap();
    std::fs::rename(&path, &away).unwrap();
    let error = keep("removed").await.unwrap_err();
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    assert!(games.check().await.is_err(), "and /health reports it");
    assert!(
        games.load("g").await.is_err(),
        "and it is not created again"
    );
    assert!(!path.exists());
    std::fs::copy(&away, &path).unwrap();
    let game = NewGame::new("g", "tictactoe", ["human".into(), "human".into()]);
    let error = games.create(game).await.unwrap_err();
    assert!(matches!(error, StoreError::Unwritable { .. }), "{error}");
    std::fs::rename(&away, &path).unwrap();
    keep("after").await.unwrap();
    games.check().await.unwrap();
    games.close().await.unwrap();
    let games = store(&folder).await;
    for (subject, is_stored) in [("before", true), ("removed", false), ("after", true)] {
        let found = games.study(subject).await.unwrap();
        assert_eq!(found.is_some(), is_stored, "{subject}");
    }
}
