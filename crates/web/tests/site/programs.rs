//! Programs of the operator as opponents.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use papan_catalog::{AnyGame, Guest, GuestMove, GuestPlayer, GuestTurn, StrategySpec};
use papan_rules::Move;
use papan_strategies::{Limits, NoMove, ProgramFault};
use papan_web::{OfferedProgram, Settings};
use serde_json::{Value, json};

use crate::{Person, Site, patient, until};

/// A guest that plays the first free cell, and fails when it is asked for a given time by one
/// process.
struct FirstFree {
    /// Number of processes started.
    started: Arc<AtomicUsize>,
    fails_at: usize,
}

struct Process {
    asked: usize,
    fails_at: usize,
}

impl Guest for FirstFree {
    fn name(&self) -> String {
        "move:/opt/secret/path".into()
    }
    fn seat(&self, _: &AnyGame, _: &Limits) -> Result<Box<dyn GuestPlayer>, String> {
        self.started.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(Process {
            asked: 0,
            fails_at: self.fails_at,
        }))
    }
}

impl GuestPlayer for Process {
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
        self.asked += 1;
        if self.asked == self.fails_at {
            let detail = "/opt/secret/path exited".into();
            return Err(NoMove::Program(ProgramFault::Crash, detail));
        }
        let free = turn.position.find('-').unwrap();
        Ok(GuestMove {
            mv: Move::on(free),
            nodes: 0,
            time: Duration::ZERO,
        })
    }
    fn forget(&mut self) {}
}

fn offered(name: &str, started: &Arc<AtomicUsize>, fails_at: usize) -> OfferedProgram {
    let guest = FirstFree {
        started: Arc::clone(started),
        fails_at,
    };
    OfferedProgram {
        name: name.into(),
        strategy: StrategySpec::guest(Arc::new(guest)),
        games: vec!["tictactoe".into()],
        from_start_only: true,
    }
}

fn with(programs: Vec<OfferedProgram>) -> Settings {
    Settings {
        programs,
        ..patient()
    }
}

/// Plays a move and waits until it is the person's turn again or the game is over.
async fn play(who: &mut Person, site: &Site, id: &str, mv: &str) -> Value {
    let path = format!("/games/{id}");
    let (status, state) = who
        .json(
            site,
            "POST",
            &format!("{path}/moves"),
            json!({ "move": mv }),
        )
        .await;
    assert_eq!(status, StatusCode::OK, "{state}");
    until(async || {
        let (_, state) = who.json(site, "GET", &path, Value::Null).await;
        (state["turn"] != "second").then_some(state)
    })
    .await
}

#[tokio::test]
async fn a_program_is_listed_and_plays_its_games_only() {
    let started = Arc::new(AtomicUsize::new(0));
    let site = Site::with(with(vec![offered("Ann 2", &started, 0)])).await;
    let mut who = Person::default();
    let (_, home) = who.page(&site, "/").await;
    let option = "<option value=\"program:Ann 2\" data-families=\"tictactoe\">Ann 2: a program of this server</option>";
    assert!(home.contains(option), "{home}");
    for (game, plays) in [("tictactoe", true), ("tictactoe:4x4", false)] {
        let path = format!("/strategies?game={game}");
        let (_, able) = who.json(&site, "GET", &path, Value::Null).await;
        let able = able["strategies"].as_array().unwrap();
        assert_eq!(able.contains(&json!("program:Ann 2")), plays, "{game}");
    }
    assert_eq!(started.load(Ordering::Relaxed), 0, "lists start nothing");
    let refused = [
        (
            json!({ "game": "othello", "second": "program:Ann 2" }),
            "Ann 2 does not play othello",
        ),
        (
            json!({ "game": "tictactoe", "second": "program:Bob" }),
            "There is no program:Bob here",
        ),
        (
            json!({ "game": "tictactoe", "second": "program:Ann 2", "start": "X---O---- X" }),
            "plays from the start of a game only",
        ),
        (
            json!({ "game": "tictactoe", "second": "move:sh -c true" }),
            "There is no strategy",
        ),
        (
            json!({ "game": "tictactoe", "second": "ugi:sh" }),
            "There is no strategy",
        ),
    ];
    for (body, reason) in refused {
        let (status, answer) = who.json(&site, "POST", "/games", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
        assert!(answer.to_string().contains(reason), "{answer}");
    }
    let body = json!({ "game": "tictactoe", "second": "program:Ann 2" });
    let (status, made) = who.json(&site, "POST", "/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let id = made["id"].as_str().unwrap().to_owned();
    let state = play(&mut who, &site, &id, "5").await;
    assert_eq!(state["moves"], json!(["5", "1"]));
    let state = play(&mut who, &site, &id, "9").await;
    assert_eq!(state["moves"], json!(["5", "1", "9", "2"]));
    assert_eq!(started.load(Ordering::Relaxed), 1, "a process is kept");
    let (_, page) = who.page(&site, &format!("/games/{id}")).await;
    assert!(page.contains("Ann 2") && !page.contains("secret"), "{page}");
    // Explanations of a program are its choice.
    let (_, why) = who.page(&site, &format!("/games/{id}/why")).await;
    assert!(!why.contains("secret"), "{why}");
    // Analyses of visitors never ask a program.
    for path in ["/proof", "/trace", "/analysis"] {
        let path = format!("{path}?game=tictactoe&strategy=program:Ann+2&as=first");
        let (status, _) = who.json(&site, "GET", &path, Value::Null).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{path}");
    }
}

#[tokio::test]
async fn a_program_that_crashes_is_started_again_and_then_loses() {
    let started = Arc::new(AtomicUsize::new(0));
    // Each process answers once: the second question needs a new one.
    let steady = offered("Twice", &started, 2);
    let broken_starts = Arc::new(AtomicUsize::new(0));
    let broken = offered("Broken", &broken_starts, 1);
    let site = Site::with(with(vec![steady, broken])).await;
    let mut who = Person::default();
    let body = json!({ "game": "tictactoe", "second": "program:Twice" });
    let (_, made) = who.json(&site, "POST", "/games", body).await;
    let id = made["id"].as_str().unwrap().to_owned();
    play(&mut who, &site, &id, "5").await;
    let state = play(&mut who, &site, &id, "9").await;
    assert_eq!(state["moves"], json!(["5", "1", "9", "2"]));
    assert_eq!(started.load(Ordering::Relaxed), 2);
    let body = json!({ "game": "tictactoe", "second": "program:Broken" });
    let (_, made) = who.json(&site, "POST", "/games", body).await;
    let id = made["id"].as_str().unwrap().to_owned();
    let state = play(&mut who, &site, &id, "5").await;
    assert_eq!(
        (&state["result"], &state["reason"]),
        (&json!("first"), &json!("no-answer"))
    );
    let (_, page) = who.page(&site, &format!("/games/{id}")).await;
    assert!(page.contains("it crashed"), "{page}");
    assert!(!page.contains("secret"), "{page}");
}

#[tokio::test]
async fn a_game_waits_for_a_program_that_is_no_longer_offered() {
    let started = Arc::new(AtomicUsize::new(0));
    let site = Site::with(with(vec![offered("Ann", &started, 0)])).await;
    let mut who = Person::default();
    let body = json!({ "game": "tictactoe", "second": "program:Ann" });
    let (_, made) = who.json(&site, "POST", "/games", body).await;
    let id = made["id"].as_str().unwrap().to_owned();
    play(&mut who, &site, &id, "5").await;
    let path = format!("/games/{id}");
    let site = site.restarted_with(with(Vec::new()), Duration::ZERO).await;
    let (status, state) = who
        .json(
            &site,
            "POST",
            &format!("{path}/moves"),
            json!({ "move": "9" }),
        )
        .await;
    assert_eq!(status, StatusCode::OK, "{state}");
    let (_, page) = who.page(&site, &path).await;
    assert!(page.contains("Ann is not available now"), "{page}");
    let again = with(vec![offered("Ann", &started, 0)]);
    let site = site.restarted_with(again, Duration::ZERO).await;
    let state = until(async || {
        let (_, state) = who.json(&site, "GET", &path, Value::Null).await;
        (state["turn"] == "first").then_some(state)
    })
    .await;
    assert_eq!(state["moves"], json!(["5", "1", "9", "2"]));
}
