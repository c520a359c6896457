//! Rigid bodies with their centre of mass at their frame.

use super::free_movement::{TranslationStarts, join, translation_starts, world_motion};
use super::free_orientation::{OrientationStarts, orientation_starts};
use super::init::{InitType, States, states};
use crate::multibody::{InertiaTensor, inertia_setters, inertia_tensor};
use mechanics::declaration::prelude::*;
use mechanics::scene::Shape;
use mechanics::statements::motion::ends::FrameEnd;
use mechanics::vector::zero;

component! {
    /// Rigid body with its centre of mass at its frame, which a joint must connect to other parts.
    ///
    /// It is a part of a chain of joints in a model with impacts, such as a link of a pendulum.
    ///
    /// # Equations
    /// `frame_a.f = m R (a - g)` and `frame_a.t = I z + w x (I w)`, with the motion of `frame_a`.
    /// An impulse `F` changes `v` by `F / m`, and an angular impulse `T` changes `w` by
    /// `inverse(I) T`.
    pub struct SimpleBody = "MultiBondLib.Mechanics3DwithImpulses.Parts.SimpleBody" {
        /// Mass of rigid body
        m: Real["kg", >= 0, structural zero] = 1,
        ..inertia: inertia_tensor,
    }
    ports {
        /// Frame at the centre of mass
        frame_a: Frame,
    }
}

inertia_setters!(SimpleBody);

impl Component for SimpleBody {
    fn contribute(p: SimpleBodyParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        centred_body(c, p.m, &p.inertia).map(|_| ())
    }
}

component! {
    /// Rigid body with its centre of mass at its frame; it is free if nothing else connects the
    /// frame.
    ///
    /// It is a ball, a puck or a projectile that moves freely until it hits something.
    ///
    /// # Equations
    /// Those of [`SimpleBody`], and those of `PotentialFBM` for `frame_a`: if no joint connects the
    /// body to the world, `x`, `v`, the quaternion `Q` of `frame_a` and `w` are states (or, instead
    /// of `Q` and `w`, the angles `phi` and their derivatives `phi_d`).
    pub struct Body = "MultiBondLib.Mechanics3DwithImpulses.Parts.Body" {
        /// Mass of rigid body
        m: Real["kg", >= 0, structural zero] = 1,
        ..inertia: inertia_tensor,
        ..translation: translation_starts,
        ..orientation: orientation_starts,
        ..states: states,
        ..world_motion,
    }
    ports {
        /// Frame at the centre of mass
        frame_a: Frame,
    }
}

inertia_setters!(Body);

impl Component for Body {
    fn contribute(p: BodyParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = centred_body(c, p.m, &p.inertia)?;
        let needed = p.states.enforce_states;
        join(c, frame, (p.translation, p.orientation), &p.states, needed)
    }
}

/// A body with its centre of mass at `frame_a`.
fn centred_body(
    c: &mut Contribution<'_>,
    m: Ex,
    inertia: &InertiaTensor,
) -> Result<FrameEnd, Error> {
    let frame = c.frame("frame_a");
    let inertia = inertia.tensor(c)?;
    c.body(frame, m, zero(), inertia);
    c.shape("frame_a", |nominal| Shape::body_sphere(&zero(), nominal));
    Ok(frame)
}
