//! Variables that every model has: angles and speeds, energies.

use crate::compile::dynamics::energy::energies;
use crate::compile::kinematics::Kinematics;
use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::states::initial::Role;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::compile::topology::closure::{self, ClosureRow, When};
use crate::statements::contributions::multibody::{Coordinate, FramePort};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::motion::frames::FrameMotions;
use crate::statements::motion::rates_along::{End, along};
use crate::statements::spatial::pose::{Acceleration, Pose};
use equations::{Ex, substitute};

/// Positions and speeds of everything that may be a state.
pub fn kinematics(basis: MotionBasis<'_>, e: &mut SignalView<'_>) {
    let MotionBasis { topology, selection, initial } = basis;
    for (k, candidate) in topology.candidates.enumerate() {
        let motion = e.coordinates().motion(&candidate.linear);
        let is_state = selection.states.contains(&k);
        let is_first_order = selection.massless.first_order.contains(&k);
        let is_prescribed = candidate.prescribed.is_some();
        e.component = candidate.component;
        for (which, variable, value) in
            [(0, &candidate.position, motion.q), (1, &candidate.speed, motion.v)]
        {
            let no_speed =
                candidate.prescribed.is_some_and(|(_, second_order)| which == 1 && !second_order);
            if no_speed || candidate.is_angular_velocity && which == 0 {
                continue;
            }
            if !(variable.published || is_state) {
                continue;
            }
            e.define(variable.local, value);
            let first_order = is_first_order || selection.rolling.contains(&k);
            if !(is_state || is_prescribed || first_order && which == 0) {
                declare(e, variable, value, initial.roles[k][which]);
            }
        }
    }
    cut_joints(topology, e);
    for &FramePort { node, port } in &topology.structure.multibody.frames {
        let r_0 = e.pose(FrameEnd { node }).r;
        e.component = port.component;
        e.publish(&format!("{}.r_0", port.port), &r_0);
    }
}

/// Quaternions, which are states and published as such, so that signals may read them.
pub fn quaternions(topology: &Topology, kinematics: &Kinematics, e: &mut SignalView<'_>) {
    for orientation in &kinematics.orientations {
        let joint = &topology.structure.multibody.joints[orientation.joint];
        e.component = joint.component;
        let variables = joint.orientation.iter().flat_map(|own| &own.quaternion);
        for (variable, value) in variables.zip(orientation.states) {
            e.define(variable.local, value);
        }
    }
}

/// Publishes a variable with the start value that counts for it.
pub fn declare(e: &mut SignalView<'_>, variable: &StartVariable, value: Ex, role: Role) {
    let role = if variable.slot.as_leaf().is_some() { role } else { Role::Unused };
    let declared = match role {
        Role::Known => e.model.exact_from_slot(&variable.name, value, variable.slot),
        Role::Guess => e.model.approx_from_slot(&variable.name, value, variable.slot),
        Role::Unused => e.model.local(&variable.name, value),
    };
    declared.unit(variable.unit);
}

/// Coordinates of joints that close a loop, measured between their frames.
fn cut_joints(topology: &Topology, e: &mut SignalView<'_>) {
    for CutCoordinate { coordinate, rates: [q, v, _] } in
        cuts(topology, e.frames(), |_| Acceleration::zero())
    {
        e.component = coordinate.component;
        for (candidate, value) in [(&coordinate.position, q), (&coordinate.speed, v)] {
            if !(candidate.published || candidate.start.fixed) {
                continue;
            }
            e.define(candidate.local, value);
            let role = if candidate.start.fixed { Role::Known } else { Role::Unused };
            declare(e, candidate, value, role);
        }
    }
}

/// Their second derivatives.
fn cut_accelerations(topology: &Topology, e: &mut AccelerationView<'_>) {
    for CutCoordinate { coordinate, rates: [_, _, a] } in
        cuts(topology, e.frames(), |end| e.acceleration(end))
    {
        e.component = coordinate.component;
        if let Some(word) = coordinate.speed.rate {
            e.variable(word.local, a).unit(word.unit);
        }
    }
}

/// A coordinate of a joint that closes a loop.
struct CutCoordinate<'a> {
    coordinate: &'a Coordinate,
    /// Its value and its derivatives.
    rates: [Ex; 3],
}

/// The coordinates of joints that close loops.
fn cuts<'a>(
    topology: &'a Topology,
    frames: &FrameMotions,
    acceleration: impl Fn(FrameEnd) -> Acceleration,
) -> Vec<CutCoordinate<'a>> {
    let structure = &topology.structure;
    let mut cuts = Vec::new();
    for &cut in &topology.tree.cuts {
        let joint = &structure.multibody.joints[cut];
        let own = structure.multibody.coordinates.of(joint.coordinates);
        let ends = [joint.a, joint.b].map(|end| End {
            pose: frames.pose(end),
            velocity: frames.velocity(end),
            acceleration: acceleration(end),
        });
        let measured = closure::measured(joint, own, &ends[0].pose, &ends[1].pose);
        for (i, (c, coordinate)) in joint.coordinates.iter().zip(own).enumerate() {
            if measured[i].is_none() || structure.is_tied(c) {
                continue;
            }
            let value = |a: &Pose, b: &Pose| {
                closure::measured(joint, own, a, b)[i].unwrap_or_else(Ex::zero)
            };
            cuts.push(CutCoordinate { coordinate, rates: along(&ends, value) });
        }
    }
    cuts
}

/// Accelerations that belong to the speeds of everything that may be a state.
pub fn accelerations(topology: &Topology, e: &mut AccelerationView<'_>) {
    for candidate in topology.candidates.iter().filter(|candidate| candidate.speed.published) {
        let Some(word) = candidate.speed.rate else { continue };
        let motion = e.coordinates().motion(&candidate.linear);
        let a = e.second_derivative(&motion);
        e.component = candidate.component;
        e.variable(word.local, a).unit(word.unit);
    }
    cut_accelerations(topology, e);
}

/// The largest gap of the closed loops, among the rows that are solved and the rows that follow
/// from them.
pub fn residual(topology: &Topology, e: &mut SignalView<'_>) {
    let rows = topology.loops.rows.iter();
    let rows = rows.filter(|row| row.when() != When::AtStart && row.combines().is_empty());
    let residuals: Vec<Ex> = rows.filter_map(ClosureRow::residual).collect();
    if residuals.is_empty() {
        return;
    }
    let by = topology.loops.symbols.moving(e.coordinates());
    let sizes = substitute(&residuals, &by).into_iter().map(Ex::abs);
    let largest = sizes.reduce(Ex::max).unwrap_or_else(Ex::zero);
    let text = "Largest residual of the closed loops, in m or rad";
    e.model.local("loops.residual", largest).unit("1").describe(text);
}

/// Kinetic and potential energy of the whole system.
pub fn energy(parts: MovingParts<'_>, e: &mut SignalView<'_>) {
    let (kinetic, gravity) = energies(parts);
    let potential = gravity + e.potential;
    let model = &mut *e.model;
    model.local("energy.kinetic", kinetic).unit("J").describe("Kinetic energy of all parts");
    let text = "Potential energy of gravity and springs";
    model.local("energy.potential", potential).unit("J").describe(text);
}
