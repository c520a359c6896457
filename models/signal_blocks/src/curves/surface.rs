//! Surfaces over the points of a grid, as expressions.
//!
//! H. Akima: A method of bivariate interpolation and smooth surface fitting based on local
//! procedures. Communications of the ACM 17 (1974), pp. 18-20.

use super::{Curve, Extrapolation, Smoothness, within_period};
use equations::{Bool, Ex, LookupTable, TableShape, lookup_table, select};

/// A surface over a grid.
#[derive(Clone, Debug)]
pub struct Surface(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// A grid with one node in one direction: a curve along the other one.
    Curve {
        along: usize,
        curve: Curve,
    },
    Grid(Grid),
}

/// A grid with several nodes in both directions.
#[derive(Clone, Debug)]
struct Grid {
    /// The abscissae in both directions.
    axes: [Axis; 2],
    /// The nodes, row after row: their number, the value, both slopes, and the mixed derivative.
    nodes: LookupTable,
    smoothness: Smoothness,
    extrapolation: Extrapolation,
}

/// The abscissae in one direction.
#[derive(Clone, Debug)]
struct Axis {
    table: LookupTable,
    points: usize,
    /// The first and the last abscissa.
    ends: [f64; 2],
}

/// Where a value is along an axis: the node before it, and the weights of the values and slopes at
/// this node and the next one.
struct Position {
    before: Ex,
    values: [Ex; 2],
    slopes: [Ex; 2],
    is_outside: Bool,
}

impl Surface {
    /// The surface through the values at the nodes of a grid, one row of values for each of the
    /// abscissae `xs`, with one value for each of `ys`.
    ///
    /// # Errors
    /// The abscissae do not ascend, or there is no such surface.
    pub fn through(
        name: &str,
        [xs, ys]: [&[f64]; 2],
        values: &[f64],
        (smoothness, extrapolation): (Smoothness, Extrapolation),
    ) -> Result<Surface, String> {
        if xs.is_empty() || ys.is_empty() {
            return Err(format!("{name}: a table of two variables needs two rows and two columns"));
        }
        if smoothness.is_cubic() && smoothness != Smoothness::ContinuousDerivative {
            return Err(format!("{name}: a table of two variables has no such smoothness"));
        }
        for (along, axis, across) in [(0, xs, ys), (1, ys, xs)] {
            if across.len() == 1 {
                let kinds = (smoothness, extrapolation);
                let curve = Curve::through(name, (axis, values), kinds, false)?;
                return Ok(Surface(Kind::Curve { along, curve }));
            }
        }
        let periodic = extrapolation == Extrapolation::Periodic;
        let axes = [Axis::new(name, xs, periodic)?, Axis::new(name, ys, periodic)?];
        let m = ys.len();
        let derivatives = match smoothness.is_cubic() {
            true => derivatives(xs, ys, &|i, j| values[i * m + j]),
            false => vec![[0.0; 3]; values.len()],
        };
        #[allow(clippy::cast_precision_loss, reason = "tables are smaller")]
        let node = |k: usize| {
            let [zx, zy, zxy] = derivatives[k];
            [k as f64, values[k], zx, zy, zxy]
        };
        let shape = TableShape { columns: 5, jumps: false, periodic: false };
        let numbers = (0..values.len()).flat_map(node).collect();
        let nodes = lookup_table(name, numbers, shape).map_err(|error| error.to_string())?;
        Ok(Surface(Kind::Grid(Grid { axes, nodes, smoothness, extrapolation })))
    }

    /// The value at a point.
    pub fn at(&self, point: [Ex; 2]) -> Ex {
        match &self.0 {
            Kind::Curve { along, curve } => curve.at(point[*along]),
            Kind::Grid(grid) => grid.at(point),
        }
    }
}

impl Grid {
    fn at(&self, point: [Ex; 2]) -> Ex {
        let [x, y] = [0, 1].map(|k| self.axes[k].position(point[k], self));
        #[allow(clippy::cast_precision_loss, reason = "tables are smaller")]
        let width = self.axes[1].points as f64;
        let node = |i: usize, j: usize| {
            let [i, j] = [(&x, i), (&y, j)].map(|(at, k)| at.before + f64::from(k == 1));
            i * width + j
        };
        let value = |column: usize, i: usize, j: usize| self.nodes.entry(column, node(i, j));
        let mut sum = Ex::zero();
        for i in 0..2 {
            for j in 0..2 {
                sum += x.values[i] * y.values[j] * value(1, i, j);
                if self.smoothness.is_cubic() {
                    sum += x.slopes[i] * y.values[j] * value(2, i, j)
                        + x.values[i] * y.slopes[j] * value(3, i, j)
                        + x.slopes[i] * y.slopes[j] * value(4, i, j);
                }
            }
        }
        if self.smoothness != Smoothness::ConstantSegments {
            return sum;
        }
        let [i, j] = [0, 1].map(|k| {
            let axis = &self.axes[k];
            #[allow(clippy::cast_precision_loss, reason = "tables are smaller")]
            let last = (axis.points - 1) as f64;
            let count = axis.table.count(axis.inside(point[k], self.extrapolation));
            (count - 1.0).max(0.0).min(last)
        });
        let step = self.nodes.entry(1, i * width + j);
        match self.extrapolation {
            Extrapolation::LastTwoPoints => select(x.is_outside | y.is_outside, sum, step),
            _ => step,
        }
    }
}

impl Axis {
    fn new(name: &str, xs: &[f64], periodic: bool) -> Result<Axis, String> {
        let shape = TableShape { columns: 1, jumps: false, periodic };
        let table = lookup_table(name, xs.to_vec(), shape).map_err(|error| error.to_string())?;
        Ok(Axis { table, points: xs.len(), ends: [xs[0], xs[xs.len() - 1]] })
    }

    /// The abscissa with which the value at another one is found, inside unless the surface
    /// continues.
    fn inside(&self, x: Ex, extrapolation: Extrapolation) -> Ex {
        let [first, last] = self.ends;
        match extrapolation {
            Extrapolation::HoldLastPoint => x.max(first).min(last),
            Extrapolation::NoExtrapolation => self.table.guard(x, x),
            Extrapolation::Periodic => within_period(x, [first.into(), last.into()]),
            Extrapolation::LastTwoPoints => x,
        }
    }

    fn position(&self, x: Ex, of: &Grid) -> Position {
        let (zero, one) = (Ex::zero(), Ex::one());
        let x = self.inside(x, of.extrapolation);
        let [first, last] = self.ends;
        let before = (self.table.count(x) - 1.0).max(0.0).min(self.table.rows() - 2.0);
        let [x0, x1] = [0.0, 1.0].map(|k| self.table.entry(0, before + k));
        let h = x1 - x0;
        let is_outside = x.lt(first) | x.gt(last);
        if !of.smoothness.is_cubic() {
            let t = (x - x0) / h;
            return Position { before, values: [one - t, t], slopes: [zero; 2], is_outside };
        }
        // Beyond the ends, the surface continues with the slope there.
        let edge = x.max(first).min(last);
        let (t, beyond) = ((edge - x0) / h, (x - edge) / h);
        let rise = t * t * (3.0 - 2.0 * t) + beyond * 6.0 * t * (one - t);
        let begin = t * (one - t) * (one - t) + beyond * (one - t) * (one - 3.0 * t);
        let end = t * t * (t - 1.0) + beyond * t * (3.0 * t - 2.0);
        Position { before, values: [one - rise, rise], slopes: [begin * h, end * h], is_outside }
    }
}

/// The slopes in both directions and the mixed derivative at each node.
fn derivatives(xs: &[f64], ys: &[f64], z: &dyn Fn(usize, usize) -> f64) -> Vec<[f64; 3]> {
    let (n, m) = (xs.len(), ys.len());
    let mut all = vec![[0.0; 3]; n * m];
    // The grid with two further nodes on each side.
    let [xs, ys] = [xs, ys].map(extended);
    let mut grid = vec![vec![0.0; m + 4]; n + 4];
    for i in 0..n {
        let row: Vec<f64> = (0..m).map(|j| z(i, j)).collect();
        grid[i + 2] = continued(&ys, &row);
    }
    let column = |j: usize| -> Vec<f64> { (0..n).map(|i| grid[i + 2][j]).collect() };
    let columns: Vec<Vec<f64>> = (0..m + 4).map(|j| continued(&xs, &column(j))).collect();
    let row = |i: usize| columns.iter().map(|column| column[i]).collect();
    let grid: Vec<Vec<f64>> = (0..n + 4).map(row).collect();
    for i in 0..n {
        for j in 0..m {
            all[i * m + j] = at_node(&xs, &ys, &grid, [i + 2, j + 2]);
        }
    }
    all
}

/// The abscissae with two further ones on each side.
fn extended(xs: &[f64]) -> Vec<f64> {
    let n = xs.len();
    let [first, last] = match n {
        2 => [
            [3.0 * xs[0] - 2.0 * xs[1], 2.0 * xs[0] - xs[1]],
            [2.0 * xs[1] - xs[0], 3.0 * xs[1] - 2.0 * xs[0]],
        ],
        _ => [
            [2.0 * xs[0] - xs[2], xs[0] + xs[1] - xs[2]],
            [xs[n - 1] + xs[n - 2] - xs[n - 3], 2.0 * xs[n - 1] - xs[n - 3]],
        ],
    };
    first.into_iter().chain(xs.iter().copied()).chain(last).collect()
}

/// Values at extended abscissae: the slopes of lines continue to change as before.
fn continued(xs: &[f64], values: &[f64]) -> Vec<f64> {
    let n = values.len();
    let line = |k: usize| (values[k + 1] - values[k]) / (xs[k + 3] - xs[k + 2]);
    let (first, last) = (line(0), line(n - 2));
    let [change_first, change_last] = match n {
        2 => [0.0; 2],
        _ => [first - line(1), last - line(n - 3)],
    };
    let before = values[0] - (first + change_first) * (xs[2] - xs[1]);
    let earlier = before - (first + 2.0 * change_first) * (xs[1] - xs[0]);
    let behind = values[n - 1] + (last + change_last) * (xs[n + 2] - xs[n + 1]);
    let later = behind + (last + 2.0 * change_last) * (xs[n + 3] - xs[n + 2]);
    [earlier, before].into_iter().chain(values.iter().copied()).chain([behind, later]).collect()
}

/// The derivatives at a node of the extended grid.
fn at_node(xs: &[f64], ys: &[f64], grid: &[Vec<f64>], [i, j]: [usize; 2]) -> [f64; 3] {
    let along_x = |i: usize, j: usize| (grid[i + 1][j] - grid[i][j]) / (xs[i + 1] - xs[i]);
    let along_y = |i: usize, j: usize| (grid[i][j + 1] - grid[i][j]) / (ys[j + 1] - ys[j]);
    // The weights of the lines before and behind the node.
    let weights = |d: [f64; 4]| match [(d[3] - d[2]).abs(), (d[1] - d[0]).abs()] {
        [0.0, 0.0] => [0.5, 0.5],
        [a, b] => [a / (a + b), b / (a + b)],
    };
    let x = [0, 1, 2, 3].map(|k| along_x(i - 2 + k, j));
    let y = [0, 1, 2, 3].map(|k| along_y(i, j - 2 + k));
    let (wx, wy) = (weights(x), weights(y));
    let mut mixed = 0.0;
    for (a, i) in [i - 1, i].into_iter().enumerate() {
        for (b, j) in [j - 1, j].into_iter().enumerate() {
            let bend = (along_y(i + 1, j) - along_y(i, j)) / (xs[i + 1] - xs[i]);
            mixed += wx[a] * wy[b] * bend;
        }
    }
    [wx[0] * x[1] + wx[1] * x[2], wy[0] * y[1] + wy[1] * y[2], mixed]
}
