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
    std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|info| available_in(&info))
        .unwrap_or(UNREPORTED)
}

fn available_in(info: &str) -> Option<usize> {
    let line = info
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_available_memory_is_read_from_the_system_s_words() {
        let info = "MemTotal: 2048 kB\nMemAvailable:   1048576 kB\n";
        assert_eq!(super::available_in(info), Some(1024));
        assert_eq!(super::available_in("nothing"), None);
    }
}
