//! A rigid body with two frames.

use super::body::{inner_rotation, publish_inner_motion, translation};
use super::fixed_translation::{rod, two_frames};
use super::free::{Free, INNER_ORIENTATION, free, inner_orientation};
use super::inertia_tensor::{InertiaTensor, inertia_setters, inertia_tensor};
use crate::multibody::joints::{Orientation, orientation};
use mechanics::declaration::prelude::*;
use mechanics::scene::{BODY_COLOR, Shape};

component! {
    /// Rigid body with mass, inertia tensor and two frames.
    ///
    /// It is a link between two joints whose mass and inertia are known.
    ///
    /// # Equations
    /// Those of a `FixedTranslation` with `r`, and those of a `Body` named `body` at `frame_a`.
    pub struct BodyShape = "Modelica.Mechanics.MultiBody.Parts.BodyShape" {
        /// Vector from frame_a to frame_b resolved in frame_a
        r: [Real; 3]["m", fixed],
        /// Mass of rigid body
        m: Real["kg", >= 0, structural zero],
        /// Vector from frame_a to centre of mass, resolved in frame_a
        r_cm "r_CM": [Real; 3]["m", fixed],
        ..inertia: inertia_tensor,
        ..free: free,
        ..orientation: orientation,
        ..two_frames,
        ..translation,
        ..inner_rotation,
        ..inner_orientation,
    }
}

inertia_setters!(BodyShape);

impl Component for BodyShape {
    fn contribute(p: BodyShapeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        rod(c, p.r);
        let frame = c.frame("frame_a");
        let inertia = p.inertia.tensor(c)?;
        c.body(frame, p.m, p.r_cm, inertia);
        c.shape("frame_a", |_| Shape::rod(p.r, BODY_COLOR));
        let diameter = Shape::rod(p.r, BODY_COLOR).width * 2.0;
        c.shape("frame_a", |_| Shape::arm(p.r, p.r_cm, diameter));
        c.shape("frame_a", |_| Shape::sphere(&p.r_cm, diameter, BODY_COLOR));
        p.free.join(c, frame, p.orientation, INNER_ORIENTATION);
        publish_inner_motion(c, frame);
        Ok(())
    }
}
