//! Drive trains that are cut, and joined again by the signals of adaptors, move like whole ones.

use crate::common::{simulation, start, step, value};
use libraries::prelude::*;
use libraries::{rotational as rot, translational as tra};

/// The part of the motion that crosses the cut as signals.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cut {
    /// Nothing is cut.
    None,
    /// The position only.
    Position,
    /// Position and speed.
    Speed,
    /// Position, speed and acceleration.
    Acceleration,
}

/// Two bodies, the first one driven by a sine. The cut is behind the first body or, with a spring
/// between the bodies, around the spring.
macro_rules! cut_train {
    ($library:ident, $Body:ident::$inertia:ident, $Source:ident.$flow:ident,
     $ToFlow:ident($q:ident, $v:ident, $a:ident -> $f:ident), $ToMotion:ident) => {
        |m: &mut Assembly, cut: Cut, spring: Option<f64>| {
            let sine = m.add("sine", Sine::new().amplitude(10.0).f(2.0));
            let drive = m.add("drive", $library::$Source::new());
            let first = m.add("first", $library::$Body::new().$inertia(1.1));
            let second = m.add("second", $library::$Body::new().$inertia(2.2));
            m.connect(sine.y, drive.$flow);
            m.connect(drive.flange, first.flange_a);
            // Both ends of the part between the bodies.
            let ends = if let Some(damping) = spring {
                let spring = m.add("spring", $library::SpringDamper::new().c(400.0).d(damping));
                vec![(first.flange_b, spring.flange_a), (second.flange_a, spring.flange_b)]
            } else {
                vec![(first.flange_b, second.flange_a)]
            };
            for (k, (body, other)) in ends.into_iter().enumerate() {
                if cut == Cut::None {
                    m.connect(body, other);
                    continue;
                }
                let to_motion = m.add(format!("to_motion{k}"), $library::$ToMotion::new());
                let to_flow = m.add(format!("to_flow{k}"), $library::$ToFlow::new());
                m.connect(body, to_motion.flange);
                m.connect(to_flow.flange, other);
                m.connect(to_motion.$q, to_flow.$q);
                if cut != Cut::Position {
                    m.connect(to_motion.$v, to_flow.$v);
                }
                if cut == Cut::Acceleration {
                    m.connect(to_motion.$a, to_flow.$a);
                }
                // The torque on the other side drives it and brakes this side; torques into the
                // adaptor are positive.
                m.connect(to_flow.$f, to_motion.$f);
            }
        }
    };
}

type Train = fn(&mut Assembly, Cut, Option<f64>);

const TRAINS: [(&str, Train, [&str; 2]); 4] = [
    (
        "rotational",
        cut_train!(
            rot,
            Inertia::J,
            Torque.tau,
            AngleToTorqueAdaptor(phi, w, a -> tau),
            TorqueToAngleAdaptor
        ),
        ["phi", "w"],
    ),
    (
        "rotational, general",
        cut_train!(
            rot,
            Inertia::J,
            Torque.tau,
            GeneralAngleToTorqueAdaptor(p, pder, pder2 -> f),
            GeneralTorqueToAngleAdaptor
        ),
        ["phi", "w"],
    ),
    (
        "translational",
        cut_train!(
            tra,
            Mass::m,
            Force.f,
            PositionToForceAdaptor(s, v, a -> f),
            ForceToPositionAdaptor
        ),
        ["s", "v"],
    ),
    (
        "translational, general",
        cut_train!(
            tra,
            Mass::m,
            Force.f,
            GeneralPositionToForceAdaptor(p, pder, pder2 -> f),
            GeneralForceToPositionAdaptor
        ),
        ["s", "v"],
    ),
];

#[test]
fn a_train_that_is_cut_moves_as_if_it_were_whole() {
    let cuts = [
        (Cut::Acceleration, None),
        (Cut::Speed, None),
        (Cut::Position, None),
        (Cut::Acceleration, Some(3.0)),
        (Cut::Speed, Some(3.0)),
        (Cut::Position, Some(3.0)),
        (Cut::Position, Some(0.0)),
    ];
    for (name, train, [position, speed]) in TRAINS {
        for (cut, spring) in cuts {
            let mut whole = start(|m| train(m, Cut::None, spring));
            let mut joined = start(|m| train(m, cut, spring));
            for _ in 0..500 {
                step(&mut whole, 1e-3);
                step(&mut joined, 1e-3);
                for body in ["first", "second"] {
                    for local in [position, speed, "a"] {
                        let variable = format!("{body}.{local}");
                        let (x, y) = (value(&mut whole, &variable), value(&mut joined, &variable));
                        let what = format!("{name}, {cut:?}, spring {spring:?}, {variable}");
                        assert!((x - y).abs() < 1e-9 * (1.0 + x.abs()), "{what}: {x} and {y}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_acceleration_without_a_speed_is_refused() {
    let message = simulation(|m| {
        let x = m.add("x", rot::AngleToTorqueAdaptor::new());
        let [phi, a] = ["phi", "a"].map(|name| m.add(name, Constant::new().k(0.0)));
        m.connect(phi.y, x.phi);
        m.connect(a.y, x.a);
    });
    let message = message.err().unwrap_or_default();
    assert!(message.contains("x.a: it is connected, but x.w is not"), "{message}");
}
