//! Systems that a person wrote: looked at before they become FMUs, run in this process.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use equations::ByHand;
use fmu_runtime::equations::{self as runtime, Equations, Library, Model, Origin};
use fmu_runtime::fmi2::Functions;
use fmu_runtime::kernels::rows::Rows;
use fmu_runtime::resources;
use fmu_runtime::system::{Env, Info, Source, Stage, System};

/// A system before anything of it was looked at.
#[derive(Clone, Copy)]
pub struct Written {
    info: &'static Info,
    model: fn(&'static Info) -> Box<dyn Model>,
}

/// A system that was looked at and described.
pub struct Described {
    /// What an importer is told, and what the run time must know.
    pub by_hand: ByHand,
    /// Its equations, which live as long as the process.
    pub model: &'static dyn Model,
    /// The text of its file.
    pub source: &'static str,
}

impl Written {
    /// A system by its type.
    pub fn of<T: System>() -> Written {
        fn never<T>() -> T {
            unreachable!("only its type is asked for")
        }
        Written { info: &T::INFO, model: |info| runtime::described(never::<T>, info) }
    }

    /// The name that the author gives it.
    pub fn name(&self) -> &'static str {
        self.info.name
    }

    /// Looks at a system and describes it; `name` is what its FMU will be called, and the files of
    /// its tables are in `resources`. May panic where the system does.
    ///
    /// # Errors
    /// The first mistake, in a sentence.
    pub fn described(
        self,
        name: &str,
        source: &'static str,
        documentation: &str,
        resources: &Path,
    ) -> Result<Described, String> {
        let own = self.name();
        if own != name {
            return Err(format!("its Info has the name {own}, but that of its file is {name}"));
        }
        let by_hand = ByHand::new(self.info, source, documentation);
        let by_hand = by_hand.map_err(|error| error.to_string())?;
        let model: &'static dyn Model = Box::leak((self.model)(by_hand.info()));
        try_out(model, resources)?;
        Ok(Described { by_hand, model, source })
    }
}

/// The text of a library with a system: its file as a module on the first line, so that lines keep
/// their numbers. What the file calls `coupler` is the run time here.
pub fn library(described: &Described) -> String {
    let Described { by_hand, source, .. } = described;
    format!(
        "#[allow(dead_code, unused_imports)] mod model {{ {source}\n}}\n{}{EXPORT}",
        by_hand.emit()
    )
}

const EXPORT: &str = "
extern crate fmu_runtime as coupler;

static MODEL: std::sync::LazyLock<Box<dyn fmu_runtime::equations::Model>> =
    std::sync::LazyLock::new(|| fmu_runtime::equations::described(model::model, &INFO));

struct Described;

impl fmu_runtime::equations::Library for Described {
    fn model(_: Option<&std::ffi::CStr>) -> Result<fmu_runtime::equations::Origin, String> {
        let place = INFO.name.to_owned();
        Ok(fmu_runtime::equations::Origin { model: &**MODEL, place })
    }
}

fmu_runtime::export!(Described);
";

/// A number that no computation gives: what still has it was not computed.
const NOT_WRITTEN: f64 = f64::from_bits(0x7ff8_0bad_0bad_0bad);

fn is_written(value: &f64) -> bool {
    value.to_bits() != NOT_WRITTEN.to_bits()
}

/// The vectors of [`Env`], at the start.
struct Trial {
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

impl Trial {
    fn new(info: &Info, tables: Box<[Rows]>) -> Trial {
        let not_written = |length: usize| vec![NOT_WRITTEN; length];
        Trial {
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

/// Evaluates a system once at its start: it writes all that it has to.
fn try_out(model: &dyn Model, resources: &Path) -> Result<(), String> {
    let info = model.info();
    let folder = |_: &str| Ok(PathBuf::from(resources));
    let mut trial = Trial::new(info, resources::load_from(info, folder)?);
    let mut equations = model.equations();
    // What has no solution at the start is told when the model runs.
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

/// Climbs all stages; false where something has no solution.
fn advances(equations: &mut dyn Equations, trial: &mut Trial) -> bool {
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

/// The systems that run in this process, by the folder of resources of their FMUs.
static PRESENT: Mutex<BTreeMap<String, &'static dyn Model>> = Mutex::new(BTreeMap::new());

/// The functions of a library with a system that this program contains, for the FMU with this
/// folder of resources, a URI.
pub fn functions(resources: String, model: &'static dyn Model) -> Functions {
    PRESENT.lock().unwrap_or_else(PoisonError::into_inner).insert(resources, model);
    fmu_runtime::abi::functions::<Present>()
}

struct Present;

impl Library for Present {
    fn model(location: Option<&CStr>) -> Result<Origin, String> {
        let location = location.unwrap_or_default().to_string_lossy();
        let present = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
        let model = present.get(&*location).copied();
        let model = model.ok_or_else(|| format!("no system has its resources in {location}"))?;
        Ok(Origin { model, place: model.info().name.to_owned() })
    }
}
