//! Curves through the points of a table, as expressions.

use super::slopes::slopes;
use super::{Extrapolation, Smoothness};
use crate::value::Misfit;
use equations::{Ex, LookupTable, TableShape, lookup_table, select};

/// A curve through points.
#[derive(Debug)]
pub struct Curve {
    /// Abscissa, ordinate, and slope if the curve is smooth.
    table: LookupTable,
    points: usize,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    /// The first and the last abscissa.
    pub ends: [f64; 2],
}

impl Curve {
    /// The curve through points, whose abscissae may be equal (jumps) if `jumps`.
    ///
    /// # Errors
    /// The abscissae do not ascend.
    pub fn new(
        name: &str,
        (xs, ys): (&[f64], &[f64]),
        (smoothness, extrapolation): (Smoothness, Extrapolation),
        jumps: bool,
    ) -> Result<Curve, Misfit> {
        let points = xs.len();
        let method = match smoothness {
            Smoothness::Cubic(method) if points > 1 => Some(method),
            _ => None,
        };
        let periodic = extrapolation == Extrapolation::Periodic && points > 1;
        let jumps = jumps && method.is_none();
        let shape = TableShape { columns: 2 + usize::from(method.is_some()), jumps, periodic };
        let plain = TableShape { columns: 1, ..shape };
        lookup_table(name, xs.to_vec(), plain).map_err(|error| error.to_string())?;
        let slopes = method.map(|method| slopes(method, xs, ys));
        let row = |k: usize| {
            let slope = slopes.as_ref().map(|slopes| slopes[k]);
            [xs[k], ys[k]].into_iter().chain(slope)
        };
        let numbers = (0..points).flat_map(row).collect();
        let table = lookup_table(name, numbers, shape).map_err(|error| error.to_string())?;
        let ends = [xs[0], xs[points - 1]];
        Ok(Curve { table, points, smoothness, extrapolation, ends })
    }

    /// How many rows have an abscissa of at most `x`.
    pub fn count(&self, x: Ex) -> Ex {
        self.table.count(x)
    }

    /// The value at `x`.
    pub fn at(&self, x: Ex) -> Ex {
        let x = self.within_period(x);
        self.segment(self.count(x), x)
    }

    fn within_period(&self, x: Ex) -> Ex {
        let [first, last] = self.ends;
        if self.extrapolation != Extrapolation::Periodic || self.points == 1 {
            return x;
        }
        let period = last - first;
        // Both ends belong to the table.
        let below = ((x - first) / period).floor().min(0.0);
        let above = -(-(x - last) / period).floor().min(0.0);
        x - (below + above) * period
    }

    /// The value at `x` of the segment behind `count` rows.
    pub fn segment(&self, count: Ex, x: Ex) -> Ex {
        let table = &self.table;
        if self.points == 1 {
            return table.entry(1, 0.0);
        }
        let [first, last] = self.ends;
        let outside = [count.lt(1.0), count.ge(table.rows()) & x.gt(last)];
        let is_held = self.extrapolation == Extrapolation::HoldLastPoint;
        let value = match self.smoothness {
            Smoothness::Linear if is_held => table.line_held(1, count, x),
            Smoothness::Linear => table.line(1, count, x),
            Smoothness::Constant if is_held => table.entry(1, count - 1.0),
            Smoothness::Constant => {
                let line = table.line(1, count, x);
                select(outside[0] | outside[1], line, table.entry(1, count - 1.0))
            }
            Smoothness::Cubic(_) => self.cubic(count, x, is_held),
        };
        match self.extrapolation {
            Extrapolation::Refused => {
                // The abscissa of a segment that is continued is inside.
                let inside = select(outside[0] | count.ge(table.rows()), x, first);
                table.guard(inside, value)
            }
            _ => value,
        }
    }

    fn cubic(&self, count: Ex, x: Ex, is_held: bool) -> Ex {
        let (table, [first, last]) = (&self.table, self.ends);
        let rows = table.rows();
        let i = (count - 1.0).max(0.0).min(rows - 2.0);
        let [x0, x1, y0, y1, d0, d1] = [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0), (2, 0.0), (2, 1.0)]
            .map(|(column, k)| table.entry(column, i + k));
        let (h, t) = (x1 - x0, x - x0);
        let line = (y1 - y0) / h;
        let square = (3.0 * line - 2.0 * d0 - d1) / h;
        let cube = (d0 + d1 - 2.0 * line) / (h * h);
        let inside = y0 + t * (d0 + t * (square + t * cube));
        let beyond = |end: f64, row: Ex| {
            let slope = if is_held { Ex::zero() } else { table.entry(2, row) };
            table.entry(1, row) + slope * (x - end)
        };
        let (before, behind) = (beyond(first, Ex::zero()), beyond(last, rows - 1.0));
        select(x.lt(first), before, select(x.gt(last), behind, inside))
    }
}
