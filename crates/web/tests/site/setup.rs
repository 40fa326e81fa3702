//! The position editor, navigation and variations.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::{Person, Site};

/// Follows a form or link of the editor and returns the redirect.
async fn press(ann: &mut Person, site: &Site, place: &str, new_game: &str) -> String {
    let glue = if place.contains('?') { '&' } else { '?' };
    let (status, place) = ann.led(site, &format!("{place}{glue}{new_game}")).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{new_game}");
    place
}

#[tokio::test]
async fn a_position_is_edited_cell_by_cell_and_analysed() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut place = "/analysis/setup?game=tictactoe:4x4".to_owned();
    for new_game in ["piece=X&put=1", "piece=O&put=6", "piece=X&put=16"] {
        place = press(&mut ann, &site, &place, new_game).await;
        // The redirect has the position without the edit.
        assert!(!place.contains("put="), "{place}");
        place = place.split("&piece=").next().unwrap().to_owned();
    }
    assert_eq!(
        place,
        "/analysis/setup?game=tictactoe:4x4&start=X----O---------X+O"
    );
    let (status, page) = ann.page(&site, &place).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("O to move") && page.contains("6, row 2, column 2, O\""));
    // The same piece again empties the cell.
    let emptied = press(&mut ann, &site, &place, "piece=O&put=6").await;
    assert!(emptied.contains("start=X--------------X+"), "{emptied}");
    let there = press(&mut ann, &site, &place, "do=analyse").await;
    assert_eq!(
        there,
        "/analysis?game=tictactoe:4x4&start=X----O---------X+O"
    );
    let (status, page) = ann.page(&site, &there).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("moves=2\""));
}

#[tokio::test]
async fn an_invalid_position_is_explained_and_kept() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut indonesian = Person::speaking("id");
    let full = format!("{}+X", "X".repeat(64));
    let cases = [
        ("tictactoe", "XXX------+O", "3 X and 0 O is impossible", 3),
        (
            "tictactoe",
            "XXXOO----+O",
            "The game is over here: X wins.",
            3,
        ),
        ("tictactoe", "XXXOOO---+X", "has already won", 3),
        (
            "othello",
            &full,
            "The game is over here: Black wins 64 to 0.",
            64,
        ),
        ("othello:4x4", "X---------------+X", "centre squares", 1),
    ];
    for (game, position, sentence, pieces) in cases {
        let place = format!("/analysis/setup?game={game}&start={position}&do=analyse");
        let (status, page) = ann.page(&site, &place).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{position}");
        assert!(page.contains(sentence), "{sentence}");
        assert!(page.contains("role=\"alert\""));
        let kept = page.matches("class=\"mark x\"").count() + page.matches("disc black").count();
        // One more is in the piece choice, one in the turn choice.
        let shown = if game == "tictactoe" { 1 } else { 2 };
        assert_eq!(kept, pieces + shown, "{position}");
        // While editing it is a remark, not an error.
        let (status, page) = ann.page(&site, place.trim_end_matches("&do=analyse")).await;
        assert_eq!(status, StatusCode::OK);
        assert!(page.contains(sentence) && !page.contains("role=\"alert\""));
    }
    let place = "/analysis/setup?game=tictactoe&start=XXX------+O";
    let (_, page) = indonesian.page(&site, place).await;
    assert!(page.contains("Susun posisi") && !page.contains("is impossible"));
}

#[tokio::test]
async fn the_editor_clears_resets_and_changes_the_turn() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let place = "/analysis/setup?game=othello";
    let begun = press(&mut ann, &site, place, "do=start").await;
    assert!(
        begun.contains("OX------XO") && begun.contains("+X&"),
        "{begun}"
    );
    let white = press(&mut ann, &site, place, "turn=O").await;
    assert!(
        white.contains("OX------XO") && white.contains("+O&"),
        "{white}"
    );
    let cleared = press(&mut ann, &site, place, "do=clear").await;
    assert!(cleared.contains(&"-".repeat(64)), "{cleared}");
    // White has no move, and Black has one: White passes.
    let place = "/analysis/setup?game=othello:4x4&start=-OXX-XX--XXX-X--+O";
    let there = press(&mut ann, &site, place, "do=analyse").await;
    let (_, page) = ann.page(&site, &there).await;
    assert!(page.contains("White to move") && page.contains("moves=pass\""));
    let broken = "/analysis/setup?game=tictactoe&start=XQ";
    let (status, page) = ann.page(&site, broken).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("Character 2: Q is not a cell") && page.contains(">XQ</textarea>"));
    let (status, _) = ann.page(&site, "/analysis/setup?put=z99").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn leaving_the_main_line_keeps_it_as_a_variation() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, page) = ann
        .page(&site, "/analysis?game=othello&moves=f5d6c3&ply=1")
        .await;
    let link = |address: &str| format!("href=\"{}\"", address.replace('&', "&#38;"));
    // Forward, back, and to the end of the main line.
    for address in [
        "/analysis?game=othello&moves=f5d6c3&ply=2",
        "/analysis?game=othello&moves=f5d6c3&ply=0",
        "/analysis?game=othello&moves=f5d6c3",
        // Another move starts a new main line and keeps the old one.
        "/analysis?game=othello&moves=f5f6&others=f5d6c3",
    ] {
        assert!(page.contains(&link(address)), "{address}");
    }
    let branch = "/analysis?game=othello&moves=f5f6&others=f5d6c3";
    let (_, page) = ann.page(&site, branch).await;
    let tree = r#"<span class="quiet-count">2.</span> d6</a>"#;
    assert!(page.contains(tree), "{page}");
    assert!(page.contains(&link(
        "/analysis?game=othello&moves=f5d6c3&ply=2&others=f5f6"
    )));
    // The first move of a variation makes it the main line.
    let (_, page) = ann.page(&site, &format!("{branch}&ply=1")).await;
    assert!(page.contains(&link(
        "/analysis?game=othello&moves=f5d6c3&ply=2&others=f5f6"
    )));
    let (_, answer) = ann
        .json(
            &site,
            "GET",
            "/analysis?game=othello&moves=f5d6c3&ply=1",
            Value::Null,
        )
        .await;
    assert_eq!(answer["moves"], json!(["f5"]));
    let (status, _) = ann.page(&site, "/analysis?moves=5&others=5+5").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_game_can_start_from_any_position() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, page) = ann
        .page(&site, "/analysis?game=tictactoe&moves=5+1+9&ply=2")
        .await;
    for field in [
        "name=\"start\" value=\"O---X---- X\"",
        "name=\"seat\" value=\"first\"",
        "name=\"opponent\" value=\"perfect\"",
    ] {
        assert!(page.contains(field), "{field}");
    }
    let (status, game, _) = ann
        .form(
            &site,
            "/games",
            "game=tictactoe&start=O---X----+X&seat=first&opponent=perfect&mode=screen",
        )
        .await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("X to move") && page.contains("5, row 2, column 2, X"));
    // The analysis opens at the ply shown in the game.
    ann.form(&site, &format!("{game}/moves"), "move=9").await;
    let (_, place) = ann
        .led(&site, &format!("{game}/study/analysis?ply=0"))
        .await;
    assert_eq!(
        place,
        "/analysis?game=tictactoe&start=O---X----+X&moves=9&ply=0"
    );
}
