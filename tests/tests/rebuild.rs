//! A parameter set through FMI does what the same value in the model text does.

use std::fs;
use std::path::Path;

use coupler_tests::crate_text::CrateText;
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, root};

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
    let original = root().join("models").join(change.package);
    let read = |name: &str| fs::read_to_string(original.join(name)).expect("the model's file");
    let text = read("src/model.rs");
    assert_eq!(text.matches(change.old).count(), 1, "{}: {}", change.package, change.old);
    let crate_text = CrateText {
        package: change.package,
        build: &read("build.rs"),
        export: &read("src/lib.rs"),
        model: &text.replace(change.old, change.new),
    };
    crate_text.build(folder)
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
