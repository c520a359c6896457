//! A body that stores heat.

use crate::component::{Contribution, OldComponent};
use crate::domain::{Word, word};
use crate::error::Error;
use crate::start::{Start, guess};
use crate::{ports, setters};
use equations::Limits;

/// Lumped element that stores heat.
///
/// # Equations
/// `T = port.T`, `C der(T) = port.Q_flow`.
///
/// # Variables
/// `C` in J/K, positive; `T` in K is a state that starts at 293.15 K.
///
/// # Reference
/// Modelica.Thermal.HeatTransfer.Components.HeatCapacitor.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct HeatCapacitor {
    C: f64,
    T: Start,
}

ports! {
    /// Ports and variables of a [`HeatCapacitor`].
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub struct HeatCapacitorPorts {
        /// Where heat enters.
        port: heat_port,
        /// Temperature in K.
        T: quantity,
    }
}

impl HeatCapacitor {
    /// With heat capacity `C` in J/K.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    pub fn C(value: f64) -> Self {
        HeatCapacitor { C: value, T: guess(super::ROOM) }
    }
}

setters! {
    impl HeatCapacitor {
        /// Start value of the temperature in K.
        #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
        T: Start,
    }
}

/// Nominal value of a temperature in K, for error control.
const NOMINAL: f64 = 300.0;

static TEMPERATURE: Word = word("T", "K", "Temperature of the element");

impl OldComponent for HeatCapacitor {
    type Ports = HeatCapacitorPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("T", self.T.value, "K", Limits::NOT_NEGATIVE)?;
        let capacity = c.positive("C", self.C, "J/K", "Heat capacity")?;
        let port = c.own_heat_port("port");
        let mut temperature = c.candidate(&TEMPERATURE, self.T);
        temperature.nominal = NOMINAL;
        c.heat_capacity(port, capacity, temperature);
        c.law(move |e| {
            let temperature = e.temperature(port);
            e.define("T", temperature);
            Ok(())
        });
        Ok(())
    }
}
