//! Small models, each with one component of the libraries and what it needs to be sound.

mod heat;
mod sampled_blocks;

use coupler::assembly::{AnyPort, Class};
use coupler::blocks::{BooleanToReal, IntegerToReal};
use coupler::declaration::{Parameter, Value};
use coupler::prelude::*;
use coupler::{electrical, impulses, multibody, rotational, translational};

/// A model text with its name.
pub type Small = (String, Box<dyn FnOnce(&mut Assembly)>);

/// An input of the FMU.
fn external(m: &mut Assembly, name: &str, unit: &str) -> Quantity {
    m.add(name, ExternalInput::new().unit(unit).start(0.3)).y
}

/// Two inertias that turn.
fn turning(m: &mut Assembly) -> [Flange; 2] {
    let a = m.add("a", rotational::Inertia::new().J(1.5).phi(fixed(0.1)).w(fixed(2)));
    let b = m.add("b", rotational::Inertia::new().J(0.7).phi(guess(0.1)).w(guess(2)));
    [a.flange_b, b.flange_a]
}

/// Two masses that move.
fn moving(m: &mut Assembly) -> [TranslationalFlange; 2] {
    let a = m.add("a", translational::Mass::new().m(1.5).s(fixed(0.1)).v(fixed(2)));
    let b = m.add("b", translational::Mass::new().m(0.7).s(guess(0.1)).v(guess(2)));
    [a.flange_b, b.flange_a]
}

/// The world, and the end of an arm that turns.
fn arm(m: &mut Assembly) -> [Frame; 2] {
    let world = m.add("world", multibody::World::new());
    let joint = multibody::Revolute::new().n([0.2, 0.1, 1.0]).phi(fixed(0.2)).w(fixed(1.5));
    let joint = m.add("arm_joint", joint);
    let bar = multibody::BodyShape::new().r([0.6, 0.1, 0.0]).r_cm([0.3, 0.0, 0.0]).m(2);
    let bar = m.add("arm", bar.inertia([0.1; 3]));
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, bar.frame_a);
    [world.frame_b, bar.frame_b]
}

/// A body at a frame.
fn body(m: &mut Assembly, frame: Frame) {
    let body = multibody::Body::new().m(1).r_cm([0.1, 0.05, -0.08]).inertia([0.2, 0.3, 0.4]);
    let body = m.add("body", body);
    m.connect(frame, body.frame_a);
}

/// The list under construction.
#[derive(Default)]
struct List(Vec<Small>);

impl List {
    fn add(&mut self, name: impl Into<String>, text: impl FnOnce(&mut Assembly) + 'static) {
        self.0.push((name.into(), Box::new(text)));
    }
}

/// Components of a library between two ports of the parts that a function adds. Their inputs are
/// those of the FMU; each is given with its unit.
macro_rules! between {
    ($list:ident, $ends:ident, $near:ident, $far:ident, $library:ident:
     $($Part:ident $(($($input:ident: $unit:literal),*))? $(.$set:ident($value:expr))*),* $(,)?) => {
        $($list.add(concat!(stringify!($library), "::", stringify!($Part)), |m| {
            let [a, b] = $ends(m);
            let part = m.add("part", $library::$Part::new()$(.$set($value))*);
            m.connect(a, part.$near);
            m.connect(part.$far, b);
            $($(let input = external(m, concat!("input_", stringify!($input)), $unit);
            m.connect(input, part.$input);)*)?
        });)*
    };
}

/// Components of a library at one port of the parts that a function adds, with their inputs.
macro_rules! at {
    ($list:ident, $ends:ident, $port:ident, $library:ident:
     $($Part:ident $(($($input:ident: $unit:literal),*))? $(.$set:ident($value:expr))*),* $(,)?) => {
        $($list.add(concat!(stringify!($library), "::", stringify!($Part)), |m| {
            let [_, b] = $ends(m);
            let part = m.add("part", $library::$Part::new()$(.$set($value))*);
            m.connect(b, part.$port);
            $($(let input = external(m, concat!("input_", stringify!($input)), $unit);
            m.connect(input, part.$input);)*)?
        });)*
    };
}

/// Small models with every component.
pub fn one_of_each() -> Vec<Small> {
    let mut list = List::default();
    drive_trains(&mut list);
    joined_trains(&mut list);
    translations(&mut list);
    joined_masses(&mut list);
    parts_in_space(&mut list);
    wheels(&mut list);
    loops(&mut list);
    planar_loops(&mut list);
    sensors_in_space(&mut list);
    impacts(&mut list);
    heat::components(&mut list);
    heat::temperatures(&mut list);
    sources(&mut list);
    blocks(&mut list);
    other_blocks(&mut list);
    circuits(&mut list);
    list.0
}

fn drive_trains(list: &mut List) {
    between! { list, turning, flange_a, flange_b, rotational:
        Inertia.J(1), Disc.delta_phi(0.2), Spring.c(3), Damper.d(0.4), SpringDamper.c(3).d(0.4),
        ElastoBacklash.c(3).d(0.4).b(0.1), ElastoBacklash2.c(3).d(0.4).b(0.1), IdealGear.ratio(2),
        LossyGear.ratio(2), Gearbox.ratio(2).c(3).d(0.4), Clutch(f_normalized: "1").fn_max(3), OneWayClutch(f_normalized: "1").fn_max(3),
        Brake(f_normalized: "1").fn_max(3), BearingFriction, RelAngleSensor, RelSpeedSensor, RelAccSensor,
        TorqueSensor, PowerSensor, MultiSensor,
    }
    at! { list, turning, flange, rotational:
        Fixed, ConstantTorque.tau_constant(2), TorqueStep.step_torque(2),
        LinearSpeedDependentTorque.tau_nominal(-2).w_nominal(3),
        QuadraticSpeedDependentTorque.tau_nominal(-2).w_nominal(3),
        InverseSpeedDependentTorque.tau_nominal(-2).w_nominal(3),
        SignTorque.tau_nominal(-2), AngleSensor, SpeedSensor, AccSensor,
    }
    at! { list, turning, flange, rotational:
        Torque(tau: "N.m"), TorqueToAngleAdaptor(tau: "N.m"), GeneralTorqueToAngleAdaptor(f: "N.m"),
        EddyCurrentTorque(excitation: "1").tau_nominal(2).w_nominal(3),
    }
    // A motion that is prescribed leaves no freedom to what is fixed to it.
    at! { list, free_shaft, flange, rotational:
        Speed(w_ref: "rad/s").phi(fixed(0)), Position(phi_ref: "rad"),
        Accelerate(a_ref: "rad/s2").phi(fixed(0)).w(fixed(1)),
        Move(u1: "rad", u2: "rad/s", u3: "rad/s2"), ConstantSpeed.w_fixed(2).phi(fixed(0)),
        AngleToTorqueAdaptor(phi: "rad", w: "rad/s", a: "rad/s2"),
        GeneralAngleToTorqueAdaptor(p: "rad", pder: "rad/s", pder2: "rad/s2"),
    }
}

fn joined_trains(list: &mut List) {
    list.add("rotational::Torque2", |m| {
        let [a, b] = turning(m);
        let part = m.add("part", rotational::Torque2::new());
        let (tau, coupling) = (external(m, "tau", "N.m"), rotational::Spring::new().c(4));
        let coupling = m.add("coupling", coupling);
        m.connect(tau, part.tau);
        m.chain((a, coupling, b));
        m.connect(part.flange_a, a);
        m.connect(part.flange_b, b);
    });
    list.add("rotational::IdealPlanetary", |m| {
        let [a, b] = turning(m);
        let part = m.add("part", rotational::IdealPlanetary::new().ratio(2));
        let third = m.add("third", rotational::Inertia::new().J(1).phi(fixed(0)).w(fixed(0.5)));
        m.connect(part.sun, a);
        m.connect(part.carrier, b);
        m.connect(part.ring, third.flange_a);
    });
    list.add("rotational::RelativeStates", |m| {
        let a = m.add("a", rotational::Inertia::new().J(1.5).phi(fixed(0.1)).w(fixed(2)));
        let b = m.add("b", rotational::Inertia::new().J(0.7));
        let spring = m.add("spring", rotational::Spring::new().c(3));
        let part = rotational::RelativeStates::new().phi_rel(fixed(0)).w_rel(fixed(0));
        let part = m.add("part", part);
        m.chain((a.flange_b, spring, b.flange_a));
        m.chain((a.flange_b, part, b.flange_a));
    });
    list.add("rotational::InitializeFlange", |m| {
        let a = m.add("a", rotational::Inertia::new().J(1.5));
        let part = m.add("part", rotational::InitializeFlange::new());
        m.connect(part.flange, a.flange_a);
        for (name, unit, to) in [("phi", "rad", part.phi_start), ("w", "rad/s", part.w_start)] {
            let input = external(m, name, unit);
            m.connect(input, to);
        }
    });
    for (name, rolls) in
        [("rotational::IdealGearR2T", false), ("rotational::IdealRollingWheel", true)]
    {
        list.add(name, move |m| {
            let [_, b] = turning(m);
            let mass = m.add("mass", translational::Mass::new().m(2));
            let (r, t) = if rolls {
                let part = m.add("part", rotational::IdealRollingWheel::new().radius(0.4));
                (part.flange_r, part.flange_t)
            } else {
                let part = m.add("part", rotational::IdealGearR2T::new().ratio(3));
                (part.flange_r, part.flange_t)
            };
            m.connect(b, r);
            m.connect(t, mass.flange_a);
        });
    }
    list.add("rotational::Rotor1D", |m| {
        let part = rotational::Rotor1D::new().physics_inertia(0.4);
        let part = m.add("part", part.psi(fixed(0.1)).psi_t(fixed(3)));
        let spring = m.add("spring", rotational::Spring::new().c(3));
        let wall = m.add("wall", rotational::Fixed::new());
        m.chain((part.flange, spring, wall.flange));
    });
}

/// A shaft whose motion something else determines.
fn free_shaft(m: &mut Assembly) -> [Flange; 2] {
    let shaft = m.add("shaft", rotational::Inertia::new().J(1.5));
    [shaft.flange_b, shaft.flange_a]
}

/// A mass whose motion something else determines.
fn free_mass(m: &mut Assembly) -> [TranslationalFlange; 2] {
    let mass = m.add("mass", translational::Mass::new().m(1.5));
    [mass.flange_b, mass.flange_a]
}

fn translations(list: &mut List) {
    between! { list, moving, flange_a, flange_b, translational:
        Mass.m(1), Rod.L(0.2), Spring.c(3), Damper.d(0.4), SpringDamper.c(3).d(0.4),
        ElastoGap.c(3).d(0.4), GasForce2.L(0.5).d(0.1), Brake(f_normalized: "1").fn_max(3), SupportFriction,
        MassWithStopAndFriction.m(1).f_prop(1).f_coulomb(5).f_stribeck(10).fexp(2).smin(-9).smax(9),
        RelPositionSensor, RelSpeedSensor, RelAccSensor, ForceSensor, PowerSensor, MultiSensor,
    }
    at! { list, moving, flange, translational:
        Fixed, ConstantForce.f_constant(2), ForceStep.step_force(2),
        LinearSpeedDependentForce.f_nominal(-2).v_nominal(3),
        QuadraticSpeedDependentForce.f_nominal(-2).v_nominal(3),
        InverseSpeedDependentForce.f_nominal(-2).v_nominal(3),
        SignForce.f_nominal(-2), PositionSensor, SpeedSensor, AccSensor,
    }
    at! { list, moving, flange, translational:
        Force(f: "N"), ForceToPositionAdaptor(f: "N"), GeneralForceToPositionAdaptor(f: "N"),
        EddyCurrentForce(excitation: "1").f_nominal(2).v_nominal(3),
        RollingResistance(cr: "1", inclination: "1").f_weight(10),
    }
    at! { list, free_mass, flange, translational:
        Speed(v_ref: "m/s").s(fixed(0)), Position(s_ref: "m"),
        Accelerate(a_ref: "m/s2").s(fixed(0)).v(fixed(1)), Move(u1: "m", u2: "m/s", u3: "m/s2"),
        ConstantSpeed.v_fixed(2).s(fixed(0)), PositionToForceAdaptor(s: "m", v: "m/s", a: "m/s2"),
        GeneralPositionToForceAdaptor(p: "m", pder: "m/s", pder2: "m/s2"),
    }
}

fn joined_masses(list: &mut List) {
    list.add("translational::Force2", |m| {
        let [a, b] = moving(m);
        let part = m.add("part", translational::Force2::new());
        let coupling = m.add("coupling", translational::Spring::new().c(4));
        let f = external(m, "f", "N");
        m.connect(f, part.f);
        m.chain((a, coupling, b));
        m.connect(part.flange_a, a);
        m.connect(part.flange_b, b);
    });
    list.add("translational::RelativeStates", |m| {
        let a = m.add("a", translational::Mass::new().m(1.5).s(fixed(0.1)).v(fixed(2)));
        let b = m.add("b", translational::Mass::new().m(0.7));
        let spring = m.add("spring", translational::Spring::new().c(3));
        let part = translational::RelativeStates::new().s_rel(fixed(0.2)).v_rel(fixed(0));
        let part = m.add("part", part);
        m.chain((a.flange_b, spring, b.flange_a));
        m.chain((a.flange_b, part, b.flange_a));
    });
    list.add("translational::InitializeFlange", |m| {
        let a = m.add("a", translational::Mass::new().m(1.5));
        let part = m.add("part", translational::InitializeFlange::new());
        m.connect(part.flange, a.flange_a);
        for (name, unit, to) in [("s", "m", part.s_start), ("v", "m/s", part.v_start)] {
            let input = external(m, name, unit);
            m.connect(input, to);
        }
    });
    for (name, rolls) in
        [("translational::IdealGearR2T", false), ("translational::IdealRollingWheel", true)]
    {
        list.add(name, move |m| {
            let [_, b] = moving(m);
            let shaft = m.add("shaft", rotational::Inertia::new().J(2));
            let (r, t) = if rolls {
                let part = m.add("part", translational::IdealRollingWheel::new().radius(0.4));
                (part.flange_r, part.flange_t)
            } else {
                let part = m.add("part", translational::IdealGearR2T::new().ratio(3));
                (part.flange_r, part.flange_t)
            };
            m.connect(b, t);
            m.connect(r, shaft.flange_a);
        });
    }
    list.add("translational::Vehicle", |m| {
        let shaft = m.add("shaft", rotational::Inertia::new().J(1));
        let part = translational::Vehicle::new().m(100).J(1).A(1).Cd(0.5).R(0.3);
        let part = m.add("part", part.s(fixed(0)).v(fixed(3)));
        m.connect(part.flange_r, shaft.flange_a);
        for (name, to) in [("cr", part.cr), ("inclination", part.inclination)] {
            let input = external(m, name, "1");
            m.connect(input, to);
        }
    });
}

fn parts_in_space(list: &mut List) {
    at! { list, arm, frame_a, multibody:
        Body.m(1).r_cm([0.1, 0.0, 0.0]), PointMass.m(1),
        BodyShape.r([0.1, 0.2, 0.3]).m(1).r_cm([0.1, 0.0, 0.0]), BodyBox.r([0.1, 0.2, 0.3]),
        BodyCylinder.r([0.1, 0.2, 0.3]), Mounting1D,
        Rotor1D.J(2).phi(fixed(0)).w(fixed(1)), FixedTranslation.r([0.1, 0.2, 0.3]), FixedRotation.n(X).angle(30),
        AbsoluteAngles,
    }
    list.add("multibody::World", |m| _ = arm(m));
    list.add("multibody::GearConstraint", |m| {
        let [a, _] = arm(m);
        let part = multibody::GearConstraint::new().ratio(10).phi_b(fixed(0)).w_b(fixed(1));
        let part = m.add("part", part);
        let end = multibody::Body::new().m(1).r_cm([0.1; 3]).inertia([0.2; 3]);
        let end = m.add("end", end);
        m.connect(a, part.bearing);
        m.connect(part.frame_a, end.frame_a);
        body(m, part.frame_b);
    });
    list.add("multibody::Fixed", |m| {
        m.add("world", multibody::World::new());
        let part = m.add("part", multibody::Fixed::new().r([0.1, 0.2, 0.3]));
        let joint = m.add("joint", multibody::Revolute::new().phi(fixed(0)).w(fixed(1)));
        m.connect(part.frame_b, joint.frame_a);
        body(m, joint.frame_b);
    });
    macro_rules! joints {
        ($($Part:ident),*) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let [_, b] = arm(m);
                let part = m.add("part", multibody::$Part::new());
                m.connect(b, part.frame_a);
                body(m, part.frame_b);
            });)*
        };
    }
    joints!(Revolute, Prismatic, Spherical, Universal, Cylindrical, Planar, FreeMotion);
    joints!(FreeMotionScalarInit);
    // Springs between the world and the arm.
    between! { list, arm, frame_a, frame_b, multibody:
        Spring.c(3), Damper.d(0.4), SpringDamperParallel.c(3).d(0.4),
        SpringDamperSeries.c(3).d(0.4), LineForceWithMass.m(1),
        LineForceWithTwoMasses.m_a(1).m_b(2),
    }
    macro_rules! forces {
        ($($Part:ident($($input:ident: $unit:literal),*) $($from:ident)?),* $(,)?) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let [a, b] = arm(m);
                let part = m.add("part", multibody::$Part::new());
                m.connect(b, part.frame_b);
                $(m.connect(a, part.$from);)?
                let _ = a;
                $(let inputs = [1, 2, 3].map(|k| {
                    external(m, &format!("{}{k}", stringify!($input)), $unit)
                });
                m.connect(inputs, part.$input);)*
            });)*
        };
    }
    forces! {
        Force(force: "N") frame_a, Torque(torque: "N.m") frame_a,
        ForceAndTorque(force: "N", torque: "N.m") frame_a, WorldForce(force: "N"),
        WorldTorque(torque: "N.m"), WorldForceAndTorque(force: "N", torque: "N.m"),
    }
}

fn wheels(list: &mut List) {
    list.add("multibody::RollingWheel", |m| {
        m.add("world", multibody::World::new());
        m.add("part", multibody::RollingWheel::new().radius(0.3).m(2).I_axis(0.06).I_long(0.12));
    });
    list.add("multibody::RollingWheelJoint", |m| {
        m.add("world", multibody::World::new());
        let part = m.add("part", multibody::RollingWheelJoint::new().radius(0.3));
        body(m, part.frame_a);
    });
    list.add("multibody::RollingWheelSet", |m| {
        m.add("world", multibody::World::new().n([0, 0, -1]));
        let part = multibody::RollingWheelSet::new().r_wheel(0.1).track(0.5).m_wheel(0.5);
        m.add("part", part.I_wheel_axis(0.01).I_wheel_long(0.02));
    });
    list.add("multibody::RollingWheelSetJoint", |m| {
        m.add("world", multibody::World::new().n([0, 0, -1]));
        let part = m.add("part", multibody::RollingWheelSetJoint::new().radius(0.1).track(0.5));
        for (name, frame) in [("one", part.frame1), ("two", part.frame2)] {
            let wheel = multibody::Body::new().m(1).r_cm([0; 3]).inertia([0.1; 3]);
            let wheel = m.add(name, wheel);
            m.connect(frame, wheel.frame_a);
        }
        body(m, part.frame_middle);
    });
}

fn loops(list: &mut List) {
    macro_rules! constraints {
        ($($Part:ident),*) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let [_, b] = arm(m);
                let part = m.add("part", multibody::$Part::new());
                m.connect(b, part.frame_a);
                body(m, part.frame_b);
            });)*
        };
    }
    constraints!(RevoluteConstraint, SphericalConstraint, UniversalConstraint, PrismaticConstraint);
    macro_rules! assemblies {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let world = m.add("world", multibody::World::new());
                let j1 = multibody::Revolute::new().n(X).phi(fixed(0.2)).w(fixed(5)).states(Always);
                let j1 = m.add("j1", j1);
                let crank = multibody::BodyCylinder::new().r([0.0, 0.15, 0.05]).diameter(0.05);
                let crank = m.add("crank", crank);
                let ground = m.add("ground", multibody::FixedTranslation::new().r([0.9, 0.1, 0.2]));
                let part = m.add("part", multibody::$Part::new()$(.$set($value))*);
                m.chain((world.frame_b, j1, crank, part.frame_a));
                m.chain((world.frame_b, ground, part.frame_b));
                body(m, part.frame_ib);
            });)*
        };
    }
    assemblies! {
        JointUSR.r_rod1_ia([1.0, 0.2, -0.3]).r_rod2_ib([0.1, 0.5, 0.2]).n1_a([0.1, 1.0, 0.3])
            .n_b([0.1, 0.2, 1.0]).phi_offset(15).phi_guess(6),
        JointUSP.r_rod1_ia([1.0, 0.2, -0.3]).r_rod2_ib([0.1, 0.5, 0.2]).n1_a([0.1, 1.0, 0.3])
            .n_b([1.0, 0.1, -0.2]).s_offset(-0.15).s_guess(0.1),
        JointSSR.rod1_length(1.06).n_b([0.1, 0.2, 1.0]).r_rod2_ib([0.1, 0.5, 0.2])
            .phi_offset(15).phi_guess(6),
        JointSSP.rod1_length(1.06).n_b([1.0, 0.1, -0.2]).r_rod2_ib([0.1, 0.5, 0.2])
            .s_offset(-0.15).s_guess(0.1),
    }
}

fn planar_loops(list: &mut List) {
    macro_rules! planar {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let world = m.add("world", multibody::World::new());
                let j1 = multibody::Revolute::new().n(Z).phi(fixed(0.4)).w(fixed(5)).states(Always);
                let j1 = m.add("j1", j1);
                let crank = multibody::BodyCylinder::new().r([0.2, 0.0, 0.0]).diameter(0.05);
                let crank = m.add("crank", crank);
                let ground = m.add("ground", multibody::FixedTranslation::new().r([0.9, 0.0, 0.0]));
                let part = m.add("part", multibody::$Part::new()$(.$set($value))*);
                m.chain((world.frame_b, j1, crank, part.frame_a));
                m.chain((world.frame_b, ground, part.frame_b));
                body(m, part.frame_ib);
            });)*
        };
    }
    planar! {
        JointRRR.n_a(Z).r_rod1_ia([0.9, 0.0, 0.0]).r_rod2_ib([0.7, 0.0, 0.0]).phi_guess(115),
        JointRRP.n_a(Z).n_b(X).r_rod1_ia([1.0, 0.0, 0.0]).r_rod2_ib([0.1, 0.0, 0.0]).s_guess(0.1),
    }
    list.add("multibody::JointUPS", |m| {
        let [a, b] = arm(m);
        let foot = m.add("foot", multibody::FixedTranslation::new().r([0.1, -0.9, 0.2]));
        let part = m.add("part", multibody::JointUPS::new().n1_a(Z));
        m.chain((a, foot, part.frame_a));
        m.connect(part.frame_b, b);
        body(m, part.frame_ib);
    });
    // A crank and slider, whose rod has two spherical joints or a universal and a spherical one.
    for (name, universal) in
        [("multibody::SphericalSpherical", false), ("multibody::UniversalSpherical", true)]
    {
        list.add(name, move |m| {
            let [a, b] = arm(m);
            let guide = m.add("guide", multibody::Prismatic::new().n(X).s(guess(1.4)));
            m.connect(a, guide.frame_a);
            body(m, guide.frame_b);
            let [near, far] = if universal {
                let part = multibody::UniversalSpherical::new().n1_a(Y).r_rod_ia([0.9, 0.0, 0.0]);
                let part = m.add("part", part);
                [part.frame_a, part.frame_b]
            } else {
                let part = m.add("part", multibody::SphericalSpherical::new().rod_length(0.9));
                [part.frame_a, part.frame_b]
            };
            m.connect(guide.frame_b, near);
            m.connect(far, b);
        });
    }
}

fn sensors_in_space(list: &mut List) {
    at! { list, arm, frame_a, multibody:
        FixedFrame, FixedArrow, FixedShape2, Torus, VoluminousWheel,
        FixedShape.length(1).width(0.1).height(0.2), PipeWithScalarField.r_outer(0.2).length(1),
    }
    list.add("multibody::SignalArrow", |m| {
        let [_, b] = arm(m);
        let part = m.add("part", multibody::SignalArrow::new());
        m.connect(b, part.frame_a);
        for (k, input) in part.r_head.into_iter().enumerate() {
            let signal = external(m, &format!("r_{k}"), "m");
            m.connect(signal, input);
        }
        body(m, b);
    });
    list.add("multibody::Rectangle", |m| {
        let [_, b] = arm(m);
        let part = m.add("part", multibody::Rectangle::new());
        m.connect(b, part.frame_a);
        body(m, b);
    });
    at! { list, arm, frame_a, multibody:
        AbsoluteSensor, AbsolutePosition, AbsoluteVelocity, AbsoluteAngularVelocity,
    }
    between! { list, arm, frame_a, frame_b, multibody:
        RelativeSensor, RelativePosition, RelativeVelocity, RelativeAngles,
        RelativeAngularVelocity, Distance,
    }
    macro_rules! cuts {
        ($($Part:ident),*) => {
            $(list.add(concat!("multibody::", stringify!($Part)), |m| {
                let [_, b] = arm(m);
                let part = m.add("part", multibody::$Part::new());
                m.connect(b, part.frame_a);
                body(m, part.frame_b);
            });)*
        };
    }
    cuts!(CutForce, CutTorque, CutForceAndTorque, Power);
    list.add("multibody::TransformAbsoluteVector", |m| {
        let [_, b] = arm(m);
        let part = m.add("part", multibody::TransformAbsoluteVector::new());
        m.connect(b, part.frame_a);
        let inputs = [1, 2, 3].map(|k| external(m, &format!("r{k}"), "m"));
        m.connect(inputs, part.r_in);
    });
    list.add("multibody::TransformRelativeVector", |m| {
        let [a, b] = arm(m);
        let part = m.add("part", multibody::TransformRelativeVector::new());
        m.connect(a, part.frame_a);
        m.connect(b, part.frame_b);
        let inputs = [1, 2, 3].map(|k| external(m, &format!("r{k}"), "m"));
        m.connect(inputs, part.r_in);
    });
}

fn impacts(list: &mut List) {
    use impulses::*;
    list.add("impulses::PotentialFBM", |m| {
        m.add("world", multibody::World::new());
        let part = m.add("part", PotentialFBM::new());
        let ball = m.add("ball", SimpleBody::new().m(1).inertia([0.04; 3]));
        m.connect(part.frame_b, ball.frame_a);
    });
    list.add("impulses::Damping", |m| {
        m.add("world", multibody::World::new());
        let fixed = m.add("fixed", multibody::Fixed::new());
        let movement = m.add("movement", FreeTranslationalMovement::new().x_start([0.3, 0.5, 0.1]));
        let ball = m.add("ball", SimpleBody::new().m(1).inertia([0.04; 3]));
        let part = m.add("part", Damping::new().d(2));
        m.connect(movement.frame_b, ball.frame_a);
        m.connect(fixed.frame_b, part.frame_a);
        m.connect(part.frame_b, ball.frame_a);
    });
    list.add("impulses::CollisionSphereCylinder", |m| {
        m.add("world", multibody::World::new());
        let fixed = m.add("fixed", multibody::Fixed::new());
        let movement = m.add("movement", FreeBodyMovement::new().x_start([0.0, 1.5, 0.0]));
        let [one, two] = ["one", "two"].map(|name| m.add(name, InsertImpulse::new()));
        let ball = m.add("ball", SimpleBody::new().m(1).inertia([0.04; 3]));
        let part = m.add("part", CollisionSphereCylinder::new().ra(0.25).length(1));
        m.chain((movement.frame_b, one, ball.frame_a));
        m.connect(fixed.frame_b, two.frame_a);
        m.connect(part.frame_a, ball.frame_a);
        m.connect(part.frame_b, two.frame_b);
    });
}

/// The signal accelerates a shaft, and is integrated.
fn used(m: &mut Assembly, y: Quantity) {
    let sum = m.add("sum", Integrator::new().k(2));
    let drive = m.add("drive", rotational::Accelerate::new().phi(fixed(0)).w(fixed(0)));
    let shaft = m.add("shaft", rotational::Inertia::new().J(2));
    m.connect(y, sum.u);
    m.connect(y, drive.a_ref);
    m.connect(drive.flange, shaft.flange_a);
}

fn sources(list: &mut List) {
    macro_rules! sources {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new()$(.$set($value))*);
                used(m, part.y);
            });)*
        };
    }
    sources! {
        Cosine.f(2), ExpSine.f(2).damping(1), Constant.k(2), Step.height(2), Ramp.height(2).duration(1), Sine.amplitude(2).f(1),
        Pulse.amplitude(2).period(0.3), Trapezoid.amplitude(2).period(0.3).rising(0.1),
        ExternalInput.unit("rad/s2").start(0.3),
    }
    list.add("signals::KinematicPTP", |m| {
        let part = m.add("part", KinematicPTP::new().deltaq([1, 2]));
        used(m, part.y(1));
    });
    list.add("signals::ExternalBoolean", |m| {
        let part = m.add("part", ExternalBoolean::new().start(true));
        let number = m.add("number", BooleanToReal::new());
        m.connect(part.y, number.u);
        used(m, number.y);
    });
    list.add("signals::ExternalInteger", |m| {
        let part = m.add("part", ExternalInteger::new().start(2));
        let number = m.add("number", IntegerToReal::new());
        m.connect(part.y, number.u);
        used(m, number.y);
    });
    list.add("signals::CombiTimeTable", |m| {
        let part = CombiTimeTable::new().rows([[0.0, 1.0], [1.0, 2.0]]);
        let part = m.add("part", part.extrapolation(Extrapolation::Periodic));
        used(m, part.y(1));
    });
}

fn blocks(list: &mut List) {
    macro_rules! blocks {
        ($($Part:ident($($input:ident),*) $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new()$(.$set($value))*);
                $(let input = external(m, concat!("input_", stringify!($input)), "1");
                m.connect(input, part.$input);)*
                let sum = m.add("sum", Integrator::new().k(2));
                m.connect(part.y, sum.u);
            });)*
        };
    }
    blocks! {
        Gain(u).k(2), Add(u1, u2), Feedback(u1, u2), Product(u1, u2), Abs(u), Limiter(u).u_max(1),
        Add3(u1, u2, u3), Integrator(u).k(2), FirstOrder(u).k(2).T(0.1),
        PI(u).k(2).T(0.1), CriticalDamping(u).n(2).f(5),
    }
    macro_rules! comparisons {
        ($($Part:ident),*) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new().threshold(1));
                let (input, number) = (external(m, "input", "1"), m.add("number", BooleanToReal::new()));
                m.connect(input, part.u);
                m.connect(part.y, number.u);
                used(m, number.y);
            });)*
        };
    }
    comparisons!(GreaterThreshold, GreaterEqualThreshold, LessThreshold, LessEqualThreshold);
    list.add("signals::Der", |m| {
        let sine = m.add("sine", Sine::new().amplitude(2).f(1));
        let (part, sum) = (m.add("part", Der::new()), m.add("sum", Integrator::new().k(2)));
        m.connect(sine.y, part.u);
        m.connect(part.y, sum.u);
    });
    let library = coupler::libraries::LIBRARIES.iter().find(|library| library.name == "signals");
    let classes = library.expect("it exists").components.iter();
    for class in classes.filter(|class| class.declaration.name.starts_with("CombiTable")) {
        list.add(class.path(), |m| block(m, class).expect("its inputs are connected"));
    }
}

/// The parameters of a block that it must have.
fn settings(block: &str) -> Vec<(&'static str, Value)> {
    let numbers: &[(&str, f64)] = match block {
        "Hysteresis" => &[("uLow", 0.5), ("uHigh", 0.8)],
        "OnOffController" => &[("bandwidth", 0.2)],
        "OnDelay" => &[("delayTime", 0.1)],
        "BooleanPulse" | "SampleTrigger" | "SawTooth" => &[("period", 0.3)],
        "IntegerConstant" => &[("k", 3.0)],
        "LimIntegrator" => &[("outMax", 1.0)],
        "SecondOrder" => &[("w", 3.0), ("D", 0.5)],
        "PID" => &[("Ti", 0.5), ("Td", 0.1)],
        "LimPID" | "SampledPID" => &[("yMax", 1.0)],
        "LowpassButterworth" => &[("f", 2.0)],
        "Filter" => &[("f_cut", 2.0)],
        "PadeDelay" => &[("delayTime", 0.1)],
        "Sinc" => &[("f", 2.0)],
        "Exponentials" => &[("riseTime", 0.4)],
        "LogFrequencySweep" => &[("wMin", 1.0), ("wMax", 10.0), ("duration", 2.0)],
        "BooleanMultiSwitch" => return vec![("expr", [true, false].into())],
        "IntegerTable" | "TimeTable" => {
            return vec![("table", Value::of_list([[0.0, 1.0], [0.5, 3.0]]))];
        }
        "CombiTimeTable" | "CombiTable1D" => {
            return vec![("table", Value::of_list([[0.0, 1.0], [1.0, 2.0]]))];
        }
        "CombiTable1Dv" | "CombiTable2Ds" | "CombiTable2Dv" => {
            let rows = [[0.0, 1.0, 3.0], [1.0, 2.0, 5.0], [2.0, 3.0, 4.0]];
            return vec![("table", Value::of_list(rows))];
        }
        "DeadZone" => &[("uMax", 0.1)],
        "Mean" | "RectifiedMean" | "RootMeanSquare" | "TotalHarmonicDistortion" => &[("f", 5.0)],
        "Harmonic" => &[("f", 5.0), ("k", 1.0)],
        "SignalExtrema" => &[("Ts", 0.1)],
        "MultiSwitch" | "IntegerMultiSwitch" => return vec![("expr", [4.0, 6.0].into())],
        _ => &[],
    };
    numbers.iter().map(|&(name, number)| (name, number.into())).collect()
}

/// The input of the FMU for a port of a block.
fn source_of(m: &mut Assembly, name: &str, (kind, unit): (&str, &str)) -> Quantity {
    match kind {
        "BooleanInput" => m.add(name, ExternalBoolean::new().start(true)).y,
        "IntegerInput" => m.add(name, ExternalInteger::new().start(2)).y,
        _ => external(m, name, if unit.is_empty() { "1" } else { unit }),
    }
}

/// A block whose inputs are those of the FMU; vectors of inputs have two elements,
/// except for the one input of a [`StateSpace`](coupler::blocks::StateSpace) with its defaults.
fn block(m: &mut Assembly, class: &Class) -> Result<(), coupler::Error> {
    let declaration = class.declaration;
    let mut settings = settings(declaration.name);
    if declaration.parameters.iter().any(|parameter| parameter.name == "samplePeriod") {
        settings.push(("samplePeriod", 0.1.into()));
    }
    let part = m.add_by_name(class, "part", settings)?;
    for port in declaration.ports {
        let names = match port.kind.strip_prefix('[') {
            Some(_) if declaration.name == "StateSpace" => vec![format!("{}[1]", port.name)],
            Some(_) => vec![format!("{}[1]", port.name), format!("{}[2]", port.name)],
            None => vec![port.name.to_owned()],
        };
        for (number, name) in names.iter().enumerate() {
            let input = part.port(name).expect("it is declared");
            let name = format!("input_{}_{number}", port.name);
            let source = source_of(m, &name, (input.kind(), port.unit));
            m.connect_by_name(AnyPort::Quantity(source), input)?;
        }
    }
    Ok(())
}

fn other_blocks(list: &mut List) {
    let libraries = coupler::libraries::LIBRARIES.iter();
    let libraries = libraries.filter(|library| ["blocks", "sampled"].contains(&library.name));
    for class in libraries.flat_map(|library| library.components) {
        if class.declaration.class.starts_with("Modelica.Clocked.") {
            list.add(class.path(), |m| {
                sampled_blocks::clocked(m, class).expect("its inputs are connected")
            });
        } else if class.declaration.name != "TracedController" {
            list.add(class.path(), |m| block(m, class).expect("its inputs are connected"));
        }
    }
    sampled_blocks::add_traced(list);
}

/// A component of a circuit. Each of its pins leads through a resistor to a source or to the ground
/// in turn; its flanges move inertias, and its inputs are those of the FMU.
fn circuit(m: &mut Assembly, class: &Class) -> Result<(), coupler::Error> {
    use electrical::{ConstantVoltage, Ground, Resistor};
    let declaration = class.declaration;
    let required = declaration.parameters.iter();
    let required = required.filter(|p| p.default == coupler::declaration::Default::Required);
    let value = |p: &Parameter| match (p.name, p.kind) {
        (_, "[Real]") => Value::List(vec![Value::from(0.5), Value::from(0.25)]),
        // The coupling inductance of a transformer is less than the others.
        ("M", _) => Value::from(1.0),
        ("cellData.Qnom", _) => Value::from(1e5),
        _ => Value::from(2.0),
    };
    let mut values: Vec<_> = required.map(|p| (p.name, value(p))).collect();
    if declaration.parameters.iter().any(|p| p.name == "limIntegrator.y") {
        values.push(("limIntegrator.y", Value::Start(fixed(0.5))));
    }
    let part = m.add_by_name(class, "part", values)?;
    let source = m.add("source", ConstantVoltage::new().V(10));
    let ground = m.add("ground", Ground::new());
    m.connect(source.n, ground.p);
    let ends = [AnyPort::Pin(source.p), AnyPort::Pin(ground.p)];
    for (k, port) in declaration.ports.iter().enumerate() {
        if port.kind.starts_with('[') {
            for element in 1..=3 {
                let input = external(m, &format!("input_{k}_{element}"), port.unit);
                let own = part.port(&format!("{}[{element}]", port.name));
                m.connect_by_name(AnyPort::Quantity(input), own.expect("it is declared"))?;
            }
            continue;
        }
        let own = part.port(port.name).expect("it is declared");
        match port.kind {
            "Pin" => {
                let resistor = m.add(format!("r_{k}"), Resistor::new().R(1.0 + k as f64));
                m.connect_by_name(own, AnyPort::Pin(resistor.p))?;
                let end = match port.name {
                    "VMax" | "s_p" => 0,
                    "VMin" | "s_n" => 1,
                    _ => k % 2,
                };
                m.connect_by_name(AnyPort::Pin(resistor.n), ends[end])?;
            }
            "Flange" if port.name == "flange" => {
                let rotor = rotational::Inertia::new().J(1).phi(fixed(0)).w(fixed(0));
                let rotor = m.add("rotor", rotor);
                m.connect_by_name(own, AnyPort::Flange(rotor.flange_a))?;
            }
            "TranslationalFlange" if port.name == "flange" => {
                let mass = translational::Mass::new().m(1).s(fixed(0)).v(fixed(0));
                let mass = m.add("mass", mass);
                m.connect_by_name(own, AnyPort::TranslationalFlange(mass.flange_a))?;
            }
            "Input" => {
                let input = external(m, &format!("input_{k}"), port.unit);
                m.connect_by_name(AnyPort::Quantity(input), own)?;
            }
            kind if kind.ends_with("Input") => {
                let input = source_of(m, &format!("input_{k}"), (kind, port.unit));
                m.connect_by_name(AnyPort::Quantity(input), own)?;
            }
            _ => {}
        }
    }
    // An amplifier has a feedback from its output to its negative input.
    let inputs = [("in_n", "out"), ("n1", "p2")];
    let is_amplifier = declaration.name.contains("OpAmp");
    for (input, output) in inputs.into_iter().filter(|_| is_amplifier) {
        if let (Some(input), Some(output)) = (part.port(input), part.port(output)) {
            let back = m.add("back", Resistor::new().R(5));
            m.connect_by_name(input, AnyPort::Pin(back.p))?;
            m.connect_by_name(output, AnyPort::Pin(back.n))?;
        }
    }
    Ok(())
}

fn circuits(list: &mut List) {
    let names = ["electrical", "machines", "batteries", "power_converters"];
    let libraries = coupler::libraries::LIBRARIES.iter();
    for library in libraries.filter(|library| names.contains(&library.name)) {
        for class in library.components {
            list.add(class.path(), |m| circuit(m, class).expect("its pins are connected"));
        }
    }
}
