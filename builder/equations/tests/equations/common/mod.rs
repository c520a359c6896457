//! Random numbers and evaluation for the tests.

use equations::{Ex, Leaf, evaluate};

/// The `i`-th state.
pub fn state(i: u32) -> Ex {
    Ex::leaf(Leaf::State(i))
}

/// The values of `roots` for the values `x` of the states.
pub fn at(roots: &[Ex], x: &[f64]) -> Vec<f64> {
    evaluate(roots, &mut |leaf| match leaf {
        Leaf::State(i) => x[i as usize],
        other => panic!("{other:?} has no value here"),
    })
    .expect("it can be solved")
}

/// The derivative of `roots` at `x` in the direction `v`, by central differences of fourth order.
pub fn difference(roots: &[Ex], x: &[f64], v: &[f64]) -> Vec<f64> {
    let h = 1e-3;
    let shifted = |s: f64| -> Vec<f64> {
        let moved: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + s * h * v).collect();
        at(roots, &moved)
    };
    let (far_left, left, right, far_right) =
        (shifted(-2.0), shifted(-1.0), shifted(1.0), shifted(2.0));
    (0..roots.len())
        .map(|i| (8.0 * (right[i] - left[i]) - (far_right[i] - far_left[i])) / (12.0 * h))
        .collect()
}
