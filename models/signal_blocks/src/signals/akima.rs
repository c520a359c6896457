//! The smooth curve of Akima through the points of a table.
//!
//! H. Akima: A new method of interpolation and smooth curve fitting based on local procedures.
//! Journal of the ACM 17 (1970), pp. 589-602.

use equations::{Ex, LookupTable, select};

/// The curve through the points of a column.
///
/// Between two points it is a cubic polynomial. The slope at a point is a mean of the slopes of the
/// lines on both sides, each weighted by how little the slope changes beyond the other one.
#[derive(Debug)]
pub(super) struct Akima<'a> {
    /// The table; its abscissae ascend strictly.
    pub table: &'a LookupTable,
    /// The column, counted from 1 after the abscissae.
    pub column: usize,
    /// Whether the table is repeated.
    pub periodic: bool,
}

impl Akima<'_> {
    /// The number of lines between points, less one.
    fn last(&self) -> Ex {
        self.table.rows() - 2.0
    }

    /// The slope of a line between two points; zero if there is only one point.
    fn line(&self, k: Ex) -> Ex {
        let rise = |column| self.table.entry(column, k + 1.0) - self.table.entry(column, k);
        let run = rise(0);
        let single = run.le(0.0);
        select(single, 0.0, rise(self.column) / select(single, 1.0, run))
    }

    /// The slope of line `k`. Beyond the ends, the slope continues to change as between the
    /// outermost two lines, or, if the table is repeated, at its other end.
    fn slope(&self, k: Ex) -> Ex {
        let (zero, last) = (Ex::zero(), self.last());
        if self.periodic {
            let lines = last + 1.0;
            return self.line(k - (k / lines).floor() * lines);
        }
        let change = |to: Ex, from: Ex| self.line(to) - self.line(from);
        let first = change(zero, last.min(1.0)) * (-k).max(0.0);
        let beyond = change(last, (last - 1.0).max(0.0)) * (k - last).max(0.0);
        self.line(k.max(0.0).min(last)) + first + beyond
    }

    /// The slope at a point, from those of two lines before it and of two lines behind it.
    fn tangent(&self, [before, from, to, behind]: [Ex; 4]) -> Ex {
        let (left, right) = ((behind - to).abs(), (from - before).abs());
        let sum = left + right;
        let bends = sum.gt(0.0);
        let weighted = (left * from + right * to) / select(bends, sum, 1.0);
        select(bends, weighted, (from + to) * 0.5)
    }

    /// The value at `x`, where `count` points are at most at `x`. Beyond the ends, the curve
    /// continues as a line, which is level if the curve is `held`.
    pub fn at(&self, count: Ex, x: Ex, held: bool) -> Ex {
        let last = self.last();
        let i = (count - 1.0).max(0.0).min(last);
        let lines = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|k| self.slope(i + k));
        let [a, b, d, e, f] = lines;
        let (begin, end) = (self.tangent([a, b, d, e]), self.tangent([b, d, e, f]));
        let [x0, x1] = [i, i + 1.0].map(|row| self.table.entry(0, row));
        let [y0, y1] = [i, i + 1.0].map(|row| self.table.entry(self.column, row));
        let (h, t) = (x1 - x0, x - x0);
        let square = (3.0 * d - 2.0 * begin - end) / h;
        let cube = (begin + end - 2.0 * d) / (h * h);
        let inside = y0 + t * (begin + t * (square + t * cube));
        let sloping = if held { Ex::zero() } else { Ex::one() };
        let before = y0 + sloping * begin * t;
        let behind = y1 + sloping * end * (x - x1);
        select(count.lt(1.0), before, select(count.gt(last + 1.0), behind, inside))
    }
}
