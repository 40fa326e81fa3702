//! Seats: ownership, digests in the database, races.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use papan_web::Secret;
use papan_web::Settings;
use serde_json::{Value, json};

use crate::play::friends;
use crate::{Person, Site};

/// The body of a join request.
fn invited(made: &Value) -> Value {
    json!({ "invitation": made["invitation"] })
}

/// Sends JSON as a client without cookies.
async fn send(site: &Site, secret: &str, path: &str, body: Value) -> (StatusCode, Value, bool) {
    let request = Request::post(path)
        .header(header::AUTHORIZATION, format!("Bearer {secret}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_string()))
        .unwrap();
    let response = site.send(request).await;
    let (status, cookie) = (
        response.status(),
        response.headers().contains_key(header::SET_COOKIE),
    );
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await;
    let body = serde_json::from_slice(&bytes.unwrap()).unwrap();
    (status, body, cookie)
}

#[tokio::test]
async fn of_many_clients_that_race_for_a_seat_one_gets_it() {
    let site = std::sync::Arc::new(Site::new().await);
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let racers: Vec<_> = (0..20)
        .map(|_| {
            let (site, body) = (std::sync::Arc::clone(&site), invited(&made));
            tokio::spawn(async move {
                let mut racer = Person::default();
                let (status, _) = racer.json(&site, "POST", "/join", body).await;
                (status, racer)
            })
        })
        .collect();
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let mut seated = 0;
    for racer in racers {
        let (status, mut racer) = racer.await.unwrap();
        let (_, seen) = racer.json(&site, "GET", &game, Value::Null).await;
        match status {
            StatusCode::OK => {
                seated += 1;
                assert_eq!(seen["you"], json!(["second"]));
            }
            _ => {
                assert_eq!(status, StatusCode::GONE);
                assert_eq!(seen["you"], json!([]));
            }
        }
    }
    assert_eq!(seated, 1);
    let (_, seen) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(
        (&seen["version"], &seen["vacant"]),
        (&json!(1), &Value::Null)
    );
}

#[tokio::test]
async fn accepting_an_invitation_twice_is_idempotent() {
    let site = Site::new().await;
    let (mut ann, mut bob) = (Person::default(), Person::default());
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    for _ in 0..2 {
        let (status, joined) = bob.json(&site, "POST", "/join", invited(&made)).await;
        assert_eq!((status, &joined["id"]), (StatusCode::OK, &made["id"]));
    }
}

#[tokio::test]
async fn the_database_does_not_reveal_who_played_which_games() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut holders = Vec::new();
    for _ in 0..2 {
        let new_game = json!({ "game": "tictactoe", "second": "random" });
        let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
        let stored = site.state.store.load(made["id"].as_str().unwrap()).await;
        holders.push(stored.unwrap().unwrap().game.holders[0].unwrap());
    }
    assert_ne!(holders[0], holders[1]);
}

#[tokio::test]
async fn both_keep_their_seats_through_rematches_and_a_restart() {
    let site = Site::new().await;
    let (mut ann, mut bob, mut game) = friends(&site).await;
    for round in 0..2 {
        let resigned = format!("{game}/resignation");
        ann.json(&site, "POST", &resigned, json!({})).await;
        let path = format!("{game}/rematch");
        ann.json(&site, "POST", &path, json!({})).await;
        let (status, next) = bob.json(&site, "POST", &path, json!({})).await;
        assert_eq!(status, StatusCode::CREATED, "round {round}: {next}");
        game = format!("/games/{}", next["id"].as_str().unwrap());
    }
    let site = site.restarted().await;
    for (who, side) in [(&mut ann, "first"), (&mut bob, "second")] {
        let (_, seen) = who.json(&site, "GET", &game, Value::Null).await;
        assert_eq!(seen["you"], json!([side]));
    }
}

#[tokio::test]
async fn a_bearer_token_replaces_the_cookie() {
    let site = Site::new().await;
    let (ann, bob) = (Secret::random(), Secret::random());
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (status, made, cookie) = send(&site, ann.text(), "/games", new_game.clone()).await;
    assert_eq!((status, cookie), (StatusCode::CREATED, false), "{made}");
    let moves = format!("/games/{}/moves", made["id"].as_str().unwrap());
    let (_, _, cookie) = send(&site, bob.text(), "/join", invited(&made)).await;
    assert!(!cookie);
    let five = || json!({ "move": "5" });
    let (status, _, _) = send(&site, bob.text(), &moves, five()).await;
    assert_eq!(status, StatusCode::CONFLICT, "it is Ann's turn");
    let (status, _, _) = send(&site, ann.text(), &moves, five()).await;
    assert_eq!(status, StatusCode::OK);
    let (status, answer, _) = send(&site, "guess", "/games", new_game).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(answer["error"].as_str().unwrap().contains("32"));
}

#[tokio::test]
async fn behind_tls_the_cookie_is_secure() {
    for (url, secure) in [
        ("https://play.example", true),
        ("http://play.example", false),
    ] {
        let site = Site::with(Settings {
            public_url: Some(url.into()),
            ..Settings::default()
        })
        .await;
        let request = Request::post("/games")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(r#"{"game":"tictactoe"}"#))
            .unwrap();
        let response = site.send(request).await;
        let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
        assert_eq!(cookie.contains("; Secure"), secure, "{cookie}");
    }
}
