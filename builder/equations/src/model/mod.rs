//! The model: its variables, equations, relations and events as data.

pub mod announce;
pub mod clock;
pub mod completed;
pub mod controller;
pub mod declared;
pub mod definitions;
mod delay;
pub mod incremental;
mod left_limit;
pub mod require;
pub mod table;
pub mod variable;

use std::any::Any;
use std::collections::BTreeMap;
use std::mem::take;
use std::path::PathBuf;

use expressions::graph::Leaf;
use expressions::{
    Bool, Ex, Expression, Root, depends_on, differentiate, leaves_of_ids, newton_with_sign, select,
    substitute,
};
use kernels::newton::BlockKind;
use kernels::relations::RelationKind;
use program::Subject;

use crate::model::clock::{Clock, Ticks};
use crate::model::left_limit::LeftLimit;
use crate::model::variable::{Booleans, StartValue, StartsAs, VariableDeclaration, in_words};
use crate::vocabulary::controller::ControllerEquation;
use crate::vocabulary::delay::DelayEquation;
use crate::vocabulary::description::{Enumeration, Experiment};
use crate::vocabulary::error::Error;
use crate::vocabulary::schematic::Schematic;
use crate::vocabulary::unit::Units;

/// Equations of a model under construction.
///
/// Mistakes are recorded and reported by [`Model::compile`], so that the text of a model needs no
/// error handling.
#[derive(Debug)]
pub struct Model {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) documentation: String,
    pub(crate) notes: Vec<String>,
    /// See [`Model::keep_names`].
    pub(crate) keeps_names: bool,
    pub(crate) experiment: Experiment,
    /// See [`Model::test_value`].
    pub(crate) test_values: Vec<(String, f64)>,
    pub(crate) variables: Vec<VariableDeclaration>,
    pub(crate) enumerations: Vec<Enumeration>,
    /// Initial values of `p`.
    pub(crate) parameters: Vec<f64>,
    /// Start values of the inputs.
    pub(crate) inputs: Vec<f64>,
    pub(crate) states: Vec<StateEquation>,
    /// Calculated parameters: name and initial value.
    pub(crate) calculated: Vec<(String, Ex)>,
    pub(crate) discretes: Vec<DiscreteEquation>,
    pub(crate) relations: Vec<RelationEquation>,
    /// See [`Model::begin`].
    pub(crate) begin: Option<Ex>,
    /// See [`Model::ticks`].
    pub(crate) ticks: Vec<(Clock, Ticks)>,
    /// The relations that are true in the event iteration of a tick.
    pub(crate) due: Vec<Bool>,
    /// The names of clocks, and the time between two ticks in s.
    pub(crate) intervals: Vec<(String, Ex)>,
    /// See [`Model::left_limit`].
    pub(crate) left_limits: Vec<LeftLimit>,
    /// See [`Model::delay`].
    pub(crate) delays: Vec<DelayEquation>,
    /// See [`Model::controller`].
    pub(crate) controllers: Vec<ControllerEquation>,
    pub(crate) blocks: Vec<AnchoredBlock>,
    pub(crate) requirements: Vec<Requirement>,
    pub(crate) remarks: Vec<Requirement>,
    pub(crate) assertions: Vec<Assertion>,
    /// New values of states at events, until [`Model::complete_reinits`].
    reinits: Vec<(Ex, Bool, Ex)>,
    pub(crate) terminate: Bool,
    pub(crate) errors: Vec<Error>,
    /// See [`Model::resources`].
    pub(crate) resources: Option<PathBuf>,
    /// See [`Model::want_scene`].
    pub(crate) scene_wanted: bool,
    /// See [`Model::booleans`].
    pub(crate) booleans: Booleans,
    /// See [`Model::starts`].
    pub(crate) starts: StartsAs,
    /// See [`Model::resource`].
    pub(crate) generated: Vec<(String, String)>,
    /// See [`Model::schematic`].
    pub(crate) schematic: Schematic,
    /// See [`Model::want_source`].
    source_wanted: bool,
    /// See [`Model::keep_source`].
    source: Option<Box<dyn Any>>,
    /// See [`Model::unit`].
    pub(crate) units: Units,
    /// See [`Model::order_outputs`].
    pub(crate) output_order: Vec<String>,
    /// See [`Model::announce`].
    pub(crate) announced: BTreeMap<String, Announced>,
}

#[derive(Debug)]
pub(crate) struct StateEquation {
    pub name: String,
    /// Initial value.
    pub start: Ex,
    pub derivative: Option<Ex>,
    /// Conditions and new values, in the order of declaration.
    pub reinits: Vec<(Bool, Ex)>,
    pub nominal: f64,
}

#[derive(Debug)]
pub(crate) struct DiscreteEquation {
    pub name: String,
    pub start: f64,
    pub update: Option<Ex>,
    pub labels: Vec<(i32, String)>,
}

#[derive(Debug)]
pub(crate) struct RelationEquation {
    pub name: String,
    pub residual: Ex,
    pub nominal: f64,
    pub active: Bool,
    pub kind: RelationKind,
}

#[derive(Debug)]
pub(crate) struct AnchoredBlock {
    pub name: String,
    /// Where its part of `z` begins.
    pub offset: u32,
    /// The number of unknowns.
    pub unknowns: usize,
    /// The values from which the solution at the next point follows; of Newton's method, the
    /// unknowns.
    pub solution: Vec<Ex>,
    /// Sign of the determinant.
    pub sign: Ex,
    /// The solution at initialization, in terms of start values.
    pub initial: Vec<Ex>,
    /// Sign of the determinant there.
    pub initial_sign: Ex,
    /// The other values that are stored with the solution; zero at initialization.
    pub kept: Vec<Ex>,
}

impl AnchoredBlock {
    /// The anchors: unknowns, then the sign, then the other stored values.
    pub fn anchors(&self) -> impl Iterator<Item = Ex> + use<> {
        (self.offset..self.end()).map(|k| Ex::leaf(Leaf::Anchor(k)))
    }

    /// Where its part of `z` ends.
    pub fn end(&self) -> u32 {
        self.offset + (self.solution.len() + 1 + self.kept.len()) as u32
    }
}

/// A condition on parameters and initial values.
#[derive(Debug)]
pub(crate) struct Requirement {
    /// The variables that the message names.
    pub of: Vec<String>,
    pub condition: Bool,
    pub sentence: String,
}

impl Requirement {
    /// The subject, which decides when the condition is checked.
    pub fn subject(&self) -> Subject {
        let on_parameters = |leaf: &Leaf| matches!(leaf, Leaf::Parameter(_));
        match leaves_of_ids(&[self.condition.id()]).iter().all(on_parameters) {
            true => Subject::Parameters,
            false => Subject::InitialValues,
        }
    }
}

/// A condition that must hold during the simulation.
#[derive(Debug)]
pub(crate) struct Assertion {
    pub condition: Bool,
    pub sentence: String,
    /// Whether it matters in every pass of an event iteration.
    pub in_passes: bool,
    pub is_warning: bool,
}

/// Unit and description of a variable that is not declared yet.
#[derive(Clone, Debug)]
pub(crate) struct Announced {
    pub unit: String,
    pub description: String,
}

impl Model {
    /// An empty model; `name` is the FMI model name (a C identifier, CamelCase by convention).
    pub fn new(name: &str) -> Model {
        Model {
            name: name.to_owned(),
            description: String::new(),
            documentation: String::new(),
            notes: Vec::new(),
            keeps_names: false,
            experiment: Experiment {
                start_time: 0.0,
                stop_time: 1.0,
                tolerance: 1e-6,
                step_size: 1e-3,
            },
            test_values: Vec::new(),
            variables: Vec::new(),
            enumerations: Vec::new(),
            parameters: Vec::new(),
            inputs: Vec::new(),
            states: Vec::new(),
            calculated: Vec::new(),
            discretes: Vec::new(),
            relations: Vec::new(),
            begin: None,
            ticks: Vec::new(),
            due: Vec::new(),
            intervals: Vec::new(),
            left_limits: Vec::new(),
            delays: Vec::new(),
            controllers: Vec::new(),
            blocks: Vec::new(),
            requirements: Vec::new(),
            remarks: Vec::new(),
            assertions: Vec::new(),
            reinits: Vec::new(),
            terminate: Bool::constant(false),
            errors: Vec::new(),
            resources: None,
            scene_wanted: false,
            booleans: Booleans::default(),
            starts: StartsAs::default(),
            generated: Vec::new(),
            schematic: Schematic::default(),
            source_wanted: false,
            source: None,
            units: Units::default(),
            output_order: Vec::new(),
            announced: BTreeMap::new(),
        }
    }

    /// The FMI model name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The default experiment, in s.
    pub fn experiment(&mut self, experiment: Experiment) {
        self.experiment = experiment;
    }

    /// The default experiment from 0 to `stop_time` in s.
    pub fn stop_time(&mut self, stop_time: impl Into<f64>) {
        self.experiment.stop_time = stop_time.into();
    }

    /// The value of an input, or a start value, with which tests start a model that would rest
    /// without it. It is no part of the FMU.
    pub fn test_value(&mut self, name: &str, value: impl Into<f64>) {
        self.test_values.push((name.to_owned(), value.into()));
    }

    /// The values with which tests start the model.
    pub fn test_values(&self) -> &[(String, f64)] {
        &self.test_values
    }

    /// The description of the model in one line.
    pub fn describe(&mut self, line: &str) {
        self.description = line.to_owned();
    }

    /// The notes so far.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Notes names that OpenModelica imports as one, such as `a_b` beside `a.b`, and does not
    /// refuse them: the text from which the model comes has given names.
    pub fn keep_names(&mut self) {
        self.keeps_names = true;
    }

    /// Adds a note, which is something that the author should know although it is not a mistake.
    /// The build prints it, and the documentation of the FMU lists it.
    pub fn note(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.notes.contains(&sentence) {
            self.notes.push(sentence);
        }
    }

    /// The documentation of the model, as Markdown.
    pub fn document(&mut self, markdown: &str) {
        self.documentation = markdown.to_owned();
    }

    /// Records an error; [`Model::compile`] reports the first one.
    pub fn refuse(&mut self, error: Error) {
        self.errors.push(error);
    }

    /// Time, in s.
    pub fn time(&self) -> Ex {
        Ex::leaf(Leaf::Time)
    }

    /// True while initial values are being determined.
    pub fn initial(&self) -> Bool {
        Bool::leaf(Leaf::Initial)
    }

    /// Declares a unit that variables of this model may have: `1 name = factor of`, where `of` is a
    /// known unit or a product such as `kg.m2/A`.
    pub fn unit(&mut self, name: &str, factor: f64, of: &str) {
        if let Err(error) = self.units.declare(name, factor, of) {
            self.refuse(error);
        }
    }

    /// Whether two units are equal in dimension, factor and offset; true if one is not known, which
    /// [`Model::compile`] refuses.
    pub fn same_unit(&self, a: &str, b: &str) -> bool {
        self.units.same(a, b)
    }

    /// The unit of the variable with this name, if it has one.
    pub fn unit_of(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|v| v.name == name)?.unit.as_deref()
    }

    /// The expression that is published under this name.
    pub fn expression_of(&self, name: &str) -> Option<Expression> {
        self.variables.iter().find(|v| v.name == name).map(|v| v.expression)
    }

    /// The names of all variables so far, in the order of their declaration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.name.as_str())
    }

    /// Whether a variable with this name is declared.
    pub fn has_variable(&self, name: &str) -> bool {
        self.variables.iter().any(|v| v.name == name)
    }

    pub(crate) fn new_parameter(&mut self, value: f64) -> u32 {
        self.parameters.push(value);
        self.parameters.len() as u32 - 1
    }

    /// The derivative of a state.
    pub fn derivative(&mut self, state: impl Into<Ex>, derivative: impl Into<Ex>) {
        let derivative = derivative.into();
        let Some(state) = self.state_of(state.into(), "a derivative") else { return };
        if state.derivative.replace(derivative).is_some() {
            let text = format!("{}: the derivative is given twice", state.name);
            self.refuse(Error::Definition(text));
        }
    }

    /// Sets `state` to `value` at every event at which `when` is true.
    ///
    /// `when` must become false by the change, or be an edge ([`Model::when`]). If several
    /// conditions are true, the one declared last takes effect. In place of a state, a variable can
    /// be given that is a multiple of a single state, apart from a term without states. Which one
    /// it is may follow later, by [`Model::substitute`].
    pub fn reinit(&mut self, state: impl Into<Ex>, when: Bool, value: impl Into<Ex>) {
        self.reinits.push((state.into(), when, value.into()));
    }

    /// Gives each new value at an event to its state.
    pub(crate) fn complete_reinits(&mut self) {
        for (variable, when, value) in take(&mut self.reinits) {
            let (state, value) = solved(variable, value).unwrap_or((variable, value));
            let Some(state) = self.state_of(state, "a new value at an event") else { continue };
            state.reinits.push((when, value));
        }
    }

    /// Gives the initial value of a state as an expression of parameters and other initial values.
    /// The initial value can then no longer be set; a start value declared as a guess remains a
    /// guess.
    pub fn start_expr(&mut self, state: impl Into<Ex>, start: impl Into<Ex>) {
        let (ex, start) = (state.into(), start.into());
        let Some(state) = self.state_of(ex, "a start expression") else { return };
        state.start = start;
        for v in self.variables.iter_mut().filter(|v| v.expression.id() == ex.id()) {
            if let StartValue::Exact(..) = v.start {
                v.start = StartValue::None;
            }
        }
    }

    fn state_of(&mut self, state: Ex, what: &str) -> Option<&mut StateEquation> {
        if let Some(Leaf::State(i)) = state.as_leaf()
            && (i as usize) < self.states.len()
        {
            return Some(&mut self.states[i as usize]);
        }
        let variable = self.variables.iter().find(|v| v.expression.id() == state.id());
        let given = match (variable, state.as_leaf()) {
            (Some(v), Some(Leaf::Pre(_))) => format!("{} is a discrete variable", v.name),
            (Some(v), _) => format!("{} is {}", v.name, in_words(v.causality)),
            (None, _) => "an expression is not a state".to_owned(),
        };
        self.refuse(Error::Definition(format!("{given}, but only a state has {what}")));
        None
    }

    /// The leaf that holds the start value (or the guess) of a state or of a variable declared with
    /// [`Model::exact`] or [`Model::approx`].
    pub fn start_of(&self, variable: impl Into<Expression>) -> Option<Ex> {
        let expression = variable.into();
        self.variables.iter().filter(|v| v.expression.id() == expression.id()).find_map(|v| match v
            .start
        {
            StartValue::Exact(_, Some(slot)) | StartValue::Approx(_, slot) => {
                Some(Ex::leaf(Leaf::Parameter(slot)))
            }
            _ => None,
        })
    }

    /// Wants a description of the shapes of the model's parts, for an animation, even if the model
    /// text does not ask for one. A model without shapes ignores it.
    pub fn want_scene(&mut self) {
        self.scene_wanted = true;
    }

    /// Whether [`Model::want_scene`] was called.
    pub fn wants_scene(&self) -> bool {
        self.scene_wanted
    }

    /// Chooses the type of local variables that are Boolean.
    pub fn booleans(&mut self, booleans: Booleans) {
        self.booleans = booleans;
    }

    /// Chooses how importers set start values that are initial values.
    pub fn starts(&mut self, starts: StartsAs) {
        self.starts = starts;
    }

    /// Adds a text file to the FMU's folder `resources`, in addition to those of the model's own
    /// folder.
    pub fn resource(&mut self, file: &str, text: String) {
        self.generated.push((file.to_owned(), text));
    }

    /// States of which components the model consists, for pictures of it.
    pub fn schematic(&mut self, schematic: Schematic) {
        self.schematic = schematic;
    }

    /// Asks for what a text in another language than equations states, instead of its equations.
    pub fn want_source(&mut self) {
        self.source_wanted = true;
    }

    /// Whether [`Model::want_source`] was called.
    pub fn is_source_wanted(&self) -> bool {
        self.source_wanted
    }

    /// Keeps what a text in another language has stated, for those who write it to a file.
    pub fn keep_source(&mut self, source: Box<dyn Any>) {
        self.source = Some(source);
    }

    /// What [`Model::keep_source`] keeps.
    pub fn source(&self) -> Option<&dyn Any> {
        self.source.as_deref()
    }

    /// Stops the simulation at an event at which `condition` is true.
    pub fn terminate_when(&mut self, condition: Bool) {
        self.terminate = self.terminate | condition;
    }

    /// A nonlinear block: the root of `residuals` in `unknowns` (symbols), which is followed
    /// continuously.
    ///
    /// The iteration starts from the solution at the last accepted point. At initialization the
    /// same equations, with states at their start values, are solved from `guesses` (start values
    /// or parameters). Returns the solution.
    ///
    /// # Panics
    /// If the numbers differ or an unknown is not a symbol.
    pub fn newton(
        &mut self,
        name: &str,
        unknowns: &[Ex],
        residuals: &[Ex],
        guesses: &[Ex],
    ) -> Vec<Ex> {
        // When the model is compiled, states and calculated values are replaced by their initial
        // values.
        let block = (BlockKind::Equations, name);
        let anywhere = Bool::constant(true);
        let root = newton_with_sign(block, unknowns, residuals, guesses, Ex::zero(), anywhere);
        self.add_block(name, unknowns, residuals, &root.solution, Some(root.sign))
    }

    fn add_block(
        &mut self,
        name: &str,
        unknowns: &[Ex],
        residuals: &[Ex],
        initial: &[Ex],
        initial_sign: Option<Ex>,
    ) -> Vec<Ex> {
        let offset = self.next_offset();
        let mut guesses = anchors_from(offset, unknowns.len() + 1);
        let sign = guesses.pop().expect("one more than unknowns");
        let regular = Bool::constant(true);
        let block = (BlockKind::Equations, name);
        let root = newton_with_sign(block, unknowns, residuals, &guesses, sign, regular);
        self.push_block(name, unknowns, root, initial, initial_sign, Vec::new())
    }

    /// Where the part of `z` of the next block begins.
    pub(crate) fn next_offset(&self) -> u32 {
        self.blocks.last().map_or(0, AnchoredBlock::end)
    }

    pub(crate) fn push_block(
        &mut self,
        name: &str,
        unknowns: &[Ex],
        root: Root,
        initial: &[Ex],
        initial_sign: Option<Ex>,
        kept: Vec<Ex>,
    ) -> Vec<Ex> {
        assert_eq!(initial.len(), unknowns.len(), "block {name}: one initial value per unknown");
        let sign = initial_sign.unwrap_or_else(|| {
            let by: Vec<(Ex, Ex)> = unknowns.iter().copied().zip(initial.iter().copied()).collect();
            substitute(&[root.determinant], &by)[0].sign()
        });
        let solution = (unknowns.len(), root.solution.clone());
        self.push_solution(name, solution, root.sign, (initial, sign), kept);
        root.solution
    }

    /// Lets the run time store the solution for a number of unknowns at accepted points. `initial`
    /// are the stored values at initialization and the sign of the determinant there.
    pub(crate) fn push_solution(
        &mut self,
        name: &str,
        (unknowns, solution): (usize, Vec<Ex>),
        sign: Ex,
        (initial, initial_sign): (&[Ex], Ex),
        kept: Vec<Ex>,
    ) {
        assert_eq!(initial.len(), solution.len(), "block {name}: one initial value per value");
        self.blocks.push(AnchoredBlock {
            name: name.to_owned(),
            offset: self.next_offset(),
            unknowns,
            solution,
            sign,
            initial: initial.to_vec(),
            initial_sign,
            kept,
        });
    }

    /// For each discrete variable, its value after an event iteration.
    pub(crate) fn updates(&self) -> Vec<Ex> {
        let pre = |i: usize| Ex::leaf(Leaf::Pre(i as u32));
        let all = self.discretes.iter().enumerate();
        all.map(|(i, d)| d.update.unwrap_or_else(|| pre(i))).collect()
    }

    /// Notes discrete variables that keep their start values.
    pub(crate) fn note_constant_discretes(&mut self) {
        let published = |name: &str| self.variables.iter().any(|v| v.name == name);
        let constant = self.discretes.iter().filter(|d| d.update.is_none() && published(&d.name));
        let notes = constant.map(|d| {
            format!("{}: it keeps its start value {}, because no update is given", d.name, d.start)
        });
        let notes: Vec<String> = notes.collect();
        notes.into_iter().for_each(|note| self.note(note));
    }

    /// For each state, its value after an event iteration.
    pub(crate) fn next_states(&self) -> Vec<Ex> {
        let present = |i: usize| Ex::leaf(Leaf::State(i as u32));
        let all = self.states.iter().enumerate();
        all.map(|(i, state)| {
            state.reinits.iter().fold(present(i), |value, &(when, new)| select(when, new, value))
        })
        .collect()
    }

    /// For each relation, its scaled residual, or the instant in s of a time relation.
    pub(crate) fn residuals(&self) -> Vec<Ex> {
        let scaled = |r: &RelationEquation| match r.kind {
            RelationKind::Time => r.residual,
            RelationKind::State | RelationKind::Sampled => {
                select(r.active, r.residual / r.nominal, -1.0)
            }
        };
        self.relations.iter().map(scaled).collect()
    }
}

/// A number of anchors, from an offset in `z`.
pub(crate) fn anchors_from(offset: u32, count: usize) -> Vec<Ex> {
    (offset..offset + count as u32).map(|k| Ex::leaf(Leaf::Anchor(k))).collect()
}

/// The state of which a variable is a multiple, apart from a term without states, and its value
/// for a value of the variable.
fn solved(variable: Ex, value: Ex) -> Option<(Ex, Ex)> {
    if variable.as_leaf().is_some() {
        return None;
    }
    let leaves = leaves_of_ids(&[variable.id()]);
    let states: Vec<&Leaf> = leaves.iter().filter(|of| matches!(of, Leaf::State(_))).collect();
    let [state] = states[..] else { return None };
    let state = Ex::leaf(*state);
    let factor = differentiate(&[variable], &[(state, Ex::one())])[0];
    if factor.is_constant_zero() || depends_on(&[factor], state) {
        return None;
    }
    let rest = substitute(&[variable], &[(state, Ex::zero())])[0];
    Some((state, (value - rest) / factor))
}
