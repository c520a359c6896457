//! A heat port at a given temperature.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;

/// Fixed temperature boundary condition.
///
/// # Equations
/// `port.T = T`.
///
/// # Variables
/// `T` in K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Sources.FixedTemperature, and the one of its package Celsius.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct FixedTemperature {
    T: f64,
}

ports! {
    /// Ports of a [`FixedTemperature`].
    pub struct FixedTemperaturePorts {
        /// The port at this temperature.
        port: heat_port,
    }
}

impl FixedTemperature {
    /// Of `T` in K.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn T(kelvin: f64) -> Self {
        FixedTemperature { T: kelvin }
    }

    /// Of a temperature in degC.
    pub fn deg_c(celsius: f64) -> Self {
        FixedTemperature { T: celsius + 273.15 }
    }
}

impl OldComponent for FixedTemperature {
    type Ports = FixedTemperaturePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let temperature = c.amount("T", self.T, "K", "Fixed temperature at the port")?;
        let port = c.own_heat_port("port");
        c.hold_temperature(port, temperature);
        Ok(())
    }
}
