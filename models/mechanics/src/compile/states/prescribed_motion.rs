//! Prescribed motions, and initial conditions that signals give.
//!
//! A drive's position, speed and acceleration come from signals, which may look at any motion of
//! the model. Everything else is therefore built with placeholders for them; the signals are
//! evaluated when all motions are known, and the placeholders replaced at the end.

use crate::compile::algebra::linear_form::Elimination;
use crate::compile::contributions::{Candidate, Condition, Place, Prescribed, Signal, Structure};
use crate::compile::kinematics::state_variables::declare_state;
use crate::compile::laws::evaluation::Evaluation;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::publication::deferred::Late;
use crate::compile::states::initial_system::{ACCELERATION, Priority, StartValue};
use crate::compile::states::initial_values::{Initial, Level};
use crate::compile::topology::loops::Taken;
use crate::error::Error;
use equations::{Ex, Model, depends_on};
use std::collections::BTreeSet;

/// Placeholders of one drive.
#[derive(Clone, Copy, Debug)]
struct Placeholders {
    /// Position, speed and acceleration, or the states that take their places.
    motion: [Ex; 3],
    /// Initial position and speed, where they are known.
    initial: [Option<Ex>; 2],
}

/// An initial condition with the placeholder of what it determines.
struct Determined {
    condition: Condition,
    /// Its variable.
    variable: usize,
    /// The value of its own place that it determines, unless something else gives it.
    unknown: Option<Determines>,
    /// Why that is given, if a loop does.
    refusal: Option<String>,
}

/// A variable whose initial position or speed a signal gives.
pub struct Known {
    /// The component that states it.
    pub component: usize,
    /// The variable.
    pub variable: usize,
    /// The value.
    pub value: Ex,
    /// Whether it is the motion that the component prescribes.
    pub moves: bool,
}

/// What an initial condition determines.
#[derive(Clone)]
struct Determines {
    /// The name of the start value.
    name: String,
    /// Whether it is the position or the speed: the condition's own, or, for an acceleration, the
    /// first that nothing else gives.
    level: Level,
    symbol: Ex,
    /// Where the search for it begins.
    guess: Ex,
}

/// An acceleration at the start.
pub struct Wanted {
    name: String,
    variable: usize,
    unknown: Option<Determines>,
    acceleration: Ex,
    measured: Option<Signal>,
    refusal: Option<String>,
}

impl Wanted {
    /// Tells `late` what the acceleration must be, once accelerations are known.
    pub fn require(self, e: &mut Evaluation<'_>, late: &mut Late) -> Result<(), Error> {
        let measured = match self.measured {
            Some(measured) => measured(e)?,
            None => {
                let motion = e.coordinates.variable(self.variable);
                e.second_derivative(&motion)
            }
        };
        let gap = measured - self.acceleration;
        if let Some(Determines { name, symbol, guess, .. }) = self.unknown {
            let own = StartValue { name, symbol, guess, priority: Priority::Own };
            late.start.add_gap_of(&self.name, ACCELERATION, gap, own);
            return Ok(());
        }
        let refusal = self.refusal.unwrap_or_else(|| {
            format!(
                "{}: its fixed initial acceleration is one too many: leave a start value free or \
                 make a parameter unknown",
                self.name
            )
        });
        late.start.add_gap(&self.name, ACCELERATION, gap, Some(refusal));
        Ok(())
    }
}

/// All drives and all conditions.
pub struct Drives {
    drives: Vec<Placeholders>,
    conditions: Vec<Determined>,
}

impl Drives {
    /// Makes the placeholders.
    pub fn new(plan: &mut crate::compile::topology::plan::Plan) -> Drives {
        let placeholder = |numeric: &mut crate::compile::algebra::numeric::Numeric| {
            let symbol = Ex::symbol();
            numeric.set(symbol, 0.0);
            symbol
        };
        let mut drives = Vec::new();
        for (k, drive) in plan.structure.drives.iter().enumerate() {
            let motion = [(); 3].map(|()| placeholder(&mut plan.numeric));
            // What the joint that it moves is thought to start at.
            let variable = plan.coordinates.numbering().drive(k);
            if let Some(unknown) = plan.unknowns.iter().find(|u| u.variable == variable) {
                plan.numeric.set(motion[0], unknown.start);
            }
            let initial = match &drive.prescribed {
                Prescribed::Position(_)
                | Prescribed::PositionAndSpeed(_)
                | Prescribed::Motion(_) => [Some(motion[0]), Some(motion[1])],
                Prescribed::Speed { .. } => [None, Some(motion[1])],
                Prescribed::Acceleration { initial, .. } => [0, 1]
                    .map(|k: usize| initial[k].as_ref().map(|_| placeholder(&mut plan.numeric))),
            };
            drives.push(Placeholders { motion, initial });
        }
        let conditions = std::mem::take(&mut plan.structure.conditions);
        let given = places(&conditions);
        let determined = |condition: Condition| {
            let variable = variable_of(&plan.coordinates, condition.place);
            let [position, speed] = starts_of(&plan.structure, condition.place);
            let level = level_of(&condition, &given, [&position, &speed]);
            let mut refusal = None;
            if let (2, Some(level)) = (condition.order, level) {
                let taken = |t: &&Taken| t.variable == variable && t.which == level as usize;
                let name = position.as_ref().map_or("", |p| &p.name);
                refusal = plan.loops.taken.iter().find(taken).map(|taken| {
                    format!(
                        "{name}: its fixed initial acceleration is one too many: the loop closed \
                         by {} already determines it",
                        taken.row
                    )
                });
            }
            let unknown = level.filter(|_| refusal.is_none()).map(|level| {
                let candidate = if level == Level::Position { position } else { speed };
                let name = candidate.as_ref().map_or_else(String::new, |c| c.name.clone());
                let guess = candidate.map_or_else(Ex::zero, |c| c.slot);
                let symbol = placeholder(&mut plan.numeric);
                plan.numeric.set(symbol, plan.numeric.one(guess));
                Determines { name, level, symbol, guess }
            });
            Determined { condition, variable, unknown, refusal }
        };
        let conditions = conditions.into_iter().map(determined).collect();
        Drives { drives, conditions }
    }

    /// Variables whose initial position or speed signals give.
    pub fn known(&self, plan: &crate::compile::topology::plan::Plan, level: Level) -> Vec<Known> {
        let of_drives = self.drives.iter().enumerate().filter_map(|(k, drive)| {
            let component = plan.structure.drives[k].component;
            let variable = plan.coordinates.numbering().drive(k);
            let value = drive.initial[level as usize]?;
            Some(Known { component, variable, value, moves: true })
        });
        let of_conditions = self.conditions.iter().filter(|c| c.condition.order < 2);
        let of_conditions = of_conditions.filter_map(|c| {
            let value = c.unknown.as_ref().filter(|u| u.level == level)?.symbol;
            let (component, variable) = (c.condition.component, c.variable);
            Some(Known { component, variable, value, moves: false })
        });
        of_drives.chain(of_conditions).collect()
    }

    /// Whether there are initial accelerations: they determine what signals do not give.
    pub fn determine_more(&self) -> bool {
        self.conditions.iter().any(|c| c.condition.order == 2)
    }

    /// Puts in the placeholders of what initial accelerations determine at their own places.
    pub fn determine(
        &self,
        plan: &crate::compile::topology::plan::Plan,
        level: Level,
        dependent: &BTreeSet<usize>,
        system: &mut Elimination,
    ) {
        for c in self.conditions.iter().filter(|c| c.condition.order == 2) {
            let Some(unknown) = c.unknown.as_ref().filter(|u| u.level == level) else { continue };
            let mut equation = plan.start_form(c.variable);
            if level == Level::Speed {
                equation.constant = Ex::zero();
            }
            equation.constant -= unknown.symbol;
            if !plan.is_out_of_reach(&equation, level, dependent) {
                // What others give already stays so.
                system.relate(&equation, |_| 0, &plan.numeric);
            }
        }
    }

    /// Whether a value depends on what signals give.
    pub fn decide(&self, value: Ex) -> bool {
        let of_drives = self.drives.iter().flat_map(|d| d.initial.into_iter().flatten());
        let of_conditions = self.conditions.iter().filter_map(|c| Some(c.unknown.as_ref()?.symbol));
        of_drives.chain(of_conditions).any(|symbol| depends_on(&[value], symbol))
    }

    /// Declares the states of the drives, and the motions of their variables.
    pub fn declare(
        &mut self,
        plan: &mut crate::compile::topology::plan::Plan,
        initial: &Initial,
        model: &mut Model,
    ) {
        for form in 0..plan.forms.len() {
            let Some((k, second_order)) = plan.forms[form].drive else { continue };
            let variable = plan.coordinates.numbering().drive(k);
            let q = declare_state(plan, initial, model, (form, 0), initial.q[&variable]);
            self.drives[k].motion[0] = q;
            if second_order {
                let v = declare_state(plan, initial, model, (form, 1), initial.v[&variable]);
                self.drives[k].motion[1] = v;
            }
            model.derivative(q, self.drives[k].motion[1]);
            if second_order {
                model.derivative(self.drives[k].motion[1], self.drives[k].motion[2]);
            }
        }
        for (k, drive) in self.drives.iter().enumerate() {
            let (mut motion, variable) =
                (Motion::prescribed(drive.motion), plan.coordinates.numbering().drive(k));
            // If it gave way: see `drive_loads`.
            motion.partials.insert(variable, Ex::one());
            plan.coordinates.set_motion(variable, motion);
        }
    }

    /// Evaluates the signals; what replaces the placeholders goes to `late`. Gives the conditions
    /// that wait for the accelerations.
    pub fn evaluate(
        self,
        prescribed: Vec<crate::compile::contributions::Drive>,
        e: &mut Evaluation<'_>,
        late: &mut Late,
    ) -> Result<Vec<Wanted>, Error> {
        for (drive, Placeholders { motion: [q, v, a], initial }) in
            prescribed.into_iter().zip(self.drives)
        {
            e.component = drive.component;
            let name = e.name().to_owned();
            match drive.prescribed {
                Prescribed::Position(position) => {
                    late.add(&name, q, position(e)?);
                    late.add_rate(&name, v, q);
                    late.add_rate(&name, a, v);
                }
                Prescribed::PositionAndSpeed(motion) => {
                    let [position, speed] = motion(e)?;
                    late.add(&name, q, position);
                    late.add(&name, v, speed);
                    late.add_rate(&name, a, v);
                }
                Prescribed::Motion(motion) => {
                    for (symbol, value) in [q, v, a].into_iter().zip(motion(e)?) {
                        late.add(&name, symbol, value);
                    }
                }
                Prescribed::Speed { speed, .. } => {
                    late.add(&name, v, speed(e)?);
                    late.add_rate(&name, a, v);
                }
                Prescribed::Acceleration { initial: signals, acceleration, .. } => {
                    for (symbol, signal) in initial.into_iter().zip(signals) {
                        if let (Some(symbol), Some(signal)) = (symbol, signal) {
                            late.add(&name, symbol, signal(e)?);
                        }
                    }
                    late.add(&name, a, acceleration(e, q, v)?);
                }
            }
        }
        let mut wanted = Vec::new();
        for Determined { condition, variable, unknown, refusal } in self.conditions {
            e.component = condition.component;
            let name = e.name().to_owned();
            let acceleration = (condition.value)(e)?;
            match unknown {
                Some(unknown) if condition.order < 2 => {
                    late.add(&name, unknown.symbol, acceleration);
                }
                _ => {
                    let measured = condition.measured;
                    wanted.push(Wanted {
                        name,
                        variable,
                        unknown,
                        acceleration,
                        measured,
                        refusal,
                    });
                }
            }
        }
        Ok(wanted)
    }
}

/// What conditions are about, with their orders.
fn places(conditions: &[Condition]) -> Vec<(Place, usize)> {
    conditions.iter().map(|c| (c.place, c.order)).collect()
}

/// Whether a condition determines a position or a speed; `None` if both are given otherwise.
fn level_of(
    condition: &Condition,
    given: &[(Place, usize)],
    [position, speed]: [&Option<Candidate>; 2],
) -> Option<Level> {
    let fixed = |c: &Option<Candidate>| c.as_ref().is_some_and(|c| c.start.fixed);
    let free = |order: usize, c| !given.contains(&(condition.place, order)) && !fixed(c);
    match condition.order {
        0 => Some(Level::Position),
        1 => Some(Level::Speed),
        _ if free(0, position) => Some(Level::Position),
        _ if free(1, speed) => Some(Level::Speed),
        _ => None,
    }
}

/// Coordinates whose position (0) or speed (1) an acceleration at the start determines.
pub fn determined_by_accelerations(structure: &Structure) -> Vec<(usize, usize)> {
    let given = places(&structure.conditions);
    let determined = |condition: &Condition| {
        let Place::Coordinate(c) = condition.place else { return None };
        let [position, speed] = starts_of(structure, condition.place);
        Some((c, level_of(condition, &given, [&position, &speed])? as usize))
    };
    structure.conditions.iter().filter(|c| c.order == 2).filter_map(determined).collect()
}

/// The variable of a place.
fn variable_of(coordinates: &Coordinates, place: Place) -> usize {
    match place {
        Place::Flange(end) => end.node,
        Place::Coordinate(c) => coordinates.numbering().coordinate(c),
    }
}

/// The start values of the position and the speed of a place as far as it has some.
fn starts_of(structure: &Structure, place: Place) -> [Option<Candidate>; 2] {
    match place {
        Place::Flange(end) => {
            let absolute =
                structure.relatives.iter().find(|r| r.a.is_none() && r.b.node == end.node);
            let guess = |c: &Candidate| {
                // The flange's own start values are not conditions here, only guesses.
                let start = crate::start::guess(c.start.value);
                Candidate { start, ..c.clone() }
            };
            [absolute.map(|r| guess(&r.position)), absolute.map(|r| guess(&r.speed))]
        }
        Place::Coordinate(c) => {
            let coordinate = &structure.coordinates[c];
            let ball =
                || structure.joints.iter().find(|j| j.spins().is_some_and(|s| s.contains(&c)));
            let mut position = coordinate.position.clone();
            if let Some(ball) = ball().and_then(|joint| joint.ball.as_ref()) {
                // Turns from where the quaternion starts.
                position.start.fixed = ball.quaternion[0].start.fixed;
                position.slot = Ex::zero();
            }
            [position, coordinate.speed.clone()].map(Some)
        }
    }
}
