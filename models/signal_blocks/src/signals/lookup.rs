//! Tables of one signal and of two signals.

use super::interfaces::give_array;
use super::tables::table;
use crate::curves::{Curve, Extrapolation, Smoothness, Surface};
use mechanics::assembly::Quantity;
use mechanics::declaration::{Columns, group, prelude::*};
use mechanics::port::PortId;

group! {
    /// The rows of a table, and how it is read between and beyond them.
    pub struct OfSignals(of_signals) {
        /// Table, abscissa first
        ///
        /// The abscissa has the unit of `u`. Either rows in the model text or a file must be given.
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
    }
    variables {
        /// Signal
        y: Array,
    }
}

impl OfSignals {
    /// Reads column `k`, counted from 1 after the abscissae, at the signal `u(k)`. Without a number
    /// of columns, there are as many as in the table.
    fn give(
        self,
        c: &mut Contribution<'_>,
        count: Option<usize>,
        u: impl Fn(usize) -> PortId + Clone + 'static,
    ) -> Result<(), Error> {
        let OfSignals { rows, file, smoothness, extrapolation } = self;
        let jumps = smoothness == Smoothness::ConstantSegments;
        let table = table(c, (rows, file), jumps, extrapolation)?;
        let columns = table.columns() - 1;
        if let Some(count) = count.filter(|count| *count != columns) {
            let why =
                format!("it has {columns} columns of values, but {count} signals are connected");
            return Err(c.refuse("table", why));
        }
        give_array(c, "y", columns, move |e, column| {
            let u = e.read(u(column))?;
            Ok(Curve::of_column(&table, column, smoothness, extrapolation).at(u))
        });
        Ok(())
    }
}

component! {
    /// Table of a signal with one or several results.
    ///
    /// # Equations
    /// `y[k]` is column `k + 1` of the table at `u`. Kinks cause no events.
    pub struct CombiTable1D = "Modelica.Blocks.Tables.CombiTable1Ds" {
        ..of: of_signals,
    }
    ports {
        /// Abscissa at which the table is evaluated
        u: Input,
    }
}

impl CombiTable1DPorts {
    /// The signal of a column, counted from 1 after the abscissae: `y[1]`, `y[2]`...
    pub fn y(self, column: usize) -> Quantity {
        self.y.element(column)
    }
}

impl Component for CombiTable1D {
    fn contribute(p: CombiTable1DParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        p.of.give(c, None, move |_| u)
    }
}

component! {
    /// Table of several signals, with one column for each.
    ///
    /// # Equations
    /// `y[k]` is column `k + 1` of the table at `u[k]`. Kinks cause no events.
    pub struct CombiTable1Dv = "Modelica.Blocks.Tables.CombiTable1Dv" {
        ..of: of_signals,
    }
    ports {
        /// Abscissae at which the columns are evaluated
        u: [Input],
    }
}

impl CombiTable1DvPorts {
    /// The signal of a column, counted from 1 after the abscissae: `y[1]`, `y[2]`...
    pub fn y(self, column: usize) -> Quantity {
        self.y.element(column)
    }
}

impl Component for CombiTable1Dv {
    fn contribute(p: CombiTable1DvParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.connected_inputs("u", "Input")?;
        let count = u.len();
        p.of.give(c, Some(count), move |k| u[k - 1])
    }
}

group! {
    /// A grid of values, and how it is read between and beyond its nodes.
    pub struct OfTwoSignals(of_two_signals) {
        /// Table: abscissae of `u1` in the first column, those of `u2` in the first row
        ///
        /// The first number of the first row has no meaning.
        table: [[Real]][constant],
        /// How the table is interpolated: `LinearSegments`, `ConstantSegments`, or
        /// `ContinuousDerivative` with Akima's bivariate method
        smoothness: Smoothness = Smoothness::LinearSegments,
        /// How the table is extrapolated beyond its nodes
        extrapolation: Extrapolation = Extrapolation::LastTwoPoints,
    }
}

impl OfTwoSignals {
    fn surface(self, c: &Contribution<'_>) -> Result<Surface, Error> {
        let Columns { rows, .. } = self.table;
        let mut rows = rows.rows();
        let ys = rows.next().and_then(|first| first.get(1..)).unwrap_or_default();
        let (mut xs, mut values) = (Vec::new(), Vec::new());
        for row in rows {
            xs.extend(row.first());
            values.extend(row.get(1..).unwrap_or_default());
        }
        let kinds = (self.smoothness, self.extrapolation);
        let surface = Surface::through(c.name(), [&xs, ys], &values, kinds);
        surface.map_err(Error::Parameter)
    }
}

component! {
    /// Table of two signals.
    ///
    /// # Equations
    /// `y` is the value of the table at `u1` and `u2`. Kinks cause no events.
    pub struct CombiTable2Ds = "Modelica.Blocks.Tables.CombiTable2Ds" {
        ..of: of_two_signals,
    }
    ports {
        /// Abscissa of the rows
        u1: Input,
        /// Abscissa of the columns
        u2: Input,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for CombiTable2Ds {
    fn contribute(p: CombiTable2DsParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let surface = p.of.surface(c)?;
        let u = [c.input("u1")?, c.input("u2")?];
        c.output("y", move |e| Ok(surface.at([e.read(u[0])?, e.read(u[1])?])));
        Ok(())
    }
}

component! {
    /// Table of two signals, read at several points.
    ///
    /// # Equations
    /// `y[k]` is the value of the table at `u1[k]` and `u2[k]`. Kinks cause no events.
    pub struct CombiTable2Dv = "Modelica.Blocks.Tables.CombiTable2Dv" {
        ..of: of_two_signals,
    }
    ports {
        /// Abscissae of the rows
        u1: [Input],
        /// Abscissae of the columns
        u2: [Input],
    }
    variables {
        /// Signals
        y: Array,
    }
}

impl CombiTable2DvPorts {
    /// The value at a point, counted from 1: `y[1]`, `y[2]`...
    pub fn y(self, point: usize) -> Quantity {
        self.y.element(point)
    }
}

impl Component for CombiTable2Dv {
    fn contribute(p: CombiTable2DvParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let surface = p.of.surface(c)?;
        let (u1, u2) = (c.connected_inputs("u1", "Input")?, c.connected_inputs("u2", "Input")?);
        if u1.len() != u2.len() {
            let why = format!("{} signals are connected, but {} with u1", u2.len(), u1.len());
            return Err(c.refuse("u2", why));
        }
        give_array(c, "y", u1.len(), move |e, k| {
            Ok(surface.at([e.read(u1[k - 1])?, e.read(u2[k - 1])?]))
        });
        Ok(())
    }
}
