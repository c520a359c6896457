//! The spanning tree of joints, and forward kinematics along it; names of frames follow
//! [`crate::statements::spatial`].

pub mod forward_kinematics;
pub mod kinematic_tree;
pub mod link_joint;
pub mod open_frames;
pub mod spanning_tree;
