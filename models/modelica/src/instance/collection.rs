//! The elements of an instance, from its class and the inherited ones.

use super::replacement::Replaced;
use super::{Instance, Kind, LocalClass, Member, Members, Scope, Size, kind_of};
use crate::library::{ClassNode, Library};
use crate::modifier::{Modifier, Redeclared};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{
    Body, Class, Component, Composition, Element, ElementKind, Name, Subscript, Variability,
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
        let said = self.instance.said_by(self.library, class)?;
        let modifier = modifier.over(said.clone())?;
        match &class.syntax.body {
            Body::Short { .. } => {
                for base in self.library.bases(class)? {
                    let merged = modifier.clone().with_present_names(self.library, &base.class);
                    self.collect(&base.class, merged, members, depth + 1)?;
                }
            }
            Body::Long(content) => {
                self.collect_long(class, content, (&modifier, &scope), members, depth)?;
            }
            Body::Enumeration(_) | Body::Derivative(_) => {}
        }
        self.check(&said, members)
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
                let local = || LocalClass {
                    class: self.library.local(&place.class, Rc::clone(syntax)),
                    scope: place.clone(),
                    constraint: Modifier { elements: of.elements.clone(), ..Modifier::default() },
                    redeclared: of.span.clone().or_else(|| Some(syntax.name.span.clone())),
                };
                members.classes.entry(Rc::clone(name)).or_insert_with(local);
            }
        }
        if content.extends_inherited.is_some() {
            let sentence = "a class that extends the inherited class of its name is not supported";
            return Err(Complaint::at(&class.syntax.name.span, sentence));
        }
        for element in &content.elements {
            let ElementKind::Class(inner) = &element.kind else { continue };
            self.local_class(class, (element, inner), scope, members)?;
        }
        let mut bases = self.library.bases(class)?.into_iter();
        for element in &content.elements {
            match &element.kind {
                ElementKind::Extends(clause) => {
                    let Some(base) = bases.next() else { continue };
                    if let Some(place) = clause.breaks.first() {
                        return Err(Complaint::at(place, "`break` is not supported"));
                    }
                    let own = Modifier::of(&clause.modification, scope)?;
                    let own = own.with_present_names(self.library, &base.class);
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
        // A text that is inherited twice has its equations once.
        if !members.texts.iter().any(|known| Rc::ptr_eq(known, class)) {
            members.texts.push(Rc::clone(class));
        }
        Ok(())
    }

    /// The class whose elements every redeclaration of a replaceable element must have: that of
    /// `constrainedby`, or else the declared one.
    fn constraint(
        &self,
        element: &Element,
        declared: &Rc<ClassNode>,
        resolve: &dyn Fn(&Name) -> Checked<Rc<ClassNode>>,
    ) -> Checked<Option<Rc<ClassNode>>> {
        match &element.constraint {
            _ if !element.replaceable => Ok(None),
            Some(constraint) => resolve(&constraint.of).map(Some),
            None => Ok(Some(Rc::clone(declared))),
        }
    }

    /// Refuses a class that cannot take the place of an element.
    fn check_replacement(
        &self,
        of: &Replaced<'_>,
        new: &Rc<ClassNode>,
        place: Option<&Span>,
    ) -> Checked<()> {
        let kind = |class| kind_of(self.library, class);
        let is_of_kind = match of.constraint {
            Some(constraint) => match (kind(constraint)?, kind(new)?) {
                (Kind::Type(a), Kind::Type(b)) => a.takes(&b) && b.takes(&a),
                (Kind::Composite, Kind::Composite) => true,
                _ => false,
            },
            None => true,
        };
        of.check(self.library, (new, is_of_kind), place)
    }

    /// Notes a class of the text if it redeclares an inherited class, or if a redeclaration or a
    /// constraint concerns it.
    fn local_class(
        &self,
        class: &Rc<ClassNode>,
        (element, inner): (&Element, &Rc<Class>),
        scope: &Scope,
        members: &mut Members,
    ) -> Checked<()> {
        let name = &inner.name.text;
        let own = match element.redeclare {
            true => Some(self.library.local(class, Rc::clone(inner))),
            false => self.library.child(class, name)?,
        };
        let Some(own) = own else { return Ok(()) };
        let by = members.classes.get(name).filter(|local| local.redeclared.is_some());
        if let Some(LocalClass { class: new, redeclared, .. }) = by.filter(|_| !element.redeclare) {
            let resolve = |name: &Name| self.resolve(members, class, name);
            let constraint = self.constraint(element, &own, &resolve)?;
            let replaced = Replaced { name, owner: class, constraint: constraint.as_ref() };
            self.check_replacement(&replaced, new, redeclared.as_ref())?;
        }
        // Without a constraint, the class of the declaration with its modifiers is one.
        let constraint = match (&inner.body, &element.constraint) {
            (_, Some(constraint)) => &constraint.modification[..],
            (Body::Short { modification, .. }, None) if by.is_some() && !element.redeclare => {
                modification
            }
            _ => &[],
        };
        if !element.redeclare && constraint.is_empty() {
            return Ok(());
        }
        let local = || LocalClass {
            class: own,
            scope: scope.clone(),
            constraint: Modifier::default(),
            redeclared: element.redeclare.then(|| inner.name.span.clone()),
        };
        let known = members.classes.entry(Rc::clone(name)).or_insert_with(local);
        if known.constraint.elements.is_empty() {
            known.constraint = Modifier::of(constraint, scope)?;
        }
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
        // Without a constraint, the class of the declaration with its modifiers is one.
        let (own, demanded) = match &element.constraint {
            None => (own.clone(), own),
            Some(constraint) => {
                let demanded = Modifier::of(&constraint.modification, scope)?;
                (own.over(demanded.clone())?, demanded)
            }
        };
        let (merged, demanded) = match outside.redeclared {
            Some(_) => (outside.over(demanded.clone())?, demanded),
            None => (outside.clone().over(own)?, outside.over(demanded)?),
        };
        let size = |scope: &Scope| {
            let scope = scope.clone();
            move |subscript: &Subscript| Size { subscript: subscript.clone(), scope: scope.clone() }
        };
        let mut own_sizes: Vec<Size> = declaration.subscripts.iter().map(size(scope)).collect();
        let condition = declaration.condition.clone().map(|of| (of, scope.clone()));
        let resolve = |name: &Name| self.resolve(members, &scope.class, name);
        let constraint = match element.replaceable {
            true => self.constraint(element, &resolve(&declaration.of)?, &resolve)?,
            false => None,
        };
        let (owner, replaced) = (&scope.class, Rc::clone(name));
        let (declaration, scope) = match &merged.redeclared {
            Some(Redeclared::Component(other, place)) => {
                // What the redeclaration does not repeat stays.
                let mut other = (**other).clone_head();
                if other.variability == Variability::Continuous {
                    other.variability = declaration.variability;
                }
                other.causality = other.causality.or(declaration.causality);
                if !other.subscripts.is_empty() {
                    own_sizes = other.subscripts.iter().map(size(place)).collect();
                }
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
        if merged.redeclared.is_some() && !element.redeclare {
            let replaced = Replaced { name: &replaced, owner, constraint: constraint.as_ref() };
            self.check_replacement(&replaced, &class, merged.span.as_ref())?;
        }
        let member = Member {
            declaration,
            inner: element.inner,
            outer: element.outer,
            protected: element.protected,
            is_final: element.is_final || merged.is_final,
            redeclares: element.redeclare,
            has_replaced: false,
            scope,
            modifier: merged,
            class,
            own_sizes,
            condition,
            demanded,
            constraint,
            content: OnceCell::new(),
            in_progress: Cell::new(false),
        };
        self.insert(member, members)
    }

    /// Adds a component; the same one may be inherited twice, and a redeclaration takes the place
    /// of what it redeclares.
    fn insert(&self, member: Member, members: &mut Members) -> Checked<()> {
        let name = Rc::clone(&member.declaration.name.text);
        let Some(at) = members.by_name.get(&name).copied() else {
            members.by_name.insert(name, members.list.len());
            members.list.push(Rc::new(member));
            return Ok(());
        };
        let known = Rc::clone(&members.list[at]);
        if known.redeclares != member.redeclares {
            let (new, old) =
                if member.redeclares { (&member, &*known) } else { (&*known, &member) };
            let (owner, constraint) = (&*old.scope.class, old.constraint.as_ref());
            let place = &new.declaration.name.span;
            let replaced = Replaced { name: &name, owner, constraint };
            self.check_replacement(&replaced, &new.class, Some(place))?;
            members.list[at] = Rc::new(new.in_place_of(old)?);
            return Ok(());
        }
        let is_same = Rc::ptr_eq(&known.declaration, &member.declaration);
        if Rc::ptr_eq(&known.scope.class, &member.scope.class) && !is_same {
            let place = known.declaration.name.span.place();
            let sentence = format!("{name} is declared twice; it is also at {place}");
            return Err(Complaint::at(&member.declaration.name.span, sentence));
        }
        if !is_same && known.declaration.says() != member.declaration.says() {
            let (one, other) = (&known.scope.class.path, &member.scope.class.path);
            let sentence = format!("{name} is declared in {one} and, in another way, in {other}");
            return Err(Complaint::at(&member.declaration.name.span, sentence));
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
            return self.library.inside(Rc::clone(&class.class), &name.parts[1..]);
        }
        self.library.resolve(scope, name)
    }

    /// Modifiers that name nothing are errors.
    pub(super) fn check(&self, modifier: &Modifier, members: &Members) -> Checked<()> {
        for (name, of) in &modifier.elements {
            if let (Some(_), Some(Redeclared::Class(..))) = (members.get(name), &of.redeclared) {
                let sentence = format!("{name} is a component, and no class redeclares one");
                return Err(Complaint { span: of.span.clone(), sentence });
            }
            let is_known = members.by_name.contains_key(name)
                || matches!(of.redeclared, Some(Redeclared::Class(..)))
                    && self.library.member(&self.instance.class, name, 0)?.is_some();
            if !is_known {
                let sentence = members.lack(&self.instance.class, name);
                return Err(Complaint { span: of.span.clone(), sentence });
            }
        }
        Ok(())
    }
}

impl Member {
    /// A redeclaration with what it takes over from the declaration of the same element.
    fn in_place_of(&self, old: &Member) -> Checked<Member> {
        let mut declaration = self.declaration.clone_head();
        declaration.modification = self.declaration.modification.clone();
        if declaration.variability == Variability::Continuous {
            declaration.variability = old.declaration.variability;
        }
        declaration.causality = declaration.causality.or(old.declaration.causality);
        let has_sizes = !self.own_sizes.is_empty();
        Ok(Member {
            declaration: Rc::new(declaration),
            inner: self.inner || old.inner,
            outer: self.outer || old.outer,
            protected: self.protected,
            is_final: self.is_final,
            redeclares: true,
            has_replaced: true,
            scope: self.scope.clone(),
            modifier: self.modifier.clone().over(old.demanded.clone())?,
            class: Rc::clone(&self.class),
            own_sizes: if has_sizes { &self.own_sizes } else { &old.own_sizes }.clone(),
            condition: self.condition.clone().or_else(|| old.condition.clone()),
            demanded: self.demanded.clone(),
            constraint: self.constraint.clone(),
            content: OnceCell::new(),
            in_progress: Cell::new(false),
        })
    }
}
