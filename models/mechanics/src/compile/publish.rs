//! Variables that every model has: angles and speeds, energies, outputs.

use super::Plan;
use super::evaluation::Evaluation;
use super::kinematics::node_pose;
use super::start::{Initial, Role};
use super::structure::{Candidate, Structure, Twist};
use super::{closure, motion};
use crate::assembly::{Netlist, PortId};
use crate::error::Error;
use crate::vector::{constant, cross, dot};
use equations::{Ex, Quantity};

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
            if form.drive.is_some_and(|(_, second_order)| which == 1 && !second_order) {
                continue;
            }
            if !(candidate.published || is_state) {
                continue;
            }
            e.define(candidate.local, value);
            if !(is_state || is_drive || is_first_order && which == 0) {
                declare(e, candidate, value, initial.roles[k][which]);
            }
        }
    }
    cut_joints(&plan.structure, e);
    for &(node, port) in &plan.structure.frame_ends {
        let r_0 = node_pose(&e.frames.tree, &e.frames.poses, node).r;
        e.component = port.component;
        let text = "Position vector from world frame to the frame, resolved in world frame";
        e.vector(&format!("{}.r_0", port.port), &r_0, "m", text);
    }
}

fn declare(e: &mut Evaluation<'_>, candidate: &Candidate, value: Ex, role: Role) {
    let declared = match role {
        Role::Known => e.model.exact_from_slot(&candidate.name, value, candidate.slot),
        Role::Guess => e.model.approx_from_slot(&candidate.name, value, candidate.slot),
        Role::Unused => e.model.local(&candidate.name, value),
    };
    declared.unit(candidate.unit).describe(candidate.describe);
}

/// Coordinates of joints that close a loop, measured between their frames.
fn cut_joints(structure: &Structure, e: &mut Evaluation<'_>) {
    for cut in e.frames.tree.cuts.clone() {
        let joint = &structure.joints[cut];
        let Some(primitive) = &joint.primitive else { continue };
        let a = node_pose(&e.frames.tree, &e.frames.poses, joint.a.node);
        let b = node_pose(&e.frames.tree, &e.frames.poses, joint.b.node);
        let (va, vb): (Twist, Twist) = (e.velocity(joint.a), e.velocity(joint.b));
        let axis = constant(primitive.axis);
        let pose = closure::relative(&a, &b);
        let speed = if primitive.turns {
            dot(&axis, &(vb.w - pose.t * va.w))
        } else {
            dot(&axis, &(pose.t.transpose() * vb.v - va.v - cross(&va.w, &pose.r)))
        };
        e.component = joint.component;
        for (candidate, value) in
            [(&primitive.position, closure::measured(primitive, &a, &b)), (&primitive.speed, speed)]
        {
            e.define(candidate.local, value);
            declare(e, candidate, value, Role::Unused);
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
        e.variable(word.local, a).unit(word.unit).describe(word.describe);
    }
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
    for (name, source) in &netlist.outputs {
        let value = match e.quantities.get(source) {
            Some(&value) => value,
            None => Quantity::Real(e.read(PortId { ..*source })?),
        };
        let described = format!("{}.{}", e.names[source.component], source.port);
        e.model.output_like(name, value, &described);
    }
    Ok(())
}
