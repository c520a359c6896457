//! Tests of modes in FMPy, and of two FMUs that libcosim connects.

use coupler_tests::curves::read;
use coupler_tests::fmu_program::{fmu, succeeds};
use coupler_tests::python::script;
use coupler_tests::runs::{Run, span};
use coupler_tests::{Fmu, FmuType, Harness};
use fmu_builder::model_description::Base;
use serde_json::{Value, json};

/// The part of a step by which the instants of an event may differ in two results.
const BESIDE: f64 = 1e-2;

#[test]
fn fmpy_model_exchange_with_cvode_switches_as_co_simulation_does() {
    for fmu in Fmu::all() {
        let mut names = fmu.names(Base::Integer, &["local", "output"]);
        names.extend(fmu.names(Base::Enumeration, &["local", "output"]));
        names.extend(fmu.names(Base::Boolean, &["local", "output"]));
        // The FMU's own solver has no work in Model Exchange.
        names.retain(|name| !name.starts_with("solver."));
        if names.is_empty() {
            continue;
        }
        let stop = span(&fmu);
        let h = stop / 500.0;
        let run = Run { tolerance: Some(1e-8), record: &names, stop, ..Run::of(&fmu, h) };
        let theirs = run.fmpy(&fmu, FmuType::ModelExchange);
        let switches: Vec<f64> = (1..theirs.rows.len())
            .filter(|&k| theirs.rows[k] != theirs.rows[k - 1])
            .map(|k| theirs.time[k])
            .collect();
        // At an event, the two results may be on different sides of it. This excludes not more than
        // one point for each switch.
        let beside = |t: f64| switches.iter().any(|switch| (switch - t).abs() <= BESIDE * h);
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(Some(1e-8), fmu.starts());
        let mut compared = 0;
        for i in 0..500 {
            let (begin, t) = (f64::from(i) * h, f64::from(i + 1) * h);
            instance.step(begin, t - begin);
            if beside(t) {
                continue;
            }
            let same = |s: &f64| (s - t).abs() <= 1e-9 * (1.0 + t.abs());
            let row = theirs.time.iter().rposition(same).expect("a common time");
            let ours = instance.values(&names);
            assert_eq!(theirs.rows[row], ours, "{} at {t}: {names:?}", fmu.name());
            compared += 1;
        }
        assert!(compared > 0, "{}: an event at every point", fmu.name());
    }
}

#[test]
fn libcosim_runs_a_motor_and_a_drive_train_that_drive_each_other_as_the_harness_does() {
    let (motor, train) = (Fmu::named("TorqueSource"), Fmu::named("Drivetrain"));
    let steps = 300;
    let signals = train.signals();
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut arguments = vec![
        file.path().display().to_string(),
        "0.01".to_owned(),
        steps.to_string(),
        format!("motor:{}", motor.path.display()),
        format!("train:{}", train.path.display()),
        "motor.tau->train.tau".to_owned(),
        "train.w_motor->motor.w".to_owned(),
        "train.engage=0.5".to_owned(),
        "motor.tau".to_owned(),
    ];
    arguments.extend(signals.iter().map(|name| format!("train.{name}")));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let log = script("connect.py", &arguments);
    assert!(!log.contains("[error]"), "libcosim complains: {log}");
    let theirs = read(file.path());
    assert_eq!(theirs.rows.len(), steps);

    // The same master, written here: both FMUs make a step, then outputs become inputs.
    let harnesses = [Harness::new(&motor), Harness::new(&train)];
    let source = harnesses[0].instantiate(&motor, FmuType::CoSimulation);
    let sink = harnesses[1].instantiate(&train, FmuType::CoSimulation);
    let exchange = || {
        sink.set("tau", source.get("tau"));
        source.set("w", sink.get("w_motor"));
    };
    for instance in [&source, &sink] {
        instance.setup(None, 0.0, None).then("enter_initialization");
    }
    sink.set("engage", 0.5);
    exchange();
    for instance in [&source, &sink] {
        instance.then("exit_initialization");
    }
    let references = train.reals(signals.iter().copied());
    for (i, row) in theirs.rows.iter().enumerate() {
        exchange();
        // libcosim measures time in whole nanoseconds, and a step is the difference of two times.
        let (t, next) = ((i * 10_000_000) as f64 / 1e9, ((i + 1) * 10_000_000) as f64 / 1e9);
        for instance in [&source, &sink] {
            instance.step(t, next - t);
        }
        assert_eq!(row[0], source.get("tau"), "step {i}: the torque");
        assert_eq!(row[1..], sink.reals(&references), "step {i} of {signals:?}");
    }
}

#[test]
fn libcosim_sets_start_values_that_are_parameters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut build = fmu();
    build.args(["build", "coupled_clutches", "--interpreted", "--starts", "parameters", "--out"]);
    succeeds(build.arg(folder.path()));
    let own = Fmu::named("CoupledClutches");
    let (steps, h) = (60_u32, 0.025);
    let job = |path: String, start: &str| {
        json!({"fmu": path, "step": h, "steps": steps, "starts": {start: 5.0},
               "variables": own.signals()})
    };
    let with_parameters = folder.path().join("CoupledClutches.fmu").display().to_string();
    let jobs =
        [job(with_parameters, "start.J2.phi"), job(own.path.display().to_string(), "J2.phi")];
    let file = folder.path().join("jobs.json");
    std::fs::write(&file, json!(jobs).to_string()).expect("the jobs are written");
    let answer = script("importers.py", &["libcosim", &file.display().to_string()]);
    let answers: Vec<Value> =
        answer.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let [with_parameters, with_variables] = &answers[..] else { panic!("{answer}") };

    let harness = Harness::new(&own);
    let instance = harness.instantiate(&own, FmuType::CoSimulation);
    instance.start(None, &[("J2.phi", 5.0)]);
    let rows = with_parameters["rows"].as_array().expect("the parameter is set");
    assert_eq!(rows.len(), steps as usize);
    for (i, row) in rows.iter().enumerate() {
        let (t, next) = ((i * 25_000_000) as f64 / 1e9, ((i + 1) * 25_000_000) as f64 / 1e9);
        instance.step(t, next - t);
        let row: Vec<f64> =
            row.as_array().into_iter().flatten().filter_map(Value::as_f64).collect();
        assert_eq!(row, instance.values(&own.signals()), "step {i}");
    }
    assert_eq!(with_parameters, with_variables, "both set the same start value");
}
