//! Blocks: their equations, loops of blocks, and refusals.

use crate::common::{program, refusal, run_to, settle, simulation, start, step, value};
use equations::description::VariableType;
use fmu_runtime::Simulation;
use libraries::blocks::{BooleanToReal, IntegerToReal};
use libraries::prelude::*;
use libraries::rotational::{ConstantTorque, Inertia, TorqueSensor};
use mechanics::add;

/// Two inputs `u1`, `u2` for a block `s`.
fn inputs(m: &mut Assembly) -> [Quantity; 2] {
    ["u1", "u2"].map(|name| m.add(name, ExternalInput::new().unit("1").start(0.0)).y)
}

/// The value of `s.y` for values of the inputs.
fn at(model: &mut Simulation, u1: f64, u2: f64) -> f64 {
    model.set("u1", u1).unwrap();
    model.set("u2", u2).unwrap();
    settle(model);
    value(model, "s.y")
}

#[test]
fn blocks_satisfy_their_equations() {
    let mut gain = start(|m| {
        let [u, _] = inputs(m);
        let s = m.add("s", Gain::new().k(-3.0));
        m.connect(u, s.u);
    });
    assert_eq!(at(&mut gain, 2.0, 0.0), -6.0);
    let mut abs = start(|m| {
        let [u, _] = inputs(m);
        let s = m.add("s", Abs::new());
        m.connect(u, s.u);
    });
    assert_eq!([-2.0, 0.0, 3.0].map(|u| at(&mut abs, u, 0.0)), [2.0, 0.0, 3.0]);
    let two = |join: fn(&mut Assembly) -> [Input; 2]| {
        let mut model = start(|m| {
            let [u1, u2] = inputs(m);
            let s = join(m);
            m.connect(u1, s[0]);
            m.connect(u2, s[1]);
        });
        at(&mut model, 5.0, 7.0)
    };
    fn sum(m: &mut Assembly, part: Add) -> [Input; 2] {
        let s = m.add("s", part);
        [s.u1, s.u2]
    }
    assert_eq!(two(|m| sum(m, Add::new())), 12.0);
    assert_eq!(two(|m| sum(m, Add::new().k1(2.0).k2(-1.0))), 3.0);
    let difference = two(|m| {
        let s = m.add("s", Feedback::new());
        [s.u1, s.u2]
    });
    assert_eq!(difference, -2.0);
    let product = two(|m| {
        let s = m.add("s", Product::new());
        [s.u1, s.u2]
    });
    assert_eq!(product, 35.0);
}

#[test]
fn a_sum_of_three_signals_weighs_each() {
    let mut model = start(|m| {
        let [u1, u2] = inputs(m);
        let u3 = m.add("u3", Constant::new().k(0.5));
        let s = m.add("s", Add3::new().k2(-2.0).k3(4.0));
        m.connect(u1, s.u1);
        m.connect(u2, s.u2);
        m.connect(u3.y, s.u3);
    });
    assert_eq!(at(&mut model, 5.0, 7.0), 5.0 - 14.0 + 2.0);
}

/// The values of a comparison with 1 of a ramp from `begin`: at the
/// start, and before and after it has passed.
fn compared(begin: f64, slope: f64, block: fn(&mut Assembly) -> Input) -> [f64; 3] {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().height(2.0 * slope).duration(2.0).offset(begin));
        let input = block(m);
        m.connect(u.y, input);
    });
    [0.0, 0.5, 1.5].map(|t| {
        run_to(&mut model, t);
        value(&mut model, "s.y")
    })
}

#[test]
fn thresholds_are_compared_as_their_names_say() {
    let greater = |m: &mut Assembly| m.add("s", GreaterThreshold::new().threshold(1.0)).u;
    let not_less = |m: &mut Assembly| m.add("s", GreaterEqualThreshold::new().threshold(1.0)).u;
    let less = |m: &mut Assembly| m.add("s", LessThreshold::new().threshold(1.0)).u;
    let not_greater = |m: &mut Assembly| m.add("s", LessEqualThreshold::new().threshold(1.0)).u;
    // Upwards from 0, downwards from 2, and at rest on the threshold.
    for block in [greater as fn(&mut Assembly) -> Input, not_less] {
        assert_eq!(compared(0.0, 1.0, block), [0.0, 0.0, 1.0]);
        assert_eq!(compared(2.0, -1.0, block), [1.0, 1.0, 0.0]);
    }
    for block in [less as fn(&mut Assembly) -> Input, not_greater] {
        assert_eq!(compared(0.0, 1.0, block), [1.0, 1.0, 0.0]);
        assert_eq!(compared(2.0, -1.0, block), [0.0, 0.0, 1.0]);
    }
    let at_rest = |block| compared(1.0, 0.0, block);
    assert_eq!([at_rest(greater), at_rest(less)], [[0.0; 3]; 2]);
    assert_eq!([at_rest(not_less), at_rest(not_greater)], [[1.0; 3]; 2]);
}

#[test]
fn a_limiter_passes_values_within_its_limits() {
    let mut model = start(|m| {
        let [u, _] = inputs(m);
        let s = m.add("s", Limiter::new().u_min(-1.0).u_max(2.0));
        m.connect(u, s.u);
    });
    for (u, y) in [(-5.0, -1.0), (-1.0, -1.0), (0.5, 0.5), (2.0, 2.0), (9.0, 2.0), (0.0, 0.0)] {
        assert_eq!(at(&mut model, u, 0.0), y, "at {u}");
    }
    // Between events the slope is that of one segment, so the integrator sees a smooth signal.
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().height(10.0).duration(10.0));
        let s = m.add("s", Limiter::new().u_min(-1.0).u_max(2.0));
        m.connect(u.y, s.u);
    });
    model.move_to(2.1, &[]).unwrap();
    assert_eq!(value(&mut model, "s.y"), 2.1);
    settle(&mut model);
    assert_eq!(value(&mut model, "s.y"), 2.0, "and the limit is an event");
}

#[test]
fn an_integrator_integrates() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().height(6.0).duration(2.0));
        let s = m.add("s", Integrator::new().k(0.5).y_start(fixed(1.0)));
        m.connect(u.y, s.u);
    });
    assert_eq!(value(&mut model, "s.y"), 1.0);
    step(&mut model, 2.0);
    let y = value(&mut model, "s.y");
    assert!((y - 4.0).abs() < 1e-12, "half of the area under the ramp, and the start: {y}");
}

#[test]
fn a_lag_forgets_its_start_with_its_time_constant() {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(3.0));
        let s = m.add("s", FirstOrder::new().k(2.0).T(0.5).y_start(fixed(-1.0)));
        m.connect(u.y, s.u);
    });
    step(&mut model, 1.0);
    let y = value(&mut model, "s.y");
    assert!((y - (6.0 - 7.0 * (-2.0_f64).exp())).abs() < 1e-10, "{y}");
}

#[test]
fn a_critically_damped_filter_answers_a_step_without_overshoot() {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(2.0));
        let s = m.add("s", CriticalDamping::new().n(3).f(0.25));
        m.connect(u.y, s.u);
    });
    let w = 2.0 * std::f64::consts::PI * 0.25 / (2_f64.cbrt() - 1.0).sqrt();
    for _ in 0..1000 {
        step(&mut model, 1e-3);
        let p = w * model.time();
        let exact = 2.0 * (1.0 - (1.0 + p + p * p / 2.0) * (-p).exp());
        let y = value(&mut model, "s.y");
        assert!((y - exact).abs() < 1e-10, "{y} is not {exact}");
    }
}

#[test]
fn a_filter_may_rest_at_the_start_of_a_torque() {
    let mut model = start(|m| {
        let torque = m.add("torque", ConstantTorque::new().tau_constant(3.0));
        let one = m.add("one", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
        let sensor = m.add("sensor", TorqueSensor::new());
        let two = m.add("two", Inertia::new().J(2.0));
        let filter = m.add("filter", CriticalDamping::new().n(2).f(5.0).steady_state(true));
        m.connect(torque.flange, one.flange_a);
        m.connect(one.flange_b, sensor.flange_a);
        m.connect(sensor.flange_b, two.flange_a);
        m.connect(sensor.tau, filter.u);
    });
    for name in ["sensor.tau", "filter.x[1]", "filter.x[2]", "filter.y"] {
        let torque = value(&mut model, name);
        assert!((torque - 2.0).abs() < 1e-15, "{name}: {torque}");
    }
}

/// A lag as the plant of a PI controller.
fn control(m: &mut Assembly) {
    let wanted = m.add("wanted", Step::new().height(2.0));
    let error = m.add("error", Feedback::new());
    let pi = m.add("pi", PI::new().k(4.0).T(0.1));
    let plant = m.add("plant", FirstOrder::new().k(1.0).T(0.3));
    m.connect(wanted.y, error.u1);
    m.connect(plant.y, error.u2);
    m.connect(error.y, pi.u);
    m.connect(pi.y, plant.u);
}

#[test]
fn a_loop_with_a_pi_controller_leaves_no_error() {
    let mut model = start(control);
    for _ in 0..3000 {
        step(&mut model, 1e-3);
        let (x, u) = (value(&mut model, "pi.x"), value(&mut model, "error.y"));
        assert_eq!(value(&mut model, "pi.y"), 4.0 * (x + u));
    }
    let y = value(&mut model, "plant.y");
    assert!((y - 2.0).abs() < 1e-6, "{y}");
}

#[test]
fn a_loop_without_a_state_is_solved() {
    let mut model = start(|m| {
        let wanted = m.add("wanted", Constant::new().k(3.0));
        let error = m.add("error", Feedback::new());
        let gain = m.add("s", Gain::new().k(2.0));
        m.connect(wanted.y, error.u1);
        m.connect(gain.y, error.u2);
        m.connect(error.y, gain.u);
    });
    let y = value(&mut model, "s.y");
    assert!((y - 2.0).abs() < 1e-14, "y = 2 (3 - y): {y}");
}

#[test]
fn impossible_blocks_are_refused_with_their_parameter() {
    let limiter = simulation(|m| {
        m.add("s", Limiter::new().u_min(2.0).u_max(1.0));
    });
    assert_eq!(limiter.unwrap_err(), "s.uMin = 2, s.uMax = 1: uMin must not be above uMax");
    let lag = simulation(|m| {
        let u = m.add("u", Constant::new().k(0.0));
        let s = m.add("s", FirstOrder::new().k(1.0).T(0.0));
        m.connect(u.y, s.u);
    });
    assert_eq!(lag.unwrap_err(), "s.T = 0 s: must be positive");
    let filter = simulation(|m| {
        let u = m.add("u", Constant::new().k(0.0));
        let s = m.add("s", CriticalDamping::new().n(0).f(5.0));
        m.connect(u.y, s.u);
    });
    assert_eq!(filter.unwrap_err(), "s.n = 0: must be at least 1");
    let open = simulation(|m| {
        m.add("s", Gain::new().k(1.0));
    });
    assert_eq!(open.unwrap_err(), "s.u: the input is not connected");
}

/// The sentence about a loop of a sum and a gain.
fn looped(gain: f64) -> String {
    refusal(|m| {
        let u = m.add("u", Constant::new().k(1.0));
        let sum = m.add("sum", Add::new());
        let gain = m.add("gain", Gain::new().k(gain));
        m.connect(u.y, sum.u1);
        m.connect(gain.y, sum.u2);
        m.connect(sum.y, gain.u);
    })
}

#[test]
fn an_algebraic_loop_whose_gain_is_one_is_refused_with_its_blocks() {
    assert_eq!(looped(0.5), "");
    let message = looped(1.0);
    let named = message.starts_with("algebraic loop through sum.y, gain.y: its gain is 1, ");
    assert!(named, "{message}");
}

#[test]
fn inputs_have_the_types_of_their_components() {
    let described = program(|m| {
        add! { m,
            on: ExternalBoolean::new().start(true).describe("Whether the heater is on"),
            stage: ExternalInteger::new().start(3),
            set_point: ExternalInput::new().unit("K").start(293).discrete(true),
            outside: ExternalInput::new().unit("K").start(278),
            on_as_number: BooleanToReal::new(),
            stage_as_number: IntegerToReal::new(),
            heat: Product::new(),
        }
        m.chain((on.y, on_as_number, heat.u1));
        m.chain((stage.y, stage_as_number, heat.u2));
        m.output("heat_now", heat.y);
        m.output("wanted", set_point.y);
        m.output("measured", outside.y);
        m.output("switched_on", on.y);
    });
    let described = described.unwrap();
    let all = || described.description().variables.iter();
    let inputs = all().filter(|v| v.causality == "input");
    let inputs: Vec<(&str, &str, &VariableType)> =
        inputs.map(|v| (&*v.name, &*v.variability, &v.kind)).collect();
    assert!(matches!(inputs[0], ("on", "discrete", VariableType::Boolean { start: Some(true) })));
    let stage = |kind: &VariableType| matches!(kind, VariableType::Integer { start: Some(3), .. });
    assert!(matches!(inputs[1], ("stage", "discrete", kind) if stage(kind)));
    assert!(matches!(inputs[2], ("set_point", "discrete", VariableType::Real { .. })));
    assert!(matches!(inputs[3], ("outside", "continuous", VariableType::Real { .. })));
    let output = |name: &str| &all().find(|v| v.name == name).unwrap().kind;
    assert!(matches!(output("switched_on"), VariableType::Boolean { .. }));
    let kelvin = |kind: &VariableType| match kind {
        VariableType::Real { unit, .. } => unit.as_deref() == Some("K"),
        _ => false,
    };
    assert!(kelvin(output("wanted")) && kelvin(output("measured")));
    let half = refusal(|m| {
        m.add("stage", ExternalInteger::new().start(0.5));
    });
    assert_eq!(half, "stage: the start value 0.5 does not fit its type");
}

#[test]
fn connected_inputs_repeat_their_signals() {
    let described = program(|m| {
        add! { m,
            on: ExternalBoolean::new().start(true),
            force: ExternalInput::new().unit("N").start(2),
            wave: Sine::new().f(1),
            all: libraries::blocks::And::new(),
            gain: Gain::new().k(3),
            other: Gain::new().k(3),
            limit: Gain::new().k(1),
            open: libraries::blocks::Not::new(),
            free: Gain::new().k(1),
        }
        m.connect(on.y, open.u);
        m.connect(on.y, all.u.element(1));
        m.connect(open.y, all.u.element(2));
        m.connect(force.y, gain.u);
        m.connect(wave.y, other.u);
        m.connect(wave.y, limit.u);
        m.connect(gain.y, free.u);
        // OpenModelica imports these outputs as other_u and free_u.
        m.output("other_u", limit.y);
        m.output("free_u", free.y);
    });
    let described = described.unwrap();
    let all = &described.description().variables;
    let find = |name: &str| all.iter().find(|v| v.name == name);
    let input = find("gain.u").unwrap();
    assert_eq!((&*input.causality, &*input.variability), ("local", "continuous"));
    assert!(matches!(&input.kind, VariableType::Real { unit, .. } if unit.as_deref() == Some("N")));
    let reference = |name: &str| find(name).map(|v| v.value_reference);
    assert_eq!(reference("limit.u"), reference("wave.y"));
    assert_eq!(reference("all.u[2]"), reference("open.y"));
    assert!(
        ["all.u[1]", "all.u[2]"].iter().all(|name| find(name).unwrap().variability == "discrete")
    );
    assert_eq!([reference("other.u"), reference("free.u")], [None, None]);
}
