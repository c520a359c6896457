//! Exact derivatives: the same equations evaluated with numbers that carry a tangent.

use crate::equations::Equations;
use crate::evaluation::Evaluation;
use crate::system::{Env, Info, Solved, Source, Stage};
use kernels::Dual;

/// Memory of an evaluation with tangents; means nothing between two calls.
pub(crate) struct Tangent {
    /// Time.
    pub t: Dual,
    /// Parameters and start values.
    pub p: Box<[Dual]>,
    /// Values fixed by initialization.
    pub c: Box<[Dual]>,
    /// States.
    pub x: Box<[Dual]>,
    /// Inputs.
    pub u: Box<[Dual]>,
    /// Derivatives of the states.
    pub dx: Box<[Dual]>,
    w: Box<[Dual]>,
    z: Box<[f64]>,
    /// For each state its group; states of one group share no row of the Jacobian.
    groups: Box<[usize]>,
    group_count: usize,
}

impl Tangent {
    pub fn new(info: &Info) -> Tangent {
        let zeros = |length: usize| vec![Dual::from(0.0); length].into_boxed_slice();
        let groups = groups_without_common_rows(info.jacobian, info.states.len());
        Tangent {
            t: Dual::from(0.0),
            p: zeros(info.parameters.len()),
            c: zeros(info.sizes.calculated),
            x: zeros(info.states.len()),
            u: zeros(info.inputs.len()),
            dx: zeros(info.states.len()),
            w: zeros(info.sizes.work),
            z: vec![0.0; info.sizes.unknowns].into_boxed_slice(),
            group_count: groups.iter().map(|group| group + 1).max().unwrap_or(0),
            groups,
        }
    }
}

/// Puts each column in the first group with which it shares no row.
fn groups_without_common_rows(columns: &[&[u32]], n: usize) -> Box<[usize]> {
    let mut taken: Vec<Vec<bool>> = Vec::new();
    let mut groups = Vec::with_capacity(n);
    for j in 0..n {
        let rows = columns.get(j).copied().unwrap_or_default();
        let free = |rows_taken: &Vec<bool>| rows.iter().all(|&row| !rows_taken[row as usize]);
        let group = taken.iter().position(free).unwrap_or_else(|| {
            taken.push(vec![false; n]);
            taken.len() - 1
        });
        for &row in rows {
            taken[group][row as usize] = true;
        }
        groups.push(group);
    }
    groups.into_boxed_slice()
}

fn load(target: &mut [Dual], values: &[f64]) {
    for (dual, &value) in target.iter_mut().zip(values) {
        *dual = Dual::from(value);
    }
}

impl Evaluation {
    /// Solves the present point and takes over its values with zero tangents.
    pub fn load_tangent(&mut self) -> Solved {
        self.climb(Stage::Dynamics)?;
        let (memory, tangent) = (&self.memory, &mut self.tangent);
        tangent.t = Dual::from(memory.now.t);
        load(&mut tangent.p, memory.p());
        load(&mut tangent.c, memory.c());
        load(&mut tangent.x, memory.x());
        load(&mut tangent.u, memory.u());
        Ok(())
    }

    /// Carries the tangents of `p` through the initial equations to `x` and `c`.
    pub fn initial_tangent(&mut self) -> Solved {
        self.with_tangent_env(|equations, env| equations.initial_tangent(env))?;
        // Values are those of the completed initialization.
        let (memory, tangent) = (&self.memory, &mut self.tangent);
        for (dual, &value) in tangent.x.iter_mut().zip(memory.x()) {
            dual.value = value;
        }
        for (dual, &value) in tangent.c.iter_mut().zip(memory.c()) {
            dual.value = value;
        }
        Ok(())
    }

    /// Carries the tangents from one stage to another.
    pub fn climb_tangent(&mut self, from: Stage, to: Stage) -> Solved {
        let stages = &Stage::ALL[from as usize..=to as usize];
        self.with_tangent_env(|equations, env| equations.advance_tangent(stages, env))
    }

    /// Carries the tangents to the reported values up to a stage.
    pub fn report_tangent(&mut self, to: Stage) -> Solved {
        let stages = &Stage::ALL[..=to as usize];
        self.with_tangent_env(|equations, env| equations.report_tangent(stages, env))
    }

    /// The tangent found at a source.
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
            Source::Constant(_) | Source::Discrete(_) | Source::Relation(_) => 0.0,
        }
    }

    /// Tangents along the motion of the model: `dx` for the states, 1 for time.
    pub fn seed_motion(&mut self) {
        let t = self.memory.now.t;
        for i in 0..self.tangent.u.len() {
            self.tangent.u[i].tangent = self.input_derivative(i, t);
        }
        self.tangent.t.tangent = 1.0;
        for (x, &dx) in self.tangent.x.iter_mut().zip(self.memory.dx()) {
            x.tangent = dx;
        }
    }

    /// Partial derivatives of `dx` with respect to the states (row-major) and to time.
    pub fn jacobian(&mut self, jacobian: &mut [f64], dfdt: &mut [f64]) -> Solved {
        self.load_tangent()?;
        let n = self.info.states.len();
        self.seed_motion();
        for x in &mut self.tangent.x {
            x.tangent = 0.0;
        }
        self.climb_tangent(Stage::Parameter, Stage::Dynamics)?;
        for (target, dx) in dfdt.iter_mut().zip(&self.tangent.dx) {
            *target = dx.tangent;
        }
        self.tangent.t.tangent = 0.0;
        for u in &mut self.tangent.u {
            u.tangent = 0.0;
        }
        jacobian.fill(0.0);
        for group in 0..self.tangent.group_count {
            for (x, &its_group) in self.tangent.x.iter_mut().zip(&self.tangent.groups) {
                x.tangent = f64::from(u8::from(its_group == group));
            }
            self.climb_tangent(Stage::Time, Stage::Dynamics)?;
            for (j, rows) in self.info.jacobian.iter().enumerate() {
                if self.tangent.groups[j] == group {
                    for &row in *rows {
                        jacobian[row as usize * n + j] = self.tangent.dx[row as usize].tangent;
                    }
                }
            }
        }
        Ok(())
    }

    /// Iterations with tangents begin at the solution of the present point.
    fn with_tangent_env(
        &mut self,
        body: impl FnOnce(&mut dyn Equations, &mut Env<'_, Dual>) -> Solved,
    ) -> Solved {
        let memory = &self.memory;
        let tangent = &mut self.tangent;
        let mut env = Env {
            t: tangent.t,
            initial: memory.now.initial,
            p: &tangent.p,
            c: &mut tangent.c,
            m: memory.m(),
            r: &memory.relations,
            x: &mut tangent.x,
            u: &tangent.u,
            tables: &self.tables,
            anchor: memory.z(),
            z: &mut tangent.z,
            w: &mut tangent.w,
            dx: &mut tangent.dx,
        };
        body(&mut *self.equations, &mut env)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_group_share_no_row() {
        let columns: [&[u32]; 5] = [&[0, 1], &[0, 1, 2], &[1, 2, 3], &[2, 3, 4], &[3, 4]];
        let groups = groups_without_common_rows(&columns, 5);
        assert_eq!(*groups, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn columns_without_rows_need_no_group_of_their_own() {
        assert_eq!(*groups_without_common_rows(&[&[], &[]], 2), [0, 0]);
    }
}
