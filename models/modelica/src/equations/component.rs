//! The component at run time: the variables of one model or block, with their values.

use super::physical::Physical;
use super::reader::{Ends, Reader};
use super::symbols::Symbols;
use super::system::{Assertion, Reinit};
use equations::{Bool, Ex, Expression, select, substitute};
use mechanics::Error;
use mechanics::component::{AnyComponent, Contribution};
use mechanics::declaration::{Declaration, Parameter, Port, Value, Variable};
use mechanics::port::PortId;
use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::Rc;

/// The variables of one model or block.
pub(super) struct Block {
    /// What it is.
    pub declaration: &'static Declaration,
    /// Its variables.
    pub variables: Vec<BlockVariable>,
    /// What it lets happen.
    pub happenings: Happenings,
    /// What symbols stand for.
    pub symbols: Rc<Symbols>,
    /// The signals that symbols stand for.
    pub places: Rc<RefCell<HashMap<usize, PortId>>>,
    /// Its physical part.
    pub physical: Physical,
    /// The physical connectors of the model.
    pub ends: Rc<Ends>,
}

impl Block {
    /// The variables in an order in which each one follows those that it reads, as far as possible:
    /// signals are evaluated in this order, and what a signal reads before its turn is evaluated
    /// inside of it.
    fn order(&self) -> Vec<usize> {
        let names = self.variables.iter().enumerate().map(|(at, of)| (of.name, at));
        let (by_name, places): (HashMap<&str, usize>, _) = (names.collect(), self.places.borrow());
        let read = |at: usize| {
            let value = match self.variables[at].role {
                Role::Value(value) | Role::Hidden(value) | Role::Memory(value, _) => Some(value),
                Role::State { .. } | Role::Given => None,
            };
            let numbers = self.symbols.all_of(&value.into_iter().collect::<Vec<_>>());
            let ports = numbers.iter().filter_map(|number| places.get(number));
            ports.filter_map(|place| by_name.get(place.port).copied()).collect::<Vec<usize>>()
        };
        let (mut order, mut seen) = (Vec::new(), HashSet::new());
        for first in 0..self.variables.len() {
            let mut path = vec![(first, None::<Vec<usize>>)];
            while let Some((at, open)) = path.last_mut() {
                let at = *at;
                if open.is_none() && !seen.insert(at) {
                    path.pop();
                    continue;
                }
                match open.get_or_insert_with(|| read(at)).pop() {
                    Some(next) => path.push((next, None)),
                    None => {
                        order.push(at);
                        path.pop();
                    }
                }
            }
        }
        order
    }
}

/// What a text lets happen, besides the values of its variables.
#[derive(Debug, Default)]
pub(super) struct Happenings {
    /// New values at events of states of other components.
    pub reinits: Vec<Reinit>,
    /// What must hold.
    pub assertions: Vec<Assertion>,
    /// When the simulation ends.
    pub terminations: Vec<Bool>,
    /// What vanishes at the start.
    pub residuals: Vec<Ex>,
}

impl Happenings {
    /// What they read.
    pub fn values(&self, symbols: &Symbols) -> Vec<Ex> {
        let reinits = self.reinits.iter().flat_map(|reinit| reinit.values(symbols));
        let conditions = self.assertions.iter().flat_map(Assertion::conditions);
        let truths = conditions.chain(self.terminations.iter().copied());
        let residuals = self.residuals.iter().copied();
        reinits.chain(truths.map(|truth| truth.as_ex())).chain(residuals).collect()
    }

    fn contribute(&self, c: &mut Contribution<'_>, reader: &Rc<Reader>) {
        for Reinit { state, when, value, .. } in self.reinits.clone() {
            let reader = Rc::clone(reader);
            c.law(move |e| {
                let state = reader.value(e, reader.symbols.ex(state))?;
                let (when, value) = (reader.truth(e, when)?, reader.value(e, value)?);
                e.model().reinit(state, when, value);
                Ok(())
            });
        }
        for residual in self.residuals.clone() {
            let reader = Rc::clone(reader);
            c.vanishes_at_start("initial equation", move |e| reader.value(e, residual));
        }
        for when in self.terminations.clone() {
            let reader = Rc::clone(reader);
            c.law(move |e| {
                let when = reader.truth(e, when)?;
                e.model().terminate_when(when);
                Ok(())
            });
        }
        for Assertion { when, condition, message, is_warning, .. } in self.assertions.clone() {
            let reader = Rc::clone(reader);
            let is_of_instant = reader.symbols.is_of_instant(condition);
            c.law(move |e| {
                let condition = reader.truth(e, condition)?;
                let when = when.map(|when| reader.truth(e, when)).transpose()?;
                let model = e.model();
                match when {
                    Some(when) => {
                        let is_always = when.constant_value() == Some(true) && !is_of_instant;
                        model.assert((!is_always).then_some(when), condition, &message, is_warning);
                    }
                    None if is_warning => model.remark(&[], condition, &message),
                    None => model.require(&[], condition, &message),
                }
                Ok(())
            });
        }
    }
}

/// The declaration of a block of a class, with its ports and variables.
pub(super) fn declaration_of(
    class: &str,
    summary: &str,
    ports: Vec<Port>,
    variables: Vec<Variable>,
) -> &'static Declaration {
    Box::leak(Box::new(Declaration {
        name: class.to_owned().leak(),
        class: "",
        summary: summary.to_owned().leak(),
        text: "",
        parameters: &[],
        ports: ports.leak(),
        variables: variables.leak(),
    }))
}

/// The inputs of a block that reads signals, by the names of the signals, which may have any type.
pub(super) fn inputs_of(signals: &[(&'static str, PortId)]) -> Vec<Port> {
    let text = "Signal that the equations read";
    let input = |name| Port { field: name, name, kind: "Signal", unit: "", text };
    signals.iter().map(|(name, _)| input(*name)).collect()
}

/// A variable of a block.
#[derive(Clone, Debug)]
pub(super) struct BlockVariable {
    /// Its name in the block.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// Its start value, if one is given.
    pub start: Option<Ex>,
    /// Its typical magnitude, if it is given.
    pub nominal: Option<f64>,
    /// What it is.
    pub role: Role,
    /// The name of its derivative and the value of this, if something reads it.
    pub rate: Option<(&'static str, Ex)>,
}

/// The type of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Real,
    Integer,
    Boolean,
}

/// What a variable is.
#[derive(Clone, Debug)]
pub(super) enum Role {
    /// It is integrated.
    State { initial: Initial, reinits: Vec<Reinit> },
    /// It has a value.
    Value(Ex),
    /// It has a value, which is no variable of the FMU.
    Hidden(Ex),
    /// The mechanics gives it a value.
    Given,
    /// It has a value, and the names of the signals with its value before the event, first as
    /// equations read it and then as it is between events.
    Memory(Ex, [&'static str; 2]),
}

/// How a state begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Initial {
    /// At its start value.
    Fixed,
    /// Other conditions may determine it.
    Open,
    /// At this value.
    Value(Ex),
    /// So that its derivative vanishes.
    Steady,
}

impl fmt::Debug for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with equations", self.declaration.name)
    }
}

impl AnyComponent for Block {
    fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    fn component_type(&self) -> TypeId {
        TypeId::of::<Block>()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)> {
        Vec::new()
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let reader = Rc::new(Reader::new(
            Rc::clone(&self.symbols),
            Rc::clone(&self.places),
            Rc::clone(&self.ends),
            c.model_parameters().to_vec(),
        ));
        self.physical.contribute(c, &reader)?;
        for index in self.order() {
            let variable = &self.variables[index];
            if let Some((name, rate)) = variable.rate {
                let reader = Rc::clone(&reader);
                c.signal(name, move |e| reader.value(e, rate));
            }
            match &variable.role {
                Role::State { initial, reinits } => state(c, variable, *initial, reinits, &reader),
                Role::Value(value) => plain(c, variable, *value, &reader),
                Role::Hidden(value) => {
                    let (reader, value) = (Rc::clone(&reader), *value);
                    c.signal(variable.name, move |e| reader.value(e, value));
                }
                Role::Given => {}
                Role::Memory(value, before) => memory(c, variable, (*value, *before), &reader),
            }
        }
        self.happenings.contribute(c, &reader);
        Ok(())
    }
}

/// A start value as a number, and as an expression if it is none.
fn start(c: &Contribution<'_>, variable: &BlockVariable) -> (f64, Option<Ex>) {
    let start = variable.start.unwrap_or(Ex::zero());
    match start.constant_value() {
        Some(number) => (number, None),
        None => {
            let start = substitute(&[start], c.model_parameters())[0];
            (c.number(start).unwrap_or(0.0), Some(start))
        }
    }
}

fn state(
    c: &mut Contribution<'_>,
    variable: &BlockVariable,
    initial: Initial,
    reinits: &[Reinit],
    reader: &Rc<Reader>,
) {
    let (number, expression) = start(c, variable);
    let name = variable.name;
    let declared = c.state(name, number);
    let state = match variable.nominal {
        Some(nominal) => declared.nominal(nominal).done(),
        None => declared.done(),
    };
    match (initial, expression) {
        (Initial::Fixed, Some(start)) => c.model().start_expr(state, start),
        (Initial::Open, _) => c.open_state(name, state, variable.start.is_some()),
        (Initial::Steady, _) => c.steady_state(name, state),
        (Initial::Fixed, None) | (Initial::Value(_), _) => {}
    }
    c.signal(name, move |_| Ok(state));
    let Some((rate, _)) = variable.rate else { return };
    let (reader, reinits) = (Rc::clone(reader), reinits.to_vec());
    c.law(move |e| {
        let derivative = e.read_own(rate)?;
        e.model().derivative(state, derivative);
        if let Initial::Value(value) = initial {
            let value = reader.value(e, value)?;
            e.model().start_expr(state, value);
        }
        for Reinit { when, value, .. } in reinits {
            let (when, value) = (reader.truth(e, when)?, reader.value(e, value)?);
            e.model().reinit(state, when, value);
        }
        Ok(())
    });
}

fn plain(c: &mut Contribution<'_>, variable: &BlockVariable, value: Ex, reader: &Rc<Reader>) {
    let BlockVariable { name, kind, nominal, .. } = *variable;
    let reader = Rc::clone(reader);
    c.signal(name, move |e| {
        let value = reader.value(e, value)?;
        match kind {
            Kind::Real => {
                let declared = e.variable(name, value);
                if let Some(nominal) = nominal {
                    declared.nominal(nominal);
                }
            }
            Kind::Integer => drop(e.variable(name, value).integer()),
            Kind::Boolean => drop(e.variable(name, Expression::Truth(value.is_true()))),
        }
        Ok(value)
    });
}

fn memory(
    c: &mut Contribution<'_>,
    variable: &BlockVariable,
    (value, [before, last]): (Ex, [&'static str; 2]),
    reader: &Rc<Reader>,
) {
    let (number, _) = start(c, variable);
    let first = variable.start.unwrap_or(Ex::zero());
    let declared = c.discrete(variable.name, number);
    let discrete = match variable.kind {
        Kind::Real => declared.done(),
        Kind::Integer => declared.integer().done(),
        Kind::Boolean => declared.boolean().done(),
    };
    let name = variable.name;
    let [of_start, reader] = [reader, reader].map(Rc::clone);
    // The value before initialization is the start value.
    c.signal(before, move |e| {
        let first = of_start.value(e, first)?;
        Ok(select(e.model().initial(), first, discrete.pre()))
    });
    c.signal(last, move |_| Ok(discrete.pre()));
    c.signal(name, move |e| reader.value(e, value));
    c.law(move |e| {
        let value = e.read_own(name)?;
        e.model().update(discrete, value);
        Ok(())
    });
}
