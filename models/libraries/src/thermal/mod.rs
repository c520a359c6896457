//! Heat transfer, for the losses of mechanical components.

mod convection;
mod fixed_temperature;
mod heat_capacitor;
mod prescribed_heat_flow;
mod temperature_sensor;
mod thermal_conductor;

pub use convection::*;
pub use fixed_temperature::*;
pub use heat_capacitor::*;
pub use prescribed_heat_flow::*;
pub use temperature_sensor::*;
pub use thermal_conductor::*;

use equations::Ex;
use mechanics::component::Contribution;
use mechanics::error::Error;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::HeatEnd;

/// A heat flow from one port to another, proportional to the difference of their temperatures;
/// `conductance` is in W/K.
fn conduct(
    c: &mut Contribution<'_>,
    (from, to): (HeatEnd, HeatEnd),
    conductance: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
) {
    c.law(move |e| {
        let difference = e.temperature(from) - e.temperature(to);
        let flow = conductance(e)? * difference;
        e.set_heat_flow(from, flow);
        e.set_heat_flow(to, -flow);
        e.variable("Q_flow", flow);
        e.variable("dT", difference);
        Ok(())
    });
}
