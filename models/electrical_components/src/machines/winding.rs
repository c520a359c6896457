//! The resistance of windings.

use crate::warm_resistance::factor;
use equations::Ex;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;

/// Temperature in K for which temperature coefficients are given.
const ROOM: f64 = 293.15;

/// A winding with a resistance that depends on temperature.
#[derive(Clone, Copy, Debug)]
pub(super) struct Winding {
    /// Resistance in Ohm at the reference temperature.
    pub resistance: Ex,
    /// Reference temperature in K.
    pub reference: Ex,
    /// Temperature coefficient at 20 degC in 1/K.
    pub alpha20: Ex,
    /// Temperature in K without heat port.
    pub temperature: Ex,
}

impl Winding {
    /// The temperature coefficient at the reference temperature.
    fn alpha(&self) -> Ex {
        self.alpha20 / (1.0 + self.alpha20 * (self.reference - ROOM))
    }

    /// Its resistance at a temperature.
    pub(super) fn at(&self, temperature: Ex) -> Ex {
        self.resistance * (1.0 + self.alpha() * (temperature - self.reference))
    }

    /// Its resistance at the present temperature; `local` is its name in messages.
    pub(super) fn present(
        &self,
        e: &mut VelocityView<'_>,
        heat_port: Option<HeatEnd>,
        local: &str,
    ) -> Ex {
        let temperature = heat_port.map_or(self.temperature, |end| e.temperature(end));
        self.resistance * factor(e, [temperature, self.reference, self.alpha()], local)
    }
}
