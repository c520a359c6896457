//! The part that carries a drive train holds everything that is fixed in it.
//!
//! The angles of a train on a moving part are relative to this part. A support that rests in the
//! train therefore rests on the part, and its torque acts there: as if it were connected to the
//! housing. The same holds for the housing of a joint that the train drives. Then the torques on
//! the part balance the torques on all shafts, and the train as a whole acts on its surroundings
//! only at its connections. An inertia of the train turns with the part as well.

use crate::domain::{Domain, ROTATIONAL, TRANSLATIONAL};
use crate::error::Error;
use crate::ids::{ComponentId, FlangeConstraintId, FlangeNode, FrameNode};
use crate::statements::algebra::graph_search::components;
use crate::statements::contributions::Structure;
use crate::statements::contributions::drive_trains::{
    LineReaction, MountedFlange, Rotor, SupportReaction,
};
use crate::statements::contributions::flanges::{FlangeConstraint, FlangePort};
use crate::statements::contributions::multibody::{Joint, Multibody};
use equations::Ex;
use std::collections::{BTreeMap, BTreeSet};

/// A rigid part of the mechanism; `None` is the world.
type Part = Option<FrameNode>;

/// Joins what is fixed in each train on a moving part to this part.
pub fn join(structure: &mut Structure) -> Result<(), Error> {
    if structure.drive_trains.mounted.is_empty() {
        return Ok(());
    }
    let parts = parts(&structure.multibody);
    for train in trains(structure, &ROTATIONAL) {
        let train = Train::new(&train, structure, &parts);
        if train.carriers.iter().all(Part::is_none) {
            continue;
        }
        train.join(structure, &parts)?;
        let moving = train.mounted.iter().filter(|(_, part)| part.is_some());
        let moving: Vec<MountedFlange> = moving.map(|(mounted, _)| *mounted).collect();
        if let [first, others @ ..] = &moving[..] {
            let pairs = others.iter().map(|&other| [*first, other]);
            structure.drive_trains.parallel.extend(pairs);
        }
    }
    Ok(())
}

/// The rigid part of each frame.
fn parts(multibody: &Multibody) -> BTreeMap<FrameNode, Part> {
    let rigid = multibody.rigid_connections.iter().map(|rigid| (rigid.a.node, rigid.b.node));
    let locked = multibody.joints.iter().filter(|joint| joint.is_locked(&multibody.coordinates));
    let rigid = rigid.chain(locked.map(|joint| (joint.a.node, joint.b.node)));
    let rigid: Vec<(FrameNode, FrameNode)> = rigid.collect();
    let frames = multibody.frames.iter().map(|frame| frame.node);
    let frames = frames.chain(rigid.iter().flat_map(|&(a, b)| [a, b]));
    let ground: BTreeSet<FrameNode> = multibody.ground.iter().map(|frame| frame.node).collect();
    let frames: BTreeSet<FrameNode> = frames.chain(ground.iter().copied()).collect();
    let frames: Vec<FrameNode> = frames.into_iter().collect();
    let mut parts = BTreeMap::new();
    for set in components(&frames, rigid.into_iter()) {
        let part = if set.iter().any(|node| ground.contains(node)) { None } else { Some(set[0]) };
        parts.extend(set.into_iter().map(|node| (node, part)));
    }
    parts
}

/// Joins what is fixed in a train along the line between two frames to the first frame, on which
/// the first flange of the line rests.
pub fn join_lines(structure: &mut Structure) -> Result<(), Error> {
    let lines = structure.drive_trains.lines.iter().filter(|line| line.shares[1] == 0.0);
    let lines: Vec<LineReaction> = lines.copied().collect();
    if lines.is_empty() {
        return Ok(());
    }
    for nodes in trains(structure, &TRANSLATIONAL) {
        let nodes: BTreeSet<FlangeNode> = nodes.into_iter().collect();
        let fixed = fixed(structure, &nodes);
        let own: Vec<&LineReaction> =
            lines.iter().filter(|line| fixed.contains(&line.constraint)).collect();
        let [line] = own[..] else {
            if let [first, second, ..] = own[..] {
                let [first, second] = [first, second].map(|l| &structure.names[l.component]);
                return Err(Error::Connection(format!(
                    "{first} and {second}: one drive train acts along both lines, so its forces do \
                     not balance: connect each line to a drive train of its own"
                )));
            }
            continue;
        };
        for r in fixed.into_iter().filter(|&r| r != line.constraint) {
            structure.flanges.constraints[r].housing = Some(line.constraint);
        }
    }
    Ok(())
}

/// The flange nodes of each drive train of a domain.
///
/// Components connect their flanges. A component between several axes, such as a bevel gear, does
/// not: each of its shafts belongs to a train with one axis.
fn trains(structure: &Structure, domain: &'static Domain) -> Vec<Vec<FlangeNode>> {
    let mut axes = BTreeMap::<ComponentId, usize>::new();
    for mounted in &structure.drive_trains.mounted {
        *axes.entry(mounted.component).or_default() += 1;
    }
    let of_domain = |end: &&FlangePort| std::ptr::eq(end.domain, domain);
    let ends: Vec<&FlangePort> = structure.flanges.ends.iter().filter(of_domain).collect();
    let nodes: BTreeSet<FlangeNode> = ends.iter().map(|end| end.node).collect();
    let nodes: Vec<FlangeNode> = nodes.into_iter().collect();
    let mut first = BTreeMap::<ComponentId, FlangeNode>::new();
    let mut pairs = Vec::new();
    for end in ends.iter().filter(|end| axes.get(&end.port.component).is_none_or(|&n| n == 1)) {
        pairs.push((*first.entry(end.port.component).or_insert(end.node), end.node));
    }
    components(&nodes, pairs.into_iter())
}

/// The flange constraints that fix one flange of a train, or tie it to a coordinate.
fn fixed(structure: &Structure, nodes: &BTreeSet<FlangeNode>) -> Vec<FlangeConstraintId> {
    let constraints = structure.flanges.constraints.enumerate();
    let fixed = constraints.filter_map(|(r, constraint)| match constraint.ends[..] {
        [(end, _)] if nodes.contains(&end.node) => Some(r),
        _ => None,
    });
    fixed.collect()
}

/// A train with the parts that carry it.
struct Train {
    nodes: BTreeSet<FlangeNode>,
    mounted: Vec<(MountedFlange, Part)>,
    carriers: BTreeSet<Part>,
}

impl Train {
    fn new(
        nodes: &[FlangeNode],
        structure: &Structure,
        parts: &BTreeMap<FrameNode, Part>,
    ) -> Train {
        let nodes: BTreeSet<FlangeNode> = nodes.iter().copied().collect();
        let mounted = structure.drive_trains.mounted.iter();
        let mounted = mounted.filter(|mounted| nodes.contains(&mounted.end.node));
        let mounted =
            mounted.filter_map(|mounted| Some((*mounted, part_of(mounted.frame?.node, parts))));
        let mounted: Vec<(MountedFlange, Part)> = mounted.collect();
        let carriers = mounted.iter().map(|(_, part)| *part).collect();
        Train { nodes, mounted, carriers }
    }

    fn join(
        &self,
        structure: &mut Structure,
        parts: &BTreeMap<FrameNode, Part>,
    ) -> Result<(), Error> {
        let mounts: BTreeSet<FlangeConstraintId> =
            structure.drive_trains.supports.iter().map(|support| support.constraint).collect();
        let mut housings = BTreeMap::new();
        for r in fixed(structure, &self.nodes).into_iter().filter(|r| !mounts.contains(r)) {
            let joint = joint_of(structure, r);
            let mounted = match joint {
                Some(joint) => self.on(part_of(joint.a.node, parts)),
                None => self.on_only_carrier(),
            };
            let Some(mounted) = mounted else {
                let refusal = match joint {
                    Some(joint) => self.elsewhere(structure, joint),
                    None => self.undecided(structure, &port_at(structure, r)),
                };
                structure.flanges.constraints[r].refusal = Some(refusal);
                continue;
            };
            let housing =
                *housings.entry(mounted.component).or_insert_with(|| housing(structure, mounted));
            structure.flanges.constraints[r].housing = Some(housing);
        }
        let inertias = std::mem::take(&mut structure.flanges.inertias);
        for inertial in inertias {
            if !self.nodes.contains(&inertial.end.node) {
                structure.flanges.inertias.push(inertial);
                continue;
            }
            let component = structure.flanges.ends[inertial.end.end].port.component;
            let Some(MountedFlange { frame, axis, .. }) = self.on_only_carrier() else {
                return Err(self.undecided(structure, &structure.names[component]));
            };
            let (end, inertia) = (inertial.end, inertial.inertia);
            structure.drive_trains.rotors.push(Rotor {
                component,
                end,
                frame,
                axis,
                inertia,
                exact: true,
            });
        }
        Ok(())
    }

    /// A mounted flange on a part, if there is one; flanges that are fixed are preferred.
    fn on(&self, part: Part) -> Option<MountedFlange> {
        let on_part = self.mounted.iter().filter(|(_, own)| *own == part);
        on_part.map(|(mounted, _)| *mounted).min_by_key(|mounted| mounted.fixed_by.is_none())
    }

    /// A mounted flange on the part that carries the train; `None` if several parts do.
    fn on_only_carrier(&self) -> Option<MountedFlange> {
        self.on(*self.carriers.first().filter(|_| self.carriers.len() == 1)?)
    }

    /// The frames at which the train is mounted, one for each part.
    fn frames(&self, structure: &Structure) -> String {
        let on = |part: &Part| {
            let mounted = self.on(*part)?;
            Some(frame_at(structure, mounted.frame?.node, mounted.component))
        };
        let frames: Vec<String> = self.carriers.iter().filter_map(on).collect();
        frames.join(" and ")
    }

    /// The error about something that may rest on several parts.
    fn undecided(&self, structure: &Structure, what: &str) -> Error {
        Error::Connection(format!(
            "{what}: its drive train is mounted on several parts, at {}, so it is not known on \
             which of them it rests: connect it to the Mounting1D on this part, or use a Rotor1D \
             for an inertia",
            self.frames(structure)
        ))
    }

    /// The error about a joint that is on none of the parts that carry its drive train.
    fn elsewhere(&self, structure: &Structure, joint: &Joint) -> Error {
        let name = &structure.names[joint.component];
        Error::Connection(format!(
            "{name}: its drive train is mounted on another part, at {}, so it is not known what \
             holds the housing of the joint: mount the drive train on the part at {}, or connect \
             the support of {name} as well, such as to a Mounting1D on that part",
            self.frames(structure),
            frame_at(structure, joint.a.node, joint.component)
        ))
    }
}

/// The flange constraint whose violation is a rotation of the frame of a mounted flange; it is
/// added if the flange is free to turn.
fn housing(structure: &mut Structure, mounted: MountedFlange) -> FlangeConstraintId {
    if let Some(constraint) = mounted.fixed_by {
        return constraint;
    }
    let MountedFlange { component, frame, axis, .. } = mounted;
    let constraint = structure.flanges.constraints.push(FlangeConstraint {
        component,
        ends: Vec::new(),
        coordinate: None,
        rhs: Ex::zero(),
        prescribed: None,
        reaction: true,
        housing: None,
        refusal: None,
        optional: false,
    });
    let support = SupportReaction { component, constraint, frame, n: axis };
    structure.drive_trains.supports.push(support);
    constraint
}

/// The joint whose axis or housing a flange constraint fixes.
fn joint_of(structure: &Structure, r: FlangeConstraintId) -> Option<&Joint> {
    let FlangeConstraint { component, coordinate, optional, .. } =
        &structure.flanges.constraints[r];
    structure.multibody.joints.iter().find(|joint| match coordinate {
        Some(coordinate) => joint.coordinates.contains(*coordinate),
        None => *optional && joint.component == *component,
    })
}

/// The part to which a frame belongs.
fn part_of(frame: FrameNode, parts: &BTreeMap<FrameNode, Part>) -> Part {
    parts.get(&frame).copied().unwrap_or(Some(frame))
}

/// The name of a frame in a connection set, of a component if it has one there; the name of the
/// component if the set has no name.
fn frame_at(structure: &Structure, node: FrameNode, component: ComponentId) -> String {
    let at_node = || structure.multibody.frames.iter().filter(|frame| frame.node == node);
    let own = at_node().find(|frame| frame.port.component == component);
    own.or_else(|| at_node().next())
        .map_or_else(|| structure.names[component].clone(), |frame| structure.name_of(frame.port))
}

/// The name of the port that a flange constraint fixes.
fn port_at(structure: &Structure, r: FlangeConstraintId) -> String {
    let constraint = &structure.flanges.constraints[r];
    let node = constraint.ends.first().map(|(end, _)| end.node);
    let mut named = structure.flanges.ends.iter().filter(|end| !end.port.port.is_empty());
    named.find(|end| Some(end.node) == node).map_or_else(
        || structure.names[constraint.component].clone(),
        |end| structure.name_of(end.port),
    )
}
