//! Vehicles: equivalence with a network of components, hills, wind, and refusals.

use crate::common::{Random, set_states, settle, simulation, start, step, value};
use libraries::prelude::*;
use libraries::rotational::{IdealRollingWheel, Inertia, Torque};
use libraries::translational::*;

/// Mass in kg, moment of inertia in kg.m2 and radius in m of the wheels, frontal area in m2, drag
/// coefficient.
const M: f64 = 100.0;
const J: f64 = 0.7;
const R: f64 = 0.25;
const A: f64 = 1.5;
const CD: f64 = 0.4;

fn vehicle() -> Vehicle {
    Vehicle::new().m(M).J(J).R(R).A(A).Cd(CD)
}

/// Inputs that set torque, inclination, rolling resistance and wind.
const INPUTS: [(&str, &str); 4] = [("torque", "N.m"), ("slope", "1"), ("cr", "1"), ("wind", "m/s")];

fn inputs(m: &mut Assembly) -> [Quantity; 4] {
    INPUTS.map(|(name, unit)| m.add(name, ExternalInput::new().unit(unit).start(0.0)).y)
}

fn whole(m: &mut Assembly) {
    let [tau, inclination, cr, wind] = inputs(m);
    let vehicle = m.add("vehicle", vehicle().rho(1.3));
    let torque = m.add("engine", Torque::new());
    m.connect(tau, torque.tau);
    m.connect(torque.flange, vehicle.flange_r);
    m.connect(inclination, vehicle.inclination);
    m.connect(cr, vehicle.cr);
    m.connect(wind, vehicle.v_wind);
    m.output("a", vehicle.a);
}

/// The vehicle as a network of components, as it was published.
fn parts(m: &mut Assembly) {
    let [tau, inclination, cr, wind] = inputs(m);
    let torque = m.add("engine", Torque::new());
    let inertia = m.add("inertia", Inertia::new().J(J));
    let wheel = m.add("wheel", IdealRollingWheel::new().radius(R));
    let mass = m.add("mass", Mass::new().m(M).states(Prefer));
    let nominal = -CD * A * 1.3 / 2.0;
    let drag = QuadraticSpeedDependentForce::new().f_nominal(nominal).v_nominal(1.0);
    let drag = m.add("drag", drag.force_direction(false));
    let air = m.add("air", Speed::new().exact(true));
    let weight = M * 9.80665;
    let rolling = RollingResistance::new().f_weight(weight).reg(Regularization::Linear).v0(1e-3);
    let rolling = m.add("rolling", rolling);
    m.connect(tau, torque.tau);
    m.connect(torque.flange, inertia.flange_a);
    m.connect(inertia.flange_b, wheel.flange_r);
    m.connect(wheel.flange_t, mass.flange_a);
    m.connect(drag.flange, mass.flange_b);
    m.connect(drag.support, air.flange);
    m.connect(wind, air.v_ref);
    m.connect(rolling.flange, mass.flange_b);
    m.connect(rolling.cr, cr);
    m.connect(rolling.inclination, inclination);
    m.output("a", mass.a);
}

#[test]
fn a_vehicle_is_the_sum_of_its_parts() {
    let mut random = Random(9);
    let (mut whole, mut parts) = (start(whole), start(parts));
    for _ in 0..50 {
        let [tau, slope, v] = random.vector();
        let u = vec![50.0 * tau, 0.3 * slope, 0.01 + 0.01 * tau * tau, 8.0 * random.number()];
        let grade = M * 9.80665 * u[1].atan().sin();
        for model in [&mut whole, &mut parts] {
            // Positions have no influence, so that all states may have the value of the speed.
            let states = vec![10.0 * v; model.continuous_states().len()];
            set_states(model, &states);
            for ((name, _), value) in INPUTS.iter().zip(&u) {
                model.set(name, *value).unwrap();
            }
            settle(model);
        }
        assert_eq!(value(&mut parts, "mass.v"), value(&mut whole, "vehicle.v"));
        let (x, y) = (value(&mut whole, "a"), value(&mut parts, "a"));
        let grade = grade / (M + J / (R * R));
        assert!((x + grade - y).abs() < 1e-12 * (1.0 + y.abs()), "{x} and {y} less {grade}");
    }
}

#[test]
fn a_vehicle_without_connections_uses_its_parameters_and_reaches_its_final_velocity() {
    // Downhill by 10 percent against rolling resistance: drag balances the rest.
    let mut model = start(|m| {
        let vehicle = vehicle().cr_constant(0.02).inclination_constant(-0.1);
        let vehicle = m.add("vehicle", vehicle.v_wind_constant(-5.0).v(fixed(20.0)));
        m.output("v", vehicle.v);
    });
    step(&mut model, 400.0);
    let down = M * 9.80665 * (0.1 - 0.02) / 1.01_f64.sqrt();
    let wanted = (down / (CD * A * 1.2 / 2.0)).sqrt() - 5.0;
    let found = value(&mut model, "v");
    assert!((found - wanted).abs() < 1e-9, "{found} instead of {wanted}");
}

#[test]
fn impossible_vehicles_are_refused() {
    type Text = fn(&mut Assembly);
    let cases: [(Text, &str); 4] = [
        (
            |m| {
                m.add("x", vehicle().R(0));
            },
            "x.R = 0 m: must not be zero",
        ),
        (
            |m| {
                m.add("x", vehicle().m(-1));
            },
            "x.m = -1 kg: must be positive or zero",
        ),
        (
            |m| {
                m.add("x", vehicle().v_reg(0.0));
            },
            "x.vReg = 0 m/s: must be positive",
        ),
        (
            |m| {
                m.add("x", RollingResistance::new().f_weight(-3.0));
            },
            "x.fWeight = -3 N: must be positive or zero",
        ),
    ];
    for (text, sentence) in cases {
        let message = simulation(text).err().unwrap_or_default();
        assert!(message.contains(sentence), "{message}");
    }
}
