//! A friction coefficient, torque or force as a table of the speed.

use equations::{Ex, Limits, Number, select, table_linear};
use mechanics::component::Contribution;
use mechanics::declaration::{Parameter, Setting};
use mechanics::error::Error;

/// A friction coefficient (or friction torque, or friction force) as a function of the speed. It is
/// linear between the knots and extrapolated by the two knots at either end, but never negative,
/// because friction dissipates power.
#[derive(Clone, Debug)]
pub struct Characteristic(Vec<[f64; 2]>);

impl From<f64> for Characteristic {
    fn from(value: f64) -> Self {
        Characteristic(vec![[0.0, value]])
    }
}

impl From<i32> for Characteristic {
    fn from(value: i32) -> Self {
        f64::from(value).into()
    }
}

impl From<Vec<[f64; 2]>> for Characteristic {
    fn from(rows: Vec<[f64; 2]>) -> Self {
        Characteristic(rows)
    }
}

impl<T: Into<f64>, const N: usize> From<[[T; 2]; N]> for Characteristic {
    fn from(rows: [[T; 2]; N]) -> Self {
        Characteristic(rows.map(|row| row.map(Into::into)).to_vec())
    }
}

/// A characteristic whose numbers are fixed values and parameters of the FMU.
#[derive(Clone, Debug)]
pub struct Curve {
    speeds: Vec<Ex>,
    values: Vec<Ex>,
}

impl Curve {
    /// The value at a speed. A negative speed, which occurs only in the search for initial values,
    /// is extrapolated linearly, even to a negative value.
    pub fn at(&self, speed: Ex) -> Ex {
        let value = table_linear(&self.speeds, &self.values, speed);
        if self.speeds.len() == 1 {
            return value;
        }
        select(speed.lt(0.0), value, value.max(0.0))
    }
}

impl Characteristic {
    /// The speed beyond the last row at which the extrapolated value becomes zero.
    fn vanishes_at(&self) -> Option<f64> {
        let [.., [x0, y0], [x1, y1]] = self.0[..] else { return None };
        (y1 > 0.0 && y1 < y0 && x0 < x1).then(|| x1 + y1 * (x1 - x0) / (y0 - y1))
    }
}

impl Setting for Characteristic {
    type Declared = Curve;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Curve, Error> {
        let columns = [(of.text, Limits::NOT_NEGATIVE); 2];
        let [speeds, values] = declare_table(c, of, &self.0, columns)?;
        if let Some(speed) = self.vanishes_at() {
            let (name, unit) = (c.full(of.name), of.unit.split(", ").next().unwrap_or_default());
            c.model().note(format!(
                "{name}: the table is extrapolated, so there is no friction above about {} {unit}; \
                 one more row with the last value would keep it constant",
                Number(format!("{speed:.2e}").parse().unwrap_or(speed))
            ));
        }
        Ok(Curve { speeds, values })
    }
}

/// Declares the columns of a table, each with its text and range, as parameters `name[row,column]`.
/// The unit of the table consists of the units of its columns, separated by commas. The first
/// column is structural.
pub fn declare_table<const N: usize>(
    c: &mut Contribution<'_>,
    of: &Parameter,
    rows: &[[f64; N]],
    columns: [(&str, Limits); N],
) -> Result<[Vec<Ex>; N], Error> {
    let units: Vec<&str> = of.unit.split(", ").collect();
    if units.len() != N {
        let why = format!("its declaration must have {N} units, separated by commas");
        return Err(c.refuse(of.name, why));
    }
    let abscissae: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    c.check_abscissae(of.name, &abscissae, units[0])?;
    let mut table = [const { Vec::new() }; N];
    for (i, row) in rows.iter().enumerate() {
        for (k, (text, limits)) in columns.into_iter().enumerate() {
            let local = format!("{}[{},{}]", of.name, i + 1, k + 1);
            let (unit, value) = (units[k], row[k]);
            let element = match k {
                0 => c.constant(&local, value),
                _ => c.limited(&local, value, unit, limits)?.tunable(),
            };
            table[k].push(element.unit(unit).describe(text).into());
        }
    }
    Ok(table)
}
