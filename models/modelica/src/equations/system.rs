//! The system of equations of a model: its variables, equations and connectors.

use super::connectors::{FramePort, Pin, Port};
use super::symbols::{Meaning, Symbols, indexed, text_that_varies};
use crate::evaluate::{Evaluator, Unknowns};
use crate::instance::{Instance, Type, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::Causality;
use crate::value::Value;
use equations::{Bool, Ex, Leaf, select};
use mechanics::start::StateSelect;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// The most variables of a model, each element of an array counted.
pub(super) const MOST_VARIABLES: usize = 100_000;

/// A variable that equations determine, or an element of one.
#[derive(Clone, Debug)]
pub(super) struct Unknown {
    /// Its full name.
    pub(super) name: Rc<str>,
    /// Its declaration.
    pub(super) variable: Rc<Variable>,
    /// The component in which it is declared.
    pub(super) owner: Rc<Instance>,
    /// Whether it is an input of the model.
    pub(super) is_input: bool,
    /// Its unit.
    pub(super) unit: String,
    /// Its start value, if one is given.
    pub(super) start: Option<Ex>,
    /// Whether it begins at its start value.
    pub(super) fixed: bool,
    /// Its typical magnitude, if it is given.
    pub(super) nominal: Option<f64>,
    /// Whether one of our components publishes it, as its input.
    pub(super) is_published: bool,
    /// The preference as a state, if it is given.
    pub(super) select: Option<StateSelect>,
}

impl Unknown {
    /// A variable whose attributes are not read yet.
    fn new(name: &Rc<str>, variable: &Rc<Variable>, owner: &Rc<Instance>) -> Unknown {
        let (name, variable, owner) = (Rc::clone(name), Rc::clone(variable), Rc::clone(owner));
        // The default of an enumeration is its first literal.
        let start = matches!(variable.kind, Type::Enumeration(_)).then(Ex::one);
        Unknown {
            name,
            variable,
            owner,
            is_input: false,
            unit: String::new(),
            start,
            fixed: false,
            nominal: None,
            is_published: false,
            select: None,
        }
    }
}

/// `left = right`.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub(super) left: Ex,
    pub(super) right: Ex,
    /// The type of both sides.
    pub(super) kind: Type,
    /// Whether the left side is the variable that it determines: an assignment.
    pub(super) assigns: bool,
    /// Whether the variable changes at events only.
    pub(super) at_events: bool,
    pub(super) span: Span,
}

impl Equation {
    /// An equation between values of a type that may determine each variable in it.
    pub(super) fn plain(kind: Type, (left, right): (Ex, Ex), span: &Span) -> Equation {
        Equation { left, right, kind, assigns: false, at_events: false, span: span.clone() }
    }

    /// The assignment of a value to a variable, or to an element of one, which this symbol
    /// represents.
    ///
    /// # Errors
    /// The value is of another type.
    pub(super) fn assignment(
        left: Ex,
        variable: &Variable,
        value: &Value,
        span: &Span,
    ) -> Checked<Equation> {
        let Variable { name, kind, .. } = variable;
        if let Some(other) = kind.misfit(value) {
            let sentence = format!("{name} is {}, not {}", kind.name(), other.kind());
            return Err(Complaint::at(span, sentence));
        }
        let right = value.number().map_err(|why| Complaint::at(span, why))?;
        Ok(Equation { assigns: true, ..Equation::plain(kind.clone(), (left, right), span) })
    }
}

/// `reinit(state, value)` at an event.
#[derive(Clone, Debug)]
pub(super) struct Reinit {
    pub(super) state: usize,
    pub(super) when: Bool,
    pub(super) value: Ex,
}

impl Reinit {
    /// What it reads.
    pub(super) fn values(&self, symbols: &Symbols) -> [Ex; 3] {
        [symbols.ex(self.state), self.when.as_ex(), self.value]
    }
}

/// `assert(condition, message)`.
#[derive(Clone, Debug)]
pub(super) struct Assertion {
    /// When it matters, for variables; otherwise it is about parameters.
    pub(super) when: Option<Bool>,
    pub(super) condition: Bool,
    pub(super) message: String,
    pub(super) is_warning: bool,
}

impl Assertion {
    pub(super) fn conditions(&self) -> impl Iterator<Item = Bool> + use<> {
        self.when.into_iter().chain([self.condition])
    }
}

/// The part of the equations that circuits solve. Numbers are those of symbols, unless another
/// meaning is given.
#[derive(Debug, Default)]
pub(super) struct Circuits {
    /// The numbers of the equations.
    pub equations: BTreeSet<usize>,
    /// Those that are laws: not the balances of two currents.
    pub laws: BTreeSet<usize>,
    /// Variables and derivatives that the equations determine, besides potentials and currents.
    pub unknowns: BTreeSet<usize>,
    /// Variables that are states unless the circuit determines them; also potentials and currents
    /// with derivatives.
    pub states: BTreeSet<usize>,
    /// Pairs of pins, by their numbers: the current that enters one pin leaves the other pin.
    pub pairs: Vec<[usize; 2]>,
    /// Potentials and currents.
    pub of_pins: BTreeSet<usize>,
}

impl Circuits {
    /// Whether the circuit determines a variable, and no equation elsewhere its derivative.
    pub fn determines(&self, symbols: &Symbols, number: usize) -> bool {
        let rate = || symbols.find(&Meaning::Derivative(number));
        self.of_pins.contains(&number)
            || self.unknowns.contains(&number)
            || self.states.contains(&number)
                && rate().is_some_and(|rate| self.unknowns.contains(&rate))
    }

    /// Whether the circuit gives the value of a symbol.
    pub fn gives(&self, number: usize) -> bool {
        self.unknowns.contains(&number)
            || self.states.contains(&number)
            || self.of_pins.contains(&number)
    }
}

/// The equations of a model.
#[derive(Debug, Default)]
pub struct Equations {
    pub(super) symbols: Rc<Symbols>,
    pub(super) unknowns: Vec<Unknown>,
    /// The numbers of the unknowns by their names.
    pub(super) by_name: HashMap<Rc<str>, usize>,
    /// The physical connectors, and their numbers by their names.
    pub(super) ports: Vec<Port>,
    pub(super) port_by_name: HashMap<Rc<str>, usize>,
    pub(super) frames: Vec<FramePort>,
    pub(super) frame_by_name: HashMap<Rc<str>, usize>,
    pub(super) pins: Vec<Pin>,
    pub(super) pins_by_connector: HashMap<Rc<str>, Vec<usize>>,
    pub(super) pin_by_variable: HashMap<Rc<str>, usize>,
    pub(super) circuits: Circuits,
    /// Connectors that must be connected, with the message otherwise, and where the text says so.
    pub(super) connections_needed: Vec<(String, String, Span)>,
    pub(super) equations: Vec<Equation>,
    /// Initial equations, each with the component whose text states it.
    pub(super) initial: Vec<(Rc<Instance>, Equation)>,
    /// New values at events, each with the component whose text gives it.
    pub(super) reinits: Vec<(Rc<Instance>, Reinit)>,
    /// Assertions, each with the component whose text makes it.
    pub(super) assertions: Vec<(Rc<Instance>, Assertion)>,
    /// Components whose text ends the simulation, and when.
    pub(super) terminations: Vec<(Rc<Instance>, Bool)>,
    pub(super) notes: Vec<String>,
}

impl Equations {
    /// No equations yet, with these symbols.
    pub fn new(symbols: &Rc<Symbols>) -> Equations {
        Equations { symbols: Rc::clone(symbols), ..Equations::default() }
    }

    /// Declares a variable of a component whose text is read.
    ///
    /// # Errors
    /// Its sizes or its value are not known.
    pub fn declare(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        variable: &Rc<Variable>,
    ) -> Checked<()> {
        if matches!(variable.kind, Type::Text | Type::Object) {
            let Some(binding) = &variable.modifier.value else { return Ok(()) };
            let sentence = text_that_varies(&variable.name);
            return Err(Complaint::at(&binding.expression.span, sentence));
        }
        let sizes = evaluator.reading_equations(|| evaluator.sizes_of(variable))?;
        let is_input = variable.is_input_of(owner);
        let before = self.unknowns.len();
        let count = sizes.iter().product::<usize>();
        if before + count > MOST_VARIABLES {
            let sentence = format!("the model has more than {MOST_VARIABLES} variables");
            return Err(Complaint::at(&variable.span, sentence));
        }
        self.declare_elements((owner, variable), &variable.name, &sizes, is_input);
        let Some(binding) = &variable.modifier.value else { return Ok(()) };
        let value = evaluator.reading_equations(|| evaluator.bound(binding));
        self.take_assertions(evaluator, owner);
        let value = value?;
        let span = &binding.expression.span;
        if value.sizes() != sizes && before != self.unknowns.len() {
            let (name, given) = (&variable.name, value.sizes());
            let sentence = format!("{name} has the sizes {sizes:?}, its value {given:?}");
            return Err(Complaint::at(span, sentence));
        }
        for (at, value) in value.scalars().iter().enumerate() {
            let left = self.symbol(&self.unknowns[before + at].clone(), span);
            let equation = Equation::assignment(left, variable, value, span)?;
            let is_held = self.symbols.is_held(left);
            self.equations.push(if is_held { self.held(equation) } else { equation });
        }
        Ok(())
    }

    /// Declares a parameter of a component whose text determines it at the start: a variable that
    /// keeps its value.
    ///
    /// # Errors
    /// Its sizes or its value are not known.
    pub fn determine(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        parameter: &Rc<Variable>,
    ) -> Checked<()> {
        self.symbols.determine(&parameter.name);
        self.declare(evaluator, owner, parameter)
    }

    /// Whether there are parameters that initial equations determine.
    pub fn has_determined(&self) -> bool {
        self.symbols.has_determined()
    }

    /// Whether initial equations determine the parameter of this name.
    pub fn is_determined(&self, name: &str) -> bool {
        self.symbols.is_determined(name)
    }

    /// The equation of a parameter that has a value at the start and keeps it.
    fn held(&self, initial: Equation) -> Equation {
        let Some(number) = self.symbols.number_of(initial.left) else { return initial };
        let variable = self.symbols.get(number).variable.clone();
        let pre = Meaning::Pre(number);
        let pre = self.symbols.ex(self.symbols.number(pre, variable.as_ref(), &initial.span));
        let right = select(Bool::leaf(Leaf::Initial), initial.right, pre);
        Equation { right, assigns: true, at_events: true, ..initial }
    }

    /// Takes the equations that the text of a component states for the start.
    pub(super) fn take_initial(&mut self, owner: &Rc<Instance>, equations: Vec<Equation>) {
        for equation in equations {
            let turned =
                Equation { left: equation.right, right: equation.left, ..equation.clone() };
            if self.symbols.is_held(equation.left) {
                self.equations.push(self.held(equation));
            } else if self.symbols.is_held(turned.left) {
                self.equations.push(self.held(turned));
            } else {
                self.initial.push((Rc::clone(owner), equation));
            }
        }
    }

    /// Takes the assertions of functions that equations of an instance have called.
    pub(super) fn take_assertions(&mut self, evaluator: &Evaluator<'_>, owner: &Rc<Instance>) {
        let made = evaluator.assertions.take().into_iter();
        self.assertions.extend(made.map(|(condition, message, is_warning)| {
            let when = Some(Bool::constant(true));
            (Rc::clone(owner), Assertion { when, condition, message, is_warning })
        }));
    }

    pub(super) fn declare_elements(
        &mut self,
        (owner, variable): (&Rc<Instance>, &Rc<Variable>),
        name: &str,
        sizes: &[usize],
        is_input: bool,
    ) {
        if let Some((first, rest)) = sizes.split_first() {
            for k in 1..=*first {
                let name = indexed(name, &variable.name, k);
                self.declare_elements((owner, variable), &name, rest, is_input);
            }
            return;
        }
        let name: Rc<str> = name.into();
        self.by_name.insert(Rc::clone(&name), self.unknowns.len());
        self.unknowns.push(Unknown { is_input, ..Unknown::new(&name, variable, owner) });
    }

    /// The symbol of a variable.
    fn symbol(&self, of: &Unknown, span: &Span) -> Ex {
        let meaning = Meaning::Variable(Rc::clone(&of.name));
        self.symbols.ex(self.symbols.number(meaning, Some(&of.variable), span))
    }

    /// Reads the attributes of all variables that equations name.
    ///
    /// # Errors
    /// One of them is wrong.
    pub fn read_attributes(&mut self, evaluator: &Evaluator<'_>) -> Checked<()> {
        for at in 0..self.unknowns.len() {
            let Unknown { variable, name, is_input, .. } = &self.unknowns[at];
            if !is_input && self.symbols.variable(name).is_none() {
                continue;
            }
            let span = &variable.span;
            let unit = match evaluator.attribute_of(variable, "unit")? {
                Some(Value::Text(unit)) => unit.to_string(),
                _ => String::new(),
            };
            let start = evaluator.attribute_of(variable, "start")?;
            let start = start.map(|start| self.element(&start, at, span)).transpose()?;
            let fixed = evaluator.attribute_of(variable, "fixed")?;
            let fixed = match fixed.map(|fixed| self.element(&fixed, at, span)).transpose()? {
                Some(fixed) => evaluator.number(fixed, span)? != 0.0,
                None => false,
            };
            let nominal = evaluator.attribute_of(variable, "nominal")?;
            let nominal = nominal.map(|nominal| self.element(&nominal, at, span)).transpose()?;
            let nominal = nominal.and_then(|nominal| evaluator.default_number(nominal));
            let nominal = nominal.filter(|nominal| nominal.is_normal()).map(f64::abs);
            let select = match evaluator.attribute_of(variable, "stateSelect")? {
                Some(Value::Literal { name, .. }) => select_of(&name),
                _ => None,
            };
            let unknown = &mut self.unknowns[at];
            (unknown.unit, unknown.start) = (unit, start.or(unknown.start));
            (unknown.fixed, unknown.nominal, unknown.select) = (fixed, nominal, select);
        }
        self.pass_on_start_values();
        Ok(())
    }

    /// Gives the fixed start values of variables that stand for those of components to these.
    fn pass_on_start_values(&mut self) {
        for equation in &self.equations {
            let at = self.symbols.number_of(equation.left).and_then(|number| {
                let meaning = self.symbols.get(number).meaning.clone();
                if let Meaning::Variable(name) = meaning { self.by_name.get(&name) } else { None }
            });
            let Some(at) = at.copied().filter(|at| self.unknowns[*at].fixed) else { continue };
            let of = self.symbols.number_of(equation.right).map(|of| self.symbols.get(of).clone());
            let Some(Meaning::Variable(name)) = of.map(|of| of.meaning.clone()) else { continue };
            if self.by_name.contains_key(&name) {
                continue;
            }
            let unknown = &mut self.unknowns[at];
            unknown.fixed = false;
            let sides = (equation.right, unknown.start.unwrap_or(Ex::zero()));
            let initial = Equation::plain(Type::Real, sides, &equation.span);
            self.initial.push((Rc::clone(&unknown.owner), initial));
        }
    }

    /// The units of the variables that equations name.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        self.unknowns.iter().map(|unknown| &*unknown.unit)
    }

    /// The number in an attribute that belongs to a variable, which may be an element of an array.
    pub(super) fn element(&self, value: &Value, at: usize, span: &Span) -> Checked<Ex> {
        let variable = &self.unknowns[at].variable;
        let is_same = |other: &&Unknown| Rc::ptr_eq(&other.variable, variable);
        let index = self.unknowns[..at].iter().rev().take_while(is_same).count();
        let count = index + self.unknowns[at..].iter().take_while(is_same).count();
        let scalars = value.scalars();
        if !value.is_scalar() && scalars.len() != count {
            let (name, given) = (&variable.name, scalars.len());
            let sentence = format!("{name} has {count} elements, but an attribute {given} values");
            return Err(Complaint::at(span, sentence));
        }
        let scalar = if value.is_scalar() { &scalars[0] } else { &scalars[index] };
        scalar.number().map_err(|why| Complaint::at(span, why))
    }

    /// The initial equations `variable = value` with a value that follows from parameters: their
    /// numbers, the names of the variables, the values, and the places.
    pub fn initial_values(&self) -> Vec<(usize, Rc<str>, Ex, Span)> {
        let value = |(at, (_, of)): (usize, &(_, Equation))| {
            let sides = [(of.left, of.right), (of.right, of.left)];
            let (name, value) = sides.into_iter().find_map(|(side, value)| {
                let symbol = self.symbols.get(self.symbols.number_of(side)?);
                match &symbol.meaning {
                    Meaning::Variable(name) => Some((Rc::clone(name), value)),
                    _ => None,
                }
            })?;
            self.symbols.are_fixed(&[value]).then(|| (at, name, value, of.span.clone()))
        };
        self.initial.iter().enumerate().filter_map(value).collect()
    }

    /// The initial equations `der(variable) = 0`: their numbers, the names of the variables, and
    /// the places.
    pub fn steady_values(&self) -> Vec<(usize, Rc<str>, Span)> {
        let variable = |(at, (_, of)): (usize, &(_, Equation))| {
            let sides = [(of.left, of.right), (of.right, of.left)];
            let (rate, _) = sides.into_iter().find(|(_, zero)| zero.is_constant_zero())?;
            let symbols = &self.symbols;
            let Meaning::Derivative(of_rate) = symbols.get(symbols.number_of(rate)?).meaning else {
                return None;
            };
            match &symbols.get(of_rate).meaning {
                Meaning::Variable(name) => Some((at, Rc::clone(name), of.span.clone())),
                _ => None,
            }
        };
        self.initial.iter().enumerate().filter_map(variable).collect()
    }

    /// Forgets an initial equation by its number.
    pub fn forget_initial(&mut self, at: usize) {
        self.initial.remove(at);
    }

    /// Whether a name is that of a variable that equations name.
    pub fn names(&self, name: &str) -> bool {
        self.by_name.contains_key(name) && self.symbols.variable(name).is_some()
    }

    /// Whether a variable is the output of a component.
    pub fn is_output(&self, name: &str) -> bool {
        let unknown = self.by_name.get(name).map(|at| &self.unknowns[*at]);
        unknown.is_some_and(|of| of.variable.causality == Some(Causality::Output))
    }

    /// States that a variable has the value of another one, by the names of both.
    pub fn alias(&mut self, name: &str, of: &str, span: &Span) {
        let symbols = Rc::clone(&self.symbols);
        let declared = |name: &str| self.by_name.get(name).map(|at| &self.unknowns[*at].variable);
        let symbol = |name: &str| {
            let meaning = Meaning::Variable(name.into());
            symbols.ex(symbols.number(meaning, declared(name), span))
        };
        let kind = declared(name).or(declared(of)).map_or(Type::Real, |of| of.kind.clone());
        let sides = (symbol(name), symbol(of));
        self.equations.push(Equation::plain(kind, sides, span));
    }
}

/// The preference that a literal of `StateSelect` is; none if it is the default.
fn select_of(literal: &str) -> Option<StateSelect> {
    match literal {
        "never" | "avoid" => Some(StateSelect::Avoid),
        "prefer" => Some(StateSelect::Prefer),
        "always" => Some(StateSelect::Always),
        _ => None,
    }
}
