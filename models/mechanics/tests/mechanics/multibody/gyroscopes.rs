//! Gyroscopes: rotors in rings.

use crate::common::linkages::{assert_same, at, attach};
use crate::common::{energy, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;

/// The parts that hold a rotor: two massless rings, or a spherical joint.
#[derive(Clone, Copy)]
enum Held {
    Rings,
    QuaternionOrientation,
}

const W: [f64; 3] = [0.4, -0.3, 0.0];
const SPIN: f64 = 40.0;

/// Three joints in series, with axes, angles and speeds; returns the frames behind them.
fn rings(m: &mut Assembly, base: Frame, starts: [([f64; 3], f64, f64); 3]) -> [Frame; 3] {
    let mut frame = base;
    let names = ["outer", "inner", "spin"];
    std::array::from_fn(|k| {
        let (name, (n, phi, w)) = (names[k], starts[k]);
        let joint = m.add(name, Revolute::new().n(n).phi(fixed(phi)).w(fixed(w)));
        m.connect(frame, joint.frame_a);
        frame = joint.frame_b;
        frame
    })
}

fn gyroscope(m: &mut Assembly, held: Held) {
    let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
    let rotor = Body::new().m(1.5).r_cm([0.0, 0.0, 0.05]).inertia([0.004, 0.004, 0.007]);
    let rotor = m.add("rotor", rotor);
    match held {
        Held::QuaternionOrientation => {
            let ball = Spherical::new()
                .angles_start(fixed_vector([0.3, 0.5, 0.2]))
                .sequence_start([1, 2, 3]);
            let (a, b) = (0.3_f64, 0.5_f64);
            // Rates about x, about y turned by a, and about z turned by both, in frame_a.
            let axis = [b.sin(), -a.sin() * b.cos(), a.cos() * b.cos()];
            let w = [
                W[0] + axis[0] * SPIN,
                W[1] * a.cos() + axis[1] * SPIN,
                W[1] * a.sin() + axis[2] * SPIN,
            ];
            let ball = m.add("ball", ball.w_rel_a_start(fixed_vector(w)));
            m.connect(world.frame_b, ball.frame_a);
            m.connect(ball.frame_b, rotor.frame_a);
        }
        Held::Rings => {
            let starts = [(X, 0.3, W[0]), (Y, 0.5, W[1]), (Z, 0.2, SPIN)];
            let [.., axle] = rings(m, world.frame_b, starts);
            m.connect(axle, rotor.frame_a);
        }
    }
}

#[test]
fn a_rotor_in_massless_rings_moves_as_on_a_ball() {
    let mut rings = start(|m| gyroscope(m, Held::Rings));
    let mut ball = start(|m| gyroscope(m, Held::QuaternionOrientation));
    assert_eq!((rings.continuous_states().len(), ball.continuous_states().len()), (6, 7));
    let first = energy(&mut rings);
    let names = ["rotor.w_a[1]", "rotor.w_a[2]", "rotor.w_a[3]", "rotor.a_0[1]", "rotor.z_a[2]"];
    for n in 0..4000 {
        if n % 400 == 0 {
            assert_same(&mut rings, &mut ball, &names, 1e-9);
        }
        step(&mut rings, 1e-4);
        step(&mut ball, 1e-4);
    }
    for model in [&mut rings, &mut ball] {
        let drift = energy(model) - first;
        assert!(drift.abs() < 1e-8 * first, "{drift:e}");
    }
}

#[test]
fn a_balanced_gyroscope_in_rings_precesses_with_the_torque_over_its_spin() {
    // The outer ring rotates about the vertical z, and the inner one is horizontal; a weight hangs
    // on the inner ring at the end of the axle. Steady precession: m g l = C s p, with a horizontal
    // axle.
    let (c, weight, l, p) = (0.007, 0.2, 0.1, 0.7);
    let g = 9.80665;
    // The spin about the axle relative to the ring; with a horizontal axle, precession adds
    // nothing.
    let s = weight * g * l / (c * p);
    let mut model = start(|m| {
        let world = m.add("world", World::new().n([0.0, 0.0, -1.0]));
        let starts = [(Z, 0.0, p), (Y, 0.0, 0.0), (X, 0.0, s)];
        let [outer, inner, axle] = rings(m, world.frame_b, starts);
        let body = |m: f64, inertia: [f64; 3]| Body::new().m(m).r_cm([0.0; 3]).inertia(inertia);
        attach(m, "ring1", outer, body(0.3, [0.01, 0.02, 0.015]));
        attach(m, "ring2", inner, body(0.3, [0.004, 0.003, 0.005]));
        attach(m, "rotor", axle, body(1.0, [c, 0.004, 0.004]));
        let end = at(m, "end", inner, [l, 0.0, 0.0]);
        let load = m.add("load", PointMass::new().m(weight));
        m.connect(end, load.frame_a);
    });
    for _ in 0..2000 {
        step(&mut model, 5e-4);
        let (precession, tilt) = (value(&mut model, "outer.w"), value(&mut model, "inner.phi"));
        assert!((precession.abs() - p).abs() < 1e-9, "{precession}");
        assert!(tilt.abs() < 1e-9, "{tilt}");
    }
}
