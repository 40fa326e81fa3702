//! Runs every fuzz target on mutated seeds: a fixed set of inputs, under a memory limit.

use cap::Cap;
use papan_fuzz::{TARGETS, Target};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Fails allocations beyond the limit.
#[global_allocator]
static MEMORY: Cap<std::alloc::System> = Cap::new(std::alloc::System, 512 << 20);

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
    let seeds = (target.seeds)();
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
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&inputs(target), |bytes| {
        (target.run)(&bytes);
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{name}: {failure}");
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
    journals finished openings collections puzzles interviews gtp ugi piskvork nboard job_records
    job_addresses job_games job_analyses job_leaves
}

#[test]
fn every_seed_is_accepted() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        seeds.iter().for_each(|seed| (target.run)(seed));
    }
}
