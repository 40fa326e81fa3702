//! Engine options.

/// Options of a [`super::GridEngine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridEngineOptions {
    /// Maximum depth in plies, in addition to the limits of the context.
    pub depth: Option<u32>,
    /// Maximum number of nodes, in addition to the limits of the context.
    pub nodes: Option<u64>,
    /// Number of search threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The search to use.
    pub mode: SearchMode,
}

/// The kinds of search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// Proofs and threat search first, then alpha-beta for the best move.
    #[default]
    Full,
    /// A fixed-depth search, possibly of depth 0, that scores every promising move and runs no VCF:
    /// weaker, and used for opponents of limited strength.
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
