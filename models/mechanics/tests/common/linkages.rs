//! What every mechanism with loops obeys: its loops stay closed, its energy is kept.

use super::{energy, step, value};
use equations::Interpreter;
use mechanics::multibody::*;
use mechanics::prelude::*;

/// Steps for `seconds` by steps of `h`, with `each` called before each of them. The loops stay
/// closed to 1e-10 m or rad and the energy is kept to 1e-8 of the largest kinetic energy.
pub fn move_freely(
    model: &mut Interpreter,
    seconds: f64,
    h: f64,
    mut each: impl FnMut(&mut Interpreter),
) {
    let (first, mut largest) = (energy(model), 0_f64);
    for _ in 0..(seconds / h).round() as usize {
        each(model);
        step(model, h);
        largest = largest.max(value(model, "energy.kinetic"));
        let drift = energy(model) - first;
        assert!(drift.abs() <= 1e-8 * largest, "t={}: {drift:e} J of {largest} J", model.t);
        assert_closed(model);
    }
}

/// The loops are closed to 1e-10 m or rad.
pub fn assert_closed(model: &mut Interpreter) {
    let residual = value(model, "loops.residual");
    assert!(residual <= 1e-10, "t={}: a gap of {residual:e}", model.t);
}

/// Two models agree in pairs of variables, relative to one or the value.
pub fn assert_agree(
    one: &mut Interpreter,
    other: &mut Interpreter,
    names: &[(&str, &str)],
    tolerance: f64,
) {
    for (name, of_other) in names {
        let (a, b) = (value(one, name), value(other, of_other));
        assert!((a - b).abs() < tolerance * (1.0 + a.abs()), "t={} {name}: {a} {b}", one.t);
    }
}

/// A slender bar from its frame to `r` (m) in the plane across z, of mass `m` in kg.
pub fn bar(r: [f64; 3], m: f64) -> BodyShape {
    let (xx, yy) = (r[0] * r[0], r[1] * r[1]);
    let i = |square: f64| 1e-4 + m * square / 12.0;
    BodyShape::r_cm_m(r, r.map(|c| c / 2.0), m).inertia([i(yy), i(xx), i(xx + yy)]).products([
        -m * r[0] * r[1] / 12.0,
        0.0,
        0.0,
    ])
}

/// Connects frames one after the other: pairs of neighbours.
pub fn chain(m: &mut Assembly, frames: &[[Frame; 2]]) {
    for pair in frames.windows(2) {
        m.connect(pair[0][1], pair[1][0]);
    }
}
