//! The status of an instance as plain data: its state in the life cycle, and the progress of
//! Co-Simulation.

use crate::fmi::calls::InstanceState;
use crate::plain_data::plain_data;

/// No state, where the number of one is stored.
pub(crate) const NO_STATE: u32 = u32::MAX;

plain_data! {
    /// The state of the call order and the settings of the experiment.
    pub(crate) struct Lifecycle {
        /// The state of the call order.
        state: InstanceState = InstanceState::Instantiated,
        /// Whether initial values or relations must be determined before a value is read.
        stale: bool = false,
        /// Whether the present event must still be iterated: it has just begun, or a variable was
        /// set.
        event_pending: bool = false,
        /// Whether `fmi2SetupExperiment` was called.
        set_up: bool = false,
        start_time: f64 = 0.0,
        /// Infinite if not defined.
        stop_time: f64 = f64::INFINITY,
        /// The importer's tolerance; 0 if not defined.
        tolerance: f64 = 0.0,
        /// Whether a start value has changed since the initialization, which must be repeated.
        start_changed: bool = false,
        /// The first state that the importer has set to a value with which nothing can be
        /// evaluated (Model Exchange); [`NO_STATE`] if there is none.
        unusable: u32 = NO_STATE,
        /// Whether time or states were set since the last completed step (Continuous-Time Mode).
        moved: bool = false,
        /// Whether an input has changed at a completed point, so that relations may have jumped
        /// there without a sign of it in the event indicators (Continuous-Time Mode).
        jumped: bool = false,
        /// Whether a tunable parameter has changed, which is an event (Continuous-Time Mode).
        tuned: bool = false,
    }
}

plain_data! {
    /// The progress of Co-Simulation, besides the integrator state. Changed inputs and parameters
    /// are also noted in the first Event Mode of Model Exchange, until the event begins.
    pub(crate) struct Progress {
        /// Whether derivatives of inputs were set since the last step.
        input_derivatives_set: bool = false,
        /// Whether an input was set to another value that has not taken effect yet: it is an event
        /// at the start of the next step.
        inputs_changed: bool = false,
        /// The number of successive communication points at which an input was set to another
        /// value.
        input_changes: u32 = 0,
        /// Whether a parameter was set to another value that has not taken effect yet: it is an
        /// event at the start of the next step.
        parameters_changed: bool = false,
        /// Whether the integrator was started at the present communication point or before it.
        integrating: bool = false,
        /// Whether the integrator's last step ends at an event.
        ends_at_event: bool = false,
        /// Whether the states at the communication point are still to be interpolated.
        interpolation_due: bool = false,
        /// The next time event; infinite if there is none.
        next_time_event: f64 = f64::INFINITY,
        /// The number of time events so far.
        time_events: u32 = 0,
        /// The number of events so far that were handled at the ends of fixed steps, after their
        /// instants.
        late_events: u32 = 0,
        /// Whether a state was reinitialised at the last event.
        states_changed: bool = false,
        /// The time of the last event.
        last_event: f64 = f64::NEG_INFINITY,
        /// The number of consecutive events without progress.
        events_without_progress: u32 = 0,
        /// Whether the model asked to end the simulation.
        terminated: bool = false,
        /// The result of the last step.
        step_status: u32 = 0,
    }
}

impl Progress {
    /// Whether the integration goes on, because nothing was set since the last step.
    pub fn is_undisturbed(&self) -> bool {
        self.integrating
            && !self.input_derivatives_set
            && !(self.inputs_changed || self.parameters_changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_data_survive_the_conversion_to_words_and_back() {
        let lifecycle =
            Lifecycle { state: InstanceState::StepFailed, start_time: -0.0, ..Lifecycle::START };
        let back = Lifecycle::from_words(&lifecycle.words()).unwrap();
        assert_eq!(back, lifecycle);
        assert_eq!(back.start_time.to_bits(), lifecycle.start_time.to_bits());
        let progress =
            Progress { events_without_progress: 17, inputs_changed: true, ..Progress::START };
        assert_eq!(Progress::from_words(&progress.words()), Some(progress));
    }

    #[test]
    fn words_that_are_no_values_are_refused() {
        for (index, bad) in [(0, 13.0), (0, 0.5), (1, f64::NAN), (2, 2.0)] {
            let mut words = Lifecycle::START.words();
            words[index] = bad;
            assert!(Lifecycle::from_words(&words).is_none(), "word {index} = {bad}");
        }
        assert!(Lifecycle::from_words(&Lifecycle::START.words()[1..]).is_none());
    }
}
