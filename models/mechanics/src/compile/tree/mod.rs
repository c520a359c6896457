//! The spanning tree of joints, and forward kinematics along it.

pub mod forward_kinematics;
pub mod kinematic_tree;
pub mod spanning_tree;
