//! A description with every kind of element, for tests.

use equations::description::{
    Description, DisplayUnit, Enumeration, EnumerationItem, Experiment, Unit, Unknown, Variable,
    VariableType,
};

/// A Real variable without attributes.
pub fn real() -> VariableType {
    VariableType::Real {
        unit: None,
        display_unit: None,
        start: None,
        min: None,
        max: None,
        nominal: None,
        derivative: None,
        reinit: false,
    }
}

fn variable(
    name: &str,
    vr: u32,
    causality: &str,
    variability: &str,
    kind: VariableType,
) -> Variable {
    Variable {
        name: name.to_owned(),
        value_reference: vr,
        description: format!("<{name}> & \"more\""),
        causality: causality.to_owned(),
        variability: variability.to_owned(),
        initial: match causality {
            "parameter" => Some("exact".to_owned()),
            "input" => None,
            _ => Some("calculated".to_owned()),
        },
        kind,
    }
}

fn with(kind: VariableType, edit: impl FnOnce(&mut VariableType)) -> VariableType {
    let mut kind = kind;
    edit(&mut kind);
    kind
}

fn unit(kind: VariableType, name: &str, from: Option<f64>) -> VariableType {
    with(kind, |k| {
        if let VariableType::Real { unit, start, .. } = k {
            *unit = Some(name.to_owned());
            *start = from;
        }
    })
}

/// A pendulum with a mode, a brake and a torque, which does not move but is legal.
pub fn pendulum() -> Description {
    let unknown =
        |index, dependencies: &[usize]| Unknown { index, dependencies: dependencies.to_vec() };
    Description {
        name: "Pendulum".to_owned(),
        guid: "{0123}".to_owned(),
        description: "A pendulum that stands still".to_owned(),
        documentation: "A pendulum that stands still.\n\nIt *waits*: `phi < 1`.".to_owned(),
        experiment: Experiment {
            start_time: 0.0,
            stop_time: 2.0,
            tolerance: 1e-6,
            step_size: 0.01,
        },
        units: units(),
        enumerations: vec![Enumeration {
            name: "ModeType".to_owned(),
            description: String::new(),
            items: vec![
                EnumerationItem {
                    name: "Stuck".to_owned(),
                    value: 0,
                    description: "No motion".to_owned(),
                },
                EnumerationItem {
                    name: "Forward".to_owned(),
                    value: 1,
                    description: String::new(),
                },
            ],
        }],
        variables: variables(),
        event_indicators: vec!["phi > 0".to_owned()],
        outputs: vec![unknown(6, &[2, 4]), unknown(7, &[])],
        derivatives: vec![unknown(5, &[2, 4])],
        initial_unknowns: vec![unknown(5, &[0, 2, 4]), unknown(6, &[0, 2, 4]), unknown(7, &[0])],
    }
}

fn variables() -> Vec<Variable> {
    let state = |kind: VariableType| {
        with(kind, |k| {
            if let VariableType::Real { reinit, nominal, .. } = k {
                *reinit = true;
                *nominal = Some(10.0);
            }
        })
    };
    let derivative_of = |kind: VariableType, index: usize| {
        with(kind, |k| {
            if let VariableType::Real { derivative, .. } = k {
                *derivative = Some(index);
            }
        })
    };
    let limited = |kind: VariableType| {
        with(kind, |k| {
            if let VariableType::Real { min, max, .. } = k {
                *min = Some(1e-9);
                *max = Some(f64::INFINITY);
            }
        })
    };
    let mut variables = vec![
        variable("body.m", 0, "parameter", "fixed", limited(unit(real(), "kg", Some(0.1)))),
        variable("body.c[1,2]", 1, "parameter", "tunable", unit(real(), "N.m", Some(1e-300))),
        variable("tau", 2, "input", "continuous", unit(real(), "N.m", Some(0.0))),
        variable(
            "brake.engaged",
            0,
            "input",
            "discrete",
            VariableType::Boolean { start: Some(true) },
        ),
        variable("phi", 3, "local", "continuous", state(unit(real(), "rad", Some(1.0 / 3.0)))),
        variable(
            "der(phi)",
            4,
            "local",
            "continuous",
            derivative_of(unit(real(), "rad/s", None), 4),
        ),
        variable("w", 4, "output", "continuous", unit(real(), "rad/s", None)),
        variable(
            "mode",
            0,
            "output",
            "discrete",
            VariableType::Enumeration { declared_type: "ModeType".to_owned(), start: None },
        ),
        variable(
            "count",
            1,
            "local",
            "discrete",
            VariableType::Integer { start: None, min: None, max: Some(9) },
        ),
    ];
    variables[4].initial = Some("exact".to_owned());
    variables
}

fn units() -> Vec<Unit> {
    let unit = |name: &str, exponents: [i8; 8]| Unit {
        name: name.to_owned(),
        exponents,
        factor: 1.0,
        offset: 0.0,
        display: Vec::new(),
    };
    let mut radian = unit("rad", [0, 0, 0, 0, 0, 0, 0, 1]);
    radian.display.push(DisplayUnit {
        name: "deg".to_owned(),
        factor: 180.0 / std::f64::consts::PI,
        offset: 0.0,
    });
    vec![
        unit("kg", [1, 0, 0, 0, 0, 0, 0, 0]),
        unit("N.m", [1, 2, -2, 0, 0, 0, 0, 0]),
        radian,
        unit("rad/s", [0, 0, -1, 0, 0, 0, 0, 1]),
    ]
}
