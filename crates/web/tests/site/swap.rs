//! Swap openings through the API and on the page of a game.

use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::play::friends_with;
use crate::{Person, Site, until};

async fn place(who: &mut Person, site: &Site, game: &str, mv: &str) -> (StatusCode, Value) {
    let body = json!({ "move": mv });
    who.json(site, "POST", &format!("{game}/moves"), body).await
}

async fn choose(who: &mut Person, site: &Site, game: &str, answer: &str) -> (StatusCode, Value) {
    let body = json!({ "answer": answer });
    who.json(site, "POST", &format!("{game}/colour"), body)
        .await
}

#[tokio::test]
async fn the_second_player_takes_black_and_the_seats_are_exchanged() {
    let site = Site::new().await;
    let new_game =
        json!({ "game": "gomoku", "seat": "first", "opening_rule": "swap2", "clock": "5m" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    // Ann opens for both colours.
    let (status, _) = place(&mut bob, &site, &game, "h8").await;
    assert_eq!(status, StatusCode::CONFLICT);
    for mv in ["h8", "i9", "k10"] {
        let (status, state) = place(&mut ann, &site, &game, mv).await;
        assert_eq!(status, StatusCode::OK, "{state}");
    }
    let (_, page) = bob.page(&site, &game).await;
    for answer in ["black", "white", "two"] {
        let button = format!("name=\"answer\" value=\"{answer}\"");
        assert!(page.contains(&button), "{page}");
    }
    let (status, _) = place(&mut bob, &site, &game, "a1").await;
    assert_eq!(
        status,
        StatusCode::UNPROCESSABLE_ENTITY,
        "a colour comes first"
    );
    let (status, _) = choose(&mut ann, &site, &game, "black").await;
    assert_eq!(status, StatusCode::CONFLICT, "the other player chooses");
    let (status, _) = choose(&mut bob, &site, &game, "red").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, state) = choose(&mut bob, &site, &game, "black").await;
    assert_eq!(status, StatusCode::OK, "{state}");
    assert_eq!(state["opening"], "swap2 black");
    assert_eq!(
        (&state["you"], &state["turn"]),
        (&json!(["first"]), &json!("second"))
    );
    // Everything is the same after a restart.
    let site = site.restarted().await;
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["you"], json!(["second"]));
    let (status, _) = place(&mut bob, &site, &game, "g7").await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, _) = place(&mut ann, &site, &game, "g7").await;
    assert_eq!(status, StatusCode::OK);
    let (_, record) = ann.file(&site, &format!("{game}/record")).await;
    let record = String::from_utf8(record).unwrap();
    assert!(
        record.contains("opening: swap2 black\nmoves: h8 i9 k10 g7\n"),
        "{record}"
    );
    // The lists of both know who won.
    bob.json(&site, "POST", &format!("{game}/resignation"), json!({}))
        .await;
    let (_, me) = ann.json(&site, "GET", "/me", Value::Null).await;
    assert_eq!(
        me["games"][0]["result"],
        json!("first"),
        "by the seats of the list: {me}"
    );
    assert_eq!(me["games"][0]["you"], json!(["first"]));
}

#[tokio::test]
async fn the_mark_of_presence_moves_with_its_player() {
    let site = Site::new().await;
    let new_game = json!({ "game": "gomoku", "seat": "first", "opening_rule": "swap2" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    for mv in ["h8", "i9", "k10"] {
        place(&mut ann, &site, &game, mv).await;
    }
    let request = bob.request("GET", &format!("{game}/events?content=version"));
    let response = site.send(request.body(Body::empty()).unwrap()).await;
    let mut chunks = response.into_body().into_data_stream();
    let mut text = String::new();
    let mut read = async |what: &str| {
        while !text.ends_with(what) {
            let chunk = chunks.next().await.unwrap().unwrap();
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    };
    read("data: {\"first\":false,\"second\":true}\n\n").await;
    choose(&mut bob, &site, &game, "black").await;
    read("data: {\"first\":true,\"second\":false}\n\n").await;
}

#[tokio::test]
async fn two_more_stones_leave_the_choice_to_the_opener() {
    let site = Site::new().await;
    let new_game = json!({ "game": "gomoku:standard", "seat": "first", "opening_rule": "swap2" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    for mv in ["h8", "i9", "k10"] {
        place(&mut ann, &site, &game, mv).await;
    }
    let (_, state) = choose(&mut bob, &site, &game, "two").await;
    assert_eq!(
        (&state["opening"], &state["turn"]),
        (&json!("swap2 two"), &json!("second"))
    );
    for mv in ["f7", "g7"] {
        let (status, state) = place(&mut bob, &site, &game, mv).await;
        assert_eq!(status, StatusCode::OK, "{state}");
    }
    let (status, _) = choose(&mut ann, &site, &game, "two").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, state) = choose(&mut ann, &site, &game, "white").await;
    assert_eq!(
        (&state["opening"], &state["you"]),
        (&json!("swap2 two white"), &json!(["second"]))
    );
    let (status, _) = place(&mut ann, &site, &game, "h9").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn a_strategy_opens_chooses_and_plays_on() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "gomoku", "first": "random", "opening_rule": "swap" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let state = until(async || {
        let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
        (state["choices"] == json!(["black", "white"])).then_some(state)
    })
    .await;
    assert_eq!(state["moves"].as_array().unwrap().len(), 3);
    choose(&mut ann, &site, &game, "black").await;
    let state = until(async || {
        let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
        (state["moves"].as_array().unwrap().len() == 4).then_some(state)
    })
    .await;
    assert_eq!(state["players"], json!(["human", "random"]));
    let refused = json!({ "game": "othello", "opening_rule": "swap" });
    let (status, why) = ann.json(&site, "POST", "/games", refused).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
}
