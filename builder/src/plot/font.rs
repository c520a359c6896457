//! The font of pictures, which a crate carries, such that a picture needs no installed fonts: the
//! widths of texts, and the outlines of their letters.

use notosans::REGULAR_TTF;
use ttf_parser::{Face, OutlineBuilder};

/// The family of the font, and what a viewer takes that has not got it.
pub(super) const FAMILIES: &str = "Noto Sans, DejaVu Sans, Arial, sans-serif";
/// The height of capitals, in sizes of the font.
pub(super) const CAPITALS: f64 = 0.714;
/// The depth of letters such as `g` below the base line, in sizes of the font.
pub(super) const DESCENT: f64 = 0.24;
/// The widths of other fonts, relative to this one: a viewer may have no other one.
const WIDEST: f64 = 1.1;

/// A letter in a text: its glyph, and the position of its origin in units of the font.
fn glyphs(face: &Face<'_>, text: &str) -> impl Iterator<Item = (ttf_parser::GlyphId, u32)> {
    text.chars().scan(0, |x, letter| {
        let glyph = face.glyph_index(letter).unwrap_or_default();
        let origin = *x;
        *x += u32::from(face.glyph_hor_advance(glyph).unwrap_or_default());
        Some((glyph, origin))
    })
}

fn face() -> Option<Face<'static>> {
    Face::parse(REGULAR_TTF, 0).ok()
}

/// The width of a text in this font, in the unit of the size of the font.
fn exact_width(face: &Face<'_>, text: &str, size: f64) -> f64 {
    let advance = |glyph| u32::from(face.glyph_hor_advance(glyph).unwrap_or_default());
    let units = glyphs(face, text).last().map_or(0, |(glyph, origin)| origin + advance(glyph));
    f64::from(units) * size / f64::from(face.units_per_em())
}

/// A width that suffices for a text in any usual font, in the unit of the size of the font.
pub(super) fn width(text: &str, size: f64) -> f64 {
    face().map_or(0.0, |face| WIDEST * exact_width(&face, text, size))
}

/// Calls `draw` with each letter that has an outline: the place of its origin right of that of the
/// text, the length of a unit of the font, and the letter.
pub(super) fn letters(
    text: &str,
    size: f64,
    before: f64,
    mut draw: impl FnMut(f64, f64, &dyn Fn(&mut dyn OutlineBuilder)),
) {
    let Some(face) = face() else { return };
    let unit = size / f64::from(face.units_per_em());
    let start = -before * exact_width(&face, text, size);
    for (glyph, origin) in glyphs(&face, text) {
        draw(start + f64::from(origin) * unit, unit, &|builder| {
            let _ = face.outline_glyph(glyph, builder);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_the_letters_of_names_and_units() {
        let face = face().unwrap();
        for letter in "azAZ09.,:;_-+()[]/^²³°µΩαβγωφτ…×äöüßéñ".chars() {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
        }
        let capitals = f64::from(face.capital_height().unwrap()) / f64::from(face.units_per_em());
        assert!((capitals - CAPITALS).abs() < 1e-3, "{capitals}");
    }

    #[test]
    fn a_wider_text_has_a_greater_width() {
        assert!(width("w", 10.0) > width("i", 10.0));
        assert!((width("ww", 10.0) - 2.0 * width("w", 10.0)).abs() < 1e-9);
        assert_eq!(width("", 10.0), 0.0);
    }
}
