//! The path without scripts: forms, redirects, pages.

use axum::http::StatusCode;

use crate::{Person, Site};

/// The value of a hidden field.
fn hidden<'a>(page: &'a str, name: &str) -> &'a str {
    let field = format!("name=\"{name}\" value=\"");
    let from = page.find(&field).expect("the field is there") + field.len();
    page[from..].split('"').next().unwrap()
}

#[tokio::test]
async fn the_home_page_has_both_languages() {
    let site = Site::new().await;
    let (status, page) = Person::default().page(&site, "/").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("<html lang=\"en\">") && page.contains("Play the computer"));
    let (_, page) = Person::speaking("id-ID,id;q=0.9").page(&site, "/").await;
    assert!(page.contains("<html lang=\"id\">") && page.contains("Lawan komputer"));
    assert!(page.len() < 60 << 10, "{} bytes", page.len());
}

#[tokio::test]
async fn every_strategy_and_parameter_of_the_catalog_is_on_the_home_page() {
    let site = Site::new().await;
    let (_, page) = Person::default().page(&site, "/").await;
    for recipe in papan_catalog::STRATEGIES {
        if recipe
            .parameters
            .iter()
            .any(papan_catalog::Parameter::is_required)
        {
            // It needs a file, and clients have none on the server.
            assert!(!page.contains(&format!("<option value=\"{}\"", recipe.name)));
            continue;
        }
        assert!(page.contains(&format!("<option value=\"{}\"", recipe.name)));
        for parameter in recipe.parameters {
            let field = format!("name=\"opponent.{}.{}\"", recipe.name, parameter.name);
            let is_file = parameter.kind == papan_catalog::ParameterKind::File;
            assert_eq!(page.contains(&field), !is_file, "{field}");
        }
    }
}

#[tokio::test]
async fn a_game_at_one_screen_is_played_by_forms_alone() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, game, _) = ann
        .form(&site, "/games", "game=tictactoe&mode=screen")
        .await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    for mv in ["1", "4", "2", "5", "3"] {
        let (_, page) = ann.page(&site, &game).await;
        let (version, key) = (hidden(&page, "version"), hidden(&page, "key"));
        let body = format!("move={mv}&version={version}&key={key}");
        let (status, place, text) = ann.form(&site, &format!("{game}/moves"), &body).await;
        assert_eq!(
            (status, place.as_str()),
            (StatusCode::SEE_OTHER, game.as_str()),
            "{text}"
        );
    }
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("X wins."));
    assert_eq!(page.matches("class=\"won\"").count(), 3);
    assert!(page.contains("3, row 1, column 3, X, last move, winning"));
    let (_, page) = ann.page(&site, &format!("{game}?ply=2")).await;
    assert!(page.contains("After move 2 of 5"));
}

#[tokio::test]
async fn a_waiting_page_reloads_only_without_scripts() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, game, _) = ann
        .form(&site, "/games", "game=tictactoe&mode=friend&seat=first")
        .await;
    let (_, page) = ann.page(&site, &game).await;
    assert!(page.contains("<noscript><meta http-equiv=\"refresh\""));
    assert!(page.contains("Waiting for the other player"));
    assert!(page.contains("http://localhost:7272/join/"));
    // A spectator sees no invitation.
    let (_, watched) = Person::default().page(&site, &game).await;
    assert!(!watched.contains("/join/"));
}

#[tokio::test]
async fn a_wrong_move_is_answered_in_the_players_language() {
    let site = Site::new().await;
    let mut ann = Person::speaking("id");
    let (_, game, _) = ann.form(&site, "/games", "game=othello&mode=screen").await;
    let (status, _, page) = ann.form(&site, &format!("{game}/moves"), "move=a1").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("tidak membalik keping apa pun"), "{page}");
}

#[tokio::test]
async fn the_record_and_the_picture_can_be_downloaded() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, game, _) = ann.form(&site, "/games", "game=othello&mode=screen").await;
    ann.form(&site, &format!("{game}/moves"), "move=f5").await;
    let (_, record) = ann.page(&site, &format!("{game}/record")).await;
    assert!(record.starts_with("papan record 1\ngame: othello\n"));
    assert!(record.contains("moves: f5\n"));
    let (_, svg) = ann.page(&site, &format!("{game}/board.svg")).await;
    assert_eq!(svg.matches("class=\"disc black\"").count(), 4);
    let (_, page) = ann.page(&site, &format!("{game}?ply=0")).await;
    assert!(page.contains(&format!("href=\"{game}/board.png?ply=0\"")));
    let (kind, now) = ann.file(&site, &format!("{game}/board.png")).await;
    assert_eq!(kind, "image/png");
    // The same position has the same picture; an earlier one does not.
    let (_, same) = ann.file(&site, &format!("{game}/board.png?ply=1")).await;
    let (_, before) = ann.file(&site, &format!("{game}/board.png?ply=0")).await;
    assert!(now == same && now != before);
    // Eight cells of 100 and a margin of 44 on either side, and 50 for the players below.
    assert_eq!(now[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(now[16..24], [0, 0, 3, 120, 0, 0, 3, 170]);
}

#[tokio::test]
async fn a_picture_of_the_largest_board_is_not_too_large() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for game in [
        "tictactoe:20x20:5",
        "tictactoe:1x400:3",
        "tictactoe:4x4x5x5",
    ] {
        let place = format!("/analysis/board.png?game={game}");
        let (_, png) = ann.file(&site, &place).await;
        let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
        assert!(
            u64::from(side(16)) * u64::from(side(20)) < 4_100_000,
            "{game}"
        );
    }
}
