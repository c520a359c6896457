//! Sampled controllers: the limit of short periods, wind-up, and a step computed by hand.

use crate::common::{program, refusal, run_to, simulation, simulation_of, start, value};
use equations::Ex;
use libraries::blocks::{LimPID, SimpleController};
use libraries::prelude::*;
use libraries::sampled::{Controller, RealNumber, SampledPID, SignalPWM, TracedController};

/// A loop with a controller in front of two lags.
macro_rules! controlled {
    ($controller:expr) => {
        start(move |m| {
            let wanted = m.add("wanted", Step::new().height(1).start_time(0.1));
            let c = m.add("c", $controller);
            let a = m.add("a", FirstOrder::new().k(1).T(0.5));
            let b = m.add("b", FirstOrder::new().k(1).T(0.2));
            m.connect(wanted.y, c.u_s);
            m.connect(b.y, c.u_m);
            m.connect(c.y, a.u);
            m.connect(a.y, b.u);
        })
    };
}

#[test]
fn a_sampled_controller_approaches_the_continuous_one_with_the_first_order() {
    let mut continuous =
        controlled!(LimPID::new().k(3).Ti(0.5).Td(0.1).Nd(4).y_max(2.5).strict(true));
    run_to(&mut continuous, 1.2);
    let exact = ["b.y", "c.I.y"].map(|name| value(&mut continuous, name));
    let errors = [0.01, 0.005, 0.0025].map(|period| {
        let sampled = SampledPID::new().k(3).Ti(0.5).Td(0.1).Nd(4).y_max(2.5);
        let mut model = controlled!(sampled.sample_period(period));
        run_to(&mut model, 1.2);
        let found = ["b.y", "c.I.y"].map(|name| value(&mut model, name));
        (found[0] - exact[0]).abs().max((found[1] - exact[1]).abs())
    });
    assert!(errors[0] < 0.05 && errors[0] > 1e-5, "{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((0.7..1.4).contains(&order), "{errors:?}");
    }
}

#[test]
fn parts_of_a_sampled_controller_are_those_of_its_equations() {
    // In front of nothing: u_s = 1, u_m = 0.25, with the period 0.5 s.
    let of = |kind: SimpleController| {
        start(move |m| {
            let wanted = m.add("wanted", Constant::new().k(1));
            let measured = m.add("measured", Constant::new().k(0.25));
            let c = SampledPID::new().controller_type(kind).k(2).Ti(4).Td(1).Nd(2).y_max(2);
            let c = m.add("c", c.sample_period(0.5).start_time(0.5).y_start(-1));
            m.connect(wanted.y, c.u_s);
            m.connect(measured.y, c.u_m);
        })
    };
    let values = |kind| {
        let mut model = of(kind);
        [0.4, 0.7, 1.2].map(|t| {
            run_to(&mut model, t);
            value(&mut model, "c.y")
        })
    };
    assert_eq!(values(SimpleController::P), [-1.0, 1.5, 1.5]);
    assert_eq!(values(SimpleController::PI), [-1.0, 1.5, 1.5 + 2.0 * 0.75 / 8.0]);
    // D = -0.25 at the first tick, and half of it at the next one.
    assert_eq!(values(SimpleController::PD), [-1.0, 1.0, 1.25]);
}

#[test]
fn a_limit_stops_the_integral_part() {
    let mut model = start(|m| {
        let wanted = m.add("wanted", Pulse::new().amplitude(2).offset(-1).period(100));
        let c = SampledPID::new().controller_type(SimpleController::PI).Ti(0.5).y_max(0.5);
        let c = m.add("c", c.sample_period(0.01));
        let zero = m.add("zero", Constant::new().k(0));
        m.connect(wanted.y, c.u_s);
        m.connect(zero.y, c.u_m);
    });
    run_to(&mut model, 49.9);
    assert_eq!(value(&mut model, "c.y"), 0.5);
    // The integral rests where e = (v - y) / (k Ni), with Ni = 0.9.
    assert!((value(&mut model, "c.I.y") - 0.4).abs() < 1e-9);
    run_to(&mut model, 50.005);
    assert_eq!(value(&mut model, "c.y"), -0.5, "the output follows at once");
}

/// A controller with a limited integral part, of two inputs; the second output counts steps.
#[derive(Clone, Debug)]
struct Limited<S> {
    k: S,
    integral: S,
    steps: S,
}

impl<S: RealNumber> Controller<S> for Limited<S> {
    const INPUTS: usize = 2;
    const OUTPUTS: usize = 2;

    fn states(&mut self) -> Vec<&mut S> {
        vec![&mut self.integral, &mut self.steps]
    }

    fn step(&mut self, u: &[S], y: &mut [S]) {
        let error = u[0] - u[1];
        let next = self.integral + error * 0.25;
        let grows = next.abs().lt(S::from(2.0));
        self.integral = S::select(grows, next, self.integral);
        self.steps = self.steps + 1.0;
        y[0] = self.k * error + self.integral;
        y[1] = self.steps;
    }
}

/// The model with this controller in front of a lag, with the gain as a parameter of the model.
fn traced(m: &mut Assembly) {
    let gain = m.parameter("gain", 1.5, "1", "Gain of the controller");
    let wanted = m.add("wanted", Pulse::new().amplitude(2).offset(-1).period(2));
    let controller = Limited { k: gain, integral: Ex::from(0.5), steps: Ex::from(3.0) };
    let c = m.add("c", TracedController::new().controller(controller).sample_period(0.1));
    let plant = m.add("plant", FirstOrder::new().k(1).T(0.4));
    m.connect(wanted.y, c.u.element(1));
    m.connect(plant.y, c.u.element(2));
    m.connect(c.y.element(1), plant.u);
}

#[test]
fn a_traced_controller_computes_what_its_code_computes() {
    let mut model = simulation(traced).expect("the model is sound");
    model.set("gain", 0.8).unwrap();
    model.start(None).unwrap();
    let mut code = Limited { k: 0.8, integral: 0.5, steps: 3.0 };
    let mut largest: f64 = 0.0;
    for k in 0..60 {
        // The inputs at a tick are those just before it: the plant does not jump.
        let t = 0.1 * f64::from(k);
        if k > 0 {
            model.run_to_event(t + 0.05).unwrap();
        }
        let u = ["wanted.y", "plant.y"].map(|name| value(&mut model, name));
        let mut y = [0.0; 2];
        code.step(&u, &mut y);
        let found = ["c.y[1]", "c.y[2]", "c.x[1]", "c.x[2]"].map(|name| value(&mut model, name));
        assert_eq!(found, [y[0], y[1], code.integral, code.steps], "tick {k}");
        largest = largest.max(code.integral.abs());
        run_to(&mut model, t + 0.05);
    }
    assert!((1.0..2.0).contains(&largest), "{largest}");
}

#[test]
fn a_controller_without_a_direct_part_closes_a_loop_and_wrong_inputs_are_refused() {
    // The second output does not depend on the inputs, so it may lead to one of them.
    let text = |inputs: usize| {
        move |m: &mut Assembly| {
            let start = Limited { k: Ex::from(1.0), integral: Ex::from(0.0), steps: Ex::from(0.0) };
            let c = m.add("c", TracedController::new().controller(start).sample_period(0.1));
            for i in 1..=inputs {
                m.connect(c.y.element(2), c.u.element(i));
            }
        }
    };
    let mut model = start(text(2));
    run_to(&mut model, 0.95);
    assert_eq!(value(&mut model, "c.y[2]"), 10.0);
    assert_eq!(refusal(text(1)), "c.u: 1 input is connected, but the controller has 2");
}

#[test]
fn an_output_that_repeats_one_of_a_controller_is_discrete_and_equal_to_it() {
    let model = program(|m| {
        let law = Limited { k: Ex::from(2.0), integral: Ex::from(0.5), steps: Ex::from(0.0) };
        let sine = m.add("sine", Sine::new().amplitude(1).f(2));
        let c = m.add("c", TracedController::new().controller(law).sample_period(0.1));
        let zero = m.add("zero", Constant::new().k(0));
        m.connect(sine.y, c.u.element(1));
        m.connect(zero.y, c.u.element(2));
        m.output("duty", c.y.element(1));
    })
    .unwrap();
    let duty = model.description().variables.iter().find(|v| v.name == "duty").unwrap();
    assert_eq!((&*duty.variability, &*duty.causality), ("discrete", "output"));
    let mut run = simulation_of(&model);
    run.start(None).unwrap();
    for k in 0..10 {
        run_to(&mut run, 0.07 * f64::from(k));
        let [own, of] = ["duty", "c.y[1]"].map(|name| value(&mut run, name));
        assert!(own == of && own != 0.0, "{own} and {of}");
    }
}

#[test]
fn elements_of_a_controller_are_counted_from_one() {
    let wired = |input: usize, output: usize| {
        refusal(move |m| {
            let law = Limited { k: Ex::from(1.0), integral: Ex::from(0.0), steps: Ex::from(0.0) };
            let c = m.add("c", TracedController::new().controller(law).sample_period(0.1));
            m.connect(c.y.element(output), c.u.element(input));
            m.connect(c.y.element(2), c.u.element(2));
        })
    };
    assert_eq!(wired(1, 2), "");
    assert_eq!(wired(0, 2), "c.u[0]: elements are counted from 1");
    assert_eq!(wired(3, 2), "c.u[1]: the input is not connected");
    for output in [0, 3] {
        let sentence = format!("c.y[{output}]: y has 2 elements, counted from 1");
        assert_eq!(wired(1, output), sentence);
    }
}

/// A controller whose output is no number at the input zero.
#[derive(Clone, Debug)]
struct Ratio;

impl<S: RealNumber> Controller<S> for Ratio {
    const INPUTS: usize = 1;
    const OUTPUTS: usize = 1;

    fn states(&mut self) -> Vec<&mut S> {
        Vec::new()
    }

    fn step(&mut self, u: &[S], y: &mut [S]) {
        y[0] = u[0] / (u[0] + u[0]);
    }
}

#[test]
fn a_message_names_the_output_of_a_controller_that_is_not_a_number() {
    for modulator_first in [true, false] {
        let model = simulation(|m| {
            let zero = m.add("zero", Constant::new().k(0));
            let modulator = || SignalPWM::new().f(10);
            let controller = || TracedController::new().controller(Ratio).sample_period(0.1);
            let (pwm, c) = if modulator_first {
                let pwm = m.add("pwm", modulator());
                (pwm, m.add("c", controller()))
            } else {
                let c = m.add("c", controller());
                (m.add("pwm", modulator()), c)
            };
            m.connect(zero.y, c.u.element(1));
            m.connect(c.y.element(1), pwm.duty_cycle);
        });
        let why = model.unwrap().start(None).unwrap_err().to_string();
        assert!(why.contains("the residual of pwm.begins is not a number"), "{why}");
        assert!(why.contains("no number either: ") && why.contains("c.y[1]"), "{why}");
    }
}
