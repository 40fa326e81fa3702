//! Available memory of the machine.

/// Largest table, in MiB, where the system does not report its memory: the address space, or a
/// quarter of one of 32 bits, which must hold the rest of the program too.
const UNREPORTED: usize = if usize::BITS > 32 {
    usize::MAX >> 20
} else {
    1 << 10
};

/// Returns the MiB available for a new table. Where the system does not report it, the largest that
/// the address space has room for.
#[must_use]
pub fn available_mib() -> usize {
    papan_os::available_memory_mib().unwrap_or(UNREPORTED)
}
