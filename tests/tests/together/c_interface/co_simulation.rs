//! Tests of properties on which a Co-Simulation master relies.

use coupler_tests::curves::{Columns, TimeSeries, read};
use coupler_tests::fmu_program::{fmu as cargo_fmu, succeeds};
use coupler_tests::harness::{Instantiation, bits, references_text};
use coupler_tests::runs::{Run, SolverWork, events};
use coupler_tests::{Fmu, FmuType, Harness, Instance};
use fmu_builder::model_description::{Base, Unknown};
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

/// The derivatives of outputs in the middle of four steps, and the values at their five ends.
struct Around {
    exact: Vec<f64>,
    values: [Vec<f64>; 5],
    width: f64,
    /// Whether there was an event, at which slopes may jump.
    has_event: bool,
}

impl Around {
    /// Makes four steps from an instant on; two of them are as long as a width.
    fn new(instance: &Instance, references: &[u32], t: f64, width: f64) -> Around {
        let orders = vec!["1"; references.len()].join(" ");
        let arguments = format!("{} {orders}", references_text(references));
        let mut exact = Vec::new();
        let before = events(instance);
        let values = std::array::from_fn(|i| {
            if i > 0 {
                instance.step(t + 0.5 * width * (i as f64 - 1.0), 0.5 * width);
            }
            if i == 2 {
                exact = instance.ok("get_output_derivatives", &arguments).reals(0);
            }
            instance.reals(references)
        });
        Around { exact, values, width, has_event: events(instance) > before }
    }

    /// The slope of an output and a bound of its error; `None` if the estimate says nothing,
    /// because there is an event or a corner, or because the curve bends too much for this width.
    fn slope(&self, i: usize) -> Option<(f64, f64)> {
        let [begin, before, middle, after, end] = self.values.each_ref().map(|values| values[i]);
        let (left, right) = ((middle - begin) / self.width, (end - middle) / self.width);
        if self.has_event || (left - right).abs() >= 0.1 * (1.0 + left.abs()) {
            return None;
        }
        // The first is exact for a polynomial of degree four, the second for one of degree two. If
        // the second derivative jumps once, the error is at most twice their difference.
        let slope = (8.0 * (after - before) - (end - begin)) / (6.0 * self.width);
        let difference = (slope - (after - before) / self.width).abs();
        let limit = 1e-4 * (1.0 + slope.abs());
        (difference <= limit).then_some((slope, limit + 2.0 * difference))
    }
}

/// How much the derivative of an output, by reference, may differ because the states are accurate
/// up to a relative error only: the sum of the changes with all states. In a stiff model, a small
/// error of a state is a large one of its derivative.
fn inaccuracy(instance: &Instance, output: u32, relative: f64) -> f64 {
    let fmu = instance.fmu;
    let states = fmu.reals(fmu.states());
    let name = |unknown: &Unknown| fmu.description.variables[unknown.index].value_reference;
    let rates: Vec<u32> = fmu.description.derivatives.iter().map(name).collect();
    let change = |(state, value): (&u32, f64)| {
        let of_rates = instance.directional(&rates, &[*state], &[relative * value.abs().max(1.0)]);
        instance.directional(&[output], &states, &of_rates)[0].abs()
    };
    states.iter().zip(instance.reals(&states)).map(change).sum()
}

// FMI: A096, C016, maxOutputDerivativeOrder
#[test]
fn output_derivatives_are_the_slopes_of_the_outputs() {
    const TOLERANCE: f64 = 1e-9;
    for fmu in Fmu::all() {
        let mut names = fmu.names(Base::Real, &["output"]);
        names.retain(|name| fmu.variable(name).variability == "continuous");
        let references = fmu.reals(names.iter().copied());
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        instance.start(Some(TOLERANCE), fmu.starts());
        let pause = (fmu.stop_time() / 20.0).min(0.07);
        // The second width is smaller than the periods of controllers.
        let widths = [1e-4, 1e-6].map(|width| width * fmu.stop_time().min(1.0));
        let mut checked = vec![0; names.len()];
        let mut t = 0.0;
        for _ in 0..20 {
            for width in widths {
                let around = Around::new(&instance, &references, t, width);
                for (i, name) in names.iter().enumerate() {
                    let Some((slope, limit)) = around.slope(i) else { continue };
                    let (exact, reference) = (around.exact[i], references[i]);
                    let apart = (slope - exact).abs();
                    let close = apart < limit
                        || apart < limit + inaccuracy(&instance, reference, 10.0 * TOLERANCE);
                    assert!(close, "{} {name} at {t}: {slope}, not {exact}", fmu.name());
                    checked[i] += 1;
                }
                t += 2.0 * width;
            }
            instance.step(t, pause);
            t += pause;
        }
        // Fast rotations, or the strokes of an engine, sometimes look like corners.
        for (name, checked) in names.iter().zip(checked) {
            assert!(checked >= 20, "{} {name}: {checked} of 40 slopes", fmu.name());
        }
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
