//! Everything moves between the two kinds of databases, and nothing else is touched.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]

mod postgres;

use papan_store::{
    Address, CopiedTable, GameStore, Joining, NewGame, PostgresGames, Run, SqliteGames, Standing,
    StoreError, StoredEvent, StoredStudy, copy,
};
use postgres::Postgres;

/// Nobody who sits anywhere else.
const GUEST: [u8; 32] = *b"somebody who takes the free seat";

/// A store with something in every table.
async fn fill(games: &dyn GameStore, count: u32) {
    for number in 0..count {
        let game = NewGame {
            clock: number.is_multiple_of(2).then_some((60_000, 1_000)),
            salt: "sält".into(),
            visitors: [Some([number as u8; 32]), None],
            names: [Some("Ann#1".into()), None],
            invitation: Some((1, papan_key(number))),
            created_at: i64::from(number),
            ..NewGame::new(
                format!("Game-{number}_x"),
                "tictactoe",
                ["human".into(), "human".into()],
            )
        };
        let id = game.id.clone();
        games.create(game).await.unwrap();
        for version in 1..=3_u64 {
            let event = StoredEvent {
                key: version
                    .is_multiple_of(2)
                    .then(|| format!("first:{version}")),
                ..StoredEvent::new(version, "{\"a\": \"ü\"}")
            };
            games.append(&id, event, Standing::default()).await.unwrap();
        }
    }
    let joining = Joining {
        invitation: papan_key(0),
        holder: [7; 32],
        visitor: GUEST,
        name: None,
        event: StoredEvent::new(4, "joined"),
        standing: Standing {
            finished: true,
            turn: None,
            result: Some("first".into()),
        },
    };
    games.join("Game-0_x", joining).await.unwrap();
    let run = Run {
        began_at: 5,
        alive_at: 9,
    };
    games.beat(run).await.unwrap();
    let study = StoredStudy {
        subject: "a proof".into(),
        body: "x".repeat(10_000),
        at: 3,
    };
    games.keep_study(study).await.unwrap();
}

fn papan_key(number: u32) -> [u8; 32] {
    let mut key = [0; 32];
    key[..4].copy_from_slice(&number.to_be_bytes());
    key
}

async fn copied(from: &Address, to: &Address) -> Result<Vec<CopiedTable>, StoreError> {
    copy(from, to, &mut |_| {}).await
}

fn rows(tables: &[CopiedTable]) -> Vec<(&str, u64, u64)> {
    let rows = tables
        .iter()
        .map(|table| (table.table, table.rows, table.before));
    rows.collect()
}

#[tokio::test]
async fn everything_goes_to_postgresql_and_back_and_is_the_same() {
    let postgres = Postgres::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite");
    let games = SqliteGames::open(&file).await.unwrap();
    fill(&games, 300).await;
    let kept = games.load("Game-0_x").await.unwrap();
    games.close().await.unwrap();
    let from = Address::Sqlite(file);
    let club: Address = postgres.database("club").parse().unwrap();
    let back = Address::Sqlite(folder.path().join("back.sqlite"));
    let there = copied(&from, &club).await.unwrap();
    assert_eq!(
        rows(&there),
        [
            ("games", 300, 0),
            ("events", 901, 0),
            ("invitations", 300, 0),
            ("seats", 301, 0),
            ("runs", 1, 0),
            ("studies", 1, 0),
        ]
    );
    assert_eq!(copied(&club, &back).await.unwrap(), there);
    let games = back.open().await.unwrap();
    assert_eq!(games.load("Game-0_x").await.unwrap(), kept);
    assert_eq!(games.games_of(GUEST, 5, 0).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_copy_that_was_broken_off_goes_on_and_a_full_target_is_refused() {
    let postgres = Postgres::start();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite");
    let games = SqliteGames::open(&file).await.unwrap();
    fill(&games, 1200).await;
    games.close().await.unwrap();
    let from = Address::Sqlite(file);
    let url = postgres.database("club");
    let to: Address = url.parse().unwrap();
    // Broken off in the middle of the second table, as if the process were killed.
    let (broken_from, broken_to) = (from.clone(), to.clone());
    let broken = tokio::spawn(async move {
        copy(&broken_from, &broken_to, &mut |progress| {
            assert!(progress.table == "games", "broken off");
        })
        .await
    });
    assert!(broken.await.unwrap_err().is_panic());
    let tables = loop {
        match copied(&from, &to).await {
            // The lock of the file is let go of a moment later.
            Err(StoreError::InUse { .. }) => tokio::task::yield_now().await,
            copied => break copied.unwrap(),
        }
    };
    assert_eq!(
        rows(&tables)[..2],
        [("games", 1200, 1200), ("events", 3601, 500)]
    );
    let again = copied(&from, &to).await.unwrap();
    assert!(again.iter().all(|table| table.before == table.rows));
    let games = PostgresGames::open(&url).await.unwrap();
    games.delete_game("Game-7_x").await.unwrap();
    games.close().await.unwrap();
    let error = copied(&from, &to).await.unwrap_err();
    assert!(
        matches!(&error, StoreError::NotEmpty { table, .. } if table == "games"),
        "{error}"
    );
    assert_eq!(
        SqliteGames::open(&folder.path().join("games.sqlite"))
            .await
            .unwrap()
            .load("Game-7_x")
            .await
            .unwrap()
            .unwrap()
            .events
            .len(),
        3
    );
}
