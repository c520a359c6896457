//! The picture of a diagram as SVG, whose parts a script can move by their attributes `data-*`.

use std::fmt::Write;

use super::folding::{self, Node, Scheme};
use super::routing::{self, Plan, Size};
use super::shapes::{self, HALF, HALF_HEIGHT};
use super::symbol::{Kind, Side};
use super::{Diagram, End, Place};
use super::{circuit, grid, orientation};
use crate::html::escaped;

/// The distance of a name beside an upright symbol from the centre.
const BESIDE: f64 = 19.0;

/// The width of a character of a name in pixels, at most.
const CHARACTER: f64 = 6.6;

/// Maximum number of characters of a name that are shown.
const LONGEST_NAME: usize = 22;

/// A browser without `light-dark` uses the value before it.
const STYLE: &str = "\
.picture{overflow-x:auto}\
.diagram{font:11px system-ui,sans-serif;color:inherit}\
@media print{.diagram{max-width:100%;height:auto}}\
.diagram text{fill:currentColor;text-anchor:middle}.diagram .below{text-anchor:start}\
.diagram .kind{font-size:9.5px}.diagram .letter{font-size:12.5px}.diagram .state{font-size:9px}\
.diagram .line,.diagram .shaft,.diagram .coil,.diagram .mark,.diagram .plate{fill:none;stroke:currentColor}\
.diagram .line{stroke-width:1.5}.diagram .shaft{stroke-width:2.5}.diagram .mark{stroke-width:2}\
.diagram .coil{stroke-width:calc(1.5px + 1.5px*var(--strength,0));stroke-linejoin:round;vector-effect:non-scaling-stroke}\
.diagram .plate{stroke-width:4}.diagram .hub{fill:currentColor}\
.diagram .body{stroke:currentColor;fill:#e4e9f0;fill:light-dark(#e4e9f0,#39424e)}\
.diagram .fold{stroke-dasharray:4 3}.diagram .frame{stroke-width:3;opacity:.65}\
.diagram .translational{stroke:#0a7a2c;stroke:light-dark(#0a7a2c,#63cf80)}\
.diagram .heat{stroke:#b3261e;stroke:light-dark(#b3261e,#f58a80)}\
.diagram .pin{stroke:#1d4ed8;stroke:light-dark(#1d4ed8,#8fb0ff)}\
.diagram .signal{stroke:#1f3a93;stroke:light-dark(#1f3a93,#85b4ff);stroke-width:1.2}\
.diagram .boolean{stroke:#b3128f;stroke:light-dark(#b3128f,#f08be0);stroke-width:1.2}\
.diagram .integer{stroke:#c1620b;stroke:light-dark(#c1620b,#f5a05a);stroke-width:1.2}\
.diagram .line.dot{fill:currentColor;stroke:none}.diagram .icon{stroke-width:1.5;stroke-linejoin:round}\
.diagram .dot.pin{fill:#1d4ed8;fill:light-dark(#1d4ed8,#8fb0ff)}\
.diagram .dot.heat{fill:#b3261e;fill:light-dark(#b3261e,#f58a80)}\
.diagram .dot.signal{fill:#1f3a93;fill:light-dark(#1f3a93,#85b4ff)}\
.diagram .dot.boolean{fill:#b3128f;fill:light-dark(#b3128f,#f08be0)}\
.diagram .dot.integer{fill:#c1620b;fill:light-dark(#c1620b,#f5a05a)}\
.diagram .hit{fill:none;pointer-events:all}.diagram [role=button]{cursor:pointer}\
.diagram .port{fill:currentColor}\
.diagram [data-state=stuck] .first{transform:translateX(4px)}\
.diagram [data-state=stuck] .second{transform:translateX(-4px)}\
.diagram [data-state=stuck] .upper{transform:translateY(3px)}\
.diagram [data-state=stuck] .lower{transform:translateY(-3px)}\
.diagram [data-state=stuck] .plate{stroke:#0a7a2c;stroke:light-dark(#0a7a2c,#63cf80)}\
.diagram [data-state=slips] .plate{stroke:#c1520b;stroke:light-dark(#c1520b,#f5a05a);stroke-dasharray:3 2}\
.diagram [data-state=free] .plate{opacity:.5}\
.diagram [data-sign=positive] .coil{stroke:#c1520b;stroke:light-dark(#c1520b,#f5a05a)}\
.diagram [data-sign=negative] .coil{stroke:#1f6fb4;stroke:light-dark(#1f6fb4,#6db3f2)}";

/// A picture with the places of everything.
struct Picture {
    scheme: Scheme,
    plan: Plan,
    sizes: Vec<Size>,
}

/// Arranges a diagram.
fn arrange(diagram: &Diagram) -> Picture {
    let mut scheme = folding::scheme(diagram);
    let places: Vec<Option<Place>> =
        scheme.nodes.iter().map(|node| diagram.place_of(&node.name)).collect();
    let cells = if diagram.places.is_empty() {
        let circuits = circuit::arrange(&mut scheme);
        orientation::orient(&mut scheme);
        grid::place(&scheme, &circuits)
    } else {
        let cells = grid::at_places(&places);
        orientation::at_places(&mut scheme, &places, &cells);
        cells
    };
    circuit::rewire(&mut scheme, |node| (cells[node].column, cells[node].row));
    let sizes: Vec<Size> = scheme.nodes.iter().map(size).collect();
    let ports: Vec<Vec<(f64, f64)>> =
        scheme.nodes.iter().zip(&sizes).map(|(node, size)| offsets(node, *size)).collect();
    let plan = routing::plan(&scheme, &cells, &sizes, &ports);
    Picture { scheme, plan, sizes }
}

/// Where the symbols and lines of a picture are, in pixels from its upper left corner.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The frames of the symbols: left, top, right, bottom.
    pub frames: Vec<[f64; 4]>,
    /// The names of the symbols.
    pub names: Vec<String>,
    /// The lines.
    pub lines: Vec<Line>,
    /// Width and height of the picture.
    pub size: (f64, f64),
}

/// A line between two connectors.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The numbers of the symbols at its ends.
    pub ends: [usize; 2],
    /// Its corners, with both ends.
    pub points: Vec<(f64, f64)>,
}

/// The number of ports at a side.
fn count(node: &Node, side: Side) -> f64 {
    node.ports.iter().filter(|port| port.side == side).count() as f64
}

fn size(node: &Node) -> Size {
    let most = count(node, Side::Left).max(count(node, Side::Right));
    let wide = count(node, Side::Top).max(count(node, Side::Bottom));
    let characters = node.name.chars().count().min(LONGEST_NAME) as f64;
    let label = CHARACTER * characters;
    let name_is_aside = count(node, Side::Top) > 0.0 && count(node, Side::Bottom) > 0.0;
    let (width, height) = if node.upright { (HALF_HEIGHT, HALF) } else { (HALF, HALF_HEIGHT) };
    Size {
        width: (2.0 * width).max(14.0 * wide + 8.0),
        height: (2.0 * height).max(14.0 * most + 8.0),
        label: match (node.upright, name_is_aside) {
            (true, _) => [0.0, label + BESIDE],
            (false, true) => [0.0, label + 8.0],
            (false, false) => [label / 2.0; 2],
        },
    }
}

/// Where the ports of a node are, from its centre. A single mechanical port is in the middle.
fn offsets(node: &Node, size: Size) -> Vec<(f64, f64)> {
    let is_signal = |port: &folding::Port| port.kind.is_signal();
    let offset = |port: &folding::Port, index: usize| {
        let same = || node.ports.iter().enumerate().filter(|(_, other)| other.side == port.side);
        let mechanical = same().filter(|(_, other)| !is_signal(other)).count();
        let all = same().count();
        let own = (port.rank, index);
        let place = same().filter(|(i, other)| (other.rank, *i) < own).count();
        let shift = if mechanical == 1 && is_signal(port) {
            let before = same().filter(|(i, p)| is_signal(p) && *i < index).count();
            let away = 14.0 * (before / 2 + 1) as f64;
            if before % 2 == 0 { -away } else { away }
        } else if mechanical == 1 {
            0.0
        } else {
            14.0 * (place as f64 - (all - 1) as f64 / 2.0)
        };
        match port.side {
            Side::Left => (-size.width / 2.0, shift),
            Side::Right => (size.width / 2.0, shift),
            Side::Top => (shift, -size.height / 2.0),
            Side::Bottom => (shift, size.height / 2.0),
        }
    };
    node.ports.iter().enumerate().map(|(index, port)| offset(port, index)).collect()
}

/// The class of a line from an end.
fn class(scheme: &Scheme, (node, port): End) -> &'static str {
    match scheme.nodes[node].ports[port].kind {
        Kind::Flange => "line",
        Kind::TranslationalFlange => "line translational",
        Kind::Frame => "line frame",
        Kind::Heat => "line heat",
        Kind::Pin => "line pin",
        Kind::Input | Kind::Output => "line signal",
        Kind::BooleanInput | Kind::BooleanOutput => "line boolean",
        Kind::IntegerInput | Kind::IntegerOutput => "line integer",
    }
}

impl Diagram {
    /// Where everything is in the picture.
    pub fn layout(&self) -> Layout {
        let Picture { scheme, plan, sizes, .. } = arrange(self);
        let frame = |((x, y), size): (&(f64, f64), &Size)| {
            let (w, h) = (size.width / 2.0, size.height / 2.0);
            [x - w, y - h, x + w, y + h]
        };
        let line = |(ends, points): (&[End; 2], Vec<(f64, f64)>)| Line {
            ends: ends.map(|(node, _)| node),
            points,
        };
        Layout {
            frames: plan.centres.iter().zip(&sizes).map(frame).collect(),
            names: scheme.nodes.into_iter().map(|node| node.name).collect(),
            lines: scheme.lines.iter().zip(plan.lines).map(line).collect(),
            size: (plan.width, plan.height),
        }
    }

    /// The picture as an element of SVG, for HTML or, with the namespace that it states, as a file
    /// of its own.
    pub fn svg(&self, title: &str) -> String {
        let picture = arrange(self);
        let Plan { width, height, .. } = picture.plan;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"diagram\" role=\"img\" \
             width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
             <title>Diagram of {}</title>\n<desc>{}</desc>\n<style>{STYLE}</style>\n",
            escaped(title),
            escaped(&self.summary())
        );
        for (points, [end, _]) in picture.plan.lines.iter().zip(&picture.scheme.lines) {
            let places: Vec<String> =
                points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let class = class(&picture.scheme, *end);
            let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", places.join(" "));
        }
        for ((x, y), end) in routing::junctions(&picture.scheme, &picture.plan) {
            let class = class(&picture.scheme, end);
            let dot =
                format!("<circle class=\"{class} dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\"/>");
            let _ = writeln!(svg, "{dot}");
        }
        for index in 0..picture.scheme.nodes.len() {
            self.draw(&picture, index, &mut svg);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// A sentence if the picture shows less than all components.
    pub fn remark(&self) -> Option<String> {
        let scheme = folding::scheme(self);
        (scheme.omitted > 0).then(|| {
            let all = self.components.len();
            let drawn = all - scheme.omitted;
            format!("The diagram shows {drawn} of {all} components: those near to the first one.")
        })
    }

    /// What the picture contains, for readers who cannot see it.
    fn summary(&self) -> String {
        const MOST: usize = 40;
        let names = self.components.iter().take(MOST).map(|c| {
            let kind = c.type_name.rsplit('.').next().unwrap_or_default();
            format!("{} ({kind})", c.name)
        });
        let names: Vec<String> = names.collect();
        let more = self.components.len().saturating_sub(MOST);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        format!("Components: {}{more}.", names.join(", "))
    }

    /// Draws a node.
    fn draw(&self, picture: &Picture, index: usize, svg: &mut String) {
        let node = &picture.scheme.nodes[index];
        let size = picture.sizes[index];
        let (x, y) = picture.plan.centres[index];
        let component = node.component.map(|i| &self.components[i]);
        let at = format!("transform=\"translate({x:.1} {y:.1})\"");
        match component {
            Some(component) => {
                let name = escaped(&component.name);
                let kind = escaped(&component.type_name);
                let side = node.ports.first().map_or(Side::Right, |port| port.side);
                let _ = write!(
                    svg,
                    "<g class=\"component\" data-component=\"{name}\" {at}>\
                     <title>{name}: {kind}</title>\
                     <rect class=\"hit\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>{}",
                    -size.width / 2.0,
                    -size.height / 2.0,
                    size.width,
                    size.height,
                    match node.icon {
                        Some(icon) => shapes::icon(icon, node),
                        None => shapes::shapes(component, node.mirrored, side, size.height / 2.0),
                    }
                );
            }
            None => {
                let parts = shapes::folded(size.height / 2.0, node.parts);
                let _ = write!(svg, "<g class=\"component\" {at}>{parts}");
            }
        }
        for (port, (dx, dy)) in node.ports.iter().zip(offsets(node, size)) {
            let _ = write!(svg, "{}", shapes::lead(node, port, (dx, dy)));
            if port.kind.is_input() {
                let head = match port.side {
                    Side::Left => "l-6 -3v6z",
                    Side::Right => "l6 -3v6z",
                    Side::Top => "l-3 -6h6z",
                    Side::Bottom => "l-3 6h6z",
                };
                let _ = write!(svg, "<path class=\"port\" d=\"M{dx:.1} {dy:.1}{head}\"/>");
            }
        }
        let name = escaped(&shapes::shortened(&node.name, LONGEST_NAME));
        let has = |side: Side| node.ports.iter().any(|port| port.side == side);
        let (below, above) = (size.height / 2.0 + 13.0, -size.height / 2.0 - 6.0);
        let text = match (has(Side::Bottom), has(Side::Top)) {
            _ if node.upright && has(Side::Right) => {
                format!("<text class=\"name below\" x=\"8\" y=\"{}\">{name}</text>", above + 10.0)
            }
            _ if node.upright => {
                format!("<text class=\"name below\" x=\"{BESIDE}\" y=\"4\">{name}</text>")
            }
            (false, _) => format!("<text class=\"name\" y=\"{below}\">{name}</text>"),
            (true, false) => format!("<text class=\"name\" y=\"{above}\">{name}</text>"),
            (true, true) => {
                format!("<text class=\"name below\" x=\"8\" y=\"{below}\">{name}</text>")
            }
        };
        let _ = writeln!(svg, "{text}</g>");
    }
}
