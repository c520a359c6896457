//! A mechanism with its spanning tree.

use super::spanning_tree::Tree;
use crate::statements::contributions::Structure;
use crate::statements::contributions::multibody::Multibody;

/// What components contributed, and the spanning tree of its joints.
#[derive(Clone, Copy)]
pub struct KinematicTree<'a> {
    /// What components contributed.
    pub structure: &'a Structure,
    /// The spanning tree.
    pub tree: &'a Tree,
}

impl<'a> KinematicTree<'a> {
    /// What components contributed in space.
    pub fn multibody(self) -> &'a Multibody {
        &self.structure.multibody
    }
}
