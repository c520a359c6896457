//! An output with a name of its own repeats a variable of a component.

use crate::common::{program, run_to, simulation_of, value};
use equations::Program;
use equations::description::{Variable, VariableType};
use fmu_runtime::Simulation;
use libraries::blocks::BooleanStep;
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::sampled::{SampledPID, Sampler, SignalPWM, UnitDelay};
use libraries::thermal::{HeatCapacitor, ThermalConductor};
use mechanics::add;

/// The description of a variable for importers.
fn variable<'p>(model: &'p Program, name: &str) -> &'p Variable {
    let variables = &model.description().variables;
    variables.iter().find(|v| v.name == name).unwrap_or_else(|| panic!("{name}"))
}

/// Its unit.
fn unit<'p>(model: &'p Program, name: &str) -> &'p str {
    match &variable(model, name).kind {
        VariableType::Real { unit, .. } => unit.as_deref().unwrap_or_default(),
        _ => "",
    }
}

/// Compares descriptions and values of outputs, at some points, with those of the repeated
/// variables.
fn check(model: &Program, pairs: &[(&str, &str)]) -> Simulation {
    for (output, repeated) in pairs {
        let [own, of] = [output, repeated].map(|name| variable(model, name));
        assert_eq!(unit(model, output), unit(model, repeated), "{output}");
        assert_eq!(own.variability, of.variability, "{output}");
        assert_eq!(own.description, of.description, "{output}");
    }
    let mut run = simulation_of(model);
    run.start(None).unwrap();
    for k in 0..=20 {
        run_to(&mut run, 0.013 * f64::from(k));
        for (output, repeated) in pairs {
            assert_eq!(value(&mut run, output), value(&mut run, repeated), "{output}");
        }
    }
    run
}

#[test]
fn an_output_has_the_unit_of_a_state_of_a_circuit_or_of_a_temperature() {
    let model = program(|m| {
        add! { m,
            source: ConstantVoltage::new().V(12),
            ra: Resistor::new().R(1),
            la: Inductor::new().L(0.1),
            c: Capacitor::new().C(1e-2),
            ground: Ground::new(),
            hot: HeatCapacitor::new().C(10).T(fixed(350)),
            wall: ThermalConductor::new().G(1),
            cold: HeatCapacitor::new().C(5).T(fixed(300)),
        }
        m.connect(source.p, ra.p);
        m.chain((ra, la, c, source.n));
        m.connect(source.n, ground.p);
        m.chain((hot.port, wall, cold.port));
        m.output("current", la.i);
        m.output("voltage", c.v);
        m.output("through", ra.i);
        m.output("temperature", cold.T);
    });
    let model = model.unwrap();
    let pairs =
        [("current", "la.i"), ("voltage", "c.v"), ("through", "ra.i"), ("temperature", "cold.T")];
    check(&model, &pairs);
    let units = pairs.map(|(output, _)| unit(&model, output));
    assert_eq!(units, ["A", "V", "A", "K"]);
}

#[test]
fn an_output_of_a_sampled_block_is_discrete_and_equal_to_its_variable() {
    let model = program(|m| {
        add! { m,
            sine: Sine::new().amplitude(1).f(3),
            pid: SampledPID::new().y_max(2).sample_period(0.01),
            zero: Constant::new().k(0),
            sampler: Sampler::new().sample_period(0.02),
            delay: UnitDelay::new().sample_period(0.03),
            pwm: SignalPWM::new().f(40),
            on: BooleanStep::new().start_time(0.1),
        }
        m.connect(sine.y, pid.u_s);
        m.connect(zero.y, pid.u_m);
        m.connect(sine.y, sampler.u);
        m.connect(sine.y, delay.u);
        m.connect(sine.y, pwm.duty_cycle);
        m.output("command", pid.y);
        m.output("sampled", sampler.y);
        m.output("delayed", delay.y);
        m.output("d", pwm.sample);
        m.output("fire", pwm.fire);
        m.output("is_on", on.y);
    });
    let model = model.unwrap();
    let mut run = check(
        &model,
        &[
            ("command", "pid.y"),
            ("sampled", "sampler.y"),
            ("delayed", "delay.y"),
            ("d", "pwm.zeroOrderHold.y"),
        ],
    );
    for output in ["command", "sampled", "delayed", "d", "fire", "is_on"] {
        assert_eq!(variable(&model, output).variability, "discrete", "{output}");
    }
    assert!(value(&mut run, "command") != 0.0 && value(&mut run, "sampled") != 0.0);
}

#[test]
fn whatever_a_component_publishes_is_a_signal() {
    let model = program(|m| {
        add! { m,
            sine: Sine::new().amplitude(0.3).f(3).offset(0.5),
            pwm: SignalPWM::new().f(40),
            twice: Gain::new().k(2),
        }
        m.connect(sine.y, pwm.duty_cycle);
        m.connect(pwm.sample, twice.u);
    });
    let mut run = simulation_of(&model.unwrap());
    run.start(None).unwrap();
    run_to(&mut run, 0.13);
    // The last period began at 0.125 s.
    let sampled = 0.5 + 0.3 * (2.0 * std::f64::consts::PI * 3.0 * 0.125).sin();
    assert!((value(&mut run, "twice.y") - 2.0 * sampled).abs() < 1e-12);
}
