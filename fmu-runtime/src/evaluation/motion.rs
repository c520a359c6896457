//! The motion through a point: time, states and inputs as polynomials of degree two, along which
//! second derivatives with respect to time are formed.
//!
//! The second derivative of a value along a curve depends on the first two derivatives of the curve
//! only, and those of the states are exact. The present point is left for evaluations at others and
//! restored, with all its values.

use crate::data::memory::{Memory, Scalars};
use crate::evaluation::Evaluation;
use crate::fmi::calls::FmuType;
use crate::model::fault::{Fault, NonFiniteValue};
use crate::model::system::{Solved, Source, Stage};

/// The longest first step away from the point in s.
const LONGEST: f64 = 1.0 / 128.0;

/// The first step changes no state by more than about this part of its scale.
const PART: f64 = 1.0 / 64.0;

/// The scale of a state is its nominal value, and at least this part of its value.
const LEAST_SCALE: f64 = 1e-3;

/// The first step, as a part of the shortest delay.
const PART_OF_DELAY: f64 = 1.0 / 64.0;

/// The shortest step, as a part of time.
const RESOLUTION: f64 = 16.0 * f64::EPSILON;

/// A quantity of the motion: its value and its first two derivatives.
type Coefficients = [f64; 3];

/// The motion through the present point, and what the point was before it was left.
pub(crate) struct Motion {
    t: f64,
    x: Box<[Coefficients]>,
    u: Box<[Coefficients]>,
    scalars: Scalars,
    point: Box<[f64]>,
}

impl Motion {
    /// Room for the motions of a model; none in Model Exchange, which has no such derivatives.
    pub fn new(memory: &Memory, fmu_type: FmuType) -> Motion {
        let room = |length: usize| match fmu_type {
            FmuType::ModelExchange => 0,
            FmuType::CoSimulation => length,
        };
        Motion {
            t: 0.0,
            x: vec![[0.0; 3]; room(memory.x().len())].into_boxed_slice(),
            u: vec![[0.0; 3]; room(memory.u().len())].into_boxed_slice(),
            scalars: Scalars::START,
            point: vec![0.0; room(memory.of_point().len())].into_boxed_slice(),
        }
    }
}

/// The value of a quantity and its derivative after some time.
fn after([value, slope, bend]: Coefficients, d: f64) -> [f64; 2] {
    [value + d * (slope + 0.5 * d * bend), slope + d * bend]
}

/// The largest power of two that is at most a positive normal number.
fn power_of_two(number: f64) -> f64 {
    f64::from_bits(number.to_bits() & f64::INFINITY.to_bits())
}

impl Evaluation {
    /// Begins to leave the present point, at which tangents along the solution have been
    /// propagated: they are the second derivatives of the states.
    pub fn leave_point(&mut self) -> Result<(), Fault> {
        let t = self.time();
        let rates = self.tangent.dx.iter();
        if let Some((i, _)) = rates.enumerate().find(|(_, dx)| !dx.tangent.is_finite()) {
            return Err(Fault::NotFinite(NonFiniteValue::SecondDerivative(i)));
        }
        let memory = &self.memory;
        let states = memory.x().iter().zip(memory.dx()).zip(&self.tangent.dx);
        for (target, ((&x, &dx), rate)) in self.motion.x.iter_mut().zip(states) {
            *target = [x, dx, rate.tangent];
        }
        for i in 0..self.motion.u.len() {
            let [du, ddu] = [1, 2].map(|order| self.input_derivative(i, t, order));
            self.motion.u[i] = [self.memory.u()[i], du, ddu];
        }
        self.motion.t = t;
        self.motion.scalars = self.memory.scalars;
        self.motion.point.copy_from_slice(self.memory.of_point());
        Ok(())
    }

    /// Returns to the point that was left: not a bit of it has changed.
    pub fn return_to_point(&mut self) {
        self.memory.of_point_mut().copy_from_slice(&self.motion.point);
        self.memory.scalars = self.motion.scalars;
    }

    /// How fast the states change in comparison with their scales, in 1/s.
    pub fn pace(&self) -> f64 {
        let (mut speed, mut bend) = (0.0_f64, 0.0_f64);
        for (&[x, dx, ddx], state) in self.motion.x.iter().zip(self.info.states) {
            let scale = state.nominal.max(LEAST_SCALE * x.abs());
            speed = speed.max(dx.abs() / scale);
            bend = bend.max(ddx.abs() / scale);
        }
        speed.max(bend.sqrt())
    }

    /// The first step away from the point in s, a power of two: short in comparison with the
    /// changes of the states, if their scales are right, and with delays.
    pub fn first_step(&self, pace: f64) -> f64 {
        let of_delays = PART_OF_DELAY * self.shortest_delay();
        let step = LONGEST.min(PART / pace).min(of_delays);
        // There is room for some shorter steps.
        power_of_two(step.max(256.0 * self.shortest_step()))
    }

    /// The shortest step away from the point in s.
    pub fn shortest_step(&self) -> f64 {
        (RESOLUTION * self.motion.t.abs()).max(f64::MIN_POSITIVE)
    }

    /// Moves along the motion, in the present modes, to a time after the point that was left, or
    /// before it if the time is negative, and loads the values there with tangents along the
    /// motion.
    pub fn load_shifted(&mut self, d: f64) -> Solved {
        self.memory.scalars.t = self.motion.t + d;
        for (x, &of) in self.memory.x_mut().iter_mut().zip(&self.motion.x) {
            [*x, _] = after(of, d);
        }
        for (u, &of) in self.memory.u_mut().iter_mut().zip(&self.motion.u) {
            [*u, _] = after(of, d);
        }
        self.memory.invalidate(Stage::Time);
        self.load_tangent()?;
        self.tangent.t.tangent = 1.0;
        for (x, &of) in self.tangent.x.iter_mut().zip(&self.motion.x) {
            [_, x.tangent] = after(of, d);
        }
        for (u, &of) in self.tangent.u.iter_mut().zip(&self.motion.u) {
            [_, u.tangent] = after(of, d);
        }
        Ok(())
    }

    /// The value of a source where tangents were propagated last.
    pub fn value_with_tangent(&self, source: Source) -> f64 {
        match source {
            Source::Derivative(i) => self.tangent.dx[i as usize].value,
            Source::Advanced(i, _) | Source::Reported(i, _) => self.tangent.w[i as usize].value,
            _ => 0.0,
        }
    }

    /// The second derivative of a source that needs no evaluation; `None` for a computed one.
    pub fn known_second_derivative(&self, source: Source) -> Option<f64> {
        match source {
            Source::State(i) => Some(self.motion.x[i as usize][2]),
            Source::Input(i) => Some(self.motion.u[i as usize][2]),
            Source::Derivative(_) | Source::Advanced(..) | Source::Reported(..) => None,
            Source::Time
            | Source::Parameter(_)
            | Source::Calculated(_)
            | Source::Constant(_)
            | Source::Discrete(_)
            | Source::Relation(_)
            | Source::Solver(_) => Some(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_powers_of_two() {
        for (number, power) in [(1.0, 1.0), (0.999, 0.5), (5.0, 4.0), (1e-300, 1.0 / 1e300)] {
            let rounded = power_of_two(number);
            assert!(rounded <= number && number < 2.0 * rounded);
            assert_eq!(rounded, power_of_two(power));
        }
    }

    #[test]
    fn a_quantity_moves_with_its_derivatives() {
        assert_eq!(after([1.0, 2.0, 4.0], 0.5), [2.5, 4.0]);
        assert_eq!(after([1.0, 2.0, 4.0], -0.5), [0.5, 0.0]);
    }
}
