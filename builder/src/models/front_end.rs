//! Front ends: languages in which files describe models, besides the texts of a package.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use equations::{Model, with_fresh_arena};

use fmus::error::Error;

use crate::models::licenses::Terms;
use crate::models::model_description::Metadata;
use crate::models::{ModelText, Package, Text, Traced, Variant, camel_case, compiled};

/// A language of files that describe models.
pub trait FrontEnd: fmt::Debug {
    /// The extension of its files, without the dot.
    fn extension(&self) -> &'static str;

    /// Whether a name is that of a model in this language: a file with the extension, or something
    /// else that the language finds.
    fn accepts(&self, name: &Path) -> bool {
        name.extension().is_some_and(|of| of.eq_ignore_ascii_case(self.extension()))
    }

    /// Whether models can be written in this language; see [`FrontEnd::write`].
    fn writes(&self) -> bool {
        false
    }

    /// Reads a model.
    ///
    /// # Errors
    /// All mistakes, one in a line, each with the name of the file and, where it has one, the
    /// place: `pump.json:12:5: ...`.
    fn read(&self, file: &ModelFile<'_>) -> Result<FileModel, Vec<String>>;

    /// The classes in a file, if the language has files with several: those that are models, and
    /// others.
    ///
    /// # Errors
    /// All mistakes, as those of [`FrontEnd::read`].
    fn classes(&self, _: &ModelFile<'_>) -> Result<Vec<ListedClass>, Vec<String>> {
        Ok(Vec::new())
    }

    /// Divides a model at flanges. Where a component is named in place of a flange, there are
    /// several ways, in the order in which they should be tried. `None` if this language cannot
    /// state the parts.
    ///
    /// # Errors
    /// All mistakes, one in a line.
    fn divide(&self, _: &WrittenModel<'_>, _: &[String]) -> Option<Result<Divisions, Vec<String>>> {
        None
    }

    /// The flanges at which a model can be divided.
    ///
    /// # Errors
    /// All parts of the model that no file can hold, one in a line.
    fn places(&self, _: &WrittenModel<'_>) -> Option<Result<Vec<CutPlace>, Vec<String>>> {
        None
    }

    /// The text of the file for a model, from what its text has stated: see
    /// [`Model::keep_source`]. `None` if this language cannot state it.
    ///
    /// # Errors
    /// All parts of the model that no file can hold, one in a line.
    fn write(&self, _: &WrittenModel<'_>) -> Option<Result<String, Vec<String>>> {
        None
    }
}

/// The front ends of a program.
pub type FrontEnds<'a> = &'a [&'a dyn FrontEnd];

/// A file with a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelFile<'a> {
    /// Its path.
    pub path: &'a Path,
    /// The class that is wanted, if the file may contain several.
    pub class: Option<&'a str>,
    /// Variables that are wanted though the model may not publish them.
    pub variables: &'a [String],
}

impl<'a> ModelFile<'a> {
    /// A file, and the class that is wanted.
    pub fn new(path: &'a Path, class: Option<&'a str>) -> Self {
        ModelFile { path, class, variables: &[] }
    }
}

/// A class in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedClass {
    /// Its name, with which [`ModelFile::class`] chooses it.
    pub name: String,
    /// Its description in one line.
    pub description: String,
    /// Why it is no model, with the place.
    pub no_model: Option<String>,
}

/// The lines that report a mistake, from its sentence.
pub type Reported = dyn Fn(&str) -> Vec<String>;

/// A model that a file describes.
pub struct FileModel {
    /// Its name; the FMI model name is the same in camel case.
    pub name: String,
    /// Its documentation in Markdown.
    pub documentation: String,
    /// Adds its equations to a model.
    pub text: Box<dyn FnOnce(&mut Model)>,
    /// The folder with files for the FMU's folder `resources`, if there is one.
    pub resources: Option<PathBuf>,
    /// The lines that report a mistake which its equations show, with the place in the file.
    pub reported: Box<Reported>,
}

/// The ways to divide a model.
pub type Divisions = Vec<Box<dyn DividedModel>>;

/// A model that is divided at flanges into parts.
pub trait DividedModel {
    /// The places at which it is divided.
    fn places(&self) -> Vec<CutPlace>;

    /// The parts, and the signals that join them.
    fn parts(&self, choices: &PartChoices) -> (Vec<FileModel>, Vec<Joint>);
}

/// A flange at which a model is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutPlace {
    /// The flange with the name of its component.
    pub at: String,
    /// The ports that it was connected with.
    pub others: Vec<String>,
    /// The part of the flange, and that of the other ports.
    pub parts: [usize; 2],
    /// The components at the flange that stick and slide.
    pub friction: Vec<String>,
}

/// How the parts of a divided model are made.
#[derive(Clone, Debug, Default)]
pub struct PartChoices {
    /// For each place, whether the side of the flange gives the motion.
    pub first_moves: Vec<bool>,
    /// Start values by part and name: of inputs, and of variables of components.
    pub starts: BTreeMap<(usize, String), f64>,
    /// The names of the parts.
    pub names: Vec<String>,
    /// The parts whose fixed start values are guesses, because the given motion determines them.
    pub guesses: BTreeSet<usize>,
}

/// A signal that joins two parts: output and input with the indices of their parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joint {
    /// The part and the name of the output.
    pub from: (usize, String),
    /// The part and the name of the input.
    pub to: (usize, String),
    /// The place to which it belongs; none for signals of the model itself.
    pub place: Option<usize>,
    /// The order of the derivative of the position; none for a torque, a force or a signal.
    pub motion: Option<u32>,
}

/// A model that is written to a file.
#[derive(Clone, Copy, Debug)]
pub struct WrittenModel<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its documentation in Markdown.
    pub documentation: &'a str,
    /// The folder with its files, which may not exist.
    pub resources: &'a Path,
    /// What its text has stated.
    pub source: &'a dyn Any,
}

impl fmt::Debug for FileModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileModel").field("name", &self.name).finish_non_exhaustive()
    }
}

impl FileModel {
    /// Traces and compiles the model.
    ///
    /// # Errors
    /// If there is a mistake in the model: its lines, as those of [`FrontEnd::read`].
    pub fn trace_as(self, variant: Variant) -> Result<Traced, Vec<String>> {
        let FileModel { name, documentation, text, resources, reported } = self;
        let folder = resources.clone().unwrap_or_default();
        let model = (name.as_str(), camel_case(&name), documentation.as_str());
        let code = compiled(model, text, &folder, variant).map_err(|mistake| reported(&mistake))?;
        Ok(Traced {
            code,
            metadata: Metadata::default(),
            terms: Terms::none(&name),
            resources: resources.filter(|folder| folder.is_dir()),
            name,
        })
    }

    /// The text of a file for it in the language of a front end.
    ///
    /// # Errors
    /// All parts of the model that no such file can hold, one in a line.
    pub fn written(self, front_end: &dyn FrontEnd) -> Result<String, Vec<String>> {
        let name = self.name.clone();
        let text = self.stated(|model| front_end.write(model));
        text.unwrap_or_else(|| Err(vec![no_file_holds(&name, front_end)]))
    }

    /// What `make` makes of the statements of the model; `None` if it consists of equations.
    pub fn stated<T>(self, make: impl FnOnce(&WrittenModel<'_>) -> Option<T>) -> Option<T> {
        let FileModel { name, documentation, text, resources, .. } = self;
        of_statements((&name, &documentation), text, &resources.unwrap_or_default(), make)
    }
}

/// The text of a file in the language of a front end for a model of a package.
///
/// # Errors
/// All parts of the model that no such file can hold, one in a line.
pub fn written(
    package: &Package,
    model: &ModelText,
    front_end: &dyn FrontEnd,
) -> Result<String, Vec<String>> {
    let text = stated(package, model, |model| front_end.write(model));
    let text = text.map_err(|error| vec![error.to_string()])?;
    text.unwrap_or_else(|| Err(vec![no_file_holds(model.name, front_end)]))
}

/// What `make` makes of the statements of a model of a package; `None` if it consists of equations.
///
/// # Errors
/// If the package has no folder.
pub fn stated<T>(
    package: &Package,
    model: &ModelText,
    make: impl FnOnce(&WrittenModel<'_>) -> Option<T>,
) -> Result<Option<T>, Error> {
    let folder = package.resources_of(model)?;
    Ok(match (model.text)() {
        Text::Traced(text) => {
            of_statements((model.name, &model.documentation()), text, &folder, make)
        }
        Text::HandWritten(_) => None,
    })
}

/// The sentence that refuses a model that consists of equations.
fn no_file_holds(name: &str, front_end: &dyn FrontEnd) -> String {
    let extension = front_end.extension();
    format!("{name} consists of equations, which no file *.{extension} can hold")
}

/// What `make` makes of the statements of a model: its name, its documentation, and its text.
pub(super) fn of_statements<T>(
    (name, documentation): (&str, &str),
    text: impl FnOnce(&mut Model),
    resources: &Path,
    make: impl FnOnce(&WrittenModel<'_>) -> Option<T>,
) -> Option<T> {
    with_fresh_arena(|| {
        let mut traced = Model::new(name);
        traced.resources(resources.to_owned());
        traced.want_source();
        text(&mut traced);
        let source = traced.source()?;
        make(&WrittenModel { name, documentation, resources, source })
    })
}
