//! Shared parts of joints with a rod: the rod with a universal joint, and constraints that keep the
//! distance of two frames.

use super::rod_force::RodMass;
use equations::Ex;
use mechanics::component::{ConstraintId, Contribution};
use mechanics::error::Error;
use mechanics::scene::{Length, ROD_COLOR, Shape, ShapeType, joint_length};
use mechanics::statements::contributions::constraints::{FromStart, Holds, Situation};
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::statements::spatial::pose::{Pose, Twist};
use mechanics::vector::{
    Matrix, Vector, constant, cross, dot, norm, normalize, rows, scale, unit_axis,
};
use std::rc::Rc;

/// A rod with a universal joint at `frame_a`, directed to the origin of another frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::multibody) struct UniversalRod {
    /// First axis of the universal joint, resolved in `frame_a`.
    n1: [f64; 3],
    /// In the axes of the rod: its direction, and the two axes of the universal joint's cross.
    triad: [Vector; 3],
}

impl UniversalRod {
    /// From the first axis of the universal joint, resolved in `frame_a`, and a vector along the
    /// rod, resolved in its own frame; both with the names of their parameters.
    pub fn new(
        c: &Contribution<'_>,
        (n1_name, n1): (&str, [f64; 3]),
        (name, along): (&str, &Vector),
    ) -> Result<Self, Error> {
        if let [Some(x), Some(y), Some(z)] = [0, 1, 2].map(|i| c.number(along[i])) {
            let value = [x, y, z];
            let Some(direction) = unit_axis(value) else {
                return Err(c.refuse(name, format!("{value:?} has no direction")));
            };
            let parallel: f64 = (0..3).map(|i| n1[i] * direction[i]).sum();
            if parallel.abs() > 1.0 - 1e-10 {
                return Err(c.refuse(n1_name, format!("it must not be parallel to {name}")));
            }
        }
        Ok(UniversalRod { n1, triad: triad(along, n1) })
    }

    /// Fixes `frame` to the rod from `a` to `b`, at the origin of `a`.
    pub fn derive(self, c: &mut Contribution<'_>, ends: [FrameEnd; 2], frame: FrameEnd) {
        let pose = move |a: &Pose, b: &Pose| Pose { r: a.r, t: self.rotation(a, b) * a.t };
        c.derived(ends, frame, pose, move |[a, b], [va, vb]| Twist {
            w: self.angular_velocity([a, b], [va, vb]),
            v: self.rotation(a, b) * va.v,
        });
    }

    /// Fixes `frame` to the rod from `a` to `b`, at the origin of `b`.
    pub fn derive_far(self, c: &mut Contribution<'_>, ends: [FrameEnd; 2], frame: FrameEnd) {
        let pose = move |a: &Pose, b: &Pose| Pose { r: b.r, t: self.rotation(a, b) * a.t };
        c.derived(ends, frame, pose, move |[a, b], [va, vb]| Twist {
            w: self.angular_velocity([a, b], [va, vb]),
            v: self.rotation(a, b) * (a.t * (b.t.transpose() * vb.v)),
        });
    }

    /// Its shapes in pictures, with its length in m: the axes of the universal joint, the rod and
    /// the ball at its end, in the frames `a`, of the rod, and `b`.
    pub fn shapes(&self, c: &mut Contribution<'_>, ports: [&'static str; 3], length: Ex) {
        self.joint_shapes(c, ports);
        self.rod_shape(c, ports[1], length);
    }

    /// The shape of the rod, with its length in m, in the frame `rod`.
    pub fn rod_shape(&self, c: &mut Contribution<'_>, rod: &'static str, length: Ex) {
        let [along, cross, _] = self.triad;
        c.shape(rod, |nominal| Shape {
            length: Length::Fixed(length),
            width_direction: cross,
            color: ROD_COLOR,
            ..Shape::along(ShapeType::Cylinder, along, [joint_length(nominal) * 0.5; 2])
        });
    }

    /// The shapes of its joints, without the rod.
    pub fn joint_shapes(&self, c: &mut Contribution<'_>, [a, rod, b]: [&'static str; 3]) {
        let [_, cross, _] = self.triad;
        c.shape(a, |nominal| Shape::turn(&constant(self.n1), nominal));
        c.shape(rod, |nominal| Shape::turn(&cross, nominal));
        c.shape(b, Shape::ball);
    }

    /// The force on the rod at its far end, in the axes of frame `a`. Along the rod `r` it is the
    /// opposite of `f_rod`; perpendicular to the rod it balances the torque on the parts that are
    /// fixed to the rod.
    pub fn far_force(&self, r: &Vector, f_rod: Ex, torque: &Vector) -> Vector {
        let [e1, e2, e3] = triad(r, self.n1);
        let (n1, length) = (constant(self.n1), norm(r));
        let second = -(dot(&n1, torque) / (length * dot(&n1, &e3)));
        let third = dot(&e2, torque) / length;
        scale(&e2, second) + scale(&e3, third) - scale(&e1, f_rod)
    }

    /// Maps coordinates of frame `a` to those of the rod.
    pub fn rotation(&self, a: &Pose, b: &Pose) -> Matrix {
        let [e1, e2, e3] = triad(&(a.t * (b.r - a.r)), self.n1);
        let [i1, i2, i3] = &self.triad;
        rows(i1, i2, i3).transpose() * rows(&e1, &e2, &e3)
    }

    /// Angular velocity of the rod in its own axes.
    pub fn angular_velocity(&self, [a, b]: [&Pose; 2], [va, vb]: [&Twist; 2]) -> Vector {
        let rod = a.t * (b.r - a.r);
        let [e1, e2, e3] = triad(&rod, self.n1);
        let relative = a.t * (b.t.transpose() * vb.v) - va.v - cross(&va.w, &rod);
        let rate = scale(&relative, Ex::one() / norm(&rod));
        let n1 = constant(self.n1);
        let across = norm(&cross(&n1, &e1));
        let turn = [dot(&e3, &cross(&n1, &rate)) / across, -dot(&e3, &rate), dot(&e2, &rate)];
        let [i1, i2, i3] = &self.triad;
        let relative_w = scale(i1, turn[0]) + scale(i2, turn[1]) + scale(i3, turn[2]);
        let t = rows(i1, i2, i3).transpose() * rows(&e1, &e2, &e3);
        t * va.w + relative_w
    }
}

/// Unit vectors along a rod and along the two axes of the universal joint's cross.
fn triad(along: &Vector, n1: [f64; 3]) -> [Vector; 3] {
    let e1 = normalize(along);
    let e2 = normalize(&cross(&constant(n1), &e1));
    let e3 = cross(&e1, &e2);
    [e1, e2, e3]
}

/// Keeps the distance of two origins at a length in m; `from_start` computes the length from the
/// initial configuration.
pub(super) fn keep_length(
    c: &mut Contribution<'_>,
    ends: [FrameEnd; 2],
    length: Ex,
    from_start: Option<FromStart>,
) -> ConstraintId {
    let residual =
        move |at: &Situation<'_>| vec![length_residual(&at.poses[0], &at.poses[1], length)];
    let closure = Holds::Position { residual: Rc::new(residual), moving: None, unit: "m" };
    c.constraint(&ends, &[], from_start, closure)
}

/// A parameter `rodLength`, whose value is the length in m of a rod in the initial configuration.
pub(super) fn length_at_start(c: &mut Contribution<'_>) -> (Ex, Option<FromStart>) {
    let name = c.full("rodLength");
    let parameter: Ex = c.model().calculated(&name, Ex::zero()).into();
    readable(c, "rodLength", parameter);
    let value = Rc::new(|at: &[Pose]| norm(&(at[1].r - at[0].r)));
    (parameter, Some(FromStart { parameter, value }))
}

/// Makes a parameter readable for signals and outputs.
pub(in crate::multibody) fn readable(c: &mut Contribution<'_>, local: &'static str, value: Ex) {
    c.law(move |e| {
        e.define(local, value);
        Ok(())
    });
}

/// Publishes the vector from one frame to another as `rRod_0`.
pub(super) fn publish_rod(c: &mut Contribution<'_>, [a, b]: [FrameEnd; 2]) {
    c.law(move |e| {
        let rod: Vector = e.pose(b).r - e.pose(a).r;
        e.publish("rRod_0", &rod);
        Ok(())
    });
}

/// The difference between the squared distance of two origins and a squared length, scaled to m.
fn length_residual(a: &Pose, b: &Pose, length: Ex) -> Ex {
    let r = b.r - a.r;
    (dot(&r, &r) - length.square()) / (length * 2.0)
}

/// A mass on the line from `a` to `b`, at this fraction of the distance.
pub(in crate::multibody) fn mass_on_line(
    c: &mut Contribution<'_>,
    ends: [FrameEnd; 2],
    mass: Ex,
    fraction: Ex,
) -> Option<RodMass> {
    if mass.is_constant_zero() {
        return None;
    }
    let frame = c.hidden_frame("mass on the line");
    let between = move |a: &Vector, b: &Vector| scale(a, 1.0 - fraction) + scale(b, fraction);
    let pose = move |a: &Pose, b: &Pose| Pose { r: between(&a.r, &b.r), t: a.t };
    c.derived(ends, frame, pose, move |[a, b], [va, vb]| Twist {
        w: va.w,
        v: between(&va.v, &(a.t * (b.t.transpose() * vb.v))),
    });
    c.body(frame, mass, mechanics::vector::zero(), Matrix::zeros());
    Some(RodMass { frame, mass })
}
