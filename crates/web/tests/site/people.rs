//! Invitations, offers, names, identity links, lobby, puzzles.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::play::friends;
use crate::{Person, Site};

#[tokio::test]
async fn a_new_client_plays_the_computer_on_every_board_of_the_home_page() {
    let site = Site::new().await;
    for family in papan_catalog::FAMILIES {
        for game in family.examples {
            for level in ["", "0", "5", "10", "newcomer", "strongest"] {
                let form = format!("game={game}&mode=computer&seat=first&level={level}");
                let mut ann = Person::default();
                let (status, place, page) = ann.form(&site, "/games", &form).await;
                assert_eq!(status, StatusCode::SEE_OTHER, "{game} {level}: {page}");
                assert!(place.starts_with("/games/"));
            }
        }
    }
}

#[tokio::test]
async fn only_strategies_that_can_play_a_game_are_offered() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut able = async |game: &str| {
        let path = format!("/strategies?game={game}");
        let (status, answer) = ann.json(&site, "GET", &path, Value::Null).await;
        assert_eq!(status, StatusCode::OK);
        answer["strategies"].to_string()
    };
    assert!(able("tictactoe").await.contains("\"perfect\""));
    assert!(!able("othello").await.contains("\"perfect\""));
    assert!(able("othello").await.contains("\"engine\""));
}

#[tokio::test]
async fn a_client_cannot_accept_its_own_invitation() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let link = made["invitation"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (status, page) = ann.page(&site, path).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("your own invitation") && !page.contains("Join the game"));
    let body = json!({ "invitation": link });
    let (status, error) = ann.json(&site, "POST", "/join", body.clone()).await;
    assert_eq!(status, StatusCode::CONFLICT, "{error}");
    let (status, _) = Person::default().json(&site, "POST", "/join", body).await;
    assert_eq!(status, StatusCode::OK, "it is still good for another");
}

#[tokio::test]
async fn changing_the_language_returns_to_the_invitation() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let link = made["invitation"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (_, page) = Person::default().page(&site, path).await;
    assert!(page.contains(&format!(r#"name="back" value="{path}""#)));
}

#[tokio::test]
async fn an_offer_is_made_once_and_does_not_make_a_move_stale() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let moves = format!("{game}/moves");
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    let (_, seen) = bob.json(&site, "GET", &game, Value::Null).await;
    let back = format!("{game}/take-back");
    let (status, _) = ann.json(&site, "POST", &back, json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = ann.json(&site, "POST", &back, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "it stands");
    bob.json(&site, "POST", &back, json!({ "answer": "decline" }))
        .await;
    let (status, _) = ann.json(&site, "POST", &back, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "it was declined here");
    // Bob's version is older than the offers, but the position is the same.
    let body = json!({ "move": "1", "version": seen["version"] });
    let (status, _) = bob.json(&site, "POST", &moves, body).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = bob.json(&site, "POST", &back, json!({})).await;
    assert_eq!(status, StatusCode::OK, "another move, another question");
}

#[tokio::test]
async fn a_draw_is_offered_declined_and_agreed_on() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let draw = format!("{game}/draw");
    let moves = format!("{game}/moves");
    let answer = |answer: &str| json!({ "answer": answer });
    let (status, _) = bob.json(&site, "POST", &draw, answer("agree")).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (_, state) = ann.json(&site, "POST", &draw, json!({})).await;
    assert_eq!(state["draw_offer"], "first");
    let (_, page) = bob.page(&site, &game).await;
    assert!(page.contains("X offers a draw."));
    let (_, state) = bob.json(&site, "POST", &draw, answer("decline")).await;
    assert_eq!(state["draw_offer"], Value::Null);
    let (status, _) = ann.json(&site, "POST", &draw, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    bob.json(&site, "POST", &draw, json!({})).await;
    let (_, state) = ann.json(&site, "POST", &draw, answer("agree")).await;
    assert_eq!(
        (&state["result"], &state["reason"]),
        (&json!("draw"), &json!("agreed"))
    );
}

#[tokio::test]
async fn a_rematch_can_be_declined_and_greetings_are_limited() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let greet = format!("{game}/greeting");
    for turn in 0..11 {
        let hello = json!({ "greeting": "hello" });
        let (status, _) = ann.json(&site, "POST", &greet, hello).await;
        assert_eq!(status == StatusCode::OK, turn < 10, "{turn}");
    }
    let (_, page) = bob.page(&site, &game).await;
    assert!(page.contains("X: Hello!"));
    let (status, _) = bob
        .json(&site, "POST", &greet, json!({ "greeting": "rude" }))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let rematch = format!("{game}/rematch");
    ann.json(&site, "POST", &format!("{game}/resignation"), json!({}))
        .await;
    ann.json(&site, "POST", &rematch, json!({})).await;
    let (_, state) = bob
        .json(&site, "POST", &rematch, json!({ "answer": "decline" }))
        .await;
    assert_eq!(state["rematch_offer"], Value::Null);
    let (status, _) = ann.json(&site, "POST", &rematch, json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT, "once is enough");
    let (status, _) = bob.json(&site, "POST", &rematch, json!({})).await;
    assert_eq!(status, StatusCode::OK, "the other may still want one");
}

#[tokio::test]
async fn resigning_asks_for_confirmation() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("?show=resign") && !page.contains("/resignation"));
    let (_, page) = ann.page(&site, &format!("{game}?show=resign")).await;
    assert!(page.contains("/resignation") && page.contains("Yes, resign"));
}

#[tokio::test]
async fn the_history_of_a_game_is_bounded_and_moves_are_always_possible() {
    let site = Site::with(papan_web::Settings {
        changes_per_second: 1e6,
        ..papan_web::Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let (_, made) = ann
        .json(&site, "POST", "/games", json!({ "game": "tictactoe" }))
        .await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let (moves, back) = (format!("{game}/moves"), format!("{game}/take-back"));
    for round in 0..510 {
        let (status, _) = ann
            .json(&site, "POST", &moves, json!({ "move": "1" }))
            .await;
        assert_eq!(status == StatusCode::OK, round <= 500, "{round}");
        let (status, _) = ann.json(&site, "POST", &back, json!({})).await;
        assert_eq!(status == StatusCode::OK, round < 500, "{round}");
    }
    let (_, state) = ann
        .json(&site, "POST", &moves, json!({ "move": "2" }))
        .await;
    assert_eq!(state["version"], 1002);
}

#[tokio::test]
async fn my_games_show_turn_and_result() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let moves = format!("{game}/moves");
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    let (_, mine) = bob.json(&site, "GET", "/me", Value::Null).await;
    assert_eq!(mine["games"][0]["your_turn"], true);
    assert_eq!(mine["games"][0]["you"], json!(["second"]));
    let (_, page) = bob.page(&site, "/me").await;
    assert!(page.contains("Your turn"));
    bob.json(&site, "POST", &format!("{game}/resignation"), json!({}))
        .await;
    let (_, page) = ann.page(&site, "/me").await;
    assert!(page.contains("You won"));
    let (_, page) = bob.page(&site, "/me").await;
    assert!(page.contains("You lost"));
    let (_, nobody) = Person::default()
        .json(&site, "GET", "/me", Value::Null)
        .await;
    assert_eq!(nobody["games"], json!([]));
}

#[tokio::test]
async fn older_games_are_on_further_pages() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for _ in 0..61 {
        let made = json!({ "game": "tictactoe" });
        let (status, _) = ann.json(&site, "POST", "/games", made).await;
        assert_eq!(status, StatusCode::CREATED);
    }
    let (_, mine) = ann.json(&site, "GET", "/me", Value::Null).await;
    assert_eq!(mine["games"].as_array().unwrap().len(), 60);
    let older = mine["older"].as_str().unwrap();
    let (_, page) = ann.page(&site, "/me").await;
    assert!(page.contains(&format!(r#"id="older" rel="next" href="{older}""#)));
    assert!(!page.contains(r#"id="newer""#));
    let (_, rest) = ann.json(&site, "GET", older, Value::Null).await;
    assert_eq!(rest["games"].as_array().unwrap().len(), 1);
    assert_eq!(rest["older"], Value::Null);
    let (_, page) = ann.page(&site, older).await;
    assert!(
        page.contains(r#"id="newer" rel="prev" href="/me""#),
        "{page}"
    );
    assert!(!page.contains(r#"id="older""#));
}

#[tokio::test]
async fn a_finished_game_of_othello_is_listed_with_its_score() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, game, _) = ann
        .form(&site, "/games", "game=othello:4x4&mode=screen")
        .await;
    let rules: papan_catalog::AnyGame = "othello:4x4".parse().unwrap();
    let mut line = rules.line();
    while line.outcome().is_none() {
        let mv = line.legal_moves()[0];
        let body = format!("move={}", rules.format_move(mv));
        ann.form(&site, &format!("{game}/moves"), &body).await;
        line.play(mv).unwrap();
    }
    let counts = papan_view::BoardView::of(&*line).counts;
    let (_, page) = ann.page(&site, "/me").await;
    let score = format!(
        r#"<span class="score">{} – {}</span>"#,
        counts[0], counts[1]
    );
    assert!(page.contains(&score), "{score}: {page}");
    // A game that was resigned has no final count.
    let (_, game, _) = ann
        .form(&site, "/games", "game=othello:4x4&mode=screen")
        .await;
    ann.form(&site, &format!("{game}/resignation"), "answer=agree")
        .await;
    let (_, page) = ann.page(&site, "/me").await;
    assert_eq!(page.matches(r#"class="score""#).count(), 1, "{page}");
}

#[tokio::test]
async fn a_name_is_shown_with_a_tag() {
    let site = Site::new().await;
    let (mut ann, mut bob) = (Person::default(), Person::default());
    for person in [&mut ann, &mut bob] {
        let (status, _, _) = person.form(&site, "/me/name", "name=Sam").await;
        assert_eq!(status, StatusCode::SEE_OTHER);
    }
    let new_game = json!({ "game": "tictactoe", "seat": "first" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let body = json!({ "invitation": made["invitation"] });
    bob.json(&site, "POST", "/join", body).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let (_, state) = bob.json(&site, "GET", &game, Value::Null).await;
    let names: Vec<&str> = (0..2)
        .map(|seat| state["names"][seat].as_str().unwrap())
        .collect();
    assert!(names.iter().all(|name| name.starts_with("Sam#")));
    assert_ne!(names[0], names[1]);
    let (status, _, _) = ann.form(&site, "/me/name", "name=%3Cb%3E").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn an_identity_moves_to_another_device_once() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    let (status, made) = ann.json(&site, "POST", "/me/link", json!({})).await;
    assert_eq!(status, StatusCode::CREATED);
    let link = made["link"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (mut phone, mut thief) = (Person::default(), Person::default());
    let (status, _) = phone.page(&site, path).await;
    assert_eq!(status, StatusCode::OK, "looking uses nothing up");
    let (status, _, _) = phone.form(&site, path, "").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (_, seen) = phone.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(seen["you"], json!(["first"]));
    let (status, _, _) = thief.form(&site, path, "").await;
    assert_eq!(status, StatusCode::GONE);
    let (_, made) = ann.json(&site, "POST", "/me/link", json!({})).await;
    ann.json(&site, "POST", "/me/link/withdrawal", json!({}))
        .await;
    let link = made["link"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (status, _) = thief.page(&site, path).await;
    assert_eq!(status, StatusCode::GONE);
}

#[tokio::test]
async fn a_challenge_is_listed_while_its_creator_is_present() {
    let site = Site::new().await;
    let (mut ann, mut bob) = (Person::default(), Person::default());
    let form = "game=othello&mode=lobby&seat=first&clock=5m%2B3s";
    let (_, place, _) = ann.form(&site, "/games", form).await;
    let (_, lobby) = bob.json(&site, "GET", "/lobby", Value::Null).await;
    assert_eq!(lobby["challenges"], json!([]), "she has not looked yet");
    ann.page(&site, &place).await;
    let (_, lobby) = bob.json(&site, "GET", "/lobby", Value::Null).await;
    let challenge = &lobby["challenges"][0];
    assert_eq!(
        (&challenge["game"], &challenge["seat"]),
        (&json!("othello"), &json!("second"))
    );
    let (_, page) = bob.page(&site, "/lobby").await;
    assert!(page.contains("you play White · 5 min + 3 s"), "{page}");
    let body = json!({ "invitation": challenge["invitation"] });
    let (status, _) = bob.json(&site, "POST", "/join", body).await;
    assert_eq!(status, StatusCode::OK);
    let (_, lobby) = bob.json(&site, "GET", "/lobby", Value::Null).await;
    assert_eq!(lobby["challenges"], json!([]));
    assert_eq!(lobby["games"][0]["game"], "othello");
}

/// Puzzles are played move by move, and only the first result of a visitor is rated.
#[tokio::test]
async fn a_puzzle_is_played_move_by_move_and_rated_once() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, today) = ann.json(&site, "GET", "/puzzles", Value::Null).await;
    assert_eq!(today["rating"], 1200.0);
    assert!(today["count"].as_u64().unwrap() >= 1000, "{today}");
    let id = today["today"]["id"].as_str().unwrap().to_owned();
    let (status, page) = ann.page(&site, &format!("/puzzles/{id}")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("to move:"), "{page}");
    let puzzle = papan_catalog::puzzles::find(&id).unwrap();
    let line = puzzle.line().unwrap();
    let game = line.game();
    let steps = puzzle.steps().unwrap();
    let wrong = line.legal_moves().into_iter().find(|mv| *mv != steps[0]);
    let wrong = game.format_move(wrong.unwrap());
    let path = format!("/puzzles/{id}");
    let rating = async |person: &mut Person| {
        let (_, now) = person.json(&site, "GET", "/puzzles", Value::Null).await;
        (
            now["rating"].as_f64().unwrap(),
            now["streak"].as_u64().unwrap(),
        )
    };
    // Bob solves it, Ann errs first.
    let mut bob = Person::default();
    let mut tried = String::new();
    for mv in steps.iter().step_by(2) {
        let body = json!({"tried": tried, "move": game.format_move(*mv)});
        let (status, answer) = bob.json(&site, "POST", &path, body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        tried = format!("{tried} {}", game.format_move(*mv))
            .trim()
            .to_owned();
    }
    let (up, streak) = rating(&mut bob).await;
    assert!(up > 1200.0 && streak == 1, "{up} {streak}");
    let (_, answer) = ann.json(&site, "POST", &path, json!({"move": wrong})).await;
    assert_eq!(answer["verdict"], "wrong");
    let (down, _) = rating(&mut ann).await;
    assert!(down < 1200.0);
    // A second try is free.
    let (_, answer) = ann
        .json(
            &site,
            "GET",
            &format!("{path}?tried={}", tried.replace(' ', "+")),
            Value::Null,
        )
        .await;
    assert_eq!(answer["verdict"], "solved");
    ann.json(&site, "POST", &path, json!({"tried": tried}))
        .await;
    assert_eq!(rating(&mut ann).await.0, down);
    let (status, _) = ann
        .json(&site, "GET", "/puzzles/nothing", Value::Null)
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_study_is_saved_listed_downloaded_and_deleted() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let address = "/analysis?game=othello&moves=f5d6c3d3c4";
    let form = format!(
        "name=Tiger+line&address={}",
        address.replace('&', "%26").replace('=', "%3D")
    );
    let (_, place, _) = ann.form(&site, "/studies", &form).await;
    assert_eq!(place, "/studies");
    let (_, page) = ann.page(&site, "/studies").await;
    assert!(page.contains("Tiger line"), "{page}");
    for (format, begins) in [
        ("sgf", "(;"),
        ("ggf", "(;GM[Othello]"),
        ("record", "papan "),
    ] {
        let link = format!("/analysis/record?game=othello&moves=f5d6c3d3c4&format={format}");
        let (_, text) = ann.file(&site, &link).await;
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(text.starts_with(begins), "{format}: {text}");
    }
    let gomoku = "/analysis/record?game=gomoku&moves=h8+i9&format=psq";
    let (_, text) = ann.file(&site, gomoku).await;
    assert!(text.starts_with(b"Piskvorky"));
    // Another visitor has none of them.
    let (_, others) = Person::default().page(&site, "/studies").await;
    assert!(!others.contains("Tiger line"));
    let (_, list) = ann.json(&site, "GET", "/studies", Value::Null).await;
    let id = list["list"][0]["id"].as_u64().unwrap();
    ann.form(&site, &format!("/studies/{id}/deletion"), "")
        .await;
    let (_, page) = ann.page(&site, "/studies").await;
    assert!(!page.contains("Tiger line"));
    let (status, _) = ann
        .json(&site, "POST", "/studies", json!({"address": "/puzzles"}))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn every_game_has_rules_and_every_page_leads_to_help() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, list) = ann.page(&site, "/rules").await;
    for game in ["tictactoe", "gomoku", "renju", "othello"] {
        assert!(list.contains(&format!("/rules/{game}")));
        let (status, page) = ann.page(&site, &format!("/rules/{game}")).await;
        assert_eq!(status, StatusCode::OK);
        // The board can be played.
        assert!(page.contains("class=\"cell\" id="), "{game}");
        assert!(page.contains("href=\"/about\""));
    }
    let (status, _) = ann.page(&site, "/rules/chess").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = ann.page(&site, "/about").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn my_games_have_a_picture_a_date_and_names_for_people() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let form = "game=othello&mode=computer&seat=first&level=3";
    let (_, game, _) = ann.form(&site, "/games", form).await;
    ann.form(&site, &format!("{game}/resignation"), "").await;
    let (_, page) = ann.page(&site, "/me").await;
    assert!(page.contains("<time datetime=\"2001-09-09\">"), "{page}");
    assert!(!page.contains("computer(level"), "{page}");
    let picture = format!("{game}/board.svg?show=small");
    assert!(page.contains(&picture));
    let (kind, small) = ann.file(&site, &picture).await;
    assert_eq!(kind, "image/svg+xml");
    let (_, large) = ann.file(&site, &format!("{game}/board.svg")).await;
    assert!(
        10 * small.len() < large.len(),
        "{} of {}",
        small.len(),
        large.len()
    );
}
