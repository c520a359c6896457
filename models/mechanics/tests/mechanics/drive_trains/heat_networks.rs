//! Networks of heat: resistances, radiation, sensors in the flow, temperatures that signals give.

use crate::common::{refusal, run_to, start, value};
use libraries::electrical::{ConstantVoltage, Ground, Resistor};
use libraries::prelude::*;
use libraries::thermal::*;
use mechanics::add;

/// The Stefan-Boltzmann constant in W/(m2.K4).
const SIGMA: f64 = 5.670_374_419e-8;

#[track_caller]
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value}, not {expected}");
}

#[test]
fn a_resistance_is_the_inverse_of_a_conductance() {
    let cooled = |by_resistance: bool| {
        let mut model = start(move |m| {
            add! { m,
                body: HeatCapacitor::new().C(10).T(fixed(400)),
                room: FixedTemperature::new().T(300),
            }
            let (a, b) = if by_resistance {
                let wall = m.add("wall", ThermalResistor::new().R(0.4));
                (wall.port_a, wall.port_b)
            } else {
                let wall = m.add("wall", ThermalConductor::new().G(2.5));
                (wall.port_a, wall.port_b)
            };
            m.connect(a, body.port);
            m.connect(b, room.port);
        });
        run_to(&mut model, 3.0);
        ["body.T", "wall.Q_flow", "wall.dT"].map(|name| value(&mut model, name))
    };
    let [by_resistance, by_conductance] = [cooled(true), cooled(false)];
    for (one, other) in by_resistance.into_iter().zip(by_conductance) {
        near(one, other, 1e-9);
    }
    near(by_resistance[0], 300.0 + 100.0 * (-0.75_f64).exp(), 1e-7);
}

#[test]
fn a_body_in_a_cold_room_radiates_by_the_cube_root_law() {
    // C der(T) = -Gr sigma T^4, so 1 / T^3 grows linearly.
    let mut model = start(|m| {
        add! { m,
            body: HeatCapacitor::new().C(50).T(fixed(900)),
            surface: BodyRadiation::new().Gr(0.02),
            space: FixedTemperature::new().T(0),
        }
        m.connect(body.port, surface.port_a);
        m.connect(surface.port_b, space.port);
    });
    run_to(&mut model, 60.0);
    let inverse = 900.0_f64.powi(-3) + 3.0 * 0.02 * SIGMA / 50.0 * 60.0;
    near(value(&mut model, "body.T"), inverse.powf(-1.0 / 3.0), 1e-4);
}

#[test]
fn a_shield_without_capacity_halves_the_radiation() {
    // Both gaps have the same conductance: the fourth power of the temperature of the shield is the
    // mean of those of the walls.
    let mut model = start(|m| {
        add! { m,
            hot: FixedTemperature::new().T(800),
            first: BodyRadiation::new().Gr(0.5),
            shield: TemperatureSensor::new(),
            second: BodyRadiation::new().Gr(0.5),
            cold: FixedTemperature::new().T(300),
        }
        m.connect(hot.port, first.port_a);
        m.connect(first.port_b, second.port_a);
        m.connect(shield.port, first.port_b);
        m.connect(second.port_b, cold.port);
    });
    let fourth = |t: f64| t.powi(4);
    near(value(&mut model, "shield.T"), ((fourth(800.0) + fourth(300.0)) / 2.0).powf(0.25), 1e-8);
    let flow = 0.25 * SIGMA * (fourth(800.0) - fourth(300.0));
    near(value(&mut model, "first.Q_flow"), flow, 1e-6);
}

#[test]
fn the_resistance_at_a_port_without_capacity_and_its_temperature_agree() {
    // T = 300 + R_th V^2 / R with R = 10 (1 + 4e-3 (T - 300)): a quadratic equation for the rise x,
    // x (1 + a x) = b.
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(50),
            r: Resistor::new().R(10).alpha(4e-3).T_ref(300),
            ground: Ground::new(),
            wall: ThermalResistor::new().R(0.4),
            room: FixedTemperature::new().T(300),
        }
        m.connect(source.p, r.p);
        m.connect(r.n, source.n);
        m.connect(source.n, ground.p);
        m.connect(r.heat_port, wall.port_a);
        m.connect(wall.port_b, room.port);
    });
    let (a, b): (f64, f64) = (4e-3, 0.4 * 250.0);
    let rise = ((1.0 + 4.0 * a * b).sqrt() - 1.0) / (2.0 * a);
    near(value(&mut model, "r.T_heatPort"), 300.0 + rise, 1e-8);
    near(value(&mut model, "wall.Q_flow"), rise / 0.4, 1e-8);
    near(value(&mut model, "r.i"), 50.0 / (10.0 * (1.0 + a * rise)), 1e-10);
}

/// Two capacities that a sensor joins, and what else is at both of them.
fn joined(m: &mut Assembly) {
    add! { m,
        left: HeatCapacitor::new().C(4).T(fixed(350)),
        sensor: HeatFlowSensor::new(),
        right: HeatCapacitor::new().C(12).T(guess(350)),
        heater: FixedHeatFlow::new().Q_flow(80),
        wall: ThermalConductor::new().G(1.6),
        room: FixedTemperature::new().T(300),
    }
    m.connect(heater.port, left.port);
    m.connect(left.port, sensor.port_a);
    m.connect(sensor.port_b, right.port);
    m.connect(right.port, wall.port_a);
    m.connect(wall.port_b, room.port);
}

#[test]
fn a_sensor_in_the_flow_changes_nothing_and_measures_what_the_other_side_takes() {
    let mut model = start(joined);
    assert_eq!(model.continuous_states().len(), 1);
    for t in [0.0, 4.0, 20.0] {
        run_to(&mut model, t);
        // 16 der(T) = 80 - 1.6 (T - 300)
        let temperature = 350.0;
        near(value(&mut model, "left.T"), temperature, 1e-9);
        near(value(&mut model, "sensor.Q_flow"), 80.0, 1e-9);
    }
    // A collector of one flow is a sensor too.
    let mut model = start(|m| {
        joined(m);
        let more = m.add("more", FixedHeatFlow::new().Q_flow(160));
        let collector = m.add("collector", ThermalCollector::new().m(1));
        let last = m.add("last", HeatCapacitor::new().C(4).T(guess(350)));
        m.connect(more.port, collector.port_a[0]);
        m.connect(collector.port_b, last.port);
    });
    run_to(&mut model, 2.0);
    near(value(&mut model, "last.T"), 350.0 + 160.0 / 4.0 * 2.0, 1e-7);
    near(value(&mut model, "collector.collected[1].Q_flow"), 160.0, 1e-9);
}

#[test]
fn the_flow_between_joined_capacities_is_shared_as_they_are() {
    let mut model = start(|m| {
        add! { m,
            left: HeatCapacitor::new().C(4).T(fixed(300)),
            sensor: HeatFlowSensor::new(),
            right: HeatCapacitor::new().C(12).T(guess(300)),
            heater: FixedHeatFlow::new().Q_flow(80),
        }
        m.connect(heater.port, left.port);
        m.connect(left.port, sensor.port_a);
        m.connect(sensor.port_b, right.port);
    });
    run_to(&mut model, 1.0);
    near(value(&mut model, "sensor.Q_flow"), 60.0, 1e-12);
    near(value(&mut model, "right.T"), 305.0, 1e-9);
}

#[test]
fn temperatures_may_be_signals_in_kelvin_or_in_degrees_celsius() {
    let mut model = start(|m| {
        add! { m,
            day: Sine::new().amplitude(8).f(0.02).offset(285),
            in_celsius: FromKelvin::new(),
            outside: CelsiusPrescribedTemperature::new(),
            other: PrescribedTemperature::new(),
            flow: HeatFlowSensor::new(),
            wall: ThermalConductor::new().G(3),
            indoors: HeatCapacitor::new().C(5).T(fixed(293)),
            difference: RelTemperatureSensor::new(),
            reading: CelsiusTemperatureSensor::new(),
        }
        m.connect(day.y, in_celsius.kelvin);
        m.connect(in_celsius.celsius, outside.T);
        m.connect(day.y, other.T);
        m.connect(outside.port, flow.port_a);
        m.connect(flow.port_b, wall.port_a);
        m.connect(wall.port_b, indoors.port);
        m.connect(difference.port_a, outside.port);
        m.connect(difference.port_b, other.port);
        m.connect(reading.port, indoors.port);
    });
    for t in [0.0, 7.0, 31.0] {
        run_to(&mut model, t);
        let outside = 285.0 + 8.0 * (std::f64::consts::TAU * 0.02 * t).sin();
        let indoors = value(&mut model, "indoors.T");
        near(value(&mut model, "flow.Q_flow"), 3.0 * (outside - indoors), 1e-9);
        near(value(&mut model, "difference.T_rel"), 0.0, 1e-9);
        near(value(&mut model, "reading.T"), indoors - 273.15, 1e-10);
    }
}

#[test]
fn impossible_networks_of_heat_are_refused() {
    let loop_of_sensors = refusal(|m| {
        add! { m,
            body: HeatCapacitor::new().C(1),
            first: HeatFlowSensor::new(),
            second: HeatFlowSensor::new(),
            other: HeatCapacitor::new().C(1),
        }
        for sensor in [first, second] {
            m.connect(body.port, sensor.port_a);
            m.connect(sensor.port_b, other.port);
        }
    });
    assert_eq!(
        loop_of_sensors,
        "second: its two heat ports are already connected otherwise, so that the heat flow through \
         it is not determined"
    );
    let both_given = refusal(|m| {
        add! { m,
            warm: FixedTemperature::new().T(300),
            sensor: HeatFlowSensor::new(),
            cold: FixedTemperature::new().T(280),
        }
        m.connect(warm.port, sensor.port_a);
        m.connect(sensor.port_b, cold.port);
    });
    assert_eq!(both_given, "cold: its temperature is already given by another component");
}
