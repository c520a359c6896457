//! A heat flow given by a signal.

use mechanics::declaration::prelude::*;

component! {
    /// Prescribed heat flow boundary condition.
    ///
    /// It is a heater, or losses that a signal gives.
    ///
    /// # Equations
    /// `port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))`: a positive `Q_flow` heats the
    /// connected parts.
    pub struct PrescribedHeatFlow = "Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow" {
        /// Temperature coefficient of the heat flow
        alpha: Real["1/K"] = 0,
        /// Reference temperature
        t_ref "T_ref": Real["K", >= 0, structural zero] = 293.15,
    }
    ports {
        /// Port through which heat leaves
        port: HeatPort,
        /// Heat flow at the reference temperature
        Q_flow: Input["W"],
    }
}

impl Component for PrescribedHeatFlow {
    fn contribute(p: PrescribedHeatFlowParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("Q_flow")?;
        let port = c.own_heat_port("port");
        c.law(move |e| {
            let flow = e.read(input)?;
            let t = e.temperature(port);
            e.set_heat_flow(port, -flow * (p.alpha * (t - p.t_ref) + 1.0));
            e.variable("Q_flow", flow);
            Ok(())
        });
        Ok(())
    }
}
