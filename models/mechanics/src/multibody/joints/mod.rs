//! Joints between two frames.

mod cylindrical;
mod free_motion;
mod free_motion_scalar_init;
mod free_orientation;
mod gear_constraint;
mod planar;
mod prismatic;
mod relative_motion;
mod revolute;
mod revolute_planar_loop_constraint;
mod rod;
mod rod_force;
mod rolling_wheel;
mod rolling_wheel_set;
mod spherical;
mod spherical_spherical;
mod universal;
mod universal_spherical;

pub use cylindrical::*;
pub use free_motion::*;
pub use free_motion_scalar_init::*;
pub use gear_constraint::{GearConstraint, GearConstraintPorts};
pub use planar::*;
pub use prismatic::*;
pub use revolute::*;
pub use revolute_planar_loop_constraint::*;
pub use rolling_wheel::*;
pub use rolling_wheel_set::*;
pub use spherical::*;
pub use spherical_spherical::*;
pub use universal::*;
pub use universal_spherical::*;

use crate::compile::contributions::multibody::Freedom;
use crate::compile::contributions::start_variable::StartVariable;
use crate::component::{Contribution, CoordinateId};
use crate::domain::{Domain, Word, word};
use crate::start::{Start, StateSelect};
use equations::Ex;
pub(crate) use free_orientation::{
    FreeOrientation, Orientation, OrientationNames, orientation, orientation_variables,
};
pub(crate) use relative_motion::{RelativePose, second_rates};
pub(crate) use revolute_planar_loop_constraint::planar_pin;
pub(in crate::multibody) use rod::{UniversalRod, mass_on_line, readable};
pub(in crate::multibody) use rod_force::{
    CheckedPower, RodForce, RodMass, checked_power, publish_power,
};
pub(in crate::multibody) use rolling_wheel::{Rolling, rolling};
pub(in crate::multibody) use rolling_wheel_set::{RollingSet, rolling_set};
pub(in crate::multibody) use universal::{check_cross, cross, cross_turns};

/// A translation along an axis; its position, velocity and acceleration have these names.
pub(crate) fn slide(
    c: &mut Contribution<'_>,
    axis: [f64; 3],
    [s, v, a]: [&'static str; 3],
    starts: [Start; 3],
    select: StateSelect,
) -> CoordinateId {
    let words = [word(s, "m"), word(v, "m/s"), word(a, "m/s2")];
    one_freedom(c, (Freedom::Prismatic, axis), words, starts, select)
}

/// A rotation about an axis; its angle, angular velocity and angular acceleration have these names.
pub(crate) fn turn(
    c: &mut Contribution<'_>,
    axis: [f64; 3],
    [phi, w, a]: [&'static str; 3],
    starts: [Start; 3],
    select: StateSelect,
) -> CoordinateId {
    let words = [word(phi, "rad"), word(w, "rad/s"), word(a, "rad/s2")];
    one_freedom(c, (Freedom::Revolute, axis), words, starts, select)
}

fn one_freedom(
    c: &mut Contribution<'_>,
    (freedom, axis): (Freedom, [f64; 3]),
    [position, speed, acceleration]: [Word; 3],
    starts: [Start; 3],
    select: StateSelect,
) -> CoordinateId {
    let mut candidate = |word: Word, start| {
        let Word { local, unit } = word;
        c.named_start_variable(local, unit, start)
    };
    let position = candidate(position, starts[0]);
    let speed = StartVariable { rate: Some(acceleration), ..candidate(speed, starts[1]) };
    let coordinate = c.coordinate(freedom, axis, [position, speed], select);
    if starts[2].fixed {
        c.initial_acceleration(coordinate, starts[2].value);
    }
    coordinate
}

/// The flanges of a joint that are connected: `axis` moves with a coordinate relative to `support`,
/// which is fixed unless something else connects it.
fn flanges(c: &mut Contribution<'_>, domain: &'static Domain, coordinate: CoordinateId) {
    let support = c.is_connected("support").then(|| c.flange(domain, "support"));
    if let Some(support) = support {
        c.rest(support, domain);
    }
    if c.is_connected("axis") {
        let axis = c.flange(domain, "axis");
        let housing = support.map(|support| (support, -Ex::one()));
        let terms: Vec<_> = [(axis, Ex::one())].into_iter().chain(housing).collect();
        c.tie(&terms, coordinate, Ex::zero());
    }
}
