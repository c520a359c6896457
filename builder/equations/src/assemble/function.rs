//! The instructions for the statements of a function, or of the body of a block.

use expressions::code::Code;
use expressions::graph::{Binary, Comparison, Id, Leaf, Lookup, Node, Reading, Unary};
use program::{Call, ContactRegisters, Instruction, Points, Register, Span};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::Assembler;
use crate::layout::Target;

/// How an operand of a sum or a product is read, as in emitted code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadAs {
    Scalar,
    Plain,
}

/// A function, or the body of a block, while its instructions are chosen. Every value has a
/// register of its own; values share registers when the order is known.
pub(super) struct FunctionAssembler<'a, 'b> {
    pub assembler: &'b mut Assembler<'a>,
    pub steps: Vec<AssemblyStep>,
    /// Registers of the values that are loaded or computed.
    held: HashMap<Id, Register>,
    /// For each product that becomes part of a sum's instruction: the sum.
    inside: HashMap<Id, Id>,
    /// The first unused register.
    next: Register,
    in_body: bool,
}

/// An instruction, and the number of registers that it writes.
#[derive(Clone, Copy)]
pub(super) struct AssemblyStep {
    pub instruction: Instruction,
    pub width: u32,
}

impl<'a, 'b> FunctionAssembler<'a, 'b> {
    /// An assembler of these statements and stored values; registers from `first` on are its own.
    pub fn new(
        assembler: &'b mut Assembler<'a>,
        statements: &[Id],
        stored: &[Id],
        first: Register,
        in_body: bool,
    ) -> FunctionAssembler<'a, 'b> {
        let mut assembly = FunctionAssembler {
            assembler,
            steps: Vec::new(),
            held: HashMap::default(),
            inside: HashMap::default(),
            next: first,
            in_body,
        };
        assembly.find_products(statements, stored);
        assembly
    }

    /// Finds products that only one sum reads.
    fn find_products(&mut self, statements: &[Id], stored: &[Id]) {
        let code = self.assembler.code;
        let mut uses: HashMap<Id, u32> = HashMap::default();
        for &statement in statements {
            code.for_each_operand(statement, &mut |operand| *uses.entry(operand).or_default() += 1);
        }
        for &id in stored {
            *uses.entry(id).or_default() += 1;
        }
        let here: HashSet<Id> = statements.iter().copied().collect();
        let is_product = |id: Id| {
            let Node::Binary(Binary::Mul, a, b) = code.node(id) else { return false };
            let scalars = self.read(*a) == ReadAs::Scalar && self.read(*b) == ReadAs::Scalar;
            scalars && here.contains(&id) && uses[&id] == 1
        };
        let mut inside = HashMap::default();
        for &statement in statements {
            if let Node::Binary(Binary::Add | Binary::Sub, a, b) = code.node(statement)
                && self.read(*a) == ReadAs::Scalar
                && self.read(*b) == ReadAs::Scalar
                && let Some(product) = [*a, *b].into_iter().find(|&id| is_product(id))
            {
                inside.insert(product, statement);
            }
        }
        self.inside = inside;
    }

    /// How emitted code reads the value.
    fn read(&self, id: Id) -> ReadAs {
        let code = self.assembler.code;
        match code.node(id) {
            Node::Constant(_) => ReadAs::Plain,
            Node::Leaf(Leaf::Pre(_) | Leaf::Anchor(_)) if !self.in_body => ReadAs::Plain,
            Node::Output(call, k) if !self.in_body => match code.node(*call) {
                Node::Newton(block) if *k as usize == block.unknowns.len() => ReadAs::Plain,
                _ => ReadAs::Scalar,
            },
            _ => ReadAs::Scalar,
        }
    }

    pub fn hold(&mut self, id: Id, register: Register) {
        self.held.insert(id, register);
    }

    /// Adds an instruction and returns the register of its result.
    fn step(&mut self, width: u32, instruction: impl FnOnce(Register) -> Instruction) -> Register {
        let to = self.next;
        self.next += width;
        self.steps.push(AssemblyStep { instruction: instruction(to), width });
        to
    }

    /// The register of a value, which is loaded if necessary.
    pub fn register(&mut self, id: Id) -> Register {
        if let Some(&register) = self.held.get(&id) {
            return register;
        }
        let code = self.assembler.code;
        match code.node(id) {
            Node::Constant(bits) => return self.assembler.constants[bits],
            Node::Truth(value) => {
                let bits = f64::from(u8::from(*value)).to_bits();
                return self.assembler.constants[&bits];
            }
            Node::Output(call, k) if self.held.contains_key(call) => {
                return self.held[call] + k;
            }
            Node::LuDeterminant(lu) if self.held.contains_key(lu) => {
                return self.held[lu] + width(code, *lu) - 1;
            }
            _ => {}
        }
        let width = match code.node(id) {
            Node::Lu(..) => width(code, id),
            _ => 1,
        };
        let slot = self.assembler.slots.get(&id).copied();
        let to = self.step(width, |to| match code.node(id) {
            Node::Leaf(leaf) => match *leaf {
                Leaf::Time => Instruction::Time(to),
                Leaf::Initial => Instruction::Initial(to),
                Leaf::State(i) => Instruction::State(to, i),
                Leaf::Input(i) => Instruction::Input(to, i),
                Leaf::Parameter(i) => Instruction::Parameter(to, i),
                Leaf::Calculated(i) => Instruction::Calculated(to, i),
                Leaf::Pre(i) => Instruction::Discrete(to, i),
                Leaf::Relation(i) => Instruction::Relation(to, i),
                Leaf::Anchor(i) => Instruction::Anchor(to, i),
                Leaf::Delayed(delay, order) => {
                    let place = self.assembler.info.history(delay as usize);
                    Instruction::Delayed(to, place.start as u32, place.len() as u32, order)
                }
                Leaf::Symbol(_) => unreachable!("placeholders are refused before"),
            },
            _ => Instruction::Work(to, slot.expect("what crosses functions is kept"), width),
        });
        self.held.insert(id, to);
        to
    }

    fn list(&mut self, ids: &[Id]) -> Span {
        let registers = ids.iter().map(|&id| self.register(id)).collect();
        self.assembler.list(registers)
    }

    /// Adds the instruction of a statement.
    pub fn statement(&mut self, id: Id) {
        if self.inside.contains_key(&id) {
            return;
        }
        let code = self.assembler.code;
        let instruction: Box<dyn FnOnce(Register) -> Instruction> = match code.node(id) {
            Node::LuDeterminant(lu) => {
                let register = self.register(*lu) + width(code, *lu) - 1;
                self.held.insert(id, register);
                return;
            }
            Node::Unary(op, a) => {
                let (plain, a) = (self.read(*a) == ReadAs::Plain, self.register(*a));
                let make = match op {
                    Unary::Neg if plain => Instruction::NegPlain,
                    Unary::Neg => Instruction::Neg,
                    Unary::Sqrt => Instruction::Sqrt,
                    Unary::Exp => Instruction::Exp,
                    Unary::Ln => Instruction::Ln,
                    Unary::Abs => Instruction::Abs,
                    Unary::Sign => Instruction::Sign,
                    Unary::Floor => Instruction::Floor,
                };
                Box::new(move |to| make(to, a))
            }
            Node::Binary(op, a, b) => self.binary(*op, *a, *b),
            Node::Compare(op, a, b) => {
                let (a, b) = (self.register(*a), self.register(*b));
                let make = match op {
                    Comparison::Less => Instruction::Less,
                    Comparison::LessEqual => Instruction::LessEqual,
                    Comparison::NotEqual => Instruction::NotEqual,
                };
                Box::new(move |to| make(to, a, b))
            }
            Node::Not(a) => {
                let a = self.register(*a);
                Box::new(move |to| Instruction::Not(to, a))
            }
            Node::And(a, b) => {
                let (a, b) = (self.register(*a), self.register(*b));
                Box::new(move |to| Instruction::And(to, a, b))
            }
            Node::Or(a, b) => {
                let (a, b) = (self.register(*a), self.register(*b));
                Box::new(move |to| Instruction::Or(to, a, b))
            }
            Node::Select(c, a, b) => {
                let (c, a, b) = (self.register(*c), self.register(*a), self.register(*b));
                Box::new(move |to| Instruction::Select(to, c, a, b))
            }
            Node::SinCos(a) => {
                let a = self.register(*a);
                Box::new(move |to| Instruction::SinCos(to, a))
            }
            Node::Constant(_) | Node::Truth(_) | Node::Leaf(_) | Node::Output(..) => {
                unreachable!("no statements")
            }
            _ => {
                let call = self.call(id);
                let number = self.assembler.tape.calls.len() as u32;
                self.assembler.tape.calls.push(call);
                Box::new(move |to| Instruction::Call(to, number))
            }
        };
        let to = self.step(width(code, id), instruction);
        self.held.insert(id, to);
    }

    fn binary(&mut self, op: Binary, a: Id, b: Id) -> Box<dyn FnOnce(Register) -> Instruction> {
        use Instruction as I;
        use ReadAs::{Plain, Scalar};
        if let Some(product) = [a, b].into_iter().find(|id| self.inside.contains_key(id)) {
            let other = if product == a { b } else { a };
            let Node::Binary(_, x, y) = *self.assembler.code.node(product) else {
                unreachable!("a product")
            };
            let (x, y, c) = (self.register(x), self.register(y), self.register(other));
            return match op {
                Binary::Add => Box::new(move |to| I::MulAdd(to, x, y, c)),
                _ if product == a => Box::new(move |to| I::MulSub(to, x, y, c)),
                _ => Box::new(move |to| I::SubMul(to, x, y, c)),
            };
        }
        let reads = (self.read(a), self.read(b));
        let (a, b) = (self.register(a), self.register(b));
        let make = match (op, reads) {
            (Binary::Add, (Scalar, Scalar)) => I::Add,
            (Binary::Add, (Plain, Plain)) => I::AddBothPlain,
            (Binary::Add, (Scalar, Plain)) => I::AddPlain,
            (Binary::Add, (Plain, Scalar)) => return Box::new(move |to| I::AddPlain(to, b, a)),
            (Binary::Sub, (Scalar, Scalar)) => I::Sub,
            (Binary::Sub, (Plain, Plain)) => I::SubBothPlain,
            (Binary::Sub, (Scalar, Plain)) => I::SubPlain,
            (Binary::Sub, (Plain, Scalar)) => I::SubFromPlain,
            (Binary::Mul, (Scalar, Scalar)) => I::Mul,
            (Binary::Mul, (Plain, Plain)) => I::MulBothPlain,
            (Binary::Mul, (Scalar, Plain)) => I::MulPlain,
            (Binary::Mul, (Plain, Scalar)) => return Box::new(move |to| I::MulPlain(to, b, a)),
            (Binary::Div, (Scalar, Scalar)) => I::Div,
            (Binary::Div, (Plain, Plain)) => I::DivBothPlain,
            (Binary::Div, (Scalar, Plain)) => I::DivPlain,
            (Binary::Div, (Plain, Scalar)) => I::DivIntoPlain,
            (Binary::Atan2, _) => I::Atan2,
            (Binary::Pow, _) => I::Pow,
            (Binary::Min, _) => I::Min,
            (Binary::Max, _) => I::Max,
        };
        Box::new(move |to| make(to, a, b))
    }

    fn call(&mut self, id: Id) -> Call {
        let code = self.assembler.code;
        match code.node(id) {
            Node::Lu(matrix, n) => Call::Factor { n: *n, matrix: self.list(matrix) },
            Node::LuSolve(lu, rhs) => {
                Call::Solve { factor: self.register(*lu), rhs: self.list(rhs) }
            }
            Node::NullSpace(matrix, m, n) => {
                Call::NullSpace { rows: *m, columns: *n, matrix: self.list(matrix) }
            }
            Node::Table(reading, xs, ys, argument) => {
                let constant = |id: &Id| matches!(code.node(*id), Node::Constant(_));
                let points = if xs.iter().chain(ys.iter()).all(constant) {
                    Points::Numbers(self.assembler.numbers(xs), self.assembler.numbers(ys))
                } else {
                    Points::Registers(self.list(xs), self.list(ys))
                };
                let argument = self.register(*argument);
                match reading {
                    Reading::Value => Call::Value(points, argument),
                    Reading::Slope => Call::Slope(points, argument),
                }
            }
            Node::Lookup(lookup, table, argument) => {
                let table = code.number_of(table) as u32;
                let argument = self.register(*argument);
                match lookup {
                    Lookup::Count => Call::Count { table, argument },
                    Lookup::Entry(column) => Call::Entry { table, column: *column, row: argument },
                }
            }
            Node::Guard(table, argument, value) => Call::Guard {
                table: code.number_of(table) as u32,
                argument: self.register(*argument),
                value: self.register(*value),
                fails: !self.in_body,
            },
            Node::Newton(block) => {
                let (body, captures) = self.assembler.bodies[&id].clone();
                let known = self.assembler.blocks;
                let number = known.iter().position(|facts| facts.describes(block));
                Call::Block {
                    block: number.expect("every block is listed") as u32,
                    body,
                    guesses: self.list(&block.guesses),
                    sign: self.register(block.sign),
                    captures: self.list(&captures),
                }
            }
            Node::Impulses(pass) => {
                assert!(!self.in_body, "impulses do not depend on unknowns");
                let (w, v) = (self.list(&pass.w), self.list(&pass.v));
                let contacts: Vec<ContactRegisters> = pass
                    .contacts
                    .iter()
                    .map(|contact| ContactRegisters {
                        active: self.register(contact.active),
                        restitution: self.register(contact.restitution),
                        friction: contact.friction.map(|friction| self.register(friction)),
                    })
                    .collect();
                let all = &mut self.assembler.tape.contacts;
                let span = Span { first: all.len() as u32, len: contacts.len() as u32 };
                all.extend(contacts);
                Call::Impulses { w, v, contacts: span }
            }
            _ => unreachable!("one instruction"),
        }
    }

    pub fn store(&mut self, target: Target, id: Id) {
        let code = self.assembler.code;
        let from = self.register(id);
        let instruction = match target {
            Target::Work(i) => match code.node(id) {
                Node::Lu(..) => Instruction::ToWork(from, i, width(code, id)),
                _ => Instruction::ToWork(from, i, 1),
            },
            Target::Derivative(i) => Instruction::ToDerivative(from, i),
            Target::State(i) => Instruction::ToState(from, i),
            Target::Calculated(i) => Instruction::ToCalculated(from, i),
            Target::Unknown(i) => Instruction::ToUnknown(from, i),
            Target::Residual(i) => Instruction::ToResidual(from, i),
            Target::NextDiscrete(i) => Instruction::ToNextDiscrete(from, i),
            Target::NextState(i) => Instruction::ToNextState(from, i),
            Target::Terminate => Instruction::ToTerminate(from),
            Target::Truth(i) => Instruction::ToTruth(from, i),
        };
        self.steps.push(AssemblyStep { instruction, width: 0 });
    }
}

/// The number of registers that a statement writes.
fn width(code: &Code, id: Id) -> u32 {
    match code.node(id) {
        Node::LuSolve(_, rhs) => rhs.len() as u32,
        Node::NullSpace(_, m, n) => n * (n - m),
        Node::SinCos(_) => 2,
        Node::Newton(block) => block.unknowns.len() as u32 + 1,
        Node::Impulses(pass) => pass.v.len() as u32,
        _ => code.width(id),
    }
}
