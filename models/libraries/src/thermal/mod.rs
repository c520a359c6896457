//! Heat transfer, for the losses of mechanical components and of circuits.

mod collector;
mod convection;
mod conversions;
mod fixed_temperature;
mod heat_capacitor;
mod prescribed_heat_flow;
mod prescribed_temperature;
mod sensors;
mod thermal_conductor;

pub use collector::*;
pub use convection::*;
pub use conversions::*;
pub use fixed_temperature::*;
pub use heat_capacitor::*;
pub use prescribed_heat_flow::*;
pub use prescribed_temperature::*;
pub use sensors::*;
pub use thermal_conductor::*;

use equations::Ex;
use mechanics::component::Contribution;
use mechanics::declaration::group;
use mechanics::error::Error;
use mechanics::statements::laws::signal_view::SignalView;

/// Zero degrees Celsius in K.
const ZERO_CELSIUS: f64 = 273.15;

/// The heat ports of [`element`].
const ENDS: [&str; 2] = ["port_a", "port_b"];

group! {
    /// Two ends, between which heat flows.
    pub struct Element(element) {}
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

/// The heat ports of [`surface`].
const SURFACE: [&str; 2] = ["solid", "fluid"];

group! {
    /// A solid and a fluid, between which heat flows.
    pub struct Surface(surface) {}
    ports {
        /// The solid
        solid: HeatPort,
        /// The fluid
        fluid: HeatPort,
    }
    variables {
        /// Heat flow from solid to fluid
        Q_flow: Real["W"],
        /// Temperature difference
        dT: Real["K"],
    }
}

/// A heat flow from one port to another, as a function of their temperatures.
fn flow_law(
    c: &mut Contribution<'_>,
    ports: [&'static str; 2],
    law: impl FnOnce(&mut SignalView<'_>, [Ex; 2]) -> Result<Ex, Error> + 'static,
) {
    let [from, to] = ports.map(|port| c.own_heat_port(port));
    c.law(move |e| {
        let temperatures = [e.temperature(from), e.temperature(to)];
        let flow = law(e, temperatures)?;
        e.set_heat_flow(from, flow);
        e.set_heat_flow(to, -flow);
        e.variable("Q_flow", flow);
        e.variable("dT", temperatures[0] - temperatures[1]);
        Ok(())
    });
}

/// A heat flow from one port to another, proportional to the difference of their temperatures;
/// `conductance` is in W/K.
fn conduct(
    c: &mut Contribution<'_>,
    ports: [&'static str; 2],
    conductance: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    flow_law(c, ports, |e, [from, to]| Ok(conductance(e)? * (from - to)));
}
