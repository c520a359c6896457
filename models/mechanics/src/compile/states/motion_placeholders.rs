//! Prescribed motions, and initial conditions that signals give.
//!
//! Position, speed and acceleration of a prescribed motion come from signals, which may depend on
//! any motion of the model. Everything else is therefore built with placeholders for them. The
//! signals are evaluated when all motions are known, and the placeholders are replaced at the end.

use crate::compile::topology::Topology;
use crate::compile::topology::condition_targets::{level_of, starts_of, subjects, variable_of};
use crate::compile::topology::loop_structure::OverdeterminedStart;
use crate::compile::topology::state_candidates::StateCandidate;
use crate::ids::{ComponentId, List, PrescribedMotionId, VariableId};
use crate::start::Start;
use crate::statements::algebra::linear_form::{Elimination, LinearForm, Outcome};
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::flanges::{MotionLaw, PrescribedMotion};
use crate::statements::contributions::initial_conditions::{Condition, FlangeOrCoordinate};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::level::Level;
use equations::{Ex, depends_on};

/// Placeholders of one prescribed motion.
pub struct PrescribedMotionPlaceholders {
    /// The motion, whose signals are evaluated later.
    pub prescribed: PrescribedMotion,
    /// Position, speed and acceleration.
    pub motion: [Ex; 3],
    /// Initial position and speed, where they are known.
    pub initial: [Option<Ex>; 2],
}

/// An initial condition with the placeholder of the value that it determines.
pub struct Determined {
    /// The condition.
    pub condition: Condition,
    /// Its variable.
    pub variable: VariableId,
    /// The start value of the condition's own subject, if the condition determines it; `None` if
    /// something else gives the value.
    pub unknown: Option<Determines>,
    /// The reason why the value is given, if a loop gives it.
    pub refusal: Option<String>,
}

/// A variable whose initial position or speed a signal gives.
pub struct KnownStart {
    /// The component that states it.
    pub component: ComponentId,
    /// The variable.
    pub variable: VariableId,
    /// The value.
    pub value: Ex,
    /// Whether it is the motion that the component prescribes.
    pub moves: bool,
}

/// A value that an initial condition determines.
#[derive(Clone)]
pub struct Determines {
    /// The name of the start value.
    pub name: String,
    /// Whether it is the position or the speed: the condition's own, or, for an acceleration, the
    /// first that nothing else gives.
    pub level: Level,
    /// Its placeholder.
    pub symbol: Ex,
    /// Where the search for it begins.
    pub guess: Ex,
}

/// The placeholders of all prescribed motions and of all conditions.
pub struct MotionPlaceholders {
    /// Placeholders of the prescribed motions.
    pub motions: List<PrescribedMotionId, PrescribedMotionPlaceholders>,
    /// Conditions with the values that they determine.
    pub conditions: Vec<Determined>,
}

/// A placeholder whose number is zero.
fn placeholder(numeric: &mut Numeric) -> Ex {
    let symbol = Ex::symbol();
    numeric.set(symbol, 0.0);
    symbol
}

impl PrescribedMotionPlaceholders {
    /// The placeholders of the prescribed motion number `k`.
    fn new(
        k: PrescribedMotionId,
        prescribed: PrescribedMotion,
        topology: &Topology,
        numeric: &mut Numeric,
    ) -> Self {
        let motion = [(); 3].map(|()| placeholder(numeric));
        let initial = match &prescribed.law {
            MotionLaw::Position(_) | MotionLaw::PositionAndSpeed(_) | MotionLaw::Motion(_) => {
                [Some(motion[0]), Some(motion[1])]
            }
            MotionLaw::Speed { .. } => [None, Some(motion[1])],
            MotionLaw::Acceleration { initial, .. } => {
                [0, 1].map(|k: usize| initial[k].as_ref().map(|_| placeholder(numeric)))
            }
        };
        // The position at which the joint that it moves is assumed to start.
        let variable = topology.variables.numbering.prescribed_motion(k);
        if let Some(unknown) = topology.loops.unknowns.iter().find(|u| u.variable == variable) {
            let positions = initial[0].into_iter().chain([motion[0]]);
            positions.for_each(|position| numeric.set(position, unknown.start));
        }
        PrescribedMotionPlaceholders { prescribed, motion, initial }
    }
}

impl Determined {
    /// The value that a condition determines, where all conditions are about `given`.
    fn new(
        condition: Condition,
        given: &[(FlangeOrCoordinate, usize)],
        topology: &Topology,
        numeric: &mut Numeric,
    ) -> Self {
        let variable = variable_of(topology.variables.numbering, condition.subject);
        let [position, speed] = starts_of(&topology.structure, condition.subject);
        let level = level_of(&condition, given, [&position, &speed]);
        let mut refusal = None;
        if let (2, Some(level)) = (condition.order, level) {
            let taken = |t: &&OverdeterminedStart| t.variable == variable && t.level == level;
            let name = position.as_ref().map_or("", |p| &p.name);
            refusal = topology.loops.structure.taken.iter().find(taken).map(|taken| {
                format!(
                    "{name}: its fixed initial acceleration is one too many: the loop closed by {} \
                     already determines it",
                    taken.row
                )
            });
        }
        let unknown = level.filter(|_| refusal.is_none()).map(|level| {
            let own = if level == Level::Position { position } else { speed };
            let start = SubjectStart { topology, component: condition.component, variable, level };
            let (name, guess) = start.name_and_guess(own, numeric);
            let symbol = placeholder(numeric);
            numeric.set(symbol, numeric.one(guess));
            Determines { name, level, symbol, guess }
        });
        Determined { condition, variable, unknown, refusal }
    }
}

/// The start of what an initial acceleration is about, from the start values of other variables.
struct SubjectStart<'a> {
    topology: &'a Topology,
    component: ComponentId,
    variable: VariableId,
    level: Level,
}

impl SubjectStart<'_> {
    /// The name of the value that the acceleration determines, and where the search begins.
    fn name_and_guess(&self, own: Option<StartVariable>, numeric: &Numeric) -> (String, Ex) {
        let name = own.as_ref().map_or_else(|| self.name(), |own| own.name.clone());
        let given = own.as_ref().is_some_and(|own| own.start.given);
        // The position of a joint with a free orientation is measured from where it starts.
        let is_relative = own.as_ref().is_some_and(|own| own.slot.as_leaf().is_none());
        let others = if given || is_relative { None } else { self.guess_of_others(numeric) };
        (name, others.or(own.map(|own| own.slot)).unwrap_or_else(Ex::zero))
    }

    /// The linear form of a variable, or of its speed.
    fn form(&self, linear: &LinearForm) -> LinearForm {
        let mut form = linear.clone();
        if self.level == Level::Speed {
            form.constant = Ex::zero();
        }
        form
    }

    /// The name of the start value that moves with the subject, or else that of its component.
    fn name(&self) -> String {
        let subject = self.topology.variables.start_form(self.variable);
        let same = |k: &&StateCandidate| k.linear.multiple_of(&subject).is_some();
        match self.topology.candidates.iter().find(same) {
            Some(candidate) => candidate.variable(self.level).name.clone(),
            None => {
                let component = &self.topology.structure.names[self.component];
                let what = if self.level == Level::Position { "position" } else { "speed" };
                format!("the {what} of {component}.flange")
            }
        }
    }

    /// The value that follows from other start values, if guesses among them are given.
    fn guess_of_others(&self, numeric: &Numeric) -> Option<Ex> {
        let starts = |k: &&StateCandidate| self.level == Level::Speed || !k.is_angular_velocity;
        let candidates: Vec<&StateCandidate> =
            self.topology.candidates.iter().filter(starts).collect();
        let subject = self.form(&self.topology.variables.start_form(self.variable));
        let mut system = Elimination::default();
        let mut is_guessed = false;
        for given in [Given::Fixed, Given::Guess, Given::Nothing] {
            for candidate in &candidates {
                let StartVariable { start, slot, .. } = candidate.variable(self.level);
                if Given::of(start) != given {
                    continue;
                }
                let mut equation = self.form(&candidate.linear);
                equation.constant -= *slot;
                let outcome = system.relate(&equation, |_| 0, numeric);
                is_guessed |= given == Given::Guess && matches!(outcome, Outcome::Eliminated(_));
            }
            let value = system.reduce(&subject);
            if value.terms.is_empty() {
                return is_guessed.then_some(value.constant);
            }
        }
        None
    }
}

/// How a start value is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Given {
    /// It is an initial condition.
    Fixed,
    /// It is a guess.
    Guess,
    /// It has the default value.
    Nothing,
}

impl Given {
    fn of(start: &Start) -> Given {
        match start {
            Start { fixed: true, .. } => Given::Fixed,
            Start { given: true, .. } => Given::Guess,
            _ => Given::Nothing,
        }
    }
}

impl MotionPlaceholders {
    /// Makes the placeholders.
    pub fn new(
        motions: Vec<PrescribedMotion>,
        conditions: Vec<Condition>,
        topology: &Topology,
        numeric: &mut Numeric,
    ) -> MotionPlaceholders {
        let motions = topology.structure.flanges.prescribed_motions.ids().zip(motions);
        let motions = motions
            .map(|(k, motion)| PrescribedMotionPlaceholders::new(k, motion, topology, numeric))
            .collect();
        let given = subjects(&conditions);
        let conditions = conditions.into_iter();
        let conditions =
            conditions.map(|c| Determined::new(c, &given, topology, numeric)).collect();
        MotionPlaceholders { motions, conditions }
    }

    /// Variables whose initial position or speed signals give.
    pub fn known(&self, topology: &Topology, level: Level) -> Vec<KnownStart> {
        let of_prescribed_motions = self.motions.enumerate().filter_map(|(k, motion)| {
            let component = topology.structure.flanges.prescribed_motions[k].component;
            let variable = topology.variables.numbering.prescribed_motion(k);
            let value = motion.initial[level as usize]?;
            Some(KnownStart { component, variable, value, moves: true })
        });
        let of_conditions = self.conditions.iter().filter(|c| c.condition.order < 2);
        let of_conditions = of_conditions.filter_map(|c| {
            let value = c.unknown.as_ref().filter(|u| u.level == level)?.symbol;
            let (component, variable) = (c.condition.component, c.variable);
            Some(KnownStart { component, variable, value, moves: false })
        });
        of_prescribed_motions.chain(of_conditions).collect()
    }

    /// Whether there are initial accelerations, which determine values that no signal gives.
    pub fn determine_more(&self) -> bool {
        self.conditions.iter().any(|c| c.condition.order == 2)
    }

    /// The values that initial accelerations determine at their own subjects: variables and
    /// placeholders.
    pub fn targets(&self, level: Level) -> impl Iterator<Item = (VariableId, Ex)> {
        let accelerations = self.conditions.iter().filter(|c| c.condition.order == 2);
        accelerations.filter_map(move |c| {
            let unknown = c.unknown.as_ref().filter(|u| u.level == level)?;
            Some((c.variable, unknown.symbol))
        })
    }

    /// Whether the search for a value that an initial acceleration determines begins at a start
    /// value.
    pub fn begin_at(&self, level: Level, slot: Ex) -> bool {
        let accelerations = self.conditions.iter().filter(|c| c.condition.order == 2);
        let mut guesses = accelerations.filter_map(|c| c.unknown.as_ref());
        guesses.any(|u| u.level == level && depends_on(&[u.guess], slot))
    }

    /// Whether a value depends on initial values that signals give.
    pub fn decide(&self, value: Ex) -> bool {
        let of_prescribed_motions =
            self.motions.iter().flat_map(|d| d.initial.into_iter().flatten());
        let of_conditions = self.conditions.iter().filter_map(|c| Some(c.unknown.as_ref()?.symbol));
        of_prescribed_motions.chain(of_conditions).any(|symbol| depends_on(&[value], symbol))
    }
}
