//! Generates `docs/components.md`: every component of the libraries, from its declaration.

use std::fmt::Write;

use coupler::declaration::{Declaration, Default, Parameter};
use coupler::libraries::{CHOICES, ComponentLibrary, FACTS, KINDS, LIBRARIES};

/// The page.
pub fn page() -> String {
    let mut page = String::from(
        "# Components\n\n\
         This page is generated from the declarations of all components in the source. A model text creates a\n\
         component with `Name::new()` and the setters of its parameters, in any order\n\
         ([models](adding-a-model.md)). A parameter whose default is *required* must be given; a\n\
         parameter whose default is *none* may be omitted. The kind of a parameter, with its facts, determines which variables\n\
         it has in the FMU; their names begin with the name of the instance (`shaft.c`). If a default is an\n\
         expression of the parameters above it, the parameter does not change when an importer sets these\n\
         parameters; if it *follows* them, it is calculated and changes with them. Local variables of\n\
         type Boolean are Integers in the FMU, 0 or 1, unless it is built with `--booleans boolean`\n\
         ([importers.md](importers.md#openmodelica)). A connected input is a variable that repeats the signal.\n\
         Any instance may also have `gap` and `drift`, where values of\n\
         parameters decide that a condition follows from others\n\
         ([loops.md](loops.md#conclusions-from-parameters)).\n\n",
    );
    kinds(&mut page);
    for library in LIBRARIES {
        let links = library.components.iter().map(|class| class.declaration);
        let links = links.map(|c| format!("[{}](#{})", c.name, anchor(library, c)));
        let links: Vec<String> = links.collect();
        let _ = writeln!(page, "* `coupler::{}`: {}", library.name, links.join(", "));
    }
    for library in LIBRARIES {
        let _ = write!(page, "\n## coupler::{}\n\n{}\n", library.name, library.text);
        for component in library.components {
            add(&mut page, library, component.declaration);
        }
    }
    page
}

/// The tables of kinds, of facts and of choices.
fn kinds(page: &mut String) {
    page.push_str("| kind of a parameter | in a model text | in the FMU |\n|---|---|---|\n");
    for kind in KINDS {
        let _ = writeln!(page, "| `{}` | {} | {} |", kind.name, kind.given, kind.published);
    }
    page.push_str("| any choice below | one of its values | none |\n");
    page.push_str("\n| with the fact | in a model text | in the FMU |\n|---|---|---|\n");
    for fact in FACTS {
        let _ = writeln!(page, "| {} | {} | {} |", fact.name, fact.given, fact.published);
    }
    page.push_str("\n| choice | value | |\n|---|---|---|\n");
    for choice in CHOICES {
        let _ = writeln!(page, "| `{}` | | {} |", choice.name, unlinked(choice.text));
        for (value, text) in choice.values {
            let _ = writeln!(page, "| | `{value}` | {} |", unlinked(text));
        }
    }
    page.push('\n');
}

fn anchor(library: &ComponentLibrary, component: &Declaration) -> String {
    format!("{}{}", library.name, component.name).to_lowercase()
}

fn add(page: &mut String, library: &ComponentLibrary, component: &Declaration) {
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
            let _ = writeln!(page, "| {name} | `{}` | {} | {} |", p.kind, unit(p.unit), p.text);
        }
    }
    if !variables.is_empty() {
        page.push_str("\n| variable | kind | unit | |\n|---|---|---|---|\n");
        for v in *variables {
            let name = named(v.field, v.name);
            let _ = writeln!(page, "| {name} | `{}` | {} | {} |", v.kind, unit(v.unit), v.text);
        }
    }
}

fn parameter(page: &mut String, p: &Parameter) {
    let name = named(p.setter, p.name);
    let default = match p.default {
        Default::Required => "required".to_owned(),
        Default::Value(value) if p.follows => format!("`{value}`, follows"),
        Default::Value(value) => format!("`{value}`"),
        Default::None => "none".to_owned(),
    };
    let range = match p.limits.of(p.unit) {
        any if any == "a finite number" => if p.non_zero { "not zero" } else { "" }.to_owned(),
        range => range,
    };
    let (unit, fixed) = (
        unit(p.unit),
        if p.fixed { "; can be set, but not changed during a simulation" } else { "" },
    );
    let fact = |fact| match fact {
        "for" => format!(", for `{}`", p.input),
        fact => format!(", {fact}"),
    };
    let facts: String = p.facts().map(fact).collect();
    let (kind, text) = (p.kind, unlinked(p.text));
    let _ = writeln!(
        page,
        "| {name} | `{kind}`{facts} | {unit} | {range} | {default} | {text}{fixed} |"
    );
}

/// A field, with its FMI name if it differs.
fn named(field: &str, name: &str) -> String {
    if field == name { format!("`{field}`") } else { format!("`{field}` = `{name}`") }
}

fn unit(unit: &str) -> &str {
    if unit == "1" { "" } else { unit }
}

/// The text without links to the source; their words stay.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((word, after)) = link.split_once("`]") else { break };
        plain += &format!("{before}`{word}`");
        rest = match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
    }
    plain + rest
}

/// The text with its headings as words in bold.
fn paragraphs(text: &str) -> String {
    let heading = |line: &str| match line.strip_prefix("# ") {
        Some(word) => format!("**{word}**"),
        None => line.to_owned(),
    };
    unlinked(text).lines().map(heading).collect::<Vec<_>>().join("\n")
}
