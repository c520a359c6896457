//! Signals by tables: of time, and of another signal.

use super::{from_instant, give, offset, start_time};
use crate::assembly::{At, Input, Quantity, element};
use crate::compile::evaluation::Evaluation;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::setters;
use equations::{Bool, Ex, Shape, Table, select};
use std::cell::OnceCell;
use std::rc::Rc;

/// How a table is read between its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Smoothness {
    /// Along the straight lines between the points.
    #[default]
    LinearSegments,
    /// The value of the row before.
    ConstantSegments,
}

/// How a table is read outside of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extrapolation {
    /// The value of the first or of the last row.
    HoldLastPoint,
    /// Along the line through the two points at the end.
    #[default]
    LastTwoPoints,
    /// The table repeats itself; its period is from the first abscissa to the last.
    Periodic,
    /// Not at all: the simulation ends with an error.
    NoExtrapolation,
}

/// The complaint about a table without signals.
const NO_VALUES: &str = "there is one column only, that of the abscissae; signals need more";

/// Where the numbers of a table come from.
#[derive(Clone, Debug)]
enum Origin {
    /// The model text: columns, and numbers row after row.
    Text(usize, Vec<f64>),
    /// A file in the folder of resources.
    File(String),
}

impl Origin {
    fn rows<const N: usize>(rows: impl IntoIterator<Item = [f64; N]>) -> Origin {
        Origin::Text(N, rows.into_iter().flatten().collect())
    }

    /// The table; numbers of the model text become constants that can be seen.
    fn table(
        &self,
        c: &mut Contribution<'_>,
        jumps: bool,
        extrapolation: Extrapolation,
    ) -> Result<Table, Error> {
        let periodic = extrapolation == Extrapolation::Periodic;
        let name = c.name().to_owned();
        let table = match self {
            Origin::File(file) => c.model.table_file(&name, file, jumps, periodic),
            Origin::Text(columns, numbers) => {
                let shape = Shape { columns: *columns, jumps, periodic };
                for (i, &number) in numbers.iter().enumerate() {
                    let (row, column) = (i / columns + 1, i % columns + 1);
                    let element = c.full(&format!("table[{row},{column}]"));
                    c.model.constant(&element, number).describe("Table, abscissa first");
                }
                c.model.table_rows(&name, numbers.clone(), shape)
            }
        };
        let table = table.map_err(|error| Error::Parameter(error.to_string()))?;
        match self {
            _ if table.columns() >= 2 => Ok(table),
            Origin::Text(..) => Err(c.refuse("table", NO_VALUES)),
            Origin::File(file) => {
                Err(Error::Parameter(format!("{}: {file}: {NO_VALUES}", c.name())))
            }
        }
    }
}

/// Gives the signals of all columns.
fn give_columns(
    c: &mut Contribution<'_>,
    table: &Table,
    law: impl Fn(&mut Evaluation<'_>, usize) -> Result<Ex, Error> + Clone + 'static,
) {
    for k in 1..table.columns() {
        let law = law.clone();
        give(c, element("y", k), move |e| {
            // Elements of an array are published in their order, whichever is read first.
            if k > 1 {
                e.read_own(element("y", k - 1))?;
            }
            law(e, k)
        });
    }
}

/// The outputs of a table of time.
#[derive(Clone, Copy, Debug)]
pub struct TimeTablePorts {
    at: At,
}

impl From<At> for TimeTablePorts {
    fn from(at: At) -> Self {
        TimeTablePorts { at }
    }
}

impl TimeTablePorts {
    /// The signal of a column, counted from 1 after the column of time: `y[1]`, `y[2]`...
    pub fn y(self, column: usize) -> Quantity {
        self.at.quantity(element("y", column))
    }
}

/// Table of time with one or several signals.
///
/// # Equations
/// `y[k] = offset + (0 before startTime, else column k + 1 of the table at time - startTime)`.
///
/// # Variables
/// `startTime` in s, `offset` in the unit of the signals; `table` is the table if it is part of the
/// model text; `row` is the number of rows passed (-1 before `startTime`), `cycle` the number of
/// periods passed.
///
/// # Events
/// A time event at every row, since value or slope jump there. Two rows with the same time are a
/// jump.
///
/// # Reference
/// Modelica.Blocks.Sources.CombiTimeTable.
#[derive(Clone, Debug)]
pub struct CombiTimeTable {
    origin: Origin,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
    offset: f64,
    start_time: f64,
}

impl CombiTimeTable {
    fn of(origin: Origin) -> Self {
        CombiTimeTable {
            origin,
            smoothness: Smoothness::default(),
            extrapolation: Extrapolation::default(),
            offset: 0.0,
            start_time: 0.0,
        }
    }

    /// Of rows: time in s, then a number for each signal.
    pub fn rows<const N: usize>(rows: impl IntoIterator<Item = [f64; N]>) -> Self {
        CombiTimeTable::of(Origin::rows(rows))
    }

    /// Of a file of comma-separated values in the folder `resources` beside the model's `src`. It
    /// becomes part of the FMU, where another with as many columns may take its place.
    pub fn file(name: impl Into<String>) -> Self {
        CombiTimeTable::of(Origin::File(name.into()))
    }

    /// How it is read between its rows; unless given along straight lines.
    pub fn smoothness(self, smoothness: Smoothness) -> Self {
        CombiTimeTable { smoothness, ..self }
    }

    /// How it is read outside of its rows; unless given along the line through the last two.
    pub fn extrapolation(self, extrapolation: Extrapolation) -> Self {
        CombiTimeTable { extrapolation, ..self }
    }
}

setters! {
    impl CombiTimeTable {
        /// Offset of all signals.
        offset: f64,
        /// Time in s that is time zero of the table.
        start_time: f64,
    }
}

impl OldComponent for CombiTimeTable {
    type Ports = TimeTablePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (smoothness, extrapolation) = (self.smoothness, self.extrapolation);
        let table = self.origin.table(c, true, extrapolation)?;
        let offset = offset(c, self.offset)?.tunable().done();
        let start_time = start_time(c, self.start_time)?.done();
        let place = Rc::new(OnceCell::new());
        give_columns(c, &table.clone(), move |e, column| {
            let periodic = extrapolation == Extrapolation::Periodic;
            let place = place.get_or_init(|| Place::follow(e, &table, start_time, periodic));
            let Place { count, t, begun } = *place;
            let value = match (smoothness, extrapolation) {
                (Smoothness::ConstantSegments, _) => table.entry(column, count - 1.0),
                (_, Extrapolation::HoldLastPoint) => table.line_held(column, count, t),
                _ => table.line(column, count, t),
            };
            let value = match extrapolation {
                Extrapolation::NoExtrapolation => {
                    table.guard(select(begun, t, table.entry(0, 0.0)), value)
                }
                _ => value,
            };
            Ok(offset + select(begun, value, 0.0))
        });
        Ok(())
    }
}

/// Where in a table of time the present time is.
#[derive(Debug)]
struct Place {
    /// The number of rows passed, as it was found at the last event.
    count: Ex,
    /// The time of the table.
    t: Ex,
    /// Whether its time has begun.
    begun: Bool,
}

impl Place {
    /// Counts the rows passed, at a time event each.
    fn follow(e: &mut Evaluation<'_>, table: &Table, start_time: Ex, periodic: bool) -> Place {
        let name = e.full("row");
        let text = "Number of rows passed, -1 before startTime";
        let row = e.model().discrete(&name, -1.0).integer().describe(text).done();
        let name = e.full("cycle");
        let text = "Number of periods passed";
        let cycle =
            periodic.then(|| e.model().discrete(&name, 0.0).integer().describe(text).done());

        let (first, last) = (table.entry(0, 0.0), table.entry(0, f64::INFINITY));
        let period = last - first;
        let cycles = cycle.map_or(Ex::zero(), |cycle| cycle.pre());
        let rows = row.pre();
        let begun = rows.ge(0.0);
        // The time of the next row; before the table's time begins, its time zero.
        let row_time = select(begun, table.entry(0, rows), 0.0);
        let next = start_time + (cycles * period + row_time);
        let next = select(rows.lt(table.rows()), next, f64::INFINITY);
        let due = from_instant(e, "nextRow", next);

        let time = e.time() - start_time;
        let locate = |t: Ex| {
            if !periodic {
                return (table.count(t), Ex::zero());
            }
            let turns = ((t - first) / period).floor();
            let count = table.count((t - turns * period).max(first));
            (count.min(table.rows() - 1.0), cycles + turns)
        };
        // An event may be reached a rounding before the instant that it is for.
        let t = time - cycles * period;
        let (count_due, cycles_due) = locate(t.max(row_time));
        let (count_initial, cycles_initial) = locate(t);
        let count_initial = select(time.ge(0.0), count_initial, -1.0);
        let cycles_initial = select(time.ge(0.0), cycles_initial, 0.0);
        let initial = e.model().initial();
        let at_start = |value, otherwise| select(initial, value, otherwise);
        let update = at_start(count_initial, select(due, count_due, rows));
        e.model().update(row, update);
        if let Some(cycle) = cycle {
            let update = at_start(cycles_initial, select(due, cycles_due, cycles));
            e.model().update(cycle, update);
        }
        // Initial values are right before the first event iteration.
        let count = at_start(count_initial, rows);
        let t = time - at_start(cycles_initial, cycles) * period;
        Place { count, t, begun: count.ge(0.0) }
    }
}

/// The input and the outputs of a table of a signal.
#[derive(Clone, Copy, Debug)]
pub struct SignalTablePorts {
    /// The signal by which it is read.
    pub u: Input,
    at: At,
}

impl From<At> for SignalTablePorts {
    fn from(at: At) -> Self {
        SignalTablePorts { u: at.input("u"), at }
    }
}

impl SignalTablePorts {
    /// The signal of a column, counted from 1 after the abscissae: `y[1]`, `y[2]`...
    pub fn y(self, column: usize) -> Quantity {
        self.at.quantity(element("y", column))
    }
}

/// Table of a signal with one or several results.
///
/// # Equations
/// `y[k]` is column k + 1 of the table at `u`, along the straight lines between the points.
///
/// # Variables
/// `table` is the table if it is part of the model text. Units are those of the signals.
///
/// # Reference
/// Modelica.Blocks.Tables.CombiTable1Ds; as there, corners make no events.
#[derive(Clone, Debug)]
pub struct CombiTable1D {
    origin: Origin,
    extrapolation: Extrapolation,
}

impl CombiTable1D {
    /// Of rows: a value of the signal, then a number for each result.
    pub fn rows<const N: usize>(rows: impl IntoIterator<Item = [f64; N]>) -> Self {
        let extrapolation = Extrapolation::default();
        CombiTable1D { origin: Origin::rows(rows), extrapolation }
    }

    /// Of a file of comma-separated values; see [`CombiTimeTable::file`].
    pub fn file(name: impl Into<String>) -> Self {
        let extrapolation = Extrapolation::default();
        CombiTable1D { origin: Origin::File(name.into()), extrapolation }
    }

    /// How it is read outside of its rows; unless given along the line through the last two.
    pub fn extrapolation(self, extrapolation: Extrapolation) -> Self {
        CombiTable1D { extrapolation, ..self }
    }
}

impl OldComponent for CombiTable1D {
    type Ports = SignalTablePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let extrapolation = self.extrapolation;
        let table = self.origin.table(c, false, extrapolation)?;
        let input = c.input("u")?;
        give_columns(c, &table.clone(), move |e, column| {
            let u = e.read(input)?;
            let count = table.count(u);
            Ok(match extrapolation {
                Extrapolation::HoldLastPoint => table.line_held(column, count, u),
                Extrapolation::LastTwoPoints => table.line(column, count, u),
                Extrapolation::NoExtrapolation => table.guard(u, table.line(column, count, u)),
                Extrapolation::Periodic => {
                    let first = table.entry(0, 0.0);
                    let period = table.entry(0, f64::INFINITY) - first;
                    let u = u - ((u - first) / period).floor() * period;
                    table.line(column, table.count(u), u)
                }
            })
        });
        Ok(())
    }
}
