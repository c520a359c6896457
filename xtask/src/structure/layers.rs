//! The layers of a crate: modules in an order in which each one uses only those below it.
//!
//! Where modules that depend on each other keep some from being in a layer, the others have an
//! order all the same.

use super::map::{Crate, Layer};
use super::modules::{Modules, Segments, text};

/// Messages about the modules of a crate that are in no layer, and about uses that climb.
pub fn check(entry: &Crate, modules: &Modules) -> Vec<String> {
    let layers = (!entry.layers.is_empty()).then(|| climbs(entry.layers, modules));
    let findings = layers.into_iter().flatten().chain(against(entry.order, modules));
    findings.map(|finding| format!("{}: {finding}", entry.name)).collect()
}

fn climbs(layers: &[Layer], modules: &Modules) -> Vec<String> {
    let level = |module: &str| layers.iter().position(|layer| layer.module == module);
    let children = modules.children(&[]);
    let mut findings = Vec::new();
    for child in children.iter().filter(|child| level(child).is_none()) {
        findings.push(format!("{child} is in no layer"));
    }
    for layer in layers.iter().filter(|layer| !children.contains(&layer.module)) {
        findings.push(format!("there is no layer {}", layer.module));
    }
    // What the root itself defines is above all layers.
    let height = |path: &[String]| path.first().map_or(Some(layers.len()), |module| level(module));
    for (from, uses) in modules.direct() {
        for to in uses.iter().filter(|to| height(&from) < height(to)) {
            findings.push(format!("{} uses {}, which is above it", text(&from), text(to)));
        }
    }
    findings
}

/// Messages about modules that use one after them in an order.
fn against(order: &[&str], modules: &Modules) -> Vec<String> {
    let place = |module: &Segments| {
        let name = text(module);
        let is_below = |rest: &str| rest.is_empty() || rest.starts_with("::");
        order.iter().position(|first| name.strip_prefix(first).is_some_and(is_below))
    };
    let mut findings = Vec::new();
    for (from, uses) in modules.direct() {
        let late = |to: &&Segments| place(&from).is_some() && place(&from) < place(to);
        for to in uses.iter().filter(late) {
            findings.push(format!("{} uses {}, which comes later", text(&from), text(to)));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYERS: [Layer; 2] =
        [Layer { module: "data", content: "" }, Layer { module: "functions", content: "" }];

    fn climbs_of(texts: &[(&str, &str)]) -> Vec<String> {
        climbs(&LAYERS, &Modules::of_texts(texts))
    }

    #[test]
    fn a_use_that_climbs_is_refused() {
        let root = ("", "pub use functions::f;");
        let (data, functions) = ("pub struct D;", "use crate::data::D; pub fn f(d: D) {}");
        let legal = climbs_of(&[root, ("data", data), ("functions", functions)]);
        assert!(legal.is_empty(), "{legal:?}");
        for text in [
            "use crate::functions::f;",
            "fn g() { crate::f() }",
            "fn g() { super::super::functions::f() }",
            "use crate::functions; fn g() { functions::f() }",
            "a_macro! { crate::functions::f }",
        ] {
            let modules = [root, ("data", data), ("data::memory", text), ("functions", functions)];
            assert_eq!(climbs_of(&modules), ["data::memory uses functions, which is above it"]);
        }
    }

    #[test]
    fn what_the_root_defines_is_above_all_layers() {
        let found =
            climbs_of(&[("", "pub struct R;"), ("data", "use crate::R;"), ("functions", "")]);
        assert_eq!(found, ["data uses the root, which is above it"]);
    }

    #[test]
    fn modules_without_a_layer_and_layers_without_a_module_are_found() {
        let found = climbs_of(&[("", ""), ("data", ""), ("other", "")]);
        assert_eq!(found, ["other is in no layer", "there is no layer functions"]);
    }

    #[test]
    fn a_use_against_an_order_is_refused() {
        let order = ["data", "functions::pure"];
        let of = |text| {
            let modules = [("", ""), ("data", text), ("functions", ""), ("functions::pure", "")];
            against(&order, &Modules::of_texts(&modules))
        };
        assert!(of("use crate::functions;").is_empty());
        let found = of("use crate::functions::pure;");
        assert_eq!(found, ["data uses functions::pure, which comes later"]);
    }
}
