//! Draws the shapes of a picture as a PNG.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::OutlineBuilder;

use super::canvas::{Colour, Line, Shape, Text};
use super::font;

/// The bytes of the file of a picture with a width and a height in pixels; `None` if it does not
/// fit into memory.
pub(super) fn write((width, height): (u32, u32), shapes: &[Shape]) -> Option<Vec<u8>> {
    let mut pixels = Pixmap::new(width, height)?;
    for shape in shapes {
        match shape {
            Shape::Rectangle { corner: (x, y), size: (width, height), colour } => {
                let sides = [*x, *y, *width, *height].map(|length| length as f32);
                if let Some(rectangle) = Rect::from_xywh(sides[0], sides[1], sides[2], sides[3]) {
                    let transform = Transform::identity();
                    pixels.fill_rect(rectangle, &paint(*colour), transform, None);
                }
            }
            Shape::Line(shape) => line(&mut pixels, shape),
            Shape::Text(shape) => text(&mut pixels, shape),
        }
    }
    pixels.encode_png().ok()
}

fn paint((red, green, blue): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, u8::MAX);
    paint
}

fn line(pixels: &mut Pixmap, line: &Line) {
    let mut path = PathBuilder::new();
    for (index, (x, y)) in line.points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    let Some(path) = path.finish() else { return };
    let dashes = line.dashes.iter().map(|length| *length as f32).collect();
    let stroke = Stroke {
        width: line.width as f32,
        line_join: LineJoin::Round,
        line_cap: LineCap::Butt,
        dash: StrokeDash::new(dashes, 0.0),
        ..Stroke::default()
    };
    pixels.stroke_path(&path, &paint(line.colour), &stroke, Transform::identity(), None);
}

fn text(pixels: &mut Pixmap, text: &Text) {
    let mut outline = Outline(PathBuilder::new());
    let mut letters = Vec::new();
    font::letters(&text.text, text.size, text.before, |x, unit, draw| {
        draw(&mut outline);
        let path = std::mem::replace(&mut outline, Outline(PathBuilder::new())).0.finish();
        letters.extend(path.map(|path| (x, unit, path)));
    });
    let (x, y) = (text.origin.0 as f32, text.origin.1 as f32);
    let place = Transform::from_translate(x, y);
    let place = if text.upward { place.pre_rotate(-90.0) } else { place };
    for (x, unit, path) in letters {
        // In a font, the second coordinate points upward.
        let (x, unit) = (x as f32, unit as f32);
        let place = place.pre_translate(x, 0.0).pre_scale(unit, -unit);
        pixels.fill_path(&path, &paint(text.colour), FillRule::Winding, place, None);
    }
}

/// The outline of a letter as a path.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
