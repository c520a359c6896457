//! Sensors of temperatures and heat flows.

use super::ZERO_CELSIUS;
use mechanics::declaration::prelude::*;

/// Publishes the temperature at the heat port `port` less the zero of a scale in K.
fn measure(c: &mut Contribution<'_>, zero: f64) {
    let port = c.own_heat_port("port");
    c.signal("T", move |e| {
        let temperature = e.temperature(port) - zero;
        e.variable("T", temperature);
        Ok(temperature)
    });
}

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
        measure(c, 0.0);
        Ok(())
    }
}

component! {
    /// Temperature sensor in degrees Celsius.
    ///
    /// # Equations
    /// `T = port.T - 273.15 K`, `port.Q_flow = 0`.
    pub struct CelsiusTemperatureSensor =
        "Modelica.Thermal.HeatTransfer.Celsius.TemperatureSensor" {}
    ports {
        /// Measured port
        port: HeatPort,
    }
    variables {
        /// Temperature in degrees Celsius
        T: Real["degC"],
    }
}

impl Component for CelsiusTemperatureSensor {
    fn contribute(
        _: CelsiusTemperatureSensorParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        measure(c, ZERO_CELSIUS);
        Ok(())
    }
}

component! {
    /// Relative temperature sensor.
    ///
    /// # Equations
    /// `T_rel = port_a.T - port_b.T`, `port_a.Q_flow = port_b.Q_flow = 0`.
    pub struct RelTemperatureSensor =
        "Modelica.Thermal.HeatTransfer.Sensors.RelTemperatureSensor" {}
    ports {
        /// First port
        port_a: HeatPort,
        /// Second port
        port_b: HeatPort,
    }
    variables {
        /// Relative temperature
        T_rel: Real["K"],
    }
}

impl Component for RelTemperatureSensor {
    fn contribute(
        _: RelTemperatureSensorParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let (a, b) = (c.own_heat_port("port_a"), c.own_heat_port("port_b"));
        c.output("T_rel", move |e| Ok(e.temperature(a) - e.temperature(b)));
        Ok(())
    }
}

component! {
    /// Heat flow sensor.
    ///
    /// # Equations
    /// `port_a.T = port_b.T`, `Q_flow = port_a.Q_flow = -port_b.Q_flow`.
    pub struct HeatFlowSensor = "Modelica.Thermal.HeatTransfer.Sensors.HeatFlowSensor" {}
    ports {
        /// Port at which the heat enters
        port_a: HeatPort,
        /// Port at which the heat leaves
        port_b: HeatPort,
    }
    variables {
        /// Heat flow from port_a to port_b
        Q_flow: Real["W"],
    }
}

impl Component for HeatFlowSensor {
    fn contribute(_: HeatFlowSensorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (a, b) = (c.own_heat_port("port_a"), c.own_heat_port("port_b"));
        let link = c.link_heat_ports(a, b);
        c.output("Q_flow", move |e| Ok(e.heat_through(link)));
        Ok(())
    }
}
