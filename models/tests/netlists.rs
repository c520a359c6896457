//! Netlists: every model of the repository can be written to a file, and read again.

use std::fs;
use std::path::{Path, PathBuf};

use coupler::Netlists;
use fmu_builder::models::front_end::{FrontEnd, ModelFile, written};
use fmu_builder::models::{ModelText, Variant};
use models::MODELS;

fn netlists() -> Netlists {
    Netlists { registry: coupler::libraries::registry() }
}

/// Writes a model to a file with its resources, and returns the path; the reasons if that is
/// impossible.
fn exported(model: &ModelText, folder: &Path) -> Result<PathBuf, Vec<String>> {
    let text = written(&MODELS, model, &netlists())?;
    let path = folder.join(format!("{}.json", model.name));
    fs::write(&path, text).expect("it can be written");
    copy(&MODELS.resources_of(model).expect("it is here"), &folder.join("resources"));
    Ok(path)
}

#[test]
fn a_model_that_is_written_and_read_again_has_the_same_guid() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut other_models, mut differ) = (Vec::new(), Vec::new());
    for model in MODELS.models {
        let name = model.name;
        let path = match exported(model, folder.path()) {
            Ok(path) => path,
            Err(lines) => {
                assert!(lines[0].contains("consists of equations"), "{}", lines.join("\n"));
                other_models.push(name);
                continue;
            }
        };
        let read = netlists().read(&ModelFile { path: &path, class: None });
        let read = read.unwrap_or_else(|lines| panic!("{name}: {}", lines.join("\n")));
        let again = read.trace_as(Variant::default()).unwrap_or_else(|e| panic!("{e}"));
        let first = MODELS.trace(model).unwrap_or_else(|e| panic!("{e}"));
        if again.code.description().guid != first.code.description().guid {
            differ.push(name);
        }
    }
    assert_eq!(other_models, ["bouncing_ball", "torque_source"]);
    assert!(differ.is_empty(), "{differ:?}");
}

/// Copies a folder of files, if it exists, into another folder.
fn copy(folder: &Path, into: &Path) {
    let Ok(files) = fs::read_dir(folder) else { return };
    let into = into.join(folder.file_name().expect("it has a name"));
    fs::create_dir_all(&into).expect("a folder");
    for file in files {
        let file = file.expect("an entry");
        fs::copy(file.path(), into.join(file.file_name())).expect("it can be copied");
    }
}
