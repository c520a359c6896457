//! The description of a hand-written system: its `Info` is completed, checked and described.
//!
//! Only [`Info::jacobian`] is known of its equations. Every other value that they compute is
//! therefore declared to depend on all states and inputs.

use std::collections::BTreeSet;

use kernels::limits::Limits;
use kernels::relations::RelationKind;
use program::{Base, Causality, Info, Initial, Source, State, Variability, Variable};
use sha2::{Digest, Sha256};

use crate::emit::declarations;
use crate::model::variable::in_words;
use crate::publication::describe::{self, variability_name};
use crate::publication::guid;
use crate::publication::info::{list, text_of};
use crate::verify;
use crate::vocabulary::description::first_line;
use crate::vocabulary::description::{self, Description, Experiment, Unit, Unknown, VariableType};
use crate::vocabulary::error::Error;
use crate::vocabulary::name;
use crate::vocabulary::unit::{self, Units};

/// A hand-written system with its description.
#[derive(Clone, Debug)]
pub struct SystemDescription {
    info: &'static Info,
    description: Description,
}

impl SystemDescription {
    /// Completes and describes a system: states and derivatives that are not declared as variables
    /// become variables, and a GUID is computed from everything that is known of the system,
    /// including its source. `documentation` is Markdown, whose first line becomes the description.
    ///
    /// # Errors
    /// If there is a mistake in `info`; the first one is reported.
    pub fn new(info: &Info, source: &str, documentation: &str) -> Result<SystemDescription, Error> {
        check_name(info.name)?;
        let mut info = Info { guid: "none yet", ..*info };
        info.integers = list(info.integers.iter().copied().map(discrete_if_continuous));
        info.booleans = list(info.booleans.iter().copied().map(discrete_if_continuous));
        check_variables(&info)?;
        let states = complete(&mut info);
        check_names_are_unique(&info)?;
        program::check_info(&info)
            .map_err(|reason| Error::Definition(format!("{}: {reason}", info.name)))?;
        let mut description = DescriptionBuilder::new(&info, states).description(documentation)?;
        verify::experiment(info.name, &description.experiment)?;
        let mut hash = Sha256::new();
        hash.update(serde_json::to_vec(&description).expect("a description is plain data"));
        hash.update(declarations::text(&info));
        hash.update(source);
        description.guid = guid::from_hash(hash);
        info.guid = text_of(&description.guid);
        Ok(SystemDescription { info: Box::leak(Box::new(info)), description })
    }

    /// The completed `Info`. It lives as long as the process.
    pub fn info(&self) -> &'static Info {
        self.info
    }

    /// The description for importers.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Rust text of [`SystemDescription::info`]: `const INFO`, with its imports from `fmu_runtime`.
    pub fn emit(&self) -> String {
        format!("{IMPORTS}{}", declarations::text(self.info))
    }
}

const IMPORTS: &str = "\
#[allow(unused_imports, reason = \"not every Info uses all of them\")]
use fmu_runtime::kernels::rows::TableShape;
#[allow(unused_imports, reason = \"not every Info uses all of them\")]
use fmu_runtime::system::{
    AffineResidual, Assertion, Block, BlockKind, Causality, Data, Discrete, Fallible, Info, Initial, Relation,
    RelationKind, Requirement, Sizes, SolverCount, SolverParameters, Source, Stage, State, Subject,
    Table, Variability, Variable,
};
";

fn check_name(model: &str) -> Result<(), Error> {
    if name::is_c_identifier(model) {
        return Ok(());
    }
    Err(Error::Name(format!("{model:?}: a model's name must be a C identifier")))
}

/// An Integer or Boolean variable; if its variability is continuous, the default, it becomes
/// discrete.
fn discrete_if_continuous(v: Variable) -> Variable {
    if v.variability == Variability::Continuous { v.discrete() } else { v }
}

fn check_variables(info: &Info) -> Result<(), Error> {
    for (base, _, v) in info.all_variables() {
        verify::name_and_description(v.name, v.description, base == Base::Real)?;
        check_elements(info, v)?;
        check_attributes(v)?;
        if base != Base::Real && !v.unit.is_empty() {
            let (name, unit) = (v.name, v.unit);
            let text = format!("{name}: only Real variables have a unit, but {unit} is given");
            return Err(Error::Unit(text));
        }
        check_start(info, base, v)?;
    }
    Ok(())
}

/// Refuses elements of the vectors that do not exist.
fn check_elements(info: &Info, v: &Variable) -> Result<(), Error> {
    let (vector, slot, length) = match v.source {
        Source::Parameter(i) => ("p", i, info.parameters.len()),
        Source::Discrete(i) => ("m", i, info.discretes.len()),
        Source::Relation(i) => ("r", i, info.relations.len()),
        Source::State(i) => ("x", i, info.states.len()),
        Source::Input(i) => ("u", i, info.inputs.len()),
        Source::Derivative(i) => ("dx", i, info.states.len()),
        Source::Calculated(i) => ("c", i, info.sizes.calculated),
        Source::Advanced(i, _) | Source::Reported(i, _) => ("w", i, info.sizes.work),
        Source::Constant(_) | Source::Time | Source::Solver(_) => ("", 0, 1),
    };
    let refuse = |what: &str, vector: &str, slot: u32, length: usize| {
        let elements = if length == 1 { "element" } else { "elements" };
        let text =
            format!("{}: {what} {vector}[{slot}], but {vector} has {length} {elements}", v.name);
        Err(Error::Definition(text))
    };
    if slot as usize >= length {
        return refuse("it is", vector, slot, length);
    }
    match v.start {
        Some(slot) if slot as usize >= info.parameters.len() => {
            refuse("its start value is", "p", slot, info.parameters.len())
        }
        _ => Ok(()),
    }
}

/// Refuses combinations of causality and variability that FMI does not have.
fn check_attributes(v: &Variable) -> Result<(), Error> {
    use Variability::{Continuous, Discrete, Fixed, Tunable};
    let legal = match v.causality {
        Causality::Parameter | Causality::CalculatedParameter => {
            matches!(v.variability, Fixed | Tunable)
        }
        Causality::Input => matches!(v.variability, Discrete | Continuous),
        Causality::Output => matches!(v.variability, Discrete | Continuous),
        Causality::Independent => v.variability == Continuous,
        Causality::Local => true,
    };
    if legal {
        return Ok(());
    }
    let (what, how) = (in_words(v.causality), variability_name(v.variability));
    Err(Error::Definition(format!("{}: FMI has no {how} variable that is {what}", v.name)))
}

fn check_start(info: &Info, base: Base, v: &Variable) -> Result<(), Error> {
    let name = v.name;
    if v.min > v.max {
        let (min, max) = (v.min, v.max);
        return Err(Error::Value(format!("{name}: min {min} is larger than max {max}")));
    }
    let (what, start) = match (start(info, v), v.source) {
        (Some(start), _) => ("start value", start),
        (None, _) if matches!(v.initial, Some(Initial::Exact | Initial::Approx)) => {
            return Err(Error::Definition(format!("{name}: the start value is missing")));
        }
        (None, Source::Constant(value)) => ("value", value),
        (None, _) => return Ok(()),
    };
    let limits = Limits { min: v.min, max: v.max };
    if !limits.contain(start) {
        return Err(Error::Value(limits.refuse(name, start, v.unit)));
    }
    let fits = match base {
        Base::Real => true,
        Base::Integer => start.fract() == 0.0 && start.abs() <= f64::from(i32::MAX),
        Base::Boolean => start == 0.0 || start == 1.0,
    };
    match fits {
        true => Ok(()),
        false => Err(Error::Value(format!("{name}: the {what} {start} does not fit its type"))),
    }
}

/// The start value in the description.
fn start(info: &Info, v: &Variable) -> Option<f64> {
    match (v.start, v.source, v.initial) {
        (Some(slot), ..) => Some(info.parameters[slot as usize]),
        (_, Source::Parameter(i), Some(Initial::Exact)) => Some(info.parameters[i as usize]),
        (_, Source::Input(i), None) => Some(info.inputs[i as usize]),
        _ => None,
    }
}

/// Value references of a state and of its derivative.
#[derive(Clone, Copy)]
struct StateReferences {
    own: u32,
    derivative: u32,
}

/// Adds the variables that FMI requires: each state and its derivative.
fn complete(info: &mut Info) -> Vec<StateReferences> {
    let mut reals = info.reals.to_vec();
    let mut states = Vec::new();
    for (i, &State { name, .. }) in (0..).zip(info.states) {
        let own =
            find_or_add(&mut reals, Source::State(i), || Variable::new(name, Source::State(i)));
        let state = reals[own as usize];
        let source = Source::Derivative(i);
        let derivative = find_or_add(&mut reals, source, || {
            Variable::new(text_of(&name::derivative_of(state.name)), source)
                .unit(text_of(&Units::default().rate_of(state.unit).unwrap_or_default()))
                .describe(text_of(&format!("Derivative of {}", state.name)))
        });
        states.push(StateReferences { own, derivative });
    }
    info.reals = list(reals);
    states
}

/// The value reference of the variable with a source, which is added if there is none.
fn find_or_add(reals: &mut Vec<Variable>, source: Source, new: impl FnOnce() -> Variable) -> u32 {
    let found = reals.iter().position(|v| v.source == source);
    let index = found.unwrap_or_else(|| {
        reals.push(new());
        reals.len() - 1
    });
    index as u32
}

fn check_names_are_unique(info: &Info) -> Result<(), Error> {
    // The independent variable is not listed, but importers use this name for it.
    let time = ("time", in_words(Causality::Independent).to_owned());
    verify::unique([time].into_iter().chain(listed(info).map(|(_, _, v)| {
        let what = match v.source {
            Source::State(_) if v.causality == Causality::Local => "a state",
            _ => in_words(v.causality),
        };
        (v.name, what.to_owned())
    })))?;
    verify::distinct_in_openmodelica(listed(info).map(|(_, _, v)| v.name))
}

/// The variables that the description lists: all but the independent one.
fn listed(info: &Info) -> impl Iterator<Item = (Base, u32, &'static Variable)> {
    info.all_variables().filter(|(_, _, v)| v.causality != Causality::Independent)
}

/// A description under construction. Indices are those of the variables that are listed.
struct DescriptionBuilder<'a> {
    info: &'a Info,
    listed: Vec<(Base, u32, &'static Variable)>,
    /// For each state, its variable and that of its derivative.
    states: Vec<[usize; 2]>,
}

impl<'a> DescriptionBuilder<'a> {
    fn new(info: &'a Info, states: Vec<StateReferences>) -> DescriptionBuilder<'a> {
        let listed: Vec<_> = listed(info).collect();
        let index = |reference: u32| {
            let same = |&(base, own, _): &(Base, u32, _)| base == Base::Real && own == reference;
            listed.iter().position(same).expect("states and derivatives are listed")
        };
        let states =
            states.iter().map(|state| [index(state.own), index(state.derivative)]).collect();
        DescriptionBuilder { info, listed, states }
    }

    fn description(&self, documentation: &str) -> Result<Description, Error> {
        let info = self.info;
        let indicators = info.relations.iter().filter(|r| r.kind == RelationKind::State);
        let all = 0..self.listed.len();
        let outputs = all.clone().filter(|&i| self.of(i).causality == Causality::Output);
        let unknown = |index: usize| Unknown { index, dependencies: self.dependencies(index) };
        let derivatives = self.states.iter().map(|&[_, derivative]| unknown(derivative));
        let at_start = self.knowns_at_start();
        let initial = all.clone().filter(|&i| self.is_unknown_at_start(i));
        Ok(Description {
            name: info.name.to_owned(),
            guid: String::new(),
            description: first_line(documentation).unwrap_or_default().to_owned(),
            documentation: documentation.to_owned(),
            experiment: Experiment {
                start_time: 0.0,
                stop_time: info.stop_time,
                tolerance: info.tolerance,
                step_size: match info.stop_time > 0.0 {
                    true => STEP_SIZE.min(info.stop_time),
                    false => STEP_SIZE,
                },
            },
            units: self.units()?,
            enumerations: Vec::new(),
            event_indicators: indicators.map(|relation| relation.name.to_owned()).collect(),
            outputs: outputs.map(unknown).collect(),
            derivatives: derivatives.collect(),
            initial_unknowns: initial
                .map(|index| Unknown { index, dependencies: at_start.clone() })
                .collect(),
            variables: all.map(|i| self.variable(i)).collect(),
        })
    }

    fn of(&self, index: usize) -> &'static Variable {
        self.listed[index].2
    }

    fn variable(&self, index: usize) -> description::Variable {
        let (base, value_reference, v) = self.listed[index];
        describe::of_variable(v, value_reference, self.kind(index, base, v))
    }

    fn kind(&self, index: usize, base: Base, v: &Variable) -> VariableType {
        let start = start(self.info, v);
        let limit = |value: f64| Some(value).filter(|value| value.is_finite());
        let whole = |value: f64| value as i32;
        match base {
            Base::Real => {
                let state = self.states.iter().position(|&[own, _]| own == index);
                let differentiated =
                    self.states.iter().find(|&&[_, derivative]| derivative == index);
                VariableType::Real {
                    unit: Some(v.unit.to_owned()).filter(|unit| !unit.is_empty()),
                    display_unit: unit::usual_display(v.unit).map(str::to_owned),
                    start,
                    min: limit(v.min),
                    max: limit(v.max),
                    nominal: state
                        .map(|i| self.info.states[i].nominal)
                        .filter(|nominal| *nominal != 1.0),
                    derivative: differentiated.map(|&[own, _]| own),
                    // It is not known which states events change.
                    reinit: state.is_some() && self.has_events(),
                }
            }
            Base::Integer => VariableType::Integer {
                start: start.map(whole),
                min: limit(v.min).map(whole),
                max: limit(v.max).map(whole),
            },
            Base::Boolean => VariableType::Boolean { start: start.map(|value| value != 0.0) },
        }
    }

    fn has_events(&self) -> bool {
        let discrete = |(_, _, v): &(Base, u32, &Variable)| {
            v.causality == Causality::Input && v.variability == Variability::Discrete
        };
        let Info { relations, discretes, .. } = self.info;
        !relations.is_empty() || !discretes.is_empty() || self.listed.iter().any(discrete)
    }

    fn units(&self) -> Result<Vec<Unit>, Error> {
        let mut units: Vec<Unit> = Vec::new();
        for (_, _, v) in self.listed.iter().filter(|(_, _, v)| !v.unit.is_empty()) {
            if units.iter().all(|known| known.name != v.unit) {
                units.push(verify::known_unit(&Units::default(), v.name, v.unit, "")?);
            }
        }
        Ok(units)
    }

    fn inputs(&self) -> impl Iterator<Item = usize> {
        (0..self.listed.len()).filter(|&i| self.of(i).causality == Causality::Input)
    }

    /// The states and inputs on which a variable depends.
    fn dependencies(&self, index: usize) -> Vec<usize> {
        let states = |is_known: &dyn Fn(usize) -> bool| {
            let known = self.states.iter().enumerate().filter(|(j, _)| is_known(*j));
            known.map(|(_, &[own, _])| own).collect::<BTreeSet<usize>>()
        };
        let known: BTreeSet<usize> = match self.of(index).source {
            Source::Constant(_)
            | Source::Time
            | Source::Parameter(_)
            | Source::Calculated(_)
            | Source::Solver(_) => BTreeSet::new(),
            Source::State(i) => states(&|j| j == i as usize),
            Source::Input(_) => {
                let same = |&i: &usize| self.of(i).source == self.of(index).source;
                self.inputs().filter(same).collect()
            }
            Source::Derivative(i) => {
                let depends = |j: usize| self.info.jacobian[j].contains(&i);
                states(&depends).into_iter().chain(self.inputs()).collect()
            }
            Source::Discrete(_)
            | Source::Relation(_)
            | Source::Advanced(..)
            | Source::Reported(..) => states(&|_| true).into_iter().chain(self.inputs()).collect(),
        };
        known.into_iter().collect()
    }

    /// The knowns of initialization: inputs and variables with a start value that can be set.
    fn knowns_at_start(&self) -> Vec<usize> {
        let is_known = |&i: &usize| {
            let v = self.of(i);
            let can_be_set = v.start.is_some() || matches!(v.source, Source::Parameter(_));
            v.causality == Causality::Input || v.initial == Some(Initial::Exact) && can_be_set
        };
        (0..self.listed.len()).filter(is_known).collect()
    }

    fn is_unknown_at_start(&self, index: usize) -> bool {
        let v = self.of(index);
        let wanted = matches!(v.causality, Causality::Output | Causality::CalculatedParameter)
            || self.states.iter().flatten().any(|&i| i == index);
        wanted && matches!(v.initial, Some(Initial::Approx | Initial::Calculated))
    }
}

/// The step size of the default experiment in s, unless the experiment is shorter.
const STEP_SIZE: f64 = 1e-3;
