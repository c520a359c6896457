//! What a schema allows in an element, and the faults of a file that does not follow it.

use crate::vocabulary::wording::excerpt;
use crate::vocabulary::xml::Element;

/// The content of a file, and sentences about what does not follow its schema.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Read<T> {
    /// What could be read.
    pub content: T,
    /// The faults, each with its line.
    pub faults: Vec<String>,
}

/// The attributes and the children of an element, as a schema allows them.
pub struct Shape {
    /// The attributes that it must have.
    pub required: &'static [&'static str],
    /// The attributes that it may have.
    pub optional: &'static [&'static str],
    /// The names of its children, in their order. Names in one group exclude each other.
    pub children: &'static [&'static [&'static str]],
    /// The children that may occur several times.
    pub several: &'static [&'static str],
}

impl Shape {
    /// Reports what an element has besides this, or lacks.
    pub fn compare(&self, element: &Element, faults: &mut Vec<String>) {
        let Element { name, line, .. } = element;
        let mut fault = |line: usize, text: String| faults.push(format!("line {line}: {text}"));
        for attribute in self.required.iter().filter(|a| element.attribute(a).is_none()) {
            fault(*line, format!("<{name}> lacks its attribute {attribute}"));
        }
        let known = [self.required, self.optional].concat();
        // Attributes with a prefix belong to other standards.
        let own = element.attributes.iter().map(|(attribute, _)| attribute);
        let own = own.filter(|attribute| !attribute.contains(':') && *attribute != "xmlns");
        for attribute in own.filter(|attribute| !known.contains(&attribute.as_str())) {
            fault(*line, format!("<{name}> has no attribute `{}`", excerpt(attribute)));
        }
        let mut last = (0, "");
        for child in &element.children {
            let place = self.children.iter().position(|group| group.contains(&&*child.name));
            let inside = excerpt(&child.name).into_owned();
            let Some(place) = place else {
                fault(child.line, format!("<{name}> has no element <{inside}>"));
                continue;
            };
            if place < last.0 {
                fault(child.line, format!("<{inside}> comes after <{}>", last.1));
            } else if !last.1.is_empty()
                && place == last.0
                && !self.several.contains(&child.name.as_str())
            {
                fault(child.line, format!("<{inside}> follows <{}>, but one is allowed", last.1));
            }
            last = (place.max(last.0), &child.name);
        }
    }
}

/// An element without attributes whose children may be anything.
pub(super) const ANNOTATIONS: &str = "Annotations";
