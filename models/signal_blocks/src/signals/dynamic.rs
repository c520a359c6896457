//! Blocks with derivatives: integrator, first-order lag, PI controller, derivative.

use super::init::{Init, begin, begin_alone};
use super::interfaces::{Reset, block};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;

/// How a block with one state begins: as `init` says or, if it is not given, as the start value and
/// `steady` say.
fn way(init: Option<Init>, start: Start, steady: bool) -> Init {
    init.unwrap_or(match start.fixed {
        _ if steady => Init::SteadyState,
        true => Init::InitialState,
        false => Init::NoInit,
    })
}

/// Declares the state of a block; the law computes its derivative from the input and the state.
fn state(
    c: &mut Contribution<'_>,
    local: &str,
    (init, start): (Init, Start),
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<Ex, Error> {
    let input = c.input("u")?;
    let state = c.state(local, start.value).done();
    begin_alone(c, init, (local, state), start.given);
    c.law(move |e| {
        let derivative = law(e.read(input)?, state);
        e.model().derivative(state, derivative);
        Ok(())
    });
    Ok(state)
}

component! {
    /// Integral of a signal.
    ///
    /// # Equations
    /// `der(y) = k u`. With `initType = SteadyState`, `u = 0` at the start, which determines `y`
    /// or, in a closed loop, another free start value.
    ///
    /// # Events
    /// Where `reset` becomes true, `y := set`, or `y_start` if nothing is connected to `set`.
    pub struct Integrator = "Modelica.Blocks.Continuous.Integrator" {
        /// Integrator gain
        k: Real = 1,
        /// Start value of the output; if it is not fixed, other initial conditions may determine it
        y_start "y": Start = fixed(0),
        /// How the block begins; without it, `y_start` and `steady_state` say this
        init_type "initType"?: Init,
        /// Whether the block starts in steady state; `y_start` is then a guess
        steady_state: bool = false,
    }
    ports {
        /// Input signal
        u: Input,
        /// Signal that resets the output
        reset: BooleanInput,
        /// Value of the output after a reset
        set: Input,
    }
    variables {
        /// Output of the integrator
        y: Real,
    }
}

impl Component for Integrator {
    fn contribute(p: IntegratorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let reset = Reset::of(c);
        let start = (way(p.init_type, p.y_start, p.steady_state), p.y_start);
        let y = state(c, "y", start, move |u, _| p.k * u)?;
        c.signal("y", move |_| Ok(y));
        if let Some(reset) = reset {
            let y_start = c.model().start_of(y).unwrap_or(p.y_start.value.into());
            c.law(move |e| {
                let (now, value) = reset.read(e, y_start)?;
                e.model().reinit(y, now, value);
                Ok(())
            });
        }
        Ok(())
    }
}

component! {
    /// First-order lag.
    ///
    /// # Equations
    /// `T der(y) = k u - y`. With `initType = SteadyState`, `y = k u` at the start.
    pub struct FirstOrder = "Modelica.Blocks.Continuous.FirstOrder" {
        /// Gain
        k: Real = 1,
        /// Time constant
        T: Real["s", > 0],
        /// Start value of the output; if it is not fixed, other initial conditions may determine it
        y_start "y": Start = fixed(0),
        /// How the block begins; without it, `y_start` and `steady_state` say this
        init_type "initType"?: Init,
        /// Whether the block starts in steady state; `y_start` is then a guess
        steady_state: bool = false,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Output of the lag
        y: Real,
    }
}

impl Component for FirstOrder {
    fn contribute(p: FirstOrderParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        // Gains other than 1 may convert units.
        if c.fixed_number(p.k).map(f64::abs) == Some(1.0) {
            c.passes_unit("u", "y");
        }
        let start = (way(p.init_type, p.y_start, p.steady_state), p.y_start);
        let y = state(c, "y", start, move |u, y| (p.k * u - y) / p.T)?;
        c.signal("y", move |_| Ok(y));
        Ok(())
    }
}

component! {
    /// PI controller.
    ///
    /// # Equations
    /// `y = k (x + u)`, `T der(x) = u`. With `initType = SteadyState`, `u = 0` at the start, which
    /// determines `x` or, in a closed loop, another free start value.
    pub struct PI = "Modelica.Blocks.Continuous.PI" {
        /// Gain
        k: Real = 1,
        /// Time constant
        T: Real["s", > 0],
        /// Start value of the state; if it is not fixed, other initial conditions may determine it
        x_start "x": Start = fixed(0),
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        /// How the block begins; without it, `x_start` and `steady_state` say this
        init_type "initType"?: Init,
        /// Whether the block starts in steady state; `x_start` is then a guess
        steady_state: bool = false,
        ..block,
    }
    variables {
        /// Integral of the input
        x: Real,
    }
}

impl Component for PI {
    fn contribute(p: PIParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let init = way(p.init_type, p.x_start, p.steady_state);
        let x = state(c, "x", (init, p.x_start), move |u, _| u / p.T)?;
        let input = c.input("u")?;
        let y = move |e: &mut SignalView<'_>| Ok(p.k * (x + e.read(input)?));
        if init == Init::InitialOutput {
            begin(c, init, &[("x", x)], p.y_start, y)?;
        }
        c.output("y", y);
        Ok(())
    }
}

component! {
    /// Derivative of a signal.
    ///
    /// It is exact: the equations of the model are differentiated.
    ///
    /// # Equations
    /// `y = der(u)`.
    ///
    /// Inputs of the FMU and discrete signals count as constant between events. Where the signal
    /// jumps, the derivative has no pulse.
    pub struct Der = "Modelica.Blocks.Continuous.Der" { ..block }
}

impl Component for Der {
    fn contribute(_: DerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            Ok(e.rate(u))
        });
        Ok(())
    }
}
