//! Approximated derivative, and controllers with proportional, integral and derivative parts.

use crate::signals::blocks::Limits;
use crate::signals::init::{Init, begin, begin_alone, state};
use crate::signals::interfaces::block;
use equations::select;
use mechanics::declaration::{Pending, Real, choice, group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

component! {
    /// Approximated derivative of a signal.
    ///
    /// # Equations
    /// `T der(x) = u - x`, `y = k (u - x) / T`; `der(x) = 0` and `y = 0` if `k = 0`. The state
    /// begins at `x_start`, not at the input, unless `initType` says otherwise.
    pub struct Derivative = "Modelica.Blocks.Continuous.Derivative" {
        /// Gain
        k: Real = 1,
        /// Time constant
        T: Real["s", > 0] = 0.01,
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start value of the state
        x_start: Real = 0,
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        ..block,
    }
    variables {
        /// State of the block
        x: Real,
    }
}

impl Component for Derivative {
    fn contribute(p: DerivativeParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let y_start = match p.init_type {
            Init::InitialOutput => Some(p.y_start.declare(c)?),
            _ => None,
        };
        let read = move |e: &mut SignalView<'_>| e.read(input);
        let y = derivative(c, "x", (p.k, p.T), (p.init_type, p.x_start), y_start, read);
        c.output("y", y);
        Ok(())
    }
}

/// A function that reads or computes a signal.
trait Law: FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + Copy + 'static {}

impl<F: FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + Copy + 'static> Law for F {}

/// Declares the state of an approximated derivative of the signal `u`; returns its output.
fn derivative(
    c: &mut Contribution<'_>,
    local: &'static str,
    (k, lag): (Ex, Ex),
    (init, start): (Init, Ex),
    y_start: Option<Ex>,
    u: impl Law,
) -> impl Law {
    let (_, x) = state(c, local, Some(start), 1.0);
    let is_zero = k.abs().lt(f64::EPSILON);
    let y = move |u: Ex| select(is_zero, 0.0, (k / lag) * (u - x));
    match (init, y_start) {
        // Without a gain, `der(x) = 0` holds anyway.
        (Init::SteadyState, _) => c.steady_state_at(local, x, u),
        (Init::InitialOutput, Some(y_start)) => c.initial_equation(local, x, move |e| {
            let u = u(e)?;
            Ok(select(is_zero, u - x, y(u) - y_start))
        }),
        _ => begin_alone(c, init, (local, x), false),
    }
    c.law(move |e| {
        let u = u(e)?;
        e.model().derivative(x, select(is_zero, 0.0, (u - x) / lag));
        Ok(())
    });
    move |e: &mut SignalView<'_>| Ok(y(u(e)?))
}

/// How the integral part and the derivative part of a controller begin.
fn of_parts(init: Init) -> [Init; 2] {
    match init {
        // The output determines the integral part.
        Init::InitialOutput => [Init::NoInit, Init::SteadyState],
        of_both => [of_both; 2],
    }
}

component! {
    /// PID controller.
    ///
    /// # Equations
    /// `y = k (u + I + D)`, `Ti der(I) = u`; `D` is the approximated derivative
    /// `T der(x) = u - x`, `D = Td (u - x) / T` with `T = Td / Nd`. With
    /// `initType = InitialOutput`, the derivative part is in steady state, and `y_start` determines
    /// the integral part.
    pub struct PID = "Modelica.Blocks.Continuous.PID" {
        /// Gain
        k: Real = 1,
        /// Time constant of the integral part
        Ti: Real["s", > 0],
        /// Time constant of the derivative part
        Td: Real["s", >= 0, structural zero],
        /// Ratio of the time constants of the derivative part; the higher, the more ideal
        Nd: Real[> 0] = 10,
        /// How the block begins
        init_type "initType": Init = Init::InitialState,
        /// Start value of the integral part
        xi_start: Real = 0,
        /// Start value of the state of the derivative part
        xd_start: Real = 0,
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        ..block,
    }
    variables {
        /// Integral part
        xi "I.y": Real,
        /// State of the derivative part
        xd "D.x"?: Real,
    }
}

impl Component for PID {
    fn contribute(p: PIDParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let [of_integral, of_derivative] = of_parts(p.init_type);
        let read = move |e: &mut SignalView<'_>| e.read(input);
        let lag = (p.Td / p.Nd).max(100.0 * f64::EPSILON);
        let rate = (!p.Td.is_constant_zero())
            .then(|| derivative(c, "D.x", (p.Td, lag), (of_derivative, p.xd_start), None, read));
        let (name, integral) = state(c, "I.y", Some(p.xi_start), 1.0);
        let y = move |e: &mut SignalView<'_>| {
            let sum = e.read(input)? + integral;
            Ok(p.k * (sum + rate.map_or(Ok(Ex::zero()), |rate| rate(e))?))
        };
        match p.init_type {
            Init::InitialOutput => begin(c, p.init_type, &[(name, integral)], p.y_start, y)?,
            _ => begin_alone(c, of_integral, (name, integral), false),
        }
        c.law(move |e| {
            let u = e.read(input)?;
            e.model().derivative(integral, u / p.Ti);
            Ok(())
        });
        c.output("y", y);
        Ok(())
    }
}

choice! {
    /// Parts of a controller.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum SimpleController {
        /// Proportional part.
        P,
        /// Proportional and integral part.
        PI,
        /// Proportional and derivative part.
        PD,
        /// Proportional, integral and derivative part.
        #[default]
        PID,
    }
}

group! {
    /// A controller with proportional, integral and derivative parts and a limited output.
    pub struct LimitedPid(limited_pid) {
        /// Parts of the controller
        controller_type "controllerType": SimpleController = SimpleController::PID,
        /// Gain
        k: Real[!= 0] = 1,
        /// Time constant of the integral part
        Ti: Real["s", > 0] = 0.5,
        /// Time constant of the derivative part
        Td: Real["s", >= 0, structural zero] = 0.1,
        /// Upper limit of the output
        y_max "yMax": Real,
        /// Lower limit of the output
        y_min "yMin": Real = -y_max,
        /// Weight of the set point in the proportional part
        wp: Real[>= 0] = 1,
        /// Weight of the set point in the derivative part
        wd: Real[>= 0] = 0,
        /// `Ni Ti` is the time constant of the compensation of wind-up
        Ni: Real[> 0] = 0.9,
        /// Ratio of the time constants of the derivative part; the higher, the more ideal
        Nd: Real[> 0] = 10,
        /// Gain of the feed-forward signal
        kFF: Real = 1,
    }
    ports {
        /// Set point
        u_s: Input,
        /// Measured value
        u_m: Input,
        /// Feed-forward signal
        u_ff: Input,
    }
}

impl LimitedPid {
    /// Whether the controller has an integral part, and whether it has a derivative part.
    pub(crate) fn parts(&self) -> [bool; 2] {
        use SimpleController as Parts;
        [Parts::PI, Parts::PD].map(|one| [one, Parts::PID].contains(&self.controller_type))
    }
}

component! {
    /// P, PI, PD or PID controller with limited output and without wind-up, with weights of the set
    /// point and an optional feed-forward signal.
    ///
    /// # Equations
    /// `y` is `v` limited to `yMin` .. `yMax`; `v = k (wp u_s - u_m + I + D) + kFF u_ff`;
    /// `Ti der(I) = u_s - u_m + (y - v) / (k Ni)`; `D` is the approximated derivative of
    /// `wd u_s - u_m`: `T der(x) = wd u_s - u_m - x`, `D = Td (wd u_s - u_m - x) / T` with
    /// `T = Td / Nd`. `controllerType` says which of `I` and `D` exist.
    ///
    /// With `initType = InitialOutput`, `v` without feed-forward signal has the value `y_start`,
    /// which determines `I`, and `D` is in steady state. With `SteadyState`, `y` may be at a limit.
    ///
    /// # Events
    /// `v` reaches or leaves a limit; none with `strict`.
    pub struct LimPID = "Modelica.Blocks.Continuous.LimPID" {
        ..of: limited_pid,
        /// How the block begins
        init_type "initType": Init = Init::InitialState,
        /// Start value of the integral part
        xi_start: Real = 0,
        /// Start value of the state of the derivative part
        xd_start: Real = 0,
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        /// Whether the limits act without events
        strict: bool = false,
    }
    variables {
        /// Output of the controller
        y: Real,
        /// Set point minus measured value
        control_error "controlError": Real,
        /// Integral part
        xi "I.y"?: Real,
        /// State of the derivative part
        xd "D.x"?: Real,
    }
}

impl Component for LimPID {
    fn contribute(p: LimPIDParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let LimPIDParameters { of, init_type, xi_start, xd_start, y_start, strict } = p;
        let [has_integral, has_derivative] = of.parts();
        let limits = Limits::of(c, [("yMin", of.y_min), ("yMax", of.y_max)], strict)?;
        let (u_s, u_m, u_ff) = (c.input("u_s")?, c.input("u_m")?, c.optional_input("u_ff"));
        let [of_integral, of_derivative] = of_parts(init_type);
        let rate = (has_derivative && !of.Td.is_constant_zero()).then(|| {
            let lag = (of.Td / of.Nd).max(1e-14);
            let u = move |e: &mut SignalView<'_>| Ok(of.wd * e.read(u_s)? - e.read(u_m)?);
            derivative(c, "D.x", (of.Td, lag), (of_derivative, xd_start), None, u)
        });
        let integral = has_integral.then(|| state(c, "I.y", Some(xi_start), 1.0));
        let sum = move |e: &mut SignalView<'_>| -> Result<Ex, Error> {
            let proportional = of.wp * e.read(u_s)? - e.read(u_m)?;
            let integral = integral.map_or(Ex::zero(), |(_, x)| x);
            let derivative = rate.map_or(Ok(Ex::zero()), |rate| rate(e))?;
            Ok(of.k * (proportional + derivative + integral))
        };
        match (init_type, integral) {
            (Init::InitialOutput, Some((name, x))) => {
                let y_start = within(c, y_start, limits)?;
                c.initial_equation(name, x, move |e| Ok(sum(e)? - y_start));
            }
            (Init::InitialOutput, None) => {
                let why = "InitialOutput needs an integral part, which the output determines";
                return Err(c.refuse("initType", why));
            }
            (_, Some(state)) => begin_alone(c, of_integral, state, false),
            (_, None) => {}
        }
        // The output before and after the limits.
        let outputs = move |e: &mut SignalView<'_>| -> Result<Ex, Error> {
            let forward = match u_ff {
                Some(u_ff) => of.kFF * e.read(u_ff)?,
                None => Ex::zero(),
            };
            Ok(sum(e)? + forward)
        };
        c.output("y", move |e| {
            let v = outputs(e)?;
            Ok(limits.of_signal(e, v))
        });
        c.output("controlError", move |e| Ok(e.read(u_s)? - e.read(u_m)?));
        if let Some((_, x)) = integral {
            c.law(move |e| {
                let error = e.read(u_s)? - e.read(u_m)?;
                let excess = outputs(e)? - e.read_own("y")?;
                e.model().derivative(x, (error - excess / (of.k * of.Ni)) / of.Ti);
                Ok(())
            });
        }
        Ok(())
    }
}

/// The start value of an output, which must be within its limits.
fn within(c: &mut Contribution<'_>, y_start: Pending<Real>, limits: Limits) -> Result<Ex, Error> {
    let y_start = y_start.declare(c)?;
    let is_within = y_start.ge(limits.min) & y_start.le(limits.max);
    c.require(&["y_start", "yMin", "yMax"], is_within, "y_start must be within the limits")?;
    Ok(y_start)
}
