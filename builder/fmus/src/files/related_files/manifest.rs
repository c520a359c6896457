//! The manifest of FMI-LS-REF: the files that belong to an FMU, with their roles.

use super::schema::{ANNOTATIONS, Read, Shape};
use super::source::Source;
use super::{EXPERIMENTS, MANIFEST};
use crate::vocabulary::wording::excerpt;
use crate::vocabulary::xml::{self, Element};

/// The name space of the attributes that every manifest has.
pub const NAME_SPACE: &str = "http://fmi-standard.org/fmi-ls-manifest";

/// The name of the layered standard.
pub const NAME: &str = "org.fmi-standard.fmi-ls-ref";

/// The version that manifests state according to the text of 1.0.0-beta.1.
pub const VERSION: &str = "1.0.0-alpha.1";

/// The description that manifests have.
pub const DESCRIPTION: &str =
    "Layered Standard providing information on related files included in an FMU.";

/// The type of a file whose type is not stated.
const ANY_TYPE: &str = "application/octet-stream";

/// The main roles.
const ROLES: [&str; 17] = [
    "document",
    "requirement",
    "specification",
    "model",
    "parameter",
    "system",
    "testcase",
    "experiment",
    "result",
    "method",
    "rationale",
    "report",
    "request",
    "delivery",
    "configuration",
    "signature",
    "meta-data",
];

/// A file that belongs to an FMU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedFile {
    /// Its type, such as `text/csv`.
    pub media_type: String,
    /// Its place.
    pub source: Source,
    /// Its role, such as `experiment/smoke-test`.
    pub role: String,
    /// The line of the manifest.
    pub line: usize,
}

impl RelatedFile {
    /// Whether it contains experiments in the format of MA-HS-Experiments that check an FMU.
    pub fn has_experiments(&self) -> bool {
        let is_check = matches!(
            self.role.as_str(),
            "experiment" | "experiment/smoke-test" | "experiment/validation"
        );
        is_check && EXPERIMENTS.contains(&self.media_type.as_str())
    }
}

const ROOT: Shape = Shape {
    required: &[],
    optional: &[],
    children: &[&["Related"], &[ANNOTATIONS]],
    several: &["Related"],
};

const RELATED: Shape = Shape {
    required: &["source", "role"],
    optional: &["type", "description"],
    children: &[&["Label"], &[ANNOTATIONS]],
    several: &["Label"],
};

const LABEL: Shape =
    Shape { required: &["name"], optional: &["description"], children: &[], several: &[] };

/// Reads a manifest.
///
/// # Errors
/// A sentence if the text is no XML, or that of another kind of document.
pub fn read(text: &str) -> Result<Read<Vec<RelatedFile>>, String> {
    let root = xml::parse(text)?;
    if root.name != "fmiReferences" {
        let name = excerpt(&root.name);
        return Err(format!("its root element is <{name}>, not <fmiReferences>"));
    }
    let mut read = Read { content: Vec::new(), faults: header(&root) };
    ROOT.compare(&root, &mut read.faults);
    for element in root.children.iter().filter(|child| child.name == "Related") {
        RELATED.compare(element, &mut read.faults);
        let labels = element.children.iter().filter(|child| child.name == "Label");
        labels.for_each(|label| LABEL.compare(label, &mut read.faults));
        let role = element.attribute("role").unwrap_or_default();
        if element.attribute("role").is_some() && !is_role(role) {
            let line = element.line;
            read.faults.push(format!("line {line}: there is no role `{}`", excerpt(role)));
        }
        let Some(source) = element.attribute("source") else { continue };
        read.content.push(RelatedFile {
            media_type: element.attribute("type").unwrap_or(ANY_TYPE).trim().to_owned(),
            source: Source::of(source, MANIFEST),
            role: role.to_owned(),
            line: element.line,
        });
    }
    Ok(read)
}

/// The faults of the attributes by which all layered standards are known.
fn header(root: &Element) -> Vec<String> {
    let prefix = root.attributes.iter().find(|(_, value)| value == NAME_SPACE);
    let prefix = prefix.and_then(|(name, _)| name.strip_prefix("xmlns:"));
    let Some(prefix) = prefix else {
        return vec![format!("line {}: the name space {NAME_SPACE} is not declared", root.line)];
    };
    let mut faults = Vec::new();
    for (name, wanted) in [
        ("fmi-ls-name", Some(NAME)),
        ("fmi-ls-version", None),
        ("fmi-ls-description", Some(DESCRIPTION)),
    ] {
        let line = root.line;
        match (root.attribute(&format!("{prefix}:{name}")), wanted) {
            (None, _) => faults.push(format!("line {line}: it lacks its {name}")),
            (Some(value), Some(wanted)) if value != wanted => {
                faults.push(format!("line {line}: {name} is `{}`, not `{wanted}`", excerpt(value)))
            }
            (Some(value), _) if value.trim().is_empty() => {
                faults.push(format!("line {line}: {name} is empty"));
            }
            _ => {}
        }
    }
    faults
}

fn is_role(role: &str) -> bool {
    match role.split_once('/') {
        Some(("experiment", purpose)) => {
            matches!(purpose, "smoke-test" | "validation" | "uncertainty-analysis")
        }
        Some((main, _)) => main == "serialized-state",
        None => ROLES.contains(&role) || matches!(role, "serialized-state" | "other"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(inside: &str) -> String {
        format!(
            "<fmiReferences xmlns:ls=\"{NAME_SPACE}\" ls:fmi-ls-name=\"{NAME}\"\n \
             ls:fmi-ls-version=\"{VERSION}\" ls:fmi-ls-description=\"{DESCRIPTION}\">\n{inside}\n\
             </fmiReferences>"
        )
    }

    #[test]
    fn a_manifest_is_read_with_its_defaults() {
        let inside = "<Related type=\"text/csv\" source=\"a.csv\" role=\"result\"/>\n\
                      <Related source=\"b\" role=\"serialized-state/x\"><Label name=\"n\"/>\
                      <Annotations><Annotation type=\"t\"/></Annotations></Related>";
        let read = read(&manifest(inside)).unwrap();
        assert_eq!(read.faults, [""; 0]);
        let [table, other] = &read.content[..] else { panic!("{read:?}") };
        let path = "extra/org.fmi-standard.fmi-ls-ref/a.csv";
        assert_eq!((table.source.path(), &*table.role, table.line), (Some(path), "result", 3));
        assert_eq!(other.media_type, ANY_TYPE);
    }

    #[test]
    fn faults_of_a_manifest_have_lines() {
        let faults = |inside: &str| read(&manifest(inside)).unwrap().faults;
        let check = |inside: &str, sentence: &str| assert_eq!(faults(inside), [sentence]);
        check("<Related role=\"model\"/>", "line 3: <Related> lacks its attribute source");
        check("<Related source=\"a\"/>", "line 3: <Related> lacks its attribute role");
        check("<Related source=\"a\" role=\"film\"/>", "line 3: there is no role `film`");
        check(
            "<Related source=\"a\" role=\"experiment/fun\"/>",
            "line 3: there is no role `experiment/fun`",
        );
        check(
            "<Related source=\"a\" role=\"other\" kind=\"b\"/>",
            "line 3: <Related> has no attribute `kind`",
        );
        check("<File/>", "line 3: <fmiReferences> has no element <File>");
        check(
            "<Annotations/>\n<Related source=\"a\" role=\"other\"/>",
            "line 4: <Related> comes after <Annotations>",
        );
        check(
            "<Related source=\"a\" role=\"other\"><Label/></Related>",
            "line 3: <Label> lacks its attribute name",
        );
        let other = read(&manifest("").replace(VERSION, "")).unwrap().faults;
        assert_eq!(other, ["line 1: fmi-ls-version is empty"]);
        let other = read(&manifest("").replace(NAME, "org.example")).unwrap().faults;
        assert_eq!(other, [format!("line 1: fmi-ls-name is `org.example`, not `{NAME}`")]);
        let none = read("<fmiReferences/>").unwrap().faults;
        assert_eq!(none, [format!("line 1: the name space {NAME_SPACE} is not declared")]);
        let wrong = read("<Experiments/>").unwrap_err();
        assert_eq!(wrong, "its root element is <Experiments>, not <fmiReferences>");
        assert!(read("<fmiReferences>").is_err());
    }
}
