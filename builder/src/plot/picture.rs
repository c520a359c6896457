//! A picture of curves over time in panels below each other, as the text of an SVG file.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::axis::{PlotAxis, has_place};
use crate::error::Error;

/// Units of the canvas per pixel: plotters draws at whole units, and a hundredth of a pixel is
/// finer than any screen.
const UNITS: u32 = 100;
/// All other lengths are in pixels.
const WIDTH: u32 = 960;
const TITLE: u32 = 44;
const PANEL: u32 = 250;
const LEGEND_ROW: u32 = 20;
const FOOT: u32 = 30;
/// The width at the left and the right of the curves of a panel.
const LEFT: u32 = 92;
const RIGHT: u32 = 24;
/// The width of a letter, on the average of long names.
const LETTER: u32 = 8;
/// A line with more points than pixels is reduced to the extremes of this number of pieces.
const MAX_PIECES: usize = 1200;

const INK: RGBColor = rgb(0x1f2937);
const SOFT: RGBColor = rgb(0x6b7280);
const GRID: RGBColor = rgb(0xe5e7eb);
/// The colours of lines; more lines in a panel would be ambiguous.
pub(super) const COLOURS: [u32; 10] = [
    0x2563eb, 0xea580c, 0x059669, 0xbe185d, 0x7c3aed, 0xca8a04, 0x0891b2, 0xdc2626, 0x65a30d,
    0x475569,
];

/// Curves over one axis of time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) panels: Vec<Panel>,
    /// A line below the panels; may be empty.
    pub(crate) remark: String,
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
    /// Time in s and value; NaN interrupts the line.
    pub(crate) points: Vec<(f64, f64)>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

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
    // Plotters receives the height of a line, and divides it by this factor to get the font size.
    let size = 1.24 * f64::from(px(pixels));
    ("sans-serif", size).into_font().color(&colour).pos(Pos::new(HPos::Left, VPos::Center))
}

impl Picture {
    /// The text of the file.
    pub(crate) fn svg(&self) -> Result<String, Error> {
        let foot = if self.remark.is_empty() { FOOT } else { FOOT + LEGEND_ROW };
        let height = TITLE + PANEL * self.panels.len() as u32 + foot;
        let canvas = (WIDTH * UNITS, height * UNITS);
        let mut text = String::new();
        self.draw(&SVGBackend::with_string(&mut text, canvas).into_drawing_area())
            .map_err(|e| Error::Request(format!("{}: cannot draw the plot: {e}", self.title)))?;
        // The view box remains that of the canvas; corners of all lines are round.
        let size = |(w, h): (u32, u32)| format!("width=\"{w}\" height=\"{h}\"");
        let pixels = size((WIDTH, height)) + " stroke-linejoin=\"round\"";
        Ok(text.replacen(&size(canvas), &pixels, 1))
    }

    fn draw(&self, canvas: &Area) -> Drawn {
        canvas.fill(&WHITE)?;
        let (title, rest) = canvas.split_vertically(px(TITLE));
        title.draw(&Text::new(&*self.title, (px(24), px(24)), font(20, INK)))?;
        let (panels, foot) = rest.split_vertically(px(PANEL) * self.panels.len() as i32);
        let points = self.panels.iter().flat_map(|p| &p.lines).flat_map(|l| &l.points);
        // Without a margin, rounding errors would remove labels at the ends.
        let time = PlotAxis::new(points.map(|(t, _)| *t), 1e-9);
        for (panel, area) in self.panels.iter().zip(panels.split_evenly((self.panels.len(), 1))) {
            panel.draw(&area, time)?;
        }
        let centre = font(13, SOFT).pos(Pos::new(HPos::Center, VPos::Center));
        foot.draw(&Text::new("time in s", (px(LEFT + WIDTH - RIGHT) / 2, px(8)), centre))?;
        foot.draw(&Text::new(&*self.remark, (px(LEFT), px(30)), font(13, SOFT)))?;
        canvas.present()
    }
}

impl Panel {
    fn draw(&self, area: &Area, time: PlotAxis) -> Drawn {
        // The legends of plotters are a column in front of the curves: ten lines would hide most of
        // them.
        let widest = self.lines.iter().map(|line| line.name.chars().count() as u32).max();
        let columns = (WIDTH - LEFT - RIGHT) / (46 + LETTER * widest.unwrap_or(0));
        let columns = columns.max(1) as usize;
        let rows = self.lines.len().div_ceil(columns);
        let (legend, body) = area.split_vertically(px(LEGEND_ROW) * rows as i32);
        let entries = legend.margin(0, 0, px(LEFT), px(RIGHT)).split_evenly((rows, columns));
        for ((line, colour), entry) in self.lines.iter().zip(COLOURS).zip(entries) {
            let y = px(LEGEND_ROW) / 2;
            entry.draw(&PathElement::new([(0, y), (px(18), y)], stroke(rgb(colour), 30)))?;
            entry.draw(&Text::new(&*line.name, (px(24), y), font(14, INK)))?;
        }

        let values = self.lines.iter().flat_map(|line| &line.points).map(|(_, value)| *value);
        let value = PlotAxis::new(values, 0.06);
        let mut chart = ChartBuilder::on(&body)
            .margin(px(6))
            .margin_bottom(0)
            .margin_left(px(12))
            .margin_right(px(RIGHT))
            .x_label_area_size(px(26))
            .y_label_area_size(px(LEFT - 12))
            .build_cartesian_2d(time.low..time.high, value.low..value.high)?;
        let letters = chart.plotting_area().dim_in_pixel().1 / (LETTER * UNITS) + 3;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(stroke(GRID, 10))
            .axis_style(stroke(SOFT, 10))
            .set_all_tick_mark_size(px(4))
            .label_style(font(13, SOFT))
            .x_labels(11)
            .y_labels(if self.whole { value.whole_labels(6) } else { 6 })
            .x_label_formatter(&|tick| time.label(*tick))
            .y_label_formatter(&|tick| value.label(*tick))
            .y_desc(self.label(letters as usize))
            .draw()?;
        for (line, colour) in self.lines.iter().zip(COLOURS) {
            for piece in line.points.split(|(t, v)| !has_place(*t) || !has_place(*v)) {
                let points = thinned(piece).into_iter();
                let places = points.map(|(t, v)| (time.place(t), value.place(v)));
                chart.draw_series(LineSeries::new(places, stroke(rgb(colour), 18)))?;
            }
        }
        Ok(())
    }

    /// The name of the axis with its unit; a name that is too long is cut off.
    fn label(&self, letters: usize) -> String {
        let unit = if self.unit.is_empty() { String::new() } else { format!(" in {}", self.unit) };
        let (mut name, mut label) = (self.name.clone(), format!("{}{unit}", self.name));
        while label.chars().count() > letters && name.pop().is_some() {
            label = format!("{name}…{unit}");
        }
        label
    }
}

/// All points of a line, or the extremes of each of many short pieces.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    if points.len() <= 2 * MAX_PIECES {
        return points.to_vec();
    }
    let extremes = |piece: &[(f64, f64)]| {
        let by_value = |i: &usize, j: &usize| piece[*i].1.total_cmp(&piece[*j].1);
        let low = (0..piece.len()).min_by(by_value).unwrap_or(0);
        let high = (0..piece.len()).max_by(by_value).unwrap_or(0);
        [piece[low.min(high)], piece[low.max(high)]]
    };
    let pieces = points.chunks(points.len().div_ceil(MAX_PIECES)).flat_map(extremes);
    points.first().copied().into_iter().chain(pieces).chain(points.last().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_a_name_and_a_unit_even_if_the_name_is_long() {
        let check = |name: &str, unit: &str, expected: &str| {
            let (name, unit) = (name.to_owned(), unit.to_owned());
            let panel = Panel { name, unit, ..Panel::default() };
            assert_eq!(panel.label(20), expected);
        };
        check("w", "rad/s", "w in rad/s");
        check("f_normalized", "", "f_normalized");
        check("bearingFriction.w_rel", "rad/s", "bearingFri… in rad/s");
    }

    #[test]
    fn a_curve_is_drawn_finer_than_pixels_and_interrupted_where_it_has_no_value() {
        let points: Vec<(f64, f64)> = (0..=1000).map(|i| (f64::from(i), f64::from(i))).collect();
        let mut gap = points.clone();
        gap[500].1 = f64::NAN;
        let line = |points| PlotLine { name: "a<b".to_owned(), points };
        let panel = Panel { lines: vec![line(points), line(gap)], ..Panel::default() };
        let svg = Picture { panels: vec![panel], ..Picture::default() }.svg().unwrap();
        let curves: Vec<&str> =
            svg.lines().filter(|l| l.contains("stroke-width=\"180\"")).collect();
        assert_eq!(curves.len(), 3, "one curve is in two pieces");
        let heights: Vec<&str> = curves[0]
            .split([' ', '"'])
            .filter_map(|word| word.split_once(','))
            .map(|p| p.1)
            .collect();
        assert_eq!(heights.len(), 1001);
        let mut different = heights.clone();
        different.dedup();
        assert_eq!(different.len(), 1001, "a straight line has no stairs");
        assert!(svg.contains("a&lt;b"));
        let (pixels, canvas) = ("width=\"960\" height=\"324\" ", "viewBox=\"0 0 96000 32400\"");
        let head = svg.lines().next().unwrap();
        assert!(head.contains(pixels) && head.contains(canvas), "{head}");
    }

    #[test]
    fn an_axis_of_modes_has_no_labels_between_whole_numbers() {
        for whole in [false, true] {
            let points = vec![(0.0, 0.0), (1e3, 2.0)];
            let lines = vec![PlotLine { points, ..PlotLine::default() }];
            let panel = Panel { whole, lines, ..Panel::default() };
            let svg = Picture { panels: vec![panel], ..Picture::default() }.svg().unwrap();
            assert!(svg.lines().any(|line| line == "1"));
            assert_eq!(svg.lines().any(|line| line == "1.5"), !whole);
        }
    }

    #[test]
    fn a_picture_is_drawn_whatever_the_values_are() {
        let (huge, least) = (f64::MAX, f64::from_bits(1));
        let check = |times: &[f64], values: &[f64]| {
            let points = times.iter().copied().zip(values.iter().copied()).collect();
            let panel = Panel {
                lines: vec![PlotLine { points, ..PlotLine::default() }],
                ..Panel::default()
            };
            assert!(Picture { panels: vec![panel], ..Picture::default() }.svg().is_ok());
        };
        for ends in [[0.0, huge], [-huge, huge], [0.0, least], [1e20, 1e20], [f64::NAN, 0.0]] {
            check(&[0.0, 1.0], &ends);
            check(&ends, &[0.0, 1.0]);
        }
    }

    #[test]
    fn a_long_line_keeps_its_ends_and_extremes() {
        let mut points: Vec<(f64, f64)> = (0..100_000).map(|i| (f64::from(i), 0.0)).collect();
        points[54_321].1 = 7.0;
        let thin = thinned(&points);
        assert!(thin.len() < 3 * MAX_PIECES, "{}", thin.len());
        assert!(thin.contains(&(54_321.0, 7.0)));
        assert_eq!((thin[0], thin[thin.len() - 1]), (points[0], points[99_999]));
        assert!(thin.is_sorted_by_key(|p| p.0));
    }
}
