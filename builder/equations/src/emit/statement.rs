//! Rust text of single statements: operands, operations, stores.

use std::collections::{BTreeMap, BTreeSet};

use expressions::LookupTable;
use expressions::code::Code;
use expressions::graph::{Binary, Comparison, Id, Leaf, Lookup, Node, Pass, Reading, Unary};
use program::Function;

use crate::emit::argument::Argument;
use crate::layout::Target;

/// Text of an operand.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// A text of the scalar type.
    Scalar(String),
    /// A text of type `f64`.
    Float(String),
    Truth(String),
}

impl Operand {
    pub fn scalar(self) -> String {
        match self {
            Operand::Scalar(text) => text,
            Operand::Float(text) => format!("S::from({text})"),
            Operand::Truth(text) => format!("S::from(f64::from(u8::from({text})))"),
        }
    }

    pub fn float(self) -> String {
        match self {
            Operand::Scalar(text) => format!("{text}.value()"),
            Operand::Float(text) => text,
            Operand::Truth(text) => format!("f64::from(u8::from({text}))"),
        }
    }

    pub fn truth(self) -> String {
        match self {
            Operand::Truth(text) => text,
            Operand::Scalar(text) => format!("({text}.value() != 0.0)"),
            Operand::Float(text) => format!("({text} != 0.0)"),
        }
    }
}

/// A literal that has the same bits.
pub(crate) fn literal(value: f64) -> String {
    if value.is_finite() {
        format!("{value:?}")
    } else if value == f64::INFINITY {
        "f64::INFINITY".to_owned()
    } else if value == f64::NEG_INFINITY {
        "f64::NEG_INFINITY".to_owned()
    } else {
        format!("f64::from_bits({:#x})", value.to_bits())
    }
}

/// The values that a chunk of a function can read.
pub(crate) struct Scope<'a> {
    pub code: &'a Code,
    /// The array in which values cross between chunks.
    pub array: Argument,
    /// Elements of that array.
    pub slots: &'a BTreeMap<Id, u32>,
    /// Statements of this chunk.
    pub local: BTreeSet<Id>,
    /// Text of values from outside, in the body of a block.
    pub outside: BTreeMap<Id, (Argument, Operand)>,
    /// Arguments used so far.
    pub used: BTreeSet<Argument>,
    /// In the body of a loop, the distance of an element to that of the next turn.
    pub strides: BTreeMap<(Argument, u32), i64>,
    /// Values with a name of their own, such as those of the turn before.
    pub renamed: BTreeMap<Id, String>,
}

/// The index of the present turn of an emitted loop.
pub(crate) const TURN: &str = "n";

impl<'a> Scope<'a> {
    /// A chunk with these statements, whose other values are in elements of an array.
    pub fn new(
        code: &'a Code,
        array: Argument,
        slots: &'a BTreeMap<Id, u32>,
        statements: &[Id],
    ) -> Scope<'a> {
        Scope {
            code,
            array,
            slots,
            local: statements.iter().copied().collect(),
            outside: BTreeMap::new(),
            used: BTreeSet::new(),
            strides: BTreeMap::new(),
            renamed: BTreeMap::new(),
        }
    }

    /// The name of an argument, which is used.
    fn name(&mut self, argument: Argument) -> &'static str {
        self.used.insert(argument);
        argument.name()
    }

    fn element(&mut self, argument: Argument, index: u32) -> String {
        let name = self.name(argument);
        let stride = self.strides.get(&(argument, index)).copied().unwrap_or(0);
        let sign = if stride < 0 { '-' } else { '+' };
        match stride.abs() {
            0 => format!("{name}[{index}]"),
            1 => format!("{name}[{index} {sign} {TURN}]"),
            distance => format!("{name}[{index} {sign} {distance} * {TURN}]"),
        }
    }

    /// The element that contains a value; `None` if this chunk computes the value, or if the value
    /// has no place.
    pub fn element_of(&self, id: Id) -> Option<(Argument, u32)> {
        if self.outside.contains_key(&id) {
            return None;
        }
        match self.code.node(id) {
            Node::Constant(_) | Node::Truth(_) => None,
            Node::Leaf(leaf) => vector_of(*leaf),
            _ if self.local.contains(&self.code.statement_of(id)) => None,
            _ => Some((self.array, self.slots[&id])),
        }
    }

    /// A value with a name.
    fn named(&self, id: Id, name: String) -> Operand {
        match self.code.node(id).is_truth() {
            true => Operand::Truth(name),
            false => Operand::Scalar(name),
        }
    }

    /// The text of a value with its type.
    pub fn value(&mut self, id: Id) -> String {
        match self.operand(id) {
            Operand::Truth(text) => text,
            other => other.scalar(),
        }
    }

    /// The text that stands for a value.
    pub fn operand(&mut self, id: Id) -> Operand {
        if let Some((argument, operand)) = self.outside.get(&id) {
            self.used.insert(*argument);
            return operand.clone();
        }
        if let Some(name) = self.renamed.get(&id) {
            return self.named(id, name.clone());
        }
        match self.code.node(id) {
            Node::Constant(bits) => return Operand::Float(literal(f64::from_bits(*bits))),
            Node::Truth(value) => return Operand::Truth(value.to_string()),
            Node::Leaf(leaf) => return self.leaf(*leaf),
            Node::Output(call, k) if self.local.contains(call) => return self.result(*call, *k),
            _ if self.local.contains(&id) => {
                return self.named(id, format!("v{id}"));
            }
            _ => {}
        }
        let text = self.element(self.array, self.slots[&id]);
        if self.code.node(id).is_truth() {
            Operand::Truth(format!("({text}.value() != 0.0)"))
        } else {
            Operand::Scalar(text)
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> Operand {
        use Operand::{Float, Scalar, Truth};
        match leaf {
            Leaf::Time => Scalar(self.name(Argument::Time).to_owned()),
            Leaf::Initial => Truth(self.name(Argument::Initial).to_owned()),
            Leaf::Delayed(delay, order) => {
                let [t, all] = [Argument::Time, Argument::Histories].map(|a| self.name(a));
                Scalar(format!("History(&{all}[HISTORY_{delay}]).delayed({t}, {order})"))
            }
            _ => {
                let (argument, index) =
                    vector_of(leaf).expect("placeholders are refused before emission");
                let text = self.element(argument, index);
                match leaf {
                    Leaf::Pre(_) | Leaf::Anchor(_) => Float(text),
                    Leaf::Relation(_) => Truth(text),
                    _ => Scalar(text),
                }
            }
        }
    }

    /// One of several results of a statement of this chunk.
    fn result(&self, call: Id, k: u32) -> Operand {
        match self.code.node(call) {
            Node::SinCos(_) => Operand::Scalar(format!("v{call}.{k}")),
            Node::LuSolve(..) | Node::NullSpace(..) | Node::Impulses(_) => {
                Operand::Scalar(format!("v{call}[{k}]"))
            }
            Node::Newton(block) if k as usize == block.unknowns.len() => {
                Operand::Float(format!("v{call}.1"))
            }
            Node::Newton(_) => Operand::Scalar(format!("v{call}.0[{k}]")),
            _ => unreachable!("only these have several results"),
        }
    }

    fn scalars(&mut self, ids: &[Id]) -> String {
        let all: Vec<String> = ids.iter().map(|&id| self.operand(id).scalar()).collect();
        all.join(", ")
    }

    fn floats(&mut self, ids: &[Id]) -> String {
        let all: Vec<String> = ids.iter().map(|&id| self.operand(id).float()).collect();
        all.join(", ")
    }

    /// The statement that computes a node.
    pub fn statement(&mut self, id: Id) -> String {
        let code = self.code;
        let value = match code.node(id) {
            Node::Unary(op, a) => unary(*op, self.operand(*a)),
            Node::Binary(op, a, b) => {
                let a = self.operand(*a);
                binary(*op, a, self.operand(*b))
            }
            Node::Compare(op, a, b) => {
                let sign = match op {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::NotEqual => "!=",
                };
                let a = self.operand(*a).float();
                format!("{a} {sign} {}", self.operand(*b).float())
            }
            Node::Not(a) => format!("!{}", self.operand(*a).truth()),
            Node::And(a, b) => {
                let a = self.operand(*a).truth();
                format!("{a} && {}", self.operand(*b).truth())
            }
            Node::Or(a, b) => {
                let a = self.operand(*a).truth();
                format!("{a} || {}", self.operand(*b).truth())
            }
            Node::Select(c, a, b) => {
                let c = self.operand(*c).truth();
                let (a, b) = (self.operand(*a).scalar(), self.operand(*b).scalar());
                format!("if {c} {{ {a} }} else {{ {b} }}")
            }
            Node::SinCos(a) => format!("{}.sin_cos()", self.operand(*a).scalar()),
            Node::Table(reading, xs, ys, arg) => self.table(*reading, xs, ys, *arg),
            Node::Lookup(lookup, table, arg) => {
                let (rows, arg) = (self.rows(table), self.operand(*arg).float());
                match lookup {
                    Lookup::Count => format!("S::from({rows}.count({arg}))"),
                    Lookup::Entry(column) => format!("S::from({rows}.entry({column}, {arg}))"),
                }
            }
            Node::Guard(table, arg, value) => {
                let (rows, number) = (self.rows(table), code.number_of(table));
                let (arg, value) = (self.operand(*arg).float(), self.operand(*value).scalar());
                // The only failure possible in the body of a block is NaN.
                let end = if self.array == Argument::Crossing {
                    ".unwrap_or(S::from(f64::NAN))"
                } else {
                    "?"
                };
                format!("{rows}.guard::<S>({number}, {arg}, {value}){end}")
            }
            Node::Lu(matrix, n) => {
                format!("linear_factor::<S, {}, {n}>([{}])", matrix.len(), self.scalars(matrix))
            }
            Node::LuDeterminant(lu) => self.factor(*lu).2,
            Node::LuSolve(lu, rhs) => {
                let (a, pivots, _) = self.factor(*lu);
                format!("linear_solve(&{a}, &{pivots}, [{}])", self.scalars(rhs))
            }
            Node::NullSpace(matrix, m, n) => {
                let (length, results) = (matrix.len(), n * (n - m));
                let matrix = self.scalars(matrix);
                format!("linear_null_space::<S, {m}, {n}, {length}, {results}>([{matrix}])")
            }
            Node::Newton(_) => self.newton(id),
            Node::Impulses(pass) => self.impulses(pass),
            Node::Constant(_) | Node::Truth(_) | Node::Leaf(_) | Node::Output(..) => {
                unreachable!("no statements")
            }
        };
        format!("let v{id} = {value};")
    }

    /// A table of plain numbers.
    fn rows(&mut self, table: &LookupTable) -> String {
        format!("{}[{}]", self.name(Argument::Tables), self.code.number_of(table))
    }

    fn table(&mut self, reading: Reading, xs: &[Id], ys: &[Id], arg: Id) -> String {
        let function = match reading {
            Reading::Value => "linear",
            Reading::Slope => "slope",
        };
        let constant = |id: &Id| matches!(self.code.node(*id), Node::Constant(_));
        let plain = xs.iter().chain(ys).all(constant);
        let (xs, ys) = if plain {
            (self.floats(xs), self.floats(ys))
        } else {
            (self.scalars(xs), self.scalars(ys))
        };
        let arg = self.operand(arg).scalar();
        format!("table::{function}::<S>(&[{xs}], &[{ys}], {arg})")
    }

    /// Factors, pivots and determinant of a factorization.
    fn factor(&mut self, lu: Id) -> (String, String, String) {
        if self.local.contains(&lu) {
            return (format!("v{lu}.0"), format!("v{lu}.1"), format!("v{lu}.2"));
        }
        let Node::Lu(_, n) = self.code.node(lu) else { unreachable!("a factorization") };
        let name = self.name(self.array);
        let first = self.slots[&lu];
        let (pivots, determinant) = (first + n * n, first + n * n + n);
        (
            format!("{name}[{first}..{pivots}]"),
            format!("{name}[{pivots}..{determinant}]"),
            format!("{name}[{determinant}]"),
        )
    }

    fn impulses(&mut self, pass: &Pass) -> String {
        let contacts: Vec<String> = pass
            .contacts
            .iter()
            .map(|contact| {
                let active = self.operand(contact.active).truth();
                let restitution = self.operand(contact.restitution).scalar();
                let friction = match contact.friction {
                    Some(friction) => format!("Some({})", self.operand(friction).scalar()),
                    None => "None".to_owned(),
                };
                format!(
                    "impact::Contact {{ active: {active}, restitution: {restitution}, \
                     friction: {friction} }}"
                )
            })
            .collect();
        let (w, v) = (self.scalars(&pass.w), self.scalars(&pass.v));
        format!(
            "impact::impulses::<S, {}, {}>(\n        &[{w}],\n        &[{v}],\n        &[{}],\n    )",
            pass.v.len(),
            pass.w.len(),
            contacts.join(", ")
        )
    }

    fn newton(&mut self, id: Id) -> String {
        let code = self.code;
        let Node::Newton(block) = code.node(id) else { unreachable!("a block") };
        let n = block.unknowns.len();
        let (truths, reals): (Vec<Id>, Vec<Id>) =
            code.body_of(id).captures.iter().partition(|&&capture| code.node(capture).is_truth());
        let truths: Vec<String> =
            truths.into_iter().map(|truth| self.operand(truth).truth()).collect();
        let truths = truths.join(", ");
        let guesses = self.floats(&block.guesses);
        let sign = self.operand(block.sign).float();
        let (floats, scalars) = (self.floats(&reals), self.scalars(&reals));
        let iterations = self.name(Argument::Iterations);
        let tables = match code.body_reads_tables(id) {
            true => format!(", {}", self.name(Argument::Tables)),
            false => String::new(),
        };
        let (function, sign) = match block.follows_path() {
            true => {
                (format!("newton::path::follow::<S, {n}, {}>", block.guesses.len()), String::new())
            }
            false => (
                format!("newton::solve::<S, {n}>"),
                format!("            {sign},\n            {:e},\n", block.kind.rounding()),
            ),
        };
        format!(
            "{{\n        let b = [{truths}];\n        let f = [{floats}];\n        \
             {function}(\n            BLOCK_OF_{id},\n            [{guesses}],\n\
             {sign}            {iterations},\n            |y| body_{id}::<f64>(&f, &b, y{tables}),\n            \
             |y| body_{id}::<S>(&[{scalars}], &b, y{tables}),\n        )?\n    }}"
        )
    }

    /// The text that stores a value.
    pub fn store(&mut self, target: Target, id: Id) -> String {
        if let (Target::Work(first), Node::Lu(..)) = (target, self.code.node(id)) {
            let name = self.name(self.array);
            return format!("store_factor(&v{id}, &mut {name}[{first}..]);");
        }
        let operand = self.operand(id);
        let value = match target {
            Target::Work(_) | Target::Derivative(_) | Target::State(_) | Target::Calculated(_) => {
                operand.scalar()
            }
            Target::Unknown(_)
            | Target::Residual(_)
            | Target::NextDiscrete(_)
            | Target::NextState(_) => operand.float(),
            Target::Terminate | Target::Truth(_) => operand.truth(),
        };
        let (argument, index) = self.destination(target);
        match index {
            Some(index) => format!("{} = {value};", self.element(argument, index)),
            None => format!("*{} |= {value};", self.name(argument)),
        }
    }

    /// The argument in which a value is stored, and the element of an array.
    pub fn destination(&self, target: Target) -> (Argument, Option<u32>) {
        match target {
            Target::Work(i) => (self.array, Some(i)),
            Target::Derivative(i) => (Argument::Derivatives, Some(i)),
            Target::State(i) => (Argument::States, Some(i)),
            Target::Calculated(i) => (Argument::Calculated, Some(i)),
            Target::Unknown(i) => (Argument::Unknowns, Some(i)),
            Target::Residual(i) => (Argument::Residuals, Some(i)),
            Target::NextDiscrete(i) => (Argument::NextDiscretes, Some(i)),
            Target::NextState(i) => (Argument::NextStates, Some(i)),
            Target::Truth(i) => (Argument::Truths, Some(i)),
            Target::Terminate => (Argument::Terminate, None),
        }
    }
}

/// The array that contains a leaf, and its element.
fn vector_of(leaf: Leaf) -> Option<(Argument, u32)> {
    match leaf {
        Leaf::State(i) => Some((Argument::States, i)),
        Leaf::Input(i) => Some((Argument::Inputs, i)),
        Leaf::Parameter(i) => Some((Argument::Parameters, i)),
        Leaf::Calculated(i) => Some((Argument::Calculated, i)),
        Leaf::Pre(i) => Some((Argument::Discretes, i)),
        Leaf::Relation(i) => Some((Argument::Relations, i)),
        Leaf::Anchor(i) => Some((Argument::Anchor, i)),
        Leaf::Time | Leaf::Initial | Leaf::Symbol(_) | Leaf::Delayed(..) => None,
    }
}

fn unary(op: Unary, a: Operand) -> String {
    match op {
        Unary::Neg => match a {
            Operand::Float(text) => format!("S::from(-{text})"),
            other => format!("-{}", other.scalar()),
        },
        Unary::Sqrt => format!("{}.sqrt()", a.scalar()),
        Unary::Exp => format!("{}.exp()", a.scalar()),
        Unary::Ln => format!("{}.ln()", a.scalar()),
        Unary::Abs => format!("{}.abs()", a.scalar()),
        Unary::Sign => format!("{}.sign()", a.scalar()),
        Unary::Floor => format!("{}.floor()", a.scalar()),
    }
}

fn binary(op: Binary, a: Operand, b: Operand) -> String {
    let sign = match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Atan2 => return format!("{}.atan2({})", a.scalar(), b.scalar()),
        Binary::Pow => return format!("{}.pow({})", a.scalar(), b.scalar()),
        Binary::Min => return format!("{}.min({})", a.scalar(), b.scalar()),
        Binary::Max => return format!("{}.max({})", a.scalar(), b.scalar()),
    };
    match (a, b) {
        (Operand::Float(a), Operand::Float(b)) => format!("S::from({a} {sign} {b})"),
        // Sum and product commute exactly.
        (Operand::Float(a), b) if matches!(op, Binary::Add | Binary::Mul) => {
            format!("{} {sign} {a}", b.scalar())
        }
        (Operand::Float(a), b) if op == Binary::Sub => {
            format!("{}.subtract_from({a})", b.scalar())
        }
        (Operand::Float(a), b) => format!("{}.divide_into({a})", b.scalar()),
        (a, Operand::Float(b)) => format!("{} {sign} {b}", a.scalar()),
        (a, b) => format!("{} {sign} {}", a.scalar(), b.scalar()),
    }
}

/// The words of a function's name.
pub(crate) fn function_name(function: Function) -> String {
    match function {
        Function::Initial => "initial".to_owned(),
        Function::Advance(stage) => format!("advance_{stage:?}").to_lowercase(),
        Function::Report(stage) => format!("report_{stage:?}").to_lowercase(),
        Function::Relations => "relations".to_owned(),
        Function::Indicators => "indicators".to_owned(),
        Function::Unknowns => "unknowns".to_owned(),
        Function::Event => "event".to_owned(),
        Function::Requirements(subject) => format!("requirements_{subject:?}").to_lowercase(),
        Function::FirstModes => "first_modes".to_owned(),
        Function::Assertions => "assertions".to_owned(),
    }
}
