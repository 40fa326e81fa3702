//! Adam: numbers that are fitted, and the steps that they take.

/// Numbers that are fitted, with Adam's two means of their gradients.
pub(super) struct Fitted {
    pub(super) value: Vec<f32>,
    pub(super) mean: Vec<f32>,
    pub(super) square: Vec<f32>,
}

/// One step of Adam.
#[derive(Clone, Copy)]
pub(super) struct Step {
    rate: f32,
    damping: f32,
    /// The largest value allowed, either side of zero.
    most: f32,
}

impl Step {
    /// The step after `before` others. Both means begin with nothing, which the first steps make
    /// up for.
    pub(super) fn new(before: usize, rate: f32, damping: f32, most: f32) -> Self {
        let steps = i32::try_from(before + 1).unwrap_or(i32::MAX);
        let (mean, square) = (
            1.0 - 0.9f32.powi(steps),
            (1.0 - 0.999f32.powi(steps)).sqrt(),
        );
        Self {
            rate: rate * square / mean,
            damping: damping * square,
            most,
        }
    }

    #[inline(always)]
    pub(super) fn take(self, value: &mut f32, mean: &mut f32, square: &mut f32, gradient: f32) {
        *mean += 0.1 * (gradient - *mean);
        *square += 0.001 * (gradient * gradient - *square);
        let change = self.rate * *mean / (square.sqrt() + self.damping);
        *value = (*value - change).clamp(-self.most, self.most);
    }
}

impl Fitted {
    pub(super) fn new(value: Vec<f32>) -> Self {
        let (mean, square) = (vec![0.0; value.len()], vec![0.0; value.len()]);
        Self {
            value,
            mean,
            square,
        }
    }

    pub(super) fn step(&mut self, step: Step, gradient: &[f32]) {
        for (at, &gradient) in gradient.iter().enumerate() {
            step.take(
                &mut self.value[at],
                &mut self.mean[at],
                &mut self.square[at],
                gradient,
            );
        }
    }
}
