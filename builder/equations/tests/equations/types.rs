//! Tests of the types of variables and of their value references.

use std::collections::BTreeMap;

use equations::description::{Description, Variable, VariableType};
use equations::{Bool, Booleans, Model, StartsAs, compile_named, select};

fn described(model: impl FnOnce(&mut Model)) -> Description {
    compile_named("Example", "", model).expect("a correct model").description().clone()
}

fn variable<'a>(d: &'a Description, name: &str) -> &'a Variable {
    d.variables.iter().find(|v| v.name == name).expect("the variable")
}

/// A setter of the wrong type must not reach another variable.
#[test]
fn variables_of_different_types_share_no_value_reference() {
    let d = described(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x);
        let above = m.relation("r", x - 0.5).done();
        m.output("above", above);
        m.output("count", select(above, 1.0, 2.0)).integer();
        m.parameter("kind", 1.0).enumeration("Kind", &[(1, "A", ""), (2, "B", "b")]);
        m.local("again", x);
    });
    let mut types = BTreeMap::new();
    for v in &d.variables {
        let first = *types.entry(v.value_reference).or_insert(v.kind.base());
        assert_eq!(v.kind.base(), first, "{} has reference {}", v.name, v.value_reference);
    }
    let references: Vec<u32> = types.into_keys().collect();
    assert_eq!(references, (0..references.len() as u32).collect::<Vec<u32>>());
    assert_eq!(variable(&d, "x").value_reference, variable(&d, "again").value_reference);
}

#[test]
fn local_booleans_are_integers_unless_booleans_are_wanted() {
    let kinds = |booleans: Option<Booleans>| {
        let d = described(|m| {
            if let Some(booleans) = booleans {
                m.booleans(booleans);
            }
            let x = m.state("x", 1.0).done();
            m.derivative(x, -x);
            let above = m.relation("r", x - 0.5).done();
            m.local("inside", above);
            m.output("above", above);
            m.local("always", Bool::constant(true));
            m.parameter("wanted", 1.0).boolean();
        });
        ["inside", "always", "above", "wanted"].map(|name| variable(&d, name).kind.clone())
    };
    let integer = VariableType::Integer { start: None, min: Some(0), max: Some(1) };
    let boolean = VariableType::Boolean { start: None };
    let wanted = VariableType::Boolean { start: Some(true) };
    let usual = [integer.clone(), integer, boolean.clone(), wanted.clone()];
    assert_eq!(kinds(None), usual);
    assert_eq!(kinds(Some(Booleans::Integer)), usual);
    let all = [boolean.clone(), boolean.clone(), boolean, wanted];
    assert_eq!(kinds(Some(Booleans::Boolean)), all);
}

#[test]
fn start_values_that_are_initial_values_are_parameters_if_these_are_wanted() {
    let with = |starts: StartsAs| {
        described(|m| {
            m.starts(starts);
            let x = [1, 2].map(|k| m.state(&format!("x[{k}]"), f64::from(k)).unit("m").done());
            x.into_iter().for_each(|x| m.derivative(x, -x));
            m.output("y", x[0] * x[1]);
            let guess = m.approx("near", x[0] + 1.0, 2.0).done();
            let z = m.state("z", 0.0).start_expr(guess).done();
            m.derivative(z, -z);
        })
    };
    let (usual, parameters) = (with(StartsAs::Variables), with(StartsAs::Parameters));
    let real = |d: &Description, name: &str| {
        let v = variable(d, name);
        let VariableType::Real { start, unit, .. } = &v.kind else { panic!("{name} is no Real") };
        (v.causality.clone(), v.initial.clone(), *start, unit.clone())
    };
    let text = |text: &str| Some(text.to_owned());
    let of = |causality: &str| (causality.to_owned(), text("exact"), Some(2.0), text("m"));
    assert_eq!(real(&usual, "x[2]"), of("local"));
    assert_eq!(real(&parameters, "x[2]").1, text("calculated"));
    assert_eq!(real(&parameters, "start.x[2]"), of("parameter"));
    assert_eq!(real(&parameters, "near"), real(&usual, "near"), "a guess remains one");
    let names =
        |d: &Description| d.variables.iter().filter(|v| v.name.starts_with("start.")).count();
    assert_eq!([names(&usual), names(&parameters)], [0, 2]);
}
