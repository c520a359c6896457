//! Emits the code of every model, for the test that compares it with the tape.

use std::path::Path;
use std::{env, fs};

#[path = "src/models.rs"]
mod models;

fn main() {
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for model in models::ALL.iter().chain([&models::UNUSUAL]) {
        let text = format!("../models/{}/src/model.rs", model.package);
        for path in [text.as_str(), model.resources] {
            // What does not exist would always count as changed.
            if Path::new(path).exists() {
                println!("cargo::rerun-if-changed={path}");
            }
        }
        let program = model.program().unwrap_or_else(|error| panic!("{}: {error}", model.package));
        let path = Path::new(&folder).join(format!("{}.rs", model.package));
        fs::write(path, equations::emit(&program)).expect("the code is written");
    }
}
