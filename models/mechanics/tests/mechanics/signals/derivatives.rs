//! Derivatives of signals.

use crate::common::{refusal, simulate, start, value};
use libraries::prelude::*;
use libraries::rotational as r;

#[test]
fn the_derivative_of_a_sine_is_a_cosine() {
    let mut model = start(|m| {
        add! { m,
            sine: Sine::new().amplitude(3).f(0.5).offset(1),
            first: Der::new(),
            second: Der::new(),
        }
        m.connect(sine.y, first.u);
        m.connect(first.y, second.u);
    });
    simulate(&mut model, 2.0, |model| {
        let (w, t) = (std::f64::consts::PI, model.time());
        let (first, second) = (value(model, "first.y"), value(model, "second.y"));
        assert!((first - 3.0 * w * (w * t).cos()).abs() < 1e-12, "{t}: {first}");
        assert!((second + 3.0 * w * w * (w * t).sin()).abs() < 1e-12, "{t}: {second}");
    });
}

/// A pendulum of 1-D mechanics: a wheel with a spring, a damper and two derivatives of its angle.
fn wheel(m: &mut Assembly) {
    add! { m,
        fixed_end "fixed": r::Fixed::new(),
        spring: r::SpringDamper::new().c(20).d(0.3),
        wheel: r::Inertia::new().J(0.5).phi(fixed(0.4)).w(fixed(-1)).states(Always),
        angle: r::AngleSensor::new(),
        speed: r::SpeedSensor::new(),
        acceleration: r::AccSensor::new(),
        first: Der::new(),
        second: Der::new(),
        of_speed: Der::new(),
        jerk: Der::new(),
    }
    m.chain((fixed_end.flange, spring, wheel.flange_a));
    for sensor in [angle.flange, speed.flange, acceleration.flange] {
        m.connect(wheel.flange_b, sensor);
    }
    m.connect(angle.phi, first.u);
    m.connect(first.y, second.u);
    m.connect(speed.w, of_speed.u);
    m.connect(acceleration.a, jerk.u);
}

#[test]
fn derivatives_of_an_angle_are_speed_and_acceleration() {
    let mut model = start(wheel);
    simulate(&mut model, 1.0, |model| {
        let mut of = |name| value(model, name);
        assert_eq!(of("first.y"), of("wheel.w"));
        for second in ["second.y", "of_speed.y"] {
            assert!((of(second) - of("wheel.a")).abs() < 1e-13 * of("wheel.a").abs().max(1.0));
        }
        // J a = -c phi - d w
        let jerk = (-20.0 * of("wheel.w") - 0.3 * of("wheel.a")) / 0.5;
        assert!((of("jerk.y") - jerk).abs() < 1e-12 * jerk.abs().max(1.0));
    });
}

#[test]
fn a_torque_against_the_acceleration_acts_as_an_inertia() {
    let mut model = start(|m| {
        add! { m,
            drive: r::ConstantTorque::new().tau_constant(3),
            wheel: r::Inertia::new().J(0.5).phi(fixed(0)).w(fixed(0)),
            speed: r::SpeedSensor::new(),
            acceleration: Der::new(),
            law: Gain::new().k(-0.25).unit("N.m"),
            brake: r::Torque::new(),
        }
        m.connect(drive.flange, wheel.flange_a);
        m.connect(wheel.flange_b, speed.flange);
        m.connect(wheel.flange_b, brake.flange);
        m.connect(speed.w, acceleration.u);
        m.connect(acceleration.y, law.u);
        m.connect(law.y, brake.tau);
    });
    assert!((value(&mut model, "wheel.a") - 3.0 / 0.75).abs() < 1e-14);
}

#[test]
fn a_motion_may_follow_a_derivative() {
    let mut model = start(|m| {
        add! { m,
            sine: Sine::new().amplitude(1).f(0.5),
            rate: Der::new(),
            drive: r::Position::new().exact(true),
            wheel: r::Inertia::new().J(1),
        }
        m.connect(sine.y, rate.u);
        m.connect(rate.y, drive.phi_ref);
        m.connect(drive.flange, wheel.flange_a);
    });
    simulate(&mut model, 1.0, |model| {
        let (w, t) = (std::f64::consts::PI, model.time());
        assert!((value(model, "wheel.phi") - w * (w * t).cos()).abs() < 1e-12);
        assert!((value(model, "wheel.a") + w.powi(3) * (w * t).cos()).abs() < 1e-11);
    });
}

#[test]
fn inputs_of_the_fmu_count_as_constant() {
    let mut model = start(|m| {
        add! { m,
            u: ExternalInput::new().unit("1").start(2),
            rate: Der::new(),
        }
        m.connect(u.y, rate.u);
    });
    assert_eq!(value(&mut model, "rate.y"), 0.0);
}

#[test]
fn a_signal_that_follows_its_own_derivative_is_refused() {
    let message = refusal(|m| {
        add! { m,
            rate: Der::new(),
            gain: Gain::new().k(0.5),
        }
        m.connect(rate.y, gain.u);
        m.connect(gain.y, rate.u);
    });
    assert_eq!(message, "rate: the derivative of its signal depends on itself");
}
