//! A filter of higher order.

use super::init::{Init, begin, starts, state};
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
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        /// How the block begins; without it, the states begin at their start values
        init_type "initType"?: Init,
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
        let starts = starts(c, ("x_start", p.x_start), p.n as usize)?;
        let of = |(i, start)| state(c, element("x", i), start, 1.0);
        let states: Vec<_> = (1..).zip(starts).map(of).collect();
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        let y = x[x.len() - 1];
        match p.init_type {
            Some(init) => begin(c, init, &states, p.y_start, move |_| Ok(y))?,
            None if p.steady_state => {
                for &(name, x) in &states {
                    c.steady_state_at(name, x, move |e| e.read(input));
                }
            }
            None => {}
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
