//! Linear systems in state space.

use crate::signals::init::{Init, begin_alone, starts, state};
use crate::signals::interfaces::give_array;
use crate::state_space::{StateMatrices, System, state_matrices, times};
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use nalgebra::DMatrix;

component! {
    /// Linear system in state space.
    ///
    /// # Equations
    /// `der(x) = A x + B u`, `y = C x + D u`. With `initType = InitialOutput`, `y = y_start`, and
    /// the derivatives are as small as possible: the sum of their squares is least.
    pub struct StateSpace = "Modelica.Blocks.Continuous.StateSpace" {
        ..matrices: state_matrices,
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start values of the outputs, for `initType = InitialOutput`; 0 if they are not given
        y_start?: [Real],
    }
}

impl Component for StateSpace {
    fn contribute(p: StateSpaceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (system, u) = p.matrices.system(c)?;
        let (n, outputs) = (system.of_states.nrows(), system.to_outputs.nrows());
        let x_start = starts(c, ("x_start", p.x_start), n)?;
        let of = |(i, start)| state(c, element("x", i), start, 1.0);
        let states: Vec<_> = (1..).zip(x_start).map(of).collect();
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        match p.init_type {
            Init::InitialOutput => {
                let y_start = p.y_start.unwrap_or(vec![Ex::zero(); outputs]);
                if y_start.len() != outputs {
                    let given = y_start.len();
                    let why = format!("the outputs are {outputs}, but the values {given}");
                    return Err(c.refuse("y_start", why));
                }
                let Some([of_input, of_output]) = system.least_derivatives() else {
                    let why = "y_start does not determine the states: [A; C] or C has no full rank";
                    return Err(c.refuse("initType", why));
                };
                let fixed = times(&of_output, &y_start);
                for (i, &(name, x)) in states.iter().enumerate() {
                    let (u, row) = (u.clone(), of_input.row(i).into_owned());
                    let fixed = fixed[i];
                    c.initial_equation(name, x, move |e| {
                        let mut value = fixed;
                        for (k, &u) in u.iter().enumerate() {
                            value += row[k] * e.read(u)?;
                        }
                        Ok(value - x)
                    });
                }
            }
            init => states.iter().for_each(|&state| begin_alone(c, init, state, false)),
        }
        let (of_output, inputs, states) = (system.clone(), u.clone(), x.clone());
        give_array(c, "y", outputs, move |e, i| of_output.output(e, &inputs, &states, i));
        c.law(move |e| {
            let derivatives = system.rates(e, &u, &x)?;
            for (&x, derivative) in x.iter().zip(derivatives) {
                e.model().derivative(x, derivative);
            }
            Ok(())
        });
        Ok(())
    }
}

impl System {
    /// The states for which `A x + B u` is least and `C x + D u` is given: their matrices of the
    /// inputs and of the outputs. With multipliers `l` of the outputs, the states satisfy
    /// `A' (A x + B u) + C' l = 0`. `None` if they are not unique.
    fn least_derivatives(&self) -> Option<[DMatrix<f64>; 2]> {
        let System { of_states, of_inputs, to_outputs, direct } = self;
        let (n, outputs) = (of_states.nrows(), to_outputs.nrows());
        let transposed = of_states.transpose();
        let mut conditions = DMatrix::zeros(n + outputs, n + outputs);
        conditions.view_mut((0, 0), (n, n)).copy_from(&(&transposed * of_states));
        conditions.view_mut((0, n), (n, outputs)).copy_from(&to_outputs.transpose());
        conditions.view_mut((n, 0), (outputs, n)).copy_from(to_outputs);
        let singular = conditions.singular_values();
        if singular.min() <= 1e-13 * singular.max() {
            return None;
        }
        let inverse = conditions.try_inverse()?;
        let of_rates = inverse.view((0, 0), (n, n)).into_owned();
        let of_output = inverse.view((0, n), (n, outputs)).into_owned();
        let of_input = -(of_rates * transposed * of_inputs) - &of_output * direct;
        Some([of_input, of_output])
    }
}
