//! What is legal, but prevents OpenModelica from importing an FMU: the Modelica model that its
//! `importFMU` writes does not compile.

use equations::same_in_openmodelica;

use crate::model_description::ModelDescription;

/// Whether OpenModelica imports this kind of FMU: it knows Model Exchange only.
fn is_imported(d: &ModelDescription) -> bool {
    d.model_exchange.is_some()
}

/// E001: no constants, which the Modelica model declares without values.
pub(super) fn constants(d: &ModelDescription) -> Vec<String> {
    let constants = d.variables.iter().filter(|v| v.variability == "constant" && is_imported(d));
    let text = "a constant, which OpenModelica declares without its value";
    constants.map(|v| format!("{}: it is {text}", v.name)).collect()
}

/// E002: names stay different where the Modelica model replaces dots, brackets and blanks.
pub(super) fn names(d: &ModelDescription) -> Vec<String> {
    let names = d.variables.iter().map(|v| v.name.as_str()).filter(|_| is_imported(d));
    let text = |(name, first, imported): (&str, &str, String)| {
        format!("{name}: OpenModelica imports it and {first} under one name, {imported}")
    };
    same_in_openmodelica(names).map(text).collect()
}
