//! Tests of Model Exchange: pure evaluation, event information, and an importer's loop.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;

// FMI: A087, A088
#[test]
fn evaluation_depends_on_the_point_alone() {
    let fmu = Fmu::me_from::<Implicit>(0.0, &[]);
    let at = |t: f64, x: f64| {
        assert_eq!(fmu.set_time(t), fmi2OK);
        assert_eq!(fmu.set_states(&[x]), fmi2OK);
        fmu.derivatives(1).1[0].to_bits()
    };
    let (a, b) = (at(0.1, 2.0), at(0.2, -3.0));
    fmu.real(Implicit::Z);
    assert_eq!(at(0.1, 2.0), a);
    at(5.0, 100.0);
    assert_eq!(at(0.2, -3.0), b);
    // The same after a step was completed, with the new anchor.
    assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (0, 0)));
    let b = at(0.2, -3.0);
    at(7.0, 50.0);
    assert_eq!(at(0.2, -3.0), b);
}

// FMI: A059, A086
#[test]
fn states_and_derivatives_are_also_variables() {
    let fmu = Fmu::me_from::<Oscillator>(0.0, &[]);
    assert_eq!(fmu.set_real(&[Oscillator::X], &[0.25]), fmi2OK);
    assert_eq!(fmu.states(2), (fmi2OK, vec![0.25, 0.0]));
    assert_eq!(fmu.set_states(&[0.5, 3.0]), fmi2OK);
    assert_eq!(fmu.real(Oscillator::V), 3.0);
    assert_eq!(fmu.real(Oscillator::DER_V), -2.0);
    assert_eq!(fmu.derivatives(2), (fmi2OK, vec![3.0, -2.0]));
    assert_eq!(fmu.nominals(2), (fmi2OK, vec![1.0, 1.0]));
}

// FMI: A085, B026
#[test]
fn wrong_lengths_are_errors() {
    for wrong in [0, 1, 3] {
        assert_eq!(Fmu::me_from::<Oscillator>(0.0, &[]).derivatives(wrong).0, fmi2Error);
        assert_eq!(Fmu::me_from::<Oscillator>(0.0, &[]).states(wrong).0, fmi2Error);
        assert_eq!(Fmu::me_from::<Oscillator>(0.0, &[]).nominals(wrong).0, fmi2Error);
        assert_eq!(Fmu::me_from::<Oscillator>(0.0, &[]).set_states(&vec![0.0; wrong]), fmi2Error);
        assert_eq!(Fmu::me_from::<Oscillator>(0.0, &[]).indicators(wrong + 1).0, fmi2Error);
    }
}

// FMI: B010
#[test]
fn a_model_without_states_runs_through_the_whole_loop() {
    let fmu = Fmu::me_from::<Circle<0>>(0.0, &[]);
    assert_eq!(fmu.set_states(&[]), fmi2OK);
    assert_eq!(fmu.derivatives(0).0, fmi2OK);
    assert_eq!(fmu.states(0).0, fmi2OK);
    assert_eq!(fmu.indicators(3).0, fmi2OK);
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    fmu.iterate_events();
    assert_eq!(fmu.set_time(2.0), fmi2OK, "the short way without Continuous-Time Mode");
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
}

// FMI: B011, B014, B015, B017, B022
#[test]
fn one_call_iterates_an_event_to_its_end_and_reports_all_changes() {
    let fmu = Fmu::me::<Clock>();
    fmu.initialize(0.0, &[]);
    let (_, event) = fmu.new_discrete_states();
    let next_at =
        |t| fmi2EventInfo { nextEventTimeDefined: 1, nextEventTime: t, ..fmi2EventInfo::default() };
    assert_eq!(event, next_at(0.1));
    fmu.enter_continuous_time_mode();
    fmu.set_time(0.1);
    fmu.enter_event_mode();
    assert_eq!(fmu.new_discrete_states().1, next_at(0.2), "the count needs a second pass");
    assert_eq!(fmu.new_discrete_states().1, next_at(0.2), "asking again changes nothing");
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(fmu.derivatives(1).1, [1.0]);

    let ball = Fmu::me_from::<Ball>(0.0, &[]);
    ball.set_states(&[-1e-3, -1.0]);
    ball.enter_event_mode();
    let (_, impact) = ball.new_discrete_states();
    assert_eq!((impact.valuesOfContinuousStatesChanged, impact.newDiscreteStatesNeeded), (1, 0));
    // The value is undefined, but harmless to an importer that compares it nevertheless.
    assert_eq!((impact.nextEventTimeDefined, impact.nextEventTime), (0, f64::MAX));
}

// FMI: A087, B010
#[test]
fn an_importer_that_never_leaves_event_mode_gets_the_values_of_continuous_time() {
    let stays = Fmu::me::<Threshold>();
    stays.initialize(0.0, &[]);
    let leaves = Fmu::me_from::<Threshold>(0.0, &[]);
    let x = stays.states(1).1;
    assert_eq!(stays.set_states(&x), fmi2OK, "the same states are no way out of Event Mode");
    // Trial points forwards and backwards, also beyond the threshold.
    for (t, u) in [(0.1, 0.25), (0.3, 0.75), (0.2, 0.4), (0.3, 0.8)] {
        for fmu in [&stays, &leaves] {
            assert_eq!(fmu.set_time(t), fmi2OK);
            assert_eq!(fmu.set_real(&[Threshold::U], &[u]), fmi2OK);
            assert_eq!(fmu.set_states(&[x[0] + t]), fmi2OK);
        }
        assert_eq!(stays.indicators(1), leaves.indicators(1), "at {t} s");
        assert_eq!(stays.derivatives(1), (fmi2OK, vec![0.0]), "the branch waits for the event");
    }
    assert_eq!(stays.real(Threshold::COUNT), 0.0);
    for fmu in [&stays, &leaves] {
        assert_eq!(fmu.enter_event_mode(), fmi2OK);
        assert_eq!(fmu.new_discrete_states().0, fmi2OK);
        assert_eq!(fmu.real(Threshold::COUNT), 1.0);
        assert_eq!(fmu.derivatives(1).1, [0.8]);
    }
}

// FMI: B004, B020, B022
#[test]
fn setting_time_or_states_completes_an_event_at_its_point() {
    let fmu = Fmu::me_from::<Threshold>(0.0, &[]);
    fmu.enter_event_mode();
    fmu.set_real(&[Threshold::U], &[0.75]);
    assert_eq!(fmu.indicators(1).0, fmi2OK, "reading is no iteration");
    assert_eq!(fmu.set_time(0.5), fmi2OK);
    assert_eq!(fmu.real(Threshold::COUNT), 1.0);
    fmu.set_real(&[Threshold::U], &[0.25]);
    assert_eq!(fmu.derivatives(1).1, [0.25], "frozen from here on");
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(fmu.derivatives(1).1, [0.0], "leaving Event Mode is an event here");
}

// FMI: A086
#[test]
fn states_that_are_set_in_event_mode_start_the_next_event_there() {
    let fmu = Fmu::me_from::<Ball>(0.0, &[]);
    fmu.enter_event_mode();
    assert_eq!(fmu.set_states(&[-1e-3, -1.0]), fmi2OK);
    let (_, impact) = fmu.new_discrete_states();
    assert_eq!(impact.valuesOfContinuousStatesChanged, 1, "{}", fmu.last_text());
    assert_eq!(fmu.states(2).1[1], 0.7);
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(fmu.new_discrete_states().0, fmi2Error, "not in Continuous-Time Mode");
}

// FMI: B002, B017
#[test]
fn a_spurious_event_changes_nothing_and_reports_the_next_time_event_again() {
    let fmu = Fmu::me_from::<Clock>(0.0, &[]);
    fmu.set_time(0.05);
    fmu.set_states(&[0.3]);
    fmu.enter_event_mode();
    let (event, states_changed) = fmu.iterate_events();
    assert!(!states_changed);
    assert_eq!(event.nextEventTime, 0.1);
    assert_eq!(fmu.get_integer(Clock::COUNT), (fmi2OK, 0));
}

// FMI: B018
#[test]
fn a_time_event_fires_once_when_it_is_met_within_rounding() {
    for ulps in [-4_i64, -1, 0, 1, 4] {
        let fmu = Fmu::me_from::<Clock>(0.0, &[]);
        let t = f64::from_bits(0.1_f64.to_bits().wrapping_add_signed(ulps));
        fmu.set_time(t);
        fmu.enter_event_mode();
        let (event, _) = fmu.iterate_events();
        assert_eq!(fmu.get_integer(Clock::COUNT), (fmi2OK, 1), "{ulps} units off");
        assert_eq!(event.nextEventTime, 0.2);
        fmu.enter_continuous_time_mode();
        fmu.enter_event_mode();
        fmu.iterate_events();
        assert_eq!(fmu.get_integer(Clock::COUNT), (fmi2OK, 1), "not again");
    }
}

// FMI: B013
#[test]
fn a_request_to_terminate_is_reported_with_a_message() {
    let fmu = Fmu::me_from::<Clock>(0.0, &[(Clock::STOP, 0.05)]);
    fmu.clear_messages();
    fmu.set_time(0.05);
    fmu.enter_event_mode();
    let (_, event) = fmu.new_discrete_states();
    assert_eq!(event.terminateSimulation, 1);
    assert!(fmu.last_text().contains("end the simulation"));
    assert_eq!(fmu.terminate(), fmi2OK);
}

// FMI: B007
#[test]
fn values_react_to_inputs_in_event_mode_before_the_iteration() {
    let fmu = Fmu::me_from::<Threshold>(0.0, &[]);
    fmu.enter_event_mode();
    assert_eq!(fmu.derivatives(1).1, [0.0]);
    fmu.set_real(&[Threshold::U], &[0.75]);
    assert_eq!(fmu.derivatives(1).1, [0.75], "relations follow the input");
    assert_eq!(fmu.real(Threshold::COUNT), 0.0, "but what was counted waits for the iteration");
    fmu.set_real(&[Threshold::U], &[0.25]);
    assert_eq!(fmu.derivatives(1).1, [0.0]);
    fmu.set_real(&[Threshold::U], &[0.8]);
    fmu.iterate_events();
    assert_eq!(fmu.real(Threshold::COUNT), 1.0);
}

// FMI: B004, B005
#[test]
fn relations_are_frozen_in_continuous_time() {
    let fmu = Fmu::me_from::<Threshold>(0.0, &[]);
    fmu.set_real(&[Threshold::U], &[2.0]);
    assert_eq!(fmu.derivatives(1).1, [0.0], "the branch does not change before the event");
    assert!(fmu.indicators(1).1[0] > 0.0);
    fmu.enter_event_mode();
    fmu.iterate_events();
    fmu.enter_continuous_time_mode();
    assert_eq!(fmu.derivatives(1).1, [2.0]);
}

#[test]
fn a_state_change_that_is_not_reported_causes_a_warning() {
    let fmu = Fmu::me_from::<Ball>(0.0, &[]);
    fmu.enter_event_mode();
    fmu.set_real(&[Ball::H, Ball::V], &[-1e-3, -1.0]);
    fmu.clear_messages();
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(fmu.states(2).1[1], 0.7);
    let warnings = fmu.messages().into_iter().filter(|m| m.status == fmi2Warning);
    let texts: Vec<String> = warnings.map(|m| m.text).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("a state jumped"), "{texts:?}");
}

#[test]
fn a_simple_importer_follows_the_ball() {
    // The flight between impacts is analytic; bisection on the sign of the indicator locates
    // events.
    let fmu = Fmu::me_from::<Ball>(0.0, &[]);
    let (mut t, mut x, mut impacts) = (0.0, fmu.states(2).1, Vec::new());
    while impacts.len() < 3 {
        let flight = |dt: f64| [x[0] + dt * x[1] - 0.5 * Ball::G * dt * dt, x[1] - Ball::G * dt];
        let below = fmu.indicators(1).1[0] > 0.0;
        let has_crossed = |dt: f64| {
            assert_eq!(fmu.set_time(t + dt), fmi2OK);
            assert_eq!(fmu.set_states(&flight(dt)), fmi2OK);
            (fmu.indicators(1).1[0] > 0.0) != below
        };
        let (mut low, mut high) = (0.0, 1e-3);
        while !has_crossed(high) {
            low = high;
            high += 1e-3;
        }
        while high - low > 1e-15 && low < 0.5 * (low + high) && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if has_crossed(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        has_crossed(high);
        fmu.enter_event_mode();
        let (_, changed) = fmu.iterate_events();
        fmu.enter_continuous_time_mode();
        t += high;
        x = fmu.states(2).1;
        assert_ne!(changed, below, "the speed changes where the ball arrives, not where it leaves");
        if changed {
            impacts.push(t);
        }
        assert!(fmu.indicators(1).1[0] != 0.0);
    }
    let fall = (2.0 / Ball::G).sqrt();
    for (i, exact) in [1.0, 1.0 + 1.4, 1.0 + 1.4 + 0.98].into_iter().enumerate() {
        assert!((impacts[i] - exact * fall).abs() < 1e-9, "impact {i}: {impacts:?}");
    }
}

// FMI: A062
#[test]
fn states_out_of_range_are_accepted_and_whatever_evaluates_is_discarded() {
    use Oscillator as O;
    let fmu = Fmu::me_from::<O>(0.0, &[]);
    let good = [fmu.derivatives(2).1, vec![fmu.real(O::ENERGY)]];
    for far in [f64::NAN, f64::NEG_INFINITY, 1e80] {
        for by_name in [false, true] {
            let set = match by_name {
                false => fmu.set_states(&[far, 0.0]),
                true => fmu.set_real(&[O::X], &[far]),
            };
            assert_eq!(set, fmi2OK);
            let discarded: [(&str, fmi2Status); 6] = [
                ("derivatives", fmu.derivatives(2).0),
                ("indicators", fmu.indicators(0).0),
                ("a derivative", fmu.get_real(O::DER_V).0),
                ("a reported value", fmu.get_real(O::ENERGY).0),
                ("an output", fmu.get_real(O::POWER).0),
                ("a directional derivative", fmu.directional(&[O::DER_V], &[O::X], &[1.0]).0),
            ];
            for (what, status) in discarded {
                assert_eq!(status, fmi2Discard, "{what} at x = {far}");
            }
            let sentence = fmu.last_text();
            assert!(sentence.starts_with("t=0 x = "), "{sentence}");
            assert!(sentence.ends_with(" is out of range: the integration diverges"), "{sentence}");
            // What does not depend on states can be read, and so can the states.
            assert_eq!(fmu.real(O::C), 4.0);
            assert_eq!(fmu.states(2).1[0].to_bits(), far.to_bits());
            // A step that is completed there is not part of the solution.
            assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (0, 0)));
            assert_eq!(fmu.set_states(&[1.0, 0.0]), fmi2OK);
            assert_eq!([fmu.derivatives(2).1, vec![fmu.real(O::ENERGY)]], good);
        }
    }
    assert_eq!(fmu.set_states(&[1e40, 0.0]), fmi2OK);
    assert_eq!(fmu.derivatives(2).0, fmi2OK);
    assert_eq!(fmu.set_time(f64::NAN), fmi2Error);
}

// FMI: A062
#[test]
fn an_event_at_states_out_of_range_is_an_error() {
    for event in [false, true] {
        let fmu = Fmu::me_from::<Oscillator>(0.0, &[]);
        fmu.set_states(&[0.5, f64::INFINITY]);
        assert_eq!(fmu.enter_event_mode(), fmi2OK);
        let status = match event {
            true => fmu.new_discrete_states().0,
            false => fmu.enter_continuous_time_mode(),
        };
        assert_eq!(status, fmi2Error);
        assert!(fmu.last_text().contains("v = inf is out of range"), "{}", fmu.last_text());
    }
}

// FMI: A062
#[test]
fn completing_a_step_that_has_no_solution_accepts_nothing() {
    let fmu = Fmu::me_from::<Implicit>(0.0, &[(Implicit::LIMIT, 0.5)]);
    fmu.set_states(&[1.0]);
    let good = fmu.derivatives(1);
    assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
    fmu.set_states(&[0.25]);
    assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard, "reading a value tells that there is none");
    fmu.set_states(&[1.0]);
    assert_eq!(fmu.derivatives(1), good);
    // For such a distant point the message names the step, not the equations without solution.
    fmu.set_states(&[-2e6]);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    let far = "t=0 closure cannot be solved: x changed by 2.0e6 in one step";
    assert_eq!(fmu.last_text(), far);
}

// FMI: A062
#[test]
fn a_point_without_solution_is_discarded_and_the_next_one_is_not() {
    let fmu = Fmu::me_from::<Implicit>(0.0, &[(Implicit::LIMIT, 0.5)]);
    let good = fmu.derivatives(1);
    fmu.set_states(&[0.25]);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    assert_eq!(fmu.states(1).1, [0.25], "a failed attempt leaves the point as it was set");
    fmu.set_states(&[1.0]);
    assert_eq!(fmu.derivatives(1), good);
}

// FMI: A088
#[test]
fn continuation_reaches_a_distant_point_and_leaves_no_trace() {
    let fmu = Fmu::me_from::<Shy>(0.0, &[]);
    for x in [1.25, 5.0, -7.0, 19.0, 1.25] {
        fmu.set_states(&[x]);
        assert_eq!(fmu.derivatives(1), (fmi2OK, vec![x]), "{}", fmu.last_text());
        assert_eq!(fmu.states(1).1, [x]);
    }
    // 65536 parts of less than 0.3 each lead from 1 to at most 19662, until the anchor moves.
    fmu.set_states(&[25000.0]);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    fmu.set_states(&[19000.0]);
    assert_eq!(fmu.completed_integrator_step().0, fmi2OK);
    fmu.set_states(&[25000.0]);
    assert_eq!(fmu.derivatives(1), (fmi2OK, vec![25000.0]));
    let (status, exact) = fmu.directional(&[Shy::Z], &[Shy::X], &[2.0]);
    assert_eq!((status, exact), (fmi2OK, vec![2.0]));
}

// FMI: B030
#[test]
fn a_relation_that_jumps_with_an_input_asks_for_event_mode() {
    use Threshold as T;
    let euler = |fmu: &Fmu, t: f64| {
        let x = fmu.states(1).1[0] + 0.1 * fmu.derivatives(1).1[0];
        assert_eq!((fmu.set_time(t + 0.1), fmu.set_states(&[x])), (fmi2OK, fmi2OK));
        let (status, (enter, terminate)) = fmu.completed_integrator_step();
        assert_eq!((status, terminate), (fmi2OK, fmi2False));
        enter
    };
    let fmu = Fmu::me_from::<T>(0.0, &[]);
    assert_eq!(euler(&fmu, 0.0), fmi2False);
    // The importer takes the indicators after the jump as those before its next step.
    assert_eq!(fmu.set_real(&[T::U], &[1.0]), fmi2OK);
    let before = fmu.indicators(1).1;
    assert_eq!(euler(&fmu, 0.1), fmi2True);
    assert_eq!(fmu.indicators(1).1, before, "no sign changes");
    assert_eq!(euler(&fmu, 0.2), fmi2True, "until the event is handled");
    assert_eq!(fmu.enter_event_mode(), fmi2OK);
    fmu.iterate_events();
    assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    assert_eq!(euler(&fmu, 0.3), fmi2False);
    assert!((fmu.states(1).1[0] - 0.1).abs() < 1e-12, "the input is integrated");

    // Inputs that change nothing, or only for a moment, are no event.
    assert_eq!(fmu.set_real(&[T::U], &[2.0]), fmi2OK);
    assert_eq!(euler(&fmu, 0.4), fmi2False);
    assert_eq!(fmu.set_real(&[T::U], &[0.0]), fmi2OK);
    assert_eq!(fmu.set_real(&[T::U], &[2.0]), fmi2OK);
    assert_eq!(euler(&fmu, 0.5), fmi2False);
    // Inputs that belong to a trial point show in the indicators.
    assert_eq!((fmu.set_time(0.7), fmu.set_real(&[T::U], &[0.0])), (fmi2OK, fmi2OK));
    assert_eq!(fmu.completed_integrator_step(), (fmi2OK, (fmi2False, fmi2False)));
}
