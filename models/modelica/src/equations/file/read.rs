//! Components from equations as data.

use crate::equations::added::{Place, Ports, find};
use crate::equations::component::{Block, BlockVariable, Happenings, Initial, Kind, Role};
use crate::equations::component::{declaration_of, inputs_of};
use crate::equations::physical::Physical;
use crate::equations::symbols::{Condition, Symbols};
use crate::equations::system::{Assertion, Reinit};
use equations::{Bool, Ex, Leaf, similar};
use mechanics::assembly::{AnyPort, At, Instance, NamedPorts, Netlist, PortId, Quantity};
use mechanics::declaration::Declaration;
use mechanics::{Assembly, Error};
use netlist::expression::{Term, read_term};
use netlist::{Data, Equations, EquationsAsComponents, Event, Variable, VariableType};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// Equations of files, as components.
#[derive(Clone, Copy, Debug)]
pub struct EquationsOfTexts;

impl EquationsAsComponents for EquationsOfTexts {
    fn read(
        &self,
        blocks: &[Equations],
        parameters: &[(&str, Ex)],
        ports: &mut Ports,
        m: &mut Assembly,
    ) -> Result<(), Vec<Error>> {
        let mut reader = Reader {
            parameters: parameters.iter().copied().collect(),
            ports,
            symbols: Rc::default(),
            own: BTreeSet::new(),
            places: Rc::default(),
            signals: RefCell::default(),
            errors: Vec::new(),
        };
        reader.declare(blocks);
        let read: Vec<_> = blocks.iter().map(|block| reader.block(block)).collect();
        if !reader.errors.is_empty() {
            return Err(reader.errors);
        }
        let added = reader.add(blocks, read, m);
        for (block, at, names) in added {
            ports.insert(block, Box::new(PortsOfBlock { at, names }));
        }
        Ok(())
    }

    fn write(&self, instance: &Instance, of: &Netlist) -> Option<Result<Equations, Error>> {
        let block: &Block = instance.component.as_any().downcast_ref()?;
        Some(block.written(&instance.name, of))
    }
}

/// A block that was read, and the full names of the signals that it reads.
struct ReadBlock {
    variables: Vec<BlockVariable>,
    happenings: Happenings,
    names: BTreeSet<Rc<str>>,
}

/// Reads the blocks of a file.
struct Reader<'r> {
    parameters: BTreeMap<&'r str, Ex>,
    /// The ports of the other components.
    ports: &'r Ports,
    symbols: Rc<Symbols>,
    /// The full names of the signals of all blocks.
    own: BTreeSet<String>,
    places: Rc<RefCell<HashMap<usize, PortId>>>,
    /// The numbers of signals that are read, by their full names.
    signals: RefCell<BTreeMap<Rc<str>, usize>>,
    errors: Vec<Error>,
}

/// The full name of a variable.
fn full(block: &str, local: &str) -> String {
    if block.is_empty() { local.to_owned() } else { format!("{block}.{local}") }
}

/// The names of the signals of a variable in its block.
fn signals(of: &Variable) -> Vec<String> {
    let name = &of.name;
    let rate = of.derivative.as_ref().map(|_| format!("der({name})"));
    let before = of.at_events.iter().flat_map(|_| ["pre", "last"]);
    let before = before.map(|kind| format!("{kind}({name})"));
    [name.clone()].into_iter().chain(rate).chain(before).collect()
}

impl Reader<'_> {
    fn refuse(&mut self, what: &str, why: impl std::fmt::Display) {
        self.errors.push(Error::Parameter(format!("{what}: {why}")));
    }

    /// Notes the signals of all blocks.
    fn declare(&mut self, blocks: &[Equations]) {
        for (at, block) in blocks.iter().enumerate() {
            let is_known = blocks[..at].iter().any(|other| other.name == block.name);
            if is_known || self.ports.contains_key(&block.name) {
                self.refuse(&block.name, "two components have this name");
            }
            for variable in &block.variables {
                for signal in signals(variable) {
                    let signal = full(&block.name, &signal);
                    if !self.own.insert(signal.clone()) {
                        self.refuse(&signal, "two variables have this name");
                    }
                }
            }
        }
    }

    fn block(&mut self, of: &Equations) -> ReadBlock {
        let mut scope = Scope { reader: self, terms: BTreeMap::new(), names: RefCell::default() };
        let mut errors = Vec::new();
        for (name, definition) in &of.definitions {
            let term = scope.definition(name, definition).unwrap_or_else(|why| {
                errors.push((full(&of.name, name), why));
                Term::Real(Ex::zero())
            });
            scope.terms.insert(name, term);
        }
        let (mut variables, mut happenings) = (Vec::new(), Happenings::default());
        for variable in &of.variables {
            match scope.variable(variable) {
                Ok(variable) => variables.push(variable),
                Err(why) => errors.push((full(&of.name, &variable.name), why)),
            }
        }
        for reinit in &of.reinits {
            match scope.reinit(reinit) {
                Ok(reinit) => happenings.reinits.push(reinit),
                Err(why) => errors.push((full(&of.name, "reinits"), why)),
            }
        }
        for assertion in &of.assertions {
            match scope.assertion(assertion) {
                Ok(assertion) => happenings.assertions.push(assertion),
                Err(why) => errors.push((full(&of.name, "assertions"), why)),
            }
        }
        for condition in &of.terminations {
            match scope.truth(condition) {
                Ok(truth) => happenings.terminations.push(truth),
                Err(why) => errors.push((full(&of.name, "terminations"), why)),
            }
        }
        let names = scope.names.into_inner();
        errors.into_iter().for_each(|(what, why)| self.refuse(&what, why));
        ReadBlock { variables, happenings, names }
    }

    /// Adds the components, and connects them with the signals of others.
    fn add(
        &self,
        blocks: &[Equations],
        read: Vec<ReadBlock>,
        m: &mut Assembly,
    ) -> Vec<(String, At, Vec<&'static str>)> {
        let mut added = Vec::new();
        let mut own: HashMap<String, PortId> = HashMap::new();
        for (of, block) in blocks.iter().zip(read) {
            let others = block.names.iter().filter(|name| !self.own.contains(&***name));
            let sources: Vec<(&'static str, PortId)> = others
                .filter_map(|name| Some((&*name.to_string().leak(), self.place(name)?)))
                .collect();
            let declaration = declaration(of, &sources);
            let component = Block {
                declaration,
                variables: block.variables,
                happenings: block.happenings,
                symbols: Rc::clone(&self.symbols),
                places: Rc::clone(&self.places),
                physical: Physical::default(),
                ends: Rc::default(),
            };
            let at = m.add_component(of.name.clone(), Box::new(component));
            for (name, source) in sources {
                let ends = (AnyPort::Quantity(Quantity(source)), AnyPort::Input(at.input(name)));
                if let Err(error) = m.connect_by_name(ends.0, ends.1) {
                    m.refuse(error);
                }
            }
            let mut names = Vec::new();
            for signal in of.variables.iter().flat_map(signals) {
                let name: &'static str = signal.leak();
                own.insert(full(&of.name, name), at.quantity(name).0);
                names.push(name);
            }
            added.push((of.name.clone(), at, names));
        }
        let mut places = self.places.borrow_mut();
        for (name, number) in &*self.signals.borrow() {
            let place = own.get(&**name).copied().or_else(|| self.place(name));
            places.extend(place.map(|place| (*number, place)));
        }
        added
    }

    /// The place of a signal of another component.
    fn place(&self, name: &str) -> Option<PortId> {
        match find(name, self.ports)? {
            Place::Variable(place) => Some(place),
            Place::Input(_) => None,
        }
    }

    /// The number of a signal, if there is one of this name.
    fn signal(&self, name: &str) -> Option<usize> {
        if let Some(known) = self.signals.borrow().get(name) {
            return Some(*known);
        }
        if !self.own.contains(name) && self.place(name).is_none() {
            return None;
        }
        let before = name.find("pre(").filter(|_| self.own.contains(name));
        let number = match before.and_then(|at| Some((at, name[at + 4..].strip_suffix(')')?))) {
            Some((at, local)) => self.symbols.signal_before(&format!("{}{local}", &name[..at])),
            None => self.symbols.signal(name),
        };
        self.signals.borrow_mut().insert(name.into(), number);
        Some(number)
    }
}

/// What names mean in a block.
struct Scope<'s, 'r> {
    reader: &'s Reader<'r>,
    /// The definitions so far.
    terms: BTreeMap<&'s str, Term>,
    /// The full names of the signals that were read.
    names: RefCell<BTreeSet<Rc<str>>>,
}

impl Scope<'_, '_> {
    fn name(&self, name: &str) -> Result<Term, String> {
        if let Some(term) = self.terms.get(name) {
            return Ok(*term);
        }
        if let Some(parameter) = self.reader.parameters.get(name) {
            return Ok(Term::Real(*parameter));
        }
        if name == "time" {
            return Ok(Term::Real(Ex::leaf(Leaf::Time)));
        }
        let number = self.reader.signal(name).ok_or_else(|| self.unknown(name))?;
        self.names.borrow_mut().insert(name.into());
        Ok(Term::Real(self.reader.symbols.ex(number)))
    }

    /// The sentence that a name means nothing.
    fn unknown(&self, name: &str) -> String {
        let Reader { own, parameters, .. } = self.reader;
        let names = own.iter().map(String::as_str);
        let names = names.chain(parameters.keys().copied()).chain(self.terms.keys().copied());
        match similar(name, names) {
            Some(similar) => format!("no variable `{name}`; is it `{similar}`?"),
            None => format!("no variable `{name}`"),
        }
    }

    fn term(&self, tree: &Data) -> Result<Term, String> {
        read_term(tree, &|name| self.name(name))
    }

    fn number(&self, tree: &Data) -> Result<Ex, String> {
        self.term(tree).map(Term::number)
    }

    fn truth(&self, tree: &Data) -> Result<Bool, String> {
        self.term(tree).map(Term::truth)
    }

    /// A value that follows from parameters.
    fn fixed(&self, tree: &Data) -> Result<Ex, String> {
        let value = self.number(tree)?;
        match self.reader.symbols.are_fixed(&[value]) {
            true => Ok(value),
            false => Err("this value may depend on parameters only".to_owned()),
        }
    }

    fn definition(&self, name: &str, definition: &Data) -> Result<Term, String> {
        let Data::Object(members) = definition else { return self.term(definition) };
        let symbols = &self.reader.symbols;
        let (event, text) = Event::read(members)?;
        let text = text.unwrap_or(name);
        Ok(match event {
            Event::Positive(tree) => {
                Term::Truth(symbols.positive_with_text(self.number(&tree)?, text))
            }
            Event::Sample([start, interval]) => {
                Term::Truth(symbols.sampled(self.fixed(&start)?, self.fixed(&interval)?))
            }
            Event::Whole(tree) => Term::Real(symbols.whole(self.number(&tree)?)),
            Event::When(trees) => {
                let conditions = trees.iter().map(|tree| {
                    let truth = self.truth(tree)?;
                    Ok(if truth.as_leaf() == Some(Leaf::Initial) {
                        Condition::Initial
                    } else if symbols.is_sample(truth) {
                        Condition::Sample(truth)
                    } else {
                        Condition::Becomes(truth)
                    })
                });
                Term::Truth(symbols.when(conditions.collect::<Result<_, String>>()?, text))
            }
        })
    }

    fn variable(&self, of: &Variable) -> Result<BlockVariable, String> {
        let name: &'static str = of.name.clone().leak();
        let tree = |tree: &Option<Data>| tree.as_ref().map(|tree| self.number(tree)).transpose();
        let start = of.start.as_ref().map(|start| match &of.at_events {
            Some(_) => self.number(start),
            None => self.fixed(start),
        });
        let start = start.transpose()?;
        let (value, at_events) = (tree(&of.value)?, tree(&of.at_events)?);
        let rate = tree(&of.derivative)?.map(|rate| (&*format!("der({name})").leak(), rate));
        let role = match (value, at_events, rate) {
            (Some(value), None, _) if of.hidden => Role::Hidden(value),
            (Some(value), None, _) => Role::Value(value),
            (None, Some(value), None) => {
                Role::Memory(value, ["pre", "last"].map(|of| &*format!("{of}({name})").leak()))
            }
            (None, None, Some(_)) => self.state(of)?,
            _ => {
                let sentence = "a variable has a `value`, a value `at_events`, or a `derivative`";
                return Err(sentence.to_owned());
            }
        };
        let is_state = matches!(role, Role::State { .. });
        if !is_state && (of.initial.is_some() || !of.reinits.is_empty()) {
            return Err("only a state has `initial` or `reinits`".to_owned());
        }
        let kind = match of.kind {
            VariableType::Real => Kind::Real,
            _ if is_state => return Err("a state is of the type `Real`".to_owned()),
            VariableType::Integer => Kind::Integer,
            VariableType::Boolean => Kind::Boolean,
        };
        Ok(BlockVariable { name, kind, start, nominal: of.nominal, role, rate })
    }

    fn reinit(&self, of: &netlist::ReinitOfOther) -> Result<Reinit, String> {
        let state = self.number(&Data::Text(of.state.clone()))?;
        let state = self.reader.symbols.number_of(state);
        let state = state.ok_or_else(|| format!("{} is no variable", of.state))?;
        let (when, value) = (self.truth(&of.when)?, self.number(&of.value)?);
        Ok(Reinit { state, when, value })
    }

    fn assertion(&self, of: &netlist::Assertion) -> Result<Assertion, String> {
        let when = of.when.as_ref().map(|when| self.truth(when)).transpose()?;
        let (condition, message) = (self.truth(&of.condition)?, of.message.clone());
        Ok(Assertion { when, condition, message, is_warning: of.warning })
    }

    fn state(&self, of: &Variable) -> Result<Role, String> {
        let initial = match &of.initial {
            Some(netlist::Initial::Fixed) => Initial::Fixed,
            Some(netlist::Initial::Steady) => Initial::Steady,
            Some(netlist::Initial::At(tree)) => Initial::Value(self.number(tree)?),
            Some(netlist::Initial::Free) | None => Initial::Open,
        };
        let reinits = of.reinits.iter().map(|reinit| {
            let (when, value) = (self.truth(&reinit.when)?, self.number(&reinit.value)?);
            Ok(Reinit { state: self.reader.symbols.count(), when, value })
        });
        Ok(Role::State { initial, reinits: reinits.collect::<Result<_, String>>()? })
    }
}

/// The declaration of a block that reads signals.
fn declaration(of: &Equations, sources: &[(&'static str, PortId)]) -> &'static Declaration {
    let variables = of.variables.iter().map(|variable| {
        let name: &'static str = variable.name.clone().leak();
        mechanics::declaration::Variable {
            field: name,
            name,
            optional: variable.hidden,
            kind: match variable.kind {
                VariableType::Real => "Real",
                VariableType::Integer => "Integer",
                VariableType::Boolean => "Boolean",
            },
            unit: variable.unit.clone().leak(),
            text: variable.description.clone().leak(),
        }
    });
    declaration_of(&of.class, &of.description, inputs_of(sources), variables.collect())
}

/// The variables of a block by their names.
#[derive(Debug)]
struct PortsOfBlock {
    at: At,
    names: Vec<&'static str>,
}

impl NamedPorts for PortsOfBlock {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        let found = self.names.iter().find(|known| **known == name);
        found.map(|name| AnyPort::Quantity(self.at.quantity(name))).into_iter().collect()
    }
}
