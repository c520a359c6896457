//! A heat flow that a signal gives.

use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::{ports, setters};

/// Prescribed heat flow boundary condition.
///
/// # Equations
/// `port.Q_flow = -Q_flow (1 + alpha (port.T - T_ref))`.
///
/// # Variables
/// Input `Q_flow` in W: positive heats what is connected; `alpha` in 1/K, `T_ref` in K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Sources.PrescribedHeatFlow.
#[derive(Clone, Debug)]
pub struct PrescribedHeatFlow {
    alpha: f64,
    t_ref: f64,
}

ports! {
    /// Ports of a [`PrescribedHeatFlow`].
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub struct PrescribedHeatFlowPorts {
        /// Where the heat leaves.
        port: heat_port,
        /// Heat flow in W.
        Q_flow: input,
    }
}

impl Default for PrescribedHeatFlow {
    /// The same at every temperature.
    fn default() -> Self {
        PrescribedHeatFlow { alpha: 0.0, t_ref: super::ROOM }
    }
}

setters! {
    impl PrescribedHeatFlow {
        /// Temperature coefficient of the heat flow in 1/K.
        alpha: f64,
        /// Temperature in K at which the heat flow is as given.
        t_ref: f64,
    }
}

impl OldComponent for PrescribedHeatFlow {
    type Ports = PrescribedHeatFlowPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let alpha =
            c.value("alpha", self.alpha, "1/K", "Temperature coefficient of the heat flow")?;
        let t_ref = c.amount("T_ref", self.t_ref, "K", "Reference temperature")?;
        let input = c.input_in("Q_flow", "W")?;
        let port = c.own_heat_port("port");
        c.law(move |e| {
            let flow = e.read(input)?;
            e.set_heat_flow(port, -flow * (alpha * (e.temperature(port) - t_ref) + 1.0));
            e.variable("Q_flow", flow).unit("W").describe("Heat flow at the reference temperature");
            Ok(())
        });
        Ok(())
    }
}
