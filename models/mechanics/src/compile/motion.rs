//! The equations of motion: coordinates as functions of the states, then forces, accelerations and
//! the derivatives of the states.

use super::coordinates::{Coordinates, Motion};
use super::drives::Drives;
use super::dynamics::{Inertia, Reactions, Sums};
use super::evaluation::{Evaluation, Frames};
use super::kinematics::{self, Rate};
use super::late::Late;
use super::start::{self, Initial, Role};
use super::structure::{Law, Twist};
use super::thermal::Temperatures;
use super::{Plan, gravity, massless, publish, reactions};
use crate::assembly::Netlist;
use crate::error::Error;
use crate::vector::{Vector, dot};
use equations::{Bool, Ex, Factor, Model, differentiate, jacobian, substitute};
use std::collections::BTreeMap;

/// States of a chosen form: position and speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub form: usize,
    pub q: Ex,
    pub v: Ex,
}

/// Completes the model's equations from its plan.
pub fn solve(netlist: &Netlist, mut plan: Plan, model: &mut Model) -> Result<(), Error> {
    let mut drives = Drives::new(&mut plan);
    let initial = start::solve(&mut plan, &drives, model)?;
    let states = declare_states(&mut plan, &initial, model);
    drives.declare(&mut plan, &initial, model);
    violations(&mut plan);
    independent_motions(&mut plan, &states);
    let mut massless = massless::Motions::declare(&mut plan, &initial, model);
    close_loops(&mut plan, &initial, model);
    let mut frames = frames(&mut plan, &states);

    let temperatures =
        Temperatures::declare(&plan.structure, &plan.names, model, &mut plan.numeric)?;
    let laws = std::mem::take(&mut plan.structure.laws);
    let afters = std::mem::take(&mut plan.structure.afters);
    let signals = std::mem::take(&mut plan.structure.signals);
    let prescribed = std::mem::take(&mut plan.structure.drives);
    let order: Vec<_> = signals.iter().map(|s| s.0).collect();
    let names = plan.names.clone();
    let mut coordinates = plan.coordinates.clone();
    let mut evaluation = Evaluation {
        model,
        coordinates: &mut coordinates,
        frames: &mut frames,
        names: &names,
        component: 0,
        signals: signals.into_iter().map(|(id, law)| (id, Some(law))).collect(),
        quantities: BTreeMap::new(),
        early: BTreeMap::new(),
        flows: Vec::new(),
        wrenches: Vec::new(),
        heat_flows: Vec::new(),
        temperatures: temperatures.by_node(),
        friction: Vec::new(),
        potential: Ex::zero(),
        solution: None,
        afters,
    };
    publish::kinematics(&plan, &initial, &mut evaluation);
    run(laws, &mut evaluation)?;
    for id in order {
        evaluation.component = id.component;
        evaluation.read(id)?;
    }
    let mut late = Late::default();
    let wanted = drives.evaluate(prescribed, &mut evaluation, &mut late)?;

    let sums = sums(&plan, &mut evaluation);
    check_mass(&plan, &sums)?;
    for &symbol in evaluation.early.values() {
        plan.numeric.set(symbol, 0.0);
    }
    massless.balance(&plan, &sums, &states, &mut evaluation)?;
    let reactions = Reactions::new(&plan, &sums);
    let mut solution =
        sums.solve(&plan.independent, &evaluation.friction, &reactions, &plan.numeric);
    for state in &states {
        let a = plan.acceleration(state, evaluation.coordinates, &solution.accelerations);
        evaluation.model.derivative(state.v, a);
    }
    massless.accelerate(&plan, &states, evaluation.coordinates, &mut solution);
    evaluation.solution = Some(solution);
    final_accelerations(&plan, &states, &mut evaluation);
    let afters = std::mem::take(&mut evaluation.afters);
    run(afters, &mut evaluation)?;
    for acceleration in wanted {
        acceleration.require(&mut evaluation, &mut late);
    }
    publish::accelerations(&plan, &mut evaluation);
    publish::energy(&plan, &mut evaluation);
    reactions::publish(&plan, &mut evaluation);
    publish::outputs(netlist, &mut evaluation)?;
    temperatures.balance(&plan.structure, &plan.numeric, &mut evaluation, &mut late)?;
    evaluation.finish(&mut late)?;
    massless.finish(&mut late);
    late.finish(model)
}

/// Motions of the violations of relations: always zero, but forces are projected on them.
fn violations(plan: &mut Plan) {
    for relation in 0..plan.structure.relations.len() {
        let variable = plan.coordinates.numbering().violation(relation);
        let mut motion = Motion::prescribed([Ex::zero(); 3]);
        motion.partials.insert(variable, Ex::one());
        plan.coordinates.motions.insert(variable, motion);
    }
}

fn run(laws: Vec<(usize, Law)>, evaluation: &mut Evaluation<'_>) -> Result<(), Error> {
    for (component, law) in laws {
        evaluation.component = component;
        law(evaluation)?;
    }
    Ok(())
}

/// Declares the continuous states with their initial values; tells the numbers behind them.
fn declare_states(plan: &mut Plan, initial: &Initial, model: &mut Model) -> Vec<State> {
    let mut states = Vec::new();
    for form in plan.states.clone() {
        let linear = &plan.forms[form].linear;
        let mut speed_form = linear.clone();
        speed_form.constant = Ex::zero();
        let (position, speed) =
            (linear.value(|v| initial.q[&v]), speed_form.value(|v| initial.v[&v]));
        let q = declare_state(plan, initial, model, (form, 0), position);
        let v = declare_state(plan, initial, model, (form, 1), speed);
        states.push(State { form, q, v });
    }
    for state in &states {
        model.derivative(state.q, state.v);
    }
    states
}

/// Declares the position (0) or the speed (1) of a form as a state with its initial value.
pub(super) fn declare_state(
    plan: &mut Plan,
    initial: &Initial,
    model: &mut Model,
    (form, which): (usize, usize),
    value: Ex,
) -> Ex {
    let f = &plan.forms[form];
    let candidate = if which == 0 { &f.position } else { &f.speed };
    let role = initial.roles[form][which];
    let declared = model
        .state_from_slot(&candidate.name, candidate.slot)
        .unit(candidate.unit)
        .describe(candidate.describe)
        .nominal(candidate.nominal);
    let leaf = if role == Role::Guess { declared.guess().done() } else { declared.done() };
    let start = if role == Role::Known { candidate.slot } else { value };
    if role != Role::Known {
        model.start_expr(leaf, start);
    }
    let number = plan.numeric.one(start);
    plan.numeric.set(leaf, number);
    leaf
}

/// Independent coordinates as linear forms of the states.
fn independent_motions(plan: &mut Plan, states: &[State]) {
    let Plan { coordinates, forms, independent, numeric, .. } = plan;
    let numbering = coordinates.numbering();
    for state in states {
        let form = &forms[state.form].linear;
        coordinates.add_state(form, [state.q, state.v], |v| numbering.rank(v), numeric);
    }
    for &v in &*independent {
        let motion = coordinates.independent(v);
        coordinates.motions.insert(v, motion);
    }
}

/// Dependent coordinates: positions by Newton's method, their rates by linear equations.
fn close_loops(plan: &mut Plan, initial: &Initial, model: &mut Model) {
    let mut by: Vec<(Ex, Ex)> = plan
        .symbols
        .iter()
        .filter_map(|(v, &symbol)| plan.coordinates.motions.get(v).map(|m| (symbol, m.q)))
        .collect();
    let blocks = plan.loops.motion.clone();
    for block in &blocks {
        let unknowns: Vec<Ex> = block.unknowns.iter().map(|&k| plan.unknowns[k].symbol).collect();
        let residuals: Vec<Ex> = block.rows.iter().map(|&r| plan.rows[r].residual).collect();
        let residuals = substitute(&residuals, &by);
        let guess: Vec<Ex> =
            block.unknowns.iter().map(|&k| initial.q[&plan.unknowns[k].variable]).collect();
        let name = plan.block_name(block);
        let regular = regular(plan, block, &by, &residuals, &unknowns);
        let solution = model.newton_where(regular, &name, &unknowns, &residuals, &guess);
        for (anchor, &value) in model.last_anchors().into_iter().zip(&guess) {
            let number = plan.numeric.one(value);
            plan.numeric.set(anchor, number);
        }
        by.extend(unknowns.iter().copied().zip(solution));
    }
    for block in &blocks {
        rates(plan, block, &by);
    }
}

/// How much faster than at the start, and than independent coordinates, dependent ones may move.
const LARGEST_TRANSMISSION: f64 = 1e3;

/// Whether a loop is far from the positions at which its independent coordinates no longer
/// determine the others (dead points): there the others move infinitely faster.
fn regular(
    plan: &Plan,
    block: &super::loops::Block,
    by: &[(Ex, Ex)],
    residuals: &[Ex],
    unknowns: &[Ex],
) -> Bool {
    let factor = Factor::general(&jacobian(residuals, unknowns));
    let others = (0..plan.unknowns.len()).filter(|k| !block.unknowns.contains(k));
    others.fold(Bool::constant(true), |regular, k| {
        let column: Vec<Ex> = block.rows.iter().map(|&r| plan.jacobian[r][k]).collect();
        let column = substitute(&column, by);
        let transmission = factor.solve(&column);
        transmission.into_iter().fold(regular, |regular, n| {
            let at_start = plan.numeric.one(n).abs();
            let limit = LARGEST_TRANSMISSION * if at_start > 1.0 { at_start } else { 1.0 };
            regular & n.abs().le(limit)
        })
    })
}

/// Speeds, partial speeds and accelerations of a block's unknowns.
fn rates(plan: &mut Plan, block: &super::loops::Block, by: &[(Ex, Ex)]) {
    let (matrix, factor) = plan.block_jacobian(block, by);
    let value = |k: usize| by.iter().find(|(s, _)| *s == plan.unknowns[k].symbol).map(|p| p.1);
    let mut partials = vec![BTreeMap::new(); block.unknowns.len()];
    let mut speeds = vec![Ex::zero(); block.unknowns.len()];
    let others = (0..plan.unknowns.len()).filter(|k| !block.unknowns.contains(k));
    for k in others {
        let column: Vec<Ex> = matrix.iter().map(|row| -row[k]).collect();
        let variable = plan.unknowns[k].variable;
        let Some(motion) = plan.coordinates.motions.get(&variable) else { continue };
        if column.iter().all(|c| c.is_constant_zero()) {
            continue;
        }
        for (i, n) in factor.solve(&column).into_iter().enumerate() {
            partials[i].insert(variable, n);
            speeds[i] += n * motion.v;
        }
    }
    // The part of the second derivative of the residuals that is quadratic in the speeds.
    let speed_symbols: Vec<(Ex, Ex)> =
        plan.unknowns.iter().map(|u| (u.symbol, Ex::symbol())).collect();
    let residuals: Vec<Ex> = block.rows.iter().map(|&r| plan.rows[r].residual).collect();
    let once = differentiate(&residuals, &speed_symbols);
    let twice = differentiate(&once, &speed_symbols);
    let mut values = by.to_vec();
    for (k, &(_, speed)) in speed_symbols.iter().enumerate() {
        let own = block.unknowns.iter().position(|&u| u == k).map(|i| speeds[i]);
        let other = plan.coordinates.motions.get(&plan.unknowns[k].variable).map(|m| m.v);
        values.push((speed, own.or(other).unwrap_or_else(Ex::zero)));
    }
    let quadratic: Vec<Ex> = substitute(&twice, &values).into_iter().map(|c| -c).collect();
    let bias = factor.solve(&quadratic);
    for (i, &k) in block.unknowns.iter().enumerate() {
        let motion = Motion {
            q: value(k).unwrap_or_else(Ex::zero),
            v: speeds[i],
            partials: std::mem::take(&mut partials[i]),
            bias: bias[i],
        };
        plan.coordinates.motions.insert(plan.unknowns[k].variable, motion);
    }
}

impl Plan {
    /// The second derivative of a state, from the accelerations of the independent coordinates and
    /// those of prescribed motions.
    pub(super) fn acceleration(
        &self,
        state: &State,
        coordinates: &Coordinates,
        independent: &BTreeMap<usize, Ex>,
    ) -> Ex {
        let terms = &self.forms[state.form].linear.terms;
        terms.iter().map(|(v, &c)| c * coordinates.motions[v].acceleration(independent)).sum()
    }

    fn joint_motion(&mut self, joint: usize) -> Motion {
        let variable = self.coordinates.numbering().joint(joint);
        self.coordinates.variable(variable)
    }
}

/// Poses, velocities, partial velocities and the accelerations at constant speeds of all links.
fn frames(plan: &mut Plan, states: &[State]) -> Frames {
    let motions: Vec<Motion> =
        (0..plan.structure.joints.len()).map(|j| plan.joint_motion(j)).collect();
    let tree = std::mem::take(&mut plan.tree);
    let s = &plan.structure;
    let gravity = s.gravity.first().map(|g| g.1.uniform());
    let poses = kinematics::poses(s, &tree, |j| motions[j].q);
    let velocities = kinematics::velocities(s, &tree, &poses, |j| (motions[j].q, motions[j].v));
    let mut partials = vec![BTreeMap::new(); tree.parents.len()];
    for &k in &plan.independent {
        let partial = |j: usize| motions[j].partials.get(&k).copied();
        if (0..motions.len()).all(|j| partial(j).is_none()) {
            continue;
        }
        let rate = |j: usize| (motions[j].q, partial(j).unwrap_or_else(Ex::zero));
        for (link, twist) in kinematics::velocities(s, &tree, &poses, rate).into_iter().enumerate()
        {
            let moves = twist.w.iter().chain(twist.v.iter()).any(|c| !c.is_constant_zero());
            if moves {
                partials[link].insert(k, twist);
            }
        }
    }
    let seeds: Vec<(Ex, Ex)> = states.iter().map(|state| (state.q, state.v)).collect();
    let mut frames =
        Frames { tree, poses, velocities, partials, accelerations: Vec::new(), gravity };
    let bias = |j: usize| Rate { q: motions[j].q, v: motions[j].v, a: motions[j].bias };
    frames.accelerations = accelerations(plan, &frames, &seeds, bias);
    frames
}

/// Accelerations of all links when the coordinates have the given rates and the states change as
/// the seeds say.
fn accelerations(
    plan: &Plan,
    frames: &Frames,
    seeds: &[(Ex, Ex)],
    rate: impl Fn(usize) -> Rate,
) -> Vec<Twist> {
    let gravity = frames.gravity.unwrap_or_else(crate::vector::zero);
    let rods = &plan.structure.rods;
    let link_of_rod = |rod: usize| frames.tree.places[&rods[rod].frame.node].link;
    kinematics::accelerations(
        &plan.structure,
        &frames.tree,
        &frames.velocities,
        &gravity,
        rate,
        |rod| {
            let link = link_of_rod(rod);
            let a = frames.tree.places[&rods[rod].a.node];
            let t_a = frames.poses[a.link].then(&a.pose).t;
            let turned = frames.poses[link].t * t_a.transpose();
            let w: Vec<Ex> = frames.velocities[link].w.iter().copied().collect();
            (turned, Vector::from_vec(differentiate(&w, seeds)))
        },
    )
}

fn final_accelerations(plan: &Plan, states: &[State], evaluation: &mut Evaluation<'_>) {
    let joints = plan.structure.joints.len();
    let motions: Vec<Motion> = (0..joints)
        .map(|j| {
            let variable = evaluation.coordinates.numbering().joint(j);
            evaluation.coordinates.variable(variable)
        })
        .collect();
    let totals: Vec<Ex> = motions.iter().map(|m| evaluation.second_derivative(m)).collect();
    let mut seeds: Vec<(Ex, Ex)> = states.iter().map(|state| (state.q, state.v)).collect();
    let known = evaluation.solution.as_ref().map(|s| &s.accelerations);
    if let Some(known) = known {
        let a = |state| plan.acceleration(state, evaluation.coordinates, known);
        seeds.extend(states.iter().map(|state| (state.v, a(state))));
    }
    let rate = |j: usize| Rate { q: motions[j].q, v: motions[j].v, a: totals[j] };
    evaluation.frames.accelerations = accelerations(plan, evaluation.frames, &seeds, rate);
}

/// Mass matrix and forces.
fn sums(plan: &Plan, evaluation: &mut Evaluation<'_>) -> Sums {
    let mut sums = Sums::default();
    for inertial in &plan.structure.inertias {
        let motion = evaluation.flange(inertial.end);
        sums.inertia(&motion, inertial.inertia);
    }
    let frames = &*evaluation.frames;
    for (link, inertia) in link_inertias(plan, frames).iter().enumerate() {
        if !inertia.is_zero() {
            let (velocity, bias) = (&frames.velocities[link], &frames.accelerations[link]);
            sums.link(inertia, &frames.partials[link], velocity, bias);
        }
    }
    gravity::forces(&plan.structure, frames, &mut sums);
    for (end, wrench) in &evaluation.wrenches {
        let place = frames.tree.places[&end.node];
        let partials: BTreeMap<usize, Twist> =
            frames.partials[place.link].iter().map(|(&k, t)| (k, t.at(&place.pose))).collect();
        let reaction = Twist { w: -wrench.w, v: -wrench.v };
        sums.wrench(&partials, &reaction);
    }
    for (end, tau) in std::mem::take(&mut evaluation.flows) {
        let motion = evaluation.flange(end);
        sums.torque(&motion, -tau);
        evaluation.flows.push((end, tau));
    }
    sums
}

/// Masses of all links.
fn link_inertias(plan: &Plan, frames: &Frames) -> Vec<Inertia> {
    let mut inertias = vec![Inertia::zero(); frames.tree.parents.len()];
    for body in &plan.structure.bodies {
        let place = &frames.tree.places[&body.frame.node];
        inertias[place.link].add(&place.pose, body.mass, &body.r_cm, &body.inertia);
    }
    inertias
}

/// Kinetic energy, and potential energy of gravity, of all bodies.
pub fn energies(plan: &Plan, evaluation: &mut Evaluation<'_>) -> (Ex, Ex) {
    let mut kinetic = Ex::zero();
    for inertial in &plan.structure.inertias {
        let motion = evaluation.flange(inertial.end);
        kinetic += inertial.inertia * motion.v.square() * 0.5;
    }
    let frames = &*evaluation.frames;
    for (inertia, v) in link_inertias(plan, frames).iter().zip(&frames.velocities) {
        let momentum = inertia.momentum(v);
        kinetic += (dot(&momentum.w, &v.w) + dot(&momentum.v, &v.v)) * 0.5;
    }
    (kinetic, gravity::energy(&plan.structure, frames))
}

/// Refuses a mass matrix that is singular at the start.
fn check_mass(plan: &Plan, sums: &Sums) -> Result<(), Error> {
    for &k in &plan.independent {
        let mass = sums.mass(k, k);
        let zero = mass.is_constant_zero() || plan.numeric.one(mass) == 0.0;
        if zero {
            return Err(plan.massless(k));
        }
    }
    Ok(())
}
