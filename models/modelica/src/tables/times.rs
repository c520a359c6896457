//! Tables of time: curves with events at their rows.

use super::Matrix;
use crate::value::Misfit;
use equations::{Ex, LookupTable, TableShape, lookup_table, select};
use libraries::curves::{Curve, Extrapolation, Smoothness};

/// When a table of time causes events, besides at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeEvents {
    /// At every row.
    Always,
    /// At jumps.
    AtJumps,
    /// Never.
    Never,
}

/// The instants at which a table of time begins and has events.
#[derive(Debug)]
pub struct Instants {
    events: LookupTable,
    /// Before it, the value is zero.
    start: f64,
    /// What is added to the abscissae.
    shift: f64,
    ends: [f64; 2],
    periodic: bool,
    /// An event that is less than this away is now.
    tolerance: f64,
}

impl Instants {
    /// The instants of a table.
    ///
    /// # Errors
    /// The abscissae do not ascend.
    pub fn new(
        name: &str,
        matrix: &Matrix,
        (start, shift): (f64, f64),
        (extrapolation, events): (Extrapolation, TimeEvents),
    ) -> Result<Instants, Misfit> {
        let xs = matrix.column(0);
        let ends = [xs[0], xs[xs.len() - 1]];
        let mut all = vec![ends[0]];
        for pair in xs.windows(2) {
            let is_event = match events {
                TimeEvents::Always => true,
                TimeEvents::AtJumps => pair[0] >= pair[1],
                TimeEvents::Never => false,
            };
            if is_event && all.last().is_some_and(|last| pair[1] > *last) {
                all.push(pair[1]);
            }
        }
        if all.last().is_some_and(|last| ends[1] > *last) {
            all.push(ends[1]);
        }
        let gaps = all.windows(2).map(|pair| pair[1] - pair[0]);
        let tolerance = 1e-6 * gaps.fold(f64::INFINITY, f64::min).min(1.0);
        let periodic = extrapolation == Extrapolation::Periodic && xs.len() > 1;
        let shape = TableShape { columns: 1, jumps: false, periodic };
        let events = lookup_table(name, all, shape).map_err(|error| error.to_string())?;
        Ok(Instants { events, start, shift, ends, periodic, tolerance })
    }

    /// The instant of the next event at a time, which is that of an event or between two.
    pub fn next(&self, time: Ex) -> Ex {
        let t = time - self.shift + self.tolerance;
        let turned = self.turned(t);
        let count = self.events.count(t - turned);
        let next = self.events.entry(0, count) + turned + self.shift;
        let next = match self.periodic {
            true => next,
            false => select(count.lt(self.events.rows()), next, f64::MAX),
        };
        select(time.lt(self.start - self.tolerance), self.start, next)
    }

    /// The periods before a time of the table, in s.
    fn turned(&self, t: Ex) -> Ex {
        let [first, last] = self.ends;
        match self.periodic {
            true => ((t - first) / (last - first)).floor() * (last - first),
            false => Ex::zero(),
        }
    }

    /// The value of a curve at a time before the next event. Behind that, the segment before the
    /// event is continued.
    pub fn value(&self, curve: &Curve, smoothness: Smoothness, time: Ex, next: Ex) -> Ex {
        let limit = next - self.shift - self.tolerance;
        let turned = self.turned(limit);
        let (t, limit) = (time - self.shift - turned, limit - turned);
        let count = curve.count(t);
        let count = if smoothness.is_cubic() {
            count
        } else {
            let last = self.events.count(limit);
            let begin = curve.count(self.events.entry(0, last - 1.0));
            let begin = select(last.ge(1.0), begin, 0.0);
            count.max(begin).min(curve.count(limit))
        };
        // A segment that is continued is inside.
        let [first, last] = curve.ends();
        let is_outside = count.lt(1.0) | count.ge(curve.count(last));
        let value = curve.guarded(select(is_outside, t, first), curve.segment(count, t));
        select(next.gt(self.start), value, 0.0)
    }
}
