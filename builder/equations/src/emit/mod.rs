//! Rust text of a program: an implementation of the run time's trait `System`.
//!
//! The text is straight-line code and loops over equal parts, in functions of a few hundred
//! statements, which rustc compiles quickly.

pub mod argument;
pub mod controllers;
pub mod declarations;
pub mod rolling;
pub mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use expressions::graph::{Id, NewtonBlock, Node};
use program::{Function, Stage, Subject};

use crate::compile::Program;
use crate::emit::argument::Argument;
use crate::emit::rolling::{Carried, Line, Loop, Rolling};
use crate::emit::statement::{Operand, Scope, TURN, function_name};
use crate::layout::{Chunk, LONGEST_FUNCTION, Target};

/// The code of a program: a module with `pub struct Model`, which implements `System`.
///
/// Equal programs give equal bytes.
pub fn emit(program: &Program) -> String {
    let mut out = String::from(HEAD);
    let mut emitter = Emitter { program, calls: BTreeMap::new(), uses_linear: false };
    let mut functions = String::new();
    for (&function, chunks) in &program.functions {
        for (index, chunk) in chunks.iter().enumerate() {
            functions.push_str(&emitter.chunk(function, (index, chunks.len()), chunk));
        }
    }
    let computed: BTreeSet<Id> = program
        .functions
        .values()
        .flatten()
        .flat_map(|chunk| chunk.nodes.iter().copied())
        .collect();
    for (id, block, _) in program.code.blocks() {
        if computed.contains(&id) {
            let known = program.facts.blocks.iter();
            let number = known.clone().position(|facts| facts.describes(block));
            let number = number.expect("every block is listed");
            let _ = write!(functions, "\nconst BLOCK_OF_{id}: u32 = {number};\n");
            functions.push_str(&emitter.body(id));
        }
    }
    if emitter.uses_linear {
        out.push_str(LINEAR);
    }
    out.push_str(&declarations::text(program.info));
    out.push_str(&emitter.implementation());
    out.push_str(&functions);
    out.push_str("}\n");
    out.push_str(&controllers::text(&program.controllers));
    out
}

const HEAD: &str = "\
pub use emitted::Model;

/// The equations of the model as statements and loops.
#[allow(clippy::all, unused, non_snake_case, reason = \"generated code\")]
mod emitted {
use fmu_runtime::kernels::history::History;
use fmu_runtime::kernels::rows::{Rows, TableShape};
use fmu_runtime::kernels::{Scalar, impact, linear, newton, table};
use fmu_runtime::system::{
    AffineResidual, Assertion, Block, BlockKind, Causality, Controller, Data, Delay, Discrete, Env,
    Fallible, Info, Initial, Relation, RelationKind, Requirement, Sizes, Solved, SolverCount, SolverParameters, Source,
    Stage, State, Subject, System, Table, Update, Variability, Variable,
};

/// The equations.
#[derive(Clone, Copy, Debug)]
pub struct Model;

#[inline(always)]
fn fixed<T, const N: usize>(slice: &[T]) -> &[T; N] {
    slice.first_chunk().expect(\"vectors are as long as INFO says\")
}

#[inline(always)]
fn fixed_mut<T, const N: usize>(slice: &mut [T]) -> &mut [T; N] {
    slice.first_chunk_mut().expect(\"vectors are as long as INFO says\")
}
";

const LINEAR: &str = "
fn linear_factor<S: Scalar, const NN: usize, const N: usize>(
    mut a: [S; NN],
) -> ([S; NN], [S; N], S) {
    let mut pivots = [S::from(0.0); N];
    let determinant = linear::lu_factor_sized(&mut a, &mut pivots);
    (a, pivots, determinant)
}

fn linear_solve<S: Scalar, const N: usize>(lu: &[S], pivots: &[S], mut b: [S; N]) -> [S; N] {
    linear::lu_solve_sized(lu, pivots, &mut b);
    b
}

fn linear_null_space<S: Scalar, const M: usize, const N: usize, const A: usize, const B: usize>(
    mut a: [S; A],
) -> [S; B] {
    let mut basis = [S::from(0.0); B];
    linear::null_space(M, N, &mut a, &mut basis);
    basis
}

fn store_factor<S: Scalar, const NN: usize, const N: usize>(
    factor: &([S; NN], [S; N], S),
    w: &mut [S],
) {
    w[..NN].copy_from_slice(&factor.0);
    w[NN..NN + N].copy_from_slice(&factor.1);
    w[NN + N] = factor.2;
}
";

/// The attribute of a chunk of a function; inlining chunks would take the compiler a long time.
const APART: &str = "#[inline(never)]\n";

struct Emitter<'a> {
    program: &'a Program,
    /// The statement that calls each chunk.
    calls: BTreeMap<Function, Vec<String>>,
    uses_linear: bool,
}

impl Emitter<'_> {
    /// The text of a chunk, given its index and the number of chunks; records its call.
    ///
    /// If there are several chunks, each has a module of its own, because the compiler distributes
    /// modules over threads.
    fn chunk(
        &mut self,
        function: Function,
        (index, count): (usize, usize),
        chunk: &Chunk,
    ) -> String {
        let code = &self.program.code;
        let mut scope = Scope::new(code, Argument::Work, &self.program.slots, &chunk.nodes);
        let (lines, fallible) = text_of(&mut scope, chunk);
        self.note(&chunk.nodes);
        let used = scope.used;
        let name = format!("{}_{index}", function_name(function));
        let Program { facts, work, .. } = self.program;
        let written = used.iter().map(|argument| argument.written(function, facts, *work));
        let (parameters, arguments): (Vec<String>, Vec<String>) = written.unzip();
        let scalar = if function_is_plain(function) { "f64" } else { "S" };
        let question = if fallible { "?" } else { "" };
        let path = if count > 1 { format!("{name}::chunk") } else { name.clone() };
        let call = format!("{path}::<{scalar}>({}){question};", arguments.join(", "));
        self.calls.entry(function).or_default().push(call);
        let (result, end) = if fallible { (" -> Solved", "    Ok(())\n") } else { ("", "") };
        let rest = format!("<S: Scalar>({}){result} {{\n{lines}{end}}}\n", parameters.join(", "));
        match count {
            1 => format!("\nfn {name}{rest}"),
            _ => format!("\nmod {name} {{\nuse super::*;\n{APART}pub fn chunk{rest}}}\n"),
        }
    }

    fn note(&mut self, nodes: &[Id]) {
        let linear = |&id: &Id| {
            let node = self.program.code.node(id);
            matches!(node, Node::Lu(..) | Node::LuSolve(..) | Node::NullSpace(..))
        };
        self.uses_linear |= nodes.iter().any(linear);
    }

    /// The functions of a block: `body_N(captures, truths, point) -> (step, determinant,
    /// largest residual)`.
    fn body(&mut self, id: Id) -> String {
        let program = self.program;
        let code = &program.code;
        let Node::Newton(block) = code.node(id) else { unreachable!("a block") };
        let body = code.body_of(id);
        let n = block.unknowns.len();
        let (truths, reals): (Vec<Id>, Vec<Id>) =
            body.captures.iter().partition(|&&capture| code.node(capture).is_truth());
        let outside = outside(block, &reals, &truths);
        let is_statement = |&id: &Id| !matches!(code.node(id), Node::Leaf(_) | Node::Output(..));
        let statements: Vec<Id> = body.order.iter().copied().filter(is_statement).collect();
        self.note(&statements);
        let measures = [block.determinant, block.residual];
        let results: Vec<Id> = block.step.iter().copied().chain(measures).collect();
        let crossing = crossing(program, &statements, &results, &outside);
        let (tables, pass) =
            if code.body_reads_tables(id) { (", tables: &[Rows]", ", tables") } else { ("", "") };
        let signature = format!(
            "<S: Scalar>(k: &[S; {}], b: &[bool; {}], y: [S; {n}]{tables}",
            reals.len(),
            truths.len()
        );
        let width = crossing.1;
        let chunks: Vec<&[Id]> = statements.chunks(LONGEST_FUNCTION).collect();
        let mut out = String::new();
        let mut calls = String::new();
        let mut last = String::new();
        for (index, nodes) in chunks.iter().enumerate() {
            let mut scope = Scope::new(code, Argument::Crossing, &crossing.0, nodes);
            scope.outside.clone_from(&outside);
            let is_last = index + 1 == chunks.len();
            let chunk = stores_of(program, nodes, &crossing.0, is_last);
            let (lines, _) = text_of(&mut scope, &chunk);
            if is_last {
                last = lines;
            } else {
                let _ = write!(
                    out,
                    "\n{APART}fn body_{id}_{index}{signature}, l: &mut [S; {width}]) {{\n{lines}}}\n"
                );
                let _ = writeln!(calls, "    body_{id}_{index}(k, b, y{pass}, &mut l);");
            }
        }
        let of_last = chunks.last().copied().unwrap_or_default();
        let mut scope = Scope::new(code, Argument::Crossing, &crossing.0, of_last);
        scope.outside = outside;
        let mut results: Vec<String> =
            results.iter().map(|&result| scope.operand(result).scalar()).collect();
        let residual = results.pop().expect("the residual comes last");
        let determinant = results.pop().expect("the determinant comes before it");
        let local = if chunks.len() > 1 {
            format!("    let mut l = [S::from(0.0); {width}];\n")
        } else {
            String::new()
        };
        let _ = write!(
            out,
            "\n#[inline]\nfn body_{id}{signature}) -> ([S; {n}], S, S) {{\n{local}{calls}{last}    \
             ([{}], {determinant}, {residual})\n}}\n",
            results.join(", ")
        );
        out
    }

    /// The implementation of `System`, whose methods call the chunks.
    fn implementation(&self) -> String {
        let Program { info, facts, .. } = self.program;
        let mut out = String::from("\nimpl System for Model {\n    const INFO: Info = INFO;\n");
        if self.program.modes_at_start() {
            out.push_str("    const MODES_AT_START: bool = true;\n");
        }
        let plain = "e: &mut Env<'_, f64>";
        if !facts.first_modes.is_empty() {
            let parameters = format!("({plain}, truths: &mut [bool])");
            self.method(&mut out, "first_modes", &parameters, Function::FirstModes);
        }
        if !facts.assertions.is_empty() {
            let parameters = format!("({plain}, truths: &mut [bool])");
            self.method(&mut out, "assertions", &parameters, Function::Assertions);
        }
        if !facts.requirements.is_empty() {
            let parameters = format!("(subject: Subject, {plain}, truths: &mut [bool])");
            let arms = Subject::ALL
                .map(|subject| (format!("Subject::{subject:?}"), Function::Requirements(subject)));
            self.method_of_cases(&mut out, "requirements", &parameters, "subject", &arms);
        }
        self.method(&mut out, "initial", "<S: Scalar>(e: &mut Env<'_, S>)", Function::Initial);
        let parameters = "<S: Scalar>(stage: Stage, e: &mut Env<'_, S>)";
        let by_stage = |function: fn(Stage) -> Function| {
            Stage::ALL.map(|stage| (format!("Stage::{stage:?}"), function(stage)))
        };
        let [advance, report] = [by_stage(Function::Advance), by_stage(Function::Report)];
        self.method_of_cases(&mut out, "advance", parameters, "stage", &advance);
        self.method_of_cases(&mut out, "report", parameters, "stage", &report);
        let residuals = format!("({plain}, d: &mut [f64])");
        self.method(&mut out, "relations", &residuals, Function::Relations);
        if info.indicators_apart {
            self.method(&mut out, "indicators", &residuals, Function::Indicators);
        }
        if info.deferred.is_some() {
            self.method(&mut out, "unknowns", &format!("({plain})"), Function::Unknowns);
        }
        let parameters = format!("({plain}, next: &mut Update<'_>)");
        self.method(&mut out, "event", &parameters, Function::Event);
        out.push_str("}\n");
        out
    }

    /// A method that calls the chunks of a function.
    fn method(&self, out: &mut String, name: &str, parameters: &str, function: Function) {
        write_method(out, name, parameters, &self.calls_of(function, "        "));
    }

    /// A method that calls those of the function in the case that a parameter states.
    fn method_of_cases(
        &self,
        out: &mut String,
        name: &str,
        parameters: &str,
        by: &str,
        cases: &[(String, Function)],
    ) {
        let mut body = format!("        match {by} {{\n");
        for (case, function) in cases {
            let calls = self.calls_of(*function, "                ");
            let _ = write!(body, "            {case} => {{\n{calls}            }}\n");
        }
        body.push_str("        }\n");
        write_method(out, name, parameters, &body);
    }

    fn calls_of(&self, function: Function, indent: &str) -> String {
        let list = self.calls.get(&function).into_iter().flatten();
        list.map(|call| format!("{indent}{call}\n")).collect()
    }
}

/// Writes a method of `System`.
fn write_method(out: &mut String, name: &str, parameters: &str, body: &str) {
    let _ = write!(out, "\n    fn {name}{parameters} -> Solved {{\n{body}        Ok(())\n    }}\n");
}

/// Whether a function exists for plain numbers only.
fn function_is_plain(function: Function) -> bool {
    match function {
        Function::Relations
        | Function::Indicators
        | Function::Unknowns
        | Function::Event
        | Function::Requirements(_)
        | Function::FirstModes
        | Function::Assertions => true,
        Function::Initial | Function::Advance(_) | Function::Report(_) => false,
    }
}

/// The text of a chunk, and whether one of its statements can fail.
fn text_of(scope: &mut Scope<'_>, chunk: &Chunk) -> (String, bool) {
    let lines = Line::of_chunk(chunk);
    // The results of the body of a block are read behind its lines.
    let loops = match scope.array {
        Argument::Crossing => Vec::new(),
        _ => Rolling::new(scope, &lines).loops(),
    };
    let mut out = String::new();
    let mut next = 0;
    for of_loop in &loops {
        let all = of_loop.lines();
        write_lines(scope, &lines[next..all.start], "    ", &mut out);
        write_loop(scope, of_loop, &lines[all.clone()], &mut out);
        next = all.end;
    }
    write_lines(scope, &lines[next..], "    ", &mut out);
    let fallible = chunk.nodes.iter().any(|&node| scope.code.node(node).can_fail());
    (out, fallible)
}

fn write_lines(scope: &mut Scope<'_>, lines: &[Line], indent: &str, out: &mut String) {
    for line in lines {
        let text = match *line {
            Line::Statement(node) => scope.statement(node),
            Line::Store(target, id) => scope.store(target, id),
        };
        let _ = writeln!(out, "{indent}{text}");
    }
}

/// A loop, then its last turn.
fn write_loop(scope: &mut Scope<'_>, of_loop: &Loop, lines: &[Line], out: &mut String) {
    let Loop { length, turns, strides, carried, .. } = of_loop;
    let (body, last) = lines.split_at(length * (turns - 1));
    let name = |carried: &Carried| format!("of_{}", carried.next);
    for value in carried {
        let _ = writeln!(out, "    let mut {} = {};", name(value), scope.value(value.first));
    }
    let _ = writeln!(out, "    for {TURN} in 0..{} {{", turns - 1);
    scope.strides.clone_from(strides);
    scope.renamed = carried.iter().map(|value| (value.first, name(value))).collect();
    write_lines(scope, &body[..*length], "        ", out);
    for value in carried {
        let _ = writeln!(out, "        {} = {};", name(value), scope.value(value.next));
    }
    out.push_str("    }\n");
    scope.strides.clear();
    scope.renamed = carried.iter().map(|value| (value.last, name(value))).collect();
    write_lines(scope, last, "    ", out);
    scope.renamed.clear();
    // Behind the loop, values of the other turns are read where they are stored.
    for line in body {
        if let Line::Statement(id) = line {
            scope.local.remove(id);
        }
    }
}

/// Elements of a local array for the values that several chunks of a body use.
fn crossing(
    program: &Program,
    statements: &[Id],
    results: &[Id],
    outside: &BTreeMap<Id, (Argument, Operand)>,
) -> (BTreeMap<Id, u32>, u32) {
    let code = &program.code;
    let mut chunk_of = BTreeMap::new();
    for (position, &id) in statements.iter().enumerate() {
        chunk_of.insert(id, position / LONGEST_FUNCTION);
    }
    let mut slots = BTreeMap::new();
    let mut width = 0;
    let mut read = |id: Id, chunk: usize| {
        if outside.contains_key(&id) || code.node(id).is_given() {
            return;
        }
        if chunk_of[&code.statement_of(id)] != chunk {
            slots.entry(id).or_insert_with(|| {
                let first = width;
                width += code.width(id);
                first
            });
        }
    };
    for &id in statements {
        code.for_each_operand(id, &mut |operand| read(operand, chunk_of[&id]));
    }
    let last = statements.len().saturating_sub(1) / LONGEST_FUNCTION;
    results.iter().for_each(|&id| read(id, last));
    (slots, width)
}

/// A chunk of a body with the stores of values that later chunks read.
fn stores_of(program: &Program, nodes: &[Id], slots: &BTreeMap<Id, u32>, is_last: bool) -> Chunk {
    let mut chunk = Chunk { nodes: nodes.to_vec(), stores: BTreeMap::new() };
    if is_last {
        return chunk;
    }
    for (&id, &slot) in slots {
        let call = program.code.statement_of(id);
        if let Some(position) = nodes.iter().position(|&node| node == call) {
            chunk.stores.entry(position).or_default().push((Target::Work(slot), id));
        }
    }
    chunk
}

/// How the statements of a block read the values that they do not compute: captures and unknowns.
fn outside(block: &NewtonBlock, reals: &[Id], truths: &[Id]) -> BTreeMap<Id, (Argument, Operand)> {
    let element = |argument: Argument, i: usize| format!("{}[{i}]", argument.name());
    let scalar = |argument, i| (argument, Operand::Scalar(element(argument, i)));
    let truth = |argument, i| (argument, Operand::Truth(element(argument, i)));
    let reals = reals.iter().enumerate();
    let truths = truths.iter().enumerate();
    let unknowns = block.unknowns.iter().enumerate();
    reals
        .map(|(i, &id)| (id, scalar(Argument::Captures, i)))
        .chain(truths.map(|(i, &id)| (id, truth(Argument::CapturedTruths, i))))
        .chain(unknowns.map(|(i, &id)| (id, scalar(Argument::Point, i))))
        .collect()
}
