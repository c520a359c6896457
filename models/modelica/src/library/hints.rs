//! What a name without a class may mean, in words.

use super::{ClassNode, Library};
use crate::names::is_it;
use crate::source::Complaint;
use crate::syntax::{ElementKind, Import, Word};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many folders a sentence lists.
const MOST_FOLDERS: usize = 4;

impl Library {
    /// The error that a class of this name is missing: in a class, or in the scope of a text.
    pub(super) fn unknown(
        &self,
        part: &Word,
        class: Option<&Rc<ClassNode>>,
        scope: &Rc<ClassNode>,
    ) -> Complaint {
        let sentence = match class {
            Some(class) => {
                format!("there is no class {} in {}", part.text, class.path)
                    + &self.nearby(class, &part.text)
            }
            None => format!("there is no class {}", part.text) + &self.around(scope, &part.text),
        };
        Complaint::at(&part.span, sentence)
    }

    /// What a name may mean that no class around a text has, in words; or where packages are
    /// searched.
    fn around(&self, scope: &Rc<ClassNode>, name: &str) -> String {
        match is_it(name, self.visible(scope)) {
            hint if !hint.is_empty() => hint,
            _ if name.starts_with(char::is_uppercase) => self.where_searched(),
            none => none,
        }
    }

    /// A class that a name may mean in another class, in words: by a similar name, or, in the
    /// standard library, in a package inside, where `Rotational.Inertia` has been
    /// `Rotational.Components.Inertia` since version 3.
    pub fn nearby(&self, class: &Rc<ClassNode>, name: &str) -> String {
        let similar = is_it(name, self.names_in(class));
        let is_standard = class.path.split('.').next() == Some("Modelica");
        let inner = if is_standard { self.children(class) } else { Ok(Vec::new()) };
        let mut inner = inner.unwrap_or_default().into_iter();
        let found = inner.find_map(|inner| self.child(&inner, name).ok().flatten());
        match found {
            Some(found) => format!("; there is {}", found.path),
            None if similar.is_empty() && is_standard && !self.has_standard_texts() => {
                let known = "only the classes that Coupler declares are known";
                format!("; MODELICAPATH leads to no Modelica Standard Library: {known}")
            }
            None => similar,
        }
    }

    /// Where a package is searched, in words.
    pub fn where_searched(&self) -> String {
        match &self.folders[..] {
            [] => "; MODELICAPATH, the list of folders with libraries, is not set".to_owned(),
            folders => {
                let shown = folders.iter().take(MOST_FOLDERS);
                let list: Vec<_> = shown.map(|folder| folder.display().to_string()).collect();
                let others = match folders.len().saturating_sub(MOST_FOLDERS) {
                    0 => String::new(),
                    count => format!(" and {count} other folders"),
                };
                format!(" in {}{others}", list.join(", "))
            }
        }
    }

    /// The names of classes that a text may use, from the classes around the text, their imports,
    /// and the root.
    pub(crate) fn visible(&self, scope: &Rc<ClassNode>) -> BTreeSet<Rc<str>> {
        let mut names: BTreeSet<Rc<str>> = BTreeSet::from(["Modelica".into()]);
        let around = std::iter::successors(Some(Rc::clone(scope)), |class| class.parent());
        for class in around {
            names.extend(self.names_in(&class));
            for element in class.elements() {
                match &element.kind {
                    ElementKind::Import(Import::Named(short, _)) => {
                        names.insert(Rc::clone(&short.text));
                    }
                    ElementKind::Import(Import::All(path)) => {
                        if let Ok(package) = self.find(&path.to_string()) {
                            names.extend(self.names_in(&package));
                        }
                    }
                    _ => {}
                }
            }
        }
        let top = self.top.borrow();
        names.extend(top.iter().filter(|(_, of)| of.is_some()).map(|(name, _)| Rc::clone(name)));
        names
    }

    /// The names of the classes in a class, its own and inherited ones.
    pub(crate) fn names_in(&self, class: &Rc<ClassNode>) -> BTreeSet<Rc<str>> {
        let (mut names, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut open = vec![Rc::clone(class)];
        while let Some(class) = open.pop() {
            if seen.insert(Rc::clone(&class.path)) {
                names.extend(self.child_names(&class));
                open.extend(self.bases(&class).unwrap_or_default().into_iter().map(|of| of.class));
            }
        }
        names
    }
}
