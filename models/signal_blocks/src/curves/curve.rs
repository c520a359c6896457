//! Curves through the points of a column of a table.

use super::slopes::Points;
use super::{Extrapolation, Smoothness, within_period};
use equations::{Ex, LookupTable, TableShape, lookup_table, select};

/// A curve through points.
#[derive(Clone, Debug)]
pub struct Curve {
    table: LookupTable,
    column: usize,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    wraps: bool,
}

impl Curve {
    /// The curve through the points of a column, counted from 1 after the abscissae. The abscissae
    /// of a smooth curve ascend strictly.
    pub fn of_column(
        table: &LookupTable,
        column: usize,
        smoothness: Smoothness,
        extrapolation: Extrapolation,
    ) -> Curve {
        Curve { table: table.clone(), column, smoothness, extrapolation, wraps: false }
    }

    /// The curve through points, whose abscissae may be equal (jumps) if `jumps` and if the curve
    /// is not smooth.
    ///
    /// # Errors
    /// The abscissae do not ascend.
    pub fn through(
        name: &str,
        (xs, ys): (&[f64], &[f64]),
        (smoothness, extrapolation): (Smoothness, Extrapolation),
        jumps: bool,
    ) -> Result<Curve, String> {
        let periodic = extrapolation == Extrapolation::Periodic && xs.len() > 1;
        let jumps = jumps && !smoothness.is_cubic();
        let numbers = xs.iter().zip(ys).flat_map(|(x, y)| [*x, *y]).collect();
        let table = lookup_table(name, numbers, TableShape { columns: 2, jumps, periodic });
        let table = table.map_err(|error| error.to_string())?;
        Ok(Curve::of_column(&table, 1, smoothness, extrapolation))
    }

    /// A curve whose slope is continuous where a period ends and the next one begins. Modelica's
    /// functions of tables do not care for that.
    #[must_use]
    pub fn wrapping(mut self) -> Curve {
        self.wraps = self.extrapolation == Extrapolation::Periodic;
        self
    }

    /// How many rows have an abscissa of at most `x`.
    pub fn count(&self, x: Ex) -> Ex {
        self.table.count(x)
    }

    /// The first and the last abscissa.
    pub fn ends(&self) -> [Ex; 2] {
        [self.table.entry(0, 0.0), self.table.entry(0, f64::INFINITY)]
    }

    /// The value at `x`. The evaluation fails beyond the ends if there is no extrapolation.
    pub fn at(&self, x: Ex) -> Ex {
        let x = match self.extrapolation {
            Extrapolation::Periodic => {
                let [first, last] = self.ends();
                select(last.gt(first), within_period(x, [first, last]), first)
            }
            _ => x,
        };
        let value = self.segment(self.count(x), x);
        self.guarded(x, value)
    }

    /// `value`, which belongs to `x`. The evaluation fails beyond the ends if there is no
    /// extrapolation.
    pub fn guarded(&self, x: Ex, value: Ex) -> Ex {
        match self.extrapolation {
            Extrapolation::NoExtrapolation => self.table.guard(x, value),
            _ => value,
        }
    }

    /// The value at `x` of the segment behind `count` rows, which is continued where `x` is not in
    /// it.
    pub fn segment(&self, count: Ex, x: Ex) -> Ex {
        let (table, column) = (&self.table, self.column);
        let is_held = self.extrapolation == Extrapolation::HoldLastPoint;
        match self.smoothness {
            Smoothness::LinearSegments if is_held => table.line_held(column, count, x),
            Smoothness::LinearSegments => table.line(column, count, x),
            Smoothness::ConstantSegments => {
                let step = table.entry(column, count - 1.0);
                match self.extrapolation {
                    Extrapolation::LastTwoPoints => {
                        let beyond = count.ge(table.rows()) & x.gt(self.ends()[1]);
                        select(count.lt(1.0) | beyond, table.line(column, count, x), step)
                    }
                    _ => step,
                }
            }
            _ => self.cubic(count, x, is_held),
        }
    }

    /// Beyond the ends, the curve continues as a line, which is level if the curve is held.
    fn cubic(&self, count: Ex, x: Ex, is_held: bool) -> Ex {
        let (table, column) = (&self.table, self.column);
        let last = table.rows() - 2.0;
        let i = (count - 1.0).max(0.0).min(last);
        let points = Points { table, column, wraps: self.wraps };
        let [line, begin, end] = points.along(self.smoothness, i);
        let [x0, x1] = [i, i + 1.0].map(|row| table.entry(0, row));
        let [y0, y1] = [i, i + 1.0].map(|row| table.entry(column, row));
        let (h, t) = (x1 - x0, x - x0);
        let single = h.le(0.0);
        let h = select(single, 1.0, h);
        let square = (3.0 * line - 2.0 * begin - end) / h;
        let cube = (begin + end - 2.0 * line) / (h * h);
        let inside = y0 + t * (begin + t * (square + t * cube));
        let sloping = if is_held { Ex::zero() } else { Ex::one() };
        let before = y0 + sloping * begin * t;
        let behind = y1 + sloping * end * (x - x1);
        select(count.lt(1.0), before, select(count.gt(last + 1.0), behind, inside))
    }
}
