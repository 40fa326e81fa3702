//! The full product of two 64-bit numbers.

/// Both halves of the product of two 64-bit numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideProduct {
    /// The low 64 bits.
    pub low: u64,
    /// The high 64 bits.
    pub high: u64,
}

impl WideProduct {
    /// Multiplies two numbers. WebAssembly has no instruction for the high half, and its `u128`
    /// product is a function call, so four products of halves take its place there.
    #[inline(always)]
    #[must_use]
    pub const fn new(a: u64, b: u64) -> Self {
        if cfg!(target_family = "wasm") {
            Self::of_halves(a, b)
        } else {
            let product = a as u128 * b as u128;
            Self {
                low: product as u64,
                high: (product >> 64) as u64,
            }
        }
    }

    #[inline(always)]
    const fn of_halves(a: u64, b: u64) -> Self {
        const LOW: u64 = u32::MAX as u64;
        let (a_low, a_high) = (a & LOW, a >> 32);
        let (b_low, b_high) = (b & LOW, b >> 32);
        let first = a_high * b_low + ((a_low * b_low) >> 32);
        let second = a_low * b_high + (first & LOW);
        Self {
            low: a.wrapping_mul(b),
            high: a_high * b_high + (first >> 32) + (second >> 32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expected(a: u64, b: u64) -> WideProduct {
        let product = u128::from(a) * u128::from(b);
        WideProduct {
            low: product as u64,
            high: (product >> 64) as u64,
        }
    }

    proptest! {
        #[test]
        fn both_ways_to_multiply_agree(a: u64, b: u64) {
            for (a, b) in [(a, b), (a >> 32, b), (a | 0xffff_ffff, b), (u64::MAX, b), (a, u64::MAX << 32)] {
                prop_assert_eq!(WideProduct::of_halves(a, b), expected(a, b));
                prop_assert_eq!(WideProduct::new(a, b), expected(a, b));
            }
            let largest = WideProduct::of_halves(u64::MAX, u64::MAX);
            prop_assert_eq!(largest, expected(u64::MAX, u64::MAX));
        }
    }
}
