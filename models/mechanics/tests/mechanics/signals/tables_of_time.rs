//! Tables of time of each type: values, exact events, extrapolation, and refusals.

use crate::common::{events, refusal, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::component::Component;

fn alone(source: impl Component) -> Simulation {
    start(|m| {
        m.add("s", source);
    })
}

/// The sentence with which a source `s` is refused.
fn sentence(source: impl Component) -> String {
    refusal(|m| {
        m.add("s", source);
    })
}

/// Values of `s.y` at instants that ascend.
fn at<const N: usize>(model: &mut Simulation, instants: [f64; N]) -> [f64; N] {
    instants.map(|t| {
        run_to(model, t);
        value(model, "s.y")
    })
}

#[test]
fn a_truth_value_changes_at_each_instant() {
    let table = || BooleanTable::new().table([1.0, 2.5, 3.0]);
    let instants = [0.0, 0.9, 1.0, 2.4, 2.5, 2.9, 3.0, 9.0];
    let expected = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0];
    assert_eq!(at(&mut alone(table()), instants), expected);
    let opposite = at(&mut alone(table().start_value(true)), instants);
    assert_eq!(opposite, expected.map(|y| 1.0 - y));
    assert_eq!(events(&mut alone(table()), 10.0), [1.0, 2.5, 3.0]);
}

#[test]
fn an_instant_at_the_start_has_passed() {
    let mut model = alone(BooleanTable::new());
    assert_eq!(value(&mut model, "s.y"), 1.0);
    assert_eq!(events(&mut model, 10.0), [1.0]);
    assert_eq!(value(&mut model, "s.y"), 0.0);
}

#[test]
fn a_table_without_instants_is_a_constant() {
    let none: [f64; 0] = [];
    let mut model = alone(BooleanTable::new().table(none).start_value(true));
    assert_eq!(at(&mut model, [0.0, 5.0]), [1.0, 1.0]);
}

#[test]
fn a_table_is_shifted_and_begins_at_its_start_time() {
    let table = BooleanTable::new().table([1.0, 2.0]).shift_time(1).start_value(true);
    let mut model = alone(table.start_time(0.5));
    let values = at(&mut model, [0.0, 0.4, 0.5, 1.9, 2.0, 2.9, 3.0]);
    assert_eq!(values, [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0]);
    // It may begin in the middle of the table.
    let mut model = alone(BooleanTable::new().table([1.0, 2.0, 4.0]).start_time(1.5));
    assert_eq!(at(&mut model, [1.4, 1.5, 1.9, 2.0, 4.0]), [0.0, 1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn a_periodic_table_repeats_itself_in_both_directions() {
    let table = BooleanTable::new().table([1.0, 1.5, 3.0]).extrapolation(Extrapolation::Periodic);
    let expected = |t: f64| f64::from((t - 1.0).rem_euclid(2.0) < 0.5);
    let mut model = alone(table.clone());
    for k in 0..100 {
        let t = 0.09 * f64::from(k);
        assert_eq!(at(&mut model, [t]), [expected(t)], "at {t} s");
    }
    let mut model = simulation(|m| {
        m.add("s", table);
    })
    .unwrap();
    model.start_at(1e6 + 0.25, None).unwrap();
    assert_eq!(at(&mut model, [1e6 + 0.25, 1e6 + 1.25, 1e6 + 1.75]), [0.0, 1.0, 0.0]);
}

#[test]
fn whole_numbers_follow_their_rows() {
    let rows = [[0.0, 2.0], [1.0, -3.0], [3.0, 7.0]];
    let mut model = alone(IntegerTable::new().table(rows));
    assert_eq!(at(&mut model, [0.0, 0.9, 1.0, 2.9, 3.0, 9.0]), [2.0, 2.0, -3.0, -3.0, 7.0, 7.0]);
    let late = IntegerTable::new().table(rows).start_time(0.5).shift_time(0.25);
    assert_eq!(at(&mut alone(late), [0.4, 0.5, 1.2, 1.25, 3.25]), [0.0, 2.0, 2.0, -3.0, 7.0]);
    let periodic = IntegerTable::new().table(rows).extrapolation(Extrapolation::Periodic);
    assert_eq!(at(&mut alone(periodic), [2.9, 3.0, 4.0, 6.0]), [-3.0, 2.0, -3.0, 2.0]);
}

#[test]
fn truth_values_of_tables_act_on_other_blocks_from_the_start() {
    let mut model = start(|m| {
        let table = m.add("table", BooleanTable::new().table([0.0, 1.0]));
        let number = m.add("number", IntegerTable::new().table([[0.0, 5.0], [1.0, 1.0]]));
        let (not, large) =
            (m.add("not", Not::new()), m.add("large", IntegerToBoolean::new().threshold(3)));
        let (s, heat) = (m.add("s", Switch::new()), m.add("heat", BooleanToReal::new()));
        let lag = m.add("lag", FirstOrder::new().T(1).steady_state(true));
        let zero = m.add("zero", Constant::new().k(0));
        m.connect(table.y, not.u);
        m.connect(number.y, large.u);
        m.connect(large.y, heat.u);
        m.connect(not.y, s.u2);
        m.connect(zero.y, s.u1);
        m.connect(heat.y, s.u3);
        m.connect(s.y, lag.u);
    });
    assert_eq!(value(&mut model, "lag.y"), 1.0, "the start is steady");
    assert_eq!(value(&mut model, "not.y"), 0.0);
    run_to(&mut model, 2.0);
    assert!((value(&mut model, "lag.y") - (-1.0_f64).exp()).abs() < 1e-7);
}

#[test]
fn lines_between_rows_continue_beyond_the_ends() {
    let rows = [[0.0, 1.0], [1.0, 3.0], [1.0, 7.0], [3.0, 5.0]];
    let table = || TimeTable::new().table(rows);
    let values = at(&mut alone(table()), [0.0, 0.5, 0.99999, 1.0, 2.0, 3.0, 5.0]);
    assert_eq!(values.map(|y| (y * 1e3).round() / 1e3), [1.0, 2.0, 3.0, 7.0, 6.0, 5.0, 3.0]);
    assert_eq!(events(&mut alone(table()), 10.0), [1.0, 3.0]);
    let late = table().offset(10).start_time(2);
    assert_eq!(at(&mut alone(late.clone()), [1.9, 2.0, 2.5, 3.0]), [10.0, 11.0, 12.0, 17.0]);
    // With a time of its own, the table is not shifted to the start time.
    assert_eq!(at(&mut alone(late.shift_time(0)), [1.9, 2.0, 5.0]), [10.0, 16.0, 13.0]);
    let minutes = TimeTable::new().table([[0.0, 0.0], [1.0, 60.0]]).time_scale(60);
    assert_eq!(at(&mut alone(minutes), [0.0, 30.0, 90.0]), [0.0, 30.0, 90.0]);
    let mut constant = alone(TimeTable::new().table([[4.0, 2.0]]).offset(1));
    assert_eq!(at(&mut constant, [0.0, 9.0]), [3.0, 3.0]);
}

#[test]
fn a_shift_time_that_is_not_given_follows_the_start_time() {
    let mut model = simulation(|m| {
        m.add("s", TimeTable::new().table([[0.0, 1.0], [1.0, 2.0]]));
    })
    .unwrap();
    model.set("s.startTime", 1.5).unwrap();
    model.start(None).unwrap();
    assert_eq!(at(&mut model, [1.4, 1.5, 2.0]), [0.0, 1.0, 1.5]);
}

#[test]
fn tables_of_time_are_refused_with_their_mistakes() {
    assert_eq!(
        sentence(BooleanTable::new().table([1.0, 3.0, 2.0])),
        "s.table[3]: 2 s, which is not after 3 s"
    );
    assert_eq!(
        sentence(IntegerTable::new().table([[0.0, 1.0], [1.0, 2.5]])),
        "s.table[2,2]: 2.5 is no whole number"
    );
    assert_eq!(
        sentence(IntegerTable::new().table([[0.0, 1.0], [0.0, 2.0]])),
        "s.table[2,1]: 0 s, which is not after 0 s"
    );
    for other in [Extrapolation::LastTwoPoints, Extrapolation::NoExtrapolation] {
        let expected = format!("s.extrapolation: {other:?} needs lines");
        assert_eq!(sentence(BooleanTable::new().extrapolation(other)), expected);
    }
    assert_eq!(
        sentence(TimeTable::new().table([[1.0, 1.0], [2.0, 2.0]])),
        "s.table[1,1]: the first time is 0, not 1"
    );
    assert_eq!(
        sentence(TimeTable::new().table([[1.0, 1.0, 2.0]])),
        "s.table: a row has two numbers, the time and the value"
    );
}
