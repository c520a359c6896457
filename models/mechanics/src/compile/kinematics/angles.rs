//! Three turns one after the other describe an orientation, but not where the first and the last
//! axis are parallel.

use crate::compile::algebra::linear_form::Linear;
use crate::compile::contributions::{Freedom, Joint};
use crate::compile::kinematics::position_solve::LARGEST_TRANSMISSION;
use crate::compile::topology::plan::Plan;
use crate::error::Error;
use crate::vector::{constant, cross, dot, planar_rotation};
use equations::{BlockKind, Ex, newton_at};

impl Plan {
    /// The value `q` of a state that is a linear form of coordinates. It does not exist near the
    /// position where it makes three turns of a joint singular: there their rates grow without
    /// bound, and accelerations are not determined.
    pub(crate) fn regular_angle(&self, form: &Linear, q: Ex) -> Result<Ex, Error> {
        let numbering = self.coordinates.numbering();
        for joint in self.structure.joints.iter().filter(|joint| joint.ball.is_none()) {
            let Some([first, second, third]) = self.turns(joint) else { continue };
            if form.multiple_of(&Linear::variable(numbering.coordinate(second))) != Some(1.0) {
                continue;
            }
            let [e_1, e_2, e_3] =
                [first, second, third].map(|c| self.structure.coordinates[c].axis);
            let turned = planar_rotation(e_2, q - form.constant) * constant(e_1);
            let sine = dot(&turned, &cross(&constant(e_2), &constant(e_3))).abs();
            let limit = 1.0 / LARGEST_TRANSMISSION;
            let start = self.numeric.one(sine);
            if start.is_nan() || start <= limit {
                return Err(Error::Initial(format!(
                    "{}: the start values make the first and the last axis of its three angles \
                     parallel: {start:.2e} rad",
                    joint.name
                )));
            }
            let name =
                format!("{}, whose first and last axis of rotation become parallel", joint.name);
            let phi = Ex::symbol();
            let block = (BlockKind::Equations, &name[..]);
            return Ok(newton_at(block, &[phi], &[phi - q], &[q], sine.gt(limit))[0]);
        }
        Ok(q)
    }

    /// The coordinates that turn, if a joint has three of them.
    fn turns(&self, joint: &Joint) -> Option<[usize; 3]> {
        let turns = |c: &usize| self.structure.coordinates[*c].freedom == Freedom::Turn;
        let turns: Vec<usize> = joint.coordinates.clone().filter(turns).collect();
        turns.try_into().ok()
    }
}
