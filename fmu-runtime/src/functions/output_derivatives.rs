//! Derivatives of outputs with respect to time: exact first ones, and differences of these.

use crate::fmi::capabilities::CAPABILITIES;
use crate::fmi::fmi2::*;
use crate::functions::derivatives::is_unknown;
use crate::instance::Instance;
use crate::model::fault::{Fault, NonFiniteValue};
use kernels::differences::{Difference, MOST_STEPS, RATIO};

/// The number of variables whose second derivatives are formed together.
const TOGETHER: usize = 32;

/// The least magnitude of the numbers from which the value of a variable is computed.
const LEAST_SCALE: f64 = 1.0;

impl Instance {
    pub(crate) fn get_real_output_derivatives(
        &mut self,
        references: &[fmi2ValueReference],
        orders: &[fmi2Integer],
        values: &mut [f64],
    ) -> fmi2Status {
        for &reference in references {
            if !self.real(reference).is_some_and(is_unknown) {
                return self.not_differentiable(reference, "an output");
            }
        }
        let highest = CAPABILITIES.max_output_derivative_order as i32;
        for &order in orders {
            if !(1..=highest).contains(&order) {
                return self.refuse_because(format_args!(
                    "output derivative of order {order}: orders 1 to {highest} are possible"
                ));
            }
        }
        let first = self.differentiate_along_motion(references, values);
        let status = self.status(first, fmi2Error);
        if status != fmi2OK || !orders.contains(&2) {
            return status;
        }
        match self.differentiate_twice(references, orders, values) {
            Ok(()) => fmi2OK,
            Err(fault) => {
                // The point is a regular one, so the instance goes on.
                let t = self.evaluation.time();
                let text = fault.describe(self.evaluation.info);
                self.refuse_because(format_args!("t={t} {text}"))
            }
        }
    }

    fn differentiate_along_motion(
        &mut self,
        references: &[fmi2ValueReference],
        values: &mut [f64],
    ) -> Result<(), Fault> {
        self.evaluation.realize_derivatives()?;
        self.evaluation.load_tangent()?;
        self.evaluation.seed_solution();
        self.collect(references, values)
    }

    /// Replaces first derivatives by second ones where the order is 2. Nothing else changes.
    fn differentiate_twice(
        &mut self,
        references: &[fmi2ValueReference],
        orders: &[fmi2Integer],
        values: &mut [f64],
    ) -> Result<(), Fault> {
        self.evaluation.leave_point()?;
        let groups = references.chunks(TOGETHER).zip(orders.chunks(TOGETHER));
        let done = groups
            .zip(values.chunks_mut(TOGETHER))
            .try_for_each(|((references, orders), values)| self.bends(references, orders, values));
        self.evaluation.return_to_point();
        done
    }

    /// The second derivatives of some variables.
    fn bends(
        &mut self,
        references: &[fmi2ValueReference],
        orders: &[fmi2Integer],
        values: &mut [f64],
    ) -> Result<(), Fault> {
        let reals = self.evaluation.info.reals;
        let pace = self.evaluation.pace();
        let mut all = [const { Difference::new(0.0, 0.0) }; TOGETHER];
        let mut computed = [false; TOGETHER];
        for (k, (&reference, &order)) in references.iter().zip(orders).enumerate() {
            if order == 2 {
                let source = reals[reference as usize].source;
                let known = self.evaluation.known_second_derivative(source);
                computed[k] = known.is_none();
                // A slope may be the small difference of large numbers, of which only the value at
                // the end is seen.
                let scale = self.evaluation.value_with_tangent(source).abs().max(LEAST_SCALE);
                all[k] = Difference::new(values[k], pace * scale);
                values[k] = known.unwrap_or(values[k]);
            }
        }
        let mut step = self.evaluation.first_step(pace);
        for _ in 0..MOST_STEPS {
            let mut open = all.iter().zip(&computed);
            let is_open = open.any(|(of, &computed)| computed && !of.is_settled());
            if !is_open || step < self.evaluation.shortest_step() {
                break;
            }
            let [before, after] = [-step, step].map(|d| self.slopes_after(d, references));
            for (k, difference) in all.iter_mut().enumerate() {
                difference.add(step, before[k], after[k]);
            }
            step /= RATIO;
        }
        for (k, value) in values.iter_mut().enumerate().filter(|(k, _)| computed[*k]) {
            let name = reals[references[k] as usize].name;
            let missing = Fault::NotFinite(NonFiniteValue::VariableSecondDerivative(name));
            *value = all[k].derivative().ok_or(missing)?;
        }
        Ok(())
    }

    /// The first derivatives along the motion, some time after the present point or before it; NaN
    /// where there are none.
    fn slopes_after(&mut self, d: f64, references: &[fmi2ValueReference]) -> [f64; TOGETHER] {
        let mut slopes = [f64::NAN; TOGETHER];
        let shifted = self.evaluation.load_shifted(d);
        if shifted.and_then(|()| self.propagate(references)).is_ok() {
            let reals = self.evaluation.info.reals;
            for (slope, &reference) in slopes.iter_mut().zip(references) {
                *slope = self.evaluation.tangent_of(reals[reference as usize].source);
            }
        }
        slopes
    }
}
