//! Tables as signals: the polygon through their points, an event at every row, and refusals.

use crate::common::{
    events, initialize, program, run_to, settle, simulation, simulation_of, start, value,
};
use equations::{Interpreter, Program};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::rotational::{Inertia, Speed};
use std::fs;
use std::path::Path;
use std::sync::Arc;

const POINTS: [[f64; 3]; 4] = [[0.0, 1.0, 5.0], [1.0, 3.0, 5.0], [3.0, -1.0, 7.0], [4.0, 0.0, 9.0]];

/// The program of a table `s` of time.
fn program_of(table: CombiTimeTable) -> Program {
    let text = |m: &mut Assembly| {
        m.add("s", table);
    };
    program(text).expect("the table is sound")
}

/// A table `s` of time after its start.
fn of_time(table: CombiTimeTable) -> Simulation {
    let mut model = simulation_of(&program_of(table));
    initialize(&mut model);
    model
}

/// Values of `s.y[1]` at instants that ascend.
fn at<const N: usize>(model: &mut Simulation, instants: [f64; N]) -> [f64; N] {
    instants.map(|t| {
        run_to(model, t);
        value(model, "s.y[1]")
    })
}

#[test]
fn a_table_of_time_is_the_polygon_through_its_points() {
    let mut model = of_time(CombiTimeTable::new().rows(POINTS));
    let values = at(&mut model, [0.0, 0.5, 1.0, 2.0, 3.0, 3.5, 4.0, 6.0]);
    assert_eq!(values, [1.0, 2.0, 3.0, 1.0, -1.0, -0.5, 0.0, 2.0]);
    assert_eq!(value(&mut model, "s.y[2]"), 13.0);
    assert_eq!(value(&mut model, "s.table[3,2]"), -1.0);
    assert_eq!(value(&mut model, "s.row"), 4.0);
}

#[test]
fn before_its_start_a_table_of_time_is_its_offset() {
    use Extrapolation::{HoldLastPoint, LastTwoPoints, Periodic};
    for kind in [LastTwoPoints, HoldLastPoint, Periodic] {
        let table =
            CombiTimeTable::new().rows([[0.0, 2.0], [1.0, 5.0]]).offset(10.0).start_time(1.25);
        let mut model = of_time(table.extrapolation(kind));
        let values = at(&mut model, [0.0, 0.75, 1.25, 1.75]);
        assert_eq!(values, [10.0, 10.0, 12.0, 13.5], "{kind:?}");
    }
}

#[test]
fn every_row_is_a_time_event_and_there_is_no_other() {
    let mut model = of_time(CombiTimeTable::new().rows(POINTS).start_time(0.5));
    assert_eq!(events(&mut model, 100.0), [0.5, 1.5, 3.5, 4.5]);
}

#[test]
fn before_the_start_time_there_is_only_the_offset() {
    let mut model = of_time(CombiTimeTable::new().rows(POINTS).start_time(2.0).offset(10.0));
    assert_eq!(at(&mut model, [0.0, 1.9, 2.0, 2.5]), [10.0, 10.0, 11.0, 12.0]);
    // The table's own time may begin before or after its first row.
    let mut model = of_time(CombiTimeTable::new().rows([[1.0, 1.0], [2.0, 3.0]]).start_time(1.0));
    assert_eq!(at(&mut model, [0.5, 1.0, 1.5, 2.0, 3.0]), [0.0, -1.0, 0.0, 1.0, 3.0]);
    let mut model = of_time(CombiTimeTable::new().rows([[-1.0, 1.0], [1.0, 3.0]]).start_time(1.0));
    assert_eq!(at(&mut model, [0.5, 1.0, 1.5, 2.0]), [0.0, 2.0, 2.5, 3.0]);
}

#[test]
fn two_rows_with_the_same_time_are_a_jump() {
    let rows = [[0.0, 0.0], [1.0, 1.0], [1.0, 5.0], [2.0, 6.0], [2.0, 9.0]];
    let mut model = of_time(CombiTimeTable::new().rows(rows));
    assert_eq!(model.next_event_time(), Ok(1.0));
    model.move_to(1.0, &[]).unwrap();
    assert_eq!(value_now(&mut model), 1.0, "before the event: the value on the left");
    settle(&mut model);
    assert_eq!(value_now(&mut model), 5.0, "after it: the value on the right");
    assert_eq!(events(&mut model, 5.0), [2.0]);
    assert_eq!(value_now(&mut model), 9.0, "a jump at the end has no slope to go on with");
}

fn value_now(model: &mut Simulation) -> f64 {
    value(model, "s.y[1]")
}

#[test]
fn a_table_may_hold_its_ends() {
    let rows = [[1.0, 1.0], [2.0, 3.0]];
    let hold = CombiTimeTable::new().rows(rows).extrapolation(Extrapolation::HoldLastPoint);
    let mut model = of_time(hold);
    assert_eq!(at(&mut model, [0.0, 0.5, 1.0, 1.5, 2.0, 9.0]), [1.0, 1.0, 1.0, 2.0, 3.0, 3.0]);
    let mut model = of_time(CombiTimeTable::new().rows([[5.0, 2.0]]));
    assert_eq!(at(&mut model, [0.0, 5.0, 7.0]), [2.0, 2.0, 2.0], "one row is a constant");
}

#[test]
fn constant_segments_are_a_staircase() {
    let stairs = CombiTimeTable::new().rows(POINTS).smoothness(Smoothness::ConstantSegments);
    let mut model = of_time(stairs);
    let values = at(&mut model, [0.0, 0.99, 1.0, 2.99, 3.0, 4.0, 9.0]);
    assert_eq!(values, [1.0, 1.0, 3.0, 3.0, -1.0, 0.0, 5.0], "a line continues the last two rows");
}

#[test]
fn a_periodic_table_repeats_itself() {
    let saw = || {
        let rows = CombiTimeTable::new().rows([[0.5, 0.0], [0.7, 2.0], [0.8, 1.0], [0.8, 0.0]]);
        rows.extrapolation(Extrapolation::Periodic)
    };
    let expected = |t: f64| {
        let s = (t - 0.5).rem_euclid(0.3);
        if s < 0.2 { s * 10.0 } else { 2.0 - (s - 0.2) * 10.0 }
    };
    let mut model = of_time(saw());
    for k in 0..5000 {
        let t = 0.013_743_1 * f64::from(k);
        run_to(&mut model, t);
        let y = value(&mut model, "s.y[1]");
        assert!((y - expected(t)).abs() < 1e-9, "at {t} s: {y}, not {}", expected(t));
    }
    assert_eq!(value(&mut model, "s.cycle"), ((4999.0 * 0.013_743_1 - 0.5) / 0.3_f64).floor());
    let mut model = of_time(saw());
    let events = events(&mut model, 0.9);
    let expected = [0.1, 0.2, 0.4, 0.5, 0.7, 0.8];
    assert_eq!(events.len(), expected.len(), "{events:?}");
    let mut both = events.iter().zip(expected);
    assert!(both.all(|(a, b)| (a - b).abs() < 1e-12), "{events:?}");
}

#[test]
fn a_simulation_may_begin_anywhere_in_a_table() {
    for periodic in [false, true] {
        let kind = if periodic { Extrapolation::Periodic } else { Extrapolation::LastTwoPoints };
        for begin in [0.0_f64, 0.7, 1.0, 3.999, 4.0, 12.25, 4e6 + 1.5] {
            let table = CombiTimeTable::new().rows(POINTS).extrapolation(kind);
            let program = program_of(table);
            let s = if periodic { begin.rem_euclid(4.0) } else { begin };
            let expected = match s {
                s if s < 1.0 => 1.0 + 2.0 * s,
                s if s < 3.0 => 5.0 - 2.0 * s,
                s => s - 4.0,
            };
            let mut first = Interpreter::new(program.clone());
            first.t = begin;
            first.realize().unwrap();
            let y = first.value_of("s.y[1]").unwrap();
            assert!((y - expected).abs() < 1e-12, "{begin}: {y} before any event");
            let mut model = simulation_of(&program);
            model.start_at(begin, None).unwrap();
            let y = value_now(&mut model);
            assert!((y - expected).abs() < 1e-12, "{begin}: {y}, not {expected}");
        }
    }
}

#[test]
fn without_extrapolation_a_value_beyond_the_table_is_an_error() {
    let strict = CombiTimeTable::new().rows(POINTS).extrapolation(Extrapolation::NoExtrapolation);
    let mut model = of_time(strict);
    assert_eq!(at(&mut model, [0.0, 4.0]), [1.0, 0.0]);
    model.move_to(4.1, &[]).unwrap();
    assert!(model.read("s.y[1]").is_err());
    let mut model = of_time(CombiTimeTable::new().rows(POINTS));
    model.move_to(4.1, &[]).unwrap();
    assert!(model.read("s.y[1]").is_ok());
}

/// A table `s` read by an input `u`.
fn of_signal(table: CombiTable1D) -> Simulation {
    start(|m| {
        let u = m.add("u", ExternalInput::new().unit("1").start(0.0));
        let s = m.add("s", table);
        m.connect(u.y, s.u);
        m.output("y", s.y(1));
    })
}

#[test]
fn a_table_of_a_signal_is_the_polygon_through_its_points() {
    let rows = [[-1.0, 2.0], [0.0, 4.0], [2.0, 0.0], [3.0, 1.0]];
    for (kind, below, above) in [
        (Extrapolation::LastTwoPoints, 0.0, 3.0),
        (Extrapolation::HoldLastPoint, 2.0, 1.0),
        (Extrapolation::Periodic, 0.0, 2.0),
    ] {
        let mut model = of_signal(CombiTable1D::new().rows(rows).extrapolation(kind));
        for (u, y) in [
            (-2.0, below),
            (-1.0, 2.0),
            (-0.5, 3.0),
            (0.0, 4.0),
            (1.5, 1.0),
            (2.5, 0.5),
            (5.0, above),
        ] {
            model.set("u", u).unwrap();
            settle(&mut model);
            assert_eq!(value(&mut model, "s.y[1]"), y, "{kind:?} at {u}");
        }
    }
    assert!(events(&mut of_signal(CombiTable1D::new().rows(rows)), 10.0).is_empty());
}

#[test]
fn a_prescribed_speed_follows_a_table_and_its_slope_is_the_acceleration() {
    let mut model = start(|m| {
        let s = m.add("s", CombiTimeTable::new().rows(POINTS));
        let speed = m.add("speed", Speed::new().exact(true));
        let load = m.add("load", Inertia::new().J(2.0));
        m.connect(s.y(1), speed.w_ref);
        m.connect(speed.flange, load.flange_a);
    });
    for (t, w, a) in [(0.0, 1.0, 2.0), (0.5, 2.0, 2.0), (1.0, 3.0, -2.0), (3.5, -0.5, 1.0)] {
        run_to(&mut model, t);
        let found = [value(&mut model, "load.w"), value(&mut model, "load.a")];
        assert_eq!(found, [w, a], "at {t} s");
    }
}

#[test]
fn initial_values_follow_signals_that_begin_at_the_start() {
    let begin = |source: fn(&mut Assembly) -> Quantity, t: f64| {
        let mut model = simulation(|m| {
            let w = source(m);
            let speed = m.add("speed", Speed::new());
            let load = m.add("load", Inertia::new().J(2.0));
            m.connect(w, speed.w_ref);
            m.connect(speed.flange, load.flange_a);
        })
        .expect("the model is sound");
        model.start_at(t, None).unwrap();
        value(&mut model, "load.w")
    };
    assert_eq!(begin(|m| m.add("s", Step::new().height(3.0)).y, 0.0), 3.0);
    assert_eq!(begin(|m| m.add("s", Step::new().height(3.0).start_time(1.0)).y, 0.0), 0.0);
    assert_eq!(begin(|m| m.add("s", Ramp::new().height(4.0).duration(2.0)).y, 1.0), 2.0);
    assert_eq!(begin(|m| m.add("s", Pulse::new().amplitude(3.0).period(1.0)).y, 7.25), 3.0);
    assert_eq!(begin(|m| m.add("s", Pulse::new().amplitude(3.0).period(1.0)).y, 7.75), 0.0);
    assert_eq!(begin(|m| m.add("s", CombiTimeTable::new().rows(POINTS)).y(1), 2.0), 1.0);
    let limited = |m: &mut Assembly| {
        let large = m.add("large", Constant::new().k(9.0));
        let s = m.add("s", Limiter::new().u_max(2.5));
        m.connect(large.y, s.u);
        s.y
    };
    assert_eq!(begin(limited, 0.0), 2.5);
}

/// Calls `f` with a folder that contains one file.
fn with_file(name: &str, text: &str, f: impl FnOnce(&Path)) {
    let folder = std::env::temp_dir().join(format!("tables_{}_{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), text).unwrap();
    f(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn program_in(folder: &Path, text: impl FnOnce(&mut Assembly)) -> Result<Program, String> {
    let program = equations::compile_named("Test", "A test.", |model| {
        model.resources(folder);
        if let Err(error) = mechanics::assemble(text, model) {
            model.refuse(equations::Error::Definition(error.to_string()));
        }
    });
    program.map_err(|error| error.to_string())
}

#[test]
fn a_file_and_the_same_rows_in_the_text_give_the_same_bits() {
    let mut text = String::from("time,v\n");
    let rows: Vec<[f64; 2]> =
        (0..50).map(f64::from).map(|k| [k * k / 7.0, (k * 1.3).sin()]).collect();
    for [t, v] in &rows {
        text.push_str(&format!("{t:?},{v:?}\n"));
    }
    with_file("cycle.csv", &text, |folder| {
        let of_file = program_in(folder, |m| {
            m.add("s", CombiTimeTable::new().file("cycle.csv"));
        });
        let of_file = of_file.unwrap();
        let of_rows = program_of(CombiTimeTable::new().rows(rows));
        assert_eq!(of_file.files(), ["cycle.csv"]);
        assert!(of_rows.files().is_empty());
        let file = Simulation::with_resources(&Arc::new(of_file.taped()), folder).unwrap();
        let (mut file, mut rows) = (file, simulation_of(&of_rows));
        initialize(&mut file);
        initialize(&mut rows);
        for k in 0..400 {
            let t = 0.9 * f64::from(k);
            assert_eq!(events(&mut file, t), events(&mut rows, t));
            let (a, b) = (value(&mut file, "s.y[1]"), value(&mut rows, "s.y[1]"));
            assert_eq!(a.to_bits(), b.to_bits(), "at {t} s");
        }
    });
}

#[test]
fn impossible_tables_are_refused_with_row_or_line_and_value() {
    let refusal = |text: fn(&mut Assembly)| program(text).expect_err("it is impossible");
    let none: [[f64; 2]; 0] = [];
    let table = |t: CombiTimeTable| {
        simulation(|m| {
            m.add("s", t);
        })
        .expect_err("it is impossible")
    };
    assert_eq!(table(CombiTimeTable::new().rows(none)), "s: there are no rows");
    let turned = CombiTimeTable::new().rows([[0.0, 1.0], [2.0, 1.0], [1.0, 1.0]]);
    assert_eq!(table(turned), "s: row 3: 1 must not be below 2 in the row above");
    let one = CombiTimeTable::new().rows([[0.0], [1.0]]);
    assert_eq!(
        table(one),
        "s.table: there is only the column of the abscissae; at least one more is required"
    );
    let still = CombiTimeTable::new().rows([[1.0, 1.0]]).extrapolation(Extrapolation::Periodic);
    assert_eq!(table(still), "s: a periodic table needs two different abscissae, but all are 1");
    let absent = refusal(|m| {
        let s = m.add("s", CombiTimeTable::new().rows([[0.0, 1.0]]));
        let other = m.add("other", CombiTable1D::new().rows([[0.0, 1.0]]));
        m.connect(s.y(2), other.u);
    });
    assert_eq!(absent, "s.y[2]: y has 1 element, counted from 1");
    let jump = refusal(|m| {
        let u = m.add("u", Constant::new().k(0.0));
        let s = m.add("s", CombiTable1D::new().rows([[0.0, 1.0], [0.0, 2.0]]));
        m.connect(u.y, s.u);
    });
    assert_eq!(jump, "s: row 2: 0 must be larger than 0 in the row above");
    with_file("one.csv", "time\n0\n1\n", |folder| {
        let one = program_in(folder, |m| {
            m.add("s", CombiTimeTable::new().file("one.csv"));
        });
        let why = "there is only the column of the abscissae; at least one more is required";
        assert_eq!(one.unwrap_err(), format!("s: one.csv: {why}"));
    });
    with_file("bad.csv", "time,v\n0,1\n1,x\n", |folder| {
        let text = |file: &'static str| {
            move |m: &mut Assembly| {
                m.add("s", CombiTimeTable::new().file(file));
            }
        };
        let bad = program_in(folder, text("bad.csv")).unwrap_err();
        assert_eq!(bad, "s: bad.csv: line 3: \"x\" is not a number");
        let missing = program_in(folder, text("none.csv")).unwrap_err();
        let there = folder.join("none.csv");
        assert_eq!(missing, format!("s: there is no file {}", there.display()));
        let inner = folder.join("models");
        let below = program_in(&inner, text("bad.csv")).unwrap_err();
        let [there, here] = [&inner, folder].map(|folder| folder.join("bad.csv"));
        let [there, here] = [there.display(), here.display()];
        assert_eq!(below, format!("s: there is no file {there}; {here} belongs there"));
        let of_model = folder.join("pump").join("flow.csv");
        fs::create_dir(folder.join("pump")).unwrap();
        fs::write(&of_model, "0,1\n").unwrap();
        let unnamed = program_in(folder, text("flow.csv")).unwrap_err();
        let [there, here] =
            [folder.join("flow.csv"), of_model].map(|path| path.display().to_string());
        let why = "is that of a model, which MODELS.simulation(\"pump\") simulates";
        assert_eq!(unnamed, format!("s: there is no file {there}; {here} {why}"));
        for file in ["../bad.csv", "/bad.csv", "./bad.csv", "C:/bad.csv", "a\\bad.csv", ""] {
            let outside = program_in(folder, text(file)).unwrap_err();
            let why = "it must be a path inside the folder of resources";
            assert_eq!(outside, format!("s: {file}: {why}"));
        }
    });
}

#[test]
fn a_column_that_a_table_does_not_have_is_refused_with_their_number() {
    let refusal = |column: usize, rows: Vec<[f64; 3]>| {
        let built = simulation(|m| {
            let table = m.add("cycle", CombiTimeTable::new().rows(rows));
            m.output("y", table.y(column));
        });
        built.err().unwrap_or_default()
    };
    let rows = || vec![[0.0, 1.0, 2.0], [1.0, 2.0, 3.0]];
    assert_eq!(refusal(2, rows()), "");
    for column in [0, 3] {
        let name = format!("cycle.y[{column}]: y has 2 elements, counted from 1");
        assert_eq!(refusal(column, rows()), name);
    }
    let one = simulation(|m| {
        let table = m.add("cycle", CombiTimeTable::new().rows([[0.0, 1.0], [1.0, 2.0]]));
        let torque = m.add("torque", libraries::rotational::Torque::new());
        let wheel = m.add("wheel", libraries::rotational::Inertia::new().J(1.0));
        m.connect(table.y(0), torque.tau);
        m.connect(torque.flange, wheel.flange_a);
    });
    let sentence = "cycle.y[0]: y has 1 element, counted from 1";
    assert_eq!(one.err().as_deref(), Some(sentence));
}

fn smooth(rows: &[[f64; 2]]) -> CombiTimeTable {
    let rows: Vec<[f64; 2]> = rows.to_vec();
    CombiTimeTable::new().rows(rows).smoothness(Smoothness::ContinuousDerivative)
}

#[test]
fn a_smooth_table_is_exact_for_lines_and_parabolas() {
    let line: Vec<[f64; 2]> = [0.0, 0.5, 2.0, 2.5, 4.0].map(|t| [t, 3.0 - 2.0 * t]).to_vec();
    let parabola = |t: f64| 1.0 + 0.5 * t - 2.0 * t * t;
    let points: Vec<[f64; 2]> =
        (0..6).map(|k| f64::from(k) * 0.5).map(|t| [t, parabola(t)]).collect();
    let (mut of_line, mut curve) = (of_time(smooth(&line)), of_time(smooth(&points)));
    let mut two = of_time(smooth(&line[..2]));
    for k in 0..=24 {
        let t = 0.1 * f64::from(k);
        for model in [&mut of_line, &mut two] {
            assert!((at(model, [t])[0] - (3.0 - 2.0 * t)).abs() < 1e-14, "{t}");
        }
        let [y] = at(&mut curve, [t]);
        assert!((y - parabola(t)).abs() < 1e-13, "{t}: {y}");
    }
    // Beyond the last point, the curve continues as a line.
    let [y] = at(&mut curve, [3.5]);
    let slope = 0.5 - 4.0 * 2.5;
    assert!((y - (parabola(2.5) + slope)).abs() < 1e-12, "{y}");
    let mut held = of_time(smooth(&points).extrapolation(Extrapolation::HoldLastPoint));
    assert_eq!(at(&mut held, [3.5]), [parabola(2.5)]);
}

#[test]
fn a_smooth_table_does_not_overshoot_a_step() {
    let step = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 1.0], [4.0, 1.0], [5.0, 1.0]];
    let mut model = of_time(smooth(&step));
    let values = at(&mut model, [0.5, 1.7, 2.25, 2.5, 3.0, 3.3]);
    // A cubic polynomial that is level at both ends.
    let quarter = 0.25_f64.powi(2) * (3.0 - 2.0 * 0.25);
    for (have, want) in values.into_iter().zip([0.0, 0.0, quarter, 0.5, 1.0, 1.0]) {
        assert!((have - want).abs() < 1e-15, "{values:?}");
    }
}

#[test]
fn the_slope_of_a_smooth_table_is_continuous_also_where_it_is_repeated() {
    let rows = [[0.0, 1.0], [0.7, 3.0], [1.1, -1.0], [2.0, 0.5], [2.4, 1.0]];
    for extrapolation in [Extrapolation::LastTwoPoints, Extrapolation::Periodic] {
        let mut model = of_time(smooth(&rows).extrapolation(extrapolation));
        for t in [0.7, 1.1, 2.0, 2.4, 3.1, 3.5] {
            let h = 1e-4;
            let [a, b, c, d, e] = at(&mut model, [t - 2.0 * h, t - h, t, t + h, t + 2.0 * h]);
            let (left, right) = ((3.0 * c - 4.0 * b + a) / h, (4.0 * d - 3.0 * c - e) / h);
            assert!((left - right).abs() < 1e-4, "at {t} s: {left} and {right}");
        }
    }
    let mut model = of_time(smooth(&rows).extrapolation(Extrapolation::Periodic));
    let [one, other] = at(&mut model, [0.9, 0.9 + 2.4]);
    assert!((one - other).abs() < 1e-14, "{one} and {other}");
    // The tangents by hand: those of the points at 0.7 and 1.1.
    let mut model = of_time(smooth(&rows));
    let [y] = at(&mut model, [0.9]);
    assert!((y - 0.7408028211937829).abs() < 1e-13, "{y}");
}

#[test]
fn a_smooth_table_has_no_jumps() {
    let message = simulation(|m| {
        m.add("s", smooth(&[[0.0, 1.0], [1.0, 2.0], [1.0, 3.0]]));
    });
    assert!(message.is_err_and(|why| why.contains("must be larger than")));
}
