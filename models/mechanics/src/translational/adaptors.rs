//! Adaptors between a flange and signals: they cut a drive train into models of its own.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::adaptor::{self, Signals};
use crate::ports;

/// Signal adaptor with position, speed and acceleration as inputs and force as output.
///
/// # Equations
/// `flange.s = s`, whose derivatives are `v` and `a`; `f = -flange.f`: the force that the
/// adaptor exerts on the flange.
///
/// # Variables
/// Inputs `s` in m, `v` in m/s, `a` in m/s2. Where `a`, or `v` and `a`, are not connected, they are
/// the derivatives of what is; those of an input of the FMU are zero. Output `f` in N.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.PositionToForceAdaptor.
#[derive(Clone, Debug, Default)]
pub struct PositionToForceAdaptor;

ports! {
    /// Ports and variables of a [`PositionToForceAdaptor`].
    pub struct PositionToForceAdaptorPorts {
        /// The driven flange.
        flange: translational_flange,
        /// Position in m.
        s: input,
        /// Velocity in m/s.
        v: input,
        /// Acceleration in m/s2.
        a: input,
        /// Force on the flange in N.
        f: quantity,
    }
}

impl OldComponent for PositionToForceAdaptor {
    type Ports = PositionToForceAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::motion_to_flow(c, &TRANSLATIONAL, Signals::of(&TRANSLATIONAL))
    }
}

/// Signal adaptor with force as input and position, speed and acceleration as outputs.
///
/// # Equations
/// `s = flange.s`, `v = der(s)`, `a = der(v)`, `flange.f = f`.
///
/// # Variables
/// Input `f` in N, positive into the adaptor. Outputs `s` in m, `v` in m/s, `a` in m/s2.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.ForceToPositionAdaptor.
#[derive(Clone, Debug, Default)]
pub struct ForceToPositionAdaptor;

ports! {
    /// Ports and variables of a [`ForceToPositionAdaptor`].
    pub struct ForceToPositionAdaptorPorts {
        /// The measured and loaded flange.
        flange: translational_flange,
        /// Position in m.
        s: quantity,
        /// Velocity in m/s.
        v: quantity,
        /// Acceleration in m/s2.
        a: quantity,
        /// Force into the adaptor in N.
        f: input,
    }
}

impl OldComponent for ForceToPositionAdaptor {
    type Ports = ForceToPositionAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::flow_to_motion(c, &TRANSLATIONAL, Signals::of(&TRANSLATIONAL))
    }
}

/// Signal adaptor with position and its derivatives as inputs and force as output, under names
/// common to all domains.
///
/// # Equations
/// `flange.s = p`, whose derivatives are `pder` and `pder2`; `f = -flange.f`: the force that the
/// adaptor exerts on the flange.
///
/// # Variables
/// Inputs `p` in m, `pder` in m/s, `pder2` in m/s2. Where `pder2`, or `pder` and `pder2`, are not
/// connected, they are the derivatives of what is; those of an input of the FMU are zero. Output
/// `f` in N.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.GeneralPositionToForceAdaptor.
#[derive(Clone, Debug, Default)]
pub struct GeneralPositionToForceAdaptor;

ports! {
    /// Ports and variables of a [`GeneralPositionToForceAdaptor`].
    pub struct GeneralPositionToForceAdaptorPorts {
        /// The driven flange.
        flange: translational_flange,
        /// Position in m.
        p: input,
        /// Velocity in m/s.
        pder: input,
        /// Acceleration in m/s2.
        pder2: input,
        /// Force on the flange in N.
        f: quantity,
    }
}

impl OldComponent for GeneralPositionToForceAdaptor {
    type Ports = GeneralPositionToForceAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::motion_to_flow(c, &TRANSLATIONAL, Signals::GENERAL)
    }
}

/// Signal adaptor with force as input and position and its derivatives as outputs, under names
/// common to all domains.
///
/// # Equations
/// `p = flange.s`, `pder = der(p)`, `pder2 = der(pder)`, `flange.f = f`.
///
/// # Variables
/// Input `f` in N, positive into the adaptor. Outputs `p` in m, `pder` in m/s, `pder2` in m/s2.
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.GeneralForceToPositionAdaptor.
#[derive(Clone, Debug, Default)]
pub struct GeneralForceToPositionAdaptor;

ports! {
    /// Ports and variables of a [`GeneralForceToPositionAdaptor`].
    pub struct GeneralForceToPositionAdaptorPorts {
        /// The measured and loaded flange.
        flange: translational_flange,
        /// Position in m.
        p: quantity,
        /// Velocity in m/s.
        pder: quantity,
        /// Acceleration in m/s2.
        pder2: quantity,
        /// Force into the adaptor in N.
        f: input,
    }
}

impl OldComponent for GeneralForceToPositionAdaptor {
    type Ports = GeneralForceToPositionAdaptorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        adaptor::flow_to_motion(c, &TRANSLATIONAL, Signals::GENERAL)
    }
}
