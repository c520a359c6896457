//! The expression types [`Ex`] and [`Bool`] and their operators.

use std::fmt;
use std::iter::Sum;
use std::ops::{
    Add, AddAssign, BitAnd, BitOr, Div, DivAssign, Mul, MulAssign, Neg, Not, Sub, SubAssign,
};

use num_traits::{One, Zero};

use crate::fold;
use crate::graph::{self, Binary, Comparison, Id, Leaf, Node, Unary};

/// A real expression: a copyable handle into the arena of the present thread.
///
/// It has no value while a model is written, so it cannot be compared like a number: a condition is
/// a [`Bool`], made by [`Ex::gt`] and similar methods, and [`select`] replaces `if`.
///
/// ```
/// # let x = expressions::Ex::symbol();
/// let positive = expressions::select(x.gt(0.0), x, 0.0);
/// ```
///
/// Neither order nor equality exists:
///
/// ```compile_fail,E0277
/// fn positive(x: expressions::Ex) -> bool {
///     x > 0.5 // an expression has no value while a model is written
/// }
/// ```
/// ```compile_fail,E0277
/// fn larger(x: expressions::Ex, y: expressions::Ex) -> expressions::Ex {
///     std::cmp::max(x, y) // an expression has no value while a model is written
/// }
/// ```
/// ```compile_fail,E0080
/// fn main() {
///     let x = expressions::Ex::symbol();
///     assert!(x != x + 1.0); // an expression has no value while a model is written
/// }
/// ```
///
/// With nalgebra, products, sums, `dot`, `cross`, `transpose` and similar functions work; `norm`,
/// `normalize` and `try_inverse` do not, because they branch on values.
#[derive(Clone, Copy)]
pub struct Ex(pub(crate) Id);

/// A truth value: a copyable handle into the arena of the present thread.
///
/// Like an [`Ex`] it has no value while a model is written: [`select_bool`] replaces `if`, and `&`,
/// `|` and `!` combine conditions.
///
/// ```compile_fail,E0308
/// fn one(b: expressions::Bool) -> f64 {
///     if b { 1.0 } else { 0.0 } // expected `bool`, found `Bool`
/// }
/// ```
/// ```compile_fail,E0369
/// fn same(a: expressions::Bool, b: expressions::Bool) -> bool {
///     a == b // binary operation `==` cannot be applied to type `Bool`
/// }
/// ```
#[derive(Clone, Copy)]
pub struct Bool(pub(crate) Id);

/// The identity of an expression, for maps; it is the same for expressions that were built in the
/// same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(Id);

impl Ex {
    /// The expression with a number in the arena of the present thread.
    pub fn from_id(id: Id) -> Ex {
        Ex(id)
    }

    /// Its number in the arena of the present thread.
    pub fn id(self) -> Id {
        self.0
    }

    /// Its number, to put another expression in its place.
    pub fn id_mut(&mut self) -> &mut Id {
        &mut self.0
    }

    /// The identity of the expression.
    pub fn key(self) -> Key {
        Key(self.0)
    }

    /// A constant.
    pub fn constant(value: f64) -> Ex {
        Ex(fold::constant(value))
    }

    /// The constant 0.
    pub fn zero() -> Ex {
        Ex::constant(0.0)
    }

    /// The constant 1.
    pub fn one() -> Ex {
        Ex::constant(1.0)
    }

    /// A new placeholder, for differentiation, substitution and unknowns of nonlinear blocks.
    pub fn symbol() -> Ex {
        Ex(graph::new_symbol())
    }

    /// A leaf. Truth-valued leaves are [`Bool::leaf`].
    pub fn leaf(leaf: Leaf) -> Ex {
        assert!(!leaf.is_truth(), "{leaf:?} is a truth value");
        Ex(graph::intern(Node::Leaf(leaf)))
    }

    /// The value, if the expression is a constant.
    pub fn constant_value(self) -> Option<f64> {
        fold::constant_value(self.0)
    }

    /// Whether this is the constant 0.
    pub fn is_constant_zero(self) -> bool {
        self.constant_value() == Some(0.0)
    }

    /// The leaf, if the expression is one.
    pub fn as_leaf(self) -> Option<Leaf> {
        match graph::node(self.0) {
            Node::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    fn unary(self, op: Unary) -> Ex {
        Ex(fold::unary(op, self.0))
    }

    fn binary(self, op: Binary, other: Ex) -> Ex {
        Ex(fold::binary(op, self.0, other.0))
    }

    fn compare(self, op: Comparison, other: Ex) -> Bool {
        Bool(fold::compare(op, self.0, other.0))
    }

    /// Square root; its derivative at zero is defined as zero.
    pub fn sqrt(self) -> Ex {
        self.unary(Unary::Sqrt)
    }

    /// Exponential function.
    pub fn exp(self) -> Ex {
        self.unary(Unary::Exp)
    }

    /// Natural logarithm.
    pub fn ln(self) -> Ex {
        self.unary(Unary::Ln)
    }

    /// Absolute value; no event.
    pub fn abs(self) -> Ex {
        self.unary(Unary::Abs)
    }

    /// Sign (-1, 0, 1); no event.
    pub fn sign(self) -> Ex {
        self.unary(Unary::Sign)
    }

    /// Largest integer that is at most the value; no event.
    pub fn floor(self) -> Ex {
        self.unary(Unary::Floor)
    }

    /// Sine and cosine, from one call.
    pub fn sin_cos(self) -> (Ex, Ex) {
        let (sine, cosine) = fold::sin_cos(self.0);
        (Ex(sine), Ex(cosine))
    }

    /// The same angle, of which sine and cosine are known: they are not computed from it.
    pub fn with_sin_cos(self, sine: Ex, cosine: Ex) -> Ex {
        graph::set_direction(self.0, sine.0, cosine.0);
        self
    }

    /// Sine; shares its call with the cosine of the same argument.
    pub fn sin(self) -> Ex {
        self.sin_cos().0
    }

    /// Cosine; shares its call with the sine of the same argument.
    pub fn cos(self) -> Ex {
        self.sin_cos().1
    }

    /// Tangent.
    pub fn tan(self) -> Ex {
        let (sine, cosine) = self.sin_cos();
        sine / cosine
    }

    /// Angle of the point `(x, self)`, in rad.
    pub fn atan2(self, x: impl Into<Ex>) -> Ex {
        self.binary(Binary::Atan2, x.into())
    }

    /// Power with a real exponent.
    pub fn pow(self, exponent: impl Into<Ex>) -> Ex {
        self.binary(Binary::Pow, exponent.into())
    }

    /// Power with a whole exponent, as products.
    pub fn powi(self, exponent: i32) -> Ex {
        let mut result = Ex::one();
        let mut square = self;
        let mut rest = exponent.unsigned_abs();
        while rest > 0 {
            if rest & 1 == 1 {
                result *= square;
            }
            rest >>= 1;
            if rest > 0 {
                square = square.square();
            }
        }
        if exponent < 0 { 1.0 / result } else { result }
    }

    /// `self * self`.
    pub fn square(self) -> Ex {
        self * self
    }

    /// The smaller of two; no event.
    pub fn min(self, other: impl Into<Ex>) -> Ex {
        self.binary(Binary::Min, other.into())
    }

    /// The larger of two; no event.
    pub fn max(self, other: impl Into<Ex>) -> Ex {
        self.binary(Binary::Max, other.into())
    }

    /// `self > other`, without event.
    pub fn gt(self, other: impl Into<Ex>) -> Bool {
        other.into().compare(Comparison::Less, self)
    }

    /// `self < other`, without event.
    pub fn lt(self, other: impl Into<Ex>) -> Bool {
        self.compare(Comparison::Less, other.into())
    }

    /// `self >= other`, without event.
    pub fn ge(self, other: impl Into<Ex>) -> Bool {
        other.into().compare(Comparison::LessEqual, self)
    }

    /// `self <= other`, without event.
    pub fn le(self, other: impl Into<Ex>) -> Bool {
        self.compare(Comparison::LessEqual, other.into())
    }

    /// `self == other`, without event.
    pub fn equals(self, other: impl Into<Ex>) -> Bool {
        !self.compare(Comparison::NotEqual, other.into())
    }

    /// Whether the value is not zero; this converts Boolean variables to truth values.
    pub fn is_true(self) -> Bool {
        self.compare(Comparison::NotEqual, Ex::zero())
    }
}

impl Bool {
    /// The truth value with a number in the arena of the present thread.
    pub fn from_id(id: Id) -> Bool {
        Bool(id)
    }

    /// Its number in the arena of the present thread.
    pub fn id(self) -> Id {
        self.0
    }

    /// Its number, to put another expression in its place.
    pub fn id_mut(&mut self) -> &mut Id {
        &mut self.0
    }

    /// The identity of the expression.
    pub fn key(self) -> Key {
        Key(self.0)
    }

    /// A constant.
    pub fn constant(value: bool) -> Bool {
        Bool(fold::truth(value))
    }

    /// A truth-valued leaf.
    pub fn leaf(leaf: Leaf) -> Bool {
        assert!(leaf.is_truth(), "{leaf:?} is not a truth value");
        Bool(graph::intern(Node::Leaf(leaf)))
    }

    /// The value, if it is a constant.
    pub fn constant_value(self) -> Option<bool> {
        fold::truth_value(self.0)
    }

    /// The leaf, if it is one.
    pub fn as_leaf(self) -> Option<Leaf> {
        match graph::node(self.0) {
            Node::Leaf(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// The truth values whose conjunction it is: itself, unless it was made with `&`.
    pub fn conjuncts(self) -> Vec<Bool> {
        let (mut found, mut open) = (Vec::new(), vec![self.0]);
        while let Some(id) = open.pop() {
            match graph::node(id) {
                Node::And(a, b) => open.extend([b, a]),
                _ => found.push(Bool(id)),
            }
        }
        found
    }

    /// 1 if true, else 0.
    pub fn as_ex(self) -> Ex {
        select(self, 1.0, 0.0)
    }
}

/// `a` if `c`, else `b`. Both are computed; only the chosen one is used, also in derivatives.
pub fn select(c: Bool, a: impl Into<Ex>, b: impl Into<Ex>) -> Ex {
    Ex(fold::select(c.0, a.into().0, b.into().0))
}

/// `a` if `c`, else `b`.
pub fn select_bool(c: Bool, a: Bool, b: Bool) -> Bool {
    (c & a) | (!c & b)
}

impl fmt::Debug for Ex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match graph::node(self.0) {
            Node::Constant(bits) => write!(f, "{:?}", f64::from_bits(bits)),
            Node::Leaf(leaf) => write!(f, "{leaf:?}"),
            _ => write!(f, "v{}", self.0),
        }
    }
}

impl fmt::Debug for Bool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match graph::node(self.0) {
            Node::Truth(value) => write!(f, "{value}"),
            Node::Leaf(leaf) => write!(f, "{leaf:?}"),
            _ => write!(f, "b{}", self.0),
        }
    }
}

impl From<f64> for Ex {
    fn from(value: f64) -> Ex {
        Ex::constant(value)
    }
}

impl From<i32> for Ex {
    fn from(value: i32) -> Ex {
        Ex::constant(f64::from(value))
    }
}

/// An operator between expressions, and between an expression and a number.
macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:expr) => {
        impl $trait for Ex {
            type Output = Ex;
            fn $method(self, other: Ex) -> Ex {
                self.binary($op, other)
            }
        }
        impl $assign_trait for Ex {
            fn $assign(&mut self, other: Ex) {
                *self = self.binary($op, other);
            }
        }
        operator!(with f64: $trait, $method, $assign_trait, $assign, $op);
        operator!(with i32: $trait, $method, $assign_trait, $assign, $op);
    };
    (with $Number:ty: $trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $op:expr) => {
        impl $trait<$Number> for Ex {
            type Output = Ex;
            fn $method(self, other: $Number) -> Ex {
                self.binary($op, other.into())
            }
        }
        impl $trait<Ex> for $Number {
            type Output = Ex;
            fn $method(self, other: Ex) -> Ex {
                Ex::from(self).binary($op, other)
            }
        }
        impl $assign_trait<$Number> for Ex {
            fn $assign(&mut self, other: $Number) {
                *self = self.binary($op, other.into());
            }
        }
    };
}

operator!(Add, add, AddAssign, add_assign, Binary::Add);
operator!(Sub, sub, SubAssign, sub_assign, Binary::Sub);
operator!(Mul, mul, MulAssign, mul_assign, Binary::Mul);
operator!(Div, div, DivAssign, div_assign, Binary::Div);

impl Neg for Ex {
    type Output = Ex;
    fn neg(self) -> Ex {
        self.unary(Unary::Neg)
    }
}

impl Sum for Ex {
    fn sum<I: Iterator<Item = Ex>>(terms: I) -> Ex {
        terms.fold(Ex::zero(), |a, b| a + b)
    }
}

impl<'a> Sum<&'a Ex> for Ex {
    fn sum<I: Iterator<Item = &'a Ex>>(terms: I) -> Ex {
        terms.copied().sum()
    }
}

impl Default for Ex {
    /// Zero.
    fn default() -> Self {
        Ex::zero()
    }
}

impl Zero for Ex {
    fn zero() -> Ex {
        Ex::constant(0.0)
    }
    fn is_zero(&self) -> bool {
        self.is_constant_zero()
    }
}

impl One for Ex {
    fn one() -> Ex {
        Ex::constant(1.0)
    }
}

impl Not for Bool {
    type Output = Bool;
    fn not(self) -> Bool {
        Bool(fold::not(self.0))
    }
}

impl BitAnd for Bool {
    type Output = Bool;
    fn bitand(self, other: Bool) -> Bool {
        Bool(fold::and(self.0, other.0))
    }
}

impl BitOr for Bool {
    type Output = Bool;
    fn bitor(self, other: Bool) -> Bool {
        Bool(fold::or(self.0, other.0))
    }
}
