//! Heat flow between a solid and a fluid.

use super::conduct;
use mechanics::declaration::prelude::*;

component! {
    /// Lumped element for heat convection.
    ///
    /// It cools a housing or a brake by air or water.
    ///
    /// # Equations
    /// `Q_flow = Gc dT` with `dT = solid.T - fluid.T`; `solid.Q_flow = Q_flow`,
    /// `fluid.Q_flow = -Q_flow`.
    pub struct Convection = "Modelica.Thermal.HeatTransfer.Components.Convection" {}
    ports {
        /// The solid
        solid: HeatPort,
        /// The fluid
        fluid: HeatPort,
        /// Convective conductance
        gc "Gc": Input["W/K"],
    }
    variables {
        /// Heat flow from solid to fluid
        Q_flow: Real["W"],
        /// Temperature difference
        dT: Real["K"],
    }
}

impl Component for Convection {
    fn contribute(_: ConvectionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gc = c.input("Gc")?;
        let ports = (c.own_heat_port("solid"), c.own_heat_port("fluid"));
        conduct(c, ports, move |e| e.read(gc));
        Ok(())
    }
}
