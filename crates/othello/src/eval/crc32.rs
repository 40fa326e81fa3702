//! CRC-32 (IEEE 802.3) of the weights file: `crc32fast`, and as WebAssembly slicing-by-8.
//!
//! `crc32fast` has 16 KiB of tables, which do not compress and would be 3 % of the module that a page
//! loads. These are computed when they are needed.
//!
//! Reference: Kounavis and Berry, *A Systematic Approach to Building High Performance, Software-Based,
//! CRC Generators* (2005)

/// Returns the checksum of some bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

#[cfg(target_family = "wasm")]
pub(super) use sliced as crc32;

/// The reversed polynomial.
#[cfg(any(test, target_family = "wasm"))]
const POLYNOMIAL: u32 = 0xedb8_8320;

/// Returns the checksum of some bytes, eight at a time.
#[cfg(any(test, target_family = "wasm"))]
pub(super) fn sliced(bytes: &[u8]) -> u32 {
    let mut tables = [[0_u32; 256]; 8];
    tables[0] = std::array::from_fn(|byte| {
        let step = |sum: u32, _| (sum >> 1) ^ (POLYNOMIAL & (sum & 1).wrapping_neg());
        (0..8).fold(byte as u32, step)
    });
    for slice in 1..8 {
        for byte in 0..256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = (before >> 8) ^ tables[0][(before & 255) as usize];
        }
    }
    let (chunks, rest) = bytes.as_chunks::<8>();
    let sum = chunks.iter().fold(u32::MAX, |sum, chunk| {
        let mut chunk = u64::from_le_bytes(*chunk) ^ u64::from(sum);
        let mut sum = 0;
        for table in tables.iter().rev() {
            sum ^= table[(chunk & 255) as usize];
            chunk >>= 8;
        }
        sum
    });
    let sum = rest.iter().fold(sum, |sum, byte| {
        (sum >> 8) ^ tables[0][((sum ^ u32::from(*byte)) & 255) as usize]
    });
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_checksum_of_the_standard() {
        assert_eq!(sliced(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let bytes: Vec<u8> = (0..1000_u32).map(|at| ((at * at) >> 3) as u8).collect();
        for len in (0..50).chain([999, 1000]) {
            assert_eq!(sliced(&bytes[..len]), crc32(&bytes[..len]), "{len} bytes");
        }
    }
}
