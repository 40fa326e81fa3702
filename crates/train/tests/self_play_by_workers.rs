//! `papan-train play --jobs`: the file of games is that of one machine byte by byte, whatever is killed.
// Needs the NATS server of a Unix system.
#![cfg(target_os = "linux")]

#[path = "../../jobs/tests/nats_server/mod.rs"]
mod nats_server;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nats_server::{NatsServer, mortal};
use papan_jobs::{
    Connection, JobKind, JobsAddress, Kinds, Notice, Overview, Worker, WorkerOptions,
};
use papan_strategies::Watch;
use papan_train::distributed::{Games, SelfPlay};
use papan_train::plan::{Batch, Plan};

/// A worker of another version.
struct Newer;

impl JobKind for Newer {
    const NAME: &'static str = SelfPlay::NAME;
    type Group = Plan;
    type Job = Batch;
    type Output = Games;
    type Session = ();

    fn requirements(_: &Plan) -> Vec<String> {
        vec!["papan 99.0.0".into()]
    }

    fn start(_: &Plan) -> Result<(), String> {
        Ok(())
    }

    fn run((): &mut (), _: &Batch, _: &Arc<Watch>) -> Result<Games, String> {
        Err("jobs of another version do not come here".into())
    }

    fn verify(_: &Plan, _: &Batch, _: &Games) -> Result<(), String> {
        Ok(())
    }
}

/// Plays 300 games into a file.
fn play(file: &Path, more: &[&str]) -> Command {
    let mut command = mortal(Path::new(env!("CARGO_BIN_EXE_papan-train")));
    command.env_remove("PAPAN_JOBS").arg("play");
    command.args(["--games", "300", "--depth", "2", "--solve", "9"]);
    command.arg("--out").arg(file).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A process that is killed with SIGKILL on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(120);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_file_is_that_of_one_machine_after_kills_of_the_command_and_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
    let played = play(&alone, &["--threads", "2"]).status();
    assert!(played.unwrap().success());
    let mut server = NatsServer::start();
    let url = server.url();
    let address: JobsAddress = url.parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    let start =
        |kinds: Kinds, options: WorkerOptions| Worker::start(&connection, kinds, options).unwrap();
    let newer = start(Kinds::new().with::<Newer>(), WorkerOptions::named("newer"));
    // A worker ends after two of ten batches. The command is killed when the file has games.
    let first = Running(play(&together, &["--jobs", &url]).spawn().unwrap());
    let options = WorkerOptions::named("one").max_jobs(Some(2));
    start(Kinds::new().with::<SelfPlay>(), options).join();
    until("games are in the file", || {
        std::fs::metadata(&together).is_ok_and(|file| file.len() > 0)
    });
    drop(first);
    let begun = std::fs::read(&together).unwrap();
    until("the newer worker declines", || {
        let workers = Overview::read(&connection).unwrap().workers;
        let newer = workers.iter().find(|worker| worker.name == "newer");
        newer.is_some_and(|newer| {
            let mut declined = newer.declined.iter();
            declined.any(|declined| declined.reason.starts_with("it needs papan "))
        })
    });
    // The server is killed while the second command has jobs that wait.
    // It has connected when it has opened the group again.
    let opened = || Overview::read(&connection).unwrap().groups[0].record.opened;
    let opened_by_first = opened();
    until("another second", || {
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
        now > opened_by_first
    });
    let mut second = play(&together, &["--jobs", &url]);
    let second = second.stderr(Stdio::piped()).spawn().unwrap();
    until("the second command runs", || opened() > opened_by_first);
    until("jobs wait", || {
        Overview::read(&connection).unwrap().groups[0].counts.queued > 0
    });
    server.kill();
    std::thread::sleep(Duration::from_millis(500));
    server.restart();
    let options = WorkerOptions::named("steady").threads(2);
    let steady = start(Kinds::new().with::<SelfPlay>(), options);
    let ended = second.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}");
    assert!(!said.contains("false"), "{said}");
    let [alone, together] = [alone, together].map(|path| std::fs::read(path).unwrap());
    assert!(!begun.is_empty() && begun.len() < alone.len());
    assert!(alone == together);
    assert!(Overview::read(&connection).unwrap().groups.is_empty());
    for worker in [newer, steady] {
        worker.drain();
        worker.join();
    }
}
