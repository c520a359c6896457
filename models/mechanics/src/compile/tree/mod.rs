//! The spanning tree of joints, and forward kinematics along it.

pub mod forward_kinematics;
pub mod linkage;
pub mod spanning_tree;
