//! Links and the spanning tree of joints; joints that close loops are cut.

use crate::error::Error;
use crate::ids::{CoordinateId, FrameNode, Id, JointId, LinkId, List, Span};
use crate::start::StateSelect;
use crate::statements::contributions::Structure;
use crate::statements::contributions::constraints::{Constraint, Holds};
use crate::statements::contributions::multibody::{
    Coordinate, CoordinateType, FramePort, GroundFrame, Joint,
};
use crate::statements::motion::frames::{Placement, Placements};
use crate::statements::spatial::pose::{Pose, Twist};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The link at rest, the first one.
pub const WORLD: LinkId = LinkId::FIRST;

/// How the kinematics of a link follow from links before it.
#[derive(Clone, Debug)]
pub enum Parent {
    /// The world.
    World,
    /// A coordinate, or the last three of a joint with a free orientation.
    Joint {
        /// The joint.
        joint: JointId,
        /// The coordinates between the parent and this link.
        coordinates: Span<CoordinateId>,
        /// True if the joint's `frame_b` is on the parent's side.
        reversed: bool,
        /// The parent link.
        link: LinkId,
        /// Pose of the joint's frame on that side, `a`, on the parent, `p`.
        x_pa: Pose,
    },
    /// A frame that follows two others.
    Derived {
        /// Its place in the list of derived frames.
        derived: usize,
    },
}

/// Links in an order in which each one comes after those it depends on; the world is the first.
#[derive(Debug, Default)]
pub struct Tree {
    /// How each link moves.
    pub parents: List<LinkId, Parent>,
    /// Frames by node.
    pub placements: Placements,
    /// Joints that close loops.
    pub cuts: Vec<JointId>,
    /// Optional joints that are not needed.
    pub unused: Vec<JointId>,
    /// Rigid links that close a rigid loop, to be checked.
    pub rigid_loops: Vec<(FrameNode, Placement, Placement)>,
}

/// Builds the tree.
pub fn span(structure: &Structure) -> Result<Tree, Error> {
    let mut builder = Builder {
        structure,
        tree: Tree::default(),
        rigid: adjacency(structure),
        used: vec![false; structure.multibody.rigid_connections.len()],
    };
    let in_tree = choose_joints(structure);
    let left = structure.multibody.joints.ids().filter(|&j| !in_tree[j]);
    let (unused, cuts): (Vec<_>, Vec<_>) =
        left.partition(|&j| structure.multibody.joints[j].optional.is_some());
    let locked =
        |j: &&JointId| structure.multibody.joints[**j].is_locked(&structure.multibody.coordinates);
    if let Some(&j) = cuts.iter().find(locked) {
        return Err(Error::Structure(format!(
            "{}: rigid parts form a loop here, so the force and the torque that it needs to know \
             are not determined",
            structure.multibody.joints[j].name
        )));
    }
    (builder.tree.unused, builder.tree.cuts) = (unused, cuts);

    builder.tree.parents.push(Parent::World);
    for &GroundFrame { node, pose, .. } in &structure.multibody.ground {
        builder.place(node, Placement { link: WORLD, pose });
    }
    let mut waiting: Vec<JointId> =
        structure.multibody.joints.ids().filter(|&j| in_tree[j]).collect();
    loop {
        let next = waiting.iter().position(|&j| builder.is_next(&structure.multibody.joints[j]));
        let follows = || (0..structure.multibody.derived.len()).find(|&d| builder.follows_next(d));
        if let Some(k) = next {
            builder.grow(waiting.remove(k));
        } else if let Some(derived) = follows() {
            let link = builder.tree.parents.push(Parent::Derived { derived });
            let node = structure.multibody.derived[derived].frame.node;
            builder.place(node, Placement { link, pose: Pose::identity() });
        } else {
            break;
        }
    }
    builder.check_reached()?;
    Ok(builder.tree)
}

struct Builder<'a> {
    structure: &'a Structure,
    tree: Tree,
    rigid: Adjacency,
    used: Vec<bool>,
}

impl Builder<'_> {
    fn is_placed(&self, node: FrameNode) -> bool {
        self.tree.placements.contains_key(&node)
    }

    /// Whether exactly one of a joint's frames is placed.
    fn is_next(&self, joint: &Joint) -> bool {
        self.is_placed(joint.a.node) != self.is_placed(joint.b.node)
    }

    /// Adds the links behind a joint.
    fn grow(&mut self, index: JointId) {
        let joint = &self.structure.multibody.joints[index];
        let reversed = !self.is_placed(joint.a.node);
        let (from, to) = if reversed { (joint.b, joint.a) } else { (joint.a, joint.b) };
        let Placement { mut link, pose: mut x_pa } = self.tree.placements[&from.node];
        let angular_velocity = joint.angular_velocity();
        let single = joint.coordinates.without_last(angular_velocity.map_or(0, Span::len));
        let mut steps: Vec<Span<CoordinateId>> = single.iter().map(|c| Span::new(c, 1)).collect();
        steps.extend(angular_velocity);
        if reversed {
            steps.reverse();
        }
        for coordinates in steps {
            let parent = Parent::Joint { joint: index, coordinates, reversed, link, x_pa };
            link = self.tree.parents.push(parent);
            x_pa = Pose::identity();
        }
        self.place(to.node, Placement { link, pose: x_pa });
    }

    fn follows_next(&self, derived: usize) -> bool {
        let derived = &self.structure.multibody.derived[derived];
        self.is_placed(derived.a.node)
            && self.is_placed(derived.b.node)
            && !self.is_placed(derived.frame.node)
    }

    /// Places a frame and all frames that are rigidly joined to it.
    fn place(&mut self, node: FrameNode, place: Placement) {
        let mut queue = VecDeque::from([(node, place)]);
        while let Some((node, place)) = queue.pop_front() {
            if let Some(before) = self.tree.placements.get(&node) {
                self.tree.rigid_loops.push((node, *before, place));
                continue;
            }
            self.tree.placements.insert(node, place);
            for (next, pose, index) in self.rigid.get(&node).into_iter().flatten() {
                let place = Placement { link: place.link, pose: place.pose.then(pose) };
                if !self.used[*index] {
                    self.used[*index] = true;
                    queue.push_back((*next, place));
                }
            }
        }
    }

    fn check_reached(&self) -> Result<(), Error> {
        let is_link = |d: usize| {
            let parents = &mut self.tree.parents.iter();
            parents.any(|p| matches!(p, Parent::Derived { derived } if *derived == d))
        };
        for (index, derived) in self.structure.multibody.derived.iter().enumerate() {
            if self.is_placed(derived.frame.node) && !is_link(index) {
                return Err(Error::Structure(format!(
                    "{}: the frame of its rod is also held by other joints or rigid parts",
                    self.structure.names[derived.component]
                )));
            }
        }
        let lost = |frame: &&FramePort| !self.tree.placements.contains_key(&frame.node);
        match self.structure.multibody.frames.iter().find(lost) {
            Some(FramePort { port, .. }) => Err(Error::Connection(format!(
                "{}.{}: no joint or rigid part connects it to the world",
                self.structure.names[port.component], port.port
            ))),
            None => Ok(()),
        }
    }
}

/// The rigid links at each node: the node at the other end, its pose, the link.
type Adjacency = BTreeMap<FrameNode, Vec<(FrameNode, Pose, usize)>>;

fn adjacency(structure: &Structure) -> Adjacency {
    let mut rigid = Adjacency::new();
    for (i, link) in structure.multibody.rigid_connections.iter().enumerate() {
        rigid.entry(link.a.node).or_default().push((link.b.node, link.pose, i));
        rigid.entry(link.b.node).or_default().push((link.a.node, link.pose.inverse(), i));
    }
    rigid
}

/// Whether each joint enters the tree. Locked joints enter first, and then joints whose coordinates
/// must be states. Joints with few degrees of freedom enter before joints with more, because loops
/// are then cut where a cut costs least. Among equals, preferred states and given initial values
/// come first. Optional joints come last.
fn choose_joints(structure: &Structure) -> List<JointId, bool> {
    let mut sets = Vec::<usize>::new();
    fn root(sets: &mut Vec<usize>, mut node: usize) -> usize {
        while sets.len() <= node {
            sets.push(sets.len());
        }
        while sets[node] != node {
            node = sets[node];
        }
        node
    }
    let mut merge = |a: FrameNode, b: FrameNode| {
        let (a, b) = (root(&mut sets, a.index()), root(&mut sets, b.index()));
        sets[a.max(b)] = a.min(b);
        a != b
    };
    for pair in structure.multibody.ground.windows(2) {
        merge(pair[0].node, pair[1].node);
    }
    for link in &structure.multibody.rigid_connections {
        merge(link.a.node, link.b.node);
    }
    for derived in &structure.multibody.derived {
        merge(derived.frame.node, derived.a.node);
    }
    let mut order: Vec<JointId> = structure.multibody.joints.ids().collect();
    order.sort_by_key(|&j| {
        let joint = &structure.multibody.joints[j];
        let coordinates = structure.multibody.coordinates.of(joint.coordinates);
        let select = coordinates.iter().map(|c| c.select).max().unwrap_or_default();
        let is_fixed = |c: &Coordinate| c.position.start.fixed || c.speed.start.fixed;
        let fixed = coordinates.iter().any(is_fixed);
        let guessed = coordinates.iter().any(|c| c.position.start.given);
        let freedoms = coordinates.len();
        let wish = std::cmp::Reverse(select);
        let locked = coordinates.iter().any(|c| c.locked);
        (
            joint.optional,
            !locked,
            select != StateSelect::Always,
            freedoms,
            wish,
            !fixed,
            !guessed,
            j,
        )
    });
    let mut in_tree = List::of_each(&structure.multibody.joints, false);
    for j in order {
        let joint = &structure.multibody.joints[j];
        in_tree[j] = merge(joint.a.node, joint.b.node);
    }
    in_tree
}

impl Tree {
    /// The coordinates in use: those of joints in the tree, and those that something else measures.
    pub fn coordinates<'a>(
        &'a self,
        structure: &'a Structure,
    ) -> impl Iterator<Item = CoordinateId> + 'a {
        let mut used = List::of_each(&structure.multibody.coordinates, false);
        for parent in &self.parents {
            if let Parent::Joint { coordinates, .. } = parent {
                coordinates.iter().for_each(|c| used[c] = true);
            }
        }
        let measured = |c: CoordinateId| {
            structure.multibody.coordinates[c].coordinate_type == CoordinateType::Auxiliary
        };
        used.ids().filter(move |&c| used[c] || measured(c) || structure.is_tied(c))
    }

    /// The joints with free orientations.
    pub fn orientations<'a>(
        &'a self,
        structure: &'a Structure,
    ) -> impl Iterator<Item = JointId> + 'a {
        self.parents.iter().filter_map(|parent| match parent {
            Parent::Joint { joint, coordinates, .. }
                if structure.multibody.coordinates[coordinates.first()].coordinate_type
                    == CoordinateType::AngularVelocity =>
            {
                Some(*joint)
            }
            _ => None,
        })
    }

    /// A joint whose free orientation takes part in a loop.
    pub fn orientation_in_a_loop(&self, structure: &Structure) -> Option<JointId> {
        let of_joints = self.cuts.iter().map(|&j| &structure.multibody.joints[j]);
        let of_joints = of_joints
            .filter(|joint| !joint.is_free(&structure.multibody.coordinates))
            .map(|j| vec![j.a, j.b]);
        let lasts =
            |c: &&Constraint| matches!(c.condition, Holds::Position { .. } | Holds::Rolling(_));
        let of_constraints =
            structure.multibody.constraints.iter().filter(lasts).map(|c| c.frames.clone());
        let orientations: Vec<(LinkId, JointId)> = self
            .parents
            .enumerate()
            .filter_map(|(link, parent)| match parent {
                Parent::Joint { joint, coordinates, .. } => {
                    let angular_velocity = structure.multibody.joints[*joint].angular_velocity()?;
                    (angular_velocity == *coordinates).then_some((link, *joint))
                }
                _ => None,
            })
            .collect();
        of_joints.chain(of_constraints).find_map(|frames| {
            let links: Vec<LinkId> = frames.iter().map(|f| self.placements[&f.node].link).collect();
            let (_, between) = self.between(structure, &links);
            orientations.iter().find(|(link, _)| between.contains(link)).map(|&(_, joint)| joint)
        })
    }

    /// The links that a link's motion follows from directly.
    pub fn sources(&self, structure: &Structure, link: LinkId) -> Vec<LinkId> {
        match &self.parents[link] {
            Parent::World => Vec::new(),
            Parent::Joint { link, .. } => vec![*link],
            Parent::Derived { derived } => {
                let derived = &structure.multibody.derived[*derived];
                [derived.a, derived.b].map(|end| self.placements[&end.node].link).to_vec()
            }
        }
    }

    /// The coordinates on which the motion of a link depends.
    pub fn coordinates_behind(
        &self,
        structure: &Structure,
        link: LinkId,
    ) -> BTreeSet<CoordinateId> {
        let (mut behind, mut seen, mut waiting) = (BTreeSet::new(), BTreeSet::new(), vec![link]);
        while let Some(link) = waiting.pop() {
            if seen.insert(link) {
                if let Parent::Joint { coordinates, .. } = &self.parents[link] {
                    behind.extend(coordinates.iter());
                }
                waiting.extend(self.sources(structure, link));
            }
        }
        behind
    }

    /// The last link through which all ways from the world to some links lead, and the links
    /// between it and them, these included.
    pub fn between(&self, structure: &Structure, links: &[LinkId]) -> (LinkId, BTreeSet<LinkId>) {
        let behind = |links: &[LinkId], base: Option<LinkId>| {
            let (mut behind, mut waiting) = (BTreeSet::new(), links.to_vec());
            while let Some(link) = waiting.pop() {
                if Some(link) != base && behind.insert(link) {
                    waiting.extend(self.sources(structure, link));
                }
            }
            behind
        };
        let mut on_all_ways = BTreeMap::<LinkId, BTreeSet<LinkId>>::new();
        let common = |sets: &BTreeMap<LinkId, BTreeSet<LinkId>>, links: &[LinkId]| {
            let mut sets = links.iter().map(|l| &sets[l]);
            let first = sets.next().cloned().unwrap_or_default();
            sets.fold(first, |all, set| all.intersection(set).copied().collect())
        };
        // Each link comes after those from which it follows.
        for link in behind(links, None) {
            let mut own = common(&on_all_ways, &self.sources(structure, link));
            own.insert(link);
            on_all_ways.insert(link, own);
        }
        let base = common(&on_all_ways, links).last().copied().unwrap_or(WORLD);
        (base, behind(links, Some(base)))
    }
}

impl Tree {
    /// The pose of a node, from those of the links.
    pub fn pose(&self, poses: &List<LinkId, Pose>, node: FrameNode) -> Pose {
        let Placement { link, pose } = &self.placements[&node];
        poses[*link].then(pose)
    }

    /// The velocity of a node in its own axes, from those of the links.
    pub fn velocity(&self, velocities: &List<LinkId, Twist>, node: FrameNode) -> Twist {
        let Placement { link, pose } = &self.placements[&node];
        velocities[*link].at(pose)
    }
}
