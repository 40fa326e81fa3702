//! Open files of the server.

/// Maximum number of connections of the admin listener.
pub(crate) const MAX_ADMIN_CONNECTIONS: usize = 32;

/// Raises the limit on open files towards `wanted` connections and returns how many connections fit.
pub(crate) fn raise_open_files(wanted: usize) -> usize {
    /// Descriptors besides connections of visitors: the database, its WAL, epoll, standard
    /// streams, connections of operators.
    const RESERVED: u64 = 64 + MAX_ADMIN_CONNECTIONS as u64;
    let available = papan_os::raise_open_files(wanted as u64 + RESERVED);
    usize::try_from(available.saturating_sub(RESERVED)).map_or(wanted, |fit| fit.min(wanted))
}
