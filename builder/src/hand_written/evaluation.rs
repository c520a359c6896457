//! Evaluates a system once and checks that it writes every result.

use std::path::{Path, PathBuf};

use fmu_runtime::equations::{Equations, Model};
use fmu_runtime::kernels::rows::Rows;
use fmu_runtime::resources;
use fmu_runtime::system::{Env, Info, Source, Stage};

/// A NaN that no computation gives: elements that still have it were not computed.
const NOT_WRITTEN: f64 = f64::from_bits(0x7ff8_0bad_0bad_0bad);

fn is_written(value: &f64) -> bool {
    value.to_bits() != NOT_WRITTEN.to_bits()
}

/// The vectors of [`Env`], at the start.
struct StartVectors {
    p: Vec<f64>,
    c: Vec<f64>,
    m: Vec<f64>,
    r: Vec<bool>,
    x: Vec<f64>,
    u: Vec<f64>,
    anchor: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    dx: Vec<f64>,
    tables: Box<[Rows]>,
}

impl StartVectors {
    fn new(info: &Info, tables: Box<[Rows]>) -> StartVectors {
        let not_written = |length: usize| vec![NOT_WRITTEN; length];
        StartVectors {
            p: info.parameters.to_vec(),
            c: not_written(info.sizes.calculated),
            m: info.discretes.iter().map(|discrete| discrete.start).collect(),
            r: vec![false; info.relations.len()],
            x: not_written(info.states.len()),
            u: info.inputs.to_vec(),
            anchor: vec![0.0; info.sizes.unknowns],
            z: vec![0.0; info.sizes.unknowns],
            w: not_written(info.sizes.work),
            dx: not_written(info.states.len()),
            tables,
        }
    }

    fn env(&mut self, initial: bool) -> Env<'_, f64> {
        Env {
            t: 0.0,
            initial,
            p: &self.p,
            c: &mut self.c,
            m: &self.m,
            r: &self.r,
            x: &mut self.x,
            u: &self.u,
            tables: &self.tables,
            anchor: &self.anchor,
            z: &mut self.z,
            w: &mut self.w,
            dx: &mut self.dx,
        }
    }
}

/// Evaluates a system once and checks that it writes every result.
pub(super) fn try_out(model: &dyn Model, resources: &Path) -> Result<(), String> {
    let info = model.info();
    let folder = |_: &str| Ok(PathBuf::from(resources));
    let mut trial = StartVectors::new(info, resources::load_from(info, folder)?);
    let mut equations = model.equations();
    // Initial values without solution are reported when the model is simulated.
    if equations.initial(&mut trial.env(true)).is_err() {
        return Ok(());
    }
    if let Some(i) = trial.x.iter().position(|x| !is_written(x)) {
        return Err(format!("{}: `initial` does not write x[{i}]", info.states[i].name));
    }
    let calculated = |source| match source {
        Source::Calculated(i) => Some(i),
        _ => None,
    };
    all_written(info, "c", &trial.c, "initial", calculated)?;
    trial.anchor.clone_from(&trial.z);
    trial.w.fill(NOT_WRITTEN);
    trial.dx.fill(NOT_WRITTEN);
    if !advances(&mut *equations, &mut trial) {
        return Ok(());
    }
    if let Some(i) = trial.dx.iter().position(|dx| !is_written(dx)) {
        let name = info.states[i].name;
        return Err(format!("{name}: it has no derivative, `advance` does not write dx[{i}]"));
    }
    let computed = |source| match source {
        Source::Advanced(i, _) | Source::Reported(i, _) => Some(i),
        _ => None,
    };
    all_written(info, "w", &trial.w, "advance` or `report", computed)
}

/// Realizes all stages; false if an evaluation has no solution.
fn advances(equations: &mut dyn Equations, trial: &mut StartVectors) -> bool {
    Stage::ALL.iter().all(|&stage| {
        let advanced = equations.advance(&[stage], &mut trial.env(false));
        advanced.is_ok() && equations.report(&[stage], &mut trial.env(false)).is_ok()
    })
}

/// Refuses a variable whose element of a vector was not written.
fn all_written(
    info: &Info,
    vector: &str,
    values: &[f64],
    function: &str,
    element: impl Fn(Source) -> Option<u32>,
) -> Result<(), String> {
    for v in [info.reals, info.integers, info.booleans].into_iter().flatten() {
        match element(v.source) {
            Some(i) if !is_written(&values[i as usize]) => {
                return Err(format!("{}: `{function}` does not write {vector}[{i}]", v.name));
            }
            _ => {}
        }
    }
    Ok(())
}
