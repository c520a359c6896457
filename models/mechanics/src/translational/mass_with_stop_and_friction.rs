//! A sliding mass with friction between two stops.

use crate::compile::coordinates::Motion;
use crate::compile::evaluation::Evaluation;
use crate::compile::impacts::{Blow, Strike};
use crate::component::{Contribution, OldComponent, Starts};
use crate::domain::TRANSLATIONAL;
use crate::error::Error;
use crate::interfaces::friction::{self, Law, Place};
use crate::interfaces::{friction_laws, rigid};
use crate::start::{Start, StateSelect};
use crate::{ports, setters};
use equations::{Bool, Discrete, Ex, select};

/// Sliding mass with hard stop and Stribeck friction.
///
/// # Equations
/// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `v = der(s)`, `a = der(v)`,
/// `m a = flange_a.f + flange_b.f - f`. Sliding: `f = F_prop v` and, against the motion,
/// `F_Coulomb + F_Stribeck exp(-fexp |v|)`. Stuck: `a = 0` while `|f|` is below 1.001 times
/// `F_Coulomb + F_Stribeck`, and whatever pushes against a stop. `lossPower = f v`.
///
/// # Variables
/// `m` in kg, `L` in m, `F_prop` in N.s/m, `F_Coulomb` and `F_Stribeck` in N, `fexp` in s/m, `smin`
/// and `smax` in m: where the flanges stop; `s` and `v`, which are states; `stopped` (-1 at `smin`,
/// 1 at `smax`), `mode`, `startForward`, `startBackward`.
///
/// # Events
/// The sign of `v` while sliding, the force against its limit while stuck. Where a flange reaches
/// its stop, `s` becomes the limit and a speed into the stop zero: an impact without rebound,
/// which stops what is rigidly connected as well. A speed away from the stop stays. (The published
/// element takes that too.)
///
/// # Reference
/// Modelica.Mechanics.Translational.Components.MassWithStopAndFriction.
#[derive(Clone, Debug)]
#[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
pub struct MassWithStopAndFriction {
    m: f64,
    L: f64,
    f_prop: f64,
    f_coulomb: f64,
    f_stribeck: f64,
    fexp: f64,
    smin: f64,
    smax: f64,
    v_small: f64,
    s: Start,
    v: Start,
}

ports! {
    /// Ports and variables of a [`MassWithStopAndFriction`].
    pub struct MassWithStopAndFrictionPorts {
        /// Left flange.
        flange_a: translational_flange,
        /// Right flange.
        flange_b: translational_flange,
        /// Where the lost power goes.
        heat_port: heat_port = "heatPort",
        /// Position of the middle in m.
        s: quantity,
        /// Velocity in m/s.
        v: quantity,
        /// Acceleration in m/s2.
        a: quantity,
        /// Friction force in N.
        f: quantity,
        /// Mode of friction.
        mode: quantity,
        /// True while stuck.
        locked: quantity,
        /// Which stop is touched.
        stopped: quantity,
        /// Lost power in W.
        loss_power: quantity = "lossPower",
    }
}

impl MassWithStopAndFriction {
    /// With mass `m` in kg.
    pub fn m(m: f64) -> Self {
        MassWithStopAndFriction {
            m,
            L: 0.0,
            f_prop: 1.0,
            f_coulomb: 5.0,
            f_stribeck: 10.0,
            fexp: 2.0,
            smin: -25.0,
            smax: 25.0,
            v_small: 1e-3,
            s: Start::default(),
            v: Start::default(),
        }
    }

    /// Length from the left to the right flange in m.
    #[allow(non_snake_case, reason = "the name in the Modelica Standard Library")]
    #[must_use]
    pub fn L(self, value: f64) -> Self {
        MassWithStopAndFriction { L: value, ..self }
    }
}

setters! {
    impl MassWithStopAndFriction {
        /// Friction proportional to the velocity in N.s/m.
        f_prop: f64,
        /// Constant friction in N.
        f_coulomb: f64,
        /// Friction at rest above the constant one, in N.
        f_stribeck: f64,
        /// How fast that decays with the velocity, in s/m.
        fexp: f64,
        /// Where the left flange stops, in m.
        smin: f64,
        /// Where the right flange stops, in m.
        smax: f64,
        /// Velocity in m/s beyond which a jump of the velocity through zero (a state set at an
        /// event) goes on as sliding the other way; smaller ones stick.
        v_small: f64,
        /// Start value of the position in m.
        s: Start,
        /// Start value of the velocity in m/s.
        v: Start,
    }
}

/// Distance in m beyond a stop from which on a mass is put back even if it does not move into it.
const BEYOND: f64 = 1e-6;

/// The parameters as expressions.
struct Parameters {
    proportional: Ex,
    coulomb: Ex,
    stribeck: Ex,
    decay: Ex,
    /// Limits of the middle: where a motion forward ends, and one backward.
    limits: [Ex; 2],
    small_speed: Ex,
}

impl MassWithStopAndFriction {
    fn declare(&self, c: &mut Contribution<'_>, length: Ex) -> Result<Parameters, Error> {
        let text = "Velocity dependent friction";
        let proportional = c.amount("F_prop", self.f_prop, "N.s/m", text)?;
        let coulomb = c.amount("F_Coulomb", self.f_coulomb, "N", "Constant friction")?;
        let stribeck = c.amount("F_Stribeck", self.f_stribeck, "N", "Stribeck effect")?;
        let decay =
            c.amount("fexp", self.fexp, "s/m", "Exponential decay of the Stribeck effect")?;
        let smax = c.value("smax", self.smax, "m", "Right stop for flange_b")?;
        let smin = c.value("smin", self.smin, "m", "Left stop for flange_a")?;
        let why = "the stops must be further apart than the mass is long";
        c.require(&["smin", "smax", "L"], (smax - length).gt(smin), why)?;
        let limits = [smax - length * 0.5, smin + length * 0.5];
        let small_speed = friction_laws::declare_small_speed(c, &TRANSLATIONAL, self.v_small)?;
        Ok(Parameters { proportional, coulomb, stribeck, decay, limits, small_speed })
    }
}

impl Parameters {
    /// The law, with the room that the stops leave.
    fn law(&self, v: Ex, room: [Bool; 2]) -> Law {
        let tau0 = self.coulomb + self.stribeck;
        let tau0_max = tau0 * 1.001;
        let against = self.coulomb + self.stribeck * (-(self.decay * v.abs())).exp();
        let viscous = self.proportional * v;
        let resists = tau0.gt(0.0) | self.proportional.gt(0.0);
        Law {
            free: !resists & room[0] & room[1],
            tau0,
            tau0_max,
            sliding: [viscous + against, viscous - against],
            starting: [viscous + tau0, viscous - tau0],
            offset: tau0_max,
            nominal: select(tau0.gt(0.0), tau0, 1.0),
            small_speed: self.small_speed,
            room,
        }
    }

    /// States the impact on a stop; gives the room to slide, forward and backward.
    fn stop(&self, e: &mut Evaluation<'_>, motion: &Motion) -> [Bool; 2] {
        let never = Bool::constant(false);
        let (mut stopped, mut approaches) = (Ex::zero(), never);
        let mut room = [Bool::constant(true); 2];
        for (k, (sign, name)) in
            [(1.0, "s < smax - L/2"), (-1.0, "s > smin + L/2")].iter().enumerate()
        {
            let (limit, name) = (self.limits[k], e.full(name));
            room[k] = e.model().relation(&name, (limit - motion.q) * *sign).done();
            stopped = select(room[k], stopped, *sign);
            let hits = !room[k] & (motion.v * *sign).gt(0.0);
            // Beyond the stop without hitting it can only be a start value.
            let beyond = ((motion.q - limit) * *sign).gt(BEYOND);
            let stop = ["smax", "smin"][k];
            let moved = "it begins beyond this stop and is put back to it at once";
            e.remark(&["s", stop, "L"], !beyond, moved);
            e.model().reinit(motion.q, hits | (!room[k] & beyond), limit);
            approaches = approaches | hits;
        }
        let away = motion.scaled(select(room[0], 1.0, -1.0));
        let strike = Strike {
            touches: !(room[0] & room[1]),
            parts: away.v.gt(0.0),
            approaches,
            elasticity: Ex::zero(),
            friction: None,
            v_small: Ex::zero(),
        };
        let (component, rows, v) = (e.component, e.add_rows(&[away]), motion.v);
        e.add_blow(Blow {
            component,
            rows,
            strike: Some(strike),
            given: None,
            source: false,
            // What is pressed against the stop rests without rounding.
            done: Box::new(move |model, outcome| {
                model.reinit(v, outcome.struck & outcome.p[0].gt(0.0), 0.0);
            }),
        });
        let name = e.full("stopped");
        let text = "Touches a stop: -1 left, 0 none, 1 right";
        let variable: Discrete = e.model().discrete(&name, 0.0).integer().describe(text).into();
        e.model().update(variable, stopped);
        e.define("stopped", variable.pre());
        room
    }
}

impl OldComponent for MassWithStopAndFriction {
    type Ports = MassWithStopAndFrictionPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let mass = c.positive("m", self.m, "kg", "Mass of the sliding mass")?;
        let length = rigid::length(c, self.L)?;
        let parameters = self.declare(c, length)?;
        let starts = Starts { position: self.s, speed: self.v };
        let (domain, states) = (&TRANSLATIONAL, StateSelect::Always);
        let middle = rigid::inertial(c, domain, mass, Some(length), starts, states);
        let (speed, heat_port) = (&domain.speed, c.heat_port("heatPort"));
        let place = Place { domain, from: None, to: middle, heat_port, speed, one_way: false };
        c.impulses();
        friction::contribute(c, place, move |e, motion| {
            let room = parameters.stop(e, motion);
            Ok(parameters.law(motion.v, room))
        });
        Ok(())
    }
}
