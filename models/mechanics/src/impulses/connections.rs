//! Rigid connections of two frames.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::vector::{identity, zero};

ports! {
    /// Ports of a connection of two frames.
    pub struct ConnectionPorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
    }
}

/// Connection at which a loop may be cut.
///
/// # Equations
/// Both frames have the same position and orientation: `frame_a.r_0 = frame_b.r_0`, `frame_a.R =
/// frame_b.R`; force and torque, and impulses, of one side act on the other: `frame_a.f + frame_b.f
/// = 0`, `frame_a.t + frame_b.t = 0`. Conditions that the rest of the loop fulfils already are left
/// out. Loops need no such element: frames may be connected directly.
///
/// # Variables
/// None.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Joints.CloseLoop, whose flows are equal instead of
/// opposite.
#[derive(Clone, Debug, Default)]
pub struct CloseLoop;

impl OldComponent for CloseLoop {
    type Ports = ConnectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.joint(a, b, &[]);
        Ok(())
    }
}

/// Rigid connection between elements with and without impulses.
///
/// # Equations
/// Both frames coincide; action and reaction. As impulses go through all elements, springs and
/// dampers included, which carry none, it is a plain connection.
///
/// # Variables
/// None.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Interfaces.ConnectContinousFrame.
#[derive(Clone, Debug, Default)]
pub struct ConnectContinuousFrame;

impl OldComponent for ConnectContinuousFrame {
    type Ports = ConnectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, zero(), identity());
        Ok(())
    }
}

/// Rigid connection that shows whether an impulse acts.
///
/// # Equations
/// Both frames coincide; action and reaction. `contact = u`, which has no influence on the motion:
/// an impulse reaches everything without being told.
///
/// # Variables
/// Input `u` (Boolean), which may stay open; `contact` if it does not.
///
/// # Reference
/// MultiBondLib.Mechanics3DwithImpulses.Interfaces.InsertImpulse.
#[derive(Clone, Debug, Default)]
pub struct InsertImpulse;

ports! {
    /// Ports and variables of an [`InsertImpulse`].
    pub struct InsertImpulsePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Whether an impulse acts; may stay open.
        u: input,
        /// The same, if `u` is connected.
        contact: quantity,
    }
}

impl OldComponent for InsertImpulse {
    type Ports = InsertImpulsePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.frame("frame_a"), c.frame("frame_b"));
        c.rigid(a, b, zero(), identity());
        if let Some(u) = c.optional_input("u") {
            c.law(move |e| {
                let contact = e.read(u)?.gt(0.5);
                e.variable("contact", contact).describe("Whether an impulse acts");
                Ok(())
            });
        }
        Ok(())
    }
}
