//! How the engine is set up.

/// What an engine is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridEngineOptions {
    /// Plies to look ahead, beside the context's limit.
    pub depth: Option<u32>,
    /// Nodes to look at, beside the context's limit.
    pub nodes: Option<u64>,
    /// Threads that search together.
    pub threads: usize,
    /// Size of the hash table in MiB.
    pub hash_mib: usize,
    /// How it looks at a position.
    pub mode: SearchMode,
}

/// How the engine looks at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// Proofs and wins by fours first, then a search for the best move.
    #[default]
    Full,
    /// A plain search of the given depth, which may be none, that weighs every promising
    /// move: what lies deeper is missed, a win by fours too.
    Plain,
}

impl Default for GridEngineOptions {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            threads: 1,
            hash_mib: 64,
            mode: SearchMode::Full,
        }
    }
}
