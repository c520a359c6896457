//! The owner of a package: the author and the licence that all its FMUs name.

use std::env;
use std::process::{Command, Stdio};

use fmus::error::Error;

/// The author and the licence of a package.
#[derive(Clone, Debug)]
pub struct Owner {
    /// The author, as `Name <address>`.
    pub author: Option<String>,
    /// The licence, as an SPDX expression.
    pub license: Option<String>,
}

impl Owner {
    /// The given author, or else the user of git, with the given licence, if there is one.
    ///
    /// # Errors
    /// If the licence is not an SPDX expression.
    pub fn new(author: Option<String>, license: Option<String>) -> Result<Owner, Error> {
        if let Some(text) = license.as_deref().filter(|text| !is_expression(text)) {
            let reason = "is not an SPDX expression, such as `MIT` or `MIT OR Apache-2.0`";
            return Err(Error::Request(format!("the licence `{text}` {reason}")));
        }
        Ok(Owner { author: author.or_else(git_author), license })
    }
}

/// Whether a text has the form of an SPDX expression; it is not checked whether the licences exist.
fn is_expression(text: &str) -> bool {
    let identifier = |word: &str| {
        let legal = |c: char| c.is_ascii_alphanumeric() || "-.+:".contains(c);
        !word.is_empty() && word.chars().all(legal)
    };
    let is_operator = |word: &&str| matches!(*word, "AND" | "OR" | "WITH");
    let words: Vec<&str> = text.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect();
    let in_turn = words.iter().enumerate().all(|(i, word)| is_operator(word) == (i % 2 == 1));
    words.len() % 2 == 1 && in_turn && words.into_iter().all(identifier)
}

/// The user in the configuration of git.
fn git_author() -> Option<String> {
    let configured = |key: &str| {
        let output =
            Command::new("git").args(["config", key]).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        Some(text).filter(|text| output.status.success() && !text.is_empty())
    };
    let name = configured("user.name").or_else(|| env::var("USER").ok())?;
    Some(match configured("user.email") {
        Some(address) => format!("{name} <{address}>"),
        None => name,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_has_the_form_of_an_spdx_expression() {
        for text in ["MIT", "MIT OR Apache-2.0", "(MIT OR GPL-2.0+) AND LicenseRef-Works"] {
            assert!(is_expression(text), "{text}");
        }
        for text in ["", "MIT/Apache-2.0", "my own", "MIT OR", "OR", "MIT, BSD"] {
            assert!(!is_expression(text), "{text}");
        }
        let refused = Owner::new(None, Some("all mine".to_owned())).unwrap_err().to_string();
        assert!(refused.starts_with("the licence `all mine` is not an SPDX expression"));
    }
}
