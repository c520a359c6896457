//! How deeply a text is nested, before it is parsed by functions that call each other.

/// The deepest nesting that is read.
pub const DEEPEST: usize = 200;

/// The most operators of one expression: its parts are nested as deeply.
pub const MOST_OPERATORS: usize = 1000;

/// What is open at a place of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Bracket,
    /// A class, `loop`, `when`, or an `if` that ends with `end if`.
    Block,
    /// An `if` of an expression, which has no end of its own.
    Choice,
}

/// The byte at which the nesting of a text exceeds [`DEEPEST`].
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let mut before = "";
    let mut at = 0;
    // The operators since the last comma or the like, for each open bracket.
    let mut operators = vec![0_usize];
    while let Some((start, token)) = next_token(bytes, text, &mut at) {
        match token {
            "(" | "[" | "{" => operators.push(0),
            ")" | "]" | "}" if operators.len() > 1 => drop(operators.pop()),
            "=" if matches!(before, "=" | "<" | ">") || bytes.get(at) == Some(&b'=') => {}
            "," | ";" | "=" | "then" | "else" => {
                operators.last_mut().into_iter().for_each(|n| *n = 0)
            }
            "+" | "-" | "*" | "/" | "^" | "and" | "or" => {
                operators.last_mut().into_iter().for_each(|n| *n += 1);
            }
            _ => {}
        }
        if operators.last().is_some_and(|n| *n > MOST_OPERATORS) {
            return Some(start);
        }
        match token {
            "(" | "[" | "{" => open.push(Open::Bracket),
            ")" | "]" | "}" => {
                close_choices(&mut open);
                open.pop_if(|kind| *kind == Open::Bracket);
            }
            ";" => close_choices(&mut open),
            "if" if before != "end" => open.push(kind_of_if(&open, before)),
            "loop" | "when" if before != "end" => open.push(Open::Block),
            "model" | "class" | "block" | "record" | "connector" | "package" | "function"
            | "operator" | "type"
                if before != "end" && begins_class(text, at) =>
            {
                open.push(Open::Block);
            }
            "end" if !matches!(open.last(), Some(Open::Bracket)) => {
                close_choices(&mut open);
                open.pop_if(|kind| *kind == Open::Block);
            }
            _ => {}
        }
        if open.len() > DEEPEST {
            return Some(start);
        }
        before = token;
    }
    None
}

fn close_choices(open: &mut Vec<Open>) {
    while open.pop_if(|kind| *kind == Open::Choice).is_some() {}
}

/// An `if` begins an equation or a statement after the end of another one, and after `then` and
/// `else` of such an `if`.
fn kind_of_if(open: &[Open], before: &str) -> Open {
    let in_block = open.last() == Some(&Open::Block);
    match before {
        ";" | "equation" | "algorithm" | "loop" => Open::Block,
        "then" | "else" if in_block => Open::Block,
        _ => Open::Choice,
    }
}

/// Whether a class with an end of its own follows, not `name =` or a call.
pub(super) fn begins_class(text: &str, after: usize) -> bool {
    let bytes = text.as_bytes();
    let mut at = after;
    match next_token(bytes, text, &mut at) {
        Some((_, "extends")) => true,
        Some((_, "record" | "function" | ".")) | None => false,
        Some(_) => !matches!(next_token(bytes, text, &mut at), Some((_, "=" | "(" | "."))),
    }
}

/// The next word or sign outside comments, with its first byte; a quoted text is `"`.
pub(super) fn next_token<'t>(
    bytes: &[u8],
    text: &'t str,
    at: &mut usize,
) -> Option<(usize, &'t str)> {
    loop {
        let start = *at;
        let byte = *bytes.get(start)?;
        match byte {
            b'"' | b'\'' => {
                *at = after_quoted(bytes, start);
                return Some((start, "\""));
            }
            b'/' if bytes.get(start + 1) == Some(&b'/') => {
                let line = bytes[start..].iter().position(|b| *b == b'\n');
                *at = start + line.unwrap_or(bytes.len() - start);
            }
            b'/' if bytes.get(start + 1) == Some(&b'*') => {
                let rest = bytes[start + 2..].windows(2).position(|pair| pair == b"*/");
                *at = rest.map_or(bytes.len(), |k| start + 2 + k + 2);
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
                *at = start + bytes[start..].iter().take_while(is_part).count();
                return Some((start, &text[start..*at]));
            }
            _ if byte.is_ascii_graphic() => {
                *at = start + 1;
                return Some((start, &text[start..*at]));
            }
            _ => *at = start + 1,
        }
    }
}

/// The byte after a quoted text.
fn after_quoted(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != bytes[start] {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_not_deep() {
        let types = "type A = Real; function f = g(a = 1);".repeat(1000);
        let statements =
            "x = if a then 1 else 2; if a then y = 1; else if b then y = 2; end if; end \
                          if; for i in 1:2 loop z[i] = f(function g(a = 1)); end for;"
                .repeat(1000);
        let text = format!("package P {types} model M equation {statements} end M; end P;");
        assert_eq!(too_deep(&text), None);
    }

    #[test]
    fn deep_texts_are_found() {
        for deep in ["(", "model A ", "x = if a then ", "model A Real x; ", "for i loop "] {
            let text = deep.repeat(DEEPEST + 2);
            assert!(too_deep(&text).is_some(), "{deep}");
        }
        assert_eq!(too_deep("// (((\n\"(((\" /* ((( */"), None);
    }
}
