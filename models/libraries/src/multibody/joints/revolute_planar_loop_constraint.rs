//! The revolute joint that closes a planar loop.

use crate::multibody::parts::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;
use mechanics::statements::contributions::constraints::{Holds, Situation};
use mechanics::statements::spatial::pose::across;
use mechanics::vector::{Matrix, constant, dot, triad};
use std::rc::Rc;

component! {
    /// Revolute joint that closes a planar loop: the origins coincide in the plane; the other
    /// conditions of a [`Revolute`](super::Revolute) follow from the other joints of the loop.
    ///
    /// It is the last joint of a planar linkage, so that no condition of the loop is redundant.
    ///
    /// # Equations
    /// `e_x . r_rel_a = 0` and `e_y . r_rel_a = 0` with two axes of `frame_a` perpendicular to `n`.
    /// The force acts in the plane, and there is no torque. The initial configuration must be
    /// planar: `n` is the same in both frames, and their origins are in one plane.
    pub struct RevolutePlanarLoopConstraint
        = "Modelica.Mechanics.MultiBody.Joints.RevolutePlanarLoopConstraint"
    {
        /// Axis of rotation resolved in frame_a (the same as in frame_b)
        n: Axis["1"] = Z,
        ..two_frames,
    }
}

impl Component for RevolutePlanarLoopConstraint {
    fn contribute(
        p: RevolutePlanarLoopConstraintParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        planar_pin(c, p.n, true);
        Ok(())
    }
}

/// A joint of a planar loop: seen along `n`, the origins of `frame_a` and `frame_b` coincide. At
/// the start the loop must be planar, so that `n` is the same in both frames and, with
/// `in_one_plane`, their origins have the same coordinate along it.
pub(crate) fn planar_pin(c: &mut Contribution<'_>, n: [f64; 3], in_one_plane: bool) {
    let frames = [c.frame("frame_a"), c.frame("frame_b")];
    let (e, (x, y)) = (constant(n), triad(n));
    c.shape("frame_a", |nominal| Shape::turn(&e, nominal));
    let offset = |at: &Situation<'_>| at.poses[0].t * (at.poses[1].r - at.poses[0].r);
    let in_frame_a = move |at: &Situation<'_>| {
        let r = offset(at);
        vec![dot(&x, &r), dot(&y, &r)]
    };
    // Where the axis does not turn, frame_a turns about it.
    let resting = move |at: &Situation<'_>| across(n, &at.poses[0], &at.poses[1]).to_vec();
    let (residual, moving) = (Rc::new(in_frame_a), Rc::new(resting));
    let holds = Holds::Position { residual, moving: Some(moving), unit: "m" };
    c.constraint(&frames, &[], None, holds);
    let text = "the loop that it closes is not planar";
    if in_one_plane {
        let height = move |at: &Situation<'_>| vec![dot(&e, &offset(at))];
        c.check_at_start(&frames, &[], "m", height, text);
    }
    let tilt = move |at: &Situation<'_>| {
        let t: Matrix = at.poses[1].t * at.poses[0].t.transpose();
        vec![dot(&e, &(t * x)), dot(&e, &(t * y))]
    };
    c.check_at_start(&frames, &[], "rad", tilt, text);
}
