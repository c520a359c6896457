//! The model at one point: setting lowers the stage reached, reading climbs as far as needed.
//!
//! Values are a pure function of the anchor, time, states, inputs, parameters, discrete variables
//! and relations: reading more or less, or in another order, changes nothing.

use crate::capabilities::MAX_INPUT_ORDER;
use crate::equations::{Equations, Model};
use crate::fault::{Fault, Quantity};
use crate::integrate::Integrator;
use crate::memory::Memory;
use crate::system::{Env, Info, RelationKind, Solved, Source, Stage, Subject};
use crate::tangent::Tangent;
use kernels::rows::Rows;
use kernels::settle::Settling;
use kernels::start::Beginnings;

/// The equations with the memory they work on.
pub(crate) struct Evaluation {
    pub(crate) equations: Box<dyn Equations>,
    pub(crate) info: &'static Info,
    /// Tables of plain numbers, in the order of `info.tables`.
    pub(crate) tables: Box<[Rows]>,
    pub(crate) memory: Memory,
    pub(crate) scratch: Scratch,
    pub(crate) tangent: Tangent,
    /// The elements of `p` that hold start values of discrete variables.
    pub(crate) discrete_starts: Box<[(usize, usize)]>,
    /// The relations that have an event indicator, in order.
    pub(crate) state_relations: Box<[usize]>,
    /// Whether there are time relations.
    pub(crate) time_relations: bool,
}

/// Memory that means nothing between two calls.
pub(crate) struct Scratch {
    /// Which requirements are met.
    pub met: Box<[bool]>,
    /// Residuals of the relations.
    pub d: Box<[f64]>,
    /// The search for consistent relations.
    pub settling: Settling,
    /// The modes in which the search for initial values begins.
    pub beginnings: Beginnings,
    /// Next values of the discrete variables.
    pub m: Box<[f64]>,
    /// Next values of the states; also the target of a continuation.
    pub x: Box<[f64]>,
    /// The anchor during a continuation.
    pub anchor: Box<[f64]>,
    /// A point of the integrator.
    pub point: Box<[f64]>,
    /// The states at the last communication point.
    pub before: Box<[f64]>,
    /// Discrete variables and relations with which initial values were determined.
    pub modes: (Box<[f64]>, Box<[bool]>),
}

/// Makes the view of the equations on a memory.
macro_rules! env {
    ($sections:ident, $relations:ident, $now:ident, $tables:expr) => {
        Env {
            t: $now.t,
            initial: $now.initial,
            p: $sections.p,
            c: $sections.c,
            m: $sections.m,
            r: $relations,
            x: $sections.x,
            u: $sections.u,
            tables: &$tables,
            anchor: $sections.anchor,
            z: $sections.z,
            w: $sections.w,
            dx: $sections.dx,
        }
    };
}
pub(crate) use env;

/// Whether two values of an unknown are the same but for rounding.
pub(crate) fn is_near(z: f64, anchor: f64) -> bool {
    (z - anchor).abs() <= 1e-12 * (1.0 + anchor.abs())
}

impl Evaluation {
    pub fn new(model: &dyn Model, tables: Box<[Rows]>, with_integrator: bool) -> Evaluation {
        let info = model.info();
        let nx = info.states.len();
        let relations = info.relations.iter().enumerate();
        let state_relations: Box<[usize]> = relations
            .filter(|(_, relation)| relation.kind == RelationKind::State)
            .map(|(i, _)| i)
            .collect();
        let indicators = state_relations.len();
        let history = if with_integrator { Integrator::state_length(nx, indicators) } else { 0 };
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
            memory: Memory::new(info, history),
            scratch: Scratch {
                met: vec![true; info.requirements.len()].into_boxed_slice(),
                d: zeros(info.relations.len()),
                settling: Settling::new(info.relations.len()),
                beginnings: Beginnings::new(info.first_modes.len()),
                m: zeros(info.discretes.len()),
                x: zeros(nx),
                anchor: zeros(info.sizes.unknowns),
                point: zeros(nx),
                before: zeros(nx),
                modes: (
                    zeros(info.discretes.len()),
                    vec![false; info.relations.len()].into_boxed_slice(),
                ),
            },
            tangent: Tangent::new(info),
            discrete_starts: starts.collect(),
            state_relations,
            time_relations: info.relations.iter().any(|r| r.kind == RelationKind::Time),
        }
    }

    /// Back to the state after instantiation.
    pub fn reset(&mut self) {
        self.memory.reset(self.info);
    }

    /// Whether nothing that is up to date depends on the states.
    #[inline]
    pub fn states_are_free(&self) -> bool {
        self.memory.now.climbed <= Stage::Position as u32
    }

    /// Sets the states.
    #[inline]
    pub fn set_states(&mut self, x: &[f64]) {
        if self.states_are_free() {
            self.memory.x_mut().copy_from_slice(x);
            return;
        }
        let mut lowest = Stage::ALL.len() as u32;
        for ((new, old), state) in x.iter().zip(self.memory.x_mut()).zip(self.info.states) {
            if new.to_bits() != old.to_bits() {
                *old = *new;
                lowest = lowest.min(stage_of_state(state.position) as u32);
            }
        }
        if lowest < Stage::ALL.len() as u32 {
            self.memory.lower(Stage::ALL[lowest as usize]);
        }
    }

    /// Makes the values of a stage, and of all stages before it, up to date.
    #[inline]
    pub fn climb(&mut self, to: Stage) -> Solved {
        if self.memory.now.climbed > to as u32 {
            return Ok(());
        }
        let straight = self.climb_straight(to);
        if straight.is_err() { self.climb_by_continuation(to).or(straight) } else { straight }
    }

    #[inline]
    pub fn climb_straight(&mut self, to: Stage) -> Solved {
        let (sections, relations, now) = self.memory.split();
        let stages = &Stage::ALL[now.climbed as usize..=to as usize];
        self.equations.advance(stages, &mut env!(sections, relations, now, self.tables))?;
        now.climbed = to as u32 + 1;
        Ok(())
    }

    /// Makes the reported values of a stage, and of all stages before it, up to date.
    #[inline]
    pub fn report(&mut self, to: Stage) -> Solved {
        if self.memory.now.reported > to as u32 {
            return Ok(());
        }
        self.climb(to)?;
        let (sections, relations, now) = self.memory.split();
        let stages = &Stage::ALL[now.reported as usize..=to as usize];
        self.equations.report(stages, &mut env!(sections, relations, now, self.tables))?;
        now.reported = to as u32 + 1;
        Ok(())
    }

    /// Makes everything up to date that can fail.
    #[inline]
    pub fn realize_what_can_fail(&mut self) -> Solved {
        let fallible = self.info.fallible;
        fallible.advance.map_or(Ok(()), |stage| self.climb(stage))?;
        fallible.report.map_or(Ok(()), |stage| self.report(stage))
    }

    /// The value found at a source, climbing as far as needed.
    #[inline]
    pub fn value(&mut self, source: Source) -> Result<f64, Fault> {
        let memory = &self.memory;
        Ok(match source {
            Source::State(i) => memory.x()[i as usize],
            Source::Constant(value) => value,
            Source::Time => memory.now.t,
            Source::Parameter(i) => memory.p_set()[i as usize],
            Source::Calculated(i) => memory.c()[i as usize],
            Source::Discrete(i) => memory.m()[i as usize],
            Source::Relation(i) => f64::from(u8::from(memory.relations[i as usize])),
            Source::Input(i) => memory.u_set()[i as usize],
            Source::Derivative(i) => {
                self.climb(Stage::Dynamics)?;
                self.memory.dx()[i as usize]
            }
            Source::Advanced(i, stage) => {
                self.climb(stage)?;
                self.memory.w()[i as usize]
            }
            Source::Reported(i, stage) => {
                self.report(stage)?;
                self.memory.w()[i as usize]
            }
        })
    }

    /// Refuses parameters or initial values that are not as they must be.
    pub fn check_requirements(&mut self, subject: Subject) -> Result<(), Fault> {
        if self.info.requirements.is_empty() {
            return Ok(());
        }
        self.scratch.met.fill(true);
        let (sections, relations, now) = self.memory.split();
        let mut env = env!(sections, relations, now, self.tables);
        self.equations.required(subject, &mut env, &mut self.scratch.met)?;
        let unmet = self.scratch.met.iter().position(|met| !met);
        unmet.map_or(Ok(()), |i| Err(Fault::Unmet(i)))
    }

    /// [`Evaluation::check_requirements`] for parameters that were set and wait for a step.
    pub fn check_settings(&mut self) -> Result<(), Fault> {
        let swap = |memory: &mut Memory| {
            let (sections, _, _) = memory.split();
            sections.p.swap_with_slice(sections.p_set);
        };
        swap(&mut self.memory);
        let checked = self.check_requirements(Subject::Parameters);
        swap(&mut self.memory);
        self.memory.lower(Stage::Parameter);
        checked
    }

    /// Makes all derivatives up to date and checks that they are numbers.
    #[inline]
    pub fn realize_derivatives(&mut self) -> Result<(), Fault> {
        self.climb(Stage::Dynamics)?;
        match self.memory.dx().iter().position(|dx| !dx.is_finite()) {
            None => Ok(()),
            Some(i) => Err(Fault::NotFinite(Quantity::Derivative(i))),
        }
    }

    /// The present point has become part of the solution: iterations start here from now on.
    pub fn accept_point(&mut self) -> Solved {
        if self.info.sizes.unknowns > 0 {
            self.climb(Stage::Dynamics)?;
            if !self.is_anchored() {
                self.take_anchor();
            }
        }
        Ok(())
    }

    /// Whether the anchor is the solution at the present point but for rounding. Taking the
    /// solution again would change nothing but last digits.
    fn is_anchored(&self) -> bool {
        let memory = &self.memory;
        memory.now.anchor_t == memory.now.t
            && memory.anchor_x() == memory.x()
            && memory.z().iter().zip(memory.anchor()).all(|(&z, &anchor)| is_near(z, anchor))
    }

    /// Takes the unknowns of the last evaluation as the anchor.
    #[inline]
    pub fn take_anchor(&mut self) {
        if self.info.sizes.unknowns > 0 {
            let (sections, _, now) = self.memory.split();
            sections.anchor.copy_from_slice(sections.z);
            sections.anchor_x.copy_from_slice(sections.x);
            now.anchor_t = now.t;
            // A value belongs to its anchor to the last bit.
            self.memory.lower(Stage::Time);
        }
    }

    /// Gives the inputs the values that their slopes imply at a time.
    #[inline]
    pub fn extrapolate_inputs(&mut self, t: f64) {
        if self.memory.now.input_order > 0 {
            self.extrapolate_by_slopes(t);
        }
    }

    fn extrapolate_by_slopes(&mut self, t: f64) {
        let nu = self.info.inputs.len();
        let (sections, _, now) = self.memory.split();
        let (order, dt) = (now.input_order as usize, t - now.input_t);
        let mut changed = false;
        for (i, (u, &base)) in sections.u.iter_mut().zip(&*sections.u_set).enumerate() {
            let value = base + dt * mean_slope(sections.slopes, nu, i, order, dt);
            changed |= value.to_bits() != u.to_bits();
            *u = value;
        }
        if changed {
            self.memory.lower(Stage::Dynamics);
        }
    }

    /// The time derivative of an input at a time.
    pub fn input_derivative(&self, i: usize, t: f64) -> f64 {
        let order = self.memory.now.input_order as usize;
        if order == 0 {
            return 0.0;
        }
        let dt = t - self.memory.now.input_t;
        let (nu, slopes) = (self.info.inputs.len(), self.memory.slopes());
        let mut sum = 0.0;
        for k in (1..=order.min(MAX_INPUT_ORDER)).rev() {
            sum = slopes[(k - 1) * nu + i] + dt / k as f64 * sum;
        }
        sum
    }
}

/// The mean slope of an input over `dt`: the sum over `k` of `slope_k dt^(k-1) / k!`.
#[inline]
fn mean_slope(slopes: &[f64], nu: usize, i: usize, order: usize, dt: f64) -> f64 {
    let mut sum = 0.0;
    for k in (1..=order.min(MAX_INPUT_ORDER)).rev() {
        sum = (slopes[(k - 1) * nu + i] + dt * sum) / k as f64;
    }
    sum
}

fn stage_of_state(position: bool) -> Stage {
    if position { Stage::Position } else { Stage::Velocity }
}
