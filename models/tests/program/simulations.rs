//! The tables that `fmu run` writes contain the solution, with either FMU type.

use std::path::Path;
use std::time::{Duration, Instant};

use fmu_builder::archive::pack;
use fmu_builder::csv::TimeSeries;

use crate::fixture::{entries, fmu, fmu_in, fmus, folder_with, names, repository, succeed};

/// The last row of a table at or before a time.
fn row(table: &TimeSeries, time: f64) -> &[f64] {
    let index = table.time.partition_point(|t| *t <= time + 1e-12) - 1;
    assert!((table.time[index] - time).abs() < 1e-9);
    &table.rows[index]
}

#[test]
fn a_run_writes_a_table_and_a_plot_and_prints_its_final_values() {
    let folder = folder_with(&[]);
    std::fs::create_dir(folder.path().join("a")).unwrap();
    let output = ["--output", "a/ball.csv", "--plot", "a/ball.svg"];
    let message = succeed(folder.path(), &[&["run", "BouncingBall.fmu"], &output[..]].concat());
    for part in [
        "Co-Simulation, 0 s to 3 s",
        "steps: 3000",
        " state events, 0 time events",
        "h = 0 m",
        "a/ball.svg",
    ] {
        assert!(message.contains(part), "{part} is not in\n{message}");
    }
    assert_eq!(names(&folder.path().join("a")), ["ball.csv", "ball.svg"]);
    let table = TimeSeries::read(&folder.path().join("a/ball.csv")).unwrap();
    assert_eq!(table.names, ["h", "v"]);
    assert_eq!((table.time.len(), table.time[3000]), (3001, 3.0));
    let plot = std::fs::read_to_string(folder.path().join("a/ball.svg")).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("in m/s") && plot.contains("time in s"));
}

#[test]
fn a_run_in_real_time_prints_how_long_steps_take() {
    let folder = folder_with(&[]);
    let run = ["run", "BouncingBall.fmu", "--no-plot", "--stop", "0.5", "--set", "solver.method=3"];
    let message = succeed(folder.path(), &[&run[..], &["--realtime"]].concat());
    let line = message.lines().find(|line| line.contains("real time: fmi2DoStep takes "));
    let line = line.unwrap_or_else(|| panic!("{message}"));
    for part in
        [" (median), ", " (99 %), ", " (99.9 %), ", " (longest, from ", "longer than 0.001 s"]
    {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    assert!(!succeed(folder.path(), &run).contains("real time"));
}

#[test]
fn both_fmu_types_bounce_when_the_analytic_ball_does() {
    let folder = folder_with(&[]);
    let (g, e) = (9.81_f64, 0.8);
    let first = (2.0 / g).sqrt();
    // Height after the first impact, at 1 s.
    let since = 1.0 - first;
    let exact = e * g * first * since - 0.5 * g * since * since;
    for fmu_type in ["--me", "--cs"] {
        for step in ["0.5", "0.01"] {
            let wishes = ["--set", "e=0.8", "--step", step, "--tolerance", "1e-8", "--stop", "2"];
            let files = ["--output", "b.csv", "--no-plot", fmu_type];
            succeed(folder.path(), &[&["run", "BouncingBall.fmu"], &wishes[..], &files].concat());
            let table = TimeSeries::read(&folder.path().join("b.csv")).unwrap();
            let h = row(&table, 1.0)[0];
            assert!((h - exact).abs() < 1e-7, "{fmu_type}, step {step}: {h}, not {exact}");
        }
    }
    assert!(!folder.path().join("b.svg").exists());
}

#[test]
fn results_before_a_failure_are_written() {
    let folder = folder_with(&[("w.csv", "time,w\n0,0\n1,0\n1.5,1.7e308\n2,1.7e308\n")]);
    for (fmu_type, reason) in [("--cs", "not a finite number"), ("--me", "is out of range")] {
        let command = ["run", "TorqueSource.fmu", "--input", "w.csv", "--step", "0.1", fmu_type];
        let output = fmu_in(folder.path(), &[&command[..], &["--output", "w_.csv"]].concat());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{fmu_type}: {errors}");
        assert!(errors.contains(reason) && errors.lines().count() == 1, "{errors}");
        let table = TimeSeries::read(&folder.path().join("w_.csv")).unwrap();
        let end = *table.time.last().unwrap();
        assert!((1.0..1.5).contains(&end), "{fmu_type}: {end}");
        assert!(table.rows.iter().flatten().all(|value| value.is_finite()), "{fmu_type}");
    }
}

/// A capacitor that an ideal diode connects with a source: at the start and, after the source has
/// been below it, without a jump.
const CHARGED: &str = "
    model Charged
      Modelica.Electrical.Analog.Sources.SineVoltage source(V=10, f=50, phase=0.5);
      Modelica.Electrical.Analog.Ideal.IdealDiode d(Ron=0, Goff=0);
      Modelica.Electrical.Analog.Basic.Capacitor c(C=1e-3, v(start=0, fixed=true));
      Modelica.Electrical.Analog.Basic.Resistor load(R=10);
      Modelica.Electrical.Analog.Basic.Ground ground;
    equation
      connect(source.p, d.p);
      connect(d.n, c.p);
      connect(d.n, load.p);
      connect(load.n, ground.p);
      connect(c.n, ground.p);
      connect(source.n, ground.p);
      annotation(experiment(StopTime=0.1));
    end Charged;
";

#[test]
fn warnings_of_the_fmu_are_printed_once_with_their_time() {
    let folder = folder_with(&[("Charged.mo", CHARGED)]);
    // The charge C v at the voltage v: half of its energy is lost.
    let energy = 0.5 * 1e-3 * (10.0 * 0.5_f64.sin()).powi(2);
    let wanted = format!(
        "warning: at t = 0 s: d: it closes a loop in which stored voltages jump (c); \
         {:.3}e-2 J of energy is lost",
        energy * 100.0
    );
    for fmu_type in ["--cs", "--me"] {
        let printed = succeed(folder.path(), &["run", "Charged.mo", "--no-plot", fmu_type]);
        let warnings = printed.lines().filter(|line| line.starts_with("warning"));
        assert_eq!(warnings.collect::<Vec<_>>(), [wanted.as_str()], "{fmu_type}");
    }
}

#[test]
fn inputs_are_straight_between_their_rows_for_both_fmu_types() {
    // A ramp until 0.75 s, then constant; the kink is inside a step.
    let folder = folder_with(&[("w.csv", "time,w\n0,0\n0.75,150\n2,150\n")]);
    let (tau_max, w_max, t_c) = (50.0, 300.0, 0.05_f64);
    let r = tau_max * 200.0 / w_max;
    let ramp = |t: f64| tau_max - r * t + r * t_c - (tau_max + r * t_c) * (-t / t_c).exp();
    let level = tau_max * 0.5;
    let after = |t: f64| level + (ramp(0.75) - level) * (-(t - 0.75) / t_c).exp();
    for fmu_type in ["--me", "--cs"] {
        let wishes = ["--input", "w.csv", "--stop", "1", "--step", "0.5", "--tolerance", "1e-7"];
        let files = ["--output", "t.csv", "--no-plot", fmu_type];
        succeed(folder.path(), &[&["run", "TorqueSource.fmu"], &wishes[..], &files].concat());
        let table = TimeSeries::read(&folder.path().join("t.csv")).unwrap();
        for (time, exact) in [(0.5, ramp(0.5)), (1.0, after(1.0))] {
            let tau = row(&table, time)[0];
            assert!((tau - exact).abs() < 1e-4, "{fmu_type} at {time} s: {tau}, not {exact}");
        }
    }
}

#[test]
fn rows_of_the_same_time_are_a_jump_for_both_fmu_types() {
    // Full speed from 0.55 s on, inside a step; from there on no torque is left.
    let folder = folder_with(&[("w.csv", "time,w\n0,0\n0.55,0\n0.55,300\n2,300\n")]);
    let (tau_max, t_c) = (50.0, 0.05_f64);
    let before = |t: f64| tau_max * (1.0 - (-t / t_c).exp());
    let after = |t: f64| before(0.55) * (-(t - 0.55) / t_c).exp();
    for fmu_type in ["--me", "--cs"] {
        let wishes = ["--input", "w.csv", "--stop", "1", "--step", "0.1", "--tolerance", "1e-7"];
        let files = ["--output", "t.csv", "--no-plot", fmu_type];
        let run = ["run", "TorqueSource.fmu"];
        let message = succeed(folder.path(), &[&run, &wishes[..], &files].concat());
        if fmu_type == "--cs" {
            assert!(message.contains("steps: 11 in"), "{message}");
        } else {
            // A step across the jump would be repeated, each time with a tenth of its length.
            let rejected = message.split("integrator: ").nth(1).and_then(|s| s.split(' ').next());
            let rejected: usize = rejected.and_then(|n| n.parse().ok()).expect("a number");
            assert!(rejected < 8, "{message}");
            assert!(message.contains("events: 1 (0 state, 0 time, 1 input)"), "{message}");
        }
        let table = TimeSeries::read(&folder.path().join("t.csv")).unwrap();
        for (time, exact) in [(0.5, before(0.5)), (0.6, after(0.6)), (0.8, after(0.8))] {
            let tau = row(&table, time)[0];
            assert!((tau - exact).abs() < 1e-5, "{fmu_type} at {time} s: {tau}, not {exact}");
        }
    }
}

#[test]
fn a_jump_at_a_row_of_the_results_or_at_their_ends_is_an_event_of_model_exchange() {
    // At the start, the value after the jump applies; the jump at the stop time is an event too.
    let rows = "time,w\n0,300\n0,0\n0.5,0\n0.5,300\n1,300\n1,0\n";
    let folder = folder_with(&[("w.csv", rows)]);
    let (tau_max, t_c) = (50.0, 0.05_f64);
    let before = |t: f64| tau_max * (1.0 - (-t / t_c).exp());
    let wishes = ["--input", "w.csv", "--stop", "1", "--step", "0.1", "--tolerance", "1e-7"];
    let files = ["--output", "t.csv", "--no-plot", "--me", "--variables", "tau,w"];
    let run = ["run", "TorqueSource.fmu"];
    let message = succeed(folder.path(), &[&run, &wishes[..], &files].concat());
    assert!(message.contains("events: 2 (0 state, 0 time, 2 input)"), "{message}");
    let table = TimeSeries::read(&folder.path().join("t.csv")).unwrap();
    let exact = |t: f64| if t <= 0.5 { before(t) } else { before(0.5) * (-(t - 0.5) / t_c).exp() };
    for (time, row) in table.time.iter().zip(&table.rows) {
        assert!((row[0] - exact(*time)).abs() < 1e-5, "{time} s: {}", row[0]);
        assert_eq!(row[1], if (0.5..1.0).contains(time) { 300.0 } else { 0.0 }, "{time} s");
    }
}

#[test]
fn chosen_variables_are_recorded_in_the_order_asked_for() {
    let folder = folder_with(&[]);
    let files = ["--variables", "resting, der(v), h", "--output", "c.csv", "--no-plot"];
    succeed(folder.path(), &[&["run", "BouncingBall.fmu", "--stop", "0.1"], &files[..]].concat());
    let table = TimeSeries::read(&folder.path().join("c.csv")).unwrap();
    assert_eq!(table.names, ["resting", "der(v)", "h"]);
    assert_eq!(table.rows[0], [0.0, -9.81, 1.0]);
}

#[test]
fn a_built_fmu_breaks_no_rule_and_is_packed_alike_twice() {
    let folder = folder_with(&[]);
    for name in ["BouncingBall.fmu", "TorqueSource.fmu"] {
        let message = succeed(folder.path(), &["check", name]);
        let first = format!("{name}: no problems found\n{name}: runs on ");
        assert!(message.starts_with(&first), "{message}");
    }
    let out = folder.path().join("again");
    let arguments = ["build", "bouncing_ball", "--out"].map(str::to_owned);
    let out_text = out.to_string_lossy().into_owned();
    succeed(repository(), &[&arguments[..], &[out_text]].concat());
    let bytes = |path: std::path::PathBuf| std::fs::read(path).unwrap();
    assert!(bytes(out.join("BouncingBall.fmu")) == bytes(fmus().join("BouncingBall.fmu")));
}

#[test]
fn inspect_shows_variables_with_start_and_unit() {
    let folder = folder_with(&[]);
    let message = succeed(folder.path(), &["inspect", "TorqueSource.fmu"]);
    for part in ["binaries/", "canGetAndSetFMUstate", "50 N.m", "Speed without torque", "inputs"] {
        assert!(message.contains(part), "{part} is not in\n{message}");
    }
}

/// Writes the FMU of the ball with another description.
fn ball_with(folder: &Path, edit: impl Fn(&str) -> String) {
    let mut files = entries("BouncingBall.fmu");
    let description = files.iter_mut().find(|f| f.path == "modelDescription.xml").unwrap();
    let text = std::str::from_utf8(&description.bytes).unwrap();
    description.bytes = edit(text).into_bytes();
    std::fs::write(folder.join("Ball.fmu"), pack(files).unwrap()).unwrap();
}

#[test]
fn a_number_without_unit_is_shown_without_one() {
    let folder = folder_with(&[]);
    ball_with(folder.path(), |text| {
        let parameter = "<Real min=\"0.0\" max=\"1.0\" start=\"0.7\"/>";
        assert!(text.contains(parameter), "{text}");
        let unit = "<Unit name=\"1\"><BaseUnit/></Unit></UnitDefinitions>";
        let text = text.replace("</UnitDefinitions>", unit);
        text.replace(parameter, &parameter.replace("<Real ", "<Real unit=\"1\" "))
    });
    let variables = ["run", "Ball.fmu", "--variables", "e,v_min"];
    let message = succeed(folder.path(), &variables);
    assert!(
        message.contains("e     = 0.7\n") && message.contains("v_min = 0.01 m/s\n"),
        "{message}"
    );
    let message = succeed(folder.path(), &["inspect", "Ball.fmu"]);
    let line = message.lines().find(|line| line.trim_start().starts_with("e ")).unwrap();
    assert_eq!(
        line.split_whitespace().collect::<Vec<_>>()[3..],
        ["0.7", "Restitution"],
        "{message}"
    );
    let output = fmu_in(folder.path(), &["run", "Ball.fmu", "--set", "e=2"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "fmu: BouncingBall: e = 2: must be from 0 to 1\n");
}

#[test]
fn a_run_that_is_killed_leaves_no_folder() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let long = ["run", "fourbar2", "--interpreted", "--stop", "1e7", "--step", "1", "--no-plot"];
    let mut run = fmu(repository(), &long);
    let mut run = run.env("TMPDIR", folder).env("TMP", folder).env("TEMP", folder).spawn().unwrap();
    let begin = Instant::now();
    let wait_until = |is_empty: bool| {
        while names(folder).is_empty() != is_empty {
            assert!(begin.elapsed().as_secs() < 60, "{:?}", names(folder));
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait_until(false);
    run.kill().unwrap();
    run.wait().unwrap();
    wait_until(true);
}
