//! A joint from the world that leaves all translations.

use super::free_movement::{TranslationStarts, translation_starts};
use super::init::{Components, InitType, States, states};
use crate::compile::spatial::pose::Pose;
use crate::declaration::prelude::*;
use crate::vector::identity;

component! {
    /// Free translation against the world; the orientation is that of the world.
    ///
    /// # Equations
    /// `frame_b.r_0 = x + r`, `frame_b.R` is the identity; `v = der(x)`, `a = der(v)`; no forces,
    /// and no impulses. The joint exerts the torques and angular impulses that prevent rotation:
    /// what moves with it feels no lever arm.
    pub struct FreeTranslationalMovement
        = "MultiBondLib.Mechanics3DwithImpulses.Joints.FreeTranslationalMovement"
    {
        /// Position of frame_b where x is zero
        r: Vector3["m", fixed] = [0; 3],
        ..translation: translation_starts,
        ..states: states,
    }
    ports {
        /// Frame that moves
        frame_b: Frame,
    }
    variables {
        /// Position vector from the world to frame_b less r, resolved in the world
        x: Vector["m"],
        /// First derivative of x
        v: Vector["m/s"],
        /// Second derivative of x
        a: Vector["m/s2"],
    }
}

impl Component for FreeTranslationalMovement {
    fn contribute(
        p: FreeTranslationalMovementParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let frame_b = c.frame("frame_b");
        let world = c.ground(Pose { r: p.r, t: identity() });
        let slides = p.translation.slides(c, &p.states, true);
        c.joint(world, frame_b, &slides);
        p.states.apply_to(c, &slides);
        Ok(())
    }
}
