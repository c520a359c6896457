//! Simulation with a step that follows the error: for what slides slowly, whose friction turns
//! with the speed.

use super::{events, has_event, step, try_step};
use equations::{Failure, Interpreter};

/// The error of a step, relative to one or the state.
const TOLERANCE: f64 = 1e-7;

/// A shorter step is taken whatever its error, in s.
const SHORTEST: f64 = 1e-7;

/// Simulates until `end` by steps of at most `longest`, with events located to rounding; calls
/// `after` after every step and every event.
///
/// # Errors
/// Why it does not come to the end: no consistent modes, or more than `most` steps.
pub fn simulate(
    model: &mut Interpreter,
    (end, longest, most): (f64, f64, usize),
    mut after: impl FnMut(&mut Interpreter) -> Result<(), String>,
) -> Result<(), String> {
    let mut h = longest;
    for _ in 0..most {
        if model.t >= end {
            return Ok(());
        }
        let from = Point::of(model);
        let due = events::next_event(model);
        let wanted = h.min(end - from.t).min(due - from.t);
        let (taken, next) = careful_step(model, &from, wanted)?;
        h = next.min(longest);
        let mut event = model.t >= due;
        if has_event(model) {
            let (mut before, mut at) = (0.0, taken);
            for _ in 0..60 {
                let middle = 0.5 * (before + at);
                from.restore(model);
                step(model, middle);
                if has_event(model) {
                    at = middle;
                } else {
                    before = middle;
                }
            }
            from.restore(model);
            step(model, at);
            event = true;
        }
        after(model)?;
        if event {
            model.settle()?;
            after(model)?;
        }
    }
    if model.t >= end { Ok(()) } else { Err(format!("more than {most} steps")) }
}

/// What a step begins with.
struct Point {
    t: f64,
    x: Vec<f64>,
    anchor: Vec<f64>,
}

impl Point {
    fn of(model: &Interpreter) -> Point {
        Point { t: model.t, x: model.x.clone(), anchor: model.anchor.clone() }
    }

    fn restore(&self, model: &mut Interpreter) {
        (model.t, model.x, model.anchor) = (self.t, self.x.clone(), self.anchor.clone());
    }
}

/// A step whose difference from two halves is small; gives its length, and that of the next.
fn careful_step(model: &mut Interpreter, from: &Point, mut h: f64) -> Result<(f64, f64), String> {
    loop {
        let factor = match error(model, from, h) {
            Ok(error) => {
                let factor = (0.8 * error.max(1e-6).powf(-0.2)).clamp(0.1, 3.0);
                if error <= 1.0 || h <= SHORTEST {
                    return Ok((h, factor.max(0.5) * h));
                }
                factor
            }
            Err(failure) if h <= SHORTEST => return Err(format!("{failure:?}")),
            Err(_) => 0.1,
        };
        from.restore(model);
        h = (factor * h).max(SHORTEST);
    }
}

/// Makes a step; gives its error relative to what is tolerated.
fn error(model: &mut Interpreter, from: &Point, h: f64) -> Result<f64, Failure> {
    from.restore(model);
    try_step(model, 0.5 * h)?;
    try_step(model, 0.5 * h)?;
    let halves = model.x.clone();
    from.restore(model);
    try_step(model, h)?;
    let pairs = model.x.iter().zip(&halves);
    let errors = pairs.map(|(a, b)| (a - b).abs() / (TOLERANCE * b.abs().max(1.0)));
    Ok(errors.fold(0.0, f64::max))
}
