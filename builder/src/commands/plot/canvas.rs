//! The canvas on which plotters draws: it stores shapes, which become an SVG file or a PNG.

use std::convert::Infallible;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontTransform,
};

use super::font;

/// Units of the canvas per pixel: plotters draws at whole units, and a hundredth of a pixel is
/// finer than any screen.
pub(super) const UNITS: u32 = 100;
/// Plotters receives the height of a line, which is the size of the font times this factor.
pub(super) const LINE_HEIGHT: f64 = 1.24;

/// A colour: red, green, blue.
pub(super) type Colour = (u8, u8, u8);

/// A position or a length in pixels.
pub(super) type Place = (f64, f64);

/// A shape; lengths are in pixels, from the upper left corner of the picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A rectangle that is filled.
    Rectangle { corner: Place, size: Place, colour: Colour },
    /// A line through points.
    Line(Line),
    /// A text.
    Text(Text),
}

/// A line through points.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) points: Vec<Place>,
    pub(super) colour: Colour,
    pub(super) width: f64,
    /// The lengths of dashes and gaps in turn; empty for a line without gaps.
    pub(super) dashes: &'static [f64],
    /// The name of a curve; axes and grids have none.
    pub(super) name: Option<String>,
}

/// A text on one line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The point of its base line that its alignment tells.
    pub(super) origin: Place,
    /// The part of its width that is before the origin: 0, 0.5 or 1.
    pub(super) before: f64,
    /// The size of the font.
    pub(super) size: f64,
    pub(super) colour: Colour,
    /// Whether it is read from below.
    pub(super) upward: bool,
}

/// A canvas that appends the shapes that are drawn to a list.
pub(super) struct Canvas<'a> {
    /// Width and height in units.
    pub(super) size: (u32, u32),
    pub(super) shapes: &'a mut Vec<Shape>,
}

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A position on the canvas in pixels.
fn pixels((x, y): BackendCoord) -> Place {
    let pixels = |units: i32| f64::from(units) / f64::from(UNITS);
    (pixels(x), pixels(y))
}

impl Canvas<'_> {
    /// Draws a line through positions on the canvas.
    pub(super) fn line(
        &mut self,
        positions: impl Iterator<Item = BackendCoord>,
        color: BackendColor,
        width: u32,
        dashes: &'static [f64],
        name: Option<String>,
    ) {
        if color.alpha == 0.0 {
            return;
        }
        let (points, width) = (positions.map(pixels).collect(), f64::from(width));
        let width = width / f64::from(UNITS);
        self.shapes.push(Shape::Line(Line { points, colour: color.rgb, width, dashes, name }));
    }
}

impl DrawingBackend for Canvas<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ((left, top), (right, bottom)) = (upper_left, bottom_right);
        if !fill {
            let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
            return self.draw_path(corners, style);
        }
        let BackendColor { alpha, rgb: colour } = style.color();
        if alpha != 0.0 {
            let (corner, size) = (pixels(upper_left), pixels((right - left, bottom - top)));
            self.shapes.push(Shape::Rectangle { corner, size, colour });
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        self.line(path.into_iter(), style.color(), style.stroke_width(), &[], None);
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        position: BackendCoord,
    ) -> Drawn {
        if text.is_empty() {
            return Ok(());
        }
        let size = style.size() / LINE_HEIGHT / f64::from(UNITS);
        let anchor = style.anchor();
        let before = match anchor.h_pos {
            HPos::Left => 0.0,
            HPos::Center => 0.5,
            HPos::Right => 1.0,
        };
        let below = match anchor.v_pos {
            VPos::Top => font::CAPITALS,
            VPos::Center => font::CAPITALS / 2.0,
            VPos::Bottom => -font::DESCENT,
        };
        let (x, y) = pixels(position);
        let upward = matches!(style.transform(), FontTransform::Rotate270);
        let origin = if upward { (x + below * size, y) } else { (x, y + below * size) };
        let colour = style.color().rgb;
        let text = text.to_owned();
        self.shapes.push(Shape::Text(Text { text, origin, before, size, colour, upward }));
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let size = style.size() / LINE_HEIGHT;
        Ok((font::width(text, size).ceil() as u32, style.size().ceil() as u32))
    }
}
