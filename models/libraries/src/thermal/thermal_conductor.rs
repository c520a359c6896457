//! Heat flow through a solid.

use super::conduct;
use mechanics::declaration::prelude::*;

component! {
    /// Lumped element that transports heat without storing it.
    ///
    /// It joins two parts of different temperatures, such as a brake disc and its hub.
    ///
    /// # Equations
    /// `Q_flow = G dT` with `dT = port_a.T - port_b.T`; `port_a.Q_flow = Q_flow`,
    /// `port_b.Q_flow = -Q_flow`.
    pub struct ThermalConductor = "Modelica.Thermal.HeatTransfer.Components.ThermalConductor" {
        /// Thermal conductance
        G: Real["W/K", >= 0, structural zero],
    }
    ports {
        /// First end
        port_a: HeatPort,
        /// Second end
        port_b: HeatPort,
    }
    variables {
        /// Heat flow from port_a to port_b
        Q_flow: Real["W"],
        /// Temperature difference
        dT: Real["K"],
    }
}

impl Component for ThermalConductor {
    fn contribute(p: ThermalConductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ports = (c.own_heat_port("port_a"), c.own_heat_port("port_b"));
        conduct(c, ports, move |_| Ok(p.G));
        Ok(())
    }
}
