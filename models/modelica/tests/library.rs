//! The Modelica Standard Library, if `MODELICAPATH` names its folder.

use modelica::source::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mo") {
            found.push(path);
        }
    }
}

#[test]
fn all_texts_are_parsed() {
    let Some(folder) = std::env::var_os("MODELICAPATH") else {
        println!("skipped: MODELICAPATH is not set");
        return;
    };
    let mut files = Vec::new();
    texts(Path::new(&folder), &mut files);
    assert!(files.len() > 100, "{} files", files.len());
    for path in files {
        let text = std::fs::read_to_string(&path).expect("it is a text");
        let file = Rc::new(File { path, text });
        if let Err(complaints) = modelica::syntax::parse(&file) {
            panic!("{}", complaints[0].describe());
        }
    }
}
