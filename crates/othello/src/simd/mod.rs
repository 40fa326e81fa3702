//! CPU features: detection, and functions compiled for several instruction sets.
//!
//! On ARM there are no intrinsics and no dispatch: every aarch64 processor has NEON, and the compiler
//! vectorises the portable code with it. Hand-written NEON is left out until it can be measured on
//! such a processor, because several hand-written variants for x86-64 were slower than the compiler's
//! code (`docs/internals/experiments/othello-endgame.md`). `cargo xtask test --platforms` compares
//! scores and node counts under qemu, which tells nothing about speed.

pub(crate) mod cpu;
pub(crate) mod dispatch;
