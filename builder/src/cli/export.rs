//! `fmu export`: writes a model of the package to a file in the language of a front end.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::arguments::ExportOptions;
use super::output::{print_line, shown, writable};
use super::sources::{Sources, failure};
use crate::commands::export;
use crate::own_files::folders;
use fmus::child_process;

/// Writes the file, and prints its path and those of the files that it needs.
pub fn export(sources: &Sources<'_>, options: &ExportOptions) -> Result<()> {
    let model = sources.package.model(&options.model)?;
    let output = options.output.clone().unwrap_or_else(|| {
        let extension = sources.front_ends.first().map_or("", |front_end| front_end.extension());
        folders::results().join(format!("{}.{extension}", model.name))
    });
    let found = sources.front_end(&output).filter(|front_end| front_end.writes());
    let front_end = found.ok_or_else(|| {
        let writing = sources.front_ends.iter().filter(|front_end| front_end.writes());
        let extensions = writing.map(|f| format!("*.{}", f.extension()));
        let extensions: Vec<String> = extensions.collect();
        anyhow!("{}: a model is written to {}", output.display(), extensions.join(" or "))
    })?;
    if let Some(folder) = output.parent().filter(|_| options.output.is_none()) {
        std::fs::create_dir_all(folder)?;
    }
    writable(&output)?;
    child_process::runs(&format!("the text of the model {}", model.name));
    let text = export::text(sources.package, model, front_end).map_err(failure)?;
    let written = export::write(sources.package, model, &text, Path::new(&output))?;
    written.iter().try_for_each(|path| print_line(&shown(path)))
}
