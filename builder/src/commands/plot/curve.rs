//! Curves, as elements that plotters draws on the canvas.

use std::convert::Infallible;

use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{Color, RGBColor};
use plotters_backend::{BackendCoord, DrawingErrorKind};

use super::canvas::{Canvas, UNITS};

/// The width of curves in tenths of a pixel.
const WIDTH: u32 = 15;

/// The size in pixels of the dot that stands for a curve of one point.
pub(super) const DOT: u32 = 4;

/// A line through points, with a colour and dashes.
pub(super) struct Curve<C> {
    points: Vec<C>,
    colour: RGBColor,
    dashes: &'static [f64],
    name: Option<String>,
}

impl<C> Curve<C> {
    /// A line that belongs to the curve with a name, or to the legend.
    pub(super) fn new(
        points: impl Into<Vec<C>>,
        (colour, dashes): (RGBColor, &'static [f64]),
        name: Option<String>,
    ) -> Curve<C> {
        Curve { points: points.into(), colour, dashes, name }
    }
}

impl<'a, C> PointCollection<'a, C> for &'a Curve<C> {
    type Point = &'a C;
    type IntoIter = &'a [C];

    fn point_iter(self) -> &'a [C] {
        &self.points
    }
}

impl<C> Drawable<Canvas<'_>> for Curve<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        positions: I,
        canvas: &mut Canvas<'_>,
        _: (u32, u32),
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let positions: Vec<BackendCoord> = positions.collect();
        let (colour, name) = (self.colour.to_backend_color(), self.name.clone());
        match positions[..] {
            // A line through one point shows nothing.
            [(x, y)] => {
                let (size, reach) = (DOT * UNITS, (DOT * UNITS / 2) as i32);
                let dot = [(x - reach, y), (x + reach, y)];
                canvas.line(dot.into_iter(), colour, size, &[], name);
            }
            _ => {
                let width = WIDTH * UNITS / 10;
                canvas.line(positions.into_iter(), colour, width, self.dashes, name);
            }
        }
        Ok(())
    }
}
