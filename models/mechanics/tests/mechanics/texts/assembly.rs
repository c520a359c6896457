//! The contents of model texts: names, chains, parameters of the model, whole numbers.

use crate::common::{program, refusal, run_to, simulation_of, value};
use equations::Program;
use equations::description::{Variable, VariableType};
use libraries::multibody as mb;
use libraries::prelude::*;
use libraries::rotational as r;
use libraries::thermal as h;
use libraries::translational as t;
use mechanics::add;
use mechanics::assembly::Connection;
use std::ops::Bound;

/// The connections that a text makes.
fn connections(text: fn(&mut Assembly)) -> Vec<Connection> {
    let mut assembly = Assembly::new();
    text(&mut assembly);
    assembly.into_netlist().connections
}

#[test]
fn a_chain_makes_the_connections_between_neighbours() {
    /// The same text with a chain and with its connections one by one.
    macro_rules! same {
        ({$($text:tt)*} chain: $chain:expr; connections: $(($a:expr, $b:expr)),+ $(,)?) => {
            let chained = connections(|m| {
                add! { m, $($text)* }
                m.chain($chain);
            });
            let connected = connections(|m| {
                add! { m, $($text)* }
                $(m.connect($a, $b);)+
            });
            assert_eq!(chained, connected);
        };
    }
    same! {
        {
            torque: r::Torque::new(),
            wheel: r::Inertia::new().J(1),
            spring: r::Spring::new().c(1),
            wall: r::Fixed::new(),
        }
        chain: (torque.flange, wheel, spring, wall.flange);
        connections:
            (torque.flange, wheel.flange_a),
            (wheel.flange_b, spring.flange_a),
            (spring.flange_b, wall.flange),
    }
    same! {
        { mass: t::Mass::new().m(1), damper: t::Damper::new().d(1), rod: t::Rod::new() }
        chain: (mass, damper, rod);
        connections: (mass.flange_b, damper.flange_a), (damper.flange_b, rod.flange_a),
    }
    same! {
        {
            world: mb::World::new(),
            joint: mb::Revolute::new(),
            bar: mb::FixedTranslation::new(),
            body: mb::Body::new(),
        }
        chain: (world.frame_b, joint, bar, body.frame_a);
        connections:
            (world.frame_b, joint.frame_a),
            (joint.frame_b, bar.frame_a),
            (bar.frame_b, body.frame_a),
    }
    same! {
        { sine: Sine::new(), gain: Gain::new(), torque: r::Torque::new() }
        chain: (sine.y, gain, torque.tau);
        connections: (sine.y, gain.u), (gain.y, torque.tau),
    }
    same! {
        {
            hot: h::HeatCapacitor::new(),
            wall: h::ThermalConductor::new(),
            cold: h::HeatCapacitor::new(),
        }
        chain: (hot.port, wall, cold.port);
        connections: (hot.port, wall.port_a), (wall.port_b, cold.port),
    }
}

#[test]
fn a_part_has_the_name_of_its_variable_or_the_name_given() {
    let mut m = Assembly::new();
    let (k, group) = (2, "axle");
    add! { m,
        plain: r::Fixed::new(),
        given "named": r::Fixed::new(),
        computed [format!("wheel{k}")]: r::Fixed::new(),
    }
    add! { m, group;
        plain_too: r::Fixed::new(),
        given_too "named": r::Fixed::new(),
        computed_too [format!("wheel{k}")]: r::Fixed::new(),
    }
    for part in [given, computed, plain_too, given_too, computed_too] {
        m.connect(plain.flange, part.flange);
    }
    let components = m.into_netlist().components;
    let names: Vec<&str> = components.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["plain", "named", "wheel2", "axle.plain_too", "axle.named", "axle.wheel2"]);
}

/// Two inertias joined by a gear. A parameter of the model is the inertia of the first and, in an
/// expression, of the second; another one is the ratio of the gear, which is fixed.
fn geared() -> Program {
    let model = program(|m| {
        let inertia = m.parameter("J", 1, "kg.m2", "Moment of inertia");
        let ratio = m.parameter("i", 2, "1", "Ratio of the gear");
        add! { m,
            torque: r::ConstantTorque::new().tau_constant(6),
            a: r::Inertia::new().J(inertia).phi(fixed(0)).w(fixed(0)),
            gear: r::IdealGear::new().ratio(ratio),
            b: r::Inertia::new().J(3.0 * inertia - 1.0),
        }
        m.chain((torque.flange, a, gear, b.flange_a));
    });
    model.expect("the model is sound")
}

/// The description of a variable for importers.
fn variable<'p>(model: &'p Program, name: &str) -> &'p Variable {
    let variables = &model.description().variables;
    variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn components_follow_a_parameter_of_the_model() {
    for (inertia, ratio) in [(1.0, 2.0), (3.0, 2.0), (3.0, -4.0)] {
        let mut model = simulation_of(&geared());
        for (name, value) in [("J", inertia), ("i", ratio)] {
            model.set(name, value).unwrap();
        }
        model.start(None).unwrap();
        assert_eq!(value(&mut model, "a.J"), inertia);
        assert_eq!(value(&mut model, "b.J"), 3.0 * inertia - 1.0);
        assert_eq!(value(&mut model, "gear.ratio"), ratio);
        run_to(&mut model, 1.0);
        let speed = 6.0 / (inertia + (3.0 * inertia - 1.0) / (ratio * ratio));
        assert!((value(&mut model, "a.w") - speed).abs() < 1e-9);
    }
}

#[test]
fn a_parameter_of_the_model_has_the_range_that_the_text_sets() {
    let with = |range: (Bound<f64>, Bound<f64>)| {
        program(|m| {
            let inertia = m.parameter("J", 1, "kg.m2", "Moment of inertia");
            m.limit(inertia, range);
            m.add("a", r::Inertia::new().J(inertia).phi(fixed(0)).w(fixed(0)));
        })
    };
    let model = with((Bound::Included(0.5), Bound::Included(2.0))).expect("the model is sound");
    let limits = |v: &Variable| match v.kind {
        VariableType::Real { min, max, .. } => (min, max),
        ref kind => panic!("{kind:?}"),
    };
    assert_eq!(limits(variable(&model, "J")), (Some(0.5), Some(2.0)));
    let mut simulation = simulation_of(&model);
    simulation.set("J", 2.0).unwrap();
    let message = simulation.set("J", 2.5).unwrap_err().to_string();
    assert!(message.contains("J = 2.5 kg.m2: must be from 0.5 to 2 kg.m2"), "{message}");

    let open = with((Bound::Unbounded, Bound::Included(2.0))).expect("the model is sound");
    assert_eq!(limits(variable(&open, "J")), (None, Some(2.0)));
    let refused = with((Bound::Excluded(1.0), Bound::Unbounded)).unwrap_err().to_string();
    assert!(refused.starts_with("J = 1 kg.m2: must be at least 1.0000000000000002 "), "{refused}");
    let reversed = with((Bound::Included(2.0), Bound::Included(0.5))).unwrap_err().to_string();
    assert_eq!(reversed, "J: its limits are in wrong order, from 2 to 0.5 kg.m2");
    let expression = program(|m| {
        let inertia = m.parameter("J", 1, "kg.m2", "Moment of inertia");
        m.limit(2.0 * inertia, 0.5..);
        m.add("a", r::Inertia::new().J(inertia).phi(fixed(0)).w(fixed(0)));
    });
    let message = expression.unwrap_err().to_string();
    assert!(message.contains("only for a parameter of the model"), "{message}");
}

#[test]
fn a_parameter_of_the_model_keeps_to_the_ranges_of_what_follows_it() {
    for (name, given, sentence) in [
        ("J", -1.0, "a.J = -1 kg.m2: must be positive or zero; it follows from J"),
        ("J", 0.25, "b.J = -0.25 kg.m2: must be positive or zero; it follows from J"),
        ("i", 0.0, "gear.ratio = 0: must not be zero; it follows from i"),
    ] {
        let mut model = simulation_of(&geared());
        model.set(name, given).unwrap();
        assert_eq!(model.start(None).unwrap_err().to_string(), sentence);
    }
}

#[test]
fn a_parameter_of_the_model_is_tuned_unless_a_fixed_one_follows_it() {
    let program = geared();
    assert_eq!(variable(&program, "J").variability, "tunable");
    assert_eq!(variable(&program, "i").variability, "fixed");
    // What follows a parameter is told as such, and may be tuned through it.
    for (name, variability) in [("a.J", "tunable"), ("b.J", "tunable"), ("gear.ratio", "fixed")] {
        let follower = variable(&program, name);
        assert_eq!(follower.causality, "calculatedParameter");
        assert_eq!(follower.variability, variability);
    }
    let mut model = simulation_of(&program);
    model.start(None).unwrap();
    model.set("J", 3.0).unwrap();
    let told = model.set("i", 3.0).unwrap_err().to_string();
    assert!(told.starts_with("i cannot be set in state"), "{told}");
    run_to(&mut model, 1.0);
    assert!((value(&mut model, "a.w") - 6.0 / (3.0 + 8.0 / 4.0)).abs() < 1e-9);
}

#[test]
fn a_required_parameter_must_have_a_value() {
    let told = refusal(|m| {
        add! { m,
            wheel: r::Inertia::new().J(1),
            shaft "springDamper": r::SpringDamper::new().d(1),
        }
        m.connect(wheel.flange_b, shaft.flange_a);
    });
    let sentence = "springDamper.c (Spring constant, N.m/rad) has no value";
    assert!(told.starts_with(sentence), "{told}");
}

/// The description of a model with parameters of all kinds that accept these numbers.
macro_rules! published {
    ($zero:literal $one:literal $two:literal) => {{
        let model = program(|m| {
            let factor = m.parameter("factor", $two, "1", "Factor");
            add! { m,
                world: mb::World::new().g($one).n([$zero, -$one, $zero]),
                turned: mb::FixedRotation::new().n([$zero, $zero, $one]).angle($two),
                joint: mb::Revolute::new()
                    .n([$one, $zero, $zero]).phi(guess($one)).w(fixed($zero)),
                body: mb::Body::new().m(factor).r_cm(($zero, 0.5, $one)).inertia([$two; 3]),
                free: mb::Body::new()
                    .m($one).r_cm([$zero; 3]).r_0(fixed_vector([$zero, $one, $two]))
                    .v_0(guess_vector([$zero; 3])),
                shaft: r::SpringDamper::new().c($two).d($zero).phi_nominal($one),
                bearing: r::BearingFriction::new().tau_pos([[$zero, $one], [$one, $two]]),
                gear: r::LossyGear::new()
                    .ratio($two).loss_table([[$zero, $one, $one, $zero, $zero]]),
                load: r::Inertia::new().J($one),
                vehicle: t::Vehicle::new()
                    .m($two).J($one).R($one).A($one).Cd($zero).cr_constant($zero)
                    .s(fixed($zero)).v(fixed($one)),
                speed: ExternalInput::new().unit("rad/s").start($two),
                filter: CriticalDamping::new().n(2).f($one),
            }
            m.chain((world.frame_b, turned, joint, body.frame_a));
            m.chain((joint.axis, shaft, bearing, gear, load.flange_a));
            m.connect(speed.y, filter.u);
            m.output("x", free.r_0[0]);
            m.output("v", vehicle.v);
            m.stop_time($two);
            m.step_size($one);
            m.tolerance($one);
        });
        model.expect("the model is sound").description().clone()
    }};
}

#[test]
fn a_whole_number_is_a_number() {
    assert_eq!(published!(0 1 2), published!(0.0 1.0 2.0));
}

#[test]
fn a_parameter_of_the_model_has_the_unit_of_the_parameter_that_it_sets() {
    let text = |unit: &'static str| {
        move |m: &mut Assembly| {
            let c = m.parameter("c", 20, unit, "Stiffness");
            add! { m,
                wheel: r::Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
                spring: r::Spring::new().c(c),
                stiff: r::Spring::new().c(2 * c),
            }
            m.connect(wheel.flange_b, spring.flange_a);
            m.connect(wheel.flange_b, stiff.flange_a);
        }
    };
    assert!(program(text("N.m/rad")).is_ok());
    let sentence = refusal(text("kg"));
    assert!(sentence.contains("spring.c: it is in N.m/rad, but c is in kg"), "{sentence}");
}

#[test]
fn an_expression_of_parameters_must_be_finite() {
    let sentence = refusal(|m| {
        let none = m.parameter("none", 0, "1", "Nothing");
        add! { m,
            wheel: r::Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
            torque: r::ConstantTorque::new().tau_constant(1 / none),
        }
        m.connect(torque.flange, wheel.flange_a);
    });
    assert!(
        sentence.contains("torque.tau_constant = inf N.m: must be a finite number"),
        "{sentence}"
    );
}

#[test]
fn outputs_have_the_order_of_the_text() {
    let described = program(|m| {
        add! { m,
            torque: r::ConstantTorque::new().tau_constant(1),
            first: r::Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
            shaft: r::SpringDamper::new().c(10).d(1).phi_rel(fixed(0)).w_rel(fixed(0)),
            second: r::Inertia::new().J(1),
        }
        m.chain((torque.flange, first, shaft, second));
        m.outputs([second.w, first.phi]);
        m.output("tau_shaft", shaft.tau);
        m.outputs([first.w]);
    });
    let d = described.unwrap().description().clone();
    let names: Vec<&str> = d.outputs.iter().map(|o| d.variables[o.index].name.as_str()).collect();
    assert_eq!(names, ["second.w", "first.phi", "tau_shaft", "first.w"]);
}
