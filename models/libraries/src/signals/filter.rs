//! A filter of higher order.

use super::interfaces::block;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use std::f64::consts::PI;

component! {
    /// Critically damped filter: equal first-order lags in series.
    ///
    /// # Equations
    /// `der(x[1]) = w (u - x[1])`, `der(x[i]) = w (x[i-1] - x[i])`, `y = x[n]`;
    /// `w = 2 pi f / alpha` with `alpha = sqrt(2^(1/n) - 1)`, so that the amplitude at `f` is
    /// `1 / sqrt(2)`; `alpha = 1` if the filter is not normalized.
    pub struct CriticalDamping = "Modelica.Blocks.Continuous.CriticalDamping" {
        /// Order of the filter
        n: Integer["1", >= 1] = 2,
        /// Cut-off frequency
        f: Real["Hz", > 0],
        /// Whether the amplitude at `f` is that of a first-order lag
        normalized: bool = true,
        /// Whether all states start in steady state, at the initial value of the input, instead of
        /// at 0
        steady_state: bool = false,
        ..block,
    }
    variables {
        /// Output of a lag
        x: Array,
    }
}

impl Component for CriticalDamping {
    fn contribute(p: CriticalDampingParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let alpha = if p.normalized { (2_f64.powf(1.0 / p.n as f64) - 1.0).sqrt() } else { 1.0 };
        let w = p.f * (2.0 * PI / alpha);
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        let names: Vec<&str> = (1..=p.n).map(|i| element("x", i)).collect();
        let full: Vec<String> = names.iter().map(|name| c.full(name)).collect();
        let x: Vec<Ex> = full.iter().map(|name| c.model().state(name, 0.0).done()).collect();
        let y = x[x.len() - 1];
        if p.steady_state {
            for (name, &state) in names.iter().zip(&x) {
                c.steady_state_at(name, state, move |e| e.read(input));
            }
        }
        c.law(move |e| {
            let mut before = e.read(input)?;
            for state in x {
                e.model().derivative(state, w * (before - state));
                before = state;
            }
            Ok(())
        });
        c.output("y", move |_| Ok(y));
        Ok(())
    }
}
