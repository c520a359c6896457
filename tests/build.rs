//! Emits the code of every model, which a test compares with the tape.
//!
//! Also changes some model texts; a test compares the changed texts with changed parameters.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use models::MODELS;

#[path = "src/changes.rs"]
#[allow(dead_code, reason = "what is set instead is for the test")]
mod changes;
#[path = "src/models.rs"]
mod texts;

fn main() {
    println!("cargo::rerun-if-changed=../models");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    write_emitted(&folder);
    write_changed(&folder);
}

/// Writes a module for each model, and a macro that passes their names to another macro.
fn write_emitted(folder: &Path) {
    let (mut modules, mut names) = (String::new(), String::new());
    for model in MODELS.models.iter().chain([&texts::UNUSUAL]) {
        let code = equations::emit(&texts::program(model));
        let _ = writeln!(modules, "pub mod {} {{\n{code}}}", model.name);
        let _ = write!(names, "{} ", model.name);
    }
    let names =
        format!("macro_rules! for_models {{ ($then:ident) => {{ $then! {{ {names}}} }}; }}\n");
    fs::write(folder.join("emitted.rs"), modules + &names).expect("the code is written");
}

/// Writes the changed model texts, in the order of the changes.
fn write_changed(folder: &Path) {
    let (mut modules, mut list) = (String::new(), String::new());
    for (i, change) in changes::CHANGES.iter().enumerate() {
        let model = MODELS.model(change.model).expect("the model of a change");
        assert_eq!(model.source.matches(change.old).count(), 1, "{}", change.old);
        let text = model.source.replace(change.old, change.new);
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("//!")).collect();
        let _ = writeln!(modules, "mod changed{i} {{\n{}\n}}", lines.join("\n"));
        let _ = writeln!(list, "|| fmu_builder::models::IntoText::into_text(changed{i}::model),");
    }
    let list = format!("const CHANGED: &[fn() -> fmu_builder::models::Text] = &[\n{list}];\n");
    fs::write(folder.join("changed.rs"), modules + &list).expect("the texts are written");
}
