//! Resistances that depend on temperature.

use equations::Ex;
use mechanics::statements::laws::velocity_view::VelocityView;

/// Why a temperature is refused.
pub(crate) const NOT_POSITIVE: &str = "at this temperature, 1 + alpha (T - T_ref) is not positive";

/// A resistance at a temperature, divided by that at its reference temperature, with the
/// temperature coefficient `alpha`.
pub(crate) fn factor_at([temperature, reference, alpha]: [Ex; 3]) -> Ex {
    1.0 + alpha * (temperature - reference)
}

/// A resistance at a temperature, divided by that at its reference temperature, with the
/// temperature coefficient `alpha`. Where it is not positive, the simulation ends with an error
/// that names `local`.
pub(crate) fn factor(e: &mut VelocityView<'_>, given: [Ex; 3], local: &str) -> Ex {
    if given[2].is_constant_zero() {
        return Ex::one();
    }
    let factor = factor_at(given);
    let sentence = format!("{}: {NOT_POSITIVE}", e.full(local));
    e.model().assert(None, factor.gt(0.0), &sentence, false);
    factor
}
