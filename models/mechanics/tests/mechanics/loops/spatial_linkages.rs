//! Overconstrained linkages in space: they can move because of their dimensions, and some of their
//! equations are redundant.

use crate::common::linkages::move_freely;
use crate::common::{Random, initialize, program, simulation_of, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use std::f64::consts::PI;

/// A Bennett linkage: four bars of lengths a, b, a, b whose joints are twisted against each other
/// by alpha, beta, alpha, beta; `a / sin(alpha) = b / sin(beta)`.
struct Bennett {
    a: f64,
    alpha: f64,
    beta: f64,
}

impl Bennett {
    fn b(&self) -> f64 {
        self.a * self.beta.sin() / self.alpha.sin()
    }

    /// The second angle that belongs to a first one, in rad.
    fn second(&self, first: f64) -> f64 {
        let (sum, difference) = ((self.beta + self.alpha) / 2.0, (self.beta - self.alpha) / 2.0);
        2.0 * (sum.sin() / difference.sin() / (first / 2.0).tan()).atan()
    }

    /// The angles are guessed with errors of about `rough` rad; the first is an initial condition.
    fn add(&self, m: &mut Assembly, rough: f64) {
        let world = m.add("world", World::new());
        let (first, mut random) = (1.0, Random(3));
        let second = self.second(first);
        let angles = [first, second, -first, -second];
        let mut frame = world.frame_b;
        for (k, phi) in angles.into_iter().enumerate() {
            let joint = Revolute::new().n(Z);
            let joint = match k {
                0 => joint.phi(fixed(phi)).w(fixed(2.0)).states(Always),
                _ => joint.phi(guess(phi + rough * random.number())),
            };
            let joint = m.add(format!("j{}", k + 1), joint);
            let (length, twist) =
                if k % 2 == 0 { (self.a, self.alpha) } else { (self.b(), self.beta) };
            let bar = BodyShape::new()
                .r([length, 0.0, 0.0])
                .r_cm([length / 2.0, 0.02, 0.01])
                .m(1.0)
                .inertia([0.002, 0.01, 0.01]);
            let twist = FixedRotation::new().n(X).angle(twist.to_degrees());
            m.connect(frame, joint.frame_a);
            if k == 3 {
                // The last bar is the ground: it leads from the last joint to the world.
                let ground = m.add("ground", FixedTranslation::new().r([length, 0.0, 0.0]));
                let twist = m.add("twist4", twist);
                m.connect(joint.frame_b, ground.frame_a);
                m.connect(ground.frame_b, twist.frame_a);
                m.connect(twist.frame_b, world.frame_b);
                break;
            }
            let bar = m.add(format!("bar{}", k + 1), bar);
            let twist = m.add(format!("twist{}", k + 1), twist);
            m.connect(joint.frame_b, bar.frame_a);
            m.connect(bar.frame_b, twist.frame_a);
            frame = twist.frame_b;
        }
    }
}

#[test]
fn a_bennett_linkage_moves_with_three_redundant_equations() {
    let linkage = Bennett { a: 0.4, alpha: 0.6, beta: 1.1 };
    for rough in [0.0, 0.3] {
        let program = program(|m| linkage.add(m, rough)).unwrap();
        let mut model = simulation_of(&program);
        initialize(&mut model);
        assert_eq!(model.continuous_states().len(), 2);
        let notes = program.notes();
        assert!(notes.iter().any(|n| n.contains("; 3 of its conditions are")), "{notes:?}");
        move_freely(&mut model, 1.0, 5e-4, |model| {
            let [first, second, third] =
                ["j1.phi", "j2.phi", "j3.phi"].map(|name| value(model, name));
            let wanted = linkage.second(first);
            let turns = |angle: f64| (angle / 2.0).sin().abs();
            assert!(turns(second - wanted) < 1e-10, "{first}: {second} {wanted}");
            assert!(turns(third + first) < 1e-10, "{first} {third}");
        });
    }
}

/// Two chains of three parallel revolute joints, perpendicular to each other, carry a platform.
fn sarrus(m: &mut Assembly, rough: f64, sensors: bool) {
    let world = m.add("world", World::new().n([0.3, 0.2, -1.0]));
    let (angle, l) = (0.6_f64, 0.5);
    let platform = Body::new().m(2.0).r_cm([0.1, 0.2, 0.05]).inertia([0.05, 0.04, 0.03]);
    let platform = m.add("platform", platform);
    for (name, n, out) in [("x", [0.0, 1.0, 0.0], X), ("y", [-1.0, 0.0, 0.0], Y)] {
        let hinge = |phi: f64| Revolute::new().n(n).phi(guess(phi + rough));
        let first = if name == "x" {
            Revolute::new().n(n).phi(fixed(-angle)).w(fixed(-1.0)).states(Always)
        } else {
            hinge(-angle)
        };
        let leg = |s: f64| {
            let r = out.map(|c| s * l * c);
            BodyShape::new().r(r).r_cm(r.map(|c| c / 2.0)).m(1.0).inertia([0.02; 3])
        };
        let foot = m.add(format!("{name}_foot"), FixedTranslation::new().r(out));
        let j1 = m.add(format!("{name}1"), first);
        let lower = m.add(format!("{name}_lower"), leg(1.0));
        let j2 = m.add(format!("{name}2"), hinge(2.0 * angle - PI));
        let upper = m.add(format!("{name}_upper"), leg(1.0));
        let j3 = m.add(format!("{name}3"), hinge(PI - angle));
        let head = out.map(|c| -c);
        let head = m.add(format!("{name}_head"), FixedTranslation::new().r(head));
        m.connect(world.frame_b, foot.frame_a);
        m.connect(foot.frame_b, j1.frame_a);
        m.connect(j1.frame_b, lower.frame_a);
        m.connect(lower.frame_b, j2.frame_a);
        m.connect(j2.frame_b, upper.frame_a);
        m.connect(upper.frame_b, j3.frame_a);
        m.connect(j3.frame_b, head.frame_a);
        if sensors {
            let sensor = m.add(format!("{name}_force"), CutForce::new());
            let torque = m.add(format!("{name}_torque"), CutTorque::new());
            m.connect(head.frame_b, sensor.frame_a);
            m.connect(sensor.frame_b, torque.frame_a);
            m.connect(torque.frame_b, platform.frame_a);
        } else {
            m.connect(head.frame_b, platform.frame_a);
        }
    }
}

#[test]
fn a_sarrus_linkage_moves_its_platform_on_a_straight_line() {
    for rough in [0.0, 0.1] {
        let program = program(|m| sarrus(m, rough, false)).unwrap();
        let mut model = simulation_of(&program);
        initialize(&mut model);
        // While it lies flat, it could move in several ways: all its coordinates are states.
        assert_eq!(model.continuous_states().len(), 10);
        let notes = program.notes();
        assert!(notes.iter().any(|n| n.contains("; one of its conditions is")), "{notes:?}");
        move_freely(&mut model, 0.3, 2.5e-4, |model| {
            for name in ["platform.r_0[1]", "platform.r_0[2]", "platform.w_a[1]", "platform.w_a[2]"]
            {
                let off = value(model, name);
                assert!(off.abs() < 1e-10, "{name}: {off:e}");
            }
            let angle = value(model, "x1.phi");
            let height = value(model, "platform.r_0[3]");
            assert!((height + angle.sin()).abs() < 1e-10, "{height} at {angle}");
        });
    }
}

#[test]
fn the_legs_of_a_sarrus_linkage_carry_its_platform_however_they_share_it() {
    let mut model = start(|m| sarrus(m, 0.0, true));
    let g = [0.3, 0.2, -1.0].map(|c| 9.80665 * c / f64::sqrt(1.13));
    for _ in 0..100 {
        step(&mut model, 1e-3);
        let mut both = |what: &str| -> [f64; 3] {
            std::array::from_fn(|k| {
                let mut of = |leg: &str| value(&mut model, &format!("{leg}_{what}[{}]", k + 1));
                of("x") + of("y")
            })
        };
        let (f, t) = (both("force.force"), both("torque.torque"));
        let a: [f64; 3] =
            std::array::from_fn(|k| value(&mut model, &format!("platform.a_0[{}]", k + 1)));
        let weight: [f64; 3] = std::array::from_fn(|k| 2.0 * (a[k] - g[k]));
        let r = [0.1, 0.2, 0.05];
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let moment = r[i] * weight[j] - r[j] * weight[i];
            assert!((f[k] - weight[k]).abs() < 1e-9, "{f:?} {weight:?}");
            assert!((t[k] - moment).abs() < 1e-9, "{t:?} {moment}");
        }
    }
}
