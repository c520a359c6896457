//! Heat flow through a solid, and radiation.

use super::{ENDS, conduct, element, flow_law};
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
        ..element,
    }
}

impl Component for ThermalConductor {
    fn contribute(p: ThermalConductorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        conduct(c, ENDS, move |_| Ok(p.G));
        Ok(())
    }
}

component! {
    /// Lumped element that transports heat without storing it, given by its resistance.
    ///
    /// # Equations
    /// `dT = R Q_flow` with `dT = port_a.T - port_b.T`; `port_a.Q_flow = Q_flow`,
    /// `port_b.Q_flow = -Q_flow`. Without resistance, both ports have one temperature.
    pub struct ThermalResistor = "Modelica.Thermal.HeatTransfer.Components.ThermalResistor" {
        /// Thermal resistance
        R: Real["K/W", >= 0, structural zero],
        ..element,
    }
}

impl Component for ThermalResistor {
    fn contribute(p: ThermalResistorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        if c.is_zero("R", p.R)? {
            let [from, to] = ENDS.map(|port| c.own_heat_port(port));
            let link = c.link_heat_ports(from, to);
            c.law(move |e| {
                let flow = e.heat_through(link);
                e.variable("Q_flow", flow);
                e.variable("dT", Ex::zero());
                Ok(())
            });
            return Ok(());
        }
        conduct(c, ENDS, move |_| Ok(1.0 / p.R));
        Ok(())
    }
}

component! {
    /// Heat radiation between two surfaces.
    ///
    /// `Gr` follows from areas, emissivities and view factors: for a small body in a large room, it
    /// is its area times its emissivity.
    ///
    /// # Equations
    /// `Q_flow = Gr sigma (port_a.T^4 - port_b.T^4)` with the Stefan-Boltzmann constant `sigma`;
    /// `port_a.Q_flow = Q_flow`, `port_b.Q_flow = -Q_flow`.
    pub struct BodyRadiation = "Modelica.Thermal.HeatTransfer.Components.BodyRadiation" {
        /// Net radiation conductance between the surfaces
        Gr: Real["m2", >= 0, structural zero],
        ..element,
    }
}

/// The Stefan-Boltzmann constant in W/(m2.K4), from the exact constants of the SI.
const SIGMA: f64 = 5.670_374_419_184_43e-8;

impl Component for BodyRadiation {
    fn contribute(p: BodyRadiationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        flow_law(c, ENDS, move |_, [from, to]| Ok(p.Gr * SIGMA * (from.powi(4) - to.powi(4))));
        Ok(())
    }
}
