//! An eddy current brake, whose torque depends on its temperature.

use mechanics::domain::two_domains;

#[two_domains]
pub mod rotational {
    use crate::interfaces::losses::losses;
    use crate::interfaces::source::Source;
    use crate::interfaces::source::rotational::supported;
    use mechanics::declaration::prelude::*;
    use mechanics::domain::ROTATIONAL;

    /// Temperature in K for which `alpha20` is given.
    const ROOM: f64 = 293.15;

    component! {
        /// Eddy current brake, dependent on speed and temperature.
        ///
        /// It brakes without contact, for example in test benches and trains, and heats up.
        ///
        /// # Equations
        /// `flange.tau = tau = 2 tau_nominal excitation^2 x / (1 + x^2)` with
        /// `x = w / (w_nominal (1 + alpha (T - TRef)))` and
        /// `alpha = alpha20 / (1 + alpha20 (TRef - 293.15))`; `support.tau = -tau`;
        /// `lossPower = tau w = -heatPort.Q_flow`. If `heatPort` is connected, `T` is its
        /// temperature.
        pub struct EddyCurrentTorque = "Modelica.Mechanics.Rotational.Sources.EddyCurrentTorque" {
            /// Largest torque; if negative, it drives the flange
            tau_nominal: Real["N.m"],
            /// Speed of the largest torque at the reference temperature
            w_nominal: Real["rad/s", != 0],
            /// Reference temperature
            t_ref "TRef": Real["K", >= 0, structural zero] = 293.15,
            /// Temperature coefficient of the material at 20 degC; 3.92e-3 1/K for copper
            alpha20: Real["1/K"] = 0,
            /// Temperature if no heat port is connected
            T: Real["K", >= 0, structural zero] = 293.15,
            /// Excitation
            constant_excitation "constantExcitation": Real["1", for excitation] = 1,
            ..supported,
            ..losses,
        }
        ports {
            /// Normalized excitation, 1 for the nominal torque
            excitation: Input["1"],
        }
        variables {
            /// Cut torque, positive into the component
            tau: Real["N.m"],
        }
    }

    impl Component for EddyCurrentTorque {
        #[allow(non_snake_case, reason = "names of the Modelica Standard Library")]
        fn contribute(
            p: EddyCurrentTorqueParameters,
            c: &mut Contribution<'_>,
        ) -> Result<(), Error> {
            let heat_port = c.heat_port("heatPort");
            let source = Source::new(c, &ROTATIONAL);
            c.law(move |e| {
                let w = e.relative(source.support, source.flange).v;
                let T = heat_port.map_or(p.T, |end| e.temperature(end));
                let excitation = p.constant_excitation.read(e)?;
                let alpha = p.alpha20 / (p.alpha20 * (p.t_ref - ROOM) + 1.0);
                let x = w / (p.w_nominal * (alpha * (T - p.t_ref) + 1.0));
                let tau = p.tau_nominal * 2.0 * excitation.square() * x / (x.square() + 1.0);
                source.act(e, tau);
                e.variable("tau", tau);
                e.set_loss(heat_port, tau * w);
                Ok(())
            });
            Ok(())
        }
    }
}
