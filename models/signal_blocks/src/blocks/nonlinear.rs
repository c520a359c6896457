//! Blocks whose output has kinks.

use crate::signals::Init;
use crate::signals::blocks::Limits;
use crate::signals::interfaces::block;
use mechanics::declaration::prelude::*;

component! {
    /// Signal limited to a range that two other signals give.
    ///
    /// # Equations
    /// `y = limit1` if `u > limit1`, `limit2` if `u < limit2`, else `u`.
    ///
    /// # Events
    /// The signal reaches or leaves a limit, where the slope of `y` jumps; none with `strict`.
    /// An upper limit below the lower one ends the simulation with an error.
    pub struct VariableLimiter = "Modelica.Blocks.Nonlinear.VariableLimiter" {
        /// Whether the limits act without events
        strict: bool = false,
        ..block,
    }
    ports {
        /// Upper limit
        limit1: Input,
        /// Lower limit
        limit2: Input,
    }
}

impl Component for VariableLimiter {
    fn contribute(p: VariableLimiterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let inputs = ["u", "limit1", "limit2"];
        inputs.into_iter().for_each(|input| c.passes_unit(input, "y"));
        let [u, upper, lower] = inputs.map(|input| c.input(input));
        let (u, upper, lower) = (u?, upper?, lower?);
        c.output("y", move |e| {
            let (u, max, min) = (e.read(u)?, e.read(upper)?, e.read(lower)?);
            let exchanged = e.relation("limits exchanged", min - max).done();
            let sentence = format!("{} is below {}", e.full("limit1"), e.full("limit2"));
            e.model().assert(None, !exchanged, &sentence, false);
            Ok(Limits { min, max, nominal: 1.0, strict: p.strict }.of_signal(e, u))
        });
        Ok(())
    }
}

component! {
    /// Signal without effect in a range.
    ///
    /// # Equations
    /// `y = u - uMax` if `u > uMax`, `u - uMin` if `u < uMin`, else 0.
    ///
    /// # Events
    /// The signal reaches or leaves the range, where the slope of `y` jumps.
    pub struct DeadZone = "Modelica.Blocks.Nonlinear.DeadZone" {
        /// Upper end of the range
        u_max "uMax": Real,
        /// Lower end of the range
        u_min "uMin": Real = -u_max,
        ..block,
    }
}

impl Component for DeadZone {
    fn contribute(p: DeadZoneParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let range = Limits::of(c, [("uMin", p.u_min), ("uMax", p.u_max)], false)?;
        c.passes_unit("u", "y");
        let u = c.input("u")?;
        c.output("y", move |e| {
            let u = e.read(u)?;
            Ok(u - range.of_signal(e, u))
        });
        Ok(())
    }
}

component! {
    /// Signal that follows another one with a limited rate.
    ///
    /// # Equations
    /// `der(y) = (u - y) / Td`, but at most `Rising` and at least `Falling`. `SteadyState` means
    /// `y = u` at the start.
    ///
    /// # Events
    /// The rate reaches or leaves a limit; none with `strict`.
    pub struct SlewRateLimiter = "Modelica.Blocks.Nonlinear.SlewRateLimiter" {
        /// Largest rate, positive
        rising "Rising": Real[> 0] = 1,
        /// Least rate, negative
        falling "Falling": Real = -rising,
        /// Time constant with which the signal is followed
        t_d "Td": Real["s", > 0] = 0.001,
        /// How the block begins
        init_type "initType": Init = Init::SteadyState,
        /// Value at the start, or its guess
        y_start: Real = 0,
        /// Whether the limits act without events
        strict: bool = false,
        ..block,
    }
}

impl Component for SlewRateLimiter {
    fn contribute(p: SlewRateLimiterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.require(&["Falling"], p.falling.lt(0.0), "must be negative")?;
        c.passes_unit("u", "y");
        let input = c.input("u")?;
        let start = c.number(p.y_start).unwrap_or_default();
        let y = c.state("y", start).done();
        match p.init_type {
            Init::SteadyState => c.steady_state_at("y", y, move |e| e.read(input)),
            Init::NoInit => c.open_state("y", y, false),
            Init::InitialState | Init::InitialOutput => c.model().start_expr(y, p.y_start),
        }
        c.signal("y", move |_| Ok(y));
        let nominal = c.magnitude(p.rising.max(-p.falling)).abs();
        let limits = Limits { min: p.falling, max: p.rising, nominal, strict: p.strict };
        c.law(move |e| {
            let rate = (e.read(input)? - y) / p.t_d;
            let limited = limits.of_signal(e, rate);
            e.model().derivative(y, limited);
            Ok(())
        });
        Ok(())
    }
}

component! {
    /// Signal that repeats another one later.
    ///
    /// # Equations
    /// `y(t) = u(t - delayTime)`; until `delayTime` has passed, `y` is `u` at the start.
    ///
    /// The history of `u` has a record at the end of each step of the solver, and more where `u`
    /// is not nearly a cubic polynomial. No step is longer than `delayTime`. In Model Exchange, the
    /// steps are those of the importer, and an event limits them.
    ///
    /// # Events
    /// `y` or its slope jumps, because `u` or its slope jumped at an event.
    pub struct FixedDelay = "Modelica.Blocks.Nonlinear.FixedDelay" {
        /// Delay of `y`
        delay_time "delayTime": Real["s", > 0, fixed],
        /// Largest number of records of `u` within the delay
        capacity: Integer["1", 4..=262144] = 1024,
        ..block,
    }
}

impl Component for FixedDelay {
    fn contribute(p: FixedDelayParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let name = c.name().to_owned();
        let delay = c.model().delay(&name, p.delay_time, p.capacity);
        c.passes_unit("u", "y");
        let u = c.input("u")?;
        c.output("y", move |e| Ok(e.model().delayed(delay)));
        c.law(move |e| {
            let u = e.read(u)?;
            e.model().delay_signal(delay, u);
            Ok(())
        });
        Ok(())
    }
}
