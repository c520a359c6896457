//! Conversions of temperatures.

use super::ZERO_CELSIUS;
use mechanics::declaration::prelude::*;

component! {
    /// Conversion from kelvin to degrees Celsius.
    ///
    /// # Equations
    /// `Celsius = Kelvin - 273.15`.
    pub struct FromKelvin = "Modelica.Thermal.HeatTransfer.Celsius.FromKelvin" {}
    ports {
        /// Temperature in K
        kelvin "Kelvin": Input["K"],
    }
    variables {
        /// Temperature in degrees Celsius
        celsius "Celsius": Real["degC"],
    }
}

impl Component for FromKelvin {
    fn contribute(_: FromKelvinParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let kelvin = c.input("Kelvin")?;
        c.output("Celsius", move |e| Ok(e.read(kelvin)? - ZERO_CELSIUS));
        Ok(())
    }
}

component! {
    /// Conversion from degrees Celsius to kelvin.
    ///
    /// # Equations
    /// `Kelvin = Celsius + 273.15`.
    pub struct ToKelvin = "Modelica.Thermal.HeatTransfer.Celsius.ToKelvin" {}
    ports {
        /// Temperature in degrees Celsius
        celsius "Celsius": Input["degC"],
    }
    variables {
        /// Temperature in K
        kelvin "Kelvin": Real["K"],
    }
}

impl Component for ToKelvin {
    fn contribute(_: ToKelvinParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let celsius = c.input("Celsius")?;
        c.output("Kelvin", move |e| Ok(e.read(celsius)? + ZERO_CELSIUS));
        Ok(())
    }
}
