//! Sensors of rotation; they load nothing.

use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::sensor::{self, Order};
use crate::ports;

/// Ideal sensor of the absolute angle of a flange.
///
/// # Equations
/// `phi = flange.phi`, `flange.tau = 0`.
///
/// # Variables
/// `phi` in rad.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.AngleSensor.
#[derive(Clone, Debug, Default)]
pub struct AngleSensor;

ports! {
    /// Ports and variables of an [`AngleSensor`].
    pub struct AngleSensorPorts {
        /// The measured flange.
        flange: flange,
        /// Absolute angle in rad.
        phi: quantity,
    }
}

impl OldComponent for AngleSensor {
    type Ports = AngleSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &ROTATIONAL, Order::Position);
        Ok(())
    }
}

/// Ideal sensor of the absolute angular velocity of a flange.
///
/// # Equations
/// `w = der(flange.phi)`, `flange.tau = 0`.
///
/// # Variables
/// `w` in rad/s.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.SpeedSensor.
#[derive(Clone, Debug, Default)]
pub struct SpeedSensor;

ports! {
    /// Ports and variables of a [`SpeedSensor`].
    pub struct SpeedSensorPorts {
        /// The measured flange.
        flange: flange,
        /// Absolute angular velocity in rad/s.
        w: quantity,
    }
}

impl OldComponent for SpeedSensor {
    type Ports = SpeedSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &ROTATIONAL, Order::Speed);
        Ok(())
    }
}

/// Ideal sensor of the absolute angular acceleration of a flange.
///
/// # Equations
/// `w = der(flange.phi)`, `a = der(w)`, `flange.tau = 0`.
///
/// # Variables
/// `w` in rad/s, `a` in rad/s2.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.AccSensor.
#[derive(Clone, Debug, Default)]
pub struct AccSensor;

ports! {
    /// Ports and variables of an [`AccSensor`].
    pub struct AccSensorPorts {
        /// The measured flange.
        flange: flange,
        /// Absolute angular velocity in rad/s.
        w: quantity,
        /// Absolute angular acceleration in rad/s2.
        a: quantity,
    }
}

impl OldComponent for AccSensor {
    type Ports = AccSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &ROTATIONAL, Order::Acceleration);
        Ok(())
    }
}

/// Ideal sensor of the relative angle between two flanges.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `flange_a.tau = flange_b.tau = 0`.
///
/// # Variables
/// `phi_rel` in rad.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.RelAngleSensor.
#[derive(Clone, Debug, Default)]
pub struct RelAngleSensor;

ports! {
    /// Ports and variables of a [`RelAngleSensor`].
    pub struct RelAngleSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
    }
}

impl OldComponent for RelAngleSensor {
    type Ports = RelAngleSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &ROTATIONAL, Order::Position);
        Ok(())
    }
}

/// Ideal sensor of the relative angular velocity between two flanges.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `flange_a.tau = flange_b.tau =
/// 0`.
///
/// # Variables
/// `phi_rel` in rad, `w_rel` in rad/s.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.RelSpeedSensor.
#[derive(Clone, Debug, Default)]
pub struct RelSpeedSensor;

ports! {
    /// Ports and variables of a [`RelSpeedSensor`].
    pub struct RelSpeedSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
    }
}

impl OldComponent for RelSpeedSensor {
    type Ports = RelSpeedSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &ROTATIONAL, Order::Speed);
        Ok(())
    }
}

/// Ideal sensor of the relative angular acceleration between two flanges.
///
/// # Equations
/// `phi_rel = flange_b.phi - flange_a.phi`, `w_rel = der(phi_rel)`, `a_rel = der(w_rel)`,
/// `flange_a.tau = flange_b.tau = 0`.
///
/// # Variables
/// `phi_rel` in rad, `w_rel` in rad/s, `a_rel` in rad/s2.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.RelAccSensor.
#[derive(Clone, Debug, Default)]
pub struct RelAccSensor;

ports! {
    /// Ports and variables of a [`RelAccSensor`].
    pub struct RelAccSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Relative angular acceleration in rad/s2.
        a_rel: quantity,
    }
}

impl OldComponent for RelAccSensor {
    type Ports = RelAccSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &ROTATIONAL, Order::Acceleration);
        Ok(())
    }
}

/// Ideal sensor of the torque between two flanges.
///
/// # Equations
/// `flange_a.phi = flange_b.phi`, `tau = flange_a.tau = -flange_b.tau`.
///
/// # Variables
/// `tau` in N.m.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.TorqueSensor.
#[derive(Clone, Debug, Default)]
pub struct TorqueSensor;

ports! {
    /// Ports and variables of a [`TorqueSensor`].
    pub struct TorqueSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Torque from `flange_a` to `flange_b` in N.m.
        tau: quantity,
    }
}

impl OldComponent for TorqueSensor {
    type Ports = TorqueSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::flow(c, &ROTATIONAL);
        Ok(())
    }
}

/// Ideal sensor of the power between two flanges.
///
/// # Equations
/// `flange_a.phi = flange_b.phi`, `flange_a.tau = -flange_b.tau`, `power = flange_a.tau
/// der(flange_a.phi)`.
///
/// # Variables
/// `power` in W.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.PowerSensor.
#[derive(Clone, Debug, Default)]
pub struct PowerSensor;

ports! {
    /// Ports and variables of a [`PowerSensor`].
    pub struct PowerSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Power from `flange_a` to `flange_b` in W.
        power: quantity,
    }
}

impl OldComponent for PowerSensor {
    type Ports = PowerSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::power(c, &ROTATIONAL);
        Ok(())
    }
}

/// Ideal sensor of torque, speed and power between two flanges.
///
/// # Equations
/// `flange_a.phi = flange_b.phi`, `tau = flange_a.tau = -flange_b.tau`, `w = der(flange_a.phi)`,
/// `power = tau w`.
///
/// # Variables
/// `power` in W, `w` in rad/s, `tau` in N.m.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Sensors.MultiSensor.
#[derive(Clone, Debug, Default)]
pub struct MultiSensor;

ports! {
    /// Ports and variables of a [`MultiSensor`].
    pub struct MultiSensorPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Power from `flange_a` to `flange_b` in W.
        power: quantity,
        /// Absolute angular velocity in rad/s.
        w: quantity,
        /// Torque from `flange_a` to `flange_b` in N.m.
        tau: quantity,
    }
}

impl OldComponent for MultiSensor {
    type Ports = MultiSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::multi(c, &ROTATIONAL);
        Ok(())
    }
}
