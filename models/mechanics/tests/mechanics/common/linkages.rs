//! Checks of mechanisms with loops (the loops stay closed, energy is conserved), and parts of such
//! mechanisms.

use super::{energy, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;

/// Simulates for `seconds` in steps of `h` in s, and calls `each` before every step. Asserts that
/// the loops stay closed to 1e-10 m or rad, and that energy is conserved to 1e-8 of the largest
/// kinetic energy.
pub fn move_freely(
    model: &mut Simulation,
    seconds: f64,
    h: f64,
    mut each: impl FnMut(&mut Simulation),
) {
    let (first, mut largest) = (energy(model), 0_f64);
    for _ in 0..(seconds / h).round() as usize {
        each(model);
        step(model, h);
        largest = largest.max(value(model, "energy.kinetic"));
        let drift = energy(model) - first;
        assert!(drift.abs() <= 1e-8 * largest, "t={}: {drift:e} J of {largest} J", model.time());
        assert_closed(model);
    }
}

/// Asserts that the loops are closed to 1e-10 m or rad.
pub fn assert_closed(model: &mut Simulation) {
    let residual = value(model, "loops.residual");
    assert!(residual <= 1e-10, "t={}: a gap of {residual:e}", model.time());
}

/// Asserts that two models have the same values of variables; the tolerance is relative to one plus
/// the value.
pub fn assert_same(one: &mut Simulation, other: &mut Simulation, names: &[&str], tolerance: f64) {
    let pairs: Vec<(&str, &str)> = names.iter().map(|&name| (name, name)).collect();
    assert_agree(one, other, &pairs, tolerance);
}

/// Asserts that two models have the same values in pairs of variables; the tolerance is relative to
/// one plus the value.
pub fn assert_agree(
    one: &mut Simulation,
    other: &mut Simulation,
    names: &[(&str, &str)],
    tolerance: f64,
) {
    for (name, of_other) in names {
        let (a, b) = (value(one, name), value(other, of_other));
        assert!((a - b).abs() < tolerance * (1.0 + a.abs()), "t={} {name}: {a} {b}", one.time());
    }
}

/// A slender bar of mass `m` in kg from its frame to `r` in m, in the plane perpendicular to z.
pub fn bar(r: [f64; 3], m: f64) -> BodyShape {
    let (xx, yy) = (r[0] * r[0], r[1] * r[1]);
    let i = |square: f64| 1e-4 + m * square / 12.0;
    BodyShape::new()
        .r(r)
        .r_cm(r.map(|c| c / 2.0))
        .m(m)
        .inertia([i(yy), i(xx), i(xx + yy)])
        .products([-m * r[0] * r[1] / 12.0, 0.0, 0.0])
}

/// A uniform bar of 1 kg and `l` m along a unit vector.
pub fn uniform_bar(along: [f64; 3], l: f64) -> BodyShape {
    let inertia = along.map(|c| l * l / 12.0 * (1.0 - c * c));
    BodyShape::new()
        .r(along.map(|c| c * l))
        .r_cm(along.map(|c| c * l / 2.0))
        .m(1.0)
        .inertia(inertia)
}

/// The angle from crank to coupler of a four-bar, in rad: crank 0.3 m, coupler 0.9 m, rocker 0.7 m,
/// ground 1 m, with the crank at 1 rad.
pub fn coupler_angle() -> f64 {
    let (x, y) = (1.0 - 0.3 * 1_f64.cos(), -0.3 * 1_f64.sin());
    let d = x.hypot(y);
    y.atan2(x) + ((0.81 + d * d - 0.49) / (2.0 * 0.9 * d)).acos() - 1.0
}

/// A body without symmetry.
pub fn lump(m: f64) -> Body {
    Body::new()
        .m(m)
        .r_cm([0.1, 0.05, -0.08])
        .inertia([0.02, 0.03, 0.04])
        .products([0.004, -0.003, 0.002])
}

/// Fixes a body to a frame.
pub fn attach(m: &mut Assembly, name: impl Into<String>, frame: Frame, body: Body) {
    let body = m.add(name, body);
    m.connect(frame, body.frame_a);
}

/// A frame at a position on a part.
pub fn at(m: &mut Assembly, name: impl Into<String>, part: Frame, r: [f64; 3]) -> Frame {
    let place = m.add(name, FixedTranslation::new().r(r));
    m.connect(part, place.frame_a);
    place.frame_b
}

/// The joint that closes a planar loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Closing {
    /// A revolute joint, three of whose conditions are redundant.
    Revolute,
    /// A joint with those conditions only that do not follow from the plane.
    Planar,
}

impl Closing {
    /// Joins two frames about the axis `n`.
    pub fn close(self, m: &mut Assembly, name: &str, n: [f64; 3], [a, b]: [Frame; 2]) {
        let [near, far] = match self {
            Closing::Revolute => {
                let joint = m.add(name, Revolute::new().n(n));
                [joint.frame_a, joint.frame_b]
            }
            Closing::Planar => {
                let joint = m.add(name, RevolutePlanarLoopConstraint::new().n(n));
                [joint.frame_a, joint.frame_b]
            }
        };
        m.connect(a, near);
        m.connect(far, b);
    }
}

/// Connects frames one after the other: pairs of neighbours.
pub fn chain(m: &mut Assembly, frames: &[[Frame; 2]]) {
    for pair in frames.windows(2) {
        m.connect(pair[0][1], pair[1][0]);
    }
}

/// Two bars of 1 m on pivots at a distance of `far` in m, with a pin at their ends; the joints are
/// `left`, `right` and `pin`.
pub fn two_bars(m: &mut Assembly, [left, right, pin]: [Revolute; 3], far: f64) {
    let world = m.add("world", World::new());
    let across = m.add("across", FixedTranslation::new().r([far, 0.0, 0.0]));
    let [left, right] = [m.add("left", left), m.add("right", right)];
    let bar = || BodyShape::new().r([1.0, 0.0, 0.0]).r_cm([0.5, 0.0, 0.0]).m(1.0);
    let [a, b] = [m.add("a", bar()), m.add("b", bar())];
    let pin = m.add("pin", pin);
    m.connect(world.frame_b, left.frame_a);
    m.connect(world.frame_b, across.frame_a);
    m.connect(across.frame_b, right.frame_a);
    m.connect(left.frame_b, a.frame_a);
    m.connect(right.frame_b, b.frame_a);
    m.connect(a.frame_b, pin.frame_a);
    m.connect(pin.frame_b, b.frame_b);
}
