//! Drives on a floating hull: however they are mounted, an isolated system keeps its momentum.

use crate::common::floating::{
    MASS, angular_momentum_rate, carried, floating, momentum_rate, state,
};
use crate::common::{Random, refusal, seeds, simulation, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::{self, *};
use libraries::prelude::*;
use libraries::rotational::{
    AngleToTorqueAdaptor, BearingFriction, Brake, ConstantSpeed, ConstantTorque, EddyCurrentTorque,
    Fixed, Gearbox, IdealGear, IdealGearR2T, IdealPlanetary, Inertia, LinearSpeedDependentTorque,
    LossyGear, Position, SpringDamper, Torque, TorqueToAngleAdaptor,
};
use libraries::translational::{self, Force};
use nalgebra::Vector3;

/// The axis of the joint and of the drive train, in the axes of the hull.
const AXIS: [f64; 3] = [0.6, 0.0, 0.8];
/// Moment of inertia of the shaft behind the source in kg.m2.
const SPIN: f64 = 0.03;

/// A drive in a train: the shaft, and the housing, if there is one.
type Source = fn(&mut Assembly) -> (Flange, Option<Flange>);

/// A sine that is not zero at the start.
fn signal(m: &mut Assembly, name: &str) -> Quantity {
    m.add(name, Sine::new().amplitude(0.8).f(1.5).phase(0.6)).y
}

const SOURCES: [(&str, Source); 9] = [
    ("torque", |m| {
        let x = m.add("source", Torque::new());
        let y = signal(m, "sine");
        m.connect(y, x.tau);
        (x.flange, Some(x.support))
    }),
    ("constant torque", |m| {
        let x = m.add("source", ConstantTorque::new().tau_constant(1.3));
        (x.flange, Some(x.support))
    }),
    ("load", |m| {
        let x = LinearSpeedDependentTorque::new().tau_nominal(-2.0).torque_direction(false);
        let x = m.add("source", x.w_nominal(0.7));
        (x.flange, Some(x.support))
    }),
    ("eddy current", |m| {
        let x = m.add("source", EddyCurrentTorque::new().tau_nominal(2.0).w_nominal(0.7));
        (x.flange, Some(x.support))
    }),
    ("position", |m| {
        let x = m.add("source", Position::new().exact(true));
        let y = signal(m, "sine");
        m.connect(y, x.phi_ref);
        (x.flange, Some(x.support))
    }),
    ("constant speed", |m| {
        let x = m.add("source", ConstantSpeed::new().w_fixed(0.9));
        (x.flange, Some(x.support))
    }),
    ("spring", |m| {
        let x = m.add("source", SpringDamper::new().c(3.0).d(0.4).phi_rel0(0.8));
        (x.flange_b, Some(x.flange_a))
    }),
    ("motion from a signal", |m| {
        let x = m.add("source", AngleToTorqueAdaptor::new());
        let y = signal(m, "sine");
        m.connect(y, x.phi);
        (x.flange, None)
    }),
    ("torque from a signal", |m| {
        let x = m.add("source", TorqueToAngleAdaptor::new());
        let y = signal(m, "sine");
        m.connect(y, x.tau);
        (x.flange, None)
    }),
];

/// A part of a train: the first and the last shaft, and the housing, if there is one.
type Element = fn(&mut Assembly) -> (Flange, Flange, Option<Flange>);

const ELEMENTS: [(&str, Element); 8] = [
    ("gear", |m| {
        let x = m.add("element", IdealGear::new().ratio(3.0));
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("reversing gear", |m| {
        let x = m.add("element", IdealGear::new().ratio(-0.7));
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("lossy gear", |m| {
        let x = LossyGear::new().ratio(2.0).loss_table([[0.0, 0.9, 0.8, 0.1, 0.2]]);
        let x = m.add("element", x);
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("gearbox", |m| {
        let x = m.add("element", Gearbox::new().ratio(2.0).c(50.0).d(1.0));
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("planetary gear", |m| {
        let x = m.add("element", IdealPlanetary::new().ratio(2.5));
        (x.sun, x.carrier, Some(x.ring))
    }),
    ("bearing", |m| {
        let x = m.add("element", BearingFriction::new().tau_pos([[0.0, 0.2], [1.0, 0.3]]));
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("brake", |m| {
        let x = m.add("element", Brake::new().fn_max(0.7));
        let on = m.add("on", Constant::new().k(1.0));
        m.connect(on.y, x.f_normalized);
        (x.flange_a, x.flange_b, Some(x.support))
    }),
    ("spring", |m| {
        let x = m.add("element", SpringDamper::new().c(5.0).d(0.3).phi_rel0(0.2));
        (x.flange_a, x.flange_b, None)
    }),
];

/// What a housing is connected to.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Housing {
    /// Nothing.
    Open,
    /// The `Mounting1D` on the hull.
    Mounted,
    /// A `Fixed`.
    Fixed,
}

const HOUSINGS: [Housing; 3] = [Housing::Open, Housing::Mounted, Housing::Fixed];

/// The inertia on the shaft behind the source.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shaft {
    /// An `Inertia`.
    Inertia,
    /// A `Rotor1D` on the hull.
    Rotor,
}

/// Connects the housings of a train: to nothing, to one `Mounting1D` on the hull, to a `Fixed`.
fn hold(m: &mut Assembly, hull: Frame, ports: &[(Option<Flange>, Housing)]) {
    let mut mounting = None;
    for (k, (port, housing)) in ports.iter().enumerate() {
        let Some(port) = *port else { continue };
        match housing {
            Housing::Open => {}
            Housing::Mounted => {
                let held = *mounting.get_or_insert_with(|| {
                    let x = m.add("mounting", Mounting1D::new().n(AXIS));
                    m.connect(x.frame_a, hull);
                    x.flange_b
                });
                m.connect(port, held);
            }
            Housing::Fixed => {
                let x = m.add(format!("fixed{k}"), Fixed::new());
                m.connect(port, x.flange);
            }
        }
    }
}

/// A floating hull.
fn hull(m: &mut Assembly, random: &mut Random) -> Frame {
    let world = m.add("world", World::new().gravity_type(GravityType::None));
    floating(m, "hull", world.frame_b, random)
}

/// The inertia on the shaft of a train.
fn shaft(m: &mut Assembly, shaft: Shaft, hull: Frame, on: Flange) {
    match shaft {
        Shaft::Inertia => {
            let shaft = m.add("shaft", Inertia::new().J(SPIN));
            m.connect(shaft.flange_b, on);
        }
        Shaft::Rotor => {
            let shaft = m.add("shaft", multibody::Rotor1D::new().J(SPIN).n(AXIS));
            m.connect(shaft.flange_b, on);
            m.connect(shaft.frame_a, hull);
        }
    }
}

/// A way to drive the joint between hull and arm.
#[derive(Clone, Copy, Debug)]
struct Drive {
    source: usize,
    shaft: Shaft,
    element: usize,
    /// Of the source, of the element and of the joint.
    housings: [Housing; 3],
    /// Whether the shafts drive the joint; otherwise they rotate alone.
    drives_joint: bool,
}

impl Drive {
    fn build(&self, m: &mut Assembly, seed: u64) {
        let random = &mut Random(seed);
        let hull = hull(m, random);
        let joint = Revolute::new().n(AXIS).phi(guess(random.number())).w(guess(random.number()));
        let joint = m.add("joint", joint);
        m.connect(hull, joint.frame_a);
        carried(m, "arm", joint.frame_b);
        let (first, support) = SOURCES[self.source].1(m);
        let (a, b, housing) = ELEMENTS[self.element].1(m);
        m.connect(first, a);
        shaft(m, self.shaft, hull, a);
        if self.drives_joint {
            m.connect(b, joint.axis);
        } else {
            let end = m.add("end", multibody::Rotor1D::new().J(2.0 * SPIN).n(AXIS));
            m.connect(b, end.flange_a);
            m.connect(end.frame_a, hull);
        }
        let joint_support = self.drives_joint.then_some(joint.support);
        let [of_source, of_element, of_joint] = self.housings;
        hold(m, hull, &[(support, of_source), (housing, of_element), (joint_support, of_joint)]);
    }
}

/// A body in a housing that rotates with the shaft of this name, with its moment of inertia about
/// an axis of the hull.
type Spin = (&'static str, f64, [f64; 3]);

/// The spins of the shafts. They are a part of the momentum where the train is mounted on the hull.
fn spins(model: &Simulation) -> Vec<Spin> {
    let has = |name: &str| model.names().any(|known| known == name);
    let mounted = ["mounting.flange_b.phi", "end.w"].into_iter().any(has);
    let rotor = has("shaft.frame_a.r_0[1]");
    let mut spins = Vec::new();
    if mounted || rotor {
        spins.push(("shaft", SPIN, AXIS));
    }
    if has("end.w") {
        spins.push(("end", 2.0 * SPIN, AXIS));
    }
    spins
}

/// The derivatives of momentum and angular momentum, each with a number of its size.
fn rates(model: &mut Simulation, spins: &[Spin]) -> [(Vector3<f64>, f64); 2] {
    let (hull, arm) = (state(model, "hull"), state(model, "arm"));
    let out = hull.t.transpose();
    let w = out * hull.w;
    let spin = |(name, j, axis): &Spin| {
        let [speed, a] = ["w", "a"].map(|x| value(model, &format!("{name}.{x}")));
        let e = out * Vector3::from(*axis);
        (e * a + w.cross(&e) * speed) * *j
    };
    let spins: Vec<Vector3<f64>> = spins.iter().map(spin).collect();
    let linear = [hull, arm].map(|s| momentum_rate(&s));
    let mut angular = [hull, arm].map(|s| angular_momentum_rate(&s)).to_vec();
    angular.extend(spins);
    let sum = |all: &[Vector3<f64>]| {
        (all.iter().sum(), all.iter().map(|part| part.norm()).sum::<f64>() + MASS)
    };
    [sum(&linear), sum(&angular)]
}

/// Compares the derivatives of momentum and angular momentum with zero.
fn keeps_its_momentum(
    what: &str,
    spins: impl FnOnce(&Simulation) -> Vec<Spin>,
    text: impl Fn(&mut Assembly),
) {
    let mut model = simulation(text).unwrap_or_else(|why| panic!("{what}: {why}"));
    let spins = spins(&model);
    model.start(Some(1e-9)).unwrap_or_else(|why| panic!("{what}: {why}"));
    for _ in 0..3 {
        for (rate, size) in rates(&mut model, &spins) {
            assert!(rate.norm() < 1e-11 * size, "{what}: {rate:?} of {size}");
        }
        step(&mut model, 0.02);
    }
}

/// All ways to connect three housings.
fn all_housings() -> Vec<[Housing; 3]> {
    let pairs = HOUSINGS.into_iter().flat_map(|a| HOUSINGS.into_iter().map(move |b| [a, b]));
    pairs.flat_map(|[a, b]| HOUSINGS.into_iter().map(move |c| [a, b, c])).collect()
}

#[test]
fn a_drive_on_a_floating_hull_keeps_the_momentum_however_its_housings_are_connected() {
    for seed in seeds(&[1]) {
        let random = &mut Random(seed);
        for (housings, source) in
            all_housings().into_iter().flat_map(|h| (0..SOURCES.len()).map(move |k| (h, k)))
        {
            let shaft = if random.chance(0.5) { Shaft::Rotor } else { Shaft::Inertia };
            let element = random.below(ELEMENTS.len());
            let drives_joint = random.chance(0.8);
            let drive = Drive { source, shaft, element, housings, drives_joint };
            let bits = random.bits();
            let names = [SOURCES[source].0, ELEMENTS[element].0];
            let what = format!("{names:?}: {drive:?}, seed {bits}");
            keeps_its_momentum(&what, spins, |m| drive.build(m, bits));
        }
    }
}

#[test]
fn a_screw_on_a_floating_hull_keeps_the_momentum_however_its_housings_are_connected() {
    let random = &mut Random(2);
    for housings in all_housings() {
        let (source, seed) = (random.below(SOURCES.len()), random.bits());
        let kind = if random.chance(0.5) { Shaft::Rotor } else { Shaft::Inertia };
        let what = format!("{}: {kind:?} {housings:?}, seed {seed}", SOURCES[source].0);
        keeps_its_momentum(&what, spins, |m| {
            let random = &mut Random(seed);
            let hull = hull(m, random);
            let slide =
                Prismatic::new().n(AXIS).s(guess(random.number())).v(guess(random.number()));
            let slide = m.add("joint", slide);
            m.connect(hull, slide.frame_a);
            carried(m, "arm", slide.frame_b);
            let (first, support) = SOURCES[source].1(m);
            let screw = m.add("screw", IdealGearR2T::new().ratio(4.0));
            m.connect(first, screw.flange_r);
            shaft(m, kind, hull, screw.flange_r);
            m.connect(screw.flange_t, slide.axis);
            hold(m, hull, &[(support, housings[0]), (Some(screw.support_r), housings[1])]);
            match housings[2] {
                Housing::Open => {}
                Housing::Mounted => m.connect(screw.support_t, slide.support),
                Housing::Fixed => {
                    let x = m.add("fixed", translational::Fixed::new());
                    m.connect(screw.support_t, x.flange);
                }
            }
        });
    }
}

#[test]
fn a_bevel_gear_on_a_floating_hull_keeps_the_momentum_however_the_source_is_held() {
    const ACROSS: [f64; 3] = [0.0, 1.0, 0.0];
    let both = |_: &Simulation| vec![("shaft", SPIN, AXIS), ("end", 2.0 * SPIN, ACROSS)];
    for (housing, source) in HOUSINGS.into_iter().flat_map(|h| (0..9).map(move |k| (h, k))) {
        let what = format!("{}: {housing:?}", SOURCES[source].0);
        keeps_its_momentum(&what, both, |m| {
            let random = &mut Random(source as u64);
            let hull = hull(m, random);
            let joint = m.add("joint", Revolute::new().n(AXIS).w(guess(0.3)));
            m.connect(hull, joint.frame_a);
            carried(m, "arm", joint.frame_b);
            let (first, support) = SOURCES[source].1(m);
            let gear = m.add("gear", BevelGear1D::new().ratio(1.7).n_a(AXIS).n_b(ACROSS));
            let end = m.add("end", multibody::Rotor1D::new().J(2.0 * SPIN).n(ACROSS));
            shaft(m, Shaft::Inertia, hull, gear.flange_a);
            m.connect(gear.flange_b, end.flange_a);
            m.connect(first, gear.flange_a);
            m.connect(gear.frame_a, hull);
            m.connect(end.frame_a, hull);
            hold(m, hull, &[(support, housing)]);
        });
    }
}

/// A line between hull and arm with a force whose housing is open, at the first flange, or fixed.
fn line(m: &mut Assembly, housing: Housing, spring: bool, on_first: bool, seed: u64) {
    let random = &mut Random(seed);
    let hull = hull(m, random);
    let joint = m.add("joint", FreeMotion::new().r_rel_a(fixed_vector([0.4, 0.9, 0.7])));
    m.connect(hull, joint.frame_a);
    let arm = carried(m, "arm", joint.frame_b);
    let line = m.add("line", LineForceWithMass::new().m(0.0));
    m.connect(hull, line.frame_a);
    m.connect(arm, line.frame_b);
    if spring {
        let spring = m.add("spring", translational::Spring::new().c(20.0).s_rel0(0.5));
        m.chain((line.flange_a, spring, line.flange_b));
    }
    let force = m.add("force", Force::new());
    let y = signal(m, "sine");
    m.connect(y, force.f);
    m.connect(force.flange, if on_first { line.flange_a } else { line.flange_b });
    match housing {
        Housing::Open => {}
        Housing::Mounted => {
            m.connect(force.support, if on_first { line.flange_b } else { line.flange_a });
        }
        Housing::Fixed => {
            let x = m.add("fixed", translational::Fixed::new());
            m.connect(force.support, x.flange);
        }
    }
}

#[test]
fn a_force_along_a_line_keeps_the_momentum_however_its_housing_is_connected() {
    for (housing, k) in HOUSINGS.into_iter().flat_map(|h| (0..4).map(move |k| (h, k))) {
        let (spring, on_first) = (k % 2 == 0, k / 2 == 0);
        let what = format!("{housing:?}, spring {spring}, on the first flange {on_first}");
        keeps_its_momentum(&what, |_| Vec::new(), |m| line(m, housing, spring, on_first, k));
    }
}

#[test]
fn a_train_along_two_lines_is_refused_by_name() {
    let message = refusal(|m| {
        let random = &mut Random(4);
        let hull = hull(m, random);
        let lines = ["first", "second"].map(|name| {
            let far = m.add(format!("{name}_end"), Body::new().m(1.0).r_cm([0.1, 0.2, 0.3]));
            let line = m.add(name, LineForceWithMass::new().m(0.0));
            m.connect(hull, line.frame_a);
            m.connect(far.frame_a, line.frame_b);
            let spring = m.add(format!("{name}_spring"), translational::Spring::new().c(20.0));
            m.chain((line.flange_a, spring, line.flange_b));
            line
        });
        let damper = m.add("damper", translational::Damper::new().d(1.0));
        m.chain((lines[0].flange_b, damper, lines[1].flange_b));
    });
    let sentence = "first and second: one drive train acts along both lines, so its forces do not \
                    balance: connect each line to a drive train of its own";
    assert!(message.contains(sentence), "{message}");
}
