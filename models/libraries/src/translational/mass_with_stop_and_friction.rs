//! A sliding mass with friction between two stops.

use crate::interfaces::friction::{self, FrictionPorts, Law, friction_modes};
use crate::interfaces::losses::losses;
use crate::interfaces::rigid;
use equations::{Bool, DiscreteVariable, select};
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::TRANSLATIONAL;
use mechanics::statements::laws::impulse_rows::{ContactState, ImpulseRows};
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::coordinates::Motion;

/// Distance in m beyond a stop above which a mass is moved back even if it does not approach the
/// stop.
const BEYOND: f64 = 1e-6;

component! {
    /// Sliding mass with hard stop and Stribeck friction.
    ///
    /// It is the spool of a valve, or a carriage between rigid stops.
    ///
    /// # Equations
    /// `flange_a.s = s - L/2`, `flange_b.s = s + L/2`, `v = der(s)`, `a = der(v)`,
    /// `m a = flange_a.f + flange_b.f - f`. While the mass slides, `f` is the sum of `F_prop v` and
    /// of `F_Coulomb + F_Stribeck exp(-fexp |v|)` against the motion. While it is stuck, `a = 0` as
    /// long as `|f|` is below 1.001 times `F_Coulomb + F_Stribeck`, or as long as the mass is
    /// pressed against a stop. `lossPower = f v`. `s` and `v` are states.
    ///
    /// # Events
    /// `v` changes its sign while the mass slides; the force reaches its limit while the mass is
    /// stuck. When a flange reaches its stop, `s` becomes the limit and a speed towards the stop
    /// becomes zero. This is an impact without rebound, which also stops rigidly connected parts. A
    /// speed away from the stop does not change. (In the Modelica Standard Library it also becomes
    /// zero.)
    pub struct MassWithStopAndFriction =
        "Modelica.Mechanics.Translational.Components.MassWithStopAndFriction" {
        /// Mass of the sliding mass
        m: Real["kg", > 0],
        /// Length from the left to the right flange
        L: Real["m", fixed] = 0,
        /// Coefficient of the friction proportional to the velocity
        f_prop "F_prop": Real["N.s/m", >= 0, structural zero],
        /// Constant friction force
        f_coulomb "F_Coulomb": Real["N", >= 0, structural zero],
        /// Stribeck friction force at zero velocity
        f_stribeck "F_Stribeck": Real["N", >= 0, structural zero],
        /// Exponential decay of the Stribeck effect
        fexp: Real["s/m", >= 0, structural zero],
        /// Right stop for the right flange
        smax: Real["m"],
        /// Left stop for the left flange
        smin: Real["m"],
        /// Relative speed that a jump through zero must exceed to reverse the direction of sliding
        v_small: Real["m/s", >= 0, structural zero] = 1e-3,
        /// Start value of the position
        s: Start["m"] = free(),
        /// Start value of the velocity
        v: Start["m/s"] = free(),
        ..friction_modes,
        ..losses,
    }
    ports {
        /// Left flange
        flange_a: TranslationalFlange,
        /// Right flange
        flange_b: TranslationalFlange,
    }
    variables {
        /// Absolute position of the middle
        s: Real["m"],
        /// Absolute velocity
        v: Real["m/s"],
        /// Absolute acceleration
        a: Real["m/s2"],
        /// Friction force against the relative motion
        f: Real["N"],
        /// Stop that the mass touches: -1 left, 0 none, 1 right
        stopped: Integer,
    }
}

impl MassWithStopAndFrictionParameters {
    /// The friction law. `room` states whether the mass can slide, forward and backward.
    fn law(&self, v: Ex, room: [Bool; 2]) -> Law {
        let tau0 = self.f_coulomb + self.f_stribeck;
        let tau0_max = tau0 * 1.001;
        let against = self.f_coulomb + self.f_stribeck * (-(self.fexp * v.abs())).exp();
        let viscous = self.f_prop * v;
        let resists = tau0.gt(0.0) | self.f_prop.gt(0.0);
        Law {
            free: !resists & room[0] & room[1],
            tau0,
            tau0_max,
            sliding: [viscous + against, viscous - against],
            offset: tau0_max,
            nominal: select(tau0.gt(0.0), tau0, 1.0),
            small_speed: self.v_small,
            room,
        }
    }

    /// States the impact on a stop. Returns whether the mass can slide forward and backward.
    fn stop(&self, e: &mut VelocityView<'_>, motion: &Motion) -> [Bool; 2] {
        let (mut stopped, mut approaches) = (Ex::zero(), Bool::constant(false));
        let mut room = [Bool::constant(true); 2];
        let stops = [
            (1.0, "s < smax - L/2", self.smax - self.L * 0.5, "smax"),
            (-1.0, "s > smin + L/2", self.smin + self.L * 0.5, "smin"),
        ];
        for (k, (sign, name, limit, stop)) in stops.into_iter().enumerate() {
            let name = e.full(name);
            room[k] = e.model().relation(&name, (limit - motion.q) * sign).done();
            stopped = select(room[k], stopped, sign);
            let hits = !room[k] & (motion.v * sign).gt(0.0);
            // Only a start value can be beyond the stop without moving towards it.
            let beyond = ((motion.q - limit) * sign).gt(BEYOND);
            let moved = "the start value is beyond this stop, and the mass is moved back to it";
            e.remark(&["s", stop, "L"], !beyond, moved);
            e.model().reinit(motion.q, hits | (!room[k] & beyond), limit);
            approaches = approaches | hits;
        }
        let away = motion.scaled(select(room[0], 1.0, -1.0));
        let impact = ContactState {
            touches: !(room[0] & room[1]),
            separates: away.v.gt(0.0),
            approaches,
            elasticity: Ex::zero(),
            friction: None,
            v_small: Ex::zero(),
        };
        let (component, rows, v) = (e.component(), e.add_rows(&[away]), motion.v);
        e.add_impulses(ImpulseRows {
            component,
            rows,
            contact: Some(impact),
            known: None,
            source: false,
            // A mass that is pressed against the stop rests without rounding errors.
            done: Box::new(move |model, outcome| {
                model.reinit(v, outcome.active & outcome.p[0].gt(0.0), 0.0);
            }),
        });
        let name = e.full("stopped");
        let variable: DiscreteVariable = e.model().discrete(&name, 0.0).integer().into();
        e.model().update(variable, stopped);
        e.define("stopped", variable.pre());
        room
    }
}

impl Component for MassWithStopAndFriction {
    fn contribute(
        p: MassWithStopAndFrictionParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let why = "the distance of the stops must be larger than the length of the mass";
        c.require(&["smin", "smax", "L"], (p.smax - p.L).gt(p.smin), why)?;
        let (domain, starts) = (&TRANSLATIONAL, Starts { position: p.s, speed: p.v });
        let middle = rigid::inertial(c, domain, p.m, Some(p.L), starts, Always);
        let place = FrictionPorts::between(c, domain, None, middle);
        c.impulses();
        friction::contribute(c, place, move |e, motion| {
            let room = p.stop(e, motion);
            Ok(p.law(motion.v, room))
        });
        Ok(())
    }
}
