//! Tests that emitted code and the tape of the same program give the same bits.

use coupler_tests::Fmu;
use coupler_tests::models::{UNUSUAL, program};
use coupler_tests::simulations;
use equations::Interpreter;
use fmu_builder::models::ModelText;
use fmu_runtime::equations::RunnableModel;
use fmu_runtime::kernels::Dual;
use fmu_runtime::system::{OwnedEnv, RelationKind, Source, Stage, System, Update, Variable};
use models::MODELS;
use program::{Function, Tape, Workspace};
use random::Random;
use std::sync::Arc;

/// The emitted code of every model.
#[macro_use]
#[allow(missing_docs, clippy::too_many_lines, reason = "written by a program")]
mod emitted {
    include!(concat!(env!("OUT_DIR"), "/emitted.rs"));
}

#[test]
fn the_code_of_equal_parts_is_loops() {
    let loops = equations::emit(&program(&UNUSUAL)).matches("    for n in 0..").count();
    assert!(loops >= 10, "{loops}");
}

/// The models, in the order of their code.
fn models() -> impl Iterator<Item = &'static ModelText> {
    MODELS.models.iter().chain([&UNUSUAL])
}

/// The values of an interpreter, as scalars.
fn with_scalars<S>(i: &Interpreter, mut scalar: impl FnMut(f64) -> S) -> OwnedEnv<S> {
    let t = scalar(i.t);
    let mut all = |values: &[f64]| values.iter().map(|v| scalar(*v)).collect::<Vec<S>>();
    let (p, c, x, u) = (all(&i.p), all(&i.c), all(&i.x), all(&i.u));
    let (w, dx) = (all(&i.w), all(&i.dx));
    let (m, r, tables) = (i.m.clone(), i.r.clone(), i.tables.clone());
    let (anchor, z, iterations) = (i.anchor.clone(), i.z.clone(), i.iterations);
    let histories = i.histories.clone();
    OwnedEnv {
        t,
        initial: i.initial,
        p,
        c,
        m,
        r,
        x,
        u,
        tables,
        histories,
        anchor,
        z,
        iterations,
        w,
        dx,
    }
}

/// Asserts that an interpreter has the same bits.
fn compare(ours: &OwnedEnv<f64>, i: &Interpreter, what: &str) {
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
    for (name, ours, theirs) in [
        ("c", &ours.c, &i.c),
        ("x", &ours.x, &i.x),
        ("z", &ours.z, &i.z),
        ("w", &ours.w, &i.w),
        ("dx", &ours.dx, &i.dx),
    ] {
        assert_eq!(bits(ours), bits(theirs), "{what}: {name}: {ours:?} and {theirs:?}");
    }
    assert_eq!(ours.iterations, i.iterations, "{what}");
}

/// The bits of all values, and of all tangents.
fn bits_of_duals(env: &OwnedEnv<Dual>) -> [Vec<u64>; 2] {
    let duals = [&env.c, &env.x, &env.w, &env.dx].into_iter().flatten();
    let values = duals.clone().map(|dual| dual.value).chain(env.z.iter().copied());
    let tangents = duals.map(|dual| dual.tangent);
    // All NaNs count as equal, because their bits depend on the processor's choice.
    let bits = |v: f64| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() };
    [values.map(bits).collect(), tangents.map(bits).collect()]
}

/// Runs every function that exists with tangents, emitted and on the tape.
fn compare_tangents<M: System>(
    i: &Interpreter,
    (tape, workspace): (&Tape, &mut Workspace<Dual>),
    noise: &mut Random,
    what: &str,
) {
    let mut emitted = with_scalars(i, |value| Dual { value, tangent: noise.number() });
    let mut taped = emitted.clone();
    let mut run =
        |function: Function, emitted: &mut OwnedEnv<Dual>, taped: &mut OwnedEnv<Dual>| -> bool {
            let ours = match function {
                Function::Initial => M::initial(&mut emitted.env()),
                Function::Advance(stage) => M::advance(stage, &mut emitted.env()),
                Function::Report(stage) => M::report(stage, &mut emitted.env()),
                _ => unreachable!("a function with tangents"),
            };
            let theirs = tape.run_tangent(function, &mut taped.env(), workspace);
            let text = |done: &Result<(), _>| format!("{done:?}");
            assert_eq!(text(&ours), text(&theirs), "{what}: {function:?} with tangents");
            let (ours_bits, theirs_bits) = (bits_of_duals(emitted), bits_of_duals(taped));
            assert!(ours_bits == theirs_bits, "{what}: {function:?} with tangents");
            ours.is_ok()
        };
    let (mut first, mut second) = (emitted.clone(), taped.clone());
    run(Function::Initial, &mut first, &mut second);
    for stage in Stage::ALL {
        if !run(Function::Advance(stage), &mut emitted, &mut taped)
            || !run(Function::Report(stage), &mut emitted, &mut taped)
        {
            break;
        }
    }
}

/// Gives random values to everything that does not follow from other values.
fn disturb(i: &mut Interpreter, x: &[f64], p: &[f64], noise: &mut Random) {
    i.t = 1.0 + noise.number();
    i.initial = noise.number() > 0.8;
    i.p.iter_mut().zip(p).for_each(|(v, p)| *v = p * (1.0 + 0.01 * noise.number()));
    i.x.iter_mut().zip(x).for_each(|(v, x)| *v = x + 0.2 * noise.number());
    i.u.iter_mut().for_each(|u| *u = 10.0 * noise.number());
    i.r.iter_mut().for_each(|r| *r = noise.number() > 0.0);
    i.m.iter_mut().for_each(|m| *m = (2.0 * noise.number()).round());
}

/// Compares the residuals of the state relations that are computed from values of the first stages
/// only, emitted and on the tape, with those that were computed after all stages.
fn compare_indicators<M: System>(mut i: Interpreter, residuals: &[f64], what: &str) {
    i.w.fill(f64::NAN);
    for stage in [Stage::Parameter, Stage::Discrete] {
        i.advance(stage).expect("its values");
    }
    let (mut memory, mut d) = (OwnedEnv::clone(&i), vec![f64::NAN; residuals.len()]);
    M::indicators(&mut memory.env(), &mut d).expect("the indicators");
    i.indicators().expect("the indicators");
    for (k, relation) in M::INFO.relations.iter().enumerate() {
        if relation.kind == RelationKind::State {
            let all = [residuals[k], d[k], i.d[k]].map(f64::to_bits);
            assert!(all == [all[0]; 3], "{what}: indicator {}", relation.name);
        }
    }
}

/// The value of a source that does not change between two events.
fn lasting(i: &Interpreter, source: Source) -> f64 {
    match source {
        Source::Constant(value) => value,
        Source::Parameter(k) => i.p[k as usize],
        Source::Calculated(k) => i.c[k as usize],
        Source::Discrete(k) => i.m[k as usize],
        Source::Relation(k) => f64::from(u8::from(i.r[k as usize])),
        Source::Advanced(k, Stage::Parameter | Stage::Discrete) => i.w[k as usize],
        _ => panic!("{source:?} changes between events"),
    }
}

/// Moves time, states and inputs, and compares the changes of affine residuals with those that
/// their coefficients predict. Returns how many residuals were compared.
fn compare_affine<M: System>(i: &Interpreter, noise: &mut Random, what: &str) -> usize {
    let mut moved = i.clone();
    moved.t += noise.number();
    moved.x.iter_mut().for_each(|x| *x += 0.1 * noise.number());
    moved.u.iter_mut().for_each(|u| *u += noise.number());
    if moved.realize().is_err() || moved.relations().is_err() {
        return 0;
    }
    let mut compared = 0;
    for (k, relation) in M::INFO.relations.iter().enumerate() {
        let Some(affine) = relation.affine.filter(|a| lasting(i, a.holds) != 0.0) else { continue };
        let (mut predicted, mut size) = (i.d[k], i.d[k].abs() + moved.d[k].abs() + 1.0);
        for &(state, coefficient) in affine.coefficients {
            let (from, to) = (i.x[state as usize], moved.x[state as usize]);
            predicted += lasting(i, coefficient) * (to - from);
            size += lasting(i, coefficient).abs() * (from.abs() + to.abs());
        }
        let error = (moved.d[k] - predicted).abs();
        assert!(error <= 1e-12 * size, "{what}: {}: {} {predicted}", relation.name, moved.d[k]);
        compared += 1;
    }
    compared
}

/// Compares every function of the emitted code with the tape, and returns how many residuals were
/// affine functions of the states.
fn check<M: System>(model: &ModelText) -> usize {
    let mut noise = Random(2026);
    let program = program(model);
    let tape = program.tape().clone();
    let mut workspace = Workspace::new(&tape);
    let mut i = Interpreter::new(program);
    let defaults = i.p.clone();
    let (mut solved, mut affine) = (0, 0);
    for round in 0..200 {
        let what = format!("{} round {round}", model.name);
        i.initial = true;
        i.p.clone_from(&defaults);
        i.p.iter_mut().for_each(|v| *v *= 1.0 + 0.01 * noise.number());
        let mut memory = OwnedEnv::clone(&i);
        let result = M::initial(&mut memory.env());
        let other = i.initialize();
        assert_eq!(result.is_ok(), other.is_ok(), "{what}: initial values");
        if result.is_err() {
            continue;
        }
        compare(&memory, &i, &what);

        let (x, p) = (i.x.clone(), i.p.clone());
        disturb(&mut i, &x, &p, &mut noise);
        if round % 10 == 0 {
            compare_tangents::<M>(&i, (&tape, &mut workspace), &mut noise, &what);
        }
        let mut memory = OwnedEnv::clone(&i);
        let before = i.clone();
        let mut failed = false;
        for stage in Stage::ALL {
            let advanced = M::advance(stage, &mut memory.env());
            assert_eq!(advanced.is_ok(), i.advance(stage).is_ok(), "{what}: {stage:?}");
            failed = failed || advanced.is_err();
            if failed {
                break;
            }
            compare(&memory, &i, &format!("{what}: {stage:?}"));
            assert_eq!(M::report(stage, &mut memory.env()).is_ok(), i.report(stage).is_ok());
            compare(&memory, &i, &format!("{what}: variables of {stage:?}"));
        }
        if failed {
            continue;
        }
        let mut d = i.d.clone();
        if M::INFO.deferred.is_some() {
            let ours = M::unknowns(&mut memory.env());
            assert_eq!(ours.is_ok(), i.unknowns().is_ok(), "{what}: deferred blocks");
            compare(&memory, &i, &format!("{what}: deferred blocks"));
        }
        M::relations(&mut memory.env(), &mut d).expect("the relations");
        i.relations().expect("the relations");
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(&d), bits(&i.d), "{what}: relations");
        affine += compare_affine::<M>(&i, &mut noise, &what);
        if M::INFO.indicators_apart {
            compare_indicators::<M>(before, &d, &what);
        }

        let (mut m, mut x) = (i.m.clone(), i.x.clone());
        let mut next = Update { m: &mut m, x: &mut x, terminate: false };
        M::event(&mut memory.env(), &mut next).expect("the event");
        let terminate = next.terminate;
        let theirs = i.event().expect("the event");
        assert_eq!(bits(&m), bits(&theirs.m), "{what}: discrete variables");
        assert_eq!(bits(&x), bits(&theirs.x), "{what}: states after the event");
        assert_eq!(terminate, theirs.terminate, "{what}");
        solved += 1;
    }
    assert!(solved > 150, "{}: only {solved} rounds could be solved", model.name);
    affine
}

#[test]
fn emitted_code_and_tape_agree_bit_for_bit_at_random_points() {
    macro_rules! checks {
        ($($model:ident)*) => {
            [$(check::<emitted::$model::Model> as fn(&ModelText) -> usize),*]
        };
    }
    let affine: usize = models().zip(for_models!(checks)).map(|(model, check)| check(model)).sum();
    assert!(affine > 1000, "{affine} residuals are affine");
}

/// Simulates a model with the run time, as emitted code and as a tape that is read from a file.
fn simulate<M: System>(model: &ModelText) {
    let traced = MODELS.trace(model).unwrap_or_else(|error| panic!("{error}"));
    let program = traced.program().expect("it is traced");
    let end = program.description().experiment.stop_time.min(5.0);
    let file = program.taped().to_bytes();
    let taped = Arc::new(program::Program::from_bytes(&file).expect("a program"));
    let both: [&dyn RunnableModel; 2] = [fmu_runtime::equations::system_model::<M>(), &taped];
    let [ours, theirs] = both.map(|model| {
        let mut simulation = simulations::of_code(model, &traced);
        simulation.start(Some(1e-6)).expect("initial values");
        let info = model.info();
        let variables = [info.reals, info.integers, info.booleans].concat();
        let (mut values, mut failure) = (Vec::new(), None);
        for k in 0..=20 {
            failure = simulation.run_to(end * f64::from(k) / 20.0).err();
            if failure.is_some() {
                break;
            }
            let read = |v: &Variable| simulation.read(v.name).expect("a value").to_bits();
            values.extend(variables.iter().map(read));
        }
        (values, failure, simulation.messages())
    });
    assert!(ours.0 == theirs.0, "{}: values", model.name);
    assert_eq!(ours.1, theirs.1, "{}", model.name);
    assert_eq!(ours.2, theirs.2, "{}", model.name);
    let warned = |text: &str| format!("{:?}", ours.2).contains(text);

    assert_eq!(warned("it is old") && warned("it ages"), model.name == UNUSUAL.name);
    assert_eq!(ours.1.is_some(), model.name == UNUSUAL.name, "{}: {:?}", model.name, ours.1);
}

#[test]
fn the_run_time_does_the_same_with_emitted_code_and_with_the_tape() {
    macro_rules! simulations {
        ($($model:ident)*) => {
            [$(simulate::<emitted::$model::Model> as fn(&ModelText)),*]
        };
    }
    models().zip(for_models!(simulations)).for_each(|(model, simulate)| simulate(model));
}

#[test]
fn the_fmus_contain_the_code_that_is_compared_here() {
    // The GUID is a hash of description and code.
    for fmu in Fmu::all() {
        let program = program(MODELS.model(fmu.name()).expect("it is the FMU of a model"));
        assert_eq!(program.description().guid, fmu.description.guid, "{}", fmu.name());
    }
}
