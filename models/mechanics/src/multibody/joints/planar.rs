//! Planar joint.

use super::coordinate;
use crate::compile::structure::Freedom;
use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::scene::{Form, Shape};
use crate::start::{Start, StateSelect};
use crate::vector::{X, Z, constant, cross_constant, unit_axis};
use crate::{ports, setters};

static S_X: [Word; 3] = [
    word("s_x", "m", "Distance between frame_a and frame_b along the x-axis of the plane"),
    word("v_x", "m/s", "First derivative of s_x"),
    word("a_x", "m/s2", "Second derivative of s_x"),
];
static S_Y: [Word; 3] = [
    word("s_y", "m", "Distance between frame_a and frame_b along the y-axis of the plane"),
    word("v_y", "m/s", "First derivative of s_y"),
    word("a_y", "m/s2", "Second derivative of s_y"),
];
static PHI: [Word; 3] = [
    word("phi", "rad", "Rotation angle from frame_a to frame_b about n"),
    word("w", "rad/s", "First derivative of angle phi"),
    word("wd", "rad/s2", "Second derivative of angle phi"),
];

/// Planar joint: two translations in a plane and a rotation about its normal.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' (e_x s_x + e_y s_y)`, where `e_y` has the direction of
/// `n x n_x` and `e_x` that of `(n x n_x) x n`; then `frame_b` is turned by `phi` about `n`; no
/// forces in the plane and no torque about its normal.
///
/// # Variables
/// `s_x`, `s_y` in m, `v_x`, `v_y` in m/s, `a_x`, `a_y` in m/s2; `phi` in rad, `w` in rad/s, `wd`
/// in rad/s2; `n` and `n_x`, resolved in `frame_a`, without unit.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.Planar.
#[derive(Clone, Debug)]
pub struct Planar {
    n: [f64; 3],
    n_x: [f64; 3],
    s_x: Start,
    v_x: Start,
    a_x: Start,
    s_y: Start,
    v_y: Start,
    a_y: Start,
    phi: Start,
    w: Start,
    wd: Start,
    states: StateSelect,
}

ports! {
    /// Ports and variables of a [`Planar`] joint.
    pub struct PlanarPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Distance along the x-axis of the plane in m.
        s_x: quantity,
        /// Derivative of `s_x` in m/s.
        v_x: quantity,
        /// Derivative of `v_x` in m/s2.
        a_x: quantity,
        /// Distance along the y-axis of the plane in m.
        s_y: quantity,
        /// Derivative of `s_y` in m/s.
        v_y: quantity,
        /// Derivative of `v_y` in m/s2.
        a_y: quantity,
        /// Rotation angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        wd: quantity,
    }
}

impl Default for Planar {
    fn default() -> Self {
        Planar::n_n_x(Z, X)
    }
}

impl Planar {
    /// In the plane with normal `n` and with its x-axis along `n_x`, both resolved in `frame_a`.
    pub fn n_n_x(n: [f64; 3], n_x: [f64; 3]) -> Self {
        let (s_x, s_y, phi) = (Start::default(), Start::default(), Start::default());
        let (v_x, v_y, w) = (s_x, s_y, phi);
        let (a_x, a_y, wd) = (s_x, s_y, phi);
        let states = StateSelect::Prefer;
        Planar { n, n_x, s_x, v_x, a_x, s_y, v_y, a_y, phi, w, wd, states }
    }
}

setters! {
    impl Planar {
        /// Start value of the distance along the x-axis in m.
        s_x: Start,
        /// Start value of its derivative in m/s.
        v_x: Start,
        /// Initial acceleration along the x-axis in m/s2; counts only if it is fixed.
        a_x: Start,
        /// Start value of the distance along the y-axis in m.
        s_y: Start,
        /// Start value of its derivative in m/s.
        v_y: Start,
        /// Initial acceleration along the y-axis in m/s2; counts only if it is fixed.
        a_y: Start,
        /// Start value of the angle in rad.
        phi: Start,
        /// Start value of the angular velocity in rad/s.
        w: Start,
        /// Initial angular acceleration in rad/s2; counts only if it is fixed.
        wd: Start,
        /// Preference of the six as states.
        states: StateSelect,
    }
}

impl OldComponent for Planar {
    type Ports = PlanarPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let e = c.axis("n", self.n, "Axis normal to the plane resolved in frame_a")?;
        let n_x = c.axis("n_x", self.n_x, "Direction of the x-axis resolved in frame_a")?;
        let Some(e_y) = unit_axis(cross_constant(e, n_x)) else {
            let (n, n_x) = (self.n, self.n_x);
            return Err(c.refuse("n_x", format!("{n_x:?} must not be parallel to n, {n:?}")));
        };
        let e_x = cross_constant(e_y, e);
        c.shape("frame_a", |nominal| {
            let along = constant(e_x);
            let slide = Shape::slide(Form::Box, &along, "s_x", nominal);
            Shape { width: slide.width * 0.3, height: slide.height * 0.3, ..slide }
        });
        c.shape("frame_b", |nominal| Shape::turn(&constant(e), nominal));
        let mut add = |freedom, words: &'static [Word; 3], starts| {
            coordinate(c, freedom, words.each_ref(), starts, self.states)
        };
        let all = [
            add((Freedom::Slide, e_x), &S_X, [self.s_x, self.v_x, self.a_x])?,
            add((Freedom::Slide, e_y), &S_Y, [self.s_y, self.v_y, self.a_y])?,
            add((Freedom::Turn, e), &PHI, [self.phi, self.w, self.wd])?,
        ];
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &all);
        Ok(())
    }
}
