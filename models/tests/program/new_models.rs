//! A new model from either template can be built and run at once.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::fixture::{fmu, names, repository, succeeded};

/// Creates a package in a folder, with a first model of the same name; returns the package's
/// folder.
fn package(folder: &Path, name: &str) -> PathBuf {
    let mut new = fmu(folder, &["new", name]);
    new.env("GIT_CONFIG_COUNT", "2");
    new.env("GIT_CONFIG_KEY_0", "user.name").env("GIT_CONFIG_VALUE_0", "A. Person");
    new.env("GIT_CONFIG_KEY_1", "user.email").env("GIT_CONFIG_VALUE_1", "a@person.example");
    succeeded(new.output().unwrap());
    let package = folder.join(name);
    // The same as in the repository, so that libraries compiled for one are there for the other.
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let profiles = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let begin = |text: &str| text.find("[profile.").unwrap();
    let manifest = manifest[..begin(&manifest)].to_owned() + &profiles[begin(&profiles)..];
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    // The versions of the packages on which it depends are also the same.
    let lock = |folder: &Path| fs::read_to_string(folder.join("Cargo.lock")).unwrap();
    assert_eq!(lock(&package), lock(repository()));
    package
}

/// Runs the package's program, compiled again if a file has changed.
fn output<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Output {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    Command::new(cargo)
        .args(["run", "--quiet", "--"])
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .unwrap()
}

fn succeed<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> String {
    succeeded(output(folder, arguments))
}

#[test]
fn new_models_build_and_run_immediately() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "machines");
    let message = succeed(folder, &["new", "my_drive"]);
    assert!(message.ends_with("\ntry: cargo run -- run my_drive --interpreted\n"), "{message}");
    succeed(&folder.join("src"), &["new", "swing", "--equations"]);
    assert_eq!(
        names(&folder.join("src")),
        ["lib.rs", "machines.rs", "main.rs", "my_drive.rs", "swing.rs"]
    );
    assert_eq!(output(folder, &["new", "swing"]).status.code(), Some(1));

    for (name, fmi_name) in [("my_drive", "MyDrive"), ("swing", "Swing")] {
        succeed(folder, &["run", name]);
        let results = names(&folder.join("target/fmu"));
        for file in
            [format!("{fmi_name}.fmu"), format!("{fmi_name}.csv"), format!("{fmi_name}.svg")]
        {
            assert!(results.contains(&file), "{file}: {results:?}");
        }
        let file = folder.join(format!("target/fmu/{fmi_name}.fmu"));
        succeed(folder, &["check".as_ref(), file.as_os_str()]);
        // The user is its author, and has stated no licence.
        let description = entry(&file, "modelDescription.xml");
        assert!(description.contains("author=\"A. Person &lt;a@person.example&gt;\""));
        assert!(!description.contains("license="));
        let terms = entry(&file, "documentation/licenses/license.txt");
        assert!(terms.contains("No license is stated for the model itself."), "{terms}");
    }
}

/// A text file of an FMU.
fn entry(fmu: &Path, name: &str) -> String {
    let mut archive = zip::ZipArchive::new(fs::File::open(fmu).unwrap()).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

#[test]
fn a_package_has_the_author_and_the_licence_that_the_user_states() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let of = ["--author", "A. Person", "--license", "MIT OR Apache-2.0"];
    let message = succeeded(fmu(folder, &[&["new", "pump"][..], &of].concat()).output().unwrap());
    let try_it = "try: cd pump && cargo run -- run pump --interpreted";
    assert_eq!(message, format!("pump\nauthor: A. Person\nlicense: MIT OR Apache-2.0\n{try_it}\n"));
    let manifest = fs::read_to_string(folder.join("pump/Cargo.toml")).unwrap();
    let facts = "authors = [\"A. Person\"]\nlicense = \"MIT OR Apache-2.0\"\n";
    assert!(manifest.contains(facts), "{manifest}");
    // It uses what was compiled for this repository.
    let settings = fs::read_to_string(folder.join("pump/.cargo/config.toml")).unwrap();
    let compiled = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().display().to_string();
    assert!(settings.contains(&format!("build-dir = \"{compiled}\"")), "{settings}");
    // Inside a package, a new model belongs to the package, whichever program creates it.
    let package = folder.join("pump");
    succeeded(fmu(&package.join("src"), &["new", "valve"]).output().unwrap());
    assert!(package.join("src/valve.rs").is_file() && !package.join("src/valve").exists());
    let list = fs::read_to_string(package.join("src/lib.rs")).unwrap();
    assert!(list.contains("    pump,\n    valve,\n"), "{list}");
    let refused = |folder: &Path, arguments: &[&str]| {
        let output = fmu(folder, arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let message = refused(&package, &["new", "gate", "--license", "MIT"]);
    assert!(message.contains("gate would be a model of the package in "), "{message}");
    fs::write(package.join("src/lib.rs"), "//! No models.\n").unwrap();
    let message = refused(&package, &["new", "gate"]);
    assert!(message.contains("src/lib.rs: it has no list `models! {`"), "{message}");
    let message = refused(folder, &["new", "crane", "--license", "all mine"]);
    assert!(message.contains("the licence `all mine` is not an SPDX expression"), "{message}");
    assert_eq!(names(folder), ["pump"]);
}

#[test]
fn a_model_text_that_ends_the_process_is_named() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "quitter");
    let text = "use coupler::prelude::*;\n\npub fn model(_: &mut Assembly) {\n    \
                std::process::exit(0);\n}\n";
    fs::write(folder.join("src/quitter.rs"), text).unwrap();
    for command in ["build", "run"] {
        let output = output(folder, &[command, "quitter", "--interpreted"]);
        assert_eq!(output.status.code(), Some(1), "{command}");
        let message = String::from_utf8(output.stderr).unwrap();
        let sentence = "fmu: the text of the model quitter ended its process: exit status: 0\n";
        assert_eq!(message, sentence, "{command}");
    }
}

#[test]
fn the_compiler_says_what_cannot_be_connected() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "wrong");
    let text = "use coupler::prelude::*;\nuse coupler::{multibody, rotational::*};\n\n\
                pub fn model(m: &mut Assembly) {\n    \
                let t = m.add(\"t\", CombiTimeTable::new().rows([[0, 1]]));\n    \
                let wheel = m.add(\"wheel\", Inertia::new().J(1));\n    \
                let torque = m.add(\"torque\", Torque::new());\n    \
                let world = m.add(\"world\", multibody::World::new());\n    \
                m.connect(t.y, torque.tau);\n    m.connect(torque.tau, t.y);\n    \
                m.connect(wheel.flange_a, world.frame_b);\n    m.connect(wheel.w, torque.flange);\n    \
                m.outputs([t.y]);\n    m.output(\"x\", wheel.flange_a);\n    \
                m.chain((t.y, torque.tau));\n    m.connect(wheel.flanges, torque.flange);\n    \
                m.add(\"number\", 3.0);\n}\n";
    fs::write(folder.join("src/wrong.rs"), text).unwrap();
    let output = output(folder, &["run", "wrong"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let modules =
        ["coupler::assembly::", "coupler::prelude::", "coupler::rotational::", "coupler::"];
    let short = modules.iter().fold(message.clone(), |short, module| short.replace(module, ""));
    for sentence in [
        "a port of the kind `Elements<Quantity>` cannot be connected with one of the kind",
        "a port of the kind `Input` cannot be connected with one of the kind `Elements<Quantity>`",
        "a port of the kind `Flange` cannot be connected with one of the kind `Frame`",
        "a port of the kind `Quantity` cannot be connected with one of the kind `Flange`",
        "are connected one by one: `table.y(1)`",
        "`Elements<Quantity>` is not a variable that can be an output",
        "`Flange` is not a variable that can be an output",
        "`Elements<Quantity>` does not have two ends by which a chain could connect it",
        "`{float}` is not a component",
        "no field `flanges` on type `InertiaPorts`",
    ] {
        assert!(short.contains(sentence), "{sentence}: {message}");
    }
    assert!(!message.contains("Nothing"), "{message}");
}

#[test]
fn files_that_a_model_generates_are_in_the_fmu_as_long_as_it_generates_them() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "scenes");
    succeed(folder, &["new", "my_drive"]);
    let file = folder.join("src/my_drive.rs");
    let plain = fs::read_to_string(&file).unwrap();
    let scene = plain.replace("    m.stop_time", "    m.scene();\n    m.stop_time");
    assert_ne!(scene, plain);
    for (text, there) in [(&scene, true), (&plain, false)] {
        fs::write(&file, text).unwrap();
        succeed(folder, &["build", "my_drive"]);
        let fmu = fs::File::open(folder.join("target/fmu/MyDrive.fmu")).unwrap();
        let archive = zip::ZipArchive::new(fmu).unwrap();
        assert_eq!(archive.index_for_name("resources/scene.json").is_some(), there);
    }
}

#[test]
fn the_description_of_an_output_is_in_the_model_description() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "described");
    succeed(folder, &["new", "my_drive"]);
    let file = folder.join("src/my_drive.rs");
    let text = fs::read_to_string(&file).unwrap();
    let output = "m.output(\"w_load\", load.w)";
    assert!(text.contains(output), "{text}");
    let described = format!("{output}.describe(\"Speed of the drum\")");
    fs::write(&file, text.replace(output, &described)).unwrap();
    succeed(folder, &["build", "my_drive"]);
    let xml = entry(&folder.join("target/fmu/MyDrive.fmu"), "modelDescription.xml");
    let of = |name: &str| {
        let variable = xml.lines().find(|line| line.contains(&format!("name=\"{name}\"")));
        variable.unwrap_or_else(|| panic!("no {name} in\n{xml}")).to_owned()
    };
    assert!(of("w_load").contains("description=\"Speed of the drum\""), "{}", of("w_load"));
    // Without a description, an output has that of its variable.
    assert!(!of("w_motor").contains("Speed of the drum"), "{}", of("w_motor"));
}

#[test]
fn ports_and_values_of_the_wrong_kind_are_explained_by_the_compiler() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "mistaken");
    let text = "use coupler::prelude::*;\nuse coupler::{rotational as r, translational as t};\n\n\
                pub fn model(m: &mut Assembly) {\n    \
                let angle = m.parameter(\"angle\", 1, \"rad\", \"Angle\");\n    add! { m,\n        \
                wheel: r::Inertia::new().J(1).phi(0),\n        \
                other: r::Inertia::new().J(1).phi(fixed(angle)),\n        \
                mass: t::Mass::new().m(1),\n    }\n    m.chain((wheel, mass));\n}\n";
    fs::write(folder.join("src/mistaken.rs"), text).unwrap();
    let message = output(folder, &["build", "mistaken"]).stderr;
    let message = String::from_utf8(message).unwrap();
    for explained in [
        "`coupler::prelude::Flange` cannot be connected with one of the kind \
         `coupler::prelude::TranslationalFlange`\n",
        "`IdealGearR2T` connects the first two",
        "error[E0277]: `{integer}` is not a value for a parameter of the kind `coupler::prelude::Start`\n",
        "a start value, of the kind `Start`, is `fixed(0)`, `guess(0)` or `free()`",
        "error[E0277]: a start value is a number, not a `",
        "an `InitializeFlange` takes an initial condition from a signal",
    ] {
        assert!(message.contains(explained), "{explained}: {message}");
    }
}

#[test]
fn a_failure_of_a_new_model_is_explained_in_one_sentence() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = &package(temporary.path(), "stuck_machines");
    succeed(folder, &["new", "stuck", "--equations"]);
    let refusal = |arguments: &[&str]| {
        let output = output(folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    succeed(folder, &["build", "stuck"]);
    // If the wall is above the ground, the pendulum comes to rest after infinitely many impacts.
    let run = ["run", "target/fmu/Stuck.fmu", "--set", "phi_wall=0.5", "--no-plot"];
    let message = refusal(&run);
    assert!(message.contains("events follow one another without progress"), "{message}");
    assert_eq!(message.matches("t=").count() + message.matches("t = ").count(), 1, "{message}");
    let message = refusal(&[&run[..], &["--me"]].concat());
    assert!(message.contains("200 state events follow each other within"), "{message}");
    let (message, end) = message.trim_end().rsplit_once("; target/fmu/Stuck.csv ends at ").unwrap();
    assert!(end.ends_with(" s"), "{end}");
    let relation = message.rsplit_once(" (").map(|(_, change)| change);
    assert!(
        relation.is_some_and(|change| change.contains(": ") && change.ends_with(')')),
        "{message}"
    );

    let file = folder.join("src/stuck.rs");
    let text = fs::read_to_string(&file).unwrap();
    // The solution becomes infinite after a second.
    let escape = "use coupler::equations::Model;\n\npub fn model(m: &mut Model) {\n    \
                  let x = m.state(\"x\", 1.0).unit(\"m\").done();\n    m.derivative(x, x * x);\n    \
                  m.stop_time(2.0);\n}\n";
    fs::write(&file, escape).unwrap();
    succeed(folder, &["build", "stuck"]);
    for fmu_type in ["--cs", "--me"] {
        let message = refusal(&["run", "target/fmu/Stuck.fmu", fmu_type, "--no-plot"]);
        assert!(message.contains("x changes ") && message.contains("it has reached "), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    // An expression that is not a number yet is compared.
    for compared in ["x > 0.5", "x < y", "std::cmp::max(x, y).is_true()"] {
        let choice = format!("if {compared} {{ 1.0 }} else {{ 2.0 }}");
        let text =
            escape.replace("x * x", &choice).replace("    m.der", "    let y = x;\n    m.der");
        fs::write(&file, text).unwrap();
        // The compiler reports it.
        let output = output(folder, &["build", "stuck"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(
            message.contains("an expression has no value while a model is written"),
            "{message}"
        );
        assert!(message.contains("x.gt(y)"), "{message}");
    }
    fs::write(&file, text.replace(".unit(\"rad/s\")", ".unit(\"furlong\")")).unwrap();
    let message = refusal(&["build", "stuck"]);
    assert!(message.starts_with("fmu: stuck: ") && message.contains("furlong"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}
