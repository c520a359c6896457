//! Starts a new model: a file that can be built and simulated immediately, with its line in the
//! list of a package, or a new package with a model.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::models::camel_case;
use fmus::atomic_file;
use fmus::error::{Error, FileContext};

mod model_name;
mod owner;
mod package;
mod template;

pub use owner::Owner;
pub use package::{Facade, package};
pub use template::Template;

use model_name::legal;

/// Writes the file of a new model of the package in a folder and lists it in the package's
/// `lib.rs`; returns the file.
///
/// # Errors
/// If the name is not legal or exists already, `lib.rs` has no list of models, or a file cannot be
/// written.
pub fn model(
    package: &Path,
    name: &str,
    template: Template,
    facade: &Facade,
) -> Result<PathBuf, Error> {
    legal(name, facade.library)?;
    let source = package.join("src");
    let file = source.join(format!("{name}.rs"));
    let list = source.join("lib.rs");
    let text = fs::read_to_string(&list).attempt("read", &list)?;
    let lines: Vec<&str> = text.lines().collect();
    let listed = lines_of_list(&lines).ok_or_else(|| Error::Content {
        path: list.clone(),
        reason: "it has no list `models! {` with a line for each model; outside this package, \
                 `fmu new` starts a package with one"
            .to_owned(),
    })?;
    let models = || lines[listed.clone()].iter().map(|line| line.trim().trim_end_matches(','));
    if models().any(|model| model == name) {
        return Err(Error::Request(format!("there is already a model `{name}`")));
    }
    if file.exists() {
        return Err(Error::Request(format!(
            "there is already a file {}, which is not in the list of src/lib.rs",
            file.display()
        )));
    }
    let fmi_name = camel_case(name);
    if let Some(other) = models().find(|model| camel_case(model) == fmi_name) {
        return Err(Error::Request(format!("`{name}` and `{other}` would both be {fmi_name}")));
    }
    atomic_file::write(&file, template.text().as_bytes())?;
    if let Err(error) =
        atomic_file::write(&list, with_model(&text, &lines, listed, name).as_bytes())
    {
        // A file that is not listed would prevent another attempt.
        let _ = fs::remove_file(&file);
        return Err(error);
    }
    Ok(file)
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// The lines of a `lib.rs` that list models.
fn lines_of_list(lines: &[&str]) -> Option<Range<usize>> {
    let begins = |line: &&str| !is_comment(line) && line.trim_end().ends_with("models! {");
    let begin = lines.iter().position(begins)? + 1;
    let end = lines[begin..].iter().position(|line| line.trim_start().starts_with('}'))?;
    Some(begin..begin + end)
}

/// The text of a `lib.rs` with one more model in its list, in alphabetical order.
fn with_model(text: &str, lines: &[&str], listed: Range<usize>, name: &str) -> String {
    let Range { start: begin, end } = listed;
    let is_later = |line: &&str| !is_comment(line) && line.trim().trim_end_matches(',') > name;
    let place = lines[begin..end].iter().position(is_later).map_or(end, |place| begin + place);
    let mut new: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    if let Some(before) = new[begin..place].last_mut()
        && !is_comment(before)
        && !before.trim_end().ends_with(',')
    {
        before.push(',');
    }
    new.insert(place, format!("    {name},"));
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    new.join(end_of_line) + end_of_line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_model(text: &str, name: &str) -> Option<String> {
        let lines: Vec<&str> = text.lines().collect();
        Some(super::with_model(text, &lines, lines_of_list(&lines)?, name))
    }

    #[test]
    fn a_new_model_is_listed_in_alphabetical_order() {
        let list = |names: &str| format!("//! Mine.\n\ncoupler::models! {{\n{names}}}\n");
        let text = list("    ball,\n    pump,\n");
        let with = |name| with_model(&text, name).unwrap();
        assert_eq!(with("crane"), list("    ball,\n    crane,\n    pump,\n"));
        assert_eq!(with("arm"), list("    arm,\n    ball,\n    pump,\n"));
        assert_eq!(with("saw"), list("    ball,\n    pump,\n    saw,\n"));
        assert_eq!(with_model(&list(""), "saw").unwrap(), list("    saw,\n"));
        assert_eq!(with_model("mod saw;", "arm"), None);
        assert_eq!(with_model("// models! {\n// }", "arm"), None);
        let open = with_model(&list("    // heavy\n    crane\n"), "saw").unwrap();
        assert_eq!(open, list("    // heavy\n    crane,\n    saw,\n"));
        let windows = list("    ball,\n").replace('\n', "\r\n");
        let expected = list("    ball,\n    saw,\n").replace('\n', "\r\n");
        assert_eq!(with_model(&windows, "saw").unwrap(), expected);
    }
}
