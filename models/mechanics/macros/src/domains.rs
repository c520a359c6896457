//! Makes the components of translation from those of rotation by replacing words: an angle becomes
//! a position.
//!
//! Where more than words differs, `either!(rotation, translation)` contains both alternatives.

use proc_macro2::{Group, Ident, Literal, TokenStream, TokenTree};
use quote::quote;

/// Parts of names, between underscores, capitals and digits.
const WORDS: &[(&str, &str)] = &[
    ("phi", "s"),
    ("w", "v"),
    ("tau", "f"),
    ("angle", "position"),
    ("Angle", "Position"),
    ("torque", "force"),
    ("Torque", "Force"),
    ("rotational", "translational"),
    ("Rotational", "Translational"),
    ("ROTATIONAL", "TRANSLATIONAL"),
    ("Bearing", "Support"),
    ("shaft", "rod"),
    ("Shaft", "Rod"),
];

/// Phrases in texts and units, longest first.
const PHRASES: &[(&str, &str)] = &[
    ("Relative rotation angle", "Relative distance"),
    ("Angular acceleration", "Acceleration"),
    ("Angular velocity", "Velocity"),
    ("relative angle", "relative distance"),
    ("rotation angle", "position"),
    ("spring angle", "spring length"),
    ("N.m.s/rad", "N.s/m"),
    ("an angle", "a position"),
    ("bearings", "supports"),
    ("N.m/rad", "N/m"),
    ("angular", ""),
    ("N.m", "N"),
    ("rad", "m"),
];

/// The module as it is, and a second time with the names of translation.
pub fn expand(module: TokenStream) -> TokenStream {
    let rotation = choose(module.clone(), false);
    let translation = translate(choose(module, true));
    quote! {
        #[doc = "Components with the names of rotation."]
        #rotation
        #[doc = "Components with the names of translation."]
        #translation
    }
}

/// The text with one alternative of each `either!(rotation, translation)`.
fn choose(tokens: TokenStream, translation: bool) -> TokenStream {
    let mut tokens = tokens.into_iter();
    let mut chosen = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "either" => {
                let alternatives = tokens.by_ref().nth(1).into_iter().flat_map(|t| match t {
                    TokenTree::Group(group) => group.stream(),
                    other => other.into(),
                });
                let mut alternatives = alternatives.collect::<Vec<_>>().into_iter();
                let is_comma =
                    |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
                let first: Vec<_> = alternatives.by_ref().take_while(|t| !is_comma(t)).collect();
                chosen.extend(if translation { alternatives.collect() } else { first });
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), choose(group.stream(), translation));
                inner.set_span(group.span());
                chosen.extend([TokenTree::from(inner)]);
            }
            other => chosen.extend([other]),
        }
    }
    chosen
}

fn translate(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().map(token).collect()
}

fn token(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut translated = Group::new(group.delimiter(), translate(group.stream()));
            translated.set_span(group.span());
            translated.into()
        }
        // The type, not the word in a text or in a longer name.
        TokenTree::Ident(ident) if ident == "Flange" => {
            Ident::new("TranslationalFlange", ident.span()).into()
        }
        TokenTree::Ident(ident) => Ident::new(&name(&ident.to_string()), ident.span()).into(),
        TokenTree::Literal(literal) => match syn::parse_str::<syn::LitStr>(&literal.to_string()) {
            Ok(string) => {
                let mut translated = Literal::string(&text(&string.value()));
                translated.set_span(literal.span());
                translated.into()
            }
            Err(_) => literal.into(),
        },
        TokenTree::Punct(_) => token,
    }
}

/// A name in which the words of rotation are replaced.
fn name(name: &str) -> String {
    let mut translated = String::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let alike = |c: char| match first {
            _ if first.is_ascii_lowercase() => c.is_ascii_lowercase(),
            _ if first.is_ascii_uppercase() => c.is_ascii_lowercase(),
            _ => false,
        };
        let capitals = rest.find(|c: char| !c.is_ascii_uppercase()).unwrap_or(rest.len());
        let length = match capitals {
            0 | 1 => {
                first.len_utf8()
                    + rest[first.len_utf8()..]
                        .find(|c| !alike(c))
                        .unwrap_or(rest.len() - first.len_utf8())
            }
            _ => capitals,
        };
        let (part, after) = rest.split_at(length);
        let word = WORDS.iter().find(|(rotation, _)| *rotation == part);
        translated += word.map_or(part, |(_, translation)| translation);
        rest = after;
    }
    translated
}

/// A text in which phrases and names are replaced.
fn text(text: &str) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut translated = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let inside = translated.chars().next_back().is_some_and(is_letter);
        let whole = |phrase: &str| {
            rest.strip_prefix(phrase).is_some_and(|after| !after.starts_with(is_letter))
        };
        let phrase = PHRASES.iter().find(|(rotation, _)| !inside && whole(rotation));
        if let Some((rotation, translation)) = phrase {
            translated += translation;
            rest = &rest[rotation.len()..];
            if translation.is_empty() {
                rest = rest.trim_start();
            }
            continue;
        }
        let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, after) = rest.split_at(length);
        translated += &name(word);
        rest = after;
    }
    translated
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_part_by_part() {
        for (rotation, translation) in [
            ("phi_rel0", "s_rel0"),
            ("w_nominal", "v_nominal"),
            ("tau", "f"),
            ("stepTorque", "stepForce"),
            ("GeneralAngleToTorqueAdaptor", "GeneralPositionToForceAdaptor"),
            ("SpringDamperPorts", "SpringDamperPorts"),
            ("ROTATIONAL", "TRANSLATIONAL"),
            ("power", "power"),
            ("a_rel", "a_rel"),
            ("InitializeFlange", "InitializeFlange"),
            ("BearingFriction", "SupportFriction"),
            ("Shaft", "Rod"),
        ] {
            assert_eq!(name(rotation), translation);
        }
    }

    #[test]
    fn texts_change_phrase_by_phrase() {
        for (rotation, translation) in [
            ("Relative angular velocity in rad/s", "Relative velocity in m/s"),
            ("N.m.s/rad", "N.s/m"),
            ("`tau = c (phi_rel - phi_rel0)` in N.m", "`f = c (s_rel - s_rel0)` in N"),
            ("Angular velocity of the shaft", "Velocity of the rod"),
            ("Rotational.Sensors.AngleSensor", "Translational.Sensors.PositionSensor"),
            ("a radius and a gradient", "a radius and a gradient"),
            ("Flange at an angle", "Flange at a position"),
            ("Relative rotation angle", "Relative distance"),
            ("Unstretched spring angle", "Unstretched spring length"),
            ("Coulomb friction in bearings", "Coulomb friction in supports"),
            ("rad/s2", "m/s2"),
        ] {
            assert_eq!(text(rotation), translation);
        }
    }

    #[test]
    fn longer_phrases_come_before_shorter_ones() {
        assert!(PHRASES.is_sorted_by(|(a, _), (b, _)| a.len() >= b.len()));
    }

    #[test]
    fn alternatives_are_chosen() {
        let text = || quote!(w: Real[either!("m", "1")] = f(either!(-1e10, 1e-3)));
        let chosen = |translation| choose(text(), translation).to_string();
        assert_eq!(chosen(false), quote!(w: Real["m"] = f(-1e10)).to_string());
        assert_eq!(chosen(true), quote!(w: Real["1"] = f(1e-3)).to_string());
    }
}
