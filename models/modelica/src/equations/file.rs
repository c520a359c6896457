//! Components with equations as data, for files.

use super::component::{Block, BlockVariable, Happenings, Initial, Kind, Role};
use super::symbols::{Condition, Meaning, Symbols};
use super::system::Assertion;
use equations::{Ex, Leaf};
use mechanics::Error;
use mechanics::assembly::Netlist;
use mechanics::port::PortId;
use netlist::trees::{Leaves, Trees};
use netlist::{Data, Equations, Event, Variable, VariableType};
use std::cell::RefCell;
use std::collections::HashMap;

pub use read::EquationsOfTexts;

mod read;

/// Why equations of physical connectors are refused.
const PHYSICAL: &str = "they are those of physical connectors";

impl Block {
    /// Its equations as data.
    ///
    /// # Errors
    /// What no file can hold.
    fn written(&self, name: &str, of: &Netlist) -> Result<Equations, Error> {
        let refuse = |why: &str| {
            let name = if name.is_empty() { "the model" } else { name };
            Error::Parameter(format!("{name}: no file can hold its equations: {why}"))
        };
        if self.declaration.ports.iter().any(|port| port.kind != "Signal") {
            return Err(refuse(PHYSICAL));
        }
        if !self.happenings.residuals.is_empty() {
            return Err(refuse(INITIAL));
        }
        self.data(name, of).map_err(|why| refuse(&why))
    }

    fn data(&self, name: &str, of: &Netlist) -> Result<Equations, String> {
        let symbols = &*self.symbols;
        let events: Vec<usize> = symbols
            .all_of(&self.values())
            .into_iter()
            .filter(|of| is_event(symbols, *of))
            .collect();
        let mut writer = Writer::new(self, of, &events)?;
        for event in events {
            writer.event(event)?;
        }
        let variables = self.variables.iter().map(|variable| writer.variable(self, variable));
        let variables = variables.collect::<Result<Vec<_>, String>>()?;
        let reinits = self.happenings.reinits.iter().map(|reinit| {
            Ok(netlist::ReinitOfOther {
                state: of.name_of(self.place(reinit.state)?),
                when: writer.truth()?,
                value: writer.next()?,
            })
        });
        let reinits = reinits.collect::<Result<Vec<_>, String>>()?;
        let assertions = self.happenings.assertions.iter().map(|assertion| {
            let when = assertion.when.map(|_| writer.truth()).transpose()?;
            let (condition, warning) = (writer.truth()?, assertion.is_warning);
            Ok(netlist::Assertion { when, condition, message: assertion.message.clone(), warning })
        });
        let assertions = assertions.collect::<Result<Vec<_>, String>>()?;
        let terminations = self.happenings.terminations.iter().map(|_| writer.truth());
        let terminations = terminations.collect::<Result<Vec<_>, String>>()?;
        Ok(Equations {
            name: name.to_owned(),
            class: self.declaration.name.to_owned(),
            description: self.declaration.summary.to_owned(),
            definitions: writer.trees.definitions,
            variables,
            reinits,
            assertions,
            terminations,
        })
    }

    /// Where the value of a symbol is.
    fn place(&self, number: usize) -> Result<PortId, String> {
        let place = self.places.borrow().get(&number).copied();
        place.ok_or_else(|| "a variable has no place".to_owned())
    }

    /// All its expressions, in the order in which a file states them.
    fn values(&self) -> Vec<Ex> {
        let mut values = Vec::new();
        for variable in &self.variables {
            values.extend(variable.start);
            match &variable.role {
                Role::Value(value) | Role::Hidden(value) | Role::Memory(value, _) => {
                    values.push(*value);
                }
                Role::State { .. } | Role::Given => {}
            }
            values.extend(variable.rate.map(|(_, rate)| rate));
            if let Role::State { initial, reinits } = &variable.role {
                if let Initial::Value(value) = initial {
                    values.push(*value);
                }
                values.extend(reinits.iter().flat_map(|of| [of.when.as_ex(), of.value]));
            }
        }
        let Happenings { reinits, assertions, terminations, residuals: _ } = &self.happenings;
        values.extend(reinits.iter().flat_map(|of| [of.when.as_ex(), of.value]));
        let conditions = assertions.iter().flat_map(Assertion::conditions);
        values.extend(conditions.chain(terminations.iter().copied()).map(|truth| truth.as_ex()));
        values
    }
}

fn is_event(symbols: &Symbols, number: usize) -> bool {
    let meaning = &symbols.get(number).meaning;
    !matches!(meaning, Meaning::Variable(_) | Meaning::Derivative(_) | Meaning::Pre(_))
}

/// Why initial equations that must be solved are refused.
const INITIAL: &str = "an initial equation gives no state its value";

/// Writes the expressions of a block, one after the other.
struct Writer<'b> {
    block: &'b Block,
    of: &'b Netlist,
    trees: Trees,
    parameters: HashMap<Leaf, &'b str>,
    /// The names of events.
    events: RefCell<HashMap<usize, String>>,
}

impl<'b> Writer<'b> {
    fn new(block: &'b Block, of: &'b Netlist, events: &[usize]) -> Result<Self, String> {
        let inside = events.iter().flat_map(|event| block.symbols.inside(*event));
        let trees = Trees::new(&inside.chain(block.values()).collect::<Vec<_>>())?;
        let parameters = of.parameters.iter();
        let parameters = parameters.filter_map(|p| Some((p.symbol.as_leaf()?, p.name.as_str())));
        let parameters = parameters.collect();
        Ok(Writer { block, of, trees, parameters, events: RefCell::default() })
    }

    /// The tree of the next expression.
    fn next(&mut self) -> Result<Data, String> {
        self.tree(Trees::next)
    }

    /// The tree of the next expression, which is a truth value.
    fn truth(&mut self) -> Result<Data, String> {
        self.tree(Trees::next_truth)
    }

    fn tree(
        &mut self,
        next: fn(&mut Trees, Leaves<'_>) -> Result<Data, String>,
    ) -> Result<Data, String> {
        let Writer { block, of, trees, parameters, events } = self;
        next(trees, &|leaf| {
            let text = |name: &str| Ok(Data::Text(name.to_owned()));
            if let Some(parameter) = parameters.get(&leaf) {
                return text(parameter);
            }
            let number = match leaf {
                Leaf::Time => return text("time"),
                Leaf::Symbol(_) => block.symbols.number_of(Ex::leaf(leaf)),
                _ => None,
            };
            let number = number.ok_or("they depend on something else than variables")?;
            if let Some(event) = events.borrow().get(&number) {
                return text(event);
            }
            match block.places.borrow().get(&number) {
                Some(place) => text(&of.name_of(*place)),
                None if is_event(&block.symbols, number) => {
                    Err("an event depends on a later one".to_owned())
                }
                None => Err("they read a variable that no component publishes".to_owned()),
            }
        })
    }

    /// Adds the definition of an event.
    fn event(&mut self, number: usize) -> Result<(), String> {
        let symbols = std::rc::Rc::clone(&self.block.symbols);
        let meaning = symbols.get(number).meaning.clone();
        if let Meaning::Sample(sample) = meaning {
            let (start, interval) = symbols.sample_of(sample);
            if !symbols.are_fixed(&[start, interval]) {
                return Err("initialization determines the instants of a sample".to_owned());
            }
        }
        let (event, text) = match meaning {
            Meaning::Relation(relation) => {
                (Event::Positive(self.next()?), symbols.relation_of(relation).text)
            }
            Meaning::Sample(_) => (Event::Sample([self.next()?, self.next()?]), String::new()),
            Meaning::Whole(_) => (Event::Whole(self.next()?), String::new()),
            Meaning::Edge(edge) => {
                let (conditions, text) = symbols.edge_of(edge);
                let conditions = conditions.iter().map(|condition| match condition {
                    Condition::Initial => Ok(Data::List(vec![Data::Text("initial".to_owned())])),
                    Condition::Sample(_) | Condition::Becomes(_) => self.truth(),
                });
                (Event::When(conditions.collect::<Result<_, String>>()?), text)
            }
            Meaning::Delay(_) => return Err("they contain a delay".to_owned()),
            _ => return Err("they contain an event of another kind".to_owned()),
        };
        let name = self.trees.define(event.write(&text));
        self.events.borrow_mut().insert(number, name);
        Ok(())
    }

    fn variable(&mut self, block: &Block, variable: &BlockVariable) -> Result<Variable, String> {
        let BlockVariable { name, kind, start, nominal, role, rate } = variable;
        let declared = block.declaration.variables.iter().find(|of| of.name == *name);
        let mut written = Variable {
            name: (*name).to_owned(),
            kind: match kind {
                Kind::Real => VariableType::Real,
                Kind::Integer => VariableType::Integer,
                Kind::Boolean => VariableType::Boolean,
            },
            unit: declared.map(|of| of.unit.to_owned()).unwrap_or_default(),
            description: declared.map(|of| of.text.to_owned()).unwrap_or_default(),
            start: start.map(|_| self.next()).transpose()?,
            nominal: *nominal,
            ..Variable::default()
        };
        match role {
            Role::Value(_) => written.value = Some(self.next()?),
            Role::Hidden(_) => {
                written.value = Some(self.next()?);
                written.hidden = true;
            }
            Role::Memory(..) => written.at_events = Some(self.next()?),
            Role::State { .. } => {}
            Role::Given => return Err(PHYSICAL.to_owned()),
        }
        written.derivative = rate.map(|_| self.next()).transpose()?;
        if let Role::State { initial, reinits } = role {
            written.initial = Some(match initial {
                Initial::Fixed => netlist::Initial::Fixed,
                Initial::Open => netlist::Initial::Free,
                Initial::Steady => netlist::Initial::Steady,
                Initial::Value(_) => netlist::Initial::At(self.next()?),
            });
            let reinits = reinits
                .iter()
                .map(|_| Ok(netlist::Reinit { when: self.truth()?, value: self.next()? }));
            written.reinits = reinits.collect::<Result<_, String>>()?;
        }
        Ok(written)
    }
}
