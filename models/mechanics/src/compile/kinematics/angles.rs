//! Three successive rotations describe an orientation, except where the first and the last axis are
//! parallel.

use super::loop_limits::LARGEST_TRANSMISSION;
use crate::compile::topology::Topology;
use crate::error::Error;
use crate::ids::CoordinateId;
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::multibody::{Joint, Multibody};
use crate::vector::{constant, cross, dot, planar_rotation};
use equations::{BlockKind, Ex, newton_at};

/// The value `q` of a state that is a linear form of coordinates. It does not exist near the
/// position where it makes three turns of a joint singular: there their rates grow without
/// bound, and accelerations are not determined.
pub fn regular_angle(
    topology: &Topology,
    form: &LinearForm,
    q: Ex,
    numeric: &Numeric,
) -> Result<Ex, Error> {
    let numbering = topology.variables.numbering;
    let multibody = &topology.structure.multibody;
    for joint in multibody.joints.iter().filter(|joint| joint.orientation.is_none()) {
        let Some([first, second, third]) = turns(multibody, joint) else { continue };
        if form.multiple_of(&LinearForm::variable(numbering.coordinate(second))) != Some(1.0) {
            continue;
        }
        let [e_1, e_2, e_3] = [first, second, third].map(|c| multibody.coordinates[c].axis);
        let turned = planar_rotation(e_2, q - form.constant) * constant(e_1);
        let sine = dot(&turned, &cross(&constant(e_2), &constant(e_3))).abs();
        let limit = 1.0 / LARGEST_TRANSMISSION;
        let start = numeric.one(sine);
        if start.is_nan() || start <= limit {
            return Err(Error::Initial(format!(
                "{}: the start values make the first and the last axis of its three angles \
                 parallel: {start:.2e} rad",
                joint.name
            )));
        }
        let name = format!("{}, whose first and last axis of rotation become parallel", joint.name);
        let phi = Ex::symbol();
        let block = (BlockKind::Equations, &name[..]);
        return Ok(newton_at(block, &[phi], &[phi - q], &[q], sine.gt(limit))[0]);
    }
    Ok(q)
}

/// The coordinates that turn, if a joint has three of them.
fn turns(multibody: &Multibody, joint: &Joint) -> Option<[CoordinateId; 3]> {
    let turns = |c: &CoordinateId| multibody.coordinates[*c].turns();
    let turns: Vec<CoordinateId> = joint.coordinates.iter().filter(turns).collect();
    turns.try_into().ok()
}
