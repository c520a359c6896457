//! Forces and torques that the world exerts on a frame.

use super::load::load;
use crate::multibody::resolve::ResolveInFrameB;
use crate::ports;

/// External force on `frame_b`, given by three signals.
///
/// # Equations
/// `frame_b.f = -force`, `frame_b.t = 0`, with `force` resolved as `resolve_in_frame`
/// says, in the world by default.
///
/// # Variables
/// Input `force[3]` in N; positive accelerates what is connected along the axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.WorldForce.
#[derive(Clone, Debug)]
pub struct WorldForce {
    resolve_in_frame: ResolveInFrameB,
}

ports! {
    /// Ports of a [`WorldForce`].
    pub struct WorldForcePorts {
        /// The frame on which the force acts.
        frame_b: frame,
        /// The frame in which the force is resolved, with that choice only.
        frame_resolve: frame,
        /// The force in N.
        force: inputs,
    }
}

/// External torque on `frame_b`, given by three signals.
///
/// # Equations
/// `frame_b.t = -torque`, `frame_b.f = 0`, with `torque` resolved as `resolve_in_frame`
/// says, in the world by default.
///
/// # Variables
/// Input `torque[3]` in N.m; positive accelerates what is connected about the axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.WorldTorque.
#[derive(Clone, Debug)]
pub struct WorldTorque {
    resolve_in_frame: ResolveInFrameB,
}

ports! {
    /// Ports of a [`WorldTorque`].
    pub struct WorldTorquePorts {
        /// The frame on which the torque acts.
        frame_b: frame,
        /// The frame in which the torque is resolved, with that choice only.
        frame_resolve: frame,
        /// The torque in N.m.
        torque: inputs,
    }
}

/// External force and torque on `frame_b`, given by six signals.
///
/// # Equations
/// `frame_b.f = -force`, `frame_b.t = -torque`, with both resolved as `resolve_in_frame`
/// says, in the world by default.
///
/// # Variables
/// Inputs `force[3]` in N and `torque[3]` in N.m; positive accelerates what is connected along and
/// about the axes.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Forces.WorldForceAndTorque.
#[derive(Clone, Debug)]
pub struct WorldForceAndTorque {
    resolve_in_frame: ResolveInFrameB,
}

ports! {
    /// Ports of a [`WorldForceAndTorque`].
    pub struct WorldForceAndTorquePorts {
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

load!(WorldForce, WorldForcePorts, ResolveInFrameB::World, None, Some("force"), None);
load!(WorldTorque, WorldTorquePorts, ResolveInFrameB::World, None, None, Some("torque"));
load!(
    WorldForceAndTorque,
    WorldForceAndTorquePorts,
    ResolveInFrameB::World,
    None,
    Some("force"),
    Some("torque")
);
