//! The Adam optimiser.
//!
//! Reference: Kingma and Ba, "Adam: A Method for Stochastic Optimization" (2015),
//! <https://arxiv.org/abs/1412.6980>.

/// Trained parameters with Adam's moment estimates of their gradients.
pub(super) struct Parameters {
    pub(super) value: Vec<f32>,
    /// First moment: the moving average of the gradient.
    pub(super) mean: Vec<f32>,
    /// Second moment: the moving average of the squared gradient.
    pub(super) square: Vec<f32>,
}

/// The constants of one update.
#[derive(Clone, Copy)]
pub(super) struct AdamStep {
    rate: f32,
    epsilon: f32,
    /// Largest absolute value of a parameter.
    max: f32,
}

impl AdamStep {
    /// Returns the update after `before` others, with the bias correction of the moments.
    pub(super) fn new(before: usize, rate: f32, epsilon: f32, max: f32) -> Self {
        let steps = i32::try_from(before + 1).unwrap_or(i32::MAX);
        let mean_correction = 1.0 - 0.9f32.powi(steps);
        let square_correction = (1.0 - 0.999f32.powi(steps)).sqrt();
        Self {
            rate: rate * square_correction / mean_correction,
            epsilon: epsilon * square_correction,
            max,
        }
    }

    /// Updates a parameter and its moments.
    #[inline(always)]
    pub(super) fn update(self, value: &mut f32, mean: &mut f32, square: &mut f32, gradient: f32) {
        *mean += 0.1 * (gradient - *mean);
        *square += 0.001 * (gradient * gradient - *square);
        let change = self.rate * *mean / (square.sqrt() + self.epsilon);
        *value = (*value - change).clamp(-self.max, self.max);
    }
}

impl Parameters {
    pub(super) fn new(value: Vec<f32>) -> Self {
        let (mean, square) = (vec![0.0; value.len()], vec![0.0; value.len()]);
        Self {
            value,
            mean,
            square,
        }
    }

    pub(super) fn update(&mut self, step: AdamStep, gradient: &[f32]) {
        for (at, &gradient) in gradient.iter().enumerate() {
            step.update(
                &mut self.value[at],
                &mut self.mean[at],
                &mut self.square[at],
                gradient,
            );
        }
    }
}
