//! Free loops against motions that were integrated in maximal coordinates.
//!
//! `tests/python/maximal_coordinates.py` calculates the constants: free bodies with all reactions
//! of their joints, projected after every step. A row is a time, the angles of the bars from the x
//! axis, and their angular velocities.

mod dead_points;
mod driven;
mod friction_and_contact;

use crate::common::linkages::assert_closed;
use crate::common::{run_to, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;

/// The largest error of an angle or a speed, relative to one plus its value.
const ERROR: f64 = 1e-7;

/// Simulates to the times of all rows, and asserts that the bars move as these say. The angle of a
/// bar is a sum of those of joints, such as `a+b`.
fn assert_follows<const N: usize>(model: &mut Simulation, bars: &[&str], rows: &[[f64; N]]) {
    assert_eq!(N, 1 + 2 * bars.len());
    for row in rows {
        run_to(model, row[0]);
        for (k, bar) in bars.iter().enumerate() {
            for (what, wanted) in [("phi", row[1 + k]), ("w", row[1 + bars.len() + k])] {
                let found = sum(model, bar, what);
                let error = (found - wanted).abs() / (1.0 + wanted.abs());
                assert!(error < ERROR, "t={} {bar}.{what}: {found} {wanted}", row[0]);
            }
        }
        assert_closed(model);
    }
}

/// The sum of a variable of joints.
fn sum(model: &mut Simulation, joints: &str, what: &str) -> f64 {
    joints.split('+').map(|joint| value(model, &format!("{joint}.{what}"))).sum()
}

/// Whether all coordinates of some loop are states.
fn is_free(model: &mut Simulation) -> bool {
    model.continuous_states().len() > 4
}

/// A slender bar of `l` m and `m` kg along x.
fn rod([l, m]: [f64; 2]) -> BodyShape {
    let i = m * l * l / 12.0;
    BodyShape::new().r([l, 0.0, 0.0]).r_cm([l / 2.0, 0.0, 0.0]).m(m).inertia([i; 3])
}

/// A frame of the world on the x axis.
fn pivot(m: &mut Assembly, world: Frame, name: &str, x: f64) -> Frame {
    let pivot = m.add(name, FixedTranslation::new().r([x, 0.0, 0.0]));
    m.connect(world, pivot.frame_a);
    pivot.frame_b
}

/// A four-bar linkage of the joints `a` (crank), `b` (coupler), `c` (which closes it) and `d`
/// (rocker). Returns the frame of the world, that of the coupler, and the axis of the rocker.
fn four_bar(
    m: &mut Assembly,
    bars: [[f64; 2]; 3],
    ground: f64,
    [a, b, d]: [Revolute; 3],
) -> (Frame, Frame, Flange) {
    let [crank, coupler, rocker] = bars.map(rod);
    add! { m,
        world: World::new().g(9.81),
        a: a,
        b: b,
        d: d,
        c: Revolute::new().n(Z),
        crank: crank,
        coupler: coupler,
        rocker: rocker,
    }
    let across = pivot(m, world.frame_b, "across", ground);
    m.chain((world.frame_b, a, crank.frame_a));
    m.chain((crank.frame_b, b, coupler.frame_a));
    m.chain((across, d, rocker.frame_a));
    m.chain((coupler.frame_b, c, rocker.frame_b));
    (world.frame_b, coupler.frame_a, d.axis)
}

/// A joint that is guessed.
fn guessed(phi: f64) -> Revolute {
    Revolute::new().n(Z).phi(guess(phi))
}

/// A joint with its initial values.
fn started(phi: f64, w: f64) -> Revolute {
    Revolute::new().n(Z).phi(fixed(phi)).w(fixed(w))
}

/// The bars of a five-bar linkage by joints.
const FIVE_BARS: [&str; 4] = ["a", "b", "a+c", "b+d"];

/// A five-bar linkage with given joints of its cranks; returns their axes.
fn five_bar(m: &mut Assembly, [a, b]: [Revolute; 2]) -> [Flange; 2] {
    add! { m,
        world: World::new().g(9.81),
        a: a,
        b: b,
        c: guessed(-1.29),
        d: guessed(1.35),
        e: Revolute::new().n(Z),
        left: rod([0.25, 0.5]),
        right: rod([0.22, 0.4]),
        left_rod: rod([0.3, 0.6]),
        right_rod: rod([0.28, 0.7]),
        across: FixedTranslation::new().r([0.2, 0.0, 0.0]),
    }
    m.chain((world.frame_b, a, left, c, left_rod, e, right_rod.frame_b));
    m.chain((world.frame_b, across, b, right, d, right_rod.frame_a));
    [a.axis, b.axis]
}
