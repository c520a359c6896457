//! Universal joint.

use super::coordinate;
use crate::compile::structure::Freedom;
use crate::component::{Contribution, CoordinateId, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::scene::Shape;
use crate::start::{Start, StateSelect};
use crate::vector::{X, Y, constant, cross_constant, unit_axis};
use crate::{ports, setters};

static A: [Word; 3] = [
    word("phi_a", "rad", "Rotation angle from frame_a to the cross"),
    word("w_a", "rad/s", "First derivative of angle phi_a"),
    word("a_a", "rad/s2", "Second derivative of angle phi_a"),
];
static B: [Word; 3] = [
    word("phi_b", "rad", "Rotation angle from the cross to frame_b"),
    word("w_b", "rad/s", "First derivative of angle phi_b"),
    word("a_b", "rad/s2", "Second derivative of angle phi_b"),
];

/// Universal joint: two rotations about axes of a cross.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0`; the cross is turned by `phi_a` about `n_a` of `frame_a`, then
/// `frame_b` by `phi_b` about `n_b` of the cross; no torques about these axes.
///
/// # Variables
/// `phi_a`, `phi_b` in rad, their derivatives `w_a`, `w_b` in rad/s and `a_a`, `a_b` in rad/s2;
/// `n_a` resolved in `frame_a`, `n_b` in `frame_b`, without unit. Where the joint closes a loop the
/// angles are measured between the frames, from -pi to pi.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Universal.
#[derive(Clone, Debug)]
pub struct Universal {
    n_a: [f64; 3],
    n_b: [f64; 3],
    phi_a: Start,
    phi_b: Start,
    w_a: Start,
    w_b: Start,
    a_a: Start,
    a_b: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Universal`] joint.
    pub struct UniversalPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Angle about the axis of `frame_a` in rad.
        phi_a: quantity,
        /// Angle about the axis of `frame_b` in rad.
        phi_b: quantity,
        /// Derivative of `phi_a` in rad/s.
        w_a: quantity,
        /// Derivative of `phi_b` in rad/s.
        w_b: quantity,
        /// Derivative of `w_a` in rad/s2.
        a_a: quantity,
        /// Derivative of `w_b` in rad/s2.
        a_b: quantity,
    }
}

impl Default for Universal {
    fn default() -> Self {
        Universal::n_a_n_b(X, Y)
    }
}

impl Universal {
    /// With the axes `n_a`, resolved in `frame_a`, and `n_b`, resolved in `frame_b`.
    pub fn n_a_n_b(n_a: [f64; 3], n_b: [f64; 3]) -> Self {
        let (phi_a, w_a, a_a) = (Start::default(), Start::default(), Start::default());
        let (phi_b, w_b, a_b) = (phi_a, w_a, a_a);
        let states = StateSelect::Prefer;
        Universal { n_a, n_b, phi_a, phi_b, w_a, w_b, a_a, a_b, states }
    }
}

setters! {
    impl Universal {
        /// Start value of the angle about `n_a` in rad.
        phi_a: Start,
        /// Start value of the angle about `n_b` in rad.
        phi_b: Start,
        /// Start value of the derivative of `phi_a` in rad/s.
        w_a: Start,
        /// Start value of the derivative of `phi_b` in rad/s.
        w_b: Start,
        /// Initial derivative of `w_a` in rad/s2; counts only if it is fixed.
        a_a: Start,
        /// Initial derivative of `w_b` in rad/s2; counts only if it is fixed.
        a_b: Start,
        /// Preference of angles and angular velocities as states.
        states: StateSelect,
    }
}

impl OldComponent for Universal {
    type Ports = UniversalPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let [e_a, e_b] = cross_axes(c, self.n_a, self.n_b)?;
        let starts = [[self.phi_a, self.w_a, self.a_a], [self.phi_b, self.w_b, self.a_b]];
        c.shape("frame_a", |nominal| Shape::turn(&constant(e_a), nominal));
        c.shape("frame_b", |nominal| Shape::turn(&constant(e_b), nominal));
        let turns = cross_turns(c, [e_a, e_b], starts, self.states)?;
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &turns);
        Ok(())
    }
}

/// The axes of the cross of a universal joint.
pub(in crate::multibody) fn cross_axes(
    c: &mut Contribution<'_>,
    n_a: [f64; 3],
    n_b: [f64; 3],
) -> Result<[[f64; 3]; 2], Error> {
    let e_a = c.axis("n_a", n_a, "Axis of the first rotation resolved in frame_a")?;
    let e_b = c.axis("n_b", n_b, "Axis of the second rotation resolved in frame_b")?;
    if unit_axis(cross_constant(e_a, e_b)).is_none() {
        return Err(c.refuse("n_b", format!("{n_b:?} must not be parallel to n_a, {n_a:?}")));
    }
    Ok([e_a, e_b])
}

/// The two turns of a universal joint.
pub(in crate::multibody) fn cross_turns(
    c: &mut Contribution<'_>,
    axes: [[f64; 3]; 2],
    starts: [[Start; 3]; 2],
    select: StateSelect,
) -> Result<[CoordinateId; 2], Error> {
    let mut turn = |k: usize| {
        let freedom = (Freedom::Turn, axes[k]);
        coordinate(c, freedom, [&A, &B][k].each_ref(), starts[k], select)
    };
    Ok([turn(0)?, turn(1)?])
}
