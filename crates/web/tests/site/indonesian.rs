//! Crawls every page in Indonesian and looks for untranslated English.

use std::time::Duration;

use axum::http::StatusCode;
use papan_web::Settings;
use serde_json::{Value, json};

use crate::{Person, Site, patient, until};

/// Function words of English that do not exist in Indonesian. `on` is missing, because it is
/// the value of a parameter.
const ENGLISH: [&str; 34] = [
    "the", "is", "of", "and", "to", "not", "for", "with", "you", "your", "this", "that", "are",
    "has", "have", "by", "or", "no", "in", "at", "it", "its", "was", "be", "from", "there",
    "which", "than", "every", "move", "moves", "game", "wins", "rule",
];

/// Returns the text and the labels of a page.
fn visible(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(open) = rest.find('<') {
        text.push_str(&rest[..open]);
        text.push('\n');
        let Some(close) = rest[open..].find('>') else {
            break;
        };
        let tag = &rest[open..open + close];
        for attribute in ["aria-label=\"", "placeholder=\"", "alt=\"", "title=\""] {
            if let Some((_, value)) = tag.split_once(attribute) {
                text.push_str(value.split('"').next().unwrap_or(""));
                text.push('\n');
            }
        }
        rest = &rest[open + close + 1..];
        // User input and automaton tables are not translated.
        if tag.starts_with("<textarea") {
            rest = rest.split_once("</textarea>").map_or("", |(_, rest)| rest);
        }
        // Parser errors are marked as English.
        if tag.starts_with("<code lang=\"en\"") {
            rest = rest.split_once("</code>").map_or("", |(_, rest)| rest);
        }
    }
    text
}

/// Returns the sentences of a page that contain an English word.
fn english(page: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || "-_=():".contains(c);
    visible(page)
        .lines()
        .filter(|line| {
            line.split(|c: char| !is_part(c))
                .any(|word| ENGLISH.contains(&word.to_lowercase().as_str()))
        })
        .map(|line| line.trim().to_owned())
        .collect()
}

#[test]
fn english_is_found_where_it_is() {
    let page = "<p aria-label=\"Papan\">Giliran Anda</p><p>It is your turn</p>";
    assert_eq!(english(page), ["It is your turn"]);
    assert_eq!(english("<img alt=\"the board\">"), ["the board"]);
    assert!(english("<p>branch-and-bound (X)</p>").is_empty());
}

/// A crawl that collects sentences in the wrong language.
struct Walk {
    site: Site,
    ann: Person,
    bob: Person,
    found: Vec<String>,
    pages: usize,
}

impl Walk {
    fn read(&mut self, place: &str, page: &str) {
        self.pages += 1;
        assert!(page.contains("<html lang=\"id\""), "{place}: {page}");
        // Document 003 calls a part of its sum `or`.
        let found = english(&page.replace("or = ", ""));
        let found = found.into_iter().map(|line| format!("{place}: {line}"));
        self.found.extend(found);
    }

    async fn look(&mut self, place: &str) -> StatusCode {
        let (status, page) = self.ann.page(&self.site, place).await;
        self.read(place, &page);
        status
    }

    /// Submits a form: a rejection is a page, success redirects to one.
    async fn send(&mut self, path: &str, body: &str) -> (StatusCode, String) {
        let (status, place, page) = self.ann.form(&self.site, path, body).await;
        if status != StatusCode::SEE_OTHER {
            self.read(&format!("{path} {body}"), &page);
        }
        (status, place)
    }
}

async fn walk() -> Walk {
    Walk {
        site: Site::with(Settings {
            studies_per_second: 1000.0,
            changes_per_second: 1000.0,
            study_time: Duration::from_millis(30),
            move_time: Duration::from_millis(30),
            ..patient()
        })
        .await,
        ann: Person::speaking("id"),
        bob: Person::speaking("id"),
        found: Vec::new(),
        pages: 0,
    }
}

#[tokio::test]
async fn pages_of_games_are_indonesian() {
    let mut walk = walk().await;
    let (_, game) = walk
        .send("/games", "game=tictactoe&mode=friend&seat=first&clock=5m")
        .await;
    walk.look(&game).await;
    walk.send(&format!("{game}/moves"), "move=5").await;
    let (_, seen) = walk.ann.json(&walk.site, "GET", &game, Value::Null).await;
    let link = seen["invitation"].as_str().unwrap();
    let link = link.strip_prefix("http://localhost:7272").unwrap();
    let secret = link.rsplit('/').next().unwrap().to_owned();
    walk.look(link).await;
    let accept = json!({ "invitation": secret });
    walk.bob.json(&walk.site, "POST", "/join", accept).await;
    let back = format!("{game}/take-back");
    walk.send(&back, "").await;
    walk.send(&back, "answer=perhaps").await;
    walk.send(&back, "answer=agree").await;
    walk.send(&format!("{game}/rematch"), "").await;
    for wrong in [
        "move=99",
        "move=x",
        "move=",
        "move=5&version=0",
        "nothing=5",
    ] {
        walk.send(&format!("{game}/moves"), wrong).await;
    }
    walk.send(&format!("{game}/moves"), "move=5").await;
    walk.look(&game).await;
    walk.send(&format!("{game}/moves"), "move=1").await;
    walk.look(&format!("{game}?show=hint")).await;
    walk.bob
        .json(&walk.site, "POST", &back, json!({ "answer": "ask" }))
        .await;
    walk.send(&back, "answer=ask").await;
    walk.look(&game).await;
    let ended = format!("{game}/resignation");
    walk.bob.json(&walk.site, "POST", &ended, json!({})).await;
    walk.look(&game).await;
    walk.look(&format!("{game}?ply=0")).await;
    let rematch = format!("{game}/rematch");
    walk.bob.json(&walk.site, "POST", &rematch, json!({})).await;
    walk.look(&game).await;
    walk.send(&rematch, "").await;
    walk.look(&game).await;
    let mut eve = Person::speaking("id");
    let body = format!("invitation={secret}");
    let (status, _, page) = eve.form(&walk.site, "/join", &body).await;
    assert_eq!(status, StatusCode::GONE);
    walk.read("/join", &page);
    assert_eq!(walk.found, Vec::<String>::new(), "{} pages", walk.pages);
}

#[tokio::test]
async fn explanations_of_strategies_are_indonesian() {
    let mut walk = walk().await;
    // For every strategy: the game, a hint, the explanation of its move.
    for recipe in papan_catalog::STRATEGIES {
        let board = match recipe.families()[0] {
            "othello" => "othello",
            _ => "tictactoe",
        };
        let name = recipe.name;
        let moves = if board == "othello" { "f5d6" } else { "5+1" };
        walk.look(&format!(
            "/analysis?game={board}&moves={moves}&strategy={name}"
        ))
        .await;
        let body = format!("game={board}&mode=computer&seat=second&opponent={name}");
        let (status, game) = walk.send("/games", &body).await;
        if status != StatusCode::SEE_OTHER {
            continue;
        }
        until(async || {
            let (_, seen) = walk.ann.json(&walk.site, "GET", &game, Value::Null).await;
            (seen["version"] != 0).then_some(())
        })
        .await;
        for page in ["", "?show=why", "?show=hint"] {
            walk.look(&format!("{game}{page}")).await;
        }
    }
    // An automaton without a row for a position that its own play never reaches.
    let lost = "game=tictactoe&mode=computer&seat=first&opponent=automaton&start=XOXOXO---+X";
    let (status, game) = walk.send("/games", lost).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    walk.send(&format!("{game}/moves"), "move=8").await;
    until(async || {
        let (_, seen) = walk.ann.json(&walk.site, "GET", &game, Value::Null).await;
        (!seen["result"].is_null()).then_some(())
    })
    .await;
    let (_, page) = walk.ann.page(&walk.site, &game).await;
    assert!(page.contains("tabel tidak punya baris"), "{page}");
    walk.look(&game).await;
    walk.look("/analysis?start=XOXOXO-X-+O&strategy=automaton")
        .await;
    assert_eq!(walk.found, Vec::<String>::new(), "{} pages", walk.pages);
}

#[tokio::test]
async fn the_laboratory_is_indonesian() {
    let mut walk = walk().await;
    for place in [
        "/",
        "/laboratory",
        "/lobby",
        "/me",
        "/puzzles",
        "/automaton",
        "/analysis",
        "/analysis?game=othello&moves=f5",
        "/analysis?moves=1+4+2+5+3",
        "/analysis?moves=5+1&ply=1&others=5+2",
        "/analysis/setup",
        "/analysis/setup?game=othello&start=X",
        "/analysis/setup?start=XXX------+O",
        "/analysis?game=gomoku&moves=h8+a1+i8+a3+j8",
        "/rules",
        "/rules/tictactoe",
        "/rules/gomoku",
        "/rules/renju",
        "/rules/othello",
        "/about",
        "/studies",
        "/embed?game=othello&moves=f5d6",
        "/trace?game=tictactoe&moves=1+5+9+3&strategy=alphabeta&step=60&open=2",
        "/trace?game=othello&strategy=alphabeta(depth=2)&predict=1",
        "/review?moves=5+2",
        "/review?game=othello&moves=f5d6",
    ] {
        assert_eq!(walk.look(place).await, StatusCode::OK, "{place}");
    }
    for thesis in [
        "game=tictactoe&strategy=perfect&as=second",
        "game=tictactoe&strategy=random&as=second",
        "game=tictactoe:4x4&strategy=mcts&as=first",
        "game=othello&strategy=random&as=first",
    ] {
        let place = format!("/proof?{thesis}");
        walk.look(&place).await;
        until(async || {
            let (status, seen) = walk.ann.json(&walk.site, "GET", &place, Value::Null).await;
            (status != StatusCode::OK || seen["done"] == true).then_some(())
        })
        .await;
        walk.look(&place).await;
    }
    until(async || {
        let place = "/review?moves=5+2";
        let (_, seen) = walk.ann.json(&walk.site, "GET", place, Value::Null).await;
        (seen["done"] == seen["positions"]).then_some(())
    })
    .await;
    walk.look("/review?moves=5+2").await;
    assert_eq!(walk.found, Vec::<String>::new(), "{} pages", walk.pages);
}

#[tokio::test]
async fn puzzles_studies_and_watched_games_are_indonesian() {
    let mut walk = walk().await;
    // A puzzle of each game: the task, a wrong move, the solution.
    for game in papan_catalog::puzzles::GENERATED {
        let next = format!("/puzzles/next?game={game}");
        let (_, place) = walk.ann.led(&walk.site, &next).await;
        walk.look(&place).await;
        let (_, page) = walk.ann.page(&walk.site, &place).await;
        let moves = page.split("name=\"move\" value=\"").skip(1);
        let moves = moves.map(|part| part.split('"').next().unwrap().to_owned());
        for mv in moves.collect::<Vec<_>>().into_iter().take(2) {
            walk.send(&place, &format!("tried=&move={mv}")).await;
        }
        let solution = page.split("id=\"solution\" href=\"").nth(1).unwrap();
        let solution = solution.split('"').next().unwrap().replace("&#38;", "&");
        walk.look(&solution).await;
    }
    walk.look("/puzzles").await;
    let study = "name=Pembukaan&address=%2Fanalysis%3Fgame%3Dothello%26moves%3Df5d6";
    walk.send("/studies", study).await;
    walk.look("/studies").await;
    for body in [
        "game=tictactoe&mode=watch&first=greedy&second=random",
        "game=gomoku&mode=screen&opening_rule=swap2",
        "game=othello&mode=lobby&clock=3d%2B3d",
    ] {
        let (status, game) = walk.send("/games", body).await;
        assert_eq!(status, StatusCode::SEE_OTHER, "{body}");
        walk.look(&game).await;
    }
    walk.look("/lobby").await;
    walk.look("/me").await;
    let (_, _, link) = walk.ann.form(&walk.site, "/me/link", "").await;
    walk.read("/me/link", &link);
    let link = link.split("/identity/").nth(1).unwrap();
    let link = format!("/identity/{}", link.split('"').next().unwrap());
    walk.look(&link).await;
    assert_eq!(walk.found, Vec::<String>::new(), "{} pages", walk.pages);
}

#[tokio::test]
async fn rejections_are_indonesian() {
    let mut walk = walk().await;
    for place in [
        "/nowhere",
        "/games",
        "/games/AAAAAAAAAAAAAAAAAAAAAAAA",
        "/join/short",
        "/proof",
        "/analysis?game=tictacto",
        "/analysis?game=chess",
        "/analysis?game=tictactoe:0x3",
        "/analysis?game=tictactoe:1x2x3x4x5",
        "/analysis?game=tictactoe:99x99",
        "/analysis?game=tictactoe:3x3:9",
        "/analysis?game=tictactoe:3xa",
        "/analysis?game=tictactoe:3x3:3:3",
        "/analysis?game=othello:5x5",
        "/analysis?game=othello&moves=a1",
        "/analysis?game=othello&moves=zz",
        "/analysis?moves=5+5",
        "/analysis?moves=77",
        "/analysis?moves=pass",
        "/analysis?moves=1+4+2+5+3+9",
        "/analysis?start=X",
        "/analysis?start=Q--------",
        "/analysis?start=---------",
        "/analysis?start=XXX------+O",
        "/analysis?start=XXXOO----+X",
        "/analysis?start=XXXOOO---+X",
        "/analysis?game=othello:4x4&start=----------------+X",
        "/analysis?strategy=gready",
        "/analysis?strategy=nobody",
        "/analysis?strategy=human",
        "/analysis?strategy=mcts(playouts=0)",
        "/analysis?strategy=mcts(playout=1)",
        "/analysis?strategy=mcts(zzz=1)",
        "/analysis?strategy=perfect(zzz=1)",
        "/analysis?strategy=mcts(seed=1,seed=2)",
        "/analysis?strategy=mcts(seed=1",
        "/analysis?strategy=mcts(seed)",
        "/analysis?strategy=mcts(seed=-1)",
        "/analysis?strategy=greedy(ties=x)",
        "/analysis?strategy=lookup",
        "/analysis?strategy=automaton(file=x)",
        "/analysis?game=othello&strategy=engine(threads=9)",
        "/analysis?game=othello&strategy=greedy",
        "/analysis?game=othello&strategy=perfect",
        "/analysis?game=tictactoe:4x4&strategy=automaton",
        "/games/AAAAAAAAAAAAAAAAAAAAAAAA?ply=x",
    ] {
        let status = walk.look(place).await;
        assert!(status.is_client_error(), "{place}: {status}");
    }
    for (path, body) in [
        ("/games", "game=&mode=screen"),
        (
            "/games",
            "game=othello&mode=watch&first=greedy&second=random",
        ),
        ("/games", "game=tictactoe&mode=screen&minutes=99999"),
        ("/games", "game=tictactoe&mode=screen&clock=0"),
        ("/games", "game=tictactoe&mode=screen&clock=x"),
        ("/language", "language=xx"),
        ("/join", "invitation=x"),
        ("/automaton", "table=q"),
        ("/automaton", "table=-oo"),
        ("/automaton", "table=-o--------x2|7"),
        ("/automaton", "table=-o--------|0|7"),
        ("/automaton", "table=-o--------|2|0"),
        ("/automaton", "table=-o--------|2|77"),
        ("/import", "text=papan+record+9"),
        ("/import", "text=papan+journal+1"),
        ("/import", "text=papan+record+1%0Agame%3A+othello"),
        ("/import", "text=papan+record+1%0Anonsense"),
        ("/import", "text=papan+record+1%0Agame%3A+a%0Agame%3A+b"),
        ("/import", "text=1+1"),
        ("/import", ""),
    ] {
        let (status, _) = walk.send(path, body).await;
        assert!(status.is_client_error(), "{path} {body}: {status}");
    }
    let record =
        "papan record 1\ngame: tictactoe\nfirst: a\nsecond: b\nmoves: 1 4 2\nresult: unfinished";
    for (right, wrong) in [
        ("moves: 1 4 2", "moves: 1 1 2"),
        ("moves: 1 4 2", "moves: 1 q 2"),
        ("unfinished", "draw"),
        ("unfinished", "unfinished (x"),
        ("unfinished", "nobody"),
        ("moves:", "start: XX\nmoves:"),
        ("game: tictactoe", "game: chess"),
    ] {
        let text = record.replace(right, wrong);
        let body = serde_urlencoded::to_string([("text", text.as_str())]).unwrap();
        let (status, _) = walk.send("/import", &body).await;
        assert!(status.is_client_error(), "{text}: {status}");
    }
    assert_eq!(walk.found, Vec::<String>::new(), "{} pages", walk.pages);
}
