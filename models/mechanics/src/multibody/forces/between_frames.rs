//! Forces and torques that signals give, between two frames.

use super::load::load;
use crate::multibody::resolve::ResolveInFrameAB;
use crate::ports;

/// Force between two frames, given by three signals.
///
/// # Equations
/// With `f` the force in world axes and `r` the position of `frame_b` relative to `frame_a`: `f`
/// acts at `frame_b` on what is connected there; at `frame_a` the reaction `-f` and its moment
/// `-r x f`.
///
/// # Variables
/// Input `force[3]` in N, resolved as `resolve_in_frame` says, in `frame_b` by default.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.Force.
#[derive(Clone, Debug)]
pub struct Force {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports of a [`Force`].
    pub struct ForcePorts {
        /// The frame that takes the reaction.
        frame_a: frame,
        /// The frame on which the force acts.
        frame_b: frame,
        /// The frame in which the force is resolved, with that choice only.
        frame_resolve: frame,
        /// The force in N.
        force: inputs,
    }
}

/// Torque between two frames, given by three signals.
///
/// # Equations
/// The torque acts at `frame_b` on what is connected there, its opposite at `frame_a`.
///
/// # Variables
/// Input `torque[3]` in N.m, resolved as `resolve_in_frame` says, in
/// `frame_b` by default.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.Torque.
#[derive(Clone, Debug)]
pub struct Torque {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports of a [`Torque`].
    pub struct TorquePorts {
        /// The frame that takes the reaction.
        frame_a: frame,
        /// The frame on which the torque acts.
        frame_b: frame,
        /// The frame in which the torque is resolved, with that choice only.
        frame_resolve: frame,
        /// The torque in N.m.
        torque: inputs,
    }
}

/// Force and torque between two frames, given by six signals.
///
/// # Equations
/// Those of a [`Force`] and a [`Torque`] between the same frames.
///
/// # Variables
/// Inputs `force[3]` in N and `torque[3]` in N.m, resolved as `resolve_in_frame` says, in
/// `frame_b` by default.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.ForceAndTorque.
#[derive(Clone, Debug)]
pub struct ForceAndTorque {
    resolve_in_frame: ResolveInFrameAB,
}

ports! {
    /// Ports of a [`ForceAndTorque`].
    pub struct ForceAndTorquePorts {
        /// The frame that takes the reaction.
        frame_a: frame,
        /// The frame on which force and torque act.
        frame_b: frame,
        /// The frame in which force and torque are resolved, with that choice only.
        frame_resolve: frame,
        /// The force in N.
        force: inputs,
        /// The torque in N.m.
        torque: inputs,
    }
}

load!(Force, ForcePorts, ResolveInFrameAB::FrameB, Some("frame_a"), Some("force"), None);
load!(Torque, TorquePorts, ResolveInFrameAB::FrameB, Some("frame_a"), None, Some("torque"));
load!(
    ForceAndTorque,
    ForceAndTorquePorts,
    ResolveInFrameAB::FrameB,
    Some("frame_a"),
    Some("force"),
    Some("torque")
);
