//! Kinds and expressions as one writes them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;
use syn::{Expr, Type};

/// A kind as it is written: `Real`, `[Real; 3]`.
pub fn shape(kind: &Type) -> String {
    written(quote!(#kind))
}

/// An expression as it is written in source code.
pub fn source(expr: &Expr) -> String {
    written(quote!(#expr))
}

fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    for token in tokens {
        let after_value = text.ends_with(|c: char| c.is_alphanumeric() || ")]".contains(c));
        match token {
            TokenTree::Group(group) => {
                let inner = written(group.stream());
                text += &match group.delimiter() {
                    Delimiter::Parenthesis => format!("({inner})"),
                    Delimiter::Bracket => format!("[{inner}]"),
                    Delimiter::Brace => format!("{{ {inner} }}"),
                    Delimiter::None => inner,
                };
            }
            TokenTree::Punct(punct) => {
                text += &match punct.as_char() {
                    mark @ (',' | ';') => format!("{mark} "),
                    sign @ ('+' | '-' | '*' | '/') if after_value => format!(" {sign} "),
                    mark => mark.to_string(),
                };
            }
            TokenTree::Literal(literal) => text += &number(&literal.to_string()),
            TokenTree::Ident(word) => {
                text += &format!("{}{word}", if after_value { " " } else { "" });
            }
        }
    }
    text
}

/// A number without separators between its digits, and without a fraction that is zero; other
/// literals are not changed.
fn number(literal: &str) -> String {
    if !literal.starts_with(|c: char| c.is_ascii_digit()) {
        return literal.to_owned();
    }
    let plain = literal.replace('_', "");
    plain.strip_suffix(".0").unwrap_or(&plain).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_written_as_one_writes_them() {
        for text in [
            "-1.5e-3",
            "free()",
            "StateSelect::Default",
            "[0; 3]",
            "[[0, 1], [-1, 0]]",
            "m * (r_a - r_b) / -2",
            "c.max(1) as f64",
        ] {
            assert_eq!(source(&syn::parse_str(text).unwrap()), text);
        }
        let rust = syn::parse_str("f(-3.986_004e14 / 20.0)").unwrap();
        assert_eq!(source(&rust), "f(-3.986004e14 / 20)");
    }
}
