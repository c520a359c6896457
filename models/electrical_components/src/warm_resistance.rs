//! Resistances that depend on temperature.

use equations::Ex;
use mechanics::statements::laws::velocity_view::VelocityView;

/// A resistance at a temperature, divided by that at its reference temperature, with the
/// temperature coefficient `alpha`. Where it is not positive, the simulation ends with an error
/// that names `local`.
pub(crate) fn factor(
    e: &mut VelocityView<'_>,
    [temperature, reference, alpha]: [Ex; 3],
    local: &str,
) -> Ex {
    if alpha.is_constant_zero() {
        return Ex::one();
    }
    let factor = 1.0 + alpha * (temperature - reference);
    let place = e.full(local);
    let sentence = format!("{place}: at this temperature, 1 + alpha (T - T_ref) is not positive");
    e.model().assert(None, factor.gt(0.0), &sentence, false);
    factor
}
