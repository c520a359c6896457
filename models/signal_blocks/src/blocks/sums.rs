//! Sums, products, extrema and selections of signals; rectangular and polar coordinates.

use super::interfaces::blocks;
use crate::signals::blocks::{of_inputs, pass_units};
use crate::signals::interfaces::{give_array, two_inputs};
use equations::{Bool, select};
use mechanics::assembly::element;
use mechanics::declaration::{group, prelude::*};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;

group! {
    /// A block with any number of inputs and one output.
    pub struct Signals(signals) {}
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Signal
        y: Real,
    }
}

group! {
    /// A weighted sum of any number of signals.
    pub struct Weighted(weighted) {
        /// Gain of each input; 1 unless given
        k?: [Real],
    }
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Signal
        y: Real,
    }
}

/// A function of one value.
type OfOne = fn(Ex) -> Ex;

/// A function of two values.
type OfTwo = fn(Ex, Ex) -> Ex;

/// The values of signals.
pub(super) fn read_all(e: &mut SignalView<'_>, signals: &[PortId]) -> Result<Vec<Ex>, Error> {
    signals.iter().map(|&signal| e.read(signal)).collect()
}

/// The gains of `count` inputs, which the parameter `k` gives all or none.
pub(super) fn gains(
    c: &Contribution<'_>,
    k: Option<Vec<Ex>>,
    count: usize,
) -> Result<Vec<Ex>, Error> {
    let k = k.unwrap_or_else(|| vec![Ex::one(); count]);
    let given = k.len();
    if given == count {
        return Ok(k);
    }
    Err(c.refuse("k", format!("{count} signals are connected, but {given} gains are given")))
}

/// The value that belongs to the first true condition, or another one if none is true.
pub(super) fn first_true(conditions: &[Bool], values: &[Ex], otherwise: Ex) -> Ex {
    let pairs = conditions.iter().zip(values).rev();
    pairs.fold(otherwise, |rest, (&condition, &value)| select(condition, value, rest))
}

/// Defines the output of a block that weighs its inputs.
fn of_weighted(
    c: &mut Contribution<'_>,
    weighted: Weighted,
    law: impl FnOnce(&[Ex], Vec<Ex>) -> Ex + 'static,
) -> Result<(), Error> {
    let u = c.connected_inputs("u", "Input")?;
    let k = gains(c, weighted.k, u.len())?;
    let inputs = k.iter().enumerate().map(|(i, &k)| (element("u", i + 1), k));
    pass_units(c, &inputs.collect::<Vec<_>>());
    c.output("y", move |e| Ok(law(&k, read_all(e, &u)?)));
    Ok(())
}

/// The sum of products.
fn dot(k: &[Ex], u: Vec<Ex>) -> Ex {
    k.iter().zip(u).map(|(&k, u)| k * u).sum()
}

blocks! { of: weighted, of_weighted;
    /// Weighted sum of the elements of a vector.
    ///
    /// # Equations
    /// `y = k[1] u[1] + k[2] u[2] + ..`.
    Sum = "Modelica.Blocks.Math.Sum": dot;

    /// Weighted sum of any number of signals.
    ///
    /// # Equations
    /// `y = k[1] u[1] + k[2] u[2] + ..`; 0 without connections.
    MultiSum = "Modelica.Blocks.Math.MultiSum": dot;
}

component! {
    /// Product of any number of signals.
    ///
    /// # Equations
    /// `y = u[1] u[2] ..`; 0 without connections.
    pub struct MultiProduct = "Modelica.Blocks.Math.MultiProduct" { ..signals }
}

impl Component for MultiProduct {
    fn contribute(_: MultiProductParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.connected_inputs("u", "Input")?;
        c.output("y", move |e| {
            let product = read_all(e, &u)?.into_iter().reduce(|product, u| product * u);
            Ok(product.unwrap_or_else(Ex::zero))
        });
        Ok(())
    }
}

component! {
    /// Product of a matrix with a vector of signals.
    ///
    /// # Equations
    /// `y[i] = K[i,1] u[1] + K[i,2] u[2] + ..`.
    pub struct MatrixGain = "Modelica.Blocks.Math.MatrixGain" {
        /// Gains: a row for each output, a column for each input
        K: [[Real]][constant] = [[1, 0], [0, 1]],
    }
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Signals
        y: Array,
    }
}

impl Component for MatrixGain {
    fn contribute(p: MatrixGainParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.connected_inputs("u", "Input")?;
        let (columns, count) = (p.K.rows.width(), u.len());
        if columns != count {
            let why = format!("it has {columns} columns, but {count} signals are connected");
            return Err(c.refuse("K", why));
        }
        let rows: Vec<Vec<f64>> = p.K.rows.rows().map(<[f64]>::to_vec).collect();
        give_array(c, "y", rows.len(), move |e, i| {
            let u = read_all(e, &u)?;
            Ok(rows[i - 1].iter().zip(u).map(|(&k, u)| k * u).sum::<Ex>())
        });
        Ok(())
    }
}

component! {
    /// Linear function of two signals.
    ///
    /// # Equations
    /// `y = y0 + k1 u1 + k2 u2`.
    pub struct LinearDependency = "Modelica.Blocks.Math.LinearDependency" {
        /// Value without signals
        y0: Real = 0,
        /// Gain of the first input
        k1: Real = 0,
        /// Gain of the second input
        k2: Real = 0,
        ..two_inputs,
    }
}

impl Component for LinearDependency {
    fn contribute(p: LinearDependencyParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        pass_units(c, &[("u1", p.k1), ("u2", p.k2)]);
        of_inputs(c, move |u1, u2| p.y0 + p.k1 * u1 + p.k2 * u2)
    }
}

component! {
    /// Smallest and largest one of any number of signals.
    ///
    /// # Equations
    /// `yMin = min(u[1], u[2], ..)`, `yMax = max(u[1], u[2], ..)`. Kinks cause no events.
    pub struct MinMax = "Modelica.Blocks.Math.MinMax" {}
    ports {
        /// Input signals, at least one
        u: [Input],
    }
    variables {
        /// Largest signal
        y_max "yMax": Real,
        /// Smallest signal
        y_min "yMin": Real,
    }
}

impl Component for MinMax {
    fn contribute(_: MinMaxParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.connected_inputs("u", "Input")?;
        if u.is_empty() {
            return Err(c.refuse("u", "at least one signal must be connected"));
        }
        let extrema: [(_, OfTwo); 2] = [("yMax", |a, b| a.max(b)), ("yMin", |a, b| a.min(b))];
        for (output, extremum) in extrema {
            for i in 1..=u.len() {
                c.passes_unit(element("u", i), output);
            }
            let u = u.clone();
            c.output(output, move |e| {
                let of_all = read_all(e, &u)?.into_iter().reduce(extremum);
                Ok(of_all.expect("there is at least one"))
            });
        }
        Ok(())
    }
}

component! {
    /// Polar coordinates of a point in the plane.
    ///
    /// # Equations
    /// `y_abs = sqrt(u_re^2 + u_im^2)`, `y_arg = atan2(u_im, u_re)`.
    pub struct RectangularToPolar = "Modelica.Blocks.Math.RectangularToPolar" {}
    ports {
        /// First coordinate, or real part
        u_re: Input,
        /// Second coordinate, or imaginary part
        u_im: Input,
    }
    variables {
        /// Distance from the origin
        y_abs: Real,
        /// Angle from the first axis
        y_arg: Real["rad"],
    }
}

/// Distance and angle of a point.
pub(super) fn polar(re: Ex, im: Ex) -> [Ex; 2] {
    [(re * re + im * im).sqrt(), im.atan2(re)]
}

impl Component for RectangularToPolar {
    fn contribute(_: RectangularToPolarParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (re, im) = (c.input("u_re")?, c.input("u_im")?);
        for (k, output) in ["y_abs", "y_arg"].into_iter().enumerate() {
            c.output(output, move |e| {
                let re = e.read(re)?;
                Ok(polar(re, e.read(im)?)[k])
            });
        }
        Ok(())
    }
}

component! {
    /// Rectangular coordinates of a point in the plane.
    ///
    /// # Equations
    /// `y_re = u_abs cos(u_arg)`, `y_im = u_abs sin(u_arg)`.
    pub struct PolarToRectangular = "Modelica.Blocks.Math.PolarToRectangular" {}
    ports {
        /// Distance from the origin
        u_abs: Input,
        /// Angle from the first axis
        u_arg: Input["rad"],
    }
    variables {
        /// First coordinate, or real part
        y_re: Real,
        /// Second coordinate, or imaginary part
        y_im: Real,
    }
}

impl Component for PolarToRectangular {
    fn contribute(_: PolarToRectangularParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (length, angle) = (c.input("u_abs")?, c.input("u_arg")?);
        let laws: [(_, OfOne); 2] = [("y_re", Ex::cos), ("y_im", Ex::sin)];
        for (output, law) in laws {
            c.output(output, move |e| {
                let length = e.read(length)?;
                Ok(length * law(e.read(angle)?))
            });
        }
        Ok(())
    }
}

component! {
    /// Value that belongs to the first true one of any number of conditions.
    ///
    /// # Equations
    /// `y = expr[i]` with the smallest `i` for which `u[i]` is true; `y_default` if none is true.
    pub struct MultiSwitch = "Modelica.Blocks.Math.MultiSwitch" {
        /// Output for each condition
        expr: [Real],
        /// Output if no condition is true
        y_default: Real = 0,
    }
    ports {
        /// Conditions
        u: [BooleanInput],
    }
    variables {
        /// Signal
        y: Real,
    }
}

/// The conditions of a switch, to each of which one of the values of the parameter `expr` belongs.
pub(super) fn conditions(c: &mut Contribution<'_>, expr: &[Ex]) -> Result<Vec<PortId>, Error> {
    let u = c.connected_inputs("u", "BooleanInput")?;
    if u.len() == expr.len() {
        return Ok(u);
    }
    let (conditions, values) = (u.len(), expr.len());
    let why = format!("{conditions} conditions are connected, but {values} values are given");
    Err(c.refuse("expr", why))
}

/// Reads conditions and chooses the value that belongs to the first true one.
pub(super) fn read_first_true(
    e: &mut SignalView<'_>,
    conditions: &[PortId],
    values: &[Ex],
    otherwise: Ex,
) -> Result<Ex, Error> {
    let conditions = conditions.iter().map(|&u| e.read_truth(u)).collect::<Result<Vec<_>, _>>()?;
    Ok(first_true(&conditions, values, otherwise))
}

impl Component for MultiSwitch {
    fn contribute(p: MultiSwitchParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = conditions(c, &p.expr)?;
        c.output("y", move |e| read_first_true(e, &u, &p.expr, p.y_default));
        Ok(())
    }
}
