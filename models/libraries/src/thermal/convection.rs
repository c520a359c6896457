//! Heat flow between a solid and a fluid.

use super::{SURFACE, conduct, surface};
use mechanics::declaration::prelude::*;

component! {
    /// Lumped element for heat convection.
    ///
    /// It cools a housing or a brake by air or water.
    ///
    /// # Equations
    /// `Q_flow = Gc dT` with `dT = solid.T - fluid.T`; `solid.Q_flow = Q_flow`,
    /// `fluid.Q_flow = -Q_flow`.
    pub struct Convection = "Modelica.Thermal.HeatTransfer.Components.Convection" {
        ..surface,
    }
    ports {
        /// Convective conductance
        gc "Gc": Input["W/K"],
    }
}

impl Component for Convection {
    fn contribute(_: ConvectionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let gc = c.input("Gc")?;
        conduct(c, SURFACE, move |e| e.read(gc));
        Ok(())
    }
}

component! {
    /// Lumped element for heat convection, given by its resistance.
    ///
    /// # Equations
    /// `dT = Rc Q_flow` with `dT = solid.T - fluid.T`; `solid.Q_flow = Q_flow`,
    /// `fluid.Q_flow = -Q_flow`.
    pub struct ConvectiveResistor = "Modelica.Thermal.HeatTransfer.Components.ConvectiveResistor" {
        ..surface,
    }
    ports {
        /// Convective resistance
        rc "Rc": Input["K/W"],
    }
}

impl Component for ConvectiveResistor {
    fn contribute(_: ConvectiveResistorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rc = c.input("Rc")?;
        conduct(c, SURFACE, move |e| {
            let resistance = e.read(rc)?;
            let sentence = format!("{}: the resistance must be positive", e.full("Rc"));
            e.model.assert(None, resistance.gt(0.0), &sentence, false);
            Ok(1.0 / resistance)
        });
        Ok(())
    }
}
