//! Controllers as compiled code compute what traced ones compute, once at each tick.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{program, refusal, run_to, simulation_of, start, value};
use equations::controller::{ControllerCode, PlainData};
use equations::{Ex, controller_code, plain_data};
use fmu_runtime::Simulation;
use libraries::blocks::{BooleanToReal, Hysteresis};
use libraries::prelude::*;
use libraries::sampled::{
    Controller, OpaqueController, OpaqueLaw, RealNumber, SampledPID, TracedController, UnitDelay,
};

controller_code! {
    /// A PI controller, and how many steps it has made.
    #[derive(Clone, Copy)]
    pub struct Pi {
        pub gain: f64,
        pub integral: f64,
        pub steps: u32,
    }

    impl ControllerCode<2, 2> for Pi {
        fn step(&mut self, u: &[f64; 2]) -> [f64; 2] {
            let error = u[0] - u[1];
            self.integral += error * 0.125;
            self.steps += 1;
            [(self.gain * error + self.integral).clamp(-1.5, 1.5), f64::from(self.steps)]
        }
    }
}

/// The same controller with traced code.
#[derive(Clone, Debug)]
struct TracedPi<S> {
    gain: S,
    integral: S,
    steps: S,
}

impl<S: RealNumber> Controller<S> for TracedPi<S> {
    const INPUTS: usize = 2;
    const OUTPUTS: usize = 2;

    fn states(&mut self) -> Vec<&mut S> {
        vec![&mut self.integral, &mut self.steps]
    }

    fn step(&mut self, u: &[S], y: &mut [S]) {
        let error = u[0] - u[1];
        self.integral = self.integral + error * 0.125;
        self.steps = self.steps + 1.0;
        y[0] = (self.gain * error + self.integral).min(S::from(1.5)).max(S::from(-1.5));
        y[1] = self.steps;
    }
}

const PI: Pi = Pi { gain: 2.0, integral: 0.0, steps: 0 };

fn traced_pi() -> TracedPi<Ex> {
    TracedPi { gain: Ex::from(2.0), integral: Ex::from(0.0), steps: Ex::from(0.0) }
}

/// Two controllers in a cascade, the outer one slower, in front of two lags; a switch with
/// hysteresis and a sampled block read the output of the inner one at the same ticks.
macro_rules! cascade {
    ($outer:expr, $inner:expr) => {
        |m: &mut Assembly| {
            add! { m,
                wanted: Pulse::new().amplitude(0.4).offset(-0.2).period(2),
                outer: $outer.sample_period(0.04),
                inner: $inner.sample_period(0.02),
                half: Gain::new().k(0.5),
                switch: Hysteresis::new().u_low(-0.1).u_high(0.1),
                real: BooleanToReal::new(),
                weak: Gain::new().k(0.1),
                sum: Feedback::new(),
                a: FirstOrder::new().k(1).T(0.1),
                b: FirstOrder::new().k(1).T(0.3),
                late: UnitDelay::new().sample_period(0.02),
                plain: SampledPID::new().k(2).y_max(5).sample_period(0.02),
            }
            m.connect(wanted.y, outer.u.element(1));
            m.connect(b.y, outer.u.element(2));
            m.connect(outer.y.element(1), inner.u.element(1));
            m.connect(a.y, inner.u.element(2));
            m.chain((inner.y.element(1), half, switch.u));
            m.connect(switch.y, real.u);
            m.chain((real.y, weak, sum.u2));
            m.connect(half.y, sum.u1);
            m.chain((sum.y, a, b));
            m.connect(half.y, late.u);
            m.connect(half.y, plain.u_s);
            m.connect(b.y, plain.u_m);
        }
    };
}

const READ: [&str; 10] = [
    "outer.y[1]",
    "outer.y[2]",
    "inner.y[1]",
    "inner.y[2]",
    "half.y",
    "real.y",
    "a.y",
    "b.y",
    "late.y",
    "plain.y",
];

fn bits(model: &mut Simulation) -> [u64; 10] {
    READ.map(|name| value(model, name).to_bits())
}

fn opaque() -> Simulation {
    let own = || OpaqueController::new().controller(PI);
    simulation_of(&program(cascade!(own(), own())).expect("the model is sound"))
}

#[test]
fn compiled_and_traced_controllers_give_the_same_bits_in_a_cascade() {
    let own = || TracedController::new().controller(traced_pi());
    let mut traced = simulation_of(&program(cascade!(own(), own())).expect("the model is sound"));
    let mut mixed = simulation_of(
        &program(cascade!(own(), OpaqueController::new().controller(PI))).expect("it is sound"),
    );
    let mut opaque = opaque();
    let mut switched = 0;
    for model in [&mut traced, &mut mixed, &mut opaque] {
        model.start(None).unwrap();
    }
    for k in 1..=300 {
        let t = 0.017 * f64::from(k);
        let before = value(&mut traced, "real.y");
        for model in [&mut traced, &mut mixed, &mut opaque] {
            run_to(model, t);
        }
        assert_eq!(bits(&mut traced), bits(&mut opaque), "t = {t}");
        assert_eq!(bits(&mut traced), bits(&mut mixed), "t = {t}");
        switched += usize::from(value(&mut traced, "real.y") != before);
    }
    assert!(switched >= 4, "{switched}");
    assert_eq!(value(&mut opaque, "inner.y[2]"), (0.017_f64 * 300.0 / 0.02).floor() + 1.0);
}

#[test]
fn a_compiled_controller_has_the_same_bits_for_all_communication_steps() {
    let after = |step: f64| {
        let mut model = opaque();
        model.start(None).unwrap();
        let count = (3.0 / step).round() as usize;
        (1..count).for_each(|k| run_to(&mut model, step * k as f64));
        run_to(&mut model, 3.0);
        let sampled = ["outer.y[1]", "inner.y[1]", "late.y", "plain.y"];
        sampled.map(|name| value(&mut model, name).to_bits())
    };
    let whole = after(3.0);
    assert_eq!(whole, after(0.02));
    assert_eq!(whole, after(0.0137));
}

#[test]
fn the_data_of_a_compiled_controller_are_part_of_a_state() {
    let [mut straight, mut model] = [opaque(), opaque()];
    for model in [&mut straight, &mut model] {
        model.start(None).unwrap();
        run_to(model, 0.731);
    }
    let state = model.fmu_state();
    run_to(&mut model, 2.9);
    model.set_fmu_state(&state).unwrap();
    for model in [&mut straight, &mut model] {
        run_to(model, 1.9);
    }
    assert_eq!(bits(&mut straight), bits(&mut model));
}

/// `x = y - x^2` with the output `y` of a controller; another controller with the same ticks and a
/// sampled block read `x`.
macro_rules! nonlinear {
    ($first:expr, $second:expr) => {
        |m: &mut Assembly| {
            add! { m,
                wanted: Sine::new().amplitude(0.5).f(0.3).offset(0.6),
                zero: Constant::new().k(0),
                first: $first.sample_period(0.1),
                second: $second.sample_period(0.1),
                x: Feedback::new(),
                square: Product::new(),
                plain: SampledPID::new().k(2).y_max(5).sample_period(0.1),
            }
            m.connect(wanted.y, first.u.element(1));
            m.connect(zero.y, first.u.element(2));
            m.connect(first.y.element(1), x.u1);
            m.connect(x.y, square.u1);
            m.connect(x.y, square.u2);
            m.connect(square.y, x.u2);
            m.connect(x.y, second.u.element(1));
            m.connect(wanted.y, second.u.element(2));
            m.connect(x.y, plain.u_s);
            m.connect(wanted.y, plain.u_m);
        }
    };
}

#[test]
fn a_nonlinear_loop_behind_a_compiled_controller_is_solved_for_its_new_output() {
    let law = || TracedController::new().controller(traced_pi());
    let mut traced = start(nonlinear!(law(), law()));
    let law = || OpaqueController::new().controller(PI);
    let mut opaque = start(nonlinear!(law(), law()));
    for k in 1..=80 {
        let [ours, theirs] = [&mut opaque, &mut traced].map(|model| {
            run_to(model, 0.03 * f64::from(k));
            ["first.y[1]", "x.y", "second.y[1]", "plain.y"].map(|name| value(model, name))
        });
        // Both begin the search for `x` at different points.
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(ours.iter().zip(&theirs).all(near), "{ours:?}, not {theirs:?}");
        assert!((ours[1] + ours[1].powi(2) - ours[0]).abs() < 1e-12, "{ours:?}");
    }
}

/// The steps that the next controller has made in this process.
static STEPS: AtomicUsize = AtomicUsize::new(0);

controller_code! {
    /// A controller that counts its steps outside of its data, which no controller should do.
    struct Counted {}

    impl ControllerCode<1, 1> for Counted {
        fn step(&mut self, u: &[f64; 1]) -> [f64; 1] {
            STEPS.fetch_add(1, Ordering::Relaxed);
            [-u[0]]
        }
    }
}

#[test]
fn the_code_of_a_controller_runs_once_at_each_tick() {
    let mut model = start(|m| {
        add! { m,
            c: OpaqueController::new().controller(Counted {}).sample_period(0.1),
            zone: Hysteresis::new().u_low(-0.1).u_high(0.1),
            real: BooleanToReal::new(),
            sum: Feedback::new(),
            plant: Integrator::new().y_start(fixed(1)),
        }
        m.connect(plant.y, c.u.element(1));
        m.connect(c.y.element(1), sum.u1);
        m.connect(c.y.element(1), zone.u);
        m.connect(zone.y, real.u);
        m.connect(real.y, sum.u2);
        m.chain((sum.y, plant));
    });
    let mut held = Vec::new();
    for k in 1..=200 {
        run_to(&mut model, 0.05 * f64::from(k));
        held.push(value(&mut model, "c.y[1]"));
    }
    assert_eq!(STEPS.load(Ordering::Relaxed), 101, "one at each of 0, 0.1, .., 10");
    assert!(held.windows(2).filter(|pair| pair[0] != pair[1]).count() <= 100);
}

controller_code! {
    /// A controller that fails.
    struct Fragile {
        left: [u8; 3],
    }

    impl ControllerCode<1, 1> for Fragile {
        fn step(&mut self, u: &[f64; 1]) -> [f64; 1] {
            self.left[0] -= 1;
            let last = [2.0, 3.0][usize::from(self.left[0] == 0) * 2];
            [if u[0] > 0.0 { 1.0 / (f64::from(self.left[0]) - 2.0) } else { last }]
        }
    }
}

fn fragile(u: f64) -> Simulation {
    start(move |m| {
        let u = m.add("u", Constant::new().k(u));
        let law = Fragile { left: [4, 0, 0] };
        let c = m.add("c1", OpaqueController::new().controller(law).sample_period(0.05));
        m.connect(u.y, c.u.element(1));
    })
}

#[test]
fn a_panic_or_an_infinite_output_is_an_error_that_names_controller_and_tick() {
    let mut model = fragile(0.0);
    run_to(&mut model, 0.14);
    let error = model.run_to(0.5).unwrap_err().to_string();
    assert!(error.ends_with("controller c1 panicked at tick 3 (t = 0.15 s)"), "{error}");
    let mut model = fragile(1.0);
    let error = model.run_to(0.5).unwrap_err().to_string();
    assert!(error.ends_with("controller c1 returned y[1] = inf at tick 1 (t = 0.05 s)"), "{error}");
}

plain_data! {
    /// Data of all kinds.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Data {
        a: [i64; 2],
        b: f64,
        c: bool,
        d: i8,
        e: f32,
        f: usize,
        g: [[u16; 2]; 2],
        h: i32,
    }
}

#[test]
fn data_keep_their_bits_as_numbers() {
    for b in [f64::INFINITY, -0.0, f64::MIN_POSITIVE / 8.0, 0.1] {
        let data = Data {
            a: [i64::MIN, -1],
            b,
            c: true,
            d: -128,
            e: -1e-40,
            f: usize::MAX,
            g: [[1, 65535], [3, 4]],
            h: i32::MIN,
        };
        let mut numbers = vec![0.5; Data::LENGTH + 1];
        data.write(&mut numbers);
        assert_eq!(numbers.pop(), Some(0.5), "nothing is written beyond the end");
        assert_eq!(Data::read(&numbers), data);
        assert_eq!(Data::read(&numbers).b.to_bits(), b.to_bits());
        assert!(numbers.iter().all(|x| x.fract() == 0.0 && (0.0..4294967296.0).contains(x)));
    }
    let mut numbers = [0.0; 2];
    f64::NAN.write(&mut numbers);
    assert_eq!(f64::read(&numbers).to_bits(), f64::NAN.to_bits());
    // Numbers that an importer invents are data too.
    assert_eq!(Data::read(&[f64::NAN; Data::LENGTH]).h, 0);
}

#[test]
fn a_cycle_within_a_tick_and_a_wrong_number_of_inputs_are_refused() {
    let two = |m: &mut Assembly| {
        let period = 0.1;
        let own = || OpaqueController::new().controller(Counted {}).sample_period(period);
        let (a, b) = (m.add("a", own()), m.add("b", own()));
        m.connect(a.y.element(1), b.u.element(1));
        m.connect(b.y.element(1), a.u.element(1));
    };
    let wanted = "a, b: these controllers need each other's outputs within a tick; a UnitDelay \
                  opens the cycle";
    assert_eq!(refusal(two), wanted);
    let without = |m: &mut Assembly| {
        m.add("a", OpaqueController::new().controller(Counted {}).sample_period(0.1));
    };
    assert_eq!(refusal(without), "a.u: 0 inputs are connected, but the controller has 1");
}

#[test]
fn the_identity_of_a_model_depends_on_the_code_and_the_data_of_its_controllers() {
    controller_code! {
        struct One { x: f64 }
        impl ControllerCode<1, 1> for One {
            fn step(&mut self, u: &[f64; 1]) -> [f64; 1] {
                self.x += u[0];
                [self.x]
            }
        }
    }
    mod other {
        use super::*;
        controller_code! {
            pub struct One { pub x: f64 }
            impl ControllerCode<1, 1> for One {
                fn step(&mut self, u: &[f64; 1]) -> [f64; 1] {
                    self.x -= u[0];
                    [self.x]
                }
            }
        }
    }
    let guid = |law: OpaqueLaw| {
        let text = move |m: &mut Assembly| {
            let u = m.add("u", Constant::new().k(1));
            let c = m.add("c", OpaqueController::new().controller(law).sample_period(0.1));
            m.connect(u.y, c.u.element(1));
        };
        program(text).unwrap().description().guid.clone()
    };
    assert_eq!(guid(One { x: 1.0 }.into()), guid(One { x: 1.0 }.into()));
    assert_ne!(guid(One { x: 1.0 }.into()), guid(One { x: 2.0 }.into()));
    assert_ne!(guid(One { x: 1.0 }.into()), guid(other::One { x: 1.0 }.into()));
}
