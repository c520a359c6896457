//! Coulomb friction with stiction: the mode machine shared by all friction elements.

use crate::compile::coordinates::Motion;
use crate::compile::dynamics::Friction;
use crate::compile::evaluation::Evaluation;
use crate::compile::impacts::{Blow, Strike};
use crate::compile::structure::{FlangeEnd, HeatEnd};
use crate::component::Contribution;
use crate::declaration::group;
use crate::domain::{Domain, Word};
use crate::error::Error;
use equations::{Bool, Discrete, Ex, Model, Relation, select};

/// Values of `mode`.
const LABELS: [(i32, &str); 5] =
    [(-1, "Backward"), (0, "Stuck"), (1, "Forward"), (2, "Free"), (3, "Unknown")];
const STUCK: f64 = 0.0;
const FREE: f64 = 2.0;
const UNKNOWN: f64 = 3.0;

/// The two ways to slide: sign, value of `mode`, names and texts of what belongs to them.
const WAYS: [Way; 2] = [
    Way {
        sign: 1.0,
        mode: 1.0,
        start: "startForward",
        text: "True while starting to slide forward",
        passes: [">", ""],
    },
    Way {
        sign: -1.0,
        mode: -1.0,
        start: "startBackward",
        text: "True while starting to slide backward",
        passes: ["<", "-"],
    },
];

struct Way {
    sign: f64,
    mode: f64,
    start: &'static str,
    text: &'static str,
    /// How it reads that a limit is passed: the comparison, and the sign of the limit.
    passes: [&'static str; 2],
}

/// Relative speed in rad/s or m/s up to which an element is at rest: elements that stick leave
/// about the hysteresis of relations, and others see a sum of that.
const REST: f64 = 1e-9;

/// Relative speed in rad/s or m/s that shows which way an element goes. It is below the hysteresis:
/// what has gone through zero is faster at its event.
const THROUGH: f64 = 9e-11;

/// Relative speed in rad/s or m/s that shows that an impulse tore an element loose.
const TORN: f64 = 1e-9;

/// Whether an element that slid has come to rest. It then goes on only as far as it is accelerated,
/// as one that starts.
#[derive(Clone, Copy)]
pub struct Rest {
    speed: Ex,
    /// Whether it was at rest at the last event.
    pub reached: Bool,
}

impl Rest {
    /// For an element of this name with a speed of this name.
    pub fn declare(model: &mut Model, name: &str, word: &str, speed: Ex) -> Rest {
        let reached = model.sampled(&format!("{name}: {word} is almost 0"), REST - speed.abs());
        Rest { speed, reached }
    }

    /// What is positive while it moves in the direction of `sign`: it slides, or has left its rest.
    pub fn moves(&self, slides: Bool, sign: f64) -> Ex {
        self.speed * sign - select(slides, 0.0, REST)
    }

    /// Whether what starts in the direction of `sign` has gone through zero before; at events.
    pub fn went_through(&self, starts: Bool, sign: f64) -> Bool {
        starts & (self.speed * sign).gt(THROUGH)
    }
}

group! {
    /// Modes of friction.
    pub struct Modes(modes) {}
    variables {
        /// Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free, 3 unknown
        mode: Integer,
        /// True while starting to slide forward
        start_forward "startForward": Boolean,
        /// True while starting to slide backward
        start_backward "startBackward": Boolean,
        /// Path parameter of the friction characteristic
        sa: Real,
        /// True while no sliding is possible
        locked: Boolean,
    }
}

/// Where a friction element acts.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Names and units.
    pub domain: &'static Domain,
    /// What the motion is relative to; `None`: a point at rest.
    pub from: Option<FlangeEnd>,
    /// What moves. The torque (or force) flows into the element here, and out of it at `from`.
    pub to: FlangeEnd,
    /// Where the lost power goes.
    pub heat_port: Option<HeatEnd>,
    /// The name of the relative speed.
    pub speed: &'static Word,
    /// Whether the element slides forward only, and holds whatever drives it backward.
    pub one_way: bool,
}

impl Place {
    /// Friction that goes both ways.
    pub fn between(
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        from: Option<FlangeEnd>,
        to: FlangeEnd,
    ) -> Place {
        let (speed, heat_port) = (&domain.speed, c.heat_port("heatPort"));
        Place { domain, from, to, heat_port, speed, one_way: false }
    }

    /// The number of ways in which it slides.
    fn ways(&self) -> usize {
        if self.one_way { 1 } else { 2 }
    }
}

/// What a kind of friction element says about itself at the present speed.
pub struct Law {
    /// True while nothing is transmitted.
    pub free: Bool,
    /// The sliding torque (or force) as the speed goes to zero.
    pub tau0: Ex,
    /// The largest torque that holds the element; at least `tau0`.
    pub tau0_max: Ex,
    /// Sliding torques: forward and backward.
    pub sliding: [Ex; 2],
    /// The same while starting, when the speed does not have its sign yet.
    pub starting: [Ex; 2],
    /// What is added to the acceleration of sliding forward to give the published path parameter.
    pub offset: Ex,
    /// Magnitude of the torques.
    pub nominal: Ex,
    /// Relative speed beyond which a jump through zero goes on sliding the other way.
    pub small_speed: Ex,
    /// Whether there is room to slide: forward and backward. A stop takes it away.
    pub room: [Bool; 2],
}

impl Law {
    /// Friction `tau(|v|)` against the motion, the same in both directions; `peak` times as much
    /// holds the element.
    pub fn coulomb(tau: impl Fn(Ex) -> Ex, speed: Ex, peak: Ex, small_speed: Ex) -> Law {
        let (tau0, sliding) = (tau(Ex::zero()), [tau(speed), -tau(-speed)]);
        let tau0_max = peak * tau0;
        Law {
            free: Bool::constant(false),
            tau0,
            tau0_max,
            sliding,
            starting: sliding,
            offset: tau0_max,
            nominal: select(tau0.gt(0.0), tau0, 1.0),
            small_speed,
            room: [Bool::constant(true); 2],
        }
    }
}

/// The discrete part of a friction element; lists are by way, forward first.
#[derive(Clone)]
struct Machine {
    mode: Discrete,
    start: Vec<Discrete>,
    above: Vec<Relation>,
    above_started: Vec<Relation>,
    moving: Vec<Relation>,
    rest: Rest,
}

/// Truth values of one pass of the event iteration, or of the continuous phase.
struct Pass {
    free: Bool,
    was_stuck: Bool,
    was_free: Bool,
    /// Whether it slid that way and has come to rest.
    rests: [Bool; 2],
    /// Whether the mode was sliding that way.
    was: [Bool; 2],
    start: [Bool; 2],
    locked: Bool,
}

/// Adds a friction element: states the law, the modes and the variables.
pub fn contribute(
    c: &mut Contribution<'_>,
    place: Place,
    law: impl FnOnce(&mut Evaluation<'_>, &Motion) -> Result<Law, Error> + 'static,
) {
    c.law(move |e| {
        let relative = match place.from {
            Some(from) => e.relative(from, place.to),
            None => e.flange(place.to),
        };
        let law = law(e, &relative)?;
        let machine = declare(e, &place, relative.v);
        let pass = evaluate(e, &machine, &law);
        if place.one_way && e.impulsive {
            hold_backward(e, &relative, &pass);
        }
        let [forward, backward] = law.sliding;
        let goes_on = select(pass.was[0], forward, backward);
        let started = select(pass.start[1], law.starting[1], goes_on);
        let sliding = select(pass.free, 0.0, select(pass.start[0], law.starting[0], started));
        let stabilisation = e.comes_to_rest(pass.locked, relative.v);
        let index = e.add_friction(Friction {
            name: e.name().to_owned(),
            relative: relative.clone(),
            locked: pass.locked,
            sliding,
            proportional: None,
            stabilisation,
            contact: false,
        });
        e.later(Box::new(move |e| {
            let state = e.friction_state(index);
            let forward = pass.start[0] | (pass.was[0] & !pass.start[1]);
            let path = |offset: Ex| {
                let loose = select(forward, state.slip + offset, state.slip - offset);
                select(pass.locked, state.hold, loose)
            };
            // An element starts, and goes on starting, as long as that accelerates it.
            let decisive = [path(law.tau0_max), path(law.tau0)];
            let slack = state.rounding * law.nominal + state.noise;
            let slack = select(pass.locked, 0.0, slack);
            decide(e, &machine, &pass, &law, relative.v, decisive, slack);
            let sa = select(pass.free, e.second_derivative(&relative), path(law.offset));
            publish(e, &place, &machine, &pass, (state.tau, relative.v, sa));
            Ok(())
        }));
        Ok(())
    });
}

/// What slides one way only passes on the impulse that would move it the other way.
fn hold_backward(e: &mut Evaluation<'_>, relative: &Motion, pass: &Pass) {
    let approaches = e.after_impulses() & relative.v.lt(-TORN);
    let strike = Strike {
        touches: pass.was_stuck,
        parts: relative.v.gt(TORN),
        approaches,
        elasticity: Ex::zero(),
        friction: None,
        v_small: Ex::zero(),
    };
    let (component, rows) = (e.component, e.add_rows(std::slice::from_ref(relative)));
    let done = Box::new(|_: &mut _, _| ());
    e.add_blow(Blow { component, rows, strike: Some(strike), given: None, source: false, done });
}

fn declare(e: &mut Evaluation<'_>, place: &Place, speed: Ex) -> Machine {
    let name = e.name().to_owned();
    let full = |local: &str| format!("{name}.{local}");
    let model = e.model();
    let mode = model
        .discrete(&full("mode"), UNKNOWN)
        .integer()
        .labels(&LABELS)
        .describe("Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free, 3 unknown")
        .into();
    let ways = &WAYS[..place.ways()];
    let start = ways
        .iter()
        .map(|way| model.discrete(&full(way.start), 0.0).boolean().describe(way.text).into())
        .collect();
    let (flow, word) = (place.domain.flow.local, place.speed.local);
    let rest = Rest::declare(model, &name, word, speed);
    let mut relations = |text: &dyn Fn(&str, &str) -> String| -> Vec<Relation> {
        let texts = ways.iter().map(|Way { passes: [than, sign], .. }| text(than, sign));
        texts.map(|text| model.declare_relation(&format!("{name}: {text}"))).collect()
    };
    // Where an event iteration changes one relation at a time it begins with the first: an element
    // that started must be seen to go on sliding before its first reason to slide is dropped.
    let above_started = relations(&|than, sign| format!("sa {than} {sign}{flow}0"));
    let above = relations(&|than, sign| format!("sa {than} {sign}{flow}0_max"));
    let moving = relations(&|than, _| format!("{word} {than} 0"));
    Machine { mode, start, above, above_started, moving, rest }
}

/// The truth values, from what was before and from the relations.
fn evaluate(e: &mut Evaluation<'_>, m: &Machine, law: &Law) -> Pass {
    let mode = m.mode.pre();
    let never = Bool::constant(false);
    let ways = m.start.len();
    let sliding = [0, 1].map(|k| if k < ways { mode.equals(WAYS[k].mode) } else { never });
    let rests = sliding.map(|sliding| sliding & m.rest.reached);
    let was = sliding.map(|sliding| sliding & !m.rest.reached);
    let was_stuck = mode.equals(STUCK) | rests[0] | rests[1];
    let initial = e.model().initial();
    let start: [Bool; 2] = std::array::from_fn(|k| {
        if k >= ways {
            return never;
        }
        let keeps = (m.start[k].pre_bool() | rests[k]) & m.above_started[k].truth();
        let breaks_loose = was_stuck & (m.above[k].truth() | keeps);
        law.room[k] & (breaks_loose | (initial & m.moving[k].truth()))
    });
    let slides = was[0] | start[0] | was[1] | start[1];
    let was_free = if law.free.constant_value() == Some(false) { never } else { mode.equals(FREE) };
    Pass { free: law.free, was_stuck, was_free, rests, was, start, locked: !law.free & !slides }
}

/// The relations and the next modes; `sa` are path parameters: that which decides about the first
/// start is shifted by `tau0_max`, that which decides about going on by `tau0`. An element that
/// started stops only if it is slowed by more than `slack`.
fn decide(
    e: &mut Evaluation<'_>,
    m: &Machine,
    pass: &Pass,
    law: &Law,
    speed: Ex,
    sa: [Ex; 2],
    slack: Ex,
) {
    let initial = e.model().initial();
    let after_impulses = e.after_impulses();
    let model = e.model();
    let per_nominal = Ex::one() / law.nominal;
    let mut mode = Ex::from(STUCK);
    for k in (0..m.start.len()).rev() {
        let Way { sign, mode: sliding, .. } = WAYS[k];
        let over = |sa: Ex, limit: Ex| (sa * sign - limit + slack) * per_nominal;
        // From sliding one way an element sticks before it slides the other way: like the pivots of
        // a complementarity problem, which is why the event iteration ends.
        let stuck = pass.was_stuck & !pass.free & !pass.start[1 - k];
        let was_started = m.start[k].pre_bool() | pass.rests[k];
        let (first, again) = (stuck & !was_started & law.room[k], stuck & was_started);
        model.define_relation(m.above[k], over(sa[0], law.tau0_max), first);
        model.define_relation(m.above_started[k], over(sa[1], law.tau0), again);
        // While stuck the speed is a constant remainder whose sign means nothing.
        let moves = initial | !pass.locked | pass.was_free;
        let moving = m.rest.moves(pass.was[k], sign);
        model.define_relation(m.moving[k], moving, moves & !pass.free);
        // The published element counts a jump as starting; here only the mode changes, which needs
        // no comparison of the speed between events and ends in the same mode. An element that
        // slides one way only can jump out of sticking.
        let before = if m.start.len() == 1 { pass.was_stuck } else { pass.was[1 - k] };
        let jumped = before & (speed * sign).gt(law.small_speed);
        // No impulse goes through friction: what is stuck is torn loose.
        let before = pass.was_stuck | pass.was[1 - k];
        let torn = after_impulses & before & (speed * sign).gt(TORN);
        let jumped = jumped | torn;
        let came = pass.was[k] | pass.was_free | pass.start[k] | jumped;
        let through = m.rest.went_through(pass.start[k], sign);
        let slides = came & (m.moving[k].truth() | through | jumped) & law.room[k];
        mode = select(slides, sliding, mode);
        model.update(m.start[k], pass.start[k]);
    }
    model.update(m.mode, select(pass.free, FREE, mode));
}

fn publish(
    e: &mut Evaluation<'_>,
    place: &Place,
    m: &Machine,
    pass: &Pass,
    (flow, speed, sa): (Ex, Ex, Ex),
) {
    match place.from {
        Some(from) => e.set_flow_between(from, place.to, flow),
        None => e.set_flow(place.to, flow),
    }
    e.define("mode", m.mode.pre());
    for (way, start) in WAYS.iter().zip(&m.start) {
        e.define(way.start, start.pre_bool());
    }
    let word = &place.domain.flow;
    e.variable(word.local, flow).unit(word.unit).describe("Friction against the relative motion");
    e.variable("sa", sa).describe("Path parameter of the friction characteristic");
    e.variable("locked", pass.locked).describe("True while no sliding is possible");
    let mut loss = flow * speed;
    if place.one_way {
        e.variable("stuck", pass.was_stuck).describe("True while stuck, or starting to slide");
        loss = select(pass.was_stuck, 0.0, loss);
    }
    e.set_loss(place.heat_port, loss);
}
