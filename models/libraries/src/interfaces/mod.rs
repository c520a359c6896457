//! Bases that the components of both 1-D domains share: flanges with or without a support, rigid
//! and compliant elements, transmissions between the domains, friction, sources, sensors.

pub mod characteristic;
pub mod compliant;
pub mod friction;
pub mod friction_laws;
pub mod losses;
pub mod prescribed_motion;
pub mod regularization;
pub mod relative_coordinate;
pub mod rigid;
pub mod rotational_to_translational;
pub mod sensor;
pub mod source;

use mechanics::component::Contribution;
use mechanics::domain::Domain;
use mechanics::statements::motion::ends::FlangeEnd;

/// `flange_a` and `flange_b`.
pub fn two_flanges(c: &mut Contribution<'_>, domain: &'static Domain) -> (FlangeEnd, FlangeEnd) {
    (c.flange(domain, "flange_a"), c.flange(domain, "flange_b"))
}

/// `flange` and `support`; the support is fixed if nothing is connected to it.
pub fn flange_and_support(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
) -> (FlangeEnd, FlangeEnd) {
    (c.flange(domain, "flange"), c.support(domain, "support"))
}

/// `flange_a`, `flange_b` and `support`; the support is fixed if nothing is connected to it.
pub fn two_flanges_and_support(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
) -> [FlangeEnd; 3] {
    let (a, b) = two_flanges(c, domain);
    [a, b, c.support(domain, "support")]
}
