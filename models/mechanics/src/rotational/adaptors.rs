//! Adaptors between a flange and signals: they cut a drive train into models of its own.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::adaptor::{self, Signals};
use crate::ports;

/// Signal adaptor with angle, speed and acceleration as inputs and torque as output.
///
/// # Equations
/// `flange.phi = phi`, whose derivatives are `w` and `a`; `tau = -flange.tau`: the torque that the
/// adaptor exerts on the flange.
///
/// # Variables
/// Inputs `phi` in rad, `w` in rad/s, `a` in rad/s2. Where `a`, or `w` and `a`, are not connected,
/// they are the derivatives of what is; those of an input of the FMU are zero. Output `tau` in N.m.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.AngleToTorqueAdaptor.
#[derive(Clone, Debug, Default)]
pub struct AngleToTorqueAdaptor;

ports! {
    /// Ports and variables of an [`AngleToTorqueAdaptor`].
    pub struct AngleToTorqueAdaptorPorts {
        /// The driven flange.
        flange: flange,
        /// Angle in rad.
        phi: input,
        /// Angular velocity in rad/s.
        w: input,
        /// Angular acceleration in rad/s2.
        a: input,
        /// Torque on the flange in N.m.
        tau: quantity,
    }
}

impl OldComponent for AngleToTorqueAdaptor {
    type Ports = AngleToTorqueAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::motion_to_flow(c, &ROTATIONAL, Signals::of(&ROTATIONAL))
    }
}

/// Signal adaptor with torque as input and angle, speed and acceleration as outputs.
///
/// # Equations
/// `phi = flange.phi`, `w = der(phi)`, `a = der(w)`, `flange.tau = tau`.
///
/// # Variables
/// Input `tau` in N.m, positive into the adaptor. Outputs `phi` in rad, `w` in rad/s, `a` in
/// rad/s2.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.TorqueToAngleAdaptor.
#[derive(Clone, Debug, Default)]
pub struct TorqueToAngleAdaptor;

ports! {
    /// Ports and variables of a [`TorqueToAngleAdaptor`].
    pub struct TorqueToAngleAdaptorPorts {
        /// The measured and loaded flange.
        flange: flange,
        /// Angle in rad.
        phi: quantity,
        /// Angular velocity in rad/s.
        w: quantity,
        /// Angular acceleration in rad/s2.
        a: quantity,
        /// Torque into the adaptor in N.m.
        tau: input,
    }
}

impl OldComponent for TorqueToAngleAdaptor {
    type Ports = TorqueToAngleAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::flow_to_motion(c, &ROTATIONAL, Signals::of(&ROTATIONAL))
    }
}

/// Signal adaptor with angle and its derivatives as inputs and torque as output, under names common
/// to all domains.
///
/// # Equations
/// `flange.phi = p`, whose derivatives are `pder` and `pder2`; `f = -flange.tau`: the torque that
/// the adaptor exerts on the flange.
///
/// # Variables
/// Inputs `p` in rad, `pder` in rad/s, `pder2` in rad/s2. Where `pder2`, or `pder` and `pder2`, are
/// not connected, they are the derivatives of what is; those of an input of the FMU are zero.
/// Output `f` in N.m.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.GeneralAngleToTorqueAdaptor.
#[derive(Clone, Debug, Default)]
pub struct GeneralAngleToTorqueAdaptor;

ports! {
    /// Ports and variables of a [`GeneralAngleToTorqueAdaptor`].
    pub struct GeneralAngleToTorqueAdaptorPorts {
        /// The driven flange.
        flange: flange,
        /// Angle in rad.
        p: input,
        /// Angular velocity in rad/s.
        pder: input,
        /// Angular acceleration in rad/s2.
        pder2: input,
        /// Torque on the flange in N.m.
        f: quantity,
    }
}

impl OldComponent for GeneralAngleToTorqueAdaptor {
    type Ports = GeneralAngleToTorqueAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::motion_to_flow(c, &ROTATIONAL, Signals::GENERAL)
    }
}

/// Signal adaptor with torque as input and angle and its derivatives as outputs, under names common
/// to all domains.
///
/// # Equations
/// `p = flange.phi`, `pder = der(p)`, `pder2 = der(pder)`, `flange.tau = f`.
///
/// # Variables
/// Input `f` in N.m, positive into the adaptor. Outputs `p` in rad, `pder` in rad/s, `pder2` in
/// rad/s2.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.GeneralTorqueToAngleAdaptor.
#[derive(Clone, Debug, Default)]
pub struct GeneralTorqueToAngleAdaptor;

ports! {
    /// Ports and variables of a [`GeneralTorqueToAngleAdaptor`].
    pub struct GeneralTorqueToAngleAdaptorPorts {
        /// The measured and loaded flange.
        flange: flange,
        /// Angle in rad.
        p: quantity,
        /// Angular velocity in rad/s.
        pder: quantity,
        /// Angular acceleration in rad/s2.
        pder2: quantity,
        /// Torque into the adaptor in N.m.
        f: input,
    }
}

impl OldComponent for GeneralTorqueToAngleAdaptor {
    type Ports = GeneralTorqueToAngleAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::flow_to_motion(c, &ROTATIONAL, Signals::GENERAL)
    }
}
