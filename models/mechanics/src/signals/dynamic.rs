//! Blocks with a state: integrator, first-order lag, PI controller.

use super::blocks::BlockPorts;
use super::{ANY, POSITIVE, give, setting};
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::setters;
use equations::Ex;

/// Declares the state of a block; the law gives its derivative from the input and the state.
fn state(
    c: &mut Contribution<'_>,
    local: &str,
    start: f64,
    text: &str,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<Ex, Error> {
    c.check(local, start, "(unit of the signal)", true)?;
    let input = c.input("u")?;
    let name = c.full(local);
    let state: Ex = c.model.state(&name, start).describe(text).done();
    c.law(move |e| {
        let derivative = law(e.read(input)?, state);
        e.model().derivative(state, derivative);
        Ok(())
    });
    Ok(state)
}

/// Integral of a signal.
///
/// # Equations
/// `der(y) = k u`.
///
/// # Variables
/// `k` in the unit of the output per s and unit of the input; the state `y`, whose start value is
/// its value at the start.
///
/// # Reference
/// Modelica.Blocks.Continuous.Integrator.
#[derive(Clone, Debug)]
pub struct Integrator {
    k: f64,
    y_start: f64,
}

impl Integrator {
    /// With the factor `k`, from 0 on.
    pub fn k(k: f64) -> Self {
        Integrator { k, y_start: 0.0 }
    }
}

setters! {
    impl Integrator {
        /// Value at the start.
        y_start: f64,
    }
}

impl Component for Integrator {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Integrator gain")?.tunable().done();
        let y = state(c, "y", self.y_start, "Output of the integrator", move |u, _| k * u)?;
        c.signal("y", move |_| Ok(y));
        Ok(())
    }
}

/// First-order lag.
///
/// # Equations
/// `T der(y) = k u - y`.
///
/// # Variables
/// `k` in the unit of the output per unit of the input, `T` in s; the state `y`, whose start value
/// is its value at the start.
///
/// # Reference
/// Modelica.Blocks.Continuous.FirstOrder with the initial output given.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    k: f64,
    time_constant: f64,
    y_start: f64,
}

impl FirstOrder {
    /// With the factor `k` and the time constant `T` in s, from 0 on.
    #[allow(non_snake_case, reason = "the parameter's name")]
    pub fn k_T(k: f64, T: f64) -> Self {
        FirstOrder { k, time_constant: T, y_start: 0.0 }
    }
}

setters! {
    impl FirstOrder {
        /// Value at the start.
        y_start: f64,
    }
}

impl Component for FirstOrder {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Gain")?.tunable().done();
        let text = "Time constant";
        let time = setting(c, "T", self.time_constant, POSITIVE, Some("s"), text)?.tunable().done();
        let text = "Output of the lag";
        let y = state(c, "y", self.y_start, text, move |u, y| (k * u - y) / time)?;
        c.signal("y", move |_| Ok(y));
        Ok(())
    }
}

/// PI controller.
///
/// # Equations
/// `y = k (x + u)`, `T der(x) = u`.
///
/// # Variables
/// `k` in the unit of the output per unit of the input, `T` in s; the state `x` in the unit of the
/// input, whose start value is its value at the start.
///
/// # Reference
/// Modelica.Blocks.Continuous.PI with the initial state given.
#[derive(Clone, Debug)]
pub struct PI {
    k: f64,
    time_constant: f64,
    x_start: f64,
}

impl PI {
    /// With the factor `k` and the time constant `T` in s.
    #[allow(non_snake_case, reason = "the parameter's name")]
    pub fn k_T(k: f64, T: f64) -> Self {
        PI { k, time_constant: T, x_start: 0.0 }
    }
}

setters! {
    impl PI {
        /// State at the start.
        x_start: f64,
    }
}

impl Component for PI {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Gain")?.tunable().done();
        let text = "Time constant";
        let time = setting(c, "T", self.time_constant, POSITIVE, Some("s"), text)?.tunable().done();
        let text = "Integral of the input";
        let x = state(c, "x", self.x_start, text, move |u, _| u / time)?;
        let input = c.input("u")?;
        give(c, "y", move |e| Ok(k * (x + e.read(input)?)));
        Ok(())
    }
}
