//! Coulomb friction with stiction: the mode machine shared by clutches, brakes and bearings.

use crate::compile::coordinates::Motion;
use crate::compile::dynamics::{Friction, FrictionState};
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::FlangeEnd;
use crate::component::Contribution;
use crate::error::Error;
use equations::{Bool, Discrete, Ex, Relation, select, table_linear};

/// Values of `mode`.
const LABELS: [(i32, &str); 5] =
    [(-1, "Backward"), (0, "Stuck"), (1, "Forward"), (2, "Free"), (3, "Unknown")];
const BACKWARD: f64 = -1.0;
const STUCK: f64 = 0.0;
const FORWARD: f64 = 1.0;
const FREE: f64 = 2.0;
const UNKNOWN: f64 = 3.0;

/// A friction coefficient (or a friction torque) over the speed: linear between knots, extended by
/// the last two knots at either end.
#[derive(Clone, Debug)]
pub struct Characteristic(Vec<[f64; 2]>);

impl From<f64> for Characteristic {
    fn from(value: f64) -> Self {
        Characteristic(vec![[0.0, value]])
    }
}

impl From<Vec<[f64; 2]>> for Characteristic {
    fn from(rows: Vec<[f64; 2]>) -> Self {
        Characteristic(rows)
    }
}

impl<const N: usize> From<[[f64; 2]; N]> for Characteristic {
    fn from(rows: [[f64; 2]; N]) -> Self {
        Characteristic(rows.to_vec())
    }
}

/// A characteristic as parameters.
#[derive(Clone, Debug)]
pub struct Curve {
    speeds: Vec<Ex>,
    values: Vec<Ex>,
}

impl Curve {
    /// The value at a speed.
    pub fn at(&self, speed: Ex) -> Ex {
        table_linear(&self.speeds, &self.values, speed)
    }
}

impl Characteristic {
    /// Declares the table as parameters `name[row,column]`; the speeds are structure.
    pub fn declare(
        &self,
        c: &mut Contribution<'_>,
        name: &str,
        unit: &str,
        text: &str,
    ) -> Result<Curve, Error> {
        let rows = &self.0;
        let ascending = rows.windows(2).all(|w| w[0][0] < w[1][0]);
        if rows.is_empty() || !ascending || rows[0][0] < 0.0 {
            let why = "the speeds must be ascending and not negative, and there must be one";
            return Err(c.refuse(name, why));
        }
        let mut curve = Curve { speeds: Vec::new(), values: Vec::new() };
        for (i, [speed, value]) in rows.iter().enumerate() {
            let (x, y) = (format!("{name}[{},1]", i + 1), format!("{name}[{},2]", i + 1));
            c.check(&x, *speed, "rad/s", true)?;
            c.check(&y, *value, unit, *value >= 0.0)?;
            c.constant(&x, *speed, "rad/s", text);
            curve.speeds.push(Ex::from(*speed));
            let y = c.parameter(&y, *value).unit(unit).describe(text).min(0.0).tunable();
            curve.values.push(y.into());
        }
        Ok(curve)
    }
}

/// What a kind of friction element says about itself at the present speed.
pub struct Law {
    /// True while nothing is transmitted.
    pub free: Bool,
    /// The sliding torque as the speed goes to zero, in N.m.
    pub tau0: Ex,
    /// The largest torque that holds the element, in N.m; at least `tau0`.
    pub tau0_max: Ex,
    /// Sliding torques: starting forward, starting backward, forward, backward.
    pub sliding: [Ex; 4],
    /// Magnitude of the torques, in N.m.
    pub nominal: Ex,
    /// Whether `tau0_max` can exceed `tau0`.
    pub peak: bool,
    /// Relative speed in rad/s beyond which a jump through zero goes on sliding the other way.
    pub w_small: Ex,
}

/// The discrete part of a friction element.
#[derive(Clone, Copy)]
struct Machine {
    mode: Discrete,
    start_forward: Discrete,
    start_backward: Discrete,
    above: [Relation; 2],
    above_started: Option<[Relation; 2]>,
    moving: [Relation; 2],
}

/// Truth values of one pass of the event iteration, or of the continuous phase.
struct Pass {
    free: Bool,
    was: [Bool; 5],
    start: [Bool; 2],
    locked: Bool,
}

/// Adds a friction element between two flanges: states the law, the modes and the variables.
pub fn contribute(
    c: &mut Contribution<'_>,
    a: FlangeEnd,
    b: FlangeEnd,
    law: impl FnOnce(&mut Evaluation<'_>, &Motion) -> Result<Law, Error> + 'static,
) {
    c.law(move |e| {
        let relative = e.relative(a, b);
        let law = law(e, &relative)?;
        let machine = declare(e, law.peak);
        let pass = evaluate(e, &machine, law.free);
        let [start_forward, start_backward, forward, backward] = law.sliding;
        let otherwise = select(pass.was[2], forward, backward);
        let started = select(pass.start[1], start_backward, otherwise);
        let sliding = select(pass.free, 0.0, select(pass.start[0], start_forward, started));
        let name = e.name().to_owned();
        let (relative_, locked, proportional) = (relative.clone(), pass.locked, None);
        let friction = Friction { name, relative: relative_, locked, sliding, proportional };
        let index = e.add_friction(friction);
        e.later(Box::new(move |e| {
            finish(e, &machine, &pass, &law_bounds(&law), &relative, index, (a, b))
        }));
        Ok(())
    });
}

/// Torques that decide about breaking loose.
struct Bounds {
    tau0: Ex,
    tau0_max: Ex,
    nominal: Ex,
    w_small: Ex,
}

fn law_bounds(law: &Law) -> Bounds {
    let Law { tau0, tau0_max, nominal, w_small, .. } = *law;
    Bounds { tau0, tau0_max, nominal, w_small }
}

fn declare(e: &mut Evaluation<'_>, peak: bool) -> Machine {
    let name = e.name().to_owned();
    let full = |local: &str| format!("{name}.{local}");
    let model = e.model();
    let mode = model
        .discrete(&full("mode"), UNKNOWN)
        .integer()
        .labels(&LABELS)
        .describe("Mode of friction: -1 backward, 0 stuck, 1 forward, 2 free, 3 unknown")
        .into();
    let mut started =
        |local: &str, text: &str| model.discrete(&full(local), 0.0).boolean().describe(text).into();
    let start_forward = started("startForward", "True while starting to slide forward");
    let start_backward = started("startBackward", "True while starting to slide backward");
    let mut relation = |text: &str| model.declare_relation(&format!("{name}: {text}"));
    // Where an event iteration changes one relation at a time it begins with the first: an element
    // that started must be seen to go on sliding before its first reason to slide is dropped.
    let above_started = peak.then(|| [relation("sa > tau0"), relation("sa < -tau0")]);
    let above = [relation("sa > tau0_max"), relation("sa < -tau0_max")];
    let moving = [relation("w_rel > 0"), relation("w_rel < 0")];
    Machine { mode, start_forward, start_backward, above, above_started, moving }
}

/// The truth values, from what was before and from the relations.
fn evaluate(e: &mut Evaluation<'_>, m: &Machine, free: Bool) -> Pass {
    let mode = m.mode.pre();
    let was = [BACKWARD, STUCK, FORWARD, FREE, UNKNOWN].map(|value| mode.equals(value));
    let initial = e.model().initial();
    let start = [m.start_forward, m.start_backward].map(Discrete::pre_bool);
    let start: [Bool; 2] = std::array::from_fn(|k| {
        let keeps = match &m.above_started {
            Some(started) => start[k] & started[k].truth(),
            None => Bool::constant(false),
        };
        (was[1] & (m.above[k].truth() | keeps)) | (initial & m.moving[k].truth())
    });
    let sliding = was[2] | start[0] | was[0] | start[1];
    Pass { free, was, start, locked: !free & !sliding }
}

/// With the accelerations: the path parameter, the relations, the next modes, the variables.
fn finish(
    e: &mut Evaluation<'_>,
    m: &Machine,
    pass: &Pass,
    bounds: &Bounds,
    relative: &Motion,
    index: usize,
    (a, b): (FlangeEnd, FlangeEnd),
) -> Result<(), Error> {
    let FrictionState { tau, hold, slip } = e.friction_state(index);
    e.flows.push((b, tau));
    e.flows.push((a, -tau));
    let a_rel = e.second_derivative(relative);
    let [was_backward, was_stuck, was_forward, was_free, _] = pass.was;
    let forward = pass.start[0] | (was_forward & !pass.start[1]);
    let loose = select(forward, slip + bounds.tau0_max, slip - bounds.tau0_max);
    let sa = select(pass.locked, hold, select(pass.free, a_rel, loose));

    let initial = e.model().initial();
    let model = e.model();
    let per_nominal = Ex::one() / bounds.nominal;
    for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
        let over = |limit: Ex| (sa * sign - limit) * per_nominal;
        // From sliding one way an element sticks before it slides the other way: like the pivots of
        // a complementarity problem, which is why the event iteration ends.
        let stuck = was_stuck & !pass.free & !pass.start[1 - k];
        let was_started = [m.start_forward, m.start_backward][k].pre_bool();
        match m.above_started {
            Some(started) => {
                model.define_relation(m.above[k], over(bounds.tau0_max), stuck & !was_started);
                model.define_relation(started[k], over(bounds.tau0), stuck & was_started);
            }
            None => model.define_relation(m.above[k], over(bounds.tau0_max), stuck),
        }
        // While stuck the speed is a constant remainder whose sign means nothing.
        let moves = initial | !pass.locked | was_free;
        model.define_relation(m.moving[k], relative.v * sign, moves & !pass.free);
    }
    // The published element counts a jump as starting; here only the mode changes, which needs no
    // comparison of the speed between events and ends in the same mode.
    let jumped = |was: Bool, w: Ex| was & w.gt(bounds.w_small);
    let came = |was: Bool, start: Bool| was | was_free | start;
    let forward = came(was_forward, pass.start[0]) | jumped(was_backward, relative.v);
    let backward = came(was_backward, pass.start[1]) | jumped(was_forward, -relative.v);
    let slides = [forward & m.moving[0].truth(), backward & m.moving[1].truth()];
    let moving = select(slides[0], FORWARD, select(slides[1], BACKWARD, STUCK));
    model.update(m.mode, select(pass.free, FREE, moving));
    model.update(m.start_forward, pass.start[0]);
    model.update(m.start_backward, pass.start[1]);

    e.define("mode", m.mode.pre());
    e.define("startForward", m.start_forward.pre_bool());
    e.define("startBackward", m.start_backward.pre_bool());
    e.variable("tau", tau).unit("N.m").describe("Friction torque between the flanges");
    e.variable("sa", sa).describe("Path parameter of the friction characteristic");
    e.variable("locked", pass.locked).describe("True while no sliding is possible");
    e.variable("free", pass.free).describe("True while nothing is transmitted");
    let loss = tau * relative.v;
    e.variable("lossPower", loss).unit("W").describe("Power lost by friction");
    Ok(())
}
