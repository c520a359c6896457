//! A parameter set through FMI does what the same value in the model text does.

use std::fs;
use std::path::Path;

use coupler_tests::program::{fmu, succeeds};
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, root, target};

/// A change of a model text, and the FMI parameter that stands for it.
struct Change {
    package: &'static str,
    old: &'static str,
    new: &'static str,
    parameter: &'static str,
    value: f64,
}

const CHANGES: [Change; 6] = [
    // A mass, by the diameter of a cylinder.
    Change {
        package: "fourbar2",
        old: "0.5, 0.1]).diameter(0.05)",
        new: "0.5, 0.1]).diameter(0.07)",
        parameter: "b1.diameter",
        value: 0.07,
    },
    // A length, from which the rod's length follows.
    Change {
        package: "fourbar2",
        old: "BodyCylinder::r([0.0, 0.2, 0.0])",
        new: "BodyCylinder::r([0.0, 0.25, 0.0])",
        parameter: "b2.r[2]",
        value: 0.25,
    },
    // A start value.
    Change {
        package: "fourbar1",
        old: "300_f64.to_radians()",
        new: "6.0",
        parameter: "j1.w",
        value: 6.0,
    },
    // A moment of inertia.
    Change {
        package: "coupled_clutches",
        old: "\"J2\", Inertia::J(1.0)",
        new: "\"J2\", Inertia::J(1.3)",
        parameter: "J2.J",
        value: 1.3,
    },
    // The instant of a time event.
    Change {
        package: "coupled_clutches",
        old: "start_time(0.9)",
        new: "start_time(0.85)",
        parameter: "step2.startTime",
        value: 0.85,
    },
    // A coefficient of restitution.
    Change {
        package: "bouncing_ball",
        old: "\"e\", 0.7",
        new: "\"e\", 0.6",
        parameter: "e",
        value: 0.6,
    },
];

/// Writes a model crate of its own with the changed text and builds its FMU.
fn rebuild(change: &Change, folder: &Path) -> Fmu {
    let root = root();
    let original = root.join("models").join(change.package);
    let crate_folder = folder.join(change.package);
    fs::create_dir_all(crate_folder.join("src")).expect("a folder for the changed model");
    let read = |name: &str| fs::read_to_string(original.join(name)).expect("the model's file");
    let text = read("src/model.rs");
    assert_eq!(text.matches(change.old).count(), 1, "{}: {}", change.package, change.old);
    let write = |name: &str, content: &str| {
        fs::write(crate_folder.join(name), content).expect("the changed model is written");
    };
    let build = read("build.rs");
    write("build.rs", &build);
    write("src/lib.rs", &read("src/lib.rs"));
    write("src/model.rs", &text.replace(change.old, change.new));
    let (package, root_text) = (change.package, root.display());
    let language =
        if build.contains("mechanics::build") { "models/mechanics" } else { "builder/equations" };
    let language_name = language.rsplit('/').next().expect("a name");
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
    let mut fmus = path.filter(|path| path.extension().is_some_and(|extension| extension == "fmu"));
    Fmu::open(&fmus.next().expect("an FMU was built"))
}

#[test]
fn a_parameter_set_through_fmi_acts_as_in_a_rebuilt_model() {
    for change in &CHANGES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let rebuilt = rebuild(change, folder.path());
        let original = Fmu::named(rebuilt.name());
        let run = Run::of(&original, original.stop_time() / 200.0);
        let starts = [(change.parameter, change.value)];
        let set = Run { starts: &starts, ..run.clone() }.co_simulation(&original);
        let built = run.co_simulation(&rebuilt);
        let default = run.co_simulation(&original);
        let what = format!("{}: {}", original.name(), change.parameter);
        assert_eq!(set.rows, built.rows, "{what}");
        assert_ne!(set.rows, default.rows, "{what} has no effect");
    }
}
