//! The shapes of symbols as SVG, around their centres, with the variables that move their parts.

use std::fmt::Write;

use super::folding::{Node, Port};
use super::icons::Icon;
use super::symbol::{Kind, Side, Symbol};
use super::{Component, Moves};
use crate::html::escaped;

/// Half the width of a symbol, where its ports at the left and right are, in pixels.
pub const HALF: f64 = 32.0;

/// Half the height of a symbol with few ports.
pub const HALF_HEIGHT: f64 = 22.0;

/// The largest radius of a disc.
const RADIUS: f64 = 20.0;

/// An attribute that names a variable; empty if there is none.
fn moved(kind: &str, variable: Option<&str>) -> String {
    variable.map_or_else(String::new, |name| format!(" data-{kind}=\"{}\"", escaped(name)))
}

/// A path without filling.
fn path(class: &str, d: &str) -> String {
    format!("<path class=\"{class}\" d=\"{d}\"/>")
}

/// A disc with a mark from its centre to its rim.
fn disc((x, y): (f64, f64), radius: f64, variable: Option<&str>) -> String {
    let turn = moved("turn", variable);
    let mark = path("mark", &format!("M0 0V{}", 2.0 - radius));
    format!(
        "<g transform=\"translate({x} {y})\"><g{turn}><circle class=\"body\" r=\"{radius}\"/>{mark}\
         <circle class=\"hub\" r=\"2\"/></g></g>"
    )
}

/// A zigzag line from one place to another.
fn coil(from: f64, to: f64, y: f64, height: f64) -> String {
    const TURNS: usize = 6;
    let step = (to - from) / TURNS as f64;
    let mut d = format!("M{from} {y}");
    for k in 0..TURNS {
        let x = from + step * (k as f64 + 0.5);
        let _ = write!(d, "L{x:.1} {}", if k % 2 == 0 { y - height } else { y + height });
    }
    let _ = write!(d, "L{to} {y}");
    path("coil", &d)
}

/// A damper from one place to another: a cylinder with a piston.
fn damper(from: f64, to: f64, y: f64) -> String {
    let (left, right, middle) = (from + 6.0, to - 4.0, f64::midpoint(from, to));
    let (top, bottom) = (y - 6.0, y + 6.0);
    let cylinder = format!("M{right} {top}H{left}V{bottom}H{right}M{from} {y}H{left}");
    let piston = format!("M{to} {y}H{middle}M{middle} {}V{}", y - 4.0, y + 4.0);
    path("coil", &cylinder) + &path("coil", &piston)
}

/// Shafts from both ports.
fn shafts(to: f64) -> String {
    path("shaft", &format!("M-32 0H-{to}M{to} 0H32"))
}

/// What is between two ends that turn, and shows the torque.
fn twisted(left: Option<&str>, right: Option<&str>, moves: &Moves, inner: &str) -> String {
    let force = moved("force", moves.force.as_deref());
    let ends = disc((-22.0, 0.0), 8.0, left) + &disc((22.0, 0.0), 8.0, right);
    format!("{}{ends}<g{force}>{inner}</g>", shafts(30.0))
}

/// What is stretched between two ends, and shows the force.
fn stretched(moves: &Moves, inner: &str) -> String {
    let force = moved("force", moves.force.as_deref());
    let stretch = moved("stretch", moves.length.as_deref());
    format!("{}<g{force}><g{stretch}>{inner}</g></g>", shafts(13.0))
}

/// Two gear wheels with the radii of a ratio, as far as there is room. Wheels that turn in the same
/// direction are one inside the other, or have a belt if they are nearly equal.
fn gear(left: Option<&str>, right: Option<&str>, ratio: f64) -> String {
    // The left wheel has the radius `1`, the right one `|ratio|`.
    let scale = 1.0_f64.max(ratio.abs());
    let [a, b] = [1.0, ratio.abs()].map(|radius| (radius / scale).max(0.25));
    if ratio < 0.0 {
        let unit = 30.0 / (a + b);
        let (a, b) = (round(unit * a), round(unit * b));
        return shafts(28.0) + &disc((a - 30.0, 0.0), a, left) + &disc((30.0 - b, 0.0), b, right);
    }
    let (large, small) = (RADIUS, RADIUS * a.min(b));
    if a.min(b) > 0.7 {
        let (a, b) = (round(13.0 * a), round(13.0 * b));
        let belt = path("coil", &format!("M-15 -{a}L15 -{b}M-15 {a}L15 {b}"));
        return shafts(28.0) + &disc((-15.0, 0.0), a, left) + &disc((15.0, 0.0), b, right) + &belt;
    }
    let small = round(small);
    let shafts = shafts(16.0);
    match a < b {
        true => shafts + &disc((0.0, 0.0), large, right) + &disc((small - large, 0.0), small, left),
        false => {
            shafts + &disc((0.0, 0.0), large, left) + &disc((large - small, 0.0), small, right)
        }
    }
}

fn round(x: f64) -> f64 {
    (10.0 * x).round() / 10.0
}

/// Two plates; those of a freewheel have a triangle.
fn clutch(left: Option<&str>, right: Option<&str>, moves: &Moves, freewheel: bool) -> String {
    let mode = moved("mode", moves.mode.as_deref());
    let wedge = if freewheel { path("hub", "M-5 -19L5 -15L-5 -11Z") } else { String::new() };
    let ends = disc((-22.0, 0.0), 8.0, left) + &disc((22.0, 0.0), 8.0, right);
    format!(
        "{}{ends}<g{mode}><path class=\"plate first\" d=\"M-14 0H-6M-6 -12V12\"/>\
         <path class=\"plate second\" d=\"M14 0H6M6 -12V12\"/>{wedge}\
         <text class=\"state\" y=\"22\"></text></g>",
        shafts(30.0)
    )
}

/// A disc, or a part that slides, between two shoes.
fn brake(moves: &Moves, translates: bool) -> String {
    let mode = moved("mode", moves.mode.as_deref());
    let a = moves.a.as_deref();
    let part = match translates {
        false => disc((0.0, 0.0), 13.0, a),
        true => format!(
            "<g{}><rect class=\"body\" x=\"-14\" y=\"-12\" width=\"28\" height=\"24\"/></g>",
            moved("slide", a)
        ),
    };
    format!(
        "{}{part}<g{mode}><path class=\"plate upper\" d=\"M-9 -18H9\"/>\
         <path class=\"plate lower\" d=\"M-9 18H9\"/><text class=\"state\" x=\"24\" y=\"19\"></text></g>",
        path("shaft", "M-32 0H32")
    )
}

/// A point at rest, whose port is at a side.
fn ground(side: Side) -> String {
    let lead = match side {
        Side::Left => "M-32 0H0V6",
        Side::Right => "M32 0H0V6",
        Side::Top => "M0 -22V6",
        Side::Bottom => "M0 22V6",
    };
    path("shaft", lead) + &path("coil", "M-16 6H16M-12 6l-5 8M-4 6l-5 8M4 6l-5 8M12 6l-5 8")
}

/// A frame of a symbol with a text.
fn boxed(class: &str, half_height: f64, text: &str) -> String {
    format!(
        "<rect class=\"{class}\" x=\"-32\" y=\"{}\" width=\"64\" height=\"{}\" rx=\"3\"/>\
         <text class=\"kind\" y=\"4\">{}</text>",
        -half_height,
        2.0 * half_height,
        escaped(&shortened(text, 10))
    )
}

/// A text of at most so many characters.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    kept + "…"
}

/// A source: a circle with an arrow.
fn source(moves: &Moves, translates: bool, mirrored: bool) -> String {
    let force = moved("force", moves.force.as_deref());
    let arrow = match (translates, mirrored) {
        (true, false) => "M-9 0H9M3 -5L9 0L3 5",
        (true, true) => "M9 0H-9M-3 -5L-9 0L-3 5",
        (false, _) => "M9 4A10 10 0 1 0 -9 4M-12 -2L-9 4L-3 1",
    };
    format!(
        "{}<circle class=\"body\" r=\"16\"/><g{force}>{}</g>",
        path("shaft", if mirrored { "M-32 0H-16" } else { "M16 0H32" }),
        path("coil", arrow)
    )
}

/// The shapes of a component; `mirrored` exchanges left and right.
pub fn shapes(component: &Component, mirrored: bool, side: Side, half_height: f64) -> String {
    let moves = &component.moves;
    let ends = (moves.a.as_deref(), moves.b.as_deref());
    let (left, right) = if mirrored { (ends.1, ends.0) } else { ends };
    let a = moves.a.as_deref();
    let translates = component.connectors.iter().any(|c| c.kind == Kind::TranslationalFlange);
    match component.symbol {
        Symbol::Disc => path("shaft", "M-32 0H32") + &disc((0.0, 0.0), RADIUS, a),
        Symbol::Mass => format!(
            "{}<g{}><rect class=\"body\" x=\"-16\" y=\"-13\" width=\"32\" height=\"26\"/></g>",
            path("shaft", "M-32 0H32"),
            moved("slide", a)
        ),
        Symbol::Ground => ground(side),
        Symbol::TorsionSpring => twisted(left, right, moves, &coil(-14.0, 14.0, 0.0, 7.0)),
        Symbol::TorsionDamper => twisted(left, right, moves, &damper(-14.0, 14.0, 0.0)),
        Symbol::TorsionSpringDamper => {
            let inner = coil(-14.0, 14.0, -8.0, 5.0) + &damper(-14.0, 14.0, 10.0);
            let bars = path("coil", "M-14 -8V10M14 -8V10");
            twisted(left, right, moves, &(inner + &bars))
        }
        Symbol::Backlash => {
            let jaws = path("coil", "M2 0V-7H12M2 0V7H12M14 0H6");
            twisted(left, right, moves, &(coil(-14.0, 2.0, 0.0, 7.0) + &jaws))
        }
        Symbol::Spring => stretched(moves, &coil(-20.0, 20.0, 0.0, 9.0)),
        Symbol::Damper => stretched(moves, &damper(-20.0, 20.0, 0.0)),
        Symbol::SpringDamper => {
            let bars = path("coil", "M-20 -10V10M20 -10V10");
            let inner = coil(-20.0, 20.0, -10.0, 6.0) + &damper(-20.0, 20.0, 10.0);
            stretched(moves, &(inner + &bars))
        }
        Symbol::Gap => {
            let plates = path("coil", "M6 -12V12M14 -12V12M14 0H20");
            stretched(moves, &(coil(-20.0, 6.0, 0.0, 8.0) + &plates))
        }
        Symbol::Gear => {
            let ratio = component.ratio.unwrap_or(1.0);
            gear(left, right, if mirrored { 1.0 / ratio } else { ratio })
        }
        Symbol::Rack => rack(moves),
        Symbol::Clutch => clutch(left, right, moves, false),
        Symbol::Freewheel => clutch(left, right, moves, true),
        Symbol::Brake => brake(moves, translates),
        Symbol::Source => source(moves, translates, mirrored),
        Symbol::Sensor => {
            "<circle class=\"body\" r=\"18\"/>".to_owned()
                + &path("shaft", "M-32 0H-18M18 0H32")
                + &path("coil", "M0 0L8 -11M-13 -6L-9 -4M0 -14V-10M13 -6L9 -4")
        }
        other => in_space(other, component, half_height),
    }
}

/// A wheel on a bar, which slides.
fn rack(moves: &Moves) -> String {
    format!(
        "{}{}<g{}><path class=\"body\" d=\"M-22 12H22V18H-22Z\"/></g>",
        shafts(11.0),
        disc((0.0, 0.0), 12.0, moves.a.as_deref()),
        moved("slide", moves.b.as_deref())
    )
}

/// The shapes of parts in space, and of all others.
fn in_space(symbol: Symbol, component: &Component, half_height: f64) -> String {
    let moves = &component.moves;
    match symbol {
        Symbol::World => {
            path("shaft", "M0 0H32")
                + &path("coil", "M-12 14V-16M-16 -10L-12 -16L-8 -10M-12 14H18M12 10L18 14L12 18")
        }
        Symbol::Body => {
            path("shaft", "M-32 0H32")
                + "<rect class=\"body\" x=\"-22\" y=\"-11\" width=\"44\" height=\"22\" rx=\"6\"/>"
                + "<circle class=\"hub\" r=\"4\"/>"
        }
        Symbol::Bar => path("shaft", "M-32 0H32") + &path("body", "M-24 -4H24V4H-24Z"),
        Symbol::Revolute => {
            path("shaft", "M-32 0H32")
                + &disc((0.0, 0.0), 15.0, moves.a.as_deref())
                + &path("coil", "M-22 -12V12M22 -12V12")
        }
        Symbol::Prismatic => format!(
            "{}<rect class=\"body\" x=\"-22\" y=\"-12\" width=\"26\" height=\"24\"/><g{}>{}</g>",
            path("shaft", "M-32 0H32"),
            moved("stretch", moves.length.as_deref()),
            path("body", "M4 -6H20V6H4Z")
        ),
        Symbol::Spherical => {
            path("shaft", "M-32 0H32")
                + &path("coil", "M10 -14A18 18 0 1 0 10 14")
                + "<circle class=\"body\" cx=\"2\" r=\"11\"/>"
        }
        _ => {
            let name = component.type_name.rsplit('.').next().unwrap_or_default();
            boxed("body", half_height, name)
        }
    }
}

/// The drawing of a type, turned as its node is. Signals enter an upright node at the left.
pub fn icon(icon: &Icon, node: &Node) -> String {
    let enters = node.ports.iter().any(|port| port.kind.is_input());
    let turn = match (node.upright, node.mirrored) {
        (false, false) => String::new(),
        (false, true) => "scale(-1 1)".to_owned(),
        (true, mirrored) => {
            let signs = [mirrored, enters].map(|back| if back { -1 } else { 1 });
            format!("rotate(90) scale({} {})", signs[0], signs[1])
        }
    };
    let area = if icon.body.is_empty() { String::new() } else { path("body icon", icon.body) };
    let lines = if icon.lines.is_empty() { String::new() } else { path("coil icon", icon.lines) };
    let text = match icon.text {
        "" => String::new(),
        text => format!("<text class=\"letter\" y=\"4.5\">{}</text>", escaped(text)),
    };
    let turn = if turn.is_empty() { turn } else { format!(" transform=\"{turn}\"") };
    format!("<g{turn}>{area}{lines}</g>{text}")
}

/// A line from a port to a symbol that does not reach to it.
pub fn lead(node: &Node, port: &Port, (x, y): (f64, f64)) -> String {
    let symbol = node.symbol;
    let reach = match symbol {
        Symbol::Icon => return icon_lead(node, port, (x, y)),
        Symbol::Clutch | Symbol::Freewheel | Symbol::Body => 11.0,
        Symbol::Revolute | Symbol::Prismatic => 12.0,
        Symbol::Source => 16.0,
        Symbol::Brake | Symbol::Rack => 18.0,
        Symbol::Disc | Symbol::Gear | Symbol::Mass => 13.0,
        _ => return String::new(),
    };
    let class = lead_class(port);
    match port.side {
        Side::Top | Side::Bottom if y.abs() > reach => {
            path(class, &format!("M{x} {y}V{}", reach.copysign(y)))
        }
        Side::Left | Side::Right if symbol == Symbol::Source && port.kind.is_input() => {
            path(class, &format!("M{x} {y}H{}", reach.copysign(x)))
        }
        _ => String::new(),
    }
}

fn lead_class(port: &Port) -> &'static str {
    match port.kind {
        Kind::Heat => "line heat",
        kind if kind.is_signal() => "line signal",
        _ => "line",
    }
}

/// A line from a port beside the axis of a drawing to its body.
fn icon_lead(node: &Node, port: &Port, (x, y): (f64, f64)) -> String {
    let reach = node.icon.map_or(0.0, |icon| icon.reach);
    let class = lead_class(port);
    let level = matches!(port.side, Side::Left | Side::Right);
    if node.icon.is_some_and(|icon| icon.axis.is_line()) && level != node.upright {
        return String::new();
    }
    match level {
        true if node.upright || port.kind == Kind::Heat => {
            path(class, &format!("M{x} {y}H{}", reach.copysign(x)))
        }
        false if !node.upright => path(class, &format!("M{x} {y}V{}", reach.copysign(y))),
        _ => String::new(),
    }
}

/// The shape of several components that are folded.
pub fn folded(half_height: f64, count: usize) -> String {
    boxed("body fold", half_height, &format!("{count} parts"))
}
