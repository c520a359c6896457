//! Tests of properties on which an integrator relies in Model Exchange: pure evaluation, and
//! completed events.

use coupler_tests::{Fmu, FmuType, Harness, Instance};

/// Integrates to a fraction of the default experiment; the instance is then in Continuous-Time
/// Mode.
fn go_to(instance: &Instance, share: f64) -> f64 {
    let fmu = instance.fmu;
    let now = share * fmu.stop_time();
    instance.then("reset").start(None, fmu.starts());
    instance.go_to(FmuType::ModelExchange, now);
    now
}

// FMI: A087, A088
#[test]
fn derivatives_do_not_depend_on_what_was_evaluated_before() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        let n = fmu.states().len();
        for share in [0.21, 0.55, 0.83] {
            let now = go_to(&instance, share);
            let here = instance.vector("get_states", n);
            let at = |dt: f64, dx: f64| {
                instance.set_time(now + dt);
                let x: Vec<f64> =
                    here.iter().enumerate().map(|(i, x)| x + dx / (1.0 + i as f64)).collect();
                instance.set_states(&x);
                instance.vector("get_derivatives", n)
            };
            let first = at(0.0, 0.0);
            let there = at(1e-3, 0.02);
            at(-2e-3, -0.01);
            assert_eq!(at(1e-3, 0.02), there, "{}: away from the point", fmu.name());
            assert_eq!(at(0.0, 0.0), first, "{}: back at the point", fmu.name());
        }
    }
}

// FMI: B002
#[test]
fn an_event_without_a_cause_changes_nothing() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        let signals = fmu.reals(fmu.signals());
        for share in [0.21, 0.55, 0.83] {
            go_to(&instance, share);
            let before = instance.reals(&signals);
            instance.then("enter_event");
            let answer = instance.ok("new_discrete_states", "");
            // The flags: more needed, terminate, nominals changed, states changed.
            let flags: Vec<i64> = (0..4).map(|i| answer.integer(i)).collect();
            assert_eq!(flags, [0, 0, 0, 0], "{}", fmu.name());
            instance.then("enter_continuous");
            // A loop is solved again from a closer guess, which may change the last bits.
            for (a, b) in instance.reals(&signals).iter().zip(&before) {
                assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{}: {a}, {b}", fmu.name());
            }
        }
    }
}

// FMI: B024, B025
#[test]
fn event_indicators_are_continuous_and_not_zero_after_an_event() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        for i in 0..20 {
            let now = go_to(&instance, f64::from(i) / 20.0);
            instance.then("enter_event");
            instance.iterate_events();
            instance.then("enter_continuous");
            let count = fmu.description.number_of_event_indicators;
            let here = instance.vector("get_indicators", count);
            instance.set_time(now + 1e-9 * fmu.stop_time());
            let beside = instance.vector("get_indicators", count);
            for (z, near) in here.iter().zip(&beside) {
                assert!(*z != 0.0 && z.abs() < 1e4, "{}: {z}", fmu.name());
                assert!((z - near).abs() < 1e-4 * (1.0 + z.abs()), "{}: {z}, {near}", fmu.name());
            }
        }
    }
}

// FMI: A090
#[test]
fn nominal_values_are_positive() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        for nominal in instance.vector("get_nominals", fmu.states().len()) {
            assert!(nominal > 0.0 && nominal.is_finite(), "{}: {nominal}", fmu.name());
        }
    }
}

// FMI: A086, C069
#[test]
fn state_derivatives_are_the_values_of_the_variables_declared_as_such() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        go_to(&instance, 0.4);
        let vector = instance.vector("get_derivatives", fmu.states().len());
        let derivatives = fmu.description.derivatives.iter();
        let names = derivatives.map(|u| fmu.description.variables[u.index].name.as_str());
        assert_eq!(instance.reals(&fmu.reals(names)), vector, "{}", fmu.name());
        let states = instance.vector("get_states", fmu.states().len());
        assert_eq!(instance.reals(&fmu.reals(fmu.states())), states, "{}", fmu.name());
    }
}
