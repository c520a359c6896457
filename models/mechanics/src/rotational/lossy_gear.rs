//! A gear with mesh efficiency and bearing friction, which may get stuck.

use crate::compile::coordinates::Motion;
use crate::compile::dynamics::{Friction, FrictionState, Pressing};
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::{FlangeEnd, HeatEnd};
use crate::component::{Contribution, OldComponent, Reaction};
use crate::domain::ROTATIONAL;
use crate::error::Error;
use crate::interfaces::friction::Rest;
use crate::interfaces::two_flanges_and_support;
use crate::{ports, setters};
use equations::{Bool, Discrete, Ex, Limits, Relation, select, select_bool, table_linear};

const BACKWARD: f64 = -1.0;
const STUCK: f64 = 0.0;
const FORWARD: f64 = 1.0;
const FREE: f64 = 2.0;
const LABELS: [(i32, &str); 4] = [(-1, "Backward"), (0, "Stuck"), (1, "Forward"), (2, "Free")];

/// The table of a gear without losses.
const IDEAL: [f64; 5] = [0.0, 1.0, 1.0, 0.0, 0.0];

/// Gear with mesh efficiency and bearing friction (stuck and rolling possible).
///
/// # Equations
/// `phi_a = ratio phi_b` with both angles relative to the support,
/// `0 = flange_b.tau + ratio (flange_a.tau - tauLoss)`; the support takes the difference.
/// With `w_a = der(phi_a)` the loss is, while the gear turns,
///
/// | `w_a` | driving flange | `tauLoss` |
/// |---|---|---|
/// | > 0 | a | `(1 - eta_mf1) tau_a + tau_bf1` |
/// | > 0 | b | `(1 - 1/eta_mf2) tau_a + tau_bf2` |
/// | < 0 | a | `(1 - eta_mf1) tau_a - tau_bf1` |
/// | < 0 | b | `(1 - 1/eta_mf2) tau_a - tau_bf2` |
///
/// and what holds the gear while it is stuck, between the limits of both directions.
///
/// # Variables
/// `ratio`, without unit, not zero; `lossTable`: rows of `|w_a|` in rad/s, efficiency `eta_mf1`
/// when flange a drives and `eta_mf2` when flange b drives (above 0, at most 1), resulting bearing
/// torque `tau_bf1` and `tau_bf2` at flange a in N.m, whose signs do not count; linear between
/// rows, extended by the last two, efficiencies to 1 or to the smallest one at most. `tauLoss` in
/// N.m, `lossPower` in W, `mode`.
///
/// # Events
/// The sign of `w_a`, the loss torque against its limits while stuck, the change of the driving
/// flange.
///
/// # Reference
/// Modelica.Mechanics.Rotational.Components.LossyGear.
#[derive(Clone, Debug)]
pub struct LossyGear {
    ratio: f64,
    loss_table: LossTable,
}

/// Rows of a [`LossyGear`]: `|w_a|` in rad/s, `eta_mf1`, `eta_mf2`, `tau_bf1` and `tau_bf2` in N.m.
#[derive(Clone, Debug)]
pub struct LossTable(Vec<[f64; 5]>);

impl<const N: usize> From<[[f64; 5]; N]> for LossTable {
    fn from(rows: [[f64; 5]; N]) -> Self {
        LossTable(rows.to_vec())
    }
}

impl From<Vec<[f64; 5]>> for LossTable {
    fn from(rows: Vec<[f64; 5]>) -> Self {
        LossTable(rows)
    }
}

ports! {
    /// Ports and variables of a [`LossyGear`].
    pub struct LossyGearPorts {
        /// Fast flange.
        flange_a: flange,
        /// Slow flange.
        flange_b: flange,
        /// Housing.
        support: flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Loss torque at flange a in N.m.
        tau_loss: quantity = "tauLoss",
        /// Mode of friction.
        mode: quantity,
        /// True while stuck.
        locked: quantity,
        /// Lost power in W.
        loss_power: quantity = "lossPower",
    }
}

impl LossyGear {
    /// With transmission ratio `flange_a.phi / flange_b.phi`; lossless unless there is a table.
    pub fn ratio(ratio: f64) -> Self {
        LossyGear { ratio, loss_table: LossTable(vec![IDEAL]) }
    }
}

setters! {
    impl LossyGear {
        /// Mesh efficiencies and bearing friction over the speed.
        loss_table: LossTable,
    }
}

/// The columns of the table as parameters.
#[derive(Clone, Debug)]
struct Losses {
    speeds: Vec<Ex>,
    columns: [Vec<Ex>; 4],
}

/// Efficiencies and bearing torques at one speed.
#[derive(Clone, Copy)]
struct Loss {
    eta: [Ex; 2],
    tau_bf: [Ex; 2],
}

impl Loss {
    /// Loss torque as factor of `tau_a` and constant: which flange drives, and the direction.
    fn torque(&self, a_drives: bool, sign: f64) -> (Ex, Ex) {
        if a_drives {
            (1.0 - self.eta[0], self.tau_bf[0] * sign)
        } else {
            (1.0 - 1.0 / self.eta[1], self.tau_bf[1] * sign)
        }
    }

    /// The torque at flange a at which the driving flange changes while turning forward.
    fn change_of_drive(&self) -> Ex {
        let slope = self.eta[0] - 1.0 / self.eta[1];
        let lossless = self.eta[0].equals(1.0) & self.eta[1].equals(1.0);
        let quotient = (self.tau_bf[0] - self.tau_bf[1]) / select(lossless, 1.0, slope);
        select(lossless, self.tau_bf[0] * 0.5, quotient)
    }
}

impl Losses {
    /// An efficiency; where the table is extended it stays between the smallest one and 1.
    fn efficiency(&self, k: usize, speed: Ex) -> Ex {
        let rows = &self.columns[k];
        let value = table_linear(&self.speeds, rows, speed);
        let smallest = rows.iter().copied().reduce(|least, row| least.min(row));
        smallest.filter(|_| rows.len() > 1).map_or(value, |least| value.max(least).min(1.0))
    }

    fn at(&self, speed: Ex) -> Loss {
        let column = |k: usize| table_linear(&self.speeds, &self.columns[k], speed);
        let (eta, tau_bf) =
            ([0, 1].map(|k| self.efficiency(k, speed)), [column(2).abs(), column(3).abs()]);
        // Where the losses of the mesh vanish the change of the driving flange moves to infinity,
        // and the larger bearing torque is left: the limit of efficiencies that go to one.
        let lossless = eta[0].equals(1.0) & eta[1].equals(1.0);
        let larger = tau_bf[0].max(tau_bf[1]);
        Loss { eta, tau_bf: tau_bf.map(|own| select(lossless, larger, own)) }
    }
}

impl LossTable {
    fn is_ideal(&self) -> bool {
        self.0 == [IDEAL]
    }

    fn declare(&self, c: &mut Contribution<'_>) -> Result<Losses, Error> {
        const TEXT: [&str; 5] = [
            "Speed of flange a",
            "Mesh efficiency if flange a drives",
            "Mesh efficiency if flange b drives",
            "Bearing friction torque at flange a if flange a drives",
            "Bearing friction torque at flange a if flange b drives",
        ];
        const UNITS: [&str; 5] = ["rad/s", "1", "1", "N.m", "N.m"];
        let rows = &self.0;
        let speeds: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        c.check_abscissae("lossTable", &speeds, UNITS[0])?;
        let mut losses = Losses { speeds: Vec::new(), columns: Default::default() };
        for (i, row) in rows.iter().enumerate() {
            for (k, &value) in row.iter().enumerate() {
                let local = format!("lossTable[{},{}]", i + 1, k + 1);
                let limits = match k {
                    1 | 2 => Limits { max: 1.0, ..Limits::POSITIVE },
                    _ => Limits::ANY,
                };
                if k == 0 {
                    c.constant(&local, value, UNITS[k], TEXT[k]);
                    losses.speeds.push(Ex::from(value));
                } else {
                    let element = c.limited(&local, value, UNITS[k], TEXT[k], limits)?;
                    losses.columns[k - 1].push(element.tunable().into());
                }
            }
        }
        Ok(losses)
    }
}

impl OldComponent for LossyGear {
    type Ports = LossyGearPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let text = "Transmission ratio (flange_a.phi / flange_b.phi)";
        let ratio = c.non_zero("ratio", self.ratio, "1", text)?;
        let losses = self.loss_table.declare(c)?;
        let [a, b, support] = two_flanges_and_support(c, &ROTATIONAL);
        let relation = c.linear(&[(a, Ex::one()), (b, -ratio), (support, ratio - 1.0)], Ex::zero());
        let heat_port = c.heat_port("heatPort");
        if self.loss_table.is_ideal() {
            c.law(move |e| {
                e.variable("tauLoss", Ex::zero()).unit("N.m").describe("Loss torque at flange a");
                e.variable("mode", Ex::from(FREE)).integer().describe("The gear has no losses");
                e.variable("locked", Bool::constant(false)).describe("True while stuck");
                e.set_loss(heat_port, Ex::zero());
                Ok(())
            });
            return Ok(());
        }
        let reaction = c.reaction(relation);
        let gear = Gear { ratio, a, b, support, heat_port, reaction };
        c.law(move |e| gear.law(e, &losses));
        Ok(())
    }
}

/// A gear with losses.
#[derive(Clone, Copy)]
struct Gear {
    ratio: Ex,
    a: FlangeEnd,
    b: FlangeEnd,
    support: FlangeEnd,
    heat_port: Option<HeatEnd>,
    reaction: Reaction,
}

/// The discrete part, and the truth values of one pass.
#[derive(Clone, Copy)]
struct Pass {
    mode: Discrete,
    /// Whether the loss torque is beyond its limit: forward, backward.
    above: [Relation; 2],
    moving: [Relation; 2],
    tau_eta_pos: Relation,
    rest: Rest,
    was_stuck: Bool,
    was: [Bool; 2],
    start: [Bool; 2],
    /// Turning forward, or about to.
    forward: Bool,
    locked: Bool,
}

impl Gear {
    fn law(self, e: &mut Evaluation<'_>, losses: &Losses) -> Result<(), Error> {
        let motion = e.relative(self.support, self.a);
        let pass = declare(e, motion.v);
        // While it starts, the speed that is left from before means nothing.
        let speed = select(pass.was_stuck, 0.0, motion.v.abs());
        let (now, at_rest) = (losses.at(speed), losses.at(Ex::zero()));
        let tau_eta_pos = pass.tau_eta_pos.truth();
        // Whether flange a drives, if tau_eta is positive and if it is not.
        let (forward, backward) = ([true, false], [false, true]);
        let choose = |k: usize| {
            let part = |a: bool, sign: f64| [now.torque(a, sign).0, now.torque(a, sign).1][k];
            let of = |drives: [bool; 2], sign| {
                select(tau_eta_pos, part(drives[0], sign), part(drives[1], sign))
            };
            select(pass.forward, of(forward, 1.0), of(backward, -1.0))
        };
        let (factor, sliding) = (choose(0), choose(1));
        let stabilisation = e.comes_to_rest(pass.locked, motion.v);
        let friction = Friction {
            name: e.name().to_owned(),
            relative: e.relative(self.support, self.b).scaled(self.ratio),
            locked: pass.locked,
            sliding,
            proportional: Some((Pressing::Reaction(self.reaction), factor)),
            stabilisation,
            contact: false,
        };
        let index = e.add_friction(friction);
        e.later(Box::new(move |e| {
            self.finish(e, &pass, [&now, &at_rest], &motion, index);
            Ok(())
        }));
        Ok(())
    }

    /// With the accelerations: relations, the next mode, variables.
    fn finish(
        self,
        e: &mut Evaluation<'_>,
        pass: &Pass,
        [now, at_rest]: [&Loss; 2],
        motion: &Motion,
        index: usize,
    ) {
        let state = e.friction_state(index);
        let FrictionState { tau, hold, slip, reaction: tau_a, share, vague, .. } = state;
        e.set_flow(self.b, self.ratio * tau);
        e.set_flow(self.support, -(self.ratio * tau));
        let sa = select(pass.locked, hold, slip + hold);

        let limit = |sign: f64| {
            let change = at_rest.change_of_drive();
            let (a, b) = (at_rest.torque(true, sign), at_rest.torque(false, sign));
            let (a, b) = (a.0 * tau_a + a.1, b.0 * tau_a + b.1);
            if sign > 0.0 {
                select((tau_a - change).gt(0.0), a, b)
            } else {
                select((tau_a + change).gt(0.0), b, a)
            }
        };
        // Which flange drives is asked of the torque at flange a with the loss at which the answer
        // changes: that torque does not depend on the present answer, so the question has one
        // solution, and it is zero where the torque itself passes the change.
        let change = now.change_of_drive();
        let (factor, constant) = now.torque(true, 1.0);
        let forward = select_bool(pass.locked, sa.gt(0.0), pass.forward);
        let sign = select(forward, 1.0, -1.0);
        let at_change = tau_a + share * (hold - sign * (factor * change + constant));
        // A gear that started stops only if it is slowed by more than rounding errors.
        // While others hold it there is nothing to slow: its torque is one that they can bear.
        let slack = state.rounding * (hold.abs() + tau_a.abs()) + state.noise;
        let slack = slack + select(state.held, slip.abs() * 2.0, 0.0);
        let slack = select(pass.locked, 0.0, slack);
        let initial = e.model().initial();
        let model = e.model();
        // Both laws agree at the change: a torque that is vague need not decide. While the gear is
        // stuck no law does, and the direction may be a matter of rounding.
        let drives = pass.tau_eta_pos.truth();
        let decides = at_change - sign * change + select(drives, vague, -vague);
        let decides = select(pass.locked, select(drives, 1.0, -1.0), decides);
        model.define_relation(pass.tau_eta_pos, decides, Bool::constant(true));
        for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
            let stuck = pass.was_stuck & !pass.start[1 - k];
            let above = select(pass.locked, sa - limit(sign), slip) * sign + slack;
            model.define_relation(pass.above[k], above, stuck);
            let moving = pass.rest.moves(pass.was[k], sign);
            model.define_relation(pass.moving[k], moving, initial | !pass.locked);
        }
        let turns = |k: usize, sign: f64| {
            let through = pass.rest.went_through(pass.start[k], sign);
            (pass.was[k] | pass.start[k]) & (pass.moving[k].truth() | through)
        };
        let backward = select(turns(1, -1.0), BACKWARD, STUCK);
        model.update(pass.mode, select(turns(0, 1.0), FORWARD, backward));

        let start = pass.start;
        e.define("mode", pass.mode.pre());
        e.variable("startForward", start[0]).describe("True while starting to turn forward");
        e.variable("startBackward", start[1]).describe("True while starting to turn backward");
        e.variable("locked", pass.locked).describe("True while stuck");
        e.variable("sa", sa).describe("Path parameter of the friction characteristic");
        e.variable("phi_a", motion.q).unit("rad").describe("Angle of flange a to the support");
        e.variable("w_a", motion.v).unit("rad/s").describe("Speed of flange a to the support");
        e.variable("tauLoss", tau).unit("N.m").describe("Loss torque at flange a");
        e.set_loss(self.heat_port, tau * motion.v);
    }
}

fn declare(e: &mut Evaluation<'_>, speed: Ex) -> Pass {
    let name = e.name().to_owned();
    let model = e.model();
    let mode: Discrete = model
        .discrete(&format!("{name}.mode"), FREE)
        .integer()
        .labels(&LABELS)
        .describe("Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free")
        .into();
    let rest = Rest::declare(model, &name, "w_a", speed);
    let mut relation = |text: &str| model.declare_relation(&format!("{name}: {text}"));
    let above = [relation("sa > tauLossMax"), relation("sa < tauLossMin")];
    let moving = [relation("w_a > 0"), relation("w_a < 0")];
    let tau_eta_pos = relation("tau_eta >= 0");
    let initial = model.initial();
    let [was_stuck, was_forward, was_backward] =
        [STUCK, FORWARD, BACKWARD].map(|value| mode.pre().equals(value));
    let was_stuck = was_stuck | (rest.reached & (was_forward | was_backward));
    let [was_forward, was_backward] = [was_forward, was_backward].map(|was| was & !rest.reached);
    let start =
        [0, 1].map(|k: usize| (was_stuck & above[k].truth()) | (initial & moving[k].truth()));
    let forward = select_bool(start[1], Bool::constant(false), was_forward) | start[0];
    let locked = !(was_forward | start[0] | was_backward | start[1]);
    let was = [was_forward, was_backward];
    Pass { mode, above, moving, tau_eta_pos, rest, was_stuck, was, start, forward, locked }
}
