//! Rigid connections of two frames, with the names of MultiBondLib.

use crate::multibody::two_frames;
use mechanics::declaration::prelude::*;
use mechanics::vector::{identity, zero};

component! {
    /// Rigid connection at which a loop can be cut.
    ///
    /// It marks the place at which a kinematic loop of parts with impacts is cut.
    ///
    /// # Equations
    /// Both frames have the same position and orientation: `frame_a.r_0 = frame_b.r_0` and
    /// `frame_a.R = frame_b.R`. Force, torque and impulses of one side act on the other:
    /// `frame_a.f + frame_b.f = 0` and `frame_a.t + frame_b.t = 0` (in MultiBondLib these flows are
    /// equal instead of opposite). Conditions that already follow from the rest of the loop are
    /// left out. Loops do not require this component, because frames may be connected directly.
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
    /// It joins parts of `multibody` to parts with impacts.
    ///
    /// Both frames coincide, and the forces, torques and impulses of one side act on the other.
    /// Here impulses are transmitted by all components (springs and dampers transmit zero), so this
    /// is a plain connection.
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
    /// Rigid connection that publishes whether an impulse acts.
    ///
    /// It shows contacts in plots, as in the models of MultiBondLib.
    ///
    /// Both frames coincide, and the forces, torques and impulses of one side act on the other.
    /// `contact = u`, which has no influence on the motion, because impulses act on all parts
    /// without this signal. If `u` is not connected, there is no `contact`.
    pub struct InsertImpulse = "MultiBondLib.Mechanics3DwithImpulses.Interfaces.InsertImpulse" {
        ..two_frames,
    }
    ports {
        /// Whether an impulse acts; may be left open
        u: Input,
    }
    variables {
        /// Whether an impulse acts
        contact?: Boolean,
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
