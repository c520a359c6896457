//! Comparisons of signals, choices between them, and flip-flops: truth at equality, hysteresis,
//! events.

use crate::common::{refusal, settle, simulate, start, value};
use equations::select;
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::declaration::prelude::*;

/// Sets the Boolean inputs `u1`, `u2`, .. of the FMU; returns the values of variables after that.
fn after<const N: usize>(model: &mut Simulation, u: &[bool], read: [&str; N]) -> [bool; N] {
    for (k, u) in u.iter().enumerate() {
        model.set(&format!("u{}", k + 1), f64::from(*u)).unwrap();
    }
    settle(model);
    read.map(|name| value(model, name) == 1.0)
}

/// The instants of changes of a truth value, after which it is true and false in turn.
fn changes(model: &mut Simulation, name: &str, end: f64) -> Vec<f64> {
    let (mut last, mut instants) = (value(model, name), Vec::new());
    simulate(model, end, |model| {
        let now = value(model, name);
        if now != last {
            (last, instants) = (now, [&instants[..], &[model.time()]].concat());
        }
    });
    instants
}

fn assert_close(found: &[f64], expected: &[f64]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-9;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(close);
    assert!(all, "{found:?} instead of {expected:?}");
}

#[test]
fn comparisons_hold_at_equality_if_they_say_so() {
    let truths = |u1: f64, u2: f64| {
        let mut model = start(|m| {
            let [u1, u2] =
                [("u1", u1), ("u2", u2)].map(|(name, k)| m.add(name, Constant::new().k(k)));
            let greater = m.add("greater", Greater::new());
            let greater_equal = m.add("greaterEqual", GreaterEqual::new());
            let less = m.add("less", Less::new());
            let less_equal = m.add("lessEqual", LessEqual::new());
            for input in [greater.u1, greater_equal.u1, less.u1, less_equal.u1] {
                m.connect(u1.y, input);
            }
            for input in [greater.u2, greater_equal.u2, less.u2, less_equal.u2] {
                m.connect(u2.y, input);
            }
        });
        ["greater", "greaterEqual", "less", "lessEqual"]
            .map(|name| value(&mut model, &format!("{name}.y")) == 1.0)
    };
    assert_eq!(truths(1.0, 2.0), [false, false, true, true]);
    assert_eq!(truths(2.0, 2.0), [false, true, false, true]);
    assert_eq!(truths(2.0, 1.0), [true, true, false, false]);
}

#[test]
fn a_comparison_of_two_waves_changes_where_they_meet() {
    let mut model = start(|m| {
        let sine = m.add("sine", Sine::new().f(0.5));
        let cosine = m.add("cosine", Cosine::new().f(0.5));
        let s = m.add("s", Greater::new());
        m.connect(sine.y, s.u1);
        m.connect(cosine.y, s.u2);
    });
    assert_close(&changes(&mut model, "s.y", 3.0), &[0.25, 1.25, 2.25]);
}

/// A block between a triangle, which is 0 at 0, 1 at 1 and 0 at 2, and so on.
fn of_triangle(add: impl FnOnce(&mut Assembly, Quantity)) -> Simulation {
    start(|m| {
        let wave = Trapezoid::new().period(2).rising(1).width(0).falling(1);
        let wave = m.add("u", wave);
        add(m, wave.y);
    })
}

#[test]
fn hysteresis_switches_at_its_upper_and_lower_threshold() {
    for before in [false, true] {
        let mut model = of_triangle(|m, u| {
            let block = Hysteresis::new().u_low(0.25).u_high(0.75).pre_y_start(before);
            let s = m.add("s", block);
            m.connect(u, s.u);
        });
        // It is below the lower threshold at the start in any case.
        assert_eq!(value(&mut model, "s.y"), 0.0);
        assert_close(&changes(&mut model, "s.y", 4.0), &[0.75, 1.75, 2.75, 3.75]);
    }
    // Between the thresholds, the value before the start decides.
    for before in [false, true] {
        let mut model = start(|m| {
            let u = m.add("u", Constant::new().k(0.5));
            let block = Hysteresis::new().u_low(0.25).u_high(0.75).pre_y_start(before);
            let s = m.add("s", block);
            m.connect(u.y, s.u);
        });
        assert_eq!(value(&mut model, "s.y"), f64::from(before));
    }
}

#[test]
fn thresholds_of_hysteresis_are_refused_in_the_wrong_order() {
    let sentence = refusal(|m| {
        let u = m.add("u", Constant::new().k(0.5));
        let s = m.add("s", Hysteresis::new().u_low(2).u_high(1));
        m.connect(u.y, s.u);
    });
    assert_eq!(sentence, "s.uLow = 2, s.uHigh = 1: uLow must be below uHigh");
}

#[test]
fn a_controller_with_hysteresis_keeps_a_plant_within_its_band() {
    let mut model = start(|m| {
        let reference = m.add("reference", Constant::new().k(2));
        let s = m.add("s", OnOffController::new().bandwidth(0.2));
        let heat = m.add("heat", BooleanToReal::new().real_true(4));
        let plant = m.add("plant", FirstOrder::new().T(1));
        m.connect(reference.y, s.reference);
        m.connect(plant.y, s.u);
        m.connect(s.y, heat.u);
        m.connect(heat.y, plant.u);
    });
    assert_eq!(value(&mut model, "s.y"), 1.0);
    // It rises as 4 (1 - exp(-t)) up to 2.1, and falls from there to 1.9.
    let first = (4.0_f64 / 1.9).ln();
    let (fall, rise) = ((2.1_f64 / 1.9).ln(), (2.1_f64 / 1.9).ln());
    let expected = [first, first + fall, first + fall + rise, first + 2.0 * fall + rise];
    let found = changes(&mut model, "s.y", first + 2.0 * fall + 1.5 * rise);
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-7, "{found:?} instead of {expected:?}");
    }
    assert_eq!(found.len(), 4);
}

#[test]
fn zeros_are_detected_while_that_is_enabled() {
    // The output itself is false after each event; a counter keeps what it has seen.
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().f(0.5).phase(0.3));
        let enable = m.add("enable", BooleanStep::new().start_time(2.5));
        let s = m.add("s", ZeroCrossing::new());
        let count = m.add("count", Toggle::new());
        m.connect(u.y, s.u);
        m.connect(enable.y, s.enable);
        m.connect(s.y, count.u);
    });
    let zero = |k: f64| k - 0.3 / std::f64::consts::PI;
    let found = changes(&mut model, "count.y", 5.5);
    assert_close(&found, &[zero(3.0), zero(4.0), zero(5.0)]);
}

component! {
    /// Truth value that changes whenever a signal becomes true.
    pub struct Toggle {}
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Boolean,
    }
}

impl Component for Toggle {
    fn contribute(_: ToggleParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        let y = c.discrete("y", 0.0).boolean().done();
        c.signal("y", move |_| Ok(y.pre()));
        c.law(move |e| {
            let u = e.read_truth(u)?;
            let rises = e.when("rises", u);
            e.model().update(y, select(rises, 1.0 - y.pre(), y.pre()));
            Ok(())
        });
        Ok(())
    }
}

#[test]
fn switches_pass_one_of_two_signals() {
    let mut model = start(|m| {
        let on = m.add("u1", ExternalBoolean::new().start(false));
        let truth = m.add("u2", ExternalBoolean::new().start(true));
        let [high, low] =
            [("high", 3.0), ("low", 5.0)].map(|(s, k)| m.add(s, Constant::new().k(k)));
        let not = m.add("not", Not::new());
        let s = m.add("s", Switch::new());
        let logical = m.add("logical", LogicalSwitch::new());
        m.connect(high.y, s.u1);
        m.connect(low.y, s.u3);
        m.connect(truth.y, not.u);
        m.connect(truth.y, logical.u1);
        m.connect(not.y, logical.u3);
        for input in [s.u2, logical.u2] {
            m.connect(on.y, input);
        }
    });
    for (on, truth) in [(false, true), (true, true), (false, false), (true, false)] {
        let [logical] = after(&mut model, &[on, truth], ["logical.y"]);
        assert_eq!(value(&mut model, "s.y"), if on { 3.0 } else { 5.0 });
        assert_eq!(logical, truth == on);
    }
}

/// A switch for many signals, with two inputs of the FMU.
fn multi_switch(m: &mut Assembly, switch: BooleanMultiSwitch) {
    let s = m.add("s", switch);
    for k in 1..=2 {
        let u = m.add(format!("u{k}"), ExternalBoolean::new().start(false));
        m.connect(u.y, s.u.element(k));
    }
}

#[test]
fn the_first_true_signal_chooses_a_value_that_may_be_kept() {
    let sequence = [[false, false], [true, false], [true, true], [false, true], [false, false]];
    for (keeps, by_default, expected) in [
        (true, false, [false, true, true, false, false]),
        (true, true, [true, true, true, false, false]),
        (false, false, [false, true, true, false, false]),
        (false, true, [true, true, true, false, true]),
    ] {
        let mut model = start(|m| {
            let switch = BooleanMultiSwitch::new().expr([true, false]);
            multi_switch(m, switch.use_pre_as_default(keeps).y_default(by_default));
        });
        let found = sequence.map(|u| after(&mut model, &u, ["s.y"])[0]);
        assert_eq!(found, expected, "{keeps} {by_default}");
    }
}

#[test]
fn a_switch_for_many_signals_has_a_value_for_each() {
    let sentence = refusal(|m| multi_switch(m, BooleanMultiSwitch::new().expr([true])));
    assert_eq!(sentence, "s.expr: 1 values for 2 inputs");
}

#[test]
fn a_flip_flop_keeps_what_was_set() {
    for initial in [false, true] {
        let mut model = start(|m| {
            let set = m.add("u1", ExternalBoolean::new().start(false));
            let reset = m.add("u2", ExternalBoolean::new().start(false));
            let s = m.add("s", RSFlipFlop::new().q_ini(initial));
            m.connect(set.y, s.S);
            m.connect(reset.y, s.R);
        });
        let mut at = |set: bool, reset: bool| after(&mut model, &[set, reset], ["s.Q", "s.QI"]);
        assert_eq!(at(false, false), [initial, !initial]);
        assert_eq!(at(true, false), [true, false]);
        assert_eq!(at(false, false), [true, false]);
        assert_eq!(at(false, true), [false, true]);
        assert_eq!(at(false, false), [false, true]);
        assert_eq!(at(true, true), [false, false]);
    }
}
