//! What the description of a program says: dependencies, attributes, units.

use super::{compile, dependencies, slider_crank, variable};
use equations::description::VariableType;
use equations::{Ex, Model, emit, select, solve_linear};

#[test]
fn structure_lists_exactly_what_counts() {
    let d = compile(slider_crank).description().clone();
    assert_eq!(dependencies(&d, &d.outputs, "s"), ["phi"]);
    assert_eq!(dependencies(&d, &d.outputs, "phi"), ["phi"]);
    assert_eq!(d.outputs.len(), 2);
    let derivatives: Vec<&str> =
        d.derivatives.iter().map(|unknown| d.variables[unknown.index].name.as_str()).collect();
    assert_eq!(derivatives, ["w", "der(w)"]);
    assert_eq!(dependencies(&d, &d.derivatives, "w"), ["w"]);
    assert_eq!(dependencies(&d, &d.derivatives, "der(w)"), ["phi", "w", "tau"]);
    let unknowns: Vec<&str> =
        d.initial_unknowns.iter().map(|unknown| d.variables[unknown.index].name.as_str()).collect();
    assert_eq!(unknowns, ["s", "s0", "der(w)"], "exact states are no unknowns");
    assert_eq!(dependencies(&d, &d.initial_unknowns, "s0"), ["r", "l", "phi"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "der(w)"), ["r", "l", "J", "phi", "w", "tau"]);
}

#[test]
fn derivatives_are_named_marked_and_have_units() {
    let d = compile(slider_crank).description().clone();
    let (phi, _) = variable(&d, "phi");
    let (w, _) = variable(&d, "w");
    let marked = |name: &str| match &variable(&d, name).1.kind {
        VariableType::Real { derivative, unit, .. } => (*derivative, unit.clone().unwrap()),
        other => panic!("{other:?}"),
    };
    assert_eq!(marked("w"), (Some(phi), "rad/s".to_owned()));
    assert_eq!(marked("der(w)"), (Some(w), "rad/s2".to_owned()));
    let names: Vec<&str> = d.units.iter().map(|unit| unit.name.as_str()).collect();
    assert_eq!(names, ["m", "kg.m2", "rad", "rad/s", "N.m", "m/s", "W", "rad/s2", "s"]);
}

#[test]
fn a_discrete_input_counts_through_what_events_make_of_it() {
    let d = compile(|m| {
        let x = m.state("x", 0.0).done();
        let on = m.input("on", 0.0).boolean().done();
        let level = m.input("level", 0.0).done();
        let mode = m.discrete("mode", 0.0).integer().done();
        let high = m.relation("high", level - 1.0).done();
        m.update(mode, select(on.is_true() & high, 1.0, mode.pre()));
        m.derivative(x, mode.pre() + high.as_ex());
        m.output("mode_out", mode.pre()).integer();
    })
    .description()
    .clone();
    assert_eq!(dependencies(&d, &d.derivatives, "der(x)"), ["on"]);
    assert_eq!(dependencies(&d, &d.outputs, "mode_out"), ["on"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "mode_out"), ["on", "level"]);
    let (mode, out) = (variable(&d, "mode").1, variable(&d, "mode_out").1);
    assert_eq!(mode.value_reference, out.value_reference, "the same value is the same reference");
    assert_eq!(d.event_indicators, ["high"]);
}

#[test]
fn a_discrete_unknown_depends_on_what_its_relations_compare() {
    let program = compile(|m| {
        let limit = m.parameter("limit", 1.0).done();
        let x = m.state("x", 0.5).done();
        let y = m.state("y", 2.0).done();
        let u = m.input("u", 0.0).done();
        let on = m.input("on", 0.0).boolean().done();
        let below = m.relation("below", limit - x).done();
        let fast = m.relation("fast", u - y).active(below).done();
        let late = m.time_relation("late", limit);
        let mode = m.discrete("mode", 0.0).integer().done();
        m.update(mode, select(fast & on.is_true(), 1.0, mode.pre()));
        m.derivative(x, u + fast.as_ex());
        m.derivative(y, Ex::from(1.0));
        m.output("isBelow", below);
        m.output("isFast", fast);
        m.output("isLate", late);
        m.output("level", select(fast, 2.0, 3.0));
        m.output("modeOut", mode.pre()).integer();
        m.output("smooth", select(fast, x, 2.0 * x));
    });
    let d = program.description().clone();
    assert_eq!(dependencies(&d, &d.outputs, "isBelow"), ["x"]);
    assert_eq!(dependencies(&d, &d.outputs, "isFast"), ["x", "y", "u"]);
    assert!(dependencies(&d, &d.outputs, "isLate").is_empty());
    assert_eq!(dependencies(&d, &d.outputs, "level"), ["x", "y", "u"]);
    assert_eq!(dependencies(&d, &d.outputs, "modeOut"), ["on"], "only a new iteration changes it");
    assert_eq!(dependencies(&d, &d.outputs, "smooth"), ["x"], "as its derivatives");
    assert_eq!(dependencies(&d, &d.derivatives, "der(x)"), ["u"], "as its derivatives");
    assert_eq!(dependencies(&d, &d.initial_unknowns, "isBelow"), ["limit", "x"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "isFast"), ["limit", "x", "y", "u"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "isLate"), ["limit"]);
    let pattern = emit(&program).lines().find(|line| line.contains("jacobian:")).map(str::to_owned);
    assert_eq!(pattern.unwrap().trim(), "jacobian: &[&[], &[]],", "relations are frozen");
}

#[test]
fn columns_of_the_jacobian_last_if_their_entries_depend_on_parameters_and_modes_only() {
    let lasting = |derivatives: &dyn Fn(&mut Model, [Ex; 3]) -> [Ex; 3]| {
        let program = compile(|m| {
            let states = ["x", "y", "z"].map(|name| m.state(name, 1.0).done());
            let derivatives = derivatives(m, states);
            states.iter().zip(derivatives).for_each(|(&x, dx)| m.derivative(x, dx));
        });
        let info = program.taped().info;
        (info.lasting_columns, info.time_dependent)
    };
    let linear = lasting(&|m, [x, y, z]| {
        let k = m.parameter("k", 2.0).done();
        let u = m.input("u", 0.0).done();
        let fast = m.relation("fast", x - 1.0).done();
        [k.sqrt() * (y - x) / (1.0 + k * k), select(fast, k * z, u - z), -y + k]
    });
    assert_eq!(linear, (&[0, 1, 2][..], false));
    let some = lasting(&|m, [x, y, z]| {
        let u = m.input("u", 0.0).done();
        [y + z.sin(), u * x, x - y + m.time().cos()]
    });
    assert_eq!(some, (&[1][..], true), "z is curved, and x has a factor that changes");
    let linear_system = lasting(&|m, [x, y, z]| {
        let k = m.parameter("k", 2.0).done();
        let [a, b] = solve_linear(&[vec![k, 1.0.into()], vec![0.5.into(), k * k]], &[x, y])[..]
        else {
            unreachable!("two unknowns")
        };
        [a, b, z * z]
    });
    assert_eq!(linear_system, (&[0, 1][..], false));
    let divided = lasting(&|_, [x, y, z]| [x / (2.0 + y), z, y.abs()]);
    assert_eq!(divided, (&[2][..], false));
    let solved = lasting(&|m, [x, y, z]| {
        let k = m.parameter("k", 2.0).done();
        let s = Ex::symbol();
        let root = m.newton("block", &[s], &[s * s - k], &[k])[0];
        [root * x, y, z]
    });
    assert_eq!(solved, (&[1, 2][..], false), "the last bits of a root are those of its iteration");
}

/// The table of FMI 2.0 for causality, variability, `initial` and `start`.
#[test]
fn attributes_are_legal_combinations() {
    let d = compile(|m| {
        let a = m.parameter("a", 1.0).done();
        let b = m.parameter("b", 2.0).tunable().integer().done();
        m.constant("dozen", 12.0).describe("Constant");
        m.constant("dims", 3.0).integer();
        let x = m.state("x", 1.0).done();
        let u = m.input("u", 0.5).done();
        let n = m.input("n", 2.0).integer().done();
        m.derivative(x, u + n);
        m.output("xOut", x);
        m.output("four", 4.0);
        m.output("sum", a + b);
        m.local("twice", 2.0 * a);
        m.local("both", a * b);
        m.local("heard", n * 2.0).integer();
        m.exact("position", x + 1.0, 2.0);
        m.approx("guessed", x - 1.0, 0.3);
        let r = m.relation("r", x - 2.0).done();
        m.output("above", r);
        m.parameter("kind", 1.0).enumeration("Kind", &[(1, "A", ""), (2, "B", "b")]);
        m.calculated("c", a + x);
    })
    .description()
    .clone();
    let check = |name: &str, expected: (&str, &str, Option<&str>, bool)| {
        let v = variable(&d, name).1;
        let has_start = match &v.kind {
            VariableType::Real { start, .. } => start.is_some(),
            VariableType::Integer { start, .. } | VariableType::Enumeration { start, .. } => {
                start.is_some()
            }
            VariableType::Boolean { start } => start.is_some(),
        };
        let found = (v.causality.as_str(), v.variability.as_str(), v.initial.as_deref(), has_start);
        assert_eq!(found, expected, "{name}");
    };
    check("a", ("parameter", "fixed", Some("exact"), true));
    check("b", ("parameter", "tunable", Some("exact"), true));
    check("dozen", ("local", "fixed", Some("calculated"), false));
    check("dims", ("local", "fixed", Some("calculated"), false));
    check("x", ("local", "continuous", Some("exact"), true));
    check("der(x)", ("local", "continuous", Some("calculated"), false));
    check("u", ("input", "continuous", None, true));
    check("n", ("input", "discrete", None, true));
    check("xOut", ("output", "continuous", Some("calculated"), false));
    check("four", ("output", "continuous", Some("calculated"), false));
    check("sum", ("output", "discrete", Some("calculated"), false));
    check("twice", ("local", "fixed", Some("calculated"), false));
    check("both", ("local", "tunable", Some("calculated"), false));
    check("heard", ("local", "discrete", Some("calculated"), false));
    check("position", ("local", "continuous", Some("exact"), true));
    check("guessed", ("local", "continuous", Some("approx"), true));
    check("above", ("output", "discrete", Some("calculated"), false));
    check("kind", ("parameter", "fixed", Some("exact"), true));
    check("c", ("calculatedParameter", "fixed", Some("calculated"), false));
    check("solver.method", ("parameter", "fixed", Some("exact"), true));
    check("solver.steps", ("local", "discrete", Some("calculated"), false));
    assert_eq!(variable(&d, "x").1.value_reference, variable(&d, "xOut").1.value_reference);
    assert_eq!(d.description, "An example.");
    let initial: Vec<&str> =
        d.initial_unknowns.iter().map(|unknown| d.variables[unknown.index].name.as_str()).collect();
    assert_eq!(initial, ["xOut", "four", "sum", "above", "c", "der(x)"]);
}

#[test]
fn an_enumeration_can_be_set_to_its_items_only() {
    let text = emit(&compile(|m| {
        m.parameter("kind", 2.0).enumeration("Kind", &[(2, "A", ""), (5, "B", "")]);
    }));
    let line = text.lines().find(|line| line.contains("\"kind\"")).unwrap();
    assert!(line.contains("min: 2.0, max: 5.0"), "{line}");
}

#[test]
fn factors_that_modes_alone_change_are_computed_once_after_an_event() {
    // The solution of a system of four equations, which nothing but an indicator needs.
    let advanced = |of_modes: bool| {
        let program = compile(move |m| {
            let x = m.state("x", 0.5).done();
            m.derivative(x, 1.0);
            let mode = m.discrete("mode", 0.0).integer().done();
            m.update(mode, mode.pre());
            let varied = if of_modes { mode.pre() } else { x };
            let entry = |i: usize, j: usize| {
                if i == j { 5.0 + varied } else { Ex::from(((i + 2 * j) as f64).sin()) }
            };
            let matrix: Vec<Vec<Ex>> =
                (0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect();
            let solution = solve_linear(&matrix, &[x, Ex::one(), Ex::one(), Ex::one()]);
            m.relation("above", solution[0] - 1.0).done();
        });
        let [_, advance, _, relations, _] = program.statements();
        [advance, relations]
    };
    let [[lasting, rest], [none, all]] = [true, false].map(advanced);
    assert!(lasting > none, "{lasting} and {none} statements");
    assert_eq!(lasting + rest, none + all);
}
