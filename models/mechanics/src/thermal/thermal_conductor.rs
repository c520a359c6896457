//! Heat through a solid.

use super::conduct;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;

/// Lumped element that transports heat without storing it.
///
/// # Equations
/// `Q_flow = G dT` with `dT = port_a.T - port_b.T`; `port_a.Q_flow = Q_flow`, `port_b.Q_flow =
/// -Q_flow`.
///
/// # Variables
/// `G` in W/K; `Q_flow` in W, `dT` in K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Components.ThermalConductor.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct ThermalConductor {
    G: f64,
}

ports! {
    /// Ports and variables of a [`ThermalConductor`].
    #[allow(non_snake_case, reason = "the names in the Modelica Standard Library")]
    pub struct ThermalConductorPorts {
        /// One end.
        port_a: heat_port,
        /// The other end.
        port_b: heat_port,
        /// Heat flow from `port_a` to `port_b` in W.
        Q_flow: quantity,
        /// Temperature difference in K.
        dT: quantity,
    }
}

impl ThermalConductor {
    /// With thermal conductance `G` in W/K.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn G(value: f64) -> Self {
        ThermalConductor { G: value }
    }
}

impl OldComponent for ThermalConductor {
    type Ports = ThermalConductorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let conductance = c.amount("G", self.G, "W/K", "Thermal conductance")?;
        let ports = (c.own_heat_port("port_a"), c.own_heat_port("port_b"));
        conduct(c, ports, move |_| Ok(conductance));
        Ok(())
    }
}
