//! Tables of the standard library that are objects of another language.

use super::{close, refusal, run};

/// The functions of the standard library that read tables.
const LIBRARY: &str = "package Modelica package Blocks
  package Types
    type Smoothness = enumeration(LinearSegments, ContinuousDerivative, ConstantSegments,
      MonotoneContinuousDerivative1, MonotoneContinuousDerivative2, ModifiedContinuousDerivative);
    type Extrapolation = enumeration(HoldLastPoint, LastTwoPoints, Periodic, NoExtrapolation);
    type TimeEvents = enumeration(Always, AtDiscontinuities, NoTimeEvents);
    class Table extends ExternalObject;
      function constructor
        input Real table[:, :]; input Smoothness smoothness; input Extrapolation extrapolation;
        input Integer columns[:] = {2}; input Real startTime = 0; input Real shiftTime = startTime;
        input TimeEvents timeEvents = TimeEvents.Always; output Table made;
        external \"C\" made = make(table);
      end constructor;
      function destructor input Table made; external \"C\" forget(made); end destructor;
    end Table;
  end Types;
  package Tables package Internal
    import Modelica.Blocks.Types.*;
    function getTable1DValue input Table table; input Integer column; input Real u;
      output Real y; external \"C\" y = f(table, column, u); end getTable1DValue;
    function getTable1DAbscissaUmax input Table table; output Real u;
      external \"C\" u = f(table); end getTable1DAbscissaUmax;
    function getTable2DValue input Table table; input Real u1; input Real u2;
      output Real y; external \"C\" y = f(table, u1, u2); end getTable2DValue;
    function getTimeTableValue input Table table; input Integer column; input Real time_in;
      input Real next; input Real pre_next; output Real y;
      external \"C\" y = f(table, column, time_in, next, pre_next); end getTimeTableValue;
    function getNextTimeEvent input Table table; input Real time_in; output Real next;
      external \"C\" next = f(table, time_in); end getNextTimeEvent;
    function other input Table table; output Real y; external \"C\" y = f(table); end other;
    block Lookup
      parameter Real table[:, :]; parameter Smoothness smoothness = Smoothness.LinearSegments;
      parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints;
      parameter Table id = Table(table, smoothness, extrapolation, {2, 2});
      input Real u; output Real y = getTable1DValue(id, 2, u);
    end Lookup;
    block Surface
      parameter Real table[:, :]; parameter Smoothness smoothness = Smoothness.LinearSegments;
      parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints;
      parameter Table id = Table(table, smoothness, extrapolation);
      input Real u; input Real v; output Real y = getTable2DValue(id, u, v);
    end Surface;
    block Times
      parameter Real table[:, :]; parameter Smoothness smoothness = Smoothness.LinearSegments;
      parameter Extrapolation extrapolation = Extrapolation.LastTwoPoints;
      parameter Real start = 0; parameter TimeEvents events = TimeEvents.Always;
      parameter Table id = Table(table, smoothness, extrapolation, {2}, start, timeEvents = events);
      discrete Real next(start = 0, fixed = true); Integer count(start = 0, fixed = true);
      output Real y = getTimeTableValue(id, 1, time, next, pre(next));
    equation
      when {time >= pre(next), initial()} then
        next = getNextTimeEvent(id, time); count = pre(count) + 1;
      end when;
    end Times;
  end Internal; end Tables;
end Blocks; end Modelica;";

fn model(declarations: &str) -> String {
    format!(
        "{LIBRARY} model M import Modelica.Blocks.Types.*; \
         import Modelica.Blocks.Tables.Internal.*; {declarations} end M;"
    )
}

#[test]
fn curves_through_points_are_read() {
    let square = "[0, 0; 1, 1; 2, 4; 3, 9; 4, 16]";
    let mut m = run(
        &model(&format!(
            "parameter Real s[:, :] = {square}; Real x = time - 1;
            Lookup line(table = s, u = x); Lookup smooth(table = s, u = x,
              smoothness = Smoothness.ContinuousDerivative); Real slope = der(smooth.y);
            Lookup inside(table = s, u = x + 2.5, smoothness = Smoothness.ContinuousDerivative);
            Lookup steps(table = s, u = x + 1.5, smoothness = Smoothness.ConstantSegments,
              extrapolation = Extrapolation.HoldLastPoint);
            Lookup butland(table = s, u = x + 1.5,
              smoothness = Smoothness.MonotoneContinuousDerivative1);
            Lookup steffen(table = s, u = x + 1.5,
              smoothness = Smoothness.MonotoneContinuousDerivative2);
            Lookup flat(table = [0, 0; 1, 0; 2, 0; 3, 1; 4, 1], u = x + 2.5,
              smoothness = Smoothness.ModifiedContinuousDerivative);
            Lookup held(table = s, u = x + 9, extrapolation = Extrapolation.HoldLastPoint,
              smoothness = Smoothness.ContinuousDerivative);
            Lookup again(table = s, u = x + 5.5, extrapolation = Extrapolation.Periodic);
            Real last = getTable1DAbscissaUmax(line.id);"
        )),
        0.5,
    );
    // x = -0.5. A parabola has the slopes of Akima and Steffen, but not at the ends of the latter.
    let hermite = |y: [f64; 2], d: [f64; 2]| 0.5 * (y[0] + y[1]) + 0.125 * (d[0] - d[1]);
    let mean = |a: f64, b: f64| 2.0 / (1.0 / a + 1.0 / b);
    for (name, value) in [
        ("line.y", -0.5),
        ("smooth.y", 0.0),
        ("slope", 0.0),
        ("inside.y", 4.0),
        ("steps.y", 1.0),
        ("butland.y", 1.0),
        ("steffen.y", 1.0),
        ("flat.y", 0.0),
        ("held.y", 16.0),
        ("again.y", 1.0),
        ("last", 4.0),
    ] {
        close(&mut m, name, value);
    }
    m.run_to(1.0).expect("it goes on");
    for (name, value) in [
        ("inside.y", 6.25),
        ("butland.y", hermite([1.0, 4.0], [mean(1.0, 3.0), mean(3.0, 5.0)])),
        ("steffen.y", 2.25),
        ("flat.y", hermite([0.0, 1.0], [0.0, 0.5])),
        ("again.y", 2.5),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn surfaces_over_grids_are_read() {
    // x^2 + x y - y^2 + 1 for x = 0, 1, 2, 4 and y = 0, 1, 2, 3.
    let table =
        "[0, 0, 1, 2, 3; 0, 1, 0, -3, -8; 1, 2, 2, 0, -4; 2, 5, 6, 5, 2; 4, 17, 20, 21, 20]";
    let kinds = "smoothness = Smoothness.ContinuousDerivative";
    let even = "[0, 0, 1, 2, 3; 0, 1, 0, -3, -8; 1, 2, 2, 0, -4; 2, 5, 6, 5, 2; 3, 10, 12, 12, 10]";
    let mut m = run(
        &model(&format!(
            "Surface plane(table = {table}, u = 3 * time, v = time + 0.5);
            Surface smooth(table = {even}, {kinds}, u = 2.5 * time, v = time + 0.25);
            Surface beyond(table = {even}, {kinds}, u = 3 + time, v = -time);
            Surface held(table = {table}, u = 9, v = time, extrapolation = Extrapolation.HoldLastPoint);
            Surface steps(table = {table}, u = 1.5, v = 2 + time,
              smoothness = Smoothness.ConstantSegments);
            Surface row(table = [0, 0, 1, 2; 5, 0, 1, 4], {kinds}, u = 7, v = 1 + time);"
        )),
        0.5,
    );
    let f = |x: f64, y: f64| x * x + x * y - y * y + 1.0;
    let bilinear = (f(1.0, 1.0) + f(2.0, 1.0)) / 2.0;
    // At (3, 0): f = 10, slopes 6 and 3, mixed derivative 1.
    for (name, value) in [
        ("plane.y", bilinear),
        ("smooth.y", f(1.25, 0.75)),
        ("beyond.y", 10.0 + 0.5 * 6.0 - 0.5 * 3.0 - 0.25),
        ("held.y", 18.5),
        ("steps.y", 0.0),
        ("row.y", 2.25),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn tables_of_time_have_events_at_their_rows() {
    let jump = "[0, 0; 1, 2; 1, 5; 2, 5]";
    let text = model(&format!(
        "Times all(table = {jump}); Times jumps(table = {jump}, events = TimeEvents.AtDiscontinuities);
        Times late(table = {jump}, start = 0.4); Real integral(start = 0, fixed = true);
        Times steps(table = {jump}, smoothness = Smoothness.ConstantSegments);
        Times again(table = [0, 0; 0.5, 1; 0.5, 3; 0.75, 3], extrapolation = Extrapolation.Periodic);
        Times smooth(table = [0, 0; 1, 1; 2, 4; 3, 9], smoothness = Smoothness.ContinuousDerivative,
          events = TimeEvents.NoTimeEvents);
        equation der(integral) = all.y + again.y;"
    ));
    let mut m = run(&text, 0.2);
    let at = |m: &mut _, values: &[(&str, f64)]| {
        values.iter().for_each(|(name, value)| close(m, name, *value));
    };
    at(&mut m, &[("all.y", 0.4), ("jumps.y", 0.4), ("late.y", 0.0), ("again.y", 0.4)]);
    at(&mut m, &[("steps.y", 0.0), ("smooth.y", 0.04), ("all.next", 1.0), ("late.next", 0.4)]);
    m.run_to(1.2).expect("it goes on");
    at(&mut m, &[("all.y", 5.0), ("jumps.y", 5.0), ("late.y", 1.6), ("again.y", 0.9)]);
    at(&mut m, &[("steps.y", 5.0), ("smooth.y", 1.44), ("all.count", 2.0), ("again.count", 3.0)]);
    m.run_to(3.0).expect("it goes on");
    // 1 until 1 s and 10 until 3 s; each period of 0.75 s has 0.25 + 0.75.
    at(&mut m, &[("all.count", 3.0), ("integral", 11.0 + 4.0), ("again.count", 9.0)]);
}

#[test]
fn tables_that_cannot_be_read_are_refused() {
    for (text, sentence) in [
        (
            "Lookup a(table = [0, 1; 1, 2; 1, 3], u = time);",
            "1 must be larger than 1 in the row above",
        ),
        ("Lookup a(table = [0; 1], u = time);", "its columns of values are from 2 to 1"),
        ("Lookup a(table = fill(0, 0, 2), u = time);", "it has no rows"),
        (
            "Real y = other(Table([0, 1], Smoothness.LinearSegments, Extrapolation.Periodic));",
            "Modelica.Blocks.Tables.Internal.other is written in another language",
        ),
        (
            "Surface a(table = [0, 1; 1, 2], smoothness = Smoothness.MonotoneContinuousDerivative1, \
            u = time, v = 0);",
            "a table of two variables has no such smoothness",
        ),
    ] {
        let refused = refusal(&model(text));
        assert!(refused.contains(sentence), "{refused}");
    }
}

#[test]
fn tables_are_read_from_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let text =
        "#1\ndouble other(1,2)\n7 8\ndouble tab (3, 3) # a comment\n0 0, 1;\n1 10\n2\n2 40 3\n";
    let comma = "time;first\n\n0;1\n2;5\n";
    for (name, content) in [("tables.txt", text), ("values.CSV", comma)] {
        std::fs::write(folder.path().join(name), content).expect("it can be written");
    }
    // A file of MATLAB, version 4: type, rows, columns, parts, length of the name.
    let head = [0, 3, 3, 0, 4].map(u32::to_le_bytes).concat();
    let columns = [0.0, 1.0, 2.0, 0.0, 10.0, 40.0, 1.0, 2.0, 3.0].map(f64::to_le_bytes).concat();
    let matlab = [&head[..], b"tab\0", &columns].concat();
    std::fs::write(folder.path().join("tables.MAT"), matlab).expect("it can be written");
    let texts = |name: &str, file: &str| {
        let [file, comma] = [file, "values.CSV"].map(|name| folder.path().join(name));
        model(&format!(
            "class File extends ExternalObject;
              function constructor
                input String tableName; input String fileName; input Integer columns[:];
                input Real table[:, :] = fill(0, 0, 2);
                input Smoothness smoothness = Smoothness.LinearSegments;
                input Extrapolation extrapolation = Extrapolation.LastTwoPoints;
                input String delimiter = \";\"; input Integer nHeaderLines = 1; output File made;
                external \"C\" made = make(table);
              end constructor;
            end File;
            parameter Real none[:, :] = fill(0, 0, 3); parameter Integer third = size(none, 2);
            parameter File named = File(\"{name}\", \"{}\", {{third}});
            parameter File values = File(\"Values\", \"{}\", {{2}});
            Real a = getTable1DValue(named, 1, time); Real b = getTable1DValue(values, 1, time);",
            file.display(),
            comma.display()
        ))
    };
    let mut m = run(&texts("tab", "tables.txt"), 0.5);
    close(&mut m, "a", 1.5);
    close(&mut m, "b", 2.0);
    let mut m = run(&texts("tab", "tables.MAT"), 0.5);
    close(&mut m, "a", 1.5);
    for (name, file, sentence) in [
        ("tab", "missing.txt", "missing.txt: "),
        ("absent", "tables.txt", "there is no table absent in it"),
        ("tab", "tables.mat", "tables.mat: "),
        ("absent", "tables.MAT", "there is no table absent in it"),
        ("tab", "NoName", "NoName: "),
    ] {
        let refused = refusal(&texts(name, file));
        assert!(refused.contains(sentence), "{refused}");
    }
}
