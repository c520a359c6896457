//! Translation from the text of rotation: what one calls an angle, the other calls a position.

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
];

/// What stands in texts and units, longest first.
const PHRASES: &[(&str, &str)] = &[
    // The Modelica Standard Library says it like this: sources of force show what they take.
    ("Torque that accelerates the flange", "Cut force of the flange"),
    ("Relative rotation angle", "Relative distance"),
    ("N.m.s/rad", "N.s/m"),
    ("N.m/rad", "N/m"),
    ("N.m", "N"),
    ("rad", "m"),
    ("rotation angle", "position"),
    ("Rotation angle", "Position"),
    ("an angle", "a position"),
    ("An angle", "A position"),
    ("angular", ""),
    ("Angular velocity", "Velocity"),
    ("Angular acceleration", "Acceleration"),
    ("Angular", ""),
    ("shaft", "rod"),
    ("Shaft", "Rod"),
];

/// The module as it is, and again in the words of translation.
pub fn expand(module: TokenStream) -> TokenStream {
    let translation = translate(module.clone());
    quote! {
        #[doc = "In the words of rotation."]
        #module
        #[doc = "In the words of translation."]
        #translation
    }
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

/// A name with the parts that have another word replaced.
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

/// A text with its phrases and names replaced.
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
            ("Relative rotation angle", "Relative distance"),
            ("Torque that accelerates the flange", "Cut force of the flange"),
            ("Angular velocity of the shaft", "Velocity of the rod"),
            ("Rotational.Sensors.AngleSensor", "Translational.Sensors.PositionSensor"),
            ("a radius and a gradient", "a radius and a gradient"),
            ("Flange at an angle", "Flange at a position"),
            ("rad/s2", "m/s2"),
        ] {
            assert_eq!(text(rotation), translation);
        }
    }
}
