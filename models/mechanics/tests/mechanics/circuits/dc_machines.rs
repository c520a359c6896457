//! DC machines: power, nominal operation, other formulations.

use super::near;
use crate::common::{refusal, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::machines::*;
use libraries::prelude::*;
use libraries::rotational::{ConstantSpeed, Inertia, QuadraticSpeedDependentTorque};
use libraries::thermal::{FixedTemperature, HeatCapacitor, ThermalConductor};
use mechanics::add;
use mechanics::port::Pin;
use std::f64::consts::TAU;

/// The flange and the pins of a machine: both of the armature, and both of the excitation.
type Terminals = (Flange, [Pin; 2], Option<[Pin; 2]>);

/// A function that adds a machine.
type Machine = fn(&mut Assembly) -> Terminals;

/// A machine with all losses.
macro_rules! lossy {
    ($machine:expr) => {
        $machine
            .friction_p_ref(120)
            .friction_power_w(1.7)
            .core_p_ref(180)
            .stray_p_ref(60)
            .stray_power_w(1.3)
            .brush_v(0.9)
            .brush_i_linear(3)
            .alpha20a(4e-3)
            .ta_operational(360)
            .phi_mechanical(fixed(0))
            .w_mechanical(fixed(0))
    };
}

fn permanent(m: &mut Assembly) -> Terminals {
    let part = m.add("machine", lossy!(DC_PermanentMagnet::new()));
    (part.flange, [part.pin_ap, part.pin_an], None)
}

fn excited(m: &mut Assembly) -> Terminals {
    let machine = lossy!(DC_ElectricalExcited::new().sigmae(0.2).alpha20e(3e-3));
    let part = m.add("machine", machine.te_operational(330));
    (part.flange, [part.pin_ap, part.pin_an], Some([part.pin_ep, part.pin_en]))
}

fn series(m: &mut Assembly) -> Terminals {
    let machine = lossy!(DC_SeriesExcited::new().sigmae(0.1).alpha20e(3e-3));
    let part = m.add("machine", machine.te_operational(330));
    m.connect(part.pin_an, part.pin_ep);
    (part.flange, [part.pin_ap, part.pin_en], None)
}

/// A machine at a voltage that rises, with a fan.
fn driven(m: &mut Assembly, machine: Machine) {
    add! { m,
        signal: Sine::new().amplitude(40).f(0.7).offset(60),
        source: SignalVoltage::new(),
        ground: Ground::new(),
        fan: Inertia::new().J(0.2),
        air: QuadraticSpeedDependentTorque::new().tau_nominal(-40).w_nominal(150),
    }
    m.connect(signal.y, source.v);
    m.connect(source.n, ground.p);
    let (flange, [p, n], field) = machine(m);
    m.connect(source.p, p);
    m.connect(source.n, n);
    if let Some([p, n]) = field {
        let excitation = m.add("excitation", ConstantVoltage::new().V(100));
        m.connect(excitation.p, p);
        m.connect(excitation.n, n);
        m.connect(excitation.n, ground.p);
    }
    m.connect(flange, fan.flange_a);
    m.connect(fan.flange_b, air.flange);
}

/// The value of a variable that only some machines have.
fn value_or_zero(model: &mut Simulation, name: &str) -> f64 {
    model.read(name).unwrap_or(0.0)
}

/// The power into a machine that is neither lost nor leaves at the shaft, and what is stored.
fn balance(model: &mut Simulation, inductance: f64) -> [f64; 2] {
    let mut at = |name: &str| value_or_zero(model, &format!("machine.{name}"));
    let electrical = at("va") * at("ia") + at("ve") * at("ie");
    let mechanical = at("wMechanical") * at("tauShaft");
    let losses = ["ra", "core", "strayLoad", "friction", "brush", "re"].map(|of| {
        let name = if matches!(of, "ra" | "re") { "LossPower" } else { "lossPower" };
        at(&format!("{of}.{name}"))
    });
    assert!(losses.iter().all(|power| *power >= 0.0), "{losses:?}");
    let total: f64 = losses.iter().sum();
    near(at("powerBalance.lossPowerTotal"), total, 1e-9 * (1.0 + total));
    let stored = 0.15 * at("wMechanical").powi(2) / 2.0
        + 0.0015 * at("la.i").powi(2) / 2.0
        + inductance * at("ie").powi(2) / 2.0;
    [electrical - mechanical - total, stored]
}

#[test]
fn power_is_stored_lost_or_leaves_at_the_shaft() {
    let machines: [(Machine, f64); 3] = [(permanent, 0.0), (excited, 1.0), (series, 0.0005)];
    for (machine, inductance) in machines {
        let mut model = start(|m| driven(m, machine));
        run_to(&mut model, 0.1);
        // Simpson's rule.
        let (h, n) = (5e-4, 400);
        let [mut sum, before] = balance(&mut model, inductance);
        let mut after = before;
        for k in 1..=n {
            run_to(&mut model, 0.1 + h * f64::from(k));
            let [power, stored] = balance(&mut model, inductance);
            let weight = if k == n {
                1.0
            } else if k % 2 == 1 {
                4.0
            } else {
                2.0
            };
            sum += weight * power;
            after = stored;
        }
        let flowed = sum * h / 3.0;
        let moved = (after - before).abs();
        assert!(moved > 1.0, "the machine turns: {before} J, {after} J");
        near(after - before, flowed, 2e-5 * (1.0 + after));
    }
}

/// A machine at its nominal voltage whose shaft turns with its nominal speed.
fn at_nominal_speed(
    m: &mut Assembly,
    speed: f64,
    machine: impl FnOnce(&mut Assembly) -> Terminals,
) {
    add! { m,
        source: ConstantVoltage::new().V(220),
        ground: Ground::new(),
        drive: ConstantSpeed::new().w_fixed(speed).phi(fixed(0)),
    }
    let (flange, [p, n], field) = machine(m);
    m.connect(source.n, ground.p);
    m.connect(source.p, p);
    m.connect(source.n, n);
    if let Some([p, n]) = field {
        let excitation = m.add("excitation", ConstantCurrent::new().I(-2));
        m.connect(excitation.p, p);
        m.connect(excitation.n, n);
        m.connect(excitation.n, ground.p);
    }
    m.connect(drive.flange, flange);
}

#[test]
fn nominal_voltage_and_speed_give_the_nominal_current() {
    macro_rules! nominal {
        ($machine:expr) => {
            $machine
                .va_nominal(220)
                .ia_nominal(40)
                .Ra(0.3)
                .alpha20a(4e-3)
                .ta_nominal(370)
                .ta_operational(370)
                .brush_v(1.5)
                .w_nominal(130)
        };
    }
    for quasi_static in [false, true] {
        let currents = [
            start(|m| {
                at_nominal_speed(m, 130.0, |m| {
                    let machine = nominal!(DC_PermanentMagnet::new()).quasi_static(quasi_static);
                    let part = m.add("machine", machine);
                    (part.flange, [part.pin_ap, part.pin_an], None)
                });
            }),
            start(|m| {
                at_nominal_speed(m, 130.0, |m| {
                    let machine = nominal!(DC_ElectricalExcited::new()).quasi_static(quasi_static);
                    let part = m.add("machine", machine.ie_nominal(2).sigmae(0.3));
                    let field = Some([part.pin_ep, part.pin_en]);
                    (part.flange, [part.pin_ap, part.pin_an], field)
                });
            }),
            start(|m| {
                at_nominal_speed(m, 130.0, |m| {
                    let machine = nominal!(DC_SeriesExcited::new()).quasi_static(quasi_static);
                    let machine = machine.Re(0.1).alpha20e(3e-3).te_nominal(350);
                    let part = m.add("machine", machine.te_operational(350).ia(guess(40)));
                    m.connect(part.pin_an, part.pin_ep);
                    (part.flange, [part.pin_ap, part.pin_en], None)
                });
            }),
        ]
        .map(|mut model| {
            run_to(&mut model, 2.0);
            let [ia, vai, tau] = ["ia", "airGapDC.vai", "tauElectrical"]
                .map(|name| value(&mut model, &format!("machine.{name}")));
            near(vai * ia, tau * 130.0, 1e-6);
            ia
        });
        for current in currents {
            near(current, 40.0, 1e-5);
        }
    }
}

#[test]
fn a_machine_without_losses_is_a_resistor_an_inductor_and_a_converter() {
    let k = (100.0 - 0.05 * 100.0) / (1425.0 * std::f64::consts::TAU / 60.0);
    let signals = |whole: bool| {
        let mut model = start(move |m| {
            add! { m,
                ramp: Ramp::new().height(100).duration(0.4),
                source: SignalVoltage::new(),
                ground: Ground::new(),
                load: Inertia::new().J(0.15).phi(fixed(0)).w(fixed(0)),
                air: QuadraticSpeedDependentTorque::new().tau_nominal(-40).w_nominal(150),
            }
            m.connect(ramp.y, source.v);
            m.connect(source.n, ground.p);
            m.connect(load.flange_b, air.flange);
            if whole {
                let part = m.add("machine", DC_PermanentMagnet::new());
                m.connect(source.p, part.pin_ap);
                m.connect(source.n, part.pin_an);
                m.connect(part.flange, load.flange_a);
            } else {
                add! { m,
                    ra: Resistor::new().R(0.05),
                    la: Inductor::new().L(0.0015),
                    emf: RotationalEMF::new().k(k),
                    rotor: Inertia::new().J(0.15),
                }
                m.chain((source.p, ra.p));
                m.chain((ra.n, la.p));
                m.chain((la.n, emf.p));
                m.connect(emf.n, source.n);
                m.connect(emf.flange, rotor.flange_a);
                m.connect(rotor.flange_b, load.flange_a);
            }
        });
        run_to(&mut model, 0.7);
        let current = if whole { "machine.ia" } else { "la.i" };
        ["load.phi", "load.w", current].map(|name| value(&mut model, name))
    };
    for (one, other) in signals(true).into_iter().zip(signals(false)) {
        near(one, other, 1e-7 * (1.0 + other.abs()));
    }
}

#[test]
fn the_housing_takes_the_opposite_torque() {
    // Without anything else, the momentum of rotor and housing stays zero.
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(20),
            ground: Ground::new(),
            machine: DC_PermanentMagnet::new().Js(0.4).friction_p_ref(100).w_mechanical(fixed(0)),
            housing: Inertia::new().J(0.1).phi(fixed(0)).w(fixed(0)),
            shaft: Inertia::new().J(0.05).phi(fixed(0)),
        }
        m.connect(source.p, machine.pin_ap);
        m.connect(source.n, machine.pin_an);
        m.connect(source.n, ground.p);
        m.connect(machine.flange, shaft.flange_a);
        m.connect(machine.support, housing.flange_a);
    });
    run_to(&mut model, 0.3);
    let [shaft, housing, relative] =
        ["shaft.w", "housing.w", "machine.wMechanical"].map(|name| value(&mut model, name));
    assert!(relative > 10.0, "{relative}");
    near(0.2 * shaft + 0.5 * housing, 0.0, 1e-8);
    near(shaft - housing, relative, 1e-9);
    let torque = 0.05 * value(&mut model, "shaft.a");
    near(value(&mut model, "machine.tauShaft"), torque, 1e-8);
}

#[test]
fn the_losses_of_the_armature_heat_it_and_raise_its_resistance() {
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(10),
            ground: Ground::new(),
            machine: DC_PermanentMagnet::new().alpha20a(4e-3).quasi_static(true),
            brake: ConstantSpeed::new().w_fixed(0).phi(fixed(0)),
            winding: HeatCapacitor::new().C(4000).T(fixed(293.15)),
            cooling: ThermalConductor::new().G(5),
            room: FixedTemperature::new().T(293.15),
        }
        m.connect(source.p, machine.pin_ap);
        m.connect(source.n, machine.pin_an);
        m.connect(source.n, ground.p);
        m.connect(brake.flange, machine.flange);
        m.connect(machine.heat_port_armature, winding.port);
        m.connect(winding.port, cooling.port_a);
        m.connect(cooling.port_b, room.port);
    });
    near(value(&mut model, "machine.ia"), 200.0, 1e-9);
    run_to(&mut model, 2e4);
    // In the end 5 x = 100 / (0.05 (1 + a x)).
    let x = ((1.0 + 4.0 * 4e-3 * 400.0_f64).sqrt() - 1.0) / (2.0 * 4e-3);
    near(value(&mut model, "winding.T"), 293.15 + x, 1e-3);
}

#[test]
fn impossible_machines_are_refused() {
    let sentence = refusal(|m| {
        m.add("machine", DC_PermanentMagnet::new().va_nominal(4));
    });
    assert_eq!(
        sentence,
        "machine.VaNominal = 4 V, machine.IaNominal = 100 A, machine.Ra = 0.05 Ohm: the nominal \
         induced voltage must be positive"
    );
    let sentence = refusal(|m| {
        m.add("machine", DC_SeriesExcited::new().sigmae(1));
    });
    assert_eq!(sentence, "machine.sigmae = 1: must be from 0 to 0.99");
}

#[test]
fn a_series_machine_starts_with_a_resistor_that_vanishes() {
    // The nominal point of the defaults, with the losses of both windings.
    let (current, speed) = (100.0, 1410.0 * TAU / 60.0);
    let torque = (100.0 - (0.05 + 0.01) * current) * current / speed;
    let mut model = start(|m| {
        add! { m,
            source: ConstantVoltage::new().V(100),
            ground: Ground::new(),
            starter: VariableResistor::new(),
            resistance: Ramp::new().height(-1).duration(0.9).start_time(0.1).offset(1),
            machine: DC_SeriesExcited::new().w_mechanical(fixed(0)).ia(fixed(0)),
            load: Inertia::new().J(0.15),
            air: QuadraticSpeedDependentTorque::new().tau_nominal(-torque).w_nominal(speed),
        }
        m.connect(resistance.y, starter.R);
        m.connect(source.p, starter.p);
        m.connect(starter.n, machine.pin_ap);
        m.connect(machine.pin_an, machine.pin_ep);
        m.connect(machine.pin_en, source.n);
        m.connect(source.n, ground.p);
        m.connect(machine.flange, load.flange_a);
        m.connect(load.flange_b, air.flange);
    });
    run_to(&mut model, 10.0);
    near(value(&mut model, "machine.ia"), current, 1e-6 * current);
    near(value(&mut model, "machine.wMechanical"), speed, 1e-6 * speed);
}

#[test]
fn a_temperature_without_a_positive_resistance_ends_the_simulation() {
    let mut model = simulation(|m| {
        add! { m,
            ground: Ground::new(),
            machine: DC_PermanentMagnet::new().alpha20a(4e-3).ta_operational(10),
        }
        m.connect(machine.pin_ap, ground.p);
        m.connect(machine.pin_an, ground.p);
    })
    .unwrap();
    let error = model.start(None).unwrap_err().to_string();
    let sentence = "machine.ra: at this temperature, 1 + alpha (T - T_ref) is not positive";
    assert!(error.contains(sentence), "{error}");
}
