//! Stable hashing: the same values in every release, so that games can be replayed.

use std::hash::Hasher;

use papan_rules::WideProduct;

/// A hash that is the same on every machine and in every version of Rust, unlike
/// the standard library's: games must replay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StableHasher(u64);

impl Default for StableHasher {
    fn default() -> Self {
        Self::seeded(0, 0)
    }
}

/// Both halves of a product, mixed: a multiplication that forgets nothing.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = WideProduct::new(a, b);
    product.low ^ product.high
}

impl StableHasher {
    /// Starts from two numbers; the constants keep zeros from leaving zero.
    #[inline]
    pub(crate) fn seeded(a: u64, b: u64) -> Self {
        Self(fold(a ^ 0x243f_6a88_85a3_08d3, b ^ 0x1319_8a2e_0370_7344))
    }
}

impl Hasher for StableHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = fold(self.0 ^ word, 0x9e37_79b9_7f4a_7c15);
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }
    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }
    #[inline]
    fn finish(&self) -> u64 {
        // Hash tables look at the high bits and the low ones; mix them once more.
        fold(self.0, 0xd6e8_feb8_6659_fd93)
    }
}
