//! Batteries, capacitors that store as much, and a charger.

mod cells;
mod charger;
mod stacks;
mod super_cap;

pub use charger::*;
pub use stacks::*;
pub use super_cap::*;

use crate::warm_resistance::factor;
use equations::Ex;
use mechanics::component::Contribution;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;

/// The temperature of a component: that of its heat port `heatPort`, or a parameter without one.
#[derive(Clone, Copy, Debug)]
struct Housing {
    heat_port: Option<HeatEnd>,
    temperature: Ex,
}

impl Housing {
    fn new(c: &mut Contribution<'_>, temperature: Ex) -> Housing {
        Housing { heat_port: c.heat_port("heatPort"), temperature }
    }

    /// A resistance at the present temperature.
    fn resistance(self, e: &mut VelocityView<'_>, [r, t_ref, alpha]: [Ex; 3]) -> Ex {
        let temperature = self.heat_port.map_or(self.temperature, |end| e.temperature(end));
        r * factor(e, [temperature, t_ref, alpha], "heatPort.T")
    }

    /// Publishes the lost power, which flows out of the heat port.
    fn lose(self, e: &mut VelocityView<'_>, power: Ex) {
        e.variable("lossPower", power);
        if let Some(end) = self.heat_port {
            e.set_heat_flow(end, -power);
        }
    }
}
