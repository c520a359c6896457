//! Tests of messages: their category, their form, and which importers receive them.

use crate::importer::Fmu;
use crate::systems::*;
use fmu_runtime::LOG_CATEGORIES;
use fmu_runtime::fmi2::*;
use fmu_runtime::system::System;

fn bounce(fmu: &Fmu) -> Vec<String> {
    fmu.initialize(0.0, &[]);
    fmu.steps(0.0, 0.5, 1);
    fmu.messages().into_iter().map(|message| message.text).collect()
}

// FMI: A018, A034
#[test]
fn each_event_is_logged_in_one_line() {
    let fmu = Fmu::cs::<Ball>();
    let texts = bounce(&fmu);
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].starts_with("t=0.45152364"), "{texts:?}");
    assert!(texts[0].contains(" v: -4.42944"), "{texts:?}");
    assert!(texts[1].ends_with(" impact: true -> false"), "{texts:?}");
    fmu.steps(0.5, 0.5, 5);
    assert!(fmu.messages().iter().any(|m| m.text.ends_with("resting: no -> yes")));
    for message in fmu.messages() {
        assert_eq!(message.instance, "test");
        assert_eq!(message.format, "%s");
        assert_eq!((message.status, message.category.as_str()), (fmi2OK, "logEvents"));
        assert!(!message.text.ends_with('\n'));
    }
}

// FMI: A022, A032, A033
#[test]
fn only_enabled_categories_are_sent_but_errors_always() {
    let create = |on| Fmu::try_new::<Ball>(Some(c"a"), fmi2CoSimulation, Some("{ball}"), on);
    assert!(bounce(&create(false)).is_empty());

    let fmu = create(true);
    assert_eq!(fmu.set_debug_logging(true, &[Some(c"logStatusWarning")]), fmi2OK);
    assert!(bounce(&fmu).is_empty());

    let fmu = create(false);
    assert_eq!(fmu.set_debug_logging(true, &[Some(c"logEvents")]), fmi2OK);
    assert_eq!(bounce(&fmu).len(), 2);

    let fmu = create(false);
    assert_eq!(fmu.set_debug_logging(true, &[Some(c"logAll")]), fmi2OK);
    assert_eq!(bounce(&fmu).len(), 2);

    let fmu = create(false);
    assert_eq!(fmu.step(0.0, 1.0), fmi2Error);
    assert_eq!(fmu.messages().len(), 1);
}

/// The messages of an instance without debug logging, with their statuses.
fn unasked<T: System>(fmu_type: fmi2Type, act: impl FnOnce(&Fmu)) -> Vec<(fmi2Status, String)> {
    let guid = Some(T::INFO.guid);
    let fmu = Fmu::try_new::<T>(Some(c"a"), fmu_type, guid, false);
    act(&fmu);
    fmu.messages().into_iter().map(|message| (message.status, message.text)).collect()
}

// FMI: A032, A036
#[test]
fn the_reason_of_a_failed_step_is_logged_once_without_debug_logging() {
    let fails_at_one = |fmu: &Fmu| {
        fmu.initialize(0.0, &[]);
        assert_eq!(fmu.step(0.0, 2.0), fmi2Discard);
        assert_eq!(fmu.terminate(), fmi2OK);
    };
    let messages = unasked::<Cliff>(fmi2CoSimulation, fails_at_one);
    let [(status, text)] = &messages[..] else { panic!("one message: {messages:?}") };
    assert_eq!(*status, fmi2Discard);
    assert!(
        text.contains("the derivative of x is not a finite number: its value is NaN"),
        "{text}"
    );

    let messages = unasked::<Restless<1>>(fmi2CoSimulation, |fmu| {
        fmu.initialize(0.0, &[]);
        assert_eq!(fmu.step(0.0, 2.0), fmi2Error);
        assert_eq!(fmu.terminate(), fmi2OK, "a second error would conceal the first");
    });
    let [(status, text)] = &messages[..] else { panic!("one message: {messages:?}") };
    assert_eq!(*status, fmi2Error);
    assert!(text.contains("chattering: relation due keeps switching"), "{text}");
}

// FMI: A032, A036
#[test]
fn the_reason_why_an_importer_gives_up_needs_no_debug_logging() {
    let sentence = "t=0 v = inf is out of range: the integration diverges";
    type Way = fn(&Fmu, fmi2FMUstate);
    let ways: [(Way, bool); 4] = [
        (|_, _| {}, true),
        (
            |fmu, _| {
                // The integrator has found another point.
                fmu.set_states(&[1.0, 0.0]);
                assert_eq!(fmu.derivatives(2).0, fmi2OK);
                fmu.completed_integrator_step();
            },
            false,
        ),
        (|fmu, saved| assert_eq!(fmu.set_state(saved), fmi2OK), false),
        (
            |fmu, _| {
                fmu.reset();
                fmu.initialize(0.0, &[]);
            },
            false,
        ),
    ];
    for (goes_on, is_told) in ways {
        let messages = unasked::<Ball>(fmi2ModelExchange, |fmu| {
            fmu.initialize(0.0, &[]);
            fmu.iterate_events();
            fmu.enter_continuous_time_mode();
            let mut saved = fmu.get_state();
            fmu.set_states(&[1.0, f64::INFINITY]);
            assert_eq!(fmu.derivatives(2).0, fmi2Discard);
            goes_on(fmu, saved);
            assert_eq!(fmu.terminate(), fmi2OK);
            fmu.free_state(&mut saved);
        });
        let expected = if is_told { vec![(fmi2Warning, sentence.to_owned())] } else { Vec::new() };
        assert_eq!(messages, expected);
    }
}

// FMI: A032, A036
#[test]
fn a_warning_needs_no_debug_logging() {
    let messages = unasked::<Ball>(fmi2ModelExchange, |fmu| {
        fmu.initialize(0.0, &[]);
        assert_eq!(fmu.enter_event_mode(), fmi2OK);
        fmu.set_real(&[Ball::H, Ball::V], &[-1e-3, -1.0]);
        assert_eq!(fmu.enter_continuous_time_mode(), fmi2OK);
    });
    let [(status, text)] = &messages[..] else { panic!("one message: {messages:?}") };
    assert_eq!(*status, fmi2Warning);
    assert!(text.contains("a state jumped"), "{text}");
}

// FMI: A032
#[test]
fn a_failed_trial_point_is_logged_in_debug_logging_only() {
    let messages = unasked::<Cliff>(fmi2ModelExchange, |fmu| {
        fmu.initialize(0.0, &[]);
        fmu.iterate_events();
        fmu.enter_continuous_time_mode();
        fmu.set_time(2.0);
        assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    });
    assert!(messages.is_empty(), "{messages:?}");
}

// FMI: A033
#[test]
fn an_unknown_category_is_an_error_without_consequences() {
    let fmu = Fmu::cs::<Ball>();
    assert_eq!(fmu.set_debug_logging(true, &[Some(c"logEvents"), Some(c"nonsense")]), fmi2Error);
    assert_eq!(fmu.set_debug_logging(true, &[None]), fmi2Error);
    assert_eq!(bounce(&fmu).len(), 4, "two refusals and two changes");
}

// FMI: A034, A035
#[test]
fn text_of_the_user_is_never_a_format() {
    let fmu = Fmu::try_new::<Ball>(Some(c"%s%n#"), fmi2CoSimulation, Some("%s%n#r1#"), true);
    let message = fmu.messages().pop().unwrap();
    assert_eq!(message.format, "%s");
    assert_eq!(message.instance, "%s%n#");
    assert!(message.text.ends_with("but %s%n##r1## was asked for"), "{}", message.text);
}

// FMI: A036
#[test]
fn every_status_but_ok_is_explained_with_that_status() {
    let fmu = Fmu::me_from::<Cliff>(0.0, &[]);
    fmu.clear_messages();
    fmu.set_time(2.0);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    let message = fmu.messages().pop().unwrap();
    assert_eq!((message.status, message.category.as_str()), (fmi2Discard, "logStatusDiscard"));
    let reason = "its value is NaN, as that of 0/0 or of the root of a negative number";
    let sentence = format!("t=2 the derivative of x is not a finite number: {reason}");
    assert_eq!(message.text, sentence);

    let fmu = Fmu::me_from::<Implicit>(0.0, &[(Implicit::LIMIT, 0.5)]);
    fmu.clear_messages();
    fmu.set_states(&[0.1]);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    let message = fmu.messages().pop().unwrap();
    assert_eq!((message.status, message.category.as_str()), (fmi2Discard, "logStatusDiscard"));
    assert_eq!(message.text, "t=0 closure: no solution was found: the largest residual is 5.0e-1");
}

#[test]
fn a_nonlinear_block_without_solution_is_logged_once_under_either_category() {
    let discard = c"logStatusDiscard";
    let nonlinear = c"logNonlinearSystems";
    for (enabled, expected) in [
        (&[Some(discard)][..], discard),
        (&[Some(nonlinear)], nonlinear),
        (&[Some(nonlinear), Some(discard)], discard),
    ] {
        let fmu = Fmu::me_from::<Implicit>(0.0, &[(Implicit::LIMIT, 0.5)]);
        assert_eq!(fmu.set_debug_logging(true, enabled), fmi2OK);
        fmu.clear_messages();
        fmu.set_states(&[0.1]);
        assert_eq!(fmu.derivatives(1).0, fmi2Discard);
        let categories: Vec<_> = fmu.messages().into_iter().map(|m| m.category).collect();
        assert_eq!(categories, [expected.to_str().unwrap()]);
    }
}

// FMI: A037, C031
#[test]
fn categories_have_unique_names_of_the_standard() {
    let standard = [
        "logEvents",
        "logSingularLinearSystems",
        "logNonlinearSystems",
        "logDynamicStateSelection",
        "logStatusWarning",
        "logStatusDiscard",
        "logStatusError",
        "logStatusFatal",
        "logStatusPending",
        "logAll",
    ];
    for (i, (name, description)) in LOG_CATEGORIES.iter().enumerate() {
        assert!(!description.is_empty());
        let known = name.to_str().is_ok_and(|name| standard.contains(&name));
        assert!(known, "{name:?}");
        assert!(LOG_CATEGORIES[..i].iter().all(|(other, _)| other != name));
    }
}
