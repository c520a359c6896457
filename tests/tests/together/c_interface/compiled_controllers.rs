//! Controllers as compiled code in FMUs: the bits of traced ones, in every kind of run.

use coupler::controller::ControllerCode;
use coupler::controller_code;
use coupler::prelude::*;
use coupler::sampled::{Controller, OpaqueController, RealNumber, TracedController};
use coupler_tests::harness::{bits, quote};
use coupler_tests::runs::{Habit, Run};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status, own};
use fmu_builder::models::Traced;

controller_code! {
    /// A PI controller with a limited output, which ceases to work after some steps.
    pub struct Pi {
        /// The gain.
        gain: f64,
        integral: f64,
        left: u32,
    }

    use std::ops::ControlFlow;

    /// The output between its limits.
    fn limited(y: f64) -> ControlFlow<f64, f64> {
        match y.abs() > LIMIT { true => ControlFlow::Break(LIMIT.copysign(y)), _ => ControlFlow::Continue(y) }
    }

    const LIMIT: f64 = 1.5;

    impl ControllerCode<2, 1> for Pi {
        fn step(&mut self, u: &[f64; 2]) -> [f64; 1] {
            let error = u[0] - u[1];
            self.left = self.left.checked_sub(1).expect("there are steps left");
            self.integral += error * 0.125;
            let (ControlFlow::Break(y) | ControlFlow::Continue(y)) =
                limited(self.gain * error + self.integral);
            [y]
        }
    }
}

/// The same with traced code.
#[derive(Clone, Debug)]
struct TracedPi<S> {
    gain: S,
    integral: S,
}

impl<S: RealNumber> Controller<S> for TracedPi<S> {
    const INPUTS: usize = 2;
    const OUTPUTS: usize = 1;

    fn states(&mut self) -> Vec<&mut S> {
        vec![&mut self.integral]
    }

    fn step(&mut self, u: &[S], y: &mut [S]) {
        let error = u[0] - u[1];
        self.integral = self.integral + error * 0.125;
        y[0] = (self.gain * error + self.integral).min(S::from(1.5)).max(S::from(-1.5));
    }
}

/// A controller in a loop with two lags.
macro_rules! controlled {
    ($controller:expr) => {
        |m: &mut Assembly| {
            add! { m,
                wanted: Pulse::new().amplitude(2).offset(-1).period(2),
                c1: $controller.sample_period(0.02),
                a: FirstOrder::new().k(1).T(0.1),
                b: FirstOrder::new().k(1).T(0.3),
            }
            m.connect(wanted.y, c1.u.element(1));
            m.connect(b.y, c1.u.element(2));
            m.chain((c1.y.element(1), a, b));
            m.outputs([b.y]);
            m.stop_time(3);
        }
    };
}

fn opaque(name: &str, left: u32) -> Traced {
    let law = Pi { gain: 2.0, integral: 0.0, left };
    own::traced(name, controlled!(OpaqueController::new().controller(law)))
}

const READ: [&str; 3] = ["c1.y[1]", "a.y", "b.y"];

// FMI: A070, A074, A075, C015, C016
#[test]
fn a_compiled_controller_is_the_traced_one_in_every_kind_of_run() {
    let law = || TracedPi { gain: Ex::from(2.0), integral: Ex::from(0.0) };
    let traced = own::traced("traced", controlled!(TracedController::new().controller(law())));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = [traced, opaque("opaque", 1000), opaque("fragile", 21)];
    let fmus = own::compiled(&models, folder.path());
    let [traced, opaque, fragile] = &fmus[..] else { unreachable!("three models") };

    for h in [3.0, 0.02, 0.0137] {
        let run = |fmu: &Fmu| Run { record: &READ, ..Run::of(fmu, h) }.co_simulation(fmu);
        assert!(run(traced) == run(opaque), "steps of {h} s");
    }
    let run =
        |fmu: &Fmu| Run { record: &READ, ..Run::of(fmu, 1e-3) }.imitating(fmu, Habit::Standard);
    assert!(run(traced) == run(opaque), "Model Exchange");
    returns_to_states(opaque);
    fails_by_name(fragile);

    let sentence = own::refused_by_players(&models[1], folder.path());
    let wanted = "opaque: the controller c1 is compiled code, which a player cannot run; build \
                  the FMU without --interpreted";
    assert_eq!(sentence, wanted);
}

/// Steps after a return to an earlier state, in the same instance and in another process, have the
/// same bits.
fn returns_to_states(fmu: &Fmu) {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(None, &[]);
    let steps = |instance: &Instance<'_>, from: usize| -> Vec<Vec<u64>> {
        let step = |k: usize| {
            instance.step(0.013 * k as f64, 0.013);
            instance.everything()
        };
        (from..from + 30).map(step).collect()
    };
    steps(&instance, 0);
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    let path = quote(file.path().to_str());
    instance.ok("get_state", "0");
    instance.ok("serialize", &format!("0 {path}"));
    let first = steps(&instance, 30);
    instance.ok("set_state", "0");
    assert!(first == steps(&instance, 30), "the same instance");
    let other = Harness::new(fmu);
    let other = other.instantiate(fmu, FmuType::CoSimulation);
    other.ok("deserialize", &format!("3 {path}"));
    other.ok("set_state", "3");
    assert!(first == steps(&other, 30), "another process");
}

/// A panic of the code is an error of one step, which the process survives.
fn fails_by_name(fmu: &Fmu) {
    let harness = Harness::new(fmu);
    let instance = harness.instantiate(fmu, FmuType::CoSimulation);
    instance.start(None, &[]);
    instance.step(0.0, 0.41);
    let status = instance.call("step", &format!("{} {}", bits(0.41), bits(0.1))).status();
    assert_eq!(status, Status::Error);
    let log = harness.log();
    let wanted = "controller c1 panicked at tick 21 (t = 0.42 s)";
    assert!(log.iter().any(|message| message.text.ends_with(wanted)), "{log:?}");
    let again = harness.instantiate(fmu, FmuType::CoSimulation);
    again.start(None, &[]);
    again.step(0.0, 0.4);
}
