//! What a model's build script calls: trace the model, order it, write its code and description.

use std::path::Path;
use std::{env, fs, process};

use crate::emit::emit;
use crate::error::Error;
use crate::graph::with_fresh_arena;
use crate::model::Model;
use crate::ordered::Program;

/// Traces and orders a model: the whole of `build` without files.
///
/// `name` is the FMI model name; `documentation` is Markdown, whose first line becomes the
/// description. Must not use expressions made outside of `model`.
///
/// # Errors
/// The first mistake in the model.
pub fn compile_named(
    name: &str,
    documentation: &str,
    model: impl FnOnce(&mut Model),
) -> Result<Program, Error> {
    with_fresh_arena(|| {
        let mut traced = Model::new(name);
        traced.document(documentation);
        if let Some(line) = documentation.lines().find(|line| !line.trim().is_empty()) {
            traced.describe(line.trim().trim_start_matches('#').trim());
        }
        model(&mut traced);
        traced.compile()
    })
}

/// The build script of a model crate: writes `model.rs`, `description.json` and, in the folder
/// `resources`, the files that the model makes to `OUT_DIR`.
///
/// The FMI model name is the crate's name in CamelCase; the documentation is the `//!` comment of
/// `src/model.rs`. A mistake ends the process with one sentence and exit code 1.
pub fn build(model: impl FnOnce(&mut Model)) {
    if let Err(error) = try_build(model) {
        eprintln!("{error}");
        process::exit(1);
    }
}

fn try_build(model: impl FnOnce(&mut Model)) -> Result<(), Error> {
    let package = variable("CARGO_PKG_NAME")?;
    let folder = variable("CARGO_MANIFEST_DIR")?;
    let source = Path::new(&folder).join("src").join("model.rs");
    // These lines are how a build script talks to cargo.
    println!("cargo::rerun-if-changed=src/model.rs");
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read_to_string(&source)
        .map_err(|error| Error::File(format!("{}: {error}", source.display())))?;
    let program = compile_named(&camel_case(&package), &inner_documentation(&text), model)
        .map_err(|error| annotate(&package, error))?;
    for note in program.notes() {
        println!("cargo::warning={note}");
    }
    for file in program.files() {
        println!("cargo::rerun-if-changed=resources/{file}");
    }
    let folder = variable("OUT_DIR")?;
    let write = |name: &str, content: &str| {
        let path = Path::new(&folder).join(name);
        fs::write(&path, content)
            .map_err(|error| Error::File(format!("{}: {error}", path.display())))
    };
    write("model.rs", &emit(&program))?;
    let description = serde_json::to_string_pretty(program.description())
        .map_err(|error| Error::File(format!("{package}: {error}")))?;
    write("description.json", &description)?;
    let resources = Path::new(&folder).join("resources");
    let attempt = |result: std::io::Result<()>| {
        result.map_err(|error| Error::File(format!("{}: {error}", resources.display())))
    };
    if resources.is_dir() {
        attempt(fs::remove_dir_all(&resources))?;
    }
    if !program.resources().is_empty() {
        attempt(fs::create_dir(&resources))?;
    }
    program
        .resources()
        .iter()
        .try_for_each(|(file, text)| write(&format!("resources/{file}"), text))
}

fn annotate(package: &str, error: Error) -> Error {
    Error::Definition(format!("{package}: {error}"))
}

fn variable(name: &str) -> Result<String, Error> {
    env::var(name).map_err(|_| Error::File(format!("{name}: not set; is this a build script?")))
}

/// `coupled_clutches` -> `CoupledClutches`.
fn camel_case(package: &str) -> String {
    let mut name = String::new();
    for word in package.split(['_', '-']) {
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}

/// The text of the `//!` comment at the beginning of a source file.
fn inner_documentation(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.trim_start().strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_camel_case() {
        assert_eq!(camel_case("coupled_clutches"), "CoupledClutches");
        assert_eq!(camel_case("fourbar2"), "Fourbar2");
    }

    #[test]
    fn documentation_ends_with_the_comment() {
        let source = "//! A line.\n//!\n//!     indented\nuse x;\n//! not this";
        assert_eq!(inner_documentation(source), "A line.\n\n    indented");
    }
}
