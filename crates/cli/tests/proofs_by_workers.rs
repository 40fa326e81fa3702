//! Proofs by workers: the value and a valid certificate, even if workers, the coordinator, the server
//! or a node of a cluster crash, and if workers lie. Both checkers accept the certificate.
// Needs the NATS server of a Unix system.
#![cfg(target_os = "linux")]

mod liars;
mod machines;
#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use liars::{LyingLeaves, NewerLeaves};
use machines::{Running, done, finish_jobs, papan, until_jobs_say, worker};
use nats_server::NatsServer;
use papan_jobs::{Connection, JobsAddress, Kinds, Notice, Worker, WorkerOptions};

/// The first player wins.
const GAME: &str = "tictactoe:6x6:4";

/// A draw whose tree has several leaves.
const DRAW: &str = "tictactoe:7x7:5";

fn solve(url: &str, certificate: &Path) -> Child {
    solve_game(GAME, url, certificate)
}

fn solve_game(game: &str, url: &str, certificate: &Path) -> Child {
    let file = certificate.to_str().unwrap();
    let mut command = papan(&["solve", game, "--jobs", url, "--certificate", file]);
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for the end of a proof and checks its value and its certificate.
fn assert_win(solving: Child, certificate: &Path) {
    let output = solving.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("The first player wins."), "{printed}");
    assert_certificate(certificate);
}

/// Checks with both checkers that the first player wins.
fn assert_certificate(certificate: &Path) {
    let checked = papan(&["check", certificate.to_str().unwrap()]).output();
    let checked = checked.unwrap();
    assert!(checked.status.success(), "{checked:?}");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/check_certificate.py");
    let mut checker = Command::new("python3");
    let again = checker.arg(script).arg(certificate).output();
    let again = again.expect("python3 is installed");
    assert!(again.status.success(), "{again:?}");
    for (output, value) in [(checked, "the first player wins"), (again, "first wins")] {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(said.contains(value), "{said}");
    }
}

#[test]
fn a_proof_with_crashes_of_every_part_and_a_liar_is_accepted_by_both_checkers() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("win.certificate");
    let mut server = NatsServer::start();
    let url = server.url();
    let address: JobsAddress = url.parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    let start = |name: &str, kinds: Kinds| {
        Worker::start(&connection, kinds, WorkerOptions::named(name)).unwrap()
    };
    let _newer = start("newer", Kinds::new().with::<NewerLeaves>());
    let _liar = start("liar", Kinds::new().with::<LyingLeaves>());
    // The first coordinator is killed when it has found a lie.
    let mut first = Running(solve(&url, &certificate));
    let mut errors = BufReader::new(first.0.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("a result of worker liar is false") {
        line.clear();
        let length = errors.read_line(&mut line).unwrap();
        assert!(length > 0, "the coordinator ended");
    }
    drop(first);
    let said = until_jobs_say(&url, |said| said.contains("newer declined: "));
    assert!(said.contains("newer declined: it needs papan "), "{said}");
    // A worker is killed during a leaf, then the server; another worker is late.
    let second = solve(&url, &certificate);
    let killed = worker(&url, "killed");
    until_jobs_say(&url, |said| said.contains(" 1 running, ") || done(said) > 0);
    drop(killed);
    server.kill();
    std::thread::sleep(Duration::from_secs(1));
    server.restart();
    let _late = worker(&url, "late");
    assert_win(second, &certificate);
}

#[test]
fn a_proof_continues_from_its_journal_when_coordinator_and_server_have_lost_everything() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("draw.certificate");
    let journal = folder.path().join("draw.certificate.leaves");
    let mut server = NatsServer::start();
    let url = server.url();
    let first = Running(solve_game(DRAW, &url, &certificate));
    finish_jobs(&url, 2);
    // Results come after four lines.
    let results = || {
        let bytes = std::fs::read(&journal).unwrap_or_default();
        let lines = bytes.iter().filter(|byte| **byte == b'\n');
        lines.count() >= 4 && !bytes.ends_with(b"jobs open\n")
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !results() {
        assert!(Instant::now() < deadline, "no results in the journal");
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(first);
    server.kill();
    std::fs::remove_dir_all(server.folder().join("store")).unwrap();
    server.restart();
    let kept = std::fs::read(&journal).unwrap();
    let second = solve_game(DRAW, &url, &certificate);
    // The only job of a new proof is its root: this tree has the results of the journal.
    until_jobs_say(&url, |said| {
        let waiting = said.split(" waiting").next().unwrap_or_default();
        let number = waiting.rsplit(' ').next().unwrap_or_default();
        number.parse::<u32>().is_ok_and(|number| number > 1)
    });
    assert!(std::fs::read(&journal).unwrap().starts_with(&kept));
    let _worker = worker(&url, "one");
    let output = second.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("A draw."));
    let checked = papan(&["check", certificate.to_str().unwrap()]).output();
    assert!(checked.unwrap().status.success());
    assert!(!journal.exists());
}

#[test]
fn a_cluster_that_loses_a_node_proves_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("win.certificate");
    let mut servers = NatsServer::cluster();
    let urls: Vec<String> = servers.iter().map(NatsServer::url).collect();
    let url = format!("{}?replicas=3", urls.join(","));
    let solving = solve(&url, &certificate);
    until_jobs_say(&url, |said| said.contains("leaves-"));
    let _workers = [worker(&url, "one"), worker(&url, "two")];
    until_jobs_say(&url, |said| said.contains("worker one"));
    servers[0].kill();
    assert_win(solving, &certificate);
}
