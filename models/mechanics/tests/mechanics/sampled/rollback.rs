//! Sampled systems have the same bits for all communication steps, and after a return to an earlier
//! state.

use crate::common::{program, run_to, simulation_of, value};
use fmu_runtime::Simulation;
use libraries::blocks::BooleanToReal;
use libraries::prelude::*;
use libraries::sampled::*;

/// A speed loop with a sampled controller and pulses, whose sampler, delay and hold tick apart.
fn text(m: &mut Assembly) {
    let wanted = m.add("wanted", Step::new().height(0.4).start_time(0.05));
    let c = SampledPID::new().k(2).Ti(0.3).Td(0.02).y_max(0.9).y_min(0.1);
    let c = m.add("c", c.sample_period(0.02));
    let pwm = m.add("pwm", SignalPWM::new().f(130));
    let power = m.add("power", BooleanToReal::new());
    let plant = m.add("plant", FirstOrder::new().k(1).T(0.2));
    let delay = m.add("delay", UnitDelay::new().sample_period(0.005));
    let hold = m.add("hold", FirstOrderHold::new().sample_period(0.01));
    m.connect(wanted.y, c.u_s);
    m.connect(delay.y, c.u_m);
    m.connect(c.y, pwm.duty_cycle);
    m.connect(pwm.fire, power.u);
    m.connect(power.y, plant.u);
    m.connect(plant.y, delay.u);
    m.connect(plant.y, hold.u);
}

const SAMPLED: [&str; 6] =
    ["c.y", "c.I.y", "c.D.x", "pwm.zeroOrderHold.y", "delay.y", "hold.uSample"];

fn started() -> Simulation {
    let mut model = simulation_of(&program(text).expect("the model is sound"));
    model.start(None).unwrap();
    model
}

fn samples(model: &mut Simulation) -> [u64; 6] {
    SAMPLED.map(|name| value(model, name).to_bits())
}

#[test]
fn sampled_values_do_not_depend_on_communication_steps() {
    let after = |step: f64| {
        let mut model = started();
        let mut all = Vec::new();
        let per_tenth = (0.1 / step).round() as usize;
        for tenth in 0..10 {
            for k in 1..=per_tenth {
                let t = 0.1 * f64::from(tenth) + step * k as f64;
                run_to(&mut model, if k == per_tenth { 0.1 * f64::from(tenth + 1) } else { t });
            }
            all.push(samples(&mut model));
        }
        all
    };
    let whole = after(0.1);
    assert_ne!(whole[3], whole[8], "the values change");
    assert_eq!(whole, after(0.0125));
    assert_eq!(whole, after(0.1 / 37.0));
}

#[test]
fn sampled_values_are_the_same_after_a_rollback() {
    let mut straight = started();
    let mut model = started();
    run_to(&mut model, 0.2345);
    let state = model.fmu_state();
    run_to(&mut model, 0.7);
    model.set_fmu_state(&state).unwrap();
    run_to(&mut model, 0.613);
    run_to(&mut straight, 0.2345);
    run_to(&mut straight, 0.613);
    assert_eq!(samples(&mut model), samples(&mut straight));
    assert_eq!(model.next_event_time().ok(), straight.next_event_time().ok());
}
