//! The declarations of a program for the run time.

use std::collections::{BTreeMap, BTreeSet};

use expressions::code::Code;
use expressions::graph::Id;
use program::{
    Assertion, Block, Data, Discrete, Fallible, Function, Info, Relation, Requirement, Sizes,
    Stage, State, Table, Variable,
};

use crate::analysis::facts::Facts;
use crate::layout::{Chunk, Layout};
use crate::publication::publish::{PublishedVariable, PublishedVariables};
use crate::vocabulary::description::Description;

/// The declarations for the run time, without the GUID. Their texts and lists live as long as the
/// process, like those of emitted code.
pub(crate) fn info(
    (code, layout): (&Code, &Layout),
    (facts, published, description): (&Facts, &PublishedVariables, &Description),
) -> Info {
    let Layout { functions, work, .. } = layout;
    let experiment = &description.experiment;
    Info {
        name: text_of(&description.name),
        guid: "",
        sizes: Sizes {
            calculated: facts.calculated,
            unknowns: facts.unknowns,
            work: *work as usize,
            operations: layout.operations(),
        },
        reals: list(published.reals.iter().map(variable)),
        integers: list(published.integers.iter().map(variable)),
        booleans: list(published.booleans.iter().map(variable)),
        parameters: list(facts.parameters.iter().copied()),
        inputs: list(facts.inputs.iter().copied()),
        states: list(facts.states.iter().map(|state| State {
            name: text_of(&state.name),
            nominal: state.nominal,
            position: state.position,
        })),
        discretes: list(facts.discretes.iter().map(|discrete| Discrete {
            name: text_of(&discrete.name),
            start: discrete.start,
            labels: list(discrete.labels.iter().map(|(value, label)| (*value, text_of(label)))),
        })),
        relations: list(facts.relations.iter().map(|relation| Relation {
            name: text_of(&relation.name),
            kind: relation.kind,
            affine: relation.affine,
        })),
        relation_stage: facts.relation_stage,
        indicators_apart: functions.contains_key(&Function::Indicators),
        deferred: layout.deferred,
        first_modes: list(facts.first_modes.iter().copied()),
        blocks: list(facts.blocks.iter().map(|block| Block {
            name: text_of(&block.name),
            kind: block.kind,
            offset: block.offset,
            size: block.size,
        })),
        requirements: list(facts.requirements.iter().map(|requirement| {
            Requirement {
                subject: requirement.subject,
                of: list(
                    requirement
                        .of
                        .iter()
                        .map(|(name, unit, source)| (text_of(name), text_of(unit), *source)),
                ),
                sentence: text_of(&requirement.sentence),
            }
        })),
        assertions: list(facts.assertions.iter().map(|assertion| Assertion {
            sentence: text_of(&assertion.sentence),
            in_passes: assertion.in_passes,
            is_warning: assertion.is_warning,
        })),
        fallible: fallible(code, functions),
        tables: list(code.tables().iter().map(|table| {
            let table = table.contents();
            Table {
                name: text_of(&table.name),
                shape: table.shape,
                data: match &table.file {
                    Some(file) => Data::File(text_of(file)),
                    None => Data::Rows(list(table.rows.numbers().iter().copied())),
                },
            }
        })),
        delays: list(facts.delays.iter().copied()),
        controllers: list(facts.controllers.iter().copied()),
        jacobian: list(facts.jacobian.iter().map(|rows| list(rows.iter().copied()))),
        lasting_columns: list(facts.lasting_columns.iter().copied()),
        time_dependent: facts.time_dependent,
        solver: Some(facts.solver),
        stop_time: experiment.stop_time,
        tolerance: experiment.tolerance,
    }
}

/// The stages whose computations can fail.
fn fallible(code: &Code, functions: &BTreeMap<Function, Vec<Chunk>>) -> Fallible {
    let nodes = |function: Function| {
        let chunks = functions.get(&function).into_iter().flatten();
        chunks.flat_map(|chunk| chunk.nodes.iter().copied())
    };
    // At accepted points, what deferred blocks need is computed before anything is read.
    let deferred: BTreeSet<Id> = nodes(Function::Unknowns).collect();
    let can_fail = |id: Id| code.node(id).can_fail() && !deferred.contains(&id);
    let last = |function: fn(Stage) -> Function| {
        Stage::ALL.into_iter().rfind(|&stage| nodes(function(stage)).any(can_fail))
    };
    Fallible { advance: last(Function::Advance), report: last(Function::Report) }
}

fn variable(entry: &PublishedVariable) -> Variable {
    Variable {
        name: text_of(&entry.name),
        causality: entry.causality,
        variability: entry.variability,
        initial: entry.initial,
        source: entry.source,
        start: entry.start,
        unit: text_of(&entry.unit),
        description: "",
        min: entry.min,
        max: entry.max,
    }
}

pub(crate) fn text_of(text: &str) -> &'static str {
    String::leak(text.to_owned())
}

pub(crate) fn list<T>(items: impl IntoIterator<Item = T>) -> &'static [T] {
    Vec::leak(items.into_iter().collect())
}
