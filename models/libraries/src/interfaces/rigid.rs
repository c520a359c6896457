//! Rigid parts of both 1-D domains: a part between two flanges, an inertia.

use equations::Ex;
use mechanics::component::{Contribution, Starts};
use mechanics::domain::Domain;
use mechanics::start::{Start, StateSelect};
use mechanics::statements::motion::ends::FlangeEnd;

/// Joins `flange_a` and `flange_b` rigidly. Returns the point whose position the part shows.
///
/// With an `extent` (in rad or m), `flange_b` is ahead of `flange_a` by that amount, and the point
/// is in the middle between them.
pub fn rigid(c: &mut Contribution<'_>, domain: &'static Domain, extent: Option<Ex>) -> FlangeEnd {
    let (a, b) = super::two_flanges(c, domain);
    let Some(extent) = extent else {
        c.rigid_flanges(a, b);
        return a;
    };
    let middle = c.hidden_flange(domain);
    c.linear(&[(a, Ex::one()), (middle, -Ex::one())], extent * -0.5);
    c.linear(&[(b, Ex::one()), (middle, -Ex::one())], extent * 0.5);
    middle
}

/// A rigid part without inertia that publishes the position of its middle.
pub fn massless(c: &mut Contribution<'_>, domain: &'static Domain, extent: Ex) {
    let middle = rigid(c, domain, Some(extent));
    c.law(move |e| {
        let position = e.flange(middle).q;
        e.variable(domain.position.local, position);
        Ok(())
    });
}

/// A rigid part with inertia (kg.m2 or kg), whose position and speed may be states. Returns the
/// point whose position it shows.
pub fn inertial(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
    inertia: Ex,
    extent: Option<Ex>,
    starts: Starts,
    states: StateSelect,
) -> FlangeEnd {
    let middle = rigid(c, domain, extent);
    c.inertia(middle, inertia);
    c.position(domain, middle, starts, states);
    middle
}

/// Makes the acceleration of a flange an initial condition, if it is fixed.
pub fn initial_acceleration(c: &mut Contribution<'_>, end: FlangeEnd, acceleration: Start) {
    if acceleration.fixed {
        c.initial_condition(end, 2, move |_| Ok(acceleration.value.into()));
    }
}
