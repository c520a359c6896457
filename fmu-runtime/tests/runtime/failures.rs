//! Models that fail on purpose: the status is that of the standard, and the failure has no effect
//! on states that were stored before, on other instances, or after a reset.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::*;

/// Bits of the first variable over some steps.
fn trace(fmu: &Fmu, t: f64, count: usize) -> Vec<u64> {
    (0..count)
        .map(|i| {
            assert_eq!(fmu.step(t + i as f64 * 0.0625, 0.0625), fmi2OK);
            fmu.real(0).to_bits()
        })
        .collect()
}

/// Checks a model that can be simulated until 0.25 s but not until 2 s. The long step returns the
/// expected status. A state stored before, another instance, and the same instance after a reset
/// then continue with the same bits.
fn fails<T: System>(set: &[(u32, f64)], expected: fmi2Status, reason: &str) {
    let (fmu, other) = (Fmu::cs_from::<T>(0.0, set), Fmu::cs_from::<T>(0.0, set));
    let start = trace(&fmu, 0.0, 4);
    assert_eq!(trace(&other, 0.0, 2), start[..2]);
    let mut state = fmu.get_state();
    let after = trace(&fmu, 0.25, 2);
    assert_eq!(fmu.set_state(state), fmi2OK);
    for _ in 0..3 {
        fmu.clear_messages();
        assert_eq!(fmu.step(0.25, 1.75), expected, "{reason}");
        let message = fmu.messages().into_iter().find(|m| m.status == expected).unwrap();
        assert!(message.text.contains(reason), "{}", message.text);
        assert_eq!(fmu.step(0.25, 0.0625), fmi2Error, "only a stored state or a reset leads on");
        assert_eq!(fmu.set_state(state), fmi2OK);
        assert_eq!(trace(&fmu, 0.25, 2), after, "{reason}");
        assert_eq!(fmu.set_state(state), fmi2OK);
    }
    assert_eq!(trace(&other, 0.125, 2), start[2..], "{reason}: another instance");
    assert_eq!(fmu.step(0.25, 1.75), expected);
    assert_eq!(fmu.reset(), fmi2OK);
    fmu.initialize(0.0, set);
    assert_eq!(trace(&fmu, 0.0, 4), start, "{reason}: after a reset");
    assert_eq!(fmu.set_state(state), fmi2OK, "a reset keeps what was stored");
    assert_eq!(trace(&fmu, 0.25, 2), after);
    assert_eq!(fmu.free_state(&mut state), fmi2OK);
}

// FMI: A048, A049, A068, A071, A072, A092, B040
#[test]
fn a_derivative_that_is_nan_discards_the_step() {
    fails::<Cliff>(&[], fmi2Discard, "the derivative of x is not a finite number");
}

/// `x' = sqrt(v)`, with the output `quotient = 1/u`.
struct Quotient;

impl Quotient {
    const X: u32 = 0;
    const U: u32 = 1;
    const V: u32 = 2;
    const QUOTIENT: u32 = 3;
}

impl System for Quotient {
    const INFO: Info = model("Quotient", "{quotient}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("u", Source::Input(0)),
            Variable::new("v", Source::Input(1)),
            Variable::new("quotient", Source::Reported(0, Stage::Dynamics)).output(),
        ])
        .parameters(&[0.0])
        .inputs(&[0.0, 1.0])
        .states(&[State::new("x")]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.u[1].sqrt();
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.w[0] = S::from(1.0) / e.u[0];
        }
        Ok(())
    }
}

// FMI: A036, A068
#[test]
fn an_instance_outlives_a_value_that_is_not_finite() {
    let sentence = "t=0 quotient is not a finite number: its value is infinite, as after a \
                    division by zero";
    for fmu_type in [fmi2ModelExchange, fmi2CoSimulation] {
        let fmu = Fmu::new::<Quotient>(fmu_type);
        assert_eq!(fmu.setup(0.0, None), fmi2OK);
        assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
        assert_eq!(fmu.get_real(Quotient::QUOTIENT).0, fmi2Discard);
        assert_eq!(fmu.last_text(), sentence);
        assert_eq!(fmu.set_real(&[Quotient::U], &[2.0]), fmi2OK);
        assert_eq!(fmu.get_real(Quotient::QUOTIENT), (fmi2OK, 0.5));
        assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    }
    let fmu = Fmu::cs_from::<Quotient>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 0.5), fmi2OK, "nobody has read the quotient");
    assert_eq!(fmu.get_real(Quotient::QUOTIENT).0, fmi2Discard);
    assert!((fmu.real(Quotient::X) - 0.5).abs() < 1e-9);
    assert_eq!(fmu.set_real(&[Quotient::U], &[4.0]), fmi2OK);
    assert_eq!(fmu.step(0.5, 0.5), fmi2OK);
    assert_eq!(fmu.get_real(Quotient::QUOTIENT), (fmi2OK, 0.25));
}

// FMI: A068, A092
#[test]
fn a_step_on_which_a_derivative_is_not_finite_leaves_the_last_point() {
    let fmu = Fmu::cs_from::<Quotient>(0.0, &[(Quotient::U, 1.0)]);
    assert_eq!(fmu.step(0.0, 0.5), fmi2OK);
    assert_eq!(fmu.set_real(&[Quotient::V], &[-1.0]), fmi2OK);
    assert_eq!(fmu.step(0.5, 0.5), fmi2Discard);
    assert!(fmu.last_text().starts_with("t=0.5 the derivative of x is not a finite number: "));
    assert_eq!(fmu.last_successful_time(), (fmi2OK, 0.5));
    assert!((fmu.real(Quotient::X) - 0.5).abs() < 1e-9);
    assert_eq!(fmu.real(Quotient::QUOTIENT), 1.0);
}

// FMI: A048, A049, A071, A072, A092, B040
#[test]
fn equations_without_a_solution_discard_the_step() {
    fails::<Implicit>(&[(Implicit::LIMIT, 0.5)], fmi2Discard, "closure: ");
}

// FMI: A048, A049, A071, A072
#[test]
fn an_endless_event_iteration_is_an_error() {
    fails::<Restless<0>>(&[], fmi2Error, "mode keeps changing");
    fails::<Restless<1>>(&[], fmi2Error, "chattering: relation due keeps switching");
}

/// A state that becomes infinite in finite time: `x' = x^2`, infinite at 1 s.
struct Explosion;

impl System for Explosion {
    const INFO: Info = Info { name: "Explosion", guid: "{explosion}", ..Cliff::INFO };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0] + 1.0;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.x[0] * e.x[0];
        }
        Ok(())
    }
}

// FMI: A048, A049, A068, A071, A072, A092, B040
#[test]
fn a_solution_that_diverges_in_finite_time_discards_the_step() {
    fails::<Explosion>(&[], fmi2Discard, "x changes too fast: it has reached ");
}

// FMI: A005, A006
#[test]
fn a_panic_leaves_instances_on_other_threads_alone() {
    let alone = trace(&Fmu::cs_from::<Faulty>(0.0, &[]), 0.0, 200);
    std::thread::scope(|scope| {
        let good = scope.spawn(|| trace(&Fmu::cs_from::<Faulty>(0.0, &[]), 0.0, 200));
        for _ in 0..20 {
            let bad = Fmu::cs_from::<Faulty>(0.0, &[]);
            bad.get_state();
            assert_eq!(bad.set_real(&[1], &[1.0]), fmi2OK);
            assert_eq!(bad.step(0.0, 1.0), fmi2Fatal);
            // A failed instance can only be freed, which happens at the end of its scope, together
            // with its stored state.
            assert_eq!(bad.get_real(0).0, fmi2Error);
        }
        assert_eq!(good.join().unwrap(), alone);
    });
}

// FMI: A091, B017, B018, B041
#[test]
fn after_ten_hours_time_and_events_are_still_exact() {
    for (h, steps) in [(0.25, 144_000), (7.3, 4932), (3600.0, 10)] {
        let fmu = Fmu::cs_from::<Clock>(0.0, &[(Clock::PERIOD, 0.5)]);
        fmu.set_debug_logging(false, &[]);
        let mut t = 0.0;
        for i in 1..=steps {
            let next = f64::from(i) * h;
            assert_eq!(fmu.step(t, next - t), fmi2OK);
            t = next;
        }
        assert_eq!(fmu.last_successful_time(), (fmi2OK, t), "steps of {h} s");
        let count = fmu.get_integer(Clock::COUNT).1;
        assert_eq!(count, (t / 0.5).floor() as i32, "steps of {h} s");
        // x' = number of ticks so far: a sum of whole numbers and halves.
        let ticks = f64::from(count);
        let exact = 0.5 * (0.5 * ticks * (ticks - 1.0)) + ticks * (t - 0.5 * ticks);
        let off = (fmu.real(Clock::X) - exact).abs() / exact;
        assert!(off < 1e-9, "steps of {h} s: {off:e}");
    }
}
