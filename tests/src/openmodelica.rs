//! What OpenModelica's `importFMU` does: the Modelica model that it writes for an FMU, as far as
//! other importers differ.

use std::path::Path;

use fmu_builder::model_description::{Base, ScalarVariable};

use crate::harness::{bits, references_text};
use crate::{Instance, Status};

/// The base types in the order in which parameters are set. Enumerations are never set.
const SET: [(Base, &str); 3] =
    [(Base::Real, "set_real"), (Base::Integer, "set_integer"), (Base::Boolean, "set_boolean")];

/// Sets all parameters to the values that the user sees (changed values, and otherwise start
/// values), with one call for each type. Releases up to 1.27.0 do this after
/// `fmi2ExitInitializationMode`.
pub fn try_to_set_parameters(instance: &Instance, changed: &[(&str, f64)]) -> Status {
    let value = |v: &ScalarVariable| {
        let changed = changed.iter().find(|(name, _)| *name == v.name);
        changed.map(|(_, value)| *value).or(v.start_number())
    };
    for (base, command) in SET {
        let all = instance.fmu.description.variables.iter();
        let wanted = all.filter(|v| v.base == base && v.causality == "parameter");
        let (references, values): (Vec<u32>, Vec<f64>) =
            wanted.filter_map(|v| Some((v.value_reference, value(v)?))).unzip();
        let text = |value: &f64| match base {
            Base::Real => bits(*value),
            _ => value.to_string(),
        };
        let values: Vec<String> = values.iter().map(text).collect();
        let arguments = format!("{} {}", references_text(&references), values.join(" "));
        match instance.call(command, arguments.trim_end()).status() {
            Status::Ok => {}
            status => return status,
        }
    }
    Status::Ok
}

/// The same, which must succeed.
pub fn set_parameters(instance: &Instance, changed: &[(&str, f64)]) {
    let status = try_to_set_parameters(instance, changed);
    assert_eq!(status, Status::Ok, "{}: all parameters are set", instance.fmu.name());
}

/// A script for the compiler that imports an FMU and simulates it from 0 to a stop time in s, in a
/// folder given by its absolute path; the results are in `results_res.csv`. Models with states need
/// the flag, because events change them in an algorithm.
pub fn script(fmu: &Path, folder: &Path, stop_time: f64, intervals: usize) -> String {
    let name = fmu.file_stem().unwrap_or_default().to_string_lossy();
    let (model, fmu, folder) = (format!("{name}_me_FMU"), fmu.display(), folder.display());
    format!(
        "loadModel(Modelica);\n\
         getErrorString();\n\
         setCommandLineOptions(\"--allowNonStandardModelica=reinitInAlgorithms\");\n\
         importFMU(\"{fmu}\", \"{folder}\");\n\
         getErrorString();\n\
         loadFile(\"{folder}/{model}.mo\");\n\
         getErrorString();\n\
         simulate({model}, stopTime={stop_time:?}, numberOfIntervals={intervals}, tolerance=1e-7, \
         outputFormat=\"csv\", fileNamePrefix=\"results\");\n\
         getErrorString();\n"
    )
}

/// The name of a variable in the Modelica model.
pub fn imported_name(name: &str) -> String {
    let replaced = |c: char| if ".[](), ".contains(c) { '_' } else { c };
    name.chars().map(replaced).collect()
}
