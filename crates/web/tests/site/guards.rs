//! Security headers, CSRF, rate limits, embedding.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use papan_store::{GameStore as _, NewGame, Run, SqliteGames};
use papan_strategies::ManualClock;
use papan_web::{Secret, Settings};
use serde_json::{Value, json};

use crate::play::friends;
use crate::{Person, Site, patient, until};

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let site = Site::new().await;
    for path in ["/", "/nowhere", "/health", "/games/x", "/analysis"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let response = site.send(request).await;
        let headers = response.headers();
        let policy = headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"));
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers[header::REFERRER_POLICY], "no-referrer");
        assert_eq!(headers[header::X_FRAME_OPTIONS], "DENY");
    }
}

#[tokio::test]
async fn no_page_has_inline_scripts_or_styles_or_foreign_links() {
    let site = Site::new().await;
    let (mut ann, _, game) = friends(&site).await;
    for path in [
        "/",
        game.as_str(),
        "/analysis",
        "/laboratory",
        "/review?moves=5",
    ] {
        let (_, page) = ann.page(&site, path).await;
        assert!(
            !page.contains("<style") && !page.contains(" style="),
            "{path}"
        );
        assert!(
            !page.contains("<script>") && !page.contains(" onclick="),
            "{path}"
        );
        for part in page.split(['"', '\'']).filter(|part| part.contains("://")) {
            let own = part.starts_with("http://localhost:7272/");
            assert!(
                own || part == "http://www.w3.org/2000/svg",
                "{path}: {part}"
            );
        }
    }
}

#[tokio::test]
async fn a_request_from_another_site_is_refused() {
    let site = Site::new().await;
    let (_, _, game) = friends(&site).await;
    let request = Request::post(format!("{game}/moves"))
        .header(header::HOST, "localhost:7272")
        .header(header::ORIGIN, "https://elsewhere.example")
        .header("sec-fetch-site", "cross-site")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from("move=5"))
        .unwrap();
    let response = site.send(request).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn the_seat_is_a_cookie_that_scripts_and_other_sites_cannot_use() {
    let site = Site::new().await;
    let request = Request::post("/games")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json")
        .body(Body::from(json!({ "game": "tictactoe" }).to_string()))
        .unwrap();
    let response = site.send(request).await;
    let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    let value = cookie.split(['=', ';']).nth(1).unwrap();
    let (secret, signature) = value.split_once('.').unwrap();
    assert_eq!(secret.len(), 32, "192 bits in 32 characters");
    assert_eq!(signature.len(), 16, "96 bits in 16 characters");
}

/// A database that a version without signed cookies used.
#[tokio::test]
async fn an_unsigned_cookie_counts_only_if_the_database_knows_its_visitor() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let store = SqliteGames::open(&path).await.unwrap();
    let long_ago = Run {
        began_at: -1_000_000,
        alive_at: -900_000,
    };
    store.beat(long_ago).await.unwrap();
    let (player, student) = (Secret::random(), Secret::random());
    let id = "AAAAAAAAAAAAAAAAAAAAAAAA";
    let mut game = NewGame::new(id, "tictactoe", ["human".into(), "human".into()]);
    game.holders = [Some(player.seat("")); 2];
    game.visitors = [Some(player.visitor()); 2];
    store.create(game).await.unwrap();
    store.close().await.unwrap();
    let site = Site::over(folder, patient(), ManualClock::default()).await;
    let saved = json!({ "name": "A study", "address": "/analysis?game=tictactoe&moves=5" });
    let bearer = format!("Bearer {}", student.text());
    let request = Request::post("/studies")
        .header(header::AUTHORIZATION, bearer)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(saved.to_string()))
        .unwrap();
    assert_eq!(site.send(request).await.status(), StatusCode::CREATED);
    let answer = async |method: &str, path: &str, secret: &Secret| {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::COOKIE, format!("papan-visitor={}", secret.text()))
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json");
        let body = Body::from(json!({ "move": "5" }).to_string());
        let response = site.send(request.body(body).unwrap()).await;
        let cookies = response.headers().get_all(header::SET_COOKIE);
        let cookies: Vec<String> = cookies
            .iter()
            .map(|cookie| cookie.to_str().unwrap().to_owned())
            .collect();
        (response.status(), cookies)
    };
    let moves = format!("/games/{id}/moves");
    let invented = Secret::random();
    let (status, cookies) = answer("POST", &moves, &invented).await;
    assert_eq!((status, cookies), (StatusCode::FORBIDDEN, Vec::new()));
    let (status, cookies) = answer("POST", "/games", &invented).await;
    assert!(status.is_client_error() || !cookies[0].contains(invented.text()));
    let (status, cookies) = answer("POST", &moves, &player).await;
    assert_eq!(status, StatusCode::OK);
    let [cookie] = &cookies[..] else {
        panic!("one cookie: {cookies:?}");
    };
    assert!(cookie.starts_with(&format!("papan-visitor={}.", player.text())));
    let (status, cookies) = answer("GET", "/studies", &student).await;
    assert_eq!(status, StatusCode::OK);
    assert!(cookies[0].contains(student.text()), "{cookies:?}");
}

#[tokio::test]
async fn too_many_changes_are_answered_429() {
    let site = Site::with(Settings {
        changes_per_second: 0.5,
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let mut statuses = Vec::new();
    for _ in 0..6 {
        let new_game = json!({ "game": "tictactoe" });
        statuses.push(ann.json(&site, "POST", "/games", new_game).await.0);
    }
    assert_eq!(statuses[4], StatusCode::CREATED);
    assert_eq!(statuses[5], StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_refused_request_whose_body_is_unread_closes_the_connection() {
    let site = Site::with(Settings {
        changes_per_second: 0.1,
        ..Settings::default()
    })
    .await;
    let send = async || {
        let body = json!({ "game": "tictactoe" }).to_string();
        let request = Request::post("/games")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .unwrap();
        site.send(request).await
    };
    assert_eq!(send().await.status(), StatusCode::CREATED);
    let refused = send().await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.headers()[header::CONNECTION], "close");
}

#[tokio::test]
async fn every_read_has_a_cost() {
    let site = Site::with(Settings {
        reads_per_second: 0.5,
        ..patient()
    })
    .await;
    let (_, _, game) = friends(&site).await;
    let mut ann = Person::default();
    let svg = format!("{game}/board.svg");
    for path in ["/", &game, &svg, "/lobby", "/laboratory"] {
        assert_eq!(ann.page(&site, path).await.0, StatusCode::OK, "{path}");
    }
    for path in ["/", &game, &svg, "/lobby", "/nowhere", "/me"] {
        let (status, _) = ann.page(&site, path).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
}

#[tokio::test]
async fn pictures_of_games_are_expensive_pages() {
    let site = Site::with(Settings {
        pages_per_second: 0.1,
        ..patient()
    })
    .await;
    let (_, _, game) = friends(&site).await;
    let png = async || {
        let request = Request::get(format!("{game}/board.png"));
        let response = site.send(request.body(Body::empty()).unwrap()).await;
        response.status()
    };
    assert_eq!(png().await, StatusCode::OK);
    assert_eq!(png().await, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn a_body_has_a_size_limit_and_a_media_type() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let large = json!({ "game": "x".repeat(100_000) });
    let (status, _) = ann.json(&site, "POST", "/games", large).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let request = Request::post("/games")
        .header(header::CONTENT_TYPE, "text/xml")
        .header(header::ACCEPT, "application/json")
        .body(Body::from("<game/>"))
        .unwrap();
    assert_eq!(site.send(request).await.status(), StatusCode::BAD_REQUEST);
    let (status, _) = ann
        .json(&site, "POST", "/games", json!({ "game": 5 }))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_malformed_request_is_answered_with_the_parser_error() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, answer) = ann
        .json(&site, "GET", "/proof?game=tictactoe", Value::Null)
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let detail = answer["detail"].as_str().unwrap();
    assert!(detail.contains("missing field `strategy`"), "{detail}");
    let (_, answer) = ann
        .json(&site, "POST", "/games", json!({ "game": 5 }))
        .await;
    let detail = answer["detail"].as_str().unwrap();
    assert!(detail.contains("expected a string"), "{detail}");
    let wrong = "/analysis?moves=5+1+1";
    let (_, answer) = ann.json(&site, "GET", wrong, Value::Null).await;
    let sentence = "Move 3: 1 is occupied. Choose an empty cell.";
    assert_eq!(answer["error"], sentence);
}

#[tokio::test]
async fn the_language_switch_is_not_an_open_redirect() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (back, place) in [
        ("/analysis", "/analysis"),
        ("//elsewhere.example", "/"),
        ("https://elsewhere.example", "/"),
        ("/\\elsewhere.example", "/"),
    ] {
        let back = back
            .replace(':', "%3A")
            .replace('/', "%2F")
            .replace('\\', "%5C");
        let body = format!("language=id&back={back}");
        let (status, found, _) = ann.form(&site, "/language", &body).await;
        assert_eq!((status, found.as_str()), (StatusCode::SEE_OTHER, place));
    }
}

#[tokio::test]
async fn unknown_urls_and_methods_are_distinguished() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, _) = ann
        .json(&site, "GET", "/games/AAAAAAAAAAAAAAAAAAAAAAAA", Value::Null)
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, page) = ann.page(&site, "/nowhere").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(page.contains("Page not found."));
    let (status, _) = ann.json(&site, "GET", "/games", Value::Null).await;
    assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn expensive_pages_are_bounded_and_limited_per_address() {
    let site = Site::with(Settings {
        pages_per_second: 0.5,
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let many: Vec<String> = (1..=50).map(|cell| cell.to_string()).collect();
    let path = format!("/analysis?game=tictactoe:20x20:5&others={}", many.join("."));
    let (status, _) = ann.page(&site, &path).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    let mut statuses = Vec::new();
    for cell in 1..=6 {
        let path = format!("/analysis?game=tictactoe&moves={cell}");
        statuses.push(ann.page(&site, &path).await.0);
    }
    assert_eq!(statuses[3], StatusCode::OK);
    assert_eq!(statuses[4], StatusCode::TOO_MANY_REQUESTS);
    // A cached page takes no token.
    let (status, page) = ann.page(&site, "/analysis?game=tictactoe&moves=1").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("O to move"));
    let (_, page) = Person::speaking("id")
        .page(&site, "/analysis?game=tictactoe&moves=1")
        .await;
    assert!(!page.contains("O to move"), "every language has its own");
}

#[tokio::test]
async fn embedding_is_opt_in_and_read_only() {
    for embedding in [false, true] {
        let site = Site::with(Settings {
            embedding,
            studies_per_second: 1e6,
            ..patient()
        })
        .await;
        let look = async |path: &str| {
            let request = axum::http::Request::get(path).header("accept", "text/html");
            let response = site
                .send(request.body(axum::body::Body::empty()).unwrap())
                .await;
            assert_eq!(response.status(), StatusCode::OK);
            let policy = response.headers()["content-security-policy"]
                .to_str()
                .unwrap();
            let framed = policy.contains("frame-ancestors *");
            assert_eq!(framed, !response.headers().contains_key("x-frame-options"));
            framed
        };
        assert_eq!(look("/embed?game=othello&moves=f5d6").await, embedding);
        assert!(!look("/analysis?game=othello&moves=f5d6").await);
        let (_, page) = Person::default()
            .page(&site, "/embed?game=othello&moves=f5d6")
            .await;
        assert!(!page.contains("<form"), "nothing in it changes anything");
        let proof = "/embed/proof?game=tictactoe&strategy=greedy&as=first";
        assert_eq!(look(proof).await, embedding);
        let page = until(async || {
            let (_, page) = Person::default().page(&site, proof).await;
            page.contains("greedy as X on Tic-tac-toe: can lose")
                .then_some(page)
        })
        .await;
        // The lost game is on the board, and its links stay inside the frame.
        assert!(page.contains("role=\"grid\"") && page.contains("href=\"/embed?game="));
        assert!(!page.contains("<form") && !page.contains("href=\"/analysis"));
    }
}

#[tokio::test]
async fn the_terms_of_a_strategy_are_explained() {
    let site = Site::new().await;
    let path = "/analysis?game=tictactoe&moves=5&strategy=branch-and-bound";
    let (_, page) = Person::default().page(&site, path).await;
    assert!(page.contains("defence cost") && page.contains("attack cost"));
    let path = "/analysis?game=tictactoe&moves=5&strategy=greedy";
    let (_, page) = Person::default().page(&site, path).await;
    assert!(page.contains("-p + l"));
    let head = page
        .split("<thead>")
        .nth(1)
        .unwrap()
        .split("</thead>")
        .next()
        .unwrap();
    assert!(
        !head.contains("Score"),
        "a column without an entry is left out"
    );
}

/// Requests a page as another host and returns its status and text.
async fn as_host(site: &Site, path: &str, host: &str) -> (StatusCode, String) {
    let request = Request::get(path)
        .header(header::HOST, host)
        .header(header::ACCEPT, "text/html")
        .body(Body::empty())
        .unwrap();
    let response = site.send_unchanged(request).await;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await;
    (status, String::from_utf8(body.unwrap().to_vec()).unwrap())
}

#[tokio::test]
async fn a_host_cannot_poison_the_page_cache() {
    let site = Site::with(Settings {
        hosts: vec!["first.example".into(), "second.example".into()],
        ..patient()
    })
    .await;
    for path in ["/embed?game=othello&moves=f5d6", "/analysis?game=othello"] {
        let (status, _) = as_host(&site, path, "first.example").await;
        assert_eq!(status, StatusCode::OK);
        let (status, page) = as_host(&site, path, "second.example").await;
        assert_eq!(status, StatusCode::OK);
        assert!(!page.contains("first.example"), "{path}");
    }
}

#[tokio::test]
async fn only_known_hosts_are_served() {
    let site = Site::with(Settings {
        hosts: vec!["club.example".into()],
        ..patient()
    })
    .await;
    for (host, expected) in [
        ("localhost:7272", StatusCode::OK),
        ("192.0.2.7", StatusCode::OK),
        ("[2001:db8::7]:7272", StatusCode::OK),
        ("club.example", StatusCode::OK),
        ("evil.example", StatusCode::MISDIRECTED_REQUEST),
    ] {
        assert_eq!(as_host(&site, "/", host).await.0, expected, "{host}");
    }
    let nameless = Request::get("/").body(Body::empty()).unwrap();
    let response = site.send_unchanged(nameless).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    let twice = Request::get("/")
        .header(header::HOST, "localhost")
        .header(header::HOST, "evil.example");
    let response = site.send(twice.body(Body::empty()).unwrap()).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    // With a public URL no response depends on the host.
    let site = Site::with(Settings {
        public_url: Some("https://play.example".into()),
        ..patient()
    })
    .await;
    assert_eq!(as_host(&site, "/", "upstream").await.0, StatusCode::OK);
}
