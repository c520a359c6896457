//! A revolute joint that closes a planar loop.

use super::connections::ConnectionPorts;
use crate::compile::closure::triad;
use crate::compile::structure::Situation;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::scene::Shape;
use crate::vector::{Matrix, Z, constant, dot};

/// Revolute joint that closes a planar loop: a loop's other joints keep it in its plane.
///
/// # Equations
/// The vector from `frame_a` to `frame_b` has no component at right angles to `n`, resolved in
/// `frame_a`; no force along `n` and no torques, and the same for impulses.
///
/// # Variables
/// `n` without unit, default `{0, 0, 1}`; of any direction.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.CutJoints.PlanarRevolute.
#[derive(Clone, Debug)]
pub struct PlanarRevolute {
    n: [f64; 3],
}

impl Default for PlanarRevolute {
    fn default() -> Self {
        PlanarRevolute::n(Z)
    }
}

impl PlanarRevolute {
    /// About the axis `n`, at right angles to the plane, resolved in `frame_a`.
    pub fn n(n: [f64; 3]) -> Self {
        PlanarRevolute { n }
    }
}

impl Component for PlanarRevolute {
    type Ports = ConnectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let n = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        let frames = [c.frame("frame_a"), c.frame("frame_b")];
        let (e, (x, y)) = (constant(n), triad(n));
        c.shape("frame_a", |nominal| Shape::turn(&e, nominal));
        c.closure(&frames, &[], move |at| {
            let r = at.poses[0].t * (at.poses[1].r - at.poses[0].r);
            vec![dot(&x, &r), dot(&y, &r)]
        });
        let parallel = move |at: &Situation<'_>| {
            let t: Matrix = at.poses[1].t * at.poses[0].t.transpose();
            vec![dot(&e, &(t * x)), dot(&e, &(t * y))]
        };
        c.check_at_start(&frames, &[], parallel, "the loop that it closes is not planar");
        Ok(())
    }
}
