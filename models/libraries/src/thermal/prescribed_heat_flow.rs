//! Heat flows that are given.

use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A heat flow that may depend on the temperature.
    pub struct Heating(heating) {
        /// Temperature coefficient of the heat flow
        alpha: Real["1/K"] = 0,
        /// Reference temperature
        t_ref "T_ref": Real["K", >= 0, structural zero] = 293.15,
    }
    ports {
        /// Port through which heat leaves
        port: HeatPort,
    }
}

impl Heating {
    /// States the heat flow, which `at_reference` gives at the reference temperature.
    fn law(
        self,
        c: &mut Contribution<'_>,
        at_reference: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let port = c.own_heat_port("port");
        c.law(move |e| {
            let flow = at_reference(e)?;
            let t = e.temperature(port);
            e.set_heat_flow(port, -flow * (self.alpha * (t - self.t_ref) + 1.0));
            Ok(())
        });
    }
}

component! {
    /// Prescribed heat flow boundary condition.
    ///
    /// It is a heater, or losses that a signal gives.
    ///
    /// # Equations
    /// `port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))`: a positive `Q_flow` heats the
    /// connected parts.
    pub struct PrescribedHeatFlow = "Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow" {
        ..heating: heating,
    }
    ports {
        /// Heat flow at the reference temperature
        Q_flow: Input["W"],
    }
}

impl Component for PrescribedHeatFlow {
    fn contribute(p: PrescribedHeatFlowParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("Q_flow")?;
        p.heating.law(c, move |e| {
            let flow = e.read(input)?;
            e.variable("Q_flow", flow);
            Ok(flow)
        });
        Ok(())
    }
}

component! {
    /// Fixed heat flow boundary condition.
    ///
    /// # Equations
    /// `port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))`: a positive `Q_flow` heats the
    /// connected parts.
    pub struct FixedHeatFlow = "Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow" {
        /// Heat flow at the reference temperature
        Q_flow: Real["W"],
        ..heating: heating,
    }
}

impl Component for FixedHeatFlow {
    fn contribute(p: FixedHeatFlowParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let flow = p.Q_flow;
        p.heating.law(c, move |_| Ok(flow));
        Ok(())
    }
}
