//! From a netlist to equations: components contribute, structure is found, motion is solved.

mod balance;
pub mod closure;
pub mod coordinates;
mod drives;
pub mod dynamics;
pub mod evaluation;
pub mod gravity;
pub mod kinematics;
mod late;
pub mod linear;
pub mod loops;
mod massless;
mod motion;
pub mod numeric;
mod publish;
mod reactions;
mod relations;
mod start;
pub mod structure;
mod thermal;
pub mod tree;
pub mod wiring;

use crate::assembly::Netlist;
use crate::component::Contribution;
use crate::error::Error;
use crate::start::StateSelect;
use closure::Row;
use coordinates::Coordinates;
use equations::{Ex, Model, jacobian};
use linear::{Elimination, Linear, Outcome};
use loops::{Closure, Loops, Unknown};
use numeric::Numeric;
use std::collections::{BTreeMap, BTreeSet};
use structure::{Candidate, Prescribed, Structure};
use tree::Tree;
use wiring::Wiring;

/// Turns a netlist into equations of `model`.
pub fn compile(netlist: &Netlist, model: &mut Model) -> Result<(), Error> {
    let (structure, names, flanges) = contributions(netlist, model)?;
    let plan = Plan::new(structure, names, flanges, model)?;
    motion::solve(netlist, plan, model)
}

/// Whether all parts between dots are identifiers, with or without an index.
fn is_component_name(name: &str) -> bool {
    name.split('.').all(|part| {
        let (word, index) = match part.split_once('[') {
            Some((word, rest)) => (word, rest.strip_suffix(']')),
            None => (part, Some("1")),
        };
        let digits = |i: &str| !i.is_empty() && i.bytes().all(|b| b.is_ascii_digit());
        let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
        word.bytes().next().is_some_and(letter)
            && word.bytes().all(|b| letter(b) || b.is_ascii_digit())
            && index.is_some_and(|index| index.split(',').all(digits))
    })
}

/// Lets every component contribute.
fn contributions(
    netlist: &Netlist,
    model: &mut Model,
) -> Result<(Structure, Vec<String>, usize), Error> {
    let names: Vec<String> = netlist.components.iter().map(|c| c.name.clone()).collect();
    let mut seen = BTreeSet::new();
    if let Some(name) = names.iter().find(|name| !seen.insert(name.as_str())) {
        return Err(Error::Connection(format!("{name}: two components have this name")));
    }
    if let Some(name) = names.iter().find(|name| !is_component_name(name)) {
        return Err(Error::Connection(format!(
            "\"{name}\": a component's name is made of letters, digits and _, beginning with a letter, \
             with dots between parts or an index such as [2] after them"
        )));
    }
    let full = |p: crate::assembly::PortId| format!("{}.{}", names[p.component], p.port);
    let mut wiring = Wiring::new(&netlist.connections, full)?;
    let mut structure = Structure::default();
    model.experiment(netlist.experiment);
    for (component, instance) in netlist.components.iter().enumerate() {
        let (wiring, structure) = (&mut wiring, &mut structure);
        let name = instance.name.clone();
        instance.component.contribute(&mut Contribution {
            model,
            wiring,
            structure,
            component,
            name,
        })?;
    }
    let flanges = wiring.flange_count();
    Ok((structure, names, flanges))
}

/// A variable that may be a state, as a linear form of coordinates that are free.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub linear: Linear,
    pub component: usize,
    pub position: Candidate,
    pub speed: Candidate,
    pub select: StateSelect,
    /// The joint whose coordinate it is.
    pub joint: Option<usize>,
    /// The drive whose position it is, and whether its speed is a state too.
    pub drive: Option<(usize, bool)>,
    /// See [`structure::Relative::damped`].
    pub damped: bool,
}

/// The structure of a model: what is free, what depends, what is a state.
pub(crate) struct Plan {
    pub structure: Structure,
    pub names: Vec<String>,
    pub numeric: Numeric,
    pub coordinates: Coordinates,
    pub tree: Tree,
    /// Placeholders of joint coordinates, by variable.
    pub symbols: BTreeMap<usize, Ex>,
    pub rows: Vec<Row>,
    /// Derivatives of the rows with respect to the unknowns.
    pub jacobian: Vec<Vec<Ex>>,
    pub unknowns: Vec<Unknown>,
    pub loops: Loops,
    /// Variables on which motion is built.
    pub independent: Vec<usize>,
    /// Everything that may be a state.
    pub forms: Vec<Form>,
    /// Those that are, in the order of the continuous states.
    pub states: Vec<usize>,
    /// Variables without inertia.
    pub massless: massless::Plan,
}

impl Plan {
    fn new(
        structure: Structure,
        names: Vec<String>,
        flanges: usize,
        model: &mut Model,
    ) -> Result<Plan, Error> {
        let mut numeric = Numeric::new(model);
        let mut coordinates = Coordinates::new(&structure, flanges);
        if let [(first, _), (second, _), ..] = structure.gravity[..] {
            return Err(Error::Structure(format!(
                "{} and {}: there can be only one world",
                names[first], names[second]
            )));
        }
        for note in relations::eliminate(&structure, &names, &mut coordinates, &numeric)? {
            model.note(note);
        }
        let tree = tree::span(&structure, |c| names[c].clone())?;
        refuse_fixed_cuts(&structure, &tree)?;
        refuse_tied_joints(&structure, &tree, &mut coordinates)?;
        check_rigid_loops(&structure, &names, &tree, &numeric)?;
        let forms = forms(&structure, &tree, &mut coordinates);
        let symbols = joint_variables(&structure, &tree, &coordinates)
            .map(|v| (v, Ex::symbol()))
            .collect::<BTreeMap<usize, Ex>>();

        let poses =
            kinematics::poses(&structure, &tree, |j| symbols[&coordinates.numbering().joint(j)]);
        let rows = closure::rows(&structure, &tree, &poses);
        let unknowns = unknowns(&rows, &symbols, &forms);
        let columns: Vec<Ex> = unknowns.iter().map(|u| u.symbol).collect();
        let residuals: Vec<Ex> = rows.iter().map(|r| r.residual).collect();
        let jacobian = jacobian(&residuals, &columns);
        let from_start: Vec<(Ex, Ex)> = rows
            .iter()
            .filter_map(|row| row.from_start.as_ref())
            .map(|(from, nodes)| {
                let at: Vec<_> =
                    nodes.iter().map(|&n| kinematics::node_pose(&tree, &poses, n)).collect();
                (from.parameter, (from.value)(&at))
            })
            .collect();
        let loops = Closure::new(&rows, &unknowns, &jacobian).solve(&mut numeric, |numeric| {
            for &(parameter, value) in &from_start {
                let value = numeric.one(value);
                numeric.set(parameter, value);
            }
        })?;

        for &row in &loops.redundant {
            model.note(format!(
                "{}: one of the conditions with which this closes its loop follows from the others; \
                 it is left out and transmits nothing",
                rows[row].name
            ));
        }
        for &cut in &tree.cuts {
            let measure = closure::alignment(&structure.joints[cut], &tree, &poses);
            if measure.is_some_and(|m| numeric.one(m) <= 0.0) {
                return Err(Error::Initial(format!(
                    "{}: the loop closes only with this joint turned round; give start values \
                     nearer to the wanted assembly",
                    structure.joints[cut].name
                )));
            }
        }
        let mut plan = Plan {
            structure,
            names,
            numeric,
            coordinates,
            tree,
            symbols,
            rows,
            jacobian,
            unknowns,
            loops,
            independent: Vec::new(),
            forms,
            states: Vec::new(),
            massless: massless::Plan::default(),
        };
        plan.independent = plan.independent_variables();
        plan.massless = massless::Plan::new(&mut plan);
        plan.states = plan.choose_states()?;
        plan.refuse_unmet_wishes()?;
        Ok(plan)
    }

    /// What must be a state and is not.
    fn refuse_unmet_wishes(&self) -> Result<(), Error> {
        let chosen = |k: &usize| {
            self.forms[*k].drive.is_some()
                || self.states.contains(k)
                || self.massless.first_order.contains(k)
        };
        let wanted = |k: &usize| self.forms[*k].select == StateSelect::Always;
        match (0..self.forms.len()).find(|k| wanted(k) && !chosen(k)) {
            Some(k) => Err(Error::Structure(format!(
                "{}: it cannot be a state as wanted, because others already determine it",
                self.forms[k].position.name
            ))),
            None => Ok(()),
        }
    }

    /// Variables of the dependent coordinates of blocks.
    pub fn dependents(&self, blocks: &[loops::Block]) -> BTreeSet<usize> {
        blocks.iter().flat_map(|b| &b.unknowns).map(|&k| self.unknowns[k].variable).collect()
    }

    fn independent_variables(&mut self) -> Vec<usize> {
        let dependent = self.dependents(&self.loops.motion);
        let nodes: Vec<usize> = self.structure.flange_ends.iter().map(|e| e.node).collect();
        let mut free: BTreeSet<usize> = self.symbols.keys().copied().collect();
        for node in nodes {
            free.extend(self.coordinates.elimination.variable(node).terms.keys());
        }
        let given = |v: &usize| {
            self.coordinates.numbering().drives().contains(v)
                || self.coordinates.numbering().is_violation(*v)
        };
        free.difference(&dependent).copied().filter(|v| !given(v)).collect()
    }

    /// Chooses as many forms as there are independent coordinates, the preferred ones first.
    fn choose_states(&self) -> Result<Vec<usize>, Error> {
        let dependent = self.dependents(&self.loops.motion);
        let mut order: Vec<usize> = (0..self.forms.len()).collect();
        // Relative to a motion that may jump, a state would have to jump with it.
        let follows = |k: usize| self.forms[k].linear.terms.keys().any(|&v| self.may_jump(v));
        order.sort_by_key(|&k| match self.forms[k].select {
            StateSelect::Always => std::cmp::Reverse((true, StateSelect::Always)),
            select => std::cmp::Reverse((!follows(k), select)),
        });
        let mut chosen = Vec::new();
        let mut known = Elimination::default();
        for k in order {
            let mut form = self.forms[k].linear.clone();
            form.constant = Ex::zero();
            form.terms.retain(|&v, _| !self.coordinates.numbering().drives().contains(&v));
            let left = |v: &usize| dependent.contains(v) || self.massless.variables.contains(v);
            if form.terms.keys().any(left) {
                continue;
            }
            if let Outcome::Eliminated(_) = known.relate(&form, |_| 0, &self.numeric) {
                chosen.push(k);
            }
        }
        let left = self.independent.iter().find(|&&v| !known.variable(v).terms.is_empty());
        if let Some(&v) = left {
            return Err(self.massless(v));
        }
        chosen.sort_unstable();
        Ok(chosen)
    }

    /// Whether a variable is a drive whose position or speed is a signal, not a state.
    fn may_jump(&self, variable: usize) -> bool {
        let drives = self.coordinates.numbering().drives();
        drives.contains(&variable)
            && !matches!(
                self.structure.drives[variable - drives.start].prescribed,
                Prescribed::Acceleration { .. }
            )
    }

    /// The complaint about a coordinate that nothing with inertia follows.
    pub fn massless(&self, variable: usize) -> Error {
        let mut coordinates = self.coordinates.elimination.clone();
        let flanges: Vec<String> = self
            .structure
            .flange_ends
            .iter()
            .filter(|end| !end.port.port.is_empty())
            .filter(|end| coordinates.variable(end.node).terms.contains_key(&variable))
            .map(|end| format!("{}.{}", self.names[end.port.component], end.port.port))
            .collect();
        if flanges.is_empty() {
            let joint = self.coordinates.numbering().joint_of(variable);
            let name = joint.map_or("a joint", |joint| &self.structure.joints[joint].name);
            return Error::Structure(format!("{name}: nothing with mass moves with this joint"));
        }
        Error::Structure(format!(
            "nothing with inertia moves with {}: connect an Inertia or a Mass",
            flanges.join(", ")
        ))
    }
}

/// Refuses initial conditions on joints that close a loop: their angle is measured, not a
/// coordinate.
fn refuse_fixed_cuts(structure: &Structure, tree: &Tree) -> Result<(), Error> {
    for primitive in tree.cuts.iter().filter_map(|&j| structure.joints[j].primitive.as_ref()) {
        for candidate in [&primitive.position, &primitive.speed] {
            if candidate.start.fixed {
                return Err(Error::Initial(format!(
                    "{}: this joint closes a loop, so its start value cannot be fixed; fix that of \
                     another joint of the loop",
                    candidate.name
                )));
            }
        }
    }
    Ok(())
}

/// Refuses joints whose coordinate is not free because of what is connected to their flanges.
fn refuse_tied_joints(
    structure: &Structure,
    tree: &Tree,
    coordinates: &mut Coordinates,
) -> Result<(), Error> {
    for j in structure.relations.iter().filter_map(|relation| relation.joint) {
        let name = &structure.joints[j].name;
        if tree.cuts.contains(&j) {
            return Err(Error::Structure(format!(
                "{name}: this joint closes a loop, so nothing can be connected to its flange; let \
                 another joint of the loop close it"
            )));
        }
        let variable = coordinates.numbering().joint(j);
        let form = coordinates.elimination.variable(variable);
        if !form.terms.keys().eq([&variable]) {
            return Err(Error::Structure(format!(
                "{name}: its flange is tied rigidly to another joint or to the housing, which is \
                 not supported"
            )));
        }
    }
    Ok(())
}

/// Refuses rigid parts that close a loop without fitting.
fn check_rigid_loops(
    structure: &Structure,
    names: &[String],
    tree: &Tree,
    numeric: &Numeric,
) -> Result<(), Error> {
    for (node, first, second) in &tree.rigid_loops {
        let ports: Vec<String> = structure
            .frame_ends
            .iter()
            .filter(|(n, _)| n == node)
            .map(|(_, port)| format!("{}.{}", names[port.component], port.port))
            .collect();
        let ports = ports.join(", ");
        if first.link != second.link {
            return Err(Error::Connection(format!(
                "{ports}: rigid parts join here two links that also move against each other"
            )));
        }
        let gap = first.pose.r - second.pose.r;
        let turn = first.pose.t - second.pose.t;
        let all: Vec<Ex> = gap.iter().chain(turn.iter()).copied().collect();
        let gaps: Vec<f64> = numeric.all(&all).into_iter().map(f64::abs).collect();
        if let Some(worst) = gaps.iter().find(|gap| gap.is_nan() || **gap > 1e-9) {
            return Err(Error::Structure(format!(
                "{ports}: rigid parts form a loop that does not close here: a gap of {worst:.2e} m \
                 (or rad)"
            )));
        }
    }
    Ok(())
}

fn joint_variables<'a>(
    structure: &'a Structure,
    tree: &'a Tree,
    coordinates: &'a Coordinates,
) -> impl Iterator<Item = usize> + 'a {
    let in_tree = |j: &usize| !tree.cuts.contains(j) && structure.joints[*j].primitive.is_some();
    (0..structure.joints.len()).filter(in_tree).map(|j| coordinates.numbering().joint(j))
}

/// All variables that may be states, in the order of their components.
fn forms(structure: &Structure, tree: &Tree, coordinates: &mut Coordinates) -> Vec<Form> {
    let mut forms = Vec::new();
    for (j, joint) in structure.joints.iter().enumerate() {
        let Some(primitive) = joint.primitive.as_ref().filter(|_| !tree.cuts.contains(&j)) else {
            continue;
        };
        let variable = coordinates.numbering().joint(j);
        forms.push(Form {
            linear: coordinates.elimination.variable(variable),
            component: joint.component,
            position: primitive.position.clone(),
            speed: primitive.speed.clone(),
            select: joint.select,
            joint: Some(j),
            drive: None,
            damped: false,
        });
    }
    for (k, drive) in structure.drives.iter().enumerate() {
        let (position, speed) = match &drive.prescribed {
            Prescribed::Acceleration { position, speed, .. } => (position, Some(speed)),
            Prescribed::Speed { position, .. } => (position, None),
            Prescribed::Position(_) | Prescribed::PositionAndSpeed(_) | Prescribed::Motion(_) => {
                continue;
            }
        };
        forms.push(Form {
            linear: Linear::variable(coordinates.numbering().drive(k)),
            component: drive.component,
            position: position.clone(),
            speed: speed.unwrap_or(position).clone(),
            select: StateSelect::Always,
            joint: None,
            drive: Some((k, speed.is_some())),
            damped: false,
        });
    }
    for relative in &structure.relatives {
        let mut linear = Linear::variable(relative.b.node);
        if let Some(a) = relative.a {
            linear = linear.minus(&Linear::variable(a.node));
        }
        forms.push(Form {
            linear: coordinates.elimination.reduce(&linear),
            component: relative.component,
            position: relative.position.clone(),
            speed: relative.speed.clone(),
            select: relative.select,
            joint: None,
            drive: None,
            damped: relative.damped,
        });
    }
    for form in &mut forms {
        form.linear.terms.retain(|&v, _| !coordinates.numbering().is_violation(v));
    }
    forms.sort_by_key(|f| f.component);
    forms
}

/// Joint coordinates that occur in closure equations.
fn unknowns(rows: &[Row], symbols: &BTreeMap<usize, Ex>, forms: &[Form]) -> Vec<Unknown> {
    let residuals: Vec<Ex> = rows.iter().map(|r| r.residual).collect();
    let leaves = equations::leaves_of(&residuals);
    let occurs = |symbol: &Ex| symbol.as_leaf().is_some_and(|l| leaves.contains(&l));
    symbols
        .iter()
        .filter(|(_, symbol)| occurs(symbol))
        .filter_map(|(&variable, &symbol)| {
            let form = forms.iter().find(|f| {
                f.joint.is_some() && f.linear.terms.keys().eq(std::iter::once(&variable))
            })?;
            Some(Unknown {
                variable,
                symbol,
                start: form.position.start.value,
                name: form.position.name.clone(),
                class: form.select as usize,
                fixed: [form.position.start.fixed, form.speed.start.fixed],
            })
        })
        .collect()
}
