//! Tests of workers on a NATS server: results are those of a single machine, even if workers, the
//! coordinator or the server crash, and if workers lie.
// Needs the NATS server of a Unix system.
#![cfg(unix)]

mod liars;
mod machines;
#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;

use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[cfg(feature = "serve")]
use liars::{AnalysisLie, Fails, GivesUp, LyingAnalyses, NeverLoses};
use liars::{FailingGames, LyingGames, LyingLeaves, LyingSelfPlay, NewerGames};
use machines::{Running, done, finish_jobs, papan, until_jobs_say, worker};
use nats_server::NatsServer;
use papan_jobs::{Connection, JobsAddress, Kinds, Notice, Worker, WorkerOptions};
use papan_strategies::StopToken;
use papan_train::distributed;
use papan_train::game_file::GameFile;
use papan_train::plan::Plan;
use papan_train::selfplay::SelfPlaySettings;

fn output(words: &[&str]) -> Output {
    let output = papan(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn connect(url: &str) -> Connection {
    let address: JobsAddress = url.parse().unwrap();
    Connection::open(&address, Notice::none()).unwrap()
}

/// Enough games to interrupt the tournament.
fn tournament<'a>(results: &'a Path, games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "arena",
        "tictactoe:5x5:4",
        "--no-times",
        "--json",
        "--quiet",
    ];
    words.extend(["--players", "mcts(playouts=300),alphabeta(depth=2),greedy"]);
    words.extend(["--games", games, "--openings", "random:8", "--results"]);
    words.push(results.to_str().unwrap());
    words.extend(more);
    words
}

#[test]
fn a_tournament_with_crashes_of_every_part_has_the_table_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.results");
    let expected = output(&tournament(&alone, "500", &[])).stdout;
    let mut server = NatsServer::start();
    let url = server.url();
    let together = folder.path().join("together.results");
    let words = tournament(&together, "500", &["--jobs", &url]);
    let first = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    finish_jobs(&url, 3);
    // The coordinator is killed; workers continue with the jobs on the server. One worker is
    // killed during a job, and another one starts late.
    drop(first);
    let (killed, _steady) = (worker(&url, "killed"), worker(&url, "steady"));
    until_jobs_say(&url, |said| said.contains("worker killed"));
    drop(killed);
    let _late = worker(&url, "late");
    let before = done(&until_jobs_say(&url, |said| said.contains("worker late")));
    assert!(before >= 3);
    server.kill();
    std::thread::sleep(Duration::from_secs(1));
    server.restart();
    let second = output(&words);
    assert_eq!(text(&second.stdout), text(&expected));
    until_jobs_say(&url, |said| said.contains("No groups of jobs"));
    // The third run finds all results in its journal.
    assert_eq!(text(&output(&words).stdout), text(&expected));
}

#[test]
fn a_cluster_that_loses_a_node_plays_the_same_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.results");
    let expected = output(&tournament(&alone, "200", &[])).stdout;
    let mut servers = NatsServer::cluster();
    let urls: Vec<String> = servers.iter().map(NatsServer::url).collect();
    let url = format!("{}?replicas=3", urls.join(","));
    let together = folder.path().join("together.results");
    let words = tournament(&together, "200", &["--jobs", &url]);
    let coordinator = papan(&words).stdout(Stdio::piped()).spawn().unwrap();
    finish_jobs(&url, 3);
    let _workers = [worker(&url, "one"), worker(&url, "two")];
    until_jobs_say(&url, |said| said.contains("worker one"));
    servers[0].kill();
    let output = coordinator.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), text(&expected));
}

#[test]
fn a_lying_worker_is_named_and_its_games_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.results");
    let expected = output(&tournament(&alone, "60", &[])).stdout;
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    let options = WorkerOptions::named("liar").threads(2);
    let _liar = Worker::start(&connection, Kinds::new().with::<LyingGames>(), options).unwrap();
    let options = WorkerOptions::named("newer").threads(2);
    let _newer = Worker::start(&connection, Kinds::new().with::<NewerGames>(), options).unwrap();
    until_jobs_say(&url, |said| said.contains("worker liar"));
    let together = folder.path().join("together.results");
    let words = tournament(&together, "60", &["--jobs", &url, "--recheck", "20%"]);
    let mut coordinator = papan(&words);
    let coordinator = coordinator.stdout(Stdio::piped()).stderr(Stdio::piped());
    let coordinator = coordinator.spawn().unwrap();
    // The honest worker comes when the liar has results on the server.
    until_jobs_say(&url, |said| said.contains("declined: it needs papan"));
    std::thread::sleep(Duration::from_millis(500));
    let _honest = worker(&url, "honest");
    let output = coordinator.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("a result of worker liar is false"), "{said}");
    assert!(!said.contains("worker honest"), "{said}");
    assert!(!said.contains("worker newer"), "{said}");
    assert_eq!(text(&output.stdout), text(&expected));
}

#[test]
fn a_tournament_with_a_failing_worker_has_the_table_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.results");
    let expected = output(&tournament(&alone, "200", &[])).stdout;
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    // The honest worker is connected, and runs jobs once the other one has failed at one.
    let honest = worker(&url, "honest");
    until_jobs_say(&url, |said| said.contains("worker honest"));
    let signal = |name: &str| {
        let id = honest.0.id().to_string();
        let sent = std::process::Command::new("kill")
            .args([name, &id])
            .status();
        assert!(sent.unwrap().success());
    };
    signal("-STOP");
    let (say, said) = std::sync::mpsc::channel();
    let notice = Notice::new(move |line| {
        // The test has ended, or waits for a line.
        let _ = say.send(line.to_owned());
    });
    let options = WorkerOptions::named("broken").threads(2).notice(notice);
    let kinds = Kinds::new().with::<FailingGames>();
    let _broken = Worker::start(&connection, kinds, options).unwrap();
    let together = folder.path().join("together.results");
    let mut coordinator = papan(&tournament(&together, "200", &["--jobs", &url]));
    let coordinator = coordinator.stdout(Stdio::piped()).stderr(Stdio::piped());
    let coordinator = coordinator.spawn().unwrap();
    assert!(said.iter().any(|line| line.contains("the board fell down")));
    signal("-CONT");
    let played = coordinator.wait_with_output().unwrap();
    let said = text(&played.stderr);
    assert!(played.status.success(), "{said}");
    let words = "worker broken reported that a job failed: the board fell down; run again by worker \
                 honest, it has a result";
    assert!(said.contains(words), "{said}");
    assert_eq!(text(&played.stdout), text(&expected));
}

#[test]
fn a_distributed_proof_is_checked_and_continues_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let file = folder.path().join("proof.certificate");
    let certificate = file.to_str().unwrap();
    // The first reply next to the centre: still a win, found by threat search.
    let game = "tictactoe:6x6:4";
    let words = ["solve", game, "--jobs", &url, "--certificate", certificate];
    let crashed = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    until_jobs_say(&url, |said| said.contains("leaves-"));
    drop(crashed);
    let _workers = [worker(&url, "one"), worker(&url, "two")];
    let proved = text(&output(&words).stdout);
    assert!(proved.contains("The first player wins."), "{proved}");
    assert!(!file.with_extension("certificate.leaves").exists());
    let checked = output(&["check", certificate]);
    assert!(!checked.stdout.is_empty());
    // A draw also has a certificate; for another position, one half of it.
    for (game, moves, code, says, claims) in [
        (
            "tictactoe:5x5:4",
            "",
            0,
            "A draw.\nProved: ",
            "draws-moving-first",
        ),
        (
            "tictactoe",
            "5 2 9",
            3,
            "Not decided within these limits.\nProved: the first player draws or better",
            "first draws",
        ),
    ] {
        let file = folder.path().join("draw.certificate");
        let certificate = file.to_str().unwrap();
        let mut words = vec!["solve", game, "--jobs", &url, "--certificate", certificate];
        if !moves.is_empty() {
            words.extend(["--moves", moves]);
        }
        let refuted = papan(&words).output().unwrap();
        assert_eq!(refuted.status.code(), Some(code), "{refuted:?}");
        let printed = text(&refuted.stdout);
        assert!(printed.contains(says), "{printed}");
        output(&["check", certificate]);
        let written = text(&std::fs::read(&file).unwrap());
        assert!(written.contains(claims), "{printed}");
    }
}

#[test]
fn a_proof_with_a_lying_worker_has_the_value_of_one_machine() {
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    let options = WorkerOptions::named("liar").threads(2);
    let _liar = Worker::start(&connection, Kinds::new().with::<LyingLeaves>(), options).unwrap();
    until_jobs_say(&url, |said| said.contains("worker liar"));
    let folder = tempfile::tempdir().unwrap();
    let mut coordinator = papan(&["solve", "tictactoe:5x5:4", "--jobs", &url]);
    coordinator.env("PAPAN_DATA_DIR", folder.path());
    let coordinator = coordinator.stdout(Stdio::piped()).stderr(Stdio::piped());
    let coordinator = coordinator.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let _honest = worker(&url, "honest");
    let output = coordinator.wait_with_output().unwrap();
    let (printed, said) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{printed} {said}");
    assert!(printed.contains("A draw."), "{printed}");
    assert!(said.contains("a result of worker liar is false"), "{said}");
}

#[test]
fn threads_of_one_process_prove_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |more: &[&str]| {
        let words = [&["solve", "tictactoe:4x4:3", "--jobs", "local:2"], more].concat();
        let mut command = papan(&words);
        let proved = command
            .env("PAPAN_DATA_DIR", folder.path())
            .output()
            .unwrap();
        assert!(proved.status.success(), "{proved:?}");
        text(&proved.stdout)
    };
    assert!(solve(&[]).contains("The first player wins."));
    assert!(solve(&["--lang", "id"]).contains("Pemain pertama menang."));
    let json: serde_json::Value = serde_json::from_str(&solve(&["--json"])).unwrap();
    assert_eq!(
        (&json["score"], &json["game"]),
        (&1.into(), &"tictactoe:4x4:3".into())
    );
    assert_eq!(json["established"][0]["result"], "wins", "{json}");
    let journals = std::fs::read_dir(folder.path().join("leaves")).unwrap();
    assert_eq!(journals.count(), 0, "finished proofs leave nothing");
    for command in ["worker", "jobs"] {
        let refused = papan(&[command, "--jobs", "local:2"]).output().unwrap();
        let said = text(&refused.stderr);
        assert!(said.contains("needs a NATS server"), "{said}");
    }
}

#[test]
fn games_that_workers_play_for_training_are_those_of_one_machine_byte_by_byte() {
    let folder = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
    let settings = SelfPlaySettings {
        depth: 4,
        solve: 12,
        seed: 5,
        threads: 2,
    };
    let plan = Plan::new(settings, None, Vec::new()).unwrap();
    let file = GameFile::open(&alone).unwrap();
    plan.play(0..500, Duration::MAX, |number, game| {
        file.keep(number, game);
    });
    file.close().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    let said = Arc::new(Mutex::new(Vec::new()));
    let play = |games: u64| {
        let lines = Arc::clone(&said);
        // Not the progress, nor that there are no workers yet.
        let notice = Notice::new(move |line| {
            if line.contains("false") || line.contains("failed") {
                lines.lock().unwrap().push(line.to_owned());
            }
        });
        let file = GameFile::open(&together).unwrap();
        let keep = |number, game| file.keep(number, game);
        let numbers = file.count()..games;
        let options = distributed::DistributedOptions {
            connection: &connection,
            recheck: 0.05,
            notice,
            stop: &StopToken::default(),
            time: Duration::MAX,
        };
        let played = distributed::play(&plan, numbers, options, keep);
        file.close().unwrap();
        played.unwrap().end().unwrap();
    };
    let mortal = worker(&url, "mortal");
    play(50);
    drop(mortal);
    std::thread::scope(|scope| {
        scope.spawn(|| play(500));
        finish_jobs(&url, 2);
        // One of them is killed during a batch.
        let mortal = worker(&url, "mortal");
        until_jobs_say(&url, |said| said.contains("worker mortal"));
        drop(mortal);
        let _steady = worker(&url, "steady");
        until_jobs_say(&url, |said| said.contains("No groups of jobs"));
    });
    let [alone, together] = [alone, together].map(|path| std::fs::read(path).unwrap());
    assert!(alone.len() > 500 * 60, "{} bytes", alone.len());
    assert!(alone == together);
    assert_eq!(*said.lock().unwrap(), Vec::<String>::new());
    until_jobs_say(&url, |said| said.contains("No groups of jobs"));
}

#[test]
fn games_for_training_of_a_lying_worker_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
    let settings = SelfPlaySettings {
        depth: 1,
        solve: 8,
        seed: 5,
        threads: 2,
    };
    let plan = Plan::new(settings, None, Vec::new()).unwrap();
    let file = GameFile::open(&alone).unwrap();
    plan.play(0..200, Duration::MAX, |number, game| {
        file.keep(number, game);
    });
    file.close().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    let kinds = Kinds::new().with::<LyingSelfPlay>();
    let _liar = Worker::start(&connection, kinds, WorkerOptions::named("liar")).unwrap();
    let (say, said) = std::sync::mpsc::channel();
    let notice = Notice::new(move |line| {
        // The test has ended, or waits for a line.
        let _ = say.send(line.to_owned());
    });
    let play = || {
        let file = GameFile::open(&together).unwrap();
        let keep = |number, game| file.keep(number, game);
        let options = distributed::DistributedOptions {
            connection: &connection,
            recheck: 0.0,
            notice,
            stop: &StopToken::default(),
            time: Duration::MAX,
        };
        let played = distributed::play(&plan, 0..200, options, keep);
        file.close().unwrap();
        played.unwrap().end().unwrap();
    };
    let rest: Vec<String> = std::thread::scope(|scope| {
        let playing = scope.spawn(play);
        let is_lie = |line: &String| line.contains("a result of worker liar is false");
        assert!(said.iter().any(|line| is_lie(&line)));
        let _honest = worker(&url, "honest");
        playing.join().unwrap();
        said.try_iter().collect()
    });
    assert!(
        !rest.iter().any(|line| line.contains("worker honest")),
        "{rest:?}"
    );
    let [alone, together] = [alone, together].map(|path| std::fs::read(path).unwrap());
    assert!(alone == together);
}

#[test]
fn a_worker_declines_an_engine_that_it_does_not_have_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    // An engine that exists only on the coordinator's machine.
    let engine = folder.path().join("engine");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_papan"), &engine).unwrap();
    let player = format!(
        "gtp:{} engine gtp othello --strategy greedy",
        engine.display()
    );
    let results = folder.path().join("r.results");
    let words = [
        "arena",
        "othello",
        "--player",
        "random",
        "--player",
        &player,
        "--games",
        "2",
        "--quiet",
        "--results",
        results.to_str().unwrap(),
        "--jobs",
        &url,
    ];
    let coordinator = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    until_jobs_say(&url, |said| said.contains("1 waiting"));
    std::fs::remove_file(&engine).unwrap();
    let _worker = worker(&url, "poor");
    let said = until_jobs_say(&url, |said| {
        said.contains("declined") && said.contains("1 waiting, 0 running")
    });
    assert!(
        said.contains("poor declined: it needs player `gtp:"),
        "{said}"
    );
    assert!(said.contains("(missing)"), "{said}");
    // The name that an autoscaler asks the server about.
    let queue = said.lines().find_map(|line| line.strip_prefix("  queue "));
    assert!(
        queue.is_some_and(|queue| queue.ends_with("-bulk")),
        "{said}"
    );
    drop(coordinator);
}

#[test]
fn a_worker_ends_after_its_jobs_when_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let results = folder.path().join("r.results");
    let words = tournament(&results, "500", &["--jobs", &url]);
    let mut coordinator = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    finish_jobs(&url, 1);
    let mut asked = worker(&url, "asked");
    until_jobs_say(&url, |said| said.contains("worker asked"));
    let id = asked.0.id().to_string();
    let signalled = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(signalled.unwrap().success());
    assert!(asked.0.wait().unwrap().success());
    let said = until_jobs_say(&url, |said| !said.contains("worker asked"));
    assert!(!said.contains(" 1 running"), "{said}");
    let _other = worker(&url, "other");
    assert!(coordinator.0.wait().unwrap().success());
}

#[test]
fn a_postgres_address_is_answered_with_the_new_way_and_without_its_password() {
    let address = "postgres://papan:s3cret@db.example/papan";
    let serve: &[&str] = if cfg!(feature = "serve") {
        &["serve", "--jobs", address]
    } else {
        &["jobs", "--jobs", address]
    };
    for words in [
        serve,
        &["worker", "--database", address],
        &["jobs", "--queue", address],
        &["solve", "tictactoe", "--queue", address],
        &[
            "arena",
            "tictactoe",
            "--players",
            "greedy,random",
            "--queue",
            address,
        ],
    ] {
        let refused = papan(words).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(said.contains("nats-server -js"), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }
}

#[cfg(feature = "serve")]
#[test]
fn a_server_on_sqlite_has_workers() {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let _worker = worker(&url, "one");
    until_jobs_say(&url, |said| said.contains("worker one"));
    let web = machines::Server::start(folder.path(), &["--jobs", &url]);
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    let place = "/proof?game=tictactoe&strategy=greedy&as=first";
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let mut client = machines::Client::connect(&web.address).unwrap();
        let (status, answer) = client.ask("GET", place, &serde_json::Value::Null).unwrap();
        assert_eq!(status, 200, "{answer}");
        if answer["done"] == true {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "{answer}");
        std::thread::sleep(Duration::from_millis(200));
    }
    let said = until_jobs_say(&url, |said| said.contains("1 done, 0 failed"));
    assert!(said.contains("0 running, 1 done"), "{said}");
}

#[cfg(feature = "serve")]
fn proof_with_a_liar<L: AnalysisLie>(place: &str) -> (serde_json::Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let server = NatsServer::start();
    let url = server.url();
    let connection = connect(&url);
    let options = WorkerOptions::named("liar").threads(1);
    let kinds = Kinds::new().with::<LyingAnalyses<L>>();
    let liar = Worker::start(&connection, kinds, options).unwrap();
    until_jobs_say(&url, |said| said.contains("worker liar"));
    let web = machines::Server::start(folder.path(), &["--jobs", &url]);
    until_jobs_say(&url, |said| said.contains("0 failed, 1 threads"));
    let deadline = std::time::Instant::now() + Duration::from_secs(180);
    let answer = loop {
        let mut client = machines::Client::connect(&web.address).unwrap();
        let (status, answer) = client.ask("GET", place, &serde_json::Value::Null).unwrap();
        assert_eq!(status, 200, "{answer}");
        if answer["done"] == true {
            break answer;
        }
        assert!(std::time::Instant::now() < deadline, "{answer}");
        std::thread::sleep(Duration::from_millis(200));
    };
    let said = until_jobs_say(&url, |said| said.contains("0 failed"));
    liar.drain();
    assert!(
        liar.join().done > 0 || L::answer().is_err(),
        "it had the job"
    );
    (answer, said)
}

// The server proves it itself.
#[cfg(feature = "serve")]
#[test]
fn a_page_shows_no_proof_of_a_lying_worker() {
    let place = "/proof?game=tictactoe&strategy=greedy&as=first";
    let (answer, said) = proof_with_a_liar::<NeverLoses>(place);
    assert_ne!(answer["lines"], "7", "{answer}");
    assert!(
        said.contains("liar declined: its producer rejected"),
        "{said}"
    );
}

#[cfg(feature = "serve")]
#[test]
fn a_page_shows_no_failure_of_a_worker() {
    let place = "/proof?game=tictactoe&strategy=greedy&as=first";
    let (answer, _) = proof_with_a_liar::<Fails>(place);
    assert!(answer["lines"].is_string(), "{answer}");
}

// It takes longer than the check of a claim may.
#[cfg(feature = "serve")]
#[test]
fn a_page_shows_no_limit_that_a_worker_claims_to_have_reached() {
    let place = "/proof?game=tictactoe&strategy=mcts(playouts=20000,seed=1)&as=second";
    let (answer, _) = proof_with_a_liar::<GivesUp>(place);
    assert_eq!(answer["verdict"], "never-loses", "{answer}");
}
