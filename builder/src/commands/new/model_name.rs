//! The names that models may have.

use crate::models::camel_case;
use fmus::error::Error;
use fmus::platform::is_device_of_windows;

/// Reserved words of Rust, and names of other files.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
    "lib",
    "main",
    "mod",
];

/// Refuses a text that is not a name for a model, whose package depends on the library `facade`.
///
/// # Errors
/// A message with the reason.
pub(super) fn legal(name: &str, facade: &str) -> Result<(), Error> {
    let fail = |reason: &str| Err(Error::Request(format!("`{name}` {reason}")));
    let snake = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if name.is_empty() || !name.bytes().all(snake) {
        return fail("is not a name for a model: use lower-case letters, digits and `_`");
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return fail("is not a name for a model: the first character must be a lower-case letter");
    }
    if name.ends_with('_') || name.contains("__") || name.len() > 64 {
        return fail("is not a name for a model: words are joined by one `_`, 64 letters at most");
    }
    if is_device_of_windows(name) {
        return fail("is not a name for a model: Windows has no files of this name");
    }
    if name == facade || RESERVED.contains(&name) || !equations::is_c_identifier(&camel_case(name))
    {
        return fail("is not a name for a model: it is reserved");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_are_words_in_lower_case() {
        for name in ["a", "fourbar2", "coupled_clutches"] {
            assert!(legal(name, "coupler").is_ok(), "{name}");
        }
        for name in [
            "", "Fourbar", "2bar", "a-b", "a b", "../x", "a/b", "fn", "lib", "a__b", "_a", "ä",
            "coupler", "con", "aux", "nul", "prn", "com1", "lpt9",
        ] {
            assert!(legal(name, "coupler").is_err(), "{name}");
        }
    }
}
