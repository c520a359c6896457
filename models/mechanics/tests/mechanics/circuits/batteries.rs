//! Batteries: charge, voltage, losses, chargers.

use super::near;
use crate::common::{refusal, run_to, simulation, start, value};
use libraries::batteries::*;
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::thermal::{FixedTemperature, HeatCapacitor};
use mechanics::add;
use mechanics::port::Pin;

/// A cell of 1 Ah with 3 V when empty and 4 V when full.
fn cell() -> CellStack {
    CellStack::new().q_nom(3600).ocv_max(4).ocv_min(3).ri(0.02)
}

/// A constant current from the positive to the negative pin, inside of the battery.
fn charge(m: &mut Assembly, [p, n]: [Pin; 2], current: f64) {
    add! { m, source: ConstantCurrent::new().I(current), ground: Ground::new() }
    m.connect(source.n, p);
    m.connect(source.p, n);
    m.connect(n, ground.p);
}

#[test]
fn the_charge_is_the_integral_of_the_current() {
    let mut model = start(|m| {
        let battery = m.add("battery", cell().Ns(5).Np(3).soc(fixed(0.3)));
        charge(m, [battery.p, battery.n], 6.0);
    });
    for t in [0.0, 100.0, 700.0] {
        run_to(&mut model, t);
        let soc = 0.3 + 6.0 * t / (3.0 * 3600.0);
        near(value(&mut model, "battery.SOC"), soc, 1e-9);
        near(value(&mut model, "battery.v"), 5.0 * (3.0 + soc) + 5.0 / 3.0 * 0.02 * 6.0, 1e-8);
        near(value(&mut model, "battery.p.i"), 6.0, 1e-12);
    }
    near(value(&mut model, "battery.lossPower"), 5.0 / 3.0 * 0.02 * 36.0, 1e-9);
}

#[test]
fn what_a_battery_takes_is_stored_or_lost() {
    let mut model = start(|m| {
        let battery = m.add("battery", cell().idis(0.2).alpha(4e-3).soc(fixed(0.4)));
        let heat = m.add("heat", HeatCapacitor::new().C(40).T(fixed(300)));
        m.connect(battery.heat_port, heat.port);
        charge(m, [battery.p, battery.n], 3.0);
    });
    let h = 5.0;
    let (mut taken, mut stored) = (0.0, 0.0);
    for k in 0..=60 {
        run_to(&mut model, h * f64::from(k));
        let weight = if k == 0 || k == 60 { 0.5 } else { 1.0 } * h;
        let leaking = 0.2 * value(&mut model, "battery.ocv.v") / 4.0;
        taken += weight * value(&mut model, "battery.power");
        stored += weight * value(&mut model, "battery.ocv.v") * (3.0 - leaking);
    }
    let heat = 40.0 * (value(&mut model, "heat.T") - 300.0);
    assert!(heat > 50.0, "{heat} J");
    near(heat, taken - stored, 1e-3 * heat);
}

#[test]
fn elements_follow_a_step_of_the_current_by_exponentials() {
    let mut model = start(|m| {
        let battery =
            CellRCStack::new().q_nom(36000).ocv_max(4).ocv_min(3).ri(0.05).soc(fixed(0.5));
        let battery = battery.rc_resistance([0.02, 0.01]).rc_capacitance([500.0, 4000.0]);
        let battery = m.add("battery", battery.Ns(2).Np(4));
        charge(m, [battery.p, battery.n], 8.0);
    });
    for t in [0.0, 4.0, 25.0] {
        run_to(&mut model, t);
        let of = |r: f64, c: f64| 0.5 * r * 8.0 * (1.0 - (-t / (r * c)).exp());
        let [first, second] = [of(0.02, 500.0), of(0.01, 4000.0)];
        near(value(&mut model, "battery.capacitor[1].v"), first, 1e-7);
        near(value(&mut model, "battery.capacitor[2].v"), second, 1e-7);
        let ocv = 2.0 * (3.5 + 2.0 * t / 36000.0);
        near(value(&mut model, "battery.v"), ocv + 0.5 * 0.02 * 8.0 + first + second, 1e-6);
    }
}

const TABLE: [[f64; 2]; 6] =
    [[0.0, 0.6], [0.1, 0.76], [0.3, 0.8], [0.6, 0.85], [0.8, 0.93], [1.0, 1.0]];

#[test]
fn a_table_of_voltages_is_that_of_a_table_of_time() {
    for smoothness in [Smoothness::LinearSegments, Smoothness::ContinuousDerivative] {
        let mut model = start(move |m| {
            let battery = cell().use_linear(false).ocv_soc(TABLE).smoothness(smoothness);
            let battery = m.add("battery", battery.soc(fixed(0)));
            let rows = TABLE.map(|[soc, part]| [3600.0 * soc, part]);
            m.add("table", CombiTimeTable::new().rows(rows).smoothness(smoothness));
            let soc = m.add("soc", Gain::new().k(1));
            let values = m.add("values", CombiTable1D::new().rows(TABLE).smoothness(smoothness));
            m.connect(battery.soc, soc.u);
            m.connect(soc.y, values.u);
            charge(m, [battery.p, battery.n], 1.0);
        });
        for k in 1..24 {
            run_to(&mut model, 150.0 * f64::from(k));
            let part = value(&mut model, "table.y[1]");
            near(value(&mut model, "battery.ocv.v"), 4.0 * part, 1e-8);
            near(value(&mut model, "values.y[1]"), part, 1e-8);
        }
    }
}

#[test]
fn a_charge_beyond_its_limits_ends_the_simulation() {
    for (current, start, seconds, sentence) in [
        (2.0, 0.9, 1800.0 * 0.1, "battery.SOC: the state of charge is above SOCmax = 1"),
        (-2.0, 0.5, 1800.0 * 0.3, "battery.SOC: the state of charge is below SOCmin = 0.2"),
    ] {
        let mut model = simulation(move |m| {
            let battery = m.add("battery", cell().soc_min(0.2).soc(fixed(start)));
            charge(m, [battery.p, battery.n], current);
        })
        .unwrap();
        model.start(None).unwrap();
        model.run_to(seconds - 1.0).unwrap();
        let error = model.run_to(seconds + 1.0).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error}");
    }
}

#[test]
fn a_charger_gives_its_current_and_then_its_voltage_and_again_its_current() {
    // A load beside the battery takes more than the charger gives, from 6000 s to 7000 s.
    let mut model = start(|m| {
        add! { m,
            charger: CCCVcharger::new().I(2).Vend(3.9),
            battery: cell().soc(fixed(0.5)),
            load: SignalCurrent::new(),
            demand: Pulse::new().amplitude(3).width(100).period(1000).start_time(6000).nperiod(1),
            ground: Ground::new(),
        }
        m.connect(charger.p, battery.p);
        m.connect(load.p, battery.p);
        m.connect(demand.y, load.i);
        for pin in [charger.n, battery.n, load.n] {
            m.connect(pin, ground.p);
        }
    });
    run_to(&mut model, 30.0);
    near(value(&mut model, "charger.i"), -1.0, 1e-9);
    near(value(&mut model, "battery.SOC"), 0.5 + 0.5 * 30.0 * 1.0 / 3600.0, 1e-8);
    run_to(&mut model, 600.0);
    near(value(&mut model, "charger.i"), -2.0, 1e-12);
    // From v = Vend on, 3.9 = 3 + x + 0.02 i with 3600 der(x) = i: a time constant of 72 s.
    let begin = 30.0 + (0.9 - 0.04 - 0.5) * 1800.0;
    run_to(&mut model, begin + 72.0);
    near(value(&mut model, "charger.v"), 3.9, 1e-12);
    near(value(&mut model, "charger.i"), -2.0 * (-1.0_f64).exp(), 1e-5);
    assert_eq!(value(&mut model, "charger.CV"), 1.0);
    run_to(&mut model, 6500.0);
    near(value(&mut model, "charger.i"), -2.0, 1e-12);
    assert_eq!(value(&mut model, "charger.CV"), 0.0);
    assert!(value(&mut model, "charger.v") < 3.9);
    run_to(&mut model, 12000.0);
    near(value(&mut model, "battery.SOC"), 0.9, 1e-6);
}

#[test]
fn a_supercapacitor_is_a_capacitor_with_a_resistance_that_leaks() {
    let mut model = start(|m| {
        add! { m,
            cap: SuperCap::new().Vnom(2.5).V0(1).C(100).Rs(0.01).Idis(0.05).alpha(4e-3),
            room: FixedTemperature::new().T(318.15),
            source: ConstantVoltage::new().V(2),
            ground: Ground::new(),
        }
        m.connect(cap.heat_port, room.port);
        m.connect(source.p, cap.p);
        m.connect(source.n, cap.n);
        m.connect(source.n, ground.p);
    });
    // 100 der(x) = (2 - x) / R - g x
    let (r, g) = (0.01 * 1.1, 0.02);
    let (rate, end) = ((1.0 / r + g) / 100.0, 2.0 / r / (1.0 / r + g));
    for t in [0.0, 0.5, 3.0] {
        run_to(&mut model, t);
        let x = end + (1.0 - end) * (-rate * t).exp();
        near(value(&mut model, "cap.capacitor.v"), x, 1e-7);
        let i = (2.0 - x) / r;
        near(value(&mut model, "cap.i"), i, 1e-5);
        near(value(&mut model, "cap.lossPower"), r * i * i + g * x * x, 1e-4);
    }
}

#[test]
fn impossible_cells_are_refused() {
    let sentence = refusal(|m| {
        let battery = CellRCStack::new().q_nom(10).ocv_max(4).ri(0.02);
        m.add("battery", battery.rc_resistance([0.01, 0.01]).rc_capacitance([1.0, 1.0]));
    });
    assert_eq!(
        sentence,
        "battery.cellData.Ri = 0.02 Ohm: must exceed the sum of the resistances of its RC-elements"
    );
    let sentence = refusal(|m| {
        let battery = CellRCStack::new().q_nom(10).ocv_max(4).ri(0.02);
        m.add("battery", battery.rc_resistance([0.01, 0.01]).rc_capacitance([1.0]));
    });
    assert_eq!(sentence, "battery.cellData.rcData.C: the elements are 2, but the values 1");
    let sentence = refusal(|m| {
        m.add("battery", cell().use_linear(false));
    });
    assert_eq!(
        sentence,
        "battery.cellData.OCV_SOC: without a linear dependency, this table must be given"
    );
    let sentence = refusal(|m| {
        m.add("battery", cell().ocv_min(5));
    });
    assert_eq!(
        sentence,
        "battery.cellData.OCVmin = 5 V, battery.cellData.OCVmax = 4 V: the smallest voltage must \
         be below the largest one"
    );
}
