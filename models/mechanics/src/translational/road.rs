//! A road: how steep it is, and how hard it is to roll on.

use crate::compile::evaluation::Evaluation;
use crate::component::Contribution;
use crate::declaration::{Pending, Real};
use crate::error::Error;
use crate::interfaces::InputOr;
use equations::Ex;

/// Rolling resistance coefficient and inclination, each a signal or a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Road {
    cr: InputOr,
    inclination: InputOr,
}

impl Road {
    /// The inputs `cr` and `inclination`, or the parameters `CrConstant` and `inclinationConstant`.
    pub fn declare(c: &mut Contribution<'_>, cr: f64, inclination: f64) -> Result<Self, Error> {
        let text = "Rolling resistance coefficient";
        let cr = InputOr::declare(c, "cr", ("CrConstant", cr, "1"), text)?;
        let text = "Tangent of the inclination angle";
        let constant = ("inclinationConstant", inclination, "1");
        Ok(Road { cr, inclination: InputOr::declare(c, "inclination", constant, text)? })
    }

    /// The inputs `cr` and `inclination`, or the parameters that stand in for them.
    pub fn new(
        c: &mut Contribution<'_>,
        cr: Pending<Real>,
        inclination: Pending<Real>,
    ) -> Result<Self, Error> {
        let cr = InputOr::new(c, "cr", cr)?;
        Ok(Road { cr, inclination: InputOr::new(c, "inclination", inclination)? })
    }

    /// The road at the present time.
    pub fn read(self, e: &mut Evaluation<'_>) -> Result<Slope, Error> {
        let (cr, tangent) = (self.cr.read(e)?, self.inclination.read(e)?);
        let cosine = Ex::one() / (tangent.square() + 1.0).sqrt();
        Ok(Slope { cr, sine: tangent * cosine, cosine })
    }
}

/// A road at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    cr: Ex,
    sine: Ex,
    cosine: Ex,
}

impl Slope {
    /// Magnitude of the rolling resistance of a weight, in its unit.
    pub fn rolling(self, weight: Ex) -> Ex {
        self.cr * weight * self.cosine
    }

    /// The part of a weight that pulls downhill, in its unit.
    pub fn grade(self, weight: Ex) -> Ex {
        weight * self.sine
    }
}
