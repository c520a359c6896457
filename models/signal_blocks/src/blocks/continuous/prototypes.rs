//! Prototypes of analog filters: low-pass filters with the cut-off frequency 1 rad/s.

use mechanics::declaration::choice;
use nalgebra::DMatrix;
use std::f64::consts::PI;

choice! {
    /// Characteristic of an analog filter.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum AnalogFilter {
        /// Equal real poles: the step response does not overshoot.
        #[default]
        CriticalDamping,
        /// Constant delay of the pass band.
        Bessel,
        /// Flat pass band.
        Butterworth,
        /// Steepest slope at the cut-off frequency, with ripples in the pass band.
        ChebyshevI,
    }
}

/// The polynomial `s^2 + c1 s + c0` of a pair of complex poles.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolePair {
    pub c0: f64,
    pub c1: f64,
}

/// The denominator of a filter whose amplitude at the frequency 0 is 1.
#[derive(Clone, Debug)]
pub(super) struct Prototype {
    /// The polynomials `s + cr` of real poles.
    pub real: Vec<f64>,
    pub pairs: Vec<PolePair>,
}

/// An amplitude of -3 dB.
const MINUS_3_DB: f64 = -3.0;

/// The amplitude of a number of decibels.
fn amplitude(decibels: f64) -> f64 {
    10_f64.powf(decibels / 20.0)
}

impl Prototype {
    /// That of a filter; with `normalized`, the amplitude at the frequency 1 rad/s is -3 dB. The
    /// ripple in dB is that of a Chebyshev filter.
    pub fn of(filter: AnalogFilter, order: usize, ripple: f64, normalized: bool) -> Self {
        let n = order as f64;
        match filter {
            AnalogFilter::CriticalDamping => {
                let alpha = (amplitude(MINUS_3_DB).powf(-2.0 / n) - 1.0).sqrt();
                let real = if normalized { 1.0 / alpha } else { 1.0 };
                Prototype { real: vec![real; order], pairs: Vec::new() }
            }
            // The amplitude of this filter at 1 rad/s is the square root of a half, always.
            AnalogFilter::Butterworth => {
                let pair = |i: usize| {
                    let angle = PI * (0.5 + (i as f64 + 0.5) / n);
                    PolePair { c0: 1.0, c1: -2.0 * angle.cos() }
                };
                Prototype::new(order, 1.0, pair)
            }
            AnalogFilter::Bessel => Prototype::bessel(order).normalized_if(normalized),
            AnalogFilter::ChebyshevI => {
                let epsilon = (amplitude(ripple).powi(2) - 1.0).sqrt();
                let fac = (1.0 / epsilon).asinh() / n;
                let pair = |i: usize| {
                    let halves = (2 * i + 1 + order % 2) as f64;
                    let cos = (0.5 * halves * PI / n).cos();
                    let c0 = fac.cosh().powi(2) - cos * cos;
                    PolePair { c0, c1: 2.0 * fac.sinh() * cos }
                };
                Prototype::new(order, fac.sinh(), pair).normalized_if(normalized)
            }
        }
    }

    /// That of an order: pairs of poles and, if the order is odd, a real one.
    fn new(order: usize, real: f64, pair: impl Fn(usize) -> PolePair) -> Self {
        let pairs = (0..order / 2).map(pair).collect();
        Prototype { real: vec![real; order % 2], pairs }
    }

    /// The denominator of a Bessel filter with a delay of 1 s.
    ///
    /// The inverses of its roots are those of the polynomials `y[0] = 1`, `y[1] = x + 1`,
    /// `y[k] = (2 k - 1) x y[k-1] + y[k-2]`: the eigenvalues of a matrix with three diagonals, in
    /// which suitable factors of the polynomials make the outer two opposite.
    fn bessel(order: usize) -> Self {
        let mut matrix = DMatrix::zeros(order, order);
        matrix[(0, 0)] = -1.0;
        for k in 1..order {
            let outer = 1.0 / (((2 * k - 1) * (2 * k + 1)) as f64).sqrt();
            matrix[(k - 1, k)] = outer;
            matrix[(k, k - 1)] = -outer;
        }
        let mut roots: Vec<_> = matrix.complex_eigenvalues().iter().map(|x| x.inv()).collect();
        // The root of an odd order that is real comes first, then the pairs next to it.
        roots.sort_by(|a, b| a.im.abs().total_cmp(&b.im.abs()));
        let real = -roots[0].re;
        let upper: Vec<_> = roots[order % 2..].iter().filter(|root| root.im > 0.0).collect();
        let pair = |i: usize| PolePair { c0: upper[i].norm_sqr(), c1: -2.0 * upper[i].re };
        Prototype::new(order, real, pair)
    }

    fn normalized_if(self, wanted: bool) -> Self {
        if !wanted {
            return self;
        }
        let w = self.cut_off();
        let pair = |pair: PolePair| PolePair { c0: pair.c0 / (w * w), c1: pair.c1 / w };
        Prototype {
            real: self.real.into_iter().map(|real| real / w).collect(),
            pairs: self.pairs.into_iter().map(pair).collect(),
        }
    }

    /// The amplitude at a frequency in rad/s.
    pub fn amplitude(&self, w: f64) -> f64 {
        let of_real = self.real.iter().map(|real| real / real.hypot(w));
        let of_pair = self.pairs.iter().map(|pair| pair.c0 / (pair.c0 - w * w).hypot(pair.c1 * w));
        of_real.chain(of_pair).product()
    }

    /// The frequency in rad/s at which the amplitude is -3 dB, by bisection.
    fn cut_off(&self) -> f64 {
        let passes = |w: f64| self.amplitude(w) > amplitude(MINUS_3_DB);
        let (mut below, mut above) = (0.0, 1.0);
        while passes(above) {
            (below, above) = (above, 1.1 * above);
        }
        while above - below > f64::EPSILON * above {
            let middle = 0.5 * (below + above);
            match passes(middle) {
                _ if middle == below || middle == above => break,
                true => below = middle,
                false => above = middle,
            }
        }
        above
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [AnalogFilter; 4] = [
        AnalogFilter::CriticalDamping,
        AnalogFilter::Bessel,
        AnalogFilter::Butterworth,
        AnalogFilter::ChebyshevI,
    ];

    #[test]
    fn the_amplitude_at_the_cut_off_frequency_is_3_db_below_that_at_rest() {
        for filter in ALL {
            for order in 1..=41 {
                let prototype = Prototype::of(filter, order, 0.5, true);
                let butterworth = filter == AnalogFilter::Butterworth;
                let expected = if butterworth { 0.5_f64.sqrt() } else { amplitude(MINUS_3_DB) };
                let found = prototype.amplitude(1.0);
                assert!((found - expected).abs() < 1e-12, "{filter:?} {order}: {found}");
                assert_eq!(prototype.real.len() + 2 * prototype.pairs.len(), order);
            }
        }
    }

    #[test]
    fn a_chebyshev_filter_has_its_ripple_up_to_its_own_cut_off_frequency() {
        for order in 1..=12 {
            let prototype = Prototype::of(AnalogFilter::ChebyshevI, order, 2.0, false);
            let amplitudes = (0..=1000).map(|k| prototype.amplitude(f64::from(k) / 1000.0));
            let (low, high) =
                amplitudes.fold((f64::MAX, 0.0_f64), |(low, high), a| (low.min(a), high.max(a)));
            let ripple = 20.0 * (high / low).log10();
            assert!((ripple - 2.0).abs() < 1e-3, "{order}: {ripple}");
        }
    }

    #[test]
    fn the_delay_of_a_bessel_filter_is_flat() {
        // The phase of `1 / p` at a low frequency is that of a delay of 1 s.
        for order in 1..=41 {
            let prototype = Prototype::of(AnalogFilter::Bessel, order, 0.5, false);
            let w = 0.1;
            let of_real = prototype.real.iter().map(|real| (w / real).atan());
            let of_pairs = prototype.pairs.iter().map(|p| (p.c1 * w).atan2(p.c0 - w * w));
            let phase: f64 = of_real.chain(of_pairs).sum();
            let error = if order == 1 { 4e-3 } else { 2e-5 };
            assert!((phase / w - 1.0).abs() < error, "{order}: {}", phase / w);
        }
    }

    #[test]
    fn bessel_filters_have_the_published_coefficients() {
        // `c2 s^2 + c1 s + 1` of normalized filters, pair by pair. Poles of high orders depend
        // on the last digits of the polynomial; the filter does not.
        let published: [(usize, f64, &[[f64; 2]]); 3] = [
            (2, 1e-12, &[[0.615_913_220_178_379_1, 1.359_315_879_600_889]]),
            (
                5,
                1e-12,
                &[
                    [0.411_523_190_061_401_6, 1.138_349_926_728_708],
                    [0.323_493_870_287_791_2, 0.620_599_298_577_131_3],
                ],
            ),
            (
                18,
                1e-6,
                &[
                    [0.158_876_857_197_635_6, 0.795_191_426_321_291_3],
                    [0.156_935_702_498_185_4, 0.774_452_969_077_253_8],
                ],
            ),
        ];
        for (order, tolerance, pairs) in published {
            let prototype = Prototype::of(AnalogFilter::Bessel, order, 0.5, true);
            for ([c2, c1], found) in pairs.iter().zip(&prototype.pairs) {
                assert!(
                    (1.0 / found.c0 - c2).abs() < tolerance * c2,
                    "{order}: {}",
                    1.0 / found.c0
                );
                assert!((found.c1 / found.c0 - c1).abs() < tolerance * c1, "{order}");
            }
        }
    }
}
