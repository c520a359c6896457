//! A gear with mesh efficiency and bearing friction, which can get stuck.

use crate::interfaces::friction::{Beyond, ModeMachine, ModeState, publish_free};
use crate::interfaces::losses::losses;
use crate::interfaces::two_flanges_and_support;
use equations::{Bool, Limits, select, select_bool, table_linear};
use mechanics::declaration::{Pending, Rows, prelude::*};
use mechanics::domain::ROTATIONAL;
use mechanics::statements::laws::friction_element::{FrictionState, Pressing};

/// The table of a gear without losses.
const IDEAL: [f64; 5] = [0.0, 1.0, 1.0, 0.0, 0.0];

component! {
    /// Gear with mesh efficiency and bearing friction (stuck and rolling possible).
    ///
    /// It is a gear whose efficiency depends on the flange that drives, such as a worm gear that
    /// locks itself.
    ///
    /// # Equations
    /// `phi_a = ratio phi_b`, where both angles are relative to the support, and
    /// `0 = flange_b.tau + ratio (flange_a.tau - tauLoss)`. The torque of the support balances
    /// those of both flanges. While the gear turns, the loss torque depends on `w_a = der(phi_a)`
    /// and on the driving flange:
    ///
    /// | `w_a` | driving flange | `tauLoss` |
    /// |---|---|---|
    /// | > 0 | a | `(1 - eta_mf1) tau_a + tau_bf1` |
    /// | > 0 | b | `(1 - 1/eta_mf2) tau_a + tau_bf2` |
    /// | < 0 | a | `(1 - eta_mf1) tau_a - tau_bf1` |
    /// | < 0 | b | `(1 - 1/eta_mf2) tau_a - tau_bf2` |
    ///
    /// While the gear is stuck, `tauLoss` is the torque that holds it, between the limits of both
    /// directions.
    ///
    /// A row of `lossTable` contains `|w_a|`, the efficiencies `eta_mf1` if flange a drives and
    /// `eta_mf2` if flange b drives (each above 0 and at most 1), and the resulting bearing torques
    /// `tau_bf1` and `tau_bf2` at flange a, whose signs are ignored. The table is interpolated
    /// linearly, and extrapolated by its first or last two rows; extrapolated efficiencies stay
    /// between the smallest one of the table and 1.
    ///
    /// # Events
    /// `w_a` changes its sign; the loss torque reaches a limit while the gear is stuck; the driving
    /// flange changes.
    pub struct LossyGear = "Modelica.Mechanics.Rotational.Components.LossyGear" {
        /// Transmission ratio (flange_a.phi / flange_b.phi)
        ratio: Real["1", != 0, fixed],
        /// Mesh efficiencies and bearing friction over the speed
        loss_table "lossTable": [[Real]]["rad/s, 1, 1, N.m, N.m", on demand] = [[0, 1, 1, 0, 0]],
        ..losses,
    }
    ports {
        /// Fast flange
        flange_a: Flange,
        /// Slow flange
        flange_b: Flange,
        /// Housing
        support: Flange,
    }
    variables {
        /// Loss torque at flange a
        tau_loss "tauLoss": Real["N.m"],
        /// Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free
        mode: Integer,
        /// True while starting to turn forward
        start_forward "startForward"?: Boolean,
        /// True while starting to turn backward
        start_backward "startBackward"?: Boolean,
        /// True while stuck
        locked: Boolean,
        /// Path parameter of the friction characteristic
        sa?: Real["1"],
        /// Angle of flange a relative to the support
        phi_a?: Real["rad"],
        /// Speed of flange a relative to the support
        w_a?: Real["rad/s"],
    }
}

/// The columns of the table as parameters. Of a pair, the first holds if flange a drives, the
/// second if flange b drives.
#[derive(Clone, Debug)]
struct LossColumns {
    w: Vec<Ex>,
    eta_mf: [Vec<Ex>; 2],
    tau_bf: [Vec<Ex>; 2],
}

impl LossColumns {
    /// The columns of a table; `None` for a gear without losses.
    fn declare(c: &mut Contribution<'_>, table: Pending<Rows>) -> Result<Option<Self>, Error> {
        let (any, efficiency) = (Limits::ANY, Limits { max: 1.0, ..Limits::POSITIVE });
        let is_ideal = table.value == Rows::from([IDEAL]);
        let columns = [
            ("Speed of flange a", any),
            ("Mesh efficiency if flange a drives", efficiency),
            ("Mesh efficiency if flange b drives", efficiency),
            ("Bearing friction torque at flange a if flange a drives", any),
            ("Bearing friction torque at flange a if flange b drives", any),
        ];
        let [w, eta_mf1, eta_mf2, tau_bf1, tau_bf2] = table.declare_columns(c, columns)?;
        let losses = LossColumns { w, eta_mf: [eta_mf1, eta_mf2], tau_bf: [tau_bf1, tau_bf2] };
        Ok(Some(losses).filter(|_| !is_ideal))
    }

    /// An efficiency; where the table is extrapolated, it stays between the smallest one and 1.
    fn efficiency(&self, rows: &[Ex], speed: Ex) -> Ex {
        let value = table_linear(&self.w, rows, speed);
        let smallest = rows.iter().copied().reduce(|least, row| least.min(row));
        smallest.filter(|_| rows.len() > 1).map_or(value, |least| value.max(least).min(1.0))
    }

    fn at(&self, speed: Ex) -> Loss {
        let eta = self.eta_mf.each_ref().map(|rows| self.efficiency(rows, speed));
        let tau_bf = self.tau_bf.each_ref().map(|rows| table_linear(&self.w, rows, speed).abs());
        // Where the mesh losses vanish, the torque at which the driving flange changes goes to
        // infinity, and the larger bearing torque remains. This is the limit for efficiencies that
        // tend to one.
        let lossless = eta[0].equals(1.0) & eta[1].equals(1.0);
        let larger = tau_bf[0].max(tau_bf[1]);
        Loss { eta, tau_bf: tau_bf.map(|own| select(lossless, larger, own)) }
    }
}

/// Efficiencies and bearing torques at one speed, first if flange a drives, then if flange b
/// drives.
#[derive(Clone, Copy)]
struct Loss {
    eta: [Ex; 2],
    tau_bf: [Ex; 2],
}

/// A loss torque `factor tau_a + constant`.
#[derive(Clone, Copy)]
struct LossTorque {
    factor: Ex,
    constant: Ex,
}

impl Loss {
    /// The loss torque in a direction if flange a drives.
    fn a_drives(&self, sign: f64) -> LossTorque {
        LossTorque { factor: 1.0 - self.eta[0], constant: self.tau_bf[0] * sign }
    }

    /// The loss torque in a direction if flange b drives.
    fn b_drives(&self, sign: f64) -> LossTorque {
        LossTorque { factor: 1.0 - 1.0 / self.eta[1], constant: self.tau_bf[1] * sign }
    }

    /// The torque at flange a at which the driving flange changes while turning forward.
    fn change_of_drive(&self) -> Ex {
        let slope = self.eta[0] - 1.0 / self.eta[1];
        let lossless = self.eta[0].equals(1.0) & self.eta[1].equals(1.0);
        let quotient = (self.tau_bf[0] - self.tau_bf[1]) / select(lossless, 1.0, slope);
        select(lossless, self.tau_bf[0] * 0.5, quotient)
    }

    /// The limit of the loss torque in a direction: the largest one forward, the smallest one
    /// backward.
    fn limit(&self, sign: f64, tau_a: Ex) -> Ex {
        let change = self.change_of_drive();
        let [a, b] = [self.a_drives(sign), self.b_drives(sign)]
            .map(|LossTorque { factor, constant }| factor * tau_a + constant);
        if sign > 0.0 {
            select((tau_a - change).gt(0.0), a, b)
        } else {
            select((tau_a + change).gt(0.0), b, a)
        }
    }

    /// A function that is positive if flange a drives forward, or flange b backward. `positive` is
    /// the truth value of this relation in the present pass.
    ///
    /// Compares the torque at the change of the driving flange with the torque of flange a,
    /// computed with the loss at this change. This torque does not depend on `positive`, so the
    /// relation has one consistent value; the function is zero where the actual torque is that of
    /// the change.
    fn drives(&self, modes: &ModeState, positive: Bool, sa: Ex, state: &FrictionState) -> Ex {
        let change = self.change_of_drive();
        let LossTorque { factor, constant } = self.a_drives(1.0);
        let forward = select_bool(modes.locked, sa.gt(0.0), modes.forward);
        let sign = select(forward, 1.0, -1.0);
        let lost = sign * (factor * change + constant);
        let at_change =
            state.reaction + state.reaction_decrease_per_torque * (state.holding_torque - lost);
        // At the change both laws agree, so if the torque is within its error of the change, the
        // relation keeps its value. While the gear is stuck, neither law holds, and rounding errors
        // might determine the direction, so the relation keeps its value too.
        let drives = at_change - sign * change
            + select(positive, state.reaction_error, -state.reaction_error);
        select(modes.locked, select(positive, 1.0, -1.0), drives)
    }
}

/// One of two loss torques.
fn choose(condition: Bool, a: LossTorque, b: LossTorque) -> LossTorque {
    LossTorque {
        factor: select(condition, a.factor, b.factor),
        constant: select(condition, a.constant, b.constant),
    }
}

impl Component for LossyGear {
    fn contribute(p: LossyGearParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let losses = LossColumns::declare(c, p.loss_table)?;
        let ratio = p.ratio;
        let [a, b, support] = two_flanges_and_support(c, &ROTATIONAL);
        let constraint =
            c.linear(&[(a, Ex::one()), (b, -ratio), (support, ratio - 1.0)], Ex::zero());
        let heat_port = c.heat_port("heatPort");
        let Some(losses) = losses else {
            c.law(move |e| {
                e.variable("tauLoss", Ex::zero());
                publish_free(e);
                e.set_loss(heat_port, Ex::zero());
                Ok(())
            });
            return Ok(());
        };
        let tau_a = c.reaction(constraint);
        c.law(move |e| {
            let motion = e.relative(support, a);
            let (phi_a, w_a) = (motion.q, motion.v);
            let limits = ["sa > tauLossMax", "sa < tauLossMin"].map(str::to_owned);
            let machine =
                ModeMachine::declare(e, ("w_a", w_a), &Beyond { first: &limits, started: &[] });
            let modes = machine.state(e, Bool::constant(false), [Bool::constant(true); 2]);
            // True if flange a drives while turning forward, or flange b while turning backward.
            let name = format!("{}: tau_eta >= 0", e.name());
            let tau_eta_pos = e.model().declare_relation(&name);
            // While the gear starts, the speed that remains from sticking has no meaning.
            let speed = select(modes.was_stuck, 0.0, w_a.abs());
            let (now, at_rest) = (losses.at(speed), losses.at(Ex::zero()));

            let positive = tau_eta_pos.truth();
            let forward = choose(positive, now.a_drives(1.0), now.b_drives(1.0));
            let backward = choose(positive, now.b_drives(-1.0), now.a_drives(-1.0));
            let LossTorque { factor, constant } = choose(modes.forward, forward, backward);
            let at_b = e.relative(support, b).scaled(ratio);
            let proportional = Some((Pressing::Reaction(tau_a), factor));
            let index = modes.add(e, (at_b, w_a), constant, proportional);

            e.later(move |e| {
                let state = e.friction_state(index);
                let (tau_loss, tau_a) = (state.tau, state.reaction);
                e.set_flow(b, ratio * tau_loss);
                e.set_flow(support, -(ratio * tau_loss));
                let sa = select(
                    modes.locked,
                    state.holding_torque,
                    state.sliding_acceleration + state.holding_torque,
                );
                let drives = now.drives(&modes, positive, sa, &state);
                e.model().define_relation(tau_eta_pos, drives, Bool::constant(true));
                let limits = [1.0, -1.0].map(|sign| at_rest.limit(sign, tau_a));
                machine.decide_within(
                    e,
                    &modes,
                    &state,
                    limits,
                    state.holding_torque.abs() + tau_a.abs(),
                );
                machine.publish(e, &modes, sa);
                e.variable("phi_a", phi_a);
                e.variable("w_a", w_a);
                e.variable("tauLoss", tau_loss);
                e.set_loss(heat_port, tau_loss * w_a);
                Ok(())
            });
            Ok(())
        });
        Ok(())
    }
}
