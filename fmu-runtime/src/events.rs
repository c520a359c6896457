//! Relations and event iteration.
//!
//! Between events relations are frozen. One event iteration ([`Evaluation::iterate`]) first finds
//! relations that agree with the values they imply, beginning at the frozen ones, while the
//! discrete variables keep their previous values; then the event equations give the next discrete
//! variables and states.

use crate::calls::State;
use crate::evaluation::{Evaluation, env};
use crate::fault::{Changing, Fault, Mode, Quantity};
use crate::fmi2::fmi2OK;
use crate::log::{Category, Log};
use crate::system::{Env, RelationKind, Solved, Stage, Subject, Update};
use kernels::settle::Unsettled;
use kernels::start::Unbegun;

/// Half the width of the band around zero in which a relation keeps its value. Residuals are of
/// order one; a root finder of an importer stops far closer to zero than this.
const HYSTERESIS: f64 = 1e-10;

/// Event iterations at one instant after which they are given up.
const MOST_ITERATIONS: u32 = 100;

/// Initial values that depend on modes are determined this often before they are given up.
const MOST_STARTS: u32 = 40;

/// What one event iteration did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iteration {
    /// Something that changed; none: the event is over.
    pub changed: Option<Changing>,
    /// Whether a state changed.
    pub states_changed: bool,
    /// The model asks to end the simulation.
    pub terminate: bool,
}

impl Evaluation {
    /// Residuals of the relations at the present point, in `scratch.d`; they are numbers.
    fn realize_residuals(&mut self) -> Result<(), Fault> {
        self.evaluate_residuals()?;
        for (i, (d, relation)) in self.scratch.d.iter().zip(self.info.relations).enumerate() {
            if d.is_nan() || (d.is_infinite() && relation.kind != RelationKind::Time) {
                return Err(Fault::NotFinite(Quantity::Relation(i)));
            }
        }
        Ok(())
    }

    /// Residuals of the relations, whatever they are, in `scratch.d`.
    #[inline]
    fn evaluate_residuals(&mut self) -> Solved {
        let to = self.info.relation_stage as u32 + 1;
        let (sections, relations, now) = self.memory.split();
        let stages = &Stage::ALL[now.climbed.min(to) as usize..to as usize];
        let mut env = env!(sections, relations, now, self.tables);
        let solved = self.equations.relations(stages, &mut env, &mut self.scratch.d);
        if solved.is_err() {
            return self.evaluate_residuals_by_climbing();
        }
        now.climbed = now.climbed.max(to);
        Ok(())
    }

    /// The same where the straight way failed: climbing knows another.
    #[cold]
    fn evaluate_residuals_by_climbing(&mut self) -> Solved {
        self.climb(self.info.relation_stage)?;
        let (sections, relations, now) = self.memory.split();
        self.equations.relations(
            &[],
            &mut env!(sections, relations, now, self.tables),
            &mut self.scratch.d,
        )
    }

    /// The truth of a relation by its residual.
    fn truth(&self, i: usize) -> bool {
        self.info.relations[i].kind.truth(self.scratch.d[i], self.memory.now.t)
    }

    /// The event indicators at the present point, finite.
    pub fn realize_indicators(&mut self, z: &mut [f64]) -> Result<(), Fault> {
        self.evaluate_indicators(z)?;
        let culprit = z.iter().position(|z| !z.is_finite()).map(|k| self.state_relations[k]);
        culprit.map_or(Ok(()), |i| Err(Fault::NotFinite(Quantity::Relation(i))))
    }

    /// The event indicators at the present point, whatever they are.
    pub fn evaluate_indicators(&mut self, z: &mut [f64]) -> Solved {
        if self.state_relations.is_empty() {
            return Ok(());
        }
        self.evaluate_residuals()?;
        let d = &*self.scratch.d;
        let relations = &self.memory.relations[..d.len()];
        for (z, &i) in z.iter_mut().zip(&self.state_relations) {
            *z = d[i] + if relations[i] { HYSTERESIS } else { -HYSTERESIS };
        }
        Ok(())
    }

    /// Finds relations that agree with the values they imply, beginning at the frozen ones.
    pub fn settle_relations(&mut self) -> Result<(), Fault> {
        if self.info.relations.is_empty() {
            return Ok(());
        }
        let mut settling = std::mem::take(&mut self.scratch.settling);
        settling.begin_at(&self.memory.frozen);
        let settled = settling.settle(|relations, truths| {
            if *self.memory.relations != *relations {
                self.memory.relations.copy_from_slice(relations);
                self.memory.lower(Stage::Discrete);
            }
            self.realize_residuals()?;
            for (i, truth) in truths.iter_mut().enumerate() {
                *truth = self.truth(i);
            }
            Ok(())
        });
        self.scratch.settling = settling;
        match settled {
            Ok(_) => Ok(()),
            Err(Unsettled::Evaluation(fault)) => Err(fault),
            Err(Unsettled::Oscillates(last)) => Err(Fault::RelationsOscillate(last)),
        }
    }

    /// An event of Model Exchange begins at the present point.
    pub fn begin_event(&mut self) {
        let now = &mut self.memory.now;
        now.state = State::Event;
        now.stale = true;
        now.pending = true;
    }

    /// One event iteration.
    fn iterate(&mut self, log: Option<&mut Log>) -> Result<Iteration, Fault> {
        self.settle_relations()?;
        self.climb(Stage::Dynamics)?;
        self.scratch.m.copy_from_slice(self.memory.m());
        self.scratch.x.copy_from_slice(self.memory.x());
        let mut next = Update { m: &mut self.scratch.m, x: &mut self.scratch.x, terminate: false };
        let (sections, relations, now) = self.memory.split();
        self.equations.event(&mut env!(sections, relations, now, self.tables), &mut next)?;
        let mut iteration = Iteration { terminate: next.terminate, ..Iteration::default() };
        if let Some(i) = self.scratch.x.iter().position(|x| !x.is_finite()) {
            return Err(Fault::NotFinite(Quantity::State(i)));
        }
        let differs = |(i, (new, old)): (usize, (&f64, &f64))| (new != old).then_some(i);
        let state = self.scratch.x.iter().zip(self.memory.x()).enumerate().find_map(differs);
        let discrete = self.scratch.m.iter().zip(self.memory.m()).enumerate().find_map(differs);
        iteration.states_changed = state.is_some();
        iteration.changed = discrete.map(Changing::Discrete).or(state.map(Changing::State));
        if let Some(log) = log.filter(|log| log.wants(Category::Events)) {
            self.log_changes(log, iteration.changed.is_some());
        }

        let memory = &mut self.memory;
        memory.frozen.copy_from_slice(&memory.relations);
        if discrete.is_some() {
            memory.m_mut().copy_from_slice(&self.scratch.m);
            memory.lower(Stage::Discrete);
        }
        if state.is_some() {
            memory.x_mut().copy_from_slice(&self.scratch.x);
            memory.lower(Stage::Position);
        }
        Ok(iteration)
    }

    /// Event iterations until nothing changes.
    pub fn iterate_to_the_end(&mut self, mut log: Option<&mut Log>) -> Result<Iteration, Fault> {
        let mut whole = Iteration::default();
        for _ in 0..MOST_ITERATIONS {
            let iteration = self.iterate(log.as_deref_mut())?;
            whole.terminate |= iteration.terminate;
            whole.states_changed |= iteration.states_changed;
            whole.changed = iteration.changed;
            if whole.changed.is_none() {
                return Ok(whole);
            }
        }
        whole.changed.map_or(Ok(whole), |changing| Err(Fault::EventsOscillate(changing)))
    }

    /// Initial values of states, calculated parameters, discrete variables and relations.
    pub fn initialize(&mut self) -> Result<(), Fault> {
        self.memory.now.initial = true;
        self.reset_modes();
        self.check_requirements(Subject::Parameters)?;
        if !self.equations.modes_at_start() {
            return self.determine_initial_values()?;
        }
        let mut beginnings = std::mem::take(&mut self.scratch.beginnings);
        let found = self.guess_modes(beginnings.guess_mut()).and_then(|()| {
            let found = beginnings.search(|truths| {
                self.begin_in(truths).map_err(|fault| match fault {
                    Fault::RelationsOscillate(_) | Fault::EventsOscillate(_) => {
                        Unbegun::Late(fault)
                    }
                    fault => Unbegun::Soon(fault),
                })
            });
            found.map_err(|fault| match fault {
                Fault::Block(failure) if !self.info.first_modes.is_empty() => {
                    Fault::NoModes(failure)
                }
                fault => fault,
            })
        });
        self.scratch.beginnings = beginnings;
        found
    }

    /// The first modes where the search for initial values begins.
    fn guess_modes(&mut self, truths: &mut [bool]) -> Result<(), Fault> {
        let memory = &mut self.memory;
        memory.lower(Stage::Parameter);
        let (sections, relations, now) = memory.split();
        Ok(self.equations.guessed(&mut env!(sections, relations, now, self.tables), truths)?)
    }

    /// Initial values and modes that agree: initial values are determined with the modes fixed,
    /// beginning with these truths of the first modes, and again with the modes that follow, until
    /// these stay.
    fn begin_in(&mut self, first: &[bool]) -> Result<(), Fault> {
        self.reset_modes();
        for (&i, &truth) in self.info.first_modes.iter().zip(first) {
            self.memory.relations[i as usize] = truth;
        }
        let mut last = None;
        for _ in 0..MOST_STARTS {
            self.scratch.modes.0.copy_from_slice(self.memory.m());
            self.scratch.modes.1.copy_from_slice(&self.memory.relations);
            let met = self.determine_initial_values()?;
            let (m, r) = &self.scratch.modes;
            let discrete = m.iter().zip(self.memory.m()).position(|(old, new)| old != new);
            let relation = r.iter().zip(&self.memory.relations).position(|(old, new)| old != new);
            let changed = discrete.map(Mode::Discrete).or(relation.map(Mode::Relation));
            let Some(changed) = changed else { return met };
            last = Some(changed);
        }
        last.map_or(Ok(()), |changed| Err(Fault::StartOscillates(changed)))
    }

    /// Relations and discrete variables before the first event iteration.
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

    /// Initial values in the present modes, then the modes that follow from them; says whether the
    /// initial values are as they must be, which counts when the modes are the last.
    fn determine_initial_values(&mut self) -> Result<Result<(), Fault>, Fault> {
        let memory = &mut self.memory;
        memory.lower(Stage::Parameter);
        let (sections, relations, now) = memory.split();
        self.equations.initial(&mut env!(sections, relations, now, self.tables))?;
        if let Some(i) = self.memory.x().iter().position(|x| !x.is_finite()) {
            return Err(Fault::NotFinite(Quantity::State(i)));
        }
        self.take_anchor();
        let met = self.check_requirements(Subject::InitialValues);
        self.reset_modes();
        match self.iterate_to_the_end(None) {
            Ok(_) => Ok(met),
            Err(fault) => Err(met.err().unwrap_or(fault)),
        }
    }

    /// The next time event after the present instant; infinite if there is none.
    pub fn realize_next_event(&mut self) -> Result<f64, Fault> {
        let mut next = f64::INFINITY;
        if self.time_relations {
            self.realize_residuals()?;
            for (i, relation) in self.info.relations.iter().enumerate() {
                if relation.kind == RelationKind::Time && !self.truth(i) && self.scratch.d[i] < next
                {
                    next = self.scratch.d[i];
                }
            }
        }
        Ok(next)
    }

    /// One line per discrete variable and state that the present iteration changes; where it
    /// changes none, one line per relation that changed.
    fn log_changes(&self, log: &mut Log, anything: bool) {
        let t = self.memory.now.t;
        let mut line = |text: std::fmt::Arguments| {
            log.send(fmi2OK, Category::Events, format_args!("t={t} {text}"));
        };
        let relations = self.memory.frozen.iter().zip(&self.memory.relations);
        for ((old, new), relation) in relations.zip(self.info.relations) {
            if old != new && !anything && relation.kind != RelationKind::Sampled {
                line(format_args!("{}: {old} -> {new}", relation.name));
            }
        }
        let discretes = self.memory.m().iter().zip(&self.scratch.m);
        for ((old, new), discrete) in discretes.zip(self.info.discretes) {
            if old != new {
                let label = |value: f64| {
                    let labels = discrete.labels.iter();
                    labels.clone().find(|label| f64::from(label.0) == value).map(|label| label.1)
                };
                match (label(*old), label(*new)) {
                    (Some(old), Some(new)) => {
                        line(format_args!("{}: {old} -> {new}", discrete.name));
                    }
                    _ => line(format_args!("{}: {old} -> {new}", discrete.name)),
                }
            }
        }
        for ((old, new), state) in self.memory.x().iter().zip(&self.scratch.x).zip(self.info.states)
        {
            if old != new {
                line(format_args!("{}: {old:?} -> {new:?}", state.name));
            }
        }
    }
}
