//! A heat port at a given temperature.

use super::ZERO_CELSIUS;
use mechanics::declaration::{Declared, prelude::*};

component! {
    /// Fixed temperature boundary condition.
    ///
    /// It is the environment that takes the heat.
    ///
    /// # Equations
    /// `port.T = T`.
    ///
    /// Either `T` or `deg_c` must be given. A [`CelsiusTemperature`] has a parameter in degrees
    /// Celsius in the FMU too.
    pub struct FixedTemperature = "Modelica.Thermal.HeatTransfer.Sources.FixedTemperature" {
        /// Fixed temperature at the port
        T?: Real["K", >= 0, structural zero],
        /// Fixed temperature in degrees Celsius, instead of `T`
        deg_c?: Real["degC", structural],
    }
    ports {
        /// The port at this temperature
        port: HeatPort,
    }
}

impl Component for FixedTemperature {
    fn contribute(p: FixedTemperatureParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let temperature = match (p.T, p.deg_c) {
            (Some(kelvin), None) => kelvin,
            (None, Some(celsius)) => {
                let kelvin = Real::from(celsius + ZERO_CELSIUS);
                kelvin.declare(c, &Self::DECLARATION.parameters[0])?
            }
            (Some(_), Some(_)) => return Err(c.refuse("T", "only one of T and deg_c may be given")),
            (None, None) => return Err(c.refuse("T", "T or deg_c must be given")),
        };
        let port = c.own_heat_port("port");
        c.hold_temperature(port, temperature);
        Ok(())
    }
}

component! {
    /// Fixed temperature boundary condition in degrees Celsius.
    ///
    /// It is the environment that takes the heat.
    ///
    /// # Equations
    /// `port.T = T + 273.15 K`.
    pub struct CelsiusTemperature = "Modelica.Thermal.HeatTransfer.Celsius.FixedTemperature" {
        /// Fixed temperature at the port
        T: Real["degC", >= -273.15],
    }
    ports {
        /// The port at this temperature
        port: HeatPort,
    }
}

impl Component for CelsiusTemperature {
    fn contribute(p: CelsiusTemperatureParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let port = c.own_heat_port("port");
        c.hold_temperature(port, p.T + ZERO_CELSIUS);
        Ok(())
    }
}
