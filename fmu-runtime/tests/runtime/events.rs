//! Tests of the event iteration: consistent relations, initial values, and iterations that do not
//! end.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::fmi2::*;

#[test]
fn cyclic_relations_are_made_consistent_one_at_a_time() {
    let fmu = Fmu::me_from::<Circle<0>>(0.0, &[]);
    assert_eq!(fmu.get_boolean(0), (fmi2OK, 1));
    assert_eq!(fmu.get_boolean(1), (fmi2OK, 0));
    fmu.enter_event_mode();
    fmu.iterate_events();
    assert_eq!(fmu.get_boolean(0), (fmi2OK, 1), "a consistent relation does not change");
}

// FMI: B012
#[test]
fn contradictory_relations_are_an_error_that_names_them() {
    for fmu in [Fmu::me::<Circle<1>>(), Fmu::cs::<Circle<1>>()] {
        fmu.setup(0.0, None);
        fmu.enter_initialization_mode();
        assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
        let sentence = "t=0 no states of first, second and liar agree with the equations";
        assert_eq!(fmu.last_text(), sentence);
        assert_eq!(fmu.reset(), fmi2OK);
    }
}

#[test]
fn initial_values_agree_with_the_modes_that_follow_from_them() {
    let fmu = Fmu::me_from::<Undecided<0>>(0.0, &[]);
    assert_eq!((fmu.get_real(0), fmu.get_boolean(1)), ((fmi2OK, 3.0), (fmi2OK, 1)));
    let fmu = Fmu::me_from::<Undecided<0>>(0.0, &[(0, 0.5)]);
    assert_eq!((fmu.get_real(0), fmu.get_boolean(1)), ((fmi2OK, 0.5), (fmi2OK, 0)));
}

#[test]
fn modes_in_which_initial_values_exist_are_found() {
    for (push, v) in [(2.0, 1.5), (-2.0, -1.5)] {
        for guess in [0.0, 1.0, -1.0] {
            let fmu = Fmu::me_from::<Pushed>(0.0, &[(0, push), (1, guess), (2, 0.5)]);
            assert_eq!(fmu.get_real(3), (fmi2OK, v), "push {push}, guess {guess}");
        }
    }
}

#[test]
fn of_two_initial_solutions_the_guess_selects_one() {
    for (guess, v) in [(1.0, 0.75), (-1.0, -0.25)] {
        let fmu = Fmu::cs_from::<Pushed>(0.0, &[(0, 0.25), (1, guess), (2, -0.5)]);
        assert_eq!(fmu.get_real(3), (fmi2OK, v));
    }
}

#[test]
fn an_initialization_without_consistent_modes_is_an_error_that_names_them() {
    let sentences = [
        (
            0.0,
            "equations: the equations are singular here; nor is there a solution in other modes of \
             v > 0, v < 0",
        ),
        (1.0, "no modes were found that agree with the initial conditions: v > 0 keeps changing"),
    ];
    for (guess, sentence) in sentences {
        let fmu = Fmu::cs::<Pushed>();
        assert_eq!(fmu.set_real(&[0, 1, 2], &[0.25, guess, 0.5]), fmi2OK);
        fmu.setup(0.0, None);
        fmu.enter_initialization_mode();
        assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
        assert_eq!(fmu.last_text(), format!("t=0 {sentence}"));
    }
}

// FMI: B012
#[test]
fn initial_values_that_contradict_their_modes_are_an_error_that_names_one() {
    for fmu in [Fmu::me::<Undecided<1>>(), Fmu::cs::<Undecided<1>>()] {
        fmu.setup(0.0, None);
        fmu.enter_initialization_mode();
        assert_eq!(fmu.exit_initialization_mode(), fmi2Error);
        assert_eq!(
            fmu.last_text(),
            "t=0 no modes were found that agree with the initial conditions: beyond keeps \
             changing"
        );
    }
}

// FMI: B012
#[test]
fn an_event_iteration_without_end_is_an_error_that_names_the_variable() {
    let text = |t: &str| format!("t={t} the event iteration does not end: mode keeps changing");
    let fmu = Fmu::cs_from::<Restless<0>>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 1.0), fmi2Error);
    assert!(fmu.last_text().starts_with("t=0.5"), "{}", fmu.last_text());
    assert!(fmu.last_text().ends_with(&text("")[2..]), "{}", fmu.last_text());

    let fmu = Fmu::me_from::<Restless<0>>(0.0, &[]);
    fmu.set_states(&[0.75]);
    fmu.enter_event_mode();
    assert_eq!(fmu.new_discrete_states().0, fmi2Error);
    assert_eq!(fmu.last_text(), text("0"));
}

#[test]
fn events_without_progress_are_an_error_that_names_the_relation() {
    for start in [0.0, 1e6] {
        let fmu = Fmu::cs_from::<Restless<1>>(start, &[]);
        assert_eq!(fmu.step(start, 1.0), fmi2Error, "from {start}");
        let text = fmu.last_text();
        let words = " chattering: relation due keeps switching; add hysteresis";
        let time = text.strip_suffix(words).and_then(|time| time.strip_prefix("t="));
        assert!(time.is_some_and(|time| time.parse::<f64>().is_ok()), "{text}");
    }
}

#[test]
fn sampled_relations_change_at_events_and_cause_none() {
    let fmu = Fmu::cs_from::<Sampler>(0.0, &[]);
    for (step, beyond) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (5, 1)] {
        assert_eq!(fmu.get_boolean(Sampler::BEYOND), (fmi2OK, beyond), "at {step}/8 s");
        assert_eq!(fmu.step(f64::from(step) / 8.0, 0.125), fmi2OK);
    }
    let fmu = Fmu::me_from::<Sampler>(0.0, &[]);
    assert!(fmu.indicators(0).1.is_empty());
    fmu.set_states(&[0.5]);
    assert_eq!(fmu.get_boolean(Sampler::BEYOND), (fmi2OK, 0), "no event was entered");
    fmu.enter_event_mode();
    fmu.iterate_events();
    assert_eq!(fmu.get_boolean(Sampler::BEYOND), (fmi2OK, 1));
}

#[test]
fn the_ball_bounces_and_comes_to_rest() {
    let fmu = Fmu::cs_from::<Ball>(0.0, &[(Ball::V_MIN, 0.1)]);
    let fall = (2.0 / Ball::G).sqrt();
    for i in 0..400 {
        assert_eq!(fmu.step(f64::from(i) * 0.01, 0.01), fmi2OK);
        assert!(fmu.real(Ball::H) > -1e-9);
    }
    assert_eq!(fmu.get_boolean(Ball::RESTING), (fmi2OK, 1));
    let impacts: Vec<f64> = fmu
        .messages()
        .iter()
        .filter(|message| message.text.contains(" v: -"))
        .map(|message| message.text[2..].split(' ').next().unwrap().parse().unwrap())
        .collect();
    let mut exact = fall;
    for (i, impact) in impacts.iter().enumerate() {
        assert!((impact - exact).abs() < 1e-7, "impact {i}: {impact}, exact {exact}");
        exact += 2.0 * fall * 0.7_f64.powi(i as i32 + 1);
    }
    // The ball comes to rest when it arrives with less than 0.1 m/s: 4.43 * 0.7^11 = 0.088.
    assert_eq!(impacts.len(), 12);
}

// FMI: B024, B028
#[test]
fn indicators_are_never_zero_and_keep_a_distance_after_an_event() {
    let fmu = Fmu::me_from::<Threshold>(0.0, &[(Threshold::U, 0.5)]);
    let z = fmu.indicators(1).1[0];
    assert!(z <= -1e-10, "{z}");
    fmu.set_real(&[Threshold::U], &[0.5 + 2e-10]);
    assert!(fmu.indicators(1).1[0] > 0.0);
    fmu.enter_event_mode();
    fmu.iterate_events();
    assert!(fmu.indicators(1).1[0] >= 1e-10);
    fmu.enter_continuous_time_mode();
    fmu.set_real(&[Threshold::U], &[0.5]);
    assert!(fmu.indicators(1).1[0] > 0.0, "touching is not crossing");
}
