//! Function multiversioning: the endgame solver compiled for the baseline CPU and for AVX-512.
//!
//! The source has no AVX-512 intrinsics. With three-input logic instructions and twice as many
//! vector registers, the compiler makes the same code about 6 % faster. Rust has no counterpart of
//! GCC's `target_clones`, so [`multiversioned!`] writes each function twice.
//!
//! A function is compiled for the features of the function it is inlined into. So only functions
//! that take part in a recursion need two versions; everything else they call is
//! `#[inline(always)]`.

/// An instruction set that the endgame solver is compiled for.
pub(crate) trait Isa {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "other architectures have one version only")
    )]
    const IS_AVX512: bool;
}

/// The instructions that the build assumes.
pub(crate) struct Baseline;

impl Isa for Baseline {
    const IS_AVX512: bool = false;
}

/// AVX-512. Must only be used where [`has_avx512`](crate::simd::cpu::has_avx512) returns true.
pub(crate) struct Avx512;

impl Isa for Avx512 {
    const IS_AVX512: bool = true;
}

/// Defines a function or method `name<I: Isa>` that dispatches to two non-inlined versions, whose
/// names are given in brackets. Inside the body `I` is the concrete [`Isa`].
macro_rules! multiversioned {
    (
        $(#[$doc:meta])*
        $vis:vis fn $name:ident [$baseline:ident, $avx512:ident] <$isa:ident>
        (&mut $self:ident $(, $arg:ident: $type:ty)* $(,)?) -> $out:ty $body:block
    ) => {
        $(#[$doc])*
        #[inline(always)]
        #[allow(unsafe_code)]
        $vis fn $name<$isa: $crate::simd::dispatch::Isa>(&mut $self $(, $arg: $type)*) -> $out {
            #[cfg(target_arch = "x86_64")]
            if $isa::IS_AVX512 {
                // SAFETY: callers use `Avx512` only after detecting the instructions.
                return unsafe { $self.$avx512($($arg),*) };
            }
            $self.$baseline($($arg),*)
        }

        #[inline(never)]
        fn $baseline(&mut $self $(, $arg: $type)*) -> $out {
            #[allow(dead_code, reason = "not every body calls another version")]
            type $isa = $crate::simd::dispatch::Baseline;
            $body
        }

        #[cfg(target_arch = "x86_64")]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        fn $avx512(&mut $self $(, $arg: $type)*) -> $out {
            #[allow(dead_code, reason = "not every body calls another version")]
            type $isa = $crate::simd::dispatch::Avx512;
            $body
        }
    };
    (
        $(#[$doc:meta])*
        $vis:vis fn $name:ident [$baseline:ident, $avx512:ident] <$isa:ident>
        ($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block
    ) => {
        $(#[$doc])*
        #[inline(always)]
        #[allow(unsafe_code)]
        $vis fn $name<$isa: $crate::simd::dispatch::Isa>($($arg: $type),*) -> $out {
            #[cfg(target_arch = "x86_64")]
            if $isa::IS_AVX512 {
                // SAFETY: callers use `Avx512` only after detecting the instructions.
                return unsafe { $avx512($($arg),*) };
            }
            $baseline($($arg),*)
        }

        #[inline(never)]
        fn $baseline($($arg: $type),*) -> $out {
            #[allow(dead_code, reason = "not every body calls another version")]
            type $isa = $crate::simd::dispatch::Baseline;
            $body
        }

        #[cfg(target_arch = "x86_64")]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        fn $avx512($($arg: $type),*) -> $out {
            #[allow(dead_code, reason = "not every body calls another version")]
            type $isa = $crate::simd::dispatch::Avx512;
            $body
        }
    };
}

pub(crate) use multiversioned;
