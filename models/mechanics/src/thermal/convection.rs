//! Heat between a solid and a fluid.

use super::conduct;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;

/// Lumped element for heat convection.
///
/// # Equations
/// `Q_flow = Gc dT` with `dT = solid.T - fluid.T`; `solid.Q_flow = Q_flow`, `fluid.Q_flow =
/// -Q_flow`.
///
/// # Variables
/// Input `Gc` in W/K; `Q_flow` in W, `dT` in K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Components.Convection.
#[derive(Clone, Debug, Default)]
pub struct Convection;

ports! {
    /// Ports and variables of a [`Convection`].
    #[allow(non_snake_case, reason = "the names in the Modelica Standard Library")]
    pub struct ConvectionPorts {
        /// The solid.
        solid: heat_port,
        /// The fluid.
        fluid: heat_port,
        /// Convective conductance in W/K.
        gc: input = "Gc",
        /// Heat flow from solid to fluid in W.
        Q_flow: quantity,
        /// Temperature difference in K.
        dT: quantity,
    }
}

impl OldComponent for Convection {
    type Ports = ConvectionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let conductance = c.input_in("Gc", "W/K")?;
        let ports = (c.own_heat_port("solid"), c.own_heat_port("fluid"));
        conduct(c, ports, move |e| e.read(conductance));
        Ok(())
    }
}
