//! The spanning tree of joints, and forward kinematics along it.

pub mod forward_kinematics;
pub mod kinematic_tree;
pub mod open_frames;
pub mod spanning_tree;
