//! Tests of stopping work on a cluster, of failed jobs, and of `papan jobs`.
// Needs the NATS server of a Unix system.
#![cfg(target_os = "linux")]

mod liars;
mod machines;
#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;
#[allow(dead_code, reason = "other tests need the rest")]
mod tty;

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use liars::FailingGames;
use machines::{Running, papan, until_jobs_say, worker};
use nats_server::NatsServer;
use papan_jobs::{Connection, JobsAddress, Kinds, Notice, Worker, WorkerOptions};
use tty::Tty;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args([name, &id]).status().unwrap();
    assert!(sent.success());
}

/// Waits for the end of a process, no longer than a minute.
fn code(process: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        if let Some(status) = process.try_wait().unwrap() {
            return status.code();
        }
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// One game of these takes longer than a test may.
fn long_games<'a>(results: &'a str, url: &'a str) -> Vec<&'a str> {
    let players = "mcts(playouts=20000000),mcts(playouts=20000001)";
    let words = ["arena", "tictactoe:9x9:5", "--players", players, "--quiet"];
    let more = ["--games", "20", "--results", results, "--jobs", url];
    [&words[..], &more].concat()
}

#[test]
fn a_tournament_that_is_stopped_stops_its_workers() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let _worker = worker(&url, "one");
    let results = folder.path().join("long.results");
    for name in ["-INT", "-TERM"] {
        let words = long_games(results.to_str().unwrap(), &url);
        let mut command = papan(&words);
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut running = Running(command.spawn().unwrap());
        until_jobs_say(&url, |said| said.contains(", 1 running, 0 done, for"));
        signal(&running.0, name);
        assert_eq!(code(&mut running.0), Some(130), "{name}");
        let said = until_jobs_say(&url, |said| said.contains(", 0 running, 0 done, for"));
        assert!(said.contains("No groups of jobs"), "{said}");
    }
}

#[test]
fn a_proof_that_is_stopped_stops_its_workers_and_keeps_results() {
    let server = NatsServer::start();
    let url = server.url();
    let _worker = worker(&url, "one");
    let folder = tempfile::tempdir().unwrap();
    let words = ["solve", "tictactoe:9x9:5", "--jobs", &url];
    let mut command = papan(&words);
    command.env("PAPAN_DATA_DIR", folder.path());
    let command = command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    until_jobs_say(&url, |said| said.contains(", 1 running,"));
    signal(&running.0, "-INT");
    assert_eq!(code(&mut running.0), Some(130));
    let said = until_jobs_say(&url, |said| {
        said.contains(": 0 waiting, 0 running,") && said.contains(" at once, 0 running,")
    });
    assert!(said.contains("leaves-"), "{said}");
}

#[test]
fn a_command_ends_when_only_failed_jobs_are_left_and_they_are_retried_or_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let address: JobsAddress = url.parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    let options = WorkerOptions::named("broken").threads(1);
    let kinds = Kinds::new().with::<FailingGames>();
    let broken = Worker::start(&connection, kinds, options).unwrap();
    let results = folder.path().join("r.results");
    let words = [
        "arena",
        "tictactoe",
        "--players",
        "greedy,random",
        "--games",
        "2",
        "--quiet",
        "--results",
        results.to_str().unwrap(),
        "--jobs",
        &url,
    ];
    let failed = papan(&words).output().unwrap();
    assert_eq!(failed.status.code(), Some(2));
    let said = text(&failed.stderr);
    assert!(said.contains("all jobs left of games-"), "{said}");
    assert!(said.contains("the board fell down"), "{said}");
    let group = said.split("papan jobs --retry ").nth(1).unwrap();
    let group = group.split('`').next().unwrap().to_owned();
    broken.drain();
    broken.join();
    let jobs = |words: &[&str]| {
        let words = [&["jobs", "--jobs", &url], words].concat();
        let output = papan(&words).output().unwrap();
        (
            output.status.code(),
            text(&output.stdout) + &text(&output.stderr),
        )
    };
    let (code, said) = jobs(&["--retry", "nothing"]);
    assert_eq!(code, Some(2));
    assert!(
        said.contains("no failed job has the group or key"),
        "{said}"
    );
    // Retried, they wait for a worker; the same command then finds their results.
    assert_eq!(
        jobs(&["--retry", &group]),
        (Some(0), "1 jobs are run again\n".into())
    );
    until_jobs_say(&url, |said| {
        said.contains(": 1 waiting, 0 running, 0 done, 0 failed")
    });
    let honest = worker(&url, "honest");
    until_jobs_say(&url, |said| said.contains(" 1 done, 0 failed"));
    let played = papan(&words).output().unwrap();
    assert!(played.status.success(), "{played:?}");
    drop(honest);
    // Dropped, they are gone; the group stays until it is closed.
    let options = WorkerOptions::named("broken").threads(1);
    let kinds = Kinds::new().with::<FailingGames>();
    let _broken = Worker::start(&connection, kinds, options).unwrap();
    std::fs::remove_file(&results).unwrap();
    assert_eq!(papan(&words).output().unwrap().status.code(), Some(2));
    assert_eq!(
        jobs(&["--drop"]),
        (Some(0), "1 failed jobs are deleted\n".into())
    );
    let (_, said) = jobs(&[]);
    assert!(
        said.contains("0 waiting, 0 running, 0 done, 0 failed"),
        "{said}"
    );
    assert_eq!(
        jobs(&["--close", &group]),
        (Some(0), format!("{group} is closed\n"))
    );
    assert!(jobs(&[]).1.contains("No groups of jobs"));
}

#[test]
fn the_live_table_survives_an_outage_of_the_server() {
    let mut server = NatsServer::start();
    let url = server.url();
    let _worker = worker(&url, "one");
    until_jobs_say(&url, |said| said.contains("worker one"));
    let mut screen = Tty::papan(&["jobs", "--watch", "--jobs", &url], (100, 24));
    screen.expect("WORKER VERSION THREADS");
    screen.expect("ready");
    server.kill();
    screen.expect("waiting");
    server.restart();
    screen.expect_gone("waiting");
    screen.expect("ready");
    screen.send("\x03");
    assert!(screen.end().success());
}
