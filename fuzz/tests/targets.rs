//! Every target on damaged examples: the same ones in every run, with little memory.

use cap::Cap;
use papan_fuzz::{TARGETS, Target};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// What asks for more is stopped.
#[global_allocator]
static MEMORY: Cap<std::alloc::System> = Cap::new(std::alloc::System, 512 << 20);

/// What has broken many a reader.
const TROUBLE: &[&str] = &[
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

/// One way of damaging a text: what is done, where, and how much.
type Edit = (u8, usize, usize);

fn edited(mut bytes: Vec<u8>, edits: &[Edit]) -> Vec<u8> {
    for &(what, place, size) in edits {
        let at = place % (bytes.len() + 1);
        let end = bytes.len().min(at + 1 + size % 16);
        match what % 6 {
            0 => bytes.extend(std::iter::repeat_n(size as u8, 1 + place % 3)),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, TROUBLE[size % TROUBLE.len()].bytes())),
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
    let edits = prop::collection::vec(any::<Edit>(), 0..8);
    let damaged = (prop::sample::select(seeds), edits);
    prop_oneof![
        9 => damaged.prop_map(|(seed, edits)| edited(seed, &edits)),
        1 => prop::collection::vec(any::<u8>(), 0..64),
    ]
}

fn try_out(name: &str) {
    let target = TARGETS
        .iter()
        .find(|target| target.name == name)
        .expect("a target");
    let config = Config {
        cases: target.cases,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let tried = runner.run(&inputs(target), |bytes| {
        (target.read)(&bytes);
        Ok(())
    });
    if let Err(broken) = tried {
        panic!("{name}: {broken}");
    }
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { try_out(stringify!($name)); })*

        #[test]
        fn every_target_is_tried() {
            let tried = [$(stringify!($name)),*];
            assert!(TARGETS.iter().map(|target| target.name).eq(tried));
        }
    };
}

targets! {
    games players moves positions times records tables lookups certificates obf books weights
    journals finished openings gtp ugi piskvork nboard
}

#[test]
fn every_example_is_read() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        seeds.iter().for_each(|seed| (target.read)(seed));
    }
}
