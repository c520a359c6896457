//! Systems that this program contains, as libraries of FMUs without a file.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::{Mutex, PoisonError};

use fmu_runtime::equations::{LoadedModel, ModelLoader, RunnableModel};
use fmu_runtime::fmi2::Functions;

/// The systems that run in this process, by the folder of resources of their FMUs.
static IN_PROCESS: Mutex<BTreeMap<String, &'static dyn RunnableModel>> =
    Mutex::new(BTreeMap::new());

/// The functions of a library with a system that this program contains; `resources` is the URI of
/// the FMU's folder of resources.
pub fn functions(resources: String, model: &'static dyn RunnableModel) -> Functions {
    IN_PROCESS.lock().unwrap_or_else(PoisonError::into_inner).insert(resources, model);
    fmu_runtime::abi::functions::<InProcess>()
}

struct InProcess;

impl ModelLoader for InProcess {
    fn model(location: Option<&CStr>) -> Result<LoadedModel, String> {
        let location = location.unwrap_or_default().to_string_lossy();
        let present = IN_PROCESS.lock().unwrap_or_else(PoisonError::into_inner);
        let model = present.get(&*location).copied();
        let model = model.ok_or_else(|| format!("no system has its resources in {location}"))?;
        Ok(LoadedModel { model, place: model.info().name.to_owned() })
    }
}
