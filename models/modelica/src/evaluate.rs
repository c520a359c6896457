//! The values of expressions and of parameters.

mod arguments;
mod assertions;
mod assignment;
mod attributes;
mod builtin;
mod call;
mod external;
mod iteration;
mod parameters;
mod records;
mod reference;
mod sizes;
mod statements;

pub(crate) use reference::Chosen;

use crate::instance::{Content, Instance, Member, Scope, Size, Sizes, Type, Variable};
use crate::library::{ClassNode, Library};
use crate::modifier::{Binding, Index, Modifier};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Expression, ExpressionKind, Operator, Subscript};
use crate::tables::Tables;
use crate::value::{MOST_ELEMENTS, Value, array_of, binary, chosen, unary};
use equations::{Bool, Ex, Key, Leaf, leaves_of};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The most components of a model, those in components and connectors counted.
const MOST_COMPONENTS: usize = 100_000;

/// How many expressions are evaluated at most.
const MOST_STEPS: u64 = 50_000_000;

/// The stack that an evaluation may need, in bytes: threads have 1 MB or more.
const LARGEST_STACK: usize = 600 << 10;

/// Where the stack is at present.
fn address_in_stack() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&here)).addr()
}

/// A parameter of the model that an importer can set.
#[derive(Clone, Debug)]
pub struct ModelParameter {
    /// Its full name.
    pub name: String,
    /// The symbol that represents it.
    pub symbol: Ex,
    /// Its value in the text.
    pub value: f64,
    /// Its declaration.
    pub variable: Rc<Variable>,
}

/// Evaluates expressions in an instance of a model.
pub struct Evaluator<'l> {
    /// The classes.
    pub library: &'l Library,
    /// Whether an instance of this name and class is a component of ours, whose text has no
    /// parameters of the model.
    pub is_leaf: &'l dyn Fn(&str, &ClassNode) -> bool,
    /// Blocks that say more than our declarations know, so that their texts have to be read.
    pub blocks_to_read: RefCell<BTreeSet<String>>,
    /// The parameters that must be numbers when the model is built.
    pub constants: &'l BTreeSet<String>,
    /// The parameters of the model that were used.
    pub parameters: RefCell<Vec<ModelParameter>>,
    /// Parameters of the model that follow from these, with their values.
    pub calculated: RefCell<Vec<(Rc<Variable>, Value)>>,
    by_symbol: RefCell<HashMap<Key, usize>>,
    /// The parameters of the model whose numbers were needed.
    pub needed: RefCell<BTreeSet<String>>,
    /// Packages with their constants.
    packages: RefCell<HashMap<Rc<str>, Rc<Instance>>>,
    /// The parameters of the model that the initial conditions determine, with those of components
    /// that have their values.
    pub claimed: RefCell<HashMap<String, String>>,
    /// The world of a model that has none.
    pub default_world: OnceCell<Rc<Instance>>,
    /// What users should know.
    pub notes: RefCell<Vec<String>>,
    /// Assertions of functions that equations call: condition, message, whether it is a warning.
    pub assertions: RefCell<Vec<(Bool, String, bool)>>,
    /// When the value that is computed is used.
    used: Cell<Bool>,
    /// Values of variables in equations.
    pub symbols: Option<&'l dyn Unknowns>,
    /// Whether equations are read, so that variables have values.
    in_equations: Cell<bool>,
    /// What was made of tables.
    tables: Tables,
    steps: Cell<u64>,
    /// Whether something was refused that is right in Modelica: a function in another language, or
    /// the value of a parameter that the initial conditions determine.
    pub is_beyond: Cell<bool>,
    /// How many components were made.
    components: Cell<usize>,
    /// An address in the stack where the evaluation begins.
    stack: usize,
}

/// The values of variables that are no parameters, while equations are read.
pub trait Unknowns {
    /// The value of a variable of the model, or of an element of it: the indices of the element,
    /// counted from zero, and the sizes of what remains.
    ///
    /// # Errors
    /// It cannot be used there.
    fn value(
        &self,
        variable: &Rc<Variable>,
        element: (&[usize], &[usize]),
        span: &Span,
    ) -> Checked<Value>;

    /// Whether initial equations determine the parameter of this name.
    fn is_determined(&self, name: &str) -> bool;

    /// Whether a value is a whole number that variables determine.
    fn is_whole(&self, value: Ex) -> bool;

    /// The value of a call that has a meaning in equations only, such as `der(x)` and `pre(x)`.
    ///
    /// # Errors
    /// It cannot be used there.
    fn call(
        &self,
        evaluator: &Evaluator<'_>,
        call: (&str, &[Expression]),
        scope: &Scope,
        span: &Span,
    ) -> Checked<Option<Value>>;

    /// The truth value of a comparison, which may cause events.
    fn relation(
        &self,
        condition: Bool,
        comparison: (Operator, &Value, &Value),
        span: &Span,
    ) -> Bool;

    /// Whether the condition of a `when` becomes true.
    ///
    /// # Errors
    /// It is not true or false.
    fn edge(
        &self,
        evaluator: &Evaluator<'_>,
        condition: &Expression,
        scope: &Scope,
    ) -> Checked<Bool>;
}

impl<'l> Evaluator<'l> {
    /// An evaluator that has seen nothing yet.
    pub fn new(
        library: &'l Library,
        is_leaf: &'l dyn Fn(&str, &ClassNode) -> bool,
        constants: &'l BTreeSet<String>,
    ) -> Self {
        Evaluator {
            library,
            is_leaf,
            blocks_to_read: RefCell::default(),
            constants,
            parameters: RefCell::default(),
            calculated: RefCell::default(),
            by_symbol: RefCell::default(),
            needed: RefCell::default(),
            packages: RefCell::default(),
            claimed: RefCell::default(),
            default_world: OnceCell::new(),
            notes: RefCell::default(),
            assertions: RefCell::default(),
            used: Cell::new(Bool::constant(true)),
            symbols: None,
            in_equations: Cell::new(false),
            tables: Tables::default(),
            steps: Cell::new(0),
            is_beyond: Cell::new(false),
            components: Cell::new(0),
            stack: address_in_stack(),
        }
    }

    /// Does something while equations are read, so that variables have values.
    pub fn reading_equations<T>(&self, work: impl FnOnce() -> T) -> T {
        let outside = self.in_equations.replace(true);
        let result = work();
        self.in_equations.set(outside);
        result
    }

    /// Does something for a value that is used under a condition only.
    fn used_when<T>(&self, condition: Bool, work: impl FnOnce() -> T) -> T {
        let outside = self.used.get();
        self.used.set(outside & condition);
        let result = work();
        self.used.set(outside);
        result
    }

    /// Values of variables, while equations are read.
    pub fn unknowns(&self) -> Option<&'l dyn Unknowns> {
        self.symbols.filter(|_| self.in_equations.get())
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// It has none.
    pub fn value(&self, expression: &Expression, scope: &Scope) -> Checked<Value> {
        self.count_step(&expression.span)?;
        let too_much = if self.stack.abs_diff(address_in_stack()) > LARGEST_STACK {
            Some("the evaluation is nested too deeply; does something refer to itself?")
        } else {
            None
        };
        match too_much {
            Some(sentence) => Err(Complaint::at(&expression.span, sentence)),
            None => self.value_of(expression, scope),
        }
    }

    fn count_step(&self, span: &Span) -> Checked<()> {
        self.count_steps(1, span)
    }

    fn count_steps(&self, count: u64, span: &Span) -> Checked<()> {
        self.steps.set(self.steps.get().saturating_add(count));
        match self.steps.get() > MOST_STEPS {
            true => Err(Complaint::at(span, "the evaluation takes too many steps")),
            false => Ok(()),
        }
    }

    fn value_of(&self, expression: &Expression, scope: &Scope) -> Checked<Value> {
        let at = |why: String| Complaint::at(&expression.span, why);
        match &*expression.kind {
            ExpressionKind::Real(value) => Ok(Value::from(*value)),
            ExpressionKind::Integer(value) => Ok(Value::Integer(*value)),
            ExpressionKind::Text(text) => Ok(Value::Text(Rc::clone(text))),
            ExpressionKind::Boolean(value) => Ok(Value::from(*value)),
            ExpressionKind::End => {
                let end = scope.frame.as_ref().and_then(|frame| frame.get("end"));
                end.ok_or_else(|| at("`end` belongs into a subscript".to_owned()))
            }
            ExpressionKind::Reference(reference) => self.reference(reference, scope),
            ExpressionKind::Call(function, arguments) => {
                self.call(function, arguments, scope, &expression.span)
            }
            ExpressionKind::Partial(name, arguments) => {
                let class = self.class(name, scope)?;
                let named = arguments.named.iter();
                let named = named
                    .map(|(name, value)| Ok((Rc::clone(&name.text), self.value(value, scope)?)));
                Ok(Value::Function(class, Rc::new(named.collect::<Checked<_>>()?)))
            }
            ExpressionKind::Unary(operator, operand) => {
                unary(*operator, &self.value(operand, scope)?).map_err(at)
            }
            ExpressionKind::Binary(operator @ (Operator::And | Operator::Or), left, right) => {
                self.connective(*operator, left, right, scope)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, scope)?, self.value(right, scope)?);
                let value = binary(*operator, &left, &right).map_err(at)?;
                Ok(match (value, self.unknowns()) {
                    (Value::Boolean(condition), Some(unknowns)) if left.truth().is_err() => {
                        let comparison = (*operator, &left, &right);
                        Value::Boolean(unknowns.relation(condition, comparison, &expression.span))
                    }
                    (value, _) => value,
                })
            }
            ExpressionKind::If(branches, otherwise) => self.choice(branches, otherwise, scope),
            ExpressionKind::Array(elements) => {
                let values = elements.iter().map(|element| self.value(element, scope));
                array_of(values.collect::<Checked<_>>()?).map_err(at)
            }
            ExpressionKind::Comprehension(body, indices)
            | ExpressionKind::Iteration(body, indices) => self.comprehension(body, indices, scope),
            ExpressionKind::Matrix(rows) => {
                let row = |row: &Vec<Expression>| {
                    let values = row.iter().map(|element| self.value(element, scope));
                    builtin::beside(&values.collect::<Checked<Vec<_>>>()?).map_err(at)
                };
                let rows = rows.iter().map(row).collect::<Checked<Vec<_>>>()?;
                let rows = rows.iter().flat_map(|row| row.elements().unwrap_or_default());
                array_of(rows.cloned().collect()).map_err(at)
            }
            ExpressionKind::Range(first, step, last) => {
                self.range(first, step.as_ref(), last, scope)
            }
            ExpressionKind::Tuple(_) => Err(at("several values where one is expected".to_owned())),
            ExpressionKind::Element(of, subscripts) => {
                let value = self.value(of, scope)?;
                self.element(&value, subscripts, scope, &expression.span)
            }
        }
    }

    fn choice(
        &self,
        branches: &[(Expression, Expression)],
        otherwise: &Expression,
        scope: &Scope,
    ) -> Checked<Value> {
        let Some(((condition, then), rest)) = branches.split_first() else {
            return self.value(otherwise, scope);
        };
        // A function ends only if it is known where it calls itself.
        let truth = match scope.frame {
            Some(_) => self.condition(condition, scope)?,
            None => self.truth(condition, scope)?,
        };
        match truth.constant_value() {
            Some(true) => return self.value(then, scope),
            Some(false) => return self.choice(rest, otherwise, scope),
            None => {}
        }
        let a = self.used_when(truth, || self.value(then, scope));
        let b = self.used_when(!truth, || self.choice(rest, otherwise, scope));
        let both = match (&a, &b) {
            (Ok(a), Ok(b)) => chosen(truth, a, b),
            (Err(complaint), _) | (_, Err(complaint)) => Err(complaint.sentence.clone()),
        };
        match both {
            Ok(value) => Ok(value),
            Err(why) if self.varies(truth) => {
                let other = || Complaint::at(&condition.span, why);
                Err(a.err().or(b.err()).unwrap_or_else(other))
            }
            Err(_) => {
                if self.known_truth(truth, &condition.span)? {
                    a
                } else {
                    b
                }
            }
        }
    }

    /// `a and b`, `a or b`: `b` may have no value if `a` decides.
    fn connective(
        &self,
        operator: Operator,
        left: &Expression,
        right: &Expression,
        scope: &Scope,
    ) -> Checked<Value> {
        let first = self.truth(left, scope)?;
        let decides = operator == Operator::Or;
        if first.constant_value() == Some(decides) {
            return Ok(Value::from(decides));
        }
        let needed = if decides { !first } else { first };
        match self.used_when(needed, || self.truth(right, scope)) {
            Ok(second) => binary(operator, &Value::Boolean(first), &Value::Boolean(second))
                .map_err(|why| Complaint::at(&left.span.to(&right.span), why)),
            Err(_) if !self.varies(first) && self.known_truth(first, &left.span)? == decides => {
                Ok(Value::from(decides))
            }
            Err(complaint) => Err(complaint),
        }
    }

    fn truth(&self, condition: &Expression, scope: &Scope) -> Checked<Bool> {
        let value = self.value(condition, scope)?;
        value.truth().map_err(|why| Complaint::at(&condition.span, why))
    }

    /// A truth value, which is known when the model is built unless equations are read.
    pub(crate) fn condition(&self, condition: &Expression, scope: &Scope) -> Checked<Bool> {
        let truth = self.truth(condition, scope)?;
        match self.unknowns() {
            Some(_) => Ok(truth),
            None => Ok(Bool::constant(self.known_truth(truth, &condition.span)?)),
        }
    }

    /// Whether a truth value depends on variables.
    pub(crate) fn varies(&self, truth: Bool) -> bool {
        let by_symbol = self.by_symbol.borrow();
        let is_parameter =
            |leaf: &Leaf| !leaf.is_truth() && by_symbol.contains_key(&Ex::leaf(*leaf).key());
        !leaves_of(&[truth.as_ex()]).iter().all(is_parameter)
    }

    /// A truth value that is known when the model is built.
    pub(crate) fn known_truth(&self, truth: Bool, span: &Span) -> Checked<bool> {
        match truth.constant_value() {
            Some(known) => Ok(known),
            None => Ok(self.number(equations::select(truth, 1.0, 0.0), span)? != 0.0),
        }
    }

    /// The value of a binding: its expression, or the element of it that belongs to an element of
    /// an array of components.
    pub fn bound(&self, binding: &Binding) -> Checked<Value> {
        let span = &binding.expression.span;
        let mut value = self.value(&binding.expression, &binding.scope)?;
        for Index { at, of } in &binding.indices {
            // An inner `each` with a single value holds for the arrays around it, too.
            if value.is_scalar() && binding.has_each() {
                break;
            }
            let elements = value.elements().map_err(|why| {
                let sentence = format!(
                    "{why}, but one value per component is expected; `each` gives all the same value"
                );
                Complaint::at(span, sentence)
            })?;
            if elements.len() != *of {
                let sentence = format!("{} values for {of} components", elements.len());
                return Err(Complaint::at(span, sentence));
            }
            value = elements[at - 1].clone();
        }
        Ok(value)
    }

    /// The value, checked against the type and the sizes of a variable.
    fn of_type(&self, value: Value, variable: &Variable, span: Option<&Span>) -> Checked<Value> {
        let span = span.unwrap_or(&variable.span);
        let value = if matches!(variable.kind, Type::Real) { value.with_reals() } else { value };
        self.check_sizes_of(variable, &value.sizes(), span)?;
        match variable.kind.misfit(&value) {
            None if matches!(variable.kind, Type::Integer | Type::Enumeration(_)) => {
                self.settled(value, span)
            }
            None => Ok(value),
            Some(other) => {
                let kind = variable.kind.name();
                let sentence = format!("{} is {kind}, not {}", variable.name, other.kind());
                Err(Complaint::at(span, sentence))
            }
        }
    }

    /// The same with numbers and literals that are known when the model is built in place of whole
    /// numbers and values of enumerations that follow from parameters.
    fn settled(&self, value: Value, span: &Span) -> Checked<Value> {
        #[allow(clippy::cast_possible_truncation, reason = "it is a whole number")]
        let known = |number: Ex| Ok(self.number(number, span)?.round() as i64);
        Ok(match value {
            Value::Array(elements) => {
                let settled = elements.iter().map(|element| self.settled(element.clone(), span));
                settled.collect::<Checked<_>>()?
            }
            Value::Whole(number) => Value::Integer(known(number)?),
            Value::Choice { of, number } => reference::literal(&of, known(number)?, span)?,
            other => other,
        })
    }

    /// The sizes of an array as they are declared; `None` if one of them follows from the value.
    pub(crate) fn declared_sizes(&self, declared: &[Size]) -> Checked<Option<Vec<usize>>> {
        let mut sizes = Vec::new();
        for Size { subscript, scope } in declared {
            let Subscript::Index(size) = subscript else { return Ok(None) };
            sizes.push(self.size(size, scope)?);
            let all = sizes.iter().try_fold(1_usize, |all, size| all.checked_mul(*size));
            if all.is_none_or(|all| all > MOST_ELEMENTS) {
                let sentence = format!("an array of the sizes {sizes:?} is too large");
                return Err(Complaint::at(&size.span, sentence));
            }
        }
        Ok(Some(sizes))
    }

    fn size(&self, size: &Expression, scope: &Scope) -> Checked<usize> {
        if let Some(all) = self.values_of_type(size, scope)? {
            return Ok(all.len());
        }
        let value = self.settled(self.value(size, scope)?, &size.span)?;
        let number = match &value {
            Value::Integer(number) => *number,
            Value::Literal { number, .. } => *number,
            other => {
                let sentence = format!("a size must be an Integer, not {}", other.kind());
                return Err(Complaint::at(&size.span, sentence));
            }
        };
        match usize::try_from(number) {
            Ok(number) if number <= MOST_ELEMENTS => Ok(number),
            Ok(_) => {
                let sentence = format!("a size of {number}; at most {MOST_ELEMENTS} are possible");
                Err(Complaint::at(&size.span, sentence))
            }
            Err(_) => Err(Complaint::at(&size.span, format!("a size of {number}"))),
        }
    }

    /// The content of a member.
    pub fn content(&self, instance: &Rc<Instance>, member: &Rc<Member>) -> Checked<Content> {
        member.content(instance, self.library, self)
    }
}

impl Sizes for Evaluator<'_> {
    fn sizes(&self, member: &Member) -> Checked<Vec<usize>> {
        if let Some(sizes) = self.declared_sizes(&member.sizes(self.library)?)? {
            return Ok(sizes);
        }
        match &member.modifier.value {
            Some(binding) => Ok(self.bound(binding)?.sizes()),
            None => {
                let name = &member.declaration.name;
                Err(Complaint::at(&name.span, format!("the size of {} is not known", name.text)))
            }
        }
    }

    fn count(&self, member: &Member, count: usize) -> Checked<()> {
        self.components.set(self.components.get().saturating_add(count));
        if self.components.get() > MOST_COMPONENTS {
            let sentence = format!("the model has more than {MOST_COMPONENTS} components");
            return Err(Complaint::at(&member.declaration.name.span, sentence));
        }
        Ok(())
    }

    fn is_present(&self, member: &Member) -> Checked<bool> {
        let Some((condition, scope)) = &member.condition else { return Ok(true) };
        let truth = self.condition(condition, scope)?;
        self.known_truth(truth, &condition.span)
    }

    fn outer(&self, member: &Rc<Member>, instance: &Rc<Instance>) -> Checked<Content> {
        let name = &member.declaration.name;
        let mut around = instance.parent.clone();
        while let Some(outside) = around {
            if let Some(found) = outside.members(self.library)?.get(&name.text)
                && found.inner
            {
                return self.content(&outside, found);
            }
            around = outside.parent.clone();
        }
        if &*member.class.path == "Modelica.Mechanics.MultiBody.World" {
            let world = self.default_world.get_or_init(|| {
                let note = "the model has no world: it gets one with the default gravity";
                self.notes.borrow_mut().push(note.to_owned());
                let mut root = instance;
                while let Some(parent) = &root.parent {
                    root = parent;
                }
                Instance::new(name.text.to_string(), &member.class, Modifier::default(), Some(root))
            });
            return Ok(Content::Instance(Rc::clone(world)));
        }
        let sentence = format!("no enclosing component has an inner {}", name.text);
        Err(Complaint::at(&name.span, sentence))
    }
}
