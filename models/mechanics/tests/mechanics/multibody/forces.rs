//! Forces and torques of signals: the equations of Newton and Euler, in whatever axes they are
//! given.

use crate::common;
use crate::common::floating::{angular_momentum_rate, floating, momentum_rate, state, unturned};
use crate::common::{Random, energy_rate, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::Vector3;

/// Three signals of given values.
fn signals(m: &mut Assembly, name: &str, values: [f64; 3]) -> [Quantity; 3] {
    let mut number = 0;
    values.map(|k| {
        number += 1;
        m.add(format!("{name}{number}"), Constant::new().k(k)).y
    })
}

const F: [f64; 3] = [3.0, -7.0, 2.0];
const M: [f64; 3] = [0.4, 1.1, -0.9];
const GRAVITY: Vector3<f64> = Vector3::new(0.0, -9.80665, 0.0);

/// Which of the loads are applied.
#[derive(Clone, Copy, PartialEq)]
enum Load {
    Force,
    Torque,
    Both,
}

const LOADS: [Load; 3] = [Load::Force, Load::Torque, Load::Both];

impl Load {
    /// Force and torque, in the axes in which they are given.
    fn values(self) -> (Vector3<f64>, Vector3<f64>) {
        let zero = Vector3::zeros();
        match self {
            Load::Force => (F.into(), zero),
            Load::Torque => (zero, M.into()),
            Load::Both => (F.into(), M.into()),
        }
    }
}

/// A load of the world on a body; another body turns in its own way.
fn world_load(m: &mut Assembly, load: Load, axes: ResolveInFrameB) {
    let mut random = Random(7);
    let world = m.add("world", World::new());
    let b = floating(m, "b", world.frame_b, &mut random);
    let other = floating(m, "other", world.frame_b, &mut random);
    let resolve = |m: &mut Assembly, frame: Frame| {
        if axes == ResolveInFrameB::FrameResolve {
            m.connect(other, frame);
        }
    };
    let (force, torque) = (signals(m, "f", F), signals(m, "t", M));
    match load {
        Load::Force => {
            let load = m.add("load", WorldForce::new().resolve_in_frame(axes));
            m.connect(load.frame_b, b);
            m.connect(force, load.force);
            resolve(m, load.frame_resolve);
        }
        Load::Torque => {
            let load = m.add("load", WorldTorque::new().resolve_in_frame(axes));
            m.connect(load.frame_b, b);
            m.connect(torque, load.torque);
            resolve(m, load.frame_resolve);
        }
        Load::Both => {
            let load = m.add("load", WorldForceAndTorque::new().resolve_in_frame(axes));
            m.connect(load.frame_b, b);
            m.connect(force, load.force);
            m.connect(torque, load.torque);
            resolve(m, load.frame_resolve);
        }
    }
}

/// Force and torque about the origin that follow from the rates of a carrier's momenta, without
/// gravity.
fn resultants(model: &mut Simulation, name: &str) -> (Vector3<f64>, Vector3<f64>) {
    let s = state(model, name);
    let weight = GRAVITY * s.mass;
    (momentum_rate(&s) - weight, angular_momentum_rate(&s) - s.r.cross(&weight))
}

#[test]
fn a_load_of_the_world_acts_in_the_axes_in_which_it_is_given() {
    for load in LOADS {
        for axes in [ResolveInFrameB::World, ResolveInFrameB::FrameB, ResolveInFrameB::FrameResolve]
        {
            let mut model = start(|m| world_load(m, load, axes));
            let (b, other) = (state(&mut model, "b"), state(&mut model, "other"));
            let to_world = |v: Vector3<f64>| match axes {
                ResolveInFrameB::World => v,
                ResolveInFrameB::FrameB => b.t.transpose() * v,
                ResolveInFrameB::FrameResolve => other.t.transpose() * v,
            };
            let (force, torque) = load.values();
            let (force, torque) = (to_world(force), to_world(torque));
            let (f, t) = resultants(&mut model, "b");
            assert!((f - force).norm() < 1e-11, "{axes:?}: {f} {force}");
            let moment = b.point.cross(&force) + torque;
            assert!((t - moment).norm() < 1e-11, "{axes:?}: {t} {moment}");
            let (f, t) = resultants(&mut model, "other");
            assert!(f.norm() + t.norm() < 1e-11, "the other body is free: {f} {t}");

            let power = force.dot(&b.point_velocity) + torque.dot(&(b.t.transpose() * b.w));
            let rate = energy_rate(&mut model);
            assert!((rate - power).abs() < 1e-7 * (1.0 + power.abs()), "{rate} {power}");
        }
    }
}

/// A load between two bodies; a third one turns in its own way.
fn load_between(m: &mut Assembly, load: Load, axes: ResolveInFrameAB, without_turn: bool) {
    let mut random = Random(11);
    let world = m.add("world", World::new());
    let mut carrier = |m: &mut Assembly, name: &str| {
        let body = if without_turn { unturned } else { floating };
        body(m, name, world.frame_b, &mut random)
    };
    let (a, b, other) = (carrier(m, "a"), carrier(m, "b"), carrier(m, "other"));
    let resolve = |m: &mut Assembly, frame: Frame| {
        if axes == ResolveInFrameAB::FrameResolve {
            m.connect(other, frame);
        }
    };
    let (force, torque) = (signals(m, "f", F), signals(m, "t", M));
    match load {
        Load::Force => {
            let load = m.add("load", Force::new().resolve_in_frame(axes));
            m.connect(load.frame_a, a);
            m.connect(load.frame_b, b);
            m.connect(force, load.force);
            resolve(m, load.frame_resolve);
        }
        Load::Torque => {
            let load = m.add("load", Torque::new().resolve_in_frame(axes));
            m.connect(load.frame_a, a);
            m.connect(load.frame_b, b);
            m.connect(torque, load.torque);
            resolve(m, load.frame_resolve);
        }
        Load::Both => {
            let load = m.add("load", ForceAndTorque::new().resolve_in_frame(axes));
            m.connect(load.frame_a, a);
            m.connect(load.frame_b, b);
            m.connect(force, load.force);
            m.connect(torque, load.torque);
            resolve(m, load.frame_resolve);
        }
    }
}

const BETWEEN: [ResolveInFrameAB; 4] = [
    ResolveInFrameAB::World,
    ResolveInFrameAB::FrameA,
    ResolveInFrameAB::FrameB,
    ResolveInFrameAB::FrameResolve,
];

#[test]
fn a_load_between_frames_acts_on_b_and_back_on_a() {
    for load in LOADS {
        for axes in BETWEEN {
            let mut model = start(|m| load_between(m, load, axes, false));
            let [a, b, other] = ["a", "b", "other"].map(|name| state(&mut model, name));
            let to_world = |v: Vector3<f64>| match axes {
                ResolveInFrameAB::World => v,
                ResolveInFrameAB::FrameA => a.t.transpose() * v,
                ResolveInFrameAB::FrameB => b.t.transpose() * v,
                ResolveInFrameAB::FrameResolve => other.t.transpose() * v,
            };
            let (force, torque) = load.values();
            let (force, torque) = (to_world(force), to_world(torque));
            let moment = b.point.cross(&force) + torque;
            let (f, t) = resultants(&mut model, "b");
            assert!((f - force).norm() + (t - moment).norm() < 1e-11, "{axes:?} on b: {f} {t}");
            // The same line of action: together they neither push nor turn.
            let (f, t) = resultants(&mut model, "a");
            assert!((f + force).norm() + (t + moment).norm() < 1e-11, "{axes:?} on a: {f} {t}");
            let (f, t) = resultants(&mut model, "other");
            assert!(f.norm() + t.norm() < 1e-11, "the other body is free: {f} {t}");
        }
    }
}

#[test]
fn axes_that_coincide_give_the_same_load() {
    for load in LOADS {
        let accelerations = BETWEEN.map(|axes| {
            let mut model = start(|m| load_between(m, load, axes, true));
            let [a, b] = ["a", "b"].map(|name| state(&mut model, name));
            [a.a, a.z, b.a, b.z]
        });
        for other in &accelerations[1..] {
            for (one, other) in accelerations[0].iter().zip(other) {
                assert!((one - other).norm() < 1e-12, "{one} {other}");
            }
        }
    }
}

#[test]
fn a_resolving_frame_is_connected_exactly_if_it_is_used() {
    let refused = |connected: bool, axes: ResolveInFrameB| {
        let refused = simulation(|m| {
            let world = m.add("world", World::new());
            let rev = m.add("rev", Revolute::new());
            let body = m.add("body", Body::new().m(1.0).r_cm(X));
            let load = m.add("load", WorldForce::new().resolve_in_frame(axes));
            m.connect(world.frame_b, rev.frame_a);
            m.connect(rev.frame_b, body.frame_a);
            m.connect(load.frame_b, rev.frame_b);
            let force = signals(m, "f", F);
            m.connect(force, load.force);
            if connected {
                m.connect(world.frame_b, load.frame_resolve);
            }
        });
        refused.expect_err("it is wrong")
    };
    let message = refused(false, ResolveInFrameB::FrameResolve);
    let expected =
        "load.frame_resolve: vectors are resolved in this frame, but it is not connected";
    assert!(message.contains(expected), "{message}");
    let message = refused(true, ResolveInFrameB::World);
    let expected = "load.frame_resolve: it is connected, but vectors are resolved in other axes";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn an_open_input_is_refused_by_name() {
    let refused = simulation(|m| {
        let world = m.add("world", World::new());
        let rev = m.add("rev", Revolute::new());
        let load = m.add("load", WorldForce::new());
        m.connect(world.frame_b, rev.frame_a);
        m.connect(load.frame_b, rev.frame_b);
        let [x, y, _] = signals(m, "f", F);
        m.connect(x, load.force[0]);
        m.connect(y, load.force[1]);
    });
    let message = refused.expect_err("force[3] is open");
    assert!(message.contains("load.force[3]: the input is not connected"), "{message}");
}

/// A body on two revolute joints, moved by a constant force and torque in turned axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Examples.Elementary.ForceAndTorque and its published result.
#[test]
fn force_and_torque_move_a_body_as_published() {
    let mut model = start(|m| {
        m.add("world", World::new());
        let fixed1 = m.add("fixed1", Fixed::new().r([0.0, -0.5, 0.0]));
        let fixed2 = m.add("fixed2", Fixed::new().r([1.5, 0.25, 0.0]));
        let turned = m.add("turned", FixedRotation::new().n(Z).angle(30.0));
        let first = m.add("first", Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(0.0)));
        let second = m.add("second", Revolute::new().n(Y).phi(fixed(0.0)).w(fixed(0.0)));
        let body = m.add("body", BodyCylinder::new().r(X));
        let load = ForceAndTorque::new().resolve_in_frame(ResolveInFrameAB::FrameResolve);
        let load = m.add("load", load);
        m.connect(fixed1.frame_b, first.frame_a);
        m.connect(first.frame_b, second.frame_a);
        m.connect(second.frame_b, body.frame_a);
        m.connect(body.frame_b, load.frame_b);
        m.connect(fixed2.frame_b, load.frame_a);
        m.connect(fixed1.frame_b, turned.frame_a);
        m.connect(turned.frame_b, load.frame_resolve);
        let force = signals(m, "f", [0.0, 1000.0, 0.0]);
        let torque = signals(m, "t", [-100.0, 100.0, 0.0]);
        m.connect(force, load.force);
        m.connect(torque, load.torque);
    });
    let names = ["first.phi", "first.w", "second.phi", "second.w"];
    for (time, published) in [
        (0.202, [3.08388752, 20.3474229, 0.0385563318, -2.14811491]),
        (0.404, [3.37467793, -29.4585773, -0.921305552, -2.03043234]),
    ] {
        common::run_to(&mut model, time);
        for (name, published) in names.into_iter().zip(published) {
            let ours = value(&mut model, name);
            assert!((ours - published).abs() < 2e-4 * published.abs().max(1.0), "{name} {ours}");
        }
    }
}
