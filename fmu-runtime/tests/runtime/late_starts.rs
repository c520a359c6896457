//! Parameters and start values that are set after initialization: OpenModelica sets them in the
//! first Event Mode, and CasADi sets all parameters before each evaluation.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::calls::FmiFunction;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::*;

/// `x' = gain`, where `x` starts at `x0 + u` and `gain` has a sign; it may not start below both
/// `least` and `depth`.
struct Carried;

impl Carried {
    const X: u32 = 0;
    const U: u32 = 1;
    const GAIN: u32 = 2;
    const LEAST: u32 = 3;
    const RATE: u32 = 4;
    const START: u32 = 5;
    const DEPTH: u32 = 6;
    const SIGN: u32 = Self::INFO.first_reference(Base::Integer);
    const FORWARD: u32 = Self::INFO.first_reference(Base::Boolean);
}

impl System for Carried {
    const INFO: Info = model("Carried", "{carried}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("u", Source::Input(0)),
            Variable::new("gain", Source::Parameter(1)),
            Variable::new("least", Source::Parameter(2)),
            Variable::new("rate", Source::Parameter(3)).tunable(),
            Variable::new("started", Source::Calculated(0)),
            Variable::new("depth", Source::Parameter(6)).tunable(),
        ])
        .integers(&[Variable::new("sign", Source::Parameter(4)).min(-1.0).max(1.0)])
        .booleans(&[Variable::new("forward", Source::Parameter(5))])
        .parameters(&[1.0, 2.0, -10.0, 1.0, 1.0, 1.0, 0.0])
        .inputs(&[0.5])
        .states(&[State::new("x")])
        .requirements(&[Requirement {
            subject: Subject::InitialValues,
            of: &[("x", "m", Source::State(0))],
            sentence: "must not start below least",
        }]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0] + e.u[0];
        e.c[0] = e.x[0] * e.p[1];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.p[1] * e.p[3] * e.p[4] * e.p[5] + e.u[0];
        }
        Ok(())
    }

    fn requirements(subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        met[0] = subject == Subject::Parameters || e.x[0] >= e.p[2].min(e.p[6]);
        Ok(())
    }
}

/// An instance in the first Event Mode.
fn initialized<T: System>() -> Fmu {
    let fmu = Fmu::me::<T>();
    fmu.initialize(0.0, &[]);
    fmu.clear_messages();
    fmu
}

/// State, derivative and calculated parameter.
fn values(fmu: &Fmu) -> [f64; 3] {
    [fmu.states(1).1[0], fmu.derivatives(1).1[0], fmu.real(Carried::START)]
}

// FMI: A058
#[test]
fn values_set_in_the_first_event_mode_act_as_if_they_had_been_set_before() {
    let changes = [(Carried::X, -3.0), (Carried::GAIN, 7.0), (Carried::LEAST, -5.0)];
    let before = Fmu::me::<Carried>();
    assert_eq!(before.set_integer(Carried::SIGN, -1), fmi2OK);
    assert_eq!(before.set_boolean(Carried::FORWARD, 0), fmi2OK);
    before.initialize(0.0, &changes);

    let late = initialized::<Carried>();
    let (references, numbers): (Vec<u32>, Vec<f64>) = changes.into_iter().unzip();
    assert_eq!(late.set_real(&references, &numbers), fmi2OK);
    assert_eq!(late.set_integer(Carried::SIGN, -1), fmi2OK);
    // Reading in between neither spoils nor ends anything.
    assert_eq!(late.real(Carried::START), -2.5 * 7.0);
    assert_eq!(late.set_boolean(Carried::FORWARD, 0), fmi2OK);
    assert_eq!(values(&late), values(&before));
    assert_eq!(values(&late), [-2.5, 0.5, -17.5]);
}

/// Modes and loops are found again, whatever was found before.
#[test]
fn modes_are_those_of_the_values_that_were_set_late() {
    for x in [0.5, 2.0] {
        let late = initialized::<Undecided<0>>();
        assert_eq!(late.set_real(&[0], &[x]), fmi2OK);
        let early = Fmu::me::<Undecided<0>>();
        early.initialize(0.0, &[(0, x)]);
        assert_eq!((late.real(0), late.get_boolean(1)), (early.real(0), early.get_boolean(1)));
    }
}

// FMI: A058
#[test]
fn every_call_of_event_or_continuous_time_mode_ends_the_time_of_start_values() {
    let call = |fmu: &Fmu, function: FmiFunction| match function {
        FmiFunction::EnterEventMode => fmu.enter_event_mode(),
        FmiFunction::NewDiscreteStates => fmu.new_discrete_states().0,
        FmiFunction::EnterContinuousTimeMode => fmu.enter_continuous_time_mode(),
        FmiFunction::SetTime => fmu.set_time(0.0),
        FmiFunction::SetContinuousStates => fmu.set_states(&[1.5]),
        FmiFunction::GetContinuousStates => fmu.states(1).0,
        FmiFunction::GetDerivatives => fmu.derivatives(1).0,
        FmiFunction::GetEventIndicators => fmu.indicators(0).0,
        FmiFunction::GetDirectionalDerivative => fmu.directional(&[], &[], &[]).0,
        other => panic!("{other:?} is a call of Event or Continuous-Time Mode"),
    };
    for &function in FmiFunction::ALL.iter().filter(|function| function.begins_first_event()) {
        let fmu = initialized::<Carried>();
        assert_eq!(call(&fmu, function), fmi2OK, "{function:?}");
        assert_eq!(fmu.set_real(&[Carried::GAIN], &[3.0]), fmi2Error, "{function:?}");
        let refused = fmu.last_text();
        assert!(refused.starts_with("gain cannot be set in state "), "{refused}");
        assert_eq!(fmu.real(Carried::GAIN), 2.0, "nothing has changed, and the instance lives");
    }
}

// FMI: A065
#[test]
fn a_null_pointer_does_not_end_the_time_of_start_values() {
    #![allow(unsafe_code, reason = "it calls the C interface")]
    use fmu_runtime::abi;
    use std::ptr::{null, null_mut};
    let calls: [fn(&Fmu) -> fmi2Status; 5] = [
        |fmu| unsafe { abi::fmi2NewDiscreteStates(fmu.c, null_mut()) },
        |fmu| unsafe { abi::fmi2SetContinuousStates(fmu.c, null(), 1) },
        |fmu| unsafe { abi::fmi2GetDerivatives(fmu.c, null_mut(), 1) },
        |fmu| unsafe { abi::fmi2GetEventIndicators(fmu.c, null_mut(), 1) },
        |fmu| unsafe { abi::fmi2GetContinuousStates(fmu.c, null_mut(), 1) },
    ];
    for call in calls {
        let fmu = initialized::<Carried>();
        assert_eq!(call(&fmu), fmi2Error);
        assert!(fmu.last_text().ends_with(": a pointer is null"), "{}", fmu.last_text());
        assert_eq!(fmu.set_real(&[Carried::GAIN], &[3.0]), fmi2OK);
        assert_eq!(values(&fmu), [1.5, 3.5, 4.5]);
    }
}

#[test]
fn an_input_that_is_set_late_is_an_event_after_the_initialization() {
    // In one call, in any order, and in several calls: initial values are those of the old input.
    let orders: [&[(u32, f64)]; 2] =
        [&[(Carried::X, 2.0), (Carried::U, 9.0)], &[(Carried::U, 9.0), (Carried::X, 2.0)]];
    for order in orders {
        let (references, numbers): (Vec<u32>, Vec<f64>) = order.iter().copied().unzip();
        let fmu = initialized::<Carried>();
        assert_eq!(fmu.set_real(&references, &numbers), fmi2OK);
        assert_eq!(values(&fmu), [2.5, 11.0, 5.0]);
    }
    let fmu = initialized::<Carried>();
    assert_eq!(fmu.set_real(&[Carried::X], &[2.0]), fmi2OK);
    assert_eq!(fmu.set_real(&[Carried::U, Carried::RATE], &[9.0, 3.0]), fmi2OK);
    assert_eq!(fmu.set_integer(Carried::SIGN, -1), fmi2OK, "the event has not begun");
    assert_eq!(fmu.set_real(&[Carried::X], &[3.0]), fmi2OK);
    assert_eq!(values(&fmu), [3.5, 3.0, 7.0]);
    assert_eq!(fmu.real(Carried::RATE), 3.0);
    // A repeated initialization uses all parameters, which may have to fit together.
    for order in [
        [(Carried::X, -12.0), (Carried::DEPTH, -20.0)],
        [(Carried::DEPTH, -20.0), (Carried::X, -12.0)],
    ] {
        let fmu = initialized::<Carried>();
        for (reference, value) in order {
            assert_eq!(fmu.set_real(&[reference], &[value]), fmi2OK);
        }
        assert_eq!(values(&fmu), [-11.5, 2.5, -23.0]);
    }
    // Reading a value begins the event.
    let fmu = initialized::<Carried>();
    assert_eq!(fmu.set_real(&[Carried::RATE], &[3.0]), fmi2OK);
    assert_eq!(fmu.real(Carried::START), 3.0);
    assert_eq!(fmu.set_real(&[Carried::X], &[3.0]), fmi2OK, "now it is the state");
    assert_eq!(values(&fmu), [3.0, 6.5, 3.0]);
    assert_eq!(fmu.set_real(&[Carried::GAIN], &[3.0]), fmi2Error);
    // An unchanged input is no event.
    let fmu = initialized::<Carried>();
    assert_eq!(fmu.set_real(&[Carried::U], &[0.5]), fmi2OK);
    assert_eq!(fmu.set_real(&[Carried::X], &[2.0]), fmi2OK);
    assert_eq!(values(&fmu), [2.5, 2.5, 5.0]);
}

// FMI: A036
#[test]
fn values_that_cannot_be_are_refused_as_at_the_end_of_initialization() {
    let early = Fmu::me::<Carried>();
    early.setup(0.0, None);
    early.set_real(&[Carried::X], &[-20.0]);
    early.enter_initialization_mode();
    assert_eq!(early.exit_initialization_mode(), fmi2Error);
    let sentence = early.last_text();
    assert_eq!(sentence, "x = -19.5 m: must not start below least");

    let calls: [fn(&Fmu) -> fmi2Status; 4] = [
        |fmu| fmu.get_real(Carried::START).0,
        |fmu| fmu.derivatives(1).0,
        |fmu| fmu.new_discrete_states().0,
        |fmu| fmu.terminate(),
    ];
    for call in calls {
        let fmu = initialized::<Carried>();
        assert_eq!(fmu.set_real(&[Carried::X], &[-20.0]), fmi2OK);
        assert_eq!(call(&fmu), fmi2Error);
        assert_eq!(fmu.last_text(), sentence);
        // Other values can still be set.
        assert_eq!(fmu.set_real(&[Carried::LEAST], &[-30.0]), fmi2OK);
        assert_eq!(values(&fmu), [-19.5, 2.5, -39.0]);
    }
}

#[test]
fn a_saved_state_keeps_the_time_of_start_values() {
    let fmu = initialized::<Carried>();
    assert_eq!(fmu.set_real(&[Carried::GAIN], &[5.0]), fmi2OK);
    let mut saved = fmu.get_state();
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    assert_eq!(fmu.set_real(&[Carried::GAIN], &[6.0]), fmi2Error);
    let bytes = fmu.serialize(saved, fmu.serialized_size(saved).1).1;
    let mut again = fmu.deserialize(&bytes).1;
    assert_eq!(fmu.set_state(again), fmi2OK);
    assert_eq!(fmu.real(Carried::START), 7.5);
    assert_eq!(fmu.set_real(&[Carried::GAIN], &[6.0]), fmi2OK);
    assert_eq!(fmu.real(Carried::START), 9.0);
    fmu.free_state(&mut saved);
    fmu.free_state(&mut again);
}

// FMI: A058
#[test]
fn parameters_with_their_present_values_are_accepted_in_every_mode() {
    let fmu = Fmu::me_from::<Carried>(0.0, &[(Carried::GAIN, 3.0)]);
    let set = |fmu: &Fmu, gain: f64| {
        [
            fmu.set_real(&[Carried::GAIN, Carried::LEAST], &[gain, -10.0]),
            fmu.set_integer(Carried::SIGN, 1),
            fmu.set_boolean(Carried::FORWARD, 1),
        ]
    };
    let derivative = fmu.derivatives(1).1;
    assert_eq!(set(&fmu, 3.0), [fmi2OK; 3], "Continuous-Time Mode");
    assert_eq!(fmu.derivatives(1).1, derivative);
    assert_eq!(set(&fmu, 4.0), [fmi2Error, fmi2OK, fmi2OK]);
    assert_eq!(fmu.last_text(), "gain cannot be set in state Continuous-Time Mode");
    assert_eq!(fmu.set_integer(Carried::SIGN, -1), fmi2Error);
    assert_eq!(fmu.set_boolean(Carried::FORWARD, 0), fmi2Error);
    fmu.enter_event_mode();
    assert_eq!(set(&fmu, 3.0), [fmi2OK; 3], "Event Mode");
    fmu.set_time(0.5);
    assert_eq!(set(&fmu, 3.0), [fmi2OK; 3], "Event Mode after the event");

    let fmu = Fmu::cs_from::<Carried>(0.0, &[(Carried::GAIN, 3.0)]);
    fmu.step(0.0, 0.1);
    assert_eq!(set(&fmu, 3.0), [fmi2OK; 3], "between communication steps");
    assert_eq!(set(&fmu, 4.0), [fmi2Error, fmi2OK, fmi2OK]);
    assert_eq!(fmu.last_text(), "gain cannot be set in state step complete");
    // The start value of a state is not a parameter.
    assert_eq!(fmu.set_real(&[Carried::X], &[1.0]), fmi2Error);
    assert_eq!(fmu.last_text(), "x cannot be set in state step complete");
}

/// `x' = rate`, where `on` holds for rates above 1; it must not exceed `most`.
struct Tuned;

impl Tuned {
    const RATE: u32 = 1;
    const MOST: u32 = 2;
    const ON: u32 = 3;
}

impl System for Tuned {
    const INFO: Info = model("Tuned", "{tuned}")
        .reals(&[
            Variable::new("x", Source::State(0)).start(0),
            Variable::new("rate", Source::Parameter(1)).tunable(),
            Variable::new("most", Source::Parameter(2)).tunable(),
            Variable::new("on", Source::Discrete(0)).output(),
        ])
        .parameters(&[0.0, 1.0, 10.0])
        .states(&[State::new("x")])
        .discretes(&[Discrete::new("on", 0.0)])
        .requirements(&[Requirement {
            subject: Subject::Parameters,
            of: &[("rate", "1/s", Source::Parameter(1))],
            sentence: "must not exceed most",
        }]);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.p[1];
        }
        Ok(())
    }

    fn requirements(_: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        met[0] = e.p[1] <= e.p[2];
        Ok(())
    }

    fn event(e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        next.m[0] = f64::from(u8::from(e.p[1] > 1.0));
        Ok(())
    }
}

// FMI: A058
#[test]
fn a_tunable_parameter_that_changes_in_continuous_time_is_an_event() {
    let fmu = Fmu::me_from::<Tuned>(0.0, &[]);
    assert_eq!(fmu.set_real(&[Tuned::RATE], &[1.0]), fmi2OK);
    assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (fmi2False, fmi2False)), "unchanged");

    assert_eq!(fmu.set_real(&[Tuned::RATE], &[2.0]), fmi2OK);
    assert_eq!(fmu.derivatives(1), (fmi2OK, vec![2.0]), "it acts at once");
    assert_eq!(fmu.real(Tuned::ON), 0.0, "discrete variables wait for the event");
    assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (fmi2True, fmi2False)));
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    fmu.iterate_events();
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(fmu.real(Tuned::ON), 1.0);
    assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (fmi2False, fmi2False)));

    assert_eq!(fmu.set_real(&[Tuned::RATE], &[11.0]), fmi2Discard);
    assert_eq!(fmu.last_text(), "rate = 11 1/s: must not exceed most");
    assert_eq!((fmu.real(Tuned::RATE), fmu.derivatives(1).1[0]), (2.0, 2.0), "nothing changes");
    let both = [Tuned::RATE, Tuned::MOST];
    assert_eq!(fmu.set_real(&both, &[11.0, 12.0]), fmi2OK, "together they are legal");
    assert_eq!(fmu.derivatives(1).1, [11.0]);
    // An error after a discarded call ends the simulation like any other.
    assert_eq!(fmu.set_real(&[Tuned::RATE], &[13.0]), fmi2Discard);
    assert_eq!(fmu.set_time(f64::NAN), fmi2Error);
    assert_eq!(fmu.set_time(0.0), fmi2Error);
}

/// `x' = 1 / x`: the initialization succeeds at 0, but the first point of the solution does not.
struct Steep;

impl System for Steep {
    const INFO: Info = model("Steep", "{steep}")
        .reals(&[Variable::new("x", Source::State(0)).start(0)])
        .parameters(&[1.0])
        .states(&[State::new("x")])
        .blocks(&[Block { name: "quotient", kind: BlockKind::Equations, offset: 0, size: 1 }])
        .fallible(Some(Stage::Velocity), None);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = e.p[0];
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        match stage {
            Stage::Velocity if e.x[0].value() == 0.0 => {
                return Err(Failure { block: 0, kind: FailureKind::Singular, residual: 1.0 });
            }
            Stage::Velocity => e.z[0] = 1.0 / e.x[0].value(),
            Stage::Dynamics => e.dx[0] = S::from(1.0) / e.x[0],
            _ => {}
        }
        Ok(())
    }
}

// FMI: A036
#[test]
fn a_simulation_that_cannot_begin_ends_with_an_error() {
    let calls: [fn(&Fmu) -> fmi2Status; 4] = [
        |fmu| fmu.get_real(0).0,
        |fmu| fmu.states(1).0,
        |fmu| fmu.enter_continuous_time_mode(),
        |fmu| fmu.terminate(),
    ];
    for call in calls {
        let early = Fmu::me::<Steep>();
        early.setup(0.0, None);
        early.set_real(&[0], &[0.0]);
        early.enter_initialization_mode();
        assert_eq!(early.exit_initialization_mode(), fmi2Error);
        let late = initialized::<Steep>();
        assert_eq!(late.set_real(&[0], &[0.0]), fmi2OK);
        assert_eq!(call(&late), fmi2Error);
        assert_eq!(late.last_text(), early.last_text());
        assert_eq!(
            (late.reset(), late.initialize(0.0, &[]), late.states(1).1[0]),
            (fmi2OK, (), 1.0)
        );
    }
}

// FMI: A053
#[test]
fn a_call_for_the_wrong_type_names_the_variable() {
    let fmu = initialized::<Carried>();
    assert_eq!(fmu.set_real(&[Carried::SIGN], &[-1.0]), fmi2Error);
    assert_eq!(fmu.last_text(), "sign is Integer, not Real");
    assert_eq!(fmu.set_integer(Carried::GAIN, 3), fmi2Error);
    assert_eq!(fmu.last_text(), "gain is Real, not Integer");
    assert_eq!(fmu.get_integer(Carried::FORWARD).0, fmi2Error);
    assert_eq!(fmu.last_text(), "forward is Boolean, not Integer");
    assert_eq!(fmu.get_string(Carried::GAIN), fmi2Error);
    assert_eq!(fmu.last_text(), "gain is Real, not String");
    assert_eq!(values(&fmu), [1.5, 2.5, 3.0], "the instance lives");
}
