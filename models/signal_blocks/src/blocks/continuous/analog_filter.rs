//! Filters of any order.

use super::prototypes::{AnalogFilter, PolePair, Prototype};
use crate::signals::init::{Init, begin, starts, state};
use crate::signals::interfaces::block;
use equations::{Bool, Ex};
use mechanics::assembly::element;
use mechanics::declaration::{choice, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use std::f64::consts::PI;

component! {
    /// Low-pass filter of Butterworth of any order: systems of second order in series and, if the
    /// order is odd, a lag.
    ///
    /// # Equations
    /// `der(x1[i]) = x2[i]`, `der(x2[i]) = w (w (z[i] - x1[i]) - 2 D[i] x2[i])`, `z[1] = u`,
    /// `z[i+1] = x1[i]`; `D[i] = -cos(pi/2 + pi/n (i - 1/2))`, `w = 2 pi f`. If `n` is odd,
    /// `der(xr) = w (z[m+1] - xr)` and `y = xr`, else `xr = 0` and `y = z[m+1]`.
    pub struct LowpassButterworth = "Modelica.Blocks.Continuous.LowpassButterworth" {
        /// Order of the filter
        n: Integer["1", >= 1] = 2,
        /// Cut-off frequency
        f: Real["Hz", > 0],
        /// How the block begins
        init_type "initType": Init = Init::NoInit,
        /// Start values of the outputs of the systems of second order, 0 if they are not given
        x1_start?: [Real],
        /// Start values of their derivatives, 0 if they are not given
        x2_start?: [Real],
        /// Start value of the lag
        xr_start: Real = 0,
        /// Start value of the output, for `initType = InitialOutput`
        y_start: Real[on demand] = 0,
        ..block,
    }
    variables {
        /// Output of a system of second order
        x1?: Array,
        /// Derivative of this output
        x2?: Array,
        /// Output of the lag
        xr: Real,
    }
}

impl Component for LowpassButterworth {
    fn contribute(p: LowpassButterworthParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (n, w, input) = (p.n as usize, p.f * (2.0 * PI), c.input("u")?);
        let m = n / 2;
        c.passes_unit("u", "y");
        let x1_start = starts(c, ("x1_start", p.x1_start), m)?;
        let x2_start = starts(c, ("x2_start", p.x2_start), m)?;
        let array = |c: &mut Contribution<'_>, name: &str, starts: Vec<Option<Ex>>| {
            let of = |(i, start)| state(c, element(name, i), start, 1.0);
            (1..).zip(starts).map(of).collect::<Vec<_>>()
        };
        let mut states = array(c, "x1", x1_start);
        states.extend(array(c, "x2", x2_start));
        let lag = (n % 2 == 1).then(|| state(c, "xr", Some(p.xr_start), 1.0));
        states.extend(lag);
        let x: Vec<Ex> = states.iter().map(|&(_, x)| x).collect();
        let (x1, x2) = (x[..m].to_vec(), x[m..2 * m].to_vec());
        let y = lag.map_or_else(|| x1[m - 1], |(_, xr)| xr);
        begin(c, p.init_type, &states, p.y_start, move |_| Ok(y))?;
        c.output("y", move |_| Ok(y));
        if lag.is_none() {
            c.output("xr", |_| Ok(Ex::zero()));
        }
        c.law(move |e| {
            let mut z = e.read(input)?;
            let model = e.model();
            for (i, (x1, x2)) in x1.into_iter().zip(x2).enumerate() {
                let damping = -(PI / 2.0 + PI / n as f64 * (i as f64 + 0.5)).cos();
                model.derivative(x1, x2);
                model.derivative(x2, w * (w * (z - x1) - 2.0 * damping * x2));
                z = x1;
            }
            if let Some((_, xr)) = lag {
                model.derivative(xr, w * (z - xr));
            }
            Ok(())
        });
        Ok(())
    }
}

choice! {
    /// The frequencies that a filter passes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum FilterType {
        /// Low ones.
        #[default]
        LowPass,
        /// High ones.
        HighPass,
        /// Those of a band.
        BandPass,
        /// All but those of a band.
        BandStop,
    }
}

component! {
    /// Analog filter of any order: low-pass, high-pass, band-pass or band-stop filter.
    ///
    /// # Equations
    /// Sections in series. A real pole: `der(x) = r (x - v)` with the input `v` of the section; its
    /// output is `x` or, in a high-pass filter, `v - x`. A pair of complex poles `a + b i`:
    /// `der(x1) = a x1 - b x2 + ku v`, `der(x2) = b x1 + a x2` with `ku = (a^2 + b^2) / b`; its
    /// output is `x2` in a low-pass filter, and otherwise a sum of `x1`, `x2` and `v`. The first
    /// `v` is `u / u_nominal`, and `y` is the last output times `gain u_nominal`.
    ///
    /// The poles are those of a low-pass filter with `s` replaced: by `w / s` in a high-pass
    /// filter, by `(s / w0 + w0 / s) / B` in a band-pass filter with `w0^2 = w_min w_cut` and
    /// `B = (w_cut - w_min) / w0`, and by the inverse of this in a band-stop filter. Both double
    /// the order.
    ///
    /// With `normalized`, the amplitude at `f_cut` (and at `f_min`) is 3 dB below `gain`. That of a
    /// Butterworth filter is `gain / sqrt(2)` in any case. This is what the Modelica Standard
    /// Library states as well. Its equations agree for low-pass and high-pass filters.
    /// Its band-pass filters lack the last coefficients of the polynomials in the numerator; its
    /// band-stop filters have several zeros near `w0` instead of one.
    pub struct Filter = "Modelica.Blocks.Continuous.Filter" {
        /// Characteristic of the filter
        analog_filter "analogFilter": AnalogFilter = AnalogFilter::CriticalDamping,
        /// The frequencies that pass
        filter_type "filterType": FilterType = FilterType::LowPass,
        /// Order of the filter
        order: Integer["1", >= 1] = 2,
        /// Cut-off frequency; the upper one of a band
        f_cut: Real["Hz", > 0],
        /// Amplitude of the frequencies that pass
        gain: Real = 1,
        /// Ripple of the pass band of a Chebyshev filter in dB
        A_ripple: Real["1", > 0, constant] = 0.5,
        /// Lower cut-off frequency of a band
        f_min: Real["Hz", >= 0, on demand] = 0,
        /// Whether the amplitude at `f_cut` is -3 dB
        normalized: bool = true,
        /// How the block begins
        init: Init = Init::SteadyState,
        /// Start values of the states, 0 if they are not given
        x_start?: [Real],
        /// Start value of the output, for `init = InitialOutput`
        y_start: Real[on demand] = 0,
        /// Magnitude of the input, by which the states are scaled
        u_nominal: Real[> 0] = 1,
        ..block,
    }
    variables {
        /// State
        x: Array,
    }
}

/// A part of a filter, from its input `v` to its output.
#[derive(Clone, Copy)]
enum Section {
    /// A pole `r`; the output is `x` or, with `rest`, `v - x`.
    Real { r: Ex, rest: bool },
    /// A pair of poles `a + b i`; the output is `k1 x1 + k2 x2 + direct v`.
    Pair { a: Ex, b: Ex, k1: Ex, k2: Ex, direct: f64 },
}

impl Section {
    /// A pair of poles with the transfer function
    /// `(n[0] s^2 + n[1] s + n[2]) / (s^2 + c1 s + c0)`, which is compared with
    /// `(k1 x1 + k2 x2) / v + n[0]`, where `x2 / v = c0 / (..)` and `x1 / v = c0 (s - a) / (b ..)`.
    fn pair(c0: Ex, c1: Ex, direct: f64, [n1, n2]: [Ex; 2]) -> Section {
        let a = -0.5 * c1;
        let b = (c0 - a.square()).sqrt();
        let of_s = n1 - direct * c1;
        let k1 = of_s * b / c0;
        let k2 = (n2 - direct * c0 + of_s * a) / c0;
        Section::Pair { a, b, k1, k2, direct }
    }

    /// The number of its states.
    fn count(self) -> usize {
        match self {
            Section::Real { .. } => 1,
            Section::Pair { .. } => 2,
        }
    }

    /// The derivatives of its states.
    fn derivatives(self, x: &[Ex], v: Ex) -> Vec<Ex> {
        match self {
            Section::Real { r, .. } => vec![r * (x[0] - v)],
            Section::Pair { a, b, .. } => {
                let ku = (a.square() + b.square()) / b;
                vec![a * x[0] - b * x[1] + ku * v, b * x[0] + a * x[1]]
            }
        }
    }

    /// The states at which the derivatives vanish.
    fn at_rest(self, v: Ex) -> Vec<Ex> {
        match self {
            Section::Real { .. } => vec![v],
            Section::Pair { a, b, .. } => vec![-a / b * v, v],
        }
    }

    /// Its output.
    fn output(self, x: &[Ex], v: Ex) -> Ex {
        match self {
            Section::Real { rest: false, .. } => x[0],
            Section::Real { rest: true, .. } => v - x[0],
            Section::Pair { k1, k2, direct, .. } => k1 * x[0] + k2 * x[1] + direct * v,
        }
    }
}

impl FilterType {
    fn is_band(self) -> bool {
        matches!(self, FilterType::BandPass | FilterType::BandStop)
    }

    /// The sections of a filter between the frequencies `w_min` and `w_cut` in rad/s, of which the
    /// first is used for bands only; and whether their poles are complex.
    fn sections(self, of: &Prototype, w_min: Ex, w_cut: Ex) -> (Vec<Section>, Bool) {
        let zero = Ex::zero();
        if !self.is_band() {
            let is_high = self == FilterType::HighPass;
            let real = of.real.iter().map(|&cr| match is_high {
                true => Section::Real { r: -w_cut / cr, rest: true },
                false => Section::Real { r: -w_cut * cr, rest: false },
            });
            let pairs = of.pairs.iter().map(|&PolePair { c0, c1 }| match is_high {
                true => Section::pair(w_cut.square() / c0, w_cut * (c1 / c0), 1.0, [zero; 2]),
                false => {
                    let c0 = w_cut.square() * c0;
                    Section::pair(c0, w_cut * c1, 0.0, [zero, c0])
                }
            });
            return (real.chain(pairs).collect(), Bool::constant(true));
        }
        let w0 = (w_min * w_cut).sqrt();
        let band = (w_cut - w_min) / w0;
        let is_stop = self == FilterType::BandStop;
        let (mut sections, mut is_complex) = (Vec::new(), Bool::constant(true));
        // A pair with the polynomial `s^2 + c1 s + c0` of `s / w0`, and the factor `gain` of a
        // band-pass filter.
        let mut add = |c0: Ex, c1: Ex, gain: f64| {
            is_complex = is_complex & (4.0 * c0).gt(c1.square());
            let (c0, c1) = (c0 * w0.square(), c1 * w0);
            sections.push(match is_stop {
                true => Section::pair(c0, c1, 1.0, [zero, w0.square()]),
                false => Section::pair(c0, c1, 0.0, [gain * band * w0, zero]),
            });
        };
        for &cr in &of.real {
            add(Ex::one(), if is_stop { band / cr } else { band * cr }, cr);
        }
        // The poles of each pair become two pairs with the polynomials `s^2 + s c alpha + alpha^2`
        // and `s^2 + s c / alpha + 1 / alpha^2`. With `p = (alpha + 1 / alpha)^2`, comparison with
        // the product gives `p^2 - (4 + c0 B^2) p + c1^2 B^2 = 0`, whose larger root is at least 4.
        for &PolePair { c0, c1 } in &of.pairs {
            let gain = c0.sqrt();
            let (c0, c1) = if is_stop { (1.0 / c0, c1 / c0) } else { (c0, c1) };
            let half = 2.0 + 0.5 * c0 * band.square();
            let p = half + (half.square() - (c1 * band).square()).sqrt();
            let alpha = 0.5 * (p.sqrt() - (p - 4.0).sqrt());
            let c = c1 * band / p.sqrt();
            add(1.0 / alpha.square(), c / alpha, gain);
            add(alpha.square(), c * alpha, gain);
        }
        (sections, is_complex)
    }
}

impl Component for Filter {
    fn contribute(p: FilterParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let input = c.input("u")?;
        let kind = p.filter_type;
        let prototype = Prototype::of(p.analog_filter, p.order as usize, p.A_ripple, p.normalized);
        let f_min = match kind.is_band() {
            true => {
                let f_min = p.f_min.declare(c)?;
                let is_band = f_min.gt(0.0) & f_min.lt(p.f_cut);
                c.require(&["f_min", "f_cut"], is_band, "f_min must be positive and below f_cut")?;
                f_min
            }
            false => Ex::zero(),
        };
        let [w_min, w_cut] = [f_min, p.f_cut].map(|f| f * (2.0 * PI));
        let (sections, is_complex) = kind.sections(&prototype, w_min, w_cut);
        if kind.is_band() {
            let sentence = "the band is so wide that poles of the filter are real; another \
                            analogFilter may be possible";
            c.require(&["f_min", "f_cut"], is_complex, sentence)?;
        }
        if c.fixed_number(p.gain).map(f64::abs) == Some(1.0) {
            c.passes_unit("u", "y");
        }
        let count = sections.iter().map(|section| section.count()).sum();
        let starts = starts(c, ("x_start", p.x_start), count)?;
        let of = |(i, start)| state(c, element("x", i), start, 1.0);
        let states: Vec<_> = (1..).zip(starts).map(of).collect();
        let mut rest = &states[..];
        let parts: Vec<(Section, Vec<Ex>)> = sections
            .into_iter()
            .map(|section| {
                let (own, others) = rest.split_at(section.count());
                rest = others;
                (section, own.iter().map(|&(_, x)| x).collect())
            })
            .collect();
        let series = parts.clone();
        let output = move |e: &mut SignalView<'_>| -> Result<Ex, Error> {
            let first = e.read(input)? / p.u_nominal;
            let last = series.iter().fold(first, |v, (section, x)| section.output(x, v));
            Ok(p.gain * p.u_nominal * last)
        };
        if p.init == Init::SteadyState {
            for (k, &(name, x)) in states.iter().enumerate() {
                let parts = parts.clone();
                c.steady_state_at(name, x, move |e| {
                    let mut v = e.read(input)? / p.u_nominal;
                    let mut all = Vec::new();
                    for (section, _) in parts {
                        let own = section.at_rest(v);
                        v = section.output(&own, v);
                        all.extend(own);
                    }
                    Ok(all[k])
                });
            }
        } else {
            begin(c, p.init, &states, p.y_start, output.clone())?;
        }
        for &(name, x) in &states {
            c.signal(name, move |_| Ok(x));
        }
        c.output("y", output);
        c.law(move |e| {
            let mut v = e.read(input)? / p.u_nominal;
            for (section, x) in parts {
                for (&x, derivative) in x.iter().zip(section.derivatives(&x, v)) {
                    e.model().derivative(x, derivative);
                }
                v = section.output(&x, v);
            }
            Ok(())
        });
        Ok(())
    }
}
