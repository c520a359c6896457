//! Rigid connections of two frames.

use crate::declaration::{group, prelude::*};
use crate::vector::{identity, zero};

group! {
    /// Two frames.
    pub struct FramePair(two_frames) {}
    ports {
        /// Frame on one side
        frame_a: Frame,
        /// Frame on the other side
        frame_b: Frame,
    }
}

component! {
    /// Connection at which a loop may be cut.
    ///
    /// # Equations
    /// Both frames have the same position and orientation: `frame_a.r_0 = frame_b.r_0`,
    /// `frame_a.R = frame_b.R`; force and torque, and impulses, of one side act on the other:
    /// `frame_a.f + frame_b.f = 0`, `frame_a.t + frame_b.t = 0`, where the flows of the source are
    /// equal instead of opposite. Conditions that the rest of the loop fulfils already are left
    /// out. Loops need no such element: frames may be connected directly.
    pub struct CloseLoop = "MultiBondLib.Mechanics3DwithImpulses.Joints.CloseLoop" {
        ..two_frames,
    }
}

impl Component for CloseLoop {
    fn contribute(_: CloseLoopParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &[]);
        Ok(())
    }
}

component! {
    /// Rigid connection between elements with and without impulses.
    ///
    /// # Equations
    /// Both frames coincide; action and reaction. As impulses go through all elements, springs and
    /// dampers included, which carry none, it is a plain connection.
    pub struct ConnectContinuousFrame
        = "MultiBondLib.Mechanics3DwithImpulses.Interfaces.ConnectContinousFrame"
    {
        ..two_frames,
    }
}

impl Component for ConnectContinuousFrame {
    fn contribute(
        _: ConnectContinuousFrameParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, zero(), identity());
        Ok(())
    }
}

component! {
    /// Rigid connection that shows whether an impulse acts.
    ///
    /// # Equations
    /// Both frames coincide; action and reaction. `contact = u`, which has no influence on the
    /// motion: an impulse reaches everything without being told. Without `u` there is no `contact`.
    pub struct InsertImpulse = "MultiBondLib.Mechanics3DwithImpulses.Interfaces.InsertImpulse" {
        ..two_frames,
    }
    ports {
        /// Whether an impulse acts; may stay open
        u: Input,
    }
    variables {
        /// Whether an impulse acts
        contact: Boolean,
    }
}

impl Component for InsertImpulse {
    fn contribute(_: InsertImpulseParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, zero(), identity());
        if let Some(u) = c.optional_input("u") {
            c.law(move |e| {
                let contact = e.read(u)?.gt(0.5);
                e.variable("contact", contact);
                Ok(())
            });
        }
        Ok(())
    }
}
