//! Calls that check how a library writes to the memory that it receives.

use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

use fmu_runtime::fmi2::{fmi2EventInfo, fmi2String};

use super::instance::{CompletedStep, EventInfo, FmuState, Instance, call};
use super::log::{self, late_variadic_logger};
use super::strings::{c_string, string};
use crate::vocabulary::error::FailedCall;
use crate::vocabulary::fmi::Status;

/// A pattern that no library writes by chance: as a Real it is NaN, as a Boolean neither 0 nor 1.
const CANARY: u64 = 0x7ff8_dead_5a5a_5a5a;
const WORD: i32 = 0x5a5a_5a5a;
/// The number of values after the end of an array that are watched.
const BEYOND: usize = 8;

/// An array of Model Exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum ModelExchangeArray {
    States,
    Derivatives,
    Indicators,
    Nominals,
}

/// The values that a library wrote to an array.
#[derive(Clone, Debug)]
pub struct Written {
    /// The values, as many as were requested.
    pub values: Vec<f64>,
    /// How many of them were not written.
    pub untouched: usize,
    /// How many values were written after the end.
    pub beyond: usize,
}

/// An array of `n` values, followed by memory that is watched.
fn watched(n: usize) -> Vec<f64> {
    vec![f64::from_bits(CANARY); n + BEYOND]
}

fn judged(mut values: Vec<f64>, n: usize) -> Written {
    let is_canary = |v: &&f64| v.to_bits() == CANARY;
    let beyond = values[n..].iter().filter(|v| !is_canary(v)).count();
    let untouched = values[..n].iter().filter(is_canary).count();
    values.truncate(n);
    Written { values, untouched, beyond }
}

/// The first of some Booleans that was not written as 0 or 1.
fn odd_boolean(booleans: &[(&str, i32)]) -> Option<String> {
    let (name, value) = booleans.iter().find(|(_, value)| !matches!(value, 0 | 1))?;
    Some(match *value {
        WORD => format!("{name} is not written"),
        value => format!("{name} is {value}"),
    })
}

impl Instance<'_> {
    /// Reads one of the arrays of Model Exchange with `n` values.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn array(&mut self, array: ModelExchangeArray, n: usize) -> Result<Written, FailedCall> {
        let mut values = watched(n);
        let into = if n == 0 { null_mut() } else { values.as_mut_ptr() };
        match array {
            ModelExchangeArray::States => call!(self.fmi2GetContinuousStates(into, n)),
            ModelExchangeArray::Derivatives => call!(self.fmi2GetDerivatives(into, n)),
            ModelExchangeArray::Indicators => call!(self.fmi2GetEventIndicators(into, n)),
            ModelExchangeArray::Nominals => call!(self.fmi2GetNominalsOfContinuousStates(into, n)),
        }?;
        Ok(judged(values, n))
    }

    /// Calls getters and setters with empty lists and NULL.
    ///
    /// # Errors
    /// If a function does not accept that.
    pub fn empty_lists(&mut self) -> Result<(), FailedCall> {
        let none = null();
        call!(self.fmi2GetReal(none, 0, null_mut()))?;
        call!(self.fmi2GetInteger(none, 0, null_mut()))?;
        call!(self.fmi2GetBoolean(none, 0, null_mut()))?;
        call!(self.fmi2GetString(none, 0, null_mut()))?;
        call!(self.fmi2SetReal(none, 0, null()))?;
        call!(self.fmi2SetInteger(none, 0, null()))?;
        call!(self.fmi2SetBoolean(none, 0, null()))?;
        call!(self.fmi2SetString(none, 0, null()))
    }

    /// `fmi2GetString`; `None` for a pointer that is NULL.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn get_texts(&mut self, references: &[u32]) -> Result<Vec<Option<String>>, FailedCall> {
        let mut pointers = vec![null(); references.len()];
        call!(self.fmi2GetString(references.as_ptr(), references.len(), pointers.as_mut_ptr()))?;
        let text = |p: fmi2String| {
            // SAFETY: the pointer is valid until the next call of the instance.
            (!p.is_null()).then(|| unsafe { string(p) })
        };
        Ok(pointers.into_iter().map(text).collect())
    }

    /// `fmi2SetString` of one text, whose memory is overwritten right afterwards.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn set_passing_text(&mut self, reference: u32, text: &str) -> Result<(), FailedCall> {
        let mut bytes = c_string(text).into_bytes_with_nul();
        let pointer: fmi2String = bytes.as_ptr().cast();
        let status = call!(self.fmi2SetString(&raw const reference, 1, &raw const pointer));
        let end = bytes.len() - 1;
        bytes[..end].fill(b'?');
        // This ensures that the memory is written before it is freed.
        std::hint::black_box(&bytes);
        status
    }

    /// `fmi2NewDiscreteStates`, with the first field of its result that is not written as it should
    /// be.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn watched_event(&mut self) -> Result<(EventInfo, Option<String>), FailedCall> {
        let mut raw = fmi2EventInfo {
            newDiscreteStatesNeeded: WORD,
            terminateSimulation: WORD,
            nominalsOfContinuousStatesChanged: WORD,
            valuesOfContinuousStatesChanged: WORD,
            nextEventTimeDefined: WORD,
            nextEventTime: f64::from_bits(CANARY),
        };
        call!(self.fmi2NewDiscreteStates(&raw mut raw))?;
        let odd = odd_boolean(&[
            ("newDiscreteStatesNeeded", raw.newDiscreteStatesNeeded),
            ("terminateSimulation", raw.terminateSimulation),
            ("nominalsOfContinuousStatesChanged", raw.nominalsOfContinuousStatesChanged),
            ("valuesOfContinuousStatesChanged", raw.valuesOfContinuousStatesChanged),
            ("nextEventTimeDefined", raw.nextEventTimeDefined),
        ]);
        let missing = raw.nextEventTimeDefined == 1 && raw.nextEventTime.to_bits() == CANARY;
        let odd = odd.or_else(|| missing.then(|| "nextEventTime is not written".to_owned()));
        let is = |value: i32| value != 0 && value != WORD;
        let info = EventInfo {
            new_discrete_states_needed: is(raw.newDiscreteStatesNeeded),
            terminate_simulation: is(raw.terminateSimulation),
            nominals_of_continuous_states_changed: is(raw.nominalsOfContinuousStatesChanged),
            values_of_continuous_states_changed: is(raw.valuesOfContinuousStatesChanged),
            next_event_time: is(raw.nextEventTimeDefined).then_some(raw.nextEventTime),
        };
        Ok((info, odd))
    }

    /// `fmi2CompletedIntegratorStep`, with the first part of its result that is not written as it
    /// should be.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn watched_step(&mut self) -> Result<(CompletedStep, Option<String>), FailedCall> {
        let (mut enter, mut terminate) = (WORD, WORD);
        call!(self.fmi2CompletedIntegratorStep(1, &raw mut enter, &raw mut terminate))?;
        let odd = odd_boolean(&[("enterEventMode", enter), ("terminateSimulation", terminate)]);
        let is = |value: i32| value != 0 && value != WORD;
        Ok((CompletedStep { enter_event_mode: is(enter), terminate: is(terminate) }, odd))
    }

    /// `fmi2GetFMUstate` into a copy that exists already.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn refill_state(&mut self, state: &mut FmuState) -> Result<(), FailedCall> {
        call!(self.fmi2GetFMUstate(&raw mut state.0))
    }

    /// Calls `fmi2FreeFMUstate` twice with the same pointer; returns whether it was NULL after the
    /// first call.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn free_state_twice(&mut self, mut state: FmuState) -> Result<bool, FailedCall> {
        call!(self.fmi2FreeFMUstate(&raw mut state.0))?;
        if !state.0.is_null() {
            return Ok(false);
        }
        call!(self.fmi2FreeFMUstate(&raw mut state.0))?;
        Ok(true)
    }

    /// Serialises a state; returns the bytes, and whether the library announced the same size twice
    /// and wrote exactly as many.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn watched_bytes(&mut self, state: &FmuState) -> Result<(Vec<u8>, bool), FailedCall> {
        const MARK: u8 = 0xa5;
        let (mut size, mut again) = (0, 0);
        call!(self.fmi2SerializedFMUstateSize(state.0, &raw mut size))?;
        call!(self.fmi2SerializedFMUstateSize(state.0, &raw mut again))?;
        let mut bytes = vec![MARK; size + BEYOND];
        call!(self.fmi2SerializeFMUstate(state.0, bytes.as_mut_ptr().cast(), size))?;
        let exact = size == again && bytes[size..].iter().all(|b| *b == MARK);
        bytes.truncate(size);
        Ok((bytes, exact))
    }

    /// `fmi2SetRealInputDerivatives` of one input.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn set_input_derivative(
        &mut self,
        vr: u32,
        order: i32,
        value: f64,
    ) -> Result<(), FailedCall> {
        call!(self.fmi2SetRealInputDerivatives(
            &raw const vr,
            1,
            &raw const order,
            &raw const value
        ))
    }

    /// `fmi2GetRealOutputDerivatives` of one output; NaN if nothing is written.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn output_derivative(&mut self, vr: u32, order: i32) -> Result<f64, FailedCall> {
        let mut value = f64::NAN;
        call!(self.fmi2GetRealOutputDerivatives(
            &raw const vr,
            1,
            &raw const order,
            &raw mut value
        ))?;
        Ok(value)
    }

    /// `fmi2GetStatus(fmi2DoStepStatus)` while a step is not finished.
    ///
    /// # Errors
    /// If the status is neither OK nor Warning.
    pub fn step_status(&mut self) -> Result<Status, FailedCall> {
        let mut value = 5;
        call!(self.fmi2GetStatus(0, &raw mut value))?;
        Ok(Status::of(value).unwrap_or(Status::Fatal))
    }

    /// Takes back the name and the callbacks that were given to `fmi2Instantiate`. Later uses of
    /// them are detected; see [`Instance::late`] and [`Instance::misnamed`].
    pub fn take_back(&mut self) {
        let end = self.name.len() - 1;
        self.name[..end].fill(log::TAKEN);
        self.callbacks.logger = Some(late_variadic_logger());
    }

    /// Whether the library used the struct of callbacks after it was taken back.
    pub fn late(&self) -> bool {
        self.log.late.load(Ordering::Relaxed)
    }

    /// Whether a message had another name than the instance.
    pub fn misnamed(&self) -> bool {
        self.log.misnamed.load(Ordering::Relaxed)
    }
}
