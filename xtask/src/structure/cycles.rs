//! Cycles of modules, which depend on each other and must be read together.

use std::collections::BTreeSet;

use super::modules::{Modules, Segments, Uses, text};

/// Maximum number of modules in a cycle.
const LARGEST: usize = 4;

/// Messages about the cycles of a crate that are too large.
pub fn check(name: &str, modules: &Modules) -> Vec<String> {
    let direct = modules.direct();
    let mut findings = Vec::new();
    for cycle in cycles(&direct).into_iter().filter(|cycle| cycle.len() > LARGEST) {
        findings.push(format!("{name}: a cycle of {} modules:", cycle.len()));
        for module in &cycle {
            let uses = direct[module].iter().filter(|used| cycle.contains(used)).map(text);
            let uses: Vec<String> = uses.collect();
            findings.push(format!("  {} uses {}", text(module), uses.join(", ")));
        }
    }
    findings
}

/// The sets of modules that depend on each other.
fn cycles(direct: &Uses) -> Vec<Vec<Segments>> {
    let reached: Uses = direct.keys().map(|n| (n.clone(), reach(n, direct))).collect();
    let mut left: BTreeSet<&Segments> = direct.keys().collect();
    let mut cycles = Vec::new();
    while let Some(first) = left.pop_first() {
        let mutual = |n: &Segments| reached[first].contains(n) && reached[n].contains(first);
        let others: Vec<&Segments> = left.iter().copied().filter(|n| mutual(n)).collect();
        left.retain(|n| !others.contains(n));
        if !others.is_empty() {
            cycles.push([first].into_iter().chain(others).cloned().collect());
        }
    }
    cycles
}

/// All modules on which a module depends directly or indirectly.
fn reach(from: &Segments, direct: &Uses) -> BTreeSet<Segments> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in &direct[module] {
            if reached.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles_of(texts: &[(&str, &str)]) -> Vec<Vec<String>> {
        let cycles = cycles(&Modules::of_texts(texts).direct());
        cycles.iter().map(|cycle| cycle.iter().map(text).collect()).collect()
    }

    #[test]
    fn a_cycle_goes_through_re_exports_to_the_module_that_defines() {
        let cycles = cycles_of(&[
            ("", "pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub use c::C; pub struct B;"),
            ("b::c", "pub struct C; fn f() { crate::A::new() }"),
            ("d", "use crate::b::C; struct D(C);"),
        ]);
        assert!(cycles.is_empty(), "{cycles:?}: `b` itself uses nothing");
        let cycles = cycles_of(&[
            ("", "pub use a::A;"),
            ("a", "use crate::b::B; pub struct A(B);"),
            ("b", "pub struct B(c::C);"),
            ("b::c", "pub struct C; fn f() { crate::A::new() }"),
        ]);
        assert_eq!(cycles, [["a", "b", "b::c"]]);
    }

    #[test]
    fn tests_and_definitions_in_other_crates_do_not_count() {
        let cycles = cycles_of(&[
            ("a", "use super::b::B; use other::C; pub struct A(B, C);"),
            ("b", "pub struct B; #[cfg(test)] mod tests { use crate::a::A; }"),
            ("", "pub struct C;"),
        ]);
        assert!(cycles.is_empty(), "{cycles:?}");
    }

    #[test]
    fn uses_in_macros_count() {
        let cycles = cycles_of(&[
            ("a", "component! { pub struct A { n: Real } law { super::b::f() } }"),
            ("b", "use crate::a::*; pub fn f() { A::new() }"),
            ("", ""),
        ]);
        assert_eq!(cycles, [["a", "b"]]);
    }
}
