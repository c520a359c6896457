//! Beyond the rows of their tables, friction and losses supply no power.

use crate::common::{run_to, start, value};
use mechanics::prelude::*;
use mechanics::rotational::*;

/// The highest speed and the smallest lost power of a shaft that coasts from 50 rad/s for 60 s.
fn run_out(add: impl FnOnce(&mut Assembly, Flange)) -> [f64; 2] {
    let mut model = start(|m| {
        let shaft = m.add("shaft", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(50.0)));
        add(m, shaft.flange_b);
    });
    let (mut fastest, mut least) = (0.0_f64, f64::INFINITY);
    for k in 1..=60 {
        run_to(&mut model, f64::from(k));
        fastest = fastest.max(value(&mut model, "shaft.w").abs());
        least = least.min(value(&mut model, "element.lossPower"));
    }
    [fastest, least]
}

#[test]
fn friction_that_decreases_with_the_speed_supplies_no_power() {
    let falling = [[0.0, 1.0], [10.0, 0.5]];
    let [fastest, least] = run_out(|m, flange| {
        let bearing = m.add("element", BearingFriction::new().tau_pos(falling));
        m.connect(flange, bearing.flange_a);
    });
    assert!(fastest <= 50.0 && least >= 0.0, "{fastest} rad/s, {least} W");
    let [fastest, least] = run_out(|m, flange| {
        let brake = m.add("element", Brake::new().fn_max(10.0).mu_pos(falling));
        let press = m.add("press", Constant::new().k(1.0));
        m.connect(press.y, brake.f_normalized);
        m.connect(flange, brake.flange_a);
    });
    assert!(fastest <= 50.0 && least >= 0.0, "{fastest} rad/s, {least} W");
}

#[test]
fn extrapolated_efficiencies_supply_no_power() {
    for [first, second] in [[0.5, 0.9], [0.9, 0.5]] {
        let [fastest, least] = run_out(|m, flange| {
            let rows = [[0.0, first, first, 0.1, 0.1], [10.0, second, second, 0.1, 0.1]];
            let gear = m.add("element", LossyGear::new().ratio(2.0).loss_table(rows));
            let load = m.add("load", Inertia::new().J(1.0));
            let damper = m.add("damper", Damper::new().d(0.05));
            let ground = m.add("ground", Fixed::new());
            m.connect(flange, gear.flange_a);
            m.connect(gear.flange_b, load.flange_a);
            m.connect(load.flange_b, damper.flange_a);
            m.connect(damper.flange_b, ground.flange);
        });
        assert!(fastest <= 50.0 && least >= 0.0, "{fastest} rad/s, {least} W");
    }
}
