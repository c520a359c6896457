//! The reports of `fmu compare` about tables and FMUs compared with a reference.

use crate::fixture::{fmu_in, folder_with, names, succeed};

/// The fall and the first bounce of a ball from one metre, with two rows at the impact.
fn bounce(error: f64) -> String {
    let (g, e) = (9.81_f64, 0.8);
    let impact = (2.0 / g).sqrt();
    let up = e * g * impact;
    let mut rows = String::from("# from the solution in closed form\ntime,h,v,resting\n");
    let mut row = |t: f64, h: f64, v: f64| rows += &format!("{t},{h},{v},false\n");
    for t in [0.0, 0.25] {
        row(t, 1.0 - 0.5 * g * t * t, -g * t);
    }
    row(impact, 0.0, -g * impact);
    row(impact, 0.0, up);
    for since in [0.1, 0.3, 0.5] {
        row(impact + since, up * since - 0.5 * g * since * since, up - g * since + error);
    }
    rows
}

/// The words of the line that a comparison prints about a signal or a mode.
fn line<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut found = lines.filter(|words| words.first() == Some(&name));
    found.next().unwrap_or_else(|| panic!("no line about {name} in\n{text}"))
}

/// The error relative to the range that is printed for a signal.
fn error_of(text: &str, name: &str) -> f64 {
    line(text, name)[1].parse().unwrap()
}

#[test]
fn an_fmu_is_simulated_at_the_times_of_the_reference_and_jumps_are_no_errors() {
    let (right, wrong) = (bounce(0.0), bounce(0.5));
    let folder = folder_with(&[("right.csv", &right), ("wrong.csv", &wrong)]);
    let compare = ["compare", "BouncingBall.fmu"];
    let options = ["--set", "e=0.8", "--tolerance", "1e-8", "--plot", "w.svg", "--limit", "1e-6"];
    for fmu_type in ["--cs", "--me"] {
        let words = [&compare[..], &["right.csv", fmu_type], &options].concat();
        let message = succeed(folder.path(), &words);
        assert!(
            error_of(&message, "h") < 1e-6 && error_of(&message, "v") < 1e-6,
            "{fmu_type}: {message}"
        );
        assert!(message.contains("resting: the same value all the time"), "{fmu_type}: {message}");

        let output =
            fmu_in(folder.path(), &[&compare[..], &["wrong.csv", fmu_type], &options].concat());
        assert_eq!(output.status.code(), Some(1), "{fmu_type}: the error is above the limit");
        let message = String::from_utf8(output.stdout).unwrap();
        // The error is half a metre per second, and the range is that from before the impact to
        // after it.
        let range = 1.8 * (2.0 * 9.81_f64).sqrt();
        assert!(
            (error_of(&message, "v") / (0.5 / range) - 1.0).abs() < 0.1,
            "{fmu_type}: {message}"
        );
        // The variable with the largest error is printed first, and drawn.
        assert!(
            message.lines().nth(2).unwrap().trim_start().starts_with("v "),
            "{fmu_type}: {message}"
        );
        let picture = std::fs::read_to_string(folder.path().join("w.svg")).unwrap();
        assert!(picture.contains("error of v in m/s"), "{fmu_type}");
    }
}

#[test]
fn two_tables_are_compared_over_the_time_that_both_cover() {
    let reference = "time,y,mode,z\n0,0,0,1\n1,2,0,1\n1,2,1,1\n2,4,1,1\n3,4,1,1\n";
    let result = "time,mode,y\n0,0,0\n0.9,0,1.8\n1.1,1,2.2\n2,1,3.9\n";
    let folder = folder_with(&[("reference.csv", reference), ("result.csv", result)]);
    let message = succeed(folder.path(), &["compare", "result.csv", "reference.csv"]);
    assert_eq!(line(&message, "y")[1..], ["0.025", "2", "4"], "{message}");
    assert!(message.contains("mode: the same change, 0.1 s apart"), "{message}");
    assert!(message.contains("note: not in the result: z"), "{message}");
    assert!(message.contains("covers 0 s to 2 s only, the reference 0 s to 3 s"), "{message}");
    assert!(names(folder.path()).contains(&"result.worst.svg".to_owned()));
}

#[test]
fn modes_in_another_order_exceed_any_limit() {
    let reference = "time,mode\n0,0\n1,1\n2,-1\n3,-1\n";
    let result = "time,mode\n0,0\n1,1\n3,1\n";
    let folder = folder_with(&[("reference.csv", reference), ("result.csv", result)]);
    let words = ["compare", "result.csv", "reference.csv", "--limit", "1"];
    let output = fmu_in(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stdout).unwrap();
    assert!(
        message.contains("mode: other values from the 3rd on: -1 from 2 s on in the"),
        "{message}"
    );
}

#[test]
fn files_that_cannot_be_compared_are_refused_in_one_sentence() {
    let folder = folder_with(&[("a.csv", "time,a\n0,1\n"), ("b.csv", "time,b\n0,1\n")]);
    let check = |words: &[&str], sentence: &str| {
        let output = fmu_in(folder.path(), &[&["compare"], words].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert_eq!(errors, format!("fmu: {sentence}\n"));
    };
    check(&["a.csv", "b.csv"], "the result has none of the columns of the reference: b");
    check(
        &["BouncingBall.fmu", "b.csv"],
        "BouncingBall has none of the variables of the reference: b",
    );
    check(&["a.csv", "a.csv", "--me"], "a.csv is a table: there is nothing to simulate");
    check(
        &["a.csv", "a.csv", "--limit=-1"],
        "the limit is a fraction of a range and must be at least 0, not -1",
    );
}

#[test]
fn values_that_cannot_be_compared_exceed_any_limit() {
    let reference = "time,y,z\n0,0.5,1\n1,2,1\n2,4,1\n";
    let files = [
        ("reference.csv", reference),
        ("short.csv", "time,y,z\n0,0.5,1\n1,2,1\n"),
        ("narrow.csv", "time,y\n0,0.5\n1,2\n2,4\n"),
        ("later.csv", "time,y,z\n5,0.5,1\n6,2,1\n"),
        ("whole.csv", reference),
    ];
    let folder = folder_with(&files);
    let compare = |result: &str| {
        let words = ["compare", result, "reference.csv", "--no-plot", "--limit", "1e-9"];
        fmu_in(folder.path(), &words)
    };
    assert_eq!(compare("whole.csv").status.code(), Some(0));
    for result in ["short.csv", "narrow.csv"] {
        let output = compare(result);
        assert_eq!(output.status.code(), Some(1), "{result}");
        let message = String::from_utf8_lossy(&output.stdout);
        assert_eq!(error_of(&message, "y"), 0.0, "{result}: the rows that exist are right");
    }
    let output = compare("later.csv");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("covers 5 s to 6 s only, the reference 0 s to 2 s: there is nothing"),
        "{message}"
    );
}
