//! Systems in state space: their matrices and ports, of blocks in continuous time and sampled ones.

use crate::signals::interfaces::connected;
use mechanics::declaration::{Columns, Rows, group, prelude::*};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;
use nalgebra::DMatrix;

group! {
    /// A system in state space.
    pub struct StateMatrices(state_matrices) {
        /// Matrix of the states in their derivatives, or in their next values
        A: [[Real]][constant] = [[1, 0], [0, 1]],
        /// Matrix of the inputs in them
        B: [[Real]][constant] = [[1], [1]],
        /// Matrix of the states in the outputs
        C: [[Real]][constant] = [[1, 1]],
        /// Matrix of the inputs in the outputs, 0 if it is not given
        D?: [[Real]][constant],
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

/// The matrices of a system in state space.
#[derive(Clone)]
pub(crate) struct System {
    /// `A`, of the states in their derivatives.
    pub of_states: DMatrix<f64>,
    /// `B`, of the inputs in them.
    pub of_inputs: DMatrix<f64>,
    /// `C`, of the states in the outputs.
    pub to_outputs: DMatrix<f64>,
    /// `D`, of the inputs in the outputs.
    pub direct: DMatrix<f64>,
}

impl StateMatrices {
    /// The system with its inputs; the sizes agree.
    pub(crate) fn system(self, c: &mut Contribution<'_>) -> Result<(System, Vec<PortId>), Error> {
        let [of_states, of_inputs, to_outputs] = [self.A, self.B, self.C].map(matrix);
        let (n, inputs) = (of_states.nrows(), of_inputs.ncols());
        let outputs = to_outputs.nrows();
        let direct = self.D.map_or(DMatrix::zeros(outputs, inputs), matrix);
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
            let columns = if inputs == 1 { "column" } else { "columns" };
            let why = format!("{}, but {full} has {inputs} {columns}", connected(given));
            return Err(c.refuse("u", why));
        }
        Ok((system, u))
    }
}

impl System {
    /// The derivatives of the states, or their next values.
    pub fn rates(&self, e: &mut SignalView<'_>, u: &[PortId], x: &[Ex]) -> Result<Vec<Ex>, Error> {
        let u = u.iter().map(|&u| e.read(u)).collect::<Result<Vec<_>, _>>()?;
        let terms = times(&self.of_states, x).into_iter().zip(times(&self.of_inputs, &u));
        Ok(terms.map(|(of_states, of_inputs)| of_states + of_inputs).collect())
    }

    /// The output with a number, which is counted from 1.
    pub fn output(
        &self,
        e: &mut SignalView<'_>,
        u: &[PortId],
        x: &[Ex],
        number: usize,
    ) -> Result<Ex, Error> {
        let i = number - 1;
        let mut value = times(&self.to_outputs.rows(i, 1).into_owned(), x)[0];
        let row = self.direct.row(i);
        for (k, &u) in u.iter().enumerate().filter(|(k, _)| row[*k] != 0.0) {
            value += row[k] * e.read(u)?;
        }
        Ok(value)
    }
}

/// A matrix that a declaration gives.
fn matrix(of: Columns) -> DMatrix<f64> {
    let rows: Rows = of.rows;
    let (height, width) = (rows.rows().count(), rows.width());
    DMatrix::from_row_iterator(height, width, rows.into_numbers())
}

/// The product of a matrix of numbers with a vector.
pub(crate) fn times(matrix: &DMatrix<f64>, vector: &[Ex]) -> Vec<Ex> {
    let row = |i: usize| {
        let terms = vector.iter().enumerate().filter(|(k, _)| matrix[(i, *k)] != 0.0);
        terms.fold(Ex::zero(), |sum, (k, &x)| sum + matrix[(i, k)] * x)
    };
    (0..matrix.nrows()).map(row).collect()
}
