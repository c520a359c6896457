//! Rust text of the constant that tells the run time about a program.

use std::fmt::Write;

use kernels::rows::Shape;

use crate::program::{Function, Program, Stage};
use crate::publish::{Entry, InitialAttribute, Source, Variability};
use crate::statement::literal;
use crate::variable::Role;

/// `const INFO: Info = ..;`
pub(crate) fn text(program: &Program, guid: &str) -> String {
    let facts = &program.facts;
    let experiment = &program.description.experiment;
    let mut out = String::new();
    let list = |items: Vec<String>| format!("&[{}]", items.join(", "));
    let numbers = |values: &[f64]| list(values.iter().map(|&value| literal(value)).collect());
    let _ = write!(
        out,
        "\nconst INFO: Info = Info {{\n    name: {:?},\n    guid: {guid:?},\n    sizes: Sizes {{ \
         calculated: {}, unknowns: {}, work: {} }},\n",
        program.description.name, facts.calculated, facts.unknowns, program.work
    );
    let published = &program.published;
    for (name, entries) in [
        ("reals", &published.reals),
        ("integers", &published.integers),
        ("booleans", &published.booleans),
    ] {
        let _ = writeln!(out, "    {name}: &[");
        for entry in entries {
            let _ = writeln!(out, "        {},", variable(entry));
        }
        let _ = writeln!(out, "    ],");
    }
    let _ = writeln!(out, "    parameters: {},", numbers(&facts.parameters));
    let _ = writeln!(out, "    inputs: {},", numbers(&facts.inputs));
    let states = facts.states.iter().map(|(name, nominal, position)| {
        format!("State {{ name: {name:?}, nominal: {nominal:?}, position: {position} }}")
    });
    let _ = writeln!(out, "    states: {},", list(states.collect()));
    let discretes = facts.discretes.iter().map(|(name, start, labels)| {
        let start = literal(*start);
        format!("Discrete {{ name: {name:?}, start: {start}, labels: &{labels:?} }}")
    });
    let _ = writeln!(out, "    discretes: {},", list(discretes.collect()));
    let relations = facts
        .relations
        .iter()
        .map(|(name, kind)| format!("Relation {{ name: {name:?}, kind: RelationKind::{kind:?} }}"));
    let _ = writeln!(out, "    relations: {},", list(relations.collect()));
    let _ = writeln!(out, "    relation_stage: Stage::{:?},", facts.relation_stage);
    let first: Vec<String> = facts.first_modes.iter().map(u32::to_string).collect();
    let _ = writeln!(out, "    first_modes: &[{}],", first.join(", "));
    let blocks = facts.blocks.iter().map(|block| {
        format!(
            "Block {{ name: {:?}, kind: BlockKind::{:?}, offset: {}, size: {} }}",
            block.name, block.kind, block.offset, block.size
        )
    });
    let _ = writeln!(out, "    blocks: {},", list(blocks.collect()));
    let requirements = facts.requirements.iter().map(|requirement| {
        let of = requirement.of.iter();
        let of = of.map(|(name, unit, place)| format!("({name:?}, {unit:?}, {})", source(*place)));
        let (subject, sentence) = (requirement.subject, &requirement.sentence);
        format!(
            "Requirement {{ subject: Subject::{subject:?}, of: {}, sentence: {sentence:?} }}",
            list(of.collect())
        )
    });
    let _ = writeln!(out, "    requirements: {},", list(requirements.collect()));
    let fallible = |function: fn(Stage) -> Function| {
        let last = Stage::ALL.into_iter().rfind(|&stage| program.can_fail(function(stage)));
        last.map_or("None".to_owned(), |stage| format!("Some(Stage::{stage:?})"))
    };
    let (advance, report) = (fallible(Function::Advance), fallible(Function::Report));
    let _ = writeln!(out, "    fallible: Fallible {{ advance: {advance}, report: {report} }},");
    let tables = program.code.tables().iter().map(|table| {
        let table = table.contents();
        let data = match &table.file {
            Some(file) => format!("Data::File({file:?})"),
            None => format!("Data::Rows({})", numbers(table.rows.numbers())),
        };
        let Shape { columns, jumps, periodic } = table.shape;
        format!(
            "Table {{ name: {:?}, shape: Shape {{ columns: {columns}, jumps: {jumps}, periodic: \
             {periodic} }}, data: {data} }}",
            table.name
        )
    });
    let _ = writeln!(out, "    tables: {},", list(tables.collect()));
    let rows = facts.jacobian.iter().map(|rows| format!("&{rows:?}"));
    let _ = writeln!(out, "    jacobian: {},", list(rows.collect()));
    let [method, tolerance, max_step] = facts.solver;
    let _ = write!(
        out,
        "    solver: Some(SolverParameters {{ method: {method}, tolerance: {tolerance}, max_step: \
         {max_step} }}),\n    stop_time: {},\n    tolerance: {},\n}};\n",
        literal(experiment.stop_time),
        literal(experiment.tolerance)
    );
    out
}

fn variable(entry: &Entry) -> String {
    let causality = match entry.role {
        Role::Parameter => "Parameter",
        Role::CalculatedParameter => "CalculatedParameter",
        Role::Input => "Input",
        Role::Output => "Output",
        Role::Local => "Local",
    };
    let variability = match entry.variability {
        Variability::Constant => "Constant",
        Variability::Fixed => "Fixed",
        Variability::Tunable => "Tunable",
        Variability::Discrete => "Discrete",
        Variability::Continuous => "Continuous",
    };
    let initial = match entry.initial {
        None => "None",
        Some(InitialAttribute::Exact) => "Some(Initial::Exact)",
        Some(InitialAttribute::Approx) => "Some(Initial::Approx)",
        Some(InitialAttribute::Calculated) => "Some(Initial::Calculated)",
    };
    format!(
        "Variable {{ name: {:?}, causality: Causality::{causality}, variability: \
         Variability::{variability}, initial: {initial}, source: {}, start: {:?}, unit: {:?}, \
         min: {}, max: {} }}",
        entry.name,
        source(entry.source),
        entry.start,
        entry.unit,
        literal(entry.min),
        literal(entry.max)
    )
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
    }
}
