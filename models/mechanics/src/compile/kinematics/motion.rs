//! The equations of motion: coordinates as functions of the states, then forces, accelerations and
//! the derivatives of the states.

use crate::assembly::Netlist;
use crate::compile::contributions::{Law, Pose, Twist};
use crate::compile::dynamics::equations_of_motion::{self, Inertia, Reactions};
use crate::compile::dynamics::{impacts, massless};
use crate::compile::kinematics::branches;
use crate::compile::kinematics::position_solve::follow;
use crate::compile::kinematics::recursion::{Configuration, Kinematics, Rate};
use crate::compile::kinematics::state_variables::{
    BallState, State, balls_rates, declare_balls, declare_rolling, declare_states,
    independent_motions, rolling_rates,
};
use crate::compile::laws::evaluation::{Evaluation, Frames};
use crate::compile::loads::gravity;
use crate::compile::loads::mass_matrix::{Partials, Sums};
use crate::compile::loads::support_reaction::{self, Housings};
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::publication::deferred::Late;
use crate::compile::publication::drive_loads::DriveLoads;
use crate::compile::publication::generalized::Applied;
use crate::compile::publication::temperatures::Temperatures;
use crate::compile::publication::{cut_torques, generalized, scene_file, variables};
use crate::compile::spatial::articulated::{Branches, Link};
use crate::compile::states::initial_system::InitialSystem;
use crate::compile::states::initial_values::{self, Initial};
use crate::compile::states::prescribed_motion::Drives;
use crate::compile::topology::checks;
use crate::compile::topology::closed_form::Explicit;
use crate::compile::topology::plan::Plan;
use crate::error::Error;
use crate::orientation::quaternion_rotation;
use crate::vector::{Matrix, dot};
use equations::{Ex, Model, differentiate, substitute};
use std::collections::{BTreeMap, BTreeSet};

/// Completes the model's equations from its plan.
///
/// `inspect` asks for the equations in generalised coordinates.
pub fn solve(
    netlist: &Netlist,
    mut plan: Plan,
    model: &mut Model,
    inspect: Option<&mut generalized::Layout>,
) -> Result<(), Error> {
    let mut drives = Drives::new(&mut plan);
    let initial = initial_values::solve(&mut plan, &drives, model)?;
    let states = declare_states(&mut plan, &initial, model);
    drives.declare(&mut plan, &initial, model);
    violations(&mut plan);
    independent_motions(&mut plan, &states)?;
    let balls = declare_balls(&mut plan, &initial, model);
    let rolling = declare_rolling(&mut plan, &initial, model);
    let mut massless = massless::Motions::declare(&mut plan, &initial, model);
    close_loops(&mut plan, &initial, model);
    rolling_rates(&plan, &rolling, model);
    balls_rates(&plan, &balls, model);
    let mut drive_loads = DriveLoads::take(&mut plan);
    let mut frames = frames(&mut plan, &balls);
    frames.by_drives = match &mut drive_loads {
        Some(loads) => loads.partials(&plan, &frames, &balls),
        None => vec![BTreeMap::new(); frames.partials.len()],
    };

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
        signals: signals.into_iter().map(|(id, law)| (id, Some(law))).collect(),
        temperatures: temperatures.by_node(),
        impulsive: plan.structure.impulsive,
        searches_start: initial.searched,
        afters,
        ..Evaluation::new(model, &mut coordinates, &mut frames, &names)
    };
    variables::kinematics(&plan, &initial, &mut evaluation);
    scene_file::publish(&plan.structure, &mut evaluation);
    run(laws, &mut evaluation)?;
    for id in order {
        evaluation.component = id.component;
        evaluation.read(id)?;
    }
    let mut late = Late::default();
    let wanted = drives.evaluate(prescribed, &mut evaluation, &mut late)?;

    let mut sums = sums(&plan, &mut evaluation);
    let housings = Housings::new(&plan, evaluation.frames)?;
    housings.react(&mut sums);
    let applied = inspect.is_some().then(|| Applied::new(&evaluation));
    checks::inertia(&plan, &sums)?;
    checks::require_inertia(&plan, &sums, evaluation.model);
    for &(symbol, _) in evaluation.early.values() {
        plan.numeric.set(symbol, 0.0);
    }
    massless.balance(&plan, &sums, &states, &mut evaluation)?;
    let reactions = Reactions::new(&plan, &sums);
    let (independent, relations) = (&plan.independent, (&reactions, &housings));
    let elements = (&evaluation.friction[..], &evaluation.rows[..]);
    let mut solution =
        equations_of_motion::solve(&sums, independent, elements, relations, &plan.numeric);
    for state in &states {
        let a = plan.acceleration(state, evaluation.coordinates, &solution.accelerations);
        evaluation.model.derivative(state.v, a);
    }
    massless.accelerate(&plan, &states, evaluation.coordinates, &mut solution);
    evaluation.solution = Some(solution);
    final_accelerations(&plan, &balls, &mut evaluation);
    let afters = std::mem::take(&mut evaluation.afters);
    run(afters, &mut evaluation)?;
    impacts::solve(&plan, &states, &balls, &mut evaluation);
    for acceleration in wanted {
        acceleration.require(&mut evaluation, &mut late)?;
    }
    initial_system(&mut plan, initial, &mut evaluation, &mut late.start)?;
    variables::accelerations(&plan, &mut evaluation);
    if let Some(loads) = drive_loads {
        loads.publish(&plan, &mut evaluation)?;
    }
    variables::energy(&plan, &mut evaluation);
    variables::residual(&plan, &mut evaluation);
    cut_torques::publish(&plan, &mut evaluation);
    variables::outputs(netlist, &mut evaluation)?;
    if let Some((layout, applied)) = inspect.zip(applied) {
        *layout = generalized::publish(&plan, &states, &applied, &mut evaluation)?;
    }
    scene_file::output_frames(netlist, &plan.structure, &mut evaluation)?;
    scene_file::write(&plan, &mut evaluation)?;
    temperatures.balance(&plan.structure, &plan.numeric, &mut evaluation, &mut late)?;
    evaluation.finish(&mut late)?;
    massless.finish(&mut late);
    late.finish(model)
}

/// Tells the initial system what may be determined and what has to hold beside accelerations.
fn initial_system(
    plan: &mut Plan,
    initial: Initial,
    e: &mut Evaluation<'_>,
    system: &mut InitialSystem,
) -> Result<(), Error> {
    plan.structure.unknown_parameters.iter().for_each(|unknown| system.add_parameter(unknown));
    for surplus in &initial.surplus {
        let gap = surplus.gap(e.coordinates);
        system.add_gap(&surplus.name, surplus.what(), gap, Some(surplus.refusal.clone()));
    }
    for candidate in plan.forms.iter().flat_map(|form| [&form.position, &form.speed]) {
        if candidate.start.fixed {
            system.add_fixed(&candidate.name, candidate.slot);
        }
    }
    for steady in std::mem::take(&mut plan.structure.steady) {
        steady.begin(e, system)?;
    }
    initial.guessed(plan).into_iter().for_each(|name| system.add_guessed(name));
    initial.free.into_iter().for_each(|unknown| system.add_unknown(unknown));
    Ok(())
}

/// Motions of the violations of relations: always zero, but forces are projected on them.
fn violations(plan: &mut Plan) {
    for relation in 0..plan.structure.relations.len() {
        let variable = plan.coordinates.numbering().violation(relation);
        let mut motion = Motion::prescribed([Ex::zero(); 3]);
        motion.partials.insert(variable, Ex::one());
        plan.coordinates.set_motion(variable, motion);
    }
}

fn run(laws: Vec<(usize, Law)>, evaluation: &mut Evaluation<'_>) -> Result<(), Error> {
    for (component, law) in laws {
        evaluation.component = component;
        law(evaluation)?;
    }
    Ok(())
}

/// Dependent coordinates: positions in closed form or by Newton's method, their rates by linear
/// equations.
fn close_loops(plan: &mut Plan, initial: &Initial, model: &mut Model) {
    let mut by = plan.symbols.positions(|v| plan.coordinates.motions().get(&v).map(|m| m.q));
    for block in plan.loops.motion.clone() {
        let explicit = plan.explicit(&block);
        let solution = match explicit.as_ref().and_then(Explicit::measured) {
            Some(value) => substitute(&[value], &by),
            None => follow(plan, &block, explicit, &by, initial, model),
        };
        let unknowns = block.unknowns.iter().map(|&k| plan.unknowns[k].symbol);
        by.extend(unknowns.zip(solution));
    }
    for block in plan.loops.speed.clone() {
        rates(plan, &block, &by);
    }
}

/// Speeds, partial speeds and accelerations of a block's unknowns.
fn rates(plan: &mut Plan, block: &crate::compile::topology::loops::Block, by: &[(Ex, Ex)]) {
    let (matrix, factor) = plan.block_jacobian(block, by);
    let value =
        |k: usize| by.iter().find(|(s, _)| s.key() == plan.unknowns[k].symbol.key()).map(|p| p.1);
    let mut motions = vec![Motion::prescribed([Ex::zero(); 3]); block.unknowns.len()];
    let others = (0..plan.unknowns.len()).filter(|k| !block.unknowns.contains(k));
    for k in others {
        let column: Vec<Ex> = matrix.iter().map(|row| -row[k]).collect();
        let Some(other) = plan.coordinates.motions().get(&plan.unknowns[k].variable) else {
            continue;
        };
        if column.iter().all(|c| c.is_constant_zero()) {
            continue;
        }
        for (motion, n) in motions.iter_mut().zip(factor.solve(&column)) {
            motion.add(other, n);
        }
    }
    for (relation, unit) in plan.multipliers(block) {
        let unit = substitute(&unit, by);
        let variable = plan.coordinates.numbering().violation(relation);
        for (motion, n) in motions.iter_mut().zip(factor.solve(&unit)) {
            motion.add(&plan.coordinates.motions()[&variable], n);
        }
    }
    // The part of the second derivative of the residuals that is quadratic in the speeds.
    let twice = differentiate(&plan.rates(block), plan.symbols.seeds());
    let mut values = by.to_vec();
    values.extend(plan.symbols.speeds(|variable| {
        let own = block.unknowns.iter().position(|&k| plan.unknowns[k].variable == variable);
        let other = || plan.coordinates.motions().get(&variable).map_or_else(Ex::zero, |m| m.v);
        Some(own.map_or_else(other, |i| motions[i].v))
    }));
    let quadratic: Vec<Ex> = substitute(&twice, &values).into_iter().map(|c| -c).collect();
    let bias = factor.solve(&quadratic);
    for ((mut motion, bias), &k) in motions.into_iter().zip(bias).zip(&block.unknowns) {
        let variable = plan.unknowns[k].variable;
        let before = plan.coordinates.motions().get(&variable).map(|m| m.q);
        motion.q = value(k).or(before).unwrap_or_else(Ex::zero);
        motion.bias += bias;
        plan.coordinates.set_motion(variable, motion);
    }
}

impl Plan {
    /// The relations that stand for rows of a block, and what a unit of each row adds to the block.
    fn multipliers(&self, block: &crate::compile::topology::loops::Block) -> Vec<(usize, Vec<Ex>)> {
        let mut units: BTreeMap<usize, Vec<Ex>> = BTreeMap::new();
        for (i, &row) in block.rows.iter().enumerate() {
            let itself = [(row, Ex::one())];
            let combines = &self.rows[row].combines;
            let parts = if combines.is_empty() { &itself[..] } else { combines };
            for &(part, weight) in parts {
                let unit = || vec![Ex::zero(); block.rows.len()];
                units.entry(part).or_insert_with(unit)[i] = weight;
            }
        }
        let relation = |(row, unit): (usize, _)| Some((self.rows[row].multiplier?, unit));
        units.into_iter().filter_map(relation).collect()
    }

    /// The second derivative of a state, from the accelerations of the independent coordinates and
    /// those of prescribed motions.
    pub(crate) fn acceleration(
        &self,
        state: &State,
        coordinates: &Coordinates,
        independent: &BTreeMap<usize, Ex>,
    ) -> Ex {
        let terms = &self.forms[state.form].linear.terms;
        terms.iter().map(|(v, &c)| c * coordinates.motions()[v].acceleration(independent)).sum()
    }

    /// The motions of all coordinates of the mechanism; those that are not in use rest.
    fn coordinate_motions(&mut self) -> Vec<Motion> {
        let numbering = self.coordinates.numbering();
        let all = 0..self.structure.coordinates.len();
        all.map(|c| self.coordinates.variable(numbering.coordinate(c))).collect()
    }
}

/// Where the mechanism is during the motion.
pub(crate) struct Moving<'a> {
    pub motions: &'a [Motion],
    pub balls: &'a [BallState],
}

impl Configuration for Moving<'_> {
    fn q(&self, coordinate: usize) -> Ex {
        self.motions[coordinate].q
    }

    fn speed(&self, coordinate: usize) -> Ex {
        self.motions[coordinate].v
    }

    fn ball(&self, joint: usize) -> Matrix {
        let ball = self.balls.iter().find(|ball| ball.joint == joint);
        ball.map_or_else(Matrix::identity, |ball| quaternion_rotation(&ball.quaternion))
    }
}

/// Poses, velocities, partial velocities and the accelerations at constant speeds of all links.
fn frames(plan: &mut Plan, balls: &[BallState]) -> Frames {
    let motions = plan.coordinate_motions();
    let (inertias, rotors) = (branches::inertias(plan), branches::rotors(plan));
    let tree = std::mem::take(&mut plan.tree);
    let at = Moving { motions: &motions, balls };
    let kinematics = Kinematics { structure: &plan.structure, tree: &tree, at: &at, base: 0 };
    let poses = kinematics.poses();
    let velocities = kinematics.velocities(&poses, |c| motions[c].v);
    let branches = branches::choose(plan, &kinematics, &motions, (&inertias, &rotors));
    let in_branch = |v: usize| branches.values().any(|link| link.has_variable(v));
    let mut partials = partial_velocities(&kinematics, &poses, &motions, |v| !in_branch(v));
    branches.keys().for_each(|&link| partials[link].clear());
    let gravity = plan.structure.gravity.first().map(|g| g.1.uniform());
    let field = plan.structure.gravity.first().map(|g| g.1.clone());
    let mut frames = Frames {
        tree,
        poses,
        velocities,
        branches,
        partials,
        by_drives: Vec::new(),
        accelerations: Vec::new(),
        gravity,
        field,
    };
    let bias: Vec<Ex> = motions.iter().map(|m| m.bias).collect();
    frames.accelerations = accelerations(plan, &frames, &at, &bias);
    frames
}

/// Partial velocities of all links by the variables that are `wanted`.
pub(crate) fn partial_velocities(
    kinematics: &Kinematics<'_, Moving<'_>>,
    poses: &[Pose],
    motions: &[Motion],
    wanted: impl Fn(usize) -> bool,
) -> Vec<Partials> {
    let mut partials = vec![Partials::new(); kinematics.tree.parents.len()];
    let variables: BTreeSet<usize> =
        motions.iter().flat_map(|m| m.partials.keys().copied()).collect();
    for k in variables.into_iter().filter(|&v| wanted(v)) {
        let partial = |c: usize| motions[c].partials.get(&k).copied().unwrap_or_else(Ex::zero);
        for (link, twist) in kinematics.velocities(poses, partial).into_iter().enumerate() {
            if twist.w.iter().chain(twist.v.iter()).any(|c| !c.is_constant_zero()) {
                partials[link].insert(k, twist);
            }
        }
    }
    partials
}

/// Accelerations of all links for given second derivatives of the coordinates.
fn accelerations(plan: &Plan, frames: &Frames, at: &Moving<'_>, second: &[Ex]) -> Vec<Twist> {
    let (structure, tree) = (&plan.structure, &frames.tree);
    let gravity = frames.gravity.unwrap_or_else(crate::vector::zero);
    let rate = |c: usize| Rate { q: at.motions[c].q, v: at.motions[c].v, a: second[c] };
    Kinematics { structure, tree, at, base: 0 }.accelerations(
        &frames.poses,
        &frames.velocities,
        &gravity,
        rate,
    )
}

fn final_accelerations(plan: &Plan, balls: &[BallState], evaluation: &mut Evaluation<'_>) {
    let numbering = evaluation.coordinates.numbering();
    let motions: Vec<Motion> = (0..plan.structure.coordinates.len())
        .map(|c| evaluation.coordinates.variable(numbering.coordinate(c)))
        .collect();
    let second: Vec<Ex> = motions.iter().map(|m| evaluation.second_derivative(m)).collect();
    let at = Moving { motions: &motions, balls };
    evaluation.frames.accelerations = accelerations(plan, evaluation.frames, &at, &second);
}

/// Mass matrix and forces.
pub(crate) fn sums(plan: &Plan, evaluation: &mut Evaluation<'_>) -> Sums {
    let frames = &*evaluation.frames;
    let bodies = link_inertias(plan, frames);
    let with_bodies = |(&number, link): (&usize, &Link)| {
        (number, Link { inertia: bodies[number], ..link.clone() })
    };
    let branches = Branches::new(frames.branches.iter().map(with_bodies).collect());
    let mut sums = Sums::new(branches, &frames.partials);
    for (link, inertia) in bodies.iter().enumerate().filter(|(_, inertia)| !inertia.is_zero()) {
        sums.link(link, inertia, &frames.velocities[link], &frames.accelerations[link]);
    }
    gravity::forces(&plan.structure, frames, &mut sums);
    for (end, wrench) in &evaluation.wrenches {
        let place = frames.tree.places[&end.node];
        let reaction = Twist { w: -wrench.w, v: -wrench.v };
        sums.wrench(place.link, &reaction.carried(&place.pose));
    }
    for inertial in &plan.structure.inertias {
        let motion = evaluation.flange(inertial.end);
        sums.inertia(&motion, inertial.inertia);
    }
    support_reaction::rotors(plan, evaluation, &mut sums);
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
    let mut kinetic = support_reaction::kinetic_energy(plan, evaluation);
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

/// How the kinetic energy of all bodies changes if independent speeds jump.
pub(crate) fn kinetic_jump(
    plan: &Plan,
    balls: &[BallState],
    evaluation: &mut Evaluation<'_>,
    jumps: &BTreeMap<usize, Ex>,
) -> Ex {
    let jump = |motion: &Motion| -> Ex {
        motion.partials.iter().filter_map(|(k, &p)| Some(p * *jumps.get(k)?)).sum()
    };
    let numbering = evaluation.coordinates.numbering();
    let all = 0..plan.structure.coordinates.len();
    let motions: Vec<Motion> =
        all.map(|c| evaluation.coordinates.variable(numbering.coordinate(c))).collect();
    let twists = {
        let Frames { tree, poses, .. } = &*evaluation.frames;
        let (structure, at) = (&plan.structure, &Moving { motions: &motions, balls });
        Kinematics { structure, tree, at, base: 0 }.velocities(poses, |c| jump(&motions[c]))
    };
    let mut change = support_reaction::kinetic_jump(plan, evaluation, &twists, jump);
    for inertial in &plan.structure.inertias {
        let motion = evaluation.flange(inertial.end);
        let jump = jump(&motion);
        change += inertial.inertia * jump * (motion.v + jump * 0.5);
    }
    let frames = &*evaluation.frames;
    let links = link_inertias(plan, frames);
    for ((inertia, v), jump) in links.iter().zip(&frames.velocities).zip(&twists) {
        let momentum = inertia.momentum(jump);
        let half = Ex::from(0.5);
        let mean = Twist { w: v.w + jump.w * half, v: v.v + jump.v * half };
        change += dot(&momentum.w, &mean.w) + dot(&momentum.v, &mean.v);
    }
    change
}
