//! The experiment: start, stop, communication step and tolerance of a simulation.

use fmus::csv::number;
use fmus::error::Error;
use fmus::model_description::ModelDescription;

/// The user's changes of the default experiment; times in s.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Overrides {
    pub start: Option<f64>,
    pub stop: Option<f64>,
    pub step: Option<f64>,
    pub tolerance: Option<f64>,
}

/// The start, stop and communication steps of a simulation; times in s.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct RunPlan {
    pub start: f64,
    pub stop: f64,
    pub step: f64,
    /// The relative tolerance; `None` leaves it to the FMU.
    pub tolerance: Option<f64>,
    /// The number of steps; the last one may be shorter.
    pub steps: usize,
}

/// Maximum number of steps, so that the rows of the result fit into memory.
const MAX_STEPS: f64 = 2e7;

/// Smallest tolerance; below it, rounding errors dominate.
const LEAST_TOLERANCE: f64 = 1e-14;

impl RunPlan {
    /// The default experiment of an FMU with the user's overrides.
    ///
    /// # Errors
    /// A message that names the value which is not possible.
    pub fn of(description: &ModelDescription, overrides: &Overrides) -> Result<RunPlan, Error> {
        let default = &description.experiment;
        let name = &description.model_name;
        let fail = |sentence: String| Err(Error::Request(format!("{name}: {sentence}")));
        let start = overrides.start.or(default.start_time).unwrap_or(0.0);
        let stop = overrides.stop.or(default.stop_time).unwrap_or(start + 1.0);
        for (what, value) in [("start", start), ("stop", stop)] {
            if !value.is_finite() {
                return fail(format!("the {what} time must be a finite number, not {value}"));
            }
        }
        if stop <= start {
            let (stop, start) = (number(stop), number(start));
            return fail(format!(
                "the stop time {stop} s does not come after the start time {start} s"
            ));
        }
        let span = stop - start;
        let step = overrides.step.or(default.step_size).unwrap_or(span / 500.0);
        if !(step.is_finite() && step > 0.0) {
            return fail(format!("the step must be a positive number of s, not {}", number(step)));
        }
        let tolerance = overrides.tolerance.or(default.tolerance.filter(|t| *t > 0.0));
        if let Some(t) = tolerance.filter(|t| !(*t >= LEAST_TOLERANCE && *t < 1.0)) {
            let (least, t) = (number(LEAST_TOLERANCE), number(t));
            return fail(format!("the tolerance must be between {least} and 1, not {t}"));
        }
        let quotient = span / step;
        let whole = quotient.round();
        // A remainder that is only a rounding error gets no step of its own.
        let steps = if (quotient - whole).abs() < 1e-9 * whole { whole } else { quotient.ceil() };
        if steps > MAX_STEPS {
            let (step, span, most) = (number(step), number(span), number(MAX_STEPS));
            return fail(format!(
                "a step of {step} s makes too many steps in {span} s: at most {most} are possible"
            ));
        }
        if start + step == start || stop - step == stop {
            let step = number(step);
            return fail(format!(
                "a step of {step} s is below the rounding error at {} s",
                number(stop)
            ));
        }
        Ok(RunPlan { start, stop, step, tolerance, steps: steps.max(1.0) as usize })
    }

    /// The time in s after a number of steps; the last one is exactly the stop time.
    pub fn point(&self, index: usize) -> f64 {
        if index >= self.steps { self.stop } else { self.start + index as f64 * self.step }
    }

    /// The time in s after a number of whole steps, which may lead beyond the stop time.
    pub fn point_beyond(&self, index: usize) -> f64 {
        let time = self.start + index as f64 * self.step;
        // The stop time is one of the points unless the last step is shorter.
        if (time - self.stop).abs() < 1e-9 * self.step { self.stop } else { time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(overrides: Overrides) -> Result<RunPlan, String> {
        let description =
            ModelDescription { model_name: "M".to_owned(), ..ModelDescription::default() };
        RunPlan::of(&description, &overrides).map_err(|e| e.to_string())
    }

    #[test]
    fn points_do_not_accumulate_round_off() {
        let e = of(Overrides { stop: Some(1.0), step: Some(0.1), ..Overrides::default() }).unwrap();
        assert_eq!((e.steps, e.point(3), e.point(10)), (10, 0.1 * 3.0, 1.0));
        let e = of(Overrides { stop: Some(1.0), step: Some(0.3), ..Overrides::default() }).unwrap();
        assert_eq!((e.steps, e.point(4)), (4, 1.0));
    }

    #[test]
    fn impossible_experiments_are_refused_by_name() {
        let check = |start: f64, stop: f64, step: f64, tolerance: f64, sentence: &str| {
            let some = |v: f64| Some(v).filter(|v| *v != 7.0);
            let overrides = Overrides {
                start: some(start),
                stop: some(stop),
                step: some(step),
                tolerance: some(tolerance),
            };
            assert_eq!(of(overrides).unwrap_err(), sentence);
        };
        check(7.0, f64::NAN, 7.0, 7.0, "M: the stop time must be a finite number, not NaN");
        check(2.0, 2.0, 7.0, 7.0, "M: the stop time 2 s does not come after the start time 2 s");
        check(7.0, 7.0, -0.1, 7.0, "M: the step must be a positive number of s, not -0.1");
        check(7.0, 7.0, f64::NAN, 7.0, "M: the step must be a positive number of s, not NaN");
        check(
            7.0,
            7.0,
            1e-12,
            7.0,
            "M: a step of 1e-12 s makes too many steps in 1 s: at most 20000000 are possible",
        );
        check(
            1e17,
            1e17 + 64.0,
            1.0,
            7.0,
            "M: a step of 1 s is below the rounding error at 1.0000000000000006e17 s",
        );
        for tolerance in [0.0, 1e-15, 1.0] {
            let sentence =
                format!("M: the tolerance must be between 1e-14 and 1, not {tolerance:?}");
            check(7.0, 7.0, 7.0, tolerance, &sentence.replace(".0", ""));
        }
    }
}
