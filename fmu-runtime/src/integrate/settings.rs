//! Method and tolerances of an integration.

use super::jacobian_pattern::JacobianPattern;

/// The integration method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Tsit5 or, with small tolerances, Dop853; Rodas5P where that takes less work.
    #[default]
    Auto,
    /// Explicit Runge-Kutta pair of order 5(4).
    Tsit5,
    /// L-stable Rosenbrock method of order 5(4) with exact Jacobians.
    Rodas5P,
    /// The Runge-Kutta method of order 4, with steps of fixed length.
    Rk4,
    /// The explicit Euler method of order 1, with steps of fixed length.
    Euler,
    /// Explicit Runge-Kutta pair of order 8(5,3).
    Dop853,
}

impl Method {
    /// The method for a value of the parameter `solver.method`; unknown values mean the automatic
    /// choice.
    #[must_use]
    pub fn from_parameter(value: f64) -> Self {
        if value == 1.0 {
            Method::Tsit5
        } else if value == 2.0 {
            Method::Rodas5P
        } else if value == 3.0 {
            Method::Rk4
        } else if value == 4.0 {
            Method::Euler
        } else if value == 5.0 {
            Method::Dop853
        } else {
            Method::Auto
        }
    }

    /// Whether its steps have a fixed length.
    #[must_use]
    pub fn has_fixed_steps(self) -> bool {
        matches!(self, Method::Rk4 | Method::Euler)
    }
}

/// Work of the implicit method besides its evaluations of the derivatives, in units of one such
/// evaluation.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImplicitWork {
    /// Work of one Jacobian.
    pub jacobian: f64,
    /// Work of one factorization and of the solutions of all stages.
    pub factorization: f64,
}

/// Sizes and settings of an integration; every function receives the integrator state as an
/// argument.
#[derive(Clone, Copy, Debug)]
pub struct Integrator<'a> {
    /// Nominal values of the states, positive; their number is the number of states.
    pub nominal: &'a [f64],
    /// Where the Jacobian has entries.
    pub pattern: &'a JacobianPattern,
    /// Number of event indicators.
    pub indicators: usize,
    /// The method.
    pub method: Method,
    /// What the implicit method costs.
    pub implicit_work: ImplicitWork,
    /// Relative tolerance. A tenth of it bounds the estimated error of each step (root mean square
    /// over the states). The error of each state is divided by a scale: the magnitude of the state
    /// or, if larger, three times its change in the step, plus a thousandth of the nominal value.
    pub tolerance: f64,
    /// Largest step in s; 0: no limit.
    pub max_step: f64,
    /// Length of the steps of a method with fixed steps in s; 0: they end at each limit.
    pub step: f64,
    /// Whether a method with fixed steps ends a step shortly after an event within it.
    pub locates_events: bool,
}
