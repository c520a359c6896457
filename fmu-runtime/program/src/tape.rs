//! The code of a program: a flat list of register instructions, with the constants in the first
//! registers.

use crate::vocabulary::Function;
use std::ops::Range;

/// Number of a register.
pub type Register = u32;

/// An operation on registers. The operation writes to the register in the first field; an operation
/// `To..` reads the register in the first field.
///
/// A truth value is 0 or 1. *Plain* operands are used without their tangent, as emitted code uses
/// numbers without tangent there. Both therefore also agree in the last bits of finite tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Instruction {
    /// Time.
    Time(Register),
    /// Whether initial values are being determined.
    Initial(Register),
    /// An element of `p`.
    Parameter(Register, u32),
    /// An element of `c`.
    Calculated(Register, u32),
    /// An element of `m`.
    Discrete(Register, u32),
    /// An element of `r`.
    Relation(Register, u32),
    /// An element of `x`.
    State(Register, u32),
    /// An element of `u`.
    Input(Register, u32),
    /// An element of `anchor`.
    Anchor(Register, u32),
    /// Elements of `w`: the first one and their number.
    Work(Register, u32, u32),

    /// `-a`.
    Neg(Register, Register),
    /// `-a`, plain.
    NegPlain(Register, Register),
    /// Square root.
    Sqrt(Register, Register),
    /// Exponential function.
    Exp(Register, Register),
    /// Natural logarithm.
    Ln(Register, Register),
    /// Absolute value.
    Abs(Register, Register),
    /// Sign.
    Sign(Register, Register),
    /// Largest integer that is at most `a`.
    Floor(Register, Register),
    /// Sine, and cosine in the next register.
    SinCos(Register, Register),

    /// `a + b`.
    Add(Register, Register, Register),
    /// `a + b`, `b` plain.
    AddPlain(Register, Register, Register),
    /// `a + b`, both plain.
    AddBothPlain(Register, Register, Register),
    /// `a - b`.
    Sub(Register, Register, Register),
    /// `a - b`, `b` plain.
    SubPlain(Register, Register, Register),
    /// `a - b`, `a` plain.
    SubFromPlain(Register, Register, Register),
    /// `a - b`, both plain.
    SubBothPlain(Register, Register, Register),
    /// `a * b`.
    Mul(Register, Register, Register),
    /// `a * b`, `b` plain.
    MulPlain(Register, Register, Register),
    /// `a * b`, both plain.
    MulBothPlain(Register, Register, Register),
    /// `a / b`.
    Div(Register, Register, Register),
    /// `a / b`, `b` plain.
    DivPlain(Register, Register, Register),
    /// `a / b`, `a` plain.
    DivIntoPlain(Register, Register, Register),
    /// `a / b`, both plain.
    DivBothPlain(Register, Register, Register),
    /// `a * b + c`, each rounded.
    MulAdd(Register, Register, Register, Register),
    /// `a * b - c`, each rounded.
    MulSub(Register, Register, Register, Register),
    /// `c - a * b`, each rounded.
    SubMul(Register, Register, Register, Register),
    /// Angle of the point `(b, a)`.
    Atan2(Register, Register, Register),
    /// `a` to the power `b`.
    Pow(Register, Register, Register),
    /// The smaller one.
    Min(Register, Register, Register),
    /// The larger one.
    Max(Register, Register, Register),

    /// `a < b`.
    Less(Register, Register, Register),
    /// `a <= b`.
    LessEqual(Register, Register, Register),
    /// `a != b`.
    NotEqual(Register, Register, Register),
    /// Negation.
    Not(Register, Register),
    /// Both.
    And(Register, Register, Register),
    /// At least one.
    Or(Register, Register, Register),
    /// `if a { b } else { c }`.
    Select(Register, Register, Register, Register),

    /// An operation with more operands: the register where its results begin, and its index in
    /// [`Tape::calls`].
    Call(Register, u32),

    /// Writes registers to `w`: the first register, the first element, and their number.
    ToWork(Register, u32, u32),
    /// Writes a register to an element of `dx`.
    ToDerivative(Register, u32),
    /// Writes a register to an element of `x`.
    ToState(Register, u32),
    /// Writes a register to an element of `c`.
    ToCalculated(Register, u32),
    /// Writes a register to an element of `z`.
    ToUnknown(Register, u32),
    /// Writes a register to the residual of a relation.
    ToResidual(Register, u32),
    /// Writes a register to the next value of a discrete variable.
    ToNextDiscrete(Register, u32),
    /// Writes a register to the next value of a state.
    ToNextState(Register, u32),
    /// Stops the simulation if a register is true.
    ToTerminate(Register),
    /// Writes a register to a truth value: that of a requirement or of a first mode.
    ToTruth(Register, u32),

    /// A derivative of a delayed signal: the first number of its history, their count, and the
    /// order of the derivative.
    Delayed(Register, u32, u32, u32),
}

impl Instruction {
    /// Calls `read` with each register that the instruction reads, and then `write` with the
    /// register that it writes. The operands of a [`Call`] are in the call.
    pub fn for_each_register(
        &mut self,
        mut read: impl FnMut(&mut Register),
        write: impl FnOnce(&mut Register),
    ) {
        use Instruction as I;
        match self {
            I::Time(to)
            | I::Initial(to)
            | I::Parameter(to, _)
            | I::Calculated(to, _)
            | I::Discrete(to, _)
            | I::Relation(to, _)
            | I::State(to, _)
            | I::Input(to, _)
            | I::Anchor(to, _)
            | I::Work(to, ..)
            | I::Delayed(to, ..)
            | I::Call(to, _) => write(to),
            I::Neg(to, a)
            | I::NegPlain(to, a)
            | I::Sqrt(to, a)
            | I::Exp(to, a)
            | I::Ln(to, a)
            | I::Abs(to, a)
            | I::Sign(to, a)
            | I::Floor(to, a)
            | I::Not(to, a)
            | I::SinCos(to, a) => {
                read(a);
                write(to);
            }
            I::Add(to, a, b)
            | I::AddPlain(to, a, b)
            | I::AddBothPlain(to, a, b)
            | I::Sub(to, a, b)
            | I::SubPlain(to, a, b)
            | I::SubFromPlain(to, a, b)
            | I::SubBothPlain(to, a, b)
            | I::Mul(to, a, b)
            | I::MulPlain(to, a, b)
            | I::MulBothPlain(to, a, b)
            | I::Div(to, a, b)
            | I::DivPlain(to, a, b)
            | I::DivIntoPlain(to, a, b)
            | I::DivBothPlain(to, a, b)
            | I::Atan2(to, a, b)
            | I::Pow(to, a, b)
            | I::Min(to, a, b)
            | I::Max(to, a, b)
            | I::Less(to, a, b)
            | I::LessEqual(to, a, b)
            | I::NotEqual(to, a, b)
            | I::And(to, a, b)
            | I::Or(to, a, b) => {
                [a, b].into_iter().for_each(read);
                write(to);
            }
            I::MulAdd(to, a, b, c)
            | I::MulSub(to, a, b, c)
            | I::SubMul(to, a, b, c)
            | I::Select(to, a, b, c) => {
                [a, b, c].into_iter().for_each(read);
                write(to);
            }
            I::ToWork(from, ..)
            | I::ToDerivative(from, _)
            | I::ToState(from, _)
            | I::ToCalculated(from, _)
            | I::ToUnknown(from, _)
            | I::ToResidual(from, _)
            | I::ToNextDiscrete(from, _)
            | I::ToNextState(from, _)
            | I::ToTerminate(from)
            | I::ToTruth(from, _) => read(from),
        }
    }
}

/// Elements of one of the lists of a [`Tape`]: the first one and their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// The first element.
    pub first: u32,
    /// The number of elements.
    pub len: u32,
}

impl Span {
    /// The elements as a range of indices.
    #[inline]
    pub fn range(self) -> Range<usize> {
        self.first as usize..(self.first as usize + self.len as usize)
    }
}

/// The place of the points of a piecewise linear table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Points {
    /// Abscissae and ordinates in [`Tape::numbers`].
    Numbers(Span, Span),
    /// Abscissae and ordinates in registers that [`Tape::lists`] names.
    Registers(Span, Span),
}

/// An operation with any number of operands.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub enum Call {
    /// Factorizes the matrix of `n` rows in a list of registers: factors, pivots, determinant.
    Factor {
        /// Rows.
        n: u32,
        /// Registers, row by row.
        matrix: Span,
    },
    /// Solves a linear system with the factors from a register on.
    Solve {
        /// The first register of the factors.
        factor: Register,
        /// Registers of the right-hand side.
        rhs: Span,
    },
    /// A basis of the null space of the matrix in a list of registers, row by row.
    NullSpace {
        /// Rows of the matrix.
        rows: u32,
        /// Columns of the matrix, more than rows.
        columns: u32,
        /// Registers, row by row.
        matrix: Span,
    },
    /// The value of a piecewise linear table.
    Value(Points, Register),
    /// The slope of a piecewise linear table.
    Slope(Points, Register),
    /// The number of rows of a table whose abscissa is at most the argument.
    Count {
        /// Number of the table.
        table: u32,
        /// Register of the argument.
        argument: Register,
    },
    /// The number in a column of a table.
    Entry {
        /// Number of the table.
        table: u32,
        /// Column.
        column: u32,
        /// Register of the row.
        row: Register,
    },
    /// Copies a register if another one is inside a table.
    Guard {
        /// Number of the table.
        table: u32,
        /// Register that must be inside.
        argument: Register,
        /// Register that is copied to the result.
        value: Register,
        /// Whether the evaluation fails otherwise; if not, the result is NaN.
        fails: bool,
    },
    /// Solves a nonlinear block: its solution, then the sign of the determinant.
    Block {
        /// Number of the block for the run time.
        block: u32,
        /// Number of its [`Body`].
        body: u32,
        /// Registers of the guesses, one for each unknown. There are wishes after them if the block
        /// follows a path.
        guesses: Span,
        /// Register of the wanted sign of the determinant.
        sign: Register,
        /// Registers outside the body that it reads.
        captures: Span,
    },
    /// The impulses of one pass of impacts.
    Impulses {
        /// Registers of the matrix of all rows.
        w: Span,
        /// Registers of the velocities before.
        v: Span,
        /// Elements of [`Tape::contacts`].
        contacts: Span,
    },
}

/// A contact of a pass of impacts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactRegisters {
    /// Whether it takes part in the impact.
    pub active: Register,
    /// Coefficient of restitution.
    pub restitution: Register,
    /// Coefficient of friction.
    pub friction: Option<Register>,
}

/// The code that is executed in every iteration of a nonlinear block.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    /// Instructions.
    pub code: Span,
    /// Registers that receive the values from outside.
    pub captures: Span,
    /// Registers of its unknowns.
    pub unknowns: Span,
    /// List of the registers of the Newton step.
    pub step: Span,
    /// Register of the determinant.
    pub determinant: Register,
    /// Register of the largest residual.
    pub residual: Register,
    /// The largest residual that is nothing but rounding (see [`kernels::newton::solve`]).
    pub rounding: f64,
}

/// The code of a program.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
pub struct Tape {
    /// The constants, which are the content of the first registers.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub constants: Vec<f64>,
    /// The number of registers.
    pub registers: u32,
    /// All instructions.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub code: Vec<Instruction>,
    /// The instructions of each function, by [`Function::index`].
    pub functions: [Span; Function::COUNT],
    /// Operations with any number of operands.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub calls: Vec<Call>,
    /// Lists of registers.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub lists: Vec<Register>,
    /// Numbers of tables.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub numbers: Vec<f64>,
    /// Contacts of passes of impacts.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub contacts: Vec<ContactRegisters>,
    /// Bodies of nonlinear blocks.
    #[cfg_attr(feature = "file", serde(deserialize_with = "crate::encoding::list_of_values"))]
    pub bodies: Vec<Body>,
}

impl Tape {
    /// Whether a function has any instruction.
    pub fn has(&self, function: Function) -> bool {
        self.functions[function.index()].len > 0
    }
}
