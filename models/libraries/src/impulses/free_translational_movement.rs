//! A joint from the world with three translations.

use super::free_movement::{TranslationStarts, translation_starts};
use super::init::{InitType, States, states};
use mechanics::declaration::prelude::*;
use mechanics::statements::spatial::pose::Pose;
use mechanics::vector::identity;

component! {
    /// Free translation relative to the world, with the orientation of the world.
    ///
    /// It carries a body that moves freely but does not turn, such as a point mass or a
    /// cross-slide.
    ///
    /// # Equations
    /// `frame_b.r_0 = x + r`, `frame_b.R` is the identity, `v = der(x)`, `a = der(v)`. There are no
    /// forces and no impulses. The joint exerts the torques and angular impulses that prevent
    /// rotation, so lever arms of forces on the moving parts have no effect.
    pub struct FreeTranslationalMovement
        = "MultiBondLib.Mechanics3DwithImpulses.Joints.FreeTranslationalMovement"
    {
        /// Position of frame_b for x = 0
        r: [Real; 3]["m", fixed] = [0; 3],
        ..translation: translation_starts,
        ..states: states,
    }
    ports {
        /// Moving frame
        frame_b: Frame,
    }
    variables {
        /// Position vector from the world to frame_b minus r, resolved in the world
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
