//! Initial values: the expressions of states, calculated parameters and anchors at initialization.

use std::collections::{BTreeMap, BTreeSet};

use expressions::graph::{Id, Leaf};
use expressions::{
    Bool, Ex, NamedFailure, at_guesses, depends_on, differentiate, evaluate_ids, leaves_of,
    leaves_of_ids, substitute, substitute_ids,
};
use kernels::relations::{Inconsistent, RelationKind, RelationSearch};

use crate::model::Model;
use crate::vocabulary::error::Error;

/// Initial values in terms of parameters, start values, inputs and time.
#[derive(Debug)]
pub(crate) struct InitialValues {
    pub states: Vec<Ex>,
    pub calculated: Vec<Ex>,
    /// For each block, its solution, the sign of its determinant, and its other stored values.
    pub unknowns: Vec<Ex>,
    /// The relations on which initial values depend and that in turn depend on them, with their
    /// default truth values. They are leaves of the expressions above; the run time determines
    /// initial values again until these relations no longer change.
    pub modes: BTreeMap<Leaf, bool>,
    /// The part of `modes` that matters before the first event. The truth values are computed from
    /// the guesses of the blocks that depend on modes.
    pub first: Vec<(u32, Bool)>,
}

impl InitialValues {
    /// Resolves the definitions in the order in which they depend on each other.
    pub fn of(model: &Model) -> Result<InitialValues, Error> {
        let mut undetermined = definitions(model);
        substitute_known_relations(model, &mut undetermined);
        eliminate_delays(model, &mut undetermined);
        add_relations(model, &mut undetermined);
        let mut resolved: BTreeMap<Leaf, Ex> = BTreeMap::new();
        let mut modes: Vec<InitialMode> = Vec::new();
        while !undetermined.is_empty() {
            let needs = |ex: Ex| -> BTreeSet<Leaf> {
                leaves_of(&[ex])
                    .into_iter()
                    .filter(|leaf| undetermined.contains_key(leaf))
                    .collect()
            };
            let ready: Vec<(Leaf, Ex)> = undetermined
                .iter()
                .filter(|(_, definition)| needs(definition.value).is_empty())
                .map(|(&leaf, definition)| (leaf, definition.value))
                .collect();
            if ready.is_empty() {
                let path = cycle(&undetermined, needs);
                let mut names: Vec<&str> =
                    path.iter().map(|leaf| undetermined[leaf].name).collect();
                names.dedup();
                let names = names.join(", ");
                let relation = path.iter().find(|leaf| matches!(leaf, Leaf::Relation(_)));
                let broken =
                    relation.and_then(|&leaf| Some((leaf, undetermined.remove(&leaf)?.value)));
                let Some((leaf, value)) = broken else { return Err(cycle_error(&names)) };
                modes.push(InitialMode { leaf, value, names });
                continue;
            }
            let by: Vec<(Id, Id)> =
                resolved.iter().map(|(&leaf, value)| (id(leaf), value.id())).collect();
            let values: Vec<Id> = ready.iter().map(|(_, value)| value.id()).collect();
            for ((leaf, _), value) in ready.iter().zip(substitute_ids(&values, &by)) {
                undetermined.remove(leaf);
                resolved.insert(*leaf, Ex::from_id(value));
            }
        }
        let all = |leaf: fn(u32) -> Leaf, n: usize| {
            (0..n as u32).map(|i| resolved[&leaf(i)]).collect::<Vec<Ex>>()
        };
        let by: Vec<(Id, Id)> =
            resolved.iter().map(|(&leaf, value)| (id(leaf), value.id())).collect();
        for mode in &mut modes {
            mode.value = Ex::from_id(substitute_ids(&[mode.value.id()], &by)[0]);
        }
        let truths = find_modes(model, &modes)?;
        let unknowns = model.next_offset() as usize;
        let mut initial = InitialValues {
            states: all(Leaf::State, model.states.len()),
            calculated: all(Leaf::Calculated, model.calculated.len()),
            unknowns: all(Leaf::Anchor, unknowns),
            modes: truths,
            first: Vec::new(),
        };
        initial.first = initial.first_modes(model, &modes);
        Ok(initial)
    }
}

impl InitialValues {
    /// Values before the first event, with the default values of parameters, inputs and time.
    pub fn evaluate(&self, model: &Model, ids: &[Id]) -> Result<Vec<f64>, NamedFailure> {
        let mut by = Vec::new();
        for leaf in leaves_of_ids(ids) {
            match leaf {
                Leaf::State(i) => by.push((id(leaf), self.states[i as usize].id())),
                Leaf::Calculated(i) => by.push((id(leaf), self.calculated[i as usize].id())),
                Leaf::Anchor(i) => by.push((id(leaf), self.unknowns[i as usize].id())),
                _ => {}
            }
        }
        by_default(model, &substitute_ids(ids, &by), &self.modes)
    }

    /// The modes that matter before the first event, with their truth values at the guesses.
    fn first_modes(&self, model: &Model, modes: &[InitialMode]) -> Vec<(u32, Bool)> {
        let all = self.states.iter().chain(&self.calculated).chain(&self.unknowns);
        let all: Vec<Id> = all.map(|value| value.id()).collect();
        let is_mode = |leaf: &Leaf| self.modes.contains_key(leaf);
        let count = leaves_of_ids(&model.ids_before_events(&all));
        let depends = |call: Id, _: &_| leaves_of_ids(&[call]).iter().any(is_mode);
        let first = modes.iter().filter(|mode| count.contains(&mode.leaf));
        let first = first.filter_map(|mode| {
            let Leaf::Relation(i) = mode.leaf else { return None };
            let truth = at_guesses(&model.ids_before_events(&[mode.value.id()]), &depends)[0];
            // A mode that depends on other modes even at the guesses begins as false.
            let known = !leaves_of_ids(&[truth]).iter().any(is_mode);
            Some((i, if known { Bool::from_id(truth) } else { Bool::constant(false) }))
        });
        let mut first: Vec<(u32, Bool)> = first.collect();
        first.sort_unstable_by_key(|mode| mode.0);
        first
    }
}

/// The values of expressions for the default values of parameters, inputs, time and modes.
fn by_default(
    model: &Model,
    ids: &[Id],
    modes: &BTreeMap<Leaf, bool>,
) -> Result<Vec<f64>, NamedFailure> {
    evaluate_ids(ids, &mut |leaf| match leaf {
        Leaf::Time => model.experiment.start_time,
        Leaf::Initial => 1.0,
        Leaf::Parameter(i) => model.parameters[i as usize],
        Leaf::Input(i) => model.inputs[i as usize],
        Leaf::Pre(i) => model.discretes[i as usize].start,
        Leaf::Relation(_) => f64::from(u8::from(modes.get(&leaf).copied().unwrap_or_default())),
        Leaf::State(_) | Leaf::Calculated(_) | Leaf::Anchor(_) | Leaf::Symbol(_) => f64::NAN,
        // Nothing that is needed at the start depends on it.
        Leaf::Delayed(..) => f64::NAN,
    })
}

/// A relation on which initial values depend and that in turn depends on them.
struct InitialMode {
    leaf: Leaf,
    /// Its truth value, in terms of parameters and modes.
    value: Ex,
    /// The names along the cycle that contains it.
    names: String,
}

/// Truth values of the modes that agree with the initial values which follow from them. A model
/// without such values is refused, unless discrete variables are involved, which only events
/// change.
fn find_modes(model: &Model, modes: &[InitialMode]) -> Result<BTreeMap<Leaf, bool>, Error> {
    let values: Vec<Id> = modes.iter().map(|mode| mode.value.id()).collect();
    let all = |truths: &[bool]| -> BTreeMap<Leaf, bool> {
        modes.iter().map(|mode| mode.leaf).zip(truths.iter().copied()).collect()
    };
    let mut search = RelationSearch::new(modes.len());
    if leaves_of_ids(&values).iter().any(|leaf| matches!(leaf, Leaf::Pre(_))) {
        return Ok(all(search.relations()));
    }
    let found = search.find_consistent(|relations, truths, _| {
        let now = by_default(model, &values, &all(relations))?;
        truths.iter_mut().zip(now).for_each(|(truth, value)| *truth = value != 0.0);
        Ok::<_, NamedFailure>(())
    });
    match found {
        // A block without a solution is reported when the simulation starts.
        Ok(_) | Err(Inconsistent::Evaluation(_)) => Ok(all(search.relations())),
        Err(Inconsistent::Oscillates(i)) => Err(cycle_error(&modes[i].names)),
    }
}

/// The error of initial values that depend on each other.
fn cycle_error(names: &str) -> Error {
    Error::Cycle(format!("the initial values of {names} depend on each other"))
}

struct Definition<'a> {
    name: &'a str,
    value: Ex,
}

fn definitions(model: &Model) -> BTreeMap<Leaf, Definition<'_>> {
    let mut all = BTreeMap::new();
    for (i, state) in model.states.iter().enumerate() {
        all.insert(Leaf::State(i as u32), Definition { name: &state.name, value: state.start });
    }
    for (i, (name, value)) in model.calculated.iter().enumerate() {
        all.insert(Leaf::Calculated(i as u32), Definition { name, value: *value });
    }
    for block in &model.blocks {
        let values = block.initial.iter().copied().chain([block.initial_sign]);
        let values = values.chain(block.kept.iter().map(|_| Ex::zero()));
        for (anchor, value) in block.anchors().zip(values) {
            let leaf = anchor.as_leaf().expect("anchors are leaves");
            all.insert(leaf, Definition { name: &block.name, value });
        }
    }
    all
}

/// Substitutes the truth values that are known before the first event iteration: `initial` is true,
/// and a time relation is true if its instant has passed.
fn substitute_known_relations(model: &Model, undetermined: &mut BTreeMap<Leaf, Definition<'_>>) {
    let mut by: Vec<(Id, Id)> = vec![(model.initial().id(), Bool::constant(true).id())];
    for (i, relation) in model.relations.iter().enumerate() {
        if relation.kind == RelationKind::Time {
            let passed = model.time().ge(relation.residual);
            by.push((Bool::leaf(Leaf::Relation(i as u32)).id(), passed.id()));
        }
    }
    for definition in undetermined.values_mut() {
        definition.value = Ex::from_id(substitute_ids(&[definition.value.id()], &by)[0]);
    }
}

/// Expresses the signals of delays, which are the delayed values at the start, by other values,
/// also where a signal is a linear function of its own delayed value.
fn eliminate_delays(model: &Model, undetermined: &mut BTreeMap<Leaf, Definition<'_>>) {
    for delay in &model.delays {
        let leaf = Leaf::Calculated(delay.start);
        let Some(definition) = undetermined.get_mut(&leaf) else { continue };
        let (start, value) = (Ex::leaf(leaf), definition.value);
        if depends_on(&[value], start) {
            let factor = differentiate(&[value], &[(start, Ex::one())])[0];
            let rest = substitute(&[value], &[(start, Ex::zero())])[0];
            let remaining = Ex::one() - factor;
            if depends_on(&[factor], start) || remaining.is_constant_zero() {
                continue;
            }
            definition.value = rest / remaining;
        }
        let by = [(start.id(), definition.value.id())];
        for (_, other) in undetermined.iter_mut().filter(|(of, _)| **of != leaf) {
            other.value = Ex::from_id(substitute_ids(&[other.value.id()], &by)[0]);
        }
    }
}

/// Adds the relations on which initial values depend, with their values before the first event
/// iteration.
fn add_relations<'a>(model: &'a Model, undetermined: &mut BTreeMap<Leaf, Definition<'a>>) {
    let mut values: Vec<Ex> = undetermined.values().map(|definition| definition.value).collect();
    while !values.is_empty() {
        let mut added = BTreeMap::new();
        for leaf in leaves_of(&values) {
            let Leaf::Relation(i) = leaf else { continue };
            // A relation of another model is refused later.
            let Some(relation) = model.relations.get(i as usize) else { continue };
            if !undetermined.contains_key(&leaf) {
                let value = Ex::from_id((relation.active & relation.residual.gt(0.0)).id());
                added.insert(leaf, Definition { name: &relation.name, value });
            }
        }
        substitute_known_relations(model, &mut added);
        values = added.values().map(|definition| definition.value).collect();
        undetermined.extend(added);
    }
}

fn id(leaf: Leaf) -> Id {
    if leaf.is_truth() { Bool::leaf(leaf).id() } else { Ex::leaf(leaf).id() }
}

/// The leaves along one cycle of dependencies.
fn cycle(
    undetermined: &BTreeMap<Leaf, Definition<'_>>,
    needs: impl Fn(Ex) -> BTreeSet<Leaf>,
) -> Vec<Leaf> {
    let mut path: Vec<Leaf> = Vec::new();
    let mut leaf = *undetermined.keys().next().expect("something is undetermined");
    while !path.contains(&leaf) {
        path.push(leaf);
        leaf = *needs(undetermined[&leaf].value)
            .iter()
            .next()
            .expect("an undetermined value needs an undetermined one");
    }
    let first = path.iter().position(|seen| *seen == leaf).expect("the path has closed");
    path.split_off(first)
}
