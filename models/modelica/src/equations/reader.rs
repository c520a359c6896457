//! The values of symbols in laws: those of signals, of connectors, and of relations.

use super::connectors::OfFrame;
use super::symbols::{Condition, Delayed, Meaning, Symbols};
use equations::{Bool, Delay, Ex, Expression, Leaf, differentiate, leaves_of, select, substitute};
use mechanics::Error;
use mechanics::component::{BranchId, CircuitStateId};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;
use mechanics::statements::motion::ends::{FlangeEnd, FrameEnd, HeatEnd, PinEnd};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A connector as the mechanics knows it.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// A flange.
    Flange(FlangeEnd),
    /// A heat port.
    Heat(HeatEnd),
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reading {
    Potential(PinEnd),
    /// The current of a branch, or another unknown, with this factor.
    Unknown(BranchId, f64),
    CircuitState(CircuitStateId),
    Position(FlangeEnd),
    Speed(FlangeEnd),
    Temperature(HeatEnd),
    Frame(FrameEnd, OfFrame),
}

/// The connectors of all components, as far as these have contributed.
#[derive(Debug, Default)]
pub(super) struct Ends {
    ends: RefCell<HashMap<usize, End>>,
    readings: RefCell<HashMap<usize, Reading>>,
}

impl Ends {
    /// The value of a symbol that stands for a potential or for its derivative.
    pub fn read(&self, e: &SignalView<'_>, number: usize) -> Option<Ex> {
        Some(match self.readings.borrow().get(&number)? {
            Reading::Potential(end) => e.potential(*end),
            Reading::Unknown(branch, factor) if *factor < 0.0 => -e.current(*branch),
            Reading::Unknown(branch, _) => e.current(*branch),
            Reading::CircuitState(state) => e.circuit_state(*state),
            Reading::Position(end) => e.flange(*end).q,
            Reading::Speed(end) => e.flange(*end).v,
            Reading::Temperature(end) => e.temperature(*end),
            Reading::Frame(end, OfFrame::Position(k)) => e.pose(*end).r[*k],
            Reading::Frame(end, OfFrame::Matrix(i, j)) => e.pose(*end).t[(*i, *j)],
            Reading::Frame(end, OfFrame::AngularVelocity(k)) => e.velocity(*end).w[*k],
            Reading::Frame(end, OfFrame::Velocity(k)) => {
                (e.pose(*end).t.transpose() * e.velocity(*end).v)[*k]
            }
        })
    }

    /// Notes what a symbol stands for.
    pub fn note(&self, number: usize, reading: Reading) {
        self.readings.borrow_mut().insert(number, reading);
    }

    /// Notes the connector with a number.
    pub fn put(&self, port: usize, end: End) {
        self.ends.borrow_mut().insert(port, end);
    }

    /// The connector with a number, if its component has contributed.
    pub fn get(&self, port: usize) -> Option<End> {
        self.ends.borrow().get(&port).copied()
    }

    /// The flange with a number.
    pub fn flange(&self, port: usize) -> Option<FlangeEnd> {
        match self.get(port)? {
            End::Flange(end) => Some(end),
            End::Heat(_) => None,
        }
    }
}

/// Puts values in the places of symbols.
pub(super) struct Reader {
    /// The physical connectors of the model.
    pub ends: Rc<Ends>,
    /// What symbols stand for.
    pub symbols: Rc<Symbols>,
    /// The signals that symbols stand for.
    places: Rc<RefCell<HashMap<usize, PortId>>>,
    /// Parameters with their values.
    parameters: Vec<(Ex, Ex)>,
    truths: RefCell<HashMap<usize, Bool>>,
    wholes: RefCell<HashMap<usize, Ex>>,
    delays: RefCell<HashMap<usize, Delay>>,
    /// The names of events.
    names: RefCell<HashSet<String>>,
}

impl Reader {
    /// A reader that has read nothing yet.
    pub fn new(
        symbols: Rc<Symbols>,
        places: Rc<RefCell<HashMap<usize, PortId>>>,
        ends: Rc<Ends>,
        parameters: Vec<(Ex, Ex)>,
    ) -> Reader {
        Reader {
            ends,
            symbols,
            places,
            parameters,
            truths: RefCell::default(),
            wholes: RefCell::default(),
            delays: RefCell::default(),
            names: RefCell::default(),
        }
    }

    /// An expression with the values of all symbols.
    pub fn value(&self, e: &mut SignalView<'_>, of: Ex) -> Result<Ex, Error> {
        let mut by = self.parameters.clone();
        for number in self.symbols.of(&[of]) {
            by.push((self.symbols.ex(number), self.symbol(e, number)?));
        }
        Ok(substitute(&[of], &by)[0])
    }

    /// The symbol with a number.
    pub fn symbol_of(&self, number: usize) -> Ex {
        self.symbols.ex(number)
    }

    /// A condition with the values of all symbols.
    pub fn truth(&self, e: &mut SignalView<'_>, of: Bool) -> Result<Bool, Error> {
        Ok(self.value(e, of.as_ex())?.is_true())
    }

    fn symbol(&self, e: &mut SignalView<'_>, number: usize) -> Result<Ex, Error> {
        if let Some(value) = self.ends.read(e, number) {
            return Ok(value);
        }
        let meaning = self.symbols.get(number).meaning.clone();
        if let Meaning::Variable(_) | Meaning::Derivative(_) | Meaning::Pre(_) = meaning {
            let place = self.places.borrow().get(&number).copied();
            return match place {
                Some(place) => e.read(place),
                None => Ok(Ex::zero()),
            };
        }
        if let Meaning::Parameter(name) = meaning {
            let owner = self.symbols.claimed.borrow().get(&*name).cloned();
            let known = e.model().expression_of(owner.as_deref().unwrap_or(&name));
            let Some(Expression::Real(value)) = known else {
                let sentence = format!("{name}: no component has this parameter");
                return Err(Error::Parameter(sentence));
            };
            return Ok(value);
        }
        if let Meaning::Whole(whole) = meaning {
            return self.whole(e, number, whole);
        }
        if let Meaning::Delay(delay) = meaning {
            return self.delayed(e, number, delay);
        }
        if let Some(known) = self.truths.borrow().get(&number) {
            return Ok(known.as_ex());
        }
        let truth = match meaning {
            Meaning::Relation(relation) => self.relation(e, number, relation)?,
            Meaning::Sample(sample) => self.sample(e, number, sample)?,
            Meaning::Edge(edge) => self.edge(e, number, edge)?,
            _ => Bool::constant(false),
        };
        Ok(truth.as_ex())
    }

    /// A truth value that was made before, perhaps on the way to the values in it.
    fn known_or(&self, number: usize, make: impl FnOnce() -> Bool) -> Bool {
        let known = self.truths.borrow().get(&number).copied();
        known.unwrap_or_else(|| {
            let made = make();
            self.truths.borrow_mut().insert(number, made);
            made
        })
    }

    fn relation(
        &self,
        e: &mut SignalView<'_>,
        number: usize,
        relation: usize,
    ) -> Result<Bool, Error> {
        let relation = self.symbols.relation_of(relation);
        let name = self.name(&relation.text);
        if let Some((instant, is_later)) = self.instant(e, relation.residual)? {
            return Ok(self.known_or(number, || {
                let name = e.full(&name);
                let truth = e.model().time_relation(&name, instant);
                if is_later { truth } else { !truth }
            }));
        }
        let residual = self.value(e, relation.residual)?;
        Ok(self.known_or(number, || e.relation(&name, residual).done()))
    }

    fn sample(&self, e: &mut SignalView<'_>, number: usize, sample: usize) -> Result<Bool, Error> {
        let (start, interval) = self.symbols.sample_of(sample);
        let [first, every] = [self.value(e, start)?, self.value(e, interval)?];
        let name = self.name("sample");
        if self.symbols.are_fixed(&[start, interval]) {
            return Ok(self.known_or(number, || e.sample(&name, first, every)));
        }
        let by = self.last_values(e, &[start, interval])?.unwrap_or_default();
        let last = substitute(&[start, interval], &by);
        let name = e.full(&name);
        let later = [last[0], last[1]];
        Ok(self.known_or(number, || e.model().sample_from(&name, [first, every], later)))
    }

    /// Values of the symbols in expressions as they were at the last event; none if one of them
    /// changes between events.
    fn last_values(
        &self,
        e: &mut SignalView<'_>,
        values: &[Ex],
    ) -> Result<Option<Vec<(Ex, Ex)>>, Error> {
        let mut by = self.parameters.clone();
        for number in self.symbols.of(values) {
            let before = match self.symbols.get(number).meaning {
                Meaning::Pre(_) => Some(number),
                _ => self.symbols.find(&Meaning::Pre(number)),
            };
            let place = before.and_then(|before| self.places.borrow().get(&before).copied());
            // The value before an event of a state is the state.
            let last = place.and_then(|place| Some((place, place.port.strip_prefix("pre(")?)));
            let Some((place, rest)) = last else { return Ok(None) };
            let port = format!("last({rest}").leak();
            by.push((self.symbols.ex(number), e.read(PortId { port, ..place })?));
        }
        Ok(Some(by))
    }

    /// The instant at which a residual changes its sign, and whether it is positive from then on;
    /// it must depend on time, parameters, and variables that change at events only.
    fn instant(&self, e: &mut SignalView<'_>, residual: Ex) -> Result<Option<(Ex, bool)>, Error> {
        let Some(mut by) = self.last_values(e, &[residual])? else { return Ok(None) };
        let time = Ex::leaf(Leaf::Time);
        let factor = differentiate(&[residual], &[(time, Ex::one())])[0].constant_value();
        let Some(factor) = factor.filter(|factor| *factor != 0.0) else { return Ok(None) };
        by.push((time, Ex::zero()));
        let rest = substitute(&[residual], &by)[0];
        Ok(Some((-rest / factor, factor > 0.0)))
    }

    /// The largest whole number that is not larger than a value. It is kept between events.
    fn whole(&self, e: &mut SignalView<'_>, number: usize, whole: usize) -> Result<Ex, Error> {
        let x = self.value(e, self.symbols.whole_of(whole))?;
        if let Some(known) = self.wholes.borrow().get(&number) {
            return Ok(*known);
        }
        let name = e.full(&format!("whole_{}", whole + 1));
        let text = "Whole number that is kept between events";
        let kept = e.model().discrete(&name, 0.0).describe(text).done();
        let next = kept.pre() + 1.0;
        let [up, down] = ["up", "down"].map(|way| format!("{name} {way}"));
        let time = Ex::leaf(Leaf::Time);
        let is_known = |leaf: &Leaf| matches!(leaf, Leaf::Time | Leaf::Parameter(_));
        let factor = differentiate(&[x], &[(time, Ex::one())])[0].constant_value();
        let up = match factor.filter(|factor| *factor > 0.0) {
            Some(factor) if leaves_of(&[x]).iter().all(is_known) => {
                let begin = substitute(&[x], &[(time, Ex::zero())])[0];
                e.model().time_relation(&up, (next - begin) / factor)
            }
            _ => !e.model().relation(&up, next - x).done(),
        };
        let down = e.model().relation(&down, kept.pre() - x).done();
        let changed = select(down, x.floor().min(kept.pre() - 1.0), kept.pre());
        let changed = select(up, x.floor().max(next), changed);
        let value = select(e.model().initial(), x.floor(), changed);
        e.model().update(kept, value);
        self.wholes.borrow_mut().insert(number, value);
        Ok(value)
    }

    /// A delayed value. A signal is read after its delay is known, so that the signal may depend
    /// on the delayed value.
    fn delayed(&self, e: &mut SignalView<'_>, number: usize, delay: usize) -> Result<Ex, Error> {
        let known = self.delays.borrow().get(&number).copied();
        if let Some(known) = known {
            return Ok(e.model().delayed(known));
        }
        let Delayed { of, time, text } = self.symbols.delay_of(delay);
        let (time, name) = (self.value(e, time)?, e.full(&self.name(&text)));
        let made = e.model().delay(&name, time, None);
        self.delays.borrow_mut().insert(number, made);
        let signal = self.value(e, of)?;
        e.model().delay_signal(made, signal);
        Ok(e.model().delayed(made))
    }

    /// A name for an event that no other event of the block has.
    fn name(&self, text: &str) -> String {
        let mut names = self.names.borrow_mut();
        let numbered = |k: usize| if k == 1 { text.to_owned() } else { format!("{text} ({k})") };
        let name = (1..).map(numbered).find(|name| !names.contains(name)).unwrap_or_default();
        names.insert(name.clone());
        name
    }

    fn edge(&self, e: &mut SignalView<'_>, number: usize, edge: usize) -> Result<Bool, Error> {
        let (conditions, text) = self.symbols.edge_of(edge);
        let mut due = Bool::constant(false);
        for condition in conditions {
            due = due
                | match condition {
                    Condition::Initial => e.model().initial(),
                    Condition::Sample(sample) => self.truth(e, sample)?,
                    Condition::Becomes(condition) => {
                        let condition = self.truth(e, condition)?;
                        e.when(&self.name(&format!("when {text}")), condition)
                    }
                };
        }
        Ok(self.known_or(number, || due))
    }
}
