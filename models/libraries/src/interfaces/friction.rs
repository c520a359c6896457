//! Shared parts of elements with Coulomb friction: the place, the law, the modes, and the
//! variables.

mod mode_machine;

pub use mode_machine::{Beyond, ModeMachine, ModeState, publish_free};

use equations::{Bool, Ex, select};
use mechanics::component::Contribution;
use mechanics::declaration::group;
use mechanics::domain::{Domain, Word};
use mechanics::error::Error;
use mechanics::statements::laws::impulse_rows::{ContactState, ImpulseRows};
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::coordinates::Motion;
use mechanics::statements::motion::ends::{FlangeEnd, HeatEnd};

/// Relative speed in rad/s or m/s above which an impulse has torn a stuck element loose.
const TORN: f64 = 1e-9;

group! {
    /// Modes of friction.
    pub struct FrictionModes(pub friction_modes) {}
    variables {
        /// Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free, 3 unknown
        mode: Integer,
        /// True while starting to slide forward
        start_forward "startForward": Boolean,
        /// True while starting to slide backward
        start_backward "startBackward": Boolean,
        /// Path parameter of the friction characteristic
        sa: Real["1"],
        /// True while no sliding is possible
        locked: Boolean,
    }
}

/// The place at which a friction element acts.
#[derive(Clone, Copy, Debug)]
pub struct FrictionPorts {
    /// Names and units.
    pub domain: &'static Domain,
    /// The point relative to which the motion is measured; `None`: a point at rest.
    pub from: Option<FlangeEnd>,
    /// The point that moves. The torque (or force) flows into the element here, and out of it at
    /// `from`.
    pub to: FlangeEnd,
    /// The heat port that takes the lost power.
    pub heat_port: Option<HeatEnd>,
    /// The name of the relative speed.
    pub speed: &'static Word,
    /// Whether the element slides forward only, and locks backward.
    pub one_way: bool,
}

impl FrictionPorts {
    /// Friction in both directions.
    pub fn between(
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        from: Option<FlangeEnd>,
        to: FlangeEnd,
    ) -> FrictionPorts {
        let (speed, heat_port) = (&domain.speed, c.heat_port("heatPort"));
        FrictionPorts { domain, from, to, heat_port, speed, one_way: false }
    }

    /// Declares the modes.
    fn machine(&self, e: &mut SignalView<'_>, speed: Ex) -> ModeMachine {
        let (flow, ways) = (self.domain.flow.local, if self.one_way { 1 } else { 2 });
        let [first, started] = ["_max", ""]
            .map(|which| [format!("sa > {flow}0{which}"), format!("sa < -{flow}0{which}")]);
        let limits = Beyond { first: &first[..ways], started: &started[..ways] };
        ModeMachine::declare(e, (self.speed.local, speed), &limits)
    }
}

/// The law of a friction element at the present speed.
pub struct Law {
    /// True while the element transmits nothing.
    pub free: Bool,
    /// The sliding torque (or force) as the speed goes to zero.
    pub tau0: Ex,
    /// The largest torque that can hold the element while it is stuck; at least `tau0`.
    pub tau0_max: Ex,
    /// Sliding torques: forward and backward.
    pub sliding: [Ex; 2],
    /// The amount that is added to the acceleration of forward sliding to give the path parameter
    /// `sa`.
    pub offset: Ex,
    /// Magnitude of the torques, for scaling.
    pub nominal: Ex,
    /// Relative speed that a jump through zero must exceed to reverse the direction of sliding.
    pub small_speed: Ex,
    /// Whether there is room to slide, forward and backward. At a stop there is none towards it.
    pub room: [Bool; 2],
}

impl Law {
    /// Friction `tau(|v|)` against the motion, the same in both directions. The stuck element holds
    /// `peak` times the friction at zero speed.
    pub fn coulomb(tau: impl Fn(Ex) -> Ex, speed: Ex, peak: Ex, small_speed: Ex) -> Law {
        let tau0 = tau(Ex::zero());
        let tau0_max = peak * tau0;
        Law {
            free: Bool::constant(false),
            tau0,
            tau0_max,
            sliding: [tau(speed), -tau(-speed)],
            offset: tau0_max,
            nominal: select(tau0.gt(0.0), tau0, 1.0),
            small_speed,
            room: [Bool::constant(true); 2],
        }
    }
}

/// Adds a friction element: states the law, the modes and the variables.
pub fn contribute(
    c: &mut Contribution<'_>,
    place: FrictionPorts,
    law: impl FnOnce(&mut VelocityView<'_>, &Motion) -> Result<Law, Error> + 'static,
) {
    c.law(move |e| {
        let relative = match place.from {
            Some(from) => e.relative(from, place.to),
            None => e.flange(place.to),
        };
        let law = law(e, &relative)?;
        let machine = place.machine(e, relative.v);
        let modes = machine.state(e, law.free, law.room);
        if place.one_way && e.is_impulsive() {
            hold_backward(e, &relative, &modes);
        }
        // While the element starts, the speed that remains from sticking has no meaning. The torque
        // is that with which the holding torque is compared: if it were any larger, the element
        // could neither start nor stick.
        let at_rest = [law.tau0, -law.tau0];
        let [forward, backward] =
            [0, 1].map(|k| select(modes.was_stuck, at_rest[k], law.sliding[k]));
        let sliding = select(modes.free, 0.0, select(modes.forward, forward, backward));
        let index = modes.add(e, (relative.clone(), relative.v), sliding, None);
        e.later(move |e| {
            let state = e.friction_state(index);
            let path = |offset: Ex| modes.path(&state, offset);
            // A stuck element starts to slide when its holding torque is beyond the limit. An
            // element that has started continues as long as it is accelerated.
            let slack = modes.slack(&state, law.nominal);
            let per_nominal = Ex::one() / law.nominal;
            let limits = [law.tau0_max, law.tau0];
            let beyond = [1.0, -1.0]
                .map(|sign| limits.map(|limit| (path(limit) * sign - limit + slack) * per_nominal));
            let jumps = jumps(e, &place, &law, &modes, relative.v);
            machine.decide(e, &modes, beyond, jumps);
            let sa = select(modes.free, e.second_derivative(&relative), path(law.offset));
            publish(e, &place, (&machine, &modes), (state.tau, relative.v, sa));
            Ok(())
        });
        Ok(())
    });
}

/// An element that can slide in only one direction transmits an impulse in the other direction.
fn hold_backward(e: &mut VelocityView<'_>, relative: &Motion, modes: &ModeState) {
    let approaches = e.after_impulses() & relative.v.lt(-TORN);
    let impact = ContactState {
        touches: modes.was_stuck,
        separates: relative.v.gt(TORN),
        approaches,
        elasticity: Ex::zero(),
        friction: None,
        v_small: Ex::zero(),
    };
    let (component, rows) = (e.component(), e.add_rows(std::slice::from_ref(relative)));
    let done = Box::new(|_: &mut _, _| ());
    e.add_impulses(ImpulseRows {
        component,
        rows,
        contact: Some(impact),
        known: None,
        source: false,
        done,
    });
}

/// Whether the speed jumped: through zero by more than a small speed, or by an impulse.
///
/// In the Modelica Standard Library a jump counts as starting. Here only the mode changes, which
/// requires no comparison of the speed between events and ends in the same mode. An element that
/// slides in one direction only can also jump out of sticking.
fn jumps(
    e: &mut SignalView<'_>,
    place: &FrictionPorts,
    law: &Law,
    modes: &ModeState,
    speed: Ex,
) -> [Bool; 2] {
    let after_impulses = e.after_impulses();
    [(0, 1.0), (1, -1.0)].map(|(k, sign)| {
        let before = if place.one_way { modes.was_stuck } else { modes.sliding[1 - k] };
        let jumped = before & (speed * sign).gt(law.small_speed);
        // Friction transmits no impulse: an impulse tears a stuck element loose.
        let before = modes.was_stuck | modes.sliding[1 - k];
        jumped | (after_impulses & before & (speed * sign).gt(TORN))
    })
}

fn publish(
    e: &mut SignalView<'_>,
    place: &FrictionPorts,
    (machine, modes): (&ModeMachine, &ModeState),
    (flow, speed, sa): (Ex, Ex, Ex),
) {
    match place.from {
        Some(from) => e.set_flow_between(from, place.to, flow),
        None => e.set_flow(place.to, flow),
    }
    e.variable(place.domain.flow.local, flow);
    machine.publish(e, modes, sa);
    let mut loss = flow * speed;
    if place.one_way {
        e.variable("stuck", modes.was_stuck);
        loss = select(modes.was_stuck, 0.0, loss);
    }
    e.set_loss(place.heat_port, loss);
}
