//! Rust text of a program: an implementation of the run time's trait `System`.
//!
//! The text is straight-line code and loops over equal parts, in functions of a few hundred
//! statements, which rustc compiles quickly.

pub mod declarations;
pub mod rolling;
pub mod statement;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use expressions::graph::{Block, Id, Node};
use program::{Function, Stage, Subject};

use crate::compile::Program;
use crate::emit::rolling::{Carried, Line, Loop, Rolling};
use crate::emit::statement::{Argument, Operand, Scope, TURN, function_name};
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
    out
}

const HEAD: &str = "\
pub use emitted::Model;

/// The equations of the model as statements and loops.
#[allow(clippy::all, unused, non_snake_case, reason = \"generated code\")]
mod emitted {
use fmu_runtime::kernels::rows::{Rows, Shape};
use fmu_runtime::kernels::{Scalar, impact, linear, newton, table};
use fmu_runtime::system::{
    AffineResidual, Block, BlockKind, Causality, Data, Discrete, Env, Fallible, Info, Initial,
    Relation, RelationKind, Requirement, Sizes, Solved, SolverCount, SolverParameters, Source,
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
    let determinant = linear::lu_factor(N, &mut a, &mut pivots);
    (a, pivots, determinant)
}

fn linear_solve<S: Scalar, const N: usize>(lu: &[S], pivots: &[S], mut b: [S; N]) -> [S; N] {
    linear::lu_solve(N, lu, pivots, &mut b);
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
        let mut scope = Scope::new(code, (Argument::Work, "w"), &self.program.slots, &chunk.nodes);
        let (lines, fallible) = text_of(&mut scope, chunk);
        self.note(&chunk.nodes);
        let used = scope.used;
        let name = format!("{}_{index}", function_name(function));
        let parameters: Vec<String> =
            used.iter().map(|&argument| self.parameter(argument, function)).collect();
        let arguments: Vec<String> =
            used.iter().map(|&argument| expression(argument, function)).collect();
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

    /// The declaration of an argument.
    fn parameter(&self, argument: Argument, function: Function) -> String {
        let facts = &self.program.facts;
        let states = facts.states.len();
        let mutable = if function == Function::Initial { "mut " } else { "" };
        match argument {
            Argument::Time => "t: S".to_owned(),
            Argument::Initial => "initial: bool".to_owned(),
            Argument::Parameters => format!("p: &[S; {}]", facts.parameters.len()),
            Argument::Calculated => format!("c: &{mutable}[S; {}]", facts.calculated),
            Argument::Discretes => format!("m: &[f64; {}]", facts.discretes.len()),
            Argument::Relations => format!("r: &[bool; {}]", facts.relations.len()),
            Argument::States => format!("x: &{mutable}[S; {states}]"),
            Argument::Inputs => format!("u: &[S; {}]", facts.inputs.len()),
            Argument::Tables => "tables: &[Rows]".to_owned(),
            Argument::Anchor => format!("anchor: &[f64; {}]", facts.unknowns),
            Argument::Unknowns => format!("z: &mut [f64; {}]", facts.unknowns),
            Argument::Iterations => "iterations: &mut u64".to_owned(),
            Argument::Work => format!("w: &mut [S; {}]", self.program.work),
            Argument::Derivatives => format!("dx: &mut [S; {states}]"),
            Argument::Residuals => format!("d: &mut [f64; {}]", facts.relations.len()),
            Argument::NextDiscretes => format!("next_m: &mut [f64; {}]", facts.discretes.len()),
            Argument::NextStates => format!("next_x: &mut [f64; {states}]"),
            Argument::Terminate => "terminate: &mut bool".to_owned(),
            Argument::Truths if function == Function::FirstModes => {
                format!("truths: &mut [bool; {}]", facts.first_modes.len())
            }
            Argument::Truths => format!("truths: &mut [bool; {}]", facts.requirements.len()),
            Argument::Captures
            | Argument::CapturedTruths
            | Argument::Point
            | Argument::Crossing => {
                unreachable!("arguments of bodies")
            }
        }
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
            let mut scope = Scope::new(code, (Argument::Crossing, "l"), &crossing.0, nodes);
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
        let mut scope = Scope::new(code, (Argument::Crossing, "l"), &crossing.0, of_last);
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

    /// The function that determines which requirements are met.
    fn requirements(&self, calls: &dyn Fn(Function, &str) -> String) -> String {
        let mut arms = String::new();
        for subject in Subject::ALL {
            let body = calls(Function::Requirements(subject), "                ");
            let _ = write!(arms, "            Subject::{subject:?} => {{\n{body}            }}\n");
        }
        format!(
            "\n    fn requirements(subject: Subject, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved \
             {{\n        match subject {{\n{arms}        }}\n        Ok(())\n    }}\n"
        )
    }

    /// The implementation of `System`, which calls the chunks.
    fn implementation(&self) -> String {
        let calls = |function: Function, indent: &str| -> String {
            let list = self.calls.get(&function).into_iter().flatten();
            list.map(|call| format!("{indent}{call}\n")).collect()
        };
        let stages = |function: fn(Stage) -> Function| -> String {
            let mut out = String::new();
            for stage in Stage::ALL {
                let body = calls(function(stage), "                ");
                let _ = write!(out, "            Stage::{stage:?} => {{\n{body}            }}\n");
            }
            out
        };
        let mut out = String::from("\nimpl System for Model {\n    const INFO: Info = INFO;\n");
        if self.program.modes_at_start() {
            out.push_str("    const MODES_AT_START: bool = true;\n");
        }
        if !self.program.facts.first_modes.is_empty() {
            let _ = write!(
                out,
                "\n    fn first_modes(e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {{\n{}        \
                 Ok(())\n    }}\n",
                calls(Function::FirstModes, "        ")
            );
        }
        if !self.program.facts.requirements.is_empty() {
            out.push_str(&self.requirements(&calls));
        }
        let _ = write!(
            out,
            "\n    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {{\n{}        \
             Ok(())\n    }}\n",
            calls(Function::Initial, "        ")
        );
        for (name, body) in
            [("advance", stages(Function::Advance)), ("report", stages(Function::Report))]
        {
            let _ = write!(
                out,
                "\n    fn {name}<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {{\n\
                 \x20       match stage {{\n{body}        }}\n        Ok(())\n    }}\n"
            );
        }
        let _ = write!(
            out,
            "\n    fn relations(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {{\n{}        \
             Ok(())\n    }}\n",
            calls(Function::Relations, "        ")
        );
        if self.program.info.indicators_apart {
            let _ = write!(
                out,
                "\n    fn indicators(e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {{\n{}        \
                 Ok(())\n    }}\n",
                calls(Function::Indicators, "        ")
            );
        }
        if self.program.info.deferred.is_some() {
            let _ = write!(
                out,
                "\n    fn unknowns(e: &mut Env<'_, f64>) -> Solved {{\n{}        \
                 Ok(())\n    }}\n",
                calls(Function::Unknowns, "        ")
            );
        }
        let _ = write!(
            out,
            "\n    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {{\n{}        \
             Ok(())\n    }}\n}}\n",
            calls(Function::Event, "        ")
        );
        out
    }
}

/// Whether a function exists for plain numbers only.
fn function_is_plain(function: Function) -> bool {
    match function {
        Function::Relations
        | Function::Indicators
        | Function::Unknowns
        | Function::Event
        | Function::Requirements(_)
        | Function::FirstModes => true,
        Function::Initial | Function::Advance(_) | Function::Report(_) => false,
    }
}

/// The expression that is passed for an argument.
fn expression(argument: Argument, function: Function) -> String {
    let initial = function == Function::Initial;
    match argument {
        Argument::Time => "e.t",
        Argument::Initial => "e.initial",
        Argument::Parameters => "fixed(e.p)",
        Argument::Calculated if initial => "fixed_mut(e.c)",
        Argument::Calculated => "fixed(e.c)",
        Argument::Discretes => "fixed(e.m)",
        Argument::Relations => "fixed(e.r)",
        Argument::States if initial => "fixed_mut(e.x)",
        Argument::States => "fixed(e.x)",
        Argument::Inputs => "fixed(e.u)",
        Argument::Tables => "e.tables",
        Argument::Anchor => "fixed(e.anchor)",
        Argument::Unknowns => "fixed_mut(e.z)",
        Argument::Iterations => "e.iterations",
        Argument::Work => "fixed_mut(e.w)",
        Argument::Derivatives => "fixed_mut(e.dx)",
        Argument::Residuals => "fixed_mut(d)",
        Argument::NextDiscretes => "fixed_mut(next.m)",
        Argument::NextStates => "fixed_mut(next.x)",
        Argument::Terminate => "&mut next.terminate",
        Argument::Truths => "fixed_mut(truths)",
        Argument::Captures | Argument::CapturedTruths | Argument::Point | Argument::Crossing => {
            unreachable!("arguments of bodies")
        }
    }
    .to_owned()
}

/// The text of a chunk, and whether one of its statements can fail.
fn text_of(scope: &mut Scope<'_>, chunk: &Chunk) -> (String, bool) {
    let lines = Line::of_chunk(chunk);
    // The results of the body of a block are read behind its lines.
    let loops = match scope.array.0 {
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
fn outside(block: &Block, reals: &[Id], truths: &[Id]) -> BTreeMap<Id, (Argument, Operand)> {
    let scalar = |argument, name: String| (argument, Operand::Scalar(name));
    let truth = |name: String| (Argument::CapturedTruths, Operand::Truth(name));
    let reals = reals.iter().enumerate();
    let truths = truths.iter().enumerate();
    let unknowns = block.unknowns.iter().enumerate();
    reals
        .map(|(i, &id)| (id, scalar(Argument::Captures, format!("k[{i}]"))))
        .chain(truths.map(|(i, &id)| (id, truth(format!("b[{i}]")))))
        .chain(unknowns.map(|(i, &id)| (id, scalar(Argument::Point, format!("y[{i}]")))))
        .collect()
}
