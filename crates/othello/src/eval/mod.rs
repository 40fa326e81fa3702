//! Static evaluation: LOGISTELLO-style pattern tables, corrected by a small neural network.
//!
//! | file | contents |
//! |---|---|
//! | `patterns` | the pattern shapes and their incrementally updated indices |
//! | [`network`] | the NNUE-style network over the same patterns |
//! | `evaluation` | [`Evaluation`]: table sum plus network, with lazy bounds |
//! | [`weights`], `crc32` | the weights file and its checksum |
//! | `probcut_model` | the error model that Multi-ProbCut takes its margins from |
//! | `node` | a board together with its pattern indices |
//! | `score` | score units |

mod crc32;
pub(crate) mod evaluation;
pub mod network;
pub(crate) mod node;
pub(crate) mod patterns;
pub(crate) mod probcut_model;
pub(crate) mod score;
pub mod weights;

pub use evaluation::Evaluation;
pub use patterns::{
    PATTERNS, STAGES, SharedWeights, shared_weight_ranges, shared_weights, stage, table_indices,
};
pub use probcut_model::{ProbCutModel, SigmaCoefficients};
pub use score::EVAL_SCALE;
