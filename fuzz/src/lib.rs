//! Everything that reads what others wrote, as targets for a fuzzer.
//!
//! Whatever the bytes are, reading them ends, takes little memory and does not
//! panic; what was read, written again, is read as the same. `tests/targets.rs`
//! tries each target on some thousands of damaged examples; `cargo xtask fuzz`
//! lets libFuzzer try for as long as wanted.

mod files;
mod names;
mod protocols;

/// One reader.
pub struct Target {
    /// What it reads.
    pub name: &'static str,
    /// Good examples, to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads the bytes; panics when a promise is broken.
    pub read: fn(&[u8]),
    /// How many inputs the tests can afford.
    pub cases: u32,
}

/// All readers.
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
    protocols::GTP,
    protocols::UGI,
    protocols::PISKVORK,
    protocols::NBOARD,
];

/// Examples that are text.
fn texts(texts: &[&str]) -> Vec<Vec<u8>> {
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// The bytes as text, as every reader of text gets them.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
