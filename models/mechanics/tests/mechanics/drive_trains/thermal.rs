//! Heat: brakes that become warm, conduction, and refusals.

use crate::common::{simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::thermal::*;
use libraries::{rotational as rot, translational as tra};

const COPPER: f64 = 3.92e-3;

/// An eddy current brake on a body of inertia 2 that starts at 20 rad/s. Its losses heat a capacity
/// of 3 J/K, and its housing is a body of its own.
fn brake_torque(m: &mut Assembly) {
    let brake = rot::EddyCurrentTorque::new().tau_nominal(30.0).w_nominal(8.0).alpha20(COPPER);
    let brake = m.add("brake", brake);
    let body = m.add("body", rot::Inertia::new().J(2.0).w(fixed(20.0)));
    let housing = m.add("housing", rot::Inertia::new().J(5.0).w(fixed(-1.0)));
    let heat = m.add("heat", HeatCapacitor::new().C(3.0).T(fixed(293.15)));
    let excitation = m.add("excitation", Sine::new().amplitude(0.5).f(3.0).offset(1.0));
    m.connect(excitation.y, brake.excitation);
    m.connect(brake.flange, body.flange_a);
    m.connect(brake.support, housing.flange_a);
    m.connect(brake.heat_port, heat.port);
}

/// The same for translation.
fn brake_force(m: &mut Assembly) {
    let brake = tra::EddyCurrentForce::new().f_nominal(30.0).v_nominal(8.0).alpha20(COPPER);
    let brake = m.add("brake", brake);
    let body = m.add("body", tra::Mass::new().m(2.0).v(fixed(20.0)));
    let housing = m.add("housing", tra::Mass::new().m(5.0).v(fixed(-1.0)));
    let heat = m.add("heat", HeatCapacitor::new().C(3.0).T(fixed(293.15)));
    let excitation = m.add("excitation", Sine::new().amplitude(0.5).f(3.0).offset(1.0));
    m.connect(excitation.y, brake.excitation);
    m.connect(brake.flange, body.flange_a);
    m.connect(brake.support, housing.flange_a);
    m.connect(brake.heat_port, heat.port);
}

/// The torque of a brake whose largest torque at 293.15 K is 30 at 8 rad/s, for a speed, a
/// temperature and an excitation.
fn eddy(speed: f64, temperature: f64, excitation: f64) -> f64 {
    let x = speed / (8.0 * (1.0 + COPPER * (temperature - 293.15)));
    2.0 * 30.0 * excitation * excitation * x / (1.0 + x * x)
}

#[test]
fn the_energy_that_a_brake_takes_warms_what_is_connected_to_it() {
    for text in [brake_torque, brake_force] {
        let mut model = start(text);
        let total =
            |model: &mut Simulation| value(model, "energy.kinetic") + 3.0 * value(model, "heat.T");
        let before = total(&mut model);
        step(&mut model, 1.0);
        let (after, warm) = (total(&mut model), value(&mut model, "heat.T"));
        assert!((after - before).abs() < 1e-7 * before, "{before} J and {after} J");
        assert!(warm > 300.0, "it warms up to {warm} K");
    }
}

#[test]
fn brakes_follow_their_law_of_temperature_and_excitation() {
    for (flow, speed, text) in
        [("tau", "w", brake_torque as fn(&mut Assembly)), ("f", "v", brake_force)]
    {
        let mut model = start(text);
        for _ in 0..20 {
            step(&mut model, 0.05);
            let mut at = |name: &str| value(&mut model, name);
            let relative = at(&format!("body.{speed}")) - at(&format!("housing.{speed}"));
            let law = eddy(relative, at("heat.T"), at("excitation.y"));
            assert!((at(&format!("brake.{flow}")) - law).abs() < 1e-11);
            assert!((at(&format!("brake.flange.{flow}")) - law).abs() < 1e-11);
            assert!((at(&format!("brake.support.{flow}")) + law).abs() < 1e-11);
            assert!((at("brake.lossPower") - law * relative).abs() < 1e-9);
        }
    }
}

#[test]
fn a_brake_without_connections_uses_its_parameters() {
    // The brake is given at 373.15 K and used at 273.15 K: `alpha` at the reference temperature
    // applies.
    let mut model = start(|m| {
        let brake = rot::EddyCurrentTorque::new().tau_nominal(30.0).w_nominal(8.0).alpha20(COPPER);
        let brake = m.add("brake", brake.t_ref(373.15).T(273.15).constant_excitation(0.5));
        let body = m.add("body", rot::Inertia::new().J(2.0).w(fixed(4.0)));
        m.connect(brake.flange, body.flange_a);
    });
    let alpha = COPPER / (1.0 + COPPER * 80.0);
    let x = 4.0 / (8.0 * (1.0 - 100.0 * alpha));
    let law = 0.5 * 30.0 * x / (1.0 + x * x);
    assert!((value(&mut model, "brake.tau") - law).abs() < 1e-12);
}

#[test]
fn a_body_cools_down_by_an_exponential() {
    // Two conductors of 4 W/K in series have 2 W/K; with 10 J/K the time constant is 5 s.
    let mut model = start(|m| {
        let body = m.add("body", HeatCapacitor::new().C(10.0).T(fixed(373.15)));
        let conductor = m.add("conductor", ThermalConductor::new().G(4.0));
        let convection = m.add("convection", Convection::new());
        let gc = m.add("Gc", Constant::new().k(4.0));
        let room = m.add("room", FixedTemperature::new().deg_c(20.0));
        let between = m.add("between", TemperatureSensor::new());
        m.connect(gc.y, convection.gc);
        m.connect(body.port, conductor.port_a);
        m.connect(conductor.port_b, convection.solid);
        m.connect(convection.fluid, room.port);
        m.connect(between.port, convection.solid);
        m.output("T", between.T);
        m.output("T_body", body.T);
    });
    step(&mut model, 5.0);
    let rise = 80.0 * (-1.0_f64).exp();
    for (name, wanted) in [
        ("body.T", 293.15 + rise),
        ("T_body", 293.15 + rise),
        ("T", 293.15 + rise / 2.0),
        ("conductor.Q_flow", 2.0 * rise),
        ("convection.dT", rise / 2.0),
    ] {
        let found = value(&mut model, name);
        assert!((found - wanted).abs() < 1e-7, "{name}: {found} instead of {wanted}");
    }
}

#[test]
fn a_heat_flow_warms_a_body_and_may_depend_on_its_temperature() {
    let mut model = start(|m| {
        let heater = m.add("heater", PrescribedHeatFlow::new().alpha(-0.01).t_ref(300.0));
        let flow = m.add("flow", Constant::new().k(50.0));
        let body = m.add("body", HeatCapacitor::new().C(5.0).T(fixed(300.0)));
        m.connect(flow.y, heater.Q_flow);
        m.connect(heater.port, body.port);
    });
    step(&mut model, 10.0);
    // C dT/dt = 50 (1 - (T - 300) / 100)
    let wanted = 300.0 + 100.0 * (1.0 - (-1.0_f64).exp());
    let found = value(&mut model, "body.T");
    assert!((found - wanted).abs() < 1e-6, "{found} instead of {wanted}");
}

#[test]
fn a_fixed_temperature_counts_for_all_bodies_at_a_port_in_either_order() {
    for other_way in [false, true] {
        let mut model = start(|m| {
            let guessed = HeatCapacitor::new().C(2.0).T(guess(300.0));
            let given = HeatCapacitor::new().C(3.0).T(fixed(350.0));
            let (first, second) = if other_way { (given, guessed) } else { (guessed, given) };
            let first = m.add("first", first);
            let second = m.add("second", second);
            m.connect(first.port, second.port);
        });
        for name in ["first.T", "second.T"] {
            assert_eq!(value(&mut model, name), 350.0);
        }
    }
}

#[test]
fn mistakes_with_heat_are_named() {
    type Text = fn(&mut Assembly);
    let cases: [(Text, &str); 4] = [
        (
            |m| {
                m.add("x", HeatCapacitor::new().C(0.0));
            },
            "x.C = 0 J/K: must be positive",
        ),
        (
            |m| {
                m.add("x", FixedTemperature::new().deg_c(-300.0));
            },
            "x.T = -26.850000000000023 K: must be positive or zero",
        ),
        (
            |m| {
                m.add("x", ThermalConductor::new().G(-1.0));
            },
            "x.G = -1 W/K: must be positive or zero",
        ),
        (
            |m| {
                m.add("x", rot::EddyCurrentTorque::new().tau_nominal(1.0).w_nominal(0.0));
            },
            "x.w_nominal = 0 rad/s: must not be zero",
        ),
    ];
    for (text, sentence) in cases {
        let message = simulation(text).err().unwrap_or_default();
        assert!(message.contains(sentence), "{message}");
    }
}

#[test]
fn degrees_celsius_are_converted_to_kelvin() {
    let mut model = start(|m| {
        let ambient = m.add("ambient", CelsiusTemperature::new().T(20.0));
        let sensor = m.add("sensor", TemperatureSensor::new());
        m.connect(ambient.port, sensor.port);
    });
    assert_eq!([value(&mut model, "sensor.T"), value(&mut model, "ambient.T")], [293.15, 20.0]);
    let cold = simulation(|m| {
        m.add("ambient", CelsiusTemperature::new().T(-300.0));
    });
    assert_eq!(cold.unwrap_err(), "ambient.T = -300 degC: must be at least -273.15 degC");
}
