//! A massless rod with a universal joint at one end and a spherical joint at the other.

use crate::compile::structure::{FromStart, Holds, Pose, Twist};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;
use crate::vector::{
    Matrix, Vector, X, Z, constant, cross, dot, norm, normalize, rows, scale, unit_axis,
};
use equations::Ex;
use std::rc::Rc;

/// Universal - spherical joint aggregation: one constraint, no states.
///
/// # Equations
/// `rRod_0 = frame_b.r_0 - frame_a.r_0`, `|rRod_0| = rodLength`. The universal joint at `frame_a`
/// turns first about `n1_a`; `frame_ia` is fixed to the rod at the origin of `frame_a` and is
/// parallel to it where the universal angles are zero.
///
/// # Variables
/// `rRod_ia` in m, the rod in `frame_ia`; with `computeRodLength` only its direction counts and
/// `rodLength` (m) follows from the initial configuration.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.UniversalSpherical.
#[derive(Clone, Debug)]
pub struct UniversalSpherical {
    n1_a: [f64; 3],
    r_rod_ia: [f64; 3],
    compute_rod_length: bool,
}

ports! {
    /// Ports and variables of a [`UniversalSpherical`] joint.
    pub struct UniversalSphericalPorts {
        /// Frame at the universal joint.
        frame_a: frame,
        /// Frame at the spherical joint.
        frame_b: frame,
        /// Frame fixed to the rod.
        frame_ia: frame,
        /// Length of the rod in m.
        rod_length: quantity = "rodLength",
    }
}

impl Default for UniversalSpherical {
    fn default() -> Self {
        UniversalSpherical { n1_a: Z, r_rod_ia: X, compute_rod_length: false }
    }
}

impl UniversalSpherical {
    /// With the first axis of the universal joint `n1_a`, resolved in `frame_a`, and the rod
    /// `rRod_ia` in m, resolved in `frame_ia`.
    pub fn n1_a_r_rod_ia(n1_a: [f64; 3], r_rod_ia: [f64; 3]) -> Self {
        UniversalSpherical { n1_a, r_rod_ia, compute_rod_length: false }
    }

    /// The length of the rod follows from the initial configuration.
    pub fn compute_rod_length(self) -> Self {
        UniversalSpherical { compute_rod_length: true, ..self }
    }
}

/// The triad of the rod: along it, and the two axes of the universal joint's cross.
fn triad(along: &Vector, n1: [f64; 3]) -> [Vector; 3] {
    let e1 = normalize(along);
    let e2 = normalize(&cross(&constant(n1), &e1));
    let e3 = cross(&e1, &e2);
    [e1, e2, e3]
}

/// Maps coordinates of `frame_a` to those of the rod.
fn orientation(a: &Pose, b: &Pose, n1: [f64; 3], triad_ia: &[Vector; 3]) -> Matrix {
    let [e1, e2, e3] = triad(&(a.t * (b.r - a.r)), n1);
    let [i1, i2, i3] = triad_ia;
    rows(i1, i2, i3).transpose() * rows(&e1, &e2, &e3)
}

/// Angular velocity of the rod in its own axes.
fn angular_velocity(
    [a, b]: [&Pose; 2],
    [va, vb]: [&Twist; 2],
    n1: [f64; 3],
    triad_ia: &[Vector; 3],
) -> Vector {
    let rod = a.t * (b.r - a.r);
    let [e1, e2, e3] = triad(&rod, n1);
    let relative = a.t * (b.t.transpose() * vb.v) - va.v - cross(&va.w, &rod);
    let rate = scale(&relative, Ex::one() / norm(&rod));
    let n1 = constant(n1);
    let across = norm(&cross(&n1, &e1));
    let turn = [dot(&e3, &cross(&n1, &rate)) / across, -dot(&e3, &rate), dot(&e2, &rate)];
    let [i1, i2, i3] = triad_ia;
    let relative_w = scale(i1, turn[0]) + scale(i2, turn[1]) + scale(i3, turn[2]);
    let t = rows(i1, i2, i3).transpose() * rows(&e1, &e2, &e3);
    t * va.w + relative_w
}

impl Component for UniversalSpherical {
    type Ports = UniversalSphericalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Axis 1 of universal joint resolved in frame_a";
        let n1 = c.axis("n1_a", self.n1_a, text)?;
        let Some(direction) = unit_axis(self.r_rod_ia) else {
            return Err(c.refuse("rRod_ia", format!("{:?} has no direction", self.r_rod_ia)));
        };
        let parallel: f64 = (0..3).map(|i| n1[i] * direction[i]).sum();
        if parallel.abs() > 1.0 - 1e-10 {
            return Err(c.refuse("n1_a", "it must not be parallel to rRod_ia"));
        }
        let text = "Vector from frame_a to frame_b, resolved in frame_ia";
        let r_rod_ia = c.vector("rRod_ia", self.r_rod_ia, "m", text)?;
        let (a, b, ia) = (c.frame("frame_a"), c.frame("frame_b"), c.frame("frame_ia"));
        let (length, from_start) = self.length(c, &r_rod_ia);
        let per_length = Ex::one() / (length * 2.0);
        let closure = Holds::Position(Rc::new(move |at| {
            let r = at.poses[1].r - at.poses[0].r;
            vec![(dot(&r, &r) - length.square()) * per_length]
        }));
        c.constraint(&[a, b], &[], from_start, closure);
        let triad_ia = triad(&r_rod_ia, n1);
        let pose =
            move |a: &Pose, b: &Pose| Pose { r: a.r, t: orientation(a, b, n1, &triad_ia) * a.t };
        c.derived([a, b], ia, pose, move |[a, b], [va, vb]| Twist {
            w: angular_velocity([a, b], [va, vb], n1, &triad_ia),
            v: orientation(a, b, n1, &triad_ia) * va.v,
        });
        c.law(move |e| {
            let rod = e.pose(b).r - e.pose(a).r;
            let text = "Position vector from frame_a to frame_b, resolved in world frame";
            e.vector("rRod_0", &rod, "m", text);
            Ok(())
        });
        Ok(())
    }
}

impl UniversalSpherical {
    /// The rod's length, and how it follows from the initial configuration.
    fn length(&self, c: &mut Contribution<'_>, r_rod_ia: &Vector) -> (Ex, Option<FromStart>) {
        let text = "Length of rod (distance between origin of frame_a and origin of frame_b)";
        if self.compute_rod_length {
            let name = c.full("rodLength");
            let parameter: Ex =
                c.model.calculated(&name, Ex::zero()).unit("m").describe(text).into();
            let value = |at: &[Pose]| norm(&(at[1].r - at[0].r));
            c.law(move |e| {
                e.define("rodLength", parameter);
                Ok(())
            });
            (parameter, Some(FromStart { parameter, value: Rc::new(value) }))
        } else {
            let length = norm(r_rod_ia);
            c.law(move |e| {
                e.variable("rodLength", length).unit("m").describe(text);
                Ok(())
            });
            (length, None)
        }
    }
}
