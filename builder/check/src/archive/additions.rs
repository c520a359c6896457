//! Rules for additions of later standards: terminals and icons, the folder `extra`.

use std::collections::BTreeSet;

use super::files::Files;
use fmus::finding::Finding;
use fmus::model_description::ModelDescription;
use fmus::xml::{self, Element};

const TERMINALS: &str = "terminalsAndIcons/terminalsAndIcons.xml";

/// The rules about additions that an FMU breaks.
pub(crate) fn findings(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let mut findings = terminals(files, d);
    findings.extend(extra(files));
    findings
}

/// D019: terminals have names and refer to variables that exist.
fn terminals(files: &Files, d: &ModelDescription) -> Vec<Finding> {
    let Some(bytes) = files.get(TERMINALS) else { return Vec::new() };
    let fault = |text: String| Finding::error("D019", format!("{TERMINALS}: {text}"));
    let root = match xml::parse(&String::from_utf8_lossy(bytes)) {
        Ok(root) if root.name == "fmiTerminalsAndIcons" => root,
        Ok(root) => return vec![fault(format!("its root element is <{}>", root.name))],
        Err(reason) => return vec![fault(reason)],
    };
    let known: BTreeSet<&str> = d.variables.iter().map(|v| v.name.as_str()).collect();
    let mut names = Vec::new();
    members(&root, &mut names);
    let unknown = names.into_iter().filter(|name| !known.contains(name));
    let unknown = unknown.map(|name| fault(format!("there is no variable `{name}`")));
    let nameless = nameless(&root).into_iter();
    let nameless = nameless.map(|line| fault(format!("line {line}: <Terminal> lacks its name")));
    unknown.chain(nameless).collect()
}

/// The names of variables in all terminals within an element.
fn members<'e>(element: &'e Element, names: &mut Vec<&'e str>) {
    if matches!(&*element.name, "TerminalMemberVariable" | "TerminalStreamMemberVariable") {
        let named = element.attributes.iter().filter(|(n, _)| n.ends_with("ariableName"));
        names.extend(named.map(|(_, value)| value.as_str()));
    }
    element.children.iter().for_each(|child| members(child, names));
}

/// The lines of terminals without a name within an element.
fn nameless(element: &Element) -> Vec<usize> {
    let own = element.name == "Terminal" && element.attribute("name").is_none();
    let inside = element.children.iter().flat_map(nameless);
    own.then_some(element.line).into_iter().chain(inside).collect()
}

/// D020: folders below `extra` are named after domains.
fn extra(files: &Files) -> Vec<Finding> {
    let inside = files.keys().filter_map(|p| p.strip_prefix("extra/"));
    let owners: BTreeSet<&str> = inside.map(|p| p.split_once('/').map_or("", |(o, _)| o)).collect();
    let odd = owners.into_iter().filter(|owner| !owner.contains('.'));
    odd.map(|owner| {
        let text = format!("extra/{owner}: it does not begin with a domain, as in org.example");
        Finding::warning("D020", text)
    })
    .collect()
}
