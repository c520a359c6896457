//! The description of a model: attributes of variables, structure, units.

use std::collections::{BTreeMap, BTreeSet};

use expressions::graph::{Id, Leaf};
use kernels::relations::RelationKind;
use program::{Causality, Initial, Variability, Variable};

use crate::model::Model;
use crate::model::variable::{BaseType, StartValue, VariableDeclaration};
use crate::publication::publish::{Publication, initial_attribute};
use crate::vocabulary::description::{self, Description, Unknown, VariableType};
use crate::vocabulary::unit;

/// The description of a variable of the run time.
pub(crate) fn of_variable(
    v: &Variable,
    value_reference: u32,
    kind: VariableType,
) -> description::Variable {
    description::Variable {
        name: v.name.to_owned(),
        value_reference,
        description: v.description.to_owned(),
        causality: causality_name(v.causality).to_owned(),
        variability: variability_name(v.variability).to_owned(),
        initial: v.initial.map(|initial| initial_name(initial).to_owned()),
        kind,
    }
}

impl Publication<'_> {
    /// The description of a variable.
    pub(crate) fn describe(
        &self,
        v: &VariableDeclaration,
        value_reference: u32,
        variability: Variability,
    ) -> description::Variable {
        let start = match v.start {
            StartValue::None => None,
            StartValue::Exact(value, _) | StartValue::Approx(value, _) => Some(value),
        };
        let whole = |value: f64| value as i32;
        let kind = match &v.base_type {
            BaseType::Real => VariableType::Real {
                unit: v.unit.clone(),
                display_unit: display_unit(v),
                start,
                min: v.min,
                max: v.max,
                nominal: v.nominal,
                derivative: v.derivative_of.map(|state| self.completed.states[state]),
                reinit: v.state().is_some_and(|i| {
                    // An output with the value of a state is not the state.
                    let state = &self.model.variables[self.completed.states[i]];
                    state.name == v.name && !self.model.states[i].reinits.is_empty()
                }),
            },
            BaseType::Integer => VariableType::Integer {
                start: start.map(whole),
                min: v.min.map(whole),
                max: v.max.map(whole),
            },
            BaseType::Boolean => VariableType::Boolean { start: start.map(|value| value != 0.0) },
            BaseType::Enumeration(name) => {
                VariableType::Enumeration { declared_type: name.clone(), start: start.map(whole) }
            }
        };
        let initial = initial_attribute(v);
        description::Variable {
            name: v.name.clone(),
            value_reference,
            description: v.description.clone(),
            causality: causality_name(v.causality).to_owned(),
            variability: variability_name(variability).to_owned(),
            initial: initial.map(|initial| initial_name(initial).to_owned()),
            kind,
        }
    }

    /// The description of the model with these variables.
    pub(crate) fn description(&self, variables: Vec<description::Variable>) -> Description {
        let model = self.model;
        let known = Knowns::of(model, &self.completed.states);
        let deps = self.dependencies;
        let events = self.events();
        let through_events = deps.through(&events);
        let relations = self.relations();
        let through_relations = deps.through(&relations);
        let discrete = |index: usize| variables[index].variability == "discrete";
        let evaluated = |index: usize, id: Id| -> Vec<usize> {
            let mut found: BTreeSet<usize> = BTreeSet::new();
            // In Event Mode a relation depends on its residual, and so do unknowns that change only
            // there. The structure of the other unknowns is that of their derivatives, for which
            // relations are frozen.
            let direct =
                if discrete(index) { through_relations.leaves(id) } else { deps.leaves(id) };
            found.extend(direct.iter().filter_map(|leaf| known.evaluation.get(leaf)));
            // A discrete input has an influence through the values that an event sets.
            let reached = through_events.leaves(id);
            let discrete = reached.intersection(&self.kinds.discrete_inputs);
            found.extend(discrete.filter_map(|leaf| known.evaluation.get(leaf)));
            found.into_iter().collect()
        };
        let mut definitions = events.clone();
        self.add_initial_values(&mut definitions);
        let at_start = deps.through(&definitions);
        let initially = |id: Id| -> Vec<usize> {
            let leaves = at_start.leaves(id);
            let found: BTreeSet<usize> =
                leaves.iter().filter_map(|leaf| known.initialization.get(leaf).copied()).collect();
            found.into_iter().collect()
        };
        let value = |index: usize| self.roots.variables[index];
        let unknown = |index: usize, dependencies| Unknown { index, dependencies };
        let of_evaluation = |index: usize, id: Id| unknown(index, evaluated(index, id));
        let all = 0..model.variables.len();
        let needs_initial = |&i: &usize| {
            let v = &model.variables[i];
            let listed = matches!(v.causality, Causality::Output | Causality::CalculatedParameter)
                || self.completed.states.contains(&i)
                || v.derivative_of.is_some();
            listed && matches!(variables[i].initial.as_deref(), Some("approx" | "calculated"))
        };
        Description {
            name: model.name.clone(),
            guid: String::new(),
            description: model.description.clone(),
            documentation: with_notes(&model.documentation, &model.notes),
            experiment: model.experiment,
            units: units(model),
            enumerations: model.enumerations.clone(),
            event_indicators: model
                .relations
                .iter()
                .filter(|relation| relation.kind == RelationKind::State)
                .map(|relation| relation.name.clone())
                .collect(),
            outputs: outputs(model).into_iter().map(|i| of_evaluation(i, value(i))).collect(),
            derivatives: self
                .completed
                .derivatives
                .iter()
                .zip(&self.roots.derivatives)
                .map(|(&i, &id)| of_evaluation(i, id))
                .collect(),
            initial_unknowns: all
                .filter(needs_initial)
                .map(|i| unknown(i, initially(value(i))))
                .collect(),
            variables,
        }
    }

    /// The expressions that define discrete variables and relations at events.
    fn events(&self) -> BTreeMap<Leaf, Vec<Id>> {
        let mut definitions = self.relations();
        for (i, &id) in self.roots.next_discretes.iter().enumerate() {
            definitions.insert(Leaf::Pre(i as u32), vec![id]);
        }
        definitions
    }

    /// The residuals of relations, which contain the conditions under which they are active.
    fn relations(&self) -> BTreeMap<Leaf, Vec<Id>> {
        let residuals = self.roots.relations.iter().enumerate();
        residuals.map(|(i, &id)| (Leaf::Relation(i as u32), vec![id])).collect()
    }

    /// Adds the expressions that define states and calculated parameters at initialization.
    fn add_initial_values(&self, definitions: &mut BTreeMap<Leaf, Vec<Id>>) {
        for (i, &id) in self.roots.initial_states.iter().enumerate() {
            // An event at the initial instant may change the value.
            definitions.insert(Leaf::State(i as u32), vec![id, self.roots.next_states[i]]);
        }
        for (i, &id) in self.roots.initial_calculated.iter().enumerate() {
            definitions.insert(Leaf::Calculated(i as u32), vec![id]);
        }
    }
}

/// The variables that others can depend on, by leaf.
struct Knowns {
    evaluation: BTreeMap<Leaf, usize>,
    initialization: BTreeMap<Leaf, usize>,
}

impl Knowns {
    /// Those of a model whose states are these variables.
    fn of(model: &Model, states: &[usize]) -> Knowns {
        let state = |(i, &index): (usize, &usize)| (Leaf::State(i as u32), index);
        let mut evaluation: BTreeMap<Leaf, usize> = states.iter().enumerate().map(state).collect();
        let mut initialization = BTreeMap::new();
        for (index, v) in model.variables.iter().enumerate() {
            if let (Causality::Input, Some(leaf)) = (v.causality, v.leaf()) {
                evaluation.insert(leaf, index);
                initialization.insert(leaf, index);
            }
            if let StartValue::Exact(_, Some(slot)) = v.start {
                initialization.insert(Leaf::Parameter(slot), index);
            }
        }
        Knowns { evaluation, initialization }
    }
}

pub(crate) fn initial_name(initial: Initial) -> &'static str {
    match initial {
        Initial::Exact => "exact",
        Initial::Approx => "approx",
        Initial::Calculated => "calculated",
    }
}

pub(crate) fn causality_name(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "independent",
    }
}

pub(crate) fn variability_name(variability: Variability) -> &'static str {
    match variability {
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}

/// The outputs, in the order that the model states.
fn outputs(model: &Model) -> Vec<usize> {
    let order = &model.output_order;
    let places: BTreeMap<&str, usize> =
        order.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
    let of = |i: &usize| &model.variables[*i];
    let mut outputs: Vec<usize> =
        (0..model.variables.len()).filter(|i| of(i).causality == Causality::Output).collect();
    outputs.sort_by_key(|i| places.get(of(i).name.as_str()).copied().unwrap_or(order.len()));
    outputs
}

/// The declared display unit, or the usual one.
fn display_unit(v: &VariableDeclaration) -> Option<String> {
    let usual = || v.unit.as_deref().and_then(unit::usual_display);
    v.display_unit.as_deref().or_else(usual).map(str::to_owned)
}

/// The units in use, in the order of first use, with the declared display units.
fn units(model: &Model) -> Vec<description::Unit> {
    let mut units: Vec<description::Unit> = Vec::new();
    for v in &model.variables {
        let Some(name) = &v.unit else { continue };
        let index = units.iter().position(|unit| unit.name == *name).unwrap_or_else(|| {
            units.extend(model.units.unit(name));
            units.len() - 1
        });
        if let Some(display) = display_unit(v) {
            model.units.add_display(&mut units[index], &display);
        }
    }
    units
}

/// The documentation followed by the notes, as a list.
fn with_notes(documentation: &str, notes: &[String]) -> String {
    let mut text = documentation.to_owned();
    for (i, note) in notes.iter().enumerate() {
        text += if i == 0 { "\n\n## Notes\n\n* " } else { "\n* " };
        text += note;
    }
    text
}
