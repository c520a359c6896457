//! The pictures that `fmu run` and `fmu plot` draw show the numbers of their tables.

use std::path::Path;

use fmu_builder::csv::TimeSeries;

use crate::fixture::{fmu_in, folder_with, names, succeed};

type Points = Vec<(f64, f64)>;

/// The value of an attribute of an element, which is on a line of its own.
fn attribute<'l>(line: &'l str, name: &str) -> &'l str {
    let begin = format!(" {name}=\"");
    let (_, value) = line.split_once(&begin).unwrap_or_else(|| panic!("{name} in {line}"));
    value.split('"').next().unwrap()
}

fn number(line: &str, name: &str) -> f64 {
    attribute(line, name).parse().unwrap()
}

/// The content of a text or a title.
fn content<'l>(line: &'l str, tag: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!("<{tag}"))?;
    rest.split_once('>')?.1.split('<').next()
}

/// The lines with the curves of a name, and their points in pixels.
fn curves<'s>(svg: &'s str, name: &str) -> Vec<(&'s str, Points)> {
    let named = svg.lines().filter(|line| content(line, "title") == Some(name));
    let points = |line: &str| {
        let pairs = attribute(line, "points").split(' ').map(|pair| pair.split_once(',').unwrap());
        pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
    };
    named.map(|line| (line, points(line))).collect()
}

/// The straight line through the first and the last tick of an axis: position of a value in
/// pixels. Ticks of time have centred labels, and those of values end at the axis.
fn scale(svg: &str, anchor: &str, coordinate: &str, within: (f64, f64)) -> impl Fn(f64) -> f64 {
    let texts = svg.lines().filter(|line| line.starts_with("<text"));
    let labels = texts.filter(|line| attribute(line, "text-anchor") == anchor);
    let inside = |line: &&str| (within.0..within.1).contains(&number(line, "y"));
    let ticks = labels.filter(inside).filter_map(|line| {
        Some((content(line, "text")?.parse::<f64>().ok()?, number(line, coordinate)))
    });
    let mut ticks: Vec<(f64, f64)> = ticks.collect();
    ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (ticks[0], *ticks.last().unwrap());
    assert!(ticks.len() >= 3, "{ticks:?}");
    move |value| first.1 + (value - first.0) / (last.0 - first.0) * (last.1 - first.1)
}

/// Checks that a curve passes through the points of a column of a table.
fn passes(svg: &str, panel: (f64, f64), curve: &Points, table: &TimeSeries, column: usize) {
    let x = scale(svg, "middle", "x", (0.0, f64::INFINITY));
    let label = scale(svg, "end", "y", panel);
    // Labels are centred at their ticks: their base line is half a capital below.
    let y = |value| label(value) - 13.0 * 0.357;
    assert_eq!(curve.len(), table.time.len());
    for ((time, row), (left, top)) in table.time.iter().zip(&table.rows).zip(curve) {
        let (dx, dy) = (left - x(*time), top - y(row[column]));
        assert!(dx.abs() < 0.03 && dy.abs() < 0.03, "{dx} {dy} at {time}");
    }
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Width and height of a PNG.
fn size(folder: &Path, name: &str) -> (u32, u32) {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn curves_pass_through_the_points_of_their_tables() {
    let folder = folder_with(&[]);
    for (restitution, name) in [("0.7", "a"), ("0.5", "b")] {
        let set = format!("e={restitution}");
        let table = format!("{name}.csv");
        let run = ["run", "BouncingBall.fmu", "--step", "0.02", "--no-plot", "--set"];
        succeed(folder.path(), &[&run[..], &[&set, "--output", &table]].concat());
    }
    let fmu = ["--fmu", "BouncingBall.fmu"];
    let drawn = succeed(
        folder.path(),
        &[&["plot", "a.csv", "b.csv", "--output", "both.svg"][..], &fmu].concat(),
    );
    assert_eq!(drawn, "both.svg\n");
    let svg = read(folder.path(), "both.svg");
    for text in [">h in m<", ">v in m/s<", ">time in s<", ">BouncingBall<"] {
        assert_eq!(svg.matches(text).count(), 1, "{text}");
    }
    for (column, (signal, panel)) in [("h", (0.0, 300.0)), ("v", (310.0, 540.0))].iter().enumerate()
    {
        let mut looks = Vec::new();
        for file in ["a", "b"] {
            let name = format!("{file}: {signal}");
            let table = TimeSeries::read(&folder.path().join(format!("{file}.csv"))).unwrap();
            let curves = curves(&svg, &name);
            let [(line, curve)] = &curves[..] else { panic!("{name}: {} curves", curves.len()) };
            passes(&svg, *panel, curve, &table, column);
            assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "the legend");
            looks.push((attribute(line, "stroke"), line.contains("stroke-dasharray")));
        }
        assert_ne!(looks[0].0, looks[1].0, "colours");
        assert_eq!((looks[0].1, looks[1].1), (false, true), "dashes");
    }
}

#[test]
fn tables_of_other_tools_are_drawn_with_their_units_gaps_and_jumps() {
    let table = "Zeit [ms];w [rad/s];n [rpm]\r\n0;0,5;1\r\n1;1,5;\r\n1;2,5;3\r\n2;3;4\r\n\r\n";
    let folder = folder_with(&[("t.csv", table)]);
    succeed(folder.path(), &["plot", "t.csv", "--output", "t.svg"]);
    let svg = read(folder.path(), "t.svg");
    for text in [">w in rad/s<", ">n in rpm<", ">time in ms<"] {
        assert_eq!(svg.matches(text).count(), 1, "{text}");
    }
    let w = &curves(&svg, "w")[0].1;
    assert_eq!((w.len(), w[1].0), (4, w[2].0), "a jump is vertical");
    // An empty field is a gap: a dot, which is as long as it is wide, and a line.
    let pieces = curves(&svg, "n");
    let [(dot, ends), (_, line)] = &pieces[..] else { panic!("{} pieces", pieces.len()) };
    let size: f64 = attribute(dot, "stroke-width").parse().unwrap();
    assert!(ends.len() == 2 && (ends[1].0 - ends[0].0 - size).abs() < 0.02, "{dot}");
    assert!(line.len() == 2 && line[1].0 - line[0].0 > 10.0 * size, "{line:?}");
    succeed(folder.path(), &["plot", "t.csv", "--signals", "n", "--output", "n.svg"]);
    let svg = read(folder.path(), "n.svg");
    assert_eq!((curves(&svg, "w").len(), curves(&svg, "n").len()), (0, 2));
}

#[test]
fn the_ending_of_its_name_decides_what_a_plot_is() {
    let folder = folder_with(&[("a.csv", "time,w\n0,1\n1,2\n")]);
    let run = ["run", "BouncingBall.fmu", "--stop", "0.1", "--output", "ball.csv", "--plot"];
    for file in ["ball.png", "BALL.PNG"] {
        succeed(folder.path(), &[&run[..], &[file]].concat());
        assert_eq!(size(folder.path(), file).0, 960);
    }
    let plot = ["plot", "a.csv", "--size", "640x320", "--output"];
    succeed(folder.path(), &[&plot[..], &["a.png"]].concat());
    assert_eq!(size(folder.path(), "a.png"), (640, 320));
    succeed(folder.path(), &[&plot[..], &["a.svg"]].concat());
    assert!(read(folder.path(), "a.svg").starts_with("<svg"));
    succeed(folder.path(), &["plot", "a.csv"]);
    assert!(read(folder.path(), "a.plot.svg").contains("viewBox=\"0 0 960 "));
}

#[test]
fn files_of_the_same_name_are_distinguished_by_their_folders() {
    let folder = folder_with(&[]);
    for name in ["x", "y"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join("r.csv"), "time,w\n0,1\n1,2\n").unwrap();
    }
    succeed(folder.path(), &["plot", "x/r.csv", "y/r.csv", "--output", "r.svg"]);
    let svg = read(folder.path(), "r.svg");
    assert_eq!((curves(&svg, "x/r: w").len(), curves(&svg, "y/r: w").len()), (1, 1));
}

#[test]
fn a_plot_that_cannot_be_drawn_is_refused_in_one_sentence() {
    let folder = folder_with(&[
        ("a.csv", "time,speed\n0,1\n1,2\n"),
        ("b.csv", "time,force\n0,1\n1,2\n"),
        ("ms.csv", "t [ms],force\n0,1\n1,2\n"),
        ("empty.csv", ""),
        ("head.csv", "time,w\n"),
        ("word.csv", "time,v,w\n0,1,2\n1,1,fast\n"),
        ("back.csv", "t,w\n1,1\n0.5,1\n"),
    ]);
    let before = names(folder.path());
    let check = |command: &str, sentence: &str| {
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let output = fmu_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("fmu: {sentence}\n"));
        assert_eq!(names(folder.path()), before, "{command}");
    };
    check("plot none.csv", "cannot read none.csv: there is no such file");
    check("plot a.csv --output a.pdf", "a.pdf: the name of a plot ends in .svg or .png");
    check("plot a.csv --output no/a.svg", "cannot write no/a.svg: there is no folder no");
    check("plot a.csv --signals sped", "a.csv has no signal `sped`; is it `speed`?");
    check("plot a.csv b.csv --signals forec", "no file has a signal `forec`; is it `force`?");
    check("plot a.csv --signals ,", "--signals names no signal");
    check("plot a.csv --signals speed,speed", "--signals names speed twice");
    check("plot a.csv ./a.csv", "./a.csv is given twice");
    check("plot empty.csv", "empty.csv: it is empty");
    check("plot head.csv", "head.csv: it has no rows");
    check("plot word.csv", "word.csv: line 3: column w: `fast` is not a number");
    check("plot back.csv", "back.csv: line 3: time 0.5 is before 1 in the row above");
    check("plot a.csv ms.csv", "times are in s in a.csv, but in ms in ms.csv");
    check("plot a.csv --fmu a.csv", "a.csv: it is not an FMU: it is not a ZIP archive");
    check("plot a.csv --fmu TorqueSource.fmu", "no signal is a variable of TorqueSource.fmu");
    check("plot a.csv --size 640", "--size 640: width and height in pixels are expected: 960x480");
    check("plot a.csv --size 9x99999", "--size 9x99999: a picture has at most 10000x10000 pixels");
    let many: Vec<String> = (0..49).map(|i| format!("{i}.csv")).collect();
    check(
        &format!("plot {}", many.join(" ")),
        "49 files are too many for a picture: more than 48 lines of a signal cannot be told apart",
    );
}
