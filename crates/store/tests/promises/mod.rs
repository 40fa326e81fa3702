//! The contract of a game store, for every database. Each test opens its store from the given
//! `Place`, as often as it likes.

use std::sync::Arc;

use papan_store::{
    Appended, GameStore, Joined, Joining, NewGame, PostgresGames, Run, SqliteGames, Standing,
    StoredEvent, StoredStudy,
};

/// The location of a store.
pub(crate) enum Place {
    File(tempfile::TempDir),
    Url(String),
}

impl Place {
    pub(crate) async fn open(&self) -> Arc<dyn GameStore> {
        match self {
            Self::File(folder) => {
                let path = folder.path().join("games.sqlite");
                Arc::new(SqliteGames::open(&path).await.unwrap())
            }
            Self::Url(url) => Arc::new(PostgresGames::open(url).await.unwrap()),
        }
    }
}

fn new_game(id: &str) -> NewGame {
    NewGame::new(id, "tictactoe", ["human".into(), "human".into()])
}

pub(crate) async fn a_game_comes_back_as_it_was_after_closing_and_opening(place: Place) {
    let game = NewGame {
        clock: Some((60_000, 1_000)),
        salt: "s".into(),
        holders: [Some([1; 32]), None],
        invitation: Some((1, [2; 32])),
        start: Some("--------- X".into()),
        created_at: 17,
        ..new_game("g")
    };
    let games = place.open().await;
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
    let kept = place.open().await.load("g").await.unwrap().unwrap();
    assert_eq!((kept.game, kept.events), (game, vec![event]));
}

pub(crate) async fn a_version_is_given_once_and_none_is_left_out(place: Place) {
    let games = place.open().await;
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

pub(crate) async fn of_many_who_write_the_same_version_at_once_one_succeeds(place: Place) {
    let games = place.open().await;
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

pub(crate) async fn events_of_many_games_at_once_are_judged_each_by_its_own(place: Place) {
    let games = place.open().await;
    let id = |n: u64| format!("g{n}");
    for n in 0..60 {
        games.create(new_game(&id(n))).await.unwrap();
    }
    // A third of the games lack the previous event, a third do not exist.
    let expected = |n: u64| match n % 3 {
        0 => Appended::Done,
        _ => Appended::Stale,
    };
    let game = |n: u64| if n % 3 == 2 { format!("no{n}") } else { id(n) };
    let event = |n: u64| StoredEvent {
        at: n as i64,
        key: n.is_multiple_of(2).then(|| format!("key \"{n}\"")),
        ..StoredEvent::new(1 + n % 3, format!("{{\"quoted\": \"\\n{n} ö\"}}"))
    };
    let standing = |n: u64| Standing {
        finished: n.is_multiple_of(2),
        turn: (!n.is_multiple_of(2)).then_some(1),
        result: n.is_multiple_of(2).then(|| "a \"draw\"".into()),
    };
    let tasks: Vec<_> = (0..60)
        .map(|n| {
            let (games, game, event, standing) = (games.clone(), game(n), event(n), standing(n));
            tokio::spawn(async move { games.append(&game, event, standing).await.unwrap() })
        })
        .collect();
    for (n, task) in (0..).zip(tasks) {
        assert_eq!(task.await.unwrap(), expected(n), "{n}");
    }
    for n in 0..60 {
        let kept = games.load(&id(n)).await.unwrap().unwrap();
        let events = match expected(n) {
            Appended::Done => vec![event(n)],
            Appended::Stale => Vec::new(),
        };
        assert_eq!(kept.events, events, "{n}");
    }
}

pub(crate) async fn an_invitation_is_good_for_one_seat_once(place: Place) {
    let games = place.open().await;
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

pub(crate) async fn old_unfinished_games_expire_and_finished_ones_stay(place: Place) {
    let games = place.open().await;
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

pub(crate) async fn studies_are_kept_in_their_newest_form_and_the_oldest_are_forgotten(
    place: Place,
) {
    let games = place.open().await;
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
    let games = place.open().await;
    let kept = games.study("a").await.unwrap();
    assert_eq!(kept, Some(study("a", "all", 40)));
    assert_eq!(games.forget_studies(15, 2).await.unwrap(), 1);
    assert_eq!(games.study("b").await.unwrap(), None);
    assert_eq!(games.forget_studies(35, 2).await.unwrap(), 1);
    assert_eq!(games.study("c").await.unwrap(), None);
    assert!(games.study("a").await.unwrap().is_some());
    // What visitors save, and the ratings of puzzles, cannot be computed again.
    let saved = [
        study("visitor 01 studies", "mine", 1),
        study("puzzle 9f", "1500", 1),
    ];
    for known in saved.clone() {
        games.keep_study(known).await.unwrap();
    }
    assert_eq!(games.forget_studies(i64::MAX, 0).await.unwrap(), 1);
    for known in saved {
        assert_eq!(games.study(&known.subject).await.unwrap(), Some(known));
    }
}

pub(crate) async fn the_times_of_the_server_are_remembered(place: Place) {
    let games = place.open().await;
    let run = |began_at, alive_at| Run { began_at, alive_at };
    games.beat(run(10, 10)).await.unwrap();
    games.beat(run(10, 20)).await.unwrap();
    games.beat(run(40, 40)).await.unwrap();
    assert_eq!(games.runs().await.unwrap(), [run(10, 20), run(40, 40)]);
    games.expire(30).await.unwrap();
    assert_eq!(games.runs().await.unwrap(), [run(40, 40)]);
}

pub(crate) async fn a_visitor_finds_their_games_with_their_standing_and_can_be_deleted(
    place: Place,
) {
    let games = place.open().await;
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
    let found = games.games_of(ann, 10, 0).await.unwrap();
    let ids: Vec<&str> = found.iter().map(|game| game.id.as_str()).collect();
    assert_eq!(ids, ["ann's", "both"], "open ones come first");
    assert_eq!((&found[1].standing, found[1].changed_at), (&standing, 9));
    assert_eq!(found[1].seats, [true, false]);
    let second = games.games_of(ann, 1, 1).await.unwrap();
    assert_eq!(second.len(), 1);
    assert_eq!(second[0].id, "both", "the first one is skipped");
    assert_eq!(games.visitor_at("both", 1).await.unwrap(), Some(bob));
    let renamed = games.delete_name("Ann#1").await.unwrap();
    assert_eq!(renamed.len(), 3);
    assert_eq!(
        games.games_of(ann, 1, 0).await.unwrap()[0].names,
        [None, None]
    );
    let mut gone = games.delete_visitor(ann).await.unwrap();
    gone.sort();
    assert_eq!(gone, ["ann's", "both"]);
    assert_eq!(games.games_of(bob, 10, 0).await.unwrap().len(), 1);
    assert!(games.delete_game("bob's").await.unwrap());
    assert!(!games.delete_game("bob's").await.unwrap());
}
