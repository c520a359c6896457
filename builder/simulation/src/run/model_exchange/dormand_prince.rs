//! The embedded Runge-Kutta pair of Dormand and Prince, order 5(4), with its continuous extension.

/// The differential equations that the method integrates.
pub(super) trait RightHandSide {
    /// The error of a failed evaluation.
    type Error;

    /// Derivatives `dx` of the states `x` at a time.
    fn derivatives(&mut self, time: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Self::Error>;
}

const A: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
const C: [f64; 6] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

/// Fifth-order minus fourth-order weights.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Weights of the last coefficient of the continuous extension.
const D: [f64; 7] = [
    -12_715_105_075.0 / 11_282_082_432.0,
    0.0,
    87_487_479_700.0 / 32_700_410_799.0,
    -10_690_763_975.0 / 1_880_347_072.0,
    701_980_252_875.0 / 199_316_789_632.0,
    -1_453_857_185.0 / 822_651_844.0,
    69_997_945.0 / 29_380_423.0,
];

/// One step from `x` to `next`, with the states in between.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// States at the beginning.
    pub(super) x: Vec<f64>,
    /// States at the end.
    pub(super) next: Vec<f64>,
    /// Length in s.
    length: f64,
    /// Derivatives at the seven stages; the first is at the beginning, the last at the end.
    k: Vec<Vec<f64>>,
    coefficients: [Vec<f64>; 4],
    stage: Vec<f64>,
}

impl Step {
    /// A step for a number of states.
    pub(super) fn new(states: usize) -> Step {
        let zeros = vec![0.0; states];
        Step {
            x: zeros.clone(),
            next: zeros.clone(),
            length: 0.0,
            k: vec![zeros.clone(); 7],
            coefficients: std::array::from_fn(|_| zeros.clone()),
            stage: zeros,
        }
    }

    /// Evaluates the derivatives at the beginning.
    pub(super) fn begin<M: RightHandSide>(
        &mut self,
        model: &mut M,
        time: f64,
    ) -> Result<(), M::Error> {
        model.derivatives(time, &self.x, &mut self.k[0])
    }

    /// The states at the beginning, each with its derivative there.
    pub(super) fn slopes(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.x.iter().copied().zip(self.k[0].iter().copied())
    }

    /// Begins at the end of the previous step.
    pub(super) fn advance(&mut self) {
        self.x.copy_from_slice(&self.next);
        self.k.swap(0, 6);
    }

    /// Makes the step.
    ///
    /// Returns the estimated error as a multiple of `scale(i, |x|)`, the tolerance of state `i`.
    pub(super) fn attempt<M: RightHandSide>(
        &mut self,
        model: &mut M,
        time: f64,
        length: f64,
        scale: impl Fn(usize, f64) -> f64,
    ) -> Result<f64, M::Error> {
        self.length = length;
        let n = self.x.len();
        for (s, (a, c)) in A.iter().zip(C).enumerate() {
            for i in 0..n {
                let sum: f64 = a.iter().zip(&self.k).map(|(a, k)| a * k[i]).sum();
                self.stage[i] = self.x[i] + length * sum;
            }
            let (_, rest) = self.k.split_at_mut(s + 1);
            model.derivatives(time + c * length, &self.stage, &mut rest[0])?;
        }
        self.next.copy_from_slice(&self.stage);
        let mut worst: f64 = 0.0;
        for i in 0..n {
            let error: f64 = E.iter().zip(&self.k).map(|(e, k)| e * k[i]).sum();
            let size = self.x[i].abs().max(self.next[i].abs());
            let ratio = (length * error).abs() / scale(i, size);
            worst = if ratio.is_finite() { worst.max(ratio) } else { f64::INFINITY };
        }
        Ok(worst)
    }

    /// Prepares [`Step::between`].
    pub(super) fn interpolate(&mut self) {
        let h = self.length;
        for i in 0..self.x.len() {
            let difference = self.next[i] - self.x[i];
            let slope = h * self.k[0][i] - difference;
            let last: f64 = D.iter().zip(&self.k).map(|(d, k)| d * k[i]).sum();
            let values = [difference, slope, difference - h * self.k[6][i] - slope, h * last];
            for (coefficient, value) in self.coefficients.iter_mut().zip(values) {
                coefficient[i] = value;
            }
        }
    }

    /// Shortens the step to a fraction of it, after [`Step::interpolate`].
    pub(super) fn cut(&mut self, part: f64) {
        let mut end = std::mem::take(&mut self.next);
        self.between(part, &mut end);
        self.next = end;
    }

    /// The states at a fraction of the step between 0 and 1, of fourth order.
    pub(super) fn between(&self, part: f64, x: &mut [f64]) {
        let [c1, c2, c3, c4] = &self.coefficients;
        for (i, value) in x.iter_mut().enumerate() {
            let rest = 1.0 - part;
            *value = self.x[i] + part * (c1[i] + rest * (c2[i] + part * (c3[i] + rest * c4[i])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Oscillator;

    impl RightHandSide for Oscillator {
        type Error = ();
        fn derivatives(&mut self, _: f64, x: &[f64], dx: &mut [f64]) -> Result<(), ()> {
            dx.copy_from_slice(&[x[1], -x[0]]);
            Ok(())
        }
    }

    /// Error at the end and in the middle of a step of a given length.
    fn errors(length: f64) -> (f64, f64) {
        let mut step = Step::new(2);
        step.x = vec![0.0, 1.0];
        step.begin(&mut Oscillator, 0.0).unwrap();
        step.attempt(&mut Oscillator, 0.0, length, |_, _| 1.0).unwrap();
        step.interpolate();
        let mut middle = [0.0; 2];
        step.between(0.5, &mut middle);
        ((step.next[0] - length.sin()).abs(), (middle[0] - (0.5 * length).sin()).abs())
    }

    #[test]
    fn step_is_of_fifth_order_and_its_inside_of_fourth() {
        let (end, middle) = errors(0.2);
        let (end_half, middle_half) = errors(0.1);
        assert!((end / end_half).log2() > 5.8, "{end} {end_half}");
        assert!((middle / middle_half).log2() > 4.8, "{middle} {middle_half}");
        assert!(middle < 1e-7, "{middle}");
    }
}
