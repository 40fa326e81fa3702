//! Several servers on one PostgreSQL.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt;
use papan_store::{GameStore, PostgresGames};
use papan_strategies::ManualClock;
use papan_web::{AppState, Settings, app};
use serde_json::{Value, json};

use crate::postgres::Postgres;
use crate::{Person, Site, patient, until};

/// A server on a shared database and a shared clock.
async fn server(url: &str, settings: Settings, clock: &ManualClock) -> Site {
    let site = deaf_server(url, settings, clock).await;
    tokio::spawn(site.state.clone().run_cluster());
    site
}

/// A server that receives no notifications.
async fn deaf_server(url: &str, settings: Settings, clock: &ManualClock) -> Site {
    let games = Arc::new(PostgresGames::open(url).await.unwrap());
    let state = AppState::open(settings, games, Arc::new(clock.clone())).await;
    let state = state.unwrap();
    Site {
        router: app(&state),
        state,
        clock: clock.clone(),
        folder: tempfile::tempdir().unwrap(),
    }
}

async fn two_servers(postgres: &Postgres) -> [Site; 2] {
    let url = postgres.database("club");
    let clock = ManualClock::default();
    [
        server(&url, patient(), &clock).await,
        server(&url, patient(), &clock).await,
    ]
}

async fn play(who: &mut Person, site: &Site, game: &str, mv: &str) -> (StatusCode, Value) {
    let body = json!({ "move": mv });
    who.json(site, "POST", &format!("{game}/moves"), body).await
}

/// Ann creates a game at one server, Bob joins at the other.
async fn friends([here, there]: &[Site; 2]) -> (Person, Person, String) {
    let (mut ann, mut bob) = (Person::default(), Person::default());
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (status, made) = ann.json(here, "POST", "/games", new_game).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let body = json!({ "invitation": made["invitation"] });
    let (status, joined) = bob.json(there, "POST", "/join", body).await;
    assert_eq!(status, StatusCode::OK, "{joined}");
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    // Ann's server learns of Bob through the database only.
    until(async || {
        let (_, state) = ann.json(here, "GET", &game, Value::Null).await;
        state["vacant"].is_null().then_some(())
    })
    .await;
    (ann, bob, game)
}

/// Waits until a server shows this many moves.
async fn after_moves(who: &mut Person, site: &Site, game: &str, moves: usize) -> Value {
    until(async || {
        let (_, state) = who.json(site, "GET", game, Value::Null).await;
        let enough = state["moves"].as_array()?.len() >= moves;
        enough.then_some(state)
    })
    .await
}

#[tokio::test]
async fn events_of_one_server_reach_the_streams_of_the_other() {
    let postgres = Postgres::start();
    let sites = two_servers(&postgres).await;
    let (mut ann, mut bob, game) = friends(&sites).await;
    let request = Request::get(format!("{game}/events?after=1"));
    let response = sites[1].send(request.body(Body::empty()).unwrap()).await;
    let mut stream = response.into_body().into_data_stream();
    let (status, state) = play(&mut ann, &sites[0], &game, "5").await;
    assert_eq!((status, &state["turn"]), (StatusCode::OK, &json!("second")));
    let mut heard = String::new();
    while !heard.contains(r#""moves":["5"]"#) {
        heard += std::str::from_utf8(&stream.next().await.unwrap().unwrap()).unwrap();
    }
    assert!(heard.contains("id: 2"), "{heard}");
    let (status, _) = play(&mut bob, &sites[1], &game, "1").await;
    assert_eq!(status, StatusCode::OK);
    let state = after_moves(&mut ann, &sites[0], &game, 2).await;
    assert_eq!(state["moves"], json!(["5", "1"]));
    assert_eq!(state["you"], json!(["first"]));
}

#[tokio::test]
async fn a_server_behind_catches_up_before_it_rejects_a_move() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let clock = ManualClock::default();
    let sites = [
        deaf_server(&url, patient(), &clock).await,
        deaf_server(&url, patient(), &clock).await,
    ];
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe" });
    let (_, made) = ann.json(&sites[0], "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    after_moves(&mut ann, &sites[1], &game, 0).await;
    for (version, mv) in ["5", "1", "3", "7", "4"].iter().enumerate() {
        // The version comes from the other server and is newer.
        let body = json!({ "move": mv, "version": version });
        let path = format!("{game}/moves");
        let site = &sites[version % 2];
        let (status, state) = ann.json(site, "POST", &path, body).await;
        assert_eq!(status, StatusCode::OK, "{mv}: {state}");
        assert_eq!(state["version"], version + 1);
    }
    // A move that is stale in the stored state is rejected.
    let body = json!({ "move": "6", "version": 2 });
    let path = format!("{game}/moves");
    let (status, state) = ann.json(&sites[1], "POST", &path, body).await;
    assert_eq!(status, StatusCode::CONFLICT, "{state}");
}

#[tokio::test]
async fn of_two_concurrent_moves_through_two_servers_one_wins() {
    let postgres = Postgres::start();
    let sites = two_servers(&postgres).await;
    let (mut ann, mut bob, game) = friends(&sites).await;
    for (index, mv) in ["1", "2", "3"].iter().enumerate() {
        let turn = index % 2 == 0;
        let who = if turn { &ann } else { &bob };
        let (mut here, mut there) = (who.clone(), who.clone());
        after_moves(&mut ann, &sites[0], &game, index).await;
        after_moves(&mut bob, &sites[1], &game, index).await;
        let other = (index + 6).to_string();
        let answers = tokio::join!(
            play(&mut here, &sites[0], &game, mv),
            play(&mut there, &sites[1], &game, &other),
        );
        let mut statuses = [answers.0.0, answers.1.0];
        statuses.sort();
        assert_eq!(
            statuses,
            [StatusCode::OK, StatusCode::CONFLICT],
            "{answers:?}"
        );
    }
    let there = after_moves(&mut ann, &sites[1], &game, 3).await;
    let here = after_moves(&mut ann, &sites[0], &game, 3).await;
    assert_eq!(here["moves"], there["moves"]);
}

#[tokio::test]
async fn a_search_runs_on_one_server_and_on_another_if_that_one_dies() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let clock = ManualClock::default();
    let sites = [
        server(&url, patient(), &clock).await,
        server(&url, patient(), &clock).await,
    ];
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "second": "greedy" });
    let (status, made) = ann.json(&sites[0], "POST", "/games", new_game).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let id = made["id"].as_str().unwrap();
    let game = format!("/games/{id}");
    // In memory at both servers, so that both would search.
    after_moves(&mut ann, &sites[1], &game, 0).await;
    // A third server takes the lease and dies.
    let dead = PostgresGames::open(&url).await.unwrap();
    assert!(dead.lease(&format!("think {id} 1"), 2).await.unwrap());
    let (status, _) = play(&mut ann, &sites[0], &game, "1").await;
    assert_eq!(status, StatusCode::OK);
    for site in &sites {
        after_moves(&mut ann, site, &game, 2).await;
    }
    let stored = dead.load(id).await.unwrap().unwrap();
    assert_eq!(stored.events.len(), 2, "{stored:?}");
    assert!(
        dead.lease(&format!("think {id} 1"), 2).await.unwrap(),
        "given back"
    );
}

#[tokio::test]
async fn while_the_database_is_unavailable_the_site_answers_503_and_recovers() {
    let mut postgres = Postgres::start();
    let sites = two_servers(&postgres).await;
    let (mut ann, mut bob, game) = friends(&sites).await;
    postgres.stop();
    let (status, refused) = play(&mut ann, &sites[0], &game, "1").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{refused}");
    let (status, page) = ann.page(&sites[1], "/games/AAAAAAAAAAAAAAAAAAAAAAAA").await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{page}");
    assert!(
        page.contains("The games are unavailable right now."),
        "{page}"
    );
    let request = Request::get("/health").body(Body::empty()).unwrap();
    let health = sites[0].send(request).await;
    assert_eq!(health.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(health.headers()[header::RETRY_AFTER], "5");
    postgres.start_again();
    until(async || {
        let (status, _) = play(&mut ann, &sites[0], &game, "1").await;
        (status == StatusCode::OK).then_some(())
    })
    .await;
    after_moves(&mut bob, &sites[1], &game, 1).await;
    // The other server has written nothing meanwhile, so its first move succeeds.
    let (status, state) = play(&mut bob, &sites[1], &game, "2").await;
    assert_eq!(status, StatusCode::OK, "{state}");
    after_moves(&mut ann, &sites[0], &game, 2).await;
}

#[tokio::test]
async fn rate_limits_hold_across_servers() {
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let clock = ManualClock::default();
    let settings = || Settings {
        changes_per_second: 1.0,
        ..patient()
    };
    let sites = [
        server(&url, settings(), &clock).await,
        server(&url, settings(), &clock).await,
    ];
    let new_game = || json!({ "game": "tictactoe", "second": "greedy" });
    let mut ann = Person::default();
    // The clock does not advance, so no bucket refills.
    for _ in 0..10 {
        let (status, _) = ann.json(&sites[0], "POST", "/games", new_game()).await;
        assert_eq!(status, StatusCode::CREATED);
    }
    let (status, _) = ann.json(&sites[0], "POST", "/games", new_game()).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    // The other server follows after the next broadcast; an empty bucket is not charged.
    until(async || {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let (status, _) = ann.json(&sites[1], "POST", "/games", new_game()).await;
        (status == StatusCode::TOO_MANY_REQUESTS).then_some(())
    })
    .await;
    let (_, lobby) = Person::default()
        .json(&sites[1], "GET", "/me", Value::Null)
        .await;
    assert!(lobby.is_object(), "{lobby}");
}
