//! Evaluates a system once and checks that it writes every result.

use std::path::{Path, PathBuf};

use fmu_runtime::equations::{Equations, RunnableModel};
use fmu_runtime::resources;
use fmu_runtime::system::{Info, OwnedEnv, Source, Stage};

/// A number that no computation gives: an element that still has it was not written.
const NOT_WRITTEN: f64 = f64::from_bits(0x7ff8_0bad_0bad_0bad);

fn is_written(value: &f64) -> bool {
    value.to_bits() != NOT_WRITTEN.to_bits()
}

/// Evaluates a system once and checks that it writes every result.
pub(super) fn try_out(model: &dyn RunnableModel, resources: &Path) -> Result<(), String> {
    let info = model.info();
    let folder = |_: &str| Ok(PathBuf::from(resources));
    let tables = resources::load_from(info, folder)?.into_vec();
    let mut trial = OwnedEnv::at_start(info, tables, NOT_WRITTEN);
    let mut equations = model.equations();
    // Initial values without solution are reported when the model is simulated.
    if equations.initial(&mut trial.env()).is_err() {
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
    trial.initial = false;
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
fn advances(equations: &mut dyn Equations, trial: &mut OwnedEnv<f64>) -> bool {
    Stage::ALL.iter().all(|&stage| {
        let advanced = equations.advance(&[stage], &mut trial.env());
        advanced.is_ok() && equations.report(&[stage], &mut trial.env()).is_ok()
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
