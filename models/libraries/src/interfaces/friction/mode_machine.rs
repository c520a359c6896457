//! The finite-state machine of a friction element, whose modes are backward, stuck, forward and
//! free.

use equations::{Bool, DeclaredRelation, DiscreteVariable, Ex, select};
use mechanics::component::FrictionId;
use mechanics::statements::laws::friction_element::{Friction, FrictionState, Pressing};
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::coordinates::Motion;

/// Values of `mode`.
const LABELS: [(i32, &str); 5] =
    [(-1, "Backward"), (0, "Stuck"), (1, "Forward"), (2, "Free"), (3, "Unknown")];
const STUCK: f64 = 0.0;
/// The element transmits nothing.
const FREE: f64 = 2.0;
const UNKNOWN: f64 = 3.0;

/// The two directions of sliding: sign, value of `mode`, comparison with zero, and the variable
/// that is true while an element starts to slide.
const WAYS: [Way; 2] = [
    Way { sign: 1.0, mode: 1.0, than: ">", start: "startForward" },
    Way { sign: -1.0, mode: -1.0, than: "<", start: "startBackward" },
];

struct Way {
    sign: f64,
    mode: f64,
    than: &'static str,
    start: &'static str,
}

/// Relative speed in rad/s or m/s up to which an element is at rest. An element that sticks keeps a
/// speed of about the hysteresis of relations, and the relative speed of another element may
/// contain the sum of several such remainders.
const REST: f64 = 1e-9;

/// Relative speed in rad/s or m/s above which an element that starts to slide has already passed
/// zero. It is smaller than the hysteresis of relations: at the event at which its speed passes
/// zero, an element is as fast as the hysteresis.
const PASSED: f64 = 9e-11;

/// Whether a sliding element has come to rest. It then continues only if it is accelerated, like an
/// element that starts to slide.
#[derive(Clone, Copy)]
struct Rest {
    speed: Ex,
    /// Whether it was at rest at the last event.
    reached: Bool,
}

impl Rest {
    /// A function that is positive while the element moves in the direction of `sign`. For an
    /// element that does not slide yet, the speed must exceed the range of rest.
    fn moves(&self, slides: Bool, sign: f64) -> Ex {
        self.speed * sign - select(slides, 0.0, REST)
    }

    /// At events: whether an element that starts in the direction of `sign` has already passed
    /// zero.
    fn passed_zero(&self, starts: Bool, sign: f64) -> Bool {
        starts & (self.speed * sign).gt(PASSED)
    }
}

/// The discrete part of a friction element. Lists contain an entry for each direction, forward
/// first.
#[derive(Clone)]
pub struct ModeMachine {
    mode: DiscreteVariable,
    start: Vec<DiscreteVariable>,
    beyond: Vec<DeclaredRelation>,
    beyond_started: Vec<DeclaredRelation>,
    moving: Vec<DeclaredRelation>,
    rest: Rest,
}

/// Truth values of one pass of the event iteration, or of the continuous phase.
#[derive(Clone, Copy)]
pub struct ModeState {
    /// The element transmits nothing.
    pub free: Bool,
    /// It was stuck, or has come to rest.
    pub was_stuck: Bool,
    was_free: Bool,
    /// For each direction: whether it slid there and has come to rest.
    comes_to_rest: [Bool; 2],
    /// For each direction: whether it slid there and has not come to rest.
    pub sliding: [Bool; 2],
    /// For each direction: whether it starts to slide there.
    pub start: [Bool; 2],
    /// Whether it slides forward, or starts to.
    pub forward: Bool,
    /// Whether it is stuck.
    pub locked: Bool,
    /// For each direction: whether there is room to slide.
    room: [Bool; 2],
}

/// Names of the relations that show whether an element is beyond its limits. An element without
/// names in `started` does not remember its start.
pub struct Beyond<'a> {
    /// While it is stuck; one for each direction in which it slides.
    pub first: &'a [String],
    /// After it has started.
    pub started: &'a [String],
}

impl ModeMachine {
    /// Declares modes and relations of an element whose relative speed has this name.
    pub fn declare(
        e: &mut SignalView<'_>,
        (word, speed): (&str, Ex),
        limits: &Beyond<'_>,
    ) -> ModeMachine {
        let name = e.name().to_owned();
        let full = |local: &str| format!("{name}.{local}");
        let model = e.model();
        let ways = &WAYS[..limits.first.len()];
        let remembers = !limits.started.is_empty();
        let (labels, at_first) =
            if remembers { (&LABELS[..], UNKNOWN) } else { (&LABELS[..4], FREE) };
        let mode = model.discrete(&full("mode"), at_first).integer().labels(labels).into();
        let starts = ways.iter().filter(|_| remembers);
        let start =
            starts.map(|way| model.discrete(&full(way.start), 0.0).boolean().into()).collect();
        let reached = model.sampled(&format!("{name}: {word} is almost 0"), REST - speed.abs());
        let rest = Rest { speed, reached };
        let mut relations = |texts: &[String]| -> Vec<DeclaredRelation> {
            texts.iter().map(|text| model.declare_relation(&format!("{name}: {text}"))).collect()
        };
        // An event iteration that changes one relation at a time begins with the first one. The
        // relation that an element continues to slide must therefore precede the relation by which
        // it started.
        let beyond_started = relations(limits.started);
        let beyond = relations(limits.first);
        let moving: Vec<String> = ways.iter().map(|way| format!("{word} {} 0", way.than)).collect();
        let moving = relations(&moving);
        ModeMachine { mode, start, beyond, beyond_started, moving, rest }
    }

    /// The truth values, from the previous mode and from the relations. `room` states whether there
    /// is room to slide, forward and backward.
    pub fn state(&self, e: &mut SignalView<'_>, free: Bool, room: [Bool; 2]) -> ModeState {
        let mode = self.mode.pre();
        let never = Bool::constant(false);
        let ways = self.moving.len();
        let slid = [0, 1].map(|k| if k < ways { mode.equals(WAYS[k].mode) } else { never });
        let comes_to_rest = slid.map(|slid| slid & self.rest.reached);
        let sliding = slid.map(|slid| slid & !self.rest.reached);
        let was_stuck = mode.equals(STUCK) | comes_to_rest[0] | comes_to_rest[1];
        let initial = e.model().initial();
        let start: [Bool; 2] = std::array::from_fn(|k| {
            if k >= ways {
                return never;
            }
            let keeps = self.has_started(k, comes_to_rest) & self.goes_on(k);
            let breaks_loose = was_stuck & (self.beyond[k].truth() | keeps);
            room[k] & (breaks_loose | (initial & self.moving[k].truth()))
        });
        let slides = sliding[0] | start[0] | sliding[1] | start[1];
        let was_free = if free.constant_value() == Some(false) { never } else { mode.equals(FREE) };
        let forward = start[0] | (sliding[0] & !start[1]);
        let locked = !free & !slides;
        ModeState {
            free,
            was_stuck,
            was_free,
            comes_to_rest,
            sliding,
            start,
            forward,
            locked,
            room,
        }
    }

    /// Whether it began to slide in this direction before the present pass.
    fn has_started(&self, k: usize, comes_to_rest: [Bool; 2]) -> Bool {
        let start = self.start.get(k);
        start.map_or(Bool::constant(false), |start| start.pre_bool() | comes_to_rest[k])
    }

    /// Whether an element that has started is beyond the limit at which it stops.
    fn goes_on(&self, k: usize) -> Bool {
        self.beyond_started.get(k).map_or(Bool::constant(false), |relation| relation.truth())
    }

    /// Defines the relations and the next mode. `beyond` contains for each direction two functions
    /// that are positive beyond the limits: while the element is stuck, and after it has started.
    /// `jumps` states for each direction whether the mode changes at once.
    pub fn decide(
        &self,
        e: &mut SignalView<'_>,
        modes: &ModeState,
        beyond: [[Ex; 2]; 2],
        jumps: [Bool; 2],
    ) {
        let model = e.model();
        let initial = model.initial();
        let mut mode = Ex::from(STUCK);
        for k in (0..self.moving.len()).rev() {
            let Way { sign, mode: of_way, .. } = WAYS[k];
            // Between sliding in one direction and in the other, an element is stuck for one pass.
            // This corresponds to the pivots of a complementarity problem, and is the reason why
            // the event iteration ends.
            let stuck = modes.was_stuck & !modes.free & !modes.start[1 - k];
            let has_started = self.has_started(k, modes.comes_to_rest);
            let first = stuck & !has_started & modes.room[k];
            model.define_relation(self.beyond[k], beyond[k][0], first);
            if let Some(&relation) = self.beyond_started.get(k) {
                model.define_relation(relation, beyond[k][1], stuck & has_started);
            }
            // While the element is stuck, the speed is a constant remainder whose sign has no
            // meaning.
            let moves = initial | !modes.locked | modes.was_free;
            let moving = self.rest.moves(modes.sliding[k], sign);
            model.define_relation(self.moving[k], moving, moves & !modes.free);
            let may_slide = modes.sliding[k] | modes.was_free | modes.start[k] | jumps[k];
            let passed_zero = self.rest.passed_zero(modes.start[k], sign);
            let slides =
                may_slide & (self.moving[k].truth() | passed_zero | jumps[k]) & modes.room[k];
            mode = select(slides, of_way, mode);
            if let Some(&start) = self.start.get(k) {
                model.update(start, modes.start[k]);
            }
        }
        model.update(self.mode, select(modes.free, FREE, mode));
    }

    /// Does the same as [`ModeMachine::decide`] for an element that does not remember its start.
    /// While the element is stuck, its holding torque is compared with the limits forward and
    /// backward. A sliding element stops when it is no longer accelerated. `nominal` is the
    /// magnitude of its torques.
    pub fn decide_within(
        &self,
        e: &mut SignalView<'_>,
        modes: &ModeState,
        state: &FrictionState,
        limits: [Ex; 2],
        nominal: Ex,
    ) {
        // While other elements hold the element, it must not stop: the others can bear the sliding
        // torque.
        let held = select(
            modes.locked,
            0.0,
            select(state.held_by_others, state.sliding_acceleration.abs() * 2.0, 0.0),
        );
        let slack = modes.slack(state, nominal) + held;
        let beyond = [0, 1].map(|k| {
            let beyond =
                select(modes.locked, state.holding_torque - limits[k], state.sliding_acceleration);
            [beyond * WAYS[k].sign + slack; 2]
        });
        self.decide(e, modes, beyond, [Bool::constant(false); 2]);
    }

    /// Publishes the modes and the path parameter.
    pub fn publish(&self, e: &mut SignalView<'_>, modes: &ModeState, sa: Ex) {
        e.define("mode", self.mode.pre());
        for (k, way) in WAYS.iter().enumerate().take(self.moving.len()) {
            match self.start.get(k) {
                Some(start) => e.define(way.start, start.pre_bool()),
                None => {
                    e.variable(way.start, modes.start[k]);
                }
            }
        }
        e.variable("sa", sa);
        e.variable("locked", modes.locked);
    }
}

/// Publishes the modes of an element that never has friction.
pub fn publish_free(e: &mut SignalView<'_>) {
    e.variable("mode", Ex::from(FREE)).integer();
    e.variable("locked", Bool::constant(false));
}

impl ModeState {
    /// Adds the element to the equations of motion: the torque while it slides, and the part of the
    /// torque that is proportional to a load. Returns its number.
    pub fn add(
        &self,
        e: &mut VelocityView<'_>,
        (relative, speed): (Motion, Ex),
        sliding: Ex,
        proportional: Option<(Pressing, Ex)>,
    ) -> FrictionId {
        let stabilisation = e.comes_to_rest(self.locked, speed);
        let (name, locked, contact) = (e.name().to_owned(), self.locked, false);
        e.add_friction(Friction {
            name,
            relative,
            locked,
            sliding,
            proportional,
            stabilisation,
            contact,
        })
    }

    /// The deceleration up to which an element that has started continues: it stops only if it is
    /// decelerated by more than rounding errors. `nominal` is the magnitude of its torques.
    pub fn slack(&self, state: &FrictionState, nominal: Ex) -> Ex {
        select(
            self.locked,
            0.0,
            state.acceleration_error_per_torque * nominal + state.acceleration_error,
        )
    }

    /// The path parameter of the characteristic: the torque that holds the element, or the
    /// acceleration of sliding plus an offset in the direction of sliding.
    pub fn path(&self, state: &FrictionState, offset: Ex) -> Ex {
        let loose = select(
            self.forward,
            state.sliding_acceleration + offset,
            state.sliding_acceleration - offset,
        );
        select(self.locked, state.holding_torque, loose)
    }
}
