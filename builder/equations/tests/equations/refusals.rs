//! Tests that wrong models are refused with a message that names the variable.

use equations::{Error, Ex, Experiment, Model, compile_named, newton, select};

fn refusal(model: impl FnOnce(&mut Model)) -> Error {
    compile_named("Wrong", "Wrong.", model).expect_err("the model is wrong")
}

/// A correct model to which one mistake is added.
fn state(m: &mut Model) -> Ex {
    let x = m.state("x", 1.0).done();
    m.derivative(x, -x);
    x
}

#[test]
fn names_follow_the_convention_and_are_unique() {
    for name in ["a b", "1a", "a.der(x)", "ä", "a[1, 2]", ""] {
        let error = refusal(|m| {
            state(m);
            m.parameter(name, 1.0);
        });
        assert!(matches!(error, Error::Name(_)), "{name}: {error}");
    }
    for (name, whose) in [
        ("x", "a state"),
        ("time", "the independent variable"),
        ("der(x)", "a local variable (Derivative of x)"),
        (
            "solver.step",
            "a parameter (Largest step of the methods with fixed steps, which divide a \
             communication step into equal steps; 0: one step)",
        ),
        (
            "solver.steps",
            "a local variable (Accepted steps of the solver, since the start of Co-Simulation)",
        ),
    ] {
        let error = refusal(|m| {
            state(m);
            m.parameter(name, 1.0).describe("Mine");
        });
        let [one, other] = [whose, "a parameter (Mine)"].map(|whose| format!("by {whose}"));
        let answer = |one, other| format!("{name}: the name is used twice, {one} and {other}");
        let answer = [answer(&one, &other), answer(&other, &one)];
        assert!(answer.contains(&error.to_string()), "{error}");
    }
    let error = refusal(|m| {
        let x = state(m);
        m.parameter("ball", 1.0);
        m.output("ball.phi", x).done();
    });
    let sentence = "ball: the name is used twice, by a parameter and by the component of ball.phi";
    assert_eq!(error.to_string(), sentence);
    let error = refusal(|m| {
        let x = state(m);
        m.relation("late", x).done();
        m.relation("late", x - 1.0).done();
    });
    assert_eq!(error.to_string(), "late: the name is used twice, by a relation and by another one");
    let error = refusal(|m| {
        state(m);
        for _ in 0..2 {
            let z = Ex::symbol();
            m.newton("root", &[z], &[z * z - 2.0], &[Ex::one()]);
        }
    });
    let sentence = "root: the name is used twice, by a block of equations and by another one";
    assert_eq!(error.to_string(), sentence);
    // OpenModelica replaces dots, brackets, commas and blanks by underscores.
    for (one, other, imported) in [
        ("ball_phi", "ball.phi", "ball_phi"),
        ("a_1_", "a[1]", "a_1_"),
        ("der_x_", "der(x)", "der_x_"),
        ("solver_steps", "solver.steps", "solver_steps"),
    ] {
        let error = refusal(|m| {
            let x = state(m);
            m.output(one, x).done();
            if !["der(x)", "solver.steps"].contains(&other) {
                m.output(other, x).done();
            }
        });
        let start = format!("{other}: OpenModelica imports this variable and {one} under one name");
        let sentence = error.to_string();
        assert!(sentence.starts_with(&format!("{start}, {imported}, so ")), "{sentence}");
    }
    let error = compile_named("two words", "", |m| {
        state(m);
    });
    assert!(matches!(error, Err(Error::Name(_))));
}

#[test]
fn every_state_has_one_derivative() {
    let error = refusal(|m| {
        m.state("x", 1.0);
    });
    assert_eq!(error.to_string(), "x: the derivative is missing");
    let error = refusal(|m| {
        let x = state(m);
        m.derivative(x, 1.0);
    });
    assert_eq!(error.to_string(), "x: the derivative is given twice");
    let error = refusal(|m| {
        let p = m.parameter("p", 1.0).done();
        m.derivative(p, 1.0);
    });
    assert_eq!(error.to_string(), "p is a parameter, but only a state has a derivative");
    let error = refusal(|m| {
        let u = m.input("u", 1.0).done();
        m.start_expr(u, 1.0);
    });
    assert_eq!(error.to_string(), "u is an input, but only a state has a start expression");
    let error = refusal(|m| {
        let x = state(m);
        m.derivative(x * 2.0, 1.0);
    });
    let sentence = "an expression is not a state, but only a state has a derivative";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn unknown_units_are_named() {
    let error = refusal(|m| {
        m.parameter("p", 1.0).unit("furlong");
    });
    let sentence = "p: the unit furlong is not known; m.unit(\"furlong\", factor, of) declares it";
    assert_eq!(error, Error::Unit(sentence.to_owned()));
    let error = refusal(|m| {
        m.parameter("p", 1.0).unit("rad").display_unit("mm");
    });
    assert!(error.to_string().contains("mm"));
}

#[test]
fn start_values_fit_type_and_range() {
    type Mistake = fn(&mut Model);
    let mistakes: [Mistake; 7] = [
        |m| {
            m.parameter("p", 1.0).min(2.0);
        },
        |m| {
            m.parameter("p", 1.0).min(2.0).max(1.0);
        },
        |m| {
            m.parameter("p", f64::NAN);
        },
        |m| {
            m.parameter("p", 0.5).integer();
        },
        |m| {
            m.parameter("p", 2.0).boolean();
        },
        |m| {
            m.parameter("p", 3.0).enumeration("E", &[(1, "A", ""), (2, "B", "")]);
        },
        |m| {
            m.parameter("p", 1.0).nominal(0.0);
        },
    ];
    for mistake in mistakes {
        let error = refusal(mistake);
        let named = |text: &str| ["p: ", "p = ", "p is "].iter().any(|w| text.starts_with(w));
        assert!(matches!(&error, Error::Value(text) if named(text)), "{error}");
    }
}

#[test]
fn what_is_discrete_changes_only_at_events() {
    let error = refusal(|m| {
        let x = state(m);
        m.local("flag", x.gt(0.0));
    });
    assert!(error.to_string().starts_with("flag: "));
    let error = refusal(|m| {
        let x = state(m);
        m.relation("r", x).active(x.gt(0.0)).done();
    });
    assert!(error.to_string().starts_with("r: "));
    let error = refusal(|m| {
        let x = state(m);
        m.time_relation("r", x);
    });
    assert!(error.to_string().starts_with("r: "));
}

#[test]
fn cycles_of_initial_values_are_named() {
    let error = refusal(|m| {
        let a = m.state("a", 0.0).done();
        let b = m.state("b", 0.0).start_expr(a + 1.0).done();
        m.start_expr(a, b * 2.0);
        m.derivative(a, b);
        m.derivative(b, a);
    });
    assert_eq!(error, Error::Cycle("the initial values of a, b depend on each other".to_owned()));
}

#[test]
fn an_initial_value_that_decides_on_itself_is_refused() {
    let error = refusal(|m| {
        let a = m.state("a", 0.0).done();
        let above = m.relation("above", a - 1.0).done();
        m.start_expr(a, select(above, 0.0, 2.0));
        m.derivative(a, 0.0);
    });
    let names = "the initial values of a, above depend on each other";
    assert_eq!(error, Error::Cycle(names.to_owned()));
}

#[test]
fn unknowns_do_not_leave_their_block() {
    let error = refusal(|m| {
        let x = state(m);
        let q = Ex::symbol();
        newton("root", &[q], &[q * q - x], &[Ex::one()]);
        m.local("stray", q);
    });
    assert_eq!(error.to_string(), "stray: an unknown is used outside of its nonlinear block");
}

#[test]
fn leaves_of_another_model_are_refused() {
    let error = refusal(|m| {
        let mut other = Model::new("Other");
        other.state("a", 0.0);
        let foreign = other.state("b", 0.0).done();
        let x = m.state("x", 0.0).done();
        m.derivative(x, foreign);
    });
    assert!(error.to_string().starts_with("x: "));
}

#[test]
fn requirements_on_parameters_are_checked_when_the_model_is_compiled() {
    let model = |smin: f64, w: f64| {
        compile_named("Stop", "A stop.", |m| {
            let lower = m.parameter("smin", smin).unit("m").done();
            let upper = m.parameter("smax", 1.0).unit("m").done();
            let w = m.state("w", w).unit("rad/s").done();
            let x = state(m);
            m.start_expr(x, w * 2.0);
            m.derivative(w, -w);
            m.local("energy", w * w).unit("J");
            m.require(&["smin", "smax"], lower.lt(upper), "smin must be below smax");
            m.require(&["w", "energy"], x.ge(-1.0), "must not start backward");
        })
    };
    assert!(model(0.5, -0.5).is_ok());
    let error = model(2.0, 0.0).expect_err("smin is too large");
    assert_eq!(error.to_string(), "smin = 2 m, smax = 1 m: smin must be below smax");
    let error = model(0.5, -2.0).expect_err("it starts backward");
    assert_eq!(error.to_string(), "w = -2 rad/s, energy = 4 J: must not start backward");
    let error = refusal(|m| {
        let x = state(m);
        m.require(&["y"], x.gt(0.0), "must be positive");
    });
    let sentence =
        "y: there is no such variable, but the requirement \"must be positive\" names it";
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn limits_are_described_in_words() {
    let sentence = |value: f64| {
        refusal(|m| {
            state(m);
            m.parameter("J", value).unit("kg.m2").positive();
        })
        .to_string()
    };
    assert_eq!(sentence(0.0), "J = 0 kg.m2: must be positive");
    assert_eq!(sentence(f64::NAN), "J = NaN kg.m2: must be positive");
    let error = refusal(|m| {
        state(m);
        m.parameter("p", 1.0).unit("1").min(2.0).max(1.0);
    });
    assert_eq!(error.to_string(), "p: min 2 is larger than max 1");
}

#[test]
fn an_impossible_experiment_is_refused_with_the_reason() {
    let sentence = |start_time: f64, stop_time: f64, tolerance: f64, step_size: f64| {
        refusal(|m| {
            state(m);
            m.experiment(Experiment { start_time, stop_time, tolerance, step_size });
        })
        .to_string()
    };
    let check = |answer: String, wanted: &str| assert_eq!(answer, format!("Wrong: {wanted}"));
    let after = "stop_time = -1 s: must be after start_time = 0 s";
    check(sentence(0.0, -1.0, 1e-6, 1e-3), after);
    check(sentence(0.0, f64::NAN, 1e-6, 1e-3), "stop_time = NaN s: must be a finite number");
    check(sentence(0.0, 1.0, 2.0, 1e-3), "tolerance = 2: must be from 1e-14 to 1");
    check(sentence(0.0, 1.0, 1e-6, 0.0), "step_size = 0 s: must be positive");
    check(
        sentence(0.0, 1.0, 1e-6, 2.0),
        "step_size = 2 s: must not be longer than the experiment, 1 s",
    );
}

#[test]
fn remarks_are_notes_about_the_values_that_a_model_begins_with() {
    let notes = |start: f64| {
        let program = compile_named("Noted", "", |m| {
            let x = m.state("x", start).unit("m").done();
            m.derivative(x, -x);
            let limit: Ex = m.parameter("limit", 2.0).unit("m").into();
            m.remark(&["x", "limit"], x.le(limit), "it begins beyond its limit");
        });
        program.expect("the model is sound").notes().to_vec()
    };
    assert!(notes(2.0).is_empty());
    assert_eq!(notes(2.5), ["x = 2.5 m, limit = 2 m: it begins beyond its limit"]);
}

#[test]
fn a_discrete_variable_begins_with_a_value_of_its_type() {
    let error = refusal(|m| {
        state(m);
        m.discrete("d", 2.0).boolean();
    });
    assert_eq!(error.to_string(), "d = 2: must be from 0 to 1");
}

#[test]
fn only_what_the_model_computes_can_be_an_output() {
    let error = refusal(|m| {
        state(m);
        m.parameter("k", 2.0).as_output();
    });
    assert_eq!(error.to_string(), "k: a parameter cannot be an output");
    let error = refusal(|m| {
        state(m);
        m.input("u", 0.0).as_output();
    });
    assert_eq!(error.to_string(), "u: an input cannot be an output");
}

#[test]
fn an_empty_unit_is_refused_by_name() {
    let error = refusal(|m| {
        state(m);
        m.parameter("k", 2.0).unit("");
    });
    assert_eq!(error.to_string(), "k: its unit is empty: 1 is that of a pure number");
}

#[test]
fn a_discrete_variable_without_an_update_is_noted() {
    let notes = |updated: bool| {
        let program = compile_named("Example", "An example.", |m: &mut Model| {
            state(m);
            let d = m.discrete("d", 2.0).done();
            if updated {
                m.update(d, d.pre() + 1.0);
            }
        });
        program.expect("a correct model").notes().to_vec()
    };
    assert_eq!(notes(false), ["d: it keeps its start value 2, because no update is given"]);
    assert!(notes(true).is_empty());
}

#[test]
fn a_requirement_on_a_calculated_parameter_names_the_parameters_that_can_be_set() {
    let error = refusal(|m| {
        state(m);
        let k = m.parameter("k", 2.0).done();
        let half = m.calculated("half", 0.5 * k).done();
        let c = m.calculated("c", half - 3.0).done();
        m.require(&["c"], c.gt(0.0), "must be positive");
    });
    assert_eq!(error.to_string(), "c = -2: must be positive; it follows from k");
}
