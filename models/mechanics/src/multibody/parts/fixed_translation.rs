//! A rigid translation.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::{ROD_COLOR, Shape};
use crate::vector::{Vector, identity};

ports! {
    /// Ports of a rigid part with two frames.
    pub struct RodPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

/// Declares the vector `r` and joins the frames.
pub(in crate::multibody) fn rod(c: &mut Contribution<'_>, r: [f64; 3]) -> Result<Vector, Error> {
    let text = "Vector from frame_a to frame_b resolved in frame_a";
    let r = c.vector("r", r, "m", text)?;
    let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
    c.rigid(a, b, r, identity());
    Ok(r)
}

/// Fixed translation of `frame_b` with respect to `frame_a`.
///
/// # Equations
/// `frame_b.r_0 = frame_a.r_0 + R' r`, same orientation.
///
/// # Variables
/// `r` in m, resolved in `frame_a`; its zeros are structure.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.FixedTranslation.
#[derive(Clone, Debug)]
pub struct FixedTranslation {
    r: [f64; 3],
}

impl FixedTranslation {
    /// By `r` in m, resolved in `frame_a`.
    pub fn r(r: [f64; 3]) -> Self {
        FixedTranslation { r }
    }
}

impl OldComponent for FixedTranslation {
    type Ports = RodPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let r = rod(c, self.r)?;
        c.shape("frame_a", |_| Shape::rod(r, ROD_COLOR));
        Ok(())
    }
}
