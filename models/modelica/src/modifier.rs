//! What texts say about the elements of an instance: values, attributes, redeclarations.

use crate::former::Present;
use crate::instance::Scope;
use crate::library::{ClassNode, Library};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Argument, ArgumentKind, Class, Component, ElementKind, Expression};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is said about an element.
#[derive(Clone, Debug, Default)]
pub struct Modifier {
    /// Its value.
    pub value: Option<Binding>,
    /// What is said about its own elements.
    pub elements: BTreeMap<Rc<str>, Modifier>,
    /// Another declaration of it.
    pub redeclared: Option<Redeclared>,
    /// Whether no other text may say something about it.
    pub is_final: bool,
    /// The element of arrays of components that it is, outermost first.
    pub indices: Vec<Index>,
    /// The place where it is said.
    pub span: Option<Span>,
}

/// An expression in its scope.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The expression.
    pub expression: Expression,
    /// The scope in which its names are looked up.
    pub scope: Scope,
    /// Whether `each` stands before it: in the modification of the component around it, then in
    /// that of the component around this one, and so on.
    each: Vec<bool>,
    /// The elements of arrays of components to which it belongs, outermost first: the value is this
    /// element of the expression.
    pub indices: Vec<Index>,
}

/// An index, with the size of the array.
#[derive(Clone, Copy, Debug)]
pub struct Index {
    /// The index, from 1.
    pub at: usize,
    /// The size.
    pub of: usize,
}

/// Another declaration.
#[derive(Clone, Debug)]
pub enum Redeclared {
    /// Of a component.
    Component(Rc<Component>, Scope),
    /// Of a class.
    Class(Rc<Class>, Scope),
}

impl Modifier {
    /// What arguments say, in their scope.
    ///
    /// # Errors
    /// They say something twice.
    pub fn of(arguments: &[Argument], scope: &Scope) -> Checked<Modifier> {
        let mut whole = Modifier::default();
        for argument in arguments {
            whole.add(argument, scope, &[])?;
        }
        Ok(whole)
    }

    /// The value of an element, in its scope.
    pub fn with_value(mut self, value: Option<&Expression>, scope: &Scope) -> Modifier {
        if let Some(expression) = value {
            self.span = Some(expression.span.clone());
            self.value = Some(Binding::new(expression, scope, Vec::new()));
        }
        self
    }

    /// Adds what an argument says; `around` tells where `each` stands around it, inside first.
    fn add(&mut self, argument: &Argument, scope: &Scope, around: &[bool]) -> Checked<()> {
        let each = |levels: usize| [&vec![argument.each; levels], around].concat();
        let twice = || {
            let sentence = format!("{} is modified twice", argument.span.text());
            Complaint::at(&argument.span, sentence)
        };
        match &argument.kind {
            ArgumentKind::Modify(name, modification) => {
                let mut place = self;
                let each = each(name.parts.len());
                for part in &name.parts {
                    place = place.elements.entry(Rc::clone(&part.text)).or_default();
                }
                if place.span.is_some() && place.value.is_some() && modification.value.is_some() {
                    return Err(twice());
                }
                place.span = Some(argument.span.clone());
                place.is_final |= argument.is_final;
                if let Some(value) = &modification.value {
                    place.value = Some(Binding::new(value, scope, each.clone()));
                }
                for inner in &modification.arguments {
                    place.add(inner, scope, &each)?;
                }
            }
            ArgumentKind::RedeclareComponent(component) => {
                let name = Rc::clone(&component.name.text);
                let (mut modifier, each) = (Modifier::default(), each(1));
                for inner in &component.modification.arguments {
                    modifier.add(inner, scope, &each)?;
                }
                modifier = modifier.with_value(component.modification.value.as_ref(), scope);
                modifier.value.iter_mut().for_each(|value| value.each.clone_from(&each));
                modifier.redeclared =
                    Some(Redeclared::Component(Rc::clone(component), scope.clone()));
                modifier.span = Some(argument.span.clone());
                let modifier = modifier.over(Modifier::of(&argument.constraint, scope)?)?;
                if self.elements.insert(name, modifier).is_some() {
                    return Err(twice());
                }
            }
            ArgumentKind::RedeclareClass(class) => {
                let redeclared = Redeclared::Class(Rc::clone(class), scope.clone());
                let modifier = Modifier {
                    redeclared: Some(redeclared),
                    span: Some(argument.span.clone()),
                    ..Modifier::of(&argument.constraint, scope)?
                };
                if self.elements.insert(Rc::clone(&class.name.text), modifier).is_some() {
                    return Err(twice());
                }
            }
        }
        Ok(())
    }

    /// This modifier over an inner one; this modifier decides where both say something.
    ///
    /// # Errors
    /// The inner one is final.
    pub fn over(mut self, inner: Modifier) -> Checked<Modifier> {
        if inner.is_final && (self.value.is_some() || !self.elements.is_empty()) {
            let place = self.span.or(inner.span);
            let sentence = "this element is final: no other text may modify it".to_owned();
            return Err(Complaint { span: place, sentence });
        }
        self.is_final |= inner.is_final;
        self.value = self.value.or(inner.value);
        self.redeclared = self.redeclared.or(inner.redeclared);
        self.span = self.span.or(inner.span);
        for (name, modifier) in inner.elements {
            let own = self.elements.remove(&name).unwrap_or_default();
            self.elements.insert(name, own.over(modifier)?);
        }
        Ok(self)
    }

    /// What it says about one element of an array of components.
    pub fn at(&self, index: Index) -> Modifier {
        let mut element = self.clone();
        element.indices.push(index);
        element.split(index, 0);
        element
    }

    /// Takes the part of all values for an element of an array that is so many levels above.
    fn split(&mut self, index: Index, levels: usize) {
        if let Some(binding) = &mut self.value {
            let each = levels.checked_sub(1).and_then(|level| binding.each.get(level));
            if each != Some(&true) {
                binding.indices.push(index);
            }
        }
        self.elements.values_mut().for_each(|inner| inner.split(index, levels + 1));
    }

    /// What a text says about an instance of a class, with the present names of its elements.
    pub fn with_present_names(mut self, library: &Library, class: &ClassNode) -> Modifier {
        if !class.path.starts_with("Modelica.") || self.elements.is_empty() {
            return self;
        }
        let names: Vec<Rc<str>> = self.elements.keys().cloned().collect();
        for name in names.into_iter().filter(|name| !declares(class, name)) {
            let Some(present) = library.former.element(&class.path, &name) else { continue };
            if let (Some(of), Present::Element(present)) = (self.elements.remove(&name), present) {
                self.elements.insert(present.into(), of);
            }
        }
        self
    }
}

impl Binding {
    /// An expression in a scope.
    fn new(expression: &Expression, scope: &Scope, each: Vec<bool>) -> Binding {
        let (expression, scope) = (expression.clone(), scope.clone());
        Binding { expression, scope, each, indices: Vec::new() }
    }

    /// Whether `each` stands before it.
    pub fn has_each(&self) -> bool {
        self.each.first() == Some(&true)
    }
}

/// Whether an element stands in the text of a class.
fn declares(class: &ClassNode, name: &str) -> bool {
    class.elements().iter().any(|element| match &element.kind {
        ElementKind::Component(of) => &*of.name.text == name,
        _ => false,
    })
}
