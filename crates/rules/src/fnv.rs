//! FNV-1a, the 64-bit Fowler–Noll–Vo hash.
//!
//! Names tournaments, seeds games and sums certificates, so that its values appear in files and
//! must never change. It detects accidental changes, not forgery: anyone can construct a
//! collision.
//!
//! Reference: <http://www.isthe.com/chongo/tech/comp/fnv/>, also RFC 9923.

/// Hash of the empty input.
pub const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;

/// Multiplier applied after every byte.
pub const PRIME: u64 = 0x0100_0000_01b3;

/// Returns the 64-bit FNV-1a hash of `bytes`.
///
/// ```
/// use papan_rules::fnv::fnv1a;
/// assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
/// ```
#[must_use]
pub const fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = OFFSET_BASIS;
    let mut at = 0;
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(PRIME);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors from the reference page.
    #[test]
    fn published_test_vectors_match() {
        assert_eq!(fnv1a(b""), OFFSET_BASIS);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"chongo was here!\n"), 0x4681_0940_eff5_f915);
    }
}
