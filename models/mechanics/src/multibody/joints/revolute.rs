//! Revolute joint.

use super::{coordinate, flanges};
use crate::compile::structure::Freedom;
use crate::component::{Component, Contribution};
use crate::domain::{ROTATIONAL, Word, word};
use crate::error::Error;
use crate::scene::Shape;
use crate::start::{Start, StateSelect};
use crate::vector::{Z, constant};
use crate::{ports, setters};

static PHI: Word = word("phi", "rad", "Rotation angle from frame_a to frame_b");
static W: Word = word("w", "rad/s", "First derivative of angle phi");
static ANGULAR_ACCELERATION: Word = word("a", "rad/s2", "Second derivative of angle phi");

/// Revolute joint: one rotation about an axis.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; `frame_b` is turned by `phi` about `n`, the same in both frames; `w
/// = der(phi)`, `a = der(w)`; `axis.phi - support.phi = phi`, and the torque about `n` is that of
/// the flange `axis`. `support.phi = 0` unless something else holds it, such as a `Mounting1D` of
/// the drive train on the part at `frame_a`: the joint itself exerts the reaction of the torque,
/// and the housing of the whole train the rest.
///
/// # Variables
/// `phi` in rad, `w` in rad/s, `a` in rad/s2; `n` without unit. In a joint at which a loop is cut
/// `phi` is measured between the frames, from -pi to pi.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Revolute.
#[derive(Clone, Debug)]
pub struct Revolute {
    n: [f64; 3],
    phi: Start,
    w: Start,
    a: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Revolute`] joint.
    pub struct RevolutePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Flange that moves with the joint; open: no torque along it.
        axis: flange,
        /// Flange of the joint's housing; its torque does not act on `frame_a`.
        support: flange,
        /// Rotation angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        a: quantity,
    }
}

impl Default for Revolute {
    fn default() -> Self {
        Revolute::n(Z)
    }
}

impl Revolute {
    /// About the axis `n`, resolved in `frame_a` (the same as in `frame_b`).
    pub fn n(n: [f64; 3]) -> Self {
        let (phi, w, a) = (Start::default(), Start::default(), Start::default());
        Revolute { n, phi, w, a, states: StateSelect::Prefer }
    }
}

setters! {
    impl Revolute {
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Initial acceleration in rad/s2; counts only if it is fixed.
        a: Start,
        /// Preference of `phi` and `w` as states.
        states: StateSelect,
    }
}

impl Component for Revolute {
    type Ports = RevolutePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let axis = c.axis("n", self.n, "Axis of rotation resolved in frame_a")?;
        c.shape("frame_a", |nominal| Shape::turn(&constant(axis), nominal));
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        let starts = [self.phi, self.w, self.a];
        let freedom = (Freedom::Turn, axis);
        let coordinate =
            coordinate(c, freedom, [&PHI, &W, &ANGULAR_ACCELERATION], starts, self.states)?;
        c.joint(a, b, &[coordinate]);
        flanges(c, &ROTATIONAL, coordinate);
        Ok(())
    }
}
