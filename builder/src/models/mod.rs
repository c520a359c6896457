//! The models of a package as values: their names and texts, and the metadata of the package.

use std::env;
use std::path::{Path, PathBuf};

use equations::{Booleans, Model, StartsAs};
use fmu_runtime::Simulation;

use crate::models::licenses::Terms;
use crate::models::model_description::Metadata;
use crate::own_files::carried;
use fmus::error::Error;
use fmus::wording::similar;

pub mod diagram;
pub mod documentation;
pub mod front_end;
pub mod hand_written;
pub mod licenses;
pub mod model_description;
mod panics;
#[cfg(test)]
pub mod sample;
mod text;
mod traced;

pub use text::{IntoText, Text};
pub use traced::{ModelCode, SCENE, Traced};

use panics::caught;

/// Lists the models of a package, in its `lib.rs`, and defines the constant `MODELS`. Each name is
/// a file in the same folder with a function `model` of an `Assembly` or of a `Model`, or one that
/// returns a `System`.
///
/// ```text
/// fmu_builder::models! {
///     pump,
///     robot,
/// }
/// ```
#[macro_export]
macro_rules! models {
    ($($name:ident),* $(,)?) => {
        $(pub mod $name;)*

        /// All models of this package.
        pub const MODELS: $crate::models::Package = $crate::models::Package {
            name: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            authors: env!("CARGO_PKG_AUTHORS"),
            license: env!("CARGO_PKG_LICENSE"),
            folder: $crate::kernels::folder!(),
            models: &[$($crate::models::ModelText {
                name: stringify!($name),
                source: include_str!(concat!(stringify!($name), ".rs")),
                text: || $crate::models::IntoText::into_text($name::model),
            }),*],
        };
    };
}

/// The macro without the module of the same name, for a crate that re-exports it.
#[doc(hidden)]
pub mod macros {
    pub use models;
}

/// A simulation, before its start, of a model that belongs to no package. The files of its tables
/// are in the folder `resources` next to the manifest of the package that is being tested.
///
/// # Errors
/// If there is a mistake in the model.
pub fn simulation(text: Text) -> Result<Simulation, Error> {
    traced(text)?.simulation()
}

/// A model that belongs to no package, traced.
///
/// # Errors
/// If there is a mistake in the model.
pub fn traced(text: Text) -> Result<Traced, Error> {
    let code = match text {
        Text::Traced(text) => equations::compile_named("Model", "", text)
            .map(|program| ModelCode::Program(Box::new(program)))
            .map_err(|error| error.to_string()),
        Text::HandWritten(written) => {
            let described = written.describe(written.name(), "", "", Path::new(""));
            described.map(|described| ModelCode::HandWritten(Box::new(described)))
        }
    };
    Ok(Traced { resources: resources(), ..Traced::with("model", code.map_err(Error::Build)?) })
}

/// The folder `resources` next to the manifest of the package that is being tested.
fn resources() -> Option<PathBuf> {
    env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("resources"))
}

/// What `make` makes of the statements of a model that belongs to no package; `None` if it consists
/// of equations.
pub fn stated<T>(
    text: Text,
    make: impl FnOnce(&front_end::WrittenModel<'_>) -> Option<T>,
) -> Option<T> {
    match text {
        Text::Traced(text) => {
            front_end::of_statements(("model", ""), text, &resources().unwrap_or_default(), make)
        }
        Text::HandWritten(_) => None,
    }
}

/// A package with models.
#[derive(Clone, Copy, Debug)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// Its authors, with `:` between them.
    pub authors: &'static str,
    /// Its licence, as an SPDX expression; empty if there is none.
    pub license: &'static str,
    /// The folder with its Cargo.toml, or that in the sources which a distributed program carries
    /// ([`kernels::folder!`]). Files that the FMU of a model has in its folder `resources` are in
    /// the folder `resources/<model>` there.
    pub folder: &'static str,
    /// Its models.
    pub models: &'static [ModelText],
}

/// What may differ between FMUs of one model text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variant {
    /// Whether they describe the shapes of their parts.
    pub scene: Scene,
    /// The type of local variables that are Boolean; systems written by hand have their own types.
    pub booleans: Booleans,
    /// How importers set start values; systems written by hand declare their own variables.
    pub starts: StartsAs,
}

/// Whether an FMU describes the shapes of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scene {
    /// If the model text asks for it.
    #[default]
    IfAsked,
    /// If the model has shapes.
    IfPossible,
}

/// A model: the name and the content of its file, and its function.
#[derive(Clone, Copy, Debug)]
pub struct ModelText {
    /// Its name, in snake case.
    pub name: &'static str,
    /// The text, whose `//!` comment becomes the documentation of the FMU.
    pub source: &'static str,
    /// Returns its function `model`.
    pub text: fn() -> Text,
}

impl Package {
    /// The model with a name: that of its file, or its FMI model name.
    ///
    /// # Errors
    /// If no model has the name.
    pub fn model(&self, name: &str) -> Result<&ModelText, Error> {
        let wanted = name.replace('-', "_");
        let found = self.models.iter().find(|m| m.name == wanted || m.fmi_name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = self.models.iter().map(|m| m.name).collect();
            let file = self.source().unwrap_or_default().join(format!("src/{wanted}.rs"));
            let is_model = !matches!(&*wanted, "lib" | "main");
            Error::Request(match similar(&wanted, names.iter().copied()) {
                _ if file.is_file() && is_model => format!(
                    "no model `{name}`: {} is not in the list of src/lib.rs",
                    file.display()
                ),
                Some(similar) => format!("no model `{name}`; is it `{similar}`?"),
                None if names.is_empty() => {
                    format!("no model `{name}`: {} has no models yet", self.name)
                }
                None => format!("no model `{name}`; the models are {}", names.join(", ")),
            })
        })
    }

    /// The folder with its Cargo.toml.
    ///
    /// # Errors
    /// If this program carries it and cannot unpack it.
    pub fn source(&self) -> Result<PathBuf, Error> {
        carried::source(self.folder)
    }

    /// The folder with the files that the FMU of a model has in its folder `resources`; it may not
    /// exist.
    ///
    /// # Errors
    /// See [`Package::source`].
    pub fn resources_of(&self, model: &ModelText) -> Result<PathBuf, Error> {
        Ok(self.source()?.join("resources").join(model.name))
    }

    /// Checks the names of all models.
    ///
    /// # Errors
    /// If two models would have FMUs with the same name, or if a name is not legal.
    pub fn check(&self) -> Result<(), Error> {
        for (i, model) in self.models.iter().enumerate() {
            let fmi_name = model.fmi_name();
            if !equations::is_c_identifier(&fmi_name) {
                let name = model.name;
                return Err(Error::Request(format!("`{name}` is not a name for a model")));
            }
            if let Some(other) = self.models[..i].iter().find(|m| m.fmi_name() == fmi_name) {
                let (first, second) = (other.name, model.name);
                return Err(Error::Request(format!(
                    "`{first}` and `{second}` would both be {fmi_name}"
                )));
            }
        }
        Ok(())
    }

    /// A simulation, before its start, of the model with a name, in this process.
    ///
    /// # Errors
    /// If there is no such model, or if there is a mistake in it.
    pub fn simulation(&self, name: &str) -> Result<Simulation, Error> {
        self.trace(self.model(name)?)?.simulation()
    }

    /// Traces one of its models.
    ///
    /// # Errors
    /// If there is a mistake in the model, or its text panics.
    pub fn trace(&self, model: &ModelText) -> Result<Traced, Error> {
        self.trace_as(model, Variant::default())
    }

    /// As [`Package::trace`], in a variant.
    ///
    /// # Errors
    /// See [`Package::trace`].
    pub fn trace_as(&self, model: &ModelText, variant: Variant) -> Result<Traced, Error> {
        let (folder, resources) = (self.source()?, self.resources_of(model)?);
        let code = model.code(&resources, variant)?;
        let authors = self.authors.replace(':', ", ");
        let license = Some(self.license).filter(|license| !license.is_empty());
        Ok(Traced {
            name: model.name.to_owned(),
            code,
            metadata: Metadata {
                version: Some(self.version.to_owned()),
                author: Some(authors).filter(|authors| !authors.is_empty()),
                license: license.map(str::to_owned),
            },
            terms: Terms::of(&format!("{} {}", self.name, self.version), self.license, &folder)?,
            resources: Some(resources).filter(|folder| folder.is_dir()),
        })
    }
}

impl ModelText {
    /// The FMI model name: the file's name in camel case.
    pub fn fmi_name(&self) -> String {
        camel_case(self.name)
    }

    /// Traces and compiles the model, or describes the hand-written system; files of tables are in
    /// the folder `resources`.
    ///
    /// # Errors
    /// See [`Package::trace`].
    pub fn code(&self, resources: &Path, variant: Variant) -> Result<ModelCode, Error> {
        let (name, documentation) = (self.fmi_name(), self.documentation());
        let code = match (self.text)() {
            Text::Traced(text) => {
                compiled((self.name, name, &documentation), text, resources, variant)
            }
            Text::HandWritten(written) => {
                let described = caught("the system", || {
                    let described = written.describe(&name, self.source, &documentation, resources);
                    described.map(|described| ModelCode::HandWritten(Box::new(described)))
                });
                let in_brief = |reason: String| mistake([self.name, &name], &reason).to_owned();
                described.flatten().map_err(in_brief)
            }
        };
        code.map_err(|mistake| Error::Build(format!("{}: {mistake}", self.name)))
    }

    /// The documentation of its FMU: the `//!` comment of the text.
    pub fn documentation(&self) -> String {
        inner_documentation(self.source)
    }
}

/// Traces and compiles a model: its name, its FMI model name, its documentation, and its text.
fn compiled(
    (name, fmi_name, documentation): (&str, String, &str),
    text: impl FnOnce(&mut Model),
    resources: &Path,
    variant: Variant,
) -> Result<ModelCode, String> {
    let program = caught("the model text", || {
        let program = equations::compile_named(&fmi_name, documentation, |model| {
            model.resources(resources);
            model.booleans(variant.booleans);
            model.starts(variant.starts);
            if variant.scene == Scene::IfPossible {
                model.want_scene();
            }
            text(model);
        });
        program
            .map(|program| ModelCode::Program(Box::new(program)))
            .map_err(|error| error.to_string())
    });
    program.flatten().map_err(|reason| mistake([name, &fmi_name], &reason).to_owned())
}

/// A mistake in a model without the name of the model at its beginning.
fn mistake<'r>([name, fmi_name]: [&str; 2], reason: &'r str) -> &'r str {
    let after = |name: &str| reason.strip_prefix(name)?.strip_prefix(": ");
    after(name).or_else(|| after(fmi_name)).unwrap_or(reason)
}

/// A name in camel case: `coupled_clutches` becomes `CoupledClutches`.
pub fn camel_case(name: &str) -> String {
    let capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_ascii_uppercase().to_string() + letters.as_str())
    };
    name.split(['_', '-']).filter_map(capitalised).collect()
}

/// The text of the `//!` comment at the beginning of a source file.
fn inner_documentation(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.trim_start().strip_prefix("//!"));
    let lines: Vec<&str> = lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use equations::Experiment;

    use super::*;

    #[test]
    fn model_names_are_file_names_in_camel_case() {
        for (file, model) in [
            ("coupled_clutches", "CoupledClutches"),
            ("fourbar2", "Fourbar2"),
            ("engine_v6", "EngineV6"),
        ] {
            assert_eq!(camel_case(file), model);
        }
    }

    #[test]
    fn documentation_ends_with_the_comment() {
        let source = "//! A line.\n//!\n//!     indented\nuse x;\n//! not this";
        assert_eq!(inner_documentation(source), "A line.\n\n    indented");
    }

    const ENDED: Experiment =
        Experiment { start_time: 0.0, stop_time: -1.0, tolerance: 1e-6, step_size: 1e-3 };

    #[test]
    fn a_text_that_panics_or_is_wrong_is_refused_by_name() {
        let refused = |text: fn() -> Text| {
            let model = ModelText { name: "swing", source: "//! A swing.", text };
            let code = model.code(Path::new(""), Variant::default());
            code.err().expect("a mistake").to_string()
        };
        let message = refused(|| (|_: &mut Model| panic!("no rope")).into_text());
        assert!(message.starts_with("swing: the model text panicked at "), "{message}");
        assert!(message.contains("mod.rs:") && message.ends_with(": no rope"), "{message}");
        fn in_furlongs(m: &mut Model) {
            let x = m.state("x", 1.0).unit("furlong").done();
            m.derivative(x, x);
        }
        let message = refused(|| in_furlongs.into_text());
        assert!(message.starts_with("swing: ") && message.contains("furlong"), "{message}");
        let message = refused(|| (|m: &mut Model| m.experiment(ENDED)).into_text());
        assert_eq!(message, "swing: stop_time = -1 s: must be after start_time = 0 s");
    }

    #[test]
    fn two_models_of_one_name_are_refused() {
        let model =
            |name| ModelText { name, source: "", text: || (|_: &mut Model| {}).into_text() };
        let models = Vec::leak(vec![model("four_bar1"), model("swing"), model("four_bar_1")]);
        let (name, version, authors, license, folder) = ("p", "1.0.0", "", "", "");
        let package = Package { name, version, authors, license, folder, models };
        let message = package.check().unwrap_err().to_string();
        assert_eq!(message, "`four_bar1` and `four_bar_1` would both be FourBar1");
    }
}
