//! Closed loops: planar and spatial linkages, assemblies of joints, redundant constraints.

mod ball_joints;
mod closing_joints;
mod crank_assemblies;
mod deferred_loops;
mod driven_platforms;
mod formulations;
mod free_loops_references;
mod joint_assemblies;
mod many_loops;
mod other_lengths;
mod planar_assemblies;
mod planar_dyads;
mod planar_linkages;
mod platforms;
mod published_linkages;
mod quaternions;
mod released_linkages;
mod rings;
mod sentences;
mod slider_cranks;
mod spatial_linkages;
mod suspensions;
