//! Equations that determine no variable: constraints between connectors, with the flows that they
//! leave free, and flows that depend on accelerations.

use super::causality;
use super::causality::{Solutions, is_linear};
use super::connectors::PortKind;
use super::resolved::{Form, Resolved};
use super::symbols::{Meaning, Symbols};
use super::system::Equations;
use crate::instance::Type;
use crate::source::{Complaint, Complaints};
use equations::{Ex, Leaf, differentiate, evaluate, substitute};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How potentials and flows of connectors depend on each other.
#[derive(Debug, Default)]
pub(super) struct Rigid {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Inertias of flanges, and heat capacities of heat ports.
    pub inertias: Vec<Inertia>,
    /// What acts on the ports whose flows depend on free flows or on accelerations, besides these.
    pub applied: BTreeMap<usize, Ex>,
}

/// An inertia that moves with a sum of positions, or a heat capacity.
#[derive(Clone, Debug)]
pub(super) struct Inertia {
    /// The ports with their factors.
    pub terms: Vec<(usize, Ex)>,
    /// The inertia.
    pub inertia: Ex,
}

impl Inertia {
    /// The inertia if it moves with this port alone.
    pub fn of_port(&self, port: usize) -> Option<Ex> {
        matches!(self.terms[..], [(of, _)] if of == port).then_some(self.inertia)
    }
}

/// A sum of potentials with fixed factors, and the rest, which vanish together.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// The ports with their factors.
    pub terms: Vec<(usize, Ex)>,
    /// The rest.
    pub rest: Ex,
    /// What the rest is.
    pub of: Constrains,
    /// The name of the position whose speed it prescribes.
    pub position: &'static str,
}

/// What an equation constrains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constrains {
    /// Potentials, by a rest that follows from parameters.
    Potentials,
    /// Positions, by a rest that varies: it prescribes a motion.
    Motion,
    /// Speeds, by a rest that varies or is a number: it prescribes a motion.
    Speeds,
}

/// The symbols of potentials, or of their derivatives, with the numbers of their ports.
pub(super) fn of_potentials(of: &Equations, order: usize) -> HashMap<usize, usize> {
    let rate = |number: usize| of.symbols.find(&Meaning::Derivative(number));
    let symbol = |name: &str| {
        let first = of.symbols.variable(name);
        (0..order).fold(first, |number, _| number.and_then(rate))
    };
    let ports = of.ports.iter().enumerate();
    ports.filter_map(|(at, port)| Some((symbol(&port.potential)?, at))).collect()
}

/// The values of flows that equations determine.
pub(super) fn flows(of: &Equations, solutions: &Solutions) -> Vec<Ex> {
    let flows = of.ports.iter().filter_map(|port| of.symbols.variable(&port.flow));
    flows.filter_map(|number| solutions.values.get(&number).copied()).collect()
}

/// Reads constraints and inertias from solved equations.
///
/// # Errors
/// One of them is not supported.
pub(super) fn read(of: &Equations, solutions: &Solutions) -> Result<Rigid, Complaints> {
    if of.ports.is_empty() {
        return Ok(Rigid::default());
    }
    Reader::new(of, solutions).read()
}

/// A flow that depends on free flows or on accelerations.
struct Flow {
    port: usize,
    /// The factors of the free flows, by their ports.
    of_free: BTreeMap<usize, Ex>,
    /// The factors of accelerations of ports.
    inertia: BTreeMap<usize, Ex>,
    rest: Ex,
}

struct Reader<'r> {
    of: &'r Equations,
    symbols: &'r Symbols,
    solutions: &'r Solutions,
    resolved: Resolved<'r>,
    /// The ports of the free flows.
    free: BTreeSet<usize>,
    /// The symbols of positions, of speeds, and of what inertias and heat capacities multiply.
    positions: HashMap<usize, usize>,
    speeds: HashMap<usize, usize>,
    inertial: HashMap<usize, usize>,
}

impl<'r> Reader<'r> {
    fn new(of: &'r Equations, solutions: &'r Solutions) -> Self {
        let symbols = &*of.symbols;
        let residual = |at: &usize| of.equations[*at].left - of.equations[*at].right;
        let mut roots = flows(of, solutions);
        roots.extend(solutions.left_over.iter().map(residual));
        let resolved = Resolved::new(symbols, solutions, &roots);
        let [positions, speeds, second] = [0, 1, 2].map(|order| of_potentials(of, order));
        let is_heat = |port: &usize| of.ports[*port].kind.domain().is_none();
        let first = speeds.iter().filter(|(_, port)| is_heat(port));
        let inertial = first.map(|(number, port)| (*number, *port)).chain(second).collect();
        let free = BTreeSet::new();
        let mut reader =
            Reader { of, symbols, solutions, resolved, free, positions, speeds, inertial };
        reader.free = solutions.free.iter().filter_map(|at| reader.port_of(*at)).collect();
        reader
    }

    fn read(self) -> Result<Rigid, Complaints> {
        let one = |complaint| vec![complaint];
        let mut complaints = Vec::new();
        let mut constraints = Vec::new();
        for equation in &self.solutions.left_over {
            match self.constraint(*equation) {
                Ok(constraint) => constraints.push(constraint),
                Err(complaint) => complaints.push(complaint),
            }
        }
        if !complaints.is_empty() {
            return Err(complaints);
        }
        let mut flows = Vec::new();
        for port in 0..self.of.ports.len() {
            flows.extend(self.flow(port).map_err(one)?);
        }
        self.check_work(&constraints, &flows).map_err(one)?;
        let inertias = self.inertias(&flows).map_err(one)?;
        let applied = flows.into_iter().map(|flow| (flow.port, flow.rest)).collect();
        Ok(Rigid { constraints, inertias, applied })
    }

    /// The constraint that an equation is.
    fn constraint(&self, equation: usize) -> Result<Constraint, Complaint> {
        let text = &self.of.equations[equation];
        let refuse = |sentence: String| Complaint::at(&text.span, sentence);
        let residual =
            self.resolved.of(text.left - text.right).filter(|_| matches!(text.kind, Type::Real));
        let of_order = |of| Form::of(self.symbols, residual?, of);
        let is_motion = |form: &Form| !form.rest.is_constant_zero();
        let positions = of_order(&self.positions).map(|form| (form, false));
        let speeds = || of_order(&self.speeds).filter(is_motion).map(|form| (form, true));
        let Some((Form { terms, rest }, is_speed)) = positions.or_else(speeds) else {
            let inside = residual.map(|residual| self.symbols.all_of(&[residual]));
            let inside = inside.unwrap_or_default();
            let is_motion = |number: &usize| {
                let of = [&self.positions, &self.speeds, &self.inertial];
                of.iter().any(|numbers| numbers.contains_key(number))
            };
            let names_potential = inside.iter().any(is_motion);
            return Err(refuse(match names_potential {
                true => "this equation constrains the motion of connectors, but not as a sum of \
                         their positions with fixed factors, so it is not supported"
                    .to_owned(),
                false => causality::unsolved(self.of, equation),
            }));
        };
        let moving = self.symbols.all_of(&[rest]).into_iter().any(|number| {
            let of = [&self.positions, &self.speeds, &self.inertial];
            of.iter().any(|of| of.contains_key(&number)) || self.port_of(number).is_some()
        });
        if moving {
            let sentence = "this equation constrains connectors by positions together with speeds, \
                            or by flows, which is not supported";
            return Err(refuse(sentence.to_owned()));
        }
        let is_heat = |port: usize| matches!(self.of.ports[port].kind, PortKind::Heat);
        let has_heat = terms.iter().any(|(port, _)| is_heat(*port));
        let of = match self.symbols.are_fixed(&[rest]) {
            _ if is_speed => Constrains::Speeds,
            true => Constrains::Potentials,
            false => Constrains::Motion,
        };
        if has_heat && (terms.len() > 1 || of != Constrains::Potentials) {
            let sentence = "an equation for a temperature gives it a fixed value; another one is \
                            not supported";
            return Err(refuse(sentence.to_owned()));
        }
        Ok(Constraint { terms, rest, of, position: "" })
    }

    /// The parts of a flow, if it depends on free flows or on accelerations.
    fn flow(&self, port: usize) -> Result<Option<Flow>, Complaint> {
        let number = self.symbols.variable(&self.of.ports[port].flow);
        let Some((number, value)) =
            number.and_then(|number| Some((number, *self.solutions.values.get(&number)?)))
        else {
            return Ok(None);
        };
        let Some(value) = self.resolved.of(value) else { return Ok(None) };
        let refuse = |what: &str| {
            let span = self.span_of(number);
            Complaint::at(&span, format!("this equation {what}, which is not supported"))
        };
        let mut rest = value;
        let inside = self.symbols.all_of(&[value]);
        let mut factor = |number: usize, what: &str| -> Result<Ex, Complaint> {
            let symbol = self.symbols.ex(number);
            let factor = differentiate(&[value], &[(symbol, Ex::one())])[0];
            if !is_linear(self.symbols, value, number) || !self.symbols.are_fixed(&[factor]) {
                return Err(refuse(what));
            }
            rest = substitute(&[rest], &[(symbol, Ex::zero())])[0];
            Ok(factor)
        };
        let what = "gives a flow that depends on a flow of a constraint by a varying factor";
        let mut of_free = BTreeMap::new();
        for number in inside.iter().filter(|number| self.solutions.free.contains(number)) {
            let Some(free) = self.port_of(*number) else { continue };
            of_free.insert(free, factor(*number, what)? * (self.sign(port) * self.sign(free)));
        }
        let what = "multiplies an acceleration, or the derivative of a temperature, by a varying \
                    factor";
        let mut inertia = BTreeMap::new();
        for number in &inside {
            if let Some(of) = self.inertial.get(number) {
                inertia.insert(*of, factor(*number, what)? * self.sign(port));
            }
        }
        let is_plain = inertia.is_empty() && of_free.is_empty();
        Ok((!is_plain).then_some(Flow { port, of_free, inertia, rest }))
    }

    /// The port whose flow a symbol is.
    fn port_of(&self, number: usize) -> Option<usize> {
        match &self.symbols.get(number).meaning {
            Meaning::Variable(name) => self.of.port_of_flow(name),
            _ => None,
        }
    }

    /// -1 for a connector that is connected inside of its component: its flow is that out of it.
    fn sign(&self, port: usize) -> f64 {
        if self.of.ports[port].is_inside { -1.0 } else { 1.0 }
    }

    /// The place of the equation that determines a variable.
    fn span_of(&self, number: usize) -> crate::source::Span {
        match self.solutions.equation_of.get(&number) {
            Some(equation) => self.of.equations[*equation].span.clone(),
            None => self.symbols.get(number).span.clone(),
        }
    }

    /// Refuses constraints whose flows do work: with the factors `C` of the positions, and the
    /// flows `A f` that follow from the free ones `f`, `C_f A' = C` is necessary.
    fn check_work(&self, constraints: &[Constraint], flows: &[Flow]) -> Result<(), Complaint> {
        for (row, constraint) in constraints.iter().enumerate() {
            let factor = |port: usize| {
                let term = constraint.terms.iter().find(|(of, _)| *of == port);
                term.map_or(Ex::zero(), |(_, factor)| *factor)
            };
            let of_row: BTreeSet<usize> = constraint.terms.iter().map(|(port, _)| *port).collect();
            let depends = |flow: &&Flow| flow.of_free.keys().any(|free| of_row.contains(free));
            let flowing = flows.iter().filter(depends).map(|flow| flow.port);
            let ports: BTreeSet<usize> = flowing.chain(of_row.iter().copied()).collect();
            for port in ports.difference(&self.free).copied() {
                let flow = flows.iter().find(|flow| flow.port == port);
                let of_free = flow.into_iter().flat_map(|flow| &flow.of_free);
                let work: Ex = of_free.map(|(free, of)| factor(*free) * *of).sum();
                if !vanishes(work - factor(port)) {
                    let equation = self.solutions.left_over[row];
                    let terms = constraint.terms.iter();
                    let names: Vec<&str> =
                        terms.map(|(port, _)| &*self.of.ports[*port].name).collect();
                    let sentence = format!(
                        "this equation constrains {}, but the flows there do work on it (or follow \
                         from other equations), which is not supported",
                        names.join(" and ")
                    );
                    return Err(Complaint::at(&self.of.equations[equation].span, sentence));
                }
            }
        }
        Ok(())
    }

    /// The factors of accelerations of ports without a free flow: the accelerations of the others
    /// follow from theirs.
    fn mass_matrix(&self, flows: &[Flow]) -> Result<BTreeMap<(usize, usize), Ex>, Complaint> {
        let mut matrix = BTreeMap::new();
        for flow in flows.iter().filter(|flow| !flow.inertia.is_empty()) {
            for other in flows {
                let own = flow.inertia.get(&other.port).copied().unwrap_or(Ex::zero());
                let induced = other.of_free.iter();
                let induced = induced.filter_map(|(free, of)| Some(*flow.inertia.get(free)? * *of));
                let inertia = own - induced.sum::<Ex>();
                if !vanishes(inertia) {
                    matrix.insert((flow.port, other.port), inertia);
                }
            }
            let elsewhere = |port: &&usize| {
                !self.free.contains(port) && !flows.iter().any(|other| other.port == **port)
            };
            if let Some(port) = flow.inertia.keys().find(elsewhere) {
                return Err(self.refuse_coupling(flow.port, *port));
            }
        }
        Ok(matrix)
    }

    /// The inertias that a mass matrix `J v v'` contains: each moves with the sum `v` of positions.
    fn inertias(&self, flows: &[Flow]) -> Result<Vec<Inertia>, Complaint> {
        let matrix = self.mass_matrix(flows)?;
        let at = |row: usize, column: usize| {
            matrix.get(&(row, column)).copied().unwrap_or_else(Ex::zero)
        };
        let mut done: BTreeSet<usize> = BTreeSet::new();
        let mut inertias = Vec::new();
        for (first, other) in matrix.keys().copied() {
            if done.contains(&first) {
                continue;
            }
            let Some(inertia) = matrix.get(&(first, first)).copied() else {
                return Err(self.refuse_coupling(first, other));
            };
            let row = matrix.keys().filter(|(row, _)| *row == first);
            let columns: BTreeSet<usize> = row.map(|(_, column)| *column).collect();
            let is_heat = |port: &usize| self.of.ports[*port].kind.domain().is_none();
            let touched = matrix.keys().find(|(row, column)| {
                columns.contains(row) != columns.contains(column)
                    || columns.contains(row)
                        && !vanishes(
                            at(*row, *column) - at(*row, first) * at(first, *column) / inertia,
                        )
                    || *row != *column && is_heat(row)
            });
            if let Some((row, column)) = touched {
                return Err(self.refuse_coupling(*row, *column));
            }
            let terms = columns
                .iter()
                .map(|port| (*port, simplified(at(first, *port) / inertia)))
                .collect();
            inertias.push(Inertia { terms, inertia });
            done.extend(columns);
        }
        Ok(inertias)
    }

    fn refuse_coupling(&self, flow: usize, port: usize) -> Complaint {
        let (flow, port) = (&self.of.ports[flow], &self.of.ports[port]);
        let number = self.symbols.variable(&flow.flow).unwrap_or_default();
        let sentence = format!(
            "this equation lets {} depend on the acceleration of {}, which is not supported",
            flow.flow, port.name
        );
        Complaint::at(&self.span_of(number), sentence)
    }
}

/// Whether an expression of parameters is zero for some of their values.
fn vanishes(value: Ex) -> bool {
    match value.constant_value() {
        Some(number) => number == 0.0,
        None => example(value, 0.37).is_some_and(|value| value.abs() < 1e-12),
    }
}

/// The whole number that an expression of parameters is for all their values, such as `J / J`.
fn simplified(value: Ex) -> Ex {
    let examples = [0.37, 1.93].map(|first| example(value, first));
    match examples {
        [Some(a), Some(b)] if (a - a.round()).abs() < 1e-12 && (a - b).abs() < 1e-12 => {
            Ex::from(a.round())
        }
        _ => value,
    }
}

/// The value of an expression for some values of its parameters.
fn example(value: Ex, first: f64) -> Option<f64> {
    let mut known: BTreeMap<Leaf, f64> = BTreeMap::new();
    let mut leaf = |leaf: Leaf| {
        let next = first + 0.61 * known.len() as f64;
        *known.entry(leaf).or_insert(next)
    };
    evaluate(&[value], &mut leaf).ok().map(|values| values[0])
}
