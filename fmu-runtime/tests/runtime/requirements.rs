//! Parameters and initial values that violate requirements are refused by name, and the instance
//! can still be used.

use crate::importer::Fmu;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::*;

/// `x' = w` between stops; a ratchet that may not start backward.
struct Ratchet;

const X: u32 = 0;
const SMIN: u32 = 1;
const SMAX: u32 = 2;
const W: u32 = 3;

impl System for Ratchet {
    const INFO: Info = crate::systems::model("Ratchet", "{ratchet}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("smin", Source::Parameter(1)).tunable(),
            Variable::new("smax", Source::Parameter(2)).tunable(),
            Variable::new("w", Source::Parameter(3)).tunable(),
        ])
        .parameters(&[0.0, -1.0, 1.0, 0.5])
        .states(&[State::new("x")])
        .requirements(&[
            Requirement {
                subject: Subject::InitialValues,
                of: &[("x", "rad", Source::State(0)), ("twice", "1", Source::Reported(0, STAGE))],
                sentence: "must not start backward",
            },
            Requirement {
                subject: Subject::Parameters,
                of: &[("smin", "m", Source::Parameter(1)), ("smax", "m", Source::Parameter(2))],
                sentence: "smin must be below smax",
            },
        ])
        .work(1);

    fn requirements(subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        match subject {
            Subject::Parameters => met[1] = e.p[1] < e.p[2],
            Subject::InitialValues => met[0] = e.x[0] >= 0.0,
        }
        Ok(())
    }

    /// There is no solution if the stops are in the wrong order.
    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0] + (e.p[2] - e.p[1]).sqrt() * 0.0;
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.p[3];
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == STAGE {
            e.w[0] = e.x[0] * 2.0;
        }
        Ok(())
    }
}

const STAGE: Stage = Stage::Velocity;
const STOPS: &str = "smin = 2 m, smax = 1 m: smin must be below smax";
const BACKWARD: &str = "x = -1 rad, twice = -2: must not start backward";

fn last_error(fmu: &Fmu) -> String {
    let message = fmu.messages().pop().unwrap();
    assert_eq!((message.status, message.category.as_str()), (fmi2Error, "logStatusError"));
    fmu.clear_messages();
    message.text
}

fn begin(fmu_type: fmi2Type, set: &[(u32, f64)]) -> Fmu {
    let fmu = Fmu::new::<Ratchet>(fmu_type);
    assert_eq!(fmu.setup(0.0, None), fmi2OK);
    for &(vr, value) in set {
        assert_eq!(fmu.set_real(&[vr], &[value]), fmi2OK);
    }
    assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
    fmu
}

#[test]
fn initialization_ends_only_with_possible_parameters() {
    for fmu_type in [fmi2ModelExchange, fmi2CoSimulation] {
        let fmu = begin(fmu_type, &[(SMIN, 2.0)]);
        for _ in 0..2 {
            assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
            assert_eq!(last_error(&fmu), STOPS);
        }
        assert_eq!(fmu.set_real(&[SMAX], &[3.0]), fmi2OK, "the instance lives");
        assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    }
}

#[test]
fn impossible_initial_values_are_refused_and_a_reset_recovers() {
    for fmu_type in [fmi2ModelExchange, fmi2CoSimulation] {
        let fmu = begin(fmu_type, &[(X, -1.0)]);
        assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
        assert_eq!(last_error(&fmu), BACKWARD);
        assert_eq!(fmu.reset(), fmi2OK);
        assert_eq!(fmu.setup(0.0, None), fmi2OK);
        assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
        assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    }
}

#[test]
fn a_step_begins_only_with_possible_parameters() {
    let fmu = Fmu::cs_from::<Ratchet>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 1.0), fmi2OK);
    assert_eq!(fmu.set_real(&[SMIN, W], &[2.0, 1.0]), fmi2OK);
    assert_eq!(fmu.step(1.0, 1.0), fmi2Error);
    assert_eq!(last_error(&fmu), STOPS);
    assert!((fmu.real(X) - 0.5).abs() < 1e-12, "nothing has moved");
    assert_eq!(fmu.set_real(&[SMAX], &[3.0]), fmi2OK);
    assert_eq!(fmu.step(1.0, 1.0), fmi2OK);
    assert!((fmu.real(X) - 1.5).abs() < 1e-12);
}

#[test]
fn an_event_ends_only_with_possible_parameters() {
    let fmu = begin(fmi2ModelExchange, &[]);
    assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    assert_eq!(fmu.set_real(&[SMIN], &[2.0]), fmi2OK);
    assert_eq!(fmu.new_discrete_states().0, fmi2Error);
    assert_eq!(last_error(&fmu), STOPS);
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2Error);
    assert_eq!(last_error(&fmu), STOPS);
    assert_eq!(fmu.set_real(&[SMAX], &[3.0]), fmi2OK);
    assert_eq!(fmu.new_discrete_states().0, fmi2OK);
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
}
