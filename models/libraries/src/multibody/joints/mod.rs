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
mod rotation;
mod spherical;
mod spherical_spherical;
mod universal;
mod universal_spherical;
mod wheel_orientation;

pub use cylindrical::*;
pub use free_motion::*;
pub use free_motion_scalar_init::*;
pub(crate) use gear_constraint::Shown;
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

use equations::Ex;
pub(crate) use free_orientation::{
    FreeOrientation, Orientation, OrientationNames, orientation, orientation_variables,
};
use mechanics::component::{Contribution, CoordinateId, FlangeConstraintId};
use mechanics::domain::{Domain, Word, word};
use mechanics::start::{Start, StateSelect};
use mechanics::statements::contributions::multibody::CoordinateType;
use mechanics::statements::contributions::start_variable::StartVariable;
use mechanics::statements::motion::ends::FlangeEnd;
pub(crate) use relative_motion::RelativePose;
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
    with_one_coordinate(c, (CoordinateType::Prismatic, axis), words, starts, select)
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
    with_one_coordinate(c, (CoordinateType::Revolute, axis), words, starts, select)
}

fn with_one_coordinate(
    c: &mut Contribution<'_>,
    (coordinate_type, axis): (CoordinateType, [f64; 3]),
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
    let coordinate = c.coordinate(coordinate_type, axis, [position, speed], select);
    if starts[2].fixed {
        c.initial_acceleration(coordinate, starts[2].value);
    }
    coordinate
}

/// The connected flanges of a joint: `axis` moves with a coordinate relative to the flange of the
/// housing, which is fixed unless something else determines its position. Returns `axis` and the
/// flange constraint that ties it to the coordinate.
pub(in crate::multibody) fn flanges(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    housing: &'static str,
    coordinate: CoordinateId,
) -> Option<(FlangeEnd, FlangeConstraintId)> {
    let housing = c.is_connected(housing).then(|| c.flange(domain, housing));
    if let Some(housing) = housing {
        c.rest(housing, domain);
    }
    if !c.is_connected("axis") {
        return None;
    }
    let axis = c.flange(domain, "axis");
    let housing = housing.map(|housing| (housing, -Ex::one()));
    let terms: Vec<_> = [(axis, Ex::one())].into_iter().chain(housing).collect();
    Some((axis, c.tie(&terms, coordinate, Ex::zero())))
}
