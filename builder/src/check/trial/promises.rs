//! Rules for whole runs: other instances, restored states and other steps change nothing.

use std::slice;

use super::comparison::{Compared, STEP_DEPENDENCE};
use super::faults::Fault;
use super::run::{Progress, Record, Run};
use super::session::{STEPS, Trial};
use crate::fmi::FmuType;
use crate::host::{FmuLibrary, FmuState};
use crate::model_description::Base;

impl Trial<'_> {
    /// A005: instances that run at the same time do not see each other.
    pub(super) fn repeated(&mut self, library: &FmuLibrary, alone: &[Record]) -> Result<(), Fault> {
        self.stage("two instances at the same time");
        let mut twins = Vec::new();
        for _ in 0..2 {
            let instance = self.instantiate(library)?;
            twins.push((Run::begin(self, instance)?, Vec::new()));
        }
        for _ in 0..STEPS {
            for (run, records) in &mut twins {
                records.extend(run.go(self, 1)?);
            }
        }
        for (_, records) in &twins {
            self.same("A005", "beside another instance", alone, records, Compared::Rounded);
        }
        Ok(())
    }

    /// How a run is compared that goes on from a restored state. After the restored point a
    /// Co-Simulation may restart its integrator: its results then differ by the integrator's error.
    fn continued(&self) -> Compared {
        match self.fmu_type {
            FmuType::CoSimulation => Compared::Integrated,
            FmuType::ModelExchange => Compared::Rounded,
        }
    }

    /// A069 to A077: what follows a state that is restored is what followed it the first time.
    pub(super) fn restored(&mut self, library: &FmuLibrary, alone: &[Record]) -> Result<(), Fault> {
        if !self.interface.flag("canGetAndSetFMUstate") {
            return Ok(());
        }
        self.stage("fmi2GetFMUstate");
        let instance = self.instantiate(library)?;
        let mut run = Run::begin(self, instance)?;
        let mut state = run.instance.get_state()?;
        let before = run.go(self, STEPS / 2)?.len();
        self.stage("fmi2GetFMUstate into a copy that exists");
        run.instance.refill_state(&mut state)?;
        let d = &self.fmu.description;
        let at = run.record(d)?;
        let progress = run.progress.clone();
        let rest = alone.get(before..).unwrap_or_default();
        run.go(self, STEPS)?;
        for _ in 0..2 {
            self.stage("fmi2SetFMUstate");
            run.restore(self, &state, &progress)?;
            let (wanted, found) = (slice::from_ref(&at), [run.record(d)?]);
            self.same("A072", "right after fmi2SetFMUstate", wanted, &found, Compared::Rounded);
            let again = run.go(self, rest.len() as u32)?;
            self.same("A072", "after fmi2SetFMUstate", rest, &again, self.continued());
        }
        if self.interface.flag("canSerializeFMUstate") {
            self.serialised(library, &mut run, &state, (progress, at), rest)?;
        }
        self.stage("fmi2FreeFMUstate");
        if !run.instance.free_state_twice(state)? {
            self.error("A073", "fmi2FreeFMUstate does not set the pointer to NULL");
        }
        Ok(())
    }

    /// A075 to A077: a state becomes bytes, and these a state again, in another instance.
    fn serialised(
        &mut self,
        library: &FmuLibrary,
        run: &mut Run<'_>,
        state: &FmuState,
        (progress, at): (Progress, Record),
        rest: &[Record],
    ) -> Result<(), Fault> {
        self.stage("fmi2SerializeFMUstate");
        let (bytes, exact) = run.instance.watched_bytes(state)?;
        if !exact {
            self.error("A075", "fmi2SerializedFMUstateSize does not tell the size of the bytes");
        }
        let instance = self.instantiate(library)?;
        let mut into = Run::begin(self, instance)?;
        self.stage("fmi2DeSerializeFMUstate");
        let d = &self.fmu.description;
        let untouched = into.record(d)?;
        let state = into.instance.deserialize(&bytes)?;
        let after = into.record(d)?;
        let rounded = Compared::Rounded;
        self.same("A077", "after fmi2DeSerializeFMUstate alone", &[untouched], &[after], rounded);
        into.restore(self, &state, &progress)?;
        let found = into.record(d)?;
        self.same("A076", "right after fmi2DeSerializeFMUstate", &[at], &[found], rounded);
        let again = into.go(self, rest.len() as u32)?;
        self.same("A076", "after fmi2DeSerializeFMUstate", rest, &again, self.continued());
        into.instance.free_state(state)?;
        Ok(())
    }

    /// B035: in Co-Simulation the result does not depend on the communication steps.
    pub(super) fn other_steps(
        &mut self,
        library: &FmuLibrary,
        alone: &[Record],
    ) -> Result<(), Fault> {
        let variable = self.interface.flag("canHandleVariableCommunicationStepSize");
        let Some(wanted) = alone.last().filter(|_| alone.len() == STEPS as usize) else {
            return Ok(());
        };
        if self.fmu_type == FmuType::ModelExchange || !variable || !self.comparable {
            return Ok(());
        }
        self.stage("steps of other lengths");
        let instance = self.instantiate(library)?;
        let mut run = Run::begin(self, instance)?;
        for _ in 0..STEPS {
            for part in [0.25, 0.5, 0.25] {
                if !run.progress.ended {
                    run.advance(self, part * run.step)?;
                }
            }
        }
        let d = &self.fmu.description;
        let found = run.record(d)?;
        let numbers = d.variables.iter().filter(|v| v.base != Base::String);
        for ((v, wanted), found) in numbers.zip(wanted).zip(&found) {
            let scale = v.attributes.nominal.unwrap_or(1.0).abs().max(wanted.abs());
            let continuous = v.variability == "continuous" && v.causality == "output";
            if continuous && (wanted - found).abs() > STEP_DEPENDENCE * scale {
                let name = &v.name;
                let text = format!("{name} is {found} instead of {wanted} where steps are shorter");
                self.warning("B035", text);
            }
        }
        Ok(())
    }
}
