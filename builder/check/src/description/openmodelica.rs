//! What is legal, but prevents OpenModelica from importing an FMU: the Modelica model that its
//! `importFMU` writes does not compile.

use equations::{reserved_in_openmodelica, same_in_openmodelica};

use fmus::model_description::{ModelDescription, ScalarVariable};

/// The variables of the Modelica model: there is one for Model Exchange only.
fn imported(d: &ModelDescription) -> &[ScalarVariable] {
    if d.model_exchange.is_some() { &d.variables } else { &[] }
}

/// E001: no constants, which the Modelica model declares without values.
pub(crate) fn constants(d: &ModelDescription) -> Vec<String> {
    let constants = imported(d).iter().filter(|v| v.variability == "constant");
    let text = "a constant, which OpenModelica declares without its value";
    constants.map(|v| format!("{}: it is {text}", v.name)).collect()
}

/// E002: names stay different where the Modelica model replaces characters.
pub(crate) fn names(d: &ModelDescription) -> Vec<String> {
    let names = imported(d).iter().map(|v| v.name.as_str());
    let text = |(name, first, imported): (&str, &str, String)| {
        format!("{name}: OpenModelica imports it and {first} under one name, {imported}")
    };
    same_in_openmodelica(names).map(text).collect()
}

/// E003: no names that have a meaning in the Modelica model.
pub(crate) fn words(d: &ModelDescription) -> Vec<String> {
    let reserved = imported(d).iter().filter(|v| reserved_in_openmodelica(&v.name));
    let text = "a word of Modelica, or of the model that OpenModelica writes for the FMU";
    reserved.map(|v| format!("{}: the name is {text}", v.name)).collect()
}
