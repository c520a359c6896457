//! A friction coefficient, torque or force as a table over the speed.

use crate::component::Contribution;
use crate::domain::Domain;
use crate::error::Error;
use equations::{Ex, Limits, select, table_linear};

/// A friction coefficient (or a friction torque, or force) over the speed: linear between knots,
/// extended by the last two knots at either end, but never below zero: friction gives no power.
#[derive(Clone, Debug)]
pub struct Characteristic(Vec<[f64; 2]>);

impl From<f64> for Characteristic {
    fn from(value: f64) -> Self {
        Characteristic(vec![[0.0, value]])
    }
}

impl From<Vec<[f64; 2]>> for Characteristic {
    fn from(rows: Vec<[f64; 2]>) -> Self {
        Characteristic(rows)
    }
}

impl<const N: usize> From<[[f64; 2]; N]> for Characteristic {
    fn from(rows: [[f64; 2]; N]) -> Self {
        Characteristic(rows.to_vec())
    }
}

/// A characteristic as parameters.
#[derive(Clone, Debug)]
pub struct Curve {
    speeds: Vec<Ex>,
    values: Vec<Ex>,
}

impl Curve {
    /// The value at a speed; a negative one, which only a search for initial values tries, goes on
    /// along the line.
    pub fn at(&self, speed: Ex) -> Ex {
        let value = table_linear(&self.speeds, &self.values, speed);
        if self.speeds.len() == 1 {
            return value;
        }
        select(speed.lt(0.0), value, value.max(0.0))
    }

    /// The value at rest.
    pub fn at_rest(&self) -> Ex {
        self.at(Ex::zero())
    }
}

impl Characteristic {
    /// Declares the table as parameters `name[row,column]`; the speeds are structure.
    pub fn declare(
        &self,
        c: &mut Contribution<'_>,
        domain: &'static Domain,
        name: &str,
        unit: &str,
        text: &str,
    ) -> Result<Curve, Error> {
        let rows = &self.0;
        let speeds: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        c.check_abscissae(name, &speeds, domain.speed.unit)?;
        let mut curve = Curve { speeds: Vec::new(), values: Vec::new() };
        for (i, [speed, value]) in rows.iter().enumerate() {
            let (x, y) = (format!("{name}[{},1]", i + 1), format!("{name}[{},2]", i + 1));
            c.constant(&x, *speed, domain.speed.unit, text);
            curve.speeds.push(Ex::from(*speed));
            let y = c.limited(&y, *value, unit, text, Limits::NOT_NEGATIVE)?.tunable();
            curve.values.push(y.into());
        }
        Ok(curve)
    }
}
