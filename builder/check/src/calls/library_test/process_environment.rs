//! Rules for the environment of the process and for files, which an FMU must not change.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::type_test::TypeTest;
use fmus::fmu::Fmu;
use fmus::host;

/// The environment of an FMU at some time.
#[derive(PartialEq)]
pub(super) struct ProcessEnvironment {
    folder: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    locale: String,
    rounding: i32,
    files: BTreeMap<PathBuf, (u64, Option<SystemTime>)>,
}

impl ProcessEnvironment {
    pub(super) fn now(fmu: &Fmu) -> ProcessEnvironment {
        let mut files = BTreeMap::new();
        list(fmu.folder(), &mut files);
        ProcessEnvironment {
            folder: std::env::current_dir().ok(),
            environment: std::env::vars_os().collect(),
            locale: host::process::locale(),
            rounding: host::process::rounding(),
            files,
        }
    }

    /// A004 and D012: nothing has changed.
    pub(super) fn compare(self, test: &mut TypeTest<'_>) {
        let now = ProcessEnvironment::now(test.fmu);
        let parts = [
            ("folder", self.folder != now.folder),
            ("environment", self.environment != now.environment),
            ("locale", self.locale != now.locale),
            ("rounding of numbers", self.rounding != now.rounding),
        ];
        let changed = parts.into_iter().filter(|(_, changed)| *changed).map(|(what, _)| what);
        let changed: Vec<&str> = changed.collect();
        if !changed.is_empty() {
            let what = changed.join(", ");
            test.error("A004", format!("the library changes the {what} of the process"));
        }
        let mut changed = now.files.iter().filter(|(path, is)| self.files.get(*path) != Some(is));
        if let Some((path, _)) = changed.next() {
            let path = path.strip_prefix(test.fmu.folder()).unwrap_or(path).display();
            test.error("D012", format!("the library writes {path} into the unpacked FMU"));
        }
    }
}

fn list(folder: &Path, files: &mut BTreeMap<PathBuf, (u64, Option<SystemTime>)>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // Python writes its compiled files next to the sources; the model does not cause this.
        if path.is_dir() && !path.ends_with("__pycache__") {
            list(&path, files);
        } else if let Some(data) = entry.metadata().ok().filter(|_| path.is_file()) {
            files.insert(path, (data.len(), data.modified().ok()));
        }
    }
}

/// A018, A026 and A029: the use of the callbacks, tested when no instance exists.
pub(super) fn memory(test: &mut TypeTest<'_>) {
    let callbacks = host::callbacks();
    if callbacks.lost {
        test.error("A018", "messages come with a componentEnvironment that was not given");
    }
    let flag = test.interface.flag("canNotUseMemoryManagementFunctions");
    if flag && callbacks.allocations > 0 {
        let text = "allocateMemory is called, but canNotUseMemoryManagementFunctions is true";
        test.warning("A026", text);
    }
    if callbacks.blocks > 0 {
        let (blocks, all) = (callbacks.blocks, callbacks.allocations);
        let text = format!("{blocks} of {all} blocks from allocateMemory are not freed");
        test.error_due_to("A029", "A029", text);
    }
}
