//! Filters of higher order.

use super::blocks::BlockPorts;
use super::{POSITIVE, setting};
use crate::assembly::element;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use equations::{Ex, Limits};
use std::f64::consts::PI;

/// Critically damped filter: equal first-order lags in a row.
///
/// # Equations
/// `der(x[1]) = w (u - x[1])`, `der(x[i]) = w (x[i-1] - x[i])`, `y = x[n]`; `w = 2 pi f / alpha`
/// with `alpha = sqrt(2^(1/n) - 1)`, so that the amplitude at `f` is `1 / sqrt(2)`; `alpha = 1` if
/// the filter is not normalized.
///
/// # Variables
/// Order `n`, at least 1; `f` in Hz; states `x[i]` in the unit of the signal, which start at 0 or,
/// with `steady_state`, at the initial value of the input.
///
/// # Reference
/// Modelica.Blocks.Continuous.CriticalDamping.
#[derive(Clone, Debug)]
pub struct CriticalDamping {
    n: u32,
    f: f64,
    normalized: bool,
    steady_state: bool,
}

impl CriticalDamping {
    /// Of order `n`, with the cut-off frequency `f` in Hz.
    pub fn n_f(n: u32, f: f64) -> Self {
        CriticalDamping { n, f, normalized: true, steady_state: false }
    }

    /// Starts where the states rest: at the initial value of the input.
    #[must_use]
    pub fn steady_state(self) -> Self {
        CriticalDamping { steady_state: true, ..self }
    }

    /// Whether the amplitude at `f` is that of a lag of first order (default).
    #[must_use]
    pub fn normalized(self, normalized: bool) -> Self {
        CriticalDamping { normalized, ..self }
    }
}

impl OldComponent for CriticalDamping {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.check("n", f64::from(self.n), "1", Limits::at_least(1.0))?;
        c.constant("n", f64::from(self.n), "1", "Order of the filter");
        let order = f64::from(self.n);
        let alpha = if self.normalized { (2_f64.powf(1.0 / order) - 1.0).sqrt() } else { 1.0 };
        let f =
            setting(c, "f", self.f, POSITIVE, Some("Hz"), "Cut-off frequency")?.tunable().done();
        let w = f * (2.0 * PI / alpha);
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        let names = (1..=self.n).map(|i| c.full(element("x", i))).collect::<Vec<_>>();
        let text = "Output of a lag";
        let states: Vec<Ex> =
            names.iter().map(|name| c.model.state(name, 0.0).describe(text).done()).collect();
        let y = states[states.len() - 1];
        if self.steady_state {
            for (i, &state) in states.iter().enumerate() {
                c.steady_state_at(element("x", i + 1), state, move |e| e.read(input));
            }
        }
        c.law(move |e| {
            let u = e.read(input)?;
            let mut before = u;
            for state in states {
                e.model().derivative(state, w * (before - state));
                before = state;
            }
            Ok(())
        });
        super::give(c, "y", move |_| Ok(y));
        Ok(())
    }
}
