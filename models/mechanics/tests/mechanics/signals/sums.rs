//! Sums and products of signals, polar coordinates, switches, whole numbers, and vectors.

use crate::common::{events, refusal, run_to, settle, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;

/// Inputs of the FMU with these values.
fn signals(m: &mut Assembly, values: &[f64]) -> Vec<Quantity> {
    let input = |(k, &value): (usize, &f64)| {
        m.add(format!("u{}", k + 1), ExternalInput::new().unit("1").start(value)).y
    };
    values.iter().enumerate().map(input).collect()
}

/// Inputs of the FMU of type Integer.
fn integers(m: &mut Assembly, values: &[i32]) -> Vec<Quantity> {
    let input = |(k, &value): (usize, &i32)| {
        m.add(format!("u{}", k + 1), ExternalInteger::new().start(value)).y
    };
    values.iter().enumerate().map(input).collect()
}

/// Connects signals to the elements of a vector.
macro_rules! connect {
    ($m:ident, $signals:expr, $vector:expr) => {
        for (k, &signal) in $signals.iter().enumerate() {
            $m.connect(signal, $vector.element(k + 1));
        }
    };
}

#[test]
fn any_number_of_signals_is_added_and_multiplied() {
    let mut model = start(|m| {
        let u = signals(m, &[2.0, 3.0, -5.0]);
        let sum = m.add("sum", Sum::new().k([1, 10, 100]));
        let plain = m.add("plain", MultiSum::new());
        let product = m.add("product", MultiProduct::new());
        let extrema = m.add("extrema", MinMax::new());
        connect!(m, u, sum.u);
        connect!(m, u, plain.u);
        connect!(m, u, product.u);
        connect!(m, u, extrema.u);
        m.add("nothing", MultiSum::new());
        m.add("no_product", MultiProduct::new());
    });
    let expected = [
        ("sum.y", 2.0 + 30.0 - 500.0),
        ("plain.y", 0.0),
        ("product.y", -30.0),
        ("extrema.yMin", -5.0),
        ("extrema.yMax", 3.0),
        ("nothing.y", 0.0),
        ("no_product.y", 0.0),
    ];
    for (name, expected) in expected {
        assert_eq!(value(&mut model, name), expected, "{name}");
    }
}

#[test]
fn a_matrix_needs_a_column_for_each_signal() {
    let with = |matrix: [[i32; 2]; 3], count: usize| {
        simulation(move |m| {
            let u = signals(m, &[7.0, -2.0, 1.0][..count]);
            let s = m.add("s", MatrixGain::new().K(matrix));
            connect!(m, u, s.u);
        })
    };
    let mut model = with([[1, 2], [3, 4], [0, 6]], 2).unwrap();
    model.start(None).unwrap();
    let y = ["s.y[1]", "s.y[2]", "s.y[3]"].map(|name| value(&mut model, name));
    assert_eq!(y, [3.0, 13.0, -12.0]);
    let sentence = with([[1, 2], [3, 4], [0, 6]], 3).err().unwrap();
    assert_eq!(sentence, "s.K: it has 2 columns, but 3 signals are connected");
}

#[test]
fn gains_are_given_for_all_signals_or_none() {
    let sentence = refusal(|m| {
        let u = signals(m, &[1.0, 2.0]);
        let s = m.add("s", MultiSum::new().k([1, 2, 3]));
        connect!(m, u, s.u);
    });
    assert_eq!(sentence, "s.k: 2 signals are connected, but 3 gains are given");
    let sentence = refusal(|m| {
        m.add("s", MinMax::new());
    });
    assert_eq!(sentence, "s.u: at least one signal must be connected");
}

#[test]
fn polar_coordinates_are_inverse_to_rectangular_ones() {
    for (re, im) in [(3.0, 4.0), (-3.0, 4.0), (-3.0, -4.0), (0.0, -2.0), (0.0, 0.0)] {
        let mut model = start(|m| {
            let u = signals(m, &[re, im]);
            let polar = m.add("polar", RectangularToPolar::new());
            let back = m.add("back", PolarToRectangular::new());
            m.connect(u[0], polar.u_re);
            m.connect(u[1], polar.u_im);
            m.connect(polar.y_abs, back.u_abs);
            m.connect(polar.y_arg, back.u_arg);
        });
        let [length, angle] = ["polar.y_abs", "polar.y_arg"].map(|y| value(&mut model, y));
        assert_eq!([length, angle], [f64::hypot(re, im), im.atan2(re)]);
        let [x, y] = ["back.y_re", "back.y_im"].map(|y| value(&mut model, y));
        assert!((x - re).abs() < 1e-15 && (y - im).abs() < 1e-15, "{x} {y}");
    }
}

/// Sets the conditions `c1`, `c2` and reads an output after the event.
fn switched(model: &mut Simulation, conditions: [bool; 2]) -> f64 {
    for (k, condition) in conditions.iter().enumerate() {
        model.set(&format!("c{}", k + 1), f64::from(*condition)).unwrap();
    }
    settle(model);
    value(model, "s.y")
}

/// Conditions of the FMU, which are false.
fn conditions(m: &mut Assembly) -> Vec<Quantity> {
    ["c1", "c2"].map(|name| m.add(name, ExternalBoolean::new().start(false)).y).to_vec()
}

#[test]
fn the_first_true_condition_chooses_the_value() {
    let mut model = start(|m| {
        let c = conditions(m);
        let s = m.add("s", MultiSwitch::new().expr([4, 6]).y_default(2));
        connect!(m, c, s.u);
    });
    let cases = [([false, false], 2.0), ([true, false], 4.0), ([false, true], 6.0)];
    for (conditions, y) in cases.into_iter().chain([([true, true], 4.0), ([false, false], 2.0)]) {
        assert_eq!(switched(&mut model, conditions), y, "{conditions:?}");
    }
}

#[test]
fn a_switch_has_a_value_for_each_condition() {
    let sentence = refusal(|m| {
        let c = conditions(m);
        let s = m.add("s", MultiSwitch::new().expr([4]));
        connect!(m, c, s.u);
    });
    assert_eq!(sentence, "s.expr: 2 conditions are connected, but 1 values are given");
    let sentence = refusal(|m| {
        let c = conditions(m);
        let s = m.add("s", IntegerMultiSwitch::new().expr([4.5, 2.0]));
        connect!(m, c, s.u);
    });
    assert_eq!(sentence, "s.expr[1] = 4.5: must be a whole number");
}

#[test]
fn a_switch_of_integers_keeps_its_value_unless_it_returns_to_the_default() {
    let values = |keeps: bool| {
        let mut model = start(move |m| {
            let c = conditions(m);
            let s = IntegerMultiSwitch::new().expr([4, 6]).y_default(2);
            let s = m.add("s", s.use_pre_as_default(keeps));
            connect!(m, c, s.u);
        });
        let cases = [[false, false], [false, true], [false, false], [true, true], [false, false]];
        cases.map(|conditions| switched(&mut model, conditions))
    };
    assert_eq!(values(true), [2.0, 6.0, 6.0, 4.0, 4.0]);
    assert_eq!(values(false), [2.0, 6.0, 2.0, 4.0, 2.0]);
}

#[test]
fn integers_are_added_and_multiplied_within_their_range() {
    let mut model = start(|m| {
        let u = integers(m, &[3, -7]);
        let sum = m.add("sum", IntegerSum::new().k([2, -1]));
        let product = m.add("product", IntegerProduct::new());
        connect!(m, u, sum.u);
        connect!(m, u, product.u);
    });
    assert_eq!([value(&mut model, "sum.y"), value(&mut model, "product.y")], [13.0, -21.0]);
    model.set("u2", f64::from(i32::MIN)).unwrap();
    let why = model.run_to(0.0).expect_err("the product is too large").to_string();
    assert!(why.contains("y: an Integer must be from -2147483648 to 2147483647"), "{why}");
    let half = refusal(|m| {
        let u = integers(m, &[3]);
        let s = m.add("s", IntegerSum::new().k([0.5]));
        connect!(m, u, s.u);
    });
    assert_eq!(half, "s.k[1] = 0.5: must be a whole number");
}

#[test]
fn rounded_signals_are_added_at_the_event_of_each_rounding() {
    let mut model = start(|m| {
        let u = m.add("u", Ramp::new().height(4).duration(4).offset(0.25));
        let whole = m.add("whole", RealToInteger::new());
        let sum = m.add("sum", IntegerSum::new().k([10, 1]));
        let back = m.add("back", IntegerToReal::new());
        m.connect(u.y, whole.u);
        for k in 1..=2 {
            m.connect(whole.y, sum.u.element(k));
        }
        m.connect(sum.y, back.u);
    });
    for (t, rounded) in [(0.2, 0.0), (0.3, 1.0), (1.2, 1.0), (1.3, 2.0)] {
        run_to(&mut model, t);
        let values = ["sum.y", "back.y"].map(|name| value(&mut model, name));
        assert_eq!(values, [11.0 * rounded; 2], "at {t}");
    }
}

#[test]
fn a_reset_wins_over_a_trigger_at_the_same_instant() {
    let mut model = start(|m| {
        let u = integers(m, &[5, 100]);
        let s = m.add("s", TriggeredAdd::new().y_start(3));
        m.connect(u[0], s.u);
        m.connect(u[1], s.set);
        let c = conditions(m);
        m.connect(c[0], s.trigger);
        m.connect(c[1], s.reset);
    });
    let cases = [
        ([false, false], 3.0),
        ([true, false], 8.0),
        ([true, false], 8.0),
        ([false, false], 8.0),
        ([true, true], 100.0),
        ([false, true], 100.0),
        // While `reset` is true, a trigger resets.
        ([true, true], 100.0),
        ([false, false], 100.0),
        ([true, false], 105.0),
    ];
    for (step, (conditions, y)) in cases.into_iter().enumerate() {
        assert_eq!(switched(&mut model, conditions), y, "step {step}");
    }
}

#[test]
fn a_trigger_that_is_true_from_the_start_adds_nothing() {
    let mut model = start(|m| {
        let one = integers(m, &[1]);
        let on = m.add("on", ExternalBoolean::new().start(true));
        let s = m.add("s", TriggeredAdd::new());
        m.connect(one[0], s.u);
        m.connect(on.y, s.trigger);
    });
    run_to(&mut model, 1.0);
    assert_eq!(value(&mut model, "s.y"), 0.0);
}

#[test]
fn vectors_are_joined_and_their_elements_chosen_by_number() {
    let mut model = start(|m| {
        let u = signals(m, &[7.0, 8.0, 9.0]);
        let all = m.add("all", Multiplex::new());
        let apart = m.add("apart", DeMultiplex::new());
        let copies = m.add("copies", Replicator::new().nout(2));
        let one = m.add("one", Extractor::new());
        let any = m.add("any", Extractor::new().allow_out_of_range(true).out_of_range_value(-1));
        let index = m.add("index", ExternalInteger::new().start(2));
        connect!(m, u, all.u);
        for k in 1..=3 {
            m.connect(all.y.element(k), apart.u.element(k));
            m.connect(apart.y.element(k), one.u.element(k));
            m.connect(apart.y.element(k), any.u.element(k));
        }
        m.connect(u[0], copies.u);
        m.connect(index.y, one.index);
        m.connect(index.y, any.index);
    });
    assert_eq!(["copies.y[1]", "copies.y[2]"].map(|y| value(&mut model, y)), [7.0, 7.0]);
    for (index, y) in [(2.0, 8.0), (1.0, 7.0), (3.0, 9.0)] {
        model.set("index", index).unwrap();
        settle(&mut model);
        assert_eq!(["one.y", "any.y"].map(|name| value(&mut model, name)), [y, y]);
    }
    model.set("index", 4.0).unwrap();
    let why = model.run_to(0.0).expect_err("there is no such element").to_string();
    assert!(why.contains("one.index: there are the elements 1 to 3 only"), "{why}");
    let mut model = start(|m| {
        let u = signals(m, &[7.0]);
        let any = m.add("any", Extractor::new().allow_out_of_range(true).out_of_range_value(-1));
        let index = m.add("index", ExternalInteger::new().start(0));
        connect!(m, u, any.u);
        m.connect(index.y, any.index);
    });
    assert_eq!(value(&mut model, "any.y"), -1.0);
    assert!(events(&mut model, 1.0).is_empty());
}
