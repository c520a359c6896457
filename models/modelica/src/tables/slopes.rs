//! Slopes of smooth curves at the points of a table.
//!
//! Between two points a curve is the cubic polynomial with the values and the slopes of both.
//! * H. Akima: A new method of interpolation and smooth curve fitting based on local procedures.
//!   Journal of the ACM 17 (1970), pp. 589-602.
//! * F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic
//!   interpolants. SIAM Journal on Scientific and Statistical Computing 5 (1984), pp. 300-304.
//! * M. Steffen: A simple method for monotonic interpolation in one dimension. Astronomy and
//!   Astrophysics 239 (1990), pp. 443-450.

/// How the slopes follow from the points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Akima's method.
    Akima,
    /// Akima's method with weights that avoid overshoots at plateaus.
    ModifiedAkima,
    /// The method of Fritsch and Butland.
    FritschButland,
    /// Steffen's method.
    Steffen,
}

/// The slopes at points, of which there are at least two with ascending abscissae.
pub fn slopes(method: Method, xs: &[f64], ys: &[f64]) -> Vec<f64> {
    let lines: Vec<f64> =
        xs.windows(2).zip(ys.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0])).collect();
    if lines.len() == 1 {
        return vec![lines[0]; 2];
    }
    match method {
        Method::Akima | Method::ModifiedAkima => akima(method, &lines),
        Method::FritschButland => monotone(xs, &lines, &fritsch_butland),
        Method::Steffen => monotone(xs, &lines, &steffen),
    }
}

/// Beyond the ends, the slopes of lines continue to change as between the outermost two lines.
fn akima(method: Method, lines: &[f64]) -> Vec<f64> {
    let n = lines.len();
    let first = lines[1] - lines[0];
    let last = lines[n - 1] - lines[n - 2];
    let mut all = vec![lines[0] - 2.0 * first, lines[0] - first];
    all.extend_from_slice(lines);
    all.extend([lines[n - 1] + last, lines[n - 1] + 2.0 * last]);
    let slope = |d: &[f64]| {
        let weight = |a: f64, b: f64| match method {
            Method::ModifiedAkima => (b - a).abs() + 0.5 * (b + a).abs(),
            _ => (b - a).abs(),
        };
        let (left, right) = (weight(d[2], d[3]), weight(d[0], d[1]));
        match (left + right > 0.0, method) {
            (true, _) => (left * d[1] + right * d[2]) / (left + right),
            (false, Method::ModifiedAkima) => 0.0,
            (false, _) => 0.5 * (d[1] + d[2]),
        }
    };
    all.windows(4).map(slope).collect()
}

/// At the ends, the slopes are those of the lines there; they vanish at extrema.
fn monotone(xs: &[f64], lines: &[f64], inside: &dyn Fn([f64; 2], [f64; 2]) -> f64) -> Vec<f64> {
    let steps: Vec<f64> = xs.windows(2).map(|x| x[1] - x[0]).collect();
    let between = lines
        .windows(2)
        .zip(steps.windows(2))
        .map(|(d, h)| if d[0] * d[1] > 0.0 { inside([d[0], d[1]], [h[0], h[1]]) } else { 0.0 });
    let ends = [lines[0], lines[lines.len() - 1]];
    std::iter::once(ends[0]).chain(between).chain([ends[1]]).collect()
}

fn fritsch_butland(d: [f64; 2], h: [f64; 2]) -> f64 {
    3.0 * (h[0] + h[1]) / ((h[0] + 2.0 * h[1]) / d[0] + (h[1] + 2.0 * h[0]) / d[1])
}

fn steffen(d: [f64; 2], h: [f64; 2]) -> f64 {
    let slope = (d[0] * h[1] + d[1] * h[0]) / (h[0] + h[1]);
    let largest = 2.0 * d[0].abs().min(d[1].abs());
    slope.abs().min(largest).copysign(d[0])
}
