//! Tables: objects of another language in the standard library, and the functions that read them.
//!
//! An object is the record of what its constructor was given.

mod file;
mod matlab;
mod times;

use crate::value::{Misfit, Value};
use equations::Ex;
pub use file::with_file;
use libraries::curves::{Curve, Extrapolation, Smoothness, Surface};
use mechanics::declaration::Chosen;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use times::{Instants, TimeEvents};

/// Numbers in rows.
#[derive(Debug)]
struct Matrix {
    rows: usize,
    columns: usize,
    numbers: Vec<f64>,
}

impl Matrix {
    fn at(&self, row: usize, column: usize) -> f64 {
        self.numbers[row * self.columns + column]
    }

    fn column(&self, column: usize) -> Vec<f64> {
        (0..self.rows).map(|row| self.at(row, column)).collect()
    }
}

/// The functions that read tables.
const FUNCTIONS: [&str; 13] = [
    "getTable1DValue",
    "getTable1DValueNoDer",
    "getTable1DValueNoDer2",
    "getTable1DAbscissaUmin",
    "getTable1DAbscissaUmax",
    "getTimeTableValue",
    "getTimeTableValueNoDer",
    "getTimeTableValueNoDer2",
    "getTimeTableTmin",
    "getTimeTableTmax",
    "getNextTimeEvent",
    "getTable2DValue",
    "getTable2DValueNoDer",
];

/// Further ones.
const OF_SURFACES: [&str; 3] =
    ["getTable2DValueNoDer2", "getTable2DAbscissaUmin", "getTable2DAbscissaUmax"];

/// Whether a function of the standard library, by its full name, reads a table.
pub fn is_function(path: &str) -> bool {
    let name = path.strip_prefix("Modelica.Blocks.Tables.Internal.");
    name.is_some_and(|name| FUNCTIONS.contains(&name) || OF_SURFACES.contains(&name))
}

/// What was made of a table.
#[derive(Clone, Debug)]
enum Made {
    Curve(Rc<Curve>),
    Instants(Rc<Instants>),
    Surface(Rc<Surface>),
}

/// What was made of tables, by the object and the column. The objects are kept, so that no other
/// one has their address.
#[derive(Debug, Default)]
pub struct Tables {
    made: RefCell<HashMap<(usize, usize), (Value, Made)>>,
}

/// Computes numbers that must be known when the model is built.
type Number<'n> = &'n dyn Fn(Ex) -> Result<f64, Misfit>;

impl Tables {
    /// The result of a function that reads a table.
    ///
    /// # Errors
    /// The table or the arguments are wrong.
    pub fn call(
        &self,
        name: &str,
        arguments: &[Value],
        number: Number<'_>,
    ) -> Result<Value, Misfit> {
        let (object, arguments) = arguments.split_first().ok_or("a table is missing")?;
        let object = Object { of: object, number };
        let value = |of: Ex| Ok(Value::Real(of));
        match (name, arguments) {
            ("getTable1DAbscissaUmin" | "getTimeTableTmin", []) => {
                let matrix = object.matrix()?;
                Ok(Value::from(matrix.at(0, 0)))
            }
            ("getTable1DAbscissaUmax" | "getTimeTableTmax", []) => {
                let matrix = object.matrix()?;
                Ok(Value::from(matrix.at(matrix.rows - 1, 0)))
            }
            ("getTable2DAbscissaUmin" | "getTable2DAbscissaUmax", []) => {
                let matrix = object.matrix()?;
                let is_last = name.ends_with("max");
                let [row, column] = [matrix.rows, matrix.columns]
                    .map(|n| if is_last { n - 1 } else { 1.min(n - 1) });
                Ok([matrix.at(row, 0), matrix.at(0, column)].map(Value::from).into_iter().collect())
            }
            ("getNextTimeEvent", [time]) => value(self.instants(&object)?.next(time.real()?)),
            (_, [column, time, next, _]) if name.starts_with("getTimeTableValue") => {
                let (column, smoothness) = (object.column(column)?, object.smoothness()?);
                let curve = self.curve(&object, column, true)?;
                let instants = self.instants(&object)?;
                value(instants.value(&curve, smoothness, time.real()?, next.real()?))
            }
            (_, [column, u]) if name.starts_with("getTable1DValue") => {
                let curve = self.curve(&object, object.column(column)?, false)?;
                value(curve.at(u.real()?))
            }
            (_, [u1, u2]) if name.starts_with("getTable2DValue") => {
                value(self.surface(&object)?.at([u1.real()?, u2.real()?]))
            }
            _ => Err(format!("{name} has other arguments")),
        }
    }

    fn made(
        &self,
        object: &Object<'_>,
        column: usize,
        make: impl FnOnce() -> Result<Made, Misfit>,
    ) -> Result<Made, Misfit> {
        let key = (object.address(), column);
        if let Some((_, known)) = self.made.borrow().get(&key) {
            return Ok(known.clone());
        }
        let made = make()?;
        self.made.borrow_mut().insert(key, (object.of.clone(), made.clone()));
        Ok(made)
    }

    fn curve(&self, object: &Object<'_>, column: usize, jumps: bool) -> Result<Rc<Curve>, Misfit> {
        let made = self.made(object, column, || {
            let matrix = object.matrix()?;
            let points = (&matrix.column(0)[..], &matrix.column(column)[..]);
            let kinds = (object.smoothness()?, object.extrapolation()?);
            let curve = Curve::through(&object.name(), points, kinds, jumps)?;
            Ok(Made::Curve(Rc::new(curve)))
        })?;
        match made {
            Made::Curve(curve) => Ok(curve),
            _ => Err("this is no column of values".to_owned()),
        }
    }

    fn instants(&self, object: &Object<'_>) -> Result<Rc<Instants>, Misfit> {
        // Column 0 contains the abscissae.
        let made = self.made(object, 0, || {
            let times = (object.known("startTime")?, object.known("shiftTime")?);
            let kinds = (object.extrapolation()?, object.time_events()?);
            let instants = Instants::new(&object.name(), &object.matrix()?, times, kinds)?;
            Ok(Made::Instants(Rc::new(instants)))
        })?;
        match made {
            Made::Instants(instants) => Ok(instants),
            _ => Err("this is no table of time".to_owned()),
        }
    }

    fn surface(&self, object: &Object<'_>) -> Result<Rc<Surface>, Misfit> {
        let made = self.made(object, 0, || {
            let kinds = (object.smoothness()?, object.extrapolation()?);
            let (name, matrix) = (object.name(), object.matrix()?);
            let (rows, columns) = (1..matrix.rows, 1..matrix.columns);
            let xs: Vec<f64> = rows.clone().map(|i| matrix.at(i, 0)).collect();
            let ys: Vec<f64> = columns.clone().map(|j| matrix.at(0, j)).collect();
            let values: Vec<f64> = rows
                .flat_map(|i| columns.clone().map(move |j| (i, j)))
                .map(|(i, j)| matrix.at(i, j))
                .collect();
            let surface = Surface::through(&name, [&xs, &ys], &values, kinds)?;
            Ok(Made::Surface(Rc::new(surface)))
        })?;
        match made {
            Made::Surface(surface) => Ok(surface),
            _ => Err("this is no table of two variables".to_owned()),
        }
    }
}

/// What the constructor of a table was given.
struct Object<'o> {
    of: &'o Value,
    number: Number<'o>,
}

impl Object<'_> {
    fn address(&self) -> usize {
        match self.of {
            Value::Record(fields) => Rc::as_ptr(fields).cast::<u8>().addr(),
            _ => 0,
        }
    }

    fn field(&self, name: &str) -> Result<Value, Misfit> {
        self.of.field(name).ok_or_else(|| format!("{} is no table", self.of.kind()))
    }

    fn known(&self, name: &str) -> Result<f64, Misfit> {
        (self.number)(self.field(name)?.real()?)
    }

    fn name(&self) -> String {
        match self.field("tableName") {
            Ok(Value::Text(name)) if &*name != "NoName" => name.to_string(),
            _ => "table".to_owned(),
        }
    }

    fn matrix(&self) -> Result<Matrix, Misfit> {
        let table = self.field("table")?;
        let (sizes, scalars) = (table.sizes(), table.scalars());
        let numbers = scalars.iter().map(|value| (self.number)(value.real()?));
        let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
        match sizes[..] {
            [rows, columns] if rows > 0 && columns > 0 => Ok(Matrix { rows, columns, numbers }),
            _ => Err(format!("{}: it has no rows", self.name())),
        }
    }

    /// The column of the matrix, counted from zero, that is a result.
    fn column(&self, result: &Value) -> Result<usize, Misfit> {
        let Value::Integer(result) = result else {
            return Err("the number of a column must be known".to_owned());
        };
        let columns = self.field("columns")?;
        let at = usize::try_from(*result - 1).ok();
        let column = at.and_then(|at| columns.elements().ok()?.get(at).cloned());
        let column = match column {
            Some(Value::Integer(column)) => usize::try_from(column - 1).ok(),
            _ => None,
        };
        let all = self.matrix()?.columns;
        let inside = column.filter(|column| (1..all).contains(column));
        inside.ok_or_else(|| format!("{}: its columns of values are from 2 to {all}", self.name()))
    }

    fn literal(&self, name: &str) -> Result<Rc<str>, Misfit> {
        match self.field(name)? {
            Value::Literal { name, .. } => Ok(name),
            other => Err(format!("{name} is {}", other.kind())),
        }
    }

    fn smoothness(&self) -> Result<Smoothness, Misfit> {
        self.choice("smoothness")
    }

    fn extrapolation(&self) -> Result<Extrapolation, Misfit> {
        self.choice("extrapolation")
    }

    fn choice<C: Chosen>(&self, field: &str) -> Result<C, Misfit> {
        let name = self.literal(field)?;
        let values = C::CHOICE.values.iter().zip(C::VALUES);
        let mut known = values.filter(|((of, _), _)| *of == &*name).map(|(_, value)| *value);
        known.next().ok_or_else(|| format!("the {field} {name} is not known"))
    }

    fn time_events(&self) -> Result<TimeEvents, Misfit> {
        Ok(match &*self.literal("timeEvents")? {
            "Always" => TimeEvents::Always,
            "AtDiscontinuities" => TimeEvents::AtJumps,
            "NoTimeEvents" => TimeEvents::Never,
            other => return Err(format!("{other} is not known")),
        })
    }
}
