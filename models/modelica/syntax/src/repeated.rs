//! Names of classes that a text repeats: at the end of the class, where the name must be the same,
//! and in its scope, where no other class may have it.

use super::tree::Node;
use super::{Body, Class, ElementKind};
use crate::source::{Complaint, Complaints};
use moparse::{ModelicaToken, SyntaxKind};
use std::collections::HashMap;
use std::rc::Rc;

/// Complaints about classes that end with another name than they begin with.
pub fn other_ends(tree: &Node) -> Complaints {
    let mut complaints = Vec::new();
    let mut open = vec![tree];
    while let Some(node) = open.pop() {
        if node.kind == SyntaxKind::LongClassSpecifier {
            let mut names = node.tokens().filter(|of| of.kind == ModelicaToken::Identifier);
            if let (Some(first), Some(last)) = (names.next(), names.last())
                && first.span.text() != last.span.text()
            {
                let (name, other) = (first.span.text(), last.span.text());
                let sentence = format!("the class {name} ends with the name {other}");
                complaints.push(Complaint::at(&last.span, sentence));
            }
        }
        open.extend(node.nodes());
    }
    complaints
}

/// Complaints about classes that have the name of another one in the same scope.
pub fn twice(classes: &[Rc<Class>]) -> Complaints {
    let mut complaints = Vec::new();
    let mut open: Vec<Vec<&Class>> = vec![classes.iter().map(|class| &**class).collect()];
    while let Some(scope) = open.pop() {
        let mut known: HashMap<&str, &Class> = HashMap::new();
        for class in scope {
            if let Some(first) = known.insert(&class.name.text, class) {
                let (name, place) = (&class.name.text, first.name.span.place());
                let sentence = format!("the class {name} is declared twice; it is also at {place}");
                complaints.push(Complaint::at(&class.name.span, sentence));
            }
            let Body::Long(content) = &class.body else { continue };
            let inner = content.elements.iter().filter_map(|element| match &element.kind {
                ElementKind::Class(inner) => Some(&**inner),
                _ => None,
            });
            open.push(inner.collect());
        }
    }
    complaints
}
