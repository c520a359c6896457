//! Tests with faulty tables of inputs over time: they are refused with line and value.

use crate::fixture::fmus;
use crate::hostile::{Cage, Verdict};
use random::Random;

/// Simulates with a table of inputs.
fn run(cage: &Cage, table: &[u8]) -> Verdict {
    cage.write("x.csv", b"");
    cage.write("w.csv", table);
    let options = ["--input", "w.csv", "--stop", "0.01", "--no-plot", "--output", "x.csv"];
    cage.run(&[&["run", "TorqueSource.fmu"][..], &options].concat())
}

fn cage() -> Cage {
    let cage = Cage::new();
    cage.write("TorqueSource.fmu", &std::fs::read(fmus().join("TorqueSource.fmu")).unwrap());
    cage
}

#[test]
fn a_table_is_read_however_its_lines_end() {
    let cage = cage();
    for table in [
        "time,w\n0,1\n1,2\n",
        "time,w\r\n0,1\r\n1,2\r\n",
        "time,w\n0,1\n1,2",
        "\u{feff}time,w\n0,1\n1,2\n",
        "\"time\",\"w\"\n\"0\",\"1\"\n1,2\n",
        "\n time , w \n\n 0 , 1 \n\n 1 , 2 \n\n",
        "time,w\n-1e-3,1\n+0.5E0,2\n",
    ] {
        let verdict = run(&cage, table.as_bytes());
        assert!(verdict.success, "{table:?}: {}", verdict.sentence);
    }
}

#[test]
fn a_table_with_a_fault_is_refused_by_file_line_and_value() {
    let cage = cage();
    let refused = |table: &[u8], reason: &str| {
        let verdict = run(&cage, table);
        assert_eq!(
            verdict.sentence,
            format!("w.csv: {reason}"),
            "{:?}",
            String::from_utf8_lossy(table)
        );
    };
    refused(b"", "it is empty");
    refused(b"\n\n \n", "it is empty");
    refused(b"time,w\n", "it has no rows");
    refused(b"time\n0\n", "it has no columns besides `time`");
    refused(b"w,time\n0,1\n", "its first column is `w`, not `time`");
    let wanted = "it must have commas between its columns and points in its numbers";
    refused(b"time;w\n0;1\n", &format!("its first line is `time;w`: {wanted}"));
    refused(b"time\tw\n0\t1\n", &format!("its first line is `time w`: {wanted}"));
    refused(b"time,w\n0;1\n", "line 2: 1 value for 2 columns");
    refused(b"time,w\n0,1,2\n", "line 2: 3 values for 2 columns");
    refused(b"time,w\n0,1,5\n", "line 2: 3 values for 2 columns");
    refused(b"time,w\n0,1\n0,5,1\n", "line 3: 3 values for 2 columns");
    refused(b"time,w\n0,\n", "line 2: column w: `` is not a number");
    refused(b"time,w\n0,0x10\n", "line 2: column w: `0x10` is not a number");
    refused(b"time,w\n0,1 2\n", "line 2: column w: `1 2` is not a number");
    refused(b"time,w\n0,1e999\n", "line 2: column w: `1e999` is not a finite number");
    refused(b"time,w\n0,-inf\n", "line 2: column w: `-inf` is not a finite number");
    refused(b"time,w\nnan,1\n", "line 2: time: `nan` is not a finite number");
    refused(b"time,w\n1,1\n0.5,2\n", "line 3: time 0.5 s is before 1 s in the row above");
    refused(b"time,w\n0,\"1\n", "line 2: a quotation does not end");
    refused(b"time,w\n0,\"1\"2\n", "line 2: there is text after a quotation");
    refused(b"time,w\n0,\xe4\n", "it is not a text file");
    refused(b"\xff\xfet\0i\0m\0e\0", "it is not a text file");
    refused(b"time,w\n0,1\x00\n", "line 2: column w: `1\u{fffd}` is not a number");
    refused(b"time,w,w\n0,1,1\n", "it has two columns `w`");
    let long = [&b"time,w\n0,"[..], &vec![b'9'; 3_000_000], b"x\n"].concat();
    refused(&long, &format!("line 2: column w: `{}...` is not a number", "9".repeat(80)));
    let wide = format!("time{}\n", (0..200_000).map(|i| format!(",u{i}")).collect::<String>());
    refused(wide.as_bytes(), "it has no rows");
}

#[test]
fn an_input_that_is_no_table_is_refused_by_name() {
    let cage = cage();
    let sentence = |input| cage.run(&["run", "TorqueSource.fmu", "--input", input]).sentence;
    assert_eq!(sentence("none.csv"), "cannot read none.csv: there is no such file");
    assert!(sentence(".").starts_with("cannot read .: "));
    assert_eq!(sentence("/dev/null"), "/dev/null: it is empty");
}

#[test]
fn a_table_of_random_text_ends_no_process_and_leaves_nothing() {
    let (cage, mut random) = (cage(), Random(4));
    let parts: [&[u8]; 24] = [
        b"time",
        b"w",
        b",",
        b",",
        b"\n",
        b"\n",
        b"\r",
        b"\"",
        b"0",
        b"1",
        b"-1",
        b"1e400",
        b"NaN",
        b" ",
        b";",
        b"\t",
        b"\0",
        b"\xc3\xa4",
        b"\xff",
        b"true",
        b"'",
        b"\xef\xbb\xbf",
        b".",
        b"#",
    ];
    for i in 0..100 {
        let mut table = if i % 3 == 0 { Vec::new() } else { b"time,w\n0,1\n0.5,2\n1,3\n".to_vec() };
        for _ in 0..1 + random.below(12) {
            let at = random.below(table.len() + 1);
            table.splice(at..at, parts[random.below(parts.len())].iter().copied());
        }
        let verdict = run(&cage, &table);
        let named = verdict.success
            || verdict.sentence.contains("w.csv")
            || verdict.sentence.contains(" w ");
        assert!(named, "{table:?}: {}", verdict.sentence);
    }
}
