//! Names of variables by the structured naming convention of FMI 2.0.

use rustc_hash::FxHashMap as HashMap;

/// A parsed name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    Plain(&'a str),
    /// `der(identifier,order)`.
    Derivative(&'a str, u32),
}

/// Parses a name; `None` if the convention does not allow it.
pub(crate) fn parse(text: &str) -> Option<Name<'_>> {
    if let Some(inner) = text.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        let identifier = identifier_length(inner)?;
        let (identifier, rest) = inner.split_at(identifier);
        if rest.is_empty() {
            return Some(Name::Derivative(identifier, 1));
        }
        let order = rest.strip_prefix(',')?;
        if unsigned_length(order)? != order.len() {
            return None;
        }
        return Some(Name::Derivative(identifier, order.parse().ok()?));
    }
    (identifier_length(text)? == text.len()).then_some(Name::Plain(text))
}

/// The name of the derivative of a variable with this (legal) name.
pub(crate) fn derivative_of(text: &str) -> String {
    match parse(text) {
        Some(Name::Derivative(identifier, order)) => format!("der({identifier},{})", order + 1),
        _ => format!("der({text})"),
    }
}

/// The name that a variable has in OpenModelica, which imports an FMU as a Modelica model: its
/// `makeStringFMISafe` replaces these characters.
pub fn in_openmodelica(name: &str) -> String {
    name.replace(['.', '[', ']', '(', ')', ',', ' '], "_")
}

/// The reserved words of Modelica 3.6 (section 2.3.3), except `operator`, which OpenModelica
/// accepts.
const WORDS_OF_MODELICA: &str = "algorithm and annotation block break class connect connector \
    constant constrainedby der discrete each else elseif elsewhen encapsulated end enumeration \
    equation expandable extends external false final flow for function if import impure in initial \
    inner input loop model not or outer output package parameter partial protected public pure \
    record redeclare replaceable return stream then true type when while within";

/// What the Modelica model that OpenModelica (1.28.0-dev of June 2026) writes for an FMU declares
/// or uses itself.
const WORDS_OF_ITS_MODEL: &str = "Boolean Integer String Modelica FMI2ModelExchange fmi2Functions \
    noEvent pre terminal fmuWorkingDir logLevel debugLogging fmi2me numberOfContinuousStates fmi_x \
    fmi_x_new numberOfEventIndicators fmi_z fmi_z_positive flowStartTime flowTime \
    flowEnterInitialization flowInitialized flowParamsStart flowInitInputs flowStatesInputs \
    callEventUpdate newStatesAvailable triggerDSSEvent nextEventTime";

/// Whether OpenModelica does not compile the model that it writes for an FMU with a variable of
/// this name, because the name has a meaning there.
pub fn reserved_in_openmodelica(name: &str) -> bool {
    let imported = in_openmodelica(name);
    let words = [WORDS_OF_MODELICA, WORDS_OF_ITS_MODEL].map(str::split_ascii_whitespace);
    words.into_iter().flatten().any(|word| word == imported)
}

/// Pairs of names that are the same in OpenModelica, with this name; the later one comes first.
pub fn same_in_openmodelica<'a>(
    names: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = (&'a str, &'a str, String)> {
    let mut seen: HashMap<String, &str> = HashMap::default();
    names.into_iter().filter_map(move |name| {
        let imported = in_openmodelica(name);
        match seen.get(&imported) {
            Some(first) if *first != name => Some((name, *first, imported)),
            Some(_) => None,
            None => {
                seen.insert(imported, name);
                None
            }
        }
    })
}

/// The array of which a name is an element: `a.v` for `a.v[2]`.
pub fn array_of(text: &str) -> Option<&str> {
    let elements = text.strip_suffix(']')?;
    elements.rfind('[').map(|bracket| &text[..bracket])
}

/// Whether a text is a C identifier.
pub fn is_c_identifier(text: &str) -> bool {
    let plain = !text.starts_with('\'');
    plain && b_name_length(text) == Some(text.len()) && !text.is_empty()
}

/// Length of `B-name[indices]{.B-name[indices]}` at the beginning of `text`.
fn identifier_length(text: &str) -> Option<usize> {
    let mut length = 0;
    loop {
        length += b_name_length(&text[length..])?;
        if text[length..].starts_with('[') {
            length += indices_length(&text[length..])?;
        }
        if !text[length..].starts_with('.') {
            return Some(length);
        }
        length += 1;
    }
}

fn b_name_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'\'' => q_name_length(bytes),
        first if first.is_ascii_alphabetic() || *first == b'_' => {
            let letter = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
            Some(bytes.iter().position(|b| !letter(b)).unwrap_or(bytes.len()))
        }
        _ => None,
    }
}

fn q_name_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'\'' => return (at > 1).then_some(at + 1),
            b'\\' => {
                if !b"'\"?\\abfnrtv".contains(bytes.get(at + 1)?) {
                    return None;
                }
                at += 2;
            }
            b if b.is_ascii_alphanumeric() || b"_!#$%&()*+,-./:;<>=?@[]^{}|~ ".contains(b) => {
                at += 1;
            }
            _ => return None,
        }
    }
}

fn indices_length(text: &str) -> Option<usize> {
    let mut length = 1;
    loop {
        length += unsigned_length(&text[length..])?;
        match text.as_bytes().get(length)? {
            b',' => length += 1,
            b']' => return Some(length + 1),
            _ => return None,
        }
    }
}

fn unsigned_length(text: &str) -> Option<usize> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_convention_are_accepted() {
        for name in [
            "a",
            "_a1",
            "clutch1.phi_rel",
            "r[1]",
            "frame_a.R.T[1,2]",
            "a[3].b[4,5].c",
            "der(x)",
            "der(j1.phi,2)",
            "der(a[1].b)",
            "'any name: (1) ~'.x",
            r"'it\'s'",
        ] {
            assert!(parse(name).is_some(), "{name}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in [
            "",
            "1a",
            "a.",
            ".a",
            "a..b",
            "a b",
            "a[1, 2]",
            "a[]",
            "a[x]",
            "a(1)",
            "a/b",
            "der(x",
            "der(x, 2)",
            "der()",
            "der(der(x))",
            "a.der(x)",
            "previous(x)",
            "$x",
            "ä",
            "''",
            "'ä'",
            "'open",
            "a\n",
            "der(x)y",
        ] {
            assert!(parse(name).is_none(), "{name}");
        }
    }

    #[test]
    fn derivatives_of_derivatives_count_their_order() {
        assert_eq!(derivative_of("a.b[1]"), "der(a.b[1])");
        assert_eq!(derivative_of("der(x)"), "der(x,2)");
        assert_eq!(derivative_of("der(x,2)"), "der(x,3)");
    }
}
