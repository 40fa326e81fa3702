//! Tests of analyses and proofs that workers do for a server: the results are those of a single
//! machine, even if workers crash.
// Needs the PostgreSQL of a Unix system.
#![cfg(unix)]
#![cfg(feature = "serve")]

mod liars;
mod machines;
#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;
#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use liars::{Fails, LyingAnalyses, LyingReviews};
use machines::{Client, Server, until_jobs_say, worker};
use nats_server::NatsServer;
use papan_jobs::{Connection, JobsAddress, Kinds, Notice, Worker, WorkerOptions};
use postgres::Postgres;
use serde_json::Value;

/// A drawn game: nine positions to analyse, and the end.
const REVIEW: &str = "/review?game=tictactoe&moves=5+1+3+7+4+6+2+8+9";
const PROOF: &str = "/proof?game=tictactoe&strategy=greedy&as=first";

/// Enough playouts for a proof to take some seconds.
const SLOW: u32 = 150_000;

fn proof(playouts: u32, seed: u32) -> String {
    format!("/proof?game=tictactoe&strategy=mcts(playouts={playouts},seed={seed})&as=second")
}

fn ask(server: &Server, place: &str) -> (u16, Value) {
    let mut client = Client::connect(&server.address).unwrap();
    client.ask("GET", place, &Value::Null).unwrap()
}

/// A slow proof on a busy machine may take more than a minute, and is abandoned then.
fn is_proved(found: &Value) -> bool {
    found["verdict"] == "never-loses" || found["verdict"] == "given-up"
}

/// Repeats a request until the response satisfies a condition.
fn until(server: &Server, place: &str, right: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + Duration::from_secs(300);
    loop {
        let (status, answer) = ask(server, place);
        assert_eq!(status, 200, "{answer}");
        if right(&answer) {
            return answer;
        }
        assert!(Instant::now() < deadline, "{answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn is_done(answer: &Value) -> bool {
    answer["done"] == true || answer["done"] == answer["positions"]
}

#[test]
fn what_visitors_of_two_servers_ask_for_is_done_once_and_is_what_one_machine_says() {
    let folder = tempfile::tempdir().unwrap();
    let alone = Server::start(folder.path(), &[]);
    let expected = [REVIEW, PROOF].map(|place| until(&alone, place, is_done));
    let postgres = Postgres::start();
    let database = postgres.database("club");
    let nats = NatsServer::start();
    let url = nats.url();
    let _worker = worker(&url, "one");
    until_jobs_say(&url, |said| said.contains("worker one"));
    let options = ["--database", &database, "--jobs", &url];
    let servers = [(); 2].map(|()| Server::start(folder.path(), &options));
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    for server in &servers {
        for place in [REVIEW, PROOF] {
            assert_eq!(ask(server, place).0, 200);
        }
    }
    for server in &servers {
        let found = [REVIEW, PROOF].map(|place| until(server, place, is_done));
        assert_eq!(found, expected);
    }
    // Ten positions, the final one included, and a proof. The worker publishes every few seconds how many jobs it ran.
    let said = until_jobs_say(&url, |said| runs(said) >= 11);
    assert!(
        said.contains(": 0 waiting, 0 running, 11 done, 0 failed"),
        "{said}"
    );
    assert_eq!(runs(&said), 11, "{said}");
}

/// Returns how many jobs the first worker ran.
fn runs(said: &str) -> u32 {
    number_before(said, " done, for ")
}

/// Returns the number before the first occurrence of some words.
fn number_before(said: &str, words: &str) -> u32 {
    let before = said.split(words).next();
    let number = before.and_then(|before| before.rsplit(' ').next());
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn a_dead_worker_s_proof_is_another_s_and_without_any_the_server_makes_it_itself() {
    let folder = tempfile::tempdir().unwrap();
    let nats = NatsServer::start();
    let url = nats.url();
    let mortal = worker(&url, "mortal");
    until_jobs_say(&url, |said| said.contains("worker mortal"));
    let server = Server::start(folder.path(), &["--jobs", &url]);
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    // The worker publishes its progress.
    until(&server, &proof(SLOW, 1), |told| told["positions"] != 0);
    until_jobs_say(&url, |said| said.contains("1 running"));
    drop(mortal);
    let heir = worker(&url, "heir");
    let found = until(&server, &proof(SLOW, 1), is_done);
    assert!(is_proved(&found), "{found}");
    // The heir did it, in one time slice or more, which its next heartbeat says.
    let said = until_jobs_say(&url, |said| {
        said.contains("1 at once, 0 running, ") && runs(said) >= 1
    });
    let by_workers = number_before(&said, " done, 0 failed");
    assert!((1..=3).contains(&by_workers), "{said}");
    drop(heir);
    // No worker is left, which the server notices after a while.
    for seed in 2..=5 {
        assert_eq!(ask(&server, &proof(100, seed)).0, 200);
    }
    let (status, refused) = ask(&server, &proof(100, 6));
    assert_eq!(status, 429, "an address has four under way: {refused}");
    let found = until(&server, &proof(100, 2), is_done);
    assert!(found["lines"].is_string(), "{found}");
    let said = until_jobs_say(&url, |said| said.contains("0 waiting, 0 running"));
    assert_eq!(
        number_before(&said, " done, 0 failed"),
        by_workers,
        "{said}"
    );
}

/// Returns the value of a metric.
fn metric(server: &Server, name: &str) -> u64 {
    let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
    let request = "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    value.unwrap_or_else(|| panic!("no {name} in {text}"))
}

#[test]
fn a_review_has_no_scores_of_a_lying_worker_and_metrics_count_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let alone = Server::start(folder.path(), &[]);
    let other = REVIEW.replace("moves=5+1+3", "moves=3+1+5");
    let expected = [REVIEW, &other].map(|place| until(&alone, place, is_done));
    drop(alone);
    let folder = tempfile::tempdir().unwrap();
    let nats = NatsServer::start();
    let url = nats.url();
    let address: JobsAddress = url.parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    let kinds = Kinds::new().with::<LyingReviews>();
    let _liar = Worker::start(&connection, kinds, WorkerOptions::named("liar")).unwrap();
    until_jobs_say(&url, |said| said.contains("worker liar"));
    let server = Server::start(folder.path(), &["--jobs", &url]);
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    assert_eq!(metric(&server, "papan_jobs_rejected_total"), 0);
    // The liar is asked to leave, and the server computes the rest itself.
    assert_eq!(until(&server, REVIEW, is_done), expected[0]);
    until_jobs_say(&url, |said| {
        said.contains("liar declined: its producer rejected")
    });
    assert!(metric(&server, "papan_jobs_rejected_total") > 0);
    let submitted = metric(&server, "papan_jobs_submitted_total");
    assert!(submitted > 0);
    let _honest = worker(&url, "honest");
    let deadline = Instant::now() + Duration::from_secs(60);
    while metric(&server, "papan_worker_threads") != 1 {
        assert!(Instant::now() < deadline, "no worker is counted");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(until(&server, &other, is_done), expected[1]);
    assert!(metric(&server, "papan_jobs_submitted_total") > submitted);
    assert_eq!(metric(&server, "papan_jobs_failed_total"), 0);
}

#[test]
fn a_review_does_not_end_where_a_worker_fails() {
    let folder = tempfile::tempdir().unwrap();
    let alone = Server::start(folder.path(), &[]);
    let expected = until(&alone, REVIEW, is_done);
    drop(alone);
    let folder = tempfile::tempdir().unwrap();
    let nats = NatsServer::start();
    let url = nats.url();
    let address: JobsAddress = url.parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    let kinds = Kinds::new().with::<LyingAnalyses<Fails>>();
    let _broken = Worker::start(&connection, kinds, WorkerOptions::named("broken")).unwrap();
    until_jobs_say(&url, |said| said.contains("worker broken"));
    let server = Server::start(folder.path(), &["--jobs", &url]);
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    // It is asked to leave after three failures, and the server computes the rest itself.
    assert_eq!(until(&server, REVIEW, is_done), expected);
    assert!(metric(&server, "papan_jobs_failed_total") >= 3);
    until_jobs_say(&url, |said| {
        said.contains("broken declined: its producer rejected")
    });
}
