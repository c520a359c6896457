//! The drawings of the pages about loops and friction, which are computed here.

use std::fs;

use anyhow::{Result, ensure};
use svg::Document;
use svg::node::element::{Circle, Line, Path, Polygon, Rectangle, Style, Text};

use crate::workspace;

/// Colours that can be read in light and dark mode. The drawing has its own ground, because the
/// page around it may have chosen another mode.
const STYLE: &str = "
.ground{fill:#fff}.box{fill:#f3f5f8;stroke:#57606a}.link{stroke:#1f6fb4;stroke-width:5}
.ink{stroke:#24292f}.faint{stroke:#a8b0b8;stroke-dasharray:5 4}.mark{stroke:#c1520b;stroke-width:2.5}
.joint{fill:#fff;stroke:#24292f;stroke-width:2}.band{fill:#1f6fb4;opacity:.1}
path{fill:none;stroke-width:1.6}text{fill:#24292f;font:14px system-ui,sans-serif;text-anchor:middle}
.head{fill:#24292f}.marked{fill:#c1520b}
@media(prefers-color-scheme:dark){
.ground{fill:#161b22}.box{fill:#222a34;stroke:#8b949e}.link{stroke:#6db3f2}
.ink{stroke:#e6edf3}.faint{stroke:#6e7681}.mark{stroke:#f5a05a}
.joint{fill:#161b22;stroke:#e6edf3}.band{fill:#6db3f2;opacity:.15}
text,.head{fill:#e6edf3}.marked{fill:#f5a05a}}
";

/// A point in pixels, to the right and downwards.
type Point = [f64; 2];

/// The drawings with the names of their files in `docs`.
fn all() -> [(&'static str, Document); 3] {
    [
        ("cut_loop.svg", cut_loop()),
        ("path_parameter.svg", path_parameter()),
        ("friction_modes.svg", friction_modes()),
    ]
}

/// Writes the drawings.
pub fn write() -> Result<()> {
    for (name, drawing) in all() {
        fs::write(workspace::root().join("docs").join(name), text(&drawing))?;
    }
    Ok(())
}

/// Checks that the files are those that would be written.
pub fn check() -> Result<()> {
    for (name, drawing) in all() {
        let file = fs::read_to_string(workspace::root().join("docs").join(name))?;
        ensure!(file == text(&drawing), "docs/{name}: `cargo xtask pictures` writes it again");
    }
    Ok(())
}

fn text(drawing: &Document) -> String {
    format!("{drawing}\n")
}

fn blank(width: f64, height: f64) -> Document {
    let ground = Rectangle::new().set("width", width).set("height", height).set("rx", 6);
    Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .add(Style::new(STYLE))
        .add(ground.set("class", "ground"))
}

fn says([x, y]: Point, words: &str) -> Text {
    Text::new(words).set("x", x).set("y", y)
}

/// A remark in small letters.
fn remark(at: Point, words: &str) -> Text {
    says(at, words).set("style", "font-size:12px")
}

fn line([[x1, y1], [x2, y2]]: [Point; 2], class: &str) -> Line {
    Line::new().set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2).set("class", class)
}

/// The head of an arrow that ends at a point and comes from another one.
fn head([from, to]: [Point; 2], class: &str) -> Polygon {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let (x, y) = (9.0 * x / x.hypot(y), 9.0 * y / x.hypot(y));
    let corner = |side: f64| [to[0] - x - side * 0.45 * y, to[1] - y + side * 0.45 * x];
    let corners = [to, corner(1.0), corner(-1.0)].map(|[x, y]| format!("{x:.1},{y:.1}"));
    Polygon::new().set("points", corners.join(" ")).set("class", class)
}

/// Adds a straight arrow.
fn arrow(drawing: Document, ends: [Point; 2]) -> Document {
    drawing.add(line(ends, "ink")).add(head(ends, "head"))
}

/// Adds a curved arrow; the third point draws the curve to its side.
fn curved(drawing: Document, [from, over, to]: [Point; 3]) -> Document {
    let [[x, y], [a, b], [u, v]] = [from, over, to];
    let curve = Path::new().set("d", format!("M{x},{y}Q{a},{b},{u},{v}")).set("class", "ink");
    drawing.add(curve).add(head([over, to], "head"))
}

/// A four-bar linkage whose joint C is cut, with its vector of residuals, and the closed one.
fn cut_loop() -> Document {
    let [a, b, d] = [[70.0, 230.0], [130.0, 90.0], [430.0, 230.0]];
    let [end_of_bc, end_of_dc, closed] = [[330.0, 60.0], [400.0, 110.0], [358.0, 92.0]];
    let mut drawing = blank(640.0, 300.0);
    for ends in [[b, closed], [d, closed]] {
        drawing = drawing.add(line(ends, "faint"));
    }
    for ends in [[a, b], [b, end_of_bc], [d, end_of_dc]] {
        drawing = drawing.add(line(ends, "link"));
    }
    for [x, y] in [a, d] {
        drawing = drawing.add(line([[x - 22.0, y + 14.0], [x + 22.0, y + 14.0]], "ink"));
    }
    drawing = drawing.add(line([end_of_bc, end_of_dc], "mark"));
    drawing = drawing.add(head([end_of_bc, end_of_dc], "marked"));
    for [x, y] in [a, b, d] {
        let joint = Circle::new().set("cx", x).set("cy", y).set("r", 8);
        drawing = drawing.add(joint.set("class", "joint"));
    }
    for ([x, y], name) in [(a, "φA"), (d, "φD")] {
        drawing = drawing.add(says([x + 30.0, y + 4.0], name));
    }
    drawing
        .add(says([b[0] - 26.0, b[1] - 4.0], "φB"))
        .add(says([384.0, 74.0], "g").set("class", "marked"))
        .add(says([520.0, 112.0], "C is cut: residuals g(q)"))
        .add(says([520.0, 132.0], "instead of a coordinate"))
        .add(says([250.0, 262.0], "tree: joints A, B and D, with q = (φA, φB, φD)"))
        .add(says([250.0, 284.0], "closed loop (dashed): g(q) = 0"))
}

/// Torque and relative acceleration of a friction element over the path parameter, for `peak = 1`.
fn path_parameter() -> Document {
    let (left, right, limit) = (70.0, 630.0, 110.0);
    let middle = 0.5 * (left + right);
    let mut drawing = blank(700.0, 360.0);
    let band = Rectangle::new().set("x", middle - limit).set("y", 44).set("width", 2.0 * limit);
    drawing = drawing.add(band.set("height", 280).set("class", "band"));
    // The curves have a corner at either limit.
    let end: f64 = right - middle - 10.0;
    let corners = [-end, -limit, limit, end];
    let torque = corners.map(|sa| 0.5 * sa.clamp(-limit, limit));
    let acceleration = corners.map(|sa| 0.32 * (sa - sa.clamp(-limit, limit)));
    for (y, name, values) in [(110.0, "τ", torque), (250.0, "a_rel", acceleration)] {
        drawing = arrow(drawing, [[left, y], [right, y]]);
        drawing = arrow(drawing, [[middle, y + 66.0], [middle, y - 66.0]]);
        let point = |(sa, value): (&f64, f64)| format!("{},{}", middle + sa, y - value);
        let points: Vec<String> = corners.iter().zip(values).map(point).collect();
        let curve = Path::new().set("d", format!("M{}", points.join("L")));
        drawing = drawing.add(curve.set("class", "mark"));
        drawing = drawing.add(says([middle + 26.0, y - 50.0], name));
        drawing = drawing.add(says([right + 18.0, y + 5.0], "sa"));
    }
    for (x, words) in
        [(middle - 195.0, "starts backward"), (middle, "stuck"), (middle + 195.0, "starts forward")]
    {
        drawing = drawing.add(says([x, 30.0], words));
    }
    drawing
        .add(says([middle - limit, 342.0], "-τ0_max"))
        .add(says([middle + limit, 342.0], "τ0_max"))
        .add(says([middle + 200.0, 78.0], "τ = τ0"))
        .add(says([middle - 200.0, 152.0], "τ = -τ0"))
        .add(says([middle - 60.0, 76.0], "τ = sa"))
        .add(says([middle + 190.0, 282.0], "a_rel = sa - τ0_max"))
        .add(says([middle - 190.0, 228.0], "a_rel = sa + τ0_max"))
}

/// The modes of a friction element, and what leads from one to another.
fn friction_modes() -> Document {
    let middle = 505.0;
    let mut drawing = blank(1010.0, 420.0);
    let boxes = [
        ([75.0, 150.0], ["Backward", "mode = -1"]),
        ([290.0, 150.0], ["starts backward", "mode = 0"]),
        ([middle, 150.0], ["Stuck", "mode = 0"]),
        ([720.0, 150.0], ["starts forward", "mode = 0"]),
        ([935.0, 150.0], ["Forward", "mode = 1"]),
        ([middle, 340.0], ["Free", "mode = 2"]),
    ];
    for ([x, y], [name, mode]) in boxes {
        let edges = Rectangle::new().set("x", x - 56.0).set("y", y - 27.0);
        let edges = edges.set("width", 112).set("height", 54).set("rx", 8);
        drawing = drawing.add(edges.set("class", "box"));
        let name = says([x, y - 5.0], name).set("style", "font-size:13px");
        drawing = drawing.add(name).add(remark([x, y + 14.0], mode));
    }
    // Both directions of sliding; `at` is a position to the right of the middle.
    let ways = [(1.0, ">", "sa > τ0_max"), (-1.0, "<", "sa < -τ0_max")];
    for (side, than, limit) in ways {
        let at = |x: f64, y: f64| [middle + side * x, y];
        drawing = arrow(drawing, [at(56.0, 140.0), at(159.0, 140.0)]);
        drawing = arrow(drawing, [at(159.0, 162.0), at(56.0, 162.0)]);
        drawing = arrow(drawing, [at(271.0, 150.0), at(374.0, 150.0)]);
        drawing = curved(drawing, [at(410.0, 177.0), at(220.0, 260.0), at(30.0, 177.0)]);
        drawing = curved(drawing, [at(56.0, 345.0), at(445.0, 345.0), at(445.0, 177.0)]);
        drawing = drawing
            .add(remark(at(107.5, 132.0), limit))
            .add(remark(at(107.5, 177.0), "not accelerated"))
            .add(remark(at(322.5, 142.0), &format!("w_rel {than} 0")))
            .add(remark(at(220.0, 238.0), "w_rel = 0"))
            .add(remark(at(330.0, 356.0), &format!("fn > 0 and w_rel {than} 0")));
    }
    drawing = arrow(drawing, [[middle, 313.0], [middle, 177.0]]);
    drawing = arrow(drawing, [[middle, 392.0], [middle, 367.0]]);
    let over = Path::new().set("d", "M75,123Q75,50,205,50L805,50Q935,50,935,123");
    drawing = drawing.add(over.set("class", "ink"));
    for x in [75.0, 935.0] {
        drawing = drawing.add(head([[x, 100.0], [x, 123.0]], "head"));
    }
    drawing
        .add(remark([middle, 42.0], "an event reverses w_rel, beyond w_small"))
        .add(remark([middle + 72.0, 285.0], "fn > 0 and w_rel = 0"))
        .add(remark([middle, 408.0], "fn ≤ 0, from every mode"))
}
