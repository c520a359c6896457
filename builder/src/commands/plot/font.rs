//! The font of pictures, which a crate carries, such that a picture needs no installed fonts: the
//! widths of texts, and the outlines of their letters.

use notosans::REGULAR_TTF;
use skrifa::charmap::Charmap;
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::{GlyphMetrics, Metrics};
use skrifa::outline::{DrawSettings, OutlineGlyphCollection, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

/// The family of the font, and what a viewer takes that has not got it.
pub(super) const FAMILIES: &str = "Noto Sans, DejaVu Sans, Arial, sans-serif";
/// The height of capitals, in sizes of the font.
pub(super) const CAPITALS: f64 = 0.714;
/// The depth of letters such as `g` below the base line, in sizes of the font.
pub(super) const DESCENT: f64 = 0.24;
/// The widths of other fonts, relative to this one: a viewer may have no other one.
const WIDEST: f64 = 1.1;

/// The tables of the font that are needed; all lengths are in units of the font.
struct Face {
    letters: Charmap<'static>,
    widths: GlyphMetrics<'static>,
    outlines: OutlineGlyphCollection<'static>,
    metrics: Metrics,
}

impl Face {
    fn new() -> Option<Face> {
        let font = FontRef::new(REGULAR_TTF).ok()?;
        let (size, location) = (Size::unscaled(), LocationRef::default());
        Some(Face {
            letters: font.charmap(),
            widths: font.glyph_metrics(size, location),
            outlines: font.outline_glyphs(),
            metrics: font.metrics(size, location),
        })
    }

    fn advance(&self, glyph: GlyphId) -> f64 {
        f64::from(self.widths.advance_width(glyph).unwrap_or_default())
    }

    /// A letter in a text: its glyph, and the position of its origin.
    fn glyphs(&self, text: &str) -> impl Iterator<Item = (GlyphId, f64)> {
        text.chars().scan(0.0, |x, letter| {
            let glyph = self.letters.map(letter).unwrap_or_default();
            let origin = *x;
            *x += self.advance(glyph);
            Some((glyph, origin))
        })
    }

    /// The length of a unit of the font in a text of a size, in the unit of the size.
    fn unit(&self, size: f64) -> f64 {
        size / f64::from(self.metrics.units_per_em)
    }

    /// The width of a text in this font, in the unit of the size of the font.
    fn width(&self, text: &str, size: f64) -> f64 {
        let last = self.glyphs(text).last();
        last.map_or(0.0, |(glyph, origin)| origin + self.advance(glyph)) * self.unit(size)
    }
}

/// A width that suffices for a text in any usual font, in the unit of the size of the font.
pub(super) fn width(text: &str, size: f64) -> f64 {
    Face::new().map_or(0.0, |face| WIDEST * face.width(text, size))
}

/// Calls `draw` with each letter that has an outline: the place of its origin right of that of the
/// text, the length of a unit of the font, and the letter.
pub(super) fn letters<P: OutlinePen>(
    text: &str,
    size: f64,
    before: f64,
    mut draw: impl FnMut(f64, f64, &dyn Fn(&mut P)),
) {
    let Some(face) = Face::new() else { return };
    let unit = face.unit(size);
    let start = -before * face.width(text, size);
    for (glyph, origin) in face.glyphs(text) {
        draw(start + origin * unit, unit, &|pen| {
            let settings = DrawSettings::unhinted(Size::unscaled(), LocationRef::default());
            // A blank has no outline.
            if let Some(outline) = face.outlines.get(glyph) {
                drop(outline.draw(settings, pen));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_letters_of_names_and_units() {
        let face = Face::new().unwrap();
        for letter in "azAZ09.,:;_-+()[]/^²³°µΩαβγωφτ…×äöüßéñ".chars() {
            assert!(face.letters.map(letter).is_some(), "{letter}");
        }
        let capitals = f64::from(face.metrics.cap_height.unwrap()) * face.unit(1.0);
        assert!((capitals - CAPITALS).abs() < 1e-3, "{capitals}");
    }

    #[test]
    fn a_wider_text_has_a_greater_width() {
        assert!(width("w", 10.0) > width("i", 10.0));
        assert!((width("ww", 10.0) - 2.0 * width("w", 10.0)).abs() < 1e-9);
        assert_eq!(width("", 10.0), 0.0);
    }
}
