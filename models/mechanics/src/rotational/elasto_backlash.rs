//! Springs and dampers in series with backlash.

use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::component::{Contribution, OldComponent};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::compliant::{
    Compliance, Compliant, RelativeStates, SpringDamper, relative_states,
};
use crate::{ports, setters};
use equations::{Bool, Ex, select};

/// A backlash in rad that counts as none.
const NO_BACKLASH: f64 = 1e-10;

ports! {
    /// Ports and variables of an [`ElastoBacklash`] or [`ElastoBacklash2`].
    pub struct ElastoBacklashPorts {
        /// Left flange.
        flange_a: flange,
        /// Right flange.
        flange_b: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Relative angle in rad.
        phi_rel: quantity,
        /// Relative angular velocity in rad/s.
        w_rel: quantity,
        /// Relative angular acceleration in rad/s2.
        a_rel: quantity,
        /// Torque between the flanges in N.m.
        tau: quantity,
        /// Power lost in W.
        loss_power: quantity = "lossPower",
    }
}

/// Declares a component with backlash; `limited`: its damping torque is not larger than that of
/// its spring.
macro_rules! elasto_backlash {
    ($(#[$attribute:meta])* $Component:ident, limited: $limited:literal) => {
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        pub struct $Component {
            c: f64,
            d: f64,
            b: f64,
            phi_rel0: f64,
            relative: RelativeStates,
        }

        impl $Component {
            /// With stiffness `c` in N.m/rad and damping `d` in N.m.s/rad, without backlash.
            pub fn c_d(c: f64, d: f64) -> Self {
                $Component { c, d, b: 0.0, phi_rel0: 0.0, relative: RelativeStates::default() }
            }
        }

        setters! {
            impl $Component {
                /// Total backlash in rad.
                b: f64,
                /// Relative angle in the middle of the backlash in rad.
                phi_rel0: f64,
            }
        }
        relative_states!(rotational $Component);

        impl OldComponent for $Component {
            type Ports = ElastoBacklashPorts;

            fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
                let backlash = Backlash {
                    c: c.positive("c", self.c, "N.m/rad", "Spring constant")?,
                    d: c.amount("d", self.d, "N.m.s/rad", "Damping constant")?,
                    b: c.amount("b", self.b, "rad", "Total backlash")?,
                    phi_rel0: c.value("phi_rel0", self.phi_rel0, "rad", "Unstretched angle")?,
                    limited: $limited,
                    nominal: [self.relative.nominal, self.relative.nominal * self.c],
                };
                backlash.act(c, self.relative);
                Ok(())
            }
        }
    };
}

elasto_backlash! {
    /// Backlash in series with a linear spring and damper whose damping torque is limited by the
    /// spring's.
    ///
    /// # Equations
    /// `q = phi_rel - phi_rel0`. In contact (`q > b/2`, where `tau_c = c (q - b/2)`, or `q < -b/2`,
    /// where `tau_c = c (q + b/2)`) with `tau_d = d w_rel`: `tau = tau_c + tau_d` with `tau_d`
    /// limited to the magnitude of `tau_c` where it has its sign, and `tau = 0` instead of pulling.
    /// Without contact `tau_c` and `tau` are zero. With `b <= 1e-10` always `tau_c = c q` and
    /// `tau = tau_c + d w_rel`. What is not stored is lost: `lossPower = (tau - tau_c) w_rel`.
    ///
    /// During initialization `tau = tau_c + d w_rel`, where `tau_c` is `c (q - b/2)` above `3/4 b`,
    /// `c (q + b/2)` below `-3/4 b` and `c q / 3` between them: it rises everywhere, so that it
    /// can be inverted.
    ///
    /// While `tau` is zero in contact the spring relaxes alone, and its damper takes what it had
    /// stored. (The published element has no loss there, so that energy vanishes.)
    ///
    /// # Variables
    /// `c` in N.m/rad, positive, `d` in N.m.s/rad (if zero, a constant), `b` in rad (total
    /// backlash; if zero, a constant), `phi_rel0` in rad.
    ///
    /// # Events
    /// Contact begins or ends; in contact the torque becomes or ceases to be zero, or the damping
    /// torque becomes or ceases to be limited. The torque is continuous then, but its slope is not,
    /// which no step of the integrator would notice by itself.
    ///
    /// # Reference
    /// Modelica.Mechanics.Rotational.Components.ElastoBacklash.
    ElastoBacklash, limited: true
}

elasto_backlash! {
    /// Backlash in series with a linear spring and damper; the torque jumps when contact begins.
    ///
    /// # Equations
    /// Those of [`ElastoBacklash`], but the damping torque is not limited: in contact
    /// `tau = tau_c + tau_d`, and `tau = 0` instead of pulling.
    ///
    /// # Variables
    /// Those of [`ElastoBacklash`].
    ///
    /// # Events
    /// Contact begins or ends; in contact the torque becomes or ceases to be zero.
    ///
    /// # Reference
    /// Modelica.Mechanics.Rotational.Components.ElastoBacklash2.
    ElastoBacklash2, limited: false
}

#[derive(Clone, Copy)]
struct Backlash {
    c: Ex,
    d: Ex,
    b: Ex,
    phi_rel0: Ex,
    limited: bool,
    /// Magnitudes of angle and torque at which an event is found.
    nominal: [f64; 2],
}

impl Backlash {
    fn act(self, c: &mut Contribution<'_>, relative: RelativeStates) {
        let element = Compliant::new(c, &ROTATIONAL, relative);
        if self.b.is_constant_zero() {
            let Backlash { c: stiffness, d, phi_rel0: unstretched, .. } = self;
            SpringDamper { c: stiffness, d: Some(d), unstretched }.act(c, element);
            return;
        }
        element.law(c, move |e, relative| {
            let run = self.in_contact(e, relative);
            let start = self.at_the_start(relative);
            let initial = e.model().initial();
            let choose = |start, run| select(initial, start, run);
            let [flow, loss] = [0, 1].map(|k| choose(start[k], run.0[k]));
            Compliance { flow, energy: run.1, loss_power: Some(loss) }
        });
    }

    /// Torque and lost power, and the stored energy.
    fn in_contact(&self, e: &mut Evaluation<'_>, relative: &Motion) -> ([Ex; 2], Ex) {
        let (q, tau_d) = (relative.q - self.phi_rel0, self.d * relative.v);
        let half = self.b / 2.0;
        let none = self.b.le(NO_BACKLASH);
        let mut beyond = |text: &str, distance: Ex| -> Bool {
            let name = e.full(text);
            e.model().relation(&name, distance).active(!none).nominal(self.nominal[0]).done()
        };
        let above = beyond("phi_rel above the backlash", q - half);
        let below = beyond("phi_rel below the backlash", -half - q);
        let touches = above | below;
        let stretch = select(above, q - half, select(below, q + half, select(none, q, 0.0)));
        let tau_c = self.c * stretch;
        let towards = select(above, 1.0, -1.0);
        let pressure = towards * (tau_c + tau_d);
        let mut exceeds = |text: &str, torque: Ex| -> Bool {
            let name = e.full(text);
            e.model().relation(&name, torque).active(touches).nominal(self.nominal[1]).done()
        };
        let presses = exceeds("pressed together", pressure);
        let damper = if self.limited {
            let exceeded = exceeds("damping limited by the spring", towards * (tau_d - tau_c));
            select(exceeded, tau_c, tau_d)
        } else {
            tau_d
        };
        let damper = select(none, tau_d, damper);
        let acts = none | (touches & presses);
        // Where the torque would pull the spring relaxes alone.
        let damper = select(acts, damper, -tau_c);
        let torque = select(acts, tau_c + damper, 0.0);
        ([torque, damper * relative.v], tau_c * stretch * 0.5)
    }

    /// Torque and lost power during initialization.
    fn at_the_start(&self, relative: &Motion) -> [Ex; 2] {
        let (q, tau_d) = (relative.q - self.phi_rel0, self.d * relative.v);
        let half = self.b / 2.0;
        let near = 1.5 * half;
        let outside = select(q.gt(near), q - half, q + half);
        let inside = q.abs().le(near);
        let tau_c = self.c * select(inside, q / 3.0, outside);
        [tau_c + tau_d, tau_d * relative.v]
    }
}
