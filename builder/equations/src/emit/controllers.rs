//! The Rust text of controllers that are compiled code: a module for each of them, in which
//! `coupler` is the run time.

use std::fmt::Write;

use program::controller::CompiledController;

/// Modules with a constant `STEP`, in the order of the controllers.
pub(crate) fn text(controllers: &[CompiledController]) -> String {
    let mut out = String::new();
    if !controllers.is_empty() {
        out.push_str("\nextern crate fmu_runtime as coupler;\n");
    }
    for (i, CompiledController { name, text, inputs, outputs, .. }) in
        controllers.iter().enumerate()
    {
        let _ = write!(
            out,
            "\n/// The code of a controller.\n\
             #[allow(clippy::all, unused, reason = \"it is a copy\")]\n\
             mod controller_{i} {{\nuse coupler::controller::*;\n\
             coupler::controller_code! {{\n{text}\n}}\n\
             pub const STEP: Step = coupler::controller::step::<{name}, {inputs}, {outputs}>;\n}}\n"
        );
    }
    out
}
