//! The page `docs/components.md`: every component of the libraries, from its declaration.

use std::fmt::Write;

use coupler::declaration::{Declaration, Default, Parameter};
use coupler::libraries::{LIBRARIES, Library};

/// The page.
pub fn page() -> String {
    let mut page = String::from(
        "# Components\n\n\
         Every component of the libraries, from its declaration in the source. A model text makes one with\n\
         `Name::new()` and the setters of its parameters, in any order: numbers, whole numbers, expressions of\n\
         parameters of the model ([adding-a-model.md](adding-a-model.md)). What has no default is required.\n\
         Parameters are variables of the FMU, `instance.name`, but for those of kind `Structural`, choices and\n\
         flags; what is of kind `Start` is the start value of a variable.\n\n",
    );
    for library in LIBRARIES {
        let links =
            library.components.iter().map(|c| format!("[{}](#{})", c.name, anchor(library, c)));
        let links: Vec<String> = links.collect();
        let _ = writeln!(page, "* `coupler::{}`: {}", library.name, links.join(", "));
    }
    for library in LIBRARIES {
        let _ = write!(page, "\n## coupler::{}\n\n{}\n", library.name, library.text);
        for component in library.components {
            add(&mut page, library, component);
        }
    }
    page
}

fn anchor(library: &Library, component: &Declaration) -> String {
    format!("{}{}", library.name, component.name).to_lowercase()
}

fn add(page: &mut String, library: &Library, component: &Declaration) {
    let Declaration { name, class, text, parameters, ports, variables, .. } = component;
    let _ = write!(page, "\n### {}::{name}\n\n", library.name);
    let required = parameters.iter().filter(|p| p.default == Default::Required);
    let setters: String = required.map(|p| format!(".{}(..)", p.setter)).collect();
    let _ = write!(page, "`{name}::new(){setters}`");
    if !class.is_empty() {
        let _ = write!(page, " is {class}.");
    }
    let _ = write!(page, "\n\n{}\n", paragraphs(text));
    if !parameters.is_empty() {
        page.push_str(
            "\n| parameter | kind | unit | range | default | |\n|---|---|---|---|---|---|\n",
        );
        parameters.iter().for_each(|p| parameter(page, p));
    }
    if !ports.is_empty() {
        page.push_str("\n| port | kind | unit | |\n|---|---|---|---|\n");
        for p in *ports {
            let name = named(p.field, p.name);
            let _ = writeln!(page, "| {name} | {} | {} | {} |", p.kind, unit(p.unit), p.text);
        }
    }
    if !variables.is_empty() {
        page.push_str("\n| variable | kind | unit | |\n|---|---|---|---|\n");
        for v in *variables {
            let name = named(v.field, v.name);
            let _ = writeln!(page, "| {name} | {} | {} | {} |", v.kind, unit(v.unit), v.text);
        }
    }
}

fn parameter(page: &mut String, p: &Parameter) {
    let name = named(p.setter, p.name);
    let default = match p.default {
        Default::Required => "required".to_owned(),
        Default::Value(value) => format!("`{value}`"),
        Default::None => "none".to_owned(),
    };
    let range = match p.limits.of(p.unit) {
        any if any == "a finite number" => String::new(),
        range => range,
    };
    let (unit, fixed) = (unit(p.unit), if p.fixed { "; cannot be tuned" } else { "" });
    let kind = p.kind.replace('|', "\\|");
    let _ =
        writeln!(page, "| {name} | {kind} | {unit} | {range} | {default} | {}{fixed} |", p.text);
}

/// A field, with its FMI name where that is another one.
fn named(field: &str, name: &str) -> String {
    if field == name { format!("`{field}`") } else { format!("`{field}` = `{name}`") }
}

fn unit(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}

/// The text with headings of its own as words in bold.
fn paragraphs(text: &str) -> String {
    let heading = |line: &str| match line.strip_prefix("# ") {
        Some(word) => format!("**{word}**"),
        None => line.to_owned(),
    };
    text.lines().map(heading).collect::<Vec<_>>().join("\n")
}
