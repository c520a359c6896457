//! Poses, velocities, inertias and loads of rigid bodies in space.
//!
//! The two kinds of spatial vectors are different types, so that they are not mixed up. *Motion
//! vectors* are a [`Twist`](pose::Twist) and an [`Acceleration`](pose::Acceleration); *force
//! vectors* are a [`Wrench`](wrench::Wrench) and a [`Momentum`](wrench::Momentum). An inertia maps
//! the former to the latter, and the product of one with the other is a power or an energy. What
//! mixes them up does not compile:
//!
//! ```compile_fail,E0308
//! # use mechanics::statements::spatial::{pose::Twist, wrench::Wrench};
//! fn power(force: Wrench, velocity: Twist) {
//!     force.power(&force);
//! }
//! ```
//!
//! ```
//! # use mechanics::statements::spatial::{pose::Twist, wrench::Wrench};
//! fn power(force: Wrench, velocity: Twist) {
//!     force.power(&velocity);
//! }
//! ```
//!
//! Names say which frames they relate, by the monogram notation of Drake:
//!
//! | name | value |
//! |---|---|
//! | `x_ab` | the pose of frame `b` in frame `a` |
//! | `r_ab` | the position of the origin of `b` in `a`, in the axes of `a`: `x_ab.r` |
//! | `t_ba` | the matrix that maps coordinates in `a` to those in `b`: `x_ab.t` |
//! | `v_ab` | the twist of `b` relative to `a`, in the axes of `b` |
//! | `v_a`, `a_a` | the twist and the acceleration of `a` in the world, in the axes of `a` |
//!
//! Where expressions are composed, adjacent letters match: `x_ac` is `x_ab.then(&x_bc)`, `t_ca` is
//! `t_cb * t_ba`, and `v_b` is `v_a.at(&x_ab)`. A third letter means other axes: `r_ab_c` is in
//! those of `c`.

#[doc(hidden)]
pub mod articulated;
pub mod gravity_field;
pub mod pose;
#[doc(hidden)]
pub mod spatial_inertia;
pub mod wrench;
