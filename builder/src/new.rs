//! Starts a new model: a crate below models/ that builds and runs at once.

use std::fs;
use std::path::PathBuf;

use crate::check;
use crate::error::{Attempt, Error};
use crate::workspace::{Workspace, camel_case};

/// What the text of a new model begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// A small drive train of components.
    Components,
    /// A pendulum in equations of its own.
    Equations,
}

/// The files of a new model: path, text with `@name@` for the package's name.
type Files = [(&'static str, &'static str); 4];

const COMPONENTS: Files = [
    ("Cargo.toml", include_str!("new/components/Cargo.toml.template")),
    ("build.rs", include_str!("new/components/build.rs.template")),
    ("src/lib.rs", include_str!("new/lib.rs.template")),
    ("src/model.rs", include_str!("new/components/model.rs.template")),
];

const EQUATIONS: Files = [
    ("Cargo.toml", include_str!("new/equations/Cargo.toml.template")),
    ("build.rs", include_str!("new/equations/build.rs.template")),
    ("src/lib.rs", include_str!("new/lib.rs.template")),
    ("src/model.rs", include_str!("new/equations/model.rs.template")),
];

/// Words that Rust keeps for itself, and names that Cargo refuses.
const RESERVED: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "incremental",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
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
    "test",
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
    "model",
];

/// Writes the crate of a new model; returns its folder.
///
/// # Errors
/// The name is not legal or exists already, or a file cannot be written.
pub fn model(name: &str, template: Template) -> Result<PathBuf, Error> {
    legal(name)?;
    let workspace = Workspace::locate(None)?;
    let folder = workspace.root.join("models").join(name);
    if folder.exists() || workspace.has_member(name) {
        return Err(Error::Request(format!("there is already a package `{name}`")));
    }
    let models = workspace.models();
    if let Some(other) = models.iter().find(|m| m.model_name() == camel_case(name)) {
        let fmi = camel_case(name);
        return Err(Error::Request(format!("`{name}` and `{}` would both be {fmi}", other.name)));
    }
    let models = workspace.root.join("models");
    fs::create_dir_all(&models).attempt("create", &models)?;
    let draft = tempfile::Builder::new().prefix(".new-").tempdir_in(&workspace.root);
    let draft = draft.attempt("create", &models)?;
    let files = if template == Template::Components { COMPONENTS } else { EQUATIONS };
    for (path, text) in files {
        let path = draft.path().join(path);
        let parent = path.parent().unwrap_or(draft.path());
        fs::create_dir_all(parent).attempt("create", parent)?;
        fs::write(&path, text.replace("@name@", name)).attempt("write", &path)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(draft.path(), open).attempt("write", draft.path())?;
    }
    fs::rename(draft.path(), &folder).attempt("create", &folder)?;
    Ok(folder)
}

fn legal(name: &str) -> Result<(), Error> {
    let fail = |reason: &str| Err(Error::Request(format!("`{name}` {reason}")));
    let snake = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
    if name.is_empty() || !name.bytes().all(snake) {
        return fail("is not a name for a model: use lower-case letters, digits and `_`");
    }
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return fail("is not a name for a model: the first character is a lower-case letter");
    }
    if name.ends_with('_') || name.contains("__") || name.len() > 64 {
        return fail("is not a name for a model: words are joined by one `_`, 64 letters at most");
    }
    if RESERVED.contains(&name) || !check::is_c_identifier(&camel_case(name)) {
        return fail("is not a name for a model: it has a meaning of its own");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_are_words_in_lower_case() {
        for name in ["a", "fourbar2", "coupled_clutches"] {
            assert!(legal(name).is_ok(), "{name}");
        }
        for name in
            ["", "Fourbar", "2bar", "a-b", "a b", "../x", "a/b", "fn", "test", "a__b", "_a", "ä"]
        {
            assert!(legal(name).is_err(), "{name}");
        }
    }
}
