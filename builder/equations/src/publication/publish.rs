//! The variables of an FMU from declarations: value references, sources, attributes, structure.
//!
//! The independent variable `time` is not among them: FMI does not require it, and some importers
//! complain about it.

use std::collections::BTreeMap;

use expressions::Expression;
use expressions::code::Code;
use expressions::graph::{Id, Leaf, Node};
use program::{
    Base, Causality, Function, Initial, SolverCount, Source, Stage, Variability, Variable,
};
use rustc_hash::FxHashMap as HashMap;

use crate::analysis::dependencies::Dependencies;
use crate::analysis::leaf_kinds::LeafKinds;
use crate::analysis::roots::Roots;
use crate::analysis::stages::Stages;
use crate::layout::Draft;
use crate::model::Model;
use crate::model::completed::Completed;
use crate::model::variable::{BaseType, StartValue, VariableDeclaration};
use crate::publication::describe;
use crate::vocabulary::description::{Description, VariableType};

/// The [`Source`] of a variable while the elements of the work vector are not numbered yet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PendingSource {
    Known(Source),
    Advanced(Id, Stage),
    Reported(Id, Stage),
}

impl PendingSource {
    pub fn source(&self, slots: &BTreeMap<Id, u32>) -> Source {
        match *self {
            PendingSource::Known(source) => source,
            PendingSource::Advanced(id, stage) => Source::Advanced(slots[&id], stage),
            PendingSource::Reported(id, stage) => Source::Reported(slots[&id], stage),
        }
    }
}

/// A variable as declared for the run time.
#[derive(Clone, Debug)]
pub(crate) struct PublishedVariable {
    pub name: String,
    pub causality: Causality,
    pub variability: Variability,
    pub initial: Option<Initial>,
    pub source: Source,
    pub start: Option<u32>,
    /// Its unit; empty if it has none.
    pub unit: String,
    pub min: f64,
    pub max: f64,
}

impl From<&Variable> for PublishedVariable {
    fn from(v: &Variable) -> PublishedVariable {
        PublishedVariable {
            name: v.name.to_owned(),
            causality: v.causality,
            variability: v.variability,
            initial: v.initial,
            source: v.source,
            start: v.start,
            unit: v.unit.to_owned(),
            min: v.min,
            max: v.max,
        }
    }
}

/// Variables by base type, in the order of their value references.
#[derive(Clone, Debug, Default)]
pub(crate) struct PublishedVariables {
    pub reals: Vec<PublishedVariable>,
    pub integers: Vec<PublishedVariable>,
    pub booleans: Vec<PublishedVariable>,
    /// Every name with its source.
    pub names: BTreeMap<String, Source>,
}

/// Decides which function computes each variable and stores its value in the work vector.
pub(crate) fn choose_sources(
    model: &Model,
    code: &Code,
    roots: &Roots,
    stages: &Stages,
    draft: &mut Draft,
) -> Vec<PendingSource> {
    let mut reported: BTreeMap<Stage, Vec<Id>> = BTreeMap::new();
    let mut sources = Vec::new();
    let mut of_derivative = HashMap::<Id, usize>::default();
    for (i, &derivative) in roots.derivatives.iter().enumerate() {
        of_derivative.entry(derivative).or_insert(i);
    }
    for (variable, &id) in model.variables.iter().zip(&roots.variables) {
        let state = of_derivative.get(&id).copied();
        let source = match (code.node(id), variable.derivative_of.or(state)) {
            (Node::Leaf(Leaf::State(i)), _) => PendingSource::Known(Source::State(*i)),
            (Node::Constant(bits), None) => {
                PendingSource::Known(Source::Constant(f64::from_bits(*bits)))
            }
            (Node::Constant(bits), Some(_)) if variable.derivative_of.is_none() => {
                PendingSource::Known(Source::Constant(f64::from_bits(*bits)))
            }
            (Node::Truth(value), _) => {
                PendingSource::Known(Source::Constant(f64::from(u8::from(*value))))
            }
            (Node::Leaf(Leaf::Time), _) => PendingSource::Known(Source::Time),
            (Node::Leaf(Leaf::Input(i)), _) => PendingSource::Known(Source::Input(*i)),
            (Node::Leaf(Leaf::Parameter(i)), _) => PendingSource::Known(Source::Parameter(*i)),
            (Node::Leaf(Leaf::Calculated(i)), _) => PendingSource::Known(Source::Calculated(*i)),
            (Node::Leaf(Leaf::Pre(i)), _) => PendingSource::Known(Source::Discrete(*i)),
            (Node::Leaf(Leaf::Relation(i)), _) => PendingSource::Known(Source::Relation(*i)),
            (_, Some(i)) => PendingSource::Known(Source::Derivative(i as u32)),
            _ if draft.is_advanced(code, id) => PendingSource::Advanced(id, stages.stage(id)),
            _ => {
                reported.entry(stages.stage(id)).or_default().push(id);
                PendingSource::Reported(id, stages.stage(id))
            }
        };
        sources.push(source);
    }
    for (&stage, ids) in &reported {
        draft.report(code, stage, ids);
    }
    for source in &sources {
        match *source {
            PendingSource::Known(_) => {}
            PendingSource::Advanced(id, stage) => draft.keep(Function::Advance(stage), id),
            PendingSource::Reported(id, stage) => draft.keep(Function::Report(stage), id),
        }
    }
    sources
}

/// All data from which the description of a model is made.
pub(crate) struct Publication<'a> {
    pub model: &'a Model,
    pub roots: &'a Roots,
    pub code: &'a Code,
    pub dependencies: &'a Dependencies,
    pub completed: &'a Completed,
    pub kinds: &'a LeafKinds,
    pub sources: &'a [Source],
}

impl Publication<'_> {
    pub fn publish(&self) -> (PublishedVariables, Description) {
        let variables = &self.model.variables;
        let variabilities: Vec<Variability> =
            (0..variables.len()).map(|i| self.variability(i)).collect();
        let mut published = PublishedVariables::default();
        // The place of each variable in the list of its base type.
        let mut places = Vec::new();
        // Variables that may share a value reference, by their expressions.
        let mut shared: HashMap<Id, Vec<(usize, usize)>> = HashMap::default();
        for (i, v) in variables.iter().enumerate() {
            let initial = initial_attribute(v);
            let start = match v.start {
                StartValue::Exact(_, slot) if !matches!(v.causality, Causality::Parameter) => slot,
                StartValue::Approx(_, slot) => Some(slot),
                _ => None,
            };
            published.names.insert(v.name.clone(), self.sources[i]);
            let (min, max) = self.range(v);
            let entry = PublishedVariable {
                name: v.name.clone(),
                causality: v.causality,
                variability: variabilities[i],
                initial,
                source: self.sources[i],
                start,
                unit: v.unit.clone().unwrap_or_default(),
                min,
                max,
            };
            let list = published.list(&v.base_type);
            let shared = shared.entry(v.expression.id()).or_default();
            let alias = shared.iter().find(|&&(j, place)| {
                let other = &variables[j];
                let one_start = start.is_none() || list[place].start.is_none();
                may_share(v, other) && variabilities[i] == variabilities[j] && one_start
            });
            let place = match alias {
                Some(&(_, place)) => {
                    // The variable with a start value determines how it is set.
                    if start.is_some() {
                        let name = list[place].name.clone();
                        list[place] = PublishedVariable { name, ..entry };
                    }
                    place
                }
                None => {
                    list.push(entry);
                    list.len() - 1
                }
            };
            shared.push((i, place));
            places.push(place);
        }
        let counts = SolverCount::ALL.map(Variable::of_solver);
        let first_count = published.integers.len();
        for count in &counts {
            published.names.insert(count.name.to_owned(), count.source);
            published.integers.push(PublishedVariable::from(count));
        }
        let reference = |base: Base, place: usize| published.first_reference(base) + place as u32;
        let described = variables.iter().zip(&places).zip(&variabilities);
        let mut described: Vec<_> = described
            .map(|((v, &place), &variability)| {
                self.describe(v, reference(v.base_type.base(), place), variability)
            })
            .collect();
        described.extend(counts.iter().enumerate().map(|(i, count)| {
            let kind = VariableType::Integer { start: None, min: None, max: None };
            describe::of_variable(count, reference(Base::Integer, first_count + i), kind)
        }));
        (published, self.description(described))
    }

    /// Smallest and largest value that may be set.
    fn range(&self, v: &VariableDeclaration) -> (f64, f64) {
        let mut range = (v.min.unwrap_or(f64::NEG_INFINITY), v.max.unwrap_or(f64::INFINITY));
        if let BaseType::Enumeration(name) = &v.base_type
            && let Some(declared) = self.model.enumerations.iter().find(|e| e.name == *name)
        {
            let values = || declared.items.iter().map(|item| f64::from(item.value));
            range.0 = values().fold(f64::INFINITY, f64::min).max(range.0);
            range.1 = values().fold(f64::NEG_INFINITY, f64::max).min(range.1);
        }
        range
    }

    fn variability(&self, index: usize) -> Variability {
        let v = &self.model.variables[index];
        let by_tunable = |yes| if yes { Variability::Tunable } else { Variability::Fixed };
        match v.causality {
            Causality::Parameter => return by_tunable(v.tunable),
            Causality::CalculatedParameter => {
                let leaves = self.dependencies.leaves(self.roots.variables[index]);
                return by_tunable(v.tunable || !leaves.is_disjoint(&self.kinds.tunable));
            }
            Causality::Input if v.discrete => return Variability::Discrete,
            Causality::Input | Causality::Independent => return Variability::Continuous,
            Causality::Output | Causality::Local => {}
        }
        if v.derivative_of.is_some() {
            return Variability::Continuous;
        }
        let id = self.roots.variables[index];
        let settable = matches!(v.start, StartValue::Exact(_, Some(_)) | StartValue::Approx(..));
        let is_constant = matches!(self.code.node(id), Node::Constant(_) | Node::Truth(_));
        if is_constant && !settable {
            return match (v.causality, &v.base_type) {
                (Causality::Local, _) => Variability::Fixed,
                (_, BaseType::Real) if !v.discrete => Variability::Continuous,
                _ => Variability::Discrete,
            };
        }
        let leaves = self.dependencies.leaves(id);
        if leaves.iter().any(|leaf| self.kinds.is_continuous(leaf)) {
            // A number of periods may be computed from the time, at events only.
            let is_real = v.base_type == BaseType::Real;
            return if is_real { Variability::Continuous } else { Variability::Discrete };
        }
        let parameters = leaves
            .iter()
            .all(|leaf| matches!(leaf, Leaf::Parameter(_) | Leaf::Calculated(_) | Leaf::Anchor(_)));
        if parameters && v.causality == Causality::Local && !v.discrete && !settable {
            return by_tunable(!leaves.is_disjoint(&self.kinds.tunable));
        }
        if settable && !v.discrete && v.base_type == BaseType::Real {
            return Variability::Continuous;
        }
        Variability::Discrete
    }
}

impl PublishedVariables {
    fn list(&mut self, base_type: &BaseType) -> &mut Vec<PublishedVariable> {
        match base_type.base() {
            Base::Real => &mut self.reals,
            Base::Integer => &mut self.integers,
            Base::Boolean => &mut self.booleans,
        }
    }

    /// As [`program::Info::first_reference`], which is made from these variables.
    fn first_reference(&self, base: Base) -> u32 {
        let before = match base {
            Base::Real => 0,
            Base::Integer => self.reals.len(),
            Base::Boolean => self.reals.len() + self.integers.len(),
        };
        before as u32
    }
}

/// Whether two variables may share a value reference: only if neither is a constant, a parameter,
/// an input or time, which have sources and rules of their own.
fn may_share(a: &VariableDeclaration, b: &VariableDeclaration) -> bool {
    let published =
        |v: &VariableDeclaration| matches!(v.causality, Causality::Local | Causality::Output);
    let own_source = match a.expression {
        Expression::Real(ex) => {
            ex.constant_value().is_some()
                || matches!(
                    ex.as_leaf(),
                    Some(Leaf::Time | Leaf::Input(_) | Leaf::Parameter(_) | Leaf::Calculated(_))
                )
        }
        Expression::Truth(b) => b.constant_value().is_some(),
    };
    let integer =
        |base_type: &BaseType| matches!(base_type, BaseType::Integer | BaseType::Enumeration(_));
    let same_list = a.base_type == b.base_type || integer(&a.base_type) && integer(&b.base_type);
    published(a)
        && published(b)
        && !own_source
        && a.expression.id() == b.expression.id()
        && same_list
        && a.unit == b.unit
}

pub(crate) fn initial_attribute(v: &VariableDeclaration) -> Option<Initial> {
    match (v.causality, v.start) {
        (Causality::Input | Causality::Independent, _) => None,
        (_, StartValue::Exact(..)) => Some(Initial::Exact),
        (_, StartValue::Approx(..)) => Some(Initial::Approx),
        (_, StartValue::None) => Some(Initial::Calculated),
    }
}
