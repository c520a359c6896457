//! Inputs of Co-Simulation between communication points: polynomials of time with the derivatives
//! that the importer sets.

use crate::evaluation::Evaluation;
use crate::fmi::capabilities::MAX_INPUT_ORDER;
use crate::model::system::Stage;

impl Evaluation {
    /// Extrapolates the inputs to a time with their derivatives.
    #[inline]
    pub fn extrapolate_inputs(&mut self, t: f64) {
        if self.memory.scalars.input_order > 0 {
            self.extrapolate_by_derivatives(t);
        }
    }

    fn extrapolate_by_derivatives(&mut self, t: f64) {
        let nu = self.info.inputs.len();
        let (sections, _, scalars) = self.memory.split();
        let (order, dt) = (scalars.input_order as usize, t - scalars.input_t);
        let mut changed = false;
        for (i, (u, &base)) in sections.u.iter_mut().zip(&*sections.u_set).enumerate() {
            let value = base + dt * mean_slope(sections.input_derivatives, nu, i, order, dt);
            changed |= value.to_bits() != u.to_bits();
            *u = value;
        }
        if changed {
            self.memory.invalidate(Stage::Dynamics);
        }
    }

    /// The time derivative of an input at a time, of an order from 1 on.
    pub fn input_derivative(&self, i: usize, t: f64, order: usize) -> f64 {
        let highest = self.memory.scalars.input_order as usize;
        if highest == 0 {
            return 0.0;
        }
        let dt = t - self.memory.scalars.input_t;
        let (nu, derivatives) = (self.info.inputs.len(), self.memory.input_derivatives());
        let mut sum = 0.0;
        for k in (order..=highest.min(MAX_INPUT_ORDER)).rev() {
            sum = derivatives[(k - 1) * nu + i] + dt / (k - order + 1) as f64 * sum;
        }
        sum
    }

    /// Moves the base of the extrapolation to the present time.
    pub fn rebase_inputs(&mut self) {
        let nu = self.info.inputs.len();
        let (sections, _, scalars) = self.memory.split();
        let dt = scalars.t - scalars.input_t;
        scalars.input_t = scalars.t;
        sections.u_set.copy_from_slice(sections.u);
        for i in 0..nu {
            for k in 0..MAX_INPUT_ORDER {
                let mut sum = 0.0;
                for j in (k..MAX_INPUT_ORDER).rev() {
                    sum = sections.input_derivatives[j * nu + i] + dt / (j - k + 1) as f64 * sum;
                }
                sections.input_derivatives[k * nu + i] = sum;
            }
        }
    }
}

/// The mean slope of an input over `dt`: the sum over `k` of `derivative_k dt^(k-1) / k!`.
#[inline]
fn mean_slope(derivatives: &[f64], nu: usize, i: usize, order: usize, dt: f64) -> f64 {
    let mut sum = 0.0;
    for k in (1..=order.min(MAX_INPUT_ORDER)).rev() {
        sum = (derivatives[(k - 1) * nu + i] + dt * sum) / k as f64;
    }
    sum
}
