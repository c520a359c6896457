//! Model crates that only a test needs.

use std::fs;
use std::path::Path;

use crate::program::{fmu, succeeds};
use crate::{Fmu, root, target};

/// The files of a model crate.
#[derive(Clone, Copy, Debug)]
pub struct CrateText<'a> {
    /// The name of the package.
    pub package: &'a str,
    /// `build.rs`, which says whether the model is made of components or of equations.
    pub build: &'a str,
    /// `src/lib.rs`.
    pub export: &'a str,
    /// `src/model.rs`.
    pub model: &'a str,
}

impl CrateText<'_> {
    /// Writes the crate into a folder and builds its FMU there.
    pub fn build(&self, folder: &Path) -> Fmu {
        let root = root();
        let crate_folder = folder.join(self.package);
        fs::create_dir_all(crate_folder.join("src")).expect("a folder for the model");
        let write = |name: &str, content: &str| {
            fs::write(crate_folder.join(name), content).expect("the model is written");
        };
        write("build.rs", self.build);
        write("src/lib.rs", self.export);
        write("src/model.rs", self.model);
        let components = self.build.contains("mechanics::build");
        let language = if components { "models/mechanics" } else { "builder/equations" };
        let language_name = language.rsplit('/').next().expect("a name");
        let (package, root_text) = (self.package, root.display());
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{package}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 license = \"MIT OR Apache-2.0\"\n\
                 [lib]\ncrate-type = [\"cdylib\"]\n\
                 [dependencies]\nfmu-runtime = {{ path = \"{root_text}/fmu-runtime\" }}\n\
                 [build-dependencies]\n{language_name} = {{ path = \"{root_text}/{language}\" }}\n\
                 [profile.release]\nopt-level = 2\ncodegen-units = 1\nstrip = true\n\
                 [workspace]\n"
            ),
        );
        fs::copy(root.join("Cargo.lock"), crate_folder.join("Cargo.lock")).expect("the lock file");
        let mut build = fmu();
        build.arg("build").arg(&crate_folder).arg("--out").arg(folder);
        succeeds(build.env("CARGO_TARGET_DIR", target().join("rebuilt")));
        let path = fs::read_dir(folder).expect("the folder").flatten().map(|entry| entry.path());
        let mut fmus = path.filter(|path| path.extension().is_some_and(|e| e == "fmu"));
        Fmu::open(&fmus.next().expect("an FMU was built"))
    }
}
