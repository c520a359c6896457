//! Delayed signals: their histories follow accepted points and events.
//!
//! A history receives a record at the end of each step, and two where the signal breaks at an
//! event. The break reaches the delayed value later by the delay time, which is a time event. No
//! step is longer than the shortest delay, so that a delayed value is always one that was recorded.
//! Where a step is too long for a cubic polynomial, records within it follow the interpolant of the
//! step.

use crate::evaluation::Evaluation;
use crate::model::fault::{Fault, NonFiniteValue};
use crate::model::system::Stage;
use kernels::history::{Full, Point, Polynomial};

/// The places within a step, as parts of it, at which records are compared with the signal.
const PROBES: [f64; 2] = [0.29, 0.62];

/// The largest number of records for one step.
const MOST_PARTS: f64 = 65536.0;

impl Evaluation {
    /// Whether nothing is recorded: there are no delays, or initial values are being determined.
    fn records_nothing(&self) -> bool {
        self.info.delays.is_empty() || self.memory.scalars.initial
    }

    /// Begins the histories with the initial values of the signals.
    pub fn start_histories(&mut self) -> Result<(), Fault> {
        let t = self.time();
        for (i, delay) in self.info.delays.iter().enumerate() {
            let (time, u) = (self.value(delay.time)?, self.value(delay.start)?);
            self.memory.history_mut(i).start(time, Point { t, u, slope: f64::NAN });
        }
        Ok(())
    }

    /// Computes the signals at the present point, with their derivatives along the solution. They
    /// must be finite.
    fn look_at_signals(&mut self) -> Result<(), Fault> {
        self.look_at_any_signals()?;
        let values = self.scratch.signals.iter().map(|point| point.u).enumerate();
        let bad = values.into_iter().find(|(_, u)| !u.is_finite());
        bad.map_or(Ok(()), |(i, u)| Err(Fault::NotFinite(NonFiniteValue::Signal(i, u))))
    }

    /// Computes the signals at the present point, finite or not.
    fn look_at_any_signals(&mut self) -> Result<(), Fault> {
        self.realize_derivatives()?;
        let t = self.time();
        for (i, delay) in self.info.delays.iter().enumerate() {
            let u = self.value_in_effect(delay.signal)?;
            self.scratch.signals[i] = Point { t, u, slope: f64::NAN };
        }
        self.load_tangent()?;
        self.seed_solution();
        self.advance_tangent(Stage::Parameter, Stage::Dynamics)?;
        for (i, delay) in self.info.delays.iter().enumerate() {
            let slope = self.tangent_of(delay.signal);
            let is_known = self.knows_input_derivatives || !delay.follows_inputs;
            if is_known && slope.is_finite() {
                self.scratch.signals[i].slope = slope;
            }
        }
        Ok(())
    }

    /// Adds a record to each history.
    fn record(
        &mut self,
        add: impl Fn(&mut Evaluation, usize, Point) -> Result<(), Full>,
    ) -> Result<(), Fault> {
        for delay in 0..self.info.delays.len() {
            let point = self.scratch.signals[delay];
            if add(self, delay, point).is_err() {
                let time = self.memory.history(delay).delay();
                return Err(Fault::HistoryFull { delay, time });
            }
        }
        Ok(())
    }

    /// Records the signals at the present point, which ends a step, unless that was done.
    pub fn record_signals(&mut self) -> Result<(), Fault> {
        let is_now = |point: Option<Point>| point.is_some_and(|point| point.t == self.time());
        let mut delays = 0..self.info.delays.len();
        if self.records_nothing() || delays.all(|i| is_now(self.memory.history(i).newest())) {
            return Ok(());
        }
        self.look_at_signals()?;
        self.record(|own, i, point| own.memory.history_mut(i).record(point))
    }

    /// Records the signals at the point at which an importer has completed a step, in place of
    /// those of an earlier step to the same instant. The point may be one of a trial, so a signal
    /// may be not a number: if the importer goes on from there, so is the delayed value.
    pub fn record_completed_signals(&mut self) -> Result<(), Fault> {
        if self.records_nothing() {
            return Ok(());
        }
        self.look_at_any_signals()?;
        self.record(|own, i, point| own.memory.history_mut(i).record(point))
    }

    /// Records the signals in a step, from the newest record to its end. Where a cubic polynomial
    /// differs from the signal by more than a tolerance relative to the signal's magnitude, there
    /// are records within the step, at which `interpolate` gives the states.
    pub fn record_step(
        &mut self,
        end: f64,
        tolerance: f64,
        mut interpolate: impl FnMut(f64, &mut [f64]),
    ) -> Result<(), Fault> {
        let Some(mut begin) = self.memory.history(0).newest().map(|point| point.t) else {
            return Ok(());
        };
        let mut length = end - begin;
        let least = length / MOST_PARTS;
        while begin < end {
            let until = if end - begin <= length { end } else { begin + length };
            self.move_within(until, &mut interpolate);
            self.look_at_signals()?;
            if length > least && !self.are_cubic(begin, until, tolerance, &mut interpolate)? {
                length /= 2.0;
                continue;
            }
            self.record(|own, i, point| own.memory.history_mut(i).record(point))?;
            begin = until;
            length *= 2.0;
        }
        Ok(())
    }

    fn move_within(&mut self, t: f64, interpolate: &mut impl FnMut(f64, &mut [f64])) {
        let mut x = std::mem::take(&mut self.scratch.point);
        interpolate(t, &mut x);
        self.move_to(t, &x);
        self.scratch.point = x;
    }

    /// Whether the signals between the newest records and those that were looked at last are cubic
    /// polynomials.
    fn are_cubic(
        &mut self,
        begin: f64,
        end: f64,
        tolerance: f64,
        interpolate: &mut impl FnMut(f64, &mut [f64]),
    ) -> Result<bool, Fault> {
        for part in PROBES {
            let t = begin + part * (end - begin);
            self.move_within(t, interpolate);
            for (i, delay) in self.info.delays.iter().enumerate() {
                let u = self.value_in_effect(delay.signal)?;
                let (history, later) = (self.memory.history(i), self.scratch.signals[i]);
                let Some(newest) = history.newest() else { continue };
                let scale = history.magnitude().max(u.abs()).max(later.u.abs());
                // A signal that is not a number is told when it is recorded.
                if (u - Polynomial::between(newest, later).at(t, 0)).abs() > tolerance * scale {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Lets the delayed values pass the breaks that they have reached, at the begin of an event;
    /// the signals before the event have been recorded then.
    pub fn begin_event_of_delays(&mut self) -> Result<(), Fault> {
        if self.records_nothing() {
            return Ok(());
        }
        self.record_signals()?;
        let t = self.time();
        let mut any = false;
        for delay in 0..self.info.delays.len() {
            any |= self.memory.history_mut(delay).pass(t);
        }
        if any {
            self.memory.invalidate(Stage::Time);
        }
        Ok(())
    }

    /// Records the signals after an event; a delay whose value has changed, because an event at the
    /// start belongs to the start.
    pub fn end_event_of_delays(&mut self) -> Result<Option<usize>, Fault> {
        if self.records_nothing() {
            return Ok(None);
        }
        self.look_at_signals()?;
        if self.memory.history(0).begins_at(self.time()) {
            return self.settle_start();
        }
        self.record(|own, i, point| own.memory.history_mut(i).record_after(point))?;
        Ok(None)
    }

    /// Begins all histories again until they agree with the signals: a chain of delays takes as
    /// many rounds. A delay whose value has changed.
    fn settle_start(&mut self) -> Result<Option<usize>, Fault> {
        let mut any = None;
        for _ in 0..=self.info.delays.len() {
            let mut changed = None;
            for (i, &point) in self.scratch.signals.iter().enumerate() {
                let mut history = self.memory.history_mut(i);
                if !history.read().ends_at(point) {
                    let delay = history.read().delay();
                    history.start(delay, point);
                    changed = Some(i);
                }
            }
            if changed.is_none() {
                break;
            }
            any = changed;
            self.memory.invalidate(Stage::Time);
            self.look_at_signals()?;
        }
        Ok(any)
    }

    /// The next instant at which a delayed value breaks; infinite if there is none.
    pub fn next_break(&self) -> f64 {
        let breaks = (0..self.info.delays.len()).map(|i| self.memory.history(i).next_break());
        breaks.fold(f64::INFINITY, f64::min)
    }

    /// The shortest delay in s, which no step exceeds; infinite if there is none.
    pub fn shortest_delay(&self) -> f64 {
        let delays = (0..self.info.delays.len()).map(|i| self.memory.history(i).delay());
        delays.fold(f64::INFINITY, f64::min)
    }
}
