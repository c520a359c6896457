//! Blocks with a state: integrator, first-order lag, PI controller.

use super::blocks::BlockPorts;
use super::{ANY, POSITIVE, give, setting};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::start::{Start, fixed};
use equations::Ex;

/// How the state of a block begins.
#[derive(Clone, Copy, Debug)]
struct Init {
    /// Its start value: unless it is fixed, other conditions may determine where it begins.
    start: Start,
    /// Whether it begins where it rests; then the search for that begins at the start value.
    steady: bool,
}

impl Default for Init {
    fn default() -> Self {
        Init { start: fixed(0.0), steady: false }
    }
}

/// Declares the state of a block; the law gives its derivative from the input and the state.
fn state(
    c: &mut Contribution<'_>,
    local: &str,
    Init { start, steady }: Init,
    text: &str,
    law: impl FnOnce(Ex, Ex) -> Ex + 'static,
) -> Result<Ex, Error> {
    c.finite(local, start.value, "")?;
    let input = c.input("u")?;
    let name = c.full(local);
    let state: Ex = c.model.state(&name, start.value).describe(text).done();
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

/// Declares the methods that say how a block begins.
macro_rules! initial_states {
    ($Block:ident, $start:ident) => {
        impl $Block {
            /// Start value of the state, `fixed(0.0)` unless given. One that is not fixed is
            /// determined by other initial conditions, if they depend on it.
            #[must_use]
            pub fn $start(mut self, $start: impl Into<Start>) -> Self {
                self.init.start = $start.into();
                self
            }

            /// Begins where the state rests: that is a condition like other initial conditions, and
            /// determines the state or, in a closed loop, another start value that is free.
            #[must_use]
            pub fn steady_state(mut self) -> Self {
                self.init.steady = true;
                self
            }
        }
    };
}

/// Integral of a signal.
///
/// # Equations
/// `der(y) = k u`.
///
/// # Variables
/// `k` in the unit of the output per s and unit of the input; the state `y`, whose start value is
/// an initial condition or a guess; with `steady_state` the search begins there for a value at
/// which it rests.
///
/// # Reference
/// Modelica.Blocks.Continuous.Integrator.
#[derive(Clone, Debug)]
pub struct Integrator {
    k: f64,
    init: Init,
}

impl Integrator {
    /// With the factor `k`, from 0 on.
    pub fn k(k: f64) -> Self {
        Integrator { k, init: Init::default() }
    }
}

initial_states!(Integrator, y_start);

impl OldComponent for Integrator {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Integrator gain")?.tunable().done();
        let y = state(c, "y", self.init, "Output of the integrator", move |u, _| k * u)?;
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
/// is an initial condition or a guess; with `steady_state` the search begins there for a value at
/// which it rests.
///
/// # Reference
/// Modelica.Blocks.Continuous.FirstOrder with the initial output given, or its steady state.
#[derive(Clone, Debug)]
pub struct FirstOrder {
    k: f64,
    time_constant: f64,
    init: Init,
}

impl FirstOrder {
    /// With the factor `k` and the time constant `T` in s, from 0 on.
    #[allow(non_snake_case, reason = "the parameter's name")]
    pub fn k_T(k: f64, T: f64) -> Self {
        FirstOrder { k, time_constant: T, init: Init::default() }
    }
}

initial_states!(FirstOrder, y_start);

impl OldComponent for FirstOrder {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Gain")?.tunable().done();
        let text = "Time constant";
        let time = setting(c, "T", self.time_constant, POSITIVE, Some("s"), text)?.tunable().done();
        if self.k.abs() == 1.0 {
            c.passes_unit("u", "y");
        }
        let text = "Output of the lag";
        let y = state(c, "y", self.init, text, move |u, y| (k * u - y) / time)?;
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
/// input, whose start value is an initial condition or a guess; with `steady_state` the search
/// begins there for a value at which it rests.
///
/// # Reference
/// Modelica.Blocks.Continuous.PI with the initial state given, or its steady state.
#[derive(Clone, Debug)]
pub struct PI {
    k: f64,
    time_constant: f64,
    init: Init,
}

impl PI {
    /// With the factor `k` and the time constant `T` in s.
    #[allow(non_snake_case, reason = "the parameter's name")]
    pub fn k_T(k: f64, T: f64) -> Self {
        PI { k, time_constant: T, init: Init::default() }
    }
}

initial_states!(PI, x_start);

impl OldComponent for PI {
    type Ports = BlockPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let k = setting(c, "k", self.k, ANY, None, "Gain")?.tunable().done();
        let text = "Time constant";
        let time = setting(c, "T", self.time_constant, POSITIVE, Some("s"), text)?.tunable().done();
        let text = "Integral of the input";
        let x = state(c, "x", self.init, text, move |u, _| u / time)?;
        let input = c.input("u")?;
        give(c, "y", move |e| Ok(k * (x + e.read(input)?)));
        Ok(())
    }
}
