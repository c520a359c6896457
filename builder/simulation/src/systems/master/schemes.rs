//! The schemes by which the FMUs of a system make a communication step together.
//!
//! Jacobi and Gauss-Seidel schemes, and their iteration with rollback: Kuebler and Schiehlen, "Two
//! methods of simulator coupling", 2000; extrapolated inputs: Busch, "Zur effizienten Kopplung von
//! Simulationsprogrammen", 2012; linear correction: Andersson, "Methods and tools for
//! co-simulation of dynamic systems with the Functional Mock-up Interface", 2016.

use nalgebra::{DMatrix, DVector};

use fmus::model_description::Base;

use super::coupling::{Coupling, Input, direct};
use super::failure::{Failure, of};
use super::slave::{Abilities, Course, Slave, mean, value_after};
use crate::systems::wiring::{Link, Port, Wiring};

/// How FMUs exchange values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// All FMUs make a step at the same time.
    #[default]
    Jacobi,
    /// One FMU after the other makes its step, and knows the results of the earlier ones.
    GaussSeidel,
    /// The step is repeated until inputs and outputs agree at its end.
    Iterative,
}

/// A method of co-simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Method {
    /// How FMUs exchange values.
    pub scheme: Scheme,
    /// The order of the polynomials of inputs within a step: 0, 1 or 2.
    pub order: u32,
    /// Whether inputs are corrected by directional derivatives at communication points.
    pub corrects: bool,
    /// The relative error of inputs by which step sizes are chosen; none for constant steps.
    pub tolerance: Option<f64>,
    /// The number of threads that make the steps of a Jacobi scheme.
    pub threads: usize,
}

impl Default for Method {
    fn default() -> Method {
        Method { scheme: Scheme::Jacobi, order: 0, corrects: false, tolerance: None, threads: 1 }
    }
}

/// The method that the FMUs of a system are able to: a Jacobi scheme with constant steps and the
/// highest order, with a correction if an FMU passes inputs directly to outputs.
pub fn suitable(wiring: &Wiring) -> Method {
    let abilities = |part: usize| Abilities::of(wiring.description(part));
    let continuous = wiring.links.iter().filter(|link| wiring.variable(link.to).base == Base::Real);
    let orders = continuous.map(|link| {
        let given = abilities(link.from.part).output_derivatives;
        if abilities(link.to.part).interpolates { given.min(2) } else { 0 }
    });
    let ports = |part: usize| {
        let is_real = |link: &&Link| wiring.variable(link.to).base == Base::Real;
        let all = wiring.links.iter().filter(is_real);
        let references = |port: Port| wiring.variable(port).value_reference;
        let outputs = all.clone().filter(|l| l.from.part == part).map(|l| references(l.from));
        let inputs = all.filter(|l| l.to.part == part).map(|l| references(l.to));
        (outputs.collect::<Vec<_>>(), inputs.collect::<Vec<_>>())
    };
    let passes = |part: usize| {
        let (outputs, inputs) = ports(part);
        !direct(wiring.description(part), &outputs, &inputs).is_empty()
    };
    let parts = || 0..wiring.parts.len();
    Method {
        order: orders.min().unwrap_or(0),
        corrects: parts().any(passes) && parts().all(|part| abilities(part).directional),
        ..Method::default()
    }
}

/// Most iterations of a step.
const MOST_ITERATIONS: usize = 25;

/// The difference of inputs and outputs, relative to their magnitude, at which an iteration ends.
const AGREEMENT: f64 = 1e-9;

/// What a step led to.
pub(super) struct Stepped {
    /// Outputs and inputs at its end.
    pub y: Vec<f64>,
    pub u: Vec<f64>,
    /// The courses of the inputs.
    pub courses: Vec<Course>,
    /// The predicted inputs at its end, from which the error is estimated.
    pub predicted: Vec<f64>,
    /// The feedthrough at its end, if it was needed.
    pub feedthrough: Option<DMatrix<f64>>,
    /// How often the FMUs made the step.
    pub passes: usize,
}

/// Makes a communication step from a time; the slaves are in their order of Gauss-Seidel.
pub(super) fn step(
    method: &Method,
    coupling: &Coupling,
    (slaves, order): (&mut [Slave<'_>], &[usize]),
    feedthrough: Option<&DMatrix<f64>>,
    (time, h): (f64, f64),
) -> Result<Stepped, Failure> {
    let courses = coupling.extrapolated(slaves, method.order, time, feedthrough)?;
    let predicted: Vec<f64> = courses.iter().map(|course| value_after(*course, h)).collect();
    let done = match method.scheme {
        Scheme::Jacobi => {
            all(coupling, slaves, (&courses, method.order), (time, h), method.threads)?;
            finished(method, coupling, slaves, courses, h)?
        }
        Scheme::GaussSeidel => {
            let courses = in_sequence(method, coupling, (slaves, order), courses, (time, h))?;
            finished(method, coupling, slaves, courses, h)?
        }
        Scheme::Iterative => iterated(method, coupling, slaves, &courses, (time, h))?,
    };
    Ok(Stepped { predicted, ..done })
}

/// The end of a step that was made with some courses.
fn finished(
    method: &Method,
    coupling: &Coupling,
    slaves: &mut [Slave<'_>],
    courses: Vec<Course>,
    h: f64,
) -> Result<Stepped, Failure> {
    let mut y = coupling.read(slaves)?;
    let mut u = coupling.inputs_of(&y);
    let mut feedthrough = None;
    if method.corrects {
        let d = coupling.feedthrough(slaves)?;
        let end = |(input, course): (&Input, &Course)| match input.interpolates {
            true => value_after(*course, h),
            false => mean(*course, h),
        };
        let used: Vec<f64> = coupling.inputs.iter().zip(&courses).map(end).collect();
        u = coupling.corrected(&d, (&y, &used), &[], false)?;
        let moved = DVector::from_iterator(u.len(), u.iter().zip(&used).map(|(a, b)| a - b));
        let change = &d * moved;
        y.iter_mut().zip(change.iter()).for_each(|(y, change)| *y += change);
        feedthrough = Some(d);
    }
    Ok(Stepped { y, u, courses, predicted: Vec::new(), feedthrough, passes: 1 })
}

/// All slaves make a step with the courses of their inputs, in some threads.
fn all(
    coupling: &Coupling,
    slaves: &mut [Slave<'_>],
    (courses, order): (&[Course], u32),
    (time, h): (f64, f64),
    threads: usize,
) -> Result<(), Failure> {
    let threads = threads.clamp(1, slaves.len().max(1));
    let share = slaves.len().div_ceil(threads).max(1);
    let some = |first: usize, slaves: &mut [Slave<'_>]| -> Result<(), Failure> {
        slaves.iter_mut().enumerate().try_for_each(|(k, slave)| {
            let own = coupling.of_slave(courses, first + k);
            one(slave, &own, order, (time, h))
        })
    };
    if threads == 1 {
        return some(0, slaves);
    }
    let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let shares = slaves.chunks_mut(share).enumerate();
        let running: Vec<_> =
            shares.map(|(k, slaves)| scope.spawn(move || some(k * share, slaves))).collect();
        let ended = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            let stopped = || Failure::of_system("a thread of the simulation has stopped");
            thread.join().unwrap_or_else(|_| Err(stopped()))
        };
        running.into_iter().map(ended).collect()
    });
    // The first failure in the order of the slaves, as with one thread.
    results.into_iter().collect()
}

fn one(
    slave: &mut Slave<'_>,
    courses: &[Course],
    order: u32,
    (time, h): (f64, f64),
) -> Result<(), Failure> {
    slave.write_courses(courses, order, h).and_then(|()| slave.step(time, h)).map_err(of(slave))
}

/// The slaves make a step one after the other. Where the source of an input is done, the course of
/// the input leads to the value at the end of the step. Returns the courses.
fn in_sequence(
    method: &Method,
    coupling: &Coupling,
    (slaves, order): (&mut [Slave<'_>], &[usize]),
    mut courses: Vec<Course>,
    (time, h): (f64, f64),
) -> Result<Vec<Course>, Failure> {
    let mut done = vec![false; slaves.len()];
    let mut local = Vec::new();
    let mut y = coupling.y.clone();
    for &index in order {
        for (input, course) in coupling.inputs.iter().zip(&mut courses) {
            let output = &coupling.outputs[input.output];
            if input.slave == index && input.continuous && done[output.slave] {
                let end = input.factor * y[input.output] + input.offset;
                *course = leading_to(end, *course, h, method.order);
            }
        }
        let own = coupling.of_slave(&courses, index);
        let slave = &mut slaves[index];
        one(slave, &own, method.order, (time, h))?;
        local.clear();
        local.resize(slave.outputs.len(), 0.0);
        slave.read(&mut local).map_err(of(slave))?;
        for (value, output) in y.iter_mut().zip(&coupling.outputs) {
            if output.slave == index {
                *value = local[output.local];
            }
        }
        done[index] = true;
    }
    Ok(courses)
}

/// The course of an order from the beginning of another one to a value at the end of a step.
fn leading_to(end: f64, from: Course, h: f64, order: u32) -> Course {
    match order {
        0 => [end, 0.0, 0.0],
        1 => [from[0], (end - from[0]) / h, 0.0],
        _ => [from[0], from[1], 2.0 * (end - from[0] - from[1] * h) / (h * h)],
    }
}

/// Repeats a step until the inputs at its end agree with the outputs: Newton's method with the
/// feedthrough as the first matrix, and Broyden's corrections after each pass.
fn iterated(
    method: &Method,
    coupling: &Coupling,
    slaves: &mut [Slave<'_>],
    extrapolated: &[Course],
    (time, h): (f64, f64),
) -> Result<Stepped, Failure> {
    let order = method.order.max(1);
    let n = coupling.inputs.len();
    let scale: Vec<f64> =
        (0..n).map(|i| coupling.magnitude[i].max(extrapolated[i][0].abs())).collect();
    let mut u: Vec<f64> = extrapolated.iter().map(|course| value_after(*course, h)).collect();
    // The matrix of the differences with respect to the inputs.
    let mut matrix: Option<DMatrix<f64>> = None;
    let mut before: Option<(DVector<f64>, DVector<f64>)> = None;
    let mut worst = (0, 0.0);
    for pass in 1..=MOST_ITERATIONS {
        let lead = |(i, course): (usize, &Course)| match coupling.inputs[i].continuous {
            true => leading_to(u[i], *course, h, order),
            false => *course,
        };
        let courses: Vec<Course> = extrapolated.iter().enumerate().map(lead).collect();
        all(coupling, slaves, (&courses, order), (time, h), method.threads)?;
        let y = coupling.read(slaves)?;
        let answer = coupling.inputs_of(&y);
        // In units of the scale; held inputs change at the next communication point only.
        let difference = DVector::from_fn(n, |i, _| match coupling.inputs[i].continuous {
            true => (answer[i] - u[i]) / scale[i],
            false => 0.0,
        });
        let largest = difference.iter().enumerate().map(|(i, d)| (i, d.abs()));
        worst = largest.fold((0, 0.0), |a, b| if b.1 > a.1 || b.1.is_nan() { b } else { a });
        if worst.1 <= AGREEMENT {
            let feedthrough = Some(coupling.feedthrough(slaves)?).filter(|_| method.corrects);
            let u = answer;
            return Ok(Stepped { y, u, courses, predicted: Vec::new(), feedthrough, passes: pass });
        }
        if !worst.1.is_finite() {
            break;
        }
        let scaled = DVector::from_fn(n, |i, _| u[i] / scale[i]);
        let b = match (matrix.take(), &before) {
            (Some(b), Some((u_before, d_before))) => {
                let (du, dd) = (&scaled - u_before, &difference - d_before);
                let length = du.norm_squared();
                if length > 0.0 { &b + (dd - &b * &du) * du.transpose() / length } else { b }
            }
            _ => {
                let loops = coupling.connections() * coupling.feedthrough(slaves)?;
                DMatrix::from_fn(n, n, |i, j| {
                    let direct = loops[(i, j)] * scale[j] / scale[i];
                    direct - if i == j { 1.0 } else { 0.0 }
                })
            }
        };
        let step =
            b.clone().lu().solve(&(-&difference)).filter(|s| s.iter().all(|s| s.is_finite()));
        let step = step.unwrap_or_else(|| difference.clone());
        u = (0..n).map(|i| u[i] + step[i] * scale[i]).collect();
        matrix = Some(b);
        before = Some((scaled, difference));
        slaves.iter_mut().try_for_each(|slave| slave.roll_back().map_err(of(slave)))?;
    }
    let (index, left) = worst;
    let input = &coupling.inputs[index];
    Err(Failure::of_system(format!(
        "the step of {h} s does not converge in {MOST_ITERATIONS} passes: {} -> {} is left with \
         {left:.1e} of its magnitude; a smaller step may converge",
        input.source, input.name
    )))
}
