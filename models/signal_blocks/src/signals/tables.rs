//! Signals from tables: of time, and of another signal.

use super::interfaces::{from_instant, give_array};
use crate::curves::{Curve, Extrapolation, Smoothness};
use equations::{Bool, LookupTable, TableShape, select};
use mechanics::assembly::Quantity;
use mechanics::declaration::{Columns, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;
use std::cell::OnceCell;
use std::rc::Rc;

/// The error message for a table without columns of values.
const NO_VALUES: &str = "there is only the column of the abscissae; at least one more is required";

/// The table from the given rows, or from a file in the folder of resources.
pub(super) fn table(
    c: &mut Contribution<'_>,
    of: (Option<Columns>, Option<String>),
    jumps: bool,
    extrapolation: Extrapolation,
) -> Result<LookupTable, Error> {
    let periodic = extrapolation == Extrapolation::Periodic;
    let name = c.name().to_owned();
    let (table, refusal) = match of {
        (Some(Columns { rows, .. }), None) => {
            let shape = TableShape { columns: rows.width(), jumps, periodic };
            (c.model().table_rows(&name, rows.into_numbers(), shape), c.refuse("table", NO_VALUES))
        }
        (None, Some(file)) => (
            c.model().table_file(&name, &file, jumps, periodic),
            Error::Parameter(format!("{name}: {file}: {NO_VALUES}")),
        ),
        (Some(_), Some(_)) => {
            return Err(c.refuse("table", "only one of rows and a file may be given"));
        }
        (None, None) => return Err(c.refuse("table", "rows or a file must be given")),
    };
    let table = table.map_err(|error| Error::Parameter(error.to_string()))?;
    if table.columns() >= 2 { Ok(table) } else { Err(refusal) }
}

component! {
    /// Table of time with one or several signals.
    ///
    /// # Equations
    /// `y[k] = offset` before `startTime`; then column `k + 1` of the table at `time - startTime`
    /// is added.
    ///
    /// # Events
    /// A time event at every row, because value or slope jump there. Two rows with the same time
    /// represent a jump, except with `ContinuousDerivative`.
    pub struct CombiTimeTable = "Modelica.Blocks.Sources.CombiTimeTable" {
        /// Table, abscissa first
        ///
        /// The abscissa is the time in s. Either rows in the model text or a file must be given.
        rows "table"?: [[Real]][constant],
        /// Comma-separated values in the folder `resources/<model>` next to `src`
        ///
        /// The file becomes part of the FMU, where it can be replaced by another file with as many
        /// columns.
        file "fileName"?: String,
        /// How the table is interpolated between its rows
        smoothness: Smoothness = Smoothness::LinearSegments,
        /// How the table is extrapolated beyond its rows
        extrapolation: Extrapolation = Extrapolation::LastTwoPoints,
        /// Offset of the signal
        offset: Real = 0,
        /// Start time; before it, the signal is the offset
        start_time "startTime": Real["s", fixed] = 0,
    }
    variables {
        /// Signal
        y: Array,
        /// Number of rows passed, -1 before startTime
        row: Integer,
        /// Number of periods passed
        cycle?: Real["1"],
    }
}

impl CombiTimeTablePorts {
    /// The signal of a column, counted from 1 after the column of time: `y[1]`, `y[2]`...
    pub fn y(self, column: usize) -> Quantity {
        self.y.element(column)
    }
}

impl Component for CombiTimeTable {
    fn contribute(p: CombiTimeTableParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let CombiTimeTableParameters { smoothness, extrapolation, offset, start_time, .. } = p;
        let table = table(c, (p.rows, p.file), !smoothness.is_cubic(), extrapolation)?;
        let place = Rc::new(OnceCell::new());
        give_array(c, "y", table.columns() - 1, move |e, column| {
            let periodic = extrapolation == Extrapolation::Periodic;
            let place =
                place.get_or_init(|| TablePosition::follow(e, &table, [start_time; 2], periodic));
            let TablePosition { count, t, begun } = *place;
            let curve = Curve::of_column(&table, column, smoothness, extrapolation).wrapping();
            let value = curve.segment(count, t);
            let value = curve.guarded(select(begun, t, table.entry(0, 0.0)), value);
            Ok(offset + select(begun, value, 0.0))
        });
        Ok(())
    }
}

/// The position of the present time in a table of time.
#[derive(Debug)]
pub(crate) struct TablePosition {
    /// The number of rows passed, updated at events.
    pub(crate) count: Ex,
    /// The time of the table.
    pub(crate) t: Ex,
    /// Whether `startTime` has been reached.
    pub(crate) begun: Bool,
}

impl TablePosition {
    /// Counts the rows passed, with a time event for each. The time of the table is zero at
    /// `shift_time`.
    pub(crate) fn follow(
        e: &mut SignalView<'_>,
        table: &LookupTable,
        [start_time, shift_time]: [Ex; 2],
        periodic: bool,
    ) -> TablePosition {
        let name = e.full("row");
        let row = e.model().discrete(&name, -1.0).integer().done();
        let name = e.full("cycle");
        // An Integer of FMI ends at 2^31 - 1, a few years of short periods.
        let cycle = periodic.then(|| e.model().discrete(&name, 0.0).done());

        let (first, last) = (table.entry(0, 0.0), table.entry(0, f64::INFINITY));
        let period = last - first;
        let cycles = cycle.map_or(Ex::zero(), |cycle| cycle.pre());
        let rows = row.pre();
        let begun = rows.ge(0.0);
        // The time of the next row.
        let row_time = table.entry(0, rows);
        let next = shift_time + (cycles * period + row_time);
        let next = select(rows.lt(table.rows()), next, f64::INFINITY);
        let due = from_instant(e, "nextRow", select(begun, next, start_time));

        let time = e.time() - shift_time;
        let locate = |t: Ex| {
            if !periodic {
                return (table.count(t), Ex::zero());
            }
            let turns = ((t - first) / period).floor();
            let count = table.count((t - turns * period).max(first));
            (count.min(table.rows() - 1.0), cycles + turns)
        };
        // Because of rounding, an event may occur slightly before its instant.
        let t = time - cycles * period;
        let (count_due, cycles_due) =
            locate(t.max(select(begun, row_time, start_time - shift_time)));
        let (count_initial, cycles_initial) = locate(t);
        let has_begun = e.time().ge(start_time);
        let count_initial = select(has_begun, count_initial, -1.0);
        let cycles_initial = select(has_begun, cycles_initial, 0.0);
        let initial = e.model().initial();
        let at_start = |value, otherwise| select(initial, value, otherwise);
        let update = at_start(count_initial, select(due, count_due, rows));
        e.model().update(row, update);
        if let Some(cycle) = cycle {
            let update = at_start(cycles_initial, select(due, cycles_due, cycles));
            e.model().update(cycle, update);
        }
        // Initial values must be correct before the first event iteration.
        let count = at_start(count_initial, rows);
        let t = time - at_start(cycles_initial, cycles) * period;
        TablePosition { count, t, begun: count.ge(0.0) }
    }
}
