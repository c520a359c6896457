//! Bodies with six degrees of freedom, three translations and three rotations, and their momentum.

use super::{Random, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use nalgebra::{Matrix3, Vector3};

/// Mass of a floating body in kg.
pub const MASS: f64 = 1.7;
const R_CM: [f64; 3] = [0.1, -0.2, 0.15];
const INERTIA: [f64; 3] = [0.3, 0.5, 0.4];
const PRODUCTS: [f64; 3] = [0.05, 0.02, -0.03];
/// The point at which forces act, seen from its frame.
const POINT: [f64; 3] = [0.4, 0.3, -0.2];

/// A floating body with a random position and motion; returns the frame at which forces act.
pub fn floating(m: &mut Assembly, name: &str, base: Frame, random: &mut Random) -> Frame {
    turned(m, name, base, 1.0, random)
}

/// A floating body with a random motion, whose axes are those of the world.
pub fn unturned(m: &mut Assembly, name: &str, base: Frame, random: &mut Random) -> Frame {
    turned(m, name, base, 0.0, random)
}

/// A floating body whose angles are random up to `turn` in rad.
fn turned(m: &mut Assembly, name: &str, base: Frame, turn: f64, random: &mut Random) -> Frame {
    let mut frame = base;
    for (axis, n) in ["x", "y", "z"].into_iter().zip([X, Y, Z]) {
        let (s, v) = (random.number(), random.number());
        let slide = Prismatic::new().n(n).s(fixed(s)).v(fixed(v));
        let slide = m.add(format!("{name}_{axis}"), slide);
        m.connect(frame, slide.frame_a);
        frame = slide.frame_b;
    }
    for (axis, n) in ["u", "v", "w"].into_iter().zip([X, Y, Z]) {
        let (phi, w) = (turn * random.number(), random.number());
        let turn = Revolute::new().n(n).phi(fixed(phi)).w(fixed(w));
        let turn = m.add(format!("{name}_{axis}"), turn);
        m.connect(frame, turn.frame_a);
        frame = turn.frame_b;
    }
    carried(m, name, frame)
}

/// A body on a frame, with what [`state`] reads; returns the frame at which forces act.
pub fn carried(m: &mut Assembly, name: &str, frame: Frame) -> Frame {
    let body = Body::new().m(MASS).r_cm(R_CM).inertia(INERTIA).products(PRODUCTS);
    let body = m.add(name, body);
    m.connect(frame, body.frame_a);
    for (axis, r) in ["ex", "ey", "ez", "point"].into_iter().zip([X, Y, Z, POINT]) {
        let arm = m.add(format!("{name}_arm_{axis}"), FixedTranslation::new().r(r));
        let probe = m.add(format!("{name}_{axis}"), PointMass::new().m(0.0));
        m.connect(frame, arm.frame_a);
        m.connect(arm.frame_b, probe.frame_a);
        if axis == "point" {
            return arm.frame_b;
        }
    }
    unreachable!("the last probe is the point")
}

/// The motion of a floating body, in world axes except for `w` and `z`.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// Mass in kg.
    pub mass: f64,
    /// Position of the centre of mass.
    pub r: Vector3<f64>,
    /// Acceleration of the centre of mass.
    pub a: Vector3<f64>,
    /// Maps world coordinates to those of the body.
    pub t: Matrix3<f64>,
    /// Angular velocity in the body's axes.
    pub w: Vector3<f64>,
    /// Angular acceleration in the body's axes.
    pub z: Vector3<f64>,
    /// Position of the point where forces act.
    pub point: Vector3<f64>,
    /// Its velocity.
    pub point_velocity: Vector3<f64>,
}

/// The present state of a floating body.
pub fn state(model: &mut Simulation, name: &str) -> State {
    let mut vector =
        |local: &str| Vector3::from_fn(|i, _| value(model, &format!("{name}{local}[{}]", i + 1)));
    let r_0 = vector(".r_0");
    let axes = ["_ex.r_0", "_ey.r_0", "_ez.r_0"].map(|probe| vector(probe) - r_0);
    let t = Matrix3::from_columns(&axes).transpose();
    let (w, z) = (vector(".w_a"), vector(".z_a"));
    let r_cm = Vector3::from(R_CM);
    let out = t.transpose();
    State {
        mass: MASS,
        r: r_0 + out * r_cm,
        a: vector(".a_0") + out * (z.cross(&r_cm) + w.cross(&w.cross(&r_cm))),
        t,
        w,
        z,
        point: vector("_point.r_0"),
        point_velocity: vector("_point.v_0"),
    }
}

/// The derivative of the momentum.
pub fn momentum_rate(s: &State) -> Vector3<f64> {
    s.a * s.mass
}

/// The derivative of the angular momentum about the origin.
pub fn angular_momentum_rate(s: &State) -> Vector3<f64> {
    let ([xx, yy, zz], [yx, zx, zy]) = (INERTIA, PRODUCTS);
    let inertia = Matrix3::new(xx, yx, zx, yx, yy, zy, zx, zy, zz);
    let spin = inertia * s.z + s.w.cross(&(inertia * s.w));
    s.r.cross(&momentum_rate(s)) + s.t.transpose() * spin
}
