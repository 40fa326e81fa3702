//! Kinds of jobs for tests: squares of numbers, computed honestly or not.
#![allow(dead_code, reason = "each test program uses some of it")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use papan_jobs::{
    Class, Connection, JobKind, JobsAddress, Kinds, Notice, Producer, Worker, WorkerOptions,
};
use papan_strategies::Watch;
use serde::{Deserialize, Serialize};

/// The data shared by all jobs of a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Group {
    pub(crate) name: String,
    /// How long each job takes.
    pub(crate) millis: u64,
    /// Bytes that each result has beside its number.
    #[serde(default)]
    pub(crate) padding: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Number(pub(crate) u64);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Square {
    pub(crate) value: u64,
    pub(crate) padding: String,
    /// Whether the worker says that a program failed.
    #[serde(default)]
    pub(crate) has_failed: bool,
}

papan_jobs::json_payload!(Group, Number, Square);

/// A number whose job panics.
pub(crate) const PANICS: Number = Number(1_000_013);
/// A number whose job fails.
pub(crate) const FAILS: Number = Number(1_000_014);
/// A number whose job ends only when it is stopped.
pub(crate) const ENDLESS: Number = Number(1_000_015);
/// A number whose job does not look at its stop token.
pub(crate) const DEAF: Number = Number(1_000_017);
/// A number whose job ends the process of its worker.
pub(crate) const DEADLY: Number = Number(1_000_016);

pub(crate) fn group(name: &str, millis: u64) -> Group {
    Group {
        name: name.into(),
        millis,
        padding: 0,
    }
}

/// How the test worker behaves.
pub(crate) trait Manner: 'static {
    const VERSION: &'static str = "version 1";
    const ERROR: u64 = 0;
    /// Whether every job fails.
    const IS_BROKEN: bool = false;

    /// Whether the worker says that a program failed at this job.
    fn fails(_group: &Group, _job: Number) -> bool {
        false
    }
}

pub(crate) struct Honest;
/// Returns wrong squares.
pub(crate) struct Lying;
/// Another version of the code.
pub(crate) struct Newer;
/// Returns results that look right and are not.
pub(crate) struct Subtle;

/// Reports every job as failed.
pub(crate) struct Broken;
/// Says that a program fails at every job.
pub(crate) struct Failing;
/// Says so when it runs a job for the first time.
pub(crate) struct Flaky;

impl Manner for Honest {}

impl Manner for Subtle {}

impl Manner for Lying {
    const ERROR: u64 = 1;
}

impl Manner for Newer {
    const VERSION: &'static str = "version 2";
    const ERROR: u64 = 1;
}

impl Manner for Broken {
    const IS_BROKEN: bool = true;
}

impl Manner for Failing {
    fn fails(_: &Group, _: Number) -> bool {
        true
    }
}

impl Manner for Flaky {
    fn fails(group: &Group, job: Number) -> bool {
        static RUN: Mutex<BTreeSet<(String, Number)>> = Mutex::new(BTreeSet::new());
        RUN.lock().unwrap().insert((group.name.clone(), job))
    }
}

pub(crate) struct Squares<M>(std::marker::PhantomData<M>);

fn wait(millis: u64, watch: &Watch) {
    let end = Instant::now() + Duration::from_millis(millis);
    while Instant::now() < end && !watch.stop.is_stopped() {
        std::thread::sleep(Duration::from_millis(millis.min(5)));
    }
}

impl<M: Manner> JobKind for Squares<M> {
    const NAME: &'static str = "squares";
    const TIME_LIMIT: Duration = Duration::from_secs(5);
    const CLASSES: &'static [Class] = &[Class::Page, Class::Bulk];
    const INTERACTIVE: bool = true;
    type Group = Group;
    type Job = Number;
    type Output = Square;
    type Session = Group;

    fn requirements(_: &Group) -> Vec<String> {
        vec![M::VERSION.into()]
    }

    fn start(group: &Group) -> Result<Group, String> {
        Ok(group.clone())
    }

    fn run(group: &mut Group, job: &Number, watch: &Arc<Watch>) -> Result<Square, String> {
        if M::IS_BROKEN {
            return Err("the memory is full".into());
        }
        match *job {
            PANICS => panic!("thirteen"),
            FAILS => return Err("fourteen".into()),
            ENDLESS => wait(3_600_000, watch),
            DEAF => std::thread::sleep(Duration::from_secs(40)),
            DEADLY => std::process::exit(9),
            _ => wait(group.millis, watch),
        }
        let padding = if std::any::type_name::<M>().ends_with("Subtle") {
            "y"
        } else {
            "x"
        };
        Ok(Square {
            value: job.0 * job.0 + M::ERROR,
            padding: padding.repeat(group.padding),
            has_failed: M::fails(group, *job),
        })
    }

    fn verify(group: &Group, job: &Number, output: &Square) -> Result<(), String> {
        if output.value != job.0 * job.0 {
            return Err(format!("{} is not the square of {}", output.value, job.0));
        }
        if output.padding.len() != group.padding {
            return Err("its padding is short".into());
        }
        Ok(())
    }

    fn is_deterministic(_: &Group) -> bool {
        true
    }

    fn doubt(_: &Group, output: &Square) -> Option<String> {
        output.has_failed.then(|| "a program failed".into())
    }
}

/// The messages shown to the user.
#[derive(Clone, Default)]
pub(crate) struct Said(Arc<Mutex<Vec<String>>>);

impl Said {
    pub(crate) fn notice(&self) -> Notice {
        let lines = Arc::clone(&self.0);
        Notice::new(move |line| lines.lock().unwrap().push(line.to_owned()))
    }

    pub(crate) fn contains(&self, words: &str) -> bool {
        let lines = self.0.lock().unwrap();
        lines.iter().any(|line| line.contains(words))
    }

    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

pub(crate) fn connect(url: &str) -> Connection {
    let address: JobsAddress = url.parse().unwrap();
    // Shown when the test fails.
    Connection::open(&address, Notice::new(|line| eprintln!("{line}"))).unwrap()
}

pub(crate) fn worker<M: Manner>(connection: &Connection, name: &str, threads: usize) -> Worker {
    let kinds = Kinds::new().with::<Squares<M>>();
    let options = WorkerOptions::named(name).threads(threads);
    Worker::start(connection, kinds, options).unwrap()
}

pub(crate) fn producer(
    connection: &Connection,
    group: Group,
    said: &Said,
) -> Producer<Squares<Honest>> {
    Producer::begin(connection, group, "a test", said.notice()).unwrap()
}

pub(crate) fn numbers(count: u64) -> Vec<Number> {
    (1..=count).map(Number).collect()
}

/// Reads results until there are `count`; each number once.
pub(crate) fn collect(
    producer: &mut Producer<Squares<Honest>>,
    count: usize,
) -> BTreeMap<Number, String> {
    let mut squares = BTreeMap::new();
    let deadline = Instant::now() + Duration::from_secs(120);
    while squares.len() < count {
        assert!(
            Instant::now() < deadline,
            "{} of {count} results",
            squares.len()
        );
        for result in producer.results(Duration::from_secs(1)).unwrap() {
            assert_eq!(result.output.value, result.job.0 * result.job.0);
            let before = squares.insert(result.job, result.worker);
            assert!(before.is_none(), "{:?} came twice", result.job);
        }
    }
    squares
}

/// Waits until something is the case.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}
