//! The defaults of declarations are those of the standard library's texts.

use modelica::leaf::defaults::compare;
use modelica::library::Library;

/// Parameters whose defaults differ, each with the reason.
const DIFFERING: &[(&str, &str)] = &[(
    "Modelica.Mechanics.MultiBody.Joints.FreeMotion.enforceStates",
    "it only says which variables are preferred as states",
)];

#[test]
fn defaults_are_those_of_the_standard_library() {
    if std::env::var_os("MODELICAPATH").is_none() {
        println!("skipped: MODELICAPATH is not set");
        return;
    }
    let library = Library::new(Library::folders_of_environment());
    let (mut differing, mut number) = (Vec::new(), 0);
    let classes = libraries::LIBRARIES.iter().flat_map(|of| of.classes());
    for class in classes.filter(|of| !of.declaration.class.is_empty()) {
        let (found, compared) = compare(&library, class);
        number += compared;
        let is_known = |line: &String| DIFFERING.iter().any(|(name, _)| line.starts_with(name));
        differing.extend(found.into_iter().filter(|line| !is_known(line)));
    }
    println!("{number} defaults are compared");
    assert!(number > 100, "only {number} defaults are compared");
    assert!(differing.is_empty(), "{differing:#?}");
}
