//! A frame at rest.

use mechanics::declaration::prelude::*;
use mechanics::scene::{ROD_COLOR, Shape};
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::identity;

component! {
    /// Frame fixed in the world at a given position.
    ///
    /// It is a point of the ground to which joints, springs and ropes are attached.
    ///
    /// # Equations
    /// `frame_b.r_0 = r`, `frame_b.R` is the identity.
    pub struct Fixed = "Modelica.Mechanics.MultiBody.Parts.Fixed" {
        /// Position vector from world frame to frame_b, resolved in world frame
        r: [Real; 3]["m", fixed] = [0; 3],
    }
    ports {
        /// Frame at rest
        frame_b: Frame,
    }
}

impl Component for Fixed {
    fn contribute(p: FixedParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame_b = c.frame("frame_b");
        c.shape("frame_b", |_| Shape { r_shape: -p.r, ..Shape::rod(p.r, ROD_COLOR) });
        c.ground_frame(frame_b, Pose { r: p.r, t: identity() });
        Ok(())
    }
}
