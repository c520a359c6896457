//! The tape of a program: instructions for statements (`function`), an order in which they run fast
//! (`schedule`), and registers that values share (`registers`).

mod function;
mod registers;
mod schedule;

use std::collections::BTreeMap;

use expressions::code::Code;
use expressions::graph::{Id, Node};
use program::{Body, Function, Info, Instruction, Register, Span, Tape};
use rustc_hash::FxHashMap as HashMap;

use crate::analysis::facts::BlockFacts;
use crate::layout::Chunk;
use function::FunctionAssembler;

/// The tape of a program; equal programs give equal tapes.
pub(crate) fn tape(
    code: &Code,
    chunks: &BTreeMap<Function, Vec<Chunk>>,
    slots: &BTreeMap<Id, u32>,
    blocks: &[BlockFacts],
    info: &Info,
) -> Tape {
    let mut assembler = Assembler {
        code,
        chunks,
        slots,
        blocks,
        info,
        tape: Tape::default(),
        constants: HashMap::default(),
        bodies: HashMap::default(),
        unused: 0,
    };
    assembler.constants();
    assembler.bodies();
    assembler.functions();
    assembler.tape
}

struct Assembler<'a> {
    code: &'a Code,
    /// The statements of each function.
    chunks: &'a BTreeMap<Function, Vec<Chunk>>,
    /// The elements of `w` in which values are stored.
    slots: &'a BTreeMap<Id, u32>,
    blocks: &'a [BlockFacts],
    info: &'a Info,
    tape: Tape,
    /// Registers of numbers, by their bits.
    constants: HashMap<u64, Register>,
    /// For each block, the number of its body and the values from outside that the body reads.
    bodies: HashMap<Id, (u32, Vec<Id>)>,
    /// The first register that neither constants nor bodies use.
    unused: Register,
}

impl Assembler<'_> {
    fn constants(&mut self) {
        for id in 0..self.code.node_count() as Id {
            let value = match self.code.node(id) {
                Node::Constant(bits) => f64::from_bits(*bits),
                Node::Truth(value) => f64::from(u8::from(*value)),
                _ => continue,
            };
            let constants = &mut self.tape.constants;
            self.constants.entry(value.to_bits()).or_insert_with(|| {
                constants.push(value);
                constants.len() as Register - 1
            });
        }
        self.unused = self.tape.constants.len() as Register;
    }

    /// Assembles the bodies of all blocks, each with registers of its own.
    fn bodies(&mut self) {
        let blocks: Vec<Id> = self.code.blocks().map(|(id, ..)| id).collect();
        for id in blocks {
            let Node::Newton(block) = self.code.node(id) else { unreachable!("a block") };
            let body = self.code.body_of(id);
            let captures = body.captures.clone();
            let is_statement =
                |&id: &Id| !matches!(self.code.node(id), Node::Leaf(_) | Node::Output(..));
            let statements: Vec<Id> = body.order.iter().copied().filter(is_statement).collect();
            let ends: Vec<Id> =
                block.step.iter().copied().chain([block.determinant, block.residual]).collect();
            let captured = Span { first: self.unused, len: captures.len() as u32 };
            let first = captured.first + captured.len;
            let unknowns = Span { first, len: block.unknowns.len() as u32 };
            let own = unknowns.first + unknowns.len;
            let mut assembly = FunctionAssembler::new(self, &statements, &ends, own, true);
            for (k, &capture) in captures.iter().enumerate() {
                assembly.hold(capture, captured.first + k as Register);
            }
            for (k, &unknown) in block.unknowns.iter().enumerate() {
                assembly.hold(unknown, unknowns.first + k as Register);
            }
            statements.iter().for_each(|&statement| assembly.statement(statement));
            let mut ends: Vec<Register> = ends.iter().map(|&end| assembly.register(end)).collect();
            let steps = assembly.steps;
            let order = schedule::order(&mut self.tape, &steps);
            let (code, used) = registers::share(&mut self.tape, &steps, &order, own, &mut ends);
            let residual = ends.pop().expect("the residual comes last");
            let determinant = ends.pop().expect("the determinant comes before it");
            let step = self.list(ends);
            let code = self.append(code);
            let number = self.tape.bodies.len() as u32;
            self.tape.bodies.push(Body {
                code,
                captures: captured,
                unknowns,
                step,
                determinant,
                residual,
                rounding: block.kind.rounding(),
            });
            self.bodies.insert(id, (number, captures));
            self.unused = used;
        }
    }

    fn functions(&mut self) {
        self.tape.registers = self.unused;
        for (&function, chunks) in self.chunks {
            let statements: Vec<Id> =
                chunks.iter().flat_map(|chunk| chunk.nodes.iter().copied()).collect();
            let stored: Vec<Id> = chunks
                .iter()
                .flat_map(|chunk| chunk.stores.values().flatten())
                .map(|(_, id)| *id)
                .collect();
            let mut assembly =
                FunctionAssembler::new(self, &statements, &stored, self.unused, false);
            for chunk in chunks {
                for position in 0..=chunk.nodes.len() {
                    if let Some(&statement) = chunk.nodes.get(position) {
                        assembly.statement(statement);
                    }
                    for (target, id) in chunk.stores.get(&position).into_iter().flatten() {
                        assembly.store(*target, *id);
                    }
                }
            }
            let steps = assembly.steps;
            let order = schedule::order(&mut self.tape, &steps);
            let (code, used) =
                registers::share(&mut self.tape, &steps, &order, self.unused, &mut []);
            self.tape.registers = self.tape.registers.max(used);
            self.tape.functions[function.index()] = self.append(code);
        }
    }

    fn append(&mut self, code: Vec<Instruction>) -> Span {
        let span = Span { first: self.tape.code.len() as u32, len: code.len() as u32 };
        self.tape.code.extend(code);
        span
    }

    fn list(&mut self, registers: Vec<Register>) -> Span {
        let span = Span { first: self.tape.lists.len() as u32, len: registers.len() as u32 };
        self.tape.lists.extend(registers);
        span
    }

    fn numbers(&mut self, ids: &[Id]) -> Span {
        let span = Span { first: self.tape.numbers.len() as u32, len: ids.len() as u32 };
        for &id in ids {
            let Node::Constant(bits) = self.code.node(id) else { unreachable!("a number") };
            self.tape.numbers.push(f64::from_bits(*bits));
        }
        span
    }
}
