//! The linearized system at the start: loops of direct feedthrough, and the largest communication
//! step with which a master is stable.
//!
//! The FMUs are linear systems there, `der(x) = A x + B u`, `y = C x + D u`, and a communication
//! step of a master is a linear map of the states and of the courses of the inputs, of which the
//! largest eigenvalue decides (Kuebler and Schiehlen 2000; Busch 2012).

use nalgebra::{DMatrix, DVector};

use fmus::error::{Error, FailedCall};

use super::coupling::Coupling;
use super::schemes::{Method, Scheme, suitable};
use super::simulation::{initialized, instantiated, libraries, plan, settings};
use super::slave::Slave;
use crate::run::{Overrides, Recorder};
use crate::systems::order::sequence;
use crate::systems::wiring::{Port, Wiring};

/// The linearized FMU of a part.
struct Block {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
    /// The indices of its inputs and outputs in the coupling.
    inputs: Vec<usize>,
    outputs: Vec<usize>,
}

/// A pair of connections through which two FMUs pass inputs directly to each other's outputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The connections, by indices of the links of the wiring.
    pub links: [usize; 2],
    /// The factor by which a disturbance returns.
    pub gain: f64,
}

/// The linearized system at the start.
pub struct Linear {
    blocks: Vec<Block>,
    connections: DMatrix<f64>,
    feedthrough: DMatrix<f64>,
    sequence: Vec<usize>,
    duration: f64,
    /// The highest order of inputs that all FMUs follow, by derivatives of outputs that all give.
    highest_order: u32,
    /// Pairs of FMUs with direct feedthrough in both directions.
    pub loops: Vec<Loop>,
}

/// A system at its start.
pub struct Analysis {
    /// The values of the connected Real inputs.
    pub starts: Vec<(Port, f64)>,
    /// The linearized system; none if an FMU gives no directional derivatives.
    pub linear: Option<Linear>,
}

/// Initializes a system with the values of its archive and others, and linearizes it.
///
/// # Errors
/// If the system cannot be initialized, or an FMU refuses a derivative.
pub fn analysed(wiring: &Wiring, overrides: &Overrides, set: &[String]) -> Result<Analysis, Error> {
    let plan = plan(wiring, overrides)?;
    let libraries = libraries(wiring)?;
    let nothing = |part: usize| Ok((Recorder::new(wiring.description(part), Some(&[]))?, None));
    let mut slaves = instantiated(wiring, &libraries, nothing)?;
    let settings = settings(wiring, set)?;
    let coupling = initialized(wiring, &mut slaves, &settings, &plan)?;
    let real = wiring.links.iter().filter(|link| is_real(wiring, link.to));
    let starts: Vec<(Port, f64)> = real.map(|link| link.to).zip(coupling.u.clone()).collect();
    if !slaves.iter().all(|slave| slave.abilities.directional) {
        return Ok(Analysis { starts, linear: None });
    }
    let mut blocks = Vec::new();
    for (index, slave) in slaves.iter_mut().enumerate() {
        match block(wiring, index, slave, &coupling) {
            Some(Ok(block)) => blocks.push(block),
            // The FMU does not give the derivatives that its description promises.
            Some(Err(_)) | None => return Ok(Analysis { starts, linear: None }),
        }
    }
    let mut d = DMatrix::zeros(coupling.outputs.len(), coupling.inputs.len());
    for block in &blocks {
        for (i, output) in block.outputs.iter().enumerate() {
            for (j, input) in block.inputs.iter().enumerate() {
                d[(*output, *input)] = block.d[(i, j)];
            }
        }
    }
    let linear = Linear {
        loops: loops(wiring, &coupling, &d),
        connections: coupling.connections(),
        feedthrough: d,
        blocks,
        sequence: sequence(wiring),
        duration: plan.stop - plan.start,
        highest_order: suitable(wiring).order,
    };
    Ok(Analysis { starts, linear: Some(linear) })
}

fn is_real(wiring: &Wiring, port: Port) -> bool {
    wiring.variable(port).base == fmus::model_description::Base::Real
}

/// The linearized FMU of a slave; none if its description does not list the derivatives of all
/// states.
fn block(
    wiring: &Wiring,
    index: usize,
    slave: &mut Slave<'_>,
    coupling: &Coupling,
) -> Option<Result<Block, FailedCall>> {
    let description = wiring.description(index);
    let reference = |k: usize| description.variables.get(k).map(|v| v.value_reference);
    let derivatives: Vec<u32> =
        description.derivatives.iter().map(|d| reference(d.index)).collect::<Option<_>>()?;
    let states: Vec<u32> =
        description.states().into_iter().map(reference).collect::<Option<_>>()?;
    if derivatives.len() != states.len() {
        return None;
    }
    let (nx, nu, ny) = (states.len(), slave.inputs.len(), slave.outputs.len());
    let unknowns: Vec<u32> = derivatives.iter().chain(&slave.outputs).copied().collect();
    let mut all = DMatrix::zeros(nx + ny, nx + nu);
    let knowns: Vec<u32> = states.iter().chain(&slave.inputs).copied().collect();
    for (column, known) in knowns.iter().enumerate() {
        if !unknowns.is_empty() {
            let values = slave.instance.directional_derivative(&unknowns, &[*known], &[1.0]);
            let values = match values {
                Ok(values) => values,
                Err(call) => return Some(Err(call)),
            };
            all.set_column(column, &DVector::from_vec(values));
        }
    }
    let sorted = |of: Vec<(usize, usize)>| {
        let mut of = of;
        of.sort_by_key(|(local, _)| *local);
        of.into_iter().map(|(_, index)| index).collect()
    };
    let inputs = coupling.inputs.iter().enumerate().filter(|(_, i)| i.slave == index);
    let outputs = coupling.outputs.iter().enumerate().filter(|(_, o)| o.slave == index);
    Some(Ok(Block {
        a: all.view((0, 0), (nx, nx)).into_owned(),
        b: all.view((0, nx), (nx, nu)).into_owned(),
        c: all.view((nx, 0), (ny, nx)).into_owned(),
        d: all.view((nx, nx), (ny, nu)).into_owned(),
        inputs: sorted(inputs.map(|(k, i)| (i.local, k)).collect()),
        outputs: sorted(outputs.map(|(k, o)| (o.local, k)).collect()),
    }))
}

/// Pairs of connections with feedthrough in both directions.
fn loops(wiring: &Wiring, coupling: &Coupling, d: &DMatrix<f64>) -> Vec<Loop> {
    let real: Vec<usize> =
        (0..wiring.links.len()).filter(|k| is_real(wiring, wiring.links[*k].to)).collect();
    let mut found = Vec::new();
    for (k, first) in coupling.inputs.iter().enumerate() {
        for (l, second) in coupling.inputs.iter().enumerate().skip(k + 1) {
            // The first input acts on the output of the second connection, and the reverse.
            let there = d[(second.output, k)] * second.factor;
            let back = d[(first.output, l)] * first.factor;
            if there * back != 0.0 {
                found.push(Loop { links: [real[k], real[l]], gain: there * back });
            }
        }
    }
    found
}

/// The steps with which a master is stable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StableSteps {
    /// All steps up to the whole experiment.
    All,
    /// Steps up to a size in s.
    UpTo(f64),
    /// No step.
    None,
    /// The system is too large, or its FMUs do not follow courses of inputs of this order.
    Unknown,
}

/// The largest number of states and courses of inputs for which steps are examined.
const LARGEST: usize = 120;

/// Growth of errors that counts as stable: tenfold in the whole experiment.
const GROWTH: f64 = 10.0;

/// The relative accuracy of spectral radii.
const ROUNDING: f64 = 1e-7;

impl Linear {
    /// The steps with which a master is stable, if errors may grow tenfold in the experiment beyond
    /// the growth of the system itself.
    pub fn stable_steps(&self, method: &Method) -> StableSteps {
        let size = self.size() + self.connections.nrows() * (method.order as usize + 1);
        if method.scheme == Scheme::Iterative || self.connections.is_empty() {
            return StableSteps::All;
        }
        // The map is that of FMUs which follow courses of inputs.
        if size > LARGEST || method.order > self.highest_order {
            return StableSteps::Unknown;
        }
        let allowed = self.own_growth() + GROWTH.ln() / self.duration;
        let stable = |h: f64| (growth(self.map(method, h)) - ROUNDING) / h <= allowed;
        let (steps, decades) = (8, 7);
        let at = |k: i32| self.duration * 10_f64.powf(f64::from(k) / f64::from(steps));
        let first = -decades * steps;
        if !stable(at(first)) {
            return StableSteps::None;
        }
        let Some(unstable) = (first..=0).find(|k| !stable(at(*k))) else {
            return StableSteps::All;
        };
        let (mut good, mut bad) = (at(unstable - 1), at(unstable));
        while bad - good > 1e-3 * good {
            let middle = 0.5 * (good + bad);
            if stable(middle) { good = middle } else { bad = middle }
        }
        StableSteps::UpTo(good)
    }

    /// The number of states.
    fn size(&self) -> usize {
        self.blocks.iter().map(|block| block.a.nrows()).sum()
    }

    /// The rate in 1/s at which the system itself grows fastest, at least 0.
    fn own_growth(&self) -> f64 {
        let n = self.size();
        let (nu, ny) = (self.connections.nrows(), self.connections.ncols());
        let (mut a, mut b, mut c) =
            (DMatrix::zeros(n, n), DMatrix::zeros(n, nu), DMatrix::zeros(ny, n));
        let mut first = 0;
        for block in &self.blocks {
            let k = block.a.nrows();
            a.view_mut((first, first), (k, k)).copy_from(&block.a);
            for (j, input) in block.inputs.iter().enumerate() {
                b.view_mut((first, *input), (k, 1)).copy_from(&block.b.column(j));
            }
            for (i, output) in block.outputs.iter().enumerate() {
                c.view_mut((*output, first), (1, k)).copy_from(&block.c.row(i));
            }
            first += k;
        }
        let loops = DMatrix::identity(nu, nu) - &self.connections * &self.feedthrough;
        let Some(inverse) = loops.try_inverse() else { return 0.0 };
        let whole = a + b * inverse * &self.connections * c;
        if whole.is_empty() || !whole.iter().all(|v| v.is_finite()) {
            return 0.0;
        }
        let norm = whole.norm();
        if norm == 0.0 { 0.0 } else { (growth(exponential(&(whole / norm))) * norm).max(0.0) }
    }

    /// The map of a communication step: states and courses of the inputs at its end from those at
    /// its beginning.
    fn map(&self, method: &Method, h: f64) -> DMatrix<f64> {
        let nx = self.size();
        let nu = self.connections.nrows();
        let n = nx + nu * (method.order as usize + 1);
        let transitions: Vec<DMatrix<f64>> =
            self.blocks.iter().map(|block| transition(block, method.order, h)).collect();
        let loops = DMatrix::identity(nu, nu) - &self.connections * &self.feedthrough;
        let inverse = if method.corrects { loops.try_inverse() } else { None };
        let mut map = DMatrix::zeros(n, n);
        for column in 0..n {
            let mut unit = DVector::zeros(n);
            unit[column] = 1.0;
            map.set_column(column, &self.step(method, h, &transitions, inverse.as_ref(), &unit));
        }
        map
    }

    /// A communication step of the linear system.
    fn step(
        &self,
        method: &Method,
        h: f64,
        transitions: &[DMatrix<f64>],
        inverse: Option<&DMatrix<f64>>,
        from: &DVector<f64>,
    ) -> DVector<f64> {
        let nx = self.size();
        let (nu, ny) = (self.connections.nrows(), self.connections.ncols());
        let order = method.order as usize;
        // The courses: a column for each derivative.
        let mut u = DMatrix::from_fn(nu, order + 1, |i, k| from[nx + k * nu + i]);
        let mut y = DMatrix::zeros(ny, order + 1);
        let mut states = DVector::zeros(nx);
        let mut done = vec![false; self.blocks.len()];
        let firsts: Vec<usize> = self
            .blocks
            .iter()
            .scan(0, |next, block| {
                let first = *next;
                *next += block.a.nrows();
                Some(first)
            })
            .collect();
        let in_order: Vec<usize> = match method.scheme {
            Scheme::GaussSeidel => self.sequence.clone(),
            _ => (0..self.blocks.len()).collect(),
        };
        for index in in_order {
            let block = &self.blocks[index];
            if method.scheme == Scheme::GaussSeidel {
                self.lead(index, &done, &y, &mut u, h);
            }
            let own =
                DMatrix::from_fn(block.inputs.len(), order + 1, |i, k| u[(block.inputs[i], k)]);
            let n = block.a.nrows();
            let x = DVector::from_fn(n, |i, _| from[firsts[index] + i]);
            let mut joined = DVector::zeros(n + own.len());
            joined.rows_mut(0, n).copy_from(&x);
            joined.rows_mut(n, own.len()).copy_from_slice(own.as_slice());
            let x = &transitions[index] * joined;
            states.rows_mut(firsts[index], n).copy_from(&x);
            let end = moved(&own, h);
            let mut derivative = x;
            for k in 0..=order {
                let value = &block.c * &derivative + &block.d * end.column(k);
                for (i, output) in block.outputs.iter().enumerate() {
                    y[(*output, k)] = value[i];
                }
                derivative = &block.a * &derivative + &block.b * end.column(k);
            }
            done[index] = true;
        }
        let end = moved(&u, h);
        let mut next = match inverse {
            Some(inverse) => inverse * &self.connections * (&y - &self.feedthrough * &end),
            None => &self.connections * &y,
        };
        if order + 1 > next.ncols() {
            next = next.resize_horizontally(order + 1, 0.0);
        }
        let mut to = DVector::zeros(from.len());
        to.rows_mut(0, nx).copy_from(&states);
        to.rows_mut(nx, next.len()).copy_from_slice(next.as_slice());
        to
    }

    /// Leads the inputs of a block to the new outputs of those that are done, as the Gauss-Seidel
    /// scheme does.
    fn lead(&self, index: usize, done: &[bool], y: &DMatrix<f64>, u: &mut DMatrix<f64>, h: f64) {
        for input in &self.blocks[index].inputs {
            let source =
                (0..self.connections.ncols()).find(|o| self.connections[(*input, *o)] != 0.0);
            let Some(output) = source else { continue };
            let is_done =
                self.blocks.iter().zip(done).any(|(b, done)| *done && b.outputs.contains(&output));
            if !is_done {
                continue;
            }
            let end = self.connections[(*input, output)] * y[(output, 0)];
            let from = u[(*input, 0)];
            match u.ncols() {
                1 => u[(*input, 0)] = end,
                2 => u[(*input, 1)] = (end - from) / h,
                _ => u[(*input, 2)] = 2.0 * (end - from - u[(*input, 1)] * h) / (h * h),
            }
        }
    }
}

/// Courses at the end of a step.
fn moved(u: &DMatrix<f64>, h: f64) -> DMatrix<f64> {
    let mut end = u.clone();
    for i in 0..u.nrows() {
        for k in 0..u.ncols() {
            let mut factor = 1.0;
            let mut value = 0.0;
            for (j, l) in (k..u.ncols()).enumerate() {
                if j > 0 {
                    factor *= h / j as f64;
                }
                value += factor * u[(i, l)];
            }
            end[(i, k)] = value;
        }
    }
    end
}

/// The map from states and courses of inputs to the states at the end of a step: the exponential of
/// the matrix in which the inputs integrate their derivatives.
fn transition(block: &Block, order: u32, h: f64) -> DMatrix<f64> {
    let (nx, nu) = (block.a.nrows(), block.b.ncols());
    let n = nx + nu * (order as usize + 1);
    let mut whole = DMatrix::zeros(n, n);
    whole.view_mut((0, 0), (nx, nx)).copy_from(&block.a);
    whole.view_mut((0, nx), (nx, nu)).copy_from(&block.b);
    for k in 0..order as usize {
        for i in 0..nu {
            whole[(nx + k * nu + i, nx + (k + 1) * nu + i)] = 1.0;
        }
    }
    let exponential = exponential(&(whole * h));
    exponential.view((0, 0), (nx, n)).into_owned()
}

/// The exponential of a matrix: the series for a part of it, squared until the whole is reached.
fn exponential(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    let norm = matrix.row_iter().map(|row| row.iter().map(|v| v.abs()).sum()).fold(0.0, f64::max);
    if !norm.is_finite() {
        return matrix.map(|_| f64::NAN);
    }
    let halvings = norm.log2().ceil().max(-1.0) as i32 + 1;
    let part = matrix * 0.5_f64.powi(halvings);
    let n = matrix.nrows();
    let (mut sum, mut term) = (DMatrix::identity(n, n), DMatrix::identity(n, n));
    for k in 1..=TERMS {
        term = &term * &part / f64::from(k);
        sum += &term;
    }
    (0..halvings).fold(sum, |power, _| &power * &power)
}

/// Terms of the series of the exponential: those of a matrix of norm 1/2 and higher order are below
/// rounding errors.
const TERMS: u32 = 14;

/// The logarithm of the spectral radius of a matrix, by Gelfand's formula: that of the norm of a
/// power, divided by the exponent.
fn growth(map: DMatrix<f64>) -> f64 {
    let (mut power, mut logarithm) = (map, 0.0);
    for k in 0..=SQUARINGS {
        let norm = power.norm();
        if norm == 0.0 {
            return f64::NEG_INFINITY;
        }
        if !norm.is_finite() {
            return f64::INFINITY;
        }
        logarithm += norm.ln() * 0.5_f64.powi(k);
        power /= norm;
        power = &power * &power;
    }
    logarithm
}

/// Squarings of Gelfand's formula: a double eigenvalue is then known to about 1e-8.
const SQUARINGS: i32 = 31;
