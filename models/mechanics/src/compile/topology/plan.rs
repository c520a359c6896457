//! The plan: what is free, what depends, what is a state.

use super::{checks, flange_relations, loops, redundant, tree};
use crate::compile::algebra::linear_form::{Elimination, Linear, Outcome};
use crate::compile::algebra::numeric::Numeric;
use crate::compile::contributions::{Candidate, Freedom, Prescribed, Structure};
use crate::compile::dynamics::massless;
use crate::compile::motion::coordinates::Coordinates;
use crate::compile::states::prescribed_motion;
use crate::compile::topology::approach::{self, Approach};
use crate::compile::topology::closure::Row;
use crate::compile::topology::loops::{Closure, Loops, Unknown};
use crate::compile::topology::symbols::Symbols;
use crate::compile::topology::tree::Tree;
use crate::error::Error;
use crate::start::StateSelect;
use equations::{Ex, Model, jacobian};
use std::collections::BTreeSet;

/// A variable that may be a state, as a linear form of coordinates that are free.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub linear: Linear,
    pub component: usize,
    pub position: Candidate,
    pub speed: Candidate,
    pub select: StateSelect,
    /// The coordinate of a joint that it is.
    pub coordinate: Option<usize>,
    /// Whether it is a speed without a position.
    pub spin: bool,
    /// The drive whose position it is, and whether its speed is a state too.
    pub drive: Option<(usize, bool)>,
    /// See [`crate::compile::contributions::Relative::damped`].
    pub damped: bool,
}

/// The structure of a model: what is free, what depends, what is a state.
pub(crate) struct Plan {
    pub structure: Structure,
    pub names: Vec<String>,
    pub numeric: Numeric,
    pub coordinates: Coordinates,
    pub tree: Tree,
    /// Placeholders of positions and speeds, by variable.
    pub symbols: Symbols,
    pub rows: Vec<Row>,
    /// Derivatives of the rows with respect to the unknowns.
    pub jacobian: Vec<Vec<Ex>>,
    /// Derivatives of the rates of the rows with respect to the speeds of the unknowns.
    pub speed_jacobian: Vec<Vec<Ex>>,
    pub unknowns: Vec<Unknown>,
    pub loops: Loops,
    /// Parameters that the initial configuration determines, in terms of the placeholders.
    pub from_start: Vec<(Ex, Ex)>,
    /// Variables on which motion is built.
    pub independent: Vec<usize>,
    /// Everything that may be a state.
    pub forms: Vec<Form>,
    /// Those that are, in the order of the continuous states.
    pub states: Vec<usize>,
    /// Forms whose position is a state while constraints on speeds determine its speed.
    pub rolling: Vec<usize>,
    /// Variables without inertia.
    pub massless: massless::Plan,
}

impl Plan {
    /// From what the components contributed; `flanges` is the number of flange nodes.
    pub fn new(
        mut structure: Structure,
        names: Vec<String>,
        flanges: usize,
        model: &mut Model,
    ) -> Result<Plan, Error> {
        let mut numeric = Numeric::new(model);
        for unknown in &structure.unknown_parameters {
            numeric.set(unknown.parameter, unknown.guess);
        }
        checks::one_world(&structure, &names)?;
        let mut coordinates = Coordinates::new(&structure, flanges);
        let (notes, unused) =
            flange_relations::eliminate(&structure, &names, &mut coordinates, &numeric)?;
        notes.into_iter().for_each(|note| model.note(note));
        for relation in unused {
            structure.relations[relation].ends.clear();
        }
        let tree = spanning_tree(&mut structure, &names)?;
        checks::transport_axes(&mut structure, &tree, &names, &numeric)?;
        checks::rigid_loops(&structure, &names, &tree, &numeric)?;
        checks::initial_accelerations(&structure, &tree)?;
        let forms = forms(&structure, &tree, &mut coordinates);
        let symbols = Symbols::new(&structure, &tree, &mut coordinates);
        let mut rows = symbols.rows(&structure, &tree);
        let mut unknowns = symbols.unknowns(&rows, &forms, &coordinates, &numeric);
        mark_accelerated(&mut unknowns, &structure, &mut coordinates);
        let violation = |v| coordinates.numbering().is_violation(v).then(Ex::zero);
        let violations = symbols.positions(violation).into_iter().chain(symbols.speeds(violation));
        for (symbol, _) in violations {
            numeric.set(symbol, 0.0);
        }
        for unknown in &unknowns {
            numeric.set(unknown.symbol, unknown.start);
            numeric.set(unknown.speed, 0.0);
        }
        let mut jacobian = jacobian_of(&rows, |row| row.residual, &unknowns, |u| u.symbol);
        let mut speed_jacobian = jacobian_of(&rows, |row| row.rate, &unknowns, |u| u.speed);
        let from_start = parameters_from_start(&rows, &symbols, &structure, &tree);
        let bodies = bodies_without_guesses(&structure, &tree, &names);
        let solve = |unknowns: &[Unknown], numeric: &mut Numeric| {
            let closure = Closure {
                rows: &rows,
                unknowns,
                jacobian: &jacobian,
                speed_jacobian: &speed_jacobian,
                bodies: &bodies,
            };
            closure.solve(numeric, |numeric| {
                for &(parameter, value) in &from_start {
                    let value = numeric.one(value);
                    numeric.set(parameter, value);
                }
            })
        };
        let approach = Approach { symbols: &symbols, forms: &forms, coordinates: &coordinates };
        let guesses = symbols.guesses(&structure, &tree);
        let (mut loops, notes) = approach.closed(&guesses, &mut unknowns, &mut numeric, solve)?;
        notes.into_iter().for_each(|note| model.note(note));
        approach::keep(&forms, &unknowns, model, &mut numeric);
        checks::hold(&structure, &tree, &symbols, &numeric)?;
        checks::alignment(&structure, &tree, &symbols, &numeric)?;
        let matrices = [&mut jacobian, &mut speed_jacobian];
        redundant::combine(&mut loops, &mut rows, &unknowns, matrices);
        redundant::notes(&loops, &rows).into_iter().for_each(|note| model.note(note));
        let mut plan = Plan {
            structure,
            names,
            numeric,
            coordinates,
            tree,
            symbols,
            rows,
            jacobian,
            speed_jacobian,
            unknowns,
            loops,
            from_start,
            independent: Vec::new(),
            forms,
            states: Vec::new(),
            rolling: Vec::new(),
            massless: massless::Plan::default(),
        };
        plan.independent = plan.independent_variables();
        plan.massless = massless::Plan::new(&mut plan);
        checks::open_ends(&mut plan).into_iter().for_each(|note| model.note(note));
        plan.states = plan.choose_states()?;
        plan.rolling = plan.rolling_states()?;
        plan.refuse_unmet_wishes()?;
        Ok(plan)
    }

    /// The positions of variables whose speeds follow from constraints on speeds alone.
    fn rolling_states(&self) -> Result<Vec<usize>, Error> {
        let positions = self.dependents(&self.loops.motion);
        let speeds = self.dependents(&self.loops.speed);
        let form = |v: &usize| {
            let single = |form: &Form| form.linear.terms.keys().eq([v]) && !form.spin;
            self.forms.iter().position(single).ok_or_else(|| {
                Error::Structure("a rolling condition on an orientation without angles".to_owned())
            })
        };
        speeds.difference(&positions).map(form).collect()
    }

    /// What must be a state and is not.
    fn refuse_unmet_wishes(&self) -> Result<(), Error> {
        let chosen = |k: &usize| {
            self.forms[*k].drive.is_some()
                || self.states.contains(k)
                || self.massless.first_order.contains(k)
                || self.rolling.contains(k)
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
        let dependent = self.dependents(&self.loops.speed);
        let nodes: Vec<usize> = self.structure.flange_ends.iter().map(|e| e.node).collect();
        let mut free: BTreeSet<usize> = self.symbols.variables().collect();
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
        let dependent = self.dependents(&self.loops.speed);
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
        match self.unmoved(variable) {
            sentence if sentence.starts_with("nothing") => {
                Error::Structure(format!("{sentence}: connect an Inertia or a Mass"))
            }
            sentence => Error::Structure(sentence),
        }
    }

    /// The sentence about a motion without inertia.
    pub fn unmoved(&self, variable: usize) -> String {
        let flanges = self.flanges_of(variable);
        if flanges.is_empty() {
            let coordinate = self.coordinates.numbering().coordinate_of(variable);
            let name = coordinate
                .map_or("a joint", |c| &self.names[self.structure.coordinates[c].component]);
            return format!("{name}: nothing with mass moves with this joint");
        }
        format!("nothing with inertia moves with {}", flanges.join(", "))
    }

    /// The flanges that move with a variable.
    fn flanges_of(&self, variable: usize) -> Vec<String> {
        let mut coordinates = self.coordinates.elimination.clone();
        let ends = self.structure.flange_ends.iter();
        ends.filter(|end| !end.port.port.is_empty())
            .filter(|end| coordinates.variable(end.node).terms.contains_key(&variable))
            .map(|end| format!("{}.{}", self.names[end.port.component], end.port.port))
            .collect()
    }

    /// What a variable is for a person: a coordinate of a joint, or flanges.
    pub fn name_of(&self, variable: usize) -> String {
        match self.coordinates.numbering().coordinate_of(variable) {
            Some(c) => self.structure.coordinates[c].position.name.clone(),
            None => self.flanges_of(variable).join(", "),
        }
    }
}

/// The tree. Free orientations that take part in loops are described by turns from here on.
fn spanning_tree(structure: &mut Structure, names: &[String]) -> Result<Tree, Error> {
    loop {
        let tree = tree::span(structure, |c| names[c].clone())?;
        match tree.ball_in_a_loop(structure) {
            Some(joint) => structure.turn_ball(joint),
            None => return Ok(tree),
        }
    }
}

/// Bodies that joints hold and about whose pose nobody made a guess.
fn bodies_without_guesses(structure: &Structure, tree: &Tree, names: &[String]) -> Vec<String> {
    let joints = tree.unused.iter().map(|&joint| &structure.joints[joint]);
    let open = joints.filter(|joint| {
        let all = &structure.coordinates[joint.coordinates.clone()];
        all.iter().all(|c| !c.position.start.given && !c.position.start.fixed)
    });
    open.map(|joint| format!("the pose of {}", names[joint.component])).collect()
}

/// Marks the unknowns whose start an initial acceleration determines.
fn mark_accelerated(
    unknowns: &mut [Unknown],
    structure: &Structure,
    coordinates: &mut Coordinates,
) {
    for (c, which) in prescribed_motion::determined_by_accelerations(structure) {
        let variable = coordinates.numbering().coordinate(c);
        let form = coordinates.elimination.variable(variable);
        let single = |u: &&mut Unknown| form.terms.keys().eq([&u.variable]);
        if let Some(unknown) = unknowns.iter_mut().find(single) {
            unknown.accelerated[which] = true;
        }
    }
}

/// Parameters that the initial configuration determines, with their values there.
fn parameters_from_start(
    rows: &[Row],
    symbols: &Symbols,
    structure: &Structure,
    tree: &Tree,
) -> Vec<(Ex, Ex)> {
    let given = rows.iter().filter_map(|row| row.from_start.as_ref()).map(|(from, frames)| {
        let at = symbols.closure(structure, tree).poses(frames);
        (from.parameter, (from.value)(&at))
    });
    given.chain(rows.iter().filter_map(|row| row.explicit?.branch_at_start())).collect()
}

/// All variables that may be states, in the order of their components.
fn forms(structure: &Structure, tree: &Tree, coordinates: &mut Coordinates) -> Vec<Form> {
    let mut forms = Vec::new();
    for c in tree.coordinates(structure) {
        let coordinate = &structure.coordinates[c];
        if coordinate.locked {
            continue;
        }
        let variable = coordinates.numbering().coordinate(c);
        forms.push(Form {
            linear: coordinates.elimination.variable(variable),
            component: coordinate.component,
            position: coordinate.position.clone(),
            speed: coordinate.speed.clone(),
            select: coordinate.select,
            coordinate: Some(c),
            spin: coordinate.freedom == Freedom::Spin,
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
            coordinate: None,
            spin: false,
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
            coordinate: None,
            spin: false,
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

/// Derivatives of one expression of each row with respect to one symbol of each unknown.
fn jacobian_of(
    rows: &[Row],
    of: impl Fn(&Row) -> Option<Ex>,
    unknowns: &[Unknown],
    symbol: impl Fn(&Unknown) -> Ex,
) -> Vec<Vec<Ex>> {
    let values: Vec<Ex> = rows.iter().map(|row| of(row).unwrap_or_else(Ex::zero)).collect();
    let columns: Vec<Ex> = unknowns.iter().map(symbol).collect();
    jacobian(&values, &columns)
}
