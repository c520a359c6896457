//! Tests of properties on which a Co-Simulation master relies.

use coupler_tests::curves::{Columns, TimeSeries, read};
use coupler_tests::fmu_program::{fmu as cargo_fmu, succeeds};
use coupler_tests::harness::{Instantiation, bits};
use coupler_tests::runs::{Run, SolverWork};
use coupler_tests::{Fmu, FmuType, Harness, Instance};
use program::SolverCount;

// FMI: A061
#[test]
fn reading_more_variables_does_not_change_the_results() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let [curious, other] = [(); 2].map(|()| harness.instantiate(&fmu, FmuType::CoSimulation));
        let references = fmu.reals(fmu.signals());
        for instance in [&curious, &other] {
            instance.start(None, fmu.starts());
        }
        let h = (fmu.stop_time() / 150.0).min(0.01);
        let mut t = 0.0;
        for _ in 0..150 {
            curious.step(t, h);
            other.step(t, h);
            curious.everything();
            let same = curious.reals(&references) == other.reals(&references);
            assert!(same, "{} at {t}", fmu.name());
            t += h;
        }
    }
}

#[test]
fn the_counts_of_the_solver_are_those_of_its_log_and_zero_in_model_exchange() {
    let counts = |instance: &Instance| instance.values(&SolverCount::ALL.map(SolverCount::name));
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let with = Instantiation { logging: true, ..Instantiation::of(&fmu) };
        let instance = harness.try_instantiate(&fmu, &with).expect("an instance");
        instance.start(None, fmu.starts());
        assert_eq!(counts(&instance), [0.0; SolverCount::ALL.len()], "{}", fmu.name());
        let mut before = counts(&instance);
        for step in 0..4 {
            instance.step(0.01 * f64::from(step), 0.01);
            let now = counts(&instance);
            let grow = before.iter().zip(&now).all(|(before, now)| before <= now);
            assert!(grow, "{}: {before:?}, then {now:?}", fmu.name());
            before = now;
        }
        assert!(before[SolverCount::Evaluations as usize] > 0.0, "{}", fmu.name());
        instance.then("terminate");
        let logged = SolverWork::logged(&harness.log()).expect("the FMU logs its work");
        assert_eq!(before, SolverCount::ALL.map(|count| logged.of(count) as f64));
        let exchanged = harness.instantiate(&fmu, FmuType::ModelExchange);
        exchanged.start(None, fmu.starts()).iterate_events();
        assert_eq!(counts(&exchanged), [0.0; SolverCount::ALL.len()], "{}", fmu.name());
    }
}

#[test]
fn a_locked_clutch_stays_locked() {
    let fmu = Fmu::named("Drivetrain");
    let harness = Harness::new(&fmu);
    let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
    instance.start(None, &[("engage", 1.0), ("motor.w", 5.0)]);
    // Alternating torques that the clutch can hold, for 100 s.
    let mut t = 0.0;
    for k in 0..1000 {
        instance.set("tau", [20.0, -30.0, 10.0][k % 3]);
        instance.step(t, 0.1);
        t += 0.1;
        if k >= 10 {
            let [mode, w_rel] = ["clutch.mode", "clutch.w_rel"].map(|name| instance.get(name));
            assert!(mode == 0.0 && w_rel.abs() <= 1e-9, "at {t}: mode {mode}, w_rel {w_rel:e}");
        }
    }
}

// FMI: B021
#[test]
fn parameters_and_constants_do_not_change_during_a_run() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(None, fmu.starts());
        let still = |v: &&fmu_builder::model_description::ScalarVariable| {
            matches!(v.variability.as_str(), "fixed" | "tunable" | "constant")
        };
        let variables: Vec<&str> =
            fmu.description.variables.iter().filter(still).map(|v| v.name.as_str()).collect();
        let before = instance.values(&variables);
        Run::of(&fmu, 0.02).steps_of(&instance);
        assert_eq!(instance.values(&variables), before, "{}", fmu.name());
    }
}

// FMI: A095, B038, C016, canInterpolateInputs
#[test]
fn a_polynomial_input_gives_the_response_of_its_exact_course() {
    // A first-order lag driven by w(t) = a + b t + c t^2 / 2 has a closed solution.
    let fmu = Fmu::named("TorqueSource");
    let harness = Harness::new(&fmu);
    let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
    instance.start(Some(1e-10), &[]);
    let [tau_max, w_max, time_constant] = ["tau_max", "w_max", "T"].map(|name| instance.get(name));
    let (a, b, c) = (30.0, 40.0, -50.0);
    let w = fmu.variable("w").value_reference;
    instance.set("w", a);
    let derivatives = format!("2 {w} {w} 1 2 {} {}", bits(b), bits(c));
    instance.ok("set_input_derivatives", &derivatives);
    instance.step(0.0, 1.0);
    // T x' + x = g(t) with g = g0 + g1 t + g2 t^2 / 2: a particular solution and a decaying one.
    let [g0, g1, g2] = [tau_max * (1.0 - a / w_max), -tau_max * b / w_max, -tau_max * c / w_max];
    let lag = time_constant;
    let particular =
        |t: f64| g0 - lag * g1 + lag * lag * g2 + (g1 - lag * g2) * t + 0.5 * g2 * t * t;
    let exact = particular(1.0) - particular(0.0) * (-1.0 / lag).exp();
    let ours = instance.get("tau");
    assert!((ours - exact).abs() < 1e-8 * tau_max, "{ours} instead of {exact}");
}

#[test]
fn the_program_runs_a_model_and_writes_what_the_harness_computes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (csv, svg) = (folder.path().join("curves.csv"), folder.path().join("curves.svg"));
    // Two integrators are compared, of which the errors add up.
    let tolerance = 1e-7;
    for fmu in Fmu::all() {
        for option in ["--cs", "--me"] {
            // A part of the experiment suffices; Model Exchange of a stiff model needs many steps.
            let stop = fmu.stop_time() / 5.0;
            let mut run = cargo_fmu();
            run.arg("run").arg(&fmu.path).arg(option).arg("--output").arg(&csv);
            run.arg("--stop").arg(stop.to_string()).arg("--tolerance").arg(tolerance.to_string());
            for (name, value) in fmu.starts() {
                run.arg("--set").arg(format!("{name}={value}"));
            }
            let text = succeeds(run.arg("--plot").arg(&svg));
            assert!(!text.is_empty(), "{}: a summary", fmu.name());
            let table = read(&csv);
            let ours = Run { stop, tolerance: Some(tolerance), ..Run::of(&fmu, stop / 1000.0) };
            let ours = ours.co_simulation(&fmu);
            let last =
                |table: &TimeSeries, name| table.column(name).last().copied().unwrap_or(f64::NAN);
            for name in ours.names.iter().filter(|name| table.names.contains(name)) {
                let (theirs, ours) = (last(&table, name), last(&ours, name));
                let close = (theirs - ours).abs() <= 1e-4 * (1.0 + ours.abs());
                assert!(close, "{} {option}: {name}: {theirs} and {ours}", fmu.name());
            }
            let picture = std::fs::read_to_string(&svg).expect("a plot");
            assert!(picture.contains("<svg"), "{}: a plot", fmu.name());
        }
    }
}
