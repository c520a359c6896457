//! Initialization: initial values, and modes that agree with them.
//!
//! Initial values can depend on relations that in turn depend on them: for example, the direction
//! of friction influences the initial acceleration. For such models (`System::MODES_AT_START`) the
//! run time determines initial values with fixed modes, derives the modes again, and repeats this
//! until they agree. If the modes keep changing, the error names one.

use crate::evaluation::{Evaluation, env};
use crate::model::fault::{Fault, InitialDependency, NonFiniteValue};
use crate::model::system::{Stage, Subject};
use kernels::initial_modes::Infeasible;

/// Maximum number of times that initial values are determined, starting with one set of first
/// modes.
const MAX_ITERATIONS: u32 = 40;

impl Evaluation {
    /// Determines the initial values of states, calculated parameters, discrete variables and
    /// relations.
    pub fn initialize(&mut self) -> Result<(), Fault> {
        self.memory.scalars.initial = true;
        self.reset_modes();
        self.check_requirements(Subject::Parameters)?;
        if !self.equations.modes_at_start() {
            return self.determine_initial_values()?;
        }
        let mut search = std::mem::take(&mut self.scratch.mode_search);
        let found = self.guess_modes(search.guess_mut()).and_then(|()| {
            let found = search.search(|truths| {
                self.initialize_from(truths).map_err(|fault| match fault {
                    Fault::RelationsOscillate(_) | Fault::EventsOscillate(_) => {
                        Infeasible::AfterSearch(fault)
                    }
                    fault => Infeasible::Immediate(fault),
                })
            });
            found.map_err(|fault| match fault {
                Fault::Block(failure) if !self.info.first_modes.is_empty() => {
                    Fault::NoModes(failure)
                }
                fault => fault,
            })
        });
        self.scratch.mode_search = search;
        found
    }

    /// Ends the initialization: initial values become the first point of the solution.
    pub fn end_initialization(&mut self) -> Result<(), Fault> {
        self.start_histories()?;
        self.memory.scalars.initial = false;
        self.memory.invalidate(Stage::Discrete);
        Ok(self.accept_point()?)
    }

    /// Computes the first modes at the guesses of the initial values.
    fn guess_modes(&mut self, truths: &mut [bool]) -> Result<(), Fault> {
        let memory = &mut self.memory;
        memory.invalidate(Stage::Parameter);
        let (sections, relations, scalars) = memory.split();
        Ok(self
            .equations
            .first_modes(&mut env!(sections, relations, scalars, self.tables), truths)?)
    }

    /// Finds initial values and modes that agree: initial values are determined with fixed modes,
    /// beginning with these truth values of the first modes, and again with the modes that result,
    /// until the modes no longer change.
    fn initialize_from(&mut self, first: &[bool]) -> Result<(), Fault> {
        self.reset_modes();
        for (&i, &truth) in self.info.first_modes.iter().zip(first) {
            self.memory.relations[i as usize] = truth;
        }
        let mut last = None;
        for _ in 0..MAX_ITERATIONS {
            self.scratch.modes.0.copy_from_slice(self.memory.m());
            self.scratch.modes.1.copy_from_slice(&self.memory.relations);
            let met = self.determine_initial_values()?;
            let (m, r) = &self.scratch.modes;
            let discrete = m.iter().zip(self.memory.m()).position(|(old, new)| old != new);
            let relation = r.iter().zip(&self.memory.relations).position(|(old, new)| old != new);
            let changed = discrete
                .map(InitialDependency::Discrete)
                .or(relation.map(InitialDependency::Relation));
            let Some(changed) = changed else { return met };
            last = Some(changed);
        }
        last.map_or(Ok(()), |changed| Err(Fault::StartOscillates(changed)))
    }

    /// Sets relations and discrete variables to their values before the first event iteration.
    fn reset_modes(&mut self) {
        let memory = &mut self.memory;
        memory.relations.fill(false);
        memory.frozen.fill(false);
        for (m, discrete) in memory.m_mut().iter_mut().zip(self.info.discretes) {
            *m = discrete.start;
        }
        for &(i, start) in &self.discrete_starts {
            let value = memory.p()[start];
            memory.m_mut()[i] = value;
        }
    }

    /// Determines initial values in the present modes, and then the modes that result from them.
    /// The inner result is whether the initial values meet the requirements; it matters for the
    /// last modes only.
    fn determine_initial_values(&mut self) -> Result<Result<(), Fault>, Fault> {
        let memory = &mut self.memory;
        memory.invalidate(Stage::Parameter);
        let (sections, relations, scalars) = memory.split();
        self.equations.initial(&mut env!(sections, relations, scalars, self.tables))?;
        if let Some(i) = self.memory.x().iter().position(|x| !x.is_finite()) {
            return Err(Fault::NotFinite(NonFiniteValue::State(i)));
        }
        self.take_anchor();
        let met = self.check_requirements(Subject::InitialValues);
        self.reset_modes();
        self.untold.fill(false);
        match self.iterate_event(None) {
            Ok(_) => Ok(met),
            Err(fault) => Err(met.err().unwrap_or(fault)),
        }
    }
}
