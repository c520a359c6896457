//! Instances of classes: their elements with all modifiers, made when they are asked for.

mod collection;
mod replacement;
mod types;

pub use types::{ATTRIBUTES, attributes, check_attributes, is_of, kind_of};

use collection::Collector;
use types::{causality_of, sizes_of_type};

use crate::library::{ClassNode, Library};
use crate::modifier::{Index, Modifier, Redeclared};
use crate::names::is_it;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{
    Body, Causality, ClassKind, Component, Expression, Subscript, Variability, Word,
};
use crate::value::Value;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// An instance of a class: the model, a component, or a package with its constants.
pub struct Instance {
    /// Its full name in the model; empty for the model itself.
    pub name: String,
    /// Its class.
    pub class: Rc<ClassNode>,
    /// What texts outside the class say about it.
    pub modifier: Modifier,
    /// The instance of which it is an element.
    pub parent: Option<Rc<Instance>>,
    /// Its elements.
    members: OnceCell<Members>,
}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.class.path, self.name)
    }
}

/// The elements of an instance.
#[derive(Debug, Default)]
pub struct Members {
    /// Its components, in their order.
    pub list: Vec<Rc<Member>>,
    by_name: HashMap<Rc<str>, usize>,
    /// The texts with its equations, those of inherited classes first.
    pub texts: Vec<Rc<ClassNode>>,
    /// Redeclared classes, and replaceable ones with a constraint.
    classes: HashMap<Rc<str>, LocalClass>,
}

/// A class that stands for a name in an instance.
#[derive(Debug)]
struct LocalClass {
    class: Rc<ClassNode>,
    /// The scope of its modification.
    scope: Scope,
    /// What every class with this name says about the elements of its instances.
    constraint: Modifier,
    /// The place of the redeclaration, if it is one.
    redeclared: Option<Span>,
}

impl Members {
    /// The component of this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Member>> {
        self.by_name.get(name).map(|at| &self.list[*at])
    }

    /// The sentence that a class with these elements has none of this name.
    pub fn lack(&self, class: &ClassNode, name: &str) -> String {
        format!("{} has no element {name}{}", class.path, is_it(name, self.names()))
    }

    /// The names of the components.
    pub fn names(&self) -> impl Iterator<Item = Rc<str>> {
        self.list.iter().map(|member| Rc::clone(&member.declaration.name.text))
    }
}

/// A component of an instance.
#[derive(Debug)]
pub struct Member {
    /// Its declaration.
    pub declaration: Rc<Component>,
    /// `inner`.
    pub inner: bool,
    /// `outer`.
    pub outer: bool,
    /// `protected`.
    pub protected: bool,
    /// `final`.
    pub is_final: bool,
    /// `redeclare`.
    redeclares: bool,
    /// Whether it has taken the place of an inherited declaration.
    has_replaced: bool,
    /// The scope of its declaration.
    pub scope: Scope,
    /// All that texts say about it.
    pub modifier: Modifier,
    /// Its class.
    pub class: Rc<ClassNode>,
    /// Its own sizes.
    own_sizes: Vec<Size>,
    /// Its condition.
    pub condition: Option<(Expression, Scope)>,
    /// What holds for a redeclaration of it, too.
    demanded: Modifier,
    /// The class whose elements a redeclaration must have; `None` if it is not replaceable.
    constraint: Option<Rc<ClassNode>>,
    content: OnceCell<Content>,
    in_progress: Cell<bool>,
}

/// What a component is.
#[derive(Clone, Debug)]
pub enum Content {
    /// Its condition is false.
    Absent,
    /// A variable of a predefined type, an enumeration, or an array of them.
    Variable(Rc<Variable>),
    /// An instance of a class.
    Instance(Rc<Instance>),
    /// An array of them.
    Array(Rc<Vec<Content>>),
}

/// A variable.
#[derive(Debug)]
pub struct Variable {
    /// Its full name.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// `input` or `output`.
    pub causality: Option<Causality>,
    /// How often it changes.
    pub variability: Variability,
    /// Its value and its attributes.
    pub modifier: Modifier,
    /// The sizes of an array, as they are declared, those of its type last.
    pub sizes: Vec<Size>,
    /// Its description in one line.
    pub description: String,
    /// Its declaration's place.
    pub span: Span,
    /// The class in whose text it is declared.
    pub declared_in: Rc<ClassNode>,
    /// Whether no importer may set it: `final` or protected.
    pub is_final: bool,
    /// Its value.
    pub value: OnceCell<Value>,
    /// Whether its value is being computed.
    pub in_progress: Cell<bool>,
}

impl Variable {
    /// Whether it is an input of the model, whose value comes from outside: not one that is
    /// protected, or for which its declaration is an equation.
    pub fn is_input_of(&self, owner: &Instance) -> bool {
        let is_open = !self.is_final && self.modifier.value.is_none();
        owner.name.is_empty() && self.causality == Some(Causality::Input) && is_open
    }
}

/// A size of an array, in the scope of its declaration.
#[derive(Clone, Debug)]
pub struct Size {
    /// The size.
    pub subscript: Subscript,
    /// The scope in which its names are looked up.
    pub scope: Scope,
}

/// The type of a variable.
#[derive(Clone, Debug)]
pub enum Type {
    /// `Real`.
    Real,
    /// `Integer`.
    Integer,
    /// `Boolean`.
    Boolean,
    /// `String`.
    Text,
    /// An enumeration.
    Enumeration(Rc<ClassNode>),
    /// An object of another language.
    Object,
}

/// Where a text stands: the instance to which it belongs, the class in which it is written, and the
/// variables of loops and functions.
#[derive(Clone)]
pub struct Scope {
    /// The instance; none for the text of a function.
    pub instance: Option<Rc<Instance>>,
    /// The class.
    pub class: Rc<ClassNode>,
    /// The variables of loops and functions.
    pub frame: Option<Rc<Frame>>,
}

impl std::fmt::Debug for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.class.path)
    }
}

/// Variables of a loop or of a function.
#[derive(Debug, Default)]
pub struct Frame {
    /// Their values.
    pub values: RefCell<HashMap<Rc<str>, Value>>,
    /// Those outside the loop.
    pub outer: Option<Rc<Frame>>,
    /// Whether they are what an algorithm has assigned to variables of the class so far.
    pub is_of_algorithm: bool,
}

impl Frame {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<Value> {
        let own = self.values.borrow().get(name).cloned();
        own.or_else(|| self.outer.as_ref().and_then(|outer| outer.get(name)))
    }

    /// The values in the frames of a scope, the innermost frame first.
    pub fn contents(scope: &Scope) -> Vec<HashMap<Rc<str>, Value>> {
        let frames = std::iter::successors(scope.frame.as_ref(), |frame| frame.outer.as_ref());
        frames.map(|frame| frame.values.borrow().clone()).collect()
    }

    /// Gives the frames of a scope other values.
    pub fn restore(scope: &Scope, contents: Vec<HashMap<Rc<str>, Value>>) {
        let frames = std::iter::successors(scope.frame.as_ref(), |frame| frame.outer.as_ref());
        for (frame, values) in frames.zip(contents) {
            *frame.values.borrow_mut() = values;
        }
    }
}

impl Scope {
    /// The same with a variable of a loop.
    pub fn with(&self, name: &Rc<str>, value: Value) -> Scope {
        let values = RefCell::new(HashMap::from([(Rc::clone(name), value)]));
        let frame = Frame { values, outer: self.frame.clone(), is_of_algorithm: false };
        Scope { frame: Some(Rc::new(frame)), ..self.clone() }
    }

    /// The same without what an algorithm has assigned: names of variables are the variables.
    pub fn without_assignments(&self) -> Scope {
        fn kept(frame: &Rc<Frame>) -> Option<Rc<Frame>> {
            let outer = frame.outer.as_ref().and_then(kept);
            if frame.is_of_algorithm {
                return outer;
            }
            Some(Rc::new(Frame { values: frame.values.clone(), outer, is_of_algorithm: false }))
        }
        Scope { frame: self.frame.as_ref().and_then(kept), ..self.clone() }
    }

    /// The same in the text of another class.
    fn in_text_of(&self, class: &Rc<ClassNode>) -> Scope {
        Scope { class: Rc::clone(class), instance: self.instance.clone(), frame: None }
    }
}

/// What a class is for its instances.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A type of variables.
    Type(Type),
    /// Everything else.
    Composite,
}

/// Where the sizes and the conditions of components come from.
pub trait Sizes {
    /// The sizes of an array of components.
    ///
    /// # Errors
    /// They are not known.
    fn sizes(&self, member: &Member) -> Checked<Vec<usize>>;

    /// Counts components that are made.
    ///
    /// # Errors
    /// The model has too many.
    fn count(&self, member: &Member, count: usize) -> Checked<()>;

    /// Whether the condition of a component holds.
    ///
    /// # Errors
    /// It is not known.
    fn is_present(&self, member: &Member) -> Checked<bool>;

    /// The instance that an `outer` component is.
    ///
    /// # Errors
    /// There is none.
    fn outer(&self, member: &Rc<Member>, instance: &Rc<Instance>) -> Checked<Content>;
}

impl Instance {
    /// An instance whose elements are not made yet.
    pub fn new(
        name: String,
        class: &Rc<ClassNode>,
        modifier: Modifier,
        parent: Option<&Rc<Instance>>,
    ) -> Rc<Instance> {
        let (class, parent) = (Rc::clone(class), parent.cloned());
        Rc::new(Instance { name, class, modifier, parent, members: OnceCell::new() })
    }

    /// How many instances are around it.
    pub fn depth(&self) -> usize {
        self.parent.as_ref().map_or(0, |parent| parent.depth() + 1)
    }

    /// The full name of an element.
    pub fn full(&self, local: &str) -> String {
        if self.name.is_empty() { local.to_owned() } else { format!("{}.{local}", self.name) }
    }

    /// Its elements.
    ///
    /// # Errors
    /// A class is not found, or a modifier is wrong.
    pub fn members(self: &Rc<Self>, library: &Library) -> Checked<&Members> {
        if let Some(known) = self.members.get() {
            return Ok(known);
        }
        let mut members = Members::default();
        let mut rest = self.modifier.clone().with_present_names(library, &self.class);
        rest.value = None;
        let collector = Collector { library, instance: self };
        collector.collect(&self.class, rest.clone(), &mut members, 0)?;
        collector.check(&rest, &members)?;
        if let Some(idle) = members.list.iter().find(|of| of.redeclares && !of.has_replaced) {
            let (name, class) = (&idle.declaration.name, &idle.scope.class.path);
            let sentence = format!("{} of {class} redeclares no inherited element", name.text);
            return Err(Complaint::at(&name.span, sentence));
        }
        let is_protected =
            |name: &Rc<str>| members.get(name).is_some_and(|member| member.protected);
        if let Some((name, of)) = rest.elements.iter().find(|(name, _)| is_protected(name)) {
            let sentence = protected(name, &self.class);
            return Err(Complaint { span: of.span.clone(), sentence });
        }
        Ok(self.members.get_or_init(|| members))
    }

    /// Refuses the name of an element that only the text of the class may use.
    ///
    /// # Errors
    /// The element is protected.
    pub fn check_access(self: &Rc<Self>, library: &Library, name: &Word) -> Checked<()> {
        match self.members(library)?.get(&name.text) {
            Some(member) if member.protected => {
                Err(Complaint::at(&name.span, protected(&name.text, &self.class)))
            }
            _ => Ok(()),
        }
    }

    /// The class that a name in the text of a class refers to, with redeclared classes in place of
    /// replaceable ones.
    ///
    /// # Errors
    /// It is not found.
    pub fn resolve(
        &self,
        library: &Library,
        scope: &Rc<ClassNode>,
        name: &crate::syntax::Name,
    ) -> Checked<Rc<ClassNode>> {
        if let (false, Some(first)) = (name.from_root, name.parts.first())
            && let Some(redeclared) = self.redeclared_class(library, &first.text)?
        {
            return library.inside(redeclared, &name.parts[1..]);
        }
        library.resolve(scope, name)
    }

    /// What a class that stands for its base says about the elements of its instances, and what
    /// every class with its name says.
    ///
    /// # Errors
    /// It says something twice, or a class is not found.
    pub fn said_by(&self, library: &Library, class: &Rc<ClassNode>) -> Checked<Modifier> {
        let modification = match &class.syntax.body {
            Body::Short { modification, .. } => &modification[..],
            _ => &[],
        };
        let around = || std::iter::successors(self.parent.as_ref(), |at| at.parent.as_ref());
        let mut locals =
            around().filter_map(|at| at.members.get()).flat_map(|of| of.classes.values());
        if let Some(local) = locals.find(|local| Rc::ptr_eq(&local.class, class)) {
            let own = Modifier::of(modification, &local.scope)?;
            return self.split(library, class, own)?.over(local.constraint.clone());
        }
        if modification.is_empty() {
            return Ok(Modifier::default());
        }
        // Its modification belongs to the instance in whose class it is declared.
        let outside = class.parent().unwrap_or_else(|| Rc::clone(class));
        let mut instance = None;
        for at in around() {
            if library.inherits(&at.class, &outside, 0)? {
                instance = Some(Rc::clone(at));
                break;
            }
        }
        let scope = Scope { instance, class: outside, frame: None };
        self.split(library, class, Modifier::of(modification, &scope)?)
    }

    /// The part of what a class says that belongs to this element of an array, if the class is that
    /// of an array.
    fn split(&self, library: &Library, class: &Rc<ClassNode>, said: Modifier) -> Checked<Modifier> {
        let mut sizes = Vec::new();
        sizes_of_type(library, class, &mut sizes)?;
        let indices = &self.modifier.indices;
        let own = &indices[indices.len().saturating_sub(sizes.len())..];
        let mut said = own.iter().fold(said, |said, index| said.at(*index));
        said.indices.clear();
        Ok(said)
    }

    /// The class that redeclares a replaceable class of this name.
    fn redeclared_class(&self, library: &Library, name: &str) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(known) = self.members.get().and_then(|known| known.classes.get(name)) {
            return Ok(Some(Rc::clone(&known.class)));
        }
        match self.modifier.elements.get(name).and_then(|of| of.redeclared.as_ref()) {
            Some(Redeclared::Class(syntax, scope)) => {
                Ok(Some(library.local(&scope.class, Rc::clone(syntax))))
            }
            _ => Ok(None),
        }
    }
}

/// Why a text outside of a class cannot use an element.
fn protected(name: &str, class: &ClassNode) -> String {
    format!("{name} is protected in {}: no other text may name or modify it", class.path)
}

impl Member {
    /// What it is.
    ///
    /// # Errors
    /// Sizes or conditions are not known, or depend on themselves.
    pub fn content(
        self: &Rc<Self>,
        instance: &Rc<Instance>,
        library: &Library,
        sizes: &dyn Sizes,
    ) -> Checked<Content> {
        if let Some(known) = self.content.get() {
            return Ok(known.clone());
        }
        let name = &self.declaration.name;
        if self.in_progress.replace(true) {
            let sentence = format!("{} depends on itself", instance.full(&name.text));
            return Err(Complaint::at(&name.span, sentence));
        }
        let made = self.make(instance, library, sizes);
        self.in_progress.set(false);
        let made = made?;
        Ok(self.content.get_or_init(|| made).clone())
    }

    fn make(
        self: &Rc<Self>,
        instance: &Rc<Instance>,
        library: &Library,
        sizes: &dyn Sizes,
    ) -> Checked<Content> {
        if self.outer && !self.inner {
            if self.modifier.value.is_some() || !self.modifier.elements.is_empty() {
                let name = &self.declaration.name;
                let sentence = format!(
                    "{0} is outer, so nothing can modify it here: it is the inner {0} of a component \
                     around",
                    name.text
                );
                return Err(Complaint::at(
                    self.modifier.span.as_ref().unwrap_or(&name.span),
                    sentence,
                ));
            }
            return sizes.outer(self, instance);
        }
        if self.condition.is_some() && !sizes.is_present(self)? {
            return Ok(Content::Absent);
        }
        let full = instance.full(&self.declaration.name.text);
        if let Kind::Type(kind) = kind_of(library, &self.class)? {
            check_attributes(&self.modifier)?;
            let modifier = self.modifier.clone().over(attributes(library, &self.class)?)?;
            return Ok(Content::Variable(Rc::new(Variable {
                name: full,
                kind,
                causality: self.declaration.causality.or(causality_of(library, &self.class)?),
                variability: self.declaration.variability,
                modifier,
                sizes: self.sizes(library)?,
                description: self.declaration.description.clone(),
                span: self.declaration.name.span.clone(),
                declared_in: Rc::clone(&self.scope.class),
                is_final: self.is_final || self.protected,
                value: OnceCell::new(),
                in_progress: Cell::new(false),
            })));
        }
        if let Some(binding) = &self.modifier.value
            && !is_of(library, &self.class, ClassKind::Record)?
        {
            let sentence =
                format!("{full} is a component: it has no value, only its variables have");
            return Err(Complaint::at(&binding.expression.span, sentence));
        }
        if instance.depth() > 60 {
            let sentence = format!("{} contains itself", self.class.path);
            return Err(Complaint::at(&self.declaration.name.span, sentence));
        }
        let is_array = !self.sizes(library)?.is_empty();
        let dimensions = if is_array { sizes.sizes(self)? } else { Vec::new() };
        sizes.count(self, dimensions.iter().product())?;
        Ok(self.array(&full, &dimensions, &self.modifier, instance))
    }

    /// The sizes of its declaration and of its type.
    pub fn sizes(&self, library: &Library) -> Checked<Vec<Size>> {
        let mut sizes = self.own_sizes.clone();
        sizes_of_type(library, &self.class, &mut sizes)?;
        Ok(sizes)
    }

    fn array(
        &self,
        name: &str,
        sizes: &[usize],
        modifier: &Modifier,
        parent: &Rc<Instance>,
    ) -> Content {
        match sizes {
            [] => Content::Instance(Instance::new(
                name.to_owned(),
                &self.class,
                modifier.clone(),
                Some(parent),
            )),
            [first, rest @ ..] => {
                let element = |k: usize| {
                    let index = k + 1;
                    let name = match name.strip_suffix(']') {
                        // A second index joins the first one.
                        Some(open) => format!("{open},{index}]"),
                        None => format!("{name}[{index}]"),
                    };
                    let modifier = modifier.at(Index { at: index, of: *first });
                    self.array(&name, rest, &modifier, parent)
                };
                Content::Array(Rc::new((0..*first).map(element).collect()))
            }
        }
    }
}
