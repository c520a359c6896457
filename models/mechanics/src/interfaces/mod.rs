//! Bases that the components of both 1-D domains share: flanges with or without a support, rigid
//! and compliant elements, transmissions between the domains, friction, sources, sensors.

pub mod characteristic;
pub mod compliant;
pub mod drive;
pub mod eddy_current;
pub mod friction;
pub mod friction_laws;
pub mod losses;
pub mod regularization;
pub mod rigid;
pub mod rotational_to_translational;
pub mod sensor;
pub mod source;

use crate::assembly::PortId;
use crate::compile::evaluation::Evaluation;
use crate::compile::structure::FlangeEnd;
use crate::component::Contribution;
use crate::declaration::{Pending, Real};
use crate::domain::Domain;
use crate::error::Error;
use equations::Ex;

/// `flange_a` and `flange_b`.
pub fn two_flanges(c: &mut Contribution<'_>, domain: &'static Domain) -> (FlangeEnd, FlangeEnd) {
    (c.flange(domain, "flange_a"), c.flange(domain, "flange_b"))
}

/// `flange` and `support`; the support is held if nothing is connected to it.
pub fn flange_and_support(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
) -> (FlangeEnd, FlangeEnd) {
    (c.flange(domain, "flange"), c.support(domain, "support"))
}

/// `flange_a`, `flange_b` and `support`; the support is held if nothing is connected to it.
pub fn two_flanges_and_support(
    c: &mut Contribution<'_>,
    domain: &'static Domain,
) -> [FlangeEnd; 3] {
    let (a, b) = two_flanges(c, domain);
    [a, b, c.support(domain, "support")]
}

/// A signal, or a parameter if nothing is connected to the input.
#[derive(Clone, Copy, Debug)]
pub enum InputOr {
    /// What is connected.
    Signal(PortId),
    /// The parameter.
    Parameter(Ex),
}

impl InputOr {
    /// The input `port`, or a tunable parameter: its name, value and unit.
    pub fn declare(
        c: &mut Contribution<'_>,
        port: &'static str,
        (local, value, unit): (&str, f64, &str),
        describe: &str,
    ) -> Result<Self, Error> {
        c.unit_of(port, unit);
        match c.optional_input(port) {
            Some(source) => Ok(InputOr::Signal(source)),
            None => c.value(local, value, unit, describe).map(InputOr::Parameter),
        }
    }

    /// The input `port`, or the parameter that stands in for it.
    pub fn new(
        c: &mut Contribution<'_>,
        port: &'static str,
        constant: Pending<Real>,
    ) -> Result<Self, Error> {
        c.unit_of(port, constant.of.unit);
        match c.optional_input(port) {
            Some(source) => Ok(InputOr::Signal(source)),
            None => constant.declare(c).map(InputOr::Parameter),
        }
    }

    /// The value.
    pub fn read(self, e: &mut Evaluation<'_>) -> Result<Ex, Error> {
        match self {
            InputOr::Signal(source) => e.read(source),
            InputOr::Parameter(value) => Ok(value),
        }
    }
}
