//! A picture of curves over time in panels below each other.

use std::convert::Infallible;
use std::path::Path;

use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, Color, DrawingArea, DrawingAreaErrorKind, IntoDrawingArea, IntoFont,
    RGBColor, ShapeStyle, TRANSPARENT, TextStyle, WHITE,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{PlotAxis, Ticks, has_place};
use super::canvas::{Canvas, LINE_HEIGHT, Shape, UNITS};
use super::curve::Curve;
use super::thinning::thinned;
use super::{font, png, svg};
use fmus::atomic_file;
use fmus::error::Error;

/// All lengths are in pixels.
const WIDTH: u32 = 960;
const TITLE: u32 = 44;
/// The height of the curves in a panel, without its legend, and the least one.
const CURVES: u32 = 216;
const LEAST_CURVES: u32 = 60;
const LEAST_WIDTH: u32 = 200;
const LEGEND_ROW: u32 = 20;
/// The line of a legend's entry, and what follows its text.
const SAMPLE: u32 = 30;
const AFTER_ENTRY: u32 = 18;
/// Above and below the curves of a panel.
const ABOVE: u32 = 6;
const BELOW: u32 = 8;
/// Below the panels: the labels of the axis of time, its name, and the remark.
const TIME_LABELS: u32 = 20;
const TIME_NAME: u32 = 24;
const REMARK: u32 = 22;
/// At the left of all labels, between them and the axis, and at the right of the curves.
const EDGE: u32 = 10;
const TICK: u32 = 4;
const RIGHT: u32 = 24;
/// The room between labels of the axis of time, and the height of those of values.
const LABEL_GAP: f64 = 24.0;
const LABEL_HEIGHT: u32 = 36;
const TITLE_SIZE: u32 = 18;
const NAME_SIZE: u32 = 14;
const LABEL_SIZE: u32 = 13;
/// A line is reduced to what is seen at this number of columns per pixel.
const COLUMNS: f64 = 2.0;

const INK: RGBColor = rgb(0x1f2937);
const SOFT: RGBColor = rgb(0x4b5563);
const GRID: RGBColor = rgb(0xe5e7eb);
/// The colours of lines: those of Okabe and Ito, which the colour-blind can distinguish, with gray
/// instead of yellow, which is faint on white.
pub(super) const COLOURS: [u32; 8] =
    [0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000, 0x808080];
/// The lengths of dashes and gaps of the lines of each origin.
pub(super) const DASHES: [&[f64]; 6] = [
    &[],
    &[7.0, 3.0],
    &[2.0, 2.0],
    &[8.0, 2.5, 2.0, 2.5],
    &[14.0, 4.0],
    &[8.0, 2.0, 2.0, 2.0, 2.0, 2.0],
];

/// Curves over one axis of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
    /// The unit of time; may be empty.
    pub(crate) time_unit: String,
    /// A line below the panels; may be empty.
    pub(crate) remark: String,
    /// Width and height in pixels; by default as the panels need it.
    pub(crate) size: Option<(u32, u32)>,
}

/// The curves with a common axis of values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// The name of the axis.
    pub(crate) name: String,
    /// Its unit; may be empty.
    pub(crate) unit: String,
    /// Whether the values are numbers of modes, between which there are no values.
    pub(crate) whole: bool,
    pub(crate) lines: Vec<PlotLine>,
}

/// One curve.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlotLine {
    pub(crate) name: String,
    /// The number of its origin: lines of different origins have different dashes.
    pub(crate) origin: usize,
    /// Time and value; NaN interrupts the line.
    pub(crate) points: Vec<(f64, f64)>,
}

type Area<'a> = DrawingArea<Canvas<'a>, Shift>;
type Chart<'a, 'c> = ChartContext<'a, Canvas<'c>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;
type Drawn = Result<(), DrawingAreaErrorKind<Infallible>>;

const fn rgb(hex: u32) -> RGBColor {
    let [_, red, green, blue] = hex.to_be_bytes();
    RGBColor(red, green, blue)
}

/// Pixels in units of the canvas.
const fn px(pixels: u32) -> i32 {
    (pixels * UNITS) as i32
}

/// A style of lines, with their width in tenths of a pixel.
fn stroke(colour: RGBColor, width: u32) -> ShapeStyle {
    colour.stroke_width(width * UNITS / 10)
}

/// A style of texts that begin at a point and are centred vertically.
fn font(pixels: u32, colour: RGBColor) -> TextStyle<'static> {
    let size = LINE_HEIGHT * f64::from(px(pixels));
    ("sans-serif", size).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center))
}

/// The width of the widest of some texts in pixels.
fn widest<S: AsRef<str>>(texts: impl Iterator<Item = S>, size: u32) -> f64 {
    texts.map(|text| font::width(text.as_ref(), f64::from(size))).fold(0.0, f64::max)
}

/// A name with its unit.
fn with_unit(name: &str, unit: &str) -> String {
    if unit.is_empty() { name.to_owned() } else { format!("{name} in {unit}") }
}

/// The beginning of a text that is not wider than `room` pixels, with the given end.
fn shortened(text: &str, end: &str, size: u32, room: f64) -> String {
    let (mut kept, mut short) = (text.to_owned(), format!("{text}{end}"));
    while font::width(&short, f64::from(size)) > room && kept.pop().is_some() {
        short = format!("{kept}…{end}");
    }
    short
}

/// The lengths of a picture in pixels, and the ticks of its axes.
struct Layout {
    size: (u32, u32),
    /// The position of the axes of values.
    left: u32,
    /// The height of the curves of a panel.
    curves: u32,
    time: (PlotAxis, Ticks),
    /// The axis of values of each panel.
    values: Vec<(PlotAxis, Ticks)>,
    /// The rows and the columns of each legend.
    legends: Vec<(u32, u32)>,
}

impl Layout {
    fn of(picture: &Picture) -> Result<Layout, Error> {
        let panels = picture.panels.len() as u32;
        let remark = if picture.remark.is_empty() { 0 } else { REMARK };
        let around = TITLE + TIME_LABELS + TIME_NAME + remark + panels * (ABOVE + BELOW);
        let width = picture.size.map_or(WIDTH, |size| size.0);
        let rough = picture.size.map_or(CURVES, |size| size.1.saturating_sub(around) / panels);
        let values: Vec<_> = picture.panels.iter().map(|panel| panel.values(rough)).collect();
        let labels = values.iter().flat_map(|(_, t)| t.places.iter().map(|tick| t.label(*tick)));
        let labels = widest(labels, LABEL_SIZE).ceil() as u32;
        let left = EDGE + NAME_SIZE + 8 + labels + 2 * TICK;
        let inner = width.saturating_sub(left + RIGHT);
        let legends: Vec<_> = picture.panels.iter().map(|panel| panel.legend(inner)).collect();
        let around = around + legends.iter().map(|(rows, _)| rows * LEGEND_ROW).sum::<u32>();
        let height = picture.size.map_or(around + panels * CURVES, |size| size.1);
        let curves = height.saturating_sub(around) / panels;
        let least = (left + RIGHT + LEAST_WIDTH, around + panels * LEAST_CURVES);
        if inner < LEAST_WIDTH || curves < LEAST_CURVES {
            return Err(Error::Request(format!(
                "a size of {width}x{height} pixels is too small: this picture needs at least {}x{}",
                least.0, least.1
            )));
        }
        let points = picture.panels.iter().flat_map(|p| &p.lines).flat_map(|l| &l.points);
        // Without a margin, rounding errors would remove labels at the ends.
        let time = PlotAxis::new(points.map(|(t, _)| *t), 1e-9);
        let fits = |ticks: &Ticks| {
            let labels = ticks.places.iter().map(|tick| ticks.label(*tick));
            let room = widest(labels, LABEL_SIZE) + LABEL_GAP;
            room * ticks.places.len() as f64 <= f64::from(inner)
        };
        let ticks = (2..=11).rev().map(|most| time.ticks(most)).find(fits);
        let time = (time, ticks.unwrap_or_else(|| time.ticks(2)));
        Ok(Layout { size: (width, height), left, curves, time, values, legends })
    }
}

impl Picture {
    /// The text of an SVG file.
    fn svg(&self) -> Result<String, Error> {
        let layout = Layout::of(self)?;
        svg::write(layout.size, &self.shapes(&layout)?).map_err(|e| self.failed(&e))
    }

    /// The bytes of a PNG.
    fn png(&self) -> Result<Vec<u8>, Error> {
        let layout = Layout::of(self)?;
        png::write(layout.size, &self.shapes(&layout)?)
            .ok_or_else(|| self.failed(&"it does not fit into memory"))
    }

    /// Writes a file: a PNG if its name ends in `.png`, or else an SVG file.
    ///
    /// # Errors
    /// If the file cannot be written, or the picture is too small for its labels.
    pub(crate) fn write(&self, path: &Path) -> Result<(), Error> {
        let is_png = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
        let bytes = if is_png { self.png()? } else { self.svg()?.into_bytes() };
        atomic_file::write(path, &bytes)
    }

    fn failed(&self, reason: &dyn std::fmt::Display) -> Error {
        Error::Request(format!("{}: cannot draw the plot: {reason}", self.title))
    }

    fn shapes(&self, layout: &Layout) -> Result<Vec<Shape>, Error> {
        let mut shapes = Vec::new();
        let size = (layout.size.0 * UNITS, layout.size.1 * UNITS);
        let canvas = Canvas { size, shapes: &mut shapes }.into_drawing_area();
        self.draw(&canvas, layout).map_err(|e| self.failed(&e))?;
        drop(canvas);
        Ok(shapes)
    }

    fn draw(&self, canvas: &Area, layout: &Layout) -> Drawn {
        canvas.fill(&WHITE)?;
        let (width, left) = (layout.size.0, layout.left);
        let (title, mut rest) = canvas.split_vertically(px(TITLE));
        let room = f64::from(width - 2 * RIGHT);
        let text = shortened(&self.title, "", TITLE_SIZE, room);
        let centre = Pos::new(HPos::Center, VPos::Center);
        let (middle, right) = ((left + width - RIGHT) / 2, width - RIGHT);
        title.draw_text(&text, &font(TITLE_SIZE, INK).pos(centre), (px(width) / 2, px(24)))?;
        for (index, panel) in self.panels.iter().enumerate() {
            let rows = layout.legends[index].0;
            let is_last = index + 1 == self.panels.len();
            let below = if is_last { TIME_LABELS + BELOW } else { BELOW };
            let height = rows * LEGEND_ROW + ABOVE + layout.curves + below;
            let (area, next) = rest.split_vertically(px(height));
            panel.draw(&area, layout, index)?;
            rest = next;
        }
        let name = with_unit("time", &self.time_unit);
        rest.draw_text(&name, &font(NAME_SIZE, INK).pos(centre), (px(middle), px(10)))?;
        if let Some(factor) = layout.time.1.factor() {
            let end = font(LABEL_SIZE, SOFT).pos(Pos::new(HPos::Right, VPos::Center));
            rest.draw_text(&factor, &end, (px(right), px(10)))?;
        }
        rest.draw_text(&self.remark, &font(LABEL_SIZE, SOFT), (px(left), px(TIME_NAME + 10)))?;
        canvas.present()
    }
}

impl Panel {
    /// The axis of values over a height in pixels.
    fn values(&self, height: u32) -> (PlotAxis, Ticks) {
        let values = self.lines.iter().flat_map(|line| &line.points).map(|(_, value)| *value);
        let axis = PlotAxis::new(values, 0.06);
        let most = (height / LABEL_HEIGHT).clamp(2, 9) as usize;
        (axis, axis.ticks(if self.whole { axis.whole_labels(most) } else { most }))
    }

    /// The rows and columns of the legend in a width in pixels.
    fn legend(&self, width: u32) -> (u32, u32) {
        let names = widest(self.lines.iter().map(|line| &line.name), NAME_SIZE);
        let entry = SAMPLE + 6 + names.ceil() as u32 + AFTER_ENTRY;
        let columns = (width / entry).max(1);
        let rows = (self.lines.len() as u32).div_ceil(columns).max(1);
        (rows, columns)
    }

    /// The colour and the dashes of each line. Lines are in different colours as long as there are
    /// enough, and no two lines have the same colour and the same dashes.
    fn styles(&self) -> Vec<(RGBColor, &'static [f64])> {
        let mut used = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            let dashes = line.origin % DASHES.len();
            let colours = (index..index + COLOURS.len()).map(|i| i % COLOURS.len());
            let free = colours.map(|colour| (colour, dashes)).find(|style| !used.contains(style));
            used.push(free.unwrap_or((index % COLOURS.len(), dashes)));
        }
        used.into_iter().map(|(colour, dash)| (rgb(COLOURS[colour]), DASHES[dash])).collect()
    }

    fn draw(&self, area: &Area, layout: &Layout, index: usize) -> Drawn {
        // The legends of plotters are a column in front of the curves: ten lines would hide most of
        // them.
        let (rows, columns) = layout.legends[index];
        let (legend, body) = area.split_vertically(px(rows * LEGEND_ROW));
        let styles = self.styles();
        let entries = legend.margin(0, 0, px(layout.left), px(RIGHT));
        let entries = entries.split_evenly((rows as usize, columns as usize));
        let room = f64::from((layout.size.0 - layout.left - RIGHT) / columns - SAMPLE - 6);
        for ((line, style), entry) in self.lines.iter().zip(&styles).zip(entries) {
            let y = px(LEGEND_ROW) / 2;
            entry.draw(&Curve::new([(0, y), (px(SAMPLE), y)], *style, None))?;
            let name = shortened(&line.name, "", NAME_SIZE, room);
            entry.draw_text(&name, &font(NAME_SIZE, INK), (px(SAMPLE + 6), y))?;
        }
        if let Some(factor) = layout.values[index].1.factor() {
            let end = font(LABEL_SIZE, SOFT).pos(Pos::new(HPos::Right, VPos::Center));
            let place = (px(layout.left - 2 * TICK), px(rows * LEGEND_ROW - LEGEND_ROW / 2));
            legend.draw_text(&factor, &end, place)?;
        }
        let mut chart = self.axes(&body, layout, index)?;
        let (time, value) = (layout.time.0, layout.values[index].0);
        let width = COLUMNS * f64::from(layout.size.0 - layout.left - RIGHT);
        for (line, style) in self.lines.iter().zip(styles) {
            for piece in line.points.split(|(t, v)| !has_place(*t) || !has_place(*v)) {
                let places = piece.iter().map(|(t, v)| (time.place(*t), value.place(*v)));
                let places: Vec<_> = places.collect();
                let points = thinned(&places, (time.low, time.high), width as usize);
                let name = Some(line.name.clone());
                chart.draw_series([Curve::new(points, style, name)])?;
            }
        }
        Ok(())
    }

    /// Draws the axes and the grid; the labels of time are below the last panel.
    fn axes<'a, 'c>(
        &self,
        body: &'a Area<'c>,
        layout: &Layout,
        index: usize,
    ) -> Result<Chart<'a, 'c>, DrawingAreaErrorKind<Infallible>> {
        let (time, value) = (&layout.time, &layout.values[index]);
        let is_last = index + 1 == layout.values.len();
        let below = if is_last { TIME_LABELS + BELOW } else { BELOW };
        let mut chart = ChartBuilder::on(body)
            .margin_top(px(ABOVE))
            .margin_left(px(EDGE))
            .margin_right(px(RIGHT))
            .x_label_area_size(px(below))
            .y_label_area_size(px(layout.left - EDGE))
            .build_cartesian_2d(time.0.low..time.0.high, value.0.low..value.0.high)?;
        let unit = if self.unit.is_empty() { String::new() } else { format!(" in {}", self.unit) };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(stroke(GRID, 10))
            .axis_style(stroke(SOFT, 10))
            .set_all_tick_mark_size(px(TICK))
            .label_style(font(LABEL_SIZE, SOFT))
            .axis_desc_style(font(NAME_SIZE, INK))
            .x_labels(time.1.most)
            .y_labels(value.1.most)
            .x_label_formatter(&|tick| {
                if is_last { time.1.label(*tick) } else { String::new() }
            })
            .y_label_formatter(&|tick| value.1.label(*tick))
            .y_desc(shortened(&self.name, &unit, NAME_SIZE, f64::from(layout.curves + ABOVE)))
            .draw()?;
        Ok(chart)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::plot::canvas::{Line, Text};
    use crate::commands::plot::curve::DOT;

    fn line(name: &str, points: Vec<(f64, f64)>) -> PlotLine {
        PlotLine { name: name.to_owned(), origin: 0, points }
    }

    fn picture(panels: Vec<Vec<PlotLine>>) -> Picture {
        let panel =
            |lines| Panel { name: "w".to_owned(), unit: "rad/s".to_owned(), whole: false, lines };
        let panels = panels.into_iter().map(panel).collect();
        Picture { title: "Model".to_owned(), panels, ..Picture::default() }
    }

    /// Lines with names, lines without, and texts.
    fn shapes(picture: &Picture) -> (Vec<Line>, Vec<Line>, Vec<Text>) {
        let (mut curves, mut others, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        for shape in picture.shapes(&Layout::of(picture).unwrap()).unwrap() {
            match shape {
                Shape::Line(line) if line.name.is_some() => curves.push(line),
                Shape::Line(line) => others.push(line),
                Shape::Text(text) => texts.push(text),
                Shape::Rectangle { .. } => {}
            }
        }
        (curves, others, texts)
    }

    /// Left, top, right and bottom of a text.
    fn sides(text: &Text) -> [f64; 4] {
        let width = font::width(&text.text, text.size);
        let (x, y) = text.origin;
        let (up, down) = (font::CAPITALS * text.size, font::DESCENT * text.size);
        if text.upward {
            let bottom = y + text.before * width;
            [x - up, bottom - width, x + down, bottom]
        } else {
            let left = x - text.before * width;
            [left, y - up, left + width, y + down]
        }
    }

    fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
        a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
    }

    #[test]
    fn a_name_that_is_too_long_for_its_axis_is_cut_off_before_the_unit() {
        let check = |name: &str, unit: &str, expected: &str| {
            assert_eq!(shortened(name, unit, 10, 120.0), expected);
        };
        check("w", " in rad/s", "w in rad/s");
        check("f_normalized", "", "f_normalized");
        check("bearingFriction.w_rel", " in rad/s", "bearingFricti… in rad/s");
    }

    #[test]
    fn a_curve_is_drawn_finer_than_pixels_and_interrupted_where_it_has_no_value() {
        let points: Vec<(f64, f64)> = (0..=1000).map(|i| (f64::from(i), f64::from(i))).collect();
        for gap in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut interrupted = points.clone();
            interrupted[500].1 = gap;
            let lines = vec![line("a<b", points.clone()), line("c", interrupted)];
            let picture = picture(vec![lines]);
            let (curves, ..) = shapes(&picture);
            let lengths: Vec<usize> = curves.iter().map(|curve| curve.points.len()).collect();
            assert_eq!(lengths, [1001, 500, 500], "one curve is in two pieces");
            let mut heights: Vec<f64> = curves[0].points.iter().map(|p| p.1).collect();
            heights.dedup();
            assert_eq!(heights.len(), 1001, "a straight line has no stairs");
            let svg = picture.svg().unwrap();
            assert!(svg.contains("<title>a&lt;b</title>"));
            let head = "width=\"960\" height=\"338\" viewBox=\"0 0 960 338\"";
            let first = svg.lines().next().unwrap();
            assert!(first.contains(head), "{first}");
        }
    }

    #[test]
    fn a_piece_of_one_point_is_a_dot() {
        let nan = f64::NAN;
        let points = vec![(0.0, 0.0), (1.0, 1.0), (2.0, nan), (3.0, 0.5), (4.0, nan), (5.0, 0.0)];
        let picture = picture(vec![vec![line("w", points)]]);
        let (curves, ..) = shapes(&picture);
        assert_eq!(curves.len(), 3);
        let size = f64::from(DOT);
        let pixels = tiny_skia::Pixmap::decode_png(&picture.png().unwrap()).unwrap();
        for dot in &curves[1..] {
            let [(left, y), (right, same)] = dot.points[..] else { panic!("{dot:?}") };
            assert!((right - left - size).abs() < 1e-9 && y == same && dot.width == size);
            let middle = pixels.pixel(((left + right) / 2.0) as u32, y as u32).unwrap();
            assert_eq!((middle.red(), middle.green(), middle.blue()), dot.colour);
        }
    }

    #[test]
    fn characters_without_a_place_in_xml_are_replaced() {
        let name = "a\u{0}b\u{1b}[1m\u{fffe}c\td";
        let picture = picture(vec![vec![line(name, vec![(0.0, 0.0), (1.0, 1.0)])]]);
        let svg = Picture { title: "\u{7}Model".to_owned(), ..picture }.svg().unwrap();
        let is_legal = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        assert!(svg.chars().all(is_legal), "{svg:?}");
        assert!(svg.contains("<title>a\u{fffd}b\u{fffd}[1m\u{fffd}c\td</title>"), "{svg}");
        assert!(svg.contains(">\u{fffd}Model</text>"), "{svg}");
    }

    #[test]
    fn neither_legends_nor_names_nor_labels_cover_curves_or_each_other() {
        let wave = |scale: f64, i: usize| {
            let points = (0..=100).map(|k| f64::from(k) / 10.0);
            points.map(|t| (t, scale * (t * (i + 1) as f64).sin())).collect()
        };
        for scale in [1.0, 123_456.789, 1e-7, 1e12] {
            for count in [1, 3, 20] {
                let name = |i: usize| format!("file{i}: a.rather.long.name_{i}");
                let lines = || (0..count).map(|i| line(&name(i), wave(scale, i))).collect();
                let picture =
                    Picture { remark: "1 more".to_owned(), ..picture(vec![lines(), lines()]) };
                let (curves, others, texts) = shapes(&picture);
                assert_eq!(curves.len(), 2 * count);
                let boxes: Vec<[f64; 4]> = texts.iter().map(sides).collect();
                let (width, height) = Layout::of(&picture).unwrap().size;
                for (index, (text, place)) in texts.iter().zip(&boxes).enumerate() {
                    let [left, top, right, bottom] = *place;
                    let inside = left >= 0.0 && right <= f64::from(width);
                    assert!(inside && top >= 0.0 && bottom <= f64::from(height), "{text:?}");
                    for (other, place) in boxes[..index].iter().zip(&boxes[index..=index]) {
                        assert!(!overlap(*other, *place), "{scale} {count} {text:?} {other:?}");
                    }
                    let hidden = |(x, y): &(f64, f64)| overlap([*x, *y, *x, *y], *place);
                    assert!(
                        !curves.iter().any(|curve| curve.points.iter().any(hidden)),
                        "{text:?}"
                    );
                }
                // The lines in a legend are as wide as a sample.
                let samples = others.iter().filter(|line| {
                    let [a, b] = line.points[..] else { return false };
                    a.1 == b.1 && b.0 - a.0 == f64::from(SAMPLE) && line.width == 1.5
                });
                let samples: Vec<&Line> = samples.collect();
                assert_eq!(samples.len(), 2 * count);
                let heights = |line: &Line| line.points.iter().map(|p| p.1).collect::<Vec<_>>();
                let of = |panel: usize| panel * count..(panel + 1) * count;
                for panel in 0..2 {
                    let top = curves[of(panel)].iter().flat_map(heights).fold(f64::MAX, f64::min);
                    assert!(samples[of(panel)].iter().all(|sample| sample.points[0].1 < top));
                }
                let bottom = curves[of(0)].iter().flat_map(heights).fold(0.0, f64::max);
                assert!(samples[of(1)].iter().all(|sample| sample.points[0].1 > bottom));
            }
        }
    }

    #[test]
    fn every_axis_has_its_name_and_unit_and_time_is_labelled_once() {
        let lines = || vec![line("w", vec![(0.0, 0.0), (1.0, 1.0)])];
        let picture = Picture { time_unit: "s".to_owned(), ..picture(vec![lines(), lines()]) };
        let (_, _, texts) = shapes(&picture);
        let count = |wanted: &str, upward: bool| {
            texts.iter().filter(|text| text.text == wanted && text.upward == upward).count()
        };
        assert_eq!((count("w in rad/s", true), count("time in s", false)), (2, 1));
        assert_eq!((count("Model", false), count("w", false)), (1, 2));
        assert_eq!(count("0.1", false), 1, "a label of time");
    }

    #[test]
    fn lines_of_a_panel_can_be_told_apart() {
        for (signals, files) in [(1, 1), (8, 1), (8, 6), (1, 48), (3, 12), (4, 7)] {
            let lines = (0..signals).flat_map(|_| 0..files);
            let lines = lines.map(|origin| PlotLine { origin, ..PlotLine::default() }).collect();
            let panel = Panel { lines, ..Panel::default() };
            let styles: Vec<_> =
                panel.styles().into_iter().map(|(c, d)| ((c.0, c.1, c.2), d)).collect();
            for (index, style) in styles.iter().enumerate() {
                assert!(!styles[..index].contains(style), "{signals} {files}: {style:?}");
            }
        }
    }

    #[test]
    fn a_png_has_the_size_of_the_picture_and_shows_every_text() {
        let lines = || vec![line("w_rel", vec![(0.0, 0.0), (1.0, 1e-7)])];
        for size in [None, Some((700, 500))] {
            let picture = Picture { size, ..picture(vec![lines(), lines()]) };
            let pixels = tiny_skia::Pixmap::decode_png(&picture.png().unwrap()).unwrap();
            let expected = size.unwrap_or(Layout::of(&picture).unwrap().size);
            assert_eq!((pixels.width(), pixels.height()), expected);
            let ink = |[left, top, right, bottom]: [f64; 4]| {
                let (columns, rows) = (left as u32..right as u32, top as u32..bottom as u32);
                let all = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
                all.filter(|(x, y)| pixels.pixel(*x, *y).unwrap().red() < 160).count()
            };
            let (_, _, texts) = shapes(&picture);
            assert!(texts.len() > 20);
            for text in &texts {
                assert!(ink(sides(text)) >= 2 * text.text.chars().count(), "{text:?}");
            }
            assert_eq!(ink([0.0, 0.0, 8.0, f64::from(expected.1)]), 0, "the left edge");
        }
    }

    #[test]
    fn a_picture_that_is_too_small_for_its_labels_is_refused() {
        let lines = || vec![line("w", vec![(0.0, 0.0), (1.0, 1.0)])];
        let refused = |width, height| {
            let size = Some((width, height));
            Picture { size, ..picture(vec![lines(), lines()]) }.svg().unwrap_err().to_string()
        };
        let sentence = refused(640, 100);
        let least = sentence.rsplit(' ').next().unwrap().to_owned();
        assert_eq!(
            sentence,
            format!("a size of 640x100 pixels is too small: this picture needs at least {least}")
        );
        let (width, height) = least.split_once('x').unwrap();
        let (width, height) = (width.parse().unwrap(), height.parse().unwrap());
        let fits = |size| Picture { size, ..picture(vec![lines(), lines()]) }.svg().is_ok();
        assert!(fits(Some((width, height))));
        assert!(!fits(Some((width - 1, height))) && !fits(Some((width, height - 1))));
    }

    #[test]
    fn an_axis_of_modes_has_no_labels_between_whole_numbers() {
        for whole in [false, true] {
            let lines = vec![line("mode", vec![(0.0, 0.0), (1e3, 2.0)])];
            let panel = Panel { whole, lines, ..Panel::default() };
            let (_, _, texts) = shapes(&Picture { panels: vec![panel], ..Picture::default() });
            assert!(texts.iter().any(|text| text.text == "1"));
            assert_eq!(texts.iter().any(|text| text.text == "1.5"), !whole);
        }
    }

    #[test]
    fn a_picture_is_drawn_whatever_the_values_are() {
        let (huge, least) = (f64::MAX, f64::from_bits(1));
        let check = |times: &[f64], values: &[f64]| {
            let points = times.iter().copied().zip(values.iter().copied()).collect();
            let picture = picture(vec![vec![line("x", points)]]);
            assert!(picture.svg().is_ok() && picture.png().is_ok(), "{times:?} {values:?}");
        };
        for ends in [[0.0, huge], [-huge, huge], [0.0, least], [1e20, 1e20], [f64::NAN, 0.0]] {
            check(&[0.0, 1.0], &ends);
            check(&ends, &[0.0, 1.0]);
        }
    }
}
