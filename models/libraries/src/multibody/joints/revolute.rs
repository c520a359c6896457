//! Revolute joint.

use super::{flanges, turn};
use mechanics::declaration::prelude::*;
use mechanics::domain::ROTATIONAL;
use mechanics::scene::Shape;
use mechanics::vector::constant;

component! {
    /// Revolute joint: one rotation about an axis.
    ///
    /// It is a hinge, the bearing of a crank, or an axis of a robot; a drive train may turn it.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0`. `frame_b` is rotated by `phi` about `n`, which is the same in
    /// both frames. `w = der(phi)`, `a = der(w)`. `axis.phi - support.phi = phi`, and the torque
    /// about `n` is that of the flange `axis`. `support.phi = 0` unless something else determines
    /// it, such as a `Mounting1D` of the drive train on the part at `frame_a`. The joint exerts the
    /// reaction of the torque on `frame_a`, and the `Mounting1D` that of the remaining drive train,
    /// also if `support` is not connected.
    ///
    /// In a cut joint, `phi` is measured between the frames, from -pi to pi.
    pub struct Revolute = "Modelica.Mechanics.MultiBody.Joints.Revolute" {
        /// Axis of rotation resolved in frame_a (the same as in frame_b)
        n: Axis["1"] = Z,
        /// Start value of the angle
        phi: Start["rad"] = free(),
        /// Start value of the angular velocity
        w: Start["rad/s"] = free(),
        /// Initial acceleration; used only if it is fixed
        a: Start["rad/s2"] = free(),
        /// Preference of `phi` and `w` as states
        states: StateSelect = Prefer,
    }
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
        /// Flange that moves with the joint; if it is open, there is no torque about n
        axis: Flange,
        /// Flange of the joint's housing; its torque does not act on `frame_a`
        support: Flange,
    }
    variables {
        /// Rotation angle from frame_a to frame_b
        phi: Real["rad"],
        /// First derivative of angle phi
        w: Real["rad/s"],
        /// Second derivative of angle phi
        a: Real["rad/s2"],
    }
}

impl Component for Revolute {
    fn contribute(p: RevoluteParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.shape("frame_a", |nominal| Shape::turn(&constant(p.n), nominal));
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let phi = turn(c, p.n, ["phi", "w", "a"], [p.phi, p.w, p.a], p.states);
        c.joint(a, b, &[phi]);
        flanges(c, &ROTATIONAL, "support", phi);
        Ok(())
    }
}
