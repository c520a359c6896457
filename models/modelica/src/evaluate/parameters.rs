//! Parameters: their values, which of them an importer can set, and which become constants.

use super::{Evaluator, ModelParameter};
use crate::instance::{Content, Instance, Type, Variable, is_of};
use crate::library::ClassNode;
use crate::modifier::Binding;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{ClassKind, ExpressionKind, Variability};
use crate::value::Value;
use equations::{Ex, evaluate, leaves_of};
use std::rc::Rc;

impl Evaluator<'_> {
    /// The number that a value is when the model is built.
    ///
    /// # Errors
    /// It depends on variables.
    pub fn number(&self, value: Ex, span: &Span) -> Checked<f64> {
        if let Some(number) = value.constant_value() {
            return Ok(number);
        }
        self.need(value, span)?;
        self.default_number(value)
            .ok_or_else(|| Complaint::at(span, "the value cannot be computed"))
    }

    /// The number that a value is with the defaults of the parameters; `None` if it depends on
    /// something else.
    pub fn known_number(&self, value: Ex) -> Option<f64> {
        let by_symbol = self.by_symbol.borrow();
        let leaves = leaves_of(&[value]);
        let is_known = leaves.iter().all(|leaf| by_symbol.contains_key(&Ex::leaf(*leaf).key()));
        is_known.then(|| self.default_number(value)).flatten()
    }

    /// The number that a value is with the defaults of the parameters, which may change later;
    /// `None` if it cannot be computed.
    pub fn default_number(&self, value: Ex) -> Option<f64> {
        let by_symbol = self.by_symbol.borrow();
        let parameters = self.parameters.borrow();
        let mut leaf = |leaf| {
            let at = by_symbol.get(&Ex::leaf(leaf).key());
            at.map_or(f64::NAN, |at| parameters[*at].value)
        };
        evaluate(&[value], &mut leaf).ok().map(|numbers| numbers[0])
    }

    /// Notes that the numbers of all parameters in an expression are needed.
    pub fn need(&self, value: Ex, span: &Span) -> Checked<()> {
        for leaf in leaves_of(&[value]) {
            let by_symbol = self.by_symbol.borrow();
            let Some(at) = by_symbol.get(&Ex::leaf(leaf).key()) else {
                let sentence = "the value must be known when the model is built";
                return Err(Complaint::at(span, sentence));
            };
            let name = self.parameters.borrow()[*at].name.clone();
            self.needed.borrow_mut().insert(name);
        }
        Ok(())
    }

    /// The parameters of the model in an expression.
    pub fn parameters_in(&self, value: Ex) -> Vec<usize> {
        let by_symbol = self.by_symbol.borrow();
        let known = |leaf| by_symbol.get(&Ex::leaf(leaf).key()).copied();
        leaves_of(&[value]).into_iter().filter_map(known).collect()
    }

    /// The parameters of the model in expressions whose values in the text are zero.
    pub fn parameters_that_are_zero(&self, values: &[Ex]) -> Vec<Ex> {
        let (by_symbol, parameters) = (self.by_symbol.borrow(), self.parameters.borrow());
        let leaves = leaves_of(values).into_iter().map(Ex::leaf);
        let is_zero = |symbol: &Ex| {
            by_symbol.get(&symbol.key()).is_some_and(|at| parameters[*at].value == 0.0)
        };
        leaves.filter(is_zero).collect()
    }

    /// The value of a parameter or constant.
    ///
    /// # Errors
    /// It has none, or depends on itself.
    pub fn variable(&self, instance: &Rc<Instance>, variable: &Rc<Variable>) -> Checked<Value> {
        if let Some(known) = variable.value.get() {
            return Ok(known.clone());
        }
        if variable.in_progress.replace(true) {
            let sentence = format!("{} depends on itself", variable.name);
            return Err(Complaint::at(&variable.span, sentence));
        }
        // Its value follows from parameters, also where equations are read.
        let in_equations = self.in_equations.take();
        let value = self.variable_anew(instance, variable);
        self.in_equations.set(in_equations);
        variable.in_progress.set(false);
        let value = value?;
        Ok(variable.value.get_or_init(|| value).clone())
    }

    /// Whether the initial conditions determine a parameter: `fixed = false`.
    ///
    /// # Errors
    /// The attribute has no value.
    pub fn is_unknown(&self, variable: &Variable) -> Checked<bool> {
        Ok(match self.attribute_of(variable, "fixed")? {
            Some(Value::Boolean(fixed)) => {
                fixed.constant_value() == Some(false)
                    && variable.variability == Variability::Parameter
            }
            _ => false,
        })
    }

    /// Whether the initial conditions determine a parameter, or the one whose name is its value.
    pub(crate) fn follows_unknown(&self, variable: &Variable) -> Checked<bool> {
        if variable.variability != Variability::Parameter || variable.value.get().is_some() {
            return Ok(false);
        }
        Ok(self.is_unknown(variable)?
            || match &variable.modifier.value {
                Some(binding) => self.unknown_parameter(binding)?.is_some(),
                None => false,
            })
    }

    /// The parameter that the initial conditions determine, if a binding is nothing but its name.
    pub(super) fn unknown_parameter(&self, binding: &Binding) -> Checked<Option<Rc<Variable>>> {
        let ExpressionKind::Reference(reference) = &*binding.expression.kind else {
            return Ok(None);
        };
        let ([part], Some(instance)) = (&reference.parts[..], &binding.scope.instance) else {
            return Ok(None);
        };
        let members = instance.members(self.library)?;
        let Some(member) = members.get(&part.name.text) else { return Ok(None) };
        if member.declaration.variability != Variability::Parameter {
            return Ok(None);
        }
        let Content::Variable(variable) = self.content(instance, member)? else { return Ok(None) };
        Ok(self.is_unknown(&variable)?.then_some(variable))
    }

    /// The parameter of the model that is the value of a parameter of a component, if the initial
    /// conditions determine it. The component then has its value.
    ///
    /// # Errors
    /// It is the value of another parameter already.
    pub fn claim(&self, binding: &Binding, owner: &str) -> Checked<Option<Rc<Variable>>> {
        let Some(variable) = self.unknown_parameter(binding)? else { return Ok(None) };
        let earlier = self.claimed.borrow_mut().insert(variable.name.clone(), owner.to_owned());
        if earlier.is_some_and(|earlier| earlier != owner) {
            let sentence = format!(
                "{}, which the initial conditions determine, can be the value of one parameter only",
                variable.name
            );
            return Err(Complaint::at(&binding.expression.span, sentence));
        }
        Ok(Some(variable))
    }

    /// Gives a parameter the value that an initial equation states.
    ///
    /// # Errors
    /// It has another type or other sizes.
    pub fn settle(&self, variable: &Variable, value: Value, span: &Span) -> Checked<()> {
        let value = self.of_type(value, variable, Some(span))?;
        variable.value.get_or_init(|| value);
        Ok(())
    }

    pub(super) fn variable_anew(
        &self,
        instance: &Rc<Instance>,
        variable: &Rc<Variable>,
    ) -> Checked<Value> {
        if self.is_unknown(variable)? {
            self.is_beyond.set(true);
            let sentence = format!("{} is not known when the model is built", variable.name);
            return Err(Complaint::at(&variable.span, sentence));
        }
        let binding = variable.modifier.value.as_ref();
        let value = match binding {
            Some(binding) => self.bound(binding)?,
            None => {
                let sizes = self.declared_sizes(&variable.sizes)?;
                match (self.attribute_of(variable, "start")?, sizes) {
                    // An array without elements needs no value.
                    (_, Some(sizes)) if sizes.contains(&0) => {
                        crate::value::filled(&variable.kind.initial(), &sizes)
                    }
                    (Some(start), Some(sizes)) if start.is_scalar() => {
                        crate::value::filled(&start, &sizes)
                    }
                    (Some(start), _) => start,
                    (None, _) => {
                        let sentence = format!("the parameter {} has no value", variable.name);
                        return Err(Complaint::at(&variable.span, sentence));
                    }
                }
            }
        };
        let value = self.of_type(value, variable, binding.map(|of| &of.expression.span))?;
        self.as_parameter(instance, variable, value)
    }

    /// The value of a parameter of the model with symbols in place of numbers that an importer may
    /// set; other values stay as they are.
    pub(super) fn as_parameter(
        &self,
        instance: &Rc<Instance>,
        variable: &Rc<Variable>,
        value: Value,
    ) -> Checked<Value> {
        let (variability, is_final) = self.role_of(instance, variable)?;
        if variability != Variability::Parameter || !self.is_of_model(instance, variable)? {
            return Ok(value);
        }
        if !matches!(variable.kind, Type::Real) {
            if instance.name.is_empty() && !is_final {
                let (name, kind) = (&variable.name, variable.kind.name());
                let note = format!(
                    "{name} is a constant: it is {kind}, and only parameters of the \
                                    type Real can be set"
                );
                self.notes.borrow_mut().push(note);
            }
            return Ok(value);
        }
        let follows =
            |of: &Value| matches!(of, Value::Real(of) if !self.parameters_in(*of).is_empty());
        if value.scalars().iter().any(follows) {
            self.calculated.borrow_mut().push((Rc::clone(variable), value.clone()));
        }
        if is_final { Ok(value) } else { self.settable(&variable.name, value, variable) }
    }

    /// Whether a variable belongs to the model, and not to the text of one of our classes.
    pub(super) fn is_of_model(
        &self,
        instance: &Rc<Instance>,
        variable: &Variable,
    ) -> Checked<bool> {
        if is_of(self.library, &instance.class, ClassKind::Function)? {
            return Ok(false);
        }
        let (mut at, mut declared_in) = (instance, Rc::clone(&variable.declared_in));
        loop {
            if self.is_of_leaf(at, &declared_in)? {
                return Ok(false);
            }
            let Some(parent) = &at.parent else { return Ok(at.name.is_empty()) };
            // A record belongs to the class that declares it.
            let own = at.name.rsplit_once('.').map_or(&*at.name, |(_, own)| own);
            let own = own.split('[').next().unwrap_or(own);
            let member = parent.members(self.library)?.get(own).cloned();
            declared_in = member.map_or(Rc::clone(&parent.class), |of| Rc::clone(&of.scope.class));
            at = parent;
        }
    }

    /// Whether an element that a class declares belongs to the text of a class of ours: the
    /// instance is of such a class, or inherits the element from such a class.
    fn is_of_leaf(&self, instance: &Instance, declared_in: &Rc<ClassNode>) -> Checked<bool> {
        let (name, class) = (&*instance.name, &instance.class);
        if (self.is_leaf)(name, class) {
            return Ok(true);
        }
        Ok(self.extends_leaf(name, class, 0)?
            && ((self.is_leaf)(name, declared_in) || !self.extends_leaf(name, declared_in, 0)?))
    }

    /// Whether the class of an instance is one of ours, or inherits from one.
    fn extends_leaf(&self, name: &str, class: &Rc<ClassNode>, depth: usize) -> Checked<bool> {
        if (self.is_leaf)(name, class) {
            return Ok(true);
        }
        if depth > 40 || class.predefined {
            return Ok(false);
        }
        for base in self.library.bases(class)? {
            if self.extends_leaf(name, &base.class, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The symbols of parameters in place of their numbers.
    pub(super) fn settable(
        &self,
        name: &str,
        value: Value,
        variable: &Rc<Variable>,
    ) -> Checked<Value> {
        match value {
            Value::Real(number) => {
                let Some(number) = number.constant_value() else { return Ok(value) };
                if self.constants.contains(name) {
                    return Ok(value);
                }
                let symbol = Ex::symbol();
                let mut parameters = self.parameters.borrow_mut();
                self.by_symbol.borrow_mut().insert(symbol.key(), parameters.len());
                parameters.push(ModelParameter {
                    name: name.to_owned(),
                    symbol,
                    value: number,
                    variable: Rc::clone(variable),
                });
                Ok(Value::Real(symbol))
            }
            Value::Array(elements) => {
                let named = elements.iter().enumerate().map(|(k, element)| {
                    let name = match name.strip_suffix(']') {
                        Some(open) => format!("{open},{}]", k + 1),
                        None => format!("{name}[{}]", k + 1),
                    };
                    self.settable(&name, element.clone(), variable)
                });
                named.collect()
            }
            other => Ok(other),
        }
    }
}
