//! Values on demand: reading a value realizes the stages that it needs, with continuation if a
//! nonlinear block fails.
//!
//! Blocks that neither derivatives nor events need are *deferred*. A deferred block is solved at
//! accepted points, so its anchor follows the motion, and when a dependent value is read.

use crate::data::memory::Memory;
use crate::evaluation::continuation::Goal;
use crate::evaluation::{Evaluation, env};
use crate::model::fault::{Fault, NonFiniteValue};
use crate::model::system::{Solved, Source, Stage, Subject};

impl Evaluation {
    /// Makes the values of a stage, and of all stages before it, up to date: realizes the stage.
    #[inline]
    pub fn realize(&mut self, to: Stage) -> Solved {
        if self.memory.scalars.realized > to as u32 {
            return Ok(());
        }
        let solved = self.realize_directly(to);
        if solved.is_err() {
            self.realize_by_continuation(Goal::Advance(to)).or(solved)
        } else {
            solved
        }
    }

    /// Makes the reported values of a stage, and of all stages before it, up to date.
    #[inline]
    pub fn report(&mut self, to: Stage) -> Solved {
        if self.memory.scalars.reported > to as u32 {
            return Ok(());
        }
        self.realize(to)?;
        let solved = self.report_directly(to);
        if solved.is_err() && self.info.deferred.is_some() {
            return self.realize_by_continuation(Goal::Report(to)).or(solved);
        }
        solved
    }

    /// Makes the unknowns of all nonlinear blocks those of the present point.
    fn realize_unknowns(&mut self) -> Solved {
        self.realize(Stage::Dynamics)?;
        self.realize_deferred()
    }

    /// Makes the unknowns of the deferred blocks those of the present point.
    pub fn realize_deferred(&mut self) -> Solved {
        let Some(stage) = self.info.deferred else { return Ok(()) };
        self.realize(stage)?;
        let solved = self.solve_deferred();
        if solved.is_err() {
            self.realize_by_continuation(Goal::Deferred(stage)).or(solved)
        } else {
            solved
        }
    }

    /// Realizes all stages that can fail.
    #[inline]
    pub fn realize_fallible(&mut self) -> Solved {
        let fallible = self.info.fallible;
        fallible.advance.map_or(Ok(()), |stage| self.realize(stage))?;
        fallible.report.max(self.info.deferred).map_or(Ok(()), |stage| self.report(stage))
    }

    /// The value of a source; the stages that it needs are realized.
    #[inline]
    pub fn value(&mut self, source: Source) -> Result<f64, Fault> {
        let memory = &self.memory;
        Ok(match source {
            Source::State(i) => memory.x()[i as usize],
            Source::Constant(value) => value,
            Source::Time => memory.time(),
            Source::Parameter(i) => memory.p_set()[i as usize],
            Source::Calculated(i) => memory.c()[i as usize],
            Source::Discrete(i) => memory.m()[i as usize],
            Source::Relation(i) => f64::from(u8::from(memory.relations[i as usize])),
            Source::Input(i) => memory.u_set()[i as usize],
            Source::Derivative(i) => {
                self.realize(Stage::Dynamics)?;
                self.memory.dx()[i as usize]
            }
            Source::Advanced(i, stage) => {
                self.realize(stage)?;
                self.memory.w()[i as usize]
            }
            Source::Reported(i, stage) => {
                self.report(stage)?;
                self.memory.w()[i as usize]
            }
            // The evaluation of the equations has no solver: the instance knows its counts.
            Source::Solver(_) => 0.0,
        })
    }

    /// The value of a source that does not change between two events, in a mode in which the
    /// derivatives have been evaluated; NaN for other sources.
    #[inline]
    pub fn lasting_value(&self, source: Source) -> f64 {
        let memory = &self.memory;
        match source {
            Source::Constant(value) => value,
            Source::Parameter(i) => memory.p()[i as usize],
            Source::Calculated(i) => memory.c()[i as usize],
            Source::Discrete(i) => memory.m()[i as usize],
            Source::Relation(i) => f64::from(u8::from(memory.relations[i as usize])),
            Source::Advanced(i, Stage::Parameter | Stage::Discrete) => memory.w()[i as usize],
            _ => f64::NAN,
        }
    }

    /// Refuses parameters or initial values that violate a requirement.
    pub fn check_requirements(&mut self, subject: Subject) -> Result<(), Fault> {
        if self.info.requirements.is_empty() {
            return Ok(());
        }
        self.scratch.met.fill(true);
        let (sections, relations, scalars) = self.memory.split();
        let mut env = env!(sections, relations, scalars, self.tables);
        self.equations.requirements(subject, &mut env, &mut self.scratch.met)?;
        let unmet = self.scratch.met.iter().position(|met| !met);
        unmet.map_or(Ok(()), |i| Err(Fault::Unmet(i)))
    }

    /// [`Evaluation::check_requirements`] for parameters that were set and take effect in the next
    /// step.
    pub fn check_settings(&mut self) -> Result<(), Fault> {
        let swap = |memory: &mut Memory| {
            let (sections, _, _) = memory.split();
            sections.p.swap_with_slice(sections.p_set);
        };
        swap(&mut self.memory);
        let checked = self.check_requirements(Subject::Parameters);
        swap(&mut self.memory);
        self.memory.invalidate(Stage::Parameter);
        checked
    }

    /// Realizes all derivatives and checks that they are numbers.
    #[inline]
    pub fn realize_derivatives(&mut self) -> Result<(), Fault> {
        self.realize(Stage::Dynamics)?;
        self.derivative_not_finite().map_or(Ok(()), |value| Err(Fault::NotFinite(value)))
    }

    /// The first derivative of the last evaluation that is not a finite number.
    pub fn derivative_not_finite(&self) -> Option<NonFiniteValue> {
        let mut derivatives = self.memory.dx().iter().enumerate();
        let found = derivatives.find(|(_, dx)| !dx.is_finite());
        found.map(|(i, &dx)| NonFiniteValue::Derivative(i, dx))
    }

    /// Makes the present point part of the solution: Newton iterations then start from it.
    pub fn accept_point(&mut self) -> Solved {
        if self.info.sizes.unknowns > 0 {
            self.realize_unknowns()?;
            if !self.is_anchored() {
                self.take_anchor();
            }
        }
        Ok(())
    }
}
