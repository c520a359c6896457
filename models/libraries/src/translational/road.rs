//! A road with inclination and rolling resistance.

use equations::Ex;
use mechanics::declaration::InputOr;
use mechanics::error::Error;
use mechanics::statements::laws::signal_view::SignalView;

/// Rolling resistance coefficient and inclination, each a signal or a parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Road {
    /// Rolling resistance coefficient.
    pub cr: InputOr,
    /// Tangent of the inclination angle.
    pub inclination: InputOr,
}

impl Road {
    /// Reads the road at the present time.
    pub fn read(self, e: &mut SignalView<'_>) -> Result<Slope, Error> {
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
    /// Magnitude of the rolling resistance of a weight, in the unit of the weight.
    pub fn rolling(self, weight: Ex) -> Ex {
        self.cr * weight * self.cosine
    }

    /// Downhill component of a weight, in the unit of the weight.
    pub fn grade(self, weight: Ex) -> Ex {
        weight * self.sine
    }
}
