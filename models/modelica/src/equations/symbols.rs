//! Symbols in equations: each stands for a variable, a derivative, a value before an event, or for
//! a truth value whose changes are events.

mod delayed;
mod held;
mod made;
mod whole;

use crate::evaluate::{Evaluator, Unknowns};
use crate::instance::{Scope, Type, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Expression, ExpressionKind, Operator, Variability};
use crate::value::{Value, unary};
pub use delayed::Delayed;
use equations::{Bool, Ex, Key, Leaf, differentiate, leaves_of, select};
use std::cell::{Cell, Ref, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A variable, or an element of an array, with its full name.
    Variable(Rc<str>),
    /// The derivative of the variable with this number, or of the derivative of a potential.
    Derivative(usize),
    /// The value of the variable with this number before the event.
    Pre(usize),
    /// A comparison; see [`Symbols::relation_of`].
    Relation(usize),
    /// The condition of a `when`; see [`Symbols::edge_of`].
    Edge(usize),
    /// A parameter of a component that the initial conditions determine, with its full name.
    Parameter(Rc<str>),
    /// `sample(start, interval)`; see [`Symbols::sample_of`].
    Sample(usize),
    /// The largest whole number that is not larger than a value; see [`Symbols::whole_of`].
    Whole(usize),
    /// A delayed value; see [`Symbols::delay_of`].
    Delay(usize),
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// What it stands for.
    pub meaning: Meaning,
    /// The symbol in expressions.
    pub symbol: Ex,
    /// The declaration of the variable.
    pub variable: Option<Rc<Variable>>,
    /// Where it was used first.
    pub span: Span,
}

impl Symbol {
    /// Whether it changes at events only, as its type says.
    fn is_discrete(&self) -> bool {
        match &self.meaning {
            Meaning::Variable(_) => {
                let kind = self.variable.as_ref().map(|variable| &variable.kind);
                matches!(kind, Some(Type::Integer | Type::Boolean | Type::Enumeration(_)))
            }
            Meaning::Derivative(_) | Meaning::Delay(_) => false,
            _ => true,
        }
    }
}

/// A truth value `residual > 0` whose changes are events.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The residual.
    pub residual: Ex,
    /// Its text.
    pub text: String,
}

/// A condition of a `when`.
#[derive(Clone, Copy, Debug)]
pub enum Condition {
    /// `initial()`.
    Initial,
    /// An instant of `sample`.
    Sample(Bool),
    /// The condition becomes true.
    Becomes(Bool),
}

/// The symbols of a model.
#[derive(Debug, Default)]
pub struct Symbols {
    list: RefCell<Vec<Symbol>>,
    numbers: RefCell<HashMap<Meaning, usize>>,
    by_key: RefCell<HashMap<Key, usize>>,
    samples_by_key: RefCell<HashMap<Key, usize>>,
    relations: RefCell<Vec<Relation>>,
    edges: RefCell<Vec<(Vec<Condition>, String)>>,
    samples: RefCell<Vec<(Ex, Ex)>>,
    wholes: RefCell<Vec<Ex>>,
    delays: RefCell<Vec<Delayed>>,
    /// The parameters of components that have the values of parameters of the model which the
    /// initial conditions determine.
    pub claimed: RefCell<HashMap<String, String>>,
    /// Whether `noEvent` has no meaning; see [`Symbols::with_kinks`].
    with_kinks: Cell<bool>,
    /// The names of components with pins.
    owners_of_pins: RefCell<HashSet<Rc<str>>>,
    /// Whether comparisons cause no events: inside `noEvent`.
    without_events: Cell<bool>,
    /// The parameters that initial equations determine: variables that keep their values.
    determined: RefCell<HashSet<Rc<str>>>,
    /// The potentials of physical connectors, whose second derivatives are known.
    potentials: RefCell<HashSet<Rc<str>>>,
}

impl Symbols {
    /// The number of the symbol with this meaning, which is made if there is none.
    pub fn number(&self, meaning: Meaning, of: Option<&Rc<Variable>>, span: &Span) -> usize {
        if let Some(known) = self.numbers.borrow().get(&meaning) {
            return *known;
        }
        let (symbol, mut list) = (Ex::symbol(), self.list.borrow_mut());
        self.numbers.borrow_mut().insert(meaning.clone(), list.len());
        self.by_key.borrow_mut().insert(symbol.key(), list.len());
        list.push(Symbol { meaning, symbol, variable: of.cloned(), span: span.clone() });
        list.len() - 1
    }

    /// The symbol with a number.
    pub fn get(&self, number: usize) -> Ref<'_, Symbol> {
        Ref::map(self.list.borrow(), |list| &list[number])
    }

    /// Forgets the symbols from a number on, of a text that was given up.
    pub fn forget_from(&self, number: usize) {
        for symbol in self.list.borrow_mut().split_off(number) {
            self.numbers.borrow_mut().remove(&symbol.meaning);
            self.by_key.borrow_mut().remove(&symbol.symbol.key());
        }
    }

    /// How many symbols there are.
    pub fn count(&self) -> usize {
        self.list.borrow().len()
    }

    /// The symbol with a number in expressions.
    pub fn ex(&self, number: usize) -> Ex {
        self.get(number).symbol
    }

    /// The number of the symbol of a variable, if an equation names it.
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.numbers.borrow().get(&Meaning::Variable(name.into())).copied()
    }

    /// The number of the symbol with this meaning, if there is one.
    pub fn find(&self, meaning: &Meaning) -> Option<usize> {
        self.numbers.borrow().get(meaning).copied()
    }

    /// The number of a symbol.
    pub fn number_of(&self, symbol: Ex) -> Option<usize> {
        self.by_key.borrow().get(&symbol.key()).copied()
    }

    /// The comparison with a number.
    pub fn relation_of(&self, number: usize) -> Relation {
        self.relations.borrow()[number].clone()
    }

    /// The conditions of a `when`, and their text.
    pub fn edge_of(&self, number: usize) -> (Vec<Condition>, String) {
        self.edges.borrow()[number].clone()
    }

    /// Start and interval of a `sample`.
    pub fn sample_of(&self, number: usize) -> (Ex, Ex) {
        self.samples.borrow()[number]
    }

    /// The numbers of the symbols in expressions.
    pub fn of(&self, values: &[Ex]) -> Vec<usize> {
        let number = |leaf| self.number_of(Ex::leaf(leaf));
        let symbols = leaves_of(values).into_iter();
        symbols.filter(|leaf| matches!(leaf, Leaf::Symbol(_))).filter_map(number).collect()
    }

    /// The expressions behind a symbol that stands for a truth value.
    pub fn inside(&self, number: usize) -> Vec<Ex> {
        match self.get(number).meaning {
            Meaning::Relation(relation) => vec![self.relations.borrow()[relation].residual],
            Meaning::Whole(whole) => vec![self.wholes.borrow()[whole]],
            Meaning::Delay(delay) => vec![self.delays.borrow()[delay].time],
            Meaning::Sample(sample) => {
                let (start, interval) = self.samples.borrow()[sample];
                vec![start, interval]
            }
            Meaning::Edge(edge) => {
                let condition = |condition: &Condition| match condition {
                    Condition::Initial => None,
                    Condition::Sample(truth) | Condition::Becomes(truth) => Some(truth.as_ex()),
                };
                self.edges.borrow()[edge].0.iter().filter_map(condition).collect()
            }
            Meaning::Variable(_)
            | Meaning::Derivative(_)
            | Meaning::Pre(_)
            | Meaning::Parameter(_) => Vec::new(),
        }
    }

    /// The numbers of all symbols in expressions, also of those behind truth values.
    pub fn all_of(&self, values: &[Ex]) -> Vec<usize> {
        let (mut open, mut found) = (self.of(values), BTreeSet::new());
        while let Some(number) = open.pop() {
            if found.insert(number) {
                open.extend(self.of(&self.inside(number)));
            }
        }
        found.into_iter().collect()
    }

    /// Whether values follow from parameters alone.
    pub fn are_fixed(&self, values: &[Ex]) -> bool {
        let varies = |leaf: &Leaf| {
            matches!(leaf, Leaf::Time | Leaf::Initial) || self.number_of_leaf(*leaf).is_some()
        };
        !leaves_of(values).iter().any(varies)
    }

    fn number_of_leaf(&self, leaf: Leaf) -> Option<usize> {
        if leaf.is_truth() { None } else { self.number_of(Ex::leaf(leaf)) }
    }

    /// Whether a condition is about the instant of an event.
    pub fn is_of_instant(&self, condition: Bool) -> bool {
        let numbers = self.all_of(&[condition.as_ex()]);
        let is_instant = |of: &Meaning| matches!(of, Meaning::Edge(_) | Meaning::Sample(_));
        numbers.into_iter().any(|number| is_instant(&self.get(number).meaning))
    }

    /// A truth value by its symbol.
    fn truth(&self, meaning: Meaning, span: &Span) -> Bool {
        self.ex(self.number(meaning, None, span)).is_true()
    }

    /// The truth value `residual > 0`.
    fn positive(&self, residual: Ex, span: &Span) -> Bool {
        let text = short_text(span);
        let mut relations = self.relations.borrow_mut();
        let known = relations.iter().position(|known| known.residual.key() == residual.key());
        let relation = known.unwrap_or_else(|| {
            relations.push(Relation { residual, text });
            relations.len() - 1
        });
        drop(relations);
        self.truth(Meaning::Relation(relation), span)
    }

    /// Notes that a component has pins.
    pub fn declare_pins(&self, owner: &str) {
        self.owners_of_pins.borrow_mut().insert(owner.into());
    }

    /// Whether a text is that of a component with pins.
    fn has_pins(&self, scope: &Scope) -> bool {
        let owners = self.owners_of_pins.borrow();
        scope.instance.as_ref().is_some_and(|of| owners.contains(&*of.name))
    }

    /// Does something so that `noEvent` has no meaning: circuits find the pieces of their
    /// characteristics by events.
    fn with_kinks<T>(&self, is_kink: bool, work: impl FnOnce() -> T) -> T {
        let outside = self.with_kinks.replace(is_kink || self.with_kinks.get());
        let result = work();
        self.with_kinks.set(outside);
        result
    }

    /// Does something without events, as `noEvent` does.
    pub fn without_events<T>(&self, work: impl FnOnce() -> T) -> T {
        let outside = self.without_events.replace(true);
        let result = work();
        self.without_events.set(outside);
        result
    }

    /// Notes that a variable is the potential of a physical connector.
    pub fn declare_potential(&self, name: &str) {
        self.potentials.borrow_mut().insert(name.into());
    }

    /// Whether a variable is the potential of a physical connector.
    pub fn is_potential(&self, name: &str) -> bool {
        self.potentials.borrow().contains(name)
    }

    /// The name of the variable whose second derivative a symbol is.
    pub fn twice_differentiated(&self, number: usize) -> Option<Rc<str>> {
        let Meaning::Derivative(first) = self.get(number).meaning else { return None };
        let Meaning::Derivative(of) = self.get(first).meaning else { return None };
        match &self.get(of).meaning {
            Meaning::Variable(name) => Some(Rc::clone(name)),
            _ => None,
        }
    }

    /// The derivative of an expression with respect to time.
    ///
    /// # Errors
    /// It jumps.
    pub fn derivative(&self, value: Ex, span: &Span) -> Checked<Ex> {
        let mut seeds = vec![(Ex::leaf(Leaf::Time), Ex::one())];
        for number in self.of(&[value]) {
            let symbol = self.get(number).clone();
            match symbol.meaning {
                Meaning::Variable(_) if !symbol.is_discrete() => {
                    let of = symbol.variable.as_ref();
                    let rate = self.number(Meaning::Derivative(number), of, span);
                    seeds.push((symbol.symbol, self.ex(rate)));
                }
                Meaning::Derivative(_) if self.twice_differentiated(number).is_none() => {
                    let of = symbol.variable.as_ref();
                    let rate = self.number(Meaning::Derivative(number), of, span);
                    seeds.push((symbol.symbol, self.ex(rate)));
                }
                Meaning::Derivative(_) => {
                    let sentence = "a third derivative; a variable that is the second one helps";
                    return Err(Complaint::at(span, sentence));
                }
                Meaning::Delay(delay) => {
                    let Delayed { of, time, .. } = self.delay_of(delay);
                    let rate = self.derivative(of, span)?;
                    seeds.push((symbol.symbol, self.delayed(rate, time, span)));
                }
                _ => {}
            }
        }
        Ok(differentiate(&[value], &seeds)[0])
    }

    /// The value of a variable before the event.
    fn pre(&self, value: &Value, span: &Span) -> Checked<Value> {
        let of = |ex: Ex| {
            let number = self
                .number_of(ex)
                .filter(|number| matches!(self.get(*number).meaning, Meaning::Variable(_)));
            let number =
                number.ok_or_else(|| Complaint::at(span, "only a variable has a value before"))?;
            let variable = self.get(number).variable.clone();
            Ok(self.ex(self.number(Meaning::Pre(number), variable.as_ref(), span)))
        };
        match value {
            Value::Array(elements) => elements.iter().map(|value| self.pre(value, span)).collect(),
            single => {
                let number = single.number().map_err(|why| Complaint::at(span, why))?;
                let before = of(number)?;
                Ok(match single {
                    Value::Boolean(_) => Value::Boolean(before.is_true()),
                    Value::Whole(_) => Value::Whole(before),
                    Value::Choice { of, .. } => Value::Choice { of: Rc::clone(of), number: before },
                    _ => Value::Real(before),
                })
            }
        }
    }

    /// The value of a variable of these sizes.
    fn shaped(&self, variable: &Rc<Variable>, name: &str, sizes: &[usize], span: &Span) -> Value {
        match sizes {
            [] => {
                let meaning = match variable.variability {
                    Variability::Parameter if !self.is_determined(&variable.name) => {
                        Meaning::Parameter(name.into())
                    }
                    _ => Meaning::Variable(name.into()),
                };
                let symbol = self.ex(self.number(meaning, Some(variable), span));
                variable.kind.value(symbol)
            }
            [first, rest @ ..] => {
                let element = |k: usize| {
                    let name = indexed(name, &variable.name, k + 1);
                    self.shaped(variable, &name, rest, span)
                };
                (0..*first).map(element).collect()
            }
        }
    }

    fn each(value: &Value, span: &Span, of: &dyn Fn(Ex) -> Checked<Value>) -> Checked<Value> {
        match value {
            Value::Array(elements) => {
                elements.iter().map(|value| Symbols::each(value, span, of)).collect()
            }
            other => of(other.real().map_err(|why| Complaint::at(span, why))?),
        }
    }

    /// `der(x)`.
    fn der(&self, value: &Value, span: &Span) -> Checked<Value> {
        if let Some(other) = value.scalars().iter().find(|of| matches!(of, Value::Whole(_))) {
            let sentence = format!("only a Real has a derivative, and this is {}", other.kind());
            return Err(Complaint::at(span, sentence));
        }
        Symbols::each(value, span, &|ex| Ok(Value::Real(self.derivative(ex, span)?)))
    }

    /// `sign(x)`, which jumps at events.
    fn sign(&self, x: Ex, span: &Span) -> Value {
        let (up, down) = (self.positive(x, span), self.positive(-x, span));
        Value::Whole(select(up, 1.0, select(down, -1.0, 0.0)))
    }
}

/// The beginning of the text at a place, in one line.
pub fn short_text(span: &Span) -> String {
    let words: Vec<&str> = span.text().split_whitespace().collect();
    words.join(" ").chars().take(80).collect()
}

/// Why a String cannot be a variable.
pub fn text_that_varies(name: &str) -> String {
    format!("{name} is a String, and only parameters and constants can be Strings")
}

/// The name of an element: `x[2]`, or `x[1,2]` if the array is an element itself.
pub fn indexed(name: &str, of: &str, index: usize) -> String {
    match name.strip_suffix(']') {
        Some(open) if name.len() > of.len() => format!("{open},{index}]"),
        _ => format!("{name}[{index}]"),
    }
}

impl Unknowns for Symbols {
    fn is_whole(&self, value: Ex) -> bool {
        let is_time = |leaf: &Leaf| matches!(leaf, Leaf::Time);
        let is_whole = |number: usize| match self.get(number).meaning {
            Meaning::Pre(of) => self.get(of).is_discrete(),
            _ => self.get(number).is_discrete(),
        };
        !leaves_of(&[value]).iter().any(is_time) && self.of(&[value]).into_iter().all(is_whole)
    }

    fn is_determined(&self, name: &str) -> bool {
        self.determined.borrow().contains(name)
    }

    fn value(
        &self,
        variable: &Rc<Variable>,
        (indices, sizes): (&[usize], &[usize]),
        span: &Span,
    ) -> Checked<Value> {
        match &variable.kind {
            Type::Real | Type::Integer | Type::Boolean | Type::Enumeration(_) => {
                let name = indices.iter().fold(variable.name.clone(), |name, index| {
                    indexed(&name, &variable.name, index + 1)
                });
                Ok(self.shaped(variable, &name, sizes, span))
            }
            Type::Text | Type::Object => Err(Complaint::at(span, text_that_varies(&variable.name))),
        }
    }

    fn call(
        &self,
        evaluator: &Evaluator<'_>,
        (name, arguments): (&str, &[Expression]),
        scope: &Scope,
        span: &Span,
    ) -> Checked<Option<Value>> {
        let value = |argument: &Expression| evaluator.value(argument, scope);
        let before = |argument: &Expression| {
            self.pre(&evaluator.value(argument, &scope.without_assignments())?, span)
        };
        let real = |argument: &Expression| {
            value(argument)?.real().map_err(|why| Complaint::at(&argument.span, why))
        };
        Ok(Some(match (name, arguments) {
            ("time", []) => Value::Real(Ex::leaf(Leaf::Time)),
            ("initial", []) => Value::Boolean(Bool::leaf(Leaf::Initial)),
            ("der", [argument]) => self.der(&value(argument)?, span)?,
            ("pre", [argument]) => before(argument)?,
            ("edge" | "change", [argument]) => {
                let (now, before) = (value(argument)?, before(argument)?);
                let at = |why| Complaint::at(span, why);
                if name == "edge" {
                    let before = unary(Operator::Not, &before).map_err(at)?;
                    crate::value::binary(Operator::And, &now, &before).map_err(at)?
                } else {
                    crate::value::binary(Operator::NotEqual, &now, &before).map_err(at)?
                }
            }
            ("sample", [start, interval]) => {
                let (start, interval) = (real(start)?, real(interval)?);
                if !self.are_held(&[start, interval]) {
                    let sentence = "start and interval of a sample must be parameters";
                    return Err(Complaint::at(span, sentence));
                }
                let mut samples = self.samples.borrow_mut();
                samples.push((start, interval));
                let number = samples.len() - 1;
                drop(samples);
                let truth = self.truth(Meaning::Sample(number), span);
                self.samples_by_key.borrow_mut().insert(truth.key(), number);
                Value::Boolean(truth)
            }
            ("smooth", [order, argument]) if self.has_pins(scope) => {
                let is_kink = matches!(value(order)?, Value::Integer(0));
                self.with_kinks(is_kink, || value(argument))?
            }
            ("noEvent", [argument]) if self.with_kinks.get() => value(argument)?,
            ("noEvent", [argument]) => self.without_events(|| value(argument))?,
            ("sign", [argument]) => match value(argument)? {
                fixed @ (Value::Integer(_) | Value::Boolean(_)) => return self.plain(&fixed, span),
                varying => Symbols::each(&varying, span, &|x| match self.is_smooth(&[x]) {
                    true => Ok(self.sign(x, span)),
                    false => Ok(Value::Whole(x.sign())),
                })?,
            },
            ("floor" | "ceil" | "integer", [argument]) => {
                return self.whole_number(name, &[value(argument)?], span);
            }
            ("div" | "mod" | "rem", [a, b]) => {
                return self.whole_number(name, &[value(a)?, value(b)?], span);
            }
            ("delay", [of, time] | [of, time, _]) => self.delay(&value(of)?, real(time)?, span)?,
            ("delay" | "spatialDistribution" | "inStream" | "actualStream" | "cardinality", _)
            | ("terminal" | "terminate" | "reinit", _) => {
                return Err(Complaint::at(span, format!("{name} is not supported here")));
            }
            _ => return Ok(None),
        }))
    }

    fn relation(
        &self,
        condition: Bool,
        (operator, left, right): (Operator, &Value, &Value),
        span: &Span,
    ) -> Bool {
        let (Ok(a), Ok(b)) = (left.real(), right.real()) else { return condition };
        if !self.is_smooth(&[a, b]) {
            return condition;
        }
        match operator {
            Operator::Less => self.positive(b - a, span),
            Operator::Greater => self.positive(a - b, span),
            Operator::LessEqual => !self.positive(a - b, span),
            Operator::GreaterEqual => !self.positive(b - a, span),
            _ => condition,
        }
    }

    fn edge(
        &self,
        evaluator: &Evaluator<'_>,
        condition: &Expression,
        scope: &Scope,
    ) -> Checked<Bool> {
        let several = match &*condition.kind {
            ExpressionKind::Array(several) => &several[..],
            _ => std::slice::from_ref(condition),
        };
        let mut conditions = Vec::new();
        for one in several {
            let value = evaluator.value(one, scope)?;
            for value in value.scalars() {
                let truth = value.truth().map_err(|why| Complaint::at(&one.span, why))?;
                conditions.push(if truth.as_leaf() == Some(Leaf::Initial) {
                    Condition::Initial
                } else if self.samples_by_key.borrow().contains_key(&truth.key()) {
                    Condition::Sample(truth)
                } else {
                    Condition::Becomes(truth)
                });
            }
        }
        let mut edges = self.edges.borrow_mut();
        edges.push((conditions, condition.span.text().to_owned()));
        let number = edges.len() - 1;
        drop(edges);
        Ok(self.truth(Meaning::Edge(number), &condition.span))
    }
}

impl Symbols {
    /// Whether values change between events, so that jumps that follow from them are events.
    fn is_smooth(&self, values: &[Ex]) -> bool {
        let has_time = leaves_of(values).iter().any(|leaf| matches!(leaf, Leaf::Time));
        let is_discrete = |number: &usize| self.get(*number).is_discrete();
        !self.without_events.get() && (has_time || !self.of(values).iter().all(is_discrete))
    }

    fn plain(&self, value: &Value, span: &Span) -> Checked<Option<Value>> {
        match value {
            Value::Integer(number) => Ok(Some(Value::Integer(number.signum()))),
            other => Err(Complaint::at(span, format!("{} has no sign", other.kind()))),
        }
    }
}
