//! Blocks that convert types of signals.

use crate::common::{simulate, start, value};
use libraries::blocks::*;
use libraries::prelude::*;

#[test]
fn a_signal_is_rounded_to_the_nearest_whole_number_with_an_event_at_each_change() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().offset(-2.2).height(4.4).duration(4.4));
        let s = m.add("s", RealToInteger::new());
        m.connect(u.y, s.u);
        let at_event = m.add("number", IntegerToReal::new());
        m.connect(s.y, at_event.u);
    });
    assert_eq!(value(&mut model, "s.y"), -2.0);
    let mut values = Vec::new();
    let instants = {
        let mut instants = Vec::new();
        simulate(&mut model, 4.0, |model| {
            instants.push(model.time());
            values.push((value(model, "s.y"), value(model, "number.y")));
        });
        instants
    };
    let expected = [(0.7, -1.0), (1.7, 0.0), (2.7, 1.0), (3.7, 2.0)];
    let changes: Vec<(f64, f64)> = expected
        .iter()
        .map(|(t, _)| {
            let at = instants.iter().rposition(|instant| (instant - t).abs() < 1e-9);
            let at = at.unwrap_or_else(|| panic!("no event at {t} among {instants:?}"));
            (*t, values[at].0)
        })
        .collect();
    assert_eq!(changes, expected);
    assert!(values.iter().all(|(integer, real)| integer == real));
}

#[test]
fn halves_are_rounded_away_from_zero() {
    for (u, y) in [(0.5, 1.0), (-0.5, -1.0), (2.5, 3.0), (-2.5, -3.0), (0.49, 0.0), (-0.49, 0.0)] {
        let mut model = start(|m| {
            let u = m.add("u", Constant::new().k(u));
            let s = m.add("s", RealToInteger::new());
            m.connect(u.y, s.u);
        });
        assert_eq!(value(&mut model, "s.y"), y, "{u}");
    }
}

#[test]
fn truth_values_and_numbers_are_converted_with_their_parameters() {
    let converted = |u: f64| {
        let mut model = start(move |m| {
            let u = m.add("u", Constant::new().k(u));
            let truth = m.add("truth", RealToBoolean::new().threshold(1));
            let number = m.add("number", BooleanToReal::new().real_true(7.5).real_false(-1));
            let whole = m.add("whole", BooleanToInteger::new().integer_true(3).integer_false(-4));
            let back = m.add("back", IntegerToBoolean::new().threshold(-3));
            m.chain((u.y, truth));
            m.connect(truth.y, number.u);
            m.connect(truth.y, whole.u);
            m.connect(whole.y, back.u);
        });
        ["truth", "number", "whole", "back"].map(|s| value(&mut model, &format!("{s}.y")))
    };
    assert_eq!(converted(0.9), [0.0, -1.0, -4.0, 0.0]);
    assert_eq!(converted(1.0), [1.0, 7.5, 3.0, 1.0], "at the threshold it is true");
}
