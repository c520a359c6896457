//! A delay, approximated by a linear system.

use super::linear_systems::Canonical;
use crate::signals::init::state;
use crate::signals::interfaces::block;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use nalgebra::{DMatrix, DVector};

component! {
    /// Delay of a signal, approximated by a transfer function (Padé).
    ///
    /// # Equations
    /// The transfer function with a numerator of the order `m` and a denominator of the order `n`
    /// whose series at `s = 0` is that of `exp(-delayTime s)` up to the order `n + m`, in
    /// controller canonical form with the states `x`. The last state begins at the input and all
    /// others at 0.
    ///
    /// With `balance`, the states are scaled such that they have similar magnitudes, and begin in
    /// steady state. The factors are powers of two that belong to the value of `delayTime` in the
    /// model text.
    pub struct PadeDelay = "Modelica.Blocks.Nonlinear.PadeDelay" {
        /// Delay
        delay_time "delayTime": Real["s", > 0],
        /// Order of the denominator
        n: Integer["1", >= 1] = 1,
        /// Order of the numerator, `n` if it is not given
        m?: Integer["1", >= 1],
        /// Whether the states are scaled, and begin in steady state
        balance: bool = false,
        ..block,
    }
    variables {
        /// State
        x: Array,
    }
}

impl Component for PadeDelay {
    fn contribute(p: PadeDelayParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (n, m, delay) = (p.n as usize, p.m.unwrap_or(p.n) as usize, p.delay_time);
        if m > n {
            return Err(c.refuse("m", format!("the order {m} is larger than n = {n}")));
        }
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        let number = c.magnitude(delay);
        let numbers = Coefficients::of(n, m);
        let factors = match p.balance {
            true => numbers.balance(number),
            false => vec![1.0; n],
        };
        let Coefficients { a, b } = numbers;
        // Of the power i of s; a state that is multiplied with it has the magnitude of its inverse.
        let power = |i: usize| delay.powi(i as i32);
        let leading = a[n] * power(n);
        let direct = if m == n { b[n] / a[n] } else { 0.0 };
        // State k is the derivative of the order n - k - 1 of the last one.
        let of = |k: usize| n - 1 - k;
        let states: Vec<_> = (0..n)
            .map(|k| {
                let nominal = 1.0 / (a[of(k)] * number.powi(of(k) as i32) * factors[k]).abs();
                state(c, element("x", k + 1), None, nominal)
            })
            .collect();
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        let system = Canonical {
            first: (0..n)
                .map(|k| -a[of(k)] * power(of(k)) * (factors[k] / factors[0]) / leading)
                .collect(),
            input: 1.0 / (leading * factors[0]),
            chain: (1..n).map(|k| factors[k - 1] / factors[k]).collect(),
            output: (0..n)
                .map(|k| {
                    let b = if of(k) <= m { b[of(k)] } else { 0.0 };
                    (b - direct * a[of(k)]) * power(of(k)) * factors[k]
                })
                .collect(),
            direct: direct.into(),
        };
        let (last, x_n) = states[n - 1];
        match p.balance {
            false => c.initial_equation(last, x_n, move |e| Ok(e.read(input)? - x_n)),
            true => {
                for (k, (name, x)) in states.into_iter().enumerate() {
                    let factor = if k + 1 == n { 1.0 / factors[k] } else { 0.0 };
                    c.steady_state_at(name, x, move |e| Ok(factor * e.read(input)?));
                }
            }
        }
        system.contribute(c, input, &x, |_, _, _| Ok(()))
    }
}

/// Coefficients of the transfer function for a delay of 1, that of the power 0 first.
struct Coefficients {
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Coefficients {
    fn of(n: usize, m: usize) -> Self {
        let next = |of: usize, i: usize| (of - i) as f64 / ((n + m - i) * (i + 1)) as f64;
        let mut a = vec![1.0];
        (0..n).for_each(|i| a.push(a[i] * next(n, i)));
        let mut b = vec![1.0];
        (0..m).for_each(|i| b.push(-b[i] * next(m, i)));
        Coefficients { a, b }
    }

    /// The factors of the states, powers of two, for which the matrices have rows and columns of
    /// similar norms (the method of EISPACK, with input and output among the rows and columns).
    fn balance(&self, delay: f64) -> Vec<f64> {
        const RADIX: f64 = 2.0;
        let (a, b) = (&self.a, &self.b);
        let n = a.len() - 1;
        let power = |i: usize| delay.powi(i as i32);
        let leading = a[n] * power(n);
        let direct = if b.len() > n { b[n] / a[n] } else { 0.0 };
        let mut matrix = DMatrix::<f64>::zeros(n, n);
        let mut input = DVector::<f64>::zeros(n);
        let mut output = DVector::<f64>::zeros(n);
        input[0] = 1.0 / leading;
        for k in 0..n {
            let i = n - 1 - k;
            matrix[(0, k)] = -a[i] * power(i) / leading;
            output[k] = (b.get(i).copied().unwrap_or(0.0) - direct * a[i]) * power(i);
            if k > 0 {
                matrix[(k, k - 1)] = 1.0;
            }
        }
        let mut factors = vec![1.0; n];
        let mut changed = true;
        while changed {
            changed = false;
            for i in 0..n {
                let own = matrix[(i, i)].abs();
                let mut column = matrix.column(i).abs().sum() - own + output[i].abs();
                let row = matrix.row(i).abs().sum() - own + input[i].abs();
                let (sum, mut factor) = (column + row, 1.0);
                while column < row / RADIX && column != 0.0 {
                    factor *= RADIX;
                    column *= RADIX * RADIX;
                }
                while column >= row * RADIX && row != 0.0 {
                    factor /= RADIX;
                    column /= RADIX * RADIX;
                }
                if (column + row) / factor < 0.95 * sum {
                    factors[i] *= factor;
                    matrix.row_mut(i).scale_mut(1.0 / factor);
                    matrix.column_mut(i).scale_mut(factor);
                    input[i] /= factor;
                    output[i] *= factor;
                    changed = true;
                }
            }
        }
        factors
    }
}
