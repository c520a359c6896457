//! Tests of delayed signals in both kinds of FMUs: a system with one delay, and its stored states.

use crate::importer::Fmu;
use crate::systems::model;
use fmu_runtime::fmi2::*;
use fmu_runtime::kernels::history::{History, length};
use fmu_runtime::system::*;

const CAPACITY: u32 = 64;

/// `x' = -y` with `y(t) = x(t - 1)`, and an input with its delay.
struct Feedback;

impl Feedback {
    const X: u32 = 0;
    const Y: u32 = 1;
    const U: u32 = 2;
    const Z: u32 = 3;
    const T: u32 = 4;

    fn history<S: Scalar>(e: &Env<'_, S>, delay: usize) -> S {
        let start = delay * length(CAPACITY);
        match e.initial {
            true => e.c[delay],
            false => History(&e.histories[start..start + length(CAPACITY)]).delayed(e.t, 0),
        }
    }
}

impl System for Feedback {
    const INFO: Info = Info {
        delays: &[
            Delay {
                name: "y",
                time: Source::Parameter(0),
                signal: Source::State(0),
                start: Source::Calculated(0),
                capacity: CAPACITY,
                is_chosen: true,
                follows_inputs: false,
            },
            Delay {
                name: "z",
                time: Source::Parameter(0),
                signal: Source::Input(0),
                start: Source::Calculated(1),
                capacity: CAPACITY,
                is_chosen: true,
                follows_inputs: true,
            },
        ],
        ..model("Feedback", "{feedback}")
            .reals(&[
                Variable::new("x", Source::State(0)),
                Variable::new("y", Source::Advanced(0, Stage::Time)).output(),
                Variable::new("u", Source::Input(0)),
                Variable::new("z", Source::Advanced(1, Stage::Time)).output(),
                Variable::new("T", Source::Parameter(0)),
            ])
            .calculated(2)
            .parameters(&[1.0])
            .inputs(&[0.5])
            .states(&[State::new("x")])
            .jacobian(&[&[]])
    };

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(1.0);
        (e.c[0], e.c[1]) = (e.x[0], e.u[0]);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        match stage {
            Stage::Time => {
                e.w[0] = Feedback::history(e, 0);
                e.w[1] = Feedback::history(e, 1);
            }
            Stage::Dynamics => e.dx[0] = -e.w[0],
            _ => {}
        }
        Ok(())
    }
}

/// The solution up to 3 s.
fn x(t: f64) -> f64 {
    let parts = [t, (t - 1.0).max(0.0), (t - 2.0).max(0.0)];
    1.0 - parts[0] + parts[1].powi(2) / 2.0 - parts[2].powi(3) / 6.0
}

/// An instance for Model Exchange in the first event.
fn started() -> Fmu {
    let fmu = Fmu::me::<Feedback>();
    fmu.initialize(0.0, &[]);
    fmu
}

/// Integrates in Model Exchange by Heun's method until `end`, with steps of at most `h`.
fn integrate(fmu: &Fmu, mut t: f64, end: f64, h: f64) {
    let mut event = fmu.iterate_events().0;
    fmu.enter_continuous_time_mode();
    while t < end {
        let next = if event.nextEventTimeDefined == fmi2True { event.nextEventTime } else { end };
        let to = (t + h).min(end).min(next);
        let (x, a) = (fmu.states(1).1[0], fmu.derivatives(1).1[0]);
        fmu.set_time(to);
        fmu.set_states(&[x + (to - t) * a]);
        let b = fmu.derivatives(1).1[0];
        fmu.set_states(&[x + (to - t) * (a + b) / 2.0]);
        assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
        t = to;
        if t == next {
            fmu.enter_event_mode();
            event = fmu.iterate_events().0;
            fmu.enter_continuous_time_mode();
        }
    }
}

#[test]
fn co_simulation_follows_the_method_of_steps() {
    let fmu = Fmu::cs_from::<Feedback>(0.0, &[]);
    for k in 0..30 {
        let t = 0.1 * f64::from(k);
        assert_eq!(fmu.step(t, 0.1), fmi2OK);
        let (now, wanted) = (fmu.real(Feedback::X), x(t + 0.1));
        assert!((now - wanted).abs() < 1e-7, "{} s: {now} instead of {wanted}", t + 0.1);
    }
}

#[test]
fn model_exchange_follows_completed_steps_and_events() {
    let fmu = started();
    let event = fmu.iterate_events().0;
    assert_eq!((event.nextEventTimeDefined, event.nextEventTime), (1, 1.0), "no step is longer");
    integrate(&fmu, 0.0, 3.0, 0.05);
    // Heun's method is exact for the parabola, and nearly so for the cubic.
    assert!((fmu.real(Feedback::X) - x(3.0)).abs() < 1e-3, "{}", fmu.real(Feedback::X));
    assert_eq!(fmu.directional(&[Feedback::Y], &[Feedback::X], &[1.0]), (fmi2OK, vec![0.0]));
}

#[test]
fn the_last_of_several_completed_steps_to_an_instant_counts() {
    /// The delayed value of that at 0.5 s after completed steps to this instant, and perhaps an
    /// event there with a state of its own.
    fn read(trials: &[f64], at_event: Option<f64>) -> f64 {
        let fmu = started();
        let event = |fmu: &Fmu| {
            fmu.enter_event_mode();
            fmu.iterate_events();
            fmu.enter_continuous_time_mode();
        };
        event(&fmu);
        fmu.set_time(0.5);
        for &x in trials {
            fmu.set_states(&[x]);
            assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
        }
        if let Some(x) = at_event {
            fmu.set_states(&[x]);
            event(&fmu);
        }
        fmu.set_time(1.0);
        fmu.set_states(&[0.0]);
        event(&fmu);
        fmu.set_time(1.5);
        fmu.real(Feedback::Y)
    }
    assert_eq!(read(&[0.5], None), 0.5);
    assert_eq!(read(&[7.0, -3.0, 0.5], None), 0.5);
    assert_eq!(read(&[7.0], Some(0.5)), 0.5, "the event has the last state");
}

#[test]
fn an_input_that_jumps_at_the_start_has_jumped_before_it() {
    let fmu = started();
    fmu.set_real(&[Feedback::U], &[3.0]);
    fmu.iterate_events();
    fmu.enter_continuous_time_mode();
    assert_eq!(fmu.real(Feedback::Z), 3.0, "the signal at the start is that after its event");
    fmu.set_time(0.7);
    assert_eq!(fmu.real(Feedback::Z), 3.0);
}

#[test]
fn an_input_of_model_exchange_jumps_later_by_the_delay() {
    let fmu = started();
    integrate(&fmu, 0.0, 0.25, 0.05);
    fmu.enter_event_mode();
    fmu.set_real(&[Feedback::U], &[3.0]);
    integrate(&fmu, 0.25, 1.2, 0.05);
    assert_eq!(fmu.real(Feedback::Z), 0.5);
    fmu.set_time(1.25);
    fmu.set_states(&[x(1.25)]);
    assert_eq!(fmu.real(Feedback::Z), 0.5, "before the event");
    fmu.enter_event_mode();
    fmu.iterate_events();
    assert_eq!(fmu.real(Feedback::Z), 3.0, "after the event");
}

#[test]
fn an_extrapolated_input_is_delayed_with_its_slope() {
    let fmu = Fmu::cs_from::<Feedback>(0.0, &[]);
    for k in 0..20 {
        let t = 0.1 * f64::from(k);
        fmu.set_real(&[Feedback::U], &[0.5 + t]);
        fmu.set_slope(Feedback::U, 1, 1.0);
        assert_eq!(fmu.step(t, 0.1), fmi2OK);
        let wanted = 0.5 + (t + 0.1 - 1.0).max(0.0);
        assert!((fmu.real(Feedback::Z) - wanted).abs() < 1e-12, "{}", fmu.real(Feedback::Z));
    }
}

#[test]
fn stored_bytes_carry_the_history() {
    let fmu = Fmu::cs_from::<Feedback>(0.0, &[]);
    let t = fmu.steps(0.0, 0.13, 9);
    let state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (status, bytes) = fmu.serialize(state, size);
    assert_eq!(status, fmi2OK);
    let other = Fmu::cs::<Feedback>();
    let (status, copy) = other.deserialize(&bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(other.set_state(copy), fmi2OK);
    for k in 0..12 {
        let t = t + 0.1 * f64::from(k);
        assert_eq!((fmu.step(t, 0.1), other.step(t, 0.1)), (fmi2OK, fmi2OK));
        for of in [Feedback::X, Feedback::Y] {
            assert_eq!(fmu.real(of).to_bits(), other.real(of).to_bits());
        }
    }
}

#[test]
fn a_state_before_the_start_is_stored_too() {
    let fmu = Fmu::cs::<Feedback>();
    let state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (_, bytes) = fmu.serialize(state, size);
    let (status, copy) = fmu.deserialize(&bytes);
    assert_eq!(status, fmi2OK);
    assert_eq!(fmu.set_state(copy), fmi2OK);
    fmu.initialize(0.0, &[]);
    assert_eq!(fmu.step(0.0, 0.5), fmi2OK);
    assert!((fmu.real(Feedback::X) - 0.5).abs() < 1e-12);
}

#[test]
fn a_full_history_is_an_error_of_model_exchange() {
    let fmu = Fmu::me_from::<Feedback>(0.0, &[(Feedback::T, 2.0)]);
    let full = (1..200).map(|k| {
        fmu.set_time(0.01 * f64::from(k));
        fmu.completed_integrator_step().0
    });
    assert_eq!(full.filter(|status| *status == fmi2Error).count(), 199 - (64 - 2));
    let first = &fmu.messages()[0].text;
    assert!(first.contains("y needs more than 64 points of its input within 2 s"), "{first}");
}

// FMI: A096
#[test]
fn a_delayed_signal_has_the_second_derivative_of_what_is_recorded() {
    let fmu = Fmu::cs_from::<Feedback>(0.0, &[]);
    for k in 1..=29 {
        let t = 0.1 * f64::from(k);
        assert_eq!(fmu.step(t - 0.1, 0.1), fmi2OK);
        if k % 10 != 0 {
            // x'' is 0 in the first second, and 1 in the second one.
            let wanted = if k < 20 { 0.0 } else { 1.0 };
            let (status, of_y) = fmu.slope(Feedback::Y, 2);
            assert_eq!(status, fmi2OK, "{}", fmu.last_text());
            assert!((of_y - wanted).abs() < 1e-6, "{t}: {of_y}");
        }
    }
}
