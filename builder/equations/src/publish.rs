//! From declarations to the variables of an FMU: value references, sources, attributes, structure.

use std::collections::{BTreeMap, BTreeSet};

use crate::code::Code;
use crate::description::{self, Description, Unknown};
use crate::graph::{Id, Leaf, Node};
use crate::layout::Draft;
use crate::model::Model;
use crate::name;
use crate::ops::Ex;
use crate::program::{Function, Roots, Stage, Stages};
use crate::structure::Dependencies;
use crate::unit;
use crate::variable::{Declaration, Kind, Quantity, Role, Start};

/// FMI variability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variability {
    Constant,
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

/// FMI `initial`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InitialAttribute {
    Exact,
    Approx,
    Calculated,
}

/// Where the value of a variable is found at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Source {
    Constant(f64),
    Time,
    Parameter(u32),
    Calculated(u32),
    Discrete(u32),
    Relation(u32),
    State(u32),
    Input(u32),
    Derivative(u32),
    Advanced(u32, Stage),
    Reported(u32, Stage),
}

/// A [`Source`] before the work vector is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Given(Source),
    Advanced(Id, Stage),
    Reported(Id, Stage),
}

impl Place {
    pub fn source(&self, slots: &BTreeMap<Id, u32>) -> Source {
        match *self {
            Place::Given(source) => source,
            Place::Advanced(id, stage) => Source::Advanced(slots[&id], stage),
            Place::Reported(id, stage) => Source::Reported(slots[&id], stage),
        }
    }
}

/// A variable as the run time knows it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    pub role: Role,
    pub variability: Variability,
    pub initial: Option<InitialAttribute>,
    pub source: Source,
    pub start: Option<u32>,
    pub min: f64,
    pub max: f64,
}

/// Variables by base type; the index is the value reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Published {
    pub reals: Vec<Entry>,
    pub integers: Vec<Entry>,
    pub booleans: Vec<Entry>,
    /// Every name with its source.
    pub names: BTreeMap<String, Source>,
}

/// What [`complete`] added.
#[derive(Debug)]
pub(crate) struct Completed {
    /// Elements of `p` with the solver's settings.
    pub solver: [u32; 3],
    /// For each state its variable.
    pub states: Vec<usize>,
    /// For each state the variable that is its derivative.
    pub derivatives: Vec<usize>,
}

/// Adds the variables that every model has: settings of the solver, derivatives of states.
pub(crate) fn complete(model: &mut Model) -> Completed {
    let states: Vec<usize> = (0..model.states.len())
        .filter_map(|i| model.variables.iter().position(|v| state_of(v) == Some(i)))
        .collect();
    let mut derivatives = Vec::new();
    for i in 0..model.states.len() {
        let state = &model.states[i];
        let Some(derivative) = state.derivative else { continue };
        let fits = |v: &Declaration| {
            let computed = match derivative.as_leaf() {
                None => derivative.constant_value().is_none(),
                Some(leaf) => matches!(leaf, Leaf::State(_)),
            };
            computed
                && v.quantity == Quantity::Real(derivative)
                && v.kind == Kind::Real
                && matches!(v.role, Role::Local | Role::Output)
                && !v.discrete
                && v.derivative_of.is_none()
        };
        let index = model.variables.iter().position(fits).unwrap_or_else(|| {
            let quantity = Quantity::Real(derivative);
            let name = name::derivative_of(&state.name);
            let mut v = Declaration::new(&name, Role::Local, quantity, Start::None);
            let unit = states.get(i).and_then(|&own| model.variables[own].unit.as_deref());
            v.unit = unit.and_then(unit::rate_of).map(str::to_owned);
            v.description = format!("Derivative of {}", state.name);
            model.variables.push(v);
            model.variables.len() - 1
        });
        model.variables[index].derivative_of = Some(i);
        derivatives.push(index);
    }
    let first = model.parameters.len() as u32;
    let _ = model
        .parameter("solver.method", 0.0)
        .enumeration(
            "solver.Method",
            &[
                (0, "Auto", "Explicit, implicit while the equations are stiff"),
                (1, "Tsit5", "Explicit Runge-Kutta of order 5"),
                (2, "Rodas5P", "Rosenbrock method of order 5 for stiff equations"),
            ],
        )
        .describe("Integration method of Co-Simulation");
    let _ = model
        .parameter("solver.tolerance", 0.0)
        .min(0.0)
        .describe("Relative tolerance of Co-Simulation; 0: the importer's");
    let _ = model
        .parameter("solver.max_step", 0.0)
        .min(0.0)
        .unit("s")
        .describe("Largest internal step of Co-Simulation; 0: no limit");
    Completed { solver: [first, first + 1, first + 2], states, derivatives }
}

/// Decides where every variable is computed and has it kept.
pub(crate) fn place(
    model: &Model,
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<Place> {
    let mut reported: BTreeMap<Stage, Vec<Id>> = BTreeMap::new();
    let mut places = Vec::new();
    for (variable, &id) in model.variables.iter().zip(&roots.variables) {
        let state = roots.derivatives.iter().position(|&derivative| derivative == id);
        let place = match (code.node(id), variable.derivative_of.or(state)) {
            (Node::Leaf(Leaf::State(i)), _) => Place::Given(Source::State(*i)),
            (Node::Constant(bits), None) => Place::Given(Source::Constant(f64::from_bits(*bits))),
            (Node::Constant(bits), Some(_)) if variable.derivative_of.is_none() => {
                Place::Given(Source::Constant(f64::from_bits(*bits)))
            }
            (Node::Truth(value), _) => Place::Given(Source::Constant(f64::from(u8::from(*value)))),
            (Node::Leaf(Leaf::Time), _) => Place::Given(Source::Time),
            (Node::Leaf(Leaf::Input(i)), _) => Place::Given(Source::Input(*i)),
            (Node::Leaf(Leaf::Parameter(i)), _) => Place::Given(Source::Parameter(*i)),
            (Node::Leaf(Leaf::Calculated(i)), _) => Place::Given(Source::Calculated(*i)),
            (Node::Leaf(Leaf::Pre(i)), _) => Place::Given(Source::Discrete(*i)),
            (Node::Leaf(Leaf::Relation(i)), _) => Place::Given(Source::Relation(*i)),
            (_, Some(i)) => Place::Given(Source::Derivative(i as u32)),
            _ if draft.is_advanced(code, id) => Place::Advanced(id, stages.stage(id)),
            _ => {
                reported.entry(stages.stage(id)).or_default().push(id);
                Place::Reported(id, stages.stage(id))
            }
        };
        places.push(place);
    }
    for (&stage, ids) in &reported {
        draft.report(code, stage, ids);
    }
    for place in &places {
        match *place {
            Place::Given(_) => {}
            Place::Advanced(id, stage) => draft.keep(Function::Advance(stage), id),
            Place::Reported(id, stage) => draft.keep(Function::Report(stage), id),
        }
    }
    places
}

/// Everything that the description of a model is made from.
pub(crate) struct Publication<'a> {
    pub model: &'a Model,
    pub roots: &'a Roots,
    pub code: &'a Code,
    pub dependencies: &'a Dependencies,
    pub completed: &'a Completed,
    pub sources: &'a [Source],
}

impl Publication<'_> {
    pub fn publish(&self) -> (Published, Description) {
        let variables = &self.model.variables;
        let variabilities: Vec<Variability> =
            (0..variables.len()).map(|i| self.variability(i)).collect();
        let mut published = Published::default();
        let mut references = Vec::new();
        // Variables that may share a value reference, by what has to agree.
        let mut shared: Vec<(usize, u32)> = Vec::new();
        for (i, v) in variables.iter().enumerate() {
            let initial = initial_attribute(v, variabilities[i]);
            let start = match v.start {
                Start::Exact(_, slot) if !matches!(v.role, Role::Parameter) => slot,
                Start::Approx(_, slot) => Some(slot),
                _ => None,
            };
            published.names.insert(v.name.clone(), self.sources[i]);
            let entry = Entry {
                name: v.name.clone(),
                role: v.role,
                variability: variabilities[i],
                initial,
                source: self.sources[i],
                start,
                min: v.min.unwrap_or(f64::NEG_INFINITY),
                max: v.max.unwrap_or(f64::INFINITY),
            };
            let list = published.list(&v.kind);
            let alias = shared.iter().find(|&&(j, reference)| {
                let other = &variables[j];
                let one_start = start.is_none() || list[reference as usize].start.is_none();
                may_share(v, other) && variabilities[i] == variabilities[j] && one_start
            });
            let reference = match alias {
                Some(&(_, reference)) => {
                    // The one that can be set says how.
                    if start.is_some() {
                        let name = list[reference as usize].name.clone();
                        list[reference as usize] = Entry { name, ..entry };
                    }
                    reference
                }
                None => {
                    list.push(entry);
                    list.len() as u32 - 1
                }
            };
            shared.push((i, reference));
            references.push(reference);
        }
        let described = variables.iter().enumerate();
        let described = described
            .map(|(i, v)| self.describe(v, references[i], variabilities[i], &published))
            .collect();
        (published, self.description(described))
    }

    fn variability(&self, index: usize) -> Variability {
        let v = &self.model.variables[index];
        let by_tunable = |yes| if yes { Variability::Tunable } else { Variability::Fixed };
        match v.role {
            Role::Independent => return Variability::Continuous,
            Role::Parameter | Role::CalculatedParameter => return by_tunable(v.tunable),
            Role::Input if v.discrete => return Variability::Discrete,
            Role::Input => return Variability::Continuous,
            Role::Output | Role::Local => {}
        }
        if v.derivative_of.is_some() {
            return Variability::Continuous;
        }
        let id = self.roots.variables[index];
        let settable = matches!(v.start, Start::Exact(_, Some(_)) | Start::Approx(..));
        if matches!(self.code.node(id), Node::Constant(_) | Node::Truth(_)) && !settable {
            return Variability::Constant;
        }
        let leaves = self.dependencies.leaves(id);
        if leaves.iter().any(|&leaf| is_continuous(self.model, leaf)) {
            return Variability::Continuous;
        }
        let parameters = leaves
            .iter()
            .all(|leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_) | Leaf::Anchor(_)));
        if parameters && v.role == Role::Local && !v.discrete && !settable {
            return by_tunable(leaves.iter().any(|&leaf| is_tunable(self.model, leaf)));
        }
        if settable && !v.discrete && v.kind == Kind::Real {
            return Variability::Continuous;
        }
        Variability::Discrete
    }

    fn describe(
        &self,
        v: &Declaration,
        value_reference: u32,
        variability: Variability,
        published: &Published,
    ) -> description::Variable {
        let start = match (v.start, variability) {
            (_, Variability::Constant) => match published.names[&v.name] {
                Source::Constant(value) => Some(value),
                _ => None,
            },
            (Start::None, _) => None,
            (Start::Exact(value, _) | Start::Approx(value, _), _) => Some(value),
        };
        let whole = |value: f64| value as i32;
        let kind = match &v.kind {
            Kind::Real => description::Kind::Real {
                unit: v.unit.clone(),
                display_unit: v.display_unit.clone(),
                start,
                min: v.min,
                max: v.max,
                nominal: v.nominal,
                derivative: v.derivative_of.map(|state| self.completed.states[state]),
                reinit: state_of(v).is_some_and(|i| !self.model.states[i].reinits.is_empty()),
            },
            Kind::Integer => description::Kind::Integer {
                start: start.map(whole),
                min: v.min.map(whole),
                max: v.max.map(whole),
            },
            Kind::Boolean => description::Kind::Boolean { start: start.map(|value| value != 0.0) },
            Kind::Enumeration(name) => description::Kind::Enumeration {
                declared_type: name.clone(),
                start: start.map(whole),
            },
        };
        let initial = initial_attribute(v, variability).map(|initial| match initial {
            InitialAttribute::Exact => "exact".to_owned(),
            InitialAttribute::Approx => "approx".to_owned(),
            InitialAttribute::Calculated => "calculated".to_owned(),
        });
        description::Variable {
            name: v.name.clone(),
            value_reference,
            description: v.description.clone(),
            causality: causality(v.role).to_owned(),
            variability: variability_name(variability).to_owned(),
            initial,
            kind,
        }
    }

    fn description(&self, variables: Vec<description::Variable>) -> Description {
        let model = self.model;
        let known = Knowns::of(model);
        let deps = self.dependencies;
        let events = self.events();
        let continuous = |id: Id| -> Vec<usize> {
            let mut found: BTreeSet<usize> = BTreeSet::new();
            let direct = deps.leaves(id);
            found.extend(direct.iter().filter_map(|leaf| known.evaluation.get(leaf)));
            // A discrete input acts through what an event makes of it.
            let discrete = |leaf: &Leaf| known.discrete_inputs.contains(leaf);
            let through_events = deps.closure(id, &events).into_iter().filter(discrete);
            found.extend(through_events.filter_map(|leaf| known.evaluation.get(&leaf).copied()));
            found.into_iter().collect()
        };
        let mut meaning = events.clone();
        self.add_initial_values(&mut meaning);
        let initially = |ids: &[Id]| -> Vec<usize> {
            let leaves = ids.iter().flat_map(|&id| deps.closure(id, &meaning));
            let found: BTreeSet<usize> =
                leaves.filter_map(|leaf| known.initialization.get(&leaf).copied()).collect();
            found.into_iter().collect()
        };
        let value = |index: usize| self.roots.variables[index];
        let unknown = |index: usize, dependencies| Unknown { index, dependencies };
        let all = 0..model.variables.len();
        let outputs = all.clone().filter(|&i| model.variables[i].role == Role::Output);
        let needs_initial = |&i: &usize| {
            let v = &model.variables[i];
            let listed = matches!(v.role, Role::Output | Role::CalculatedParameter)
                || self.completed.states.contains(&i)
                || v.derivative_of.is_some();
            listed && matches!(variables[i].initial.as_deref(), Some("approx" | "calculated"))
        };
        Description {
            name: model.name.clone(),
            guid: String::new(),
            description: model.description.clone(),
            documentation: model.documentation.clone(),
            experiment: model.experiment,
            units: units(model),
            enumerations: model.enumerations.clone(),
            event_indicators: model
                .relations
                .iter()
                .filter(|relation| !relation.time)
                .map(|relation| relation.name.clone())
                .collect(),
            outputs: outputs.map(|i| unknown(i, continuous(value(i)))).collect(),
            derivatives: self
                .completed
                .derivatives
                .iter()
                .zip(&self.roots.derivatives)
                .map(|(&i, &id)| unknown(i, continuous(id)))
                .collect(),
            initial_unknowns: all
                .filter(needs_initial)
                .map(|i| unknown(i, initially(&[value(i)])))
                .collect(),
            variables,
        }
    }

    /// What discrete variables and relations become at events.
    fn events(&self) -> BTreeMap<Leaf, Vec<Id>> {
        let mut meaning = BTreeMap::new();
        for (i, &id) in self.roots.next_discretes.iter().enumerate() {
            meaning.insert(Leaf::Pre(i as u32), vec![id]);
        }
        for (i, &id) in self.roots.relations.iter().enumerate() {
            meaning.insert(Leaf::Relation(i as u32), vec![id]);
        }
        meaning
    }

    /// What states, calculated parameters and anchors are at initialization.
    fn add_initial_values(&self, meaning: &mut BTreeMap<Leaf, Vec<Id>>) {
        for (i, &id) in self.roots.initial_states.iter().enumerate() {
            // An event at the initial instant may change the value.
            meaning.insert(Leaf::State(i as u32), vec![id, self.roots.next_states[i]]);
        }
        for (i, &id) in self.roots.initial_calculated.iter().enumerate() {
            meaning.insert(Leaf::Calculated(i as u32), vec![id]);
        }
    }
}

impl Published {
    fn list(&mut self, kind: &Kind) -> &mut Vec<Entry> {
        match kind {
            Kind::Real => &mut self.reals,
            Kind::Integer | Kind::Enumeration(_) => &mut self.integers,
            Kind::Boolean => &mut self.booleans,
        }
    }
}

/// The variables that others can depend on, by leaf.
struct Knowns {
    evaluation: BTreeMap<Leaf, usize>,
    initialization: BTreeMap<Leaf, usize>,
    discrete_inputs: BTreeSet<Leaf>,
}

impl Knowns {
    fn of(model: &Model) -> Knowns {
        let mut evaluation = BTreeMap::new();
        let mut initialization = BTreeMap::new();
        let mut discrete_inputs = BTreeSet::new();
        for (index, v) in model.variables.iter().enumerate() {
            let leaf = match v.quantity {
                Quantity::Real(ex) => ex.as_leaf(),
                Quantity::Truth(_) => None,
            };
            match (v.role, leaf) {
                (Role::Independent, Some(leaf)) => {
                    evaluation.insert(leaf, index);
                    initialization.insert(leaf, index);
                }
                (Role::Input, Some(leaf)) => {
                    evaluation.insert(leaf, index);
                    initialization.insert(leaf, index);
                    if v.discrete {
                        discrete_inputs.insert(leaf);
                    }
                }
                (Role::Local | Role::Output, Some(leaf @ Leaf::State(_))) => {
                    // The first is the declaration of the state; others are aliases.
                    evaluation.entry(leaf).or_insert(index);
                }
                _ => {}
            }
            if let Start::Exact(_, Some(slot)) = v.start {
                initialization.insert(Leaf::Parameter(slot), index);
            }
        }
        Knowns { evaluation, initialization, discrete_inputs }
    }
}

fn state_of(v: &Declaration) -> Option<usize> {
    match v.quantity {
        Quantity::Real(ex) => match ex.as_leaf() {
            Some(Leaf::State(i)) => Some(i as usize),
            _ => None,
        },
        Quantity::Truth(_) => None,
    }
}

/// Whether a leaf changes between events.
pub(crate) fn is_continuous(model: &Model, leaf: Leaf) -> bool {
    match leaf {
        Leaf::Time | Leaf::State(_) => true,
        Leaf::Input(_) => {
            let is_it = |v: &&Declaration| v.quantity == Quantity::Real(Ex::leaf(leaf));
            let input = model.variables.iter().filter(|v| v.role == Role::Input).find(is_it);
            input.is_some_and(|v| !v.discrete)
        }
        _ => false,
    }
}

fn is_tunable(model: &Model, leaf: Leaf) -> bool {
    let is_it = |v: &Declaration| v.quantity == Quantity::Real(Ex::leaf(leaf)) && v.tunable;
    matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_)) && model.variables.iter().any(is_it)
}

/// Whether two variables may share a value reference: published values only, since others have
/// places and rules of their own.
fn may_share(a: &Declaration, b: &Declaration) -> bool {
    let published = |v: &Declaration| matches!(v.role, Role::Local | Role::Output);
    let own_place = match a.quantity {
        Quantity::Real(ex) => {
            ex.constant_value().is_some()
                || matches!(
                    ex.as_leaf(),
                    Some(Leaf::Time | Leaf::Input(_) | Leaf::Parameter(_) | Leaf::Calculated(_))
                )
        }
        Quantity::Truth(b) => b.constant_value().is_some(),
    };
    let integer = |kind: &Kind| matches!(kind, Kind::Integer | Kind::Enumeration(_));
    let same_list = a.kind == b.kind || integer(&a.kind) && integer(&b.kind);
    published(a)
        && published(b)
        && !own_place
        && a.quantity == b.quantity
        && same_list
        && a.unit == b.unit
}

fn initial_attribute(v: &Declaration, variability: Variability) -> Option<InitialAttribute> {
    match (v.role, v.start) {
        (Role::Independent | Role::Input, _) => None,
        _ if variability == Variability::Constant => Some(InitialAttribute::Exact),
        (_, Start::Exact(..)) => Some(InitialAttribute::Exact),
        (_, Start::Approx(..)) => Some(InitialAttribute::Approx),
        (_, Start::None) => Some(InitialAttribute::Calculated),
    }
}

fn causality(role: Role) -> &'static str {
    match role {
        Role::Independent => "independent",
        Role::Parameter => "parameter",
        Role::CalculatedParameter => "calculatedParameter",
        Role::Input => "input",
        Role::Output => "output",
        Role::Local => "local",
    }
}

fn variability_name(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

/// The units in use, in the order of first use, with the display units asked for.
fn units(model: &Model) -> Vec<description::Unit> {
    let mut units: Vec<description::Unit> = Vec::new();
    for v in &model.variables {
        let Some(name) = &v.unit else { continue };
        let index = units.iter().position(|unit| unit.name == *name).unwrap_or_else(|| {
            units.extend(unit::unit(name));
            units.len() - 1
        });
        if let Some(display) = &v.display_unit {
            unit::add_display(&mut units[index], display);
        }
    }
    units
}
