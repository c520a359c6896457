//! Heat: where losses go.

mod convection;
mod fixed_temperature;
mod heat_capacitor;
mod prescribed_heat_flow;
mod temperature_sensor;
mod thermal_conductor;

pub use convection::{Convection, ConvectionPorts};
pub use fixed_temperature::{FixedTemperature, FixedTemperaturePorts};
pub use heat_capacitor::{HeatCapacitor, HeatCapacitorPorts};
pub use prescribed_heat_flow::{PrescribedHeatFlow, PrescribedHeatFlowPorts};
pub use temperature_sensor::{TemperatureSensor, TemperatureSensorPorts};
pub use thermal_conductor::{ThermalConductor, ThermalConductorPorts};

use crate::compile::evaluation::Evaluation;
use crate::compile::structure::HeatEnd;
use crate::component::Contribution;
use crate::error::Error;
use equations::Ex;

/// Temperature in K at which initial and reference values are given.
const ROOM: f64 = 293.15;

/// A flow of heat from one port to another, proportional to the difference of their temperatures;
/// `conductance` in W/K.
fn conduct(
    c: &mut Contribution<'_>,
    (from, to): (HeatEnd, HeatEnd),
    conductance: impl FnOnce(&mut Evaluation<'_>) -> Result<Ex, Error> + 'static,
) {
    c.law(move |e| {
        let difference = e.temperature(from) - e.temperature(to);
        let flow = conductance(e)? * difference;
        e.set_heat_flow(from, flow);
        e.set_heat_flow(to, -flow);
        e.variable("Q_flow", flow)
            .unit("W")
            .describe("Heat flow from the first port to the second");
        e.variable("dT", difference).unit("K").describe("Temperature difference");
        Ok(())
    });
}
