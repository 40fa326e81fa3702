//! Pages of a waiting player: offers, challenges, invitations, quick pairing.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::play::{friends, friends_with};
use crate::{Person, Site};

/// Returns the texts and states of the buttons beside the board, in order.
fn buttons(page: &str) -> Vec<(String, bool)> {
    let actions = page.split(r#"<div class="actions">"#).nth(1).unwrap();
    let actions = actions.split("</div>").next().unwrap();
    let elements = actions.split("class=\"button").skip(1);
    let button = |element: &str| {
        let (tag, rest) = element.split_once('>').unwrap();
        let text = rest.split('<').next().unwrap().to_owned();
        (text, !tag.contains("aria-disabled"))
    };
    elements.map(button).collect()
}

fn names(buttons: &[(String, bool)]) -> Vec<&str> {
    buttons.iter().map(|(text, _)| text.as_str()).collect()
}

#[tokio::test]
async fn an_offer_is_acknowledged_and_no_button_moves() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let (_, page) = ann.page(&site, &game).await;
    let before = buttons(&page);
    assert_eq!(
        names(&before),
        ["Request takeback", "Offer a draw", "Resign"]
    );
    assert_eq!(
        before.iter().map(|button| button.1).collect::<Vec<_>>(),
        [false, true, true]
    );
    ann.form(&site, &format!("{game}/draw"), "").await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("You offered a draw. Waiting for an answer."));
    let after = buttons(&page);
    assert_eq!(names(&after), names(&before));
    assert!(!after[1].1, "it cannot be offered twice");
    let (_, page) = bob.page(&site, &game).await;
    assert!(page.contains("X offers a draw.") && !page.contains("You offered"));
    assert_eq!(names(&buttons(&page)), names(&before));
    bob.form(&site, &format!("{game}/draw"), "answer=agree")
        .await;
    ann.form(&site, &format!("{game}/rematch"), "").await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("You offered a rematch. Waiting for an answer."));
    assert_eq!(names(&buttons(&page))[0], "Rematch (swap sides)");
}

#[tokio::test]
async fn a_state_has_one_main_action() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let primary = async |who: &mut Person| {
        let (_, page) = who.page(&site, &game).await;
        let main = page.split("class=\"button primary\"").skip(1);
        let texts = main.map(|rest| {
            let text = rest.split_once('>').unwrap().1;
            text.split('<').next().unwrap().to_owned()
        });
        texts.collect::<Vec<_>>()
    };
    assert_eq!(primary(&mut ann).await, Vec::<String>::new());
    ann.form(&site, &format!("{game}/moves"), "move=5").await;
    bob.form(&site, &format!("{game}/resignation"), "").await;
    assert_eq!(primary(&mut ann).await, ["Rematch (swap sides)"]);
    assert_eq!(primary(&mut Person::default()).await, ["Review"]);
}

#[tokio::test]
async fn an_open_challenge_says_where_it_is_and_can_be_withdrawn() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let form = "game=othello&mode=lobby&seat=first&clock=10s";
    let (_, game, _) = ann.form(&site, "/games", form).await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("Your challenge is in the lobby"), "{page}");
    assert!(page.contains("The clocks start after both have moved."));
    let withdrawal = format!("{game}/withdrawal");
    let mut bob = Person::default();
    let (status, _, _) = bob.form(&site, &withdrawal, "").await;
    assert_eq!(status, StatusCode::FORBIDDEN, "only by its owner");
    let (status, place, _) = ann.form(&site, &withdrawal, "").await;
    assert_eq!((status, place.as_str()), (StatusCode::SEE_OTHER, "/lobby"));
    let (status, _) = ann.page(&site, &game).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (_, lobby) = bob.json(&site, "GET", "/lobby", Value::Null).await;
    assert_eq!(lobby["challenges"], json!([]));
}

#[tokio::test]
async fn a_game_that_was_joined_cannot_be_withdrawn() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    for who in [&mut ann, &mut bob] {
        let path = format!("{game}/withdrawal");
        let (status, _) = who.json(&site, "POST", &path, json!({})).await;
        assert_eq!(status, StatusCode::CONFLICT);
    }
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    assert_eq!(state["result"], Value::Null);
}

#[tokio::test]
async fn clocks_that_wait_say_so_until_both_have_moved() {
    let site = Site::new().await;
    let new_game = json!({ "game": "tictactoe", "seat": "first", "clock": "10s" });
    let (mut ann, mut bob, game) = friends_with(&site, new_game).await;
    let waits = "The clocks start after both have moved.";
    let (_, page) = bob.page(&site, &game).await;
    assert!(page.contains(waits));
    let moves = format!("{game}/moves");
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    let (_, page) = bob.page(&site, &game).await;
    assert!(page.contains(waits));
    bob.json(&site, "POST", &moves, json!({ "move": "1" }))
        .await;
    let (_, page) = bob.page(&site, &game).await;
    assert!(!page.contains(waits));
}

#[tokio::test]
async fn an_invitation_names_host_game_side_and_clock() {
    let site = Site::new().await;
    let mut ann = Person::default();
    ann.form(&site, "/me/name", "name=Ann").await;
    let form = "game=othello&board.othello=othello:4x4&mode=friend&seat=first&preset=5m%2B3s";
    let (_, game, _) = ann.form(&site, "/games", form).await;
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    let link = state["invitation"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (_, page) = Person::default().page(&site, path).await;
    assert!(page.contains("Ann#"), "{page}");
    assert!(page.contains("invites you to play Othello 4×4 as White."));
    assert!(page.contains("<b>5 min + 3 s</b>"));
    let picture = format!("http://localhost:7272{game}/board.png");
    assert!(page.contains(&format!(r#"property="og:image" content="{picture}""#)));
    // A correspondence game: the time begins anew with every move.
    let form = "game=othello&mode=friend&seat=first&preset=3d%2B3d";
    let (_, game, _) = ann.form(&site, "/games", form).await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("3 d 0 h"), "{page}");
    let (_, state) = ann.json(&site, "GET", &game, Value::Null).await;
    let link = state["invitation"].as_str().unwrap();
    let path = link.strip_prefix("http://localhost:7272").unwrap();
    let (_, page) = Person::default().page(&site, path).await;
    assert!(page.contains("<b>3 days a move</b>"), "{page}");
}

#[tokio::test]
async fn two_players_with_the_same_clock_are_paired() {
    let site = Site::new().await;
    let [mut ann, mut bob, mut eve] = [(); 3].map(|()| Person::default());
    let pair = async |who: &mut Person, game: &str, clock: &str| {
        let form = format!("game={game}&pair={clock}");
        let (status, place, page) = who.form(&site, "/games", &form).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
        place
    };
    let first = pair(&mut ann, "othello", "3m%2B2s").await;
    // She is present once her page is open.
    ann.page(&site, &first).await;
    let other = pair(&mut eve, "othello", "1m").await;
    assert_ne!(other, first, "another clock");
    assert_ne!(pair(&mut eve, "tictactoe", "3m%2B2s").await, first);
    assert_ne!(
        pair(&mut ann, "othello", "3m%2B2s").await,
        first,
        "not with herself"
    );
    assert_eq!(pair(&mut bob, "othello", "3m%2B2s").await, first);
    let (_, state) = bob.json(&site, "GET", &first, Value::Null).await;
    assert_eq!(state["you"].as_array().unwrap().len(), 1);
    assert_eq!(state["invitation"], Value::Null);
}
