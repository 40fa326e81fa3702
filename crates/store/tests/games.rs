//! What a store of games promises, on SQLite.

use papan_store::{
    Appended, GameStore, Joined, Joining, NewGame, Run, SqliteGames, Standing, StoreError,
    StoredEvent, StoredStudy,
};

async fn store(folder: &tempfile::TempDir) -> SqliteGames {
    SqliteGames::open(&folder.path().join("games.sqlite"))
        .await
        .unwrap()
}

fn new_game(id: &str) -> NewGame {
    NewGame::new(id, "tictactoe", ["human".into(), "human".into()])
}

#[tokio::test]
async fn a_game_comes_back_as_it_was_after_closing_and_opening() {
    let folder = tempfile::tempdir().unwrap();
    let game = NewGame {
        clock: Some((60_000, 1_000)),
        salt: "s".into(),
        holders: [Some([1; 32]), None],
        invitation: Some((1, [2; 32])),
        start: Some("--------- X".into()),
        created_at: 17,
        ..new_game("g")
    };
    let games = store(&folder).await;
    games.create(game.clone()).await.unwrap();
    let event = StoredEvent {
        key: Some("first:k".into()),
        at: 18,
        ..StoredEvent::new(1, "{}")
    };
    games
        .append("g", event.clone(), Standing::default())
        .await
        .unwrap();
    games.close().await.unwrap();
    let kept = store(&folder).await.load("g").await.unwrap().unwrap();
    assert_eq!((kept.game, kept.events), (game, vec![event]));
}

#[tokio::test]
async fn a_version_is_given_once_and_none_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    games.create(new_game("g")).await.unwrap();
    let append = |version| games.append("g", StoredEvent::new(version, "x"), Standing::default());
    assert_eq!(append(2).await.unwrap(), Appended::Stale);
    assert_eq!(append(1).await.unwrap(), Appended::Done);
    assert_eq!(append(1).await.unwrap(), Appended::Stale);
    assert_eq!(append(2).await.unwrap(), Appended::Done);
    let nowhere = games.append("nowhere", StoredEvent::new(1, "x"), Standing::default());
    assert_eq!(nowhere.await.unwrap(), Appended::Stale);
    let keyed = |version| StoredEvent {
        key: Some("k".into()),
        ..StoredEvent::new(version, "x")
    };
    let first = games
        .append("g", keyed(3), Standing::default())
        .await
        .unwrap();
    let again = games
        .append("g", keyed(4), Standing::default())
        .await
        .unwrap();
    assert_eq!((first, again), (Appended::Done, Appended::Stale));
}

#[tokio::test]
async fn of_many_who_write_the_same_version_at_once_one_succeeds() {
    let folder = tempfile::tempdir().unwrap();
    let games = std::sync::Arc::new(store(&folder).await);
    games.create(new_game("g")).await.unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|n| {
            let games = games.clone();
            tokio::spawn(async move {
                let event = StoredEvent::new(1, n.to_string());
                games.append("g", event, Standing::default()).await.unwrap()
            })
        })
        .collect();
    let mut done = 0;
    for task in tasks {
        done += usize::from(task.await.unwrap() == Appended::Done);
    }
    assert_eq!(done, 1);
}

#[tokio::test]
async fn an_invitation_is_good_for_one_seat_once() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    let game = NewGame {
        invitation: Some((1, [2; 32])),
        ..new_game("g")
    };
    games.create(game).await.unwrap();
    let joining = |invitation, holder, version| Joining {
        invitation: [invitation; 32],
        holder: [holder; 32],
        visitor: [holder + 100; 32],
        name: Some("Bob".into()),
        event: StoredEvent::new(version, "joined"),
        standing: Standing::default(),
    };
    let wrong = games.join("g", joining(3, 7, 1)).await.unwrap();
    let stale = games.join("g", joining(2, 7, 5)).await.unwrap();
    let right = games.join("g", joining(2, 8, 1)).await.unwrap();
    let again = games.join("g", joining(2, 9, 2)).await.unwrap();
    assert_eq!(
        [wrong, stale, right, again],
        [Joined::Spent, Joined::Stale, Joined::Done, Joined::Spent]
    );
    let kept = games.load("g").await.unwrap().unwrap();
    assert_eq!(kept.game.holders, [None, Some([8; 32])]);
    assert_eq!(kept.game.visitors, [None, Some([108; 32])]);
    assert_eq!(kept.game.names, [None, Some("Bob".into())]);
    assert_eq!((kept.game.invitation, kept.events.len()), (None, 1));
    assert!(games.invitation([2; 32]).await.unwrap().unwrap().spent);
}

#[tokio::test]
async fn old_unfinished_games_expire_and_finished_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    for id in ["old", "touched", "finished"] {
        games.create(new_game(id)).await.unwrap();
    }
    let at = |at| StoredEvent {
        at,
        ..StoredEvent::new(1, "x")
    };
    games
        .append("old", at(50), Standing::default())
        .await
        .unwrap();
    games
        .append("touched", at(150), Standing::default())
        .await
        .unwrap();
    games
        .append(
            "finished",
            at(50),
            Standing {
                finished: true,
                ..Standing::default()
            },
        )
        .await
        .unwrap();
    assert_eq!(games.expire(100).await.unwrap(), ["old"]);
    assert!(games.load("old").await.unwrap().is_none());
    assert!(games.load("touched").await.unwrap().is_some());
    assert!(games.load("finished").await.unwrap().is_some());
}

#[tokio::test]
async fn studies_are_kept_in_their_newest_form_and_the_oldest_are_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    let study = |subject: &str, body: &str, at| StoredStudy {
        subject: subject.into(),
        body: body.into(),
        at,
    };
    for known in [
        study("a", "half", 10),
        study("b", "all", 20),
        study("c", "all", 30),
        study("a", "all", 40),
    ] {
        games.keep_study(known).await.unwrap();
    }
    games.close().await.unwrap();
    let games = store(&folder).await;
    let kept = games.study("a").await.unwrap();
    assert_eq!(kept, Some(study("a", "all", 40)));
    assert_eq!(games.forget_studies(15, 2).await.unwrap(), 1);
    assert_eq!(games.study("b").await.unwrap(), None);
    assert_eq!(games.forget_studies(35, 2).await.unwrap(), 1);
    assert_eq!(games.study("c").await.unwrap(), None);
    assert!(games.study("a").await.unwrap().is_some());
}

#[tokio::test]
async fn the_times_of_the_server_are_remembered() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    let run = |began_at, alive_at| Run { began_at, alive_at };
    games.beat(run(10, 10)).await.unwrap();
    games.beat(run(10, 20)).await.unwrap();
    games.beat(run(40, 40)).await.unwrap();
    assert_eq!(games.runs().await.unwrap(), [run(10, 20), run(40, 40)]);
    games.expire(30).await.unwrap();
    assert_eq!(games.runs().await.unwrap(), [run(40, 40)]);
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

#[tokio::test]
async fn a_visitor_finds_their_games_with_their_standing_and_can_be_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let games = store(&folder).await;
    let (ann, bob) = ([1; 32], [2; 32]);
    for (id, visitors, created_at) in [
        ("both", [Some(ann), Some(bob)], 1),
        ("ann's", [Some(ann), None], 2),
        ("bob's", [None, Some(bob)], 3),
    ] {
        let game = NewGame {
            visitors,
            names: [Some("Ann#1".into()), None],
            created_at,
            ..new_game(id)
        };
        games.create(game).await.unwrap();
    }
    let standing = Standing {
        finished: true,
        turn: None,
        result: Some("first".into()),
    };
    let event = StoredEvent {
        at: 9,
        ..StoredEvent::new(1, "x")
    };
    let appended = games.append("both", event, standing.clone()).await;
    assert_eq!(appended.unwrap(), Appended::Done);
    let found = games.games_of(ann, 10).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|game| game.id.as_str()).collect();
    assert_eq!(ids, ["ann's", "both"], "open ones come first");
    assert_eq!((&found[1].standing, found[1].changed_at), (&standing, 9));
    assert_eq!(found[1].seats, [true, false]);
    assert_eq!(games.visitor_at("both", 1).await.unwrap(), Some(bob));
    let renamed = games.delete_name("Ann#1").await.unwrap();
    assert_eq!(renamed.len(), 3);
    assert_eq!(games.games_of(ann, 1).await.unwrap()[0].names, [None, None]);
    let mut gone = games.delete_visitor(ann).await.unwrap();
    gone.sort();
    assert_eq!(gone, ["ann's", "both"]);
    assert_eq!(games.games_of(bob, 10).await.unwrap().len(), 1);
    assert!(games.delete_game("bob's").await.unwrap());
    assert!(!games.delete_game("bob's").await.unwrap());
}
