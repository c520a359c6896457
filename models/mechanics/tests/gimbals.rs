//! Gyroscopes: rotors in rings.

mod common;

use common::linkages::{assert_same, chain};
use common::{energy, start, step, value};
use mechanics::multibody::*;
use mechanics::prelude::*;

/// A rotor in two rings, `rings` with inertia or without; or on a spherical joint.
#[derive(Clone, Copy, PartialEq)]
enum Held {
    Rings(f64),
    Ball,
}

const W: [f64; 3] = [0.4, -0.3, 0.0];
const SPIN: f64 = 40.0;

fn gyroscope(m: &mut Assembly, held: Held) {
    let world = m.add("world", World::default().n([0.0, 0.0, -1.0]));
    let rotor = Body::m_r_cm(1.5, [0.0, 0.0, 0.05]).inertia([0.004, 0.004, 0.007]);
    let rotor = m.add("rotor", rotor);
    match held {
        Held::Ball => {
            let ball = Spherical::default()
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
        Held::Rings(i) => {
            let joint = |n, phi, w| Revolute::n(n).phi(fixed(phi)).w(fixed(w));
            let outer = m.add("outer", joint(X, 0.3, W[0]));
            let inner = m.add("inner", joint(Y, 0.5, W[1]));
            let spin = m.add("spin", joint(Z, 0.2, SPIN));
            chain(
                m,
                &[
                    [world.frame_b; 2],
                    [outer.frame_a, outer.frame_b],
                    [inner.frame_a, inner.frame_b],
                    [spin.frame_a, spin.frame_b],
                    [rotor.frame_a; 2],
                ],
            );
            if i > 0.0 {
                for (name, frame) in [("ring1", outer.frame_b), ("ring2", inner.frame_b)] {
                    let ring = m.add(name, Body::m_r_cm(0.3, [0.0; 3]).inertia([i, i, 2.0 * i]));
                    m.connect(frame, ring.frame_a);
                }
            }
        }
    }
}

#[test]
fn a_rotor_in_massless_rings_moves_as_on_a_ball() {
    let mut rings = start(|m| gyroscope(m, Held::Rings(0.0)));
    let mut ball = start(|m| gyroscope(m, Held::Ball));
    assert_eq!((rings.x.len(), ball.x.len()), (6, 7));
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
    // The outer ring turns about the vertical z, the inner one lies level; a weight hangs on the
    // inner ring at the end of the axle. Steady precession: m g l = C s p, with the axle level.
    let (c, weight, l, p) = (0.007, 0.2, 0.1, 0.7);
    let g = 9.80665;
    // The spin about the axle relative to the ring; with the axle level precession adds nothing.
    let s = weight * g * l / (c * p);
    let mut model = start(|m| {
        let world = m.add("world", World::default().n([0.0, 0.0, -1.0]));
        let outer = m.add("outer", Revolute::n(Z).phi(fixed(0.0)).w(fixed(p)));
        let inner = m.add("inner", Revolute::n(Y).phi(fixed(0.0)).w(fixed(0.0)));
        let spin = m.add("spin", Revolute::n(X).phi(fixed(0.0)).w(fixed(s)));
        let ring1 = m.add("ring1", Body::m_r_cm(0.3, [0.0; 3]).inertia([0.01, 0.02, 0.015]));
        let ring2 = m.add("ring2", Body::m_r_cm(0.3, [0.0; 3]).inertia([0.004, 0.003, 0.005]));
        let rotor = m.add("rotor", Body::m_r_cm(1.0, [0.0; 3]).inertia([c, 0.004, 0.004]));
        let load = m.add("load", PointMass::m(weight));
        let end = m.add("end", FixedTranslation::r([l, 0.0, 0.0]));
        m.connect(world.frame_b, outer.frame_a);
        m.connect(outer.frame_b, ring1.frame_a);
        m.connect(outer.frame_b, inner.frame_a);
        m.connect(inner.frame_b, ring2.frame_a);
        m.connect(inner.frame_b, spin.frame_a);
        m.connect(spin.frame_b, rotor.frame_a);
        m.connect(inner.frame_b, end.frame_a);
        m.connect(end.frame_b, load.frame_a);
    });
    for _ in 0..2000 {
        step(&mut model, 5e-4);
        let (precession, tilt) = (value(&mut model, "outer.w"), value(&mut model, "inner.phi"));
        assert!((precession.abs() - p).abs() < 1e-9, "{precession}");
        assert!(tilt.abs() < 1e-9, "{tilt}");
    }
}
