//! The code near the end, compiled twice: for the processors that the build is for, and for those with AVX-512.
//!
//! That takes no code of its own: with three inputs to an instruction and twice the registers the compiler
//! makes six hundredths less time of the same. A function is compiled for the instructions of whichever it is inlined into, so
//! all that is needed is that each function with a recursion exists twice, and that the rest is inlined.

/// Which of the two.
pub(crate) trait Code {
    #[cfg_attr(
        not(target_arch = "x86_64"),
        allow(dead_code, reason = "there is but one code elsewhere")
    )]
    const IS_WIDE: bool;
}

/// For what the build assumes.
pub(crate) struct Built;

impl Code for Built {
    const IS_WIDE: bool = false;
}

/// For AVX-512. Only where [`crate::simd::cpu::has_avx512`] says yes may anything of it be called.
pub(crate) struct Wide;

impl Code for Wide {
    const IS_WIDE: bool = true;
}

/// Writes a function that is compiled for each [`Code`], apart from the functions that call it. What its body calls should be
/// inlined, or be such a function, too.
macro_rules! compiled {
    ($(#[$doc:meta])* $vis:vis fn $name:ident<$code:ident>($($arg:ident: $type:ty),* $(,)?) -> $out:ty $body:block) => {
        $(#[$doc])*
        #[inline(always)]
        #[allow(unsafe_code)]
        $vis fn $name<$code: $crate::simd::dispatch::Code>($($arg: $type),*) -> $out {
            #[inline(never)]
            fn built($($arg: $type),*) -> $out {
                #[allow(dead_code, reason = "not each calls another")]
                type $code = $crate::simd::dispatch::Built;
                $body
            }
            #[cfg(target_arch = "x86_64")]
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
            fn wide($($arg: $type),*) -> $out {
                #[allow(dead_code, reason = "not each calls another")]
                type $code = $crate::simd::dispatch::Wide;
                $body
            }
            #[cfg(target_arch = "x86_64")]
            if $code::IS_WIDE {
                // SAFETY: a search names this code only after asking whether the processor has the instructions.
                return unsafe { wide($($arg),*) };
            }
            built($($arg),*)
        }
    };
}

pub(crate) use compiled;
