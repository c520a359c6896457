//! A sensor of the temperature at a heat port.

use mechanics::declaration::prelude::*;

component! {
    /// Absolute temperature sensor.
    ///
    /// # Equations
    /// `T = port.T`, `port.Q_flow = 0`.
    pub struct TemperatureSensor = "Modelica.Thermal.HeatTransfer.Sensors.TemperatureSensor" {}
    ports {
        /// Measured port
        port: HeatPort,
    }
    variables {
        /// Absolute temperature
        T: Real["K"],
    }
}

impl Component for TemperatureSensor {
    fn contribute(_: TemperatureSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let port = c.own_heat_port("port");
        c.signal("T", move |e| {
            let temperature = e.temperature(port);
            e.variable("T", temperature);
            Ok(temperature)
        });
        Ok(())
    }
}
