//! Fuzz targets for all parsers of untrusted input: file formats, protocols, messages, addresses of
//! pages and command-line syntax.
//!
//! On any input a parser must terminate, must not panic and must use little memory, and a parsed
//! value must survive a round trip through its text form. `tests/targets.rs` runs each target on
//! some thousands of mutated seeds; `cargo xtask fuzz` runs them under
//! [libFuzzer](https://llvm.org/docs/LibFuzzer.html) for as long as required. It builds them
//! itself instead of using `cargo fuzz`, which needs a nightly toolchain.

pub mod corpus;
mod files;
mod jobs;
mod names;
mod pages;
mod protocols;
mod training;

/// A fuzz target.
pub struct Target {
    /// Name of the target.
    pub name: &'static str,
    /// Returns the seed corpus: valid inputs.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Runs the parser on the input; panics if a property does not hold.
    pub run: fn(&[u8]),
    /// Number of inputs that the tests try.
    pub cases: u32,
}

impl Target {
    /// Returns the seeds and the corpus in the repository.
    #[must_use]
    pub fn corpus(&self) -> Vec<Vec<u8>> {
        let mut inputs = (self.seeds)();
        inputs.extend(corpus::read(self.name));
        inputs
    }
}

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    names::GAMES,
    names::PLAYERS,
    names::MOVES,
    names::POSITIONS,
    names::TIMES,
    files::RECORDS,
    files::TABLES,
    files::LOOKUPS,
    files::CERTIFICATES,
    files::OBF,
    files::BOOKS,
    files::WEIGHTS,
    files::JOURNALS,
    files::FINISHED,
    files::OPENINGS,
    files::COLLECTIONS,
    files::PUZZLES,
    files::INTERVIEWS,
    files::CHECKPOINTS,
    files::ASSIGNMENTS,
    protocols::GTP,
    protocols::UGI,
    protocols::PISKVORK,
    protocols::NBOARD,
    protocols::POSITION_LINES,
    pages::REQUESTS,
    pages::EVENTS,
    pages::VARIATIONS,
    pages::IMPORTS,
    training::WEIGHTS,
    training::GAMES,
    training::SELF_PLAY,
    jobs::RECORDS,
    jobs::ADDRESSES,
    jobs::GAMES,
    jobs::ANALYSES,
    jobs::LEAVES,
    jobs::LEAF_JOURNALS,
];

/// Returns seeds that are text.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Returns the input as text, with invalid UTF-8 replaced.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
