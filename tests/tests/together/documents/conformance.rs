//! Tests that every requirement of FMI 2.0 and every capability flag has a test, and that the
//! document names it.

use coupler_tests::conformance::{FmiRequirement, document, proofs, requirements};
use coupler_tests::{Fmu, root};

#[test]
fn every_requirement_has_a_test_besides_our_own_checker_or_a_reason() {
    let (requirements, proofs) = (requirements(), proofs());
    let count = |letter: char| requirements.keys().filter(|n| n.starts_with(letter)).count();
    assert_eq!(['A', 'B', 'C', 'D'].map(count), [96, 41, 80, 24], "the 241 requirements");
    let without = |(number, requirement): (&String, &FmiRequirement)| {
        let proven = proofs.are_independent(number) || requirement.reason.is_some();
        (!proven).then(|| format!("{number} {}", requirement.text))
    };
    let missing: Vec<String> = requirements.iter().filter_map(without).collect();
    let message = "without reason, and without test but our own checker";
    assert!(missing.is_empty(), "{message}:\n{}", missing.join("\n"));
}

#[test]
fn every_declared_capability_has_a_test() {
    let (requirements, proofs) = (requirements(), proofs());
    for fmu in Fmu::all() {
        let description = &fmu.description;
        for interface in
            [&description.model_exchange, &description.co_simulation].into_iter().flatten()
        {
            let declared = interface.attributes.iter().filter(|(name, value)| {
                *name != "modelIdentifier" && !matches!(value.as_str(), "false" | "0")
            });
            for (flag, value) in declared {
                assert!(
                    proofs.ours.contains_key(flag),
                    "{}: {flag} = {value}: no test",
                    fmu.name()
                );
            }
        }
    }
    // Every name is that of a requirement or a flag, without spelling mistakes.
    let fmu = &Fmu::all()[0].description;
    let interfaces = [&fmu.model_exchange, &fmu.co_simulation]
        .map(|interface| &interface.as_ref().expect("both FMU types").attributes);
    for name in proofs.ours.keys().chain(proofs.checker.keys()) {
        let known =
            requirements.contains_key(name) || interfaces.iter().any(|k| k.contains_key(name));
        assert!(known, "{name} is neither a requirement nor a flag");
    }
}

#[test]
fn the_document_agrees_with_the_tests() {
    let path = root().join("docs/conformance.md");
    let text = document(&requirements(), &proofs());
    if std::env::var_os("COUPLER_BLESS").is_some() {
        std::fs::write(&path, &text).expect("the document is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "docs/conformance.md: `cargo xtask bless` writes it again");
}
