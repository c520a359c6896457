//! The grammar of structured variable names.

/// Whether a name follows the structured convention, which includes arrays and derivatives.
pub(crate) fn is_structured(name: &str) -> bool {
    match name.strip_prefix("der(").and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => {
            let mut rest = inner;
            let identified = identifier(&mut rest);
            let order = match rest.strip_prefix(',') {
                Some(order) => !order.is_empty() && order.bytes().all(|b| b.is_ascii_digit()),
                None => rest.is_empty(),
            };
            identified && order
        }
        None => {
            let mut rest = name;
            identifier(&mut rest) && rest.is_empty()
        }
    }
}

/// Removes `B-name[indices]{.B-name[indices]}` from the beginning of the text.
fn identifier(rest: &mut &str) -> bool {
    loop {
        if !(plain(rest) || quoted(rest)) || !indices(rest) {
            return false;
        }
        match rest.strip_prefix('.') {
            Some(after) => *rest = after,
            None => return true,
        }
    }
}

fn plain(rest: &mut &str) -> bool {
    let letter = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let end = rest.bytes().position(|b| !letter(b) && !b.is_ascii_digit()).unwrap_or(rest.len());
    let legal = rest.bytes().next().is_some_and(letter);
    if legal {
        *rest = &rest[end..];
    }
    legal
}

fn quoted(rest: &mut &str) -> bool {
    let Some(inside) = rest.strip_prefix('\'') else { return false };
    let mut characters = inside.char_indices();
    while let Some((at, c)) = characters.next() {
        let legal = match c {
            '\'' => {
                *rest = &inside[at + 1..];
                return at > 0;
            }
            '\\' => characters.next().is_some_and(|(_, e)| "'\"?\\abfnrtv".contains(e)),
            c => c.is_ascii_alphanumeric() || "_!#$%&()*+,-./:;<>=?@[]^{}|~ ".contains(c),
        };
        if !legal {
            return false;
        }
    }
    false
}

fn indices(rest: &mut &str) -> bool {
    let Some(inside) = rest.strip_prefix('[') else { return true };
    let Some((list, after)) = inside.split_once(']') else { return false };
    *rest = after;
    list.split(',').all(|index| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()))
}

/// The production of the grammar that a name resembles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameForm {
    Plain,
    Quoted,
    Derivative,
}

impl NameForm {
    pub(crate) fn name(self) -> &'static str {
        match self {
            NameForm::Plain => "a structured name",
            NameForm::Quoted => "a structured name with legal quotes",
            NameForm::Derivative => "a structured name of a derivative, which is der(..)",
        }
    }
}

/// The form that an illegal name resembles.
pub(crate) fn form(name: &str) -> NameForm {
    let function = ["der(", "previous(", "pre("].iter().any(|f| name.contains(f));
    match name {
        _ if name.contains('\'') => NameForm::Quoted,
        _ if function || name.starts_with('$') => NameForm::Derivative,
        _ => NameForm::Plain,
    }
}

/// The array to which a name belongs as an element, with the indices of the element.
pub(crate) fn element(name: &str) -> Option<(&str, Vec<u32>)> {
    let (array, indices) = name.strip_suffix(']')?.rsplit_once('[')?;
    let indices = indices.split(',').map(|i| i.parse().ok()).collect::<Option<_>>()?;
    Some((array, indices))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structured_names_are_distinguished_from_others() {
        for name in [
            "a",
            "_a1.b_2",
            "a[1]",
            "a[1,2].b[3]",
            "der(x)",
            "der(a.x[1],2)",
            "'a b (c)'",
            "a.'x[1]'.b",
            r"'it\'s'",
            "der('a)')",
        ] {
            assert!(is_structured(name), "{name}");
        }
        for name in [
            "",
            "1a",
            "a.",
            ".a",
            "a[1, 2]",
            "a(1)",
            "a[]",
            "a[x]",
            "a b",
            "ä",
            "'ä'",
            "''",
            "'a",
            "der(x, 2)",
            "der(x,)",
            "der()",
            "a.der(x)",
            "previous(x)",
            "$x",
            "der(x)y",
        ] {
            assert!(!is_structured(name), "{name}");
        }
    }
}
