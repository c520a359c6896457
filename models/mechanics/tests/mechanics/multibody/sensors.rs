//! Sensors of 3-D motion: derivatives along a motion, one vector in several axes, angles, and no
//! influence on the measured motion.

use crate::common::{along, derivatives, run_to, set_states, simulation, start, step, value};
use equations::Ex;
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational as rot;
use mechanics::orientation::{Sequence, axes_angular_velocity, axes_rotations};

/// Frames of a mechanism: the tips of two arms, and the middle of the first one.
struct Arms {
    a: Frame,
    b: Frame,
    middle: Frame,
}

/// Two arms without symmetry that start in motion.
fn arms(m: &mut Assembly) -> Arms {
    let world = m.add("ground", World::new());
    let mut arm = |name: &str, n_1: [f64; 3], n_2: [f64; 3], speed: f64| {
        let first = Revolute::new().n(n_1).phi(fixed(0.4)).w(fixed(speed));
        let first = m.add(format!("{name}1"), first);
        let link = BodyShape::new().r([0.5, 0.2, -0.1]).r_cm([0.2, 0.1, 0.0]).m(2.0);
        let link = m.add(format!("{name}2"), link.inertia([0.2, 0.3, 0.4]));
        let second = Revolute::new().n(n_2).phi(fixed(-0.7)).w(fixed(1.5));
        let second = m.add(format!("{name}3"), second);
        let slide = Prismatic::new().n([0.3, 1.0, 0.1]).s(fixed(0.2)).v(fixed(0.6));
        let slide = m.add(format!("{name}4"), slide);
        let tip = BodyShape::new().r([0.3, -0.4, 0.2]).r_cm([0.1, -0.2, 0.1]).m(1.0);
        let tip = m.add(format!("{name}5"), tip.inertia([0.1, 0.05, 0.08]));
        m.connect(world.frame_b, first.frame_a);
        m.connect(first.frame_b, link.frame_a);
        m.connect(link.frame_b, second.frame_a);
        m.connect(second.frame_b, slide.frame_a);
        m.connect(slide.frame_b, tip.frame_a);
        (link.frame_b, tip.frame_b)
    };
    let (middle, a) = arm("a", [0.2, 0.1, 1.0], [1.0, -0.3, 0.2], 2.0);
    let (_, b) = arm("b", [0.1, 1.0, 0.4], [0.5, 0.2, 1.0], -3.0);
    Arms { a, b, middle }
}

/// All choices of axes for two frames, and how tests call them.
const AXES: [(&str, ResolveInFrameAB); 4] = [
    ("world", ResolveInFrameAB::World),
    ("a", ResolveInFrameAB::FrameA),
    ("b", ResolveInFrameAB::FrameB),
    ("middle", ResolveInFrameAB::FrameResolve),
];

/// All choices of axes for one frame.
const AXES_OF_ONE: [(&str, ResolveInFrameA); 3] = [
    ("world", ResolveInFrameA::World),
    ("a", ResolveInFrameA::FrameA),
    ("middle", ResolveInFrameA::FrameResolve),
];

/// Adds sensors of the orientations of all frames.
fn orientations(m: &mut Assembly, arms: &Arms) {
    for (name, frame) in [("a", arms.a), ("b", arms.b), ("middle", arms.middle)] {
        let sensor = m.add(format!("angles_{name}"), AbsoluteAngles::new());
        m.connect(sensor.frame_a, frame);
    }
}

/// A sensor of everything about the tip of the first arm, in each choice of axes.
fn absolute(m: &mut Assembly) {
    let arms = arms(m);
    orientations(m, &arms);
    for (name, resolve) in AXES_OF_ONE {
        let sensor = AbsoluteSensor::new().resolve_in_frame(resolve);
        let sensor = sensor.get_r(true).get_v(true).get_a(true);
        let sensor = m.add(name, sensor.get_angles(true).get_w(true).get_z(true));
        m.connect(sensor.frame_a, arms.a);
        if resolve == ResolveInFrameA::FrameResolve {
            m.connect(sensor.frame_resolve, arms.middle);
        }
    }
}

/// A sensor of everything about the second tip against the first one, in each choice of axes.
fn relative(m: &mut Assembly) {
    let arms = arms(m);
    orientations(m, &arms);
    for (name, resolve) in AXES {
        let sensor = RelativeSensor::new().resolve_in_frame(resolve);
        let sensor = sensor.get_r_rel(true).get_v_rel(true).get_a_rel(true);
        let sensor = m.add(name, sensor.get_angles(true).get_w_rel(true).get_z_rel(true));
        m.connect(sensor.frame_a, arms.a);
        m.connect(sensor.frame_b, arms.b);
        if resolve == ResolveInFrameAB::FrameResolve {
            m.connect(sensor.frame_resolve, arms.middle);
        }
    }
}

fn vector(model: &mut Simulation, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|i| value(model, &format!("{name}[{i}]")))
}

/// The derivative of a vector along the motion, of fourth order.
fn rate(model: &mut Simulation, name: &str) -> [f64; 3] {
    let h = 2e-4;
    let at = along(model, &[h, -h, 2.0 * h, -2.0 * h], |model| vector(model, name));
    [0, 1, 2].map(|i| (8.0 * (at[0][i] - at[1][i]) - (at[2][i] - at[3][i])) / (12.0 * h))
}

/// The rotation from the world into a frame whose angles are measured.
fn rotation(model: &mut Simulation, name: &str) -> [[f64; 3]; 3] {
    if name == "world" {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    rotation_of(model, &format!("angles_{name}.angles"))
}

/// The rotation by measured angles.
fn rotation_of(model: &mut Simulation, angles: &str) -> [[f64; 3]; 3] {
    let angles = vector(model, angles).map(Ex::from);
    let t = axes_rotations(Sequence::XYZ, &angles);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| t[(i, j)].constant_value().unwrap()))
}

fn turn(t: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    t.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn turn_back(t: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|j| t[0][j] * v[0] + t[1][j] * v[1] + t[2][j] * v[2])
}

#[track_caller]
fn assert_close(have: [f64; 3], want: [f64; 3], tolerance: f64, what: &str) {
    let size = want.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for i in 0..3 {
        let gap = (have[i] - want[i]).abs();
        assert!(gap <= tolerance * size, "{what}: {have:?} is not {want:?}");
    }
}

/// A model after a while, so that nothing is at its start value.
fn later(text: impl FnOnce(&mut Assembly)) -> Simulation {
    let mut model = start(text);
    step(&mut model, 0.1);
    model
}

#[test]
fn absolute_motion_is_differentiated_in_the_world() {
    let mut model = later(absolute);
    for (value, derivative) in [("r", "v"), ("v", "a"), ("w", "z")] {
        let numeric = rate(&mut model, &format!("world.{value}"));
        let have = vector(&mut model, &format!("world.{derivative}"));
        assert_close(have, numeric, 1e-9, derivative);
    }
}

#[test]
fn absolute_vectors_are_the_same_in_all_axes() {
    let mut model = later(absolute);
    for (axes, _) in AXES_OF_ONE {
        let t = rotation(&mut model, axes);
        for local in ["r", "v", "a", "w", "z"] {
            let in_world = vector(&mut model, &format!("world.{local}"));
            let have = vector(&mut model, &format!("{axes}.{local}"));
            assert_close(have, turn(t, in_world), 1e-13, &format!("{axes}.{local}"));
        }
    }
    // The body at that frame shows its motion too.
    let (r, w) = (vector(&mut model, "a5.frame_b.r_0"), vector(&mut model, "a5.body.w_a"));
    assert_close(vector(&mut model, "world.r"), r, 1e-14, "r");
    assert_close(vector(&mut model, "a.w"), w, 1e-13, "w");
    let z = vector(&mut model, "a5.body.z_a");
    assert_close(vector(&mut model, "a.z"), z, 1e-13, "z");
}

#[test]
fn angles_turn_with_the_angular_velocity() {
    for axes in [[1, 2, 3], [3, 1, 3], [2, 3, 1]] {
        let mut model = later(|m| {
            let arms = arms(m);
            let sensor = AbsoluteSensor::new().get_w(true).get_angles(true).sequence(axes);
            let sensor = m.add("absolute", sensor.guess_angle1(0.2));
            m.connect(sensor.frame_a, arms.a);
            let sensor = RelativeSensor::new().get_w_rel(true).get_angles(true).sequence(axes);
            let sensor = sensor.resolve_in_frame(ResolveInFrameAB::FrameB).guess_angle1(0.2);
            let sensor = m.add("relative", sensor);
            m.connect(sensor.frame_a, arms.a);
            m.connect(sensor.frame_b, arms.b);
        });
        let sequence = Sequence::new(axes).unwrap();
        for (sensor, w) in [("absolute", "w"), ("relative", "w_rel")] {
            let name = format!("{sensor}.angles");
            let phi = vector(&mut model, &name).map(Ex::from);
            let dphi = rate(&mut model, &name).map(Ex::from);
            let turned = axes_angular_velocity(sequence, &phi, &dphi);
            let turned = [0, 1, 2].map(|i| turned[i].constant_value().unwrap());
            let have = vector(&mut model, &format!("{sensor}.{w}"));
            assert_close(have, turned, 1e-9, &format!("{sensor} {axes:?}"));
        }
    }
}

#[test]
fn the_angle_of_one_joint_is_its_coordinate() {
    let mut model = later(|m| {
        let world = m.add("world", World::new());
        let joint = m.add("joint", Revolute::new().n(Y).phi(fixed(0.5)).w(fixed(1.0)));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.3, 0.0, 0.1]));
        let sensor = m.add("sensor", RelativeAngles::new());
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        m.connect(sensor.frame_a, joint.frame_a);
        m.connect(sensor.frame_b, body.frame_a);
    });
    let phi = value(&mut model, "joint.phi");
    assert_close(vector(&mut model, "sensor.angles"), [0.0, phi, 0.0], 1e-15, "angles");
}

#[test]
fn a_point_on_a_wheel_accelerates_towards_its_centre() {
    let (radius, w) = (0.7, 3.0);
    let mut model = later(|m| {
        let world = m.add("world", World::new().g(0.0));
        let joint = m.add("joint", Revolute::new().phi(fixed(0.0)).w(fixed(w)));
        let wheel = m.add("wheel", Body::new().m(1.0).r_cm([0.0; 3]));
        let spoke = m.add("spoke", FixedTranslation::new().r([radius, 0.0, 0.0]));
        let sensor = AbsoluteSensor::new().get_v(true).get_a(true).get_w(true).get_z(true);
        let sensor = m.add("sensor", sensor);
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, wheel.frame_a);
        m.connect(joint.frame_b, spoke.frame_a);
        m.connect(spoke.frame_b, sensor.frame_a);
    });
    assert_close(vector(&mut model, "sensor.v"), [0.0, radius * w, 0.0], 1e-14, "v");
    assert_close(vector(&mut model, "sensor.a"), [-radius * w * w, 0.0, 0.0], 1e-14, "a");
    assert_close(vector(&mut model, "sensor.w"), [0.0, 0.0, w], 1e-14, "w");
    assert_close(vector(&mut model, "sensor.z"), [0.0; 3], 1e-14, "z");
}

#[test]
fn relative_motion_is_that_of_coordinates() {
    let mut model = later(relative);
    for (axes, _) in AXES {
        for (value, derivative) in [("r_rel", "v_rel"), ("v_rel", "a_rel"), ("w_rel", "z_rel")] {
            let numeric = rate(&mut model, &format!("{axes}.{value}"));
            let have = vector(&mut model, &format!("{axes}.{derivative}"));
            assert_close(have, numeric, 1e-9, &format!("{axes}.{derivative}"));
        }
    }
}

#[test]
fn relative_vectors_are_the_same_in_all_axes() {
    let mut model = later(relative);
    let (a, b) = (vector(&mut model, "a5.frame_b.r_0"), vector(&mut model, "b5.frame_b.r_0"));
    let difference = [0, 1, 2].map(|i| b[i] - a[i]);
    let (t_a, t_b) = (rotation(&mut model, "a"), rotation(&mut model, "b"));
    let (w_a, w_b) = (vector(&mut model, "a5.body.w_a"), vector(&mut model, "b5.body.w_a"));
    let (w_a, w_b) = (turn_back(t_a, w_a), turn_back(t_b, w_b));
    let faster = [0, 1, 2].map(|i| w_b[i] - w_a[i]);
    for (axes, _) in AXES {
        let t = rotation(&mut model, axes);
        for (local, in_world) in [("r_rel", difference), ("w_rel", faster)] {
            let have = vector(&mut model, &format!("{axes}.{local}"));
            assert_close(have, turn(t, in_world), 1e-13, &format!("{axes}.{local}"));
        }
    }
}

/// Sensors of one quantity beside complete ones, on the same frames and in the same axes.
fn singles(m: &mut Assembly) {
    let arms = arms(m);
    for (name, resolve) in AXES_OF_ONE {
        let all = AbsoluteSensor::new().resolve_in_frame(resolve);
        let all = all.get_r(true).get_v(true).get_angles(true).get_w(true);
        let all = m.add(format!("{name}.all"), all);
        let r = AbsolutePosition::new().resolve_in_frame(resolve);
        let r = m.add(format!("{name}.position"), r);
        let v = AbsoluteVelocity::new().resolve_in_frame(resolve);
        let v = m.add(format!("{name}.velocity"), v);
        let w = AbsoluteAngularVelocity::new().resolve_in_frame(resolve);
        let w = m.add(format!("{name}.angular"), w);
        let angles = m.add(format!("{name}.turn"), AbsoluteAngles::new());
        for frame in [all.frame_a, r.frame_a, v.frame_a, w.frame_a, angles.frame_a] {
            m.connect(arms.a, frame);
        }
        if resolve == ResolveInFrameA::FrameResolve {
            for frame in [all.frame_resolve, r.frame_resolve, v.frame_resolve, w.frame_resolve] {
                m.connect(arms.middle, frame);
            }
        }
    }
    for (name, resolve) in AXES {
        // The velocity is that of the coordinates in frame_a, whatever axes show it.
        let velocity = RelativeSensor::new().get_v_rel(true);
        let velocity = velocity.resolve_in_frame_after_differentiation(resolve);
        let velocity = m.add(format!("{name}_rel.after"), velocity);
        let all = RelativeSensor::new().resolve_in_frame(resolve);
        let all =
            m.add(format!("{name}_rel.all"), all.get_r_rel(true).get_angles(true).get_w_rel(true));
        let r = RelativePosition::new().resolve_in_frame(resolve);
        let r = m.add(format!("{name}_rel.position"), r);
        let v = RelativeVelocity::new().resolve_in_frame(resolve);
        let v = m.add(format!("{name}_rel.velocity"), v);
        let w = RelativeAngularVelocity::new().resolve_in_frame(resolve);
        let w = m.add(format!("{name}_rel.angular"), w);
        let angles = m.add(format!("{name}_rel.turn"), RelativeAngles::new());
        for (a, b) in [
            (velocity.frame_a, velocity.frame_b),
            (all.frame_a, all.frame_b),
            (r.frame_a, r.frame_b),
            (v.frame_a, v.frame_b),
            (w.frame_a, w.frame_b),
            (angles.frame_a, angles.frame_b),
        ] {
            m.connect(arms.a, a);
            m.connect(arms.b, b);
        }
        if resolve == ResolveInFrameAB::FrameResolve {
            let frames = [velocity.frame_resolve, all.frame_resolve, r.frame_resolve];
            for frame in frames.into_iter().chain([v.frame_resolve, w.frame_resolve]) {
                m.connect(arms.middle, frame);
            }
        }
    }
}

#[test]
fn a_sensor_of_one_quantity_shows_what_a_complete_one_shows() {
    let mut model = later(singles);
    let mut pairs = Vec::new();
    for (axes, _) in AXES_OF_ONE {
        for (one, local) in
            [("position", "r"), ("velocity", "v"), ("angular", "w"), ("turn", "angles")]
        {
            pairs.push((format!("{axes}.{one}.{local}"), format!("{axes}.all.{local}")));
        }
    }
    for (axes, _) in AXES {
        for (one, local) in [("position", "r_rel"), ("angular", "w_rel"), ("turn", "angles")] {
            pairs.push((format!("{axes}_rel.{one}.{local}"), format!("{axes}_rel.all.{local}")));
        }
        let (one, all) = (format!("{axes}_rel.velocity.v_rel"), format!("{axes}_rel.after.v_rel"));
        pairs.push((one, all));
    }
    for (one, all) in pairs {
        assert_eq!(vector(&mut model, &one), vector(&mut model, &all), "{one}");
    }
    let in_a = rate(&mut model, "a_rel.position.r_rel");
    assert_close(vector(&mut model, "a_rel.velocity.v_rel"), in_a, 1e-9, "v_rel");
    let t =
        [rotation_of(&mut model, "a.turn.angles"), rotation_of(&mut model, "b_rel.turn.angles")];
    let in_world = vector(&mut model, "world_rel.velocity.v_rel");
    assert_close(turn(t[0], in_world), in_a, 1e-9, "in the world");
    let in_b = vector(&mut model, "b_rel.velocity.v_rel");
    assert_close(turn(t[1], in_a), in_b, 1e-9, "in frame_b");
}

#[test]
fn a_vector_is_turned_from_one_frame_into_another() {
    let mut model = later(|m| {
        let arms = arms(m);
        let source = AbsoluteVelocity::new().resolve_in_frame(ResolveInFrameA::FrameResolve);
        let source = m.add("source", source);
        m.connect(source.frame_a, arms.a);
        m.connect(source.frame_resolve, arms.middle);
        for (name, resolve) in AXES_OF_ONE {
            let wanted = AbsoluteVelocity::new().resolve_in_frame(resolve);
            let wanted = m.add(format!("{name}.wanted"), wanted);
            let turned = TransformAbsoluteVector::new().frame_r_out(resolve);
            let turned = turned.frame_r_in(ResolveInFrameA::FrameResolve);
            let turned = m.add(format!("{name}.turned"), turned);
            for frame in [wanted.frame_a, turned.frame_a] {
                m.connect(arms.a, frame);
            }
            m.connect(turned.frame_resolve, arms.middle);
            if resolve == ResolveInFrameA::FrameResolve {
                m.connect(wanted.frame_resolve, arms.middle);
            }
            m.connect(turned.r_in, source.v);
        }
        let source = RelativePosition::new().resolve_in_frame(ResolveInFrameAB::FrameB);
        let source = m.add("source_rel", source);
        m.connect(source.frame_a, arms.a);
        m.connect(source.frame_b, arms.b);
        for (name, resolve) in AXES {
            let wanted = RelativePosition::new().resolve_in_frame(resolve);
            let wanted = m.add(format!("{name}_rel.wanted"), wanted);
            let turned = TransformRelativeVector::new().frame_r_out(resolve);
            let turned = turned.frame_r_in(ResolveInFrameAB::FrameB);
            let turned = m.add(format!("{name}_rel.turned"), turned);
            for (a, b) in [(wanted.frame_a, wanted.frame_b), (turned.frame_a, turned.frame_b)] {
                m.connect(arms.a, a);
                m.connect(arms.b, b);
            }
            if resolve == ResolveInFrameAB::FrameResolve {
                m.connect(wanted.frame_resolve, arms.middle);
                m.connect(turned.frame_resolve, arms.middle);
            }
            m.connect(turned.r_in, source.r_rel);
        }
    });
    let absolute = AXES_OF_ONE.map(|(axes, _)| (axes.to_owned(), "v")).into_iter();
    let relative = AXES.map(|(axes, _)| (format!("{axes}_rel"), "r_rel"));
    for (axes, local) in absolute.chain(relative) {
        let wanted = vector(&mut model, &format!("{axes}.wanted.{local}"));
        let turned = vector(&mut model, &format!("{axes}.turned.r_out"));
        assert_close(turned, wanted, 1e-13, &axes);
    }
}

#[test]
fn a_distance_is_smooth_where_the_frames_meet() {
    let mut model = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let joint =
            m.add("joint", Prismatic::new().n([0.6, 0.8, 0.0]).s(fixed(-2.0)).v(fixed(1.0)));
        let body = m.add("body", Body::new().m(1.0).r_cm([0.0; 3]));
        let near = m.add("near", Distance::new().s_small(0.5));
        let far = m.add("far", Distance::new());
        m.connect(world.frame_b, joint.frame_a);
        m.connect(joint.frame_b, body.frame_a);
        for (a, b) in [(near.frame_a, near.frame_b), (far.frame_a, far.frame_b)] {
            m.connect(a, world.frame_b);
            m.connect(b, body.frame_a);
        }
    });
    let mut at = |s: f64, name: &str| {
        set_states(&mut model, &[s, 1.0]);
        value(&mut model, name)
    };
    for s in [-2.0, -0.5, 1e-9, 0.3, 2.0] {
        assert!((at(s, "far.distance") - f64::abs(s)).abs() <= 1e-15 * s.abs(), "at {s}");
    }
    assert_eq!(at(0.0, "far.distance"), 0.0);
    assert!((at(0.5 + 1e-13, "near.distance") - 0.5).abs() < 1e-12);
    assert!((at(0.5 - 1e-13, "near.distance") - 0.5).abs() < 1e-12);
    let h = 1e-6;
    for (s, slope) in [(0.5 + 2.0 * h, 1.0), (0.5 - 2.0 * h, 1.0), (0.0, 0.0)] {
        let have = (at(s + h, "near.distance") - at(s - h, "near.distance")) / (2.0 * h);
        assert!((have - slope).abs() < 2e-5, "the slope at {s} is {have}");
    }
}

#[test]
fn sensors_have_no_influence() {
    let mut plain = later(|m| {
        arms(m);
    });
    for mut measured in [later(absolute), later(relative), later(singles)] {
        assert_eq!(plain.continuous_states(), measured.continuous_states());
        assert_eq!(derivatives(&mut plain), derivatives(&mut measured));
    }
}

#[test]
fn a_measured_acceleration_may_drive_the_parts_before_its_sensor() {
    let text = |first: bool| {
        move |m: &mut Assembly| {
            let world = m.add("world", World::new());
            let joint = m.add("joint", Prismatic::new().n(X).s(fixed(0.3)).v(fixed(0.0)));
            let body = m.add("body", Body::new().m(2.0).r_cm([0.0; 3]));
            let sensor =
                |m: &mut Assembly| m.add("sensor", AbsoluteSensor::new().get_a(true).get_r(true));
            let before = first.then(|| sensor(m));
            let [mass, spring] = [("mass", -3.0), ("spring", -40.0)]
                .map(|(name, k)| m.add(name, Gain::new().k(k).unit("N")));
            let sum = m.add("sum", Add::new());
            let none = m.add("none", Constant::new().k(0.0));
            let force = m.add("force", WorldForce::new());
            let sensor = before.unwrap_or_else(|| sensor(m));
            m.connect(world.frame_b, joint.frame_a);
            m.connect(joint.frame_b, body.frame_a);
            m.connect(joint.frame_b, force.frame_b);
            m.connect(joint.frame_b, sensor.frame_a);
            m.connect(sensor.a[0], mass.u);
            m.connect(sensor.r[0], spring.u);
            m.connect(mass.y, sum.u1);
            m.connect(spring.y, sum.u2);
            m.connect(force.force[0], sum.y);
            m.connect(force.force[1], none.y);
            m.connect(force.force[2], none.y);
        }
    };
    for first in [true, false] {
        let mut model = start(text(first));
        // A force of -3 kg times the acceleration is as good as a mass of 3 kg.
        let a = value(&mut model, "sensor.a[1]");
        assert!((a + 40.0 * 0.3 / 5.0).abs() < 1e-14, "{a}");
        assert_eq!(a, value(&mut model, "joint.a"));
    }
}

#[test]
fn wrong_sensors_are_named() {
    let refusal = |text: &dyn Fn(&mut Assembly, &Arms)| {
        let model = simulation(|m| {
            let arms = arms(m);
            text(m, &arms);
        });
        model.expect_err("the model is wrong")
    };
    let message = refusal(&|m, arms| {
        let resolve = ResolveInFrameA::FrameResolve;
        let sensor = m.add("s", AbsolutePosition::new().resolve_in_frame(resolve));
        m.connect(sensor.frame_a, arms.a);
    });
    assert!(message.contains("s.frame_resolve: vectors are resolved in this frame"), "{message}");
    let message = refusal(&|m, arms| {
        let sensor = m.add("s", AbsoluteAngles::new().sequence([1, 1, 3]));
        m.connect(sensor.frame_a, arms.a);
    });
    assert!(message.contains("s.sequence: [1, 1, 3]"), "{message}");
    let message = refusal(&|m, arms| {
        let sensor = m.add("s", Distance::new().s_small(0.0));
        m.connect(sensor.frame_a, arms.a);
        m.connect(sensor.frame_b, arms.b);
    });
    assert!(message.contains("s.s_small = 0 m: must be positive"), "{message}");
    let message = refusal(&|m, arms| {
        let sensor = m.add("s", AbsoluteSensor::new());
        m.connect(sensor.frame_a, arms.a);
        m.output("r", sensor.r[0]);
    });
    assert!(message.contains("s.r[1]"), "{message}");
}

#[test]
fn an_angle_that_a_torque_holds_in_balance_moves_with_the_orientation_that_the_torque_depends_on() {
    // Between the spring and the torque nothing has inertia: c phi = k r.
    let mut model = start(|m| {
        m.add("world", World::new().g(0));
        let body = Body::new().m(1).r_cm([0.0; 3]).inertia([0.1, 0.2, 0.3]);
        let body = m.add("body", body.w_0_start(fixed_vector([0.4, 1.0, -0.7])));
        let tip = m.add("tip", FixedTranslation::new().r([0.3, 0.2, -0.4]));
        let sensor =
            m.add("sensor", AbsolutePosition::new().resolve_in_frame(ResolveInFrameA::World));
        let gain = m.add("gain", Gain::new().k(6).unit("N.m"));
        let torque = m.add("torque", rot::Torque::new());
        let spring = m.add("spring", rot::Spring::new().c(2));
        let ground = m.add("ground", rot::Fixed::new());
        m.chain((body.frame_a, tip, sensor.frame_a));
        m.connect(sensor.r[0], gain.u);
        m.connect(gain.y, torque.tau);
        let speed = m.add("speed", rot::SpeedSensor::new());
        m.chain((ground.flange, spring, torque.flange));
        m.connect(torque.flange, speed.flange);
    });
    let h = 1e-4;
    run_to(&mut model, 0.5);
    let [before, w] = ["spring.phi_rel", "speed.w"].map(|name| value(&mut model, name));
    run_to(&mut model, 0.5 + h);
    let after = value(&mut model, "spring.phi_rel");
    assert!(w.abs() > 0.1 && ((after - before) / h - w).abs() < 1e-3, "{w} {before} {after}");
}
