//! Playing through the API.

use std::time::Duration;

use axum::http::StatusCode;
use papan_web::Settings;
use serde_json::{Value, json};

use crate::{Person, Site, until};

/// Two clients in a game; the first one created it.
pub(crate) async fn friends(site: &Site) -> (Person, Person, String) {
    friends_with(site, json!({ "game": "tictactoe", "seat": "first" })).await
}

pub(crate) async fn friends_with(site: &Site, new_game: Value) -> (Person, Person, String) {
    let (mut ann, mut bob) = (Person::default(), Person::default());
    let (status, made) = ann.json(site, "POST", "/games", new_game).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let link = made["invitation"].as_str().unwrap();
    let secret = link.rsplit('/').next().unwrap();
    let body = json!({ "invitation": secret });
    let (status, joined) = bob.json(site, "POST", "/join", body).await;
    assert_eq!(status, StatusCode::OK, "{joined}");
    (ann, bob, format!("/games/{}", made["id"].as_str().unwrap()))
}

async fn play(who: &mut Person, site: &Site, game: &str, mv: &str) -> (StatusCode, Value) {
    let body = json!({ "move": mv });
    who.json(site, "POST", &format!("{game}/moves"), body).await
}

/// Waits until the game has this many moves.
async fn after_moves(who: &mut Person, site: &Site, game: &str, moves: usize) -> Value {
    until(async || {
        let (_, state) = who.json(site, "GET", game, Value::Null).await;
        let enough = state["moves"].as_array().unwrap().len() >= moves;
        enough.then_some(state)
    })
    .await
}

#[tokio::test]
async fn two_clients_play_a_game_to_its_end() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    for (index, mv) in ["1", "4", "2", "5", "3"].iter().enumerate() {
        let who = if index % 2 == 0 { &mut ann } else { &mut bob };
        let (status, state) = play(who, &site, &game, mv).await;
        assert_eq!(status, StatusCode::OK, "{state}");
    }
    let (_, state) = bob.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["result"], "first");
    assert_eq!(state["marked"]["winning"], json!(["1", "2", "3"]));
    assert_eq!(state["you"], json!(["second"]));
    let (status, _) = play(&mut bob, &site, &game, "9").await;
    assert_eq!(status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_client_cannot_move_for_the_opponent() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let (status, _) = play(&mut bob, &site, &game, "1").await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, _) = play(&mut Person::default(), &site, &game, "1").await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, state) = play(&mut ann, &site, &game, "1").await;
    assert_eq!((status, &state["turn"]), (StatusCode::OK, &json!("second")));
    let (status, error) = play(&mut bob, &site, &game, "1").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(error["error"], "1 is occupied. Choose an empty cell.");
}

#[tokio::test]
async fn an_invitation_works_once_and_shows_no_secret() {
    let site = Site::new().await;
    let (mut ann, mut bob, mut eve) = Default::default();
    let new_game = json!({ "game": "othello", "seat": "second" });
    let (_, made): (_, Value) = Person::json(&mut ann, &site, "POST", "/games", new_game).await;
    let link = made["invitation"].as_str().unwrap().to_owned();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    // A GET does not accept the invitation.
    let (status, page) = Person::page(&mut bob, &site, path).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("Guest invites you to play Othello as Black."));
    let body = json!({ "invitation": path.rsplit('/').next() });
    let (status, _) = Person::json(&mut bob, &site, "POST", "/join", body.clone()).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = Person::json(&mut eve, &site, "POST", "/join", body).await;
    assert_eq!(status, StatusCode::GONE);
    let (status, _) = Person::page(&mut eve, &site, path).await;
    assert_eq!(status, StatusCode::GONE);
    let (_, seen) = Person::json(&mut eve, &site, "GET", &game, Value::Null).await;
    assert_eq!(
        (&seen["you"], &seen["invitation"]),
        (&json!([]), &Value::Null)
    );
}

#[tokio::test]
async fn the_same_move_sent_twice_gets_the_first_answer() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let body = json!({ "move": "5", "key": "k1", "version": 1 });
    let moves = format!("{game}/moves");
    let first = ann.json(&site, "POST", &moves, body.clone()).await;
    assert_eq!(first.0, StatusCode::OK);
    play(&mut bob, &site, &game, "1").await;
    let again = ann.json(&site, "POST", &moves, body).await;
    assert_eq!(again, first);
    let other = json!({ "move": "9", "key": "k1" });
    let (status, _) = ann.json(&site, "POST", &moves, other).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // A key is scoped to its sender.
    let (status, _) = ann
        .json(&site, "POST", &moves, json!({ "move": "9" }))
        .await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = bob
        .json(&site, "POST", &moves, json!({ "move": "3", "key": "k1" }))
        .await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn the_same_move_in_another_spelling_is_the_same_request() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, made) = ann
        .json(&site, "POST", "/games", json!({ "game": "othello" }))
        .await;
    let moves = format!("/games/{}/moves", made["id"].as_str().unwrap());
    // Row 5, column 6 is the square f5.
    let first = json!({ "move": "f5", "key": "k1" });
    let first = ann.json(&site, "POST", &moves, first).await;
    assert_eq!(first.0, StatusCode::OK);
    for spelling in ["56", " F5 "] {
        let again = json!({ "move": spelling, "key": "k1" });
        let again = ann.json(&site, "POST", &moves, again).await;
        assert_eq!(again, first, "{spelling}");
    }
    let other = json!({ "move": "f6", "key": "k1" });
    let (status, _) = ann.json(&site, "POST", &moves, other).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_stale_move_is_answered_with_the_current_state() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    let body = json!({ "move": "5", "version": 0 });
    let (status, answer) = ann
        .json(&site, "POST", &format!("{game}/moves"), body)
        .await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(answer["state"]["version"], 1);
    assert_eq!(answer["error"], "The game has changed since you loaded it.");
}

#[tokio::test]
async fn the_computer_answers_and_a_take_back_is_free_against_it() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "first": "human", "second": "perfect" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    play(&mut ann, &site, &game, "5").await;
    after_moves(&mut ann, &site, &game, 2).await;
    let (status, state) = ann
        .json(&site, "POST", &format!("{game}/take-back"), json!({}))
        .await;
    assert_eq!((status, &state["moves"]), (StatusCode::OK, &json!([])));
    let (status, hint) = ann
        .json(&site, "GET", &format!("{game}/hint"), Value::Null)
        .await;
    assert_eq!(
        (status, &hint["strategy"]),
        (StatusCode::OK, &json!("perfect"))
    );
    assert_eq!(hint["candidates"].as_array().unwrap().len(), 9);
    // The page shows the score as well: tic-tac-toe is a draw.
    let (_, page) = ann.page(&site, &format!("{game}?show=hint")).await;
    assert!(page.contains("(perfect: draw)"), "{page}");
}

#[tokio::test]
async fn between_people_a_take_back_needs_consent() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    play(&mut ann, &site, &game, "5").await;
    let path = format!("{game}/take-back");
    let (_, state) = ann.json(&site, "POST", &path, json!({})).await;
    assert_eq!(state["moves"], json!(["5"]));
    assert_eq!(state["asked_back"], "first");
    // A client cannot accept its own request.
    let (status, _) = ann
        .json(&site, "POST", &path, json!({ "answer": "agree" }))
        .await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (_, state) = bob
        .json(&site, "POST", &path, json!({ "answer": "decline" }))
        .await;
    assert_eq!(
        (&state["moves"], &state["asked_back"]),
        (&json!(["5"]), &Value::Null)
    );
    play(&mut bob, &site, &game, "1").await;
    ann.json(&site, "POST", &path, json!({})).await;
    let (_, state) = bob
        .json(&site, "POST", &path, json!({ "answer": "agree" }))
        .await;
    assert_eq!(
        (&state["moves"], &state["version"]),
        (&json!([]), &json!(7))
    );
}

#[tokio::test]
async fn a_rematch_swaps_the_seats() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let path = format!("{game}/rematch");
    let (status, _) = ann.json(&site, "POST", &path, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    ann.json(&site, "POST", &format!("{game}/resignation"), json!({}))
        .await;
    let (_, state) = ann.json(&site, "POST", &path, json!({})).await;
    assert_eq!(
        (&state["reason"], &state["result"]),
        (&json!("resigned"), &json!("second"))
    );
    assert_eq!(state["rematch_offer"], "first");
    let accept = json!({ "key": "again" });
    let (status, next) = bob.json(&site, "POST", &path, accept.clone()).await;
    assert_eq!(
        (status, &next["you"]),
        (StatusCode::CREATED, &json!(["first"]))
    );
    let (status, twice) = bob.json(&site, "POST", &path, accept).await;
    assert_eq!((status, &twice), (StatusCode::CREATED, &next));
    let (status, _) = bob.json(&site, "POST", &path, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (_, old) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(old["rematch"], next["id"]);
    let next = format!("/games/{}", next["id"].as_str().unwrap());
    let (status, _) = play(&mut bob, &site, &next, "5").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn two_strategies_play_while_a_client_watches() {
    let site = Site::with(Settings {
        watched_pace: Duration::ZERO,
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "first": "minimax", "second": "greedy" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    after_moves(&mut ann, &site, &game, 2).await;
    let (status, _) = play(&mut ann, &site, &game, "9").await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_game_and_its_clock_survive_a_restart() {
    let site = Site::new().await;
    let new_game = json!({ "game": "tictactoe", "seat": "first", "clock": "1m" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    play(&mut ann, &site, &game, "5").await;
    play(&mut bob, &site, &game, "9").await;
    site.clock.advance(Duration::from_secs(4));
    play(&mut ann, &site, &game, "2").await;
    let site = site.restarted().await;
    let (_, state) = bob.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["moves"], json!(["5", "9", "2"]));
    assert_eq!(state["clock"], json!([56_000, 60_000]));
    let (status, _) = play(&mut bob, &site, &game, "1").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn the_time_when_the_server_was_down_is_not_charged() {
    let site = Site::new().await;
    let new_game = json!({ "game": "tictactoe", "seat": "first", "clock": "2s" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    // The clock does not run before both have moved.
    play(&mut ann, &site, &game, "5").await;
    play(&mut bob, &site, &game, "9").await;
    play(&mut ann, &site, &game, "2").await;
    site.clock.advance(Duration::from_millis(300));
    site.state.heartbeat().await;
    let site = site.restarted_after(Duration::from_secs(3600)).await;
    site.clock.advance(Duration::from_millis(400));
    site.state.flag_timeouts().await;
    let (_, state) = bob.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["result"], Value::Null, "{state}");
    let (status, state) = play(&mut bob, &site, &game, "1").await;
    assert_eq!(status, StatusCode::OK, "{state}");
    assert_eq!(state["clock"][1], 2000 - 300 - 400);
    // After the restart Ann's clock runs.
    site.clock.advance(Duration::from_millis(2001));
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["reason"], "time", "{state}");
}

#[tokio::test]
async fn old_unfinished_games_expire_and_finished_ones_do_not() {
    let site = Site::with(Settings {
        expire_after: Duration::from_secs(2 * 3600),
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let mut games = Vec::new();
    for _ in 0..3 {
        let new_game = json!({ "game": "tictactoe" });
        let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
        games.push(format!("/games/{}", made["id"].as_str().unwrap()));
    }
    let resigned = format!("{}/resignation", games[0]);
    ann.json(&site, "POST", &resigned, json!({})).await;
    site.clock.advance(Duration::from_secs(3600));
    play(&mut ann, &site, &games[1], "5").await;
    site.clock.advance(Duration::from_secs(3601));
    site.state.expire().await;
    let mut statuses = Vec::new();
    for game in &games {
        statuses.push(ann.json(&site, "GET", game, Value::Null).await.0.as_u16());
    }
    assert_eq!(statuses, [200, 200, 404]);
    let (status, _) = play(&mut ann, &site, &games[2], "5").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_player_without_time_loses() {
    let site = Site::new().await;
    let new_game = json!({ "game": "tictactoe", "seat": "first", "clock_seconds": 1 });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    site.clock.advance(Duration::from_secs(60));
    site.state.flag_timeouts().await;
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["result"], Value::Null, "nobody has moved yet");
    play(&mut ann, &site, &game, "5").await;
    play(&mut bob, &site, &game, "9").await;
    site.clock.advance(Duration::from_millis(1000));
    site.state.flag_timeouts().await;
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["result"], Value::Null, "there is a moment left");
    site.clock.advance(Duration::from_millis(1));
    site.state.flag_timeouts().await;
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(
        (&state["result"], &state["reason"]),
        (&json!("second"), &json!("time"))
    );
    assert_eq!(state["clock"][0], 0);
}

#[tokio::test]
async fn invalid_new_games_are_rejected_with_a_reason() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (new_game, part) in [
        (json!({ "game": "tictacto" }), "Did you mean tictactoe?"),
        (
            json!({ "game": "othello", "second": "greedy" }),
            "does not play othello",
        ),
        (
            json!({ "game": "tictactoe", "second": "gready" }),
            "Did you mean greedy?",
        ),
        (
            json!({ "game": "tictactoe", "second": "automaton(file=/etc/passwd)" }),
            "Strategies that read files",
        ),
        (
            json!({ "game": "tictactoe", "start": "XX- X" }),
            "has 3 cells",
        ),
    ] {
        let (status, answer) = ann.json(&site, "POST", "/games", new_game).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(part), "{error}");
    }
}

#[tokio::test]
async fn a_game_between_strategies_pauses_without_spectators() {
    let site = Site::with(Settings {
        watched_pace: Duration::ZERO,
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "first": "random", "second": "random" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let id = made["id"].as_str().unwrap();
    // Explanations are available.
    let new_game = json!({ "game": "tictactoe", "first": "random" });
    let (_, mine) = ann.json(&site, "POST", "/games", new_game).await;
    let mine = format!("/games/{}", mine["id"].as_str().unwrap());
    after_moves(&mut ann, &site, &mine, 1).await;
    let stored = site.state.store.load(id).await.unwrap().unwrap();
    assert_eq!(stored.events.len(), 0, "nobody has looked");
    // Without requests it pauses; a request resumes it.
    site.clock.advance(Duration::from_secs(60));
    after_moves(&mut ann, &site, &format!("/games/{id}"), 2).await;
}

#[tokio::test]
async fn a_wrong_clock_is_reported_at_its_field() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "clock": "1m30s+2s" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    assert_eq!(made["clock"], json!([90_000, 90_000]));
    let new_game = json!({ "game": "tictactoe", "clock": "five minutes" });
    let (status, refused) = ann.json(&site, "POST", "/games", new_game).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused["field"], "clock");
    assert!(refused["error"].as_str().unwrap().contains("5m+3s"));
    for (language, sentence) in [("en", "is not a time"), ("id", "bukan waktu")] {
        let mut ann = Person::speaking(language);
        let body = "game=othello&mode=friend&seat=second&level=club&clock=soon";
        let (status, _, page) = ann.form(&site, "/games", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        let (_, told) = page.split_once("id=\"clock-wrong\"").unwrap();
        assert!(
            told.split("</p>").next().unwrap().contains(sentence),
            "{page}"
        );
        // The form keeps its values.
        for kept in [
            "aria-invalid=\"true\"",
            "value=\"soon\"",
            "value=\"othello\" checked",
            "value=\"second\" checked",
            "value=\"6\" selected",
        ] {
            assert!(page.contains(kept), "{kept}: {page}");
        }
    }
    let body = "game=othello&mode=screen&other_game=tictactoe:0x3";
    let (_, _, page) = ann.form(&site, "/games", body).await;
    assert!(page.contains("id=\"game-wrong\"") && page.contains("value=\"tictactoe:0x3\""));
}

#[tokio::test]
async fn other_names_of_games_are_understood_and_near_misses_suggested() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (name, game) in [
        ("connect5", "gomoku"),
        ("gobang:standard", "gomoku:standard"),
        ("reversi:6x6", "othello:6x6"),
    ] {
        let (status, made) = ann
            .json(&site, "POST", "/games", json!({ "game": name }))
            .await;
        assert_eq!(
            (status, &made["game"]),
            (StatusCode::CREATED, &json!(game)),
            "{made}"
        );
    }
    let body = "game=othello&mode=screen&other_game=gomuku";
    let (_, _, page) = ann.form(&site, "/games", body).await;
    assert!(
        page.contains("id=\"game-wrong\"") && page.contains("Did you mean gomoku?"),
        "{page}"
    );
}
