//! The Rust text of the declarations for the run time.

use std::fmt::Write;

use program::{
    AffineResidual, Assertion, Block, Controller, Data, Delay, Discrete, Info, Relation,
    Requirement, Sizes, Source, Stage, Table, Variable,
};

use crate::emit::statement::literal;

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
    field("requirements", all(info.requirements, requirement_text));
    field("assertions", all(info.assertions, |assertion: &Assertion| format!("{assertion:?}")));
    let (advance, report) = (stage(info.fallible.advance), stage(info.fallible.report));
    field("fallible", format!("Fallible {{ advance: {advance}, report: {report} }}"));
    field("tables", all(info.tables, table_text));
    field("delays", all(info.delays, delay_text));
    field("controllers", controllers(info.controllers));
    field("jacobian", all(info.jacobian, |rows| format!("&{rows:?}")));
    field("lasting_columns", format!("&{:?}", info.lasting_columns));
    field("time_dependent", info.time_dependent.to_string());
    field("solver", format!("{:?}", info.solver));
    field("stop_time", literal(info.stop_time));
    field("tolerance", literal(info.tolerance));
    out.push_str("};\n");
    for delay in 0..info.delays.len() {
        let place = info.history(delay);
        let _ = writeln!(out, "const HISTORY_{delay}: std::ops::Range<usize> = {place:?};");
    }
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

fn requirement_text(Requirement { subject, of, sentence }: &Requirement) -> String {
    let of = all(of, |(name, unit, place)| format!("({name:?}, {unit:?}, {})", source(*place)));
    format!("Requirement {{ subject: Subject::{subject:?}, of: {of}, sentence: {sentence:?} }}")
}

fn table_text(Table { name, shape, data }: &Table) -> String {
    let data = match data {
        Data::File(file) => format!("Data::File({file:?})"),
        Data::Rows(rows) => format!("Data::Rows({})", numbers(rows)),
    };
    format!("Table {{ name: {name:?}, shape: {shape:?}, data: {data} }}")
}

fn delay_text(delay: &Delay) -> String {
    let Delay { name, time, signal, start, capacity, is_chosen, follows_inputs } = delay;
    let [time, signal, start] = [time, signal, start].map(|of| source(*of));
    format!(
        "Delay {{ name: {name:?}, time: {time}, signal: {signal}, start: {start}, \
         capacity: {capacity}, is_chosen: {is_chosen}, follows_inputs: {follows_inputs} }}"
    )
}

/// The step of each controller is that of the module with its code.
fn controllers(controllers: &[Controller]) -> String {
    let texts = controllers.iter().enumerate().map(|(i, controller)| {
        let Controller { name, step: _, tick, number, inputs, first, outputs, length, follows } =
            controller;
        let (tick, number) = (source(*tick), source(*number));
        let inputs = all(inputs, |input| source(*input));
        format!(
            "Controller {{ name: {name:?}, step: super::controller_{i}::STEP, tick: {tick}, \
             number: {number}, inputs: {inputs}, first: {first}, outputs: {outputs}, \
             length: {length}, follows: {follows} }}"
        )
    });
    format!("&[{}]", texts.collect::<Vec<_>>().join(", "))
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
