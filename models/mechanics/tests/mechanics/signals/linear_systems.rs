//! Linear systems: their forms agree, and they begin as their initial types say.

use crate::common::{refusal, run_to, start, value};
use libraries::blocks::*;
use libraries::prelude::*;

/// A transfer function and the same system in state space, in controller canonical form.
fn twins(init: Init) -> impl FnOnce(&mut Assembly) {
    move |m| {
        let u = m.add("u", Sine::new().amplitude(1).f(0.5).offset(2));
        // The quotient is 1/2, the rest `(-2 s^2 - s - 1) / 2` over `s^3 + 2 s^2 + 3 s + 4`.
        let t = TransferFunction::new().b([1, 0, 2, 3]).a([2, 4, 6, 8]);
        let t = m.add("t", t.init_type(init).y_start(0.7));
        let s = StateSpace::new()
            .A([[-2, -3, -4], [1, 0, 0], [0, 1, 0]])
            .B([[0.5], [0.0], [0.0]])
            .C([[-2, -1, -1]])
            .D([[0.5]]);
        let s = m.add("s", s.init_type(init).y_start([0.7]));
        m.connect(u.y, t.u);
        m.connect(u.y, s.u.element(1));
    }
}

#[test]
fn a_transfer_function_and_the_same_system_in_state_space_agree() {
    for init in [Init::NoInit, Init::SteadyState, Init::InitialState] {
        let mut model = start(twins(init));
        for t in [0.0, 0.3, 1.0, 2.5] {
            run_to(&mut model, t);
            let [a, b] = ["t.y", "s.y[1]"].map(|name| value(&mut model, name));
            assert!((a - b).abs() < 1e-8, "{init:?} at {t}: {a}, {b}");
        }
    }
}

#[test]
fn a_linear_system_begins_in_its_steady_state() {
    let mut model = start(twins(Init::SteadyState));
    let found = ["t.x[1]", "t.x[2]", "t.x[3]", "t.y", "s.x[3]", "s.y[1]"];
    let found = found.map(|name| value(&mut model, name));
    for (found, wanted) in found.into_iter().zip([0.0, 0.0, 0.25, 0.75, 0.25, 0.75]) {
        assert!((found - wanted).abs() < 1e-10, "{found} {wanted}");
    }
}

#[test]
fn a_linear_system_begins_with_its_output() {
    let mut model = start(twins(Init::InitialOutput));
    let names = ["t.y", "s.y[1]", "t.x[1]", "t.x[2]"];
    for (found, wanted) in
        names.map(|name| value(&mut model, name)).into_iter().zip([0.7, 0.7, 0.0, 0.0])
    {
        assert!((found - wanted).abs() < 1e-10, "{found} {wanted}");
    }
    // The sum of squares of the derivatives is least: it does not fall along the states for which
    // the output is the same.
    let [x1, x2, x3] = ["s.x[1]", "s.x[2]", "s.x[3]"].map(|name| value(&mut model, name));
    let squares = |x: [f64; 3]| {
        let first = -2.0 * x[0] - 3.0 * x[1] - 4.0 * x[2] + 0.5 * 2.0;
        first.powi(2) + x[0].powi(2) + x[1].powi(2)
    };
    let least = squares([x1, x2, x3]);
    for along in [[1.0, -2.0, 0.0], [0.0, 1.0, -1.0], [1.0, 0.0, -2.0]] {
        for h in [1e-3, -1e-3] {
            let moved = [x1 + h * along[0], x2 + h * along[1], x3 + h * along[2]];
            assert!(squares(moved) >= least, "{along:?}");
        }
    }
}

#[test]
fn a_transfer_function_of_order_zero_is_a_gain() {
    let mut model = start(|m| {
        let u = m.add("u", Constant::new().k(3));
        let t = m.add("t", TransferFunction::new().b([5]).a([2]));
        m.connect(u.y, t.u);
    });
    assert_eq!(value(&mut model, "t.y"), 7.5);
}

#[test]
fn scaled_states_are_multiplied_by_a_positive_last_coefficient() {
    for (last, scale) in [(4.0, 4.0), (-4.0, 1.0), (0.0, 1.0)] {
        let mut model = start(|m| {
            let u = m.add("u", Constant::new().k(3));
            let t = m.add("t", TransferFunction::new().a([1.0, last]).x_start([0.5]));
            m.connect(u.y, t.u);
        });
        assert_eq!(value(&mut model, "t.x_scaled[1]"), scale * value(&mut model, "t.x[1]"));
    }
}

#[test]
fn systems_whose_sizes_do_not_match_are_refused() {
    let of = |t: TransferFunction| {
        refusal(move |m: &mut Assembly| {
            let u = m.add("u", Constant::new().k(3));
            let t = m.add("t", t);
            m.connect(u.y, t.u);
        })
    };
    let sentence = of(TransferFunction::new().b([1, 2, 3]).a([1, 2]));
    let wanted = "t.b: a transfer function with 3 coefficients in b and 2 in a is not proper";
    assert_eq!(sentence, wanted);
    let sentence = of(TransferFunction::new().a([0, 2]));
    assert!(sentence.contains("t.a[1] = 0: the first coefficient must not be zero"), "{sentence}");
    let sentence = of(TransferFunction::new().a([1, 2, 3]).x_start([1]));
    assert_eq!(sentence, "t.x_start: the states are 2, but the values 1");
    let of = |s: StateSpace| {
        refusal(move |m: &mut Assembly| {
            let u = m.add("u", Constant::new().k(3));
            let s = m.add("s", s);
            m.connect(u.y, s.u.element(1));
        })
    };
    let sentence = of(StateSpace::new().A([[1, 2]]));
    assert_eq!(sentence, "s.A: it has 1 rows and 2 columns, not 1 and 1");
    let sentence = of(StateSpace::new().B([[1, 2], [3, 4]]));
    assert_eq!(sentence, "s.u: 1 input is connected, but s.B has 2 columns");
}

/// The largest difference to the delayed sine, after a while.
fn error_of(part: PadeDelay) -> f64 {
    let mut model = start(|m| {
        let u = m.add("u", Sine::new().amplitude(1).f(1));
        let part = m.add("part", part);
        m.connect(u.y, part.u);
    });
    let mut largest = 0.0_f64;
    for k in 1..=20 {
        let t = 2.0 + 0.05 * f64::from(k);
        run_to(&mut model, t);
        let delayed = (2.0 * std::f64::consts::PI * (t - 0.2)).sin();
        largest = largest.max((value(&mut model, "part.y") - delayed).abs());
    }
    largest
}

#[test]
fn a_pade_delay_delays_the_better_the_higher_its_order() {
    let of = |n: i32| PadeDelay::new().delay_time(0.2).n(n);
    assert!(error_of(of(1)) > 1e-2);
    assert!(error_of(of(3)) < 1e-4);
    assert!(error_of(of(10)) < 1e-6);
    assert!(error_of(of(10).balance(true)) < 1e-6);
    assert!(error_of(of(5).m(4)) < 1e-6);
}

#[test]
fn a_pade_delay_begins_at_its_input() {
    for balance in [false, true] {
        for n in [1, 2, 5, 10] {
            let mut model = start(|m| {
                let u = m.add("u", Constant::new().k(3));
                let part = m.add("part", PadeDelay::new().delay_time(0.2).n(n).balance(balance));
                m.connect(u.y, part.u);
            });
            for t in [0.0, 0.1, 0.5] {
                run_to(&mut model, t);
                let y = value(&mut model, "part.y");
                assert!((y - 3.0).abs() < 1e-6, "{n} {balance} at {t}: {y}");
            }
        }
    }
    let sentence = refusal(|m| {
        let u = m.add("u", Constant::new().k(3));
        let part = m.add("part", PadeDelay::new().delay_time(0.2).n(2).m(3));
        m.connect(u.y, part.u);
    });
    assert_eq!(sentence, "part.m: the order 3 is larger than n = 2");
}
