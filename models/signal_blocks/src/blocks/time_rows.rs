//! Rows of time and value, from which blocks and other sources make signals.

use crate::signals::tables::TablePosition;
use equations::{LookupTable, TableShape, select};
use mechanics::declaration::{Columns, prelude::*};
use mechanics::statements::laws::signal_view::SignalView;

/// A table of time, with the value of each row.
pub(crate) fn table_of(
    c: &mut Contribution<'_>,
    rows: impl IntoIterator<Item = [f64; 2]>,
    periodic: bool,
) -> Result<LookupTable, Error> {
    let name = c.name().to_owned();
    let rows = rows.into_iter().flatten().collect();
    let shape = TableShape { columns: 2, jumps: true, periodic };
    let table = c.model().table_rows(&name, rows, shape);
    table.map_err(|error| Error::Parameter(error.to_string()))
}

/// The times and values of a table with two columns.
pub(crate) fn pairs(c: &Contribution<'_>, table: &Columns) -> Result<Vec<[f64; 2]>, Error> {
    let rows = table.rows.rows().map(<[f64; 2]>::try_from);
    rows.collect::<Result<_, _>>()
        .map_err(|_| c.refuse("table", "a row has two numbers, the time and the value"))
}

/// The lines between the rows of time and value, and zero before the start time.
///
/// # Errors
/// The rows are no table of time that begins at zero.
pub fn lines(
    c: &mut Contribution<'_>,
    table: &Columns,
    time_scale: f64,
    times: [Ex; 2],
) -> Result<impl FnOnce(&mut SignalView<'_>) -> Ex + 'static, Error> {
    let rows = pairs(c, table)?;
    if let [[time, _], _, ..] = rows[..]
        && time != 0.0
    {
        return Err(c.refuse("table[1,1]", format!("the first time is 0, not {time}")));
    }
    let scaled = rows.into_iter().map(|[time, value]| [time * time_scale, value]);
    let table = table_of(c, scaled, false)?;
    Ok(move |e: &mut SignalView<'_>| {
        let TablePosition { count, t, begun } = TablePosition::follow(e, &table, times, false);
        select(begun, table.line(1, count, t), 0.0)
    })
}
