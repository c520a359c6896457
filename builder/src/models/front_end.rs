//! Front ends: languages in which files describe models, besides the texts of a package.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};

use equations::{Model, with_fresh_arena};

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

/// A model that is written to a file.
#[derive(Clone, Copy, Debug)]
pub struct WrittenModel<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its documentation in Markdown.
    pub documentation: &'a str,
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
        let FileModel { name, documentation, text, resources, .. } = self;
        in_language((&name, &documentation), text, resources.unwrap_or_default(), front_end)
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
    let folder = package.resources_of(model).map_err(|error| vec![error.to_string()])?;
    match (model.text)() {
        Text::Traced(text) => {
            in_language((model.name, &model.documentation()), text, folder, front_end)
        }
        Text::HandWritten(_) => Err(vec![no_file_holds(model.name, front_end)]),
    }
}

/// The sentence that refuses a model that consists of equations.
fn no_file_holds(name: &str, front_end: &dyn FrontEnd) -> String {
    let extension = front_end.extension();
    format!("{name} consists of equations, which no file *.{extension} can hold")
}

/// The text of a file for a model: its name, its documentation, and its text.
fn in_language(
    (name, documentation): (&str, &str),
    text: impl FnOnce(&mut Model),
    folder: PathBuf,
    front_end: &dyn FrontEnd,
) -> Result<String, Vec<String>> {
    let cannot = || vec![no_file_holds(name, front_end)];
    with_fresh_arena(|| {
        let mut traced = Model::new(name);
        traced.resources(folder);
        traced.want_source();
        text(&mut traced);
        let source = traced.source().ok_or_else(cannot)?;
        front_end.write(&WrittenModel { name, documentation, source }).ok_or_else(cannot)?
    })
}
