//! Synchronous machines: Faraday's law in the phases, power, and voltages without load.

use super::near;
use crate::common::{run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::machines::*;
use libraries::prelude::*;
use libraries::rotational::{AngleSensor, ConstantSpeed, Damper, Fixed};
use mechanics::add;
use std::f64::consts::TAU;

/// Inductances in H: stray, of the mean, and along and across the axis of the rotor.
pub const INDUCTANCES: [f64; 4] = [3e-4, 2e-4, 1.1e-3, 0.6e-3];

/// Resistance of a phase in Ohm.
const RESISTANCE: f64 = 0.05;

/// Moment of inertia of the rotor in kg m2.
const INERTIA: f64 = 0.02;

/// Number of pairs of poles.
const PAIRS: i32 = 3;

pub fn machine() -> SM_PermanentMagnet {
    let [stray, zero, along, across] = INDUCTANCES;
    SM_PermanentMagnet::new()
        .p(PAIRS)
        .vs_open_circuit(80)
        .Rs(RESISTANCE)
        .Lssigma(stray)
        .Lszero(zero)
        .Lmd(along)
        .Lmq(across)
        .Jr(INERTIA)
        .friction_p_ref(100)
        .stray_p_ref(70)
        .magnet_p_ref(30)
        .magnet_c(0.4)
        .phi_mechanical(fixed(0.2))
        .w_mechanical(fixed(90))
        .i_d(fixed(5))
        .i_q(fixed(-8))
}

/// A machine at three voltages that are no symmetric system; the star of the machine is connected
/// with the ground or free.
fn unsymmetrical(m: &mut Assembly, machine: SM_PermanentMagnet, is_grounded: bool) {
    add! { m,
        machine: machine,
        ground: Ground::new(),
        damper: Damper::new().d(0.3),
        fixed: Fixed::new(),
    }
    for k in 0..3 {
        let phase = -TAU * f64::from(k) / 3.0;
        let source = SineVoltage::new().V(60 + 10 * k).f(50).phase(phase);
        let source = m.add(format!("source_{k}"), source);
        m.connect(source.p, machine.plug_sp[k as usize]);
        m.connect(source.n, ground.p);
        if is_grounded {
            m.connect(machine.plug_sn[k as usize], ground.p);
        }
    }
    m.connect(machine.plug_sn[0], machine.plug_sn[1]);
    m.connect(machine.plug_sn[1], machine.plug_sn[2]);
    m.connect(machine.flange, damper.flange_a);
    m.connect(damper.flange_b, fixed.flange);
}

/// The values of the phases.
pub fn phases(model: &mut Simulation, name: &str) -> [f64; 3] {
    [1, 2, 3].map(|k| value(model, &format!("machine.{name}[{k}]")))
}

/// The fluxes of the phases in Wb, from the matrix of their inductances at an angle of the rotor.
pub fn fluxes(model: &mut Simulation) -> [f64; 3] {
    let [stray, zero, along, across] = INDUCTANCES;
    let currents = phases(model, "is");
    let angle = f64::from(PAIRS) * value(model, "machine.phiMechanical");
    let mean = currents.iter().sum::<f64>() / 3.0;
    let magnet = 2_f64.sqrt() * 80.0 / (TAU * 50.0);
    let axis = |k: usize| TAU * k as f64 / 3.0;
    [0, 1, 2].map(|k| {
        let main = (0..3).map(|j| {
            let fixed = (along + across) / 2.0 * (axis(k) - axis(j)).cos();
            let turning = (along - across) / 2.0 * (2.0 * angle - axis(k) - axis(j)).cos();
            2.0 / 3.0 * (fixed + turning) * currents[j]
        });
        let main: f64 = main.sum();
        main + stray * (currents[k] - mean) + zero * mean + magnet * (angle - axis(k)).cos()
    })
}

#[test]
fn voltages_behind_the_resistances_are_the_rates_of_the_fluxes() {
    for is_grounded in [true, false] {
        let mut model = start(|m| unsymmetrical(m, machine(), is_grounded));
        let h = 1e-5;
        for k in 1..=20 {
            let t = 0.0137 * f64::from(k);
            run_to(&mut model, t - h);
            let before = fluxes(&mut model);
            run_to(&mut model, t);
            let (v, i) = (phases(&mut model, "vs"), phases(&mut model, "is"));
            run_to(&mut model, t + h);
            let after = fluxes(&mut model);
            for phase in 0..3 {
                let rate = (after[phase] - before[phase]) / (2.0 * h);
                near(v[phase] - RESISTANCE * i[phase], rate, 2e-3);
            }
            let sum: f64 = i.iter().sum();
            assert!(is_grounded == (sum.abs() > 1e-3), "{sum} A");
        }
    }
}

#[test]
fn power_of_the_phases_is_stored_lost_or_leaves_at_the_shaft() {
    let [stray, zero, along, across] = INDUCTANCES;
    let lossy = || machine().core_p_ref(150).core_v_ref(90);
    let mut model = start(|m| unsymmetrical(m, lossy(), true));
    let mut of = |t: f64| {
        run_to(&mut model, t);
        let (v, i) = (phases(&mut model, "vs"), phases(&mut model, "is"));
        let mut at = |name: &str| value(&mut model, &format!("machine.{name}"));
        let electrical: f64 = (0..3).map(|k| v[k] * i[k]).sum();
        let lost = at("powerBalance.lossPowerTotal");
        let mechanical = at("wMechanical") * at("tauShaft");
        let [d, q, mean] = ["idq_sr[1]", "idq_sr[2]", "i_0_s"].map(&mut at);
        let stored = 0.75 * ((stray + along) * d * d + (stray + across) * q * q)
            + 1.5 * zero * mean * mean
            + 0.5 * INERTIA * at("wMechanical").powi(2);
        ([electrical, lost], electrical - lost - mechanical, stored)
    };
    let (h, n) = (2e-5, 2000);
    let (_, first, before) = of(0.05);
    let (mut sum, mut turnover, mut after) = (first, 0.0, before);
    for k in 1..=n {
        let (powers, power, stored) = of(0.05 + h * f64::from(k));
        // Simpson's rule.
        let weight = match k {
            _ if k == n => 1.0,
            _ if k % 2 == 1 => 4.0,
            _ => 2.0,
        };
        sum += weight * power;
        turnover += powers.iter().map(|power| power.abs()).sum::<f64>() * h;
        after = stored;
    }
    assert!(turnover > 10.0, "{turnover} J");
    near(after - before, sum * h / 3.0, 1e-6 * turnover);
}

#[test]
fn an_idle_machine_has_its_voltage_without_load_and_the_losses_of_its_references() {
    let losses = machine().core_p_ref(150).core_v_ref(80).magnet_c(1);
    let mut model = start(move |m| {
        add! { m,
            machine: losses.i_d(free()).i_q(free()).w_mechanical(free()),
            drive: ConstantSpeed::new().w_fixed(TAU * 50.0 / f64::from(PAIRS)),
            ground: Ground::new(),
        }
        m.connect(machine.flange, drive.flange);
        m.connect(machine.plug_sn[0], ground.p);
        m.connect(machine.plug_sn[0], machine.plug_sn[1]);
        m.connect(machine.plug_sn[1], machine.plug_sn[2]);
        for k in 0..3 {
            let idle = m.add(format!("idle_{k}"), Resistor::new().R(1e7));
            m.connect(machine.plug_sp[k], idle.p);
            m.connect(idle.n, ground.p);
        }
    });
    run_to(&mut model, 0.5);
    let mut mean_square = 0.0;
    for k in 0..40 {
        run_to(&mut model, 0.5 + 0.02 * f64::from(k) / 40.0);
        mean_square += value(&mut model, "machine.vs[2]").powi(2) / 40.0;
    }
    // The current of the core drops a voltage in the inductances, across the induced one: 80 V are
    // the hypotenuse.
    let current = 150.0 / (3.0 * 80.0);
    let dropped = TAU * 50.0 * (INDUCTANCES[0] + INDUCTANCES[2]) * current;
    let missing = dropped.powi(2) / (2.0 * 80.0);
    near(mean_square.sqrt(), 80.0, missing);
    let mut at = |name: &str| value(&mut model, &format!("machine.powerBalance.lossPower{name}"));
    near(at("StatorCore"), 150.0, 150.0 * 2.0 * missing / 80.0);
    near(at("Friction"), 100.0, 1e-6);
    near(at("PermanentMagnet"), 30.0, 1e-6);
}

#[test]
fn currents_along_and_across_the_rotor_give_their_torque() {
    let [_, _, along, across] = INDUCTANCES;
    let mut model = start(move |m| {
        add! { m,
            machine: machine().i_d(free()).i_q(free()).i_zero(free()).w_mechanical(fixed(0)),
            currents: DQToThreePhase::new().p(PAIRS),
            d: Constant::new().k(-20),
            q: Constant::new().k(40),
            angle: AngleSensor::new(),
            damper: Damper::new().d(0.4),
            fixed: Fixed::new(),
            ground: Ground::new(),
            measured: ToDQ::new().p(PAIRS),
        }
        m.connect(machine.flange, angle.flange);
        m.connect(machine.flange, damper.flange_a);
        m.connect(damper.flange_b, fixed.flange);
        m.connect(d.y, currents.d);
        m.connect(q.y, currents.q);
        m.connect(angle.phi, currents.phi);
        m.connect(angle.phi, measured.phi);
        for k in 0..3 {
            let source = m.add(format!("source_{k}"), SignalCurrent::new());
            m.connect(currents.y[k], source.i);
            m.connect(source.n, machine.plug_sp[k]);
            m.connect(source.p, ground.p);
            m.connect(machine.plug_sn[k], ground.p);
            m.connect(machine.is[k], measured.u[k]);
        }
    });
    run_to(&mut model, 0.3);
    let (d, q) = (-20.0 * 2_f64.sqrt(), 40.0 * 2_f64.sqrt());
    let magnet = 2_f64.sqrt() * 80.0 / (TAU * 50.0);
    let torque = 1.5 * f64::from(PAIRS) * (magnet * q + (along - across) * d * q);
    near(value(&mut model, "machine.tauElectrical"), torque, 1e-8);
    near(value(&mut model, "machine.idq_sr[1]"), d, 1e-9);
    near(value(&mut model, "measured.y[1]"), d, 1e-9);
    near(value(&mut model, "measured.y[2]"), q, 1e-9);
    assert!(value(&mut model, "machine.wMechanical") > 10.0);
}

#[test]
fn a_machine_at_voltages_in_its_axes_takes_the_currents_of_its_steady_state() {
    let [stray, _, along, across] = INDUCTANCES;
    let speed = 60.0;
    let model = simulation(move |m: &mut Assembly| {
        add! { m,
            machine: machine().i_d(fixed(0)).i_q(fixed(0)).w_mechanical(free()),
            drive: ConstantSpeed::new().w_fixed(speed),
            voltages: DQToThreePhase::new().p(PAIRS).use_rms(false),
            d: Constant::new().k(3),
            q: Constant::new().k(50),
            angle: AngleSensor::new(),
            ground: Ground::new(),
        }
        m.connect(machine.flange, drive.flange);
        m.connect(machine.flange, angle.flange);
        m.connect(d.y, voltages.d);
        m.connect(q.y, voltages.q);
        m.connect(angle.phi, voltages.phi);
        m.connect(machine.plug_sn[0], machine.plug_sn[1]);
        m.connect(machine.plug_sn[1], machine.plug_sn[2]);
        for k in 0..3 {
            let source = m.add(format!("source_{k}"), SignalVoltage::new());
            m.connect(voltages.y[k], source.v);
            m.connect(source.p, machine.plug_sp[k]);
            m.connect(source.n, ground.p);
        }
    });
    let mut model = model.expect("it is built");
    model.start(Some(1e-10)).expect("it starts");
    run_to(&mut model, 1.0);
    // Rs d - w Lq q = vd, Rs q + w (Ld d + magnet) = vq.
    let magnet = 2_f64.sqrt() * 80.0 / (TAU * 50.0);
    let w = f64::from(PAIRS) * speed;
    let [x_d, x_q] = [w * (stray + along), w * (stray + across)];
    let free = 50.0 - w * magnet;
    let determinant = RESISTANCE * RESISTANCE + x_d * x_q;
    near(
        value(&mut model, "machine.idq_sr[1]"),
        (3.0 * RESISTANCE + x_q * free) / determinant,
        1e-6,
    );
    near(
        value(&mut model, "machine.idq_sr[2]"),
        (RESISTANCE * free - x_d * 3.0) / determinant,
        1e-6,
    );
}
