//! Tables as parameters: rows of numbers, and the columns that equations use.

use super::{Lifetime, OnDemand, Parameter, Pending, Real, Setting, Value};
use crate::component::Contribution;
use crate::error::Error;
use equations::{Ex, Limits};

/// Rows of numbers: a parameter of the kind `[[Real]]`. The unit of its declaration consists of the
/// units of its columns, separated by commas; without a unit, rows may have any length.
///
/// The first column is fixed when the FMU is generated. It contains the abscissae, which are not
/// negative and increase, unless the whole table is `constant`. A number stands for one row: this
/// number at the abscissa 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    width: usize,
    numbers: Vec<f64>,
}

impl From<f64> for Rows {
    fn from(value: f64) -> Self {
        [[0.0, value]].into()
    }
}

impl From<i32> for Rows {
    fn from(value: i32) -> Self {
        f64::from(value).into()
    }
}

impl<T: Into<f64>, const N: usize, const M: usize> From<[[T; N]; M]> for Rows {
    fn from(rows: [[T; N]; M]) -> Self {
        Rows::new(rows)
    }
}

impl<T: Into<f64>, const N: usize> From<Vec<[T; N]>> for Rows {
    fn from(rows: Vec<[T; N]>) -> Self {
        Rows::new(rows)
    }
}

impl<T: Into<f64>, const N: usize> From<Vec<[T; N]>> for OnDemand<Rows> {
    fn from(rows: Vec<[T; N]>) -> Self {
        OnDemand(rows.into())
    }
}

impl Rows {
    fn new<T: Into<f64>, const N: usize>(rows: impl IntoIterator<Item = [T; N]>) -> Self {
        Rows { width: N, numbers: rows.into_iter().flatten().map(Into::into).collect() }
    }

    /// The length of each row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All numbers, row by row.
    pub fn into_numbers(self) -> Vec<f64> {
        self.numbers
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.numbers.chunks(self.width.max(1))
    }

    /// Checks the numbers and publishes them as `name[row,column]`; each column has a description
    /// and a range.
    fn publish(
        self,
        c: &mut Contribution<'_>,
        of: &'static Parameter,
        column: impl Fn(usize) -> (&'static str, Limits),
    ) -> Result<Columns, Error> {
        let units: Vec<&'static str> = of.unit.split(", ").collect();
        if !of.unit.is_empty() && units.len() != self.width {
            let (units, width) = (units.len(), self.width);
            let why = format!("a row has {units} numbers ({}), but {width} are given", of.unit);
            return Err(c.refuse(of.name, why));
        }
        let is_constant = of.lifetime == Lifetime::Constant;
        if !is_constant {
            let abscissae: Vec<f64> = self.rows().map(|row| row[0]).collect();
            c.check_abscissae(of.name, &abscissae, units[0])?;
        }
        let mut columns = vec![Vec::new(); self.width];
        for (i, row) in self.rows().enumerate() {
            for (k, &value) in row.iter().enumerate() {
                let local = format!("{}[{},{}]", of.name, i + 1, k + 1);
                let (text, limits) = column(k);
                let unit = units.get(k).copied().unwrap_or_default();
                let element = Parameter { unit, text, limits, ..*of };
                columns[k].push(if is_constant || k == 0 {
                    c.check_range(&local, value, &element)?;
                    element.describe(c.constant(&local, value)).into()
                } else {
                    c.real(&local, Real::Number(value), &element)?
                });
            }
        }
        Ok(Columns { rows: self, of, columns })
    }
}

impl Setting for Rows {
    type Declared = Columns;

    fn declare(self, c: &mut Contribution<'_>, of: &'static Parameter) -> Result<Columns, Error> {
        self.publish(c, of, |_| (of.text, of.limits))
    }

    fn from_value(value: Value) -> Result<Self, String> {
        if let Value::Real(_) = value {
            return value.number().map(Rows::from);
        }
        let rows = value.list(|row| row.list(Value::number))?;
        let width = rows.first().map_or(0, Vec::len);
        match rows.iter().position(|row| row.len() != width) {
            None => Ok(Rows { width, numbers: rows.concat() }),
            Some(i) => Err(format!(
                "rows of the same length are needed, but row {} has {} numbers, and row 1 has \
                 {width}",
                i + 1,
                rows[i].len()
            )),
        }
    }

    fn to_value(&self) -> Option<Value> {
        Some(Value::of_list(self.rows().map(|row| row.to_vec())))
    }
}

impl Pending<Rows> {
    /// Does the same as [`Pending::declare`] for columns with descriptions and ranges of their own.
    ///
    /// # Errors
    /// A value is not allowed.
    pub fn declare_columns<const N: usize>(
        self,
        c: &mut Contribution<'_>,
        columns: [(&'static str, Limits); N],
    ) -> Result<[Vec<Ex>; N], Error> {
        let of = self.of;
        let column = |k: usize| columns.get(k).copied().unwrap_or((of.text, of.limits));
        self.value.publish(c, of, column)?.each(c)
    }
}

/// The columns of [`Rows`] as equations use them.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The numbers that the model text gives.
    pub rows: Rows,
    /// The declaration of the table.
    pub of: &'static Parameter,
    columns: Vec<Vec<Ex>>,
}

impl Columns {
    /// Each column.
    ///
    /// # Errors
    /// The declaration has another number of units.
    pub fn each<const N: usize>(self, c: &Contribution<'_>) -> Result<[Vec<Ex>; N], Error> {
        let why = || format!("its declaration must have {N} units, separated by commas");
        self.columns.try_into().map_err(|_| c.refuse(self.of.name, why()))
    }
}
