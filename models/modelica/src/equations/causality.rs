//! Which equation determines which variable, and the value that follows.

use super::symbols::{Meaning, Symbols};
use super::system::{Equation, Equations, Unknown};
use crate::instance::{Type, Variable};
use crate::source::{Checked, Complaint, Complaints};
use crate::syntax::Causality;
use equations::{Ex, Leaf, depends_on, differentiate, evaluate, substitute};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// The values of variables and of derivatives.
#[derive(Debug, Default)]
pub(super) struct Solutions {
    /// Values by the numbers of symbols: variables, and derivatives.
    pub values: HashMap<usize, Ex>,
    /// The variables that are states.
    pub states: BTreeSet<usize>,
    /// The variables that equations of `when` determine.
    pub at_events: BTreeSet<usize>,
    /// The equations that determine no variable.
    pub left_over: Vec<usize>,
    /// The flows of physical connectors that no equation determines.
    pub free: Vec<usize>,
    /// The equations that determine symbols.
    pub equation_of: HashMap<usize, usize>,
    /// The values of derivatives without derivatives in them, as far as they were needed.
    plain: HashMap<usize, Ex>,
    /// Those that are being computed.
    open: BTreeSet<usize>,
}

impl Equations {
    /// The variables that equations determine, by the numbers of their symbols.
    fn named_unknowns(&self) -> HashMap<usize, &Unknown> {
        let own = self.unknowns.iter().filter(|unknown| !unknown.is_input);
        let own = own.filter_map(|of| Some((self.symbols.variable(&of.name)?, of)));
        let is_given = |number: usize, unknown: &Unknown| {
            let port = self.port_of_flow(&unknown.name);
            port.is_some_and(|port| self.ports[port].has_inner)
                || self.circuits.determines(&self.symbols, number)
        };
        own.filter(|(number, unknown)| !is_given(*number, unknown)).collect()
    }
}

/// How many derivatives of derivatives are computed at most.
const DEEPEST_DERIVATIVE: usize = 20;

/// How an equation determines a variable.
#[derive(Clone, Copy, Debug)]
enum How {
    /// The left side is the variable.
    Left,
    /// The right side is the variable.
    Right,
    /// The equation is linear in it.
    Linear,
}

/// An equation may determine a variable.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// How little this is wanted.
    cost: u8,
    /// The variable; a state and its derivative are one.
    variable: usize,
    /// The symbol: that of the variable or of its derivative.
    symbol: usize,
    how: How,
}

/// Solves equations for the variables that they name.
///
/// # Errors
/// There are too few or too many equations, or one cannot be solved.
pub(super) fn solve(of: &Equations) -> Result<Solutions, Complaints> {
    let symbols = &*of.symbols;
    let unknowns = of.named_unknowns();
    let edges: Vec<Vec<Edge>> =
        (0..of.equations.len()).map(|equation| edges(of, equation, &unknowns)).collect();
    let mut matching = Matching { edges: &edges, by_variable: HashMap::new() };
    let mut left_over = Vec::new();
    for equation in 0..of.equations.len() {
        if !of.circuits.equations.contains(&equation) && !matching.augment(equation) {
            left_over.push(equation);
        }
    }
    let mut numbers: Vec<usize> = unknowns.keys().copied().collect();
    numbers.sort_unstable();
    let is_flow = |number: usize| of.port_of_flow(&unknowns[&number].name).is_some();
    let (mut complaints, mut is_explained) = (Vec::new(), false);
    for number in numbers.iter().filter(|number| !is_flow(**number)) {
        if !matching.by_variable.contains_key(number) && !matching.release(*number, &is_flow) {
            let Unknown { name, variable, .. } = unknowns[number];
            // The equation that is left over explains it.
            let is_of_other_type = |equation: &usize| {
                let other = of_other_type(symbols, &of.equations[*equation]);
                other.is_some_and(|other| Rc::ptr_eq(&other, variable))
            };
            if of.is_flow_of_frame(name) && !left_over.is_empty()
                || left_over.iter().any(is_of_other_type)
            {
                is_explained = true;
                continue;
            }
            let complaint = of.undetermined_flow(name).unwrap_or_else(|| {
                Complaint::at(&variable.span, format!("no equation determines {name}"))
            });
            // The elements of a vector have one complaint.
            if complaints.last().is_none_or(|last: &Complaint| last.sentence != complaint.sentence)
            {
                complaints.push(complaint);
            }
        }
    }
    let is_free = |number: &usize| !matching.by_variable.contains_key(number);
    let free: Vec<usize> = numbers.into_iter().filter(|at| is_flow(*at) && is_free(at)).collect();
    if left_over.len() > free.len() || is_explained || !complaints.is_empty() {
        complaints.extend(
            left_over.iter().map(|equation| {
                Complaint::at(&of.equations[*equation].span, unsolved(of, *equation))
            }),
        );
    }
    if left_over.len() < free.len() {
        complaints.extend(free.iter().map(|number| {
            let sentence = format!("no equation determines {}", unknowns[number].name);
            Complaint::at(&symbols.get(*number).span, sentence)
        }));
    }
    if !complaints.is_empty() {
        complaints.sort_by_key(|complaint| complaint.span.as_ref().map(|span| span.start));
        return Err(complaints);
    }
    let mut solutions = Solutions { left_over, free, ..Solutions::default() };
    for (variable, (equation, edge)) in matching.by_variable {
        if edge.symbol != variable && !of.circuits.states.contains(&variable) {
            solutions.states.insert(variable);
        }
        if of.equations[equation].at_events {
            solutions.at_events.insert(variable);
        }
        let value = value(symbols, &of.equations[equation], edge);
        solutions.values.insert(edge.symbol, value);
        solutions.equation_of.insert(edge.symbol, equation);
    }
    differentiate_all(symbols, &unknowns, &mut solutions)?;
    Ok(solutions)
}

/// Why an equation determines nothing.
pub(super) fn unsolved(equations: &Equations, equation: usize) -> String {
    let (symbols, of) = (&equations.symbols, &equations.equations[equation]);
    let unknowns = equations.named_unknowns();
    let own = |number: &usize| match symbols.get(*number).meaning {
        Meaning::Derivative(of) => unknowns.get(&of),
        _ => unknowns.get(number),
    };
    let all = symbols.all_of(&[of.left, of.right]);
    let mut names: Vec<&str> = all.iter().filter_map(own).map(|unknown| &*unknown.name).collect();
    names.dedup();
    let is_of_frame = |number: &usize| match &symbols.get(*number).meaning {
        Meaning::Variable(name) => equations.is_of_frame(name),
        _ => false,
    };
    if let Some(variable) = of_other_type(symbols, of) {
        let (name, kind) = (&variable.name, variable.kind.name());
        return format!("{name} is {kind}, not {}", of.kind.name());
    }
    // The input of a component, as one side of the equation.
    let mut sides = [of.left, of.right].into_iter().filter_map(|side| symbols.number_of(side));
    let input = sides.find_map(|number| {
        let variable = symbols.get(number).variable.clone()?;
        (variable.causality == Some(Causality::Input)).then(|| variable.name.clone())
    });
    // Another equation with the same variable on one side, which is the answer to most questions.
    let same_side = |other: &Equation| {
        [other.left, other.right].into_iter().any(|side| {
            let is_own = |own: Ex| own.key() == side.key() && symbols.number_of(own).is_some();
            is_own(of.left) || is_own(of.right)
        })
    };
    let mut others = equations.equations.iter().enumerate().filter(|(k, _)| *k != equation);
    let other = others.find(|(_, other)| same_side(other)).map(|(_, other)| other.span.place());
    match (&names[..], input) {
        ([name], _) if other.is_some() => {
            format!("{name} has another equation, at {}", other.unwrap_or_default())
        }
        _ if all.iter().any(is_of_frame) => {
            "this equation constrains frames: joints of one's own are not supported".to_owned()
        }
        ([], Some(input)) => {
            format!("{input} is connected with a source, so no equation can determine it")
        }
        ([], None) => {
            "this equation has no variable of its own that it could determine: an equation \
               between variables of components is a constraint, which is not supported"
                .to_owned()
        }
        _ => format!(
            "this equation cannot be solved for {}: other equations determine the variables in \
             which it is linear, or it is linear in none",
            names.join(" or ")
        ),
    }
}

/// A variable that is one side of an equation and cannot have the values of the other one.
fn of_other_type(symbols: &Symbols, of: &Equation) -> Option<Rc<Variable>> {
    [of.left, of.right].into_iter().find_map(|side| {
        let symbol = symbols.get(symbols.number_of(side)?).clone();
        let is_variable = matches!(symbol.meaning, Meaning::Variable(_));
        symbol.variable.filter(|variable| is_variable && !variable.kind.takes(&of.kind))
    })
}

/// The variables that an equation may determine, the best one first.
fn edges(equations: &Equations, equation: usize, unknowns: &HashMap<usize, &Unknown>) -> Vec<Edge> {
    let mut edges = Vec::new();
    let (symbols, circuits) = (&*equations.symbols, &equations.circuits);
    if circuits.equations.contains(&equation) {
        return edges;
    }
    let of = &equations.equations[equation];
    let residual = of.left - of.right;
    let left = symbols.number_of(of.left);
    let right = symbols.number_of(of.right);
    let numbers =
        if of.assigns { left.into_iter().collect() } else { symbols.of(&[of.left, of.right]) };
    for number in numbers {
        let symbol = symbols.get(number).clone();
        let (variable, is_state) = match symbol.meaning {
            Meaning::Variable(_) => (number, symbols.find(&Meaning::Derivative(number)).is_some()),
            Meaning::Derivative(variable) => (variable, false),
            _ => continue,
        };
        if !unknowns.contains_key(&variable) || circuits.gives(number) {
            continue;
        }
        let inside = |side: Ex| symbols.all_of(&[side]).contains(&number);
        // A Real does not become an Integer; other types than Real have no linear equations.
        if symbol.variable.as_ref().is_some_and(|variable| !variable.kind.takes(&of.kind)) {
            continue;
        }
        let is_real = matches!(of.kind, Type::Real);
        let (how, cost) = if left == Some(number) {
            (How::Left, if inside(of.right) { 6 } else { 0 })
        } else if right == Some(number) {
            (How::Right, if inside(of.left) { 7 } else { 1 })
        } else if is_real && is_linear(symbols, residual, number) {
            (How::Linear, 3)
        } else {
            continue;
        };
        let can_isolate =
            cost >= 6 && is_real && !of.assigns && is_linear(symbols, residual, number);
        let how = if can_isolate { How::Linear } else { how };
        let cost = cost + if is_state { 10 } else { 0 };
        edges.push(Edge { cost, variable, symbol: number, how });
    }
    edges.sort_by_key(|edge| edge.cost);
    edges
}

/// Whether an expression is linear in a symbol, with a factor that is not zero.
pub(super) fn is_linear(symbols: &Symbols, value: Ex, number: usize) -> bool {
    let symbol = symbols.ex(number);
    let hidden = symbols.of(&[value]).into_iter().filter(|other| *other != number);
    let hidden: Vec<Ex> = hidden.flat_map(|other| symbols.inside(other)).collect();
    if symbols.all_of(&hidden).contains(&number) {
        return false;
    }
    let factor = differentiate(&[value], &[(symbol, Ex::one())])[0];
    !factor.is_constant_zero()
        && !depends_on(&[factor], symbol)
        && is_straight(value, factor, symbol)
}

/// Whether an expression is the same straight line everywhere: the derivative does not show the
/// jumps of conditions without events.
fn is_straight(value: Ex, factor: Ex, symbol: Ex) -> bool {
    let rest = substitute(&[value], &[(symbol, Ex::zero())])[0];
    [-731.3, -0.7, 0.3, 12.9].into_iter().all(|x| {
        let mut others: BTreeMap<Leaf, f64> = BTreeMap::new();
        let mut leaf = |leaf: Leaf| match Ex::leaf(leaf).key() == symbol.key() {
            true => x,
            false => {
                let next = 0.37 + 0.61 * others.len() as f64;
                *others.entry(leaf).or_insert(next)
            }
        };
        let Ok(values) = evaluate(&[value, factor, rest], &mut leaf) else { return true };
        let (value, line) = (values[0], values[1] * x + values[2]);
        let gap = (value - line).abs();
        // Where the expression has no value, nothing contradicts the line.
        gap.is_nan() || gap <= 1e-9 * (1.0 + value.abs() + line.abs())
    })
}

/// The value that an equation gives to a symbol.
fn value(symbols: &Symbols, of: &Equation, edge: Edge) -> Ex {
    match edge.how {
        How::Left => of.right,
        How::Right => of.left,
        How::Linear => {
            let (symbol, residual) = (symbols.ex(edge.symbol), of.left - of.right);
            let factor = differentiate(&[residual], &[(symbol, Ex::one())])[0];
            let rest = substitute(&[residual], &[(symbol, Ex::zero())])[0];
            -rest / factor
        }
    }
}

/// Pairs of an equation and a variable.
struct Matching<'e> {
    edges: &'e [Vec<Edge>],
    /// The equation of each variable.
    by_variable: HashMap<usize, (usize, Edge)>,
}

impl Matching<'_> {
    /// Finds a variable for an equation; others may get another one.
    fn augment(&mut self, equation: usize) -> bool {
        let mut seen = HashSet::new();
        // Equations, each with the number of edges that were tried; the last of these leads to the
        // variable of the next equation.
        let mut path = vec![(equation, 0)];
        while let Some((equation, tried)) = path.last_mut() {
            let edges = &self.edges[*equation];
            let is_free = |edge: &&Edge| !self.by_variable.contains_key(&edge.variable);
            let free = edges.iter().find(is_free).filter(|edge| *tried == 0 && edge.cost < 10);
            let next = free.or_else(|| {
                let next = edges[*tried..].iter().position(|edge| seen.insert(edge.variable));
                *tried = next.map_or(edges.len(), |skipped| *tried + skipped + 1);
                next.map(|_| &edges[*tried - 1])
            });
            let Some(edge) = next else {
                path.pop();
                continue;
            };
            if let Some((holder, _)) = self.by_variable.get(&edge.variable) {
                path.push((*holder, 0));
                continue;
            }
            let last = (*equation, *edge);
            path.pop();
            let changed = path
                .into_iter()
                .map(|(equation, tried)| (equation, self.edges[equation][tried - 1]));
            for (equation, edge) in changed.chain([last]) {
                self.by_variable.insert(edge.variable, (equation, edge));
            }
            return true;
        }
        false
    }

    /// Gives a variable an equation of others, so that in the end a flow has none.
    fn release(&mut self, variable: usize, is_flow: &dyn Fn(usize) -> bool) -> bool {
        let mut of_equation: HashMap<usize, usize> =
            self.by_variable.iter().map(|(variable, (of, _))| (*of, *variable)).collect();
        let mut reached: HashMap<usize, (usize, usize, Edge)> = HashMap::new();
        let mut open = VecDeque::from([variable]);
        while let Some(wanted) = open.pop_front() {
            for (equation, edges) in self.edges.iter().enumerate() {
                let edge = edges.iter().find(|edge| edge.variable == wanted && edge.cost < 10);
                let (Some(edge), Some(holder)) = (edge, of_equation.get(&equation).copied()) else {
                    continue;
                };
                if holder == variable || reached.contains_key(&holder) {
                    continue;
                }
                reached.insert(holder, (wanted, equation, *edge));
                if !is_flow(holder) {
                    open.push_back(holder);
                    continue;
                }
                let mut freed = holder;
                self.by_variable.remove(&freed);
                while let Some((wanted, equation, edge)) = reached.get(&freed).copied() {
                    self.by_variable.insert(wanted, (equation, edge));
                    of_equation.insert(equation, wanted);
                    freed = wanted;
                }
                return true;
            }
        }
        false
    }
}

/// The derivatives of variables that are no states, from those of what they depend on.
fn differentiate_all(
    symbols: &Symbols,
    unknowns: &HashMap<usize, &Unknown>,
    solutions: &mut Solutions,
) -> Result<(), Complaints> {
    let mut at = 0;
    while at < symbols.count() {
        let rate = derivative(symbols, unknowns, (at, 0), solutions);
        rate.map_err(|complaint| vec![complaint])?;
        at += 1;
    }
    // No signal is a second derivative.
    let second = |number: &usize| symbols.twice_differentiated(*number).is_some();
    let known = solutions.values.iter().filter(|(number, _)| second(number));
    let by: Vec<(Ex, Ex)> = known.map(|(number, value)| (symbols.ex(*number), *value)).collect();
    if !by.is_empty() {
        solutions.values.values_mut().for_each(|value| *value = substitute(&[*value], &by)[0]);
    }
    Ok(())
}

/// The value of a derivative, if the symbol is that of one.
fn derivative(
    symbols: &Symbols,
    unknowns: &HashMap<usize, &Unknown>,
    (at, depth): (usize, usize),
    solutions: &mut Solutions,
) -> Checked<Option<Ex>> {
    let symbol = symbols.get(at).clone();
    let Meaning::Derivative(of) = symbol.meaning else { return Ok(None) };
    if let Some(known) = solutions.values.get(&at) {
        return Ok(Some(*known));
    }
    let value = match symbols.get(of).meaning {
        Meaning::Derivative(_) => derivative(symbols, unknowns, (of, depth + 1), solutions)?,
        _ => solutions.values.get(&of).filter(|_| unknowns.contains_key(&of)).copied(),
    };
    let Some(value) = value else { return Ok(None) };
    let is_real = symbol.variable.as_ref().is_some_and(|of| matches!(of.kind, Type::Real));
    if !is_real || solutions.at_events.contains(&of) {
        let sentence = "a variable that changes at events only has no derivative";
        return Err(Complaint::at(&symbol.span, sentence));
    }
    if depth > DEEPEST_DERIVATIVE {
        let sentence = "a derivative that depends on further and further derivatives";
        return Err(Complaint::at(&symbol.span, sentence));
    }
    let value = without_derivatives(symbols, unknowns, (value, depth + 1), solutions)?;
    let rate = symbols.derivative(value, &symbol.span)?;
    solutions.values.insert(at, rate);
    Ok(Some(rate))
}

/// A value in which derivatives are replaced by their values, such that it can be differentiated.
fn without_derivatives(
    symbols: &Symbols,
    unknowns: &HashMap<usize, &Unknown>,
    (value, depth): (Ex, usize),
    solutions: &mut Solutions,
) -> Checked<Ex> {
    let mut by = Vec::new();
    for number in symbols.of(&[value]) {
        if let Some(known) = solutions.plain.get(&number) {
            by.push((symbols.ex(number), *known));
            continue;
        }
        // One that depends on itself stays.
        if !solutions.open.insert(number) {
            continue;
        }
        if let Some(rate) = derivative(symbols, unknowns, (number, depth), solutions)? {
            let rate = without_derivatives(symbols, unknowns, (rate, depth + 1), solutions)?;
            solutions.plain.insert(number, rate);
            by.push((symbols.ex(number), rate));
        }
        solutions.open.remove(&number);
    }
    Ok(substitute(&[value], &by)[0])
}
