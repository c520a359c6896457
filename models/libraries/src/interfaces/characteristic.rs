//! A friction coefficient, torque or force as a table of the speed.

use equations::{Ex, Number, select, table_linear};
use mechanics::component::Contribution;
use mechanics::declaration::Columns;
use mechanics::error::Error;

/// A friction coefficient (or friction torque, or friction force) as a function of the speed. It is
/// linear between the rows of a table and extrapolated by the two rows at either end, but never
/// negative, because friction dissipates power.
#[derive(Clone, Debug)]
pub struct Characteristic {
    speeds: Vec<Ex>,
    values: Vec<Ex>,
}

impl Characteristic {
    /// The function of a table with a column of speeds and one of values; the build notes if it
    /// vanishes at high speeds.
    ///
    /// # Errors
    /// The table has other columns.
    pub fn new(c: &mut Contribution<'_>, table: Columns) -> Result<Self, Error> {
        let rows: Vec<&[f64]> = table.rows.rows().collect();
        if let Some(speed) = vanishes_at(&rows) {
            let name = c.full(table.of.name);
            let unit = table.of.unit.split(", ").next().unwrap_or_default();
            c.model().note(format!(
                "{name}: the table is extrapolated, so there is no friction above about {} {unit}; \
                 one more row with the last value would keep it constant",
                Number(format!("{speed:.2e}").parse().unwrap_or(speed))
            ));
        }
        let [speeds, values] = table.each(c)?;
        Ok(Characteristic { speeds, values })
    }

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

/// The speed beyond the last row at which the extrapolated value becomes zero.
fn vanishes_at(rows: &[&[f64]]) -> Option<f64> {
    let &[.., &[x0, y0], &[x1, y1]] = rows else { return None };
    (y1 > 0.0 && y1 < y0 && x0 < x1).then(|| x1 + y1 * (x1 - x0) / (y0 - y1))
}
