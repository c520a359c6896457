//! The axes of the three turns that describe a free orientation in a loop.
//!
//! The axes are chosen so that the angles are not singular near any configuration within reach of
//! the mechanism.
//!
//! Where there are no such axes, the quaternion describes the orientation, and the loop is free.
//!
//! A rod between two spherical joints can turn about its own axis while nothing else moves, so one
//! of its angles is a state. If this is the angle about that axis, it always determines the turn.

use super::loop_explorer::{Rotation, quaternion};
use super::orientation_trace::{JointTraces, Mechanism, Trace};
use super::placeholders::Placeholders;
use super::start_configuration::{StartConfiguration, set_start};
use super::state_candidates::state_candidates;
use crate::compile::build_context::BuildContext;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::spanning_tree::{self, Tree};
use crate::ids::{JointId, VariableId};
use crate::orientation::{quaternion_rotation, turn_angles, turn_rates};
use crate::start::Start;
use crate::statements::contributions::Structure;
use crate::statements::contributions::initial_conditions::Condition;
use crate::statements::contributions::multibody::{
    QuaternionOrientation, ReplacedOrientation, SuccessiveTurn,
};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::variables::Variables;
use crate::vector::{Matrix, Vector, X, Y, Z, cross_constant, unit_axis};
use equations::Ex;
use nalgebra::Vector3;
use std::collections::BTreeSet;

/// The axes of three turns; the second is perpendicular to the others.
type Axes = [[f64; 3]; 3];

/// Three different axes in each order; the first one is used unless another one is better.
const SEQUENCES: [Axes; 6] = [[X, Y, Z], [Y, Z, X], [Z, X, Y], [X, Z, Y], [Y, X, Z], [Z, Y, X]];

/// Components of unit vectors that differ less are equal.
const SAME: f64 = 1e-6;

/// The cosine of the middle angle where its sine is 0.9: axes are good if it is never less.
const GOOD: f64 = 0.435;

/// The cosine of the middle angle 3 degrees from the singular position: axes are sufficient if it
/// is never less.
const SUFFICIENT: f64 = 0.05;

/// The smallest cosines of the middle angle.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Clearance {
    /// In all configurations that were seen.
    all: f64,
    /// In those to which one joint leads.
    led: f64,
}

/// Chooses what describes the free orientations in loops: turns about axes, or the quaternions
/// again, where turns can become singular about all axes and the loops can be free. Returns whether
/// there are quaternions.
pub fn choose(
    structure: &mut Structure,
    (tree, variables): (&Tree, &Variables),
    conditions: &[Condition],
    replaced: &[ReplacedOrientation],
    build: &mut BuildContext<'_>,
) -> bool {
    let outside = |joint: JointId| tree.cuts.contains(&joint) || tree.unused.contains(&joint);
    let inside: Vec<&ReplacedOrientation> =
        replaced.iter().filter(|replaced| !outside(replaced.joint)).collect();
    if inside.is_empty() {
        return false;
    }
    let kinematic_tree = KinematicTree { structure, tree };
    let joints = replaced.iter().map(|replaced| replaced.joint);
    let start = StartConfiguration::find(kinematic_tree, variables, conditions, joints, build);
    let Some(start) = start else { return false };
    let joints: Vec<JointId> = inside.iter().map(|replaced| replaced.joint).collect();
    let traces = traces(structure, variables, replaced, &start, &joints);
    let (mut is_kept, mut has_quaternions) = (false, false);
    for (replaced, of_joint) in inside.into_iter().zip(&traces) {
        let description = Description::of(replaced, of_joint);
        let name = &structure.multibody.joints[replaced.joint].name;
        description.note(name).into_iter().for_each(|note| build.model.note(note));
        if description.axes == replaced.orientation.axes() && !description.quaternion {
            continue;
        }
        if !is_kept {
            start.keep(build);
            is_kept = true;
        }
        let found = &start.rotations[&replaced.joint];
        if description.quaternion {
            has_quaternions = true;
            begin_at(&replaced.orientation, found, build);
            structure.use_quaternion(replaced);
            continue;
        }
        let turns = turns(replaced, description.axes, found);
        for turn in &turns {
            set_start(turn.angle.slot, turn.angle.start.value, build);
            set_start(turn.speed.slot, turn.speed.start.value, build);
        }
        describe(&turns, build);
        structure.turn_about(replaced.joint, turns);
    }
    has_quaternions
}

/// Lets an orientation for which the model gives no start value begin at a rotation.
fn begin_at(orientation: &QuaternionOrientation, found: &Rotation, build: &mut BuildContext<'_>) {
    let all = &orientation.quaternion;
    if all[0].start.given || all[0].start.fixed {
        return;
    }
    for (component, value) in all.iter().zip(quaternion(found)) {
        set_start(component.slot, value, build);
    }
    let rotation = Matrix::from_fn(|i, j| found[(i, j)].into());
    let angles = turn_angles(&rotation, orientation.axes(), Ex::zero());
    for (turn, angle) in orientation.turns.iter().zip(angles) {
        set_start(turn.angle.slot, angle.constant_value().unwrap_or(0.0), build);
    }
}

/// What describes an orientation, and why.
struct Description {
    /// The axes of its turns.
    axes: Axes,
    /// Those that the model states.
    stated: Option<Axes>,
    /// The clearance of these axes.
    used: Clearance,
    /// That of the stated axes, or of x, y and z if none are stated.
    of_first: Clearance,
    /// Whether the quaternion describes it instead.
    quaternion: bool,
}

impl Description {
    fn of(replaced: &ReplacedOrientation, of_joint: &JointTraces) -> Description {
        let JointTraces { traces, freedoms } = of_joint;
        // Paths are all that a single degree of freedom can reach, but a part of what others can.
        let least = if *freedoms > 1 { GOOD } else { SUFFICIENT };
        let stated = replaced.orientation.given_sequence.then(|| replaced.orientation.axes());
        let of_first = clearance(traces, stated.unwrap_or(SEQUENCES[0]));
        if let Some(axes) = stated.filter(|_| of_first.all >= least) {
            return Description { axes, stated, used: of_first, of_first, quaternion: false };
        }
        let all = candidates(traces);
        let clearances: Vec<Clearance> = all.iter().map(|&axes| clearance(traces, axes)).collect();
        let chosen = best(&all, &clearances);
        let used = clearances[chosen];
        let quaternion = *freedoms > 0 && used.all < least;
        let is_better = (used.all, used.led) > (of_first.all, of_first.led);
        match stated.filter(|_| !quaternion && !is_better) {
            Some(axes) => Description { axes, stated, used: of_first, of_first, quaternion },
            None => Description { axes: all[chosen], stated, used, of_first, quaternion },
        }
    }
}

/// The orientations of joints along paths from the start, while quaternions describe them.
fn traces(
    structure: &mut Structure,
    variables: &Variables,
    replaced: &[ReplacedOrientation],
    start: &StartConfiguration,
    joints: &[JointId],
) -> Vec<JointTraces> {
    replaced.iter().for_each(|replaced| structure.use_quaternion(replaced));
    let traces = with_quaternions(structure, variables, start, joints);
    for replaced in replaced {
        structure.use_angles(replaced.joint);
    }
    traces
}

fn with_quaternions(
    structure: &Structure,
    variables: &Variables,
    start: &StartConfiguration,
    joints: &[JointId],
) -> Vec<JointTraces> {
    let Ok(tree) = spanning_tree::span(structure) else { return Vec::new() };
    let kinematic_tree = KinematicTree { structure, tree: &tree };
    let symbols = &Placeholders::new(kinematic_tree, variables);
    let rows = &symbols.rows(kinematic_tree);
    let candidates = state_candidates(kinematic_tree, variables);
    let mut numeric = start.numeric.clone();
    let unknowns = &symbols.unknowns(rows, &candidates, variables.numbering, &numeric);
    let mut small = BTreeSet::<VariableId>::new();
    for orientation in symbols.orientations() {
        small.extend(orientation.variables);
        if let Some(rotation) = start.rotations.get(&orientation.joint) {
            for (slot, value) in orientation.quaternion.into_iter().zip(quaternion(rotation)) {
                numeric.set_parameter(slot, value);
            }
        }
    }
    for (symbol, _) in symbols.positions(|_| Some(Ex::zero())) {
        numeric.set(symbol, 0.0);
    }
    for unknown in unknowns {
        let found =
            start.values.get(&unknown.variable).filter(|_| !small.contains(&unknown.variable));
        numeric.set(unknown.symbol, found.copied().unwrap_or(unknown.start));
        numeric.set(unknown.speed, 0.0);
    }
    Mechanism { kinematic_tree, variables, symbols, rows, unknowns }.traces(joints, &numeric)
}

/// An axis about which an orientation can turn while all other joints rest.
enum IdleAxis {
    /// It rests in frame `a`, so the first angle may be about it.
    First([f64; 3]),
    /// It rests in frame `b`, so the last angle may be about it.
    Last([f64; 3]),
}

impl IdleAxis {
    /// The idle axis of a joint; `None` if there is no such axis, or if the axis moves in both
    /// frames.
    fn of(traces: &[Trace]) -> Option<IdleAxis> {
        let axes = |trace: &Trace| {
            let in_b = Vector3::from(unit_axis(trace.mobility.idle_axis?)?);
            Some([trace.orientations.last()?.transpose() * in_b, in_b])
        };
        let all: Vec<[Vector3<f64>; 2]> = traces.iter().map(axes).collect::<Option<_>>()?;
        let at_start = all.first()?;
        let rests = |k: usize| all.iter().all(|axes| axes[k].cross(&at_start[k]).amax() < SAME);
        match [rests(0), rests(1)] {
            [_, true] => Some(IdleAxis::Last(upright(at_start[1].into()))),
            [true, false] => Some(IdleAxis::First(upright(at_start[0].into()))),
            [false, false] => None,
        }
    }
}

/// The axis or its opposite, whichever has a positive largest component. Axes that are nearly
/// coordinate axes become coordinate axes.
fn upright(axis: [f64; 3]) -> [f64; 3] {
    let largest = axis.iter().fold(0.0, |a: f64, &b| if b.abs() > a.abs() { b } else { a });
    let axis = axis.map(|c| c * largest.signum());
    let near = |e: &[f64; 3]| e.iter().zip(axis).all(|(a, b)| (a - b).abs() < SAME);
    [X, Y, Z].into_iter().find(near).unwrap_or(axis)
}

/// Three axes of which the second is perpendicular to the others.
fn between(first: [f64; 3], third: [f64; 3]) -> Axes {
    let across = |other: [f64; 3]| unit_axis(cross_constant(first, other));
    let second = across(third).or_else(|| [X, Y, Z].into_iter().find_map(across));
    [first, upright(second.unwrap_or(Y)), third]
}

/// The axes to choose from, those of the default first if they are among them.
fn candidates(traces: &[Trace]) -> Vec<Axes> {
    let mut axes = match IdleAxis::of(traces) {
        Some(IdleAxis::First(first)) => [X, Y, Z].map(|third| between(first, third)).to_vec(),
        Some(IdleAxis::Last(last)) => [X, Y, Z].map(|first| between(first, last)).to_vec(),
        None => SEQUENCES.to_vec(),
    };
    axes.sort_by_key(|axes| *axes != SEQUENCES[0]);
    axes
}

/// How far angles about these axes are from their singular position, at least.
fn clearance(traces: &[Trace], [first, _, third]: Axes) -> Clearance {
    let (first, third) = (Vector3::from(first), Vector3::from(third));
    // The part of the first axis that is perpendicular to the third one: its length is the cosine.
    let across = |rotation: &Rotation| {
        let first = rotation * first;
        first - third * third.dot(&first)
    };
    let mut clearance = Clearance { all: 1.0, led: 1.0 };
    for trace in traces {
        let all: Vec<Vector3<f64>> = trace.orientations.iter().map(across).collect();
        let end = all.last().map(|&end| distance(end, end));
        let steps = all.windows(2).map(|pair| distance(pair[0], pair[1]));
        let smallest = steps.chain(end).fold(1.0, f64::min);
        clearance.all = clearance.all.min(smallest);
        if trace.led {
            clearance.led = clearance.led.min(smallest);
        }
    }
    // If all its turns depend on other joints, paths are too few to show all its orientations.
    let mobility = traces.first().map(|trace| trace.mobility).unwrap_or_default();
    if mobility.everywhere && mobility.idle_axis.is_none() {
        clearance.all = 0.0;
    }
    clearance
}

/// The distance of the origin from the straight line between two points.
fn distance(from: Vector3<f64>, to: Vector3<f64>) -> f64 {
    let along = to - from;
    let part = -from.dot(&along) / along.norm_squared().max(f64::MIN_POSITIVE);
    (from + along * part.clamp(0.0, 1.0)).norm()
}

/// The number of the axes to be used: the first if they are the default and good, otherwise the
/// best.
///
/// If the mechanism can reach singular positions for all axes, only the motions are compared in
/// which one joint leads, because a mechanism hardly moves at random.
fn best(axes: &[Axes], clearances: &[Clearance]) -> usize {
    let largest = |of: fn(&Clearance) -> f64| {
        let larger = |best: usize, k: usize| {
            if of(&clearances[k]) > of(&clearances[best]) { k } else { best }
        };
        (1..clearances.len()).fold(0, larger)
    };
    let keeps = |of: f64| axes[0] == SEQUENCES[0] && of >= GOOD;
    if keeps(clearances[0].all) {
        return 0;
    }
    let best = largest(|clearance| clearance.all);
    if clearances[best].all >= SUFFICIENT {
        return best;
    }
    if keeps(clearances[0].led) { 0 } else { largest(|clearance| clearance.led) }
}

impl Description {
    /// What the build notes about it, if there is anything to say.
    fn note(&self, joint: &str) -> Option<String> {
        let Description { axes, stated, used, of_first, quaternion } = self;
        let degrees = |sine: f64| sine.min(1.0).asin().to_degrees().round();
        if *quaternion {
            return Some(format!(
                "{joint}: it is part of a loop, and a quaternion describes its orientation, because \
                 three angles may come near their singular position, whatever the axes; all \
                 coordinates of the loop are states"
            ));
        }
        let listed = |axes: &Axes| axes.map(written).join(", ");
        let first = stated.unwrap_or(SEQUENCES[0]);
        let what = format!(
            "{joint}: it is part of a loop, so three angles describe its orientation, about the axes \
             {}",
            listed(axes)
        );
        if used.all < SUFFICIENT {
            return Some(format!(
                "{what}; they are singular where the first and the last axis are parallel, and the \
                 mechanism may come near such a position, whatever the axes"
            ));
        }
        if *axes == first {
            return None;
        }
        Some(match of_first.all < GOOD {
            true => format!(
                "{what}: in all configurations that were tried, the first and the last axis are at \
                 least {} degrees apart, those of {}{} only {} degrees; where they are parallel, the \
                 angles are singular",
                degrees(used.all),
                listed(&first),
                if stated.is_some() { ", which the model states," } else { "" },
                degrees(of_first.all)
            ),
            false => format!("{what}: about one of these it can turn while all other joints rest"),
        })
    }
}

/// The number of a coordinate axis, or the components of another axis.
fn written(axis: [f64; 3]) -> String {
    match [X, Y, Z].iter().position(|&e| e == axis) {
        Some(k) => (k + 1).to_string(),
        None => format!("({:.3}, {:.3}, {:.3})", axis[0], axis[1], axis[2]),
    }
}

/// The turns about axes: with the start values that the model gives for the orientation, or
/// otherwise with those of a rotation.
fn turns(replaced: &ReplacedOrientation, axes: Axes, found: &Rotation) -> [SuccessiveTurn; 3] {
    let ReplacedOrientation { orientation, angular_velocity, .. } = replaced;
    let start = orientation.quaternion[0].start;
    let rotation = if start.given || start.fixed {
        let components = std::array::from_fn(|k| orientation.quaternion[k].start.value.into());
        quaternion_rotation(&components)
    } else {
        Matrix::from_fn(|i, j| found[(i, j)].into())
    };
    let w = Vector::from_fn(|k, _| angular_velocity[k].speed.start.value.into());
    let angles = turn_angles(&rotation, axes, Ex::zero());
    let rates = turn_rates(axes, &angles, &w);
    std::array::from_fn(|k| {
        let SuccessiveTurn { angle, speed, .. } = &orientation.turns[k];
        let (angle, speed) = (starting(angle, angles[k]), starting(speed, rates[k]));
        SuccessiveTurn { axis: axes[k], angle, speed }
    })
}

/// A variable with another start value.
fn starting(variable: &StartVariable, value: Ex) -> StartVariable {
    let value = value.constant_value().filter(|value| value.is_finite()).unwrap_or(0.0);
    StartVariable { start: Start { value, ..variable.start }, ..variable.clone() }
}

/// Says in the descriptions of the angles and of their rates which axes they are about.
fn describe(turns: &[SuccessiveTurn; 3], build: &mut BuildContext<'_>) {
    let all = turns.each_ref().map(|turn| written(turn.axis)).join(", ");
    for SuccessiveTurn { axis, angle, speed } in turns {
        let of = format!("of the rotation about axis {}, in the sequence {all}", written(*axis));
        build.model.announce(&angle.name, angle.unit, &format!("Angle {of}"));
        build.model.announce(&speed.name, speed.unit, &format!("Derivative of the angle {of}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::loop_explorer::Mobility;
    use super::*;
    use nalgebra::Rotation3;

    /// A turn about an axis in steps of 0.1 rad.
    fn turned(axis: [f64; 3], steps: i32) -> Trace {
        let angle = |k: i32| 0.1 * f64::from(k) * Vector3::from(axis);
        let orientations = (0..=steps).map(|k| Rotation3::new(angle(k)).transpose().into_inner());
        let orientations = orientations.collect();
        Trace { led: true, orientations, mobility: Mobility::default() }
    }

    fn clearances(traces: &[Trace]) -> Vec<Clearance> {
        SEQUENCES.iter().map(|&axes| clearance(traces, axes)).collect()
    }

    #[test]
    fn positions_between_steps_are_seen() {
        let xyz = clearance(&[turned(Y, 16)], SEQUENCES[0]);
        assert!(xyz.all < 2e-3, "{xyz:?}");
        let xyz = clearance(&[turned(Y, 10)], SEQUENCES[0]);
        assert!((xyz.all - 1_f64.cos()).abs() < 1e-12, "{xyz:?}");
    }

    #[test]
    fn other_axes_are_used_only_if_the_middle_angle_becomes_large() {
        assert_eq!(best(&SEQUENCES, &clearances(&[turned(Y, 11)])), 0);
        let about_y = clearances(&[turned(Y, 16)]);
        assert!(about_y[best(&SEQUENCES, &about_y)].all > 0.99);
        let everywhere = clearances(&[X, Y, Z].map(|axis| turned(axis, 32)));
        let [used, of_first] = [everywhere[0]; 2];
        let (axes, stated, quaternion) = (SEQUENCES[0], None, false);
        let singular = Description { axes, stated, used, of_first, quaternion }.note("ball");
        assert!(singular.is_some_and(|note| note.ends_with("whatever the axes")));
    }

    #[test]
    fn the_angle_about_an_idle_axis_is_the_first_or_the_last() {
        let idle = [0.6, 0.0, 0.8];
        let moving = |in_b: &dyn Fn(&Rotation) -> [f64; 3]| {
            [0, 5].map(|steps| {
                let trace = turned(Y, steps);
                let idle_axis = Some(in_b(&trace.orientations[steps as usize]));
                Trace { mobility: Mobility { idle_axis, everywhere: false }, ..trace }
            })
        };
        let in_b = candidates(&moving(&|_| idle));
        assert_eq!(in_b.iter().map(|axes| axes[2]).collect::<Vec<_>>(), [idle; 3]);
        let in_a = candidates(&moving(&|turned| (turned * Vector3::from(idle)).into()));
        for [first, second, third] in in_a {
            assert_eq!(upright(first), first);
            let dot = |a: [f64; 3], b: [f64; 3]| Vector3::from(a).dot(&Vector3::from(b));
            assert!((dot(first, idle) - 1.0).abs() < 1e-12);
            assert!(dot(first, second).abs() < 1e-12 && dot(second, third).abs() < 1e-12);
        }
        assert_eq!(candidates(&moving(&|_| Z))[0], SEQUENCES[0]);
    }
}
