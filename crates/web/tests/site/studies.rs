//! Analysis, explanation, review, import.

use std::time::Duration;

use axum::http::StatusCode;
use papan_web::Settings;
use serde_json::{Value, json};

use crate::{Person, Site, patient, until};

#[tokio::test]
async fn every_position_has_a_url_and_every_legal_move_a_link() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, page) = ann.page(&site, "/analysis?game=othello&moves=f5").await;
    assert_eq!(status, StatusCode::OK);
    for reply in ["f5d6", "f5f4", "f5f6"] {
        assert!(page.contains(&format!("moves={reply}\"")), "{reply}");
    }
    let (status, _) = ann.page(&site, "/analysis?game=othello&moves=a1").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn a_decision_is_explained_on_the_board_and_as_json() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let place = "/analysis?game=tictactoe&moves=5&strategy=branch-and-bound";
    let (status, page) = ann.page(&site, place).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("branch-and-bound plays "), "{page}");
    assert!(!page.contains("cd = "), "a column has a name: {page}");
    assert!(page.contains(r#"<th scope="col">cd</th>"#), "{page}");
    assert!(page.contains("class=\"chosen\""));
    let (_, answer) = ann.json(&site, "GET", place, Value::Null).await;
    let candidates = answer["decision"]["candidates"].as_array().unwrap();
    assert_eq!(candidates.len(), 8);
    assert!(!candidates[0]["terms"].as_array().unwrap().is_empty());
    let why = answer["why"].as_str().unwrap();
    assert!(why.contains("comes first") && page.contains(why), "{why}");
}

#[tokio::test]
async fn proved_scores_are_marked_and_a_win_is_shown_move_by_move() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let place = "/analysis?game=tictactoe:5x6:4&strategy=engine";
    let (status, page) = ann.page(&site, place).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("wins in at most 17, proved"), "{page}");
    assert!(page.contains("The win, move by move: 1. "), "{page}");
    let (_, answer) = ann.json(&site, "GET", place, Value::Null).await;
    let best = &answer["decision"]["candidates"][0];
    let known = [
        &best["score"],
        &best["bound"],
        &best["plies"],
        &best["proof"],
    ];
    assert_eq!(json!(known), json!([1, "exact", 17, true]));
    // There is no proof for the second player.
    let new_game = json!({ "game": "tictactoe:5x6:4", "first": "human", "second": "perfect" });
    let (status, answer) = ann.json(&site, "POST", "/games", new_game).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer
            .to_string()
            .contains("can play 5x6 as first player only"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_cached_decision_takes_no_token() {
    let site = Site::with(Settings {
        // The bucket holds ten seconds of tokens: one request.
        studies_per_second: 0.1,
        ..Settings::default()
    })
    .await;
    let mut ann = Person::default();
    let place = "/analysis?game=tictactoe&moves=5&strategy=perfect";
    for _ in 0..5 {
        let (status, page) = ann.page(&site, place).await;
        assert_eq!(status, StatusCode::OK);
        assert!(page.contains("class=\"chosen\""));
    }
    // Another position needs a token. The page is shown without scores.
    let (status, page) = ann.page(&site, &place.replace("=5&", "=1&")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!page.contains("class=\"chosen\"") && page.contains("The engine is busy"));
    let other = place.replace("=5&", "=1&");
    let (status, _) = ann.json(&site, "GET", &other, Value::Null).await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
}

/// Returns the exact scores of a review.
fn curve(review: &Value) -> Vec<i64> {
    let scores = review["curve"].as_array().unwrap().iter();
    let exact = |score: &Value| {
        assert_eq!(score["bound"], "exact", "{score}");
        score["score"].as_i64().unwrap()
    };
    scores.map(exact).collect()
}

/// Waits until a review is done.
async fn finished_review(who: &mut Person, site: &Site, place: &str) -> Value {
    until(async || {
        let (_, review) = who.json(site, "GET", place, Value::Null).await;
        (review["done"] == review["positions"]).then_some(review)
    })
    .await
}

#[tokio::test]
async fn a_review_finds_the_mistake_and_the_better_move() {
    let site = Site::new().await;
    let mut ann = Person::default();
    // After 5, the edge 2 loses; a corner draws.
    let place = "/review?game=tictactoe&moves=5+2";
    let review = finished_review(&mut ann, &site, place).await;
    assert_eq!(review["moves"][0]["mistake"], false);
    assert_eq!(review["moves"][1]["mistake"], true);
    assert_eq!(review["moves"][0]["grade"], Value::Null);
    assert_eq!(review["moves"][1]["grade"], "mistake");
    assert_eq!(review["moves"][1]["better"], "1");
    assert_eq!(curve(&review), [0, 0, 1]);
    let (_, page) = ann.page(&site, place).await;
    assert!(page.contains("<polyline"));
    // At the end the bar is the first player's.
    assert!(page.contains("aria-label=\"X: wins"), "{page}");
    assert!(page.contains("2. O 2: mistake: draw → X wins. Better: 1"));
    assert!(page.contains("X: no mistakes, accuracy 100 %"), "{page}");
    assert!(
        page.contains("O: one mistake (1 ?), accuracy 9 %"),
        "{page}"
    );
    // The better line can be stepped through, and the position tried again.
    let better = page.split("<td>? ").nth(1).unwrap();
    let better = better
        .split("href=\"")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let better = better.replace("&#38;", "&").replace("&amp;", "&");
    let (status, line) = ann.page(&site, &better).await;
    assert_eq!(status, StatusCode::OK, "{better}");
    assert!(
        line.contains(r#"<span class="quiet-count">2.</span> 2</a>"#),
        "the game is a variation of the better line"
    );
    assert!(
        page.contains("id=\"try-again\" href=\"/review?game=tictactoe"),
        "{page}"
    );
    for (tried, said) in [
        ("%3F", "Find a better move than 2."),
        ("1", "1 is the best move!"),
        ("9", "9 is good."),
        ("4", "4 is a mistake (?). Try another move."),
    ] {
        let (_, page) = ann
            .page(&site, &format!("{place}&ply=2&tried={tried}"))
            .await;
        assert!(page.contains(said), "{tried}: {page}");
    }
    // The better move is marked, and analysis begins before the mistake.
    assert!(page.contains("1, row 1, column 1, empty, chosen, ✓"));
    let closer = "/analysis?game=tictactoe&#38;moves=5+2&#38;ply=1&#38;strategy=perfect";
    assert!(page.contains(closer), "{page}");
    let (_, page) = ann.page(&site, &format!("{place}&ply=1")).await;
    assert!(page.contains("1. X 5: good"));
    assert!(page.contains("rel=\"mistake-on\" href=\"/review?game=tictactoe&#38;moves=5+2\""));
}

/// The lost game of a review of 15x15: the engine searches it position by position.
const GOMOKU: &str =
    "/review?game=tictactoe:15x15:5&moves=113+145+129+112+97+98+143+157+99+141+127+125";

#[tokio::test]
async fn a_running_review_claims_nothing_that_it_has_not_computed() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, page) = ann.page(&site, GOMOKU).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("Reviewing…"), "{page}");
    for claim in ["no mistakes", "one mistake", ", accuracy ", "review-sides"] {
        assert!(!page.contains(claim), "{claim}: {page}");
    }
    let review = finished_review(&mut ann, &site, GOMOKU).await;
    let (_, page) = ann.page(&site, GOMOKU).await;
    assert!(!page.contains("Reviewing…"));
    assert!(
        page.contains("<ul class=\"review-sides\"><li>X: "),
        "{page}"
    );
    // O e9 leaves a won position to X. A busy machine may not find that; page and JSON say the same.
    let is_graded = !review["moves"][11]["grade"].is_null();
    let said = page.split("id=\"move-12\"").nth(1).unwrap();
    let said = said.split("</tr>").next().unwrap();
    let grades = ["inaccuracy", "mistake", "blunder", "turning point"];
    let is_said = grades.iter().any(|grade| said.contains(grade));
    assert_eq!(is_said, is_graded, "{said} {review:#}");
    assert!(!(is_graded && said.contains("good")), "{said}");
}

#[tokio::test]
async fn a_review_resumes_after_a_restart() {
    let site = Site::with(Settings {
        study_time: Duration::from_millis(100),
        ..patient()
    })
    .await;
    let mut ann = Person::default();
    let place = "/review?game=othello&moves=f5d6c3d3c4f4f6f3e6e7";
    let known = until(async || {
        let (status, review) = ann.json(&site, "GET", place, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{review}");
        review["done"].as_u64().filter(|known| *known >= 3)
    })
    .await;
    let site = site.restarted().await;
    let (_, review) = ann.json(&site, "GET", place, Value::Null).await;
    // The last position may have been evaluated and not yet stored.
    assert!(review["done"].as_u64().unwrap() >= known - 1, "{review}");
    finished_review(&mut ann, &site, place).await;
}

/// Waits until a proof has ended.
async fn proof(site: &Site, place: &str) -> Value {
    let mut ann = Person::default();
    until(async || {
        let (status, proof) = ann.json(site, "GET", place, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{proof}");
        (proof["done"] == true).then_some(proof)
    })
    .await
}

#[tokio::test]
async fn a_proof_is_stored_across_a_restart() {
    let site = Site::new().await;
    let place = "/proof?game=tictactoe&strategy=greedy&as=first";
    let found = proof(&site, place).await;
    let site = site.restarted().await;
    let mut ann = Person::default();
    let (_, again) = ann.json(&site, "GET", place, Value::Null).await;
    assert_eq!(again, found);
}

#[tokio::test]
async fn an_interrupted_proof_starts_again_and_proofs_queue() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let mut answers = Vec::new();
    // Each of these takes a minute; the first one blocks the others.
    for depth in 1..=5 {
        let place = format!("/proof?game=tictactoe:4x4&strategy=mcts(seed={depth})&as=second");
        answers.push(ann.json(&site, "GET", &place, Value::Null).await);
    }
    let statuses: Vec<u16> = answers.iter().map(|(status, _)| status.as_u16()).collect();
    assert_eq!(statuses, [200, 200, 200, 200, 429]);
    let site = site.restarted().await;
    let kept = site
        .state
        .store
        .study("proof tictactoe:4x4 mcts(seed=1) second");
    assert_eq!(kept.await.unwrap(), None);
}

#[tokio::test]
async fn a_proof_never_loses_or_shows_the_lost_game() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for (strategy, verdict) in [("perfect", "never-loses"), ("random", "can-lose")] {
        let place = format!("/proof?game=tictactoe&strategy={strategy}&as=second");
        let proof = proof(&site, &place).await;
        assert_eq!(proof["verdict"], verdict);
        let (_, page) = ann.page(&site, &place).await;
        let beaten = page.contains("The game, step by step");
        assert_eq!(beaten, verdict == "can-lose");
        assert_eq!(page.contains("role=\"grid\""), beaten, "{strategy}");
        let Some((_, list)) = page.split_once("<ol class=\"move-list\">") else {
            assert!(!beaten);
            continue;
        };
        // A list from 1, whose first entry is the first move.
        let (list, _) = list.split_once("</ol>").unwrap();
        let moves = proof["losing_line"].as_array().unwrap();
        let entries: Vec<&str> = list.split("<li>").skip(1).collect();
        assert_eq!(entries.len(), moves.len(), "{list}");
        for (ply, (entry, mv)) in (1..).zip(entries.iter().zip(moves)) {
            let mv = mv.as_str().unwrap();
            assert!(
                entry.contains(&format!("&#38;ply={ply}\">{mv}</a>")),
                "{entry}"
            );
        }
        // The board shows the end of that game.
        let empty = page.matches(", empty").count();
        assert_eq!(moves.len(), 9 - empty, "{page}");
    }
    let (status, _) = ann
        .page(&site, "/proof?game=othello&strategy=random&as=first")
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

/// The attack table of document 000, corrected.
const ATTACK: &str = include_str!("../../../../data/automata/attack.txt");

#[tokio::test]
async fn an_automaton_is_drawn_and_an_invalid_table_is_explained() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, page) = ann.page(&site, "/automaton").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("States: ") && page.contains("<svg"));
    assert!(!page.contains("<style") && !page.contains(" style="));
    // It shows the attack table, and checks it.
    for row in ATTACK.lines().filter(|row| row.starts_with(['-', 'w'])) {
        assert!(page.contains(row), "{row}");
    }
    assert!(page.contains("<ul class=\"check\">"), "{page}");
    // The stylesheet has the rules that a standalone drawing carries.
    let sheet = page.split('"').find(|part| part.ends_with("/papan.css"));
    let (_, css) = ann.file(&site, sheet.unwrap()).await;
    let css = String::from_utf8(css).unwrap();
    assert!(papan_view::SVG_STYLESHEET.contains(".chosen{"));
    for rule in papan_view::SVG_STYLESHEET.split_inclusive('}') {
        assert!(css.contains(&format!("\n.drawing {rule}")), "{rule}");
    }
    let (status, _, _) = ann.form(&site, "/automaton", "table=nonsense").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // A pasted table is checked: with this flag a win is missed.
    let right = "wo-x-----o|7|5";
    assert!(ATTACK.contains(right));
    let sentences = async |table: &str| {
        let body = serde_urlencoded::to_string([("table", table)]).unwrap();
        let (status, _, page) = Person::default().form(&site, "/automaton", &body).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        let (_, list) = page.split_once("<ul class=\"check\">").unwrap();
        list.split("</ul>").next().unwrap().to_owned()
    };
    let good = sentences(ATTACK).await;
    let wrong = ATTACK.replace(right, "-o-x-----o|7|5");
    let found = sentences(&wrong).await;
    let line = 1 + ATTACK.lines().position(|row| row == right).unwrap();
    let fault = format!("line {line}: the flag should be w");
    assert!(found.contains(&fault), "{found}");
    assert!(!good.contains("the flag should be"), "{good}");
}

#[tokio::test]
async fn moves_and_records_are_imported() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, place, _) = ann.form(&site, "/import", "game=othello&text=f5d6c3").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(place, "/analysis?game=othello&moves=f5d6c3");
    let (_, place, _) = ann
        .form(&site, "/import", "game=othello&text=1.+F5+D6%0A2.+C3")
        .await;
    assert_eq!(place, "/analysis?game=othello&moves=f5d6c3");
    let (_, place, _) = ann
        .form(&site, "/import", "game=tictactoe&text=X--/-O-/--X+o")
        .await;
    assert_eq!(place, "/analysis?game=tictactoe&start=X--%2F-O-%2F--X+o");
    let (status, _) = ann.page(&site, &place).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _, page) = ann.form(&site, "/import", "game=othello&text=f5a1").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("Move 2: a1 flips no discs"), "{page}");
    let record = "papan%20record%201%0Agame%3A%20tictactoe%0Afirst%3A%20a%0Asecond%3A%20b%0Amoves%3A%205%201%0Aresult%3A%20unfinished";
    let (_, place, _) = ann.form(&site, "/import", &format!("text={record}")).await;
    assert_eq!(place, "/analysis?game=tictactoe&moves=5+1&names=a%7Cb");
    let broken = record.replace("5%201", "5%205");
    let (status, _, page) = ann.form(&site, "/import", &format!("text={broken}")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("Line 5, column 10"), "{page}");
}

#[tokio::test]
async fn records_of_other_programs_are_imported() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let ggf = "%28%3BGM%5BOthello%5DPB%5BAnn%5DPW%5BBo%5DTY%5B8%5DBO%5B8%20--------%20--------%20--------%20---O%2A---%20---%2AO---%20--------%20--------%20--------%20%2A%5DB%5Bf5%5DW%5Bd6%5DB%5Bc3%5D%3B%29";
    let (_, place, _) = ann
        .form(&site, "/import", &format!("game=tictactoe&text={ggf}"))
        .await;
    assert_eq!(place, "/analysis?game=othello&moves=f5d6c3&names=Ann%7CBo");
    let broken = "Piskvorky%2015x15%2C%201%3A0%2C%201%0A99%2C1%2C0%0A";
    let (status, _, page) = ann.form(&site, "/import", &format!("text={broken}")).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(page.contains("line 2"), "{page}");
}

#[tokio::test]
async fn health_and_metrics_are_exposed() {
    let site = Site::new().await;
    let mut ann = Person::default();
    let (status, health) = ann.json(&site, "GET", "/health", Value::Null).await;
    assert_eq!((status, &health["status"]), (StatusCode::OK, &json!("ok")));
    ann.form(&site, "/games", "game=tictactoe&mode=screen")
        .await;
    let (_, metrics) = ann.page(&site, "/metrics").await;
    assert!(metrics.contains("\npapan_games_total 1\n"), "{metrics}");
    assert!(metrics.contains("papan_response_seconds_bucket{le=\"+Inf\"}"));
}

#[tokio::test]
async fn the_end_of_a_review_is_solved_as_in_the_terminal() {
    let site = Site::new().await;
    let mut ann = Person::default();
    // A full board of 25 cells, of which the engine does not solve the end by itself.
    let game: papan_catalog::AnyGame = "tictactoe:5x5:4".parse().unwrap();
    let mut line = game.line();
    while line.outcome().is_none() && line.moves().len() < 22 {
        let legal = line.legal_moves();
        let mv = legal[line.moves().len() * 7 % legal.len()];
        line.play(mv).unwrap();
    }
    let moves = line.text().replace(' ', "+");
    let place = format!("/review?game=tictactoe:5x5:4&moves={moves}");
    let review = finished_review(&mut ann, &site, &place).await;
    let each = papan_catalog::review::ReviewTime::Each(site.state.settings.study_time);
    let mut reviewer = papan_catalog::review::Reviewer::new(&game, None, 1).unwrap();
    let watch = papan_strategies::Watch::default();
    let clock = papan_strategies::SystemClock;
    let insights = reviewer.review(&*line, each, &watch, &clock).unwrap();
    let reviewed = papan_view::review::GameReview::new(&*line, String::new(), &insights);
    let terminal = serde_json::to_value(papan_view::json::Review::new(&reviewed)).unwrap();
    // The first position from which every score is exact.
    let exact_from = |review: &Value| {
        let scores = review["curve"].as_array().unwrap();
        let estimate = scores.iter().rposition(|score| score["bound"] != "exact");
        estimate.map_or(0, |at| at + 1)
    };
    let from = exact_from(&review).max(exact_from(&terminal));
    assert!(from + 6 <= line.moves().len(), "{review}");
    // From where both know every position, all words and numbers are the same. The time decides how
    // long a principal variation is, and whether a score was searched or follows from the next one.
    for at in from..line.moves().len() {
        let of = |review: &Value| {
            let mut judged = review["moves"][at].clone();
            judged["pv"] = judged["pv"].get(0).cloned().into();
            for place in ["before", "after"] {
                judged[place] = score_only(&judged[place]);
            }
            (judged, score_only(&review["curve"][at]))
        };
        assert_eq!(of(&review), of(&terminal), "{at}");
    }
    assert_eq!(review["complete"], true);
}

/// Returns a score without how it is known.
fn score_only(score: &Value) -> Value {
    let mut score = score.clone();
    if let Some(fields) = score.as_object_mut() {
        fields.retain(|name, _| name != "proof" && name != "plies");
    }
    score
}

/// A review of `5 2` as papan 0.1.0 stored it: scores without a unit, wrong on purpose.
const OLD_REVIEW: &str = r#"{"insights":[
    {"best":"1","score":{"proven":{"value":1,"plies":5}},"moves":[["1",{"proven":{"value":1,"plies":5}}]]},
    {"best":"2","score":{"estimate":0.25},"moves":[["2",{"at-most":-1}],["3",{"at-least":1}]]},
    {"best":null,"score":null,"moves":[]}],"failure":null}"#;

#[tokio::test]
async fn a_review_stored_by_papan_0_1_0_is_computed_again() {
    let site = Site::new().await;
    let study = papan_store::StoredStudy {
        subject: "review tictactoe perfect [] 5 2".into(),
        body: OLD_REVIEW.into(),
        at: 0,
    };
    site.state.store.keep_study(study).await.unwrap();
    let mut ann = Person::default();
    let place = "/review?game=tictactoe&moves=5+2";
    let (status, first) = ann.json(&site, "GET", place, Value::Null).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(first["failure"], Value::Null);
    let review = finished_review(&mut ann, &site, place).await;
    assert_eq!(curve(&review), [0, 0, 1]);
    let kept = site
        .state
        .store
        .study("review tictactoe perfect [] 5 2")
        .await;
    let kept = kept.unwrap().unwrap();
    assert!(kept.body.contains(r#""unit":"result""#), "{}", kept.body);
}

#[tokio::test]
async fn a_malformed_query_names_the_missing_field() {
    let site = Site::new().await;
    let mut visitor = Person::default();
    let path = "/proof?game=tictactoe&strategy=greedy&as=third";
    let (status, page) = visitor.page(&site, path).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(page.contains("expected `first` or `second`"), "{page}");
}

/// A level's random errors depend on the game's seed.
#[tokio::test]
async fn the_explanation_of_a_level_matches_the_move_that_it_made() {
    let site = Site::new().await;
    let mut ann = Person::default();
    for opening in ["25", "9", "41"] {
        let new_game = json!({ "game": "tictactoe:7x7:5", "second": "computer(level=1)" });
        let (_, made) = ann.json(&site, "POST", "/games", new_game).await;
        let game = format!("/games/{}", made["id"].as_str().unwrap());
        let moves = format!("{game}/moves");
        ann.json(&site, "POST", &moves, json!({ "move": opening }))
            .await;
        let answer = until(async || {
            let (_, seen) = ann.json(&site, "GET", &game, Value::Null).await;
            seen["moves"][1].as_str().map(str::to_owned)
        })
        .await;
        let (_, page) = ann.page(&site, &format!("{game}?show=why")).await;
        let chosen = format!(r#"<th scope="row">{answer} ✓</th>"#);
        assert!(page.contains(&chosen), "{answer}: {page}");
    }
}
