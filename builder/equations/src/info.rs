//! The declarations of a program for the run time: the value, and its Rust text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use expressions::code::Code;
use expressions::graph::Id;
use program::{
    AffineResidual, Block, Data, Discrete, Fallible, Function, Info, Relation, Requirement, Sizes,
    Source, Stage, State, Table, Variable,
};

use crate::description::Description;
use crate::facts::Facts;
use crate::layout::{Chunk, Layout};
use crate::publish::{PublishedVariable, PublishedVariables};
use crate::statement::literal;

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

/// `const INFO: Info = ..;`
pub(crate) fn text(info: &Info) -> String {
    let mut out = String::new();
    let Sizes { calculated, unknowns, work, operations } = info.sizes;
    let _ = write!(
        out,
        "\nconst INFO: Info = Info {{\n    name: {:?},\n    guid: {:?},\n    sizes: Sizes {{ \
         calculated: {calculated}, unknowns: {unknowns}, work: {work}, \
         operations: {operations} }},\n",
        info.name, info.guid
    );
    for (name, entries) in
        [("reals", info.reals), ("integers", info.integers), ("booleans", info.booleans)]
    {
        let _ = writeln!(out, "    {name}: &[");
        for entry in entries {
            let _ = writeln!(out, "        {},", variable_text(entry));
        }
        let _ = writeln!(out, "    ],");
    }
    let stage = |stage: Option<Stage>| match stage {
        Some(stage) => format!("Some(Stage::{stage:?})"),
        None => "None".to_owned(),
    };
    let mut field = |name: &str, text: String| {
        let _ = writeln!(out, "    {name}: {text},");
    };
    field("parameters", numbers(info.parameters));
    field("inputs", numbers(info.inputs));
    field("states", all(info.states, |state| format!("{state:?}")));
    field(
        "discretes",
        all(info.discretes, |Discrete { name, start, labels }| {
            let start = literal(*start);
            format!("Discrete {{ name: {name:?}, start: {start}, labels: &{labels:?} }}")
        }),
    );
    field("relations", all(info.relations, relation_text));
    field("relation_stage", format!("Stage::{:?}", info.relation_stage));
    field("indicators_apart", info.indicators_apart.to_string());
    field("deferred", stage(info.deferred));
    field("first_modes", format!("&{:?}", info.first_modes));
    field(
        "blocks",
        all(info.blocks, |Block { name, kind, offset, size }| {
            format!(
                "Block {{ name: {name:?}, kind: BlockKind::{kind:?}, offset: {offset}, size: {size} }}"
            )
        }),
    );
    field(
        "requirements",
        all(info.requirements, |Requirement { subject, of, sentence }| {
            let of =
                all(of, |(name, unit, place)| format!("({name:?}, {unit:?}, {})", source(*place)));
            format!(
                "Requirement {{ subject: Subject::{subject:?}, of: {of}, sentence: {sentence:?} }}"
            )
        }),
    );
    let (advance, report) = (stage(info.fallible.advance), stage(info.fallible.report));
    field("fallible", format!("Fallible {{ advance: {advance}, report: {report} }}"));
    field(
        "tables",
        all(info.tables, |Table { name, shape, data }| {
            let data = match data {
                Data::File(file) => format!("Data::File({file:?})"),
                Data::Rows(rows) => format!("Data::Rows({})", numbers(rows)),
            };
            format!("Table {{ name: {name:?}, shape: {shape:?}, data: {data} }}")
        }),
    );
    field("jacobian", all(info.jacobian, |rows| format!("&{rows:?}")));
    field("lasting_columns", format!("&{:?}", info.lasting_columns));
    field("time_dependent", info.time_dependent.to_string());
    field("solver", format!("{:?}", info.solver));
    field("stop_time", literal(info.stop_time));
    field("tolerance", literal(info.tolerance));
    out.push_str("};\n");
    out
}

fn all<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    let items: Vec<String> = items.iter().map(text).collect();
    format!("&[{}]", items.join(", "))
}

fn numbers(values: &[f64]) -> String {
    all(values, |&value| literal(value))
}

fn variable_text(variable: &Variable) -> String {
    let initial = variable.initial.map_or("None".to_owned(), |i| format!("Some(Initial::{i:?})"));
    format!(
        "Variable {{ name: {:?}, causality: Causality::{:?}, variability: Variability::{:?}, \
         initial: {initial}, source: {}, start: {:?}, unit: {:?}, description: \"\", \
         min: {}, max: {} }}",
        variable.name,
        variable.causality,
        variable.variability,
        source(variable.source),
        variable.start,
        variable.unit,
        literal(variable.min),
        literal(variable.max)
    )
}

fn relation_text(Relation { name, kind, affine }: &Relation) -> String {
    let affine = affine.map_or("None".to_owned(), |AffineResidual { holds, coefficients }| {
        let coefficients = all(coefficients, |&(state, of)| format!("({state}, {})", source(of)));
        let holds = source(holds);
        format!("Some(AffineResidual {{ holds: {holds}, coefficients: {coefficients} }})")
    });
    format!("Relation {{ name: {name:?}, kind: RelationKind::{kind:?}, affine: {affine} }}")
}

fn source(source: Source) -> String {
    match source {
        Source::Constant(value) => format!("Source::Constant({})", literal(value)),
        Source::Time => "Source::Time".to_owned(),
        Source::Parameter(i) => format!("Source::Parameter({i})"),
        Source::Calculated(i) => format!("Source::Calculated({i})"),
        Source::Discrete(i) => format!("Source::Discrete({i})"),
        Source::Relation(i) => format!("Source::Relation({i})"),
        Source::State(i) => format!("Source::State({i})"),
        Source::Input(i) => format!("Source::Input({i})"),
        Source::Derivative(i) => format!("Source::Derivative({i})"),
        Source::Advanced(i, stage) => format!("Source::Advanced({i}, Stage::{stage:?})"),
        Source::Reported(i, stage) => format!("Source::Reported({i}, Stage::{stage:?})"),
        Source::Solver(count) => format!("Source::Solver(SolverCount::{count:?})"),
    }
}
