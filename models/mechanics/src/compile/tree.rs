//! Links and the spanning tree of joints; what closes a loop is cut.

use super::structure::{Joint, Pose, Structure};
use crate::assembly::PortId;
use crate::error::Error;
use std::collections::{BTreeMap, VecDeque};

/// How the kinematics of a link follow from links before it.
#[derive(Clone, Debug)]
pub enum Parent {
    /// The world.
    World,
    /// A joint of the tree.
    Joint {
        /// Index of the joint.
        joint: usize,
        /// True if the joint's `frame_b` is on the parent.
        reversed: bool,
        /// The parent link.
        link: usize,
        /// Pose of the joint's frame on the parent.
        pose: Pose,
    },
    /// A rod between two links.
    Rod {
        /// Index of the rod.
        rod: usize,
    },
}

/// Where a frame is: its link, and its pose on it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The link.
    pub link: usize,
    /// Pose in the link's reference frame.
    pub pose: Pose,
}

/// Links in an order in which each one comes after those it depends on; the world is the first.
#[derive(Debug, Default)]
pub struct Tree {
    /// How each link moves.
    pub parents: Vec<Parent>,
    /// Frames by node.
    pub places: BTreeMap<usize, Place>,
    /// Joints that close loops.
    pub cuts: Vec<usize>,
    /// Rigid links that close a rigid loop, to be checked.
    pub rigid_loops: Vec<(usize, Place, Place)>,
}

/// Builds the tree; `name` gives a component's name for messages.
pub fn span(structure: &Structure, name: impl Fn(usize) -> String) -> Result<Tree, Error> {
    let mut builder = Builder {
        structure,
        tree: Tree::default(),
        rigid: adjacency(structure),
        used: vec![false; structure.rigid_links.len()],
    };
    let in_tree = choose_joints(structure);
    builder.tree.cuts = (0..structure.joints.len()).filter(|j| !in_tree[*j]).collect();

    builder.tree.parents.push(Parent::World);
    for &(node, pose, _) in &structure.ground_frames {
        builder.place(node, Place { link: 0, pose });
    }
    loop {
        let joint = (0..structure.joints.len())
            .filter(|&j| in_tree[j])
            .find_map(|j| builder.grow(&structure.joints[j], j));
        let rod = || (0..structure.rods.len()).find(|&r| builder.rod_is_next(r));
        if let Some((parent, child)) = joint {
            builder.add_link(parent, child);
        } else if let Some(rod) = rod() {
            let child = structure.rods[rod].frame.node;
            builder.add_link(Parent::Rod { rod }, child);
        } else {
            break;
        }
    }
    builder.check_reached(&name)?;
    let open = (0..structure.joints.len())
        .find(|&j| in_tree[j] && structure.joints[j].primitive.is_none());
    match open {
        Some(j) => Err(Error::Structure(format!(
            "{}: a spherical joint must close a loop here; for an open chain use three revolute \
             joints",
            structure.joints[j].name
        ))),
        None => Ok(builder.tree),
    }
}

struct Builder<'a> {
    structure: &'a Structure,
    tree: Tree,
    rigid: Adjacency,
    used: Vec<bool>,
}

impl Builder<'_> {
    /// The link behind a joint, if exactly one of the joint's frames is placed.
    fn grow(&self, joint: &Joint, index: usize) -> Option<(Parent, usize)> {
        let (a, b) = (self.tree.places.get(&joint.a.node), self.tree.places.get(&joint.b.node));
        let (place, reversed, child) = match (a, b) {
            (Some(place), None) => (place, false, joint.b.node),
            (None, Some(place)) => (place, true, joint.a.node),
            _ => return None,
        };
        let (link, pose) = (place.link, place.pose);
        Some((Parent::Joint { joint: index, reversed, link, pose }, child))
    }

    fn rod_is_next(&self, rod: usize) -> bool {
        let rod = &self.structure.rods[rod];
        let placed = |node| self.tree.places.contains_key(&node);
        placed(rod.a.node) && placed(rod.b.node) && !placed(rod.frame.node)
    }

    fn add_link(&mut self, parent: Parent, reference: usize) {
        let link = self.tree.parents.len();
        self.tree.parents.push(parent);
        self.place(reference, Place { link, pose: Pose::identity() });
    }

    /// Places a frame and all frames that are rigidly joined to it.
    fn place(&mut self, node: usize, place: Place) {
        let mut queue = VecDeque::from([(node, place)]);
        while let Some((node, place)) = queue.pop_front() {
            if let Some(before) = self.tree.places.get(&node) {
                self.tree.rigid_loops.push((node, *before, place));
                continue;
            }
            self.tree.places.insert(node, place);
            for (next, pose, index) in self.rigid.get(&node).into_iter().flatten() {
                let place = Place { link: place.link, pose: place.pose.then(pose) };
                if !self.used[*index] {
                    self.used[*index] = true;
                    queue.push_back((*next, place));
                }
            }
        }
    }

    fn check_reached(&self, name: &dyn Fn(usize) -> String) -> Result<(), Error> {
        let is_link = |rod: usize| {
            self.tree.parents.iter().any(|p| matches!(p, Parent::Rod { rod: r } if *r == rod))
        };
        for (index, rod) in self.structure.rods.iter().enumerate() {
            if self.tree.places.contains_key(&rod.frame.node) && !is_link(index) {
                return Err(Error::Structure(format!(
                    "{}: the frame of its rod is also held by other joints or rigid parts",
                    name(rod.component)
                )));
            }
        }
        let lost = |(node, _): &&(usize, PortId)| !self.tree.places.contains_key(node);
        match self.structure.frame_ends.iter().find(lost) {
            Some((_, port)) => Err(Error::Connection(format!(
                "{}.{}: no joint or rigid part connects it to the world",
                name(port.component),
                port.port
            ))),
            None => Ok(()),
        }
    }
}

/// The rigid links at each node: the node at the other end, its pose, the link.
type Adjacency = BTreeMap<usize, Vec<(usize, Pose, usize)>>;

fn adjacency(structure: &Structure) -> Adjacency {
    let mut rigid = Adjacency::new();
    for (i, link) in structure.rigid_links.iter().enumerate() {
        rigid.entry(link.a.node).or_default().push((link.b.node, link.pose, i));
        rigid.entry(link.b.node).or_default().push((link.a.node, link.pose.inverse(), i));
    }
    rigid
}

/// Joints that become the tree: those with fewest freedoms first, then those that the model wants
/// as states or gives initial values, so that a loop is cut where it costs least.
fn choose_joints(structure: &Structure) -> Vec<bool> {
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
    let mut merge = |a: usize, b: usize| {
        let (a, b) = (root(&mut sets, a), root(&mut sets, b));
        sets[a.max(b)] = a.min(b);
        a != b
    };
    for pair in structure.ground_frames.windows(2) {
        merge(pair[0].0, pair[1].0);
    }
    for link in &structure.rigid_links {
        merge(link.a.node, link.b.node);
    }
    let mut order: Vec<usize> = (0..structure.joints.len()).collect();
    order.sort_by_key(|&j| {
        let joint = &structure.joints[j];
        let start = joint.primitive.as_ref();
        let fixed = start.is_some_and(|p| p.position.start.fixed || p.speed.start.fixed);
        (start.is_none(), std::cmp::Reverse(joint.select), !fixed, j)
    });
    let mut in_tree = vec![false; structure.joints.len()];
    for j in order {
        let joint = &structure.joints[j];
        in_tree[j] = merge(joint.a.node, joint.b.node);
    }
    in_tree
}
