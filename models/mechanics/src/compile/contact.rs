//! Contacts between frames: the rows along which they act, what is struck at an impact, and what
//! keeps a contact closed.
//!
//! A contact is open, touches, or is kept closed. What touches and approaches is struck
//! ([`super::impacts`]). A contact that has touched without a speed along its normal is kept
//! closed: either it presses, and then its gap stays what it is, or it is unloaded, and its frames
//! part. While it presses it sticks or slides.

use super::coordinates::Motion;
use super::dynamics::{Friction as Element, FrictionState, Pressing};
use super::evaluation::Evaluation;
use super::impacts::{Blow, Strike};
use super::kinematics::{End, rates_along};
use super::staged_friction::Stages;
use super::structure::{FrameEnd, Pose, Twist};
use crate::error::Error;
use crate::vector::{Vector, X, Y, constant, cross, dot, normalize, scale};
use equations::{Bool, Discrete, Ex, Model, Relation, select, select_bool};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

/// How far frames are from touching, and where and in which direction they do.
#[derive(Clone, Copy, Debug)]
pub struct Geometry {
    /// The gap in m; its derivative is the speed of the first frame's point of contact relative to
    /// the second one's along the normal.
    pub gap: Ex,
    /// Unit vector in world axes that points from the second frame's surface to the first one's.
    pub normal: Vector,
    /// From the origin of each frame to the point of contact in m, in world axes; the same point
    /// for both, so that impulses keep the angular momentum.
    pub arms: [Vector; 2],
}

/// The geometry of a contact as a function of the poses of its two frames.
pub type Shape = Rc<dyn Fn([&Pose; 2]) -> Geometry>;

/// A speed along the normal below this share of `v_small` counts as none.
const NO_SPEED: f64 = 1e-6;

/// Frames touch from this gap on; m.
const TOUCHING: f64 = 1e-9;

/// How fast the gap of a closed contact, and the speeds along it, return to what they were; 1/s.
const RETURN: f64 = 10.0;

/// What happens at an impact of a contact, and afterwards.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// Coefficient of restitution.
    pub elasticity: Ex,
    /// What happens along the surfaces.
    pub friction: Friction,
    /// An approach slower than this times `1 - elasticity` is inelastic; m/s.
    pub v_small: Ex,
    /// Whether the contact can be kept closed.
    pub rests: bool,
}

/// Friction of a contact.
#[derive(Clone, Copy, Debug)]
pub enum Friction {
    /// None: the contact has a row along its normal only.
    None,
    /// Coulomb's law, at impacts and while the contact is closed.
    Coulomb {
        /// Coefficient of friction.
        mu: Ex,
    },
    /// At impacts only, in stages: an impulse after the impact, then a correction.
    Staged {
        /// Coefficient of friction.
        mu: Ex,
        /// From the impact to the last stage, in s.
        duration: Ex,
        /// Speed in m/s below which what has to be taken back has no direction.
        small: Ex,
    },
}

impl Friction {
    /// The coefficient of Coulomb's law.
    fn coulomb(self) -> Option<Ex> {
        match self {
            Friction::Coulomb { mu } => Some(mu),
            Friction::None | Friction::Staged { .. } => None,
        }
    }
}

/// The rows of a contact: along the normal, then along two tangents.
#[derive(Clone, Debug)]
pub struct Rows {
    /// Relative motions of the points of contact; the position is the gap, or means nothing.
    pub motions: Vec<Motion>,
    /// The directions of the rows in world axes.
    pub directions: Vec<Vector>,
    /// The present geometry.
    pub geometry: Geometry,
}

impl Rows {
    /// The rows of a contact between two frames.
    pub fn new(e: &Evaluation<'_>, ends: [FrameEnd; 2], shape: &Shape, tangents: bool) -> Rows {
        let at = ends.map(|end| End {
            pose: e.pose(end),
            velocity: e.velocity(end),
            acceleration: e.acceleration(end),
        });
        let poses = [&at[0].pose, &at[1].pose];
        let speeds = |poses: [&Pose; 2], twists: [&Twist; 2]| -> Vec<Ex> {
            let geometry = shape(poses);
            let points = [0, 1].map(|k| point_velocity(poses[k], twists[k], &geometry.arms[k]));
            let relative = points[0] - points[1];
            directions(&geometry.normal, tangents).iter().map(|d| dot(d, &relative)).collect()
        };
        let (values, rates) = rates_along(&at, speeds);
        let geometry = shape(poses);
        let rows = values.into_iter().zip(rates).enumerate();
        let mut motions: Vec<Motion> = rows
            .map(|(k, (v, bias))| {
                let q = if k == 0 { geometry.gap } else { Ex::zero() };
                Motion::prescribed([q, v, bias])
            })
            .collect();
        for variable in e.frames.moving(&ends) {
            let partials = ends.map(|end| e.frames.partial(end, variable));
            for (motion, partial) in
                motions.iter_mut().zip(speeds(poses, [&partials[0], &partials[1]]))
            {
                if !partial.is_constant_zero() {
                    motion.partials.insert(variable, partial);
                }
            }
        }
        let directions = directions(&geometry.normal, tangents);
        Rows { motions, directions, geometry }
    }

    /// The speeds along the rows.
    pub fn speeds(&self) -> Vec<Ex> {
        self.motions.iter().map(|motion| motion.v).collect()
    }

    /// A vector in world axes from its components along the rows.
    pub fn vector(&self, components: &[Ex]) -> Vector {
        let terms = self.directions.iter().zip(components).map(|(d, &c)| scale(d, c));
        terms.reduce(|a, b| a + b).unwrap_or_else(crate::vector::zero)
    }
}

/// The velocity in world axes of a point that moves with a frame.
fn point_velocity(pose: &Pose, twist: &Twist, arm: &Vector) -> Vector {
    pose.t.transpose() * (twist.v + cross(&twist.w, &(pose.t * arm)))
}

/// The normal, and two tangents if they are wanted.
fn directions(normal: &Vector, tangents: bool) -> Vec<Vector> {
    if !tangents {
        return vec![*normal];
    }
    let along_x = normal[0].abs().gt(0.8);
    let other = constant(X).zip_map(&constant(Y), |x, y| select(along_x, y, x));
    let first = normalize(&cross(normal, &other));
    vec![*normal, first, cross(normal, &first)]
}

/// Declares a contact: its part in the equations of motion, in impacts, and its variables.
///
/// # Errors
/// If neither frame can give way to an impulse.
pub fn declare(
    e: &mut Evaluation<'_>,
    ends: [FrameEnd; 2],
    shape: &Shape,
    law: Law,
) -> Result<(), Error> {
    let tangents = !matches!(law.friction, Friction::None);
    let rows = Rows::new(e, ends, shape, tangents);
    if rows.motions[0].partials.is_empty() {
        let why = "both of its frames rest or move as prescribed, so that nothing can give way";
        return Err(Error::Connection(format!("{}: {why}", e.name())));
    }
    let modes = Modes::declare(e, &law);
    let meeting = modes.meet(e.model(), &rows, &law);
    let elements = modes.elements(e, &rows, &law);
    let numbers = e.add_rows(&rows.motions);
    e.later(Box::new(move |e| {
        let states: Vec<FrictionState> =
            elements.iter().map(|&element| e.friction_state(element)).collect();
        modes.decide(e, &rows, numbers, &law, meeting, &states);
        Ok(())
    }));
    Ok(())
}

/// The discrete part of a contact.
#[derive(Clone, Debug)]
struct Modes {
    touches: Relation,
    approaches: Relation,
    closed: Option<Closed>,
    impacts: Discrete,
    impulse: Vec<Discrete>,
}

/// How the frames of a contact meet.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// They touch, and the contact is not kept closed.
    meets: Bool,
    /// They touch.
    touches: Bool,
    /// They touch and approach each other.
    approaches: Bool,
}

/// The discrete part of a contact that can be kept closed.
#[derive(Clone, Debug)]
struct Closed {
    kept: Discrete,
    /// The gap that is kept.
    gap: Discrete,
    presses: Relation,
    parts: Relation,
    slip: Option<Slip>,
}

/// The discrete part of friction.
#[derive(Clone, Debug)]
struct Slip {
    mode: Discrete,
    /// The direction in which it starts to slide.
    direction: [Discrete; 2],
    breaks_loose: Relation,
    fast: Relation,
    slow: Relation,
    back: Relation,
}

const STICKS: f64 = 0.0;
const STARTS: f64 = 1.0;
const SLIDES: f64 = 2.0;
const LABELS: [(i32, &str); 3] = [(0, "Sticks"), (1, "Starts"), (2, "Slides")];

/// The sliding speed, as a share of `v_small`, above which its direction is that of the friction.
const SLIDING: f64 = 0.01;

/// A contact that starts to slide turned back if this share of the sliding speed is left of another
/// direction, and grows: while it stuck it may have had some speed.
const BEHIND: f64 = 0.01;

impl Modes {
    fn declare(e: &mut Evaluation<'_>, law: &Law) -> Modes {
        let name = e.name().to_owned();
        let full = |local: &str| format!("{name}.{local}");
        let model = e.model();
        let touches = model.declare_relation(&format!("{name}: frames touch"));
        let approaches = model.declare_relation(&format!("{name}: frames approach"));
        let closed = law.rests.then(|| {
            let text = "True while the contact is kept closed";
            let kept = model.discrete(&full("closed"), 0.0).boolean().describe(text).done();
            let text = "Gap at which the contact is kept closed";
            let gap = model.discrete(&full("gap_closed"), 0.0).unit("m").describe(text).done();
            let presses = model.declare_relation(&format!("{name}: f_n > 0"));
            let parts = model.declare_relation(&format!("{name}: closed frames part"));
            let slip = law.friction.coulomb().map(|_| {
                let text = "Mode of friction while closed: 0 sticks, 1 starts to slide, 2 slides";
                let mode = model
                    .discrete(&full("mode"), STICKS)
                    .integer()
                    .labels(&LABELS)
                    .describe(text)
                    .done();
                let direction = [1, 2].map(|k| {
                    let text = "Direction along a tangent in which it starts to slide";
                    let name = full(&format!("direction[{k}]"));
                    model.discrete(&name, 0.0).unit("1").describe(text).done()
                });
                let breaks_loose = model.declare_relation(&format!("{name}: friction is overcome"));
                let fast = model.declare_relation(&format!("{name}: slides faster"));
                let slow = model.declare_relation(&format!("{name}: slides slower"));
                let back = model.declare_relation(&format!("{name}: slides back"));
                Slip { mode, direction, breaks_loose, fast, slow, back }
            });
            Closed { kept, gap, presses, parts, slip }
        });
        let text = "Number of impacts";
        let impacts =
            model.discrete(&full("impacts"), 0.0).integer().describe(text).as_output().done();
        let texts = ["Impulse of the last impact along the normal", "Impulse along a tangent"];
        let components = if law.friction.coulomb().is_some() { 3 } else { 1 };
        let impulse = (0..components).map(|k| {
            let local = if k == 0 { "impulse".to_owned() } else { format!("impulse_t[{k}]") };
            let text = texts[k.min(1)];
            let declared = model.discrete(&full(&local), 0.0).unit("N.s").describe(text);
            declared.as_output().done()
        });
        let impulse = impulse.collect();
        Modes { touches, approaches, closed, impacts, impulse }
    }

    /// Says whether the frames touch and approach each other.
    fn meet(&self, model: &mut Model, rows: &Rows, law: &Law) -> Meeting {
        let gap = &rows.motions[0];
        let no_speed = law.v_small * NO_SPEED;
        let never = Bool::constant(false);
        let kept = self.closed.as_ref().map_or(never, |closed| closed.kept.pre_bool());
        model.define_relation(self.touches, TOUCHING - gap.q, !kept);
        let meets = self.touches.truth() & !kept;
        model.define_relation(self.approaches, -gap.v - no_speed, meets);
        // By a relation while they meet, by the speed while kept closed.
        let approaches = (meets & self.approaches.truth()) | (kept & gap.v.lt(-no_speed));
        Meeting { meets, touches: self.touches.truth() | kept, approaches }
    }

    /// The elements of the equations of motion that keep the contact closed.
    fn elements(&self, e: &mut Evaluation<'_>, rows: &Rows, law: &Law) -> Vec<usize> {
        let Some(closed) = &self.closed else { return Vec::new() };
        let presses = closed.kept.pre_bool() & closed.presses.truth();
        let gap = &rows.motions[0];
        let returning = 2.0 * RETURN * gap.v + RETURN * RETURN * (gap.q - closed.gap.pre());
        let name = e.name().to_owned();
        let normal = e.add_friction(Element {
            name: name.clone(),
            relative: gap.clone(),
            locked: presses,
            sliding: Ex::zero(),
            proportional: None,
            stabilisation: returning,
            contact: true,
        });
        let mut elements = vec![normal];
        if let (Some(slip), Some(mu)) = (&closed.slip, law.friction.coulomb()) {
            let direction = slip.direction_of_sliding(rows, law);
            let sticks = slip.mode.pre().equals(STICKS);
            for (k, motion) in rows.motions[1..].iter().enumerate() {
                elements.push(e.add_friction(Element {
                    name: name.clone(),
                    relative: motion.clone(),
                    locked: presses & sticks,
                    sliding: Ex::zero(),
                    proportional: Some((Pressing::Element(normal), -(mu * direction[k]))),
                    stabilisation: 2.0 * RETURN * motion.v,
                    contact: false,
                }));
            }
        }
        elements
    }

    /// With the accelerations: relations, the next modes, the part in impacts, variables.
    fn decide(
        &self,
        e: &mut Evaluation<'_>,
        rows: &Rows,
        numbers: Range<usize>,
        law: &Law,
        meeting: Meeting,
        states: &[FrictionState],
    ) {
        let gap = &rows.motions[0];
        let initial = e.model().initial();
        let strike = Strike {
            touches: meeting.touches & !initial,
            parts: gap.v.gt(law.v_small * NO_SPEED),
            approaches: meeting.approaches & !initial,
            elasticity: law.elasticity,
            friction: law.friction.coulomb(),
            v_small: if law.rests { law.v_small } else { Ex::zero() },
        };
        if let Some(closed) = &self.closed {
            closed.decide(e, rows, law, meeting, states);
        }
        self.publish(e, rows, states);
        let stages = match law.friction {
            Friction::Staged { mu, duration, small } => {
                let stages = Stages::declare(e, [mu, duration, small]);
                stages.act(e, rows, numbers.clone(), self.impulse[0].pre());
                Some(stages)
            }
            Friction::None | Friction::Coulomb { .. } => None,
        };
        let (impacts, impulse) = (self.impacts, self.impulse.clone());
        let component = e.component;
        e.add_blow(Blow {
            component,
            rows: numbers.start..numbers.start + impulse.len(),
            strike: Some(strike),
            given: None,
            done: Box::new(move |model, outcome| {
                let hit = outcome.struck & outcome.p[0].gt(0.0);
                model.update(impacts, impacts.pre() + select(hit, 1.0, 0.0));
                for (&discrete, &p) in impulse.iter().zip(&outcome.p) {
                    model.update(discrete, select(hit, p, discrete.pre()));
                }
                if let Some(stages) = stages {
                    stages.begin(model, hit);
                }
            }),
        });
    }

    fn publish(&self, e: &mut Evaluation<'_>, rows: &Rows, states: &[FrictionState]) {
        e.define("impacts", self.impacts.pre());
        e.define("impulse", self.impulse[0].pre());
        e.variable("gap", rows.geometry.gap).unit("m").describe("Distance of the surfaces");
        e.variable("v_n", rows.motions[0].v).unit("m/s").describe("Rate of the gap");
        let Some(closed) = &self.closed else { return };
        e.define("closed", closed.kept.pre());
        let forces: Vec<Ex> = states.iter().map(|state| -state.tau).collect();
        let text = "Force of the closed contact along the normal";
        e.variable("f_n", forces[0]).unit("N").describe(text);
        if forces.len() > 1 {
            e.define("mode", closed.slip.as_ref().map_or_else(Ex::zero, |slip| slip.mode.pre()));
            let text = "Force of the closed contact on frame_a, resolved in world frame";
            e.vector("f", &rows.vector(&forces), "N", text);
        }
    }
}

impl Closed {
    fn decide(
        &self,
        e: &mut Evaluation<'_>,
        rows: &Rows,
        law: &Law,
        meeting: Meeting,
        states: &[FrictionState],
    ) {
        let gap = &rows.motions[0];
        let (kept, presses) = (self.kept.pre_bool(), self.presses.truth());
        let no_speed = law.v_small * NO_SPEED;
        let normal = &states[0];
        // Forces are asked with the speeds after all impacts.
        let wait = e.after_impulses();
        let model = e.model();
        let pressing = select(presses, -normal.hold, -normal.slip);
        let pressing = select(wait, select(presses, 1.0, -1.0), pressing);
        model.define_relation(self.presses, pressing, kept);
        let parting = gap.v.abs() - 10.0 * no_speed;
        model.define_relation(self.parts, parting, kept & !presses);
        let closes = meeting.meets & !meeting.approaches & gap.v.le(no_speed) & !wait;
        let thrown = gap.v.gt(10.0 * no_speed);
        let parts = select_bool(wait, thrown, !presses & self.parts.truth());
        let parts = parts & !meeting.approaches;
        model.update(self.gap, select(closes, gap.q, self.gap.pre()));
        model.update(self.kept, ((kept & !parts) | closes).as_ex());
        if let (Some(slip), Some(mu)) = (&self.slip, law.friction.coulomb()) {
            let lands = closes | (kept & (!presses | wait));
            slip.decide(e, rows, law, (kept & presses & !wait, lands, mu), states);
        }
    }
}

impl Slip {
    /// The direction, along the tangents, against which sliding friction acts: that of the speed,
    /// but the last known one where the speed is about to turn back.
    fn direction_of_sliding(&self, rows: &Rows, law: &Law) -> [Ex; 2] {
        let smallest = law.v_small * (SLIDING / 4.0);
        let per_speed = 1.0 / sliding_speed(rows).max(smallest);
        let latched = self.mode.pre().equals(STARTS) | self.forward(rows).lt(smallest);
        std::array::from_fn(|k| {
            select(latched, self.direction[k].pre(), rows.motions[k + 1].v * per_speed)
        })
    }

    /// The speed in the last known direction of sliding.
    fn forward(&self, rows: &Rows) -> Ex {
        rows.motions[1].v * self.direction[0].pre() + rows.motions[2].v * self.direction[1].pre()
    }

    fn decide(
        &self,
        e: &mut Evaluation<'_>,
        rows: &Rows,
        law: &Law,
        (pressed, lands, mu): (Bool, Bool, Ex),
        states: &[FrictionState],
    ) {
        let is = |mode: f64| self.mode.pre().equals(mode);
        let (sticks, starts, slides) = (is(STICKS), is(STARTS), is(SLIDES));
        let (hold, across) = (-states[0].hold, [states[1].hold, states[2].hold]);
        let size = (across[0].square() + across[1].square()).sqrt();
        let (speed, forward) = (sliding_speed(rows), self.forward(rows));
        let sliding = law.v_small * SLIDING;
        let model = e.model();
        model.define_relation(self.breaks_loose, size - mu * hold, pressed & sticks);
        model.define_relation(self.fast, speed / sliding - 1.0, pressed & starts);
        let ahead =
            states[1].slip * self.direction[0].pre() + states[2].slip * self.direction[1].pre();
        let stays_behind = (-forward / sliding - BEHIND).min(-ahead);
        let turning = select(starts, stays_behind, -forward / sliding);
        model.define_relation(self.back, turning, pressed & !sticks);
        model.define_relation(self.slow, 0.5 - speed / sliding, pressed & slides);
        let (fast, back) = (self.fast.truth(), self.back.truth());
        let loose = pressed & sticks & self.breaks_loose.truth();
        let stops = self.slow.truth() | (back & speed.lt(0.5 * sliding));
        let after_start = select(back, STICKS, select(fast, SLIDES, STARTS));
        let next = select(starts, after_start, select(stops, STICKS, SLIDES));
        let next = select(sticks, select(loose, STARTS, STICKS), next);
        let landing = select(speed.gt(sliding), SLIDES, STICKS);
        let open = select(lands, landing, self.mode.pre());
        model.update(self.mode, select(pressed, next, open));
        // While it slides the direction is that in which it began to, until it turns back.
        let turns = lands | (starts & fast) | (slides & back);
        let per_speed = 1.0 / speed.max(sliding * 0.25);
        for (k, discrete) in self.direction.into_iter().enumerate() {
            let turned = select(turns, rows.motions[k + 1].v * per_speed, discrete.pre());
            model.update(discrete, select(loose, across[k] / size, turned));
        }
    }
}

fn sliding_speed(rows: &Rows) -> Ex {
    (rows.motions[1].v.square() + rows.motions[2].v.square()).sqrt()
}

impl super::evaluation::Frames {
    /// The independent coordinates that move one of these frames.
    pub(crate) fn moving(&self, ends: &[FrameEnd]) -> BTreeSet<usize> {
        let links = ends.iter().map(|end| self.tree.places[&end.node].link);
        links.flat_map(|link| self.partials[link].keys().copied()).collect()
    }

    /// The velocity of a frame for a unit of the speed of an independent coordinate.
    pub(crate) fn partial(&self, end: FrameEnd, variable: usize) -> Twist {
        let place = &self.tree.places[&end.node];
        let partial = self.partials[place.link].get(&variable);
        partial.map_or_else(Twist::zero, |twist| twist.at(&place.pose))
    }
}
