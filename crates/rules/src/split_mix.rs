//! SplitMix64, a small pseudo-random generator for playouts, openings and tests.
//!
//! A seed must give the same game in every release, so this is written here instead of taken from a
//! crate. Reference: G. L. Steele, D. Lea and C. H. Flood, *Fast Splittable Pseudorandom Number
//! Generators*, OOPSLA 2014.

use crate::WideProduct;

/// SplitMix64: small, fast, and the same on every machine. Not for secrets.
///
/// ```
/// use papan_rules::SplitMix;
///
/// let mut random = SplitMix::new(1);
/// let die = 1 + random.below(6);
/// assert!((1..=6).contains(&die));
/// assert_eq!(SplitMix::new(7).next(), SplitMix::new(7).next());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    #[inline]
    #[allow(clippy::should_implement_trait)] // it never ends
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a number below `n`; 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        // Scaling by the high half avoids the bias and the cost of a division.
        WideProduct::new(self.next(), n as u64).high as usize
    }

    /// Returns a number from 0 up to, but not including, 1.
    #[inline]
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_gives_the_published_numbers() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut random = SplitMix::new(1_234_567);
        let first = [(); 5].map(|()| random.next());
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn every_number_below_a_limit_is_drawn_about_equally_often() {
        let mut random = SplitMix::new(5);
        let mut drawn = [0; 10];
        for _ in 0..100_000 {
            drawn[random.below(10)] += 1;
        }
        assert!(
            drawn.iter().all(|n| (9_500..10_500).contains(n)),
            "{drawn:?}"
        );
        let mean = (0..10_000).map(|_| random.fraction()).sum::<f64>() / 1e4;
        assert!((0.48..0.52).contains(&mean), "{mean}");
    }
}
