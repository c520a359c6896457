//! `fmu cut`: divides a model into FMUs, and writes the system that joins them.

use std::path::Path;

use anyhow::{Result, anyhow};

use super::arguments::CutOptions;
use super::build::options;
use super::output::{folder, one_line, print_line, shown};
use super::sources::{Sources, failure, not_a_file, read};
use crate::commands::build;
use crate::commands::cut::{self, Request};
use crate::models::front_end::{CutPlace, FrontEnd, ModelFile, WrittenModel, stated};
use crate::models::{Variant, camel_case};
use crate::own_files::folders;
use fmus::child_process;
use fmus::platform::Target;

/// Divides a model; prints notes and the paths of the files.
pub fn cut(sources: &Sources<'_>, o: &CutOptions) -> Result<()> {
    o.out.as_deref().map_or(Ok(()), folder)?;
    if o.at.is_empty() {
        return list(sources, o);
    }
    check_names(&o.names)?;
    let divided = of_statements(sources, o, |writer, model| writer.divide(model, &o.at))?;
    let file = ModelFile::new(Path::new(&o.model), o.class.as_deref());
    let whole = sources.traced(&file, Variant::default())?;
    let played = build::played(&whole)?;
    let request = Request {
        name: &whole.name,
        experiment: played.description.experiment,
        names: &o.names,
        whole: &played,
    };
    let system = cut::cut(&request, divided)?;
    system.notes.iter().try_for_each(|note| print_line(&one_line(note)))?;
    let out = o.out.clone().unwrap_or_else(folders::results);
    std::fs::create_dir_all(&out)?;
    let options = options(sources.package, vec![Target::this_machine()], Some(out.clone()))?;
    let path = out.join(format!("{}.ssp", camel_case(&whole.name)));
    cut::write(&system, &path, &options)?;
    let built = build::interpreted(&[whole], &options)?;
    print_line(&shown(&path))?;
    built.iter().try_for_each(|path| print_line(&shown(path)))
}

/// Prints the places at which a model can be cut.
fn list(sources: &Sources<'_>, o: &CutOptions) -> Result<()> {
    let places = of_statements(sources, o, |writer, model| writer.places(model))?;
    if places.is_empty() {
        return Err(anyhow!("{}: no flange divides the model", o.model));
    }
    let line = |CutPlace { at, others, .. }: &CutPlace| format!("{at} | {}", others.join(", "));
    places.iter().map(line).try_for_each(|line| print_line(&one_line(&line)))
}

/// What a front end makes of the statements of a model.
fn of_statements<T>(
    sources: &Sources<'_>,
    o: &CutOptions,
    make: impl Fn(&dyn FrontEnd, &WrittenModel<'_>) -> Option<Result<T, Vec<String>>>,
) -> Result<T> {
    let path = Path::new(&o.model);
    let make = |model: &WrittenModel<'_>| {
        sources.front_ends.iter().find_map(|front_end| make(*front_end, model))
    };
    let made = match sources.front_end(path) {
        Some(reader) => read(reader, &ModelFile::new(path, o.class.as_deref()))?.stated(make),
        None if o.class.is_some() => return Err(not_a_file(&o.model)),
        None => {
            let model = sources.package.model(&o.model)?;
            child_process::runs(&format!("the text of the model {}", model.name));
            stated(sources.package, model, make)?
        }
    };
    let name = &o.model;
    made.ok_or_else(|| anyhow!("{name} consists of equations: only components have flanges"))?
        .map_err(failure)
}

/// Refuses names that would not be those of components.
fn check_names(names: &[String]) -> Result<()> {
    let is_legal = |name: &String| {
        let mut letters = name.chars();
        letters.next().is_some_and(|first| first.is_ascii_alphabetic())
            && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some(name) = names.iter().find(|name| !is_legal(name)) {
        return Err(anyhow!("`{name}` is not a name of letters, digits and underscores"));
    }
    Ok(())
}
