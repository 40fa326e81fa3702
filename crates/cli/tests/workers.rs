//! Tests of workers: results are those of a single machine, even if workers or the coordinator
//! crash.

mod machines;
#[path = "../../store/tests/postgres/mod.rs"]
mod postgres;

use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use machines::{Running, done, papan, until_jobs_say, worker};
use papan_store::Queue;
use papan_train::by_workers::ByWorkers;
use papan_train::game_file::GameFile;
use papan_train::plan::Plan;
use papan_train::selfplay::SelfPlaySettings;
use postgres::Postgres;

fn output(words: &[&str]) -> Output {
    let output = papan(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{words:?}: {said}");
    output
}

/// Enough games to interrupt the tournament.
fn tournament<'a>(results: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "arena",
        "tictactoe:5x5:4",
        "--no-times",
        "--json",
        "--quiet",
    ];
    words.extend(["--players", "mcts(playouts=300),alphabeta(depth=2),greedy"]);
    words.extend(["--games", "500", "--openings", "random:8", "--results"]);
    words.push(results.to_str().unwrap());
    words.extend(more);
    words
}

#[test]
fn whatever_happens_to_workers_coordinator_and_database_the_table_is_that_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("alone.results");
    let expected = output(&tournament(&alone, &[])).stdout;
    let mut postgres = Postgres::start();
    let url = postgres.database("club");
    let together = folder.path().join("together.results");
    let words = tournament(&together, &["--queue", &url]);
    let first = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    let (killed, _steady) = (worker(&url, "killed"), worker(&url, "steady"));
    until_jobs_say(&url, |said| done(said) >= 3);
    // One worker is killed during a job, and another one starts late.
    until_jobs_say(&url, |said| said.contains("worker killed"));
    drop(killed);
    let _late = worker(&url, "late");
    let before = done(&until_jobs_say(&url, |said| said.contains("worker late")));
    // The coordinator is killed; the workers continue with the jobs in the queue.
    drop(first);
    postgres.stop();
    std::thread::sleep(Duration::from_secs(2));
    postgres.start_again();
    let second = output(&words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert_eq!(text(&second.stdout), text(&expected));
    let said = until_jobs_say(&url, |said| said.contains("ended"));
    assert!(done(&said) > before, "{said}");
    // The second run finds all results.
    assert_eq!(text(&output(&words).stdout), text(&expected));
}

#[test]
fn a_distributed_proof_is_checked_and_continues_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let file = folder.path().join("proof.certificate");
    let certificate = file.to_str().unwrap();
    // The first reply next to the centre: still a win, found by threat search.
    let words = [
        "solve",
        "tictactoe:6x6:4",
        "--queue",
        &url,
        "--certificate",
        certificate,
    ];
    let fallen = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    until_jobs_say(&url, |said| said.contains("proof "));
    drop(fallen);
    let _workers = [worker(&url, "one"), worker(&url, "two")];
    let proved = output(&words);
    let text = String::from_utf8_lossy(&proved.stdout).into_owned();
    assert!(text.contains("first wins"), "{text}");
    let checked = output(&["check", certificate]);
    assert!(!checked.stdout.is_empty());
    // A draw also has a certificate; for another position, one half of it.
    for (game, moves, says, claims) in [
        ("tictactoe:5x5:4", "", "\na draw\n", "draws-moving-first"),
        (
            "tictactoe",
            "5 2 9",
            "second does not win: first at least draws",
            "first draws",
        ),
    ] {
        let file = folder.path().join("draw.certificate");
        let certificate = file.to_str().unwrap();
        let mut words = vec!["solve", game, "--queue", &url, "--certificate", certificate];
        if !moves.is_empty() {
            words.extend(["--moves", moves]);
        }
        let refuted = papan(&words).output().unwrap();
        assert_eq!(refuted.status.code(), Some(1), "{refuted:?}");
        let text = String::from_utf8_lossy(&refuted.stdout).into_owned();
        assert!(text.contains(says), "{text}");
        output(&["check", certificate]);
        let written = std::fs::read(&file).unwrap();
        assert!(String::from_utf8_lossy(&written).contains(claims), "{text}");
    }
}

/// Plays the games of a plan up to this number with workers, into a file.
async fn play(url: &str, plan: &Plan, path: &Path, games: u64) {
    let queue = Queue::open(url).await.unwrap();
    let needs = papan_store::reproduced_by(papan_othello::eval::weights::shipped_file());
    let file = GameFile::open(path).unwrap();
    let mut workers = ByWorkers::begin(&queue, plan, &needs).await.unwrap();
    let keep = |number, game| file.keep(number, game);
    let played = workers.play(file.count()..games, keep, |_| {}).await;
    played.unwrap();
    file.close().unwrap();
    workers.end().await.unwrap();
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
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let [mortal, _steady] = ["mortal", "steady"].map(|name| worker(&url, name));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(play(&url, &plan, &together, 50));
    std::thread::scope(|scope| {
        scope.spawn(|| runtime.block_on(play(&url, &plan, &together, 500)));
        // One of them is killed during a batch.
        until_jobs_say(&url, |said| {
            let mortal = said.lines().find(|line| line.contains("worker mortal"));
            mortal.is_some_and(|line| line.contains("1 running"))
        });
        drop(mortal);
    });
    let [alone, together] = [alone, together].map(|path| std::fs::read(path).unwrap());
    assert!(alone.len() > 500 * 60, "{} bytes", alone.len());
    assert!(alone == together);
    until_jobs_say(&url, |said| said.contains("nothing is in the queue"));
}

#[test]
fn a_worker_refuses_an_engine_that_it_does_not_have_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let url = postgres.database("club");
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
        "--queue",
        &url,
    ];
    let coordinator = Running(papan(&words).stdout(Stdio::null()).spawn().unwrap());
    until_jobs_say(&url, |said| said.contains("waiting"));
    std::fs::remove_file(&engine).unwrap();
    let _worker = worker(&url, "poor");
    // The worker releases the job for others.
    let said = until_jobs_say(&url, |said| {
        said.contains("refused") && said.contains("1 waiting, 0 running")
    });
    assert!(said.contains("poor refused: player `gtp:"), "{said}");
    assert!(said.contains("is missing here"), "{said}");
    drop(coordinator);
}

#[test]
fn a_store_is_copied_by_one_command_and_a_wrong_address_is_answered_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let url = postgres.database("club");
    let from = format!("sqlite:{}", folder.path().join("none.sqlite").display());
    let refused = papan(&["store", "copy", &from, &url]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("no such file"), "{said}");
    let to = format!("sqlite:{}", folder.path().join("to.sqlite").display());
    let copied = output(&["store", "copy", &url, &to]);
    let copied = String::from_utf8_lossy(&copied.stdout).into_owned();
    assert!(copied.starts_with("games "), "{copied}");
    for wrong in [
        ["jobs", "--database", "mysql://x"],
        ["worker", "--database", "sqlite:x"],
    ] {
        let refused = papan(&wrong).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("postgres://"), "{said}");
    }
}
