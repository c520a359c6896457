//! The FMUs that the tests run, unpacked and with their descriptions.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use equations::Model;
use fmu_builder::model_description::{Base, ModelDescription, ScalarVariable};
use fmu_builder::models::Text;
use models::MODELS;
use tempfile::TempDir;
use zip::ZipArchive;

/// An unpacked FMU.
pub struct Fmu {
    /// The archive.
    pub path: PathBuf,
    /// Its model description.
    pub description: Arc<ModelDescription>,
    library: PathBuf,
    resources: String,
    folder: PathBuf,
    /// The folder, if it is this FMU's own, is removed with it.
    _own: Option<TempDir>,
}

impl Fmu {
    /// The FMU of a model, by its FMI name.
    pub fn named(name: &str) -> Fmu {
        let path = folder().join(format!("{name}.fmu"));
        assert!(path.is_file(), "{} is missing: {}", path.display(), crate::ADVICE);
        Fmu::shared(&path)
    }

    /// All FMUs: those with compiled libraries by name, then those with tapes by name.
    pub fn all() -> Vec<Fmu> {
        [Fmu::compiled(), Fmu::interpreted()].into_iter().flatten().collect()
    }

    /// The FMUs with compiled libraries, one for each model, by name.
    pub fn compiled() -> Vec<Fmu> {
        Fmu::all_in(&folder())
    }

    /// The FMUs with tapes, of some models, by name.
    pub fn interpreted() -> Vec<Fmu> {
        let folder = folder().join("interpreted");
        // A folder that the environment variable names need not contain any.
        let is_named = std::env::var_os("COUPLER_FMUS").is_some();
        if is_named && !folder.is_dir() { Vec::new() } else { Fmu::all_in(&folder) }
    }

    fn all_in(folder: &Path) -> Vec<Fmu> {
        let missing = format!("{} is missing: {}", folder.display(), crate::ADVICE);
        let mut paths: Vec<PathBuf> = fs::read_dir(folder)
            .expect(&missing)
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "fmu"))
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{missing}");
        paths.iter().map(|path| Fmu::shared(path)).collect()
    }

    /// Unpacks an FMU into a folder of its own.
    pub fn open(path: &Path) -> Fmu {
        let own = tempfile::tempdir().expect("a temporary folder");
        unpack(path, own.path());
        let folder = own.path().to_owned();
        Fmu { _own: Some(own), ..Fmu::unpacked(path, folder, Arc::new(description(path))) }
    }

    /// An FMU in a folder that all tests share, and that stays until the FMUs are built again.
    fn shared(path: &Path) -> Fmu {
        static KNOWN: Mutex<BTreeMap<PathBuf, Arc<ModelDescription>>> = Mutex::new(BTreeMap::new());
        let all = crate::target().join("unpacked");
        let stamp = fs::metadata(path).and_then(|of| Ok((of.len(), of.modified()?)));
        let (length, time) = stamp.expect("the FMU is there");
        let time = time.duration_since(SystemTime::UNIX_EPOCH).expect("after 1970").as_nanos();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let folder = all.join(format!("{name}-{length}-{time}"));
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if !folder.is_dir() {
            fs::create_dir_all(&all).expect("a folder");
            let new = tempfile::tempdir_in(&all).expect("a temporary folder");
            unpack(path, new.path());
            // Another process may have been faster.
            match fs::rename(new.path(), &folder) {
                Ok(()) => drop(new.keep()),
                Err(error) => assert!(folder.is_dir(), "{}: {error}", folder.display()),
            }
        }
        let known = known.entry(folder.clone()).or_insert_with(|| Arc::new(description(path)));
        Fmu::unpacked(path, folder, known.clone())
    }

    fn unpacked(path: &Path, folder: PathBuf, description: Arc<ModelDescription>) -> Fmu {
        let library = folder.join(format!("{}.so", description.model_name));
        assert!(library.is_file(), "{}: no library for this platform", path.display());
        let resources = fmu_builder::fmu::uri(&folder.join("resources"));
        Fmu { path: path.to_owned(), description, library, resources, folder, _own: None }
    }

    /// The unpacked folder with its resources; empty or missing if it has none.
    pub fn resource_folder(&self) -> PathBuf {
        self.folder.join("resources")
    }

    /// The URI of that folder.
    pub fn resources(&self) -> &str {
        &self.resources
    }

    /// Its FMI name.
    pub fn name(&self) -> &str {
        &self.description.model_name
    }

    /// Its unpacked library.
    pub fn library(&self) -> &Path {
        &self.library
    }

    /// A variable by name.
    pub fn variable(&self, name: &str) -> &ScalarVariable {
        let variable = self.description.variable(name);
        variable.unwrap_or_else(|| panic!("{} has no variable {name}", self.name()))
    }

    /// The value references of Real variables.
    pub fn reals<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<u32> {
        let reference = |name| {
            let variable = self.variable(name);
            assert_eq!(variable.base, Base::Real, "{name} is a Real");
            variable.value_reference
        };
        names.into_iter().map(reference).collect()
    }

    /// The names of the continuous states, in order.
    pub fn states(&self) -> Vec<&str> {
        let states = self.description.states();
        states.iter().map(|i| self.description.variables[*i].name.as_str()).collect()
    }

    /// The names of the variables of a base type and any of some causalities.
    pub fn names(&self, base: Base, causalities: &[&str]) -> Vec<&str> {
        let wanted =
            |v: &&ScalarVariable| v.base == base && causalities.contains(&v.causality.as_str());
        self.description.variables.iter().filter(wanted).map(|v| v.name.as_str()).collect()
    }

    /// The names of its signals.
    pub fn signals(&self) -> Vec<&str> {
        signals(&self.description)
    }

    /// The values with which tests start it, so that it moves.
    pub fn starts(&self) -> &'static [(&'static str, f64)] {
        starts(self.name())
    }

    /// The default experiment's stop time in s.
    pub fn stop_time(&self) -> f64 {
        self.description.experiment.stop_time.expect("a default experiment with stop time")
    }

    /// The default experiment's relative tolerance.
    pub fn tolerance(&self) -> f64 {
        self.description.experiment.tolerance.expect("a default experiment with tolerance")
    }
}

/// The names of the continuous states and Real outputs of an FMU: the signals that tests compare.
pub fn signals(description: &ModelDescription) -> Vec<&str> {
    let state = |index: &usize| description.variables[*index].name.as_str();
    let mut names: Vec<&str> = description.states().iter().map(state).collect();
    let reference = |name: &str| description.variable(name).map(|v| v.value_reference);
    let is_output = |v: &&ScalarVariable| {
        v.base == Base::Real && v.causality == "output" && v.variability == "continuous"
    };
    for output in description.variables.iter().filter(is_output) {
        if !names.iter().any(|name| reference(name) == Some(output.value_reference)) {
            names.push(&output.name);
        }
    }
    names
}

/// The values with which tests start a model of the repository, as its text says, by its FMI name.
pub fn starts(model: &str) -> &'static [(&'static str, f64)] {
    type Starts = &'static [(&'static str, f64)];
    static KNOWN: Mutex<BTreeMap<String, Starts>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(model.to_owned()).or_insert_with(|| {
        let mut traced = Model::new(model);
        if let Ok(Text::Traced(text)) = MODELS.model(model).map(|model| (model.text)()) {
            text(&mut traced);
        }
        let values = traced.test_values().iter();
        values.map(|(name, value)| (&*name.clone().leak(), *value)).collect::<Vec<_>>().leak()
    })
}

fn archive(path: &Path) -> ZipArchive<File> {
    ZipArchive::new(File::open(path).expect("the FMU opens")).expect("a zip")
}

/// The model description in an archive.
fn description(path: &Path) -> ModelDescription {
    let mut archive = archive(path);
    let mut text = String::new();
    let mut entry = archive.by_name("modelDescription.xml").expect("a description");
    entry.read_to_string(&mut text).expect("the description is text");
    ModelDescription::parse(&text).expect("the description parses")
}

/// Unpacks the library for this platform and the resources of an FMU.
fn unpack(path: &Path, folder: &Path) {
    let mut archive = archive(path);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let name = entry.enclosed_name().expect("a name inside");
        let is_library = name.starts_with("binaries/linux64");
        let to = match name.file_name() {
            Some(file) if is_library => folder.join(file),
            Some(_) if name.starts_with("resources") => folder.join(&name),
            _ => continue,
        };
        if entry.is_file() {
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder for resources");
            let mut file = File::create(&to).expect("the file is written");
            std::io::copy(&mut entry, &mut file).expect("the file unpacks");
        }
    }
}

/// The folder of the FMUs: the one that `COUPLER_FMUS` names, or else that to which
/// `cargo xtask test` writes.
pub fn folder() -> PathBuf {
    let named = std::env::var_os("COUPLER_FMUS").map(PathBuf::from);
    named.unwrap_or_else(|| crate::root().join("target/test-fmus"))
}
