//! A rigid translation.

use mechanics::declaration::{group, prelude::*};
use mechanics::scene::{ROD_COLOR, Shape};
use mechanics::vector::{Vector, identity};

group! {
    /// The frames of a rigid part.
    pub struct TwoFrames(two_frames) {}
    ports {
        /// Frame on the first side
        frame_a: Frame,
        /// Frame on the second side
        frame_b: Frame,
    }
}

component! {
    /// Fixed translation of `frame_b` with respect to `frame_a`.
    ///
    /// It leads from one point of a rigid part to another one.
    ///
    /// # Equations
    /// `frame_b.r_0 = frame_a.r_0 + R' r`, and both frames have the same orientation.
    pub struct FixedTranslation = "Modelica.Mechanics.MultiBody.Parts.FixedTranslation" {
        /// Vector from frame_a to frame_b resolved in frame_a
        r: [Real; 3]["m", fixed],
        ..two_frames,
    }
}

impl Component for FixedTranslation {
    fn contribute(p: FixedTranslationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rod(c, p.r);
        c.shape("frame_a", |_| Shape::rod(p.r, ROD_COLOR));
        Ok(())
    }
}

/// Joins the frames of a rod.
pub(in crate::multibody) fn rod(c: &mut Contribution<'_>, r: Vector) {
    let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
    c.rigid(a, b, r, identity());
}
