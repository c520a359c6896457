//! The equations between two events as the system of ordinary differential equations that the
//! integrator solves.

use crate::evaluation::Evaluation;
use crate::integrate::{OdeSystem, Stop};
use crate::model::system::Stage;

impl OdeSystem for Evaluation {
    fn derivatives(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x);
        self.realize(Stage::Dynamics)?;
        let known = self.memory.dx();
        let mut finite = true;
        for (dx, known) in dx.iter_mut().zip(known) {
            *dx = *known;
            finite &= known.is_finite();
        }
        if finite { Ok(()) } else { Err(Stop::NotFinite) }
    }

    fn indicators(&mut self, t: f64, x: &[f64], z: &mut [f64]) -> Result<(), Stop> {
        self.move_to(t, x);
        Ok(self.evaluate_indicators(z)?)
    }

    fn affine_indicator(&self, indicator: usize, f: &mut dyn FnMut(usize, f64)) -> bool {
        match self.info.relations[self.state_relations[indicator]].affine {
            Some(affine) if self.lasting_value(affine.holds) > 0.0 => {
                for &(state, coefficient) in affine.coefficients {
                    f(state as usize, self.lasting_value(coefficient));
                }
                true
            }
            _ => false,
        }
    }

    fn jacobian(
        &mut self,
        t: f64,
        x: &[f64],
        jacobian: &mut [f64],
        dfdt: &mut [f64],
    ) -> Result<(), Stop> {
        self.move_to(t, x);
        Ok(Evaluation::jacobian(self, jacobian, dfdt)?)
    }

    fn end_of_trial(&mut self) {
        // Before this point is accepted, the equations may be evaluated at others.
        self.scratch.solution.copy_from_slice(self.memory.z());
    }

    fn accept(&mut self, t: f64, x: &[f64]) -> Result<(), Stop> {
        if self.info.sizes.unknowns > 0 {
            self.move_to(t, x);
            self.memory.z_mut().copy_from_slice(&self.scratch.solution);
            self.realize_deferred()?;
            self.take_anchor();
        }
        Ok(())
    }
}

impl Evaluation {
    /// Moves to another point in the present modes; inputs are extrapolated.
    #[inline]
    pub fn move_to(&mut self, t: f64, x: &[f64]) {
        self.memory.set_time(t);
        self.extrapolate_inputs(t);
        self.set_states(x);
    }
}
