//! Evaluation of the equations at one point: setting a value invalidates stages, reading a value
//! realizes them.
//!
//! Values are a pure function of time, states, inputs, parameters, discrete variables, relations
//! and the *anchor*: which values are read, and in which order, has no influence. The anchor is the
//! solution of the nonlinear blocks (such as loop equations) at the last accepted point, with its
//! derivatives. Newton's method starts on the tangent there. Only accepting a point changes the
//! anchor; evaluations at trial points do not.

mod continuation;
mod continuous_time;
mod controllers;
mod delays;
pub mod events;
mod initialization;
mod inputs;
mod jacobian;
mod motion;
mod realization;

use crate::data::memory::Memory;
use crate::evaluation::motion::Motion;
use crate::fmi::calls::FmuType;
use crate::model::equations::{Equations, RunnableModel};
use crate::model::system::{Info, RelationKind, Solved, Source, Stage};
use crate::model::tangent::Tangent;
use kernels::history::Point;
use kernels::initial_modes::ModeSearch;
use kernels::relations::RelationSearch;
use kernels::rows::Rows;

/// The equations with the memory that they work on.
pub(crate) struct Evaluation {
    pub(crate) equations: Box<dyn Equations>,
    pub(crate) info: &'static Info,
    /// Tables of plain numbers, in the order of `info.tables`.
    pub(crate) tables: Box<[Rows]>,
    /// Everything that changes.
    pub(crate) memory: Memory,
    pub(crate) scratch: Scratch,
    pub(crate) tangent: Tangent,
    /// The motion through the present point; empty in Model Exchange.
    pub(crate) motion: Motion,
    /// The elements of `p` that hold start values of discrete variables.
    pub(crate) discrete_starts: Box<[(usize, usize)]>,
    /// The relations that have an event indicator, in order.
    pub(crate) state_relations: Box<[usize]>,
    /// Whether there are time relations.
    pub(crate) time_relations: bool,
    /// Whether the derivatives of inputs over time are known: not in Model Exchange.
    pub(crate) knows_input_derivatives: bool,
    /// For each assertion, whether it held when it was last looked at: a warning is told once.
    pub(crate) held: Box<[bool]>,
    /// Warnings that ceased to hold during initialization and have not been told.
    pub(crate) untold: Box<[bool]>,
}

/// Work space, whose content is not used between two calls.
pub(crate) struct Scratch {
    /// Whether each requirement is met.
    pub met: Box<[bool]>,
    /// Whether each assertion holds.
    pub hold: Box<[bool]>,
    /// Residuals of the relations.
    pub d: Box<[f64]>,
    /// The search for consistent relations.
    pub relation_search: RelationSearch,
    /// The search for the modes with which initial values are determined.
    pub mode_search: ModeSearch,
    /// Next values of the discrete variables.
    pub m: Box<[f64]>,
    /// Next values of the states, or the target of a continuation.
    pub x: Box<[f64]>,
    /// The anchor during a continuation.
    pub anchor: Box<[f64]>,
    /// A point of the integrator.
    pub point: Box<[f64]>,
    /// The states at the last communication point.
    pub before: Box<[f64]>,
    /// The signals of the delays where they were looked at last.
    pub signals: Box<[Point]>,
    /// The inputs of a controller.
    pub control: Box<[f64]>,
    /// The unknowns at the end of the last trial step.
    pub solution: Box<[f64]>,
    /// Discrete variables and relations with which initial values were determined.
    pub modes: (Box<[f64]>, Box<[bool]>),
}

/// The view of the equations on a memory.
macro_rules! env {
    ($sections:ident, $relations:ident, $scalars:ident, $tables:expr) => {
        $crate::system::Env {
            t: $scalars.t,
            initial: $scalars.initial,
            p: $sections.p,
            c: $sections.c,
            m: $sections.m,
            r: $relations,
            x: $sections.x,
            u: $sections.u,
            tables: &$tables,
            histories: $sections.histories,
            anchor: $sections.anchor,
            z: $sections.z,
            iterations: &mut $scalars.iterations,
            w: $sections.w,
            dx: $sections.dx,
        }
    };
}
pub(crate) use env;

/// Whether two values of an unknown are equal up to rounding.
fn is_near(z: f64, anchor: f64) -> bool {
    (z - anchor).abs() <= 1e-12 * (1.0 + anchor.abs())
}

impl Evaluation {
    pub fn new(model: &dyn RunnableModel, tables: Box<[Rows]>, fmu_type: FmuType) -> Evaluation {
        let info = model.info();
        let nx = info.states.len();
        let memory = Memory::new(info);
        let motion = Motion::new(&memory, fmu_type);
        let relations = info.relations.iter().enumerate();
        let state_relations: Box<[usize]> = relations
            .filter(|(_, relation)| relation.kind == RelationKind::State)
            .map(|(i, _)| i)
            .collect();
        let starts = [info.reals, info.integers, info.booleans].into_iter().flatten();
        let starts = starts.filter_map(|variable| match (variable.source, variable.start) {
            (Source::Discrete(i), Some(start)) => Some((i as usize, start as usize)),
            _ => None,
        });
        let zeros = |length: usize| vec![0.0; length].into_boxed_slice();
        Evaluation {
            equations: model.equations(),
            info,
            tables,
            memory,
            motion,
            held: vec![true; info.assertions.len()].into_boxed_slice(),
            untold: vec![false; info.assertions.len()].into_boxed_slice(),
            scratch: Scratch {
                met: vec![true; info.requirements.len()].into_boxed_slice(),
                hold: vec![true; info.assertions.len()].into_boxed_slice(),
                d: zeros(info.relations.len()),
                relation_search: RelationSearch::new(info.relations.len()),
                mode_search: ModeSearch::new(info.first_modes.len()),
                m: zeros(info.discretes.len()),
                x: zeros(nx),
                anchor: zeros(info.sizes.unknowns),
                point: zeros(nx),
                before: zeros(nx),
                signals: vec![Point::default(); info.delays.len()].into_boxed_slice(),
                control: zeros(info.controllers.iter().map(|c| c.inputs.len()).max().unwrap_or(0)),
                solution: zeros(info.sizes.unknowns),
                modes: (
                    zeros(info.discretes.len()),
                    vec![false; info.relations.len()].into_boxed_slice(),
                ),
            },
            tangent: Tangent::new(info),
            discrete_starts: starts.collect(),
            state_relations,
            knows_input_derivatives: fmu_type == FmuType::CoSimulation,
            time_relations: info.relations.iter().any(|r| r.kind == RelationKind::Time),
        }
    }

    /// Returns to the values after instantiation.
    pub fn reset(&mut self) {
        self.memory.reset(self.info);
    }

    /// Time in s.
    #[inline]
    pub fn time(&self) -> f64 {
        self.memory.time()
    }

    /// Whether no value that is up to date depends on the states.
    #[inline]
    pub fn states_are_free(&self) -> bool {
        self.memory.scalars.realized <= Stage::Position as u32
    }

    /// Sets the states.
    #[inline]
    pub fn set_states(&mut self, x: &[f64]) {
        if self.states_are_free() {
            self.memory.x_mut().copy_from_slice(x);
            return;
        }
        let mut lowest = None;
        for ((new, old), state) in x.iter().zip(self.memory.x()).zip(self.info.states) {
            if new.to_bits() != old.to_bits() {
                let stage = stage_of_state(state.position);
                lowest = Some(stage);
                // No state has an earlier stage.
                if stage == Stage::Position {
                    break;
                }
            }
        }
        if let Some(lowest) = lowest {
            self.memory.x_mut().copy_from_slice(x);
            self.memory.invalidate(lowest);
        }
    }

    /// Computes the values of a stage, and of all stages before it that are not up to date.
    #[inline]
    pub fn realize_directly(&mut self, to: Stage) -> Solved {
        let (sections, relations, scalars) = self.memory.split();
        let stages = &Stage::ALL[scalars.realized as usize..=to as usize];
        let done =
            self.equations.advance(stages, &mut env!(sections, relations, scalars, self.tables));
        done.map_err(|failure| failure.at(scalars.t))?;
        scalars.realized = to as u32 + 1;
        Ok(())
    }

    /// Computes the reported values of a stage, and of all stages before it that are not up to
    /// date, after [`Evaluation::realize_directly`].
    pub fn report_directly(&mut self, to: Stage) -> Solved {
        let (sections, relations, scalars) = self.memory.split();
        let stages = &Stage::ALL[scalars.reported as usize..=to as usize];
        let done =
            self.equations.report(stages, &mut env!(sections, relations, scalars, self.tables));
        done.map_err(|failure| failure.at(scalars.t))?;
        scalars.reported = to as u32 + 1;
        Ok(())
    }

    /// Computes the unknowns of the deferred blocks, whose stage is realized.
    pub fn solve_deferred(&mut self) -> Solved {
        let (sections, relations, scalars) = self.memory.split();
        self.equations.unknowns(&mut env!(sections, relations, scalars, self.tables))
    }

    /// Whether the anchor equals the solution at the present point up to rounding. Moving the
    /// anchor to this solution would then change only last digits.
    pub fn is_anchored(&self) -> bool {
        let memory = &self.memory;
        memory.scalars.anchor_t == memory.scalars.t
            && memory.anchor_x() == memory.x()
            && memory.z().iter().zip(memory.anchor()).all(|(&z, &anchor)| is_near(z, anchor))
    }

    /// Makes the unknowns of the last evaluation, and of the last solution of the deferred blocks,
    /// the anchor.
    #[inline]
    pub fn take_anchor(&mut self) {
        if self.info.sizes.unknowns > 0 {
            let (sections, _, scalars) = self.memory.split();
            sections.anchor.copy_from_slice(sections.z);
            sections.anchor_x.copy_from_slice(sections.x);
            scalars.anchor_t = scalars.t;
            // The last bits of values depend on the anchor.
            self.memory.invalidate(Stage::Time);
        }
    }
}

fn stage_of_state(position: bool) -> Stage {
    if position { Stage::Position } else { Stage::Velocity }
}
