//! Equations that determine no variable: constraints between connectors, with the flows that they
//! leave free, and flows that depend on accelerations.

use super::causality::{Solutions, is_linear};
use super::ports::PortKind;
use super::resolved::{Form, Resolved};
use super::symbols::{Meaning, Symbols};
use super::{Equations, causality};
use crate::source::{Complaint, Complaints};
use equations::{Ex, Leaf, differentiate, evaluate, substitute};
use std::collections::{BTreeMap, HashMap};

/// How potentials and flows of connectors depend on each other.
#[derive(Debug, Default)]
pub(super) struct Rigid {
    /// The constraints.
    pub constraints: Vec<Constraint>,
    /// Inertias of flanges, and heat capacities of heat ports.
    pub inertias: Vec<(usize, Ex)>,
    /// What acts on the ports whose flows depend on free flows or on accelerations, besides these.
    pub applied: BTreeMap<usize, Ex>,
}

/// A sum of potentials with fixed factors, and the rest, which vanish together.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// The ports with their factors.
    pub terms: Vec<(usize, Ex)>,
    /// The rest.
    pub rest: Ex,
    /// Whether the rest follows from parameters; otherwise the equation prescribes a motion.
    pub is_fixed: bool,
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
    /// The factors of the free flows.
    of_free: Vec<Ex>,
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
    free: Vec<usize>,
}

impl<'r> Reader<'r> {
    fn new(of: &'r Equations, solutions: &'r Solutions) -> Self {
        let symbols = &*of.symbols;
        let residual = |at: &usize| of.equations[*at].left - of.equations[*at].right;
        let flows = of.ports.iter().filter_map(|port| symbols.variable(&port.flow));
        let flows = flows.filter_map(|number| solutions.values.get(&number).copied());
        let roots: Vec<Ex> = flows.chain(solutions.left_over.iter().map(residual)).collect();
        let resolved = Resolved::new(symbols, solutions, &roots);
        let port = |number: &usize| match &symbols.get(*number).meaning {
            Meaning::Variable(name) => of.port_of_flow(name),
            _ => None,
        };
        let free = solutions.free.iter().filter_map(port).collect();
        Reader { of, symbols, solutions, resolved, free }
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
        let positions = of_potentials(self.of, 0);
        let residual = self.resolved.of(text.left - text.right).filter(|_| !text.is_truth);
        let form = residual.and_then(|residual| Form::of(self.symbols, residual, &positions));
        let Some(Form { terms, rest }) = form else {
            let inside = residual.map(|residual| self.symbols.all_of(&[residual]));
            let inside = inside.unwrap_or_default();
            let names_potential = (0..3).any(|order| {
                let of_order = of_potentials(self.of, order);
                inside.iter().any(|number| of_order.contains_key(number))
            });
            return Err(refuse(match names_potential {
                true => "this equation constrains the motion of connectors, but not as a sum of \
                         their positions with fixed factors, so it is not supported"
                    .to_owned(),
                false => causality::unsolved(self.of, equation),
            }));
        };
        let moving = self.symbols.all_of(&[rest]).into_iter().any(|number| {
            let is_rate = |order| of_potentials(self.of, order).contains_key(&number);
            let is_flow = matches!(&self.symbols.get(number).meaning,
                Meaning::Variable(name) if self.of.port_of_flow(name).is_some());
            is_rate(1) || is_rate(2) || is_flow
        });
        if moving {
            let sentence = "this equation constrains positions of connectors together with speeds \
                            or flows, which is not supported";
            return Err(refuse(sentence.to_owned()));
        }
        let is_heat = |port: usize| matches!(self.of.ports[port].kind, PortKind::Heat);
        let has_heat = terms.iter().any(|(port, _)| is_heat(*port));
        let is_fixed = self.symbols.are_fixed(&[rest]);
        if has_heat && (terms.len() > 1 || !is_fixed) {
            let sentence = "an equation for a temperature gives it a fixed value; another one is \
                            not supported";
            return Err(refuse(sentence.to_owned()));
        }
        Ok(Constraint { terms, rest, is_fixed })
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
        let mut factor = |number: usize, what: &str| -> Result<Ex, Complaint> {
            let symbol = self.symbols.ex(number);
            if !self.symbols.all_of(&[value]).contains(&number) {
                return Ok(Ex::zero());
            }
            let factor = differentiate(&[value], &[(symbol, Ex::one())])[0];
            if !is_linear(self.symbols, value, number) || !self.symbols.are_fixed(&[factor]) {
                return Err(refuse(what));
            }
            rest = substitute(&[rest], &[(symbol, Ex::zero())])[0];
            Ok(factor)
        };
        let what = "gives a flow that depends on a flow of a constraint by a varying factor";
        let free = self.solutions.free.iter();
        let of_free: Vec<Ex> =
            free.map(|number| factor(*number, what)).collect::<Result<_, _>>()?;
        let what = "multiplies an acceleration, or the derivative of a temperature, by a varying \
                    factor";
        let is_heat = |port: usize| matches!(self.of.ports[port].kind, PortKind::Heat);
        let first = of_potentials(self.of, 1).into_iter().filter(|(_, port)| is_heat(*port));
        let second = of_potentials(self.of, 2).into_iter().filter(|(_, port)| !is_heat(*port));
        let mut inertia = BTreeMap::new();
        for (number, of) in first.chain(second) {
            let factor = factor(number, what)?;
            if !factor.is_constant_zero() {
                inertia.insert(of, factor * self.sign(port));
            }
        }
        let is_plain = inertia.is_empty() && of_free.iter().all(|factor| factor.is_constant_zero());
        let sign = |(factor, free): (Ex, &usize)| factor * (self.sign(port) * self.sign(*free));
        let of_free = of_free.into_iter().zip(&self.free).map(sign).collect();
        Ok((!is_plain).then_some(Flow { port, of_free, inertia, rest }))
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

    /// Refuses constraints whose flows do work: with the factors `C` of the positions, and the flows
    /// `A f` that follow from the free ones `f`, `C_f A' = C` is necessary.
    fn check_work(&self, constraints: &[Constraint], flows: &[Flow]) -> Result<(), Complaint> {
        for (row, constraint) in constraints.iter().enumerate() {
            let factor = |port: usize| {
                let term = constraint.terms.iter().find(|(of, _)| *of == port);
                term.map_or(Ex::zero(), |(_, factor)| *factor)
            };
            for port in 0..self.of.ports.len() {
                if self.free.contains(&port) {
                    continue;
                }
                let flow = flows.iter().find(|flow| flow.port == port);
                let of_free = |k: usize| flow.map_or(Ex::zero(), |flow| flow.of_free[k]);
                let products = self.free.iter().enumerate();
                let work: Ex = products.map(|(k, free)| factor(*free) * of_free(k)).sum();
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

    /// The inertias on ports without a free flow: the accelerations of the others follow from
    /// theirs.
    fn inertias(&self, flows: &[Flow]) -> Result<Vec<(usize, Ex)>, Complaint> {
        let mut inertias = Vec::new();
        for flow in flows {
            for other in flows {
                let own = flow.inertia.get(&other.port).copied().unwrap_or(Ex::zero());
                let free = self.free.iter().enumerate();
                let induced = free.map(|(k, free)| {
                    let inertia = flow.inertia.get(free).copied().unwrap_or(Ex::zero());
                    inertia * other.of_free[k]
                });
                let inertia = own - induced.sum::<Ex>();
                if vanishes(inertia) {
                    continue;
                }
                if flow.port != other.port {
                    return Err(self.refuse_coupling(flow.port, other.port));
                }
                inertias.push((flow.port, inertia));
            }
            let elsewhere = |port: &&usize| {
                !self.free.contains(port) && !flows.iter().any(|other| other.port == **port)
            };
            if let Some(port) = flow.inertia.keys().find(elsewhere) {
                return Err(self.refuse_coupling(flow.port, *port));
            }
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
    if let Some(number) = value.constant_value() {
        return number == 0.0;
    }
    let mut known: BTreeMap<Leaf, f64> = BTreeMap::new();
    let mut leaf = |leaf: Leaf| {
        let next = 0.37 + 0.61 * known.len() as f64;
        *known.entry(leaf).or_insert(next)
    };
    evaluate(&[value], &mut leaf).is_ok_and(|values| values[0].abs() < 1e-12)
}
