//! Sensors of translation; they load nothing.

use crate::component::{Contribution, OldComponent};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::sensor::{self, Order};
use crate::ports;

/// Ideal sensor of the absolute position of a flange.
///
/// # Equations
/// `s = flange.s`, `flange.f = 0`.
///
/// # Variables
/// `s` in m.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.PositionSensor.
#[derive(Clone, Debug, Default)]
pub struct PositionSensor;

ports! {
    /// Ports and variables of a [`PositionSensor`].
    pub struct PositionSensorPorts {
        /// The measured flange.
        flange: translational_flange,
        /// Absolute position in m.
        s: quantity,
    }
}

impl OldComponent for PositionSensor {
    type Ports = PositionSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &TRANSLATIONAL, Order::Position);
        Ok(())
    }
}

/// Ideal sensor of the absolute velocity of a flange.
///
/// # Equations
/// `v = der(flange.s)`, `flange.f = 0`.
///
/// # Variables
/// `v` in m/s.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.SpeedSensor.
#[derive(Clone, Debug, Default)]
pub struct SpeedSensor;

ports! {
    /// Ports and variables of a [`SpeedSensor`].
    pub struct SpeedSensorPorts {
        /// The measured flange.
        flange: translational_flange,
        /// Absolute velocity in m/s.
        v: quantity,
    }
}

impl OldComponent for SpeedSensor {
    type Ports = SpeedSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &TRANSLATIONAL, Order::Speed);
        Ok(())
    }
}

/// Ideal sensor of the absolute acceleration of a flange.
///
/// # Equations
/// `v = der(flange.s)`, `a = der(v)`, `flange.f = 0`.
///
/// # Variables
/// `v` in m/s, `a` in m/s2.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.AccSensor.
#[derive(Clone, Debug, Default)]
pub struct AccSensor;

ports! {
    /// Ports and variables of an [`AccSensor`].
    pub struct AccSensorPorts {
        /// The measured flange.
        flange: translational_flange,
        /// Absolute velocity in m/s.
        v: quantity,
        /// Absolute acceleration in m/s2.
        a: quantity,
    }
}

impl OldComponent for AccSensor {
    type Ports = AccSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::absolute(c, &TRANSLATIONAL, Order::Acceleration);
        Ok(())
    }
}

/// Ideal sensor of the relative distance between two flanges.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `flange_a.f = flange_b.f = 0`.
///
/// # Variables
/// `s_rel` in m.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.RelPositionSensor.
#[derive(Clone, Debug, Default)]
pub struct RelPositionSensor;

ports! {
    /// Ports and variables of a [`RelPositionSensor`].
    pub struct RelPositionSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Relative distance in m.
        s_rel: quantity,
    }
}

impl OldComponent for RelPositionSensor {
    type Ports = RelPositionSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &TRANSLATIONAL, Order::Position);
        Ok(())
    }
}

/// Ideal sensor of the relative velocity between two flanges.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `v_rel = der(s_rel)`, `flange_a.f = flange_b.f =
/// 0`.
///
/// # Variables
/// `s_rel` in m, `v_rel` in m/s.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.RelSpeedSensor.
#[derive(Clone, Debug, Default)]
pub struct RelSpeedSensor;

ports! {
    /// Ports and variables of a [`RelSpeedSensor`].
    pub struct RelSpeedSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Relative distance in m.
        s_rel: quantity,
        /// Relative velocity in m/s.
        v_rel: quantity,
    }
}

impl OldComponent for RelSpeedSensor {
    type Ports = RelSpeedSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &TRANSLATIONAL, Order::Speed);
        Ok(())
    }
}

/// Ideal sensor of the relative acceleration between two flanges.
///
/// # Equations
/// `s_rel = flange_b.s - flange_a.s`, `v_rel = der(s_rel)`, `a_rel = der(v_rel)`,
/// `flange_a.f = flange_b.f = 0`.
///
/// # Variables
/// `s_rel` in m, `v_rel` in m/s, `a_rel` in m/s2.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.RelAccSensor.
#[derive(Clone, Debug, Default)]
pub struct RelAccSensor;

ports! {
    /// Ports and variables of a [`RelAccSensor`].
    pub struct RelAccSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Relative distance in m.
        s_rel: quantity,
        /// Relative velocity in m/s.
        v_rel: quantity,
        /// Relative acceleration in m/s2.
        a_rel: quantity,
    }
}

impl OldComponent for RelAccSensor {
    type Ports = RelAccSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::relative(c, &TRANSLATIONAL, Order::Acceleration);
        Ok(())
    }
}

/// Ideal sensor of the force between two flanges.
///
/// # Equations
/// `flange_a.s = flange_b.s`, `f = flange_a.f = -flange_b.f`.
///
/// # Variables
/// `f` in N.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.ForceSensor.
#[derive(Clone, Debug, Default)]
pub struct ForceSensor;

ports! {
    /// Ports and variables of a [`ForceSensor`].
    pub struct ForceSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Force from `flange_a` to `flange_b` in N.
        f: quantity,
    }
}

impl OldComponent for ForceSensor {
    type Ports = ForceSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::flow(c, &TRANSLATIONAL);
        Ok(())
    }
}

/// Ideal sensor of the power between two flanges.
///
/// # Equations
/// `flange_a.s = flange_b.s`, `flange_a.f = -flange_b.f`, `power = flange_a.f
/// der(flange_a.s)`.
///
/// # Variables
/// `power` in W.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.PowerSensor.
#[derive(Clone, Debug, Default)]
pub struct PowerSensor;

ports! {
    /// Ports and variables of a [`PowerSensor`].
    pub struct PowerSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Power from `flange_a` to `flange_b` in W.
        power: quantity,
    }
}

impl OldComponent for PowerSensor {
    type Ports = PowerSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::power(c, &TRANSLATIONAL);
        Ok(())
    }
}

/// Ideal sensor of force, speed and power between two flanges.
///
/// # Equations
/// `flange_a.s = flange_b.s`, `f = flange_a.f = -flange_b.f`, `v = der(flange_a.s)`,
/// `power = f v`.
///
/// # Variables
/// `power` in W, `v` in m/s, `f` in N.
///
/// # Reference
/// Modelica.Mechanics.Translational.Sensors.MultiSensor.
#[derive(Clone, Debug, Default)]
pub struct MultiSensor;

ports! {
    /// Ports and variables of a [`MultiSensor`].
    pub struct MultiSensorPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Power from `flange_a` to `flange_b` in W.
        power: quantity,
        /// Absolute velocity in m/s.
        v: quantity,
        /// Force from `flange_a` to `flange_b` in N.
        f: quantity,
    }
}

impl OldComponent for MultiSensor {
    type Ports = MultiSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        sensor::multi(c, &TRANSLATIONAL);
        Ok(())
    }
}
