//! Sensors measure motions and loads, and have no influence on them.

use crate::common::{Random, derivatives, set_states, settle, start, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::{rotational as rot, translational as tra};

/// Two bodies joined rigidly and a third one behind a spring-damper, driven by a torque; with
/// sensors wherever one fits, or without sensors.
macro_rules! train {
    ($library:ident, $Body:ident::$inertia:ident, $Source:ident::$constant:ident,
     $Angle:ident, $RelAngle:ident, $Flow:ident) => {
        |m: &mut Assembly, sensors: bool| {
            let drive = m.add("drive", $library::$Source::new().$constant(7.0));
            let [a, b, c] = [("a", 1.5), ("b", 0.5), ("c", 2.0)]
                .map(|(name, inertia)| m.add(name, $library::$Body::new().$inertia(inertia)));
            let spring = m.add("spring", $library::SpringDamper::new().c(30.0).d(0.8));
            m.connect(drive.flange, a.flange_a);
            m.connect(spring.flange_b, c.flange_a);
            if !sensors {
                m.connect(a.flange_b, b.flange_a);
                m.connect(b.flange_b, spring.flange_a);
                return;
            }
            let flow = m.add("flow", $library::$Flow::new());
            let power = m.add("power", $library::PowerSensor::new());
            let multi = m.add("multi", $library::MultiSensor::new());
            m.connect(a.flange_b, flow.flange_a);
            m.connect(flow.flange_b, b.flange_a);
            m.connect(b.flange_b, power.flange_a);
            m.connect(power.flange_b, multi.flange_a);
            m.connect(multi.flange_b, spring.flange_a);
            let position = m.add("position", $library::$Angle::new());
            let speed = m.add("speed", $library::SpeedSensor::new());
            let acceleration = m.add("acceleration", $library::AccSensor::new());
            for sensor in [position.flange, speed.flange, acceleration.flange] {
                m.connect(sensor, c.flange_b);
            }
            let position = m.add("rel_position", $library::$RelAngle::new());
            let speed = m.add("rel_speed", $library::RelSpeedSensor::new());
            let acceleration = m.add("rel_acceleration", $library::RelAccSensor::new());
            for (one, other) in [
                (position.flange_a, position.flange_b),
                (speed.flange_a, speed.flange_b),
                (acceleration.flange_a, acceleration.flange_b),
            ] {
                m.connect(one, b.flange_b);
                m.connect(other, c.flange_a);
            }
        }
    };
}

/// A train in one domain, and the names of its position, speed and torque.
struct Train {
    text: fn(&mut Assembly, bool),
    words: [&'static str; 3],
}

const TRAINS: [Train; 2] = [
    Train {
        text: train!(
            rot,
            Inertia::J,
            ConstantTorque::tau_constant,
            AngleSensor,
            RelAngleSensor,
            TorqueSensor
        ),
        words: ["phi", "w", "tau"],
    },
    Train {
        text: train!(
            tra,
            Mass::m,
            ConstantForce::f_constant,
            PositionSensor,
            RelPositionSensor,
            ForceSensor
        ),
        words: ["s", "v", "f"],
    },
];

/// Runs a check in random states, with sensors and without.
fn check(mut each: impl FnMut([&str; 3], &mut Simulation, &mut Simulation)) {
    let mut random = Random(5);
    for train in TRAINS {
        let mut with = start(|m| (train.text)(m, true));
        let mut without = start(|m| (train.text)(m, false));
        assert_eq!(
            with.continuous_states().len(),
            without.continuous_states().len(),
            "sensors have no states"
        );
        for _ in 0..20 {
            let x: Vec<f64> =
                with.continuous_states().iter().map(|_| 3.0 * random.number()).collect();
            for model in [&mut with, &mut without] {
                set_states(model, &x);
                settle(model);
            }
            each(train.words, &mut with, &mut without);
        }
    }
}

#[test]
fn sensors_change_nothing() {
    check(|_, with, without| {
        for (x, y) in derivatives(with).iter().zip(derivatives(without)) {
            assert!((x - y).abs() < 1e-12 * (1.0 + x.abs()), "{x} and {y}");
        }
    });
}

#[test]
fn sensors_measure_motions_and_loads() {
    check(|[position, speed, flow], model, _| {
        let mut of =
            |body: &str| [position, speed, "a"].map(|x| value(model, &format!("{body}.{x}")));
        let ([_, w, drive_a], b, c) = (of("a"), of("b"), of("c"));
        let after_drive = 7.0 - 1.5 * drive_a;
        let after_b = after_drive - 0.5 * b[2];
        let shown = [
            (format!("position.{position}"), c[0]),
            (format!("speed.{speed}"), c[1]),
            (format!("acceleration.{speed}"), c[1]),
            ("acceleration.a".into(), c[2]),
            (format!("rel_position.{position}_rel"), c[0] - b[0]),
            (format!("rel_speed.{position}_rel"), c[0] - b[0]),
            (format!("rel_speed.{speed}_rel"), c[1] - b[1]),
            (format!("rel_acceleration.{position}_rel"), c[0] - b[0]),
            (format!("rel_acceleration.{speed}_rel"), c[1] - b[1]),
            ("rel_acceleration.a_rel".into(), c[2] - b[2]),
            (format!("flow.{flow}"), after_drive),
            (format!("flow.flange_a.{flow}"), after_drive),
            (format!("flow.flange_b.{flow}"), -after_drive),
            ("power.power".into(), after_b * w),
            ("multi.power".into(), after_b * w),
            (format!("multi.{speed}"), w),
            (format!("multi.{flow}"), after_b),
            (format!("spring.flange_a.{flow}"), after_b),
        ];
        for (name, wanted) in shown {
            let found = value(model, &name);
            let bound = 1e-12 * (10.0 + wanted.abs());
            assert!((found - wanted).abs() < bound, "{name}: {found} instead of {wanted}");
        }
    });
}

#[test]
fn a_measured_torque_may_be_a_signal() {
    // The second body is driven by three times the torque in the first shaft: 2 a = 6 - tau, where
    // tau = 1 a drives what follows.
    let mut model = start(|m| {
        let tau = m.add("tau", Constant::new().k(6.0));
        let drive = m.add("drive", rot::Torque::new());
        let [a, b, c] = [("a", 2.0), ("b", 1.0), ("c", 4.0)]
            .map(|(name, inertia)| m.add(name, rot::Inertia::new().J(inertia)));
        let sensor = m.add("sensor", rot::TorqueSensor::new());
        let gain = m.add("gain", Gain::new().k(3.0));
        let other = m.add("other", rot::Torque::new());
        m.connect(tau.y, drive.tau);
        m.connect(drive.flange, a.flange_a);
        m.connect(a.flange_b, sensor.flange_a);
        m.connect(sensor.flange_b, b.flange_a);
        m.connect(sensor.tau, gain.u);
        m.connect(gain.y, other.tau);
        m.connect(other.flange, c.flange_a);
    });
    assert!((value(&mut model, "sensor.tau") - 2.0).abs() < 1e-14);
    assert!((value(&mut model, "c.a") - 1.5).abs() < 1e-14);
}
