//! Server-sent events and the OpenAPI document.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::play::friends;
use crate::{Person, Site};

/// Reads this many events: ids and data.
async fn events(body: Body, count: usize) -> Vec<(u64, Value)> {
    let mut chunks = body.into_data_stream();
    let mut text = String::new();
    while text.matches("\n\n").count() < count {
        let chunk = chunks.next().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let field = |event: &str, name: &str| {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_default().to_owned()
    };
    text.split("\n\n")
        .take(count)
        .map(|event| {
            let id = field(event, "id: ").parse().unwrap();
            (id, serde_json::from_str(&field(event, "data: ")).unwrap())
        })
        .collect()
}

#[tokio::test]
async fn a_stream_is_resumed_after_the_last_event_that_was_seen() {
    let site = Site::new().await;
    let (mut ann, mut bob, game) = friends(&site).await;
    let moves = format!("{game}/moves");
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    bob.json(&site, "POST", &moves, json!({ "move": "1" }))
        .await;
    let request = Request::get(format!("{game}/events"))
        .header("last-event-id", "1")
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    // Two were missed, the third arrives live.
    ann.json(&site, "POST", &moves, json!({ "move": "9" }))
        .await;
    let heard = events(response.into_body(), 3).await;
    let ids: Vec<u64> = heard.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, [2, 3, 4]);
    assert_eq!(
        heard[0].1["event"],
        json!({ "kind": "moved", "by": "first", "move": "5" })
    );
    assert_eq!(heard[2].1["state"]["moves"], json!(["5", "1", "9"]));
    assert!(!heard[2].1.to_string().contains("invitation"));
}

#[tokio::test]
async fn a_stream_far_behind_gets_the_current_state_and_then_events() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let new_game = json!({ "game": "tictactoe:20x20:5" });
    let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
    let game = format!("/games/{}", made["id"].as_str().unwrap());
    let moves = format!("{game}/moves");
    let listen = |after: u64| {
        Request::get(format!("{game}/events?after={after}"))
            .body(Body::empty())
            .unwrap()
    };
    // Take-backs shorten the game but not its event log.
    for _ in 0..50 {
        ann.json(&site, "POST", &moves, json!({ "move": "1" }))
            .await;
        let back = format!("{game}/take-back");
        ann.json(&site, "POST", &back, json!({})).await;
    }
    let late = site.send(listen(0)).await;
    let (id, told) = events(late.into_body(), 1).await.remove(0);
    assert_eq!((id, &told["event"]), (100, &Value::Null));
    assert_eq!(told["state"]["moves"], json!([]));
    let behind = site.send(listen(98)).await;
    ann.json(&site, "POST", &moves, json!({ "move": "2" }))
        .await;
    let heard = events(behind.into_body(), 3).await;
    let ids: Vec<u64> = heard.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, [99, 100, 101]);
    assert_eq!(heard[2].1["event"]["move"], "2");
}

#[tokio::test]
async fn a_page_asks_for_versions_alone() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    let request = Request::get(format!("{game}/events?content=version"))
        .header("last-event-id", "1")
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    let moves = format!("{game}/moves");
    ann.json(&site, "POST", &moves, json!({ "move": "5" }))
        .await;
    assert_eq!(events(response.into_body(), 1).await, [(2, json!(2))]);
}

#[tokio::test]
async fn streams_end_on_shutdown() {
    let site = Site::new().await;
    let (_, _, game) = friends(&site).await;
    let request = Request::get(format!("{game}/events"))
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    site.state.stop();
    let rest = axum::body::to_bytes(response.into_body(), 1 << 20)
        .await
        .unwrap();
    assert!(rest.is_empty());
}

#[tokio::test]
async fn every_path_of_the_openapi_document_exists() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (_, document) = ann.json(&site, "GET", "/openapi.json", Value::Null).await;
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 10);
    for path in paths.keys() {
        // No path accepts PUT; an unknown one is 404.
        let (status, _) = ann.json(&site, "PUT", path, json!({})).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
}

/// The events of a stream, as their parts arrive.
#[derive(Default)]
struct Events(String);

impl Events {
    /// Waits for the data of the next event.
    async fn next(&mut self, chunks: &mut axum::body::BodyDataStream) -> Value {
        loop {
            if let Some((event, rest)) = self.0.split_once("\n\n") {
                let data = event.strip_prefix("data: ").map(serde_json::from_str);
                self.0 = rest.to_owned();
                if let Some(data) = data {
                    return data.unwrap();
                }
                continue;
            }
            let chunk = chunks.next().await.expect("the stream is open").unwrap();
            self.0.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}

#[tokio::test]
async fn a_live_analysis_deepens_and_scores_every_move() {
    let site = Site::new().await;
    for (game, moves) in [("othello", "f5 d6 c3"), ("gomoku:15x15", "h8 i9 j10")] {
        let rules: papan_catalog::AnyGame = game.parse().unwrap();
        let mut line = rules.line();
        line.extend(moves).unwrap();
        let cells = line.legal_moves().len();
        let moves = moves.replace(' ', "+");
        let path = format!("/analysis/live?game={game}&moves={moves}");
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = site.send(request).await;
        assert_eq!(response.status(), StatusCode::OK);
        let mut chunks = response.into_body().into_data_stream();
        let mut events = Events::default();
        let mut pictures = std::collections::HashMap::new();
        let numbered = |pictures: &std::collections::HashMap<String, String>| {
            let is_numbered = |svg: &&String| svg.contains(r#"class="number""#);
            pictures.values().filter(is_numbered).count()
        };
        // Until every move has a score; each pass scores more of them.
        for pass in 1.. {
            let update = events.next(&mut chunks).await;
            assert_eq!(update["pass"], pass);
            let text = update["text"].as_str().unwrap();
            assert!(text.contains("depth "), "{update}");
            let best = update["best"].as_str().unwrap();
            assert_eq!(update["lines"][0]["moves"][0], best, "{update}");
            let changed = update["cells"].as_object().unwrap().clone();
            let changed = changed.into_iter();
            pictures.extend(changed.map(|(cell, content)| {
                let svg = content["picture"].as_str().unwrap();
                (cell, svg.to_owned())
            }));
            let chosen = pictures
                .values()
                .filter(|svg| svg.contains(r#"class="chosen""#));
            assert_eq!(chosen.count(), 1, "{update}");
            if pass >= 3 && numbered(&pictures) >= cells {
                break;
            }
            assert_eq!(update["done"], false, "{} of {cells}", numbered(&pictures));
        }
        assert_eq!(numbered(&pictures), cells);
    }
}

#[tokio::test]
async fn the_lines_of_five_in_a_row_are_longer_than_a_move() {
    let site = Site::new().await;
    let request = Request::get("/analysis/live?game=gomoku&moves=h8+i9+j10")
        .body(Body::empty())
        .unwrap();
    let response = site.send(request).await;
    let mut chunks = response.into_body().into_data_stream();
    let mut events = Events::default();
    // Longer passes search the other moves deeper.
    loop {
        let update = events.next(&mut chunks).await;
        let lines = update["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 3);
        if lines
            .iter()
            .all(|line| line["moves"].as_array().unwrap().len() > 1)
        {
            break;
        }
        assert_eq!(update["done"], false, "{update}");
    }
}

#[tokio::test]
async fn a_live_analysis_ends_when_all_is_proved_and_not_after_the_game() {
    let site = Site::new().await;
    let request = |moves: &str| {
        let path = format!("/analysis/live?game=tictactoe&moves={moves}");
        Request::get(path).body(Body::empty()).unwrap()
    };
    let response = site.send(request("5+1")).await;
    let mut chunks = response.into_body().into_data_stream();
    let mut events = Events::default();
    let mut passes = 1;
    while events.next(&mut chunks).await["done"] == false {
        passes += 1;
    }
    assert!(passes <= 4, "{passes}");
    assert!(chunks.next().await.is_none(), "the stream ends");
    let over = site.send(request("1+4+2+5+3")).await;
    assert_eq!(over.status(), StatusCode::UNPROCESSABLE_ENTITY);
}
