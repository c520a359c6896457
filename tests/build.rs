//! Emits the code of every model, for the test that compares it with the interpreter.

use std::path::Path;
use std::{env, fs};

#[path = "src/models.rs"]
mod models;

fn main() {
    let folder = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    for model in models::ALL {
        println!("cargo::rerun-if-changed=../models/{}/src/model.rs", model.package);
        if Path::new(model.resources).is_dir() {
            println!("cargo::rerun-if-changed={}", model.resources);
        }
        let program = model.program().unwrap_or_else(|error| panic!("{}: {error}", model.package));
        let path = Path::new(&folder).join(format!("{}.rs", model.package));
        fs::write(path, equations::emit(&program)).expect("the code is written");
    }
}
