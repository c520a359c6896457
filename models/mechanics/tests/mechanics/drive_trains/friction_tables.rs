//! Friction and losses that depend on speed.
//!
//! Beyond the rows of the tables, they supply no power; a residual speed from sticking has no
//! influence.

use crate::common::{run_to, start, value};
use libraries::prelude::*;
use libraries::rotational::*;

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

/// The speeds of two shafts after 1 s. A bearing holds the first shaft, whose speed is `w` at the
/// start. Another bearing holds the second shaft, on which a torque acts. A clutch between the
/// shafts is released, so its limit falls below the limit of the first bearing.
fn released(w: f64, table: [[f64; 2]; 2]) -> [f64; 2] {
    let mut model = start(|m| {
        add! { m,
            first: Inertia::new().J(0.2).phi(fixed(0.0)).w(fixed(w)),
            bearing: BearingFriction::new().tau_pos(table),
            clutch: Clutch::new().fn_max(60.0),
            second: Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)),
            holder: BearingFriction::new().tau_pos(20.0),
            press: Ramp::new().height(-1.5).duration(0.5).start_time(0.2).offset(1.0),
            torque: ConstantTorque::new().tau_constant(-10.0),
        }
        m.chain((bearing.flange_b, first, clutch, second, holder.flange_a));
        m.connect(torque.flange, second.flange_b);
        m.connect(press.y, clutch.f_normalized);
    });
    run_to(&mut model, 1.0);
    ["first.w", "second.w"].map(|name| value(&mut model, name))
}

#[test]
fn shafts_at_rest_stay_at_rest_while_the_limits_of_their_friction_fall() {
    for w in [0.1, -0.1, 0.0] {
        for second in [[0.1, 5.0], [1.0, 2.0], [1.0, 0.5]] {
            let speeds = released(w, [[0.0, 1.0], second]);
            assert!(speeds.iter().all(|w| w.abs() < 1e-9), "{w}, {second:?}: {speeds:?} rad/s");
        }
    }
}
