//! A mechanism with its spanning tree.

use super::spanning_tree::Tree;
use crate::statements::contributions::Structure;

/// What components contributed, and the spanning tree of its joints.
#[derive(Clone, Copy)]
pub struct KinematicTree<'a> {
    /// What components contributed.
    pub structure: &'a Structure,
    /// The spanning tree.
    pub tree: &'a Tree,
}
