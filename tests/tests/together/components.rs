//! What is declared of components is what FMUs and the page say.

use std::collections::{BTreeMap, BTreeSet};

use coupler::declaration::{Declaration, Default};
use coupler::libraries::LIBRARIES;
use coupler_tests::root;
use equations::Model;

fn declarations() -> impl Iterator<Item = &'static Declaration> {
    LIBRARIES.iter().flat_map(|library| library.components.iter().copied())
}

#[test]
fn every_entry_has_a_name_a_text_and_a_unit() {
    for d in declarations() {
        assert!(!d.summary.is_empty(), "{}: no text", d.name);
        for p in d.parameters {
            assert!(!p.text.is_empty(), "{}.{}: no text", d.name, p.name);
            assert!(!p.text.ends_with('.') && !p.text.contains('\n'), "{}: {}", d.name, p.text);
        }
        for v in d.variables {
            assert!(!v.text.is_empty(), "{}.{}: no text", d.name, v.name);
        }
        for p in d.ports {
            assert!(!p.text.is_empty(), "{}.{}: no text", d.name, p.name);
        }
    }
}
