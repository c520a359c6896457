//! The data of a simulation besides the instance.

use super::experiment::RunPlan;
use super::inputs::Inputs;
use super::outcome::{Event, Statistics};
use super::record::Recorder;
use super::step_times::StepTimes;
use fmus::error::FailedCall;
use fmus::host::Instance;
use fmus::model_description::ModelDescription;

/// Everything that a simulation needs besides the instance.
pub(super) struct Job<'a> {
    pub(super) description: &'a ModelDescription,
    pub(super) experiment: RunPlan,
    pub(super) inputs: Inputs,
    pub(super) rows: Option<Vec<f64>>,
    pub(super) recorder: Recorder,
    /// Records the variables that are wanted as well.
    pub(super) also: Option<Recorder>,
    /// The events that this program handles, if they are wanted.
    pub(super) events: Option<Vec<Event>>,
    pub(super) statistics: Statistics,
    /// The times of communication steps, if they are wanted.
    pub(super) step_times: Option<StepTimes>,
    pub(super) terminated: Option<(f64, String)>,
    pub(super) progress: &'a mut dyn FnMut(f64),
}

impl Job<'_> {
    pub(super) fn sample(
        &mut self,
        instance: &mut Instance<'_>,
        time: f64,
    ) -> Result<(), FailedCall> {
        self.recorder.sample(instance, time)?;
        if let Some(also) = &mut self.also {
            also.sample_readable(instance, time)?;
        }
        (self.progress)(
            (time - self.experiment.start) / (self.experiment.stop - self.experiment.start),
        );
        Ok(())
    }

    /// The communication points with the knots of the inputs in between: the time in s, and whether
    /// to record there.
    pub(super) fn points(&self, with_knots: bool) -> impl Iterator<Item = (f64, bool)> + use<> {
        let experiment = self.experiment;
        let rows = self.rows.clone();
        let inputs = if with_knots { self.inputs.clone() } else { Inputs::default() };
        let steps = rows.as_ref().map_or(experiment.steps, |rows| rows.len().saturating_sub(1));
        (1..=steps).flat_map(move |index| {
            let point = |i: usize| rows.as_ref().map_or_else(|| experiment.point(i), |r| r[i]);
            let (from, to) = (point(index - 1), point(index));
            let knots: Vec<f64> = inputs.knots(from, to).collect();
            knots.into_iter().map(|t| (t, false)).chain([(to, true)])
        })
    }
}
