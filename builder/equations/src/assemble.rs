//! The tape of a program: registers for values, instructions for statements.

use program::{Body, Instruction, Register, Span, Tape};
use rustc_hash::FxHashMap as HashMap;

mod piece;

use crate::code::Code;
use crate::graph::{Id, Node};
use crate::layout::Target;
use crate::ordered::Program;
use piece::Piece;

/// The tape of a program; the same program gives the same tape.
pub(crate) fn tape(program: &Program) -> Tape {
    let mut assembler = Assembler {
        program,
        code: &program.code,
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
    program: &'a Program,
    code: &'a Code,
    tape: Tape,
    /// Registers of numbers, by their bits.
    constants: HashMap<u64, Register>,
    /// Number and captures of the body of each block.
    bodies: HashMap<Id, (u32, Vec<Id>)>,
    /// The first register that neither constants nor bodies use.
    unused: Register,
}

impl Assembler<'_> {
    fn constants(&mut self) {
        for id in 0..self.code.len() as Id {
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

    /// The bodies of all blocks, each with registers of its own.
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
            let stores = vec![(statements.len(), ends.clone())];
            let first = self.unused;
            let captured = Span { first, len: captures.len() as u32 };
            let unknowns = Span { first: first + captured.len, len: block.unknowns.len() as u32 };
            let mut piece = Piece::new(self, &statements, &stores, unknowns.first + unknowns.len);
            piece.in_body = true;
            for (k, &capture) in captures.iter().enumerate() {
                piece.hold(capture, captured.first + k as Register);
            }
            for (k, &unknown) in block.unknowns.iter().enumerate() {
                piece.hold(unknown, unknowns.first + k as Register);
            }
            for (position, &statement) in statements.iter().enumerate() {
                piece.statement(statement, position);
            }
            let mut ends: Vec<Register> = ends.iter().map(|&end| piece.register(end)).collect();
            let (code, used) = (piece.out, piece.highest);
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
            });
            self.bodies.insert(id, (number, captures));
            self.unused = used;
        }
    }

    fn functions(&mut self) {
        self.tape.registers = self.unused;
        let program = self.program;
        for (&function, chunks) in &program.functions {
            let statements: Vec<Id> =
                chunks.iter().flat_map(|chunk| chunk.nodes.iter().copied()).collect();
            let mut stores: Vec<(usize, Vec<(Target, Id)>)> = Vec::new();
            let mut before = 0;
            for chunk in chunks {
                let own = chunk.stores.iter();
                stores.extend(own.map(|(at, list)| (before + at, list.clone())));
                before += chunk.nodes.len();
            }
            let uses: Vec<(usize, Vec<Id>)> = stores
                .iter()
                .map(|(at, list)| (*at, list.iter().map(|(_, id)| *id).collect()))
                .collect();
            let mut piece = Piece::new(self, &statements, &uses, self.unused);
            let mut stores = stores.into_iter().peekable();
            for position in 0..=statements.len() {
                if let Some(&statement) = statements.get(position) {
                    piece.statement(statement, position);
                }
                while let Some((_, list)) = stores.next_if(|(at, _)| *at == position) {
                    for (target, id) in list {
                        piece.store(target, id);
                    }
                }
                piece.release(position);
            }
            let (code, used) = (piece.out, piece.highest);
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
