//! `fmu inspect`: shows the content of an FMU, or what FMUs a file with models would become.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::output::print_line;
use super::sources::{Sources, failure};
use crate::commands::build::played;
use crate::commands::inspect;
use crate::models::Variant;
use crate::models::front_end::{FrontEnd, ListedClass, ModelFile};

/// Shows an FMU, or the FMU that a file with a model would become; lists the classes of a file with
/// several.
pub fn inspect(sources: &Sources<'_>, file: &Path, class: Option<&str>, all: bool) -> Result<()> {
    let Some(front_end) = sources.front_end(file) else {
        if class.is_some() {
            return Err(anyhow!("{} is an FMU: it has no classes", file.display()));
        }
        return print_line(inspect::report(file, all)?.trim_end());
    };
    let listed = match class {
        Some(_) => Vec::new(),
        None => front_end.classes(&ModelFile::new(file, None)).map_err(failure)?,
    };
    if listed.len() > 1 {
        return list(front_end, file, &listed);
    }
    let class = class.or(listed.first().map(|only| only.name.as_str()));
    let model = sources.traced(&ModelFile::new(file, class), Variant::default())?;
    print_line(inspect::report_model(file, &played(&model)?, all)?.trim_end())
}

/// Prints each class with its inputs and outputs, or why it cannot be built, and then their number.
fn list(front_end: &dyn FrontEnd, file: &Path, listed: &[ListedClass]) -> Result<()> {
    let mut built = 0;
    for class in listed {
        let model = ModelFile::new(file, Some(&class.name));
        let traced = match &class.no_model {
            Some(why) => Err(vec![why.clone()]),
            None => front_end
                .read(&model)
                .and_then(|model| model.trace_as(Variant::default()))
                .map_err(sentences),
        };
        built += usize::from(traced.is_ok());
        let description = traced.as_ref().map(|traced| traced.code.description());
        print_line(&inspect::class(class, description.map_err(Vec::as_slice)))?;
    }
    print_line(&format!("{}: {built} of {} classes can be built", file.display(), listed.len()))
}

/// The sentences of mistakes, without quotations of the file and without their number.
fn sentences(mut lines: Vec<String>) -> Vec<String> {
    lines.retain(|line| !line.starts_with(' '));
    if lines.len() > 1 {
        lines.pop();
    }
    lines
}
