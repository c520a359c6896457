//! The shaft and the housing of a machine.

use equations::Ex;
use mechanics::component::Starts;
use mechanics::declaration::prelude::*;
use mechanics::domain::{ROTATIONAL, Word, word};
use mechanics::start::StateSelect;
use mechanics::statements::motion::ends::FlangeEnd;

static PHI: Word = word("phiMechanical", "rad");
static W: Word = word("wMechanical", "rad/s");
static A: Word = word("aMechanical", "rad/s2");

/// The support and the shaft, with the inertias of rotor and housing, and their relative motion.
pub(super) fn shaft(
    c: &mut Contribution<'_>,
    [rotor, housing]: [Ex; 2],
    starts: Starts,
) -> [FlangeEnd; 2] {
    let flange = c.flange(&ROTATIONAL, "flange");
    let support = c.support(&ROTATIONAL, "support");
    c.inertia(flange, rotor);
    if c.is_connected("support") {
        c.inertia(support, housing);
    }
    let motion = c.start_variables([&PHI, &W, &A], starts);
    c.position_between(Some(support), flange, motion, StateSelect::Default);
    [support, flange]
}
