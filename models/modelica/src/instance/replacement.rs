//! Redeclarations: of which elements they may be, and what the new class must have.

use crate::library::{ClassNode, Library};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::ElementKind;
use std::collections::BTreeSet;
use std::rc::Rc;

/// An element that a redeclaration replaces.
pub(super) struct Replaced<'r> {
    /// Its name.
    pub name: &'r str,
    /// The class in whose text it is declared.
    pub owner: &'r ClassNode,
    /// The class whose elements the new one must have; `None` if it is not replaceable.
    pub constraint: Option<&'r Rc<ClassNode>>,
}

impl Replaced<'_> {
    /// Refuses the redeclaration of an element that is not replaceable, or by a class without the
    /// public elements of the constraining class. The caller knows whether both are types that fit,
    /// or no types.
    pub fn check(
        &self,
        library: &Library,
        (new, is_of_kind): (&Rc<ClassNode>, bool),
        place: Option<&Span>,
    ) -> Checked<()> {
        let (name, owner) = (self.name, &self.owner.path);
        let refuse = |sentence| Err(Complaint { span: place.cloned(), sentence });
        // The declared class of a redeclaration in a text has no name of its own.
        let of_short = library.bases(new)?.into_iter().next().map(|base| base.class);
        let written = of_short.filter(|_| new.elements().is_empty());
        let written = written.as_ref().unwrap_or(new);
        let Some(constraint) = self.constraint else {
            return refuse(format!(
                "{name} of {owner} is not replaceable: it cannot be redeclared as {}",
                written.path
            ));
        };
        if !is_of_kind {
            return refuse(format!(
                "{name} of {owner} is constrained by {}: {} cannot replace it",
                constraint.path, written.path
            ));
        }
        let (mut wanted, mut given) = (BTreeSet::new(), BTreeSet::new());
        public_names(library, constraint, &mut wanted)?;
        public_names(library, new, &mut given)?;
        match wanted.difference(&given).next() {
            None => Ok(()),
            Some(missing) => refuse(format!(
                "{name} of {owner} is constrained by {}: {} cannot replace it, because it has no \
                 element {missing}",
                constraint.path, written.path
            )),
        }
    }
}

/// The names of the public elements of a class, also of inherited ones.
fn public_names(
    library: &Library,
    class: &Rc<ClassNode>,
    found: &mut BTreeSet<Rc<str>>,
) -> Checked<()> {
    let mut is_public = Vec::new();
    for element in class.elements() {
        match &element.kind {
            ElementKind::Extends(_) => is_public.push(!element.protected),
            ElementKind::Component(of) if !element.protected => {
                found.insert(Rc::clone(&of.name.text));
            }
            ElementKind::Class(of) if !element.protected => {
                found.insert(Rc::clone(&of.name.text));
            }
            _ => {}
        }
    }
    for (at, base) in library.bases(class)?.iter().enumerate() {
        if is_public.get(at) != Some(&false) {
            public_names(library, &base.class, found)?;
        }
    }
    Ok(())
}
