//! Means, harmonics and extrema of a signal.
//!
//! A block with periods counts those that have ended since the start of the simulation. The instant
//! of an end is computed from this number at once, so errors do not accumulate.

use super::sums::polar;
use crate::signals::interfaces::block;
use equations::{Bool, DiscreteVariable, Model, select};
use mechanics::declaration::{group, prelude::*};
use std::f64::consts::{SQRT_2, TAU};

/// The instant at which the simulation started, in s.
#[derive(Clone, Copy)]
struct StartTime(DiscreteVariable);

impl StartTime {
    fn of(c: &mut Contribution<'_>) -> Self {
        let name = c.full("t0");
        let model = c.model();
        let start = StartTime(model.memory(&name, 0.0));
        let now = start.now(model);
        model.update(start.0, now);
        start
    }

    /// For events, which begin after it is known.
    fn known(self) -> Ex {
        self.0.pre()
    }

    /// Also while initial values are determined.
    fn now(self, model: &Model) -> Ex {
        select(model.initial(), model.time(), self.0.pre())
    }
}

/// True in the event iteration in which a period ends; `duration` is that of a number of periods
/// in s.
fn periods_end(c: &mut Contribution<'_>, duration: impl FnOnce(Ex) -> Ex) -> Bool {
    let start = StartTime::of(c);
    let (count, due) = (c.full("periods"), c.full("endOfPeriod"));
    let model = c.model();
    let count = model.memory(&count, 0.0);
    let next = count.pre() + 1.0;
    let due = model.time_relation(&due, start.known() + duration(next));
    let ends = due & !model.initial();
    model.update(count, select(ends, next, count.pre()));
    ends
}

/// A mean over each period.
#[derive(Clone, Copy)]
struct PeriodMean {
    /// The integral of the signal since the present period began, a state.
    integral: Ex,
    /// The mean over the last period that has ended.
    value: Ex,
}

impl PeriodMean {
    /// The integral has a name, and starts with the first value; the mean is the second value until
    /// a period has ended.
    fn new(
        c: &mut Contribution<'_>,
        name: &'static str,
        [x0, y0]: [Ex; 2],
        (f, ends): (Ex, Bool),
    ) -> Self {
        let last = c.full(&format!("{name}: mean"));
        let integral = c.state(name, 0.0).start_expr(x0).done();
        let model = c.model();
        let last = model.memory(&last, 0.0);
        let value = select(ends, f * integral, last.pre());
        let value = select(model.initial(), y0, value);
        model.update(last, value);
        model.reinit(integral, ends, 0.0);
        PeriodMean { integral, value }
    }
}

/// Gives the integrals of means their derivatives, which a law computes from the input and time.
fn integrate<const N: usize>(
    c: &mut Contribution<'_>,
    means: [PeriodMean; N],
    law: impl FnOnce(Ex, Ex) -> [Ex; N] + 'static,
) -> Result<(), Error> {
    let u = c.input("u")?;
    c.law(move |e| {
        let derivatives = law(e.read(u)?, e.time());
        for (mean, derivative) in means.into_iter().zip(derivatives) {
            e.model().derivative(mean.integral, derivative);
        }
        Ok(())
    });
    Ok(())
}

component! {
    /// Mean of a signal over each period.
    ///
    /// # Equations
    /// `der(x) = u`; at the end of a period, `y = f x` and `x` becomes 0. Periods follow the start
    /// of the simulation. With `yGreaterOrEqualZero`, `y = max(f x, 0)`.
    ///
    /// # Events
    /// A time event at the end of each period.
    pub struct Mean = "Modelica.Blocks.Math.Mean" {
        /// Number of periods per second
        f: Real["Hz", > 0, fixed],
        /// Integral at the start
        x0: Real = 0,
        /// Output until the first period has ended
        y0: Real = 0,
        /// Whether a mean below zero can be an error of the integration only
        y_greater_or_equal_zero "yGreaterOrEqualZero": bool = false,
        ..block,
    }
    variables {
        /// Integral of the signal since the period began
        x: Real,
    }
}

impl Component for Mean {
    fn contribute(p: MeanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y");
        let ends = periods_end(c, |count| count / p.f);
        let mean = PeriodMean::new(c, "x", [p.x0, p.y0], (p.f, ends));
        integrate(c, [mean], |u, _| [u])?;
        let y = if p.y_greater_or_equal_zero { mean.value.max(0.0) } else { mean.value };
        c.output("y", move |_| Ok(y));
        Ok(())
    }
}

group! {
    /// A mean of a function of a signal over each period, which is not negative.
    pub struct MeanOf(mean_of) {
        /// Number of periods per second
        f: Real["Hz", > 0, fixed],
        /// Integral at the start
        x0: Real = 0,
        /// Output until the first period has ended
        y0: Real[>= 0] = 0,
    }
    variables {
        /// Integral since the period began
        x "mean.x": Real,
        /// Mean over the last period
        last "mean.y": Real,
    }
}

component! {
    /// Mean of the absolute value of a signal over each period.
    ///
    /// # Equations
    /// As [`Mean`] of `|u|`. The kink of the absolute value causes no event.
    ///
    /// # Events
    /// A time event at the end of each period.
    pub struct RectifiedMean = "Modelica.Blocks.Math.RectifiedMean" { ..mean: mean_of, ..block }
}

impl Component for RectifiedMean {
    fn contribute(p: RectifiedMeanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let MeanOf { f, x0, y0 } = p.mean;
        c.passes_unit("u", "y");
        let ends = periods_end(c, |count| count / f);
        let mean = PeriodMean::new(c, "mean.x", [x0, y0], (f, ends));
        integrate(c, [mean], |u, _| [u.abs()])?;
        c.output("mean.y", move |_| Ok(mean.value));
        c.output("y", move |_| Ok(mean.value));
        Ok(())
    }
}

component! {
    /// Root mean square of a signal over each period.
    ///
    /// # Equations
    /// The square root of the [`Mean`] of `u^2`.
    ///
    /// # Events
    /// A time event at the end of each period.
    pub struct RootMeanSquare = "Modelica.Blocks.Math.RootMeanSquare" { ..mean: mean_of, ..block }
}

impl Component for RootMeanSquare {
    fn contribute(p: RootMeanSquareParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let MeanOf { f, x0, y0 } = p.mean;
        c.passes_unit("u", "y");
        let ends = periods_end(c, |count| count / f);
        let mean = PeriodMean::new(c, "mean.x", [x0, y0 * y0], (f, ends));
        integrate(c, [mean], |u, _| [u * u])?;
        let square = mean.value.max(0.0);
        c.output("mean.y", move |_| Ok(square));
        c.output("y", move |_| Ok(square.sqrt()));
        Ok(())
    }
}

/// The products of a signal with a cosine and a sine, whose means are the parts of a harmonic, as
/// root mean squares; `w` is its angular frequency.
fn harmonics(u: Ex, t: Ex, w: Ex) -> [Ex; 2] {
    let (sine, cosine) = (w * t).sin_cos();
    [u * cosine * SQRT_2, u * sine * SQRT_2]
}

component! {
    /// Harmonic of a periodic signal, from each period.
    ///
    /// # Equations
    /// `a` and `b` are the means of `u sqrt(2) cos(2 pi k f t)` and `u sqrt(2) sin(2 pi k f t)`
    /// over each period; `y_rms = sqrt(a^2 + b^2)`, `y_arg = atan2(b, a)`.
    ///
    /// # Events
    /// A time event at the end of each period.
    pub struct Harmonic = "Modelica.Blocks.Math.Harmonic" {
        /// Number of periods per second
        f: Real["Hz", > 0, fixed],
        /// Order of the harmonic
        k: Integer["1"],
        /// Whether `y_arg` has the opposite sign
        use_conjugate_complex "useConjugateComplex": bool = false,
        /// Integral with the cosine at the start
        x0_cos "x0Cos": Real = 0,
        /// Integral with the sine at the start
        x0_sin "x0Sin": Real = 0,
        /// Mean with the cosine until the first period has ended
        y0_cos "y0Cos": Real = 0,
        /// Mean with the sine until the first period has ended
        y0_sin "y0Sin": Real = 0,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Integral of the product with the cosine since the period began
        x_cos "mean1.x": Real,
        /// Integral of the product with the sine since the period began
        x_sin "mean2.x": Real,
        /// Mean of the product with the cosine over the last period
        y_cos "mean1.y": Real,
        /// Mean of the product with the sine over the last period
        y_sin "mean2.y": Real,
        /// Root mean square of the harmonic
        y_rms: Real,
        /// Angle of the harmonic
        y_arg: Real["rad"],
    }
}

impl Component for Harmonic {
    fn contribute(p: HarmonicParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y_rms");
        let ends = periods_end(c, |count| count / p.f);
        let a = PeriodMean::new(c, "mean1.x", [p.x0_cos, p.y0_cos], (p.f, ends));
        let b = PeriodMean::new(c, "mean2.x", [p.x0_sin, p.y0_sin], (p.f, ends));
        let w = p.f * (TAU * p.k as f64);
        integrate(c, [a, b], move |u, t| harmonics(u, t, w))?;
        let [rms, argument] = polar(a.value, b.value);
        let argument = if p.use_conjugate_complex { -argument } else { argument };
        c.output("mean1.y", move |_| Ok(a.value));
        c.output("mean2.y", move |_| Ok(b.value));
        c.output("y_rms", move |_| Ok(rms));
        c.output("y_arg", move |_| Ok(argument));
        Ok(())
    }
}

component! {
    /// Total harmonic distortion of a periodic signal, from each period.
    ///
    /// # Equations
    /// `y = sqrt(U^2 - U1^2) / U1` with the root mean square `U` of the signal and that of its
    /// first harmonic, `U1`; with `useFirstHarmonic = false`, the divisor is `U`.
    ///
    /// # Events
    /// A time event at the end of each period.
    pub struct TotalHarmonicDistortion = "Modelica.Blocks.Math.TotalHarmonicDistortion" {
        /// Number of periods per second
        f: Real["Hz", > 0, fixed],
        /// Whether the distortion is relative to the first harmonic, instead of the whole signal
        use_first_harmonic "useFirstHarmonic": bool = true,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Total harmonic distortion
        y: Real["1"],
        /// Whether the distortion has a value
        valid: Boolean,
        /// Integral of the product with the cosine since the period began
        x_cos "harmonic.mean1.x": Real,
        /// Integral of the product with the sine since the period began
        x_sin "harmonic.mean2.x": Real,
        /// Integral of the square since the period began
        x_square "rootMeanSquare.mean.x": Real,
        /// Mean of the product with the cosine over the last period
        y_cos "harmonic.mean1.y": Real,
        /// Mean of the product with the sine over the last period
        y_sin "harmonic.mean2.y": Real,
        /// Mean of the square over the last period
        y_square "rootMeanSquare.mean.y": Real,
    }
}

impl Component for TotalHarmonicDistortion {
    fn contribute(
        p: TotalHarmonicDistortionParameters,
        c: &mut Contribution<'_>,
    ) -> Result<(), Error> {
        let ends = periods_end(c, |count| count / p.f);
        let names = ["harmonic.mean1.x", "harmonic.mean2.x", "rootMeanSquare.mean.x"];
        let means = names.map(|name| PeriodMean::new(c, name, [Ex::zero(); 2], (p.f, ends)));
        let w = p.f * TAU;
        integrate(c, means, move |u, t| {
            let [cosine, sine] = harmonics(u, t, w);
            [cosine, sine, u * u]
        })?;
        let [a, b, square] = means.map(|mean| mean.value);
        let square = square.max(0.0);
        let names = ["harmonic.mean1.y", "harmonic.mean2.y", "rootMeanSquare.mean.y"];
        for (name, value) in names.into_iter().zip([a, b, square]) {
            c.output(name, move |_| Ok(value));
        }
        let ([first, _], whole) = (polar(a, b), square.sqrt());
        let rest = whole * whole - first * first;
        let divisor = if p.use_first_harmonic { first } else { whole };
        let y = rest.max(0.0).sqrt() / divisor.max(f64::EPSILON);
        c.output("y", move |_| Ok(y));
        // What follows from a mean at the end of a period is kept until the next one.
        let valid = c.discrete("valid", 0.0).boolean().done();
        c.model().update(valid, rest.ge(0.0) & first.gt(0.0));
        c.signal("valid", move |_| Ok(valid.pre()));
        Ok(())
    }
}

component! {
    /// Mean of a signal since an instant.
    ///
    /// # Equations
    /// `der(mu) = u` from `startTime` or the start of the simulation on, whichever is later;
    /// `y = mu / (time - t)` with this instant `t`, but `y = u` until `t_eps` after it.
    ///
    /// # Events
    /// A time event at `startTime`, if it is after the start of the simulation.
    pub struct ContinuousMean = "Modelica.Blocks.Math.ContinuousMean" {
        /// Duration after which the quotient can be computed
        t_eps: Real["s", >= 0] = 1e-7,
        /// Time at which the mean begins, if it is after the start of the simulation
        start_time "startTime"?: Real["s", fixed],
        ..block,
    }
    variables {
        /// Integral of the signal
        mu: Real,
    }
}

impl Component for ContinuousMean {
    fn contribute(p: ContinuousMeanParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y");
        let u = c.input("u")?;
        let start = StartTime::of(c);
        let mu = c.state("mu", 0.0).done();
        let begin = move |start: Ex| p.start_time.map_or(start, |given| start.max(given));
        let name = c.full("begun");
        let begun = c.model().time_relation(&name, begin(start.known()));
        c.law(move |e| {
            let u = e.read(u)?;
            e.model().derivative(mu, select(begun, u, 0.0));
            Ok(())
        });
        c.output("y", move |e| {
            let (u, time) = (e.read(u)?, e.time());
            let begin = begin(start.now(e.model()));
            Ok(select(time.gt(begin + p.t_eps), mu / (time - begin), u))
        });
        Ok(())
    }
}

group! {
    /// A measure of how far a signal has been from its mean since the start of the simulation.
    pub struct Deviation(deviation) {
        /// Duration after the start during which nothing is computed
        t_eps: Real["s", > 0, fixed] = 1e-7,
    }
    variables {
        /// Mean of the signal
        mu: Real,
        /// Variance of the signal
        var: Real,
    }
}

impl Deviation {
    /// States the equations of mean and variance; returns the variance.
    fn variance(self, c: &mut Contribution<'_>) -> Result<Ex, Error> {
        let u = c.input("u")?;
        let start = StartTime::of(c);
        let (mu, var) = (c.state("mu", 0.0).done(), c.state("var", 0.0).done());
        let name = c.full("begun");
        let begun = c.model().time_relation(&name, start.known() + self.t_eps);
        c.law(move |e| {
            let (u, elapsed) = (e.read(u)?, e.time() - start.known());
            let (difference, model) = (u - mu, e.model());
            let rate = |of: Ex| select(begun, of / elapsed, 0.0);
            model.start_expr(mu, u);
            model.derivative(mu, rate(difference));
            model.derivative(var, rate(difference * difference - var));
            Ok(())
        });
        Ok(select(begun, var.max(0.0), 0.0))
    }
}

component! {
    /// Variance of a signal since the start of the simulation.
    ///
    /// # Equations
    /// With the time `t` since the start, `t der(mu) = u - mu` and `t der(var) = (u - mu)^2 - var`
    /// from `t_eps` on; `mu = u` and `var = 0` before. `y = max(var, 0)`.
    ///
    /// # Events
    /// A time event at `t_eps` after the start.
    pub struct Variance = "Modelica.Blocks.Math.Variance" { ..of: deviation, ..block }
}

impl Component for Variance {
    fn contribute(p: VarianceParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let variance = p.of.variance(c)?;
        c.output("y", move |_| Ok(variance));
        Ok(())
    }
}

component! {
    /// Standard deviation of a signal since the start of the simulation.
    ///
    /// # Equations
    /// `y` is the square root of the [`Variance`].
    ///
    /// # Events
    /// A time event at `t_eps` after the start.
    pub struct StandardDeviation = "Modelica.Blocks.Math.StandardDeviation" { ..of: deviation, ..block }
}

impl Component for StandardDeviation {
    fn contribute(p: StandardDeviationParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        c.passes_unit("u", "y");
        let variance = p.of.variance(c)?;
        c.output("y", move |_| Ok(variance.sqrt()));
        Ok(())
    }
}

component! {
    /// Smallest and largest sample of a signal.
    ///
    /// # Equations
    /// Samples are taken at the start of the simulation and each `Ts` after it. `y_min` is the
    /// smallest one, taken at `t_min`, and `y_max` the largest one, taken at `t_max`.
    ///
    /// # Events
    /// A time event at each sample.
    pub struct SignalExtrema = "Modelica.Blocks.Math.SignalExtrema" {
        /// Time between two samples
        t_s "Ts": Real["s", > 0, fixed],
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Smallest sample
        y_min: Real,
        /// Largest sample
        y_max: Real,
        /// Time of the smallest sample
        t_min: Real["s"],
        /// Time of the largest sample
        t_max: Real["s"],
    }
}

/// Whether the first value is beyond the second one.
type Comparison = fn(Ex, Ex) -> Bool;

impl Component for SignalExtrema {
    fn contribute(p: SignalExtremaParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let samples = periods_end(c, |count| count * p.t_s);
        let extrema: [(_, _, Comparison); 2] =
            [("y_min", "t_min", |u, y| u.lt(y)), ("y_max", "t_max", |u, y| u.gt(y))];
        for (extremum, time_of, exceeds) in extrema {
            c.passes_unit("u", extremum);
            let (y, t) = (c.discrete(extremum, 0.0).done(), c.discrete(time_of, 0.0).done());
            c.signal(time_of, move |_| Ok(t.pre()));
            c.signal(extremum, move |e| {
                let (u, time) = (e.read(input)?, e.time());
                let model = e.model();
                let taken = model.initial() | (samples & exceeds(u, y.pre()));
                let value = select(taken, u, y.pre());
                model.update(y, value);
                model.update(t, select(taken, time, t.pre()));
                Ok(value)
            });
        }
        Ok(())
    }
}
