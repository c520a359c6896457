//! Samplers, holds and linear systems with a fixed sample period.
//!
//! A block reads the values of the event iteration in which a tick occurs, in which the blocks
//! before it have changed already.

use super::periodic::{Held, Sampling, held_signal, sampling};
use crate::signals::interfaces::block;
use crate::state_space::{StateMatrices, state_matrices};
use equations::select;
use mechanics::assembly::element;
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;

component! {
    /// Sampler of a signal.
    ///
    /// # Equations
    /// `y = u` at each tick, and at the start unless the first tick is later.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct Sampler = "Modelica.Blocks.Discrete.Sampler" {
        ..sampling: sampling,
        ..block,
    }
}

impl Component for Sampler {
    fn contribute(p: SamplerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let sampled = p.sampling.begin(c);
        let u = c.input("u")?;
        held_signal(c, "y", sampled.tick | sampled.begins, move |e, _| e.read(u));
        Ok(())
    }
}

component! {
    /// Hold of zero order.
    ///
    /// # Equations
    /// `ySample = u` at each tick, and at the start unless the first tick is later; `y` is
    /// `ySample` of the event iteration before, so that a loop through the block is no algebraic
    /// one.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct ZeroOrderHold = "Modelica.Blocks.Discrete.ZeroOrderHold" {
        ..sampling: sampling,
        ..block,
    }
    variables {
        /// Sampled value
        y_sample "ySample": Real,
    }
}

impl Component for ZeroOrderHold {
    fn contribute(p: ZeroOrderHoldParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let sampled = p.sampling.begin(c);
        let u = c.input("u")?;
        let y_sample = Held::new(c, "ySample");
        c.output("y", move |_| Ok(y_sample.pre()));
        c.law(move |e| {
            let u = e.read(u)?;
            y_sample.set(e, sampled.tick | sampled.begins, u);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Hold of first order.
    ///
    /// # Equations
    /// At each tick, `tSample = time` and `uSample = u`, and `c` is the change of `uSample` since
    /// the tick before over `samplePeriod`, or 0 at the first tick. `y` begins at each tick with
    /// the sample before, and changes by `c` per second. At the start, `y = u`.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct FirstOrderHold = "Modelica.Blocks.Discrete.FirstOrderHold" {
        ..sampling: sampling,
        ..block,
    }
    variables {
        /// Time of the last tick
        t_sample "tSample": Real["s"],
        /// Sampled value
        u_sample "uSample": Real,
        /// Sampled value of the tick before
        pre_u_sample "pre_uSample": Real,
        /// Slope
        c: Real,
    }
}

impl Component for FirstOrderHold {
    fn contribute(p: FirstOrderHoldParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let sampled = p.sampling.begin(c);
        let (tick, initial) = (sampled.tick, sampled.initial);
        let changes = tick | initial;
        let u = c.input("u")?;
        let [t_sample, u_sample, before, slope] =
            ["tSample", "uSample", "pre_uSample", "c"].map(|local| Held::new(c, local));
        c.output("y", move |e| {
            let time = e.time();
            let at_start = e.read(u)?;
            let begin = select(initial, at_start, u_sample.pre());
            let begin = before.set(e, changes, begin);
            let since = time - t_sample.set(e, changes, time);
            Ok(begin + slope.pre() * since)
        });
        c.law(move |e| {
            let u = e.read(u)?;
            u_sample.set(e, changes, u);
            let change = (u - u_sample.pre()) / sampled.period;
            slope.set(e, tick, select(sampled.is_first, 0.0, change));
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Delay by one sample period.
    ///
    /// # Equations
    /// At each tick, `y` is the value of `u` before the event: that of the tick before if `u` is
    /// sampled with the same ticks, and `u` itself if `u` is continuous. `y = y_start` before the
    /// first tick.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct UnitDelay = "Modelica.Blocks.Discrete.UnitDelay" {
        /// Output before the first tick
        y_start: Real = 0,
        ..sampling: sampling,
        ..block,
    }
}

impl Component for UnitDelay {
    fn contribute(p: UnitDelayParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let sampled = p.sampling.begin(c);
        let u = c.input("u")?;
        held_signal(c, "y", sampled.tick | sampled.initial, move |e, _| {
            let u = e.read(u)?;
            Ok(select(sampled.initial, p.y_start, e.model().left_limit(u)))
        });
        Ok(())
    }
}

component! {
    /// Linear transfer function of a sampled signal.
    ///
    /// # Equations
    /// `y = (b[1] z^m + .. + b[m+1]) / (a[1] z^n + .. + a[n+1]) u` in controller canonical form.
    /// At each tick, `x1 = (u - a[2] x[1] - .. - a[n+1] x[n]) / a[1]` with the states of the tick
    /// before; `xext` is `x1` followed by these states, `x` are its first `n` elements, and `y` is
    /// the sum of the products of the last elements of `xext` and `b`.
    ///
    /// A zero among the coefficients is a fixed value.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct TransferFunction = "Modelica.Blocks.Discrete.TransferFunction" {
        /// Coefficients of the numerator, that of the highest power first
        b: [Real] = [1],
        /// Coefficients of the denominator, that of the highest power first
        a: [Real] = [1],
        ..sampling: sampling,
        ..block,
    }
    variables {
        /// State
        x?: Array,
        /// First state at a tick
        x1: Real,
        /// First state, followed by the states of the tick before
        xext: Array,
    }
}

impl Component for TransferFunction {
    fn contribute(p: TransferFunctionParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TransferFunctionParameters { a, b, sampling } = p;
        if b.is_empty() || b.len() > a.len() {
            let (b, a) = (b.len(), a.len());
            let why = format!(
                "a transfer function with {b} coefficients in b and {a} in a is not proper"
            );
            return Err(c.refuse("b", why));
        }
        c.require(&["a[1]"], a[0].abs().gt(0.0), "the first coefficient must not be zero")?;
        let tick = sampling.begin(c).tick;
        let u = c.input("u")?;
        let n = a.len() - 1;
        let states: Vec<Held> = (1..=n).map(|i| Held::new(c, element("x", i))).collect();
        let x1 = Held::new(c, "x1");
        let extended: Vec<Held> = (1..=n + 1).map(|i| Held::new(c, element("xext", i))).collect();
        let before: Vec<Ex> = states.iter().map(|x| x.pre()).collect();
        let old = before.clone();
        let first = move |e: &mut SignalView<'_>| -> Result<Ex, Error> {
            let sum = a[1..].iter().zip(&old).fold(e.read(u)?, |sum, (&a, &x)| sum - a * x);
            Ok(sum / a[0])
        };
        let (of_output, bb) = (first.clone(), [vec![Ex::zero(); n + 1 - b.len()], b].concat());
        let old = before.clone();
        held_signal(c, "y", tick, move |e, _| {
            // Without a direct part, the output does not depend on the input of the same tick.
            let direct = if bb[0].is_constant_zero() { Ex::zero() } else { bb[0] * of_output(e)? };
            Ok(bb[1..].iter().zip(&old).fold(direct, |sum, (&b, &x)| sum + b * x))
        });
        c.law(move |e| {
            let first = first(e)?;
            x1.set(e, tick, first);
            let values: Vec<Ex> = [first].into_iter().chain(before).collect();
            for (held, &value) in extended.iter().zip(&values).chain(states.iter().zip(&values)) {
                held.set(e, tick, value);
            }
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Sampled linear system in state space.
    ///
    /// # Equations
    /// At each tick, `x = A pre(x) + B u` and `y = C pre(x) + D u`, with the states `pre(x)` of the
    /// tick before. States and outputs begin at 0.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct StateSpace = "Modelica.Blocks.Discrete.StateSpace" {
        ..matrices: state_matrices,
        ..sampling: sampling,
    }
}

impl Component for StateSpace {
    fn contribute(p: StateSpaceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (system, u) = p.matrices.system(c)?;
        let tick = p.sampling.begin(c).tick;
        let outputs = system.to_outputs.nrows();
        let states = (1..=system.of_states.nrows()).map(|i| Held::new(c, element("x", i)));
        let states: Vec<Held> = states.collect();
        let x: Vec<Ex> = states.iter().map(|x| x.pre()).collect();
        for i in 1..=outputs {
            let (system, u, x) = (system.clone(), u.clone(), x.clone());
            held_signal(c, element("y", i), tick, move |e, _| system.output(e, &u, &x, i));
        }
        c.law(move |e| {
            let next = system.rates(e, &u, &x)?;
            for (held, next) in states.iter().zip(next) {
                held.set(e, tick, next);
            }
            Ok(())
        });
        Ok(())
    }
}
