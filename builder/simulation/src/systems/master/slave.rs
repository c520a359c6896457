//! An FMU in a system: an instance, and its connected inputs and outputs.

use fmus::error::FailedCall;
use fmus::fmi::{FmuType, Status};
use fmus::fmu::Fmu;
use fmus::host::{FmuLibrary, FmuState, Instance};
use fmus::model_description::ModelDescription;

use crate::run::{Assignment, Recorder};

/// An instance of an FMU in a system.
pub struct Slave<'l> {
    /// The name of the component.
    pub name: String,
    pub(super) instance: Instance<'l>,
    /// The references of the connected Real inputs and outputs.
    pub(super) inputs: Vec<u32>,
    pub(super) outputs: Vec<u32>,
    /// Whether each connected input changes between events.
    pub(super) moving: Vec<bool>,
    /// Pairs of an output and an input on which it depends directly, as the description says.
    pub(super) direct: Vec<(usize, usize)>,
    pub(super) abilities: Abilities,
    pub(super) recorder: Recorder,
    pub(super) also: Option<Recorder>,
    /// The state to which a step can be rolled back.
    saved: Option<FmuState>,
}

/// What an FMU can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether inputs may have derivatives.
    pub interpolates: bool,
    /// The highest order of derivatives of its outputs.
    pub output_derivatives: u32,
    /// Whether a step can be repeated.
    pub rolls_back: bool,
    /// Whether it gives directional derivatives.
    pub directional: bool,
    /// Whether steps may have any size.
    pub any_step: bool,
}

impl Abilities {
    /// Those that a description declares.
    pub fn of(description: &ModelDescription) -> Abilities {
        let interface = description.co_simulation.clone().unwrap_or_default();
        Abilities {
            interpolates: interface.flag("canInterpolateInputs"),
            output_derivatives: interface.number("maxOutputDerivativeOrder"),
            rolls_back: interface.flag("canGetAndSetFMUstate"),
            directional: interface.flag("providesDirectionalDerivative"),
            any_step: interface.flag("canHandleVariableCommunicationStepSize"),
        }
    }
}

/// The polynomial of an input in a communication step: its value, and its first and second
/// derivative, at the beginning.
pub type Course = [f64; 3];

/// The value of a course after a time in s.
pub fn value_after(course: Course, h: f64) -> f64 {
    course[0] + h * (course[1] + 0.5 * h * course[2])
}

/// The mean value of a course in a step of a size in s.
pub fn mean(course: Course, h: f64) -> f64 {
    course[0] + h * (course[1] / 2.0 + h * course[2] / 6.0)
}

impl<'l> Slave<'l> {
    /// Instantiates an FMU for Co-Simulation.
    ///
    /// # Errors
    /// If the FMU refuses.
    pub fn new(
        name: &str,
        fmu: &Fmu,
        library: &'l FmuLibrary,
        (recorder, also): (Recorder, Option<Recorder>),
    ) -> Result<Slave<'l>, FailedCall> {
        let instance =
            crate::run::instantiate(fmu, library, (name, FmuType::CoSimulation), also.is_some())?.0;
        Ok(Slave {
            name: name.to_owned(),
            instance,
            inputs: Vec::new(),
            outputs: Vec::new(),
            moving: Vec::new(),
            direct: Vec::new(),
            abilities: Abilities::of(&fmu.description),
            recorder,
            also,
            saved: None,
        })
    }

    /// Enters Initialization Mode.
    pub(super) fn enter_initialization(
        &mut self,
        settings: &[Assignment],
        tolerance: Option<f64>,
        (start, stop): (f64, f64),
    ) -> Result<(), FailedCall> {
        for setting in settings {
            setting.apply(&mut self.instance)?;
        }
        self.instance.setup_experiment(tolerance, start, Some(stop))?;
        self.instance.enter_initialization_mode()
    }

    /// The values of the connected outputs.
    pub(super) fn read(&mut self, values: &mut [f64]) -> Result<(), FailedCall> {
        match self.outputs.is_empty() {
            true => Ok(()),
            false => self.instance.get_real(&self.outputs, values),
        }
    }

    /// The derivatives of an order of connected outputs, by their indices. A second derivative that
    /// is not defined at present is none.
    pub(super) fn read_derivatives(
        &mut self,
        order: u32,
        outputs: &[usize],
    ) -> Result<Vec<Option<f64>>, FailedCall> {
        if outputs.is_empty() {
            return Ok(Vec::new());
        }
        let references: Vec<u32> = outputs.iter().map(|k| self.outputs[*k]).collect();
        let orders = vec![order as i32; references.len()];
        let mut values = vec![0.0; references.len()];
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        match self.instance.get_output_derivatives(&references, &orders, &mut values) {
            Ok(()) => return Ok(values.into_iter().map(finite).collect()),
            Err(call) if order == 1 || call.status == Status::Fatal => return Err(call),
            Err(_) => {}
        }
        let one = |reference: &u32| {
            let mut value = [0.0];
            let order = [order as i32];
            match self.instance.get_output_derivatives(&[*reference], &order, &mut value) {
                Ok(()) => Ok(finite(value[0])),
                Err(call) if call.status == Status::Fatal => Err(call),
                Err(_) => Ok(None),
            }
        };
        references.iter().map(one).collect()
    }

    /// Sets the connected inputs.
    pub(super) fn write(&mut self, values: &[f64]) -> Result<(), FailedCall> {
        match self.inputs.is_empty() {
            true => Ok(()),
            false => self.instance.set_real(&self.inputs, values),
        }
    }

    /// Sets the courses of the connected inputs for a step, with derivatives up to an order. An FMU
    /// that cannot interpolate gets the mean values of the courses.
    pub(super) fn write_courses(
        &mut self,
        courses: &[Course],
        order: u32,
        h: f64,
    ) -> Result<(), FailedCall> {
        if !self.abilities.interpolates {
            let values: Vec<f64> = courses.iter().map(|course| mean(*course, h)).collect();
            return self.write(&values);
        }
        let values: Vec<f64> = courses.iter().map(|course| course[0]).collect();
        self.write(&values)?;
        let all = || (1..=order).flat_map(|k| (0..courses.len()).map(move |i| (k, i)));
        let moving: Vec<(u32, usize)> = all().filter(|(_, i)| self.moving[*i]).collect();
        if moving.is_empty() {
            return Ok(());
        }
        let references: Vec<u32> = moving.iter().map(|(_, i)| self.inputs[*i]).collect();
        let orders: Vec<i32> = moving.iter().map(|(k, _)| *k as i32).collect();
        let values: Vec<f64> = moving.iter().map(|(k, i)| courses[*i][*k as usize]).collect();
        self.instance.set_input_derivatives(&references, &orders, &values)
    }

    /// The derivatives of the outputs with respect to the inputs on which they depend directly:
    /// output, input, derivative.
    pub(super) fn feedthrough(&mut self) -> Result<Vec<(usize, usize, f64)>, FailedCall> {
        let mut found = Vec::new();
        if !self.abilities.directional {
            return Ok(found);
        }
        for input in 0..self.inputs.len() {
            let outputs: Vec<usize> =
                self.direct.iter().filter(|(_, i)| *i == input).map(|(o, _)| *o).collect();
            if outputs.is_empty() {
                continue;
            }
            let unknowns: Vec<u32> = outputs.iter().map(|o| self.outputs[*o]).collect();
            let known = [self.inputs[input]];
            let values = self.instance.directional_derivative(&unknowns, &known, &[1.0])?;
            found.extend(outputs.into_iter().zip(values).map(|(output, d)| (output, input, d)));
        }
        Ok(found)
    }

    /// Makes a communication step.
    pub(super) fn step(&mut self, time: f64, h: f64) -> Result<(), FailedCall> {
        self.instance.do_step(time, h)
    }

    /// Saves the state, so that the next steps can be rolled back.
    pub(super) fn save(&mut self) -> Result<(), FailedCall> {
        self.forget()?;
        self.saved = Some(self.instance.get_state()?);
        Ok(())
    }

    /// Returns to the saved state.
    pub(super) fn roll_back(&mut self) -> Result<(), FailedCall> {
        match &self.saved {
            Some(state) => self.instance.set_state(state),
            None => Ok(()),
        }
    }

    /// Frees the saved state.
    pub(super) fn forget(&mut self) -> Result<(), FailedCall> {
        self.saved.take().map_or(Ok(()), |state| self.instance.free_state(state))
    }

    /// Records the present values.
    pub(super) fn record(&mut self, time: f64) -> Result<(), FailedCall> {
        self.recorder.sample(&mut self.instance, time)?;
        self.also.as_mut().map_or(Ok(()), |also| also.sample_readable(&mut self.instance, time))
    }
}
