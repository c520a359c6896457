//! Relations and event iteration.
//!
//! Between events relations are frozen. One pass of the event iteration ([`Evaluation::iterate`])
//! first finds consistent relations, starting from the frozen ones, while the discrete variables
//! keep their previous values; then the event equations give the next discrete variables and
//! states.

use crate::evaluation::{Evaluation, env};
use crate::fmi::fmi2::{fmi2OK, fmi2Warning};
use crate::fmi::log::{Category, Log};
use crate::model::fault::{Changing, Fault, NonFiniteValue, Several};
use crate::model::system::{Assertion, Info, RelationKind, Solved, Stage, Update};
use kernels::relations::Inconsistent;
use std::fmt;

/// Half the width of the band around zero in which a relation keeps its value. Residuals are of
/// order one; importers locate zeros far more precisely than this.
const HYSTERESIS: f64 = 1e-10;

/// Maximum number of passes of the event iteration at one instant.
const MAX_PASSES: u32 = 100;

/// A sentence in which the values of discrete variables take the places of their names in braces.
struct WithValues<'a> {
    sentence: &'a str,
    info: &'a Info,
    m: &'a [f64],
}

impl fmt::Display for WithValues<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut rest = self.sentence;
        while let Some((before, after)) = rest.split_once('{') {
            f.write_str(before)?;
            let found = after.split_once('}').and_then(|(name, behind)| {
                let at = self.info.discretes.iter().position(|of| of.name == name)?;
                Some((*self.m.get(at)?, behind))
            });
            rest = match found {
                Some((value, behind)) => {
                    write!(f, "{value:.3e}")?;
                    behind
                }
                None => {
                    f.write_str("{")?;
                    after
                }
            };
        }
        f.write_str(rest)
    }
}

/// The result of one pass of the event iteration, or of all passes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iteration {
    /// A variable that changed; if there is none, the event is over.
    pub changed: Option<Changing>,
    /// Whether a state changed.
    pub states_changed: bool,
    /// Whether the model asks to end the simulation.
    pub terminate: bool,
}

impl Evaluation {
    /// Computes the residuals of the relations at the present point in `scratch.d`; NaN is a fault.
    fn realize_residuals(&mut self) -> Result<(), Fault> {
        self.evaluate_residuals()?;
        let mut residuals = self.scratch.d.iter().zip(self.info.relations);
        let culprit = residuals.position(|(d, relation)| {
            d.is_nan() || (d.is_infinite() && relation.kind != RelationKind::Time)
        });
        culprit.map_or(Ok(()), |i| Err(self.bad_residual(i)))
    }

    /// The fault of a relation whose residual is not finite, with the discrete variables that this
    /// pass would give no number: the residual may depend on their next values.
    #[cold]
    fn bad_residual(&mut self, relation: usize) -> Fault {
        self.scratch.m.copy_from_slice(self.memory.m());
        self.scratch.x.copy_from_slice(self.memory.x());
        let mut evaluated = self.realize(Stage::Dynamics);
        if evaluated.is_ok() {
            let mut next =
                Update { m: &mut self.scratch.m, x: &mut self.scratch.x, terminate: false };
            let (sections, relations, scalars) = self.memory.split();
            let mut env = env!(sections, relations, scalars, self.tables);
            evaluated = self.equations.event(&mut env, &mut next);
        }
        let values = self.scratch.m.iter().enumerate().filter(|_| evaluated.is_ok());
        let others = values.filter(|(_, value)| value.is_nan()).map(|(i, _)| i);
        Fault::NotFinite(NonFiniteValue::Relation(relation, Several::new(others)))
    }

    /// Computes the residuals of the relations in `scratch.d`, which may be NaN.
    #[inline]
    fn evaluate_residuals(&mut self) -> Solved {
        let to = self.info.relation_stage as u32 + 1;
        let (sections, relations, scalars) = self.memory.split();
        let stages = &Stage::ALL[scalars.realized.min(to) as usize..to as usize];
        let mut env = env!(sections, relations, scalars, self.tables);
        let solved = self.equations.relations(stages, &mut env, &mut self.scratch.d);
        if solved.is_err() {
            return self.evaluate_residuals_by_continuation();
        }
        scalars.realized = scalars.realized.max(to);
        Ok(())
    }

    /// Computes the residuals of the state relations in `scratch.d` without realizing their stage;
    /// returns whether that was possible.
    #[inline]
    fn evaluate_indicators_apart(&mut self) -> bool {
        let is_realized = self.memory.scalars.realized > self.info.relation_stage as u32;
        if !self.info.indicators_apart || is_realized || self.realize(Stage::Discrete).is_err() {
            return false;
        }
        let (sections, relations, scalars) = self.memory.split();
        let mut env = env!(sections, relations, scalars, self.tables);
        self.equations.indicators(&mut env, &mut self.scratch.d).is_ok()
    }

    /// The same as [`Evaluation::evaluate_residuals`] after a failure: realizing the stage tries
    /// continuation.
    #[cold]
    fn evaluate_residuals_by_continuation(&mut self) -> Solved {
        self.realize(self.info.relation_stage)?;
        let (sections, relations, scalars) = self.memory.split();
        self.equations.relations(
            &[],
            &mut env!(sections, relations, scalars, self.tables),
            &mut self.scratch.d,
        )
    }

    /// The truth value of a relation according to its residual.
    fn truth(&self, i: usize) -> bool {
        self.info.relations[i].kind.truth(self.scratch.d[i], self.time())
    }

    /// The event indicators at the present point; a value that is not finite is a fault.
    pub fn realize_indicators(&mut self, z: &mut [f64]) -> Result<(), Fault> {
        self.evaluate_indicators(z)?;
        let culprit = z.iter().position(|z| !z.is_finite()).map(|k| self.state_relations[k]);
        culprit.map_or(Ok(()), |i| {
            Err(Fault::NotFinite(NonFiniteValue::Relation(i, Several::default())))
        })
    }

    /// The event indicators at the present point, which may not be finite.
    pub fn evaluate_indicators(&mut self, z: &mut [f64]) -> Solved {
        if self.state_relations.is_empty() {
            return Ok(());
        }
        if !self.evaluate_indicators_apart() {
            self.evaluate_residuals()?;
        }
        for (z, &i) in z.iter_mut().zip(&self.state_relations) {
            *z = self.indicator(i);
        }
        Ok(())
    }

    /// The event indicator of a relation according to its residual.
    #[inline]
    fn indicator(&self, i: usize) -> f64 {
        self.scratch.d[i] + if self.memory.relations[i] { HYSTERESIS } else { -HYSTERESIS }
    }

    /// Whether an event indicator at the present point has the sign of the other truth value.
    pub fn relations_are_outdated(&mut self) -> Result<bool, Fault> {
        if self.state_relations.is_empty() {
            return Ok(false);
        }
        self.evaluate_residuals()?;
        let mut relations = self.state_relations.iter();
        Ok(relations.any(|&i| (self.indicator(i) > 0.0) != self.memory.relations[i]))
    }

    /// Finds consistent relations, starting from the frozen ones.
    pub fn find_consistent_relations(&mut self) -> Result<(), Fault> {
        if self.info.relations.is_empty() {
            return Ok(());
        }
        let mut search = std::mem::take(&mut self.scratch.relation_search);
        search.start_from(&self.memory.frozen);
        let found = search.find_consistent(|relations, truths, lenient| {
            if *self.memory.relations != *relations {
                self.memory.relations.copy_from_slice(relations);
                self.memory.invalidate(Stage::Discrete);
            }
            self.realize_residuals()?;
            for (i, truth) in truths.iter_mut().enumerate() {
                let keeps = lenient && self.scratch.d[i].abs() <= HYSTERESIS;
                *truth = if keeps { relations[i] } else { self.truth(i) };
            }
            Ok(())
        });
        let result = match found {
            Ok(_) => Ok(()),
            Err(Inconsistent::Evaluation(fault)) => Err(fault),
            Err(Inconsistent::Oscillates(last)) => {
                let is_state = |i: &usize| self.info.relations[*i].kind == RelationKind::State;
                let changing = search.changing().filter(is_state);
                let relations = Several::new(changing);
                Err(Fault::RelationsOscillate(relations.or(last)))
            }
        };
        self.scratch.relation_search = search;
        result
    }

    /// One pass of the event iteration.
    fn iterate(&mut self, mut log: Option<&mut Log>) -> Result<Iteration, Fault> {
        self.find_consistent_relations()?;
        self.realize(Stage::Dynamics)?;
        self.run_controllers()?;
        self.scratch.m.copy_from_slice(self.memory.m());
        self.scratch.x.copy_from_slice(self.memory.x());
        let mut next = Update { m: &mut self.scratch.m, x: &mut self.scratch.x, terminate: false };
        let (sections, relations, scalars) = self.memory.split();
        self.equations.event(&mut env!(sections, relations, scalars, self.tables), &mut next)?;
        let mut iteration = Iteration { terminate: next.terminate, ..Iteration::default() };
        self.check_assertions(|assertion| assertion.in_passes, log.as_deref_mut())?;
        if let Some(i) = self.scratch.x.iter().position(|x| !x.is_finite()) {
            return Err(Fault::NotFinite(NonFiniteValue::State(i)));
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
            memory.invalidate(Stage::Discrete);
        }
        if state.is_some() {
            memory.x_mut().copy_from_slice(&self.scratch.x);
            memory.invalidate(Stage::Position);
        }
        Ok(iteration)
    }

    /// The event iteration: passes until nothing changes.
    pub fn iterate_event(&mut self, log: Option<&mut Log>) -> Result<Iteration, Fault> {
        let total = self.iterate_event_within(MAX_PASSES, log)?;
        total.changed.map_or(Ok(total), |changing| Err(Fault::EventsOscillate(changing)))
    }

    /// The event iteration: passes until nothing changes, or at most so many; in this case the
    /// result names what still changes.
    pub fn iterate_event_within(
        &mut self,
        passes: u32,
        mut log: Option<&mut Log>,
    ) -> Result<Iteration, Fault> {
        let mut total = Iteration::default();
        self.begin_event_of_delays()?;
        for _ in 0..passes {
            let iteration = self.iterate(log.as_deref_mut())?;
            total.terminate |= iteration.terminate;
            total.states_changed |= iteration.states_changed;
            total.changed = iteration.changed;
            if total.changed.is_none() {
                total.changed = self.end_event_of_delays()?.map(Changing::Delay);
            }
            if total.changed.is_none() {
                self.check_assertions(|assertion| !assertion.in_passes, log)?;
                return Ok(total);
            }
        }
        self.end_event_of_delays()?;
        Ok(total)
    }

    /// The first assertion of some that does not hold; a warning is told when it ceases to hold, or
    /// at the first event if that was during initialization, which has no log.
    fn check_assertions(
        &mut self,
        are_due: impl Fn(&Assertion) -> bool,
        mut log: Option<&mut Log>,
    ) -> Result<(), Fault> {
        let assertions = self.info.assertions;
        if !assertions.iter().any(&are_due) {
            return Ok(());
        }
        let (sections, relations, scalars) = self.memory.split();
        let mut env = env!(sections, relations, scalars, self.tables);
        self.equations.assertions(&mut env, &mut self.scratch.hold)?;
        let t = self.time();
        for (i, assertion) in assertions.iter().enumerate().filter(|(_, of)| are_due(of)) {
            let (holds, held) = (self.scratch.hold[i], &mut self.held[i]);
            match (holds, &mut log) {
                (false, _) if !assertion.is_warning => return Err(Fault::Asserted(i)),
                (false, None) => self.untold[i] = true,
                (_, Some(log)) if self.untold[i] || !holds && *held => {
                    let sentence = assertion.sentence;
                    let sentence = WithValues { sentence, info: self.info, m: &self.scratch.m };
                    let text = format_args!("t={t} {sentence}");
                    log.send(fmi2Warning, Category::StatusWarning, text);
                    (*held, self.untold[i]) = (holds, false);
                }
                _ => *held |= holds,
            }
        }
        Ok(())
    }

    /// The next time event after the present instant; infinite if there is none.
    pub fn realize_next_time_event(&mut self) -> Result<f64, Fault> {
        let mut next = self.next_break();
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

    /// Logs a line for each discrete variable and state that this pass changes; if there are none,
    /// a line for each changed relation.
    fn log_changes(&self, log: &mut Log, any: bool) {
        let t = self.time();
        let mut line = |text: std::fmt::Arguments| {
            log.send(fmi2OK, Category::Events, format_args!("t={t} {text}"));
        };
        let relations = self.memory.frozen.iter().zip(&self.memory.relations);
        for ((old, new), relation) in relations.zip(self.info.relations) {
            if old != new && !any && relation.kind != RelationKind::Sampled {
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
