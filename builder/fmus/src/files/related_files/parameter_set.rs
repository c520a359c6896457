//! Sets of parameters in the format SSV of SSP.

use crate::vocabulary::wording::excerpt;
use crate::vocabulary::xml::{self, Element};

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterValue {
    /// The name of the parameter.
    pub name: String,
    /// The value as text.
    pub value: String,
    /// The unit of the value, if it is stated.
    pub unit: Option<String>,
}

/// The kinds of values.
const KINDS: [&str; 5] = ["Real", "Integer", "Boolean", "String", "Enumeration"];

/// Reads the values of a set of parameters.
///
/// # Errors
/// A sentence if the text is no XML, or that of another kind of document, or if a parameter has no
/// name or no value of one of the kinds.
pub fn read(text: &str) -> Result<Vec<ParameterValue>, String> {
    let root = xml::parse(text)?;
    if local(&root.name) != "ParameterSet" {
        let name = excerpt(&root.name);
        return Err(format!("its root element is <{name}>, not <ParameterSet>"));
    }
    let lists = root.children.iter().filter(|child| local(&child.name) == "Parameters");
    let parameters = lists.flat_map(|list| &list.children);
    let parameters = parameters.filter(|child| local(&child.name) == "Parameter");
    parameters.map(parameter).collect()
}

fn parameter(element: &Element) -> Result<ParameterValue, String> {
    let line = element.line;
    let name = element.attribute("name");
    let name = name.ok_or_else(|| format!("line {line}: <Parameter> lacks its attribute name"))?;
    let kind = element.children.iter().find(|child| KINDS.contains(&local(&child.name)));
    let value = kind.and_then(|kind| Some((kind, kind.attribute("value")?)));
    let (kind, value) = value.ok_or_else(|| {
        let kinds = KINDS.join(", ");
        format!("line {line}: {} has no value of these kinds: {kinds}", excerpt(name))
    })?;
    let unit = kind.attribute("unit").map(str::to_owned);
    Ok(ParameterValue { name: name.to_owned(), value: value.to_owned(), unit })
}

/// A name without its prefix.
fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_with_any_prefix() {
        let text = "<ssv:ParameterSet version=\"1.0\" name=\"s\"><ssv:Parameters>\
                    <ssv:Parameter name=\"m\"><ssv:Real value=\"2\" unit=\"kg\"/></ssv:Parameter>\
                    <ssv:Parameter name=\"on\"><ssv:Boolean value=\"true\"/></ssv:Parameter>\
                    </ssv:Parameters></ssv:ParameterSet>";
        let value = |name: &str, value: &str, unit: Option<&str>| ParameterValue {
            name: name.to_owned(),
            value: value.to_owned(),
            unit: unit.map(str::to_owned),
        };
        assert_eq!(read(text).unwrap(), [value("m", "2", Some("kg")), value("on", "true", None)]);
        let nothing = text.replace("<ssv:Boolean value=\"true\"/>", "<ssv:Binary/>");
        let kinds = KINDS.join(", ");
        assert_eq!(
            read(&nothing).unwrap_err(),
            format!("line 1: on has no value of these kinds: {kinds}")
        );
        assert!(read("<Parameters/>").is_err());
    }
}
