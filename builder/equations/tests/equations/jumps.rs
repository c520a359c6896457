//! Notes about variables that jump without an event.

use equations::{Ex, Model, compile_named, select};

/// The names of the variables that are reported.
fn reported(text: impl FnOnce(&mut Model, Ex) -> Ex) -> Vec<String> {
    let program = compile_named("Example", "An example.", |m: &mut Model| {
        let x = m.state("x", 0.0).done();
        let derivative = text(m, x);
        m.derivative(x, derivative);
    });
    let program = program.expect("a correct model");
    let jumps = program.notes().iter().filter(|note| note.contains("it jumps"));
    jumps.filter_map(|note| Some(note.split_once(':')?.0.to_owned())).collect()
}

#[test]
fn a_variable_that_jumps_without_a_relation_is_named() {
    let two_point = |m: &mut Model, x: Ex| {
        let k = m.parameter("k", 2.0).done();
        let y = select(x.gt(0.5), -k, k);
        m.local("y", y);
        m.local("more", y + x);
        y + x + 1.0
    };
    assert_eq!(reported(two_point), ["y"]);
    assert_eq!(reported(|_, x| select(x.lt(0.5), 1.0, -1.0)), ["der(x)"]);
    assert_eq!(reported(|_, x| 1.0 - (x - 0.2).sign() * 2.0), ["der(x)"]);
    assert_eq!(reported(|_, x| (x * 3.0).floor()), ["der(x)"]);
    let slope = |_: &mut Model, x: Ex| select((2.0 * x).le(3.0), 5.0 * x, 5.0 * x - 1.0);
    assert_eq!(reported(slope), ["der(x)"]);
    let timed = |m: &mut Model, _| {
        let u = select(m.time().gt(0.25), 1.0, 0.0);
        m.output("u", u);
        u
    };
    assert_eq!(reported(timed), ["u"]);
}

#[test]
fn what_is_continuous_or_an_event_is_not_reported() {
    let none: Vec<String> = Vec::new();
    assert_eq!(reported(|_, x| select(x.gt(0.0), x, 0.0)), none);
    assert_eq!(reported(|_, x| select(x.gt(1.0), (x - 1.0).sqrt(), 0.0)), none);
    let drag = |m: &mut Model, x: Ex| {
        let direction = x.sign();
        m.local("direction", direction);
        -(direction * x.square())
    };
    assert_eq!(reported(drag), none);
    let relation = |m: &mut Model, x: Ex| {
        let high = m.relation("high", x - 0.5).done();
        select(high, -1.0, 1.0)
    };
    assert_eq!(reported(relation), none);
    let limited = |m: &mut Model, x: Ex| {
        let p = m.parameter("p", 1.0).done();
        select(p.gt(0.5), x.min(1.0).max(-1.0), x.abs())
    };
    assert_eq!(reported(limited), none);
    // An output is not integrated.
    let output = |m: &mut Model, x: Ex| {
        m.output("y", select(x.gt(0.5), 1.0, 0.0));
        -x
    };
    assert_eq!(reported(output), none);
}
