//! Tables of time with one signal of type Boolean, Integer or Real.

use super::discrete_sources::integer_signal;
use super::interfaces::boolean_signal;
use super::time_rows::{lines, pairs, table_of};
use crate::signals::Extrapolation;
use crate::signals::tables::TablePosition;
use equations::select;
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

/// Requires that times ascend; `local` is the name of one.
fn check_ascent(
    c: &Contribution<'_>,
    times: &[f64],
    local: impl Fn(usize) -> String,
) -> Result<(), Error> {
    match times.windows(2).position(|pair| pair[1] <= pair[0]) {
        None => Ok(()),
        Some(i) => {
            let why = format!("{} s, which is not after {} s", times[i + 1], times[i]);
            Err(c.refuse(&local(i + 2), why))
        }
    }
}

group! {
    /// A table of time whose value is that of the last row.
    pub struct Staircase(staircase) {
        /// How the table is extrapolated beyond its rows: `HoldLastPoint` or `Periodic`
        extrapolation: Extrapolation = Extrapolation::HoldLastPoint,
        /// Start time; before it, the signal is false or 0
        start_time "startTime": Real["s", fixed] = f64::MIN,
        /// Time at which the time of the table is 0
        shift_time "shiftTime": Real["s", fixed] = 0,
    }
    variables {
        /// Number of rows passed, -1 before startTime
        row: Integer,
        /// Number of periods passed
        cycle?: Real["1"],
    }
}

impl Staircase {
    /// The table with these rows, and the law of its value.
    fn law(
        self,
        c: &mut Contribution<'_>,
        rows: impl IntoIterator<Item = [f64; 2]>,
    ) -> Result<impl FnOnce(&mut SignalView<'_>) -> Ex + 'static, Error> {
        let Staircase { extrapolation, start_time, shift_time } = self;
        let periodic = match extrapolation {
            Extrapolation::HoldLastPoint => false,
            Extrapolation::Periodic => true,
            // The end of a table is between two events, where the signal cannot change.
            other => return Err(c.refuse("extrapolation", format!("{other:?} needs lines"))),
        };
        let table = table_of(c, rows, periodic)?;
        Ok(move |e: &mut SignalView<'_>| {
            let times = [start_time, shift_time];
            let TablePosition { count, begun, .. } =
                TablePosition::follow(e, &table, times, periodic);
            select(begun, table.entry(1, count - 1.0), 0.0)
        })
    }
}

component! {
    /// Table of instants at which a Boolean signal changes.
    ///
    /// # Equations
    /// `y = startValue`, and the opposite after each instant `table[i] + shiftTime`. Before
    /// `startTime`, `y` is false.
    ///
    /// With `Periodic`, the time from the first to the last instant is repeated. Without instants,
    /// `y = startValue`.
    ///
    /// # Events
    /// A time event at each instant.
    pub struct BooleanTable = "Modelica.Blocks.Sources.BooleanTable" {
        /// Instants at which the signal changes, in ascending order
        table: [Real]["s", constant] = [0, 1],
        /// Value before the first instant
        start_value "startValue": bool[constant] = false,
        ..of: staircase,
        ..boolean_signal,
    }
}

impl Component for BooleanTable {
    fn contribute(p: BooleanTableParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let BooleanTableParameters { table, start_value, of } = p;
        check_ascent(c, &table, |i| format!("table[{i}]"))?;
        let value = |changes: usize| f64::from((changes % 2 == 1) != start_value);
        let first = [table.first().copied().unwrap_or_default(), value(0)];
        let others = table.iter().enumerate().map(|(i, time)| [*time, value(i + 1)]);
        let rows: Vec<[f64; 2]> = [first].into_iter().chain(others).collect();
        let law = of.law(c, rows)?;
        c.boolean_output("y", move |e| Ok(law(e).is_true()));
        Ok(())
    }
}

component! {
    /// Table of time with a signal of type Integer.
    ///
    /// # Equations
    /// `y` is the second number of the last row whose time, plus `shiftTime`, has passed. Before
    /// the first row, `y` is that of the first one, and before `startTime`, `y = 0`.
    ///
    /// With `Periodic`, the time from the first to the last row is repeated.
    ///
    /// # Events
    /// A time event at each row.
    pub struct IntegerTable = "Modelica.Blocks.Sources.IntegerTable" {
        /// Rows of time in s and value, in ascending order
        table: [[Real]][constant],
        ..of: staircase,
        ..integer_signal,
    }
}

impl Component for IntegerTable {
    fn contribute(p: IntegerTableParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let rows = pairs(c, &p.table)?;
        let times: Vec<f64> = rows.iter().map(|[time, _]| *time).collect();
        check_ascent(c, &times, |i| format!("table[{i},1]"))?;
        if let Some(i) = rows.iter().position(|[_, value]| value.fract() != 0.0) {
            let why = format!("{} is no whole number", rows[i][1]);
            return Err(c.refuse(&format!("table[{},2]", i + 1), why));
        }
        let law = p.of.law(c, rows)?;
        c.integer_output("y", move |e| Ok(law(e)));
        Ok(())
    }
}

component! {
    /// Table of time with lines between its rows.
    ///
    /// # Equations
    /// `y = offset` before `startTime`; then the second number of the table at
    /// `(time - shiftTime) / timeScale` is added. Beyond the rows, the first and the last line
    /// continue.
    ///
    /// # Events
    /// A time event at every row, because value or slope jump there. Two rows with the same time
    /// represent a jump.
    pub struct TimeTable = "Modelica.Blocks.Sources.TimeTable" {
        /// Rows of time and value
        ///
        /// The first time is 0.
        table: [[Real]][constant],
        /// Unit of the times in the table
        time_scale "timeScale": Real["s", > 0, constant] = 1,
        /// Offset of the signal
        offset: Real = 0,
        /// Start time; before it, the signal is the offset
        start_time "startTime": Real["s", fixed] = 0,
        /// Time at which the time of the table is 0
        shift_time "shiftTime": Real["s", fixed, follows] = start_time,
    }
    variables {
        /// Signal
        y: Real,
        /// Number of rows passed, -1 before startTime
        row: Integer,
    }
}

impl Component for TimeTable {
    fn contribute(p: TimeTableParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TimeTableParameters { table, time_scale, offset, start_time, shift_time } = p;
        let law = lines(c, &table, time_scale, [start_time, shift_time])?;
        c.output("y", move |e| Ok(offset + law(e)));
        Ok(())
    }
}
