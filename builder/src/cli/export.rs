//! `fmu export`: writes a model to a file in the language of a front end.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};

use super::arguments::ExportOptions;
use super::output::{print_line, shown, writable};
use super::sources::{Sources, failure, not_a_file, read};
use crate::commands::export;
use crate::models::front_end::{FrontEnd, ModelFile, written};
use crate::own_files::folders;
use fmus::child_process;

/// Writes the file, and prints the paths of this file and of the files beside it.
pub fn export(sources: &Sources<'_>, options: &ExportOptions) -> Result<()> {
    let ExportOptions { model, class, output } = options;
    let of_file = sources.front_end(Path::new(model));
    let (front_end, given) = match (of_file, class) {
        (None, Some(_)) => return Err(not_a_file(model)),
        _ => (writing(sources, output.as_deref())?, output.as_deref()),
    };
    given.map_or(Ok(()), writable)?;
    let (name, resources, text) = match of_file {
        Some(reader) => {
            let model = read(reader, &ModelFile::new(Path::new(model), class.as_deref()))?;
            let (name, resources) = (model.name.clone(), model.resources.clone());
            (name, resources.unwrap_or_default(), model.written(front_end))
        }
        None => {
            let model = sources.package.model(model)?;
            child_process::runs(&format!("the text of the model {}", model.name));
            let resources = sources.package.resources_of(model)?;
            (model.name.to_owned(), resources, written(sources.package, model, front_end))
        }
    };
    let text = text.map_err(failure)?;
    let output = match given {
        Some(output) => output.to_owned(),
        None => in_results(&name, front_end)?,
    };
    let written = export::write((&name, &resources), &text, &output)?;
    written.iter().try_for_each(|path| print_line(&shown(path)))
}

/// The front end that writes a file of this name, or else any front end that writes files.
fn writing<'s>(sources: &Sources<'s>, output: Option<&Path>) -> Result<&'s dyn FrontEnd> {
    let mut all = sources.front_ends.iter().copied().filter(|front_end| front_end.writes());
    let found = match output {
        Some(output) => sources.front_end(output).filter(|front_end| front_end.writes()),
        None => all.next(),
    };
    found.ok_or_else(|| {
        let extensions: Vec<String> = all.map(|f| format!("*.{}", f.extension())).collect();
        let output = output.unwrap_or(Path::new("")).display();
        anyhow!("{output}: a model is written to {}", extensions.join(" or "))
    })
}

/// The file of a model in the folder of results.
fn in_results(name: &str, front_end: &dyn FrontEnd) -> Result<PathBuf> {
    let folder = folders::results();
    std::fs::create_dir_all(&folder)?;
    let output = folder.join(format!("{name}.{}", front_end.extension()));
    writable(&output)?;
    Ok(output)
}
