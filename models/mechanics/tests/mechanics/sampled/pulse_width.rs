//! Pulse width modulation: edges at their exact instants, and the same pulses as a comparison with
//! a saw tooth or a triangle.

use crate::common::{events, notes, run_to, simulate, start, value};
use libraries::blocks::{Greater, SawTooth};
use libraries::prelude::*;
use libraries::sampled::{SignalPWM, SingleReferenceType, ZeroOrderHold};

fn alone(pwm: SignalPWM) -> impl FnOnce(&mut Assembly) {
    move |m| {
        m.add("pwm", pwm);
    }
}

#[test]
fn a_constant_duty_cycle_has_its_edges_at_computed_instants() {
    let mut model = start(alone(SignalPWM::new().f(50).constant_duty_cycle(0.3)));
    let found = events(&mut model, 1.0);
    let expected: Vec<f64> =
        (0..50).flat_map(|k| [f64::from(k) / 50.0, (f64::from(k) + 0.3) / 50.0]).skip(1).collect();
    assert_eq!(found[..99], expected[..], "the instants are exact");

    let triangle = SignalPWM::new().f(50).ref_type(SingleReferenceType::Triangle);
    let mut model = start(alone(triangle.constant_duty_cycle(0.3)));
    let mut on = 0.0;
    let mut last = (0.0, value(&mut model, "pwm.fire"));
    simulate(&mut model, 0.2, |model| {
        let (t, fire) = (model.time(), value(model, "pwm.fire"));
        on += last.1 * (t - last.0);
        last = (t, fire);
        // The pulses lie around the beginnings of the periods.
        let within = (t * 50.0 + 0.15 + 1e-9).fract() < 0.3 - 2e-9;
        assert_eq!(fire, f64::from(within), "at {t} s");
    });
    assert!((on - 0.06).abs() < 1e-12, "{on}");
}

#[test]
fn the_duty_cycles_0_and_1_have_no_edges() {
    for reference in [SingleReferenceType::Sawtooth, SingleReferenceType::Triangle] {
        for (duty, fire) in [(-0.2, 0.0), (0.0, 0.0), (1.0, 1.0), (1.7, 1.0)] {
            let pwm = || SignalPWM::new().f(10).ref_type(reference).constant_duty_cycle(duty);
            let mut model = start(alone(pwm()));
            for k in 0..100 {
                run_to(&mut model, 0.0123 * f64::from(k));
                assert_eq!(value(&mut model, "pwm.fire"), fire, "{duty}");
                assert_eq!(value(&mut model, "pwm.notFire"), 1.0 - fire);
            }
            let mut model = start(alone(pwm()));
            assert_eq!(events(&mut model, 0.95).len(), 9, "one event for each period");
        }
    }
}

#[test]
fn pulses_are_those_of_a_comparison() {
    for (triangle, begin) in [(false, 0.0), (true, 0.0), (false, 0.13), (true, 0.13)] {
        let mut model = start(|m| {
            let duty = Sine::new().amplitude(0.7).offset(0.5).f(1.7);
            let duty = m.add("duty", duty);
            let kind = SingleReferenceType::Triangle;
            let kind = if triangle { kind } else { SingleReferenceType::Sawtooth };
            let pwm = SignalPWM::new().f(20).ref_type(kind).common_comparison(false);
            let pwm = m.add("pwm", pwm.start_time(begin));
            let limiter = m.add("limiter", Limiter::new().u_max(1).u_min(0));
            let hold = ZeroOrderHold::new().sample_period(0.05).start_time(begin);
            let hold = m.add("hold", hold);
            let wave = if triangle {
                let wave = Trapezoid::new().rising(0.025).falling(0.025).width(0).period(0.05);
                m.add("triangle", wave.start_time(begin)).y
            } else {
                m.add("saw", SawTooth::new().period(0.05).start_time(begin)).y
            };
            let above = m.add("above", Greater::new());
            let complement = m.add("complement", Add::new().k1(-1));
            let one = m.add("one", Constant::new().k(1));
            let below = m.add("below", Greater::new());
            m.connect(duty.y, pwm.duty_cycle);
            m.connect(duty.y, limiter.u);
            m.connect(limiter.y, hold.u);
            m.connect(hold.y, above.u1);
            m.connect(wave, above.u2);
            m.connect(hold.y, complement.u1);
            m.connect(one.y, complement.u2);
            m.connect(complement.y, below.u1);
            m.connect(wave, below.u2);
        });
        let mut pulses = 0;
        for k in 0..2000 {
            run_to(&mut model, 0.000_723 * f64::from(k));
            let mut read = |name: &str| value(&mut model, name);
            assert_eq!(read("pwm.fire"), read("above.y"), "at sample {k}");
            assert_eq!(read("pwm.notFire"), read("below.y"), "at sample {k}");
            pulses += u32::from(read("pwm.fire") > 0.5);
        }
        assert!((200..1800).contains(&pulses), "{pulses}");
    }
}

#[test]
fn a_modulation_without_any_duty_cycle_is_noted() {
    let noted = |duty: f64| notes(alone(SignalPWM::new().f(50).constant_duty_cycle(duty)));
    let wanted = "pwm.constantDutyCycle = 0: dutyCycle is not connected, so there are no pulses";
    assert!(noted(0.0).iter().any(|note| note == wanted), "{:?}", noted(0.0));
    assert!(!noted(0.5).iter().any(|note| note.contains("no pulses")));
}
