//! Cut torques of flanges: from the laws outwards through gears and inertias.

use crate::compile::loads::moving_parts::MovingParts;
use crate::compile::loads::rotors;
use crate::domain::Domain;
use crate::ids::{FlangeConstraintId, FlangeId, FlangeNode, List};
use crate::port::part;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::laws::acceleration_view::AccelerationView;
use crate::statements::laws::signal_view::FlangeLoad;
use equations::Ex;
use std::collections::BTreeMap;

/// Publishes angle and cut torque of every flange whose torque is determined.
/// Signals may read them, and the derivatives of the angles.
///
/// Each flange constraint has one unknown multiplier; each connection set one balance. A set with a
/// single unknown gives it, and so on from the ends of the train; where rigid parts form a ring the
/// torques are not unique and are left out.
pub fn publish(parts: MovingParts<'_>, numeric: &Numeric, e: &mut AccelerationView<'_>) {
    let structure = parts.structure;
    let ends = &structure.flanges.ends;
    let mut torque = List::of_each(ends, Ex::zero());
    for FlangeLoad { end, flow } in &e.applied.flows {
        torque[end.end] += *flow;
    }
    for inertial in &structure.flanges.inertias {
        let motion = e.flange(inertial.end);
        torque[inertial.end.end] += inertial.inertia * e.second_derivative(&motion);
    }
    for (end, tau) in rotors::flange_torques(parts, e) {
        torque[end.end] += tau;
    }
    let mut open: BTreeMap<FlangeNode, Vec<(FlangeConstraintId, FlangeId, Ex)>> = BTreeMap::new();
    for (r, constraint) in structure.flanges.constraints.enumerate() {
        let counts = |c: &&(_, Ex)| numeric.one(c.1).abs() > 1e-12;
        for &(end, coefficient) in constraint.ends.iter().filter(counts) {
            open.entry(end.node).or_default().push((r, end.end, coefficient));
        }
    }
    let mut at_node = BTreeMap::<FlangeNode, Vec<FlangeId>>::new();
    for (k, end) in ends.enumerate() {
        at_node.entry(end.node).or_default().push(k);
    }
    let mut ready: Vec<FlangeNode> =
        open.iter().filter(|(_, list)| list.len() == 1).map(|(&node, _)| node).rev().collect();
    while let Some(node) = ready.pop() {
        let Some(&[(r, _, coefficient)]) = open.get(&node).map(Vec::as_slice) else { continue };
        let sum: Ex = at_node[&node].iter().map(|&k| torque[k]).sum();
        let multiplier = -(sum / coefficient);
        for &(end, c) in &structure.flanges.constraints[r].ends {
            torque[end.end] += c * multiplier;
            let list = open.entry(end.node).or_default();
            list.retain(|entry| !(entry.0 == r && entry.1 == end.end));
            if list.len() == 1 {
                ready.push(end.node);
            }
        }
    }
    let undetermined: Vec<FlangeId> = open.values().flatten().map(|&(_, end, _)| end).collect();
    for (k, end) in ends.enumerate().filter(|(_, end)| !end.port.port.is_empty()) {
        let port = end.port.port;
        let name = structure.name_of(end.port);
        e.component = end.port.component;
        let Domain { position, flow, of_flange: [of_position, of_flow], .. } = end.domain;
        let motion = e.coordinates().variable(end.node.variable());
        let position_name = format!("{name}.{}", position.local);
        e.model.local(&position_name, motion.q).unit(position.unit).describe(of_position);
        e.define(part(port, position.local), motion.q);
        e.define(part(port, &format!("der({})", position.local)), motion.v);
        if !undetermined.contains(&k) {
            let flow_name = format!("{name}.{}", flow.local);
            e.model.local(&flow_name, torque[k]).unit(flow.unit).describe(of_flow);
            e.define(part(port, flow.local), torque[k]);
        }
    }
}
