//! Search threads, where the platform has them.

/// Returns the number of threads to start when `asked` are requested: 1 in a web page, where the
/// standard library cannot start any.
#[must_use]
pub const fn usable_threads(asked: usize) -> usize {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        1
    } else {
        asked
    }
}
