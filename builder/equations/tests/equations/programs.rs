//! Tests of programs: values, initial values, events, structure, description.

use equations::description::{Description, Variable, VariableType};
use equations::{
    Ex, Interpreter, Model, Program, Stage, compile_named, differentiate, emit, evaluate, newton,
    null_space, select, solve_linear,
};
use program::Source;

fn compile(model: impl FnOnce(&mut Model)) -> Program {
    compile_named("Example", "An example.\n\nMore about it.", model).expect("a correct model")
}

fn variable<'a>(d: &'a Description, name: &str) -> (usize, &'a Variable) {
    let mut all = d.variables.iter().enumerate();
    all.find(|(_, v)| v.name == name).unwrap_or_else(|| panic!("no variable {name}"))
}

/// Names of the variables on which an entry of the structure depends.
fn dependencies(
    d: &Description,
    list: &[equations::description::Unknown],
    name: &str,
) -> Vec<String> {
    let (index, _) = variable(d, name);
    let entry = list.iter().find(|unknown| unknown.index == index);
    let entry = entry.unwrap_or_else(|| panic!("{name} is not listed"));
    assert!(entry.dependencies.is_sorted());
    entry.dependencies.iter().map(|&i| d.variables[i].name.clone()).collect()
}

/// A crank that drives a slider; position-like state `phi`, speed `w`, input `tau`.
fn slider_crank(m: &mut Model) {
    let r = m.parameter("r", 0.5).unit("m").done();
    let l = m.parameter("l", 1.5).unit("m").done();
    let inertia = m.parameter("J", 2.0).unit("kg.m2").tunable().done();
    let phi = m.state("phi", 0.3).unit("rad").display_unit("deg").as_output().done();
    let w = m.state("w", 1.0).unit("rad/s").nominal(10.0).done();
    let tau = m.input("tau", 0.25).unit("N.m").done();
    let (s, q) = (Ex::symbol(), Ex::symbol());
    let residuals = [r * phi.cos() + l * q.cos() - s, r * phi.sin() + l * q.sin()];
    let solution = m.newton("slider", &[s, q], &residuals, &[r + l, Ex::zero()]);
    let speed = differentiate(&solution, &[(phi, w)])[0];
    m.derivative(phi, w);
    m.derivative(w, (tau - 0.1 * speed) / inertia);
    m.output("s", solution[0]).unit("m");
    m.local("v", speed).unit("m/s");
    m.local("power", tau * w).unit("W");
    m.local("rodAngle", solution[1]).unit("rad");
    m.local("reach", r + l).unit("m");
    m.calculated("s0", solution[0]).unit("m");
}

#[test]
fn a_program_computes_what_its_expressions_say() {
    let mut run = Interpreter::new(compile(slider_crank));
    run.initialize().unwrap();
    assert_eq!(run.x, [0.3, 1.0]);
    let closed = |phi: f64| 0.5 * phi.cos() + (1.5_f64.powi(2) - (0.5 * phi.sin()).powi(2)).sqrt();
    assert!((run.c[0] - closed(0.3)).abs() < 1e-14);
    run.p[1] = 2.0;
    run.initialize().unwrap();
    let longer = 0.5 * 0.3_f64.cos() + (4.0 - (0.5 * 0.3_f64.sin()).powi(2)).sqrt();
    assert!((run.c[0] - longer).abs() < 1e-14, "a changed parameter counts");
    run.p[1] = 1.5;
    run.initialize().unwrap();
    run.initial = false;
    for (phi, w) in [(0.4, -2.0), (0.9, 3.0), (1.5, 1.0)] {
        run.x = vec![phi, w];
        run.realize().unwrap();
        run.anchor = run.z.clone();
        assert!((run.value_of("s").unwrap() - closed(phi)).abs() < 1e-14);
        let h = 1e-5;
        let speed = (closed(phi + h * w) - closed(phi - h * w)) / (2.0 * h);
        assert!((run.value_of("v").unwrap() - speed).abs() < 1e-9);
        assert_eq!(run.dx[0], w);
        assert!((run.dx[1] - (0.25 - 0.1 * speed) / 2.0).abs() < 1e-9);
        assert_eq!(run.value_of("power"), Some(0.25 * w));
        assert_eq!(run.value_of("reach"), Some(2.0));
    }
    assert_eq!(run.value_of("nothing"), None);
}

#[test]
fn a_program_has_the_bits_of_direct_evaluation() {
    let mut model = Model::new("Chain");
    let x: Vec<Ex> =
        (0..8).map(|i| model.state(&format!("x[{i}]"), 0.1 * f64::from(i)).done()).collect();
    let derivative = |i: usize| {
        let next = x[(i + 1) % 8];
        (x[i] * next).sin() - x[i].powi(3) / (next.square() + 1.0) + next.atan2(x[i] + 2.0)
    };
    let derivatives: Vec<Ex> = (0..8).map(derivative).collect();
    for (&x, &dx) in x.iter().zip(&derivatives) {
        model.derivative(x, dx);
    }
    let direct = evaluate(&derivatives, &mut |leaf| match leaf {
        equations::Leaf::State(i) => 0.1 * f64::from(i),
        _ => f64::NAN,
    });
    let mut run = Interpreter::new(model.compile().unwrap());
    run.initialize().unwrap();
    run.realize().unwrap();
    assert_eq!(run.dx, direct.unwrap());
}

#[test]
fn long_functions_are_cut_and_compute_the_same() {
    let long = |m: &mut Model| {
        let x = m.state("x", 0.5).done();
        let sum = (0..2500).fold(x, |sum, i| sum * 0.999 + (x * f64::from(i)).cos() * 1e-3);
        m.derivative(x, sum);
    };
    let program = compile(long);
    let text = emit(&program);
    let lengths = text.split("fn ").map(|function| function.matches("let ").count());
    assert!(lengths.max().unwrap() <= 250);
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.realize().unwrap();
    let expected = (0..2500)
        .fold(0.5, |sum, i| sum * 0.999 + kernels::Scalar::sin_cos(0.5 * f64::from(i)).1 * 1e-3);
    assert_eq!(run.dx[0].to_bits(), expected.to_bits());
}

#[test]
fn the_same_model_gives_the_same_text_whatever_was_traced_before() {
    let first = compile(slider_crank);
    let other = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x * x.cos() + m.time());
    });
    let again = compile(slider_crank);
    assert_eq!(emit(&first), emit(&again));
    assert_eq!(first.description(), again.description());
    assert_ne!(first.description().guid, other.description().guid);
    assert!(emit(&first).contains(&first.description().guid));
}

#[test]
fn a_value_is_computed_once_in_the_highest_stage_of_what_it_depends_on() {
    let program = compile(|m| {
        let a = m.parameter("a", 2.0).done();
        let x = m.state("x", 1.0).done();
        let v = m.state("v", 1.0).done();
        let u = m.input("u", 3.0).done();
        m.derivative(x, v);
        m.derivative(v, u * (x.sin() * a.sqrt()) + v * x);
        m.local("unneeded", x.exp());
    });
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.realize().unwrap();
    // Only invalidated stages are realized again.
    run.u[0] = 5.0;
    run.advance(Stage::Dynamics).unwrap();
    let expected = 5.0 * (1.0_f64.sin() * 2.0_f64.sqrt()) + 1.0;
    assert!((run.dx[1] - expected).abs() < 1e-15);
    run.x[0] = 0.0;
    run.advance(Stage::Position).unwrap();
    run.advance(Stage::Velocity).unwrap();
    run.advance(Stage::Dynamics).unwrap();
    assert_eq!(run.dx[1], 0.0);
    assert_eq!(run.value_of("unneeded"), Some(1.0));
}

#[test]
fn initial_values_may_build_on_each_other() {
    let program = compile(|m| {
        let a = m.parameter("a", 3.0).done();
        let c = m.calculated("c", 0.0).done();
        let x = m.state("x", 2.0).done();
        let y = m.state("y", 0.0).start_expr(x * c).done();
        let z = m.state("z", 0.7).guess().done();
        let guess = m.start_of(z).unwrap();
        m.start_expr(z, y + a + 0.0 * guess);
        m.derivative(x, c);
        m.derivative(y, x);
        m.derivative(z, y);
        m.output("late", x + z);
        m.define_calculated(c, a * 2.0);
    });
    let d = program.description().clone();
    let initial = |name: &str| variable(&d, name).1.initial.clone().unwrap();
    assert_eq!(initial("x"), "exact");
    assert_eq!(initial("y"), "calculated");
    assert_eq!(initial("z"), "approx");
    assert_eq!(initial("c"), "calculated");
    assert_eq!(dependencies(&d, &d.initial_unknowns, "y"), ["a", "x"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "late"), ["a", "x"]);
    assert_eq!(dependencies(&d, &d.initial_unknowns, "c"), ["a"]);
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    assert_eq!((run.c[0], &run.x[..]), (6.0, &[2.0, 12.0, 15.0][..]));
}

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
fn residuals_that_are_affine_functions_of_the_states_are_recognised() {
    let program = compile(|m| {
        let limit = m.parameter("limit", 4.0).done();
        let x = m.state("x", 0.5).done();
        let y = m.state("y", 2.0).done();
        let mode = m.discrete("mode", 1.0).integer().done();
        let far = m.relation("far", (x - 2.0 * y) / limit).done();
        let curved = m.relation("curved", x * y).done();
        let late = m.relation("late", x - m.time()).done();
        let residual = select(mode.pre().equals(1.0), 3.0 * y + limit, x * x);
        let switched = m.relation("switched", residual).done();
        m.update(mode, select(switched, 2.0, mode.pre()));
        m.derivative(x, far.as_ex() + curved.as_ex());
        m.derivative(y, late.as_ex());
    });
    let info = program.taped().info;
    let affine =
        |name: &str| info.relations.iter().find(|relation| relation.name == name).unwrap().affine;
    assert!(affine("curved").is_none() && affine("late").is_none());
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.initial = false;
    let mut coefficients = |name: &str, mode: f64| {
        run.m = vec![mode];
        run.realize().unwrap();
        let value = |source: Source| match source {
            Source::Constant(value) => value,
            Source::Advanced(i, _) => run.w[i as usize],
            _ => panic!("{source:?}"),
        };
        let affine = affine(name).unwrap();
        let list = affine.coefficients.iter().map(|&(state, of)| (state, value(of)));
        (value(affine.holds), list.collect::<Vec<_>>())
    };
    assert_eq!(coefficients("far", 1.0), (1.0, vec![(0, 0.25), (1, -0.5)]));
    assert_eq!(coefficients("switched", 1.0), (1.0, vec![(1, 3.0)]));
    assert_eq!(coefficients("switched", 2.0).0, 0.0);
}

#[test]
fn indicators_have_a_function_of_their_own_if_they_need_little() {
    let apart = |expensive_indicator: bool| {
        let program = compile(|m| {
            let x = m.state("x", 0.5).done();
            let y = m.state("y", 2.0).done();
            let force = (0..20).fold(x * y, |sum, k| (sum + f64::from(k)).sin());
            let residual = if expensive_indicator { force - y } else { x.cos() - y };
            let r = m.relation("r", residual).done();
            let s = m.relation("s", x).active(!r).done();
            m.derivative(x, force);
            m.derivative(y, r.as_ex() * y + s.as_ex());
        });
        program.taped().info.indicators_apart
    };
    assert!(apart(false));
    assert!(!apart(true));
}

#[test]
fn a_block_that_neither_derivatives_nor_events_need_is_deferred() {
    let with_consumer = |consumer: fn(&mut Model, Ex)| {
        let program = compile(|m| {
            let x = m.state("x", 0.5).done();
            let z = Ex::symbol();
            let root = m.newton("root", &[z], &[z + z.powi(3) - x], &[x])[0];
            let other = m.newton("other", &[z], &[2.0 * z + z.powi(3) - x], &[x])[0];
            m.derivative(x, -other);
            m.local("twice", 2.0 * root);
            consumer(m, root);
        });
        (program.taped().info.deferred, program)
    };
    let (deferred, program) = with_consumer(|_, _| ());
    assert_eq!(deferred, Some(Stage::Velocity));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    run.initial = false;
    for x in [0.5, 0.7, 1.0] {
        run.x[0] = x;
        run.realize().unwrap();
        run.anchor = run.z.clone();
        assert!((run.anchor[0] + run.anchor[0].powi(3) - x).abs() < 1e-14);
        let root = run.value_of("twice").unwrap() / 2.0;
        assert!((root + root.powi(3) - x).abs() < 1e-14, "{root}");
    }
    let needed: [fn(&mut Model, Ex); 3] = [
        |m, root| {
            let y = m.state("y", 0.0).done();
            m.derivative(y, root);
        },
        |m, root| _ = m.relation("high", root - 0.4).done(),
        |m, root| {
            let event = m.time_relation("late", Ex::from(1.0));
            let event = m.when("late", event);
            let n = m.discrete("n", 0.0).done();
            m.update(n, select(event, root, n.pre()));
        },
    ];
    for consumer in needed {
        assert_eq!(with_consumer(consumer).0, None);
    }
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

#[test]
fn equal_parts_are_emitted_once() {
    // A chain of springs and masses, each with its parameters.
    let statements = |parts: usize| {
        let text = emit(&compile(|m| {
            let mut before = Ex::zero();
            for part in 0..parts {
                let k = m.parameter(&format!("k[{part}]"), 1.0).done();
                let x = m.state(&format!("x[{part}]"), 0.0).done();
                let force = k * x;
                m.derivative(x, (before - force) / (1.0 + k * k));
                before = force;
            }
        }));
        text.lines().filter(|line| line.trim_start().starts_with("let v")).count()
    };
    assert_eq!(statements(11), 11 * 5, "a few parts are emitted one after the other");
    assert!(statements(50) < statements(11));
    assert!(statements(500) < 2 * 500);
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
fn an_edge_acts_in_one_event_iteration_only() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        let high = m.relation("high", x - 1.0).nominal(10.0).done();
        let late = m.time_relation("late", 2.0);
        let rises = m.when("rises", high);
        let count = m.discrete("count", 0.0).integer().done();
        m.update(count, count.pre() + rises.as_ex());
        m.derivative(x, 1.0);
        m.reinit(x, rises, x - 5.0);
        m.terminate_when(late);
    }));
    run.initialize().unwrap();
    run.initial = false;
    run.x[0] = 3.0;
    run.realize().unwrap();
    run.relations().unwrap();
    assert_eq!(run.d, [0.2, 2.0], "a residual is scaled, a time relation gives its instant");
    run.r = vec![true, false];
    run.realize().unwrap();
    let next = run.event().unwrap();
    assert_eq!((next.x[0], next.terminate), (-2.0, false));
    assert!(next.m.contains(&1.0));
    run.m = next.m.clone();
    run.r = vec![true, true];
    run.realize().unwrap();
    let again = run.event().unwrap();
    assert_eq!((again.m, again.x[0], again.terminate), (next.m, 3.0, true));
}

#[test]
fn during_initialization_there_are_no_edges() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        m.derivative(x, 1.0);
        let high = m.relation("high", x + 1.0).done();
        let rises = m.when("rises", high);
        m.reinit(x, rises, 7.0);
    }));
    run.initialize().unwrap();
    run.r[0] = true;
    run.realize().unwrap();
    let next = run.event().unwrap();
    assert_eq!((next.m[0], next.x[0]), (1.0, 0.0));
}

#[test]
fn inactive_relations_have_a_constant_negative_residual() {
    let mut run = Interpreter::new(compile(|m| {
        let x = m.state("x", 0.0).done();
        m.derivative(x, 1.0);
        let on = m.discrete("on", 0.0).boolean().done();
        m.relation("watched", x * 4.0).active(on.pre_bool()).done();
    }));
    run.initialize().unwrap();
    run.x[0] = 0.5;
    for (on, residual) in [(0.0, -1.0), (1.0, 2.0)] {
        run.m[0] = on;
        run.realize().unwrap();
        run.relations().unwrap();
        assert_eq!(run.d[0], residual);
    }
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
fn a_block_of_the_start_may_have_the_symbols_of_a_block_of_the_motion() {
    let program = compile(|m| {
        let x = m.state("x", 4.0).done();
        m.derivative(x, -x);
        let [s, q] = [Ex::symbol(), Ex::symbol()];
        let residuals = [s.square() - 2.0 * q, q - s];
        let start = newton("start", &[s, q], &residuals, &[3.0.into(), 3.0.into()])[0];
        let length: Ex = m.calculated("length", start).done();
        let motion = m.newton("motion", &[s], &[s * x - length], &[Ex::one()])[0];
        m.local("motion", motion);
    });
    assert!(emit(&program).contains("motion"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for (x, expected) in [(4.0, 0.5), (8.0, 0.25)] {
        run.x[0] = x;
        run.realize().unwrap();
        let value = run.value_of("motion").unwrap();
        assert!((value - expected).abs() < 1e-14, "{value}");
    }
}

#[test]
fn a_block_whose_jacobian_rests_is_solved() {
    // Four unknowns or more need a factorization, here of a constant matrix.
    let program = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x);
        let q: [Ex; 4] = std::array::from_fn(|_| Ex::symbol());
        let sum: Ex = q.iter().copied().sum();
        let residuals: Vec<Ex> =
            (0..4).map(|i| sum + q[i] * (x + f64::from(i as u8)) - f64::from(i as u8)).collect();
        let guesses = [Ex::zero(); 4];
        for (i, root) in m.newton("rests", &q, &residuals, &guesses).into_iter().enumerate() {
            m.local(&format!("q{i}"), root);
        }
    });
    assert!(emit(&program).contains("linear_factor"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for x in [1.0, 2.5] {
        run.x[0] = x;
        run.realize().unwrap();
        let q: Vec<f64> = (0..4).map(|i| run.value_of(&format!("q{i}")).unwrap()).collect();
        let sum: f64 = q.iter().sum();
        for (i, q) in q.iter().enumerate() {
            let i = i as f64;
            assert!((sum + q * (x + i) - i).abs() < 1e-13, "{q}");
        }
    }
}

#[test]
fn a_block_reads_the_root_of_another_one_that_begins_with_a_factorization() {
    let program = compile(|m| {
        let x = m.state("x", 1.0).done();
        m.derivative(x, -x);
        // Four unknowns or more need a factorization.
        let row = |i: usize| (0..4).map(|j| if i == j { x + 1.0 } else { 0.5.into() }).collect();
        let matrix: Vec<Vec<Ex>> = (0..4).map(row).collect();
        let sum: Ex = solve_linear(&matrix, &[x; 4]).into_iter().sum();
        let [s, z] = [Ex::symbol(), Ex::symbol()];
        let first = m.newton("first", &[s], &[s + s.powi(3) - sum], &[sum])[0];
        let second = m.newton("second", &[z], &[z + z.powi(3) - first], &[x])[0];
        m.local("second", second);
    });
    assert!(emit(&program).contains("linear_factor"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for x in [1.0, 3.5] {
        run.x[0] = x;
        run.realize().unwrap();
        let z = run.value_of("second").unwrap();
        let first = z + z.powi(3);
        let sum = 4.0 * x / (x + 2.5);
        assert!((first + first.powi(3) - sum).abs() < 1e-13, "{z}");
    }
}

#[test]
fn null_spaces_are_computed_outside_and_inside_of_blocks() {
    let rows = |x: Ex| -> Vec<Vec<Ex>> {
        let entry = |i: u8, j: u8| (x * f64::from(j + 1) + f64::from(i + j * j)).sin();
        (0..2).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect()
    };
    // The projection of a vector on the null space does not depend on the choice of the basis.
    let projection = |x: Ex| {
        let basis = null_space(&rows(x), 4);
        let product = |a: usize, b: usize| basis.iter().map(|row| row[a] * row[b]).sum::<Ex>();
        let normal = vec![vec![product(0, 0), product(0, 1)], vec![product(1, 0), product(1, 1)]];
        let weights = solve_linear(&normal, &basis[0]);
        basis[0][0] * weights[0] + basis[0][1] * weights[1]
    };
    let program = compile(|m| {
        let x = m.state("x", 0.3).done();
        m.derivative(x, -x);
        for (k, value) in null_space(&rows(x), 4).concat().into_iter().enumerate() {
            m.local(&format!("n{k}"), value);
        }
        let z = Ex::symbol();
        let root = m.newton("inside", &[z], &[4.0 * z + projection(z) - x], &[x])[0];
        m.local("z", root);
    });
    assert!(emit(&program).contains("linear_null_space::<S, 2, 4, 8, 8>"));
    let mut run = Interpreter::new(program);
    run.initialize().unwrap();
    for at in [0.3, 1.7, -2.2] {
        run.x[0] = at;
        run.realize().unwrap();
        let value = |x: f64, roots: &[Ex]| evaluate(roots, &mut |_| x).unwrap();
        let leaf = Ex::leaf(equations::Leaf::State(0));
        let expected = value(at, &null_space(&rows(leaf), 4).concat());
        for (k, expected) in expected.iter().enumerate() {
            let own = run.value_of(&format!("n{k}")).unwrap();
            assert_eq!(own.to_bits(), expected.to_bits());
        }
        let z = run.value_of("z").unwrap();
        let residual = 4.0 * z + value(z, &[projection(leaf)])[0] - at;
        assert!(residual.abs() < 1e-13, "{residual}");
    }
}
