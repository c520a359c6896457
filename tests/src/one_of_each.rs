//! Small models, each with one component of the libraries and what it needs to be sound.

mod blocks;
mod circuits;
mod heat;
mod list;
mod sampled_blocks;

use coupler::prelude::*;
use coupler::{impulses, multibody, rotational, translational};
use list::{List, external};

pub use list::Small;
pub use sampled_blocks::needs_code;

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
    blocks::sources(&mut list);
    blocks::of_signals(&mut list);
    blocks::others(&mut list);
    circuits::components(&mut list);
    list.models
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
