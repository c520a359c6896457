//! Heat ports at temperatures that signals give.

use super::ZERO_CELSIUS;
use mechanics::declaration::prelude::*;

/// Keeps the heat port `port` at the temperature of the input `T`, to which `zero` adds the zero of
/// its scale in K.
fn prescribe(c: &mut Contribution<'_>, zero: f64) -> Result<(), Error> {
    let (port, input) = (c.own_heat_port("port"), c.input("T")?);
    c.prescribe_temperature(port);
    c.law(move |e| {
        let temperature = e.read(input)? + zero;
        e.prescribe_temperature(port, temperature);
        Ok(())
    });
    Ok(())
}

component! {
    /// Variable temperature boundary condition.
    ///
    /// It is an environment whose temperature changes, such as that of a day.
    ///
    /// # Equations
    /// `port.T = T`.
    pub struct PrescribedTemperature = "Modelica.Thermal.HeatTransfer.Sources.PrescribedTemperature" {}
    ports {
        /// The port at this temperature
        port: HeatPort,
        /// Temperature
        T: Input["K"],
    }
}

impl Component for PrescribedTemperature {
    fn contribute(
        _: PrescribedTemperatureParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        prescribe(c, 0.0)
    }
}

component! {
    /// Variable temperature boundary condition in degrees Celsius.
    ///
    /// # Equations
    /// `port.T = T + 273.15 K`.
    pub struct CelsiusPrescribedTemperature =
        "Modelica.Thermal.HeatTransfer.Celsius.PrescribedTemperature" {}
    ports {
        /// The port at this temperature
        port: HeatPort,
        /// Temperature in degrees Celsius
        T: Input["degC"],
    }
}

impl Component for CelsiusPrescribedTemperature {
    fn contribute(
        _: CelsiusPrescribedTemperatureParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        prescribe(c, ZERO_CELSIUS)
    }
}
