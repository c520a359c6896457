//! Curves and surfaces through the points of tables, as expressions.
//!
//! They have the methods of interpolation and extrapolation of `Modelica.Blocks.Types`, and cause
//! no events.

mod curve;
mod slopes;
mod surface;

pub use curve::Curve;
pub use surface::Surface;

use equations::Ex;
use mechanics::declaration::choice;

choice! {
    /// How a table is interpolated between its rows.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Smoothness {
        /// Linear interpolation between the points.
        #[default]
        LinearSegments,
        /// The value of the previous row.
        ConstantSegments,
        /// A smooth curve through the points, whose slope is continuous (Akima's method).
        ContinuousDerivative,
        /// As `ContinuousDerivative`, with weights that avoid overshoots at plateaus.
        ModifiedContinuousDerivative,
        /// A smooth curve that is monotone where the points are (Fritsch and Butland's method).
        MonotoneContinuousDerivative1,
        /// A smooth curve that is monotone where the points are (Steffen's method).
        MonotoneContinuousDerivative2,
    }
}

impl Smoothness {
    /// Whether the curve consists of cubic polynomials.
    pub fn is_cubic(self) -> bool {
        !matches!(self, Smoothness::LinearSegments | Smoothness::ConstantSegments)
    }
}

choice! {
    /// How a table is extrapolated beyond its rows.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Extrapolation {
        /// The value of the first or of the last row.
        HoldLastPoint,
        /// Linear extrapolation through the first or the last two points.
        #[default]
        LastTwoPoints,
        /// The table is repeated; its period is the distance from the first to the last abscissa.
        Periodic,
        /// No extrapolation: the simulation ends with an error.
        NoExtrapolation,
    }
}

/// An abscissa of the first period, to both ends of which the table extends.
fn within_period(x: Ex, [first, last]: [Ex; 2]) -> Ex {
    let period = last - first;
    let below = ((x - first) / period).floor().min(0.0);
    let above = -(-(x - last) / period).floor().min(0.0);
    x - (below + above) * period
}
