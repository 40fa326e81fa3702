//! Error model of Multi-ProbCut: the standard deviation of (deep − shallow) search results.
//!
//! Multi-ProbCut (Buro 1997, *Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello*) needs to know how far the result of a shallow search typically lies from
//! that of a deep one. The deviation depends on the evaluation, so its coefficients are stored in
//! the weights file; `papan-train probcut` fits them. The search turns them into cutoff margins
//! (`search/probcut.rs`).

/// Coefficients of the logarithm of sigma, in discs: constant, per ply of the shallow search, per
/// logarithm of the depth difference, per empty square.
pub type SigmaCoefficients = [f32; 4];

/// Predicts the standard deviation of the difference between a deep and a shallow search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbCutModel {
    /// For deep searches that end at the evaluation.
    pub midgame: SigmaCoefficients,
    /// For deep searches that reach the end of the game.
    pub endgame: SigmaCoefficients,
}

impl Default for ProbCutModel {
    fn default() -> Self {
        Self::VERSION_1
    }
}

impl ProbCutModel {
    /// The fit for the first weights of papan; version 1 of the weights file has no coefficients.
    pub(crate) const VERSION_1: Self = Self {
        midgame: [1.2611, -0.0972, 0.3720, -0.0122],
        endgame: [0.9475, -0.0252, 0.5156, -0.0267],
    };

    /// Returns the standard deviation, in discs, of a search of `depth` plies against one of
    /// `shallow` plies at `empties` empty squares.
    pub(crate) fn sigma(&self, empties: u32, depth: u32, shallow: u32) -> f32 {
        let [constant, per_shallow, per_gap, per_empty] = if depth == empties {
            self.endgame
        } else {
            self.midgame
        };
        let gap = ((1 + depth - shallow) as f32).ln();
        (constant + per_shallow * shallow as f32 + per_gap * gap + per_empty * empties as f32).exp()
    }
}
