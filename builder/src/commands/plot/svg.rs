//! Writes the shapes of a picture as the text of an SVG file.

use std::fmt::Write as _;
use std::io;

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::canvas::{Colour, Line, Place, Shape, Text};
use super::font;

/// The text of the file of a picture with a width and a height in pixels.
pub(super) fn write((width, height): (u32, u32), shapes: &[Shape]) -> io::Result<String> {
    let mut writer = Writer::new(Vec::new());
    let size = [("width", width.to_string()), ("height", height.to_string())];
    writer
        .create_element("svg")
        .with_attribute(("xmlns", "http://www.w3.org/2000/svg"))
        .with_attributes(size.iter().map(|(name, value)| (*name, value.as_str())))
        .with_attribute(("viewBox", &*format!("0 0 {width} {height}")))
        .with_attribute(("font-family", font::FAMILIES))
        .with_attribute(("stroke-linejoin", "round"))
        .write_inner_content(|writer| {
            shapes.iter().try_for_each(|shape| {
                writer
                    .write_event(quick_xml::events::Event::Text(BytesText::from_escaped("\n")))?;
                match shape {
                    Shape::Rectangle { corner, size, colour } => {
                        rectangle(writer, *corner, *size, *colour)
                    }
                    Shape::Line(shape) => line(writer, shape),
                    Shape::Text(shape) => text(writer, shape),
                }
            })
        })?;
    let mut file = String::from_utf8_lossy(&writer.into_inner()).into_owned();
    file.push('\n');
    Ok(file)
}

/// A length with the digits that the canvas has.
fn length(pixels: f64) -> String {
    let hundredths = (100.0 * pixels).round();
    format!("{}", hundredths / 100.0 + 0.0)
}

/// A text whose characters XML can contain: the others are replaced.
fn legal(text: &str) -> String {
    let is_legal = |c: char| matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}');
    text.chars().map(|c| if is_legal(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn rectangle(
    writer: &mut Writer<Vec<u8>>,
    (x, y): Place,
    (width, height): Place,
    colour: Colour,
) -> io::Result<()> {
    let lengths = [("x", x), ("y", y), ("width", width), ("height", height)];
    let lengths = lengths.map(|(name, value)| (name, length(value)));
    writer
        .create_element("rect")
        .with_attributes(lengths.iter().map(|(name, value)| (*name, value.as_str())))
        .with_attribute(("fill", &*hex(colour)))
        .write_empty()?;
    Ok(())
}

fn line(writer: &mut Writer<Vec<u8>>, line: &Line) -> io::Result<()> {
    let points = line.points.iter().fold(String::new(), |mut text, (x, y)| {
        let blank = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{blank}{},{}", length(*x), length(*y));
        text
    });
    let mut element = writer
        .create_element("polyline")
        .with_attribute(("fill", "none"))
        .with_attribute(("stroke", &*hex(line.colour)))
        .with_attribute(("stroke-width", &*length(line.width)));
    if !line.dashes.is_empty() {
        let dashes: Vec<String> = line.dashes.iter().map(|d| length(*d)).collect();
        element = element.with_attribute(("stroke-dasharray", &*dashes.join(" ")));
    }
    let element = element.with_attribute(("points", &*points));
    match &line.name {
        None => element.write_empty()?,
        // Browsers show the title of the curve below the pointer.
        Some(name) => element.write_inner_content(|writer| {
            let _ =
                writer.create_element("title").write_text_content(BytesText::new(&legal(name)))?;
            Ok(())
        })?,
    };
    Ok(())
}

fn text(writer: &mut Writer<Vec<u8>>, text: &Text) -> io::Result<()> {
    let (x, y) = (length(text.origin.0), length(text.origin.1));
    let anchor = match text.before {
        before if before < 0.25 => "start",
        before if before < 0.75 => "middle",
        _ => "end",
    };
    let mut element = writer
        .create_element("text")
        .with_attribute(("x", &*x))
        .with_attribute(("y", &*y))
        .with_attribute(("text-anchor", anchor))
        .with_attribute(("font-size", &*length(text.size)))
        .with_attribute(("fill", &*hex(text.colour)));
    if text.upward {
        element = element.with_attribute(("transform", &*format!("rotate(-90 {x} {y})")));
    }
    element.write_text_content(BytesText::new(&legal(&text.text)))?;
    Ok(())
}
