//! Limits of a child process.

/// Memory and cores of a child process. Best effort: a system that cannot set a limit runs the
/// program without it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// The cores it may run on; all if empty.
    pub cores: Vec<usize>,
}
