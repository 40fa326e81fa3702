//! Choosing a game for the analysis, importing into it, and embedding it elsewhere.

use axum::http::StatusCode;
use papan_web::Settings;

use crate::{Person, Site, patient};

async fn import(site: &Site, game: &str, text: &str) -> (StatusCode, String, String) {
    let body = serde_urlencoded::to_string([("game", game), ("text", text)]).unwrap();
    Person::default().form(site, "/import", &body).await
}

#[tokio::test]
async fn the_analysis_offers_every_game() {
    let site = Site::new().await;
    let (_, page) = Person::default().page(&site, "/analysis").await;
    let picker = page.split(r#"class="game-picker""#).nth(1).unwrap();
    let picker = picker.split("</form>").next().unwrap();
    assert!(picker.contains(r#"<option value="tictactoe" selected>Tic-tac-toe</option>"#));
    assert!(picker.contains(r#"<option value="othello">Othello</option>"#));
    assert!(
        picker.contains(r#"<option value="gomoku:20x20:caro">Gomoku 20×20 (caro rule)</option>"#)
    );
    let path = "/analysis?game=tictactoe:5x5:4";
    let (_, page) = Person::default().page(&site, path).await;
    let own = r#"<option value="tictactoe:5x5:4" selected>Tic-tac-toe 5×5, 4 in a row</option>"#;
    assert!(page.contains(own), "a board that is not in the list");
}

#[tokio::test]
async fn moves_are_recognised_whatever_the_game_on_the_page() {
    let site = Site::new().await;
    for (page, text, game) in [
        ("tictactoe", "f5d6c3d3c4f4c5b3c2", "othello"),
        ("tictactoe", "1. h8 i9 2. h10 h9", "gomoku"),
        ("tictactoe", "t20 a1 b2", "gomoku:20x20"),
        // Cells without names: the smallest board that has them.
        ("othello", "5 1 9 3", "tictactoe"),
        ("", "5 1 9 3", "tictactoe"),
    ] {
        let (status, place, page) = import(&site, page, text).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{text}: {page}");
        assert!(
            place.starts_with(&format!("/analysis?game={game}&moves=")),
            "{text}: {place}"
        );
    }
    // Legal in the game of the page: no other game is tried.
    let (_, place, _) = import(&site, "gomoku", "f5 d6 c3").await;
    assert!(place.starts_with("/analysis?game=gomoku&"), "{place}");
}

#[tokio::test]
async fn a_text_that_cannot_be_imported_is_kept_with_the_reason() {
    let site = Site::new().await;
    let (status, _, page) = import(&site, "othello", "f5 <nonsense>").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("f5 &#60;nonsense&#62;</textarea>"), "{page}");
    assert!(page.contains("id=\"import-wrong\" role=\"alert\""));
    assert!(
        page.contains("class=\"game-picker\""),
        "the analysis is still there"
    );
}

#[tokio::test]
async fn an_imported_game_keeps_players_comments_and_variations() {
    let site = Site::new().await;
    let sgf = include_str!("../../../../docs/examples/game.sgf");
    let (status, place, page) = import(&site, "tictactoe", sgf).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{page}");
    let mut ann = Person::default();
    let (_, page) = ann.page(&site, &place).await;
    assert!(page.contains("Ann – Bo"), "{page}");
    assert!(page.contains(r#"<span class="branch">"#), "the variation");
    assert!(
        page.contains(r#"<span class="quiet-count">3.</span> c5</a>"#),
        "{page}"
    );
    assert!(
        !page.contains(">the Tiger begins"),
        "it belongs to the second move"
    );
    let (_, page) = ann.page(&site, &format!("{place}&ply=2")).await;
    assert!(page.contains("the Tiger begins"));
    // Names and comments follow to other positions and into the record.
    let (_, page) = ann.page(&site, &format!("{place}&ply=1")).await;
    let next = page.split("id=\"walk-next\"").nth(1).unwrap();
    let next = next
        .split("href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let (_, page) = ann
        .page(&site, &next.replace("&#38;", "&").replace("&amp;", "&"))
        .await;
    assert!(
        page.contains("Ann – Bo") && page.contains("the Tiger begins"),
        "{next}"
    );
    let record = place.replace("/analysis?", "/analysis/record?");
    let (_, bytes) = ann.file(&site, &record).await;
    let record = String::from_utf8(bytes).unwrap();
    for line in [
        "first: Ann",
        "second: Bo",
        "variation: f5d6c5",
        "comment: f5d6 = the Tiger begins",
    ] {
        assert!(record.contains(line), "{line}: {record}");
    }
    // What a format can say is read again.
    let tree = ["Ann – Bo", "the Tiger begins", r#"<span class="branch">"#];
    for (format, kept) in [("record", &tree[..]), ("sgf", &tree), ("ggf", &tree[..1])] {
        let path = format!(
            "{}&format={format}",
            place.replace("/analysis?", "/analysis/record?")
        );
        let (_, bytes) = ann.file(&site, &path).await;
        let (status, again, page) =
            import(&site, "tictactoe", &String::from_utf8(bytes).unwrap()).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{format}: {page}");
        let (_, page) = ann.page(&site, &format!("{again}&ply=2")).await;
        for text in kept {
            assert!(page.contains(text), "{format}: {text}: {page}");
        }
    }
}

#[tokio::test]
async fn a_position_of_a_study_gets_a_name_and_a_comment_that_files_keep() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let path = "/analysis?game=othello&moves=f5d6c3&ply=2&others=f5f6";
    let (_, page) = ann
        .page(
            &site,
            &format!("{path}&note_name=Rose&note_text=quiet+%3Cb%3E"),
        )
        .await;
    assert!(page.contains("Rose: quiet &#60;b&#62;"), "{page}");
    assert!(
        page.contains(r#"<b class="position-name">Rose</b>"#),
        "{page}"
    );
    let link = page.split("/analysis/record?").nth(1).unwrap();
    let link = link
        .split('"')
        .next()
        .unwrap()
        .replace("&#38;", "&")
        .replace("&amp;", "&");
    assert!(link.contains("notes="), "the link keeps it: {link}");
    let base = link.split("&format=").next().unwrap();
    for (format, kept) in [
        ("record", "f5d6 = Rose: quiet <b>"),
        ("sgf", "C[Rose: quiet <b>]"),
    ] {
        let place = format!("/analysis/record?{base}&format={format}");
        let (_, bytes) = ann.file(&site, &place).await;
        let file = String::from_utf8(bytes).unwrap();
        assert!(file.contains(kept), "{file}");
    }
    let long = format!("{path}&note_text={}", "x".repeat(2001));
    let (status, page) = ann.page(&site, &long).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("at most 2000 characters"), "{page}");
}

#[tokio::test]
async fn an_app_has_icons_as_png_and_every_page_to_share_a_picture() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, manifest) = ann
        .json(
            &site,
            "GET",
            "/manifest.webmanifest",
            serde_json::Value::Null,
        )
        .await;
    let icons = manifest["icons"].as_array().unwrap();
    assert_eq!(icons.len(), 4);
    for side in [180, 192, 512_u32] {
        let (_, png) = ann.file(&site, &format!("/icons/{side}.png")).await;
        assert_eq!(&png[1..4], b"PNG");
        // Width and height in the header of the file.
        assert_eq!(png[16..20], side.to_be_bytes());
    }
    let (status, _) = ann.page(&site, "/icons/200.png").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    for path in ["/", "/rules/gomoku", "/review?game=tictactoe&moves=5+1"] {
        let (_, page) = ann.page(&site, path).await;
        let picture = r#"property="og:image" content="http://localhost:7272/analysis/board.png?"#;
        assert!(page.contains(picture), "{path}");
        assert!(page.contains(r#"rel="apple-touch-icon" href="/icons/180.png""#));
    }
}

#[tokio::test]
async fn copied_moves_are_in_the_notation_of_the_board() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let path = "/analysis?game=tictactoe:15x15:5&moves=113+145";
    let (_, page) = ann.page(&site, path).await;
    let field = page.split("id=\"move-text\"").nth(1).unwrap();
    let moves = field
        .split("value=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    assert!(moves.starts_with('h') && !moves.contains("113"), "{moves}");
    let (_, place, _) = import(&site, "tictactoe:15x15:5", moves).await;
    assert_eq!(place, path, "they are read as they are shown");
    let (_, page) = ann.page(&site, "/analysis?game=othello&moves=f5d6").await;
    assert!(page.contains(r#"id="move-text" readonly value="f5d6""#));
}

#[tokio::test]
async fn a_frame_is_offered_as_a_snippet_where_it_is_allowed() {
    for embedding in [false, true] {
        let site = Site::with(Settings {
            embedding,
            studies_per_second: 1e6,
            ..patient()
        })
        .await;
        let mut ann = Person::default();
        for path in [
            "/analysis?game=othello&moves=f5d6",
            "/proof?game=tictactoe&strategy=random&as=second",
        ] {
            let (_, page) = ann.page(&site, path).await;
            let snippet = "&#60;iframe src=&#34;http://localhost:7272/embed";
            assert_eq!(page.contains(snippet), embedding, "{path}: {page}");
        }
        let (_, page) = ann.page(&site, "/embed?game=othello&moves=f5d6").await;
        assert!(
            page.contains("rel=\"icon\""),
            "no request for a missing icon"
        );
    }
}
