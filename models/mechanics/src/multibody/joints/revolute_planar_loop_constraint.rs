//! The revolute joint that closes a planar loop.

use crate::compile::closure::triad;
use crate::compile::structure::Situation;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::ports;
use crate::scene::Shape;
use crate::vector::{Matrix, Z, constant, dot};

/// Revolute joint that closes a planar loop: it says that two origins coincide in the plane, what
/// else a [`Revolute`](super::Revolute) says follows from the other joints of the loop.
///
/// # Equations
/// `e_x . r_rel_a = 0`, `e_y . r_rel_a = 0` with two axes of `frame_a` across `n`; the force
/// acts in the plane, there is no torque. That the loop is planar, so that the axes are the same in
/// both frames and their origins in one plane, is checked in the initial configuration.
///
/// # Variables
/// `n` without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.RevolutePlanarLoopConstraint.
#[derive(Clone, Debug)]
pub struct RevolutePlanarLoopConstraint {
    n: [f64; 3],
}

ports! {
    /// Ports of a [`RevolutePlanarLoopConstraint`].
    pub struct RevolutePlanarLoopConstraintPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

impl Default for RevolutePlanarLoopConstraint {
    fn default() -> Self {
        RevolutePlanarLoopConstraint::n(Z)
    }
}

impl RevolutePlanarLoopConstraint {
    /// About the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        RevolutePlanarLoopConstraint { n }
    }
}

impl Component for RevolutePlanarLoopConstraint {
    type Ports = RevolutePlanarLoopConstraintPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let n = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        let (e, (x, y)) = (constant(n), triad(n));
        c.shape("frame_a", |nominal| Shape::turn(&e, nominal));
        c.closure(&frames, &[], move |at| {
            let r = at.poses[0].t * (at.poses[1].r - at.poses[0].r);
            vec![dot(&x, &r), dot(&y, &r)]
        });
        let text = "the loop that it closes is not planar";
        let planar = move |at: &Situation<'_>| {
            let [a, b] = [&at.poses[0], &at.poses[1]];
            let r = a.t * (b.r - a.r);
            let t: Matrix = b.t * a.t.transpose();
            vec![dot(&e, &r), dot(&e, &(t * x)), dot(&e, &(t * y))]
        };
        c.check_at_start(&frames, &[], planar, text);
        Ok(())
    }
}
