//! Runs every fuzz target on mutated seeds: a fixed set of inputs, under a memory limit.
//!
//! With `PAPAN_FUZZ_SECONDS`, further inputs are tried for that time, and their number is printed.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use cap::Cap;
use papan_fuzz::{TARGETS, Target, corpus};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Fails allocations beyond the limit.
#[global_allocator]
static MEMORY: Cap<std::alloc::System> = Cap::new(std::alloc::System, 512 << 20);

/// Targets whose inputs are all longer than those of a corpus may be.
const WITHOUT_CORPUS: [&str; 0] = [];

/// How long each target is tried.
static SECONDS: LazyLock<Option<Duration>> = LazyLock::new(|| {
    let seconds = std::env::var("PAPAN_FUZZ_SECONDS").ok()?;
    let seconds = seconds.parse().expect("PAPAN_FUZZ_SECONDS is a number");
    Some(Duration::from_secs(seconds))
});

/// Strings that often break parsers.
const DICTIONARY: &[&str] = &[
    "0",
    "-1",
    "+",
    "65535",
    "65536",
    "4294967296",
    "18446744073709551615",
    "99999999999999999999999",
    "1e999",
    "NaN",
    "é",
    "\u{feff}",
    "\u{202e}",
    "\0",
    "\r\n",
    "\n\n",
    " ",
    "\t",
    ":",
    ";",
    ",",
    "(",
    ")",
    "=",
    "x",
    "@",
    "#",
    "\u{1b}[2J",
    "\u{a0}",
    "٣",
    "𝟛",
];

/// A mutation of an input; all numbers are taken modulo their range.
#[derive(Clone, Copy, Debug)]
struct Mutation {
    kind: u8,
    position: usize,
    size: usize,
}

fn mutate(mut bytes: Vec<u8>, mutations: &[Mutation]) -> Vec<u8> {
    for &Mutation {
        kind,
        position,
        size,
    } in mutations
    {
        let at = position % (bytes.len() + 1);
        let end = bytes.len().min(at + 1 + size % 16);
        match kind % 6 {
            0 => bytes.extend(std::iter::repeat_n(size as u8, 1 + position % 3)),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, DICTIONARY[size % DICTIONARY.len()].bytes())),
            3 => bytes.truncate(at),
            4 => {
                let part = bytes[at..end].to_vec();
                let to = size % (bytes.len() + 1);
                drop(bytes.splice(to..to, part));
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = size as u8;
                }
            }
        }
    }
    bytes
}

fn inputs(target: &Target) -> impl Strategy<Value = Vec<u8>> + use<> {
    let seeds = target.corpus();
    let mutation = any::<(u8, usize, usize)>().prop_map(|(kind, position, size)| Mutation {
        kind,
        position,
        size,
    });
    let mutations = prop::collection::vec(mutation, 0..8);
    let mutated = (prop::sample::select(seeds), mutations);
    prop_oneof![
        9 => mutated.prop_map(|(seed, mutations)| mutate(seed, &mutations)),
        1 => prop::collection::vec(any::<u8>(), 0..64),
    ]
}

fn run_target(name: &str) {
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .expect("the target is in the list");
    let config = Config {
        cases: target.cases,
        failure_persistence: None,
        ..Config::default()
    };
    let inputs = inputs(target);
    let start = Instant::now();
    for round in 0_u64.. {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&round.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(config.clone(), rng);
        let result = runner.run(&inputs, |bytes| {
            (target.run)(&bytes);
            Ok(())
        });
        if let Err(failure) = result {
            panic!("{name}: {failure}");
        }
        let Some(limit) = *SECONDS else {
            return;
        };
        if start.elapsed() >= limit {
            println!(
                "{name}: {} executions",
                (round + 1) * u64::from(target.cases)
            );
            return;
        }
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { run_target(stringify!($name)); })*

        #[test]
        fn every_target_has_a_test() {
            let tested = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(tested));
        }
    };
}

targets! {
    games players moves positions times records tables lookups certificates obf books weights
    journals finished openings collections puzzles interviews checkpoints assignments gtp ugi
    piskvork nboard position_lines requests events variations imports gomoku_weights training_games
    self_play job_records job_addresses job_games job_analyses job_leaves leaf_journals
}

#[test]
fn every_seed_is_accepted() {
    for target in TARGETS {
        assert!(!(target.seeds)().is_empty(), "{}", target.name);
        let inputs = target.corpus();
        inputs.iter().for_each(|input| (target.run)(input));
    }
}

#[test]
fn every_target_has_a_small_corpus_and_every_corpus_a_target() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/seeds");
    for entry in std::fs::read_dir(folder).expect("the folder of the corpora") {
        let entry = entry.expect("a file");
        let name = entry.file_name().into_string().expect("an ASCII name");
        let target = name.strip_suffix(".txt").unwrap_or("certificates");
        assert!(TARGETS.iter().any(|known| known.name == target), "{name}");
        let size = entry.metadata().expect("a file").len();
        assert!(size <= corpus::MAX_FILE as u64, "{name}: {size} bytes");
    }
    for target in TARGETS {
        let inputs = corpus::read(target.name).len();
        // Inputs that are longer than `cargo xtask fuzz minimize` takes are not in the repository.
        let is_long = WITHOUT_CORPUS.contains(&target.name);
        assert!(is_long || inputs >= 3, "{}: {inputs} inputs", target.name);
    }
}
