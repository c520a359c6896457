//! The font of pictures, which a crate carries, such that a picture needs no installed fonts: the
//! widths of texts, and the outlines of their letters.

use notosans::REGULAR_TTF;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The family of the font, and what a viewer takes that has not got it.
pub(super) const FAMILIES: &str = "Noto Sans, DejaVu Sans, Arial, sans-serif";
/// The height of capitals, in sizes of the font.
pub(super) const CAPITALS: f64 = 0.714;
/// The depth of letters such as `g` below the base line, in sizes of the font.
pub(super) const DESCENT: f64 = 0.24;
/// The widths of other fonts, relative to this one: a viewer may have no other one.
const WIDEST: f64 = 1.1;

fn font() -> Option<Face<'static>> {
    Face::parse(REGULAR_TTF, 0).ok()
}

fn advance(face: &Face, glyph: GlyphId) -> f64 {
    f64::from(face.glyph_hor_advance(glyph).unwrap_or_default())
}

/// The letters of a text, each with its glyph and the position of its origin, in units of the font.
fn glyphs(face: &Face, text: &str) -> impl Iterator<Item = (GlyphId, f64)> {
    text.chars().scan(0.0, |x, letter| {
        let glyph = face.glyph_index(letter).unwrap_or_default();
        let origin = *x;
        *x += advance(face, glyph);
        Some((glyph, origin))
    })
}

/// The length of a unit of the font in a text of a size, in the unit of the size.
fn unit(face: &Face, size: f64) -> f64 {
    size / f64::from(face.units_per_em())
}

/// The width of a text in this font, in the unit of the size of the font.
fn exact_width(face: &Face, text: &str, size: f64) -> f64 {
    let last = glyphs(face, text).last();
    last.map_or(0.0, |(glyph, origin)| origin + advance(face, glyph)) * unit(face, size)
}

/// A width that suffices for a text in any usual font, in the unit of the size of the font.
pub(super) fn width(text: &str, size: f64) -> f64 {
    font().map_or(0.0, |face| WIDEST * exact_width(&face, text, size))
}

/// Calls `draw` with each letter that has an outline: the place of its origin right of that of the
/// text, the length of a unit of the font, and the letter.
pub(super) fn letters<P: OutlineBuilder>(
    text: &str,
    size: f64,
    before: f64,
    mut draw: impl FnMut(f64, f64, &dyn Fn(&mut P)),
) {
    let Some(face) = font() else { return };
    let unit = unit(&face, size);
    let start = -before * exact_width(&face, text, size);
    for (glyph, origin) in glyphs(&face, text) {
        draw(start + origin * unit, unit, &|pen| {
            // A blank has no outline.
            let _bounds = face.outline_glyph(glyph, pen);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_letters_of_names_and_units() {
        let face = font().unwrap();
        for letter in "azAZ09.,:;_-+()[]/^²³°µΩαβγωφτ…×äöüßéñ".chars() {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
        let capitals = f64::from(face.capital_height().unwrap()) * unit(&face, 1.0);
        assert!((capitals - CAPITALS).abs() < 1e-3, "{capitals}");
    }

    #[test]
    fn a_wider_text_has_a_greater_width() {
        assert!(width("w", 10.0) > width("i", 10.0));
        assert!((width("ww", 10.0) - 2.0 * width("w", 10.0)).abs() < 1e-9);
        assert_eq!(width("", 10.0), 0.0);
    }
}
