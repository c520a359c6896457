//! Exact derivatives by evaluation with dual numbers: directional derivatives and the Jacobian.
//!
//! A symbolic Jacobian would take more time to compile, and would not cover parameters,
//! initialization and hand-written systems.

use crate::evaluation::Evaluation;
use crate::model::equations::Equations;
use crate::model::system::{Env, Solved, Source, Stage};
use kernels::Dual;
use std::ops::Range;

fn load(target: &mut [Dual], values: &[f64]) {
    for (dual, &value) in target.iter_mut().zip(values) {
        *dual = Dual::from(value);
    }
}

impl Evaluation {
    /// Realizes the present point and loads its values with zero tangents.
    pub fn load_tangent(&mut self) -> Solved {
        self.realize(Stage::Dynamics)?;
        let (memory, tangent) = (&self.memory, &mut self.tangent);
        tangent.t = Dual::from(memory.time());
        load(&mut tangent.p, memory.p());
        load(&mut tangent.c, memory.c());
        load(&mut tangent.x, memory.x());
        load(&mut tangent.u, memory.u());
        Ok(())
    }

    /// Propagates the tangents of `p` through the initial equations to `x` and `c`.
    pub fn initial_tangent(&mut self) -> Solved {
        self.with_tangent_env(|equations, env| equations.initial_tangent(env))?;
        // The values are those after the completed initialization.
        let (memory, tangent) = (&self.memory, &mut self.tangent);
        for (dual, &value) in tangent.x.iter_mut().zip(memory.x()) {
            dual.value = value;
        }
        for (dual, &value) in tangent.c.iter_mut().zip(memory.c()) {
            dual.value = value;
        }
        Ok(())
    }

    /// Propagates the tangents from one stage to another.
    pub fn advance_tangent(&mut self, from: Stage, to: Stage) -> Solved {
        let stages = &Stage::ALL[from as usize..=to as usize];
        self.with_tangent_env(|equations, env| equations.advance_tangent(stages, env))
    }

    /// Propagates the tangents to the reported values of the stages up to `to`.
    pub fn report_tangent(&mut self, to: Stage) -> Solved {
        self.realize_deferred()?;
        let stages = &Stage::ALL[..=to as usize];
        self.with_tangent_env(|equations, env| equations.report_tangent(stages, env))
    }

    /// The tangent of the value at a source.
    pub fn tangent_of(&self, source: Source) -> f64 {
        let tangent = &self.tangent;
        match source {
            Source::Time => tangent.t.tangent,
            Source::Parameter(i) => tangent.p[i as usize].tangent,
            Source::Calculated(i) => tangent.c[i as usize].tangent,
            Source::State(i) => tangent.x[i as usize].tangent,
            Source::Input(i) => tangent.u[i as usize].tangent,
            Source::Derivative(i) => tangent.dx[i as usize].tangent,
            Source::Advanced(i, _) | Source::Reported(i, _) => tangent.w[i as usize].tangent,
            Source::Constant(_) | Source::Discrete(_) | Source::Relation(_) | Source::Solver(_) => {
                0.0
            }
        }
    }

    /// Sets the tangents of time and of the inputs over time.
    fn seed_time(&mut self) {
        let t = self.time();
        for i in 0..self.tangent.u.len() {
            self.tangent.u[i].tangent = self.input_derivative(i, t, 1);
        }
        self.tangent.t.tangent = 1.0;
    }

    /// Sets the tangents along the solution: `dx` for the states, 1 for time.
    pub fn seed_solution(&mut self) {
        self.seed_time();
        for (x, &dx) in self.tangent.x.iter_mut().zip(self.memory.dx()) {
            x.tangent = dx;
        }
    }

    /// Partial derivatives of `dx` with respect to the states, column after column the entries of
    /// [`Info::jacobian`](crate::model::system::Info::jacobian), and with respect to time.
    pub fn jacobian(&mut self, jacobian: &mut [f64], dfdt: &mut [f64]) -> Solved {
        // Evaluations, and whether they fail, must not depend on what is kept.
        self.realize(Stage::Dynamics)?;
        let memory = &self.memory;
        let known = self.tangent.kept.are_known(memory.lasting(), &memory.relations);
        let over_time = self.info.time_dependent || memory.scalars.input_order > 0;
        let (varying, all) = (self.tangent.varying, self.tangent.groups.len());
        if over_time || !known || varying > 0 {
            self.load_tangent()?;
            self.advance_tangent(Stage::Parameter, Stage::Discrete)?;
        }
        dfdt.fill(0.0);
        if over_time {
            self.time_derivatives(dfdt)?;
        }
        if known {
            jacobian.copy_from_slice(&self.tangent.kept.entries);
        } else {
            self.columns(varying..all, jacobian)?;
            let memory = &self.memory;
            self.tangent.kept.keep(jacobian, memory.lasting(), &memory.relations);
        }
        self.columns(0..varying, jacobian)
    }

    /// Partial derivatives of `dx` with respect to time.
    fn time_derivatives(&mut self, dfdt: &mut [f64]) -> Solved {
        self.seed_time();
        self.advance_tangent(Stage::Time, Stage::Dynamics)?;
        for (target, dx) in dfdt.iter_mut().zip(&self.tangent.dx) {
            *target = dx.tangent;
        }
        self.tangent.t.tangent = 0.0;
        for u in &mut self.tangent.u {
            u.tangent = 0.0;
        }
        Ok(())
    }

    /// The entries of groups of columns, with one evaluation for each group.
    fn columns(&mut self, groups: Range<usize>, entries: &mut [f64]) -> Solved {
        for group in groups {
            self.tangent.seed(group, 1.0);
            self.advance_tangent(Stage::Time, Stage::Dynamics)?;
            let tangent = &self.tangent;
            for &(entry, row) in &tangent.groups[group].entries {
                // The sign of a zero would depend on the states.
                entries[entry as usize] = tangent.dx[row as usize].tangent + 0.0;
            }
            self.tangent.seed(group, 0.0);
        }
        Ok(())
    }

    /// Evaluates with tangents; Newton iterations start from the solution at the present point.
    fn with_tangent_env(
        &mut self,
        body: impl FnOnce(&mut dyn Equations, &mut Env<'_, Dual>) -> Solved,
    ) -> Solved {
        let memory = &self.memory;
        let tangent = &mut self.tangent;
        // Only the evaluations of values count.
        let mut iterations = 0;
        let mut env = Env {
            t: tangent.t,
            initial: memory.scalars.initial,
            p: &tangent.p,
            c: &mut tangent.c,
            m: memory.m(),
            r: &memory.relations,
            x: &mut tangent.x,
            u: &tangent.u,
            tables: &self.tables,
            histories: memory.histories(),
            anchor: memory.z(),
            z: &mut tangent.z,
            iterations: &mut iterations,
            w: &mut tangent.w,
            dx: &mut tangent.dx,
        };
        body(&mut *self.equations, &mut env)
    }
}
