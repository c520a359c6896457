//! Sources of torque and force: their laws, the reactions of their supports, and refusals.

use crate::common::{Random, run_to, set_states, settle, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::rotational::Regularization;
use libraries::{rotational as rot, translational as tra};

/// A source of torque and its counterpart for forces, with the load that both exert at a relative
/// speed.
struct Twin {
    name: &'static str,
    torque: fn(&mut Assembly) -> (Flange, Flange),
    force: fn(&mut Assembly) -> (TranslationalFlange, TranslationalFlange),
    law: fn(f64) -> f64,
}

/// Both counterparts from their constructors; those that read a signal are connected to a constant.
macro_rules! twin {
    ($name:literal, $torque:expr, $force:expr, $law:expr) => {
        Twin {
            name: $name,
            torque: |m| {
                let x = m.add("x", $torque);
                (x.flange, x.support)
            },
            force: |m| {
                let x = m.add("x", $force);
                (x.flange, x.support)
            },
            law: $law,
        }
    };
}

/// All sources on one flange that need no signal.
fn twins() -> Vec<Twin> {
    [of_time(), of_speed(), of_direction()].into_iter().flatten().collect()
}

/// Sources that depend on time only.
fn of_time() -> Vec<Twin> {
    vec![
        twin!(
            "constant",
            rot::ConstantTorque::new().tau_constant(7.0),
            tra::ConstantForce::new().f_constant(7.0),
            |_| 7.0
        ),
        twin!(
            "step",
            rot::TorqueStep::new().step_torque(7.0).offset_torque(2.0),
            tra::ForceStep::new().step_force(7.0).offset_force(2.0),
            |_| 9.0
        ),
        twin!(
            "step to come",
            rot::TorqueStep::new().step_torque(7.0).offset_torque(2.0).start_time(1.0),
            tra::ForceStep::new().step_force(7.0).offset_force(2.0).start_time(1.0),
            |_| 2.0
        ),
    ]
}

/// Sources that depend on the speed.
fn of_speed() -> Vec<Twin> {
    vec![
        twin!(
            "linear in one direction",
            rot::LinearSpeedDependentTorque::new().tau_nominal(-6.0).w_nominal(3.0),
            tra::LinearSpeedDependentForce::new().f_nominal(-6.0).v_nominal(3.0),
            |w| -2.0 * w.abs()
        ),
        twin!(
            "linear",
            rot::LinearSpeedDependentTorque::new()
                .tau_nominal(-6.0)
                .w_nominal(3.0)
                .torque_direction(false),
            tra::LinearSpeedDependentForce::new()
                .f_nominal(-6.0)
                .v_nominal(3.0)
                .force_direction(false),
            |w| -2.0 * w
        ),
        twin!(
            "quadratic in one direction",
            rot::QuadraticSpeedDependentTorque::new().tau_nominal(-8.0).w_nominal(-4.0),
            tra::QuadraticSpeedDependentForce::new().f_nominal(-8.0).v_nominal(-4.0),
            |w| -0.5 * w * w
        ),
        twin!(
            "quadratic",
            rot::QuadraticSpeedDependentTorque::new()
                .tau_nominal(-8.0)
                .w_nominal(4.0)
                .torque_direction(false),
            tra::QuadraticSpeedDependentForce::new()
                .f_nominal(-8.0)
                .v_nominal(4.0)
                .force_direction(false),
            |w| -0.5 * w * w.abs()
        ),
        twin!(
            "inverse in one direction",
            rot::InverseSpeedDependentTorque::new().tau_nominal(-6.0).w_nominal(3.0).w0(0.5),
            tra::InverseSpeedDependentForce::new().f_nominal(-6.0).v_nominal(3.0).v0(0.5),
            |w| if w.abs() < 0.5 { -36.0 } else { -18.0 / w.abs() }
        ),
        twin!(
            "inverse",
            rot::InverseSpeedDependentTorque::new()
                .tau_nominal(-6.0)
                .w_nominal(3.0)
                .w0(0.5)
                .torque_direction(false),
            tra::InverseSpeedDependentForce::new()
                .f_nominal(-6.0)
                .v_nominal(3.0)
                .v0(0.5)
                .force_direction(false),
            |w| if w.abs() < 0.5 { -12.0 * w } else { -18.0 / w }
        ),
    ]
}

/// Sources that depend on the direction of the motion.
fn of_direction() -> Vec<Twin> {
    vec![
        twin!(
            "sign, exponential",
            rot::SignTorque::new().tau_nominal(-5.0),
            tra::SignForce::new().f_nominal(-5.0),
            |w| -5.0 * (2.0 / (1.0 + (-w / 1e-3).exp()) - 1.0)
        ),
        twin!(
            "sign, sine",
            rot::SignTorque::new().tau_nominal(-5.0).w0(2.0).reg(Regularization::Sine),
            tra::SignForce::new().f_nominal(-5.0).v0(2.0).reg(Regularization::Sine),
            |w| if w.abs() < 2.0 {
                -5.0 * (std::f64::consts::FRAC_PI_4 * w).sin()
            } else {
                -5.0 * w.signum()
            }
        ),
        twin!(
            "sign, straight",
            rot::SignTorque::new().tau_nominal(-5.0).w0(2.0).reg(Regularization::Linear),
            tra::SignForce::new().f_nominal(-5.0).v0(2.0).reg(Regularization::Linear),
            |w| -2.5 * w.clamp(-2.0, 2.0)
        ),
        twin!(
            "sign, cosine",
            rot::SignTorque::new().tau_nominal(-5.0).w0(2.0).reg(Regularization::CoSine),
            tra::SignForce::new().f_nominal(-5.0).v0(2.0).reg(Regularization::CoSine),
            |w| if w.abs() < 2.0 {
                -5.0 * w.signum() * (1.0 - (std::f64::consts::FRAC_PI_4 * w).cos())
            } else {
                -5.0 * w.signum()
            }
        ),
    ]
}

/// A source between two bodies.
fn torque_on_bodies(twin: &Twin) -> Simulation {
    start(|m| {
        let ends = (twin.torque)(m);
        let body = m.add("body", rot::Inertia::new().J(1.5).phi(fixed(0.3)));
        let housing = m.add("housing", rot::Inertia::new().J(4.0).phi(fixed(0.1)));
        m.connect(ends.0, body.flange_a);
        m.connect(ends.1, housing.flange_a);
    })
}

/// The same for translation.
fn force_on_bodies(twin: &Twin) -> Simulation {
    start(|m| {
        let ends = (twin.force)(m);
        let body = m.add("body", tra::Mass::new().m(1.5).s(fixed(0.3)));
        let housing = m.add("housing", tra::Mass::new().m(4.0).s(fixed(0.1)));
        m.connect(ends.0, body.flange_a);
        m.connect(ends.1, housing.flange_a);
    })
}

/// Speeds of flange and support: random ones, and those at which laws change.
fn situations() -> Vec<[f64; 2]> {
    let mut random = Random(3);
    let mut all: Vec<[f64; 2]> =
        (0..20).map(|_| [5.0 * random.number(), 5.0 * random.number()]).collect();
    all.extend((0..20).map(|_| [0.7 * random.number(), 0.0]));
    all.extend([[0.0, 0.0], [1e-4, 0.0], [-1e-4, 0.0], [0.0, 80.0]]);
    all
}

#[test]
fn sources_follow_their_laws_and_the_support_takes_the_reaction() {
    for twin in twins() {
        let rotational = ("tau", "phi", "w", 1.0, torque_on_bodies(&twin));
        let translational = ("f", "s", "v", -1.0, force_on_bodies(&twin));
        for (flow, position, speed, sign, mut model) in [rotational, translational] {
            for speeds in situations() {
                set_states(&mut model, &[0.3, speeds[0], 0.1, speeds[1]]);
                settle(&mut model);
                let law = (twin.law)(speeds[0] - speeds[1]);
                let (shown, bound) = (sign * law, 1e-12 * (1.0 + law.abs()));
                let mut at = |name: &str| value(&mut model, name);
                assert_eq!(at(&format!("body.{speed}")), speeds[0]);
                let what = format!("{} at {speeds:?}", twin.name);
                let cut = at(&format!("x.flange.{flow}"));
                assert!((cut + law).abs() < bound, "{what}: {cut} instead of {}", -law);
                let reaction = at(&format!("x.support.{flow}"));
                assert!((reaction - law).abs() < bound, "{what}: {reaction} at the support");
                assert!((at(&format!("x.{flow}")) - shown).abs() < bound, "{what}");
                assert!((at("body.a") - law / 1.5).abs() < bound, "{what}");
                assert!((at("housing.a") + law / 4.0).abs() < bound, "{what}");
                assert!((at(&format!("x.{position}")) - 0.2).abs() < 1e-15, "{what}");
                let relative = speeds[0] - speeds[1];
                assert!((at(&format!("x.{speed}")) - relative).abs() < 1e-15, "{what}");
            }
        }
    }
}

#[test]
fn signals_drive_one_flange_or_two() {
    for between in [false, true] {
        let mut torque = start(|m| {
            let tau = m.add("tau", Constant::new().k(6.0));
            let a = m.add("a", rot::Inertia::new().J(2.0));
            let b = m.add("b", rot::Inertia::new().J(3.0));
            if between {
                let x = m.add("x", rot::Torque2::new());
                m.connect(tau.y, x.tau);
                m.connect(a.flange_b, x.flange_a);
                m.connect(x.flange_b, b.flange_a);
            } else {
                let x = m.add("x", rot::Torque::new());
                m.connect(tau.y, x.tau);
                m.connect(a.flange_b, x.support);
                m.connect(x.flange, b.flange_a);
            }
        });
        let mut force = start(|m| {
            let f = m.add("f", Constant::new().k(6.0));
            let a = m.add("a", tra::Mass::new().m(2.0));
            let b = m.add("b", tra::Mass::new().m(3.0));
            if between {
                let x = m.add("x", tra::Force2::new());
                m.connect(f.y, x.f);
                m.connect(a.flange_b, x.flange_a);
                m.connect(x.flange_b, b.flange_a);
            } else {
                let x = m.add("x", tra::Force::new());
                m.connect(f.y, x.f);
                m.connect(a.flange_b, x.support);
                m.connect(x.flange, b.flange_a);
            }
        });
        for model in [&mut torque, &mut force] {
            assert_eq!(value(model, "a.a"), -3.0);
            assert_eq!(value(model, "b.a"), 2.0);
        }
    }
}

#[test]
fn a_step_comes_at_its_time() {
    let mut model = start(|m| {
        let x =
            m.add("x", rot::TorqueStep::new().step_torque(3.0).offset_torque(-1.0).start_time(0.5));
        let body = m.add("body", rot::Inertia::new().J(2.0));
        m.connect(x.flange, body.flange_a);
    });
    assert_eq!(value(&mut model, "body.a"), -0.5);
    run_to(&mut model, 0.5);
    assert_eq!(value(&mut model, "body.a"), 1.0);
}

/// The torque as a function of the speed of a body, for a source of nominal torque 1 whose sign is
/// regularized below `w0`.
fn regularized(reg: Regularization, w0: f64) -> impl FnMut(f64) -> f64 {
    let mut model = start(|m| {
        let x = m.add("x", rot::SignTorque::new().tau_nominal(1.0).w0(w0).reg(reg));
        let body = m.add("body", rot::Inertia::new().J(1.0));
        m.connect(x.flange, body.flange_a);
    });
    move |w| {
        set_states(&mut model, &[0.0, w]);
        assert_eq!(value(&mut model, "body.w"), w);
        value(&mut model, "x.tau")
    }
}

#[test]
fn regularized_signs_are_odd_monotone_continuous_and_soon_one() {
    use Regularization::{CoSine, Exp, Linear, Sine};
    for reg in [Exp, Sine, Linear, CoSine] {
        let w0 = 0.2;
        let mut sign_at = regularized(reg, w0);
        let mut previous = f64::NEG_INFINITY;
        // The steepest of them rises by 250 per unit of speed.
        let h = 1e-3;
        for i in -300..=300 {
            let w = f64::from(i) * h;
            let sign = sign_at(w);
            assert!((sign + sign_at(-w)).abs() < 1e-15, "{reg:?} is odd at {w}");
            assert!(sign >= previous, "{reg:?} rises at {w}: {previous} to {sign}");
            let step = sign - previous;
            assert!(previous.is_infinite() || step < 250.0 * h, "{reg:?} at {w}: {step}");
            assert!(w.abs() < w0 || (sign - w.signum()).abs() < 1e-12, "{reg:?} at {w}: {sign}");
            previous = sign;
        }
        assert_eq!(sign_at(1e9), 1.0, "{reg:?} does not overflow");
        assert_eq!(sign_at(-1e9), -1.0, "{reg:?} does not overflow");
    }
}

#[test]
fn a_quadratic_load_slows_down_as_the_closed_solution_says() {
    // J dw/dt = -k w^2 gives w = w(0) / (1 + k w(0) t / J).
    let mut model = start(|m| {
        let load = rot::QuadraticSpeedDependentTorque::new().tau_nominal(-100.0).w_nominal(100.0);
        let load = m.add("load", load.torque_direction(false));
        let body = m.add("body", rot::Inertia::new().J(1.0).w(fixed(100.0)));
        m.connect(load.flange, body.flange_a);
    });
    step(&mut model, 1.0);
    let w = value(&mut model, "body.w");
    assert!((w - 100.0 / 2.0).abs() < 1e-9, "{w}");
}

#[test]
fn a_linear_load_holds_a_shaft_without_inertia() {
    // Between the spring and the load nothing has inertia: c phi_rel = d w.
    let mut model = start(|m| {
        let spring = m.add("spring", rot::Spring::new().c(8.0).phi_rel(fixed(0.5)));
        let load = rot::LinearSpeedDependentTorque::new().tau_nominal(-2.0).w_nominal(1.0);
        let load = m.add("load", load.torque_direction(false));
        let ground = m.add("ground", rot::Fixed::new());
        m.connect(ground.flange, spring.flange_a);
        m.connect(spring.flange_b, load.flange);
    });
    step(&mut model, 1.0);
    let phi = value(&mut model, "spring.phi_rel");
    assert!((phi - 0.5 * (-4.0_f64).exp()).abs() < 1e-8, "{phi}");
}

/// A model text.
type Text = fn(&mut Assembly);

/// The sentence with which a text is refused.
fn refusal(source: Text) -> String {
    match simulation(source) {
        Ok(_) => String::from("accepted"),
        Err(sentence) => sentence,
    }
}

#[test]
fn wrong_parameters_are_refused_by_name() {
    let cases: [(Text, &str); 8] = [
        (
            |m| {
                m.add("x", rot::LinearSpeedDependentTorque::new().tau_nominal(1.0).w_nominal(0.0));
            },
            "x.w_nominal = 0 rad/s: must not be zero",
        ),
        (
            |m| {
                m.add("x", tra::QuadraticSpeedDependentForce::new().f_nominal(1.0).v_nominal(0.0));
            },
            "x.v_nominal = 0 m/s: must not be zero",
        ),
        (
            |m| {
                m.add(
                    "x",
                    rot::InverseSpeedDependentTorque::new().tau_nominal(1.0).w_nominal(1.0).w0(0.0),
                );
            },
            "x.w0 = 0 rad/s: must be positive",
        ),
        (
            |m| {
                m.add("x", tra::SignForce::new().f_nominal(1.0).v0(-0.1));
            },
            "x.v0 = -0.1 m/s: must be positive",
        ),
        (
            |m| {
                m.add("x", rot::ConstantTorque::new().tau_constant(f64::NAN));
            },
            "x.tau_constant = NaN N.m: must be a finite number",
        ),
        (
            |m| {
                m.add("x", tra::ForceStep::new().step_force(1.0).start_time(f64::INFINITY));
            },
            "x.startTime = inf s: must be a finite number",
        ),
        (
            |m| {
                m.add("x", rot::Torque2::new());
            },
            "x.tau: the input is not connected",
        ),
        (
            |m| {
                m.add("x", tra::Force::new());
            },
            "x.f: the input is not connected",
        ),
    ];
    for (source, sentence) in cases {
        let message = refusal(source);
        assert!(message.contains(sentence), "{message}");
    }
}
