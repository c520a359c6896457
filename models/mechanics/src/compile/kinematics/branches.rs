//! Which links form branches: those whose coordinates no other equation uses.

use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::compile::tree::spanning_tree::Parent;
use crate::ids::{CoordinateId, LinkId, List, VariableId};
use crate::statements::contributions::Structure;
use crate::statements::motion::coordinates::{Coordinates, Motion};
use crate::statements::spatial::articulated::{Column, Link};
use crate::statements::spatial::spatial_inertia::SpatialInertia;
use equations::Ex;
use std::collections::{BTreeMap, BTreeSet};

/// The fewest coordinates for which the recursion is cheaper than a mass matrix.
const FEWEST: usize = 5;

/// The links that form branches, without their inertias.
///
/// A link is in a branch under three conditions. Its own coordinates are prescribed, or are
/// independent coordinates on which nothing else depends: no loop, gear, inertia between two
/// coordinates, rotor or requested reaction. No drive train acts on the link. All links that it
/// carries are in branches. Branches that move with few coordinates are left to the mass matrix.
pub fn choose(
    kinematics: &ForwardKinematics<'_, impl CoordinateValues>,
    independent: &[VariableId],
    coordinates: &Coordinates,
    motions: &List<CoordinateId, Motion>,
) -> BTreeMap<LinkId, Link> {
    let KinematicTree { structure, tree } = kinematics.kinematic_tree;
    let (inertias, rotors) = (inertias(structure, coordinates), rotors(structure, coordinates));
    let mut shared = shared(coordinates, motions, &inertias);
    shared.extend(rotors.iter().flat_map(|motion| motion.partials.keys().copied()));
    let independent: BTreeSet<VariableId> = independent.iter().copied().collect();
    let numbering = coordinates.numbering();
    let is_own = |c: CoordinateId| {
        let variable = numbering.coordinate(c);
        let mut partials = motions[c].partials.keys();
        match (partials.next(), partials.next()) {
            (None, _) => true,
            (Some(&v), None) => v == variable && independent.contains(&v) && !shared.contains(&v),
            _ => false,
        }
    };
    let asked = asked(coordinates, kinematics.kinematic_tree, motions);
    let mut chosen = BTreeMap::new();
    let mut held = List::of_each(&tree.parents, false);
    structure.carriers().for_each(|frame| held[tree.placements[&frame.node].link] = true);
    for number in tree.parents.ids().skip(1).rev() {
        let Parent::Joint { coordinates, link: carrier, .. } = &tree.parents[number] else {
            tree.sources(structure, number).into_iter().for_each(|link| held[link] = true);
            continue;
        };
        let free = !held[number] && !asked[number] && coordinates.iter().all(is_own);
        let Some((pose, columns)) = kinematics.behind(number).filter(|_| free) else {
            held[*carrier] = true;
            continue;
        };
        let column = |(c, partial)| {
            let variable = numbering.coordinate(c);
            let on_flanges = inertias.iter().filter(|(m, _)| m.partials.contains_key(&variable));
            let inertia = on_flanges.map(|(m, j)| *j * m.partials[&variable].square()).sum();
            Column { variable, partial, inertia }
        };
        let moves = |(c, _): &(CoordinateId, _)| !motions[*c].partials.is_empty();
        let columns = columns.into_iter().filter(moves).map(column).collect();
        let inertia = SpatialInertia::zero();
        chosen.insert(number, Link { carrier: *carrier, pose, columns, inertia });
    }
    let short = short(&chosen, kinematics.kinematic_tree, motions);
    chosen.retain(|number, _| !short.contains(number));
    chosen
}

/// The links of branches that move with few coordinates, including the coordinates of the links
/// that carry them.
fn short(
    chosen: &BTreeMap<LinkId, Link>,
    kinematic_tree: KinematicTree<'_>,
    motions: &List<CoordinateId, Motion>,
) -> BTreeSet<LinkId> {
    let mut root = BTreeMap::new();
    let mut members = BTreeMap::<LinkId, (Vec<LinkId>, usize)>::new();
    for (&number, link) in chosen {
        let first = root.get(&link.carrier).copied().unwrap_or(number);
        root.insert(number, first);
        let (links, coordinates) = members.entry(first).or_default();
        links.push(number);
        *coordinates += link.columns.len();
    }
    let moving = moving(kinematic_tree, motions);
    let few = |(first, (_, own)): &(LinkId, (Vec<LinkId>, usize))| {
        own + moving[chosen[first].carrier].len() < FEWEST
    };
    members.into_iter().filter(few).flat_map(|(_, (links, _))| links).collect()
}

/// For each link the variables that move it.
fn moving(
    kinematic_tree: KinematicTree<'_>,
    motions: &List<CoordinateId, Motion>,
) -> List<LinkId, BTreeSet<VariableId>> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let mut moving = List::<LinkId, BTreeSet<VariableId>>::default();
    for number in tree.parents.ids() {
        let before = tree.sources(structure, number).into_iter();
        let mut all: BTreeSet<VariableId> =
            before.flat_map(|link| moving[link].iter().copied()).collect();
        if let Parent::Joint { coordinates, .. } = &tree.parents[number] {
            all.extend(coordinates.iter().flat_map(|c| motions[c].partials.keys().copied()));
        }
        moving.push(all);
    }
    moving
}

/// Motions of the flanges with inertia, and these.
fn inertias(structure: &Structure, coordinates: &Coordinates) -> Vec<(Motion, Ex)> {
    let inertias = structure.flanges.inertias.iter();
    inertias.map(|i| (coordinates.variable(i.end.node.variable()), i.inertia)).collect()
}

/// Motions of the flanges of rotors.
fn rotors(structure: &Structure, coordinates: &Coordinates) -> Vec<Motion> {
    let rotors = structure.drive_trains.rotors.iter();
    rotors.map(|rotor| coordinates.variable(rotor.end.node.variable())).collect()
}

/// Variables that more than their own coordinate follows, or that an inertia ties to others.
fn shared(
    coordinates: &Coordinates,
    motions: &List<CoordinateId, Motion>,
    inertias: &[(Motion, Ex)],
) -> BTreeSet<VariableId> {
    let numbering = coordinates.numbering();
    let mut shared = BTreeSet::new();
    let own = motions.enumerate().map(|(c, motion)| (numbering.coordinate(c), motion));
    let all = coordinates.motions().iter().map(|(&v, motion)| (v, motion));
    for (variable, motion) in own.chain(all) {
        shared.extend(motion.partials.keys().copied().filter(|&k| k != variable));
    }
    for (motion, _) in inertias.iter().filter(|(motion, _)| motion.partials.len() > 1) {
        shared.extend(motion.partials.keys().copied());
    }
    shared
}

/// For each link whether its motion includes the violation of a flange constraint.
fn asked(
    coordinates: &Coordinates,
    kinematic_tree: KinematicTree<'_>,
    motions: &List<CoordinateId, Motion>,
) -> List<LinkId, bool> {
    let numbering = coordinates.numbering();
    let violated = |all: &BTreeSet<VariableId>| all.iter().any(|&v| numbering.is_violation(v));
    moving(kinematic_tree, motions).iter().map(violated).collect()
}
