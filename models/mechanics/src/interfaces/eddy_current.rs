//! An eddy current brake, warmer and weaker the longer it brakes.

use super::InputOr;
use super::source::{Source, nominal_speed, setting};
use crate::component::Contribution;
use crate::domain::Domain;
use crate::error::Error;

/// The temperature in K at which `alpha20` is given.
const ROOM: f64 = 293.15;

/// An eddy current brake.
#[derive(Clone, Copy, Debug)]
pub struct EddyCurrent {
    /// Largest torque (or force), in N.m or N.
    pub nominal: f64,
    /// Speed of the largest torque (or force) at the reference temperature, in rad/s or m/s.
    pub nominal_speed: f64,
    /// Reference temperature in K.
    pub reference_temperature: f64,
    /// Temperature coefficient of the material at 20 degC, in 1/K.
    pub alpha20: f64,
    /// Temperature in K if nothing is connected to the heat port.
    pub temperature: f64,
    /// Excitation if nothing is connected to the input.
    pub excitation: f64,
}

impl EddyCurrent {
    /// With its largest torque (or force) and the speed at which it has it; a material whose
    /// resistance does not depend on the temperature, and full excitation.
    pub fn new(nominal: f64, nominal_speed: f64) -> Self {
        let (reference_temperature, temperature) = (ROOM, ROOM);
        let (alpha20, excitation) = (0.0, 1.0);
        EddyCurrent {
            nominal,
            nominal_speed,
            reference_temperature,
            alpha20,
            temperature,
            excitation,
        }
    }

    /// Contributes the brake.
    pub fn contribute(
        self,
        c: &mut Contribution<'_>,
        domain: &'static Domain,
    ) -> Result<(), Error> {
        let words = &domain.source;
        let nominal = setting(c, &words.nominal, self.nominal)?;
        let speed = nominal_speed(c, &words.nominal_speed, self.nominal_speed)?;
        let text = "Reference temperature";
        let reference = c.amount("TRef", self.reference_temperature, "K", text)?;
        let text = "Temperature coefficient of the material at 20 degC";
        let alpha20 = c.value("alpha20", self.alpha20, "1/K", text)?;
        let text = "Temperature if no heat port is connected";
        let own_temperature = c.amount("T", self.temperature, "K", text)?;
        let heat_port = c.heat_port("heatPort");
        let constant = ("constantExcitation", self.excitation, "1");
        let excitation = InputOr::declare(c, "excitation", constant, "Excitation")?;
        let source = Source::new(c, domain);
        c.law(move |e| {
            let motion = e.relative(source.support, source.flange);
            let temperature = heat_port.map_or(own_temperature, |end| e.temperature(end));
            let excitation = excitation.read(e)?;
            let alpha = alpha20 / (alpha20 * (reference - ROOM) + 1.0);
            let at_temperature = speed * (alpha * (temperature - reference) + 1.0);
            let x = motion.v / at_temperature;
            let cut = nominal * 2.0 * excitation.square() * x / (x.square() + 1.0);
            source.act(e, cut);
            source.show(e, cut, domain.flow.describe);
            e.set_loss(heat_port, cut * motion.v);
            Ok(())
        });
        Ok(())
    }
}

/// The methods of an eddy current brake that set optional parameters.
macro_rules! eddy_current {
    ($Component:ident) => {
        impl $Component {
            /// Temperature in K at which the nominal speed is given.
            #[must_use]
            pub fn t_ref(self, reference_temperature: f64) -> Self {
                $Component(EddyCurrent { reference_temperature, ..self.0 })
            }

            /// Temperature coefficient of the material at 20 degC in 1/K, for example 3.92e-3
            /// (copper).
            #[must_use]
            pub fn alpha20(self, alpha20: f64) -> Self {
                $Component(EddyCurrent { alpha20, ..self.0 })
            }

            /// Temperature in K if the heat port is not connected.
            #[must_use]
            #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
            pub fn T(self, temperature: f64) -> Self {
                $Component(EddyCurrent { temperature, ..self.0 })
            }

            /// Excitation if the input is not connected.
            #[must_use]
            pub fn constant_excitation(self, excitation: f64) -> Self {
                $Component(EddyCurrent { excitation, ..self.0 })
            }
        }
    };
}
pub(crate) use eddy_current;
