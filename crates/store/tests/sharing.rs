//! Tests of several servers on one PostgreSQL.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]

mod postgres;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use papan_store::{
    Appended, GameStore, NewGame, News, PostgresGames, Standing, StoreError, StoredEvent,
};
use postgres::Postgres;
use tokio::sync::mpsc::Receiver;

fn new_game(id: &str) -> NewGame {
    NewGame::new(id, "tictactoe", ["human".into(), "human".into()])
}

async fn append(games: &PostgresGames, game: &str, version: u64) -> Result<Appended, StoreError> {
    let event = StoredEvent::new(version, "x");
    games.append(game, event, Standing::default()).await
}

/// Returns the next notification, with a timeout.
async fn next(news: &mut Receiver<News>) -> News {
    let heard = tokio::time::timeout(Duration::from_secs(60), news.recv());
    heard.await.expect("news come").expect("the store is open")
}

#[tokio::test]
async fn what_one_server_writes_the_others_hear_and_it_does_not() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let (one, other) = (
        PostgresGames::open(&url).await.unwrap(),
        PostgresGames::open(&url).await.unwrap(),
    );
    let mut heard = other.news().unwrap();
    let mut own = one.news().unwrap();
    // A new subscriber has to resynchronise first.
    assert_eq!(next(&mut heard).await, News::Missed);
    assert_eq!(next(&mut own).await, News::Missed);
    let listed = NewGame {
        listed: true,
        ..new_game("g")
    };
    one.create(listed).await.unwrap();
    assert_eq!(append(&one, "g", 1).await.unwrap(), Appended::Done);
    assert_eq!(append(&other, "g", 1).await.unwrap(), Appended::Stale);
    assert!(one.delete_game("g").await.unwrap());
    let game = || "g".to_owned();
    assert_eq!(next(&mut heard).await, News::Opened { game: game() });
    let changed = News::Changed {
        game: game(),
        version: 1,
    };
    assert_eq!(next(&mut heard).await, changed);
    assert_eq!(next(&mut heard).await, News::Gone { game: game() });
    other.create(new_game("h")).await.unwrap();
    append(&other, "h", 1).await.unwrap();
    // The first notification is the other server's write.
    let game = "h".to_owned();
    assert_eq!(next(&mut own).await, News::Changed { game, version: 1 });
}

#[tokio::test]
async fn two_servers_that_write_the_same_games_at_once_never_both_succeed() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let servers = [
        std::sync::Arc::new(PostgresGames::open(&url).await.unwrap()),
        std::sync::Arc::new(PostgresGames::open(&url).await.unwrap()),
    ];
    let ids: Vec<String> = (0..40).map(|number| format!("game {number}")).collect();
    for id in &ids {
        servers[0].create(new_game(id)).await.unwrap();
    }
    for version in 1..=5 {
        let mut tasks = Vec::new();
        for (index, server) in servers.iter().enumerate() {
            let mut order = ids.clone();
            // In opposite orders, which would deadlock without a lock order.
            if index == 1 {
                order.reverse();
            }
            for id in order {
                let server = std::sync::Arc::clone(server);
                let task = async move { append(&server, &id, version).await.unwrap() };
                tasks.push(tokio::spawn(task));
            }
        }
        let mut done = 0;
        for task in tasks {
            done += usize::from(task.await.unwrap() == Appended::Done);
        }
        assert_eq!(done, ids.len(), "version {version}");
    }
    let versions = servers[1].versions(&ids).await.unwrap();
    assert!(versions.iter().all(|(_, version)| *version == 5));
    assert_eq!(versions.len(), ids.len());
}

#[tokio::test]
async fn a_lease_is_one_server_s_until_it_gives_it_back_or_dies() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let one = PostgresGames::open(&url).await.unwrap();
    let other = PostgresGames::open(&url).await.unwrap();
    assert!(one.lease("think", 60).await.unwrap());
    assert!(one.lease("think", 60).await.unwrap(), "it is renewed");
    assert!(!other.lease("think", 60).await.unwrap());
    other.end_lease("think").await.unwrap();
    assert!(
        !other.lease("think", 60).await.unwrap(),
        "not the other's to end"
    );
    one.end_lease("think").await.unwrap();
    assert!(other.lease("think", 0).await.unwrap());
    // A lease of zero seconds expires at once, like that of a server that died.
    assert!(one.lease("think", 60).await.unwrap());
}

#[tokio::test]
async fn while_the_database_is_away_it_is_said_and_afterwards_all_goes_on() {
    let mut postgres = Postgres::start();
    let url = postgres.database("club");
    let games = PostgresGames::open(&url).await.unwrap();
    let mut news = games.news().unwrap();
    assert_eq!(next(&mut news).await, News::Missed);
    games.create(new_game("g")).await.unwrap();
    assert_eq!(append(&games, "g", 1).await.unwrap(), Appended::Done);
    postgres.stop();
    let error = append(&games, "g", 2).await.unwrap_err();
    assert!(matches!(error, StoreError::Away { .. }), "{error}");
    let error = games.load("g").await.unwrap_err();
    assert!(matches!(error, StoreError::Away { .. }), "{error}");
    assert!(games.check().await.is_err());
    let error = PostgresGames::open(&url).await.unwrap_err().to_string();
    assert!(error.contains("cannot be reached"), "{error}");
    postgres.start_again();
    assert_eq!(games.load("g").await.unwrap().unwrap().events.len(), 1);
    assert_eq!(append(&games, "g", 2).await.unwrap(), Appended::Done);
    games.check().await.unwrap();
    assert_eq!(
        next(&mut news).await,
        News::Missed,
        "something may have happened"
    );
}

#[tokio::test]
async fn a_schema_of_another_program_or_a_later_papan_is_refused() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
    let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
    let mut run = async |sql: &'static str| {
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    };
    run("CREATE SCHEMA papan; CREATE TABLE papan.recipes (name TEXT)").await;
    let error = PostgresGames::open(&url).await.unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    run("DROP TABLE papan.recipes").await;
    PostgresGames::open(&url).await.unwrap();
    run("UPDATE papan.schema_version SET version = 99").await;
    let error = PostgresGames::open(&url).await.unwrap_err();
    assert!(
        matches!(error, StoreError::Newer { found: 99, .. }),
        "{error}"
    );
}

/// Collects the log of a test.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_old_job_queue_is_dropped_and_its_unfinished_commands_are_logged() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
    let options = options.options([("search_path", "papan")]);
    let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
    let mut run = async |sql: &'static str| {
        sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    };
    run(
        "CREATE SCHEMA papan; CREATE TABLE papan.schema_version (version BIGINT NOT NULL);
         INSERT INTO papan.schema_version VALUES (3)",
    )
    .await;
    run(include_str!("../migrations/postgres_1.sql")).await;
    run(include_str!("../migrations/postgres_2.sql")).await;
    run(include_str!("../migrations/postgres_3.sql")).await;
    run(
        r#"INSERT INTO undertakings (name, kind, needs, body, open) VALUES
         ('waits', 'leaves', 'papan', '{"game":"tictactoe:7x7:5"}', true),
         ('is done', 'leaves', 'papan', '{"game":"tictactoe:4x4:4"}', true),
         ('ended', 'games', 'papan', '{"game":"othello"}', false);
         INSERT INTO jobs (undertaking, key, body, state) VALUES
         ('waits', '\x01', '', 'waiting'), ('is done', '\x01', '', 'done'),
         ('ended', '\x01', '', 'waiting')"#,
    )
    .await;
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone());
    let guard = tracing::subscriber::set_default(subscriber.finish());
    PostgresGames::open(&url).await.unwrap();
    PostgresGames::open(&url).await.unwrap();
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(text.matches("papan solve").count(), 1, "{text}");
    assert!(text.contains("papan solve tictactoe:7x7:5"), "{text}");
    let tables: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'papan'
         AND table_name IN ('jobs', 'results', 'undertakings', 'workers', 'refusals')",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!(tables, 0);
}
