//! Frames that are connected to nothing, behind joints that move nothing with mass.

use super::kinematic_tree::KinematicTree;
use super::spanning_tree::Parent;
use crate::ids::CoordinateId;
use crate::statements::contributions::multibody::FramePort;
use std::collections::BTreeSet;

/// The sentence about a coordinate that moves no body, but frames to which nothing is connected;
/// `None` if it moves others.
pub fn behind(kinematic_tree: KinematicTree<'_>, coordinate: CoordinateId) -> Option<String> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let multibody = &structure.multibody;
    let mut moved = BTreeSet::new();
    for (link, parent) in tree.parents.ids().zip(tree.parents.iter()) {
        let Parent::Joint { coordinates, link: before, .. } = parent else { continue };
        if coordinates.iter().any(|c| c == coordinate) || moved.contains(before) {
            moved.insert(link);
        }
    }
    let is_moved = |node| tree.placements.get(&node).is_some_and(|at| moved.contains(&at.link));
    if multibody.bodies.iter().any(|body| is_moved(body.frame.node)) {
        return None;
    }
    let alone = |frame: &&FramePort| {
        let same = multibody.frames.iter().filter(|other| other.node == frame.node);
        is_moved(frame.node) && same.count() == 1
    };
    let name = |FramePort { port, .. }: &FramePort| structure.name_of(*port);
    let open: Vec<String> = multibody.frames.iter().filter(alone).map(name).collect();
    let joint = &structure.names[multibody.coordinates[coordinate].component];
    let frames = match &open[..] {
        [] => return None,
        [one] => format!("{one}: this frame is connected to nothing"),
        several => format!("{}: these frames are connected to nothing", several.join(", ")),
    };
    Some(format!(
        "{frames}, so {joint} moves nothing that has mass; connect it to a part, or to a World"
    ))
}
