//! A thermometer.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;

/// Absolute temperature sensor.
///
/// # Equations
/// `T = port.T`, `port.Q_flow = 0`.
///
/// # Variables
/// `T` in K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor.
#[derive(Clone, Debug, Default)]
pub struct TemperatureSensor;

ports! {
    /// Ports and variables of a [`TemperatureSensor`].
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub struct TemperatureSensorPorts {
        /// The measured port.
        port: heat_port,
        /// Temperature in K.
        T: quantity,
    }
}

impl OldComponent for TemperatureSensor {
    type Ports = TemperatureSensorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let port = c.own_heat_port("port");
        c.signal("T", move |e| {
            let temperature = e.temperature(port);
            e.variable("T", temperature).unit("K").describe("Absolute temperature");
            Ok(temperature)
        });
        Ok(())
    }
}
