//! A frame at rest.

use crate::compile::structure::Pose;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::vector::identity;
use crate::{ports, setters};

/// Frame fixed in the world at a given position.
///
/// # Equations
/// `frame_b.r_0 = r`, `frame_b.R` is the identity.
///
/// # Variables
/// `r` in m, in world axes, default zero; its zeros are structure.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.Fixed.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    r: [f64; 3],
}

ports! {
    /// Ports of a [`Fixed`] frame.
    pub struct FixedPorts {
        /// The frame at rest.
        frame_b: frame,
    }
}

setters! {
    impl Fixed {
        /// Position in m, in world axes.
        r: [f64; 3],
    }
}

impl OldComponent for Fixed {
    type Ports = FixedPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Position vector from world frame to frame_b, resolved in world frame";
        let r = c.vector("r", self.r, "m", text)?;
        let frame_b = c.frame("frame_b");
        c.ground_frame(frame_b, Pose { r, t: identity() });
        Ok(())
    }
}
