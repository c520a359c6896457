//! Blocks with derivatives: integrator, first-order lag, PI controller, derivative.

use super::interfaces::block;
use mechanics::declaration::prelude::*;

/// Declares the state of a block; the law computes its derivative from the input and the state.
///
/// With `steady`, the initial value makes the derivative zero; the start value is its guess.
fn state(
    c: &mut Contribution<'_>,
    local: &str,
    start: Start,
    steady: bool,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<Ex, Error> {
    let input = c.input("u")?;
    let state = c.state(local, start.value).done();
    if steady {
        c.steady_state(local, state);
    } else if !start.fixed {
        c.open_state(local, state, start.given);
    }
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
    /// `der(y) = k u`. With `steady_state`, `u = 0` at the start, which determines `y` or, in a
    /// closed loop, another free start value.
    pub struct Integrator = "Modelica.Blocks.Continuous.Integrator" {
        /// Integrator gain
        k: Real = 1,
        /// Start value of the output; if it is not fixed, other initial conditions may determine it
        y_start "y": Start = fixed(0),
        /// Whether the block starts in steady state; `y_start` is then a guess
        steady_state: bool = false,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Output of the integrator
        y: Real,
    }
}

impl Component for Integrator {
    fn contribute(p: IntegratorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let y = state(c, "y", p.y_start, p.steady_state, move |u, _| p.k * u)?;
        c.signal("y", move |_| Ok(y));
        Ok(())
    }
}

component! {
    /// First-order lag.
    ///
    /// # Equations
    /// `T der(y) = k u - y`. With `steady_state`, `y = k u` at the start.
    pub struct FirstOrder = "Modelica.Blocks.Continuous.FirstOrder" {
        /// Gain
        k: Real = 1,
        /// Time constant
        T: Real["s", > 0],
        /// Start value of the output; if it is not fixed, other initial conditions may determine it
        y_start "y": Start = fixed(0),
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
        let y = state(c, "y", p.y_start, p.steady_state, move |u, y| (p.k * u - y) / p.T)?;
        c.signal("y", move |_| Ok(y));
        Ok(())
    }
}

component! {
    /// PI controller.
    ///
    /// # Equations
    /// `y = k (x + u)`, `T der(x) = u`. With `steady_state`, `u = 0` at the start, which determines
    /// `x` or, in a closed loop, another free start value.
    pub struct PI = "Modelica.Blocks.Continuous.PI" {
        /// Gain
        k: Real = 1,
        /// Time constant
        T: Real["s", > 0],
        /// Start value of the state; if it is not fixed, other initial conditions may determine it
        x_start "x": Start = fixed(0),
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
        let x = state(c, "x", p.x_start, p.steady_state, move |u, _| u / p.T)?;
        let input = c.input("u")?;
        c.output("y", move |e| Ok(p.k * (x + e.read(input)?)));
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
