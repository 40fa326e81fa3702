//! Killed workers, coordinators, servers and cluster nodes: nothing is lost, doubled or false.
//!
//! This test program also is the workers and coordinators that are killed: it has a `main` of its
//! own, which runs a role if the environment names one.

mod kinds;
mod nats_server;

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, ExitCode, Stdio};
use std::time::Duration;

use kinds::{
    DEADLY, Group, Honest, Number, Said, collect, connect, group, numbers, producer, until, worker,
};
use nats_server::{NatsServer, mortal};
use papan_jobs::{Connection, JobsAddress, Notice, Overview};

/// This program again, as another process that can be killed.
struct Process(Child);

impl Process {
    fn start(role: &str, url: &str, name: &str, file: &Path) -> Self {
        let child = mortal(&std::env::current_exe().unwrap())
            .env(ROLE, role)
            .env("PAPAN_TEST_JOBS", url)
            .env("PAPAN_TEST_NAME", name)
            .env("PAPAN_TEST_FILE", file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }

    fn worker(url: &str, name: &str) -> Self {
        Self::start("worker", url, name, Path::new(""))
    }

    /// Ends it with SIGKILL.
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The environment variable that makes this program a worker or a coordinator.
const ROLE: &str = "PAPAN_TEST_ROLE";

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

fn run_role(role: &str) {
    let address: JobsAddress = variable("PAPAN_TEST_JOBS").parse().unwrap();
    let connection = Connection::open(&address, Notice::none()).unwrap();
    match role {
        "worker" => {
            worker::<Honest>(&connection, &variable("PAPAN_TEST_NAME"), 2).join();
        }
        "coordinator" => coordinate(&connection, Path::new(&variable("PAPAN_TEST_FILE"))),
        other => panic!("there is no role {other}"),
    }
}

/// Writes results into a journal, until it is killed.
fn coordinate(connection: &Connection, file: &Path) {
    let mut squares = producer(connection, long_group(), &Said::default());
    squares.submit(&numbers(LONG)).unwrap();
    let options = std::fs::File::options().create(true).append(true).clone();
    let mut journal = options.open(file).unwrap();
    loop {
        for result in squares.results(Duration::from_secs(1)).unwrap() {
            writeln!(journal, "{}", result.job.0).unwrap();
        }
        journal.sync_all().unwrap();
    }
}

fn main() -> ExitCode {
    if let Ok(role) = std::env::var(ROLE) {
        run_role(&role);
        return ExitCode::SUCCESS;
    }
    let tests: [(&str, fn()); 6] = [
        (
            "one_worker_is_killed_and_one_is_late",
            one_worker_is_killed_and_one_is_late,
        ),
        (
            "the_coordinator_is_killed_and_started_again",
            the_coordinator_is_killed_and_started_again,
        ),
        (
            "the_server_is_killed_and_started_again",
            the_server_is_killed_and_started_again,
        ),
        (
            "a_server_that_lost_its_files_is_given_everything_again",
            a_server_that_lost_its_files_is_given_everything_again,
        ),
        (
            "a_cluster_of_three_loses_one_node_after_the_other",
            a_cluster_of_three_loses_one_node_after_the_other,
        ),
        (
            "a_job_that_kills_its_workers_becomes_a_dead_letter",
            a_job_that_kills_its_workers_becomes_a_dead_letter,
        ),
    ];
    let trials = tests.map(|(name, test)| {
        libtest_mimic::Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    let arguments = libtest_mimic::Arguments::from_args();
    libtest_mimic::run(&arguments, trials.into()).exit_code()
}

const LONG: u64 = 400;

fn long_group() -> Group {
    group("long", 40)
}

fn running(connection: &Connection, name: &str) -> usize {
    let workers = Overview::read(connection).unwrap().workers;
    let found = workers.iter().find(|worker| worker.name == name);
    found.map_or(0, |worker| worker.running.len())
}

fn one_worker_is_killed_and_one_is_late() {
    let server = NatsServer::start();
    let connection = connect(&server.url());
    let said = Said::default();
    let mut squares = producer(&connection, group("killed", 400), &said);
    let killed = Process::worker(&server.url(), "killed");
    let _steady = Process::worker(&server.url(), "steady");
    squares.submit(&numbers(60)).unwrap();
    until("it runs jobs", || running(&connection, "killed") > 0);
    killed.kill();
    let _late = Process::worker(&server.url(), "late");
    let results = collect(&mut squares, 60);
    assert!(results.values().any(|worker| worker == "late"));
    assert!(said.all().is_empty(), "{:?}", said.all());
    let overview = Overview::read(&connection).unwrap();
    assert_eq!(overview.groups[0].counts.queued, 0);
    assert_eq!(overview.groups[0].counts.done, 60);
}

fn the_coordinator_is_killed_and_started_again() {
    let server = NatsServer::start();
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let connection = connect(&server.url());
    let _worker = worker::<Honest>(&connection, "one", 4);
    let coordinator = Process::start("coordinator", &server.url(), "", &journal);
    until("some results are in its journal", || {
        std::fs::read_to_string(&journal).is_ok_and(|text| text.lines().count() > 20)
    });
    coordinator.kill();
    // Workers continue without it.
    let done = || Overview::read(&connection).unwrap().groups[0].counts.done;
    let before = done();
    until("more results", || done() > before + 20);
    let said = Said::default();
    let mut squares = producer(&connection, long_group(), &said);
    squares.submit(&numbers(LONG)).unwrap();
    let results = collect(&mut squares, LONG as usize);
    assert_eq!(results.len() as u64, LONG);
    squares.end().unwrap();
    assert!(Overview::read(&connection).unwrap().groups.is_empty());
}

fn the_server_is_killed_and_started_again() {
    let mut server = NatsServer::start();
    let connection = connect(&server.url());
    let said = Said::default();
    let _workers = [
        Process::worker(&server.url(), "one"),
        Process::worker(&server.url(), "two"),
    ];
    let mut squares = producer(&connection, group("server", 20), &said);
    squares.submit(&numbers(600)).unwrap();
    let mut found = std::collections::BTreeMap::new();
    for _ in 0..3 {
        let wanted = 600.min(found.len() + 60);
        while found.len() < wanted {
            for result in squares.results(Duration::from_secs(1)).unwrap() {
                let before = found.insert(result.job, result.worker);
                assert!(before.is_none(), "{:?} came twice", result.job);
            }
        }
        server.kill();
        std::thread::sleep(Duration::from_millis(700));
        server.restart();
    }
    let rest = collect(&mut squares, 600 - found.len());
    assert!(rest.keys().all(|number| !found.contains_key(number)));
    assert_eq!(found.len() + rest.len(), 600);
    squares.end().unwrap();
}

fn a_server_that_lost_its_files_is_given_everything_again() {
    let mut server = NatsServer::start();
    let connection = connect(&server.url());
    let said = Said::default();
    let mut squares = producer(&connection, group("wiped", 5), &said);
    squares.submit(&numbers(50)).unwrap();
    server.kill();
    std::fs::remove_dir_all(server.folder().join("store")).unwrap();
    server.restart();
    let _worker = worker::<Honest>(&connection, "one", 4);
    assert_eq!(collect(&mut squares, 50).len(), 50);
}

fn a_cluster_of_three_loses_one_node_after_the_other() {
    let mut servers = NatsServer::cluster();
    let urls: Vec<String> = servers.iter().map(NatsServer::url).collect();
    let url = format!("{}?replicas=3", urls.join(","));
    let connection = connect(&url);
    let said = Said::default();
    let mut squares = producer(&connection, group("cluster", 60), &said);
    let _workers = [Process::worker(&url, "one"), Process::worker(&url, "two")];
    squares.submit(&numbers(600)).unwrap();
    let mut found = std::collections::BTreeMap::new();
    for (node, server) in servers.iter_mut().enumerate() {
        let wanted = 600.min(found.len() + 60);
        while found.len() < wanted {
            for result in squares.results(Duration::from_secs(1)).unwrap() {
                let before = found.insert(result.job, result.worker);
                assert!(before.is_none(), "{:?} came twice", result.job);
            }
        }
        eprintln!("{} results; node {node} is killed", found.len());
        server.kill();
        std::thread::sleep(Duration::from_secs(2));
        server.restart();
        // A node that has caught up can be missed again.
        std::thread::sleep(Duration::from_secs(3));
    }
    let rest = collect(&mut squares, 600 - found.len());
    assert_eq!(found.len() + rest.len(), 600);
}

fn a_job_that_kills_its_workers_becomes_a_dead_letter() {
    let server = NatsServer::start();
    let connection = connect(&server.url());
    let mut squares = producer(&connection, group("deadly", 1), &Said::default());
    squares.submit(&[DEADLY]).unwrap();
    let url = server.url();
    let mut victim = Process::worker(&url, "victim");
    let deadline = std::time::Instant::now() + Duration::from_secs(400);
    while Overview::read(&connection).unwrap().dead_letters.is_empty() {
        assert!(std::time::Instant::now() < deadline, "no dead letter");
        if victim.0.try_wait().unwrap().is_some() {
            victim = Process::worker(&url, "victim");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let letters = Overview::read(&connection).unwrap().dead_letters;
    assert!(
        letters[0].reason.contains("started 5 times"),
        "{}",
        letters[0].reason
    );
    squares.submit(&[Number(3)]).unwrap();
    collect(&mut squares, 1);
}
