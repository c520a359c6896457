//! A body that stores heat.

use mechanics::declaration::prelude::*;

/// Nominal value of a temperature in K, which scales its error tolerance.
const NOMINAL: f64 = 300.0;

component! {
    /// Lumped element that stores heat.
    ///
    /// It is a part that losses heat up, such as a brake disc or the housing of a gear.
    ///
    /// # Equations
    /// `T = port.T`, `C der(T) = port.Q_flow`.
    pub struct HeatCapacitor = "Modelica.Thermal.HeatTransfer.Components.HeatCapacitor" {
        /// Heat capacity
        C: Real["J/K", > 0],
        /// Start value of the temperature
        T: Start["K", >= 0] = guess(293.15),
    }
    ports {
        /// Port through which heat enters
        port: HeatPort,
    }
    variables {
        /// Temperature of the element
        T: Real["K"],
    }
}

impl Component for HeatCapacitor {
    fn contribute(p: HeatCapacitorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let port = c.own_heat_port("port");
        let mut temperature = c.named_start_variable("T", "K", p.T);
        temperature.nominal = NOMINAL;
        c.heat_capacity(port, p.C, temperature);
        c.law(move |e| {
            let temperature = e.temperature(port);
            e.define("T", temperature);
            Ok(())
        });
        Ok(())
    }
}
