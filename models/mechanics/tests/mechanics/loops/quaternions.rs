//! Orientations in loops that turn without limits: quaternions describe them, and all coordinates
//! of the loops are states.

use crate::common::linkages::{assert_closed, assert_same, move_freely};
use crate::common::{
    energy, initialize, notes, program, refusal, run_to, set_states, simulation_of, start, value,
    vector,
};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Matrix3, Rotation3, Vector3, Vector4};

/// The mass of the tumbling body in kg, its centre and its moments of inertia there.
const MASS: f64 = 2.0;
const CENTRE: [f64; 3] = [0.1, 0.05, 0.2];
const INERTIA: [f64; 3] = [0.03, 0.05, 0.04];

/// Where the rod is attached to the body, and to the world.
const EYE: [f64; 3] = [0.3, -0.1, 0.1];
const ANCHOR: [f64; 3] = [0.6, 0.3, -0.2];

/// The angular velocity at the start in rad/s.
const SPIN: [f64; 3] = [4.0, 7.0, -5.0];

/// A body on a ball joint, held by a rod between two others. The whole is turned in the world.
#[derive(Clone, Copy)]
struct Tumbler {
    turned: Rotation3<f64>,
}

impl Tumbler {
    fn text(&self, m: &mut Assembly, ball: Spherical) {
        let (axis, angle) = self.turned.axis_angle().unwrap_or((Vector3::x_axis(), 0.0));
        let axis: [f64; 3] = axis.into_inner().into();
        let down: [f64; 3] = (self.turned * Vector3::new(0.0, -1.0, 0.0)).into();
        add! { m,
            world: World::new().n(down).g(9.81),
            base: FixedRotation::new().n(axis).angle(angle.to_degrees()),
            ball: ball,
            body: Body::new().m(MASS).r_cm(CENTRE).inertia(INERTIA),
            eye: FixedTranslation::new().r(EYE),
            anchor: FixedTranslation::new().r(ANCHOR),
            rod: SphericalSpherical::new().compute_rod_length(true),
        }
        m.chain((world.frame_b, base.frame_a));
        m.chain((base.frame_b, ball, body.frame_a));
        m.chain((body.frame_a, eye, rod.frame_b));
        m.chain((base.frame_b, anchor, rod.frame_a));
    }
}

/// The ball joint with the start values.
fn spinning() -> Spherical {
    // Parts of the spin that the rod allows.
    Spherical::new().angles_start(fixed_vector([0.0; 3])).w_rel_a_start(guess_vector(SPIN))
}

/// The rotation matrix and the angular velocity of the tumbling body, in the world.
#[derive(Clone, Copy)]
struct Motion {
    r: Matrix3<f64>,
    w: Vector3<f64>,
}

impl Motion {
    /// The derivatives: the torques of the weight and of the rod about the ball joint act on the
    /// body, and the length of the rod is constant.
    fn rate(&self) -> Motion {
        let Motion { r, w } = *self;
        let [c, eye] = [CENTRE, EYE].map(|v| r * Vector3::from(v));
        let own = Vector3::from(CENTRE);
        let about = Matrix3::from_diagonal(&INERTIA.into())
            + (Matrix3::identity() * own.norm_squared() - own * own.transpose()) * MASS;
        let about = r * about * r.transpose();
        let along = eye - Vector3::from(ANCHOR);
        let arm = eye.cross(&along);
        let free = c.cross(&Vector3::new(0.0, -9.81 * MASS, 0.0)) - w.cross(&(about * w));
        let inverse = about.try_inverse().expect("a body has inertia");
        let v = w.cross(&eye);
        // The second derivative of half the square of the length, without that of the speed.
        let rest = v.norm_squared() + along.dot(&w.cross(&v));
        let force = -(rest + arm.dot(&(inverse * free))) / arm.dot(&(inverse * arm));
        Motion { r: w.cross_matrix() * r, w: inverse * (free + arm * force) }
    }

    fn moved(&self, rate: &Motion, h: f64) -> Motion {
        Motion { r: self.r + rate.r * h, w: self.w + rate.w * h }
    }

    /// The motion after a time, by the classical method of fourth order.
    fn after(mut self, seconds: f64) -> Motion {
        let h = 2e-5;
        for _ in 0..(seconds / h).round() as usize {
            let k1 = self.rate();
            let k2 = self.moved(&k1, h / 2.0).rate();
            let k3 = self.moved(&k2, h / 2.0).rate();
            let k4 = self.moved(&k3, h).rate();
            for (k, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                self = self.moved(&k, h * weight / 6.0);
            }
        }
        self
    }
}

fn assert_near(found: Vector3<f64>, wanted: Vector3<f64>, tolerance: f64) {
    let error = (found - wanted).amax();
    assert!(error < tolerance, "{found:?} is not {wanted:?}, but {error:e} away");
}

#[test]
fn a_body_on_a_ball_joint_and_a_rod_tumbles_as_its_equations_say() {
    let turns = [Vector3::zeros(), Vector3::new(0.4, 1.3, -0.8)].map(Rotation3::new);
    for tumbler in turns.map(|turned| Tumbler { turned }) {
        let program = program(|m| tumbler.text(m, spinning())).expect("the model is sound");
        let quaternion =
            |note: &&String| note.starts_with("ball: ") && note.contains("a quaternion");
        assert_eq!(program.notes().iter().filter(quaternion).count(), 1, "{:?}", program.notes());
        let mut model: Simulation = simulation_of(&program);
        initialize(&mut model);
        // Four components of the quaternion, and three speeds.
        assert_eq!(model.continuous_states().len(), 7);
        let w = vector(&mut model, "ball.w_rel");
        let mut motion = Motion { r: Matrix3::identity(), w };
        let first = energy(&mut model);
        for t in [0.5, 1.0, 1.5, 2.0] {
            run_to(&mut model, t);
            motion = motion.after(0.5);
            assert_closed(&mut model);
            let drift = energy(&mut model) - first;
            assert!(drift.abs() < 1e-7, "t={t}: {drift:e} J");
            let eye = vector(&mut model, "eye.frame_b.r_0");
            assert_near(tumbler.turned * motion.r * Vector3::from(EYE), eye, 1e-7);
            let w = vector(&mut model, "ball.w_rel");
            assert_near(motion.r.transpose() * motion.w, w, 1e-6);
        }
    }
}

/// The body whose orientation at the start is fixed, although a rod of this length restricts it.
fn fixed_orientation(m: &mut Assembly, length: f64) {
    let ball = Spherical::new().angles_start(fixed_vector([0.0; 3]));
    add! { m,
        world: World::new(),
        ball: ball,
        body: Body::new().m(MASS).r_cm(CENTRE).inertia(INERTIA),
        eye: FixedTranslation::new().r(EYE),
        anchor: FixedTranslation::new().r(ANCHOR),
        rod: SphericalSpherical::new().rod_length(length),
    }
    m.chain((world.frame_b, ball, body.frame_a));
    m.chain((body.frame_a, eye, rod.frame_b));
    m.chain((world.frame_b, anchor, rod.frame_a));
}

#[test]
fn the_build_refuses_to_fix_the_orientation_that_a_rod_determines() {
    let message = refusal(|m| fixed_orientation(m, 0.7));
    assert!(message.contains("contradict each other"), "{message}");
    let length = (Vector3::from(EYE) - Vector3::from(ANCHOR)).norm();
    let message = refusal(|m| fixed_orientation(m, length));
    let sentence = "its fixed start value is one too many: the loop closed by rod already";
    assert!(message.starts_with("ball.Q (turn about ") && message.contains(sentence), "{message}");
}

/// A plate on three rods that are not parallel, so that it can turn about every axis.
fn plate(m: &mut Assembly) {
    plate_on(m, |_, world| world);
}

/// The plate, one rod of which begins on a part that may move.
fn plate_on(m: &mut Assembly, part: impl FnOnce(&mut Assembly, Frame) -> Frame) {
    let world = m.add("world", World::new().g(0));
    let part = part(m, world.frame_b);
    let plate = Body::new().m(2).r_cm([0.05, 0.02, 0.0]).inertia([0.03, 0.04, 0.05]);
    let plate = plate.r_0(guess_vector([0.0, 0.0, -0.8])).w_0_start(guess_vector([2.0, -3.0, 1.0]));
    let plate = m.add("plate", plate);
    for (k, [x, y]) in [[0.4, 0.0], [-0.3, 0.3], [-0.2, -0.4]].into_iter().enumerate() {
        let foot = FixedTranslation::new().r([2.0 * x - y, 2.0 * y + x, 0.0]);
        let foot = m.add(format!("foot{k}"), foot);
        let corner = m.add(format!("corner{k}"), FixedTranslation::new().r([x, y, 0.1]));
        let rod = m.add(format!("rod{k}"), SphericalSpherical::new().rod_length(1));
        m.connect(if k == 0 { part } else { world.frame_b }, foot.frame_a);
        m.connect(plate.frame_a, corner.frame_a);
        m.connect(foot.frame_b, rod.frame_a);
        m.connect(rod.frame_b, corner.frame_b);
    }
}

#[test]
fn a_plate_on_three_rods_moves_alike_in_long_and_short_steps() {
    let mut one = start(plate);
    let mut other = start(plate);
    // Position and quaternion, and six speeds.
    assert_eq!(one.continuous_states().len(), 13);
    assert!(value(&mut one, "energy.kinetic") > 0.01, "it moves");
    move_freely(&mut one, 3.0, 0.1, |_| ());
    for k in 1..300 {
        run_to(&mut other, 0.01 * f64::from(k));
    }
    let end = one.time();
    run_to(&mut other, end);
    let names = ["plate.r_0[1]", "plate.r_0[2]", "plate.r_0[3]", "plate.w_a[2]"];
    assert_same(&mut one, &mut other, &names, 1e-12);
}

/// The quaternion of the ball joint, whose length is one.
fn quaternion(model: &mut Simulation) -> Vector4<f64> {
    Vector4::from_fn(|k, _| value(model, &format!("ball.Q[{}]", k + 1)))
}

#[test]
fn the_length_of_a_quaternion_and_what_a_state_is_off_its_projection_decay() {
    let mut model = start(|m| Tumbler { turned: Rotation3::identity() }.text(m, spinning()));
    let mut away = model.continuous_states().to_vec();
    let before = vector(&mut model, "eye.frame_b.r_0");
    away.iter_mut().take(7).for_each(|x| *x *= 1.001);
    set_states(&mut model, &away);
    // The orientation is that of a quaternion of any length; the loop remains closed.
    assert_closed(&mut model);
    assert_near(vector(&mut model, "eye.frame_b.r_0"), before, 1e-12);
    let off = |model: &mut Simulation| (quaternion(model).norm() - 1.0).abs();
    assert!(off(&mut model) > 9e-4);
    run_to(&mut model, 3.0);
    assert!(off(&mut model) < 1e-8, "{:e}", off(&mut model));
}

#[test]
fn the_build_notes_angles_whose_singular_positions_cannot_be_avoided() {
    // A coordinate that must be a state keeps the loop from being free.
    let text = |m: &mut Assembly| {
        plate_on(m, |m, world| {
            let slide = m.add("slide", Prismatic::new().n(X).s(fixed(0)).states(Always));
            let carrier = m.add("carrier", Body::new().m(1).r_cm([0.0; 3]));
            m.connect(world, slide.frame_a);
            m.connect(slide.frame_b, carrier.frame_a);
            slide.frame_b
        })
    };
    let described = |note: &&String| note.contains("three angles describe");
    let notes = notes(text);
    let all: Vec<&String> = notes.iter().filter(described).collect();
    let [note] = all[..] else { panic!("{notes:?}") };
    assert!(note.starts_with("plate: ") && note.ends_with("whatever the axes"), "{note}");
}
