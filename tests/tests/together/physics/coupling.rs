//! Tests that FMUs which a master joins at their flanges move like the whole model, or as theory
//! predicts.

use std::f64::consts::TAU;

use coupler_tests::curves::{TimeSeries, distance, largest, read};
use coupler_tests::python::script;
use coupler_tests::runs::Run;
use coupler_tests::{Fmu, FmuType, Harness, Instance};

/// The torque on the first inertia of the example in N.m, at a time in s.
fn sine(t: f64) -> f64 {
    10.0 * (2.0 * TAU * t).sin()
}

/// Moments of inertia of the example in kg.m2.
const J: [f64; 2] = [1.1, 2.2];

/// The results of the whole model, which are exact for these tests.
fn whole(starts: &[(&str, f64)], record: &[&str], h: f64, stop: f64) -> TimeSeries {
    let fmu = Fmu::named("RotationalGenerationOfFmus");
    let run = Run { tolerance: Some(1e-11), stop, starts, record, ..Run::of(&fmu, h) };
    run.co_simulation(&fmu)
}

/// The largest distance of curves, by column.
fn apart(rows: &[Vec<f64>], table: &TimeSeries) -> f64 {
    let column = |rows: &[Vec<f64>], k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
    largest((0..table.names.len()).map(|k| distance(&column(rows, k), &column(&table.rows, k))))
}

/// Initializes for Model Exchange and enters Continuous-Time Mode.
fn start(instance: &Instance, starts: &[(&str, f64)]) {
    instance.start(None, starts);
    instance.iterate_events();
    instance.then("enter_continuous");
}

/// Continuous states at equidistant times by the classical Runge-Kutta method.
fn integrate(
    states: usize,
    h: f64,
    steps: usize,
    derivatives: impl Fn(f64, &[f64]) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut rows = vec![vec![0.0; states]];
    for i in 0..steps {
        let (t, x) = (i as f64 * h, &rows[i]);
        let at = |dt: f64, k: &[f64]| {
            let moved: Vec<f64> = x.iter().zip(k).map(|(x, k)| x + dt * k).collect();
            derivatives(t + dt, &moved)
        };
        let k1 = at(0.0, &vec![0.0; states]);
        let k2 = at(h / 2.0, &k1);
        let k3 = at(h / 2.0, &k2);
        let k4 = at(h, &k3);
        let slope = |j: usize| (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]) / 6.0;
        let next = x.iter().enumerate().map(|(j, x)| x + h * slope(j)).collect();
        rows.push(next);
    }
    rows
}

/// Two rigidly coupled inertias: the first moves the second, whose torque acts back at the same
/// instant.
struct Rigid<'a> {
    direct: Instance<'a>,
    inverse: Instance<'a>,
}

impl Rigid<'_> {
    /// Sets inputs of the second to variables of the first.
    fn hand_over(&self, names: &[&str]) {
        for name in names {
            self.inverse.set(name, self.direct.get(name));
        }
    }

    /// The derivative of the second's torque with respect to the torque on the first.
    fn slope(&self) -> f64 {
        let derivative = |instance: &Instance, of: &str, by: &str| {
            instance.directional(&instance.fmu.reals([of]), &instance.fmu.reals([by]), &[1.0])[0]
        };
        derivative(&self.direct, "a", "tau") * derivative(&self.inverse, "tau", "a")
    }

    /// Finds the torque between the two by one step of Newton's method; `answer` returns the torque
    /// of the second for a torque on the first.
    fn close(&self, guess: f64, answer: impl Fn(f64) -> f64) -> f64 {
        let miss = answer(guess) - guess;
        let tau = guess + miss / (1.0 - self.slope());
        let again = answer(tau);
        assert!((again - tau).abs() <= 1e-12 * (1.0 + tau.abs()), "{tau} and {again} N.m");
        tau
    }

    /// Makes a communication step of the first, then one of the second; returns the torque of the
    /// second.
    fn step(&self, t: f64, h: f64) -> f64 {
        self.direct.step(t, h);
        self.hand_over(&["phi", "w", "a"]);
        self.inverse.step(t, h);
        self.inverse.get("tau")
    }
}

/// Makes a rigidly coupled train and runs a test with it.
fn with_rigid(fmu_type: FmuType, test: impl FnOnce(&Rigid)) {
    let (direct, inverse) = (Fmu::named("DirectInertia"), Fmu::named("InverseInertia"));
    let harnesses = [Harness::new(&direct), Harness::new(&inverse)];
    let direct = harnesses[0].instantiate(&direct, fmu_type);
    let inverse = harnesses[1].instantiate(&inverse, fmu_type);
    test(&Rigid { direct, inverse });
}

const RIGID: [&str; 2] = ["directInertia.inertia.phi", "directInertia.inertia.w"];

#[test]
fn one_newton_step_closes_the_loop_of_a_rigid_coupling_in_model_exchange() {
    let (h, steps) = (1e-3, 1000);
    let expected = whole(&[], &RIGID, h, 1.0);
    let accelerations = whole(&[], &["directInertia.inertia.a"], h, 1.0);
    with_rigid(FmuType::ModelExchange, |train| {
        start(&train.direct, &[("inertia.J", J[0])]);
        start(&train.inverse, &[("inertia.J", J[1])]);
        let rows = integrate(2, h, steps, |t, x| {
            train.direct.set_time(t);
            train.inverse.set_time(t);
            train.direct.set_states(x);
            train.direct.set("tauDrive", sine(t));
            train.hand_over(&["phi", "w"]);
            train.close(0.0, |tau| {
                train.direct.set("tau", tau);
                train.hand_over(&["a"]);
                train.inverse.get("tau")
            });
            let step = (t / h).round();
            if (t - step * h).abs() < 1e-9 {
                let a = accelerations.rows[step as usize][0];
                assert!((train.direct.get("a") - a).abs() < 1e-9, "at {t} s");
            }
            train.direct.vector("get_derivatives", 2)
        });
        let error = apart(&rows, &expected);
        assert!(error < 1e-9, "{error:e}");
    });
}

#[test]
fn a_master_that_repeats_steps_closes_the_loop_of_a_rigid_coupling_in_co_simulation() {
    let error = |h: f64| {
        let expected = whole(&[], &RIGID, h, 0.5);
        let mut rows = vec![vec![0.0; 2]];
        with_rigid(FmuType::CoSimulation, |train| {
            train.direct.start(None, &[("inertia.J", J[0])]);
            train.inverse.start(None, &[("inertia.J", J[1])]);
            let mut tau = 0.0;
            for i in 1..expected.rows.len() {
                let t = (i - 1) as f64 * h;
                train.direct.set("tauDrive", sine(t));
                let both = [&train.direct, &train.inverse];
                both.iter().for_each(|instance| {
                    instance.ok("get_state", "0");
                });
                tau = train.close(tau, |tau| {
                    both.iter().for_each(|instance| {
                        instance.ok("set_state", "0");
                    });
                    train.direct.set("tau", tau);
                    train.step(t, h)
                });
                rows.push(train.direct.values(&["phi", "w"]));
            }
        });
        apart(&rows, &expected)
    };
    // The driving torque is constant during a step.
    check_order(1.0, [4e-3, 2e-3, 1e-3].map(|h| (h, error(h))));
}

#[test]
fn a_rigid_coupling_that_lags_multiplies_the_error_of_accelerations_by_the_ratio_of_inertias() {
    for (second, h) in [(2.2, 1e-3), (2.2, 1e-5), (0.55, 1e-3)] {
        with_rigid(FmuType::CoSimulation, |train| {
            train.direct.start(None, &[("inertia.J", J[0]), ("tauDrive", 10.0)]);
            train.inverse.start(None, &[("inertia.J", second)]);
            let right = 10.0 / (J[0] + second);
            let mut before = train.direct.get("a") - right;
            for i in 0..20 {
                let tau = train.step(f64::from(i) * h, h);
                let error = train.direct.get("a") - right;
                if i > 0 {
                    let expected = -second / J[0] * before;
                    let close = (error - expected).abs() <= 1e-9 * (1.0 + expected.abs());
                    assert!(close, "J = {second}, h = {h}: {error}, not {expected} rad/s2");
                }
                before = error;
                train.direct.set("tau", tau);
            }
            assert_eq!(before.abs() > 1e5, second > J[0], "{before} rad/s2");
        });
    }
}

/// Asserts the order of convergence of errors.
fn check_order<const N: usize>(order: f64, errors: [(f64, f64); N]) {
    for pair in errors.windows(2) {
        let [(h0, e0), (h1, e1)] = [pair[0], pair[1]];
        let found = (e0 / e1).log(h0 / h1);
        assert!((found - order).abs() < 0.2, "order {found}: {errors:?}");
    }
}

/// Two inertias with an element between them: the names of the whole model's parts, and the damping
/// of the element in N.m.s/rad.
const ELASTIC: [([&str; 4], f64); 2] = [
    (["inertia2a.phi", "inertia2a.w", "inertia2b.phi", "inertia2b.w"], 100.0),
    (["inertia3a.phi", "inertia3a.w", "inertia3b.phi", "inertia3b.w"], 0.0),
];

#[test]
fn a_method_of_order_four_keeps_its_order_over_an_elastic_coupling_in_model_exchange() {
    let (inertia, element) = (Fmu::named("DirectInertia"), Fmu::named("SpringDamper"));
    let harnesses = [Harness::new(&inertia), Harness::new(&element)];
    for (names, damping) in ELASTIC {
        let ends = J.map(|j| {
            let end = harnesses[0].instantiate(&inertia, FmuType::ModelExchange);
            start(&end, &[("inertia.J", j)]);
            end
        });
        let between = harnesses[1].instantiate(&element, FmuType::ModelExchange);
        start(&between, &[("springDamper.d", damping)]);
        let motion = element.reals(["phi1", "w1", "phi2", "w2"]);
        let torques = element.reals(["tau1", "tau2"]);
        let error = |h: f64| {
            let expected = whole(&[], &names, h, 0.25);
            let rows = integrate(4, h, expected.rows.len() - 1, |t, x| {
                for instance in [&ends[0], &ends[1], &between] {
                    instance.set_time(t);
                }
                between.set_reals(&motion, x);
                let torques = between.reals(&torques);
                ends[0].set("tauDrive", sine(t));
                let derivatives =
                    ends.iter().zip(x.chunks(2)).zip(torques).map(|((end, x), tau)| {
                        end.set_states(x);
                        end.set("tau", tau);
                        end.vector("get_derivatives", 2)
                    });
                derivatives.flatten().collect()
            });
            apart(&rows, &expected)
        };
        check_order(4.0, [2e-3, 1e-3, 5e-4].map(|h| (h, error(h))));
    }
}

/// The connections of the FMUs `a`, `b` and `element`.
const CONNECTIONS: [&str; 6] = [
    "a.phi->element.phi1",
    "a.w->element.w1",
    "b.phi->element.phi2",
    "b.w->element.w2",
    "element.tau1->a.tau",
    "element.tau2->b.tau",
];

/// A Co-Simulation master for any FMUs: all make a step, then outputs become inputs.
struct Master<'a> {
    instances: [(&'static str, &'a Instance<'a>); 3],
}

impl Master<'_> {
    /// An instance and the name of its variable.
    fn find<'b>(&self, text: &'b str) -> (&Instance<'_>, &'b str) {
        let (name, variable) = text.split_once('.').expect("instance.variable");
        let found = self.instances.iter().find(|(n, _)| *n == name);
        (found.expect("an instance").1, variable)
    }

    /// Reads all outputs before any of them becomes an input.
    fn exchange(&self) {
        let values = CONNECTIONS.map(|connection| {
            let (from, to) = connection.split_once("->").expect("output->input");
            let (source, output) = self.find(from);
            (to, source.get(output))
        });
        for (to, value) in values {
            let (sink, input) = self.find(to);
            sink.set(input, value);
        }
    }

    /// The motions of both ends at equidistant times.
    fn run(
        &self,
        starts: &[(&str, f64)],
        h: f64,
        steps: usize,
        drive: impl Fn(f64) -> f64,
    ) -> Vec<Vec<f64>> {
        let ends = ["a.phi", "a.w", "b.phi", "b.w"].map(|text| self.find(text));
        let row = || ends.iter().map(|(end, name)| end.get(name)).collect::<Vec<f64>>();
        for (_, instance) in &self.instances {
            instance.then("reset").setup(None, 0.0, None).then("enter_initialization");
        }
        for (name, value) in starts {
            let (instance, variable) = self.find(name);
            instance.set(variable, *value);
        }
        self.exchange();
        for (_, instance) in &self.instances {
            instance.then("exit_initialization");
        }
        let mut rows = vec![row()];
        for i in 0..steps {
            // libcosim measures time in whole nanoseconds, and a step is the difference of two
            // times.
            let time = |i: usize| (i as f64 * h * 1e9).round() / 1e9;
            let (t, next) = (time(i), time(i + 1));
            self.exchange();
            self.find("a.tauDrive").0.set("tauDrive", drive(t));
            for (_, instance) in &self.instances {
                instance.step(t, next - t);
            }
            rows.push(row());
        }
        rows
    }
}

/// Makes two inertias with an element between them, and runs a test with their master.
fn with_master(test: impl Fn(&Master)) {
    let (inertia, element) = (Fmu::named("DirectInertia"), Fmu::named("SpringDamper"));
    let harnesses = [Harness::new(&inertia), Harness::new(&element)];
    let [a, b] = [0, 1].map(|_| harnesses[0].instantiate(&inertia, FmuType::CoSimulation));
    let element = harnesses[1].instantiate(&element, FmuType::CoSimulation);
    test(&Master { instances: [("a", &a), ("b", &b), ("element", &element)] });
}

/// Start values of the example.
fn starts(damping: f64) -> [(&'static str, f64); 3] {
    [("a.inertia.J", J[0]), ("b.inertia.J", J[1]), ("element.springDamper.d", damping)]
}

#[test]
fn an_elastic_coupling_converges_by_order_one_in_co_simulation() {
    with_master(|master| {
        for (names, damping) in ELASTIC {
            let error = |h: f64| {
                let expected = whole(&[], &names, h, 0.25);
                apart(&master.run(&starts(damping), h, expected.rows.len() - 1, sine), &expected)
            };
            check_order(1.0, [2e-4, 1e-4, 5e-5].map(|h| (h, error(h))));
        }
    });
}

#[test]
fn libcosim_joins_inertias_by_an_element_as_the_harness_does() {
    let (h, steps, damping) = (1e-4, 1000, 100.0);
    let (inertia, element) = (Fmu::named("DirectInertia"), Fmu::named("SpringDamper"));
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut words = vec![file.path().display().to_string(), h.to_string(), steps.to_string()];
    for (name, fmu) in [("a", &inertia), ("b", &inertia), ("element", &element)] {
        words.push(format!("{name}:{}", fmu.path.display()));
    }
    words.extend(CONNECTIONS.map(str::to_owned));
    words.extend(starts(damping).map(|(name, value)| format!("{name}={value}")));
    words.push("a.tauDrive=10".to_owned());
    words.extend(["a.phi", "a.w", "b.phi", "b.w"].map(str::to_owned));
    let log = script("connect.py", &words.iter().map(String::as_str).collect::<Vec<&str>>());
    assert!(!log.contains("[error]"), "libcosim complains: {log}");
    let theirs = read(file.path()).rows;
    with_master(|master| {
        let ours = master.run(&starts(damping), h, steps, |_| 10.0);
        assert_eq!(theirs.len(), steps);
        for (i, row) in theirs.iter().enumerate() {
            assert_eq!(row, &ours[i + 1], "step {i}");
        }
    });
    // The sine in the whole model is made constant.
    let constant = [("sine1.amplitude", 0.0), ("sine1.offset", 10.0)];
    let expected = whole(&constant, &ELASTIC[0].0, h, h * steps as f64);
    let expected = TimeSeries { rows: expected.rows[1..].to_vec(), ..expected };
    let error = apart(&theirs, &expected);
    assert!(error < 1e-2, "{error:e}");
}
