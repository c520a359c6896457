//! Square grids of equal resistors, which are systems of many unknowns.

use super::near;
use crate::common::{start, value};
use libraries::electrical::*;
use nalgebra::{DMatrix, DVector};

/// Neighbours in a grid of `n` by `n` nodes.
fn edges(n: usize) -> Vec<[usize; 2]> {
    let at = |i: usize, j: usize| i * n + j;
    let along = |i: usize, j: usize| [[at(i, j), at(i, j + 1)], [at(j, i), at(j + 1, i)]];
    (0..n).flat_map(|i| (0..n - 1).flat_map(move |j| along(i, j))).collect()
}

/// The resistance between opposite corners of a grid of resistors of 1 Ohm, by its conductances.
fn exact(n: usize) -> f64 {
    let mut conductances = DMatrix::<f64>::zeros(n * n, n * n);
    for [a, b] in edges(n) {
        conductances[(a, a)] += 1.0;
        conductances[(b, b)] += 1.0;
        conductances[(a, b)] -= 1.0;
        conductances[(b, a)] -= 1.0;
    }
    // The first node is the ground.
    let last = n * n - 1;
    let own = conductances.remove_row(0).remove_column(0);
    let mut current = DVector::zeros(last);
    current[last - 1] = 1.0;
    own.cholesky().expect("conductances are positive definite").solve(&current)[last - 1]
}

/// The largest error: elimination from one side of a grid to the other amplifies rounding errors by
/// this factor with each row, as any march through Laplace's equation does.
fn rounding(n: usize) -> f64 {
    4.0 * f64::EPSILON * (2.0 + 3.0_f64.sqrt()).powi(n as i32)
}

#[test]
fn grids_of_any_resistance_have_the_resistance_that_follows_from_their_conductances() {
    near(exact(2), 1.0, 1e-14);
    near(exact(3), 1.5, 1e-14);
    for (n, resistance) in [(2, 1.0), (6, 1e12), (6, 1e-6), (8, 1.0), (10, 1e3)] {
        let mut model = start(|m| {
            let ground = m.add("ground", Ground::new());
            let source = m.add("source", ConstantCurrent::new().I(1.0 / resistance));
            let mut pins = vec![Vec::new(); n * n];
            for (k, [a, b]) in edges(n).into_iter().enumerate() {
                let resistor = m.add(format!("r{k}"), Resistor::new().R(resistance));
                pins[a].push(resistor.p);
                pins[b].push(resistor.n);
            }
            pins[0].extend([ground.p, source.p]);
            pins[n * n - 1].push(source.n);
            for pins in pins {
                pins[1..].iter().for_each(|&pin| m.connect(pins[0], pin));
            }
        });
        near(value(&mut model, "source.v"), -exact(n), rounding(n));
    }
}
