//! Prescribed motions: flanges follow them, and drives supply the torques that they require.

use crate::common::{run_to, settle, simulation, start, step, value};
use libraries::prelude::*;
use libraries::{rotational as rot, translational as tra};

/// Moment of inertia in kg.m2, or mass in kg, of the driven body.
const INERTIA: f64 = 1.5;

/// The names of the variables of a domain.
struct Domain {
    position: &'static str,
    speed: &'static str,
    flow: &'static str,
}

const ROTATIONAL: Domain = Domain { position: "phi", speed: "w", flow: "tau" };
const TRANSLATIONAL: Domain = Domain { position: "s", speed: "v", flow: "f" };

/// A body on a drive whose housing moves at a constant speed of 2 rad/s.
macro_rules! driven {
    ($m:ident, $library:ident, $Body:ident::$inertia:ident, $speed:ident, $drive:expr) => {{
        let drive = $drive;
        let housing = $m.add("housing", $library::ConstantSpeed::new().$speed(2.0));
        let body = $m.add("body", $library::$Body::new().$inertia(INERTIA));
        $m.connect(housing.flange, drive.support);
        $m.connect(drive.flange, body.flange_a);
    }};
}

/// A kind of drive in both domains, with its position, speed and acceleration at 0.3 s.
struct Case {
    name: &'static str,
    rotational: fn(&mut Assembly),
    translational: fn(&mut Assembly),
    motion: fn(f64) -> [f64; 3],
}

/// Position, speed and acceleration of a sine with the amplitude 0.7 and the frequency 2 Hz.
fn sine(t: f64) -> [f64; 3] {
    let w = 2.0 * std::f64::consts::TAU;
    [0.7 * (w * t).sin(), 0.7 * w * (w * t).cos(), -0.7 * w * w * (w * t).sin()]
}

/// Sources of the three signals of [`sine`].
fn signals(m: &mut Assembly) -> [Quantity; 3] {
    let w = 2.0 * std::f64::consts::TAU;
    let quarter = std::f64::consts::FRAC_PI_2;
    let q = m.add("q", Sine::new().amplitude(0.7).f(2.0));
    let v = m.add("v", Sine::new().amplitude(0.7 * w).f(2.0).phase(quarter));
    let a = m.add("a", Sine::new().amplitude(-0.7 * w * w).f(2.0));
    [q.y, v.y, a.y]
}

const CASES: [Case; 5] = [
    Case {
        name: "ConstantSpeed",
        rotational: |m| {
            driven!(
                m,
                rot,
                Inertia::J,
                w_fixed,
                m.add("x", rot::ConstantSpeed::new().w_fixed(-3.0))
            )
        },
        translational: |m| {
            driven!(m, tra, Mass::m, v_fixed, m.add("x", tra::ConstantSpeed::new().v_fixed(-3.0)))
        },
        motion: |t| [-3.0 * t, -3.0, 0.0],
    },
    Case {
        name: "exact Speed",
        rotational: |m| {
            let [_, v, _] = signals(m);
            driven!(m, rot, Inertia::J, w_fixed, {
                let x = m.add("x", rot::Speed::new().exact(true));
                m.connect(v, x.w_ref);
                x
            })
        },
        translational: |m| {
            let [_, v, _] = signals(m);
            driven!(m, tra, Mass::m, v_fixed, {
                let x = m.add("x", tra::Speed::new().exact(true));
                m.connect(v, x.v_ref);
                x
            })
        },
        motion: sine,
    },
    Case {
        name: "exact Position",
        rotational: |m| {
            let [q, _, _] = signals(m);
            driven!(m, rot, Inertia::J, w_fixed, {
                let x = m.add("x", rot::Position::new().exact(true));
                m.connect(q, x.phi_ref);
                x
            })
        },
        translational: |m| {
            let [q, _, _] = signals(m);
            driven!(m, tra, Mass::m, v_fixed, {
                let x = m.add("x", tra::Position::new().exact(true));
                m.connect(q, x.s_ref);
                x
            })
        },
        motion: sine,
    },
    Case {
        name: "Accelerate",
        rotational: |m| {
            let [_, v, a] = signals(m);
            let _ = v;
            driven!(m, rot, Inertia::J, w_fixed, {
                let speed = sine(0.0)[1];
                let x = m.add("x", rot::Accelerate::new().w(fixed(speed)));
                m.connect(a, x.a_ref);
                x
            })
        },
        translational: |m| {
            let [_, _, a] = signals(m);
            driven!(m, tra, Mass::m, v_fixed, {
                let speed = sine(0.0)[1];
                let x = m.add("x", tra::Accelerate::new().v(fixed(speed)));
                m.connect(a, x.a_ref);
                x
            })
        },
        motion: sine,
    },
    Case {
        name: "Move",
        rotational: |m| {
            let [q, v, a] = signals(m);
            driven!(m, rot, Inertia::J, w_fixed, {
                let x = m.add("x", rot::Move::new());
                m.connect(q, x.u1);
                m.connect(v, x.u2);
                m.connect(a, x.u3);
                x
            })
        },
        translational: |m| {
            let [q, v, a] = signals(m);
            driven!(m, tra, Mass::m, v_fixed, {
                let x = m.add("x", tra::Move::new());
                m.connect(q, x.u1);
                m.connect(v, x.u2);
                m.connect(a, x.u3);
                x
            })
        },
        motion: sine,
    },
];

#[test]
fn drives_move_as_prescribed_with_the_required_torque() {
    for case in CASES {
        for (domain, text) in [(ROTATIONAL, case.rotational), (TRANSLATIONAL, case.translational)] {
            let mut model = start(text);
            let mut previous = 0.0;
            for _ in 0..3 {
                let [q, v, a] = (case.motion)(model.time());
                let t = model.time();
                let mut near = |name: String, wanted: f64| {
                    let found = value(&mut model, &name);
                    let gap = (found - wanted).abs();
                    assert!(gap < 1e-6, "{} {t}: {name} {found} {wanted}", case.name);
                };
                near(format!("x.{}", domain.position), q);
                near(format!("x.{}", domain.speed), v);
                near("x.a".into(), a);
                near(format!("body.{}", domain.position), q + 2.0 * t);
                near(format!("body.{}", domain.speed), v + 2.0);
                near("body.a".into(), a);
                near(format!("x.flange.{}", domain.flow), -INERTIA * a);
                near(format!("x.support.{}", domain.flow), INERTIA * a);
                step(&mut model, 0.1);
                assert!(model.time() > previous);
                previous = model.time();
            }
        }
    }
}

/// The steady response of a filter with the transfer function `1 / (1 + b1 s + b2 s^2)`, where `s`
/// is relative to the critical frequency of 5 Hz, to a cosine of 5 Hz.
fn filtered(b1: f64, b2: f64, t: f64) -> f64 {
    let (re, im) = (1.0 - b2, b1);
    let angle = 5.0 * std::f64::consts::TAU * t;
    (re * angle.cos() + im * angle.sin()) / (re * re + im * im)
}

/// A cosine of 5 Hz.
fn cosine(m: &mut Assembly) -> Quantity {
    m.add("reference", Sine::new().amplitude(1.0).f(5.0).phase(std::f64::consts::FRAC_PI_2)).y
}

#[test]
fn filtered_references_are_followed_by_their_transfer_functions() {
    type Text = fn(&mut Assembly);
    let speeds: [(Text, &str); 2] = [
        (
            |m| {
                let reference = cosine(m);
                driven!(m, rot, Inertia::J, w_fixed, {
                    let x = m.add("x", rot::Speed::new().f_crit(5.0).phi(fixed(0.4)));
                    m.connect(reference, x.w_ref);
                    x
                })
            },
            "x.w",
        ),
        (
            |m| {
                let reference = cosine(m);
                driven!(m, tra, Mass::m, v_fixed, {
                    let x = m.add("x", tra::Speed::new().f_crit(5.0).s(fixed(0.4)));
                    m.connect(reference, x.v_ref);
                    x
                })
            },
            "x.v",
        ),
    ];
    let positions: [(Text, &str); 2] = [
        (
            |m| {
                let reference = cosine(m);
                driven!(m, rot, Inertia::J, w_fixed, {
                    let x = m.add("x", rot::Position::new().f_crit(5.0));
                    m.connect(reference, x.phi_ref);
                    x
                })
            },
            "x.phi",
        ),
        (
            |m| {
                let reference = cosine(m);
                driven!(m, tra, Mass::m, v_fixed, {
                    let x = m.add("x", tra::Position::new().f_crit(5.0));
                    m.connect(reference, x.s_ref);
                    x
                })
            },
            "x.s",
        ),
    ];
    // The speed is filtered by 1 / (1 + s), the position by 1 / (1 + 1.3617 s + 0.618 s^2).
    for (cases, b1, b2) in [(speeds, 1.0, 0.0), (positions, 1.3617, 0.618)] {
        for (text, name) in cases {
            let mut model = start(text);
            assert!(
                (value(&mut model, name) - 1.0).abs() < 1e-12,
                "{name} starts as the reference"
            );
            step(&mut model, 2.0);
            for _ in 0..10 {
                step(&mut model, 0.013);
                let wanted = filtered(b1, b2, model.time());
                let found = value(&mut model, name);
                assert!((found - wanted).abs() < 1e-6, "{name}: {found} instead of {wanted}");
            }
        }
    }
}

#[test]
fn a_driven_train_has_the_speed_of_its_drive_behind_a_gear() {
    let mut model = start(|m| {
        let drive = m.add("drive", rot::ConstantSpeed::new().w_fixed(6.0).phi(fixed(0.9)));
        let gear = m.add("gear", rot::IdealGear::new().ratio(3.0));
        let load = m.add("load", rot::Inertia::new().J(4.0));
        let brake = rot::LinearSpeedDependentTorque::new().tau_nominal(-5.0).w_nominal(1.0);
        let brake = m.add("brake", brake.torque_direction(false));
        m.connect(drive.flange, gear.flange_a);
        m.connect(gear.flange_b, load.flange_a);
        m.connect(load.flange_b, brake.flange);
    });
    assert!((value(&mut model, "load.phi") - 0.3).abs() < 1e-15);
    step(&mut model, 1.0);
    assert!((value(&mut model, "load.phi") - 2.3).abs() < 1e-12);
    assert!((value(&mut model, "load.w") - 2.0).abs() < 1e-12);
    let tau = value(&mut model, "drive.flange.tau");
    assert!((tau + 10.0 / 3.0).abs() < 1e-12, "the load of 10 N.m behind the gear: {tau}");
}

#[test]
fn two_drives_on_one_shaft_and_wrong_filters_are_refused() {
    type Text = fn(&mut Assembly);
    let cases: [(Text, &str); 3] = [
        (
            |m| {
                let one = m.add("one", rot::ConstantSpeed::new().w_fixed(1.0));
                let two = m.add("two", rot::ConstantSpeed::new().w_fixed(2.0));
                m.connect(one.flange, two.flange);
            },
            "two",
        ),
        (
            |m| {
                let reference = cosine(m);
                let x = m.add("x", tra::Speed::new().f_crit(0.0));
                m.connect(reference, x.v_ref);
            },
            "x.f_crit = 0 Hz: must be positive",
        ),
        (
            |m| {
                m.add("x", rot::Position::new().exact(true));
            },
            "x.phi_ref: the input is not connected",
        ),
    ];
    for (text, sentence) in cases {
        let message = simulation(text).err().unwrap_or_default();
        assert!(message.contains(sentence), "{message}");
    }
}

#[test]
fn the_state_may_be_an_angle_relative_to_a_prescribed_motion() {
    let train = |states, exact: bool| {
        move |m: &mut Assembly| {
            let signal = m.add("signal", Sine::new().amplitude(3.0).f(2.0).offset(1.0));
            let following = if exact { rot::Speed::new().exact(true) } else { rot::Speed::new() };
            let drive = m.add("drive", following);
            let gear = m.add("gear", rot::IdealGear::new().ratio(0.4));
            let spring = m.add("spring", rot::SpringDamper::new().c(30.0).d(0.5).states(states));
            // The housing of the gear is connected to it: its angle follows from the balance of
            // torques.
            let soft = m.add("soft", rot::Spring::new().c(20.0));
            let load = m.add("load", rot::Inertia::new().J(0.2).phi(fixed(0.0)).w(fixed(2.0)));
            m.connect(signal.y, drive.w_ref);
            m.connect(drive.flange, gear.flange_a);
            m.connect(gear.flange_b, spring.flange_a);
            m.connect(spring.flange_b, load.flange_a);
            m.connect(load.flange_b, soft.flange_a);
            m.connect(soft.flange_b, gear.support);
        }
    };
    for exact in [true, false] {
        let mut relative = start(train(Prefer, exact));
        let mut absolute = start(train(Avoid, exact));
        for _ in 0..200 {
            for name in ["load.phi", "load.w", "load.a", "spring.tau", "drive.flange.tau"] {
                let (x, y) = (value(&mut relative, name), value(&mut absolute, name));
                assert!((x - y).abs() < 1e-6 * (1.0 + x.abs()), "{name}: {x} and {y}");
            }
            step(&mut relative, 1e-3);
            step(&mut absolute, 1e-3);
        }
    }
}

#[test]
fn friction_on_a_prescribed_motion_opposes_it_and_rests_with_it() {
    let mut model = start(|m| {
        let profile = KinematicPTP::new().deltaq([2.0]).qd_max([3.0]).qdd_max([10.0]);
        let profile = m.add("profile", profile.start_time(0.1));
        let drive = m.add("drive", rot::Accelerate::new());
        let press = m.add("press", Constant::new().k(1.0));
        let brake = m.add("brake", rot::Brake::new().fn_max(6.0).peak(1.1));
        let gear = rot::LossyGear::new().ratio(10.0).loss_table([[0.0, 0.9, 0.8, 0.1, 0.2]]);
        let gear = m.add("gear", gear);
        let load = m.add("load", rot::Inertia::new().J(4.0));
        let weight = m.add("weight", rot::ConstantTorque::new().tau_constant(-5.0));
        m.connect(profile.y(1), drive.a_ref);
        m.connect(press.y, brake.f_normalized);
        m.connect(drive.flange, brake.flange_a);
        m.connect(brake.flange_b, gear.flange_a);
        m.connect(gear.flange_b, load.flange_a);
        m.connect(weight.flange, load.flange_b);
    });
    // Time, acceleration of the drive, and whether it moves.
    for (t, a, moves) in
        [(0.05, 0.0, false), (0.2, 10.0, true), (0.5, 0.0, true), (2.0, 0.0, false)]
    {
        run_to(&mut model, t);
        let behind = (4.0 * a / 10.0 + 5.0) / 10.0;
        let (brake, gear) = if moves { (3.0, (behind + 0.1) / 0.9) } else { (0.0, behind) };
        let mut near = |name: &str, expected: f64| {
            let found = value(&mut model, name);
            assert!((found - expected).abs() < 1e-9, "{name} at {t} s: {found}, not {expected}");
        };
        near("brake.tau", brake);
        near("gear.tauLoss", gear - behind);
        near("drive.flange.tau", -brake - gear);
        near("brake.mode", f64::from(u8::from(moves)));
        near("gear.mode", f64::from(u8::from(moves)));
    }
}

#[test]
fn friction_notices_a_prescribed_speed_that_jumps() {
    let mut model = start(|m| {
        let speed =
            m.add("speed", Pulse::new().amplitude(20.0).period(1.0).offset(-10.0).start_time(0.5));
        let rest = m.add("rest", Step::new().height(-1.0).offset(1.0).start_time(2.2));
        let product = m.add("product", Product::new());
        let drive = m.add("drive", rot::Speed::new().exact(true));
        let press = m.add("press", Constant::new().k(1.0));
        let brake = m.add("brake", rot::Brake::new().fn_max(6.0).peak(1.1));
        let gear = rot::LossyGear::new().ratio(2.0).loss_table([[0.0, 1.0, 1.0, 0.5, 0.5]]);
        let gear = m.add("gear", gear);
        let load = m.add("load", rot::Inertia::new().J(4.0));
        m.connect(speed.y, product.u1);
        m.connect(rest.y, product.u2);
        m.connect(product.y, drive.w_ref);
        m.connect(press.y, brake.f_normalized);
        m.connect(drive.flange, brake.flange_a);
        m.connect(brake.flange_b, gear.flange_a);
        m.connect(gear.flange_b, load.flange_a);
    });
    for (t, way) in [(0.1, -1.0), (0.7, 1.0), (1.2, -1.0), (1.7, 1.0), (2.1, -1.0), (2.5, 0.0)] {
        run_to(&mut model, t);
        for (name, expected) in [("drive.w", 10.0), ("brake.tau", 3.0), ("gear.tauLoss", 0.5)] {
            let found = value(&mut model, name);
            assert!((found - way * expected).abs() < 1e-9, "{name} at {t} s: {found}");
        }
    }
}

#[test]
fn friction_notices_a_prescribed_speed_that_is_an_input() {
    let mut model = start(|m| {
        let input = m.add("w", ExternalInput::new().unit("rad/s").start(0.0));
        let drive = m.add("drive", rot::Speed::new().exact(true));
        let bearing =
            m.add("bearing", rot::BearingFriction::new().tau_pos([[0.0, 3.0], [1.0, 4.0]]));
        m.connect(input.y, drive.w_ref);
        m.connect(drive.flange, bearing.flange_a);
    });
    for (w, tau) in [(0.0, 0.0), (1e-3, 3.001), (2.0, 5.0), (-2.0, -5.0), (0.0, 0.0), (-1.0, -4.0)]
    {
        model.set("w", w).unwrap();
        settle(&mut model);
        let found = value(&mut model, "bearing.tau");
        assert!((found - tau).abs() < 1e-9, "{w} rad/s: {found} N.m, not {tau}");
    }
}

#[test]
fn a_load_behind_a_spring_does_not_jump_with_a_prescribed_position() {
    let mut model = start(|m| {
        let position = m.add("position", rot::Position::new().exact(true));
        let step = m.add("step", Step::new().height(1.0).start_time(0.5));
        let a = m.add("a", rot::Inertia::new().J(1.0));
        let spring = m.add("spring", rot::SpringDamper::new().c(100.0).d(1.0));
        let b = m.add("b", rot::Inertia::new().J(1.0));
        m.connect(step.y, position.phi_ref);
        m.connect(position.flange, a.flange_a);
        m.connect(a.flange_b, spring.flange_a);
        m.connect(spring.flange_b, b.flange_a);
    });
    run_to(&mut model, 0.5);
    settle(&mut model);
    assert_eq!(value(&mut model, "a.phi"), 1.0);
    assert!(value(&mut model, "b.phi").abs() < 1e-9, "the load is where it was");
    assert!((value(&mut model, "spring.tau") + 100.0).abs() < 1e-6, "the spring is stretched");
}
