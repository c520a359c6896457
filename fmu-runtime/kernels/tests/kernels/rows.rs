//! Tables by rows: search, entries, and messages about text that is not a table.

use kernels::newton::{FailureKind, TableRange};
use kernels::rows::{Rows, TableShape};
use random::Random;

const SHAPE: TableShape = TableShape { columns: 2, jumps: true, periodic: false };

fn table() -> Rows {
    Rows::new(vec![0.0, 10.0, 1.0, 11.0, 1.0, 12.0, 4.0, 13.0], &SHAPE).unwrap()
}

#[test]
fn the_place_of_an_abscissa_is_the_number_of_rows_up_to_it() {
    let places = [(-1.0, 0.0), (0.0, 1.0), (0.5, 1.0), (1.0, 3.0), (3.9, 3.0), (4.0, 4.0)];
    for (x, count) in places {
        assert_eq!(table().count(x), count, "at {x}");
    }
    assert_eq!(table().count(f64::INFINITY), 4.0);
    assert_eq!(table().count(f64::NAN), 0.0);
}

#[test]
fn the_search_agrees_with_counting() {
    for n in 1..40 {
        let numbers: Vec<f64> = (0..n).flat_map(|i| [f64::from(i / 3), 0.0]).collect();
        let rows = Rows::new(numbers, &SHAPE).unwrap();
        for k in -2..60 {
            let x = f64::from(k) / 4.0;
            let counted = (0..n).filter(|i| f64::from(i / 3) <= x).count();
            assert_eq!(rows.count(x), counted as f64, "{n} rows, {x}");
        }
    }
}

#[test]
fn entries_beyond_the_ends_are_those_at_the_ends() {
    let rows = [(-3.0, 10.0), (0.0, 10.0), (2.0, 12.0), (3.0, 13.0), (9.0, 13.0)];
    for (row, value) in rows {
        assert_eq!(table().entry(1, row), value, "row {row}");
    }
    assert_eq!(table().entry(0, f64::INFINITY), 4.0);
}

#[test]
fn a_guard_passes_values_inside_and_names_those_outside() {
    assert_eq!(table().guard(7, 2.0, 5.0), Ok(5.0));
    assert_eq!(table().guard(7, 4.0 + 1e-12, 5.0), Ok(5.0), "rounding is not outside");
    let failure = table().guard(7, 4.1, 5.0).unwrap_err();
    let range = TableRange { first: 0.0, last: 4.0, of_time: false };
    assert_eq!((failure.block, failure.kind), (7, FailureKind::OutsideTable(range)));
    assert_eq!(failure.residual, 4.1);
    assert!(table().guard(7, f64::NAN, 5.0).is_err());
}

#[test]
fn text_gives_the_numbers_of_its_lines() {
    let plain = "0,10\n1,11\n1,12\n4,13\n";
    let dressed = "\u{feff}# a cycle\r\ntime, speed\r\n\r\n 0 , 1e1 # start\r\n1,11\n1,12\n4,13";
    for text in [plain, dressed] {
        assert_eq!(Rows::parse(text, &SHAPE), Ok(table()));
        assert_eq!(Rows::columns_of(text), Some(2));
    }
}

#[test]
fn text_that_is_no_table_is_refused_with_line_and_value() {
    let strict = TableShape { jumps: false, ..SHAPE };
    let periodic = TableShape { periodic: true, ..SHAPE };
    for (text, shape, reason) in [
        ("", SHAPE, "there are no rows"),
        ("time,v\n# nothing\n", SHAPE, "there are no rows"),
        (
            "time,v\n0,1\n1;2\n",
            SHAPE,
            "line 3: it contains a semicolon: values are separated by commas, and decimals by points",
        ),
        (
            "time,1\n0,1\n",
            SHAPE,
            "line 1: \"time\" is not a number, but 1 is: a header has words only",
        ),
        ("0,1\n1,2,3\n", SHAPE, "line 2: it has 3 values, not 2"),
        ("time,v\n\n0,-abc\n", SHAPE, "line 3: \"-abc\" is not a number"),
        ("time,v\ns,m\n0,1\n", SHAPE, "line 2: \"s\" is not a number"),
        ("0,1\n1,\n", SHAPE, "line 2: it ends with a comma, after which a value is missing"),
        ("0,1\n,1\n", SHAPE, "line 2: \"\" is not a number"),
        ("0,1\n1,inf\n", SHAPE, "line 2: inf is not a finite number"),
        ("0,1\n2,1\n1.5,1\n", SHAPE, "line 3: 1.5 must not be below 2 in the row above"),
        ("t,v\n0,1\n0,2\n", strict, "line 3: 0 must be larger than 0 in the row above"),
        ("0,1\n0,2\n", periodic, "a periodic table needs two different abscissae, but all are 0"),
    ] {
        assert_eq!(Rows::parse(text, &shape).unwrap_err(), reason, "{text:?}");
    }
    assert_eq!(Rows::new(vec![1.0; 3], &SHAPE).unwrap_err(), "3 numbers cannot form rows of 2");
    let descending = Rows::new(vec![1.0, 0.0, 0.5, 0.0], &SHAPE).unwrap_err();
    assert_eq!(descending, "row 2: 0.5 must not be below 1 in the row above");
}

#[test]
fn any_text_is_a_table_or_is_refused_in_a_sentence() {
    let parts = [
        "1", "0", "-2.5", ",", ",", "\n", "\n", "\r\n", " ", "#", "\"", ";", "NaN", "inf", "1e999",
        "x", "\u{feff}", "\0", "ä", "\t",
    ];
    let mut random = Random(5);
    let mut below = |n: usize| random.below(n);
    let (mut tables, mut sentences) = (0, 0);
    for i in 0..20_000 {
        let mut text = if i % 2 == 0 { String::new() } else { "t,y\n0,1\n1,2\n".to_owned() };
        for _ in 0..1 + below(6) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let at = places.get(below(places.len() + 1)).copied().unwrap_or(text.len());
            text.insert_str(at, parts[below(parts.len())]);
        }
        let shape = TableShape { columns: 2, jumps: i % 3 == 0, periodic: i % 5 == 0 };
        match Rows::parse(&text, &shape) {
            Ok(rows) => {
                assert!(rows.numbers().iter().all(|n| n.is_finite()), "{text:?}");
                for x in [f64::NEG_INFINITY, -1.0, 0.5, f64::INFINITY, f64::NAN] {
                    assert!(rows.entry(1, rows.count(x)).is_finite(), "{text:?}");
                }
                tables += 1;
            }
            Err(reason) => {
                let named = reason.starts_with("line ")
                    || reason.contains("rows")
                    || reason.contains("two different");
                assert!(named, "{text:?}: {reason}");
                sentences += 1;
            }
        }
    }
    assert!(tables > 500 && sentences > 500, "{tables} tables, {sentences} sentences");
}
