//! Linear systems: of second order, as a transfer function, and in state space.

use crate::signals::init::{Init, begin, begin_alone, starts, state};
use crate::signals::interfaces::block;
use equations::select;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use mechanics::declaration::{Columns, Rows};
use mechanics::port::PortId;
use nalgebra::DMatrix;

component! {
    /// System of second order.
    ///
    /// # Equations
    /// `der(y) = yd`, `der(yd) = w (w (k u - y) - 2 D yd)`.
    pub struct SecondOrder = "Modelica.Blocks.Continuous.SecondOrder" {
        /// Gain
        k: Real = 1,
        /// Angular frequency
        w: Real,
        /// Damping
        D: Real,
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start value of the output
        y_start: Real = 0,
        /// Start value of the derivative of the output
        yd_start: Real = 0,
        ..block,
    }
    variables {
        /// Derivative of the output
        yd: Real,
    }
}

impl Component for SecondOrder {
    fn contribute(p: SecondOrderParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let states =
            [("y", p.y_start), ("yd", p.yd_start)].map(|(name, x)| state(c, name, Some(x), 1.0));
        states.iter().for_each(|&state| begin_alone(c, p.init_type, state, false));
        let [y, yd] = states.map(|(_, x)| x);
        c.signal("y", move |_| Ok(y));
        c.law(move |e| {
            let u = e.read(input)?;
            e.model().derivative(y, yd);
            e.model().derivative(yd, p.w * (p.w * (p.k * u - y) - 2.0 * p.D * yd));
            Ok(())
        });
        Ok(())
    }
}

/// A system with one input and one output in controller canonical form.
#[derive(Clone)]
pub(super) struct Canonical {
    /// Factors of the states in the derivative of the first one.
    pub first: Vec<Ex>,
    /// Factor of the input in it.
    pub input: Ex,
    /// The derivative of each other state is this factor times the state before.
    pub chain: Vec<f64>,
    /// Factors of the states in the output.
    pub output: Vec<Ex>,
    /// Factor of the input in the output.
    pub direct: Ex,
}

impl Canonical {
    /// States the derivatives of the states `x`, and the output, which it returns.
    pub fn contribute(
        self,
        c: &mut Contribution<'_>,
        input: PortId,
        x: &[Ex],
        begin: impl FnOnce(&mut Contribution<'_>, Ex, Ex) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Canonical { first, input: factor, chain, output, direct } = self;
        let weighted = |factors: Vec<Ex>| -> Ex {
            factors.into_iter().zip(x).fold(Ex::zero(), |sum, (k, &x)| sum + k * x)
        };
        let (first, output, x) = (weighted(first), weighted(output), x.to_vec());
        begin(c, output, direct)?;
        c.law(move |e| {
            let u = e.read(input)?;
            let model = e.model();
            for (k, &state) in x.iter().enumerate() {
                let derivative = match k.checked_sub(1) {
                    None => first + factor * u,
                    Some(before) => x[before] * chain[before],
                };
                model.derivative(state, derivative);
            }
            Ok(())
        });
        c.output("y", move |e| Ok(output + direct * e.read(input)?));
        Ok(())
    }
}

component! {
    /// Linear transfer function.
    ///
    /// # Equations
    /// `y = (b[1] s^m + .. + b[m+1]) / (a[1] s^n + .. + a[n+1]) u` in controller canonical form:
    /// `a[1] der(x[1]) = u - a[2] x[1] - .. - a[n+1] x[n]`, `der(x[i]) = x[i-1]`.
    ///
    /// A zero among the coefficients is a fixed value. With `initType = InitialOutput`, the
    /// derivatives of `y` are zero as well, up to that of the order `n - 1`.
    pub struct TransferFunction = "Modelica.Blocks.Continuous.TransferFunction" {
        /// Coefficients of the numerator, that of the highest power first
        b: [Real] = [1],
        /// Coefficients of the denominator, that of the highest power first
        a: [Real] = [1],
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        ..block,
    }
    variables {
        /// State
        x?: Array,
    }
}

impl Component for TransferFunction {
    fn contribute(p: TransferFunctionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TransferFunctionParameters { a, b, .. } = p;
        let input = c.input("u")?;
        if b.is_empty() || b.len() > a.len() {
            let (b, a) = (b.len(), a.len());
            let why = format!(
                "a transfer function with {b} coefficients in b and {a} in a is not proper"
            );
            return Err(c.refuse("b", why));
        }
        c.require(&["a[1]"], a[0].abs().gt(0.0), "the first coefficient must not be zero")?;
        let n = a.len() - 1;
        let starts = starts(c, ("x_start", p.x_start), n)?;
        // States have the magnitude of the input divided by the last coefficient.
        let norm = a.iter().fold(Ex::zero(), |sum, &a| sum + a.square()).sqrt();
        let last = a[n].abs();
        let magnitude = select(last.gt(100.0 * f64::EPSILON * norm), last, 1.0);
        let nominal = 1.0 / c.magnitude(magnitude);
        let of = |(i, start)| state(c, element("x", i), start, nominal);
        let states: Vec<_> = (1..).zip(starts).map(of).collect();
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        let bb = [vec![Ex::zero(); a.len() - b.len()], b].concat();
        let direct = bb[0] / a[0];
        let system = Canonical {
            first: a[1..].iter().map(|&a_i| -a_i / a[0]).collect(),
            input: 1.0 / a[0],
            chain: vec![1.0; n.saturating_sub(1)],
            output: (1..=n).map(|i| bb[i] - direct * a[i]).collect(),
            direct,
        };
        system.contribute(c, input, &x, |c, of_states, direct| {
            // The output determines the first state, the others the derivatives of `y`.
            let last_first: Vec<_> = states.into_iter().rev().collect();
            begin(c, p.init_type, &last_first, p.y_start, move |e| {
                Ok(of_states + direct * e.read(input)?)
            })
        })
    }
}

component! {
    /// Linear system in state space.
    ///
    /// # Equations
    /// `der(x) = A x + B u`, `y = C x + D u`. With `initType = InitialOutput`, `y = y_start`, and
    /// the derivatives are as small as possible: the sum of their squares is least.
    pub struct StateSpace = "Modelica.Blocks.Continuous.StateSpace" {
        /// Matrix of the states in their derivatives
        A: [[Real]][constant] = [[1, 0], [0, 1]],
        /// Matrix of the inputs in the derivatives
        B: [[Real]][constant] = [[1], [1]],
        /// Matrix of the states in the outputs
        C: [[Real]][constant] = [[1, 1]],
        /// Matrix of the inputs in the outputs, 0 if it is not given
        D?: [[Real]][constant],
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start values of the outputs, for `initType = InitialOutput`; 0 if they are not given
        y_start?: [Real],
    }
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Output signals
        y: Array,
        /// State
        x: Array,
    }
}

/// A matrix that a declaration gives.
fn matrix(of: Columns) -> DMatrix<f64> {
    let rows: Rows = of.rows;
    let (height, width) = (rows.rows().count(), rows.width());
    DMatrix::from_row_iterator(height, width, rows.into_numbers())
}

/// The product of a matrix of numbers with a vector.
fn times(matrix: &DMatrix<f64>, vector: &[Ex]) -> Vec<Ex> {
    let row = |i: usize| {
        let terms = vector.iter().enumerate().filter(|(k, _)| matrix[(i, *k)] != 0.0);
        terms.fold(Ex::zero(), |sum, (k, &x)| sum + matrix[(i, k)] * x)
    };
    (0..matrix.nrows()).map(row).collect()
}

/// The sums of two vectors, element by element.
fn sums(a: Vec<Ex>, b: Vec<Ex>) -> Vec<Ex> {
    a.into_iter().zip(b).map(|(a, b)| a + b).collect()
}

impl Component for StateSpace {
    fn contribute(p: StateSpaceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [of_states, of_inputs, to_outputs] = [p.A, p.B, p.C].map(matrix);
        let (n, inputs) = (of_states.nrows(), of_inputs.ncols());
        let outputs = to_outputs.nrows();
        let direct = p.D.map_or(DMatrix::zeros(outputs, inputs), matrix);
        let system = System { of_states, of_inputs, to_outputs, direct };
        let shapes = [
            ("A", &system.of_states, n, n),
            ("B", &system.of_inputs, n, inputs),
            ("C", &system.to_outputs, outputs, n),
            ("D", &system.direct, outputs, inputs),
        ];
        for (name, of, rows, columns) in shapes {
            if of.shape() != (rows, columns) {
                let (r, k) = of.shape();
                let why = format!("it has {r} rows and {k} columns, not {rows} and {columns}");
                return Err(c.refuse(name, why));
            }
        }
        let u = c.connected_inputs("u", "Input")?;
        if u.len() != inputs {
            let (given, full) = (u.len(), c.full("B"));
            let why = format!("{given} inputs are connected, but {full} has {inputs} columns");
            return Err(c.refuse("u", why));
        }
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
        for i in 0..outputs {
            let (u, of_states) =
                (u.clone(), times(&system.to_outputs.rows(i, 1).into_owned(), &x)[0]);
            let row = system.direct.row(i).into_owned();
            c.output(element("y", i + 1), move |e| {
                // The elements of an array are published in order, whichever is read first.
                if i > 0 {
                    e.read_own(element("y", i))?;
                }
                let mut value = of_states;
                for (k, &u) in u.iter().enumerate().filter(|(k, _)| row[*k] != 0.0) {
                    value += row[k] * e.read(u)?;
                }
                Ok(value)
            });
        }
        c.law(move |e| {
            let u = u.into_iter().map(|u| e.read(u)).collect::<Result<Vec<_>, _>>()?;
            let derivatives = sums(times(&system.of_states, &x), times(&system.of_inputs, &u));
            for (&x, derivative) in x.iter().zip(derivatives) {
                e.model().derivative(x, derivative);
            }
            Ok(())
        });
        Ok(())
    }
}

/// The matrices of a system in state space.
struct System {
    /// `A`, of the states in their derivatives.
    of_states: DMatrix<f64>,
    /// `B`, of the inputs in them.
    of_inputs: DMatrix<f64>,
    /// `C`, of the states in the outputs.
    to_outputs: DMatrix<f64>,
    /// `D`, of the inputs in the outputs.
    direct: DMatrix<f64>,
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
