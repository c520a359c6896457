//! A sampled controller with proportional, integral and derivative parts.

use super::periodic::{Held, Sampling, held_signal, sampling};
use crate::blocks::{LimitedPid, SimpleController, limited_pid};
use crate::signals::blocks::Limits;
use equations::select;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;

component! {
    /// Sampled P, PI, PD or PID controller with limited output and without wind-up: a
    /// [`LimPID`](crate::blocks::LimPID) that a clock calls.
    ///
    /// # Equations
    /// At each tick, `y` is `v` limited to `yMin` .. `yMax`;
    /// `v = k (wp u_s - u_m + I + D) + kFF u_ff`; then `I` changes by
    /// `samplePeriod / Ti (u_s - u_m + (y - v) / (k Ni))`. `D` is the approximated derivative of
    /// `wd u_s - u_m`, whose state takes an implicit step of Euler's method:
    /// `T (x - pre(x)) = samplePeriod (wd u_s - u_m - x)`, `D = Td (wd u_s - u_m - x) / T` with
    /// `T = Td / Nd`. `controllerType` says which of `I` and `D` exist. `y` is `y_start` before the
    /// first tick.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct SampledPID {
        ..of: limited_pid,
        /// Start value of the integral part
        xi_start: Real = 0,
        /// Start value of the state of the derivative part
        xd_start: Real = 0,
        /// Output before the first tick
        y_start: Real = 0,
        ..sampling: sampling,
    }
    variables {
        /// Output of the controller
        y: Real,
        /// Integral part
        xi "I.y"?: Real,
        /// State of the derivative part
        xd "D.x"?: Real,
    }
}

impl Component for SampledPID {
    fn contribute(p: SampledPIDParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let SampledPIDParameters { of, xi_start, xd_start, y_start, sampling } = p;
        let [has_integral, has_derivative] = of.parts();
        let limits = Limits::of(c, [("yMin", of.y_min), ("yMax", of.y_max)], true)?;
        let (u_s, u_m, u_ff) = (c.input("u_s")?, c.input("u_m")?, c.optional_input("u_ff"));
        let sampled = sampling.begin(c);
        let (tick, initial, period) = (sampled.tick, sampled.initial, sampled.period);
        let integral = has_integral.then(|| Held::new(c, "I.y"));
        let lag = of.Td / of.Nd;
        let state = (has_derivative && !of.Td.is_constant_zero()).then(|| Held::new(c, "D.x"));
        // The output before its limits.
        let sum = move |e: &mut SignalView<'_>| -> Result<Ex, Error> {
            let (wanted, measured) = (e.read(u_s)?, e.read(u_m)?);
            let mut sum = of.wp * wanted - measured;
            if let Some(integral) = integral {
                sum += integral.pre();
            }
            if let Some(x) = state {
                sum += of.Td * (of.wd * wanted - measured - x.pre()) / (lag + period);
            }
            let forward = match u_ff {
                Some(u_ff) => of.kFF * e.read(u_ff)?,
                None => Ex::zero(),
            };
            Ok(of.k * sum + forward)
        };
        held_signal(c, "y", tick | initial, move |e, _| {
            Ok(select(initial, y_start, limits.nearest(sum(e)?)))
        });
        c.law(move |e| {
            let (wanted, measured, v) = (e.read(u_s)?, e.read(u_m)?, sum(e)?);
            if let Some(integral) = integral {
                let excess = v - limits.nearest(v);
                let rate = (wanted - measured - excess / (of.k * of.Ni)) / of.Ti;
                let next = select(initial, xi_start, integral.pre() + period * rate);
                integral.set(e, tick | initial, next);
            }
            if let Some(x) = state {
                let target = of.wd * wanted - measured;
                let next = (lag * x.pre() + period * target) / (lag + period);
                x.set(e, tick | initial, select(initial, xd_start, next));
            }
            Ok(())
        });
        Ok(())
    }
}
