//! Variables that every model has: angles and speeds, energies, outputs.

use crate::assembly::{Netlist, Output, PortId};
use crate::compile::contributions::{Candidate, Coordinate, FrameEnd, Pose, Structure, Twist};
use crate::compile::kinematics::motion;
use crate::compile::kinematics::recursion::{End, along};
use crate::compile::laws::evaluation::Evaluation;
use crate::compile::states::initial_values::{Initial, Role};
use crate::compile::topology::closure;
use crate::compile::topology::closure::When;
use crate::compile::topology::plan::Plan;
use crate::error::Error;
use equations::{Ex, Quantity, substitute};
use std::collections::BTreeMap;

/// Positions and speeds of everything that may be a state.
pub fn kinematics(plan: &Plan, initial: &Initial, e: &mut Evaluation<'_>) {
    for (k, form) in plan.forms.iter().enumerate() {
        let motion = e.coordinates.motion(&form.linear);
        let is_state = plan.states.contains(&k);
        let is_first_order = plan.massless.first_order.contains(&k);
        let is_drive = form.drive.is_some();
        e.component = form.component;
        for (which, candidate, value) in [(0, &form.position, motion.q), (1, &form.speed, motion.v)]
        {
            let no_speed = form.drive.is_some_and(|(_, second_order)| which == 1 && !second_order);
            if no_speed || form.spin && which == 0 {
                continue;
            }
            if !(candidate.published || is_state) {
                continue;
            }
            e.define(candidate.local, value);
            let first_order = is_first_order || plan.rolling.contains(&k);
            if !(is_state || is_drive || first_order && which == 0) {
                declare(e, candidate, value, initial.roles[k][which]);
            }
        }
    }
    cut_joints(&plan.structure, e);
    for &(node, port) in &plan.structure.frame_ends {
        let r_0 = e.frames.tree.pose(&e.frames.poses, node).r;
        e.component = port.component;
        e.publish(&format!("{}.r_0", port.port), &r_0);
    }
}

fn declare(e: &mut Evaluation<'_>, candidate: &Candidate, value: Ex, role: Role) {
    let role = if candidate.slot.as_leaf().is_some() { role } else { Role::Unused };
    let declared = match role {
        Role::Known => e.model.exact_from_slot(&candidate.name, value, candidate.slot),
        Role::Guess => e.model.approx_from_slot(&candidate.name, value, candidate.slot),
        Role::Unused => e.model.local(&candidate.name, value),
    };
    declared.unit(candidate.unit);
}

/// Coordinates of joints that close a loop, measured between their frames.
fn cut_joints(structure: &Structure, e: &mut Evaluation<'_>) {
    measure_cuts(
        structure,
        e,
        |_, _| Twist::zero(),
        |e, coordinate, [q, v, _]| {
            for (candidate, value) in [(&coordinate.position, q), (&coordinate.speed, v)] {
                if !(candidate.published || candidate.start.fixed) {
                    continue;
                }
                e.define(candidate.local, value);
                let role = if candidate.start.fixed { Role::Known } else { Role::Unused };
                declare(e, candidate, value, role);
            }
        },
    );
}

/// Their second derivatives.
fn cut_accelerations(structure: &Structure, e: &mut Evaluation<'_>) {
    let acceleration = |e: &Evaluation<'_>, end: FrameEnd| e.acceleration(end);
    measure_cuts(structure, e, acceleration, |e, coordinate, [_, _, a]| {
        if let Some(word) = coordinate.speed.rate {
            e.variable(word.local, a).unit(word.unit);
        }
    });
}

/// Gives `publish` each coordinate of joints that close loops with its value and derivatives.
fn measure_cuts<'m>(
    structure: &Structure,
    e: &mut Evaluation<'m>,
    acceleration: impl Fn(&Evaluation<'m>, FrameEnd) -> Twist,
    publish: impl Fn(&mut Evaluation<'m>, &Coordinate, [Ex; 3]),
) {
    for cut in e.frames.tree.cuts.clone() {
        let joint = &structure.joints[cut];
        let own = &structure.coordinates[joint.coordinates.clone()];
        let ends = [joint.a, joint.b].map(|end| End {
            pose: e.pose(end),
            velocity: e.velocity(end),
            acceleration: acceleration(e, end),
        });
        let measured = closure::measured(joint, own, &ends[0].pose, &ends[1].pose);
        for (i, (c, coordinate)) in joint.coordinates.clone().zip(own).enumerate() {
            if measured[i].is_none() || structure.is_tied(c) {
                continue;
            }
            let value = |a: &Pose, b: &Pose| {
                closure::measured(joint, own, a, b)[i].unwrap_or_else(Ex::zero)
            };
            e.component = coordinate.component;
            publish(e, coordinate, along(&ends, value));
        }
    }
}

/// Accelerations beside the speeds of everything that may be a state.
pub fn accelerations(plan: &Plan, e: &mut Evaluation<'_>) {
    for form in plan.forms.iter().filter(|form| form.speed.published) {
        let Some(word) = form.speed.rate else { continue };
        let motion = e.coordinates.motion(&form.linear);
        let a = e.second_derivative(&motion);
        e.component = form.component;
        e.variable(word.local, a).unit(word.unit);
    }
    cut_accelerations(&plan.structure, e);
}

/// How far the closed loops are from being closed: the rows that are solved, and those that follow
/// from them.
pub fn residual(plan: &Plan, e: &mut Evaluation<'_>) {
    let rows = plan.rows.iter();
    let rows = rows.filter(|row| row.when != When::AtStart && row.combines.is_empty());
    let residuals: Vec<Ex> = rows.filter_map(|row| row.residual).collect();
    if residuals.is_empty() {
        return;
    }
    let by = plan.symbols.positions(|v| plan.coordinates.motions().get(&v).map(|m| m.q));
    let sizes = substitute(&residuals, &by).into_iter().map(Ex::abs);
    let largest = sizes.reduce(Ex::max).unwrap_or_else(Ex::zero);
    let text = "Largest residual of the closed loops, in m or rad";
    e.model.local("loops.residual", largest).unit("1").describe(text);
}

/// Kinetic and potential energy of the whole system.
pub fn energy(plan: &Plan, e: &mut Evaluation<'_>) {
    let (kinetic, gravity) = motion::energies(plan, e);
    let potential = gravity + e.potential;
    let model = &mut *e.model;
    model.local("energy.kinetic", kinetic).unit("J").describe("Kinetic energy of all parts");
    let text = "Potential energy of gravity and springs";
    model.local("energy.potential", potential).unit("J").describe(text);
}

/// Outputs of the FMU.
pub fn outputs(netlist: &Netlist, e: &mut Evaluation<'_>) -> Result<(), Error> {
    let mut seen: BTreeMap<&str, PortId> = BTreeMap::new();
    for Output { name, variable, description } in &netlist.outputs {
        if let Some(other) = seen.insert(name, *variable) {
            let of = [other, *variable].map(|variable| e.full_of(variable)).join(" and of ");
            let text = format!("{name}: two outputs have this name, of {of}");
            return Err(Error::Connection(text));
        }
        let value = match e.quantities.get(variable) {
            Some(&value) => value,
            None => Quantity::Real(e.read(PortId { ..*variable })?),
        };
        let like = e.full_of(*variable);
        let declared = e.model.output_like(name, value, &like);
        if let Some(line) = description {
            declared.describe(line);
        }
    }
    Ok(())
}
