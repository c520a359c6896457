//! The syntax tree of what is read of a Modelica text.

mod annotations;
mod expressions;
mod nesting;
mod parse;
mod repeated;
pub mod source;
mod tree;

pub use parse::parse;

use crate::source::Span;
use std::rc::Rc;

/// A word of the text with its place.
#[derive(Clone, Debug)]
pub struct Word {
    /// The word.
    pub text: Rc<str>,
    /// Its place.
    pub span: Span,
}

/// A name with dots, such as `Modelica.Mechanics`.
#[derive(Clone, Debug)]
pub struct Name {
    /// Whether it begins with a dot: it is looked up from the root.
    pub from_root: bool,
    /// Its parts.
    pub parts: Vec<Word>,
    /// Its place.
    pub span: Span,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (k, part) in self.parts.iter().enumerate() {
            let dot = if k > 0 || self.from_root { "." } else { "" };
            write!(f, "{dot}{}", part.text)?;
        }
        Ok(())
    }
}

/// The content of a file.
#[derive(Debug)]
pub struct StoredDefinition {
    /// The package to which its classes belong.
    pub within: Option<Name>,
    /// Its classes.
    pub classes: Vec<Rc<Class>>,
}

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassKind {
    /// `class`.
    Class,
    /// `model`.
    Model,
    /// `block`.
    Block,
    /// `record`, `operator record`.
    Record,
    /// `connector`, `expandable connector`.
    Connector,
    /// `type`.
    Type,
    /// `package`.
    Package,
    /// `function`, with or without `pure`, `impure` and `operator`.
    Function,
    /// `operator`.
    Operator,
}

/// A class.
#[derive(Debug)]
pub struct Class {
    /// What it is.
    pub kind: ClassKind,
    /// Whether it is a connector whose members come to be by connecting.
    pub expandable: bool,
    /// `partial`.
    pub partial: bool,
    /// `encapsulated`.
    pub encapsulated: bool,
    /// Its name.
    pub name: Word,
    /// Its description in one line.
    pub description: String,
    /// Its content.
    pub body: Body,
    /// Its annotation.
    pub annotation: Vec<Argument>,
}

/// The content of a class.
#[derive(Debug)]
pub enum Body {
    /// Elements and equations.
    Long(Composition),
    /// `= [input|output] base[subscripts](modification)`.
    Short {
        /// `input` or `output`, if given.
        causality: Option<Causality>,
        /// The class from which it is made.
        base: Name,
        /// Its sizes.
        subscripts: Vec<Subscript>,
        /// Its modification.
        modification: Vec<Argument>,
    },
    /// `= enumeration(a, b)`: the literals with their descriptions.
    Enumeration(Vec<(Word, String)>),
    /// `= der(f, x)`.
    Derivative(Span),
}

/// Elements and equations.
#[derive(Debug, Default)]
pub struct Composition {
    /// The modification of `model extends name(modification)`.
    pub extends_inherited: Option<Vec<Argument>>,
    /// Its elements.
    pub elements: Vec<Element>,
    /// Its equations.
    pub equations: Vec<Equation>,
    /// Those of `initial equation`.
    pub initial_equations: Vec<Equation>,
    /// Its algorithms.
    pub algorithms: Vec<Vec<Statement>>,
    /// Those of `initial algorithm`.
    pub initial_algorithms: Vec<Vec<Statement>>,
    /// The place of `external`.
    pub external: Option<Span>,
}

/// An element of a class.
#[derive(Debug)]
pub struct Element {
    /// `protected`.
    pub protected: bool,
    /// `redeclare`.
    pub redeclare: bool,
    /// `final`.
    pub is_final: bool,
    /// `inner`.
    pub inner: bool,
    /// `outer`.
    pub outer: bool,
    /// `replaceable`.
    pub replaceable: bool,
    /// What a redeclaration of it must fit.
    pub constraint: Option<Rc<Constraint>>,
    /// What it is.
    pub kind: ElementKind,
}

/// `constrainedby A(x = 1)`.
#[derive(Debug)]
pub struct Constraint {
    /// The class.
    pub of: Name,
    /// Its modification.
    pub modification: Vec<Argument>,
}

/// What an element is.
#[derive(Debug)]
pub enum ElementKind {
    /// `import`.
    Import(Import),
    /// `extends`.
    Extends(Rc<Extends>),
    /// A class.
    Class(Rc<Class>),
    /// A component.
    Component(Rc<Component>),
}

/// An import.
#[derive(Debug)]
pub enum Import {
    /// `import A.B;` and `import C = A.B;`: the name that it gets, and that of the class.
    Named(Word, Name),
    /// `import A.*;`.
    All(Name),
}

/// `extends base(modification)`.
#[derive(Debug)]
pub struct Extends {
    /// The class.
    pub base: Name,
    /// Its modification.
    pub modification: Vec<Argument>,
    /// What `break` names.
    pub breaks: Vec<Span>,
}

/// `input` or `output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// `input`.
    Input,
    /// `output`.
    Output,
}

/// How often a variable changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    /// `constant`.
    Constant,
    /// `parameter`.
    Parameter,
    /// `discrete`.
    Discrete,
    /// None of them.
    Continuous,
}

/// The declaration of a component.
#[derive(Debug)]
pub struct Component {
    /// Its variability.
    pub variability: Variability,
    /// `input` or `output`.
    pub causality: Option<Causality>,
    /// Its type.
    pub of: Name,
    /// Its sizes: first the ones after its name, then the ones after its type.
    pub subscripts: Vec<Subscript>,
    /// Its name.
    pub name: Word,
    /// Its modification.
    pub modification: Modification,
    /// Its condition.
    pub condition: Option<Expression>,
    /// Its description in one line.
    pub description: String,
    /// Its annotation.
    pub annotation: Vec<Argument>,
}

impl Component {
    /// What it says apart from descriptions: a component may be inherited from two classes that say
    /// the same.
    pub fn says(&self) -> (Variability, Option<Causality>, &str, Vec<&str>, Option<&str>) {
        let Modification { arguments, value } = &self.modification;
        let arguments = arguments.iter().map(|argument| argument.span.text()).collect();
        let of = self.of.parts.last().map_or("", |part| &part.text);
        let value = value.as_ref().map(|value| value.span.text());
        (self.variability, self.causality, of, arguments, value)
    }

    /// The declaration without its modification.
    pub fn clone_head(&self) -> Component {
        Component {
            variability: self.variability,
            causality: self.causality,
            of: self.of.clone(),
            subscripts: self.subscripts.clone(),
            name: self.name.clone(),
            modification: Modification::default(),
            condition: self.condition.clone(),
            description: self.description.clone(),
            annotation: self.annotation.clone(),
        }
    }
}

/// `(arguments) = value`.
#[derive(Clone, Debug, Default)]
pub struct Modification {
    /// The arguments.
    pub arguments: Vec<Argument>,
    /// The value.
    pub value: Option<Expression>,
}

/// An argument of a modification.
#[derive(Clone, Debug)]
pub struct Argument {
    /// `each`.
    pub each: bool,
    /// `final`.
    pub is_final: bool,
    /// The modification of `constrainedby A(x = 1)`.
    pub constraint: Vec<Argument>,
    /// What it is.
    pub kind: ArgumentKind,
    /// Its place.
    pub span: Span,
}

/// What an argument is.
#[derive(Clone, Debug)]
pub enum ArgumentKind {
    /// `name(arguments) = value`.
    Modify(Name, Rc<Modification>),
    /// `redeclare type name`, or `replaceable type name`.
    RedeclareComponent(Rc<Component>),
    /// `redeclare class name = base(..)`.
    RedeclareClass(Rc<Class>),
}

/// A subscript.
#[derive(Clone, Debug)]
pub enum Subscript {
    /// `:`.
    All(Span),
    /// An index or a range of indices.
    Index(Expression),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is.
    pub kind: Rc<ExpressionKind>,
    /// Its place.
    pub span: Span,
}

impl Expression {
    /// Calls `f` with each reference in it that is no name of a function.
    pub fn for_each_reference(&self, f: &mut dyn FnMut(&Reference)) {
        use ExpressionKind as Kind;
        let mut parts: Vec<&Expression> = Vec::new();
        match &*self.kind {
            Kind::Reference(reference) => {
                f(reference);
                parts.extend(reference.parts.iter().flat_map(|of| indices(&of.subscripts)));
            }
            Kind::Call(_, arguments) | Kind::Partial(_, arguments) => {
                parts.extend(&arguments.positional);
                parts.extend(arguments.named.iter().map(|(_, value)| value));
            }
            Kind::Unary(_, a) => parts.push(a),
            Kind::Binary(_, a, b) => parts.extend([a, b]),
            Kind::If(branches, otherwise) => {
                parts.extend(branches.iter().flat_map(|(condition, value)| [condition, value]));
                parts.push(otherwise);
            }
            Kind::Array(elements) => parts.extend(elements),
            Kind::Comprehension(body, of) | Kind::Iteration(body, of) => {
                parts.push(body);
                parts.extend(of.iter().filter_map(|index| index.range.as_ref()));
            }
            Kind::Matrix(rows) => parts.extend(rows.iter().flatten()),
            Kind::Range(first, step, last) => parts.extend([first, last].into_iter().chain(step)),
            Kind::Tuple(elements) => parts.extend(elements.iter().flatten()),
            Kind::Element(of, subscripts) => {
                parts.push(of);
                parts.extend(indices(subscripts));
            }
            Kind::Real(_) | Kind::Integer(_) | Kind::Text(_) | Kind::Boolean(_) | Kind::End => {}
        }
        parts.into_iter().for_each(|part| part.for_each_reference(f));
    }
}

/// The expressions in subscripts.
fn indices(subscripts: &[Subscript]) -> impl Iterator<Item = &Expression> {
    subscripts.iter().filter_map(|subscript| match subscript {
        Subscript::Index(index) => Some(index),
        Subscript::All(_) => None,
    })
}

/// What an expression is.
#[derive(Debug)]
pub enum ExpressionKind {
    /// A number with a point or an exponent.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(Rc<str>),
    /// `true` or `false`.
    Boolean(bool),
    /// `end`, in a subscript.
    End,
    /// A component, a constant, a class.
    Reference(Reference),
    /// A call; the names `der`, `initial` and `pure` are ordinary names here.
    Call(Reference, Arguments),
    /// `function f(named arguments)`.
    Partial(Name, Arguments),
    /// `-x`, `+x`, `not x`.
    Unary(Operator, Expression),
    /// `x + y`.
    Binary(Operator, Expression, Expression),
    /// `if a then x elseif b then y else z`.
    If(Vec<(Expression, Expression)>, Expression),
    /// `{a, b}`.
    Array(Vec<Expression>),
    /// `{f(i) for i in 1:n}`.
    Comprehension(Expression, Vec<ForIndex>),
    /// `f(i) for i in 1:n`, the argument of a function.
    Iteration(Expression, Vec<ForIndex>),
    /// `[a, b; c, d]`.
    Matrix(Vec<Vec<Expression>>),
    /// `a:b` or `a:step:b`.
    Range(Expression, Option<Expression>, Expression),
    /// `(a, , b)`, except `(a)`.
    Tuple(Vec<Option<Expression>>),
    /// `(a)[1]`.
    Element(Expression, Vec<Subscript>),
}

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Those without a name.
    pub positional: Vec<Expression>,
    /// Those with a name.
    pub named: Vec<(Word, Expression)>,
}

impl Arguments {
    /// The argument at a position, or that with a name.
    pub fn get(&self, position: usize, name: &str) -> Option<&Expression> {
        let named = || self.named.iter().find(|(other, _)| &*other.text == name);
        self.positional.get(position).or_else(|| named().map(|(_, value)| value))
    }
}

/// `a.b[1].c`.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Whether it begins with a dot.
    pub from_root: bool,
    /// Its parts.
    pub parts: Vec<Part>,
    /// Its place.
    pub span: Span,
}

/// A part of a reference.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: Word,
    /// Its subscripts.
    pub subscripts: Vec<Subscript>,
}

/// An operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    ElementAdd,
    ElementSubtract,
    ElementMultiply,
    ElementDivide,
    ElementPower,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
}

/// `i in range`.
#[derive(Clone, Debug)]
pub struct ForIndex {
    /// The variable.
    pub name: Word,
    /// The range, if it is given.
    pub range: Option<Expression>,
}

/// An equation.
#[derive(Debug)]
pub struct Equation {
    /// What it is.
    pub kind: EquationKind,
    /// Its place.
    pub span: Span,
    /// Its description.
    pub description: String,
}

/// What an equation is.
#[derive(Debug)]
pub enum EquationKind {
    /// `a = b`.
    Equal(Expression, Expression),
    /// A call, such as `assert(..)`.
    Call(Expression),
    /// `connect(a, b)`.
    Connect(Reference, Reference),
    /// `if`: conditions and equations, and those of `else`.
    If(Vec<(Expression, Vec<Equation>)>, Vec<Equation>),
    /// `for`.
    For(Vec<ForIndex>, Vec<Equation>),
    /// `when` and `elsewhen`.
    When(Vec<(Expression, Vec<Equation>)>),
}

/// A statement.
#[derive(Debug)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Its place.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug)]
pub enum StatementKind {
    /// `a := b`.
    Assign(Reference, Expression),
    /// `(a, b) := f(c)`.
    AssignSeveral(Vec<Option<Expression>>, Expression),
    /// A call, such as `assert(..)`.
    Call(Expression),
    /// `if`: conditions and statements, and those of `else`.
    If(Vec<(Expression, Vec<Statement>)>, Vec<Statement>),
    /// `for`.
    For(Vec<ForIndex>, Vec<Statement>),
    /// `while`.
    While(Expression, Vec<Statement>),
    /// `when` and `elsewhen`.
    When(Vec<(Expression, Vec<Statement>)>),
    /// `break`.
    Break,
    /// `return`.
    Return,
}
