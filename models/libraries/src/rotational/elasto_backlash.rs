//! Elements of backlash in series with a spring and damper.

use crate::interfaces::compliant::{Compliance, Compliant};
use crate::interfaces::losses::losses;
use crate::interfaces::relative_coordinate::rotational::{
    RelativeStarts, flange_pair, relative_motion, relative_starts,
};
use equations::{Bool, select};
use mechanics::declaration::{group, prelude::*};
use mechanics::domain::ROTATIONAL;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::coordinates::Motion;

/// Backlash in rad up to which it is neglected.
const NO_BACKLASH: f64 = 1e-10;

group! {
    /// A spring and damper with backlash.
    pub struct Backlash(backlash) {
        /// Spring constant
        c: Real["N.m/rad", > 0],
        /// Damping constant
        d: Real["N.m.s/rad", >= 0, structural zero],
        /// Total backlash
        b: Real["rad", >= 0, structural zero] = 0,
        /// Unstretched angle
        phi_rel0: Real["rad"] = 0,
    }
}

component! {
    /// Backlash in series with a linear spring and damper; the damping torque is limited to the
    /// spring torque.
    ///
    /// It is an elastic shaft or a gear with play, where the teeth must not pull.
    ///
    /// # Equations
    /// With `q = phi_rel - phi_rel0`, there is contact if `q > b/2`, where `tau_c = c (q - b/2)`,
    /// or if `q < -b/2`, where `tau_c = c (q + b/2)`. In contact, `tau = tau_c + tau_d` with
    /// `tau_d = d w_rel`. If `tau_d` has the sign of `tau_c`, it is limited to the magnitude of
    /// `tau_c`. If `tau` would have the opposite sign of `tau_c`, so that the contact would pull,
    /// `tau = 0`. Without contact, `tau_c = 0` and `tau = 0`. If `b <= 1e-10`, always `tau_c = c q`
    /// and `tau = tau_c + d w_rel`. The power that is not stored is lost:
    /// `lossPower = (tau - tau_c) w_rel`.
    ///
    /// During initialization `tau = tau_c + d w_rel`, where `tau_c` is `c (q - b/2)` above `3/4 b`,
    /// `c (q + b/2)` below `-3/4 b`, and `c q / 3` between them. This `tau_c` increases everywhere,
    /// so it can be inverted.
    ///
    /// While `tau` is zero in contact, the spring relaxes without load, and its damper dissipates
    /// the energy that it stored. (The component of the Modelica Standard Library has no loss
    /// there, so that this energy disappears.)
    ///
    /// # Events
    /// Contact begins or ends. In contact, the torque becomes or ceases to be zero, or the damping
    /// torque becomes or ceases to be limited. At these events the torque is continuous but its
    /// slope is not, which the integrator would not notice without an event.
    pub struct ElastoBacklash = "Modelica.Mechanics.Rotational.Components.ElastoBacklash" {
        ..backlash: backlash,
        ..flange_pair,
        ..relative_motion,
        ..relative: relative_starts,
        ..losses,
    }
}

impl Component for ElastoBacklash {
    fn contribute(p: ElastoBacklashParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.backlash.act(c, p.relative, true);
        Ok(())
    }
}

component! {
    /// Backlash in series with a linear spring and damper; the torque jumps when contact begins.
    ///
    /// It is an elastic shaft or a gear with play, with a simpler law at the beginning of contact.
    ///
    /// # Equations
    /// Those of [`ElastoBacklash`], but the damping torque is not limited: in contact
    /// `tau = tau_c + tau_d`, or `tau = 0` if this sum has the opposite sign of `tau_c`.
    ///
    /// # Events
    /// Contact begins or ends. In contact, the torque becomes or ceases to be zero.
    pub struct ElastoBacklash2 = "Modelica.Mechanics.Rotational.Components.ElastoBacklash2" {
        ..backlash: backlash,
        ..flange_pair,
        ..relative_motion,
        ..relative: relative_starts,
        ..losses,
    }
}

impl Component for ElastoBacklash2 {
    fn contribute(p: ElastoBacklash2Parameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.backlash.act(c, p.relative, false);
        Ok(())
    }
}

/// The effects of an element during a simulation.
struct Contact {
    /// Torque in N.m.
    torque: Ex,
    /// Lost power in W.
    loss_power: Ex,
    /// Stored energy in J.
    energy: Ex,
}

impl Backlash {
    /// States the law. If `limited`, the damping torque never exceeds the spring torque.
    fn act(self, c: &mut Contribution<'_>, relative: RelativeStarts, limited: bool) {
        let angle = relative.phi_nominal;
        let nominal = [angle, angle * c.magnitude(self.c)];
        let element = Compliant::new(c, &ROTATIONAL, relative);
        if self.b.is_constant_zero() {
            element.damped(c, self.d).law(c, move |_, relative| {
                let q = relative.q - self.phi_rel0;
                let tau_d = self.d * relative.v;
                Compliance {
                    flow: self.c * q + tau_d,
                    energy: self.c * q.square() * 0.5,
                    loss_power: Some(tau_d * relative.v),
                }
            });
            return;
        }
        element.law(c, move |e, relative| {
            let contact = self.in_contact(e, relative, limited, nominal);
            let [torque, loss_power] = self.at_the_start(relative);
            let initial = e.model().initial();
            let flow = select(initial, torque, contact.torque);
            let loss_power = select(initial, loss_power, contact.loss_power);
            Compliance { flow, energy: contact.energy, loss_power: Some(loss_power) }
        });
    }

    /// The effects of the contact. `nominal` contains the magnitudes of angle and torque that scale
    /// the relations.
    fn in_contact(
        &self,
        e: &mut SignalView<'_>,
        relative: &Motion,
        limited: bool,
        nominal: [f64; 2],
    ) -> Contact {
        let (q, tau_d) = (relative.q - self.phi_rel0, self.d * relative.v);
        let half = self.b / 2.0;
        let none = self.b.le(NO_BACKLASH);
        let mut beyond = |text: &str, distance: Ex| -> Bool {
            let name = e.full(text);
            e.model().relation(&name, distance).active(!none).nominal(nominal[0]).done()
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
            e.model().relation(&name, torque).active(touches).nominal(nominal[1]).done()
        };
        let presses = exceeds("pressed together", pressure);
        let damper = if limited {
            let exceeded = exceeds("damping limited by the spring", towards * (tau_d - tau_c));
            select(exceeded, tau_c, tau_d)
        } else {
            tau_d
        };
        let damper = select(none, tau_d, damper);
        let acts = none | (touches & presses);
        // Where the torque would pull, the spring relaxes without load.
        let damper = select(acts, damper, -tau_c);
        let torque = select(acts, tau_c + damper, 0.0);
        let loss_power = damper * relative.v;
        Contact { torque, loss_power, energy: tau_c * stretch * 0.5 }
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
