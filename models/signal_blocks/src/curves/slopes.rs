//! Slopes of smooth curves at the points of a table.
//!
//! Between two points a curve is the cubic polynomial with the values and the slopes of both.
//! * H. Akima: A new method of interpolation and smooth curve fitting based on local procedures.
//!   Journal of the ACM 17 (1970), pp. 589-602.
//! * F. N. Fritsch, J. Butland: A method for constructing local monotone piecewise cubic
//!   interpolants. SIAM Journal on Scientific and Statistical Computing 5 (1984), pp. 300-304.
//! * M. Steffen: A simple method for monotonic interpolation in one dimension. Astronomy and
//!   Astrophysics 239 (1990), pp. 443-450.

use super::Smoothness;
use equations::{Ex, LookupTable, select};

/// The points of a column, with the lines between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Points<'a> {
    /// The table; its abscissae ascend strictly.
    pub table: &'a LookupTable,
    /// The column, counted from 1 after the abscissae.
    pub column: usize,
    /// Whether the lines of the other end continue those of an end.
    pub wraps: bool,
}

impl Points<'_> {
    /// The number of lines between points, less one.
    fn last(self) -> Ex {
        self.table.rows() - 2.0
    }

    /// How much longer the abscissa, or the ordinate, is at the end of a line.
    fn rise(self, column: usize, k: Ex) -> Ex {
        self.table.entry(column, k + 1.0) - self.table.entry(column, k)
    }

    /// The slope of a line between two points; zero if there is only one point.
    fn line(self, k: Ex) -> Ex {
        let run = self.rise(0, k);
        let single = run.le(0.0);
        select(single, 0.0, self.rise(self.column, k) / select(single, 1.0, run))
    }

    /// The number of the line at place `k`. Beyond the ends, that is the outermost line, or a line
    /// at the other end if the table wraps.
    fn at_place(self, k: Ex) -> Ex {
        let lines = self.last() + 1.0;
        if self.wraps { k - (k / lines).floor() * lines } else { k.max(0.0).min(self.last()) }
    }

    /// The slope at place `k`. Beyond the ends of a table that does not wrap, the slope continues
    /// to change as between the outermost two lines.
    fn slope(self, k: Ex) -> Ex {
        let inside = self.line(self.at_place(k));
        if self.wraps {
            return inside;
        }
        let (zero, last) = (Ex::zero(), self.last());
        let change = |to: Ex, from: Ex| self.line(to) - self.line(from);
        let first = change(zero, last.min(1.0)) * (-k).max(0.0);
        let beyond = change(last, (last - 1.0).max(0.0)) * (k - last).max(0.0);
        inside + first + beyond
    }

    /// The slopes of line `i`, and of the curve at the begin and at the end of this line.
    pub fn along(self, smoothness: Smoothness, i: Ex) -> [Ex; 3] {
        let slope = |k: f64| self.slope(i + k);
        let line = slope(0.0);
        let ends = [0.0, 1.0].map(|k| match smoothness {
            Smoothness::MonotoneContinuousDerivative1 => self.monotone(i + k, fritsch_butland),
            Smoothness::MonotoneContinuousDerivative2 => self.monotone(i + k, steffen),
            _ => {
                let around = [k - 2.0, k - 1.0, k, k + 1.0].map(slope);
                akima(smoothness == Smoothness::ModifiedContinuousDerivative, around)
            }
        });
        [line, ends[0], ends[1]]
    }

    /// The slope at a point. It vanishes at extrema, and at the ends it is that of the line there.
    fn monotone(self, point: Ex, inside: fn([Ex; 2], [Ex; 2]) -> Ex) -> Ex {
        let lines = [self.at_place(point - 1.0), self.at_place(point)];
        let slopes = lines.map(|k| self.line(k));
        let ascends = (slopes[0] * slopes[1]).gt(0.0);
        let safe = slopes.map(|slope| select(ascends, slope, 1.0));
        let between = select(ascends, inside(safe, lines.map(|k| self.rise(0, k))), 0.0);
        let is_end = point.le(0.0) | point.gt(self.last());
        if self.wraps { between } else { select(is_end, slopes[0], between) }
    }
}

/// Akima's slope at a point, from the slopes of two lines before it and two lines behind it. The
/// slope is a weighted mean of both lines that meet at the point. A line weighs more if the slope
/// changes little beyond the other line.
fn akima(is_modified: bool, [before, from, to, behind]: [Ex; 4]) -> Ex {
    let weight = |a: Ex, b: Ex| {
        let change = (b - a).abs();
        if is_modified { change + 0.5 * (b + a).abs() } else { change }
    };
    let (left, right) = (weight(to, behind), weight(before, from));
    let sum = left + right;
    let bends = sum.gt(0.0);
    let weighted = (left * from + right * to) / select(bends, sum, 1.0);
    select(bends, weighted, if is_modified { Ex::zero() } else { (from + to) * 0.5 })
}

fn fritsch_butland(d: [Ex; 2], h: [Ex; 2]) -> Ex {
    3.0 * (h[0] + h[1]) / ((h[0] + 2.0 * h[1]) / d[0] + (h[1] + 2.0 * h[0]) / d[1])
}

fn steffen(d: [Ex; 2], h: [Ex; 2]) -> Ex {
    let slope = (d[0] * h[1] + d[1] * h[0]) / (h[0] + h[1]);
    let largest = 2.0 * d[0].abs().min(d[1].abs());
    let size = slope.abs().min(largest);
    select(d[0].gt(0.0), size, -size)
}
