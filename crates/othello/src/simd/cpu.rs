//! CPU feature detection: which code path runs, and whether this processor can run the build.

use thiserror::Error;

/// The instruction set in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePath {
    /// AVX2 with BMI2, and AVX-512 in the endgame solver.
    Avx512,
    /// AVX2 with BMI2.
    Avx2,
    /// No vector instructions: runs on any processor.
    Portable,
}

impl CodePath {
    /// Returns a short display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX2+BMI2, AVX-512",
            Self::Avx2 => "AVX2+BMI2",
            Self::Portable => "portable",
        }
    }
}

/// Returns the code path in use: the build's, and AVX-512 where this processor has it.
pub fn code_path() -> CodePath {
    if has_avx512() {
        CodePath::Avx512
    } else if HAS_AVX2 {
        CodePath::Avx2
    } else {
        CodePath::Portable
    }
}

/// Whether the build assumes AVX2.
const HAS_AVX2: bool = cfg!(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    target_feature = "bmi2"
));

/// Returns whether [`Avx512`](crate::simd::dispatch::Avx512) code may run. A portable build stays
/// portable.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512() -> bool {
    HAS_AVX2
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

/// Returns whether [`Avx512`](crate::simd::dispatch::Avx512) code may run.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) const fn has_avx512() -> bool {
    false
}

/// Returns the name of the build for the instructions that this processor has and this portable
/// build does not use. `None` if this build is the right one.
///
/// The crate has one set of search functions per build: run-time dispatch in all of them would need
/// each in two versions. A release contains both builds instead, and the portable one starts the
/// other.
#[must_use]
pub fn faster_build() -> Option<&'static str> {
    has_x86_64_v3().then_some("papan-x86-64-v3")
}

#[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
fn has_x86_64_v3() -> bool {
    // Also checks that the operating system saves the wide registers.
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe")
        && is_x86_feature_detected!("popcnt")
}

#[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
const fn has_x86_64_v3() -> bool {
    false
}

/// The processor lacks instructions that papan was compiled for.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "this build of papan requires a processor with {missing}; \
     for a portable build, set RUSTFLAGS='-C target-cpu=x86-64'"
)]
pub struct CpuError {
    /// The missing instructions.
    pub missing: String,
}

/// Checks that this processor has the instructions of the build. Uses CPUID directly, because
/// `is_x86_feature_detected!` returns true for every feature that the build enables.
///
/// # Errors
/// When an instruction set is missing.
pub fn check_cpu() -> Result<(), CpuError> {
    let missing = missing();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(CpuError {
            missing: missing.join(", "),
        })
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, unused_unsafe)]
fn missing() -> Vec<&'static str> {
    use core::arch::x86_64::{__cpuid, __cpuid_count};
    // SAFETY: every x86-64 processor has CPUID and the leaves 1 and 0x8000_0001; leaf 7 is read
    // only where it exists.
    let (basic, extended, more) = unsafe {
        let highest = __cpuid(0).eax;
        let extended = if highest >= 7 {
            __cpuid_count(7, 0).ebx
        } else {
            0
        };
        (__cpuid(1).ecx, extended, __cpuid(0x8000_0001).ecx)
    };
    let needed = [
        (cfg!(target_feature = "popcnt"), "POPCNT", basic >> 23 & 1),
        (cfg!(target_feature = "fma"), "FMA", basic >> 12 & 1),
        (cfg!(target_feature = "avx2"), "AVX2", extended >> 5 & 1),
        (cfg!(target_feature = "bmi1"), "BMI1", extended >> 3 & 1),
        (cfg!(target_feature = "bmi2"), "BMI2", extended >> 8 & 1),
        (cfg!(target_feature = "lzcnt"), "LZCNT", more >> 5 & 1),
    ];
    needed
        .into_iter()
        .filter(|&(required, _, present)| required && present == 0)
        .map(|(_, name, _)| name)
        .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn missing() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_processor_that_runs_this_test_passes_the_check() {
        assert_eq!(super::check_cpu(), Ok(()));
    }
}
