//! The elements of an instance, from its class and the inherited ones.

use super::{Instance, Member, Members, Scope};
use crate::library::{ClassNode, Library};
use crate::modifier::{Modifier, Redeclared};
use crate::source::{Checked, Complaint};
use crate::syntax::{
    Body, Component, Composition, Element, ElementKind, Modification, Name, Variability,
};
use std::cell::{Cell, OnceCell};
use std::rc::Rc;

/// Collects the elements of an instance from its class and the inherited ones.
pub(super) struct Collector<'i> {
    pub(super) library: &'i Library,
    pub(super) instance: &'i Rc<Instance>,
}

impl Collector<'_> {
    pub(super) fn collect(
        &self,
        class: &Rc<ClassNode>,
        modifier: Modifier,
        members: &mut Members,
        depth: usize,
    ) -> Checked<()> {
        if depth > 40 {
            let sentence = format!("{} inherits itself", class.path);
            return Err(Complaint::at(&class.syntax.name.span, sentence));
        }
        let instance = Some(Rc::clone(self.instance));
        let scope = Scope { instance, class: Rc::clone(class), frame: None };
        let bases = self.library.bases(class)?;
        match &class.syntax.body {
            Body::Short { modification, .. } => {
                let outside = class.parent().unwrap_or_else(|| Rc::clone(class));
                let own = Modifier::of(modification, &scope.in_text_of(&outside))?;
                for base in bases {
                    self.collect(
                        &base.class,
                        modifier.clone().over(own.clone())?,
                        members,
                        depth + 1,
                    )?;
                }
            }
            Body::Long(content) => {
                self.collect_long(class, content, (&modifier, &scope), members, depth)?;
            }
            Body::Enumeration(_) | Body::Derivative(_) => {}
        }
        Ok(())
    }

    fn collect_long(
        &self,
        class: &Rc<ClassNode>,
        content: &Composition,
        (modifier, scope): (&Modifier, &Scope),
        members: &mut Members,
        depth: usize,
    ) -> Checked<()> {
        // Redeclarations of classes hold for all names below.
        for (name, of) in &modifier.elements {
            if let Some(Redeclared::Class(syntax, place)) = &of.redeclared {
                let local = || self.library.local(place, Rc::clone(syntax));
                members.classes.entry(Rc::clone(name)).or_insert_with(local);
            }
        }
        if content.extends_inherited.is_some() {
            let sentence = "a class that extends the inherited class of its name is not supported";
            return Err(Complaint::at(&class.syntax.name.span, sentence));
        }
        for element in &content.elements {
            if let (ElementKind::Class(inner), true) = (&element.kind, element.redeclare) {
                let name = Rc::clone(&inner.name.text);
                let local = || self.library.local(class, Rc::clone(inner));
                members.classes.entry(name).or_insert_with(local);
            }
        }
        let mut bases = self.library.bases(class)?.into_iter();
        for element in &content.elements {
            if let Some(place) = &element.constraint {
                let sentence = "a constraint with a modification is not supported";
                return Err(Complaint::at(place, sentence));
            }
            match &element.kind {
                ElementKind::Extends(clause) => {
                    let Some(base) = bases.next() else { continue };
                    if let Some(place) = clause.breaks.first() {
                        return Err(Complaint::at(place, "`break` is not supported"));
                    }
                    let own = Modifier::of(&clause.modification, scope)?;
                    let named = own.clone();
                    let merged = modifier.clone().over(own)?;
                    self.collect(&base.class, merged, members, depth + 1)?;
                    self.check(&named, members)?;
                }
                ElementKind::Component(declaration) => {
                    self.add(element, declaration, (modifier, scope), members)?;
                }
                ElementKind::Class(_) | ElementKind::Import(_) => {}
            }
        }
        members.texts.push(Rc::clone(class));
        Ok(())
    }

    fn add(
        &self,
        element: &Element,
        declaration: &Rc<Component>,
        (modifier, scope): (&Modifier, &Scope),
        members: &mut Members,
    ) -> Checked<()> {
        let name = &declaration.name.text;
        let mut own = Modifier::of(&declaration.modification.arguments, scope)?
            .with_value(declaration.modification.value.as_ref(), scope);
        own.is_final |= element.is_final;
        let outside = modifier.elements.get(name).cloned().unwrap_or_default();
        let merged = outside.over(own)?;
        let (declaration, scope) = match &merged.redeclared {
            Some(Redeclared::Component(other, place)) => {
                // Prefixes that the redeclaration does not repeat stay.
                let mut other = (**other).clone_head();
                let has_sizes = !declaration.subscripts.is_empty() && other.subscripts.is_empty();
                if has_sizes || declaration.condition.is_some() {
                    let sentence = "the redeclaration of an array without its sizes, or of a \
                                    component with a condition, is not supported";
                    return Err(Complaint::at(&other.name.span, sentence));
                }
                if other.variability == Variability::Continuous {
                    other.variability = declaration.variability;
                }
                other.causality = other.causality.or(declaration.causality);
                (Rc::new(other), place.clone())
            }
            _ => (Rc::clone(declaration), scope.clone()),
        };
        let of_scope =
            scope.instance.as_ref().filter(|instance| !Rc::ptr_eq(instance, self.instance));
        let class = match of_scope {
            Some(instance) => instance.resolve(self.library, &scope.class, &declaration.of)?,
            None => self.resolve(members, &scope.class, &declaration.of)?,
        };
        let member = Rc::new(Member {
            declaration,
            inner: element.inner,
            outer: element.outer,
            protected: element.protected,
            is_final: element.is_final || merged.is_final,
            scope,
            modifier: merged,
            class,
            content: OnceCell::new(),
            in_progress: Cell::new(false),
        });
        match members.by_name.get(name) {
            // The same element may be inherited twice; a redeclaration takes its place.
            Some(at) if element.redeclare => members.list[*at] = member,
            Some(at)
                if Rc::ptr_eq(&members.list[*at].scope.class, &member.scope.class)
                    && !Rc::ptr_eq(&members.list[*at].declaration, &member.declaration) =>
            {
                let sentence = format!("{name} is declared twice");
                return Err(Complaint::at(&member.declaration.name.span, sentence));
            }
            Some(_) => {}
            None => {
                members.by_name.insert(Rc::clone(name), members.list.len());
                members.list.push(member);
            }
        }
        Ok(())
    }

    fn resolve(
        &self,
        members: &Members,
        scope: &Rc<ClassNode>,
        name: &Name,
    ) -> Checked<Rc<ClassNode>> {
        let first = name.parts.first().filter(|_| !name.from_root);
        if let Some(class) = first.and_then(|first| members.classes.get(&first.text)) {
            return self.library.inside(Rc::clone(class), &name.parts[1..]);
        }
        self.library.resolve(scope, name)
    }

    /// Modifiers that name nothing are errors.
    pub(super) fn check(&self, modifier: &Modifier, members: &Members) -> Checked<()> {
        for (name, of) in &modifier.elements {
            let is_known = members.by_name.contains_key(name)
                || matches!(of.redeclared, Some(Redeclared::Class(..)))
                    && self.library.member(&self.instance.class, name, 0)?.is_some();
            if !is_known {
                let sentence = format!("{} has no element {name}", self.instance.class.path);
                return Err(Complaint { span: of.span.clone(), sentence });
            }
        }
        Ok(())
    }
}

impl Component {
    /// The declaration without its modification.
    fn clone_head(&self) -> Component {
        Component {
            variability: self.variability,
            causality: self.causality,
            of: self.of.clone(),
            subscripts: self.subscripts.clone(),
            name: self.name.clone(),
            modification: Modification::default(),
            condition: self.condition.clone(),
            description: self.description.clone(),
            annotation: self.annotation.clone(),
        }
    }
}
