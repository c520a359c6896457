//! Instances of classes: their elements with all modifiers, made when they are asked for.

use crate::library::{ClassNode, Library};
use crate::modifier::{Modifier, Redeclared};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{
    Body, Causality, ClassKind, Component, Composition, ElementKind, Subscript, Variability,
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
    /// Redeclared classes.
    classes: HashMap<Rc<str>, Rc<ClassNode>>,
}

impl Members {
    /// The component of this name.
    pub fn get(&self, name: &str) -> Option<&Rc<Member>> {
        self.by_name.get(name).map(|at| &self.list[*at])
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
    /// The scope of its declaration.
    pub scope: Scope,
    /// All that texts say about it.
    pub modifier: Modifier,
    /// Its class.
    pub class: Rc<ClassNode>,
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
        let frame = Frame { values, outer: self.frame.clone() };
        Scope { frame: Some(Rc::new(frame)), ..self.clone() }
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

/// What a class is for its instances.
///
/// # Errors
/// An inherited class is not found.
pub fn kind_of(library: &Library, class: &Rc<ClassNode>) -> Checked<Kind> {
    if class.predefined {
        let of = match &**class.name() {
            "Real" => Type::Real,
            "Integer" => Type::Integer,
            "Boolean" => Type::Boolean,
            "String" => Type::Text,
            _ => Type::Enumeration(Rc::clone(class)),
        };
        return Ok(Kind::Type(of));
    }
    if let Body::Enumeration(_) = &class.syntax.body {
        return Ok(Kind::Type(Type::Enumeration(Rc::clone(class))));
    }
    for base in library.bases(class)? {
        if let of @ Kind::Type(_) = kind_of(library, &base.class)? {
            return Ok(of);
        }
    }
    Ok(Kind::Composite)
}

/// Whether a class is of a kind, also through `extends`.
///
/// # Errors
/// An inherited class is not found.
pub fn is_of(library: &Library, class: &Rc<ClassNode>, kind: ClassKind) -> Checked<bool> {
    if class.syntax.kind == kind {
        return Ok(true);
    }
    match &class.syntax.body {
        Body::Short { .. } => {
            let bases = library.bases(class)?;
            bases.first().map_or(Ok(false), |base| is_of(library, &base.class, kind))
        }
        _ => Ok(false),
    }
}

/// What a class and its inherited classes say about the attributes of variables of this type.
///
/// # Errors
/// An inherited class is not found.
pub fn attributes(library: &Library, class: &Rc<ClassNode>) -> Checked<Modifier> {
    let parent = class.parent().unwrap_or_else(|| Rc::clone(class));
    let scope = Scope { instance: None, class: parent, frame: None };
    let own = match &class.syntax.body {
        Body::Short { modification, .. } => Modifier::of(modification, &scope)?,
        _ => Modifier::default(),
    };
    let mut whole = own;
    for base in library.bases(class)? {
        if let Some(clause) = &base.clause {
            let scope = scope.in_text_of(class);
            whole = whole.over(Modifier::of(&clause.modification, &scope)?)?;
        }
        whole = whole.over(attributes(library, &base.class)?)?;
    }
    // What a type says is a default here: a component may say something else.
    unlock(&mut whole);
    Ok(whole)
}

fn unlock(modifier: &mut Modifier) {
    modifier.is_final = false;
    modifier.elements.values_mut().for_each(unlock);
}

/// Where the sizes and the conditions of components come from.
pub trait Sizes {
    /// The sizes of an array of components.
    ///
    /// # Errors
    /// They are not known.
    fn sizes(&self, member: &Member) -> Checked<Vec<usize>>;

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
        let mut rest = self.modifier.clone();
        rest.value = None;
        let collector = Collector { library, instance: self };
        collector.collect(&self.class, rest.clone(), &mut members, 0)?;
        collector.check(&rest, &members)?;
        Ok(self.members.get_or_init(|| members))
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
            let mut class = redeclared;
            for part in &name.parts[1..] {
                let next = library.member(&class, &part.text, 0)?;
                class = next.ok_or_else(|| {
                    let sentence = format!("there is no class {} in {}", part.text, class.path);
                    Complaint::at(&part.span, sentence)
                })?;
            }
            return Ok(class);
        }
        library.resolve(scope, name)
    }

    /// The class that redeclares a replaceable class of this name.
    fn redeclared_class(&self, library: &Library, name: &str) -> Checked<Option<Rc<ClassNode>>> {
        if let Some(known) = self.members.get().and_then(|known| known.classes.get(name)) {
            return Ok(Some(Rc::clone(known)));
        }
        match self.modifier.elements.get(name).and_then(|of| of.redeclared.as_ref()) {
            Some(Redeclared::Class(syntax, scope)) => {
                Ok(Some(library.local(scope, Rc::clone(syntax))))
            }
            _ => Ok(None),
        }
    }
}

/// Collects the elements of an instance from its class and the inherited ones.
struct Collector<'i> {
    library: &'i Library,
    instance: &'i Rc<Instance>,
}

impl Collector<'_> {
    fn collect(
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
        element: &crate::syntax::Element,
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
        name: &crate::syntax::Name,
    ) -> Checked<Rc<ClassNode>> {
        let first = name.parts.first().filter(|_| !name.from_root);
        if let Some(class) = first.and_then(|first| members.classes.get(&first.text)) {
            return name.parts[1..].iter().try_fold(Rc::clone(class), |class, part| {
                self.library.member(&class, &part.text, 0)?.ok_or_else(|| {
                    let sentence = format!("there is no class {} in {}", part.text, class.path);
                    Complaint::at(&part.span, sentence)
                })
            });
        }
        self.library.resolve(scope, name)
    }

    /// Modifiers that name nothing are errors.
    fn check(&self, modifier: &Modifier, members: &Members) -> Checked<()> {
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
            flow: self.flow,
            variability: self.variability,
            causality: self.causality,
            of: self.of.clone(),
            subscripts: self.subscripts.clone(),
            name: self.name.clone(),
            modification: crate::syntax::Modification::default(),
            condition: self.condition.clone(),
            description: self.description.clone(),
            annotation: self.annotation.clone(),
        }
    }
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
            return sizes.outer(self, instance);
        }
        if self.declaration.condition.is_some() && !sizes.is_present(self)? {
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
        if instance.depth() > 60 {
            let sentence = format!("{} contains itself", self.class.path);
            return Err(Complaint::at(&self.declaration.name.span, sentence));
        }
        let is_array = !self.sizes(library)?.is_empty();
        let dimensions = if is_array { sizes.sizes(self)? } else { Vec::new() };
        Ok(self.array(&full, &dimensions, &self.modifier, instance))
    }

    /// The sizes of its declaration and of its type.
    pub fn sizes(&self, library: &Library) -> Checked<Vec<Size>> {
        let own = self.declaration.subscripts.iter().cloned();
        let size = |subscript| Size { subscript, scope: self.scope.clone() };
        let mut sizes: Vec<Size> = own.map(size).collect();
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
                    let index = i64::try_from(k + 1).unwrap_or(i64::MAX);
                    let name = match name.strip_suffix(']') {
                        // A second index joins the first one.
                        Some(open) if rest.len() < self.declaration.subscripts.len() - 1 => {
                            format!("{open},{index}]")
                        }
                        _ => format!("{name}[{index}]"),
                    };
                    self.array(&name, rest, &modifier.at(index), parent)
                };
                Content::Array(Rc::new((0..*first).map(element).collect()))
            }
        }
    }
}

/// The attributes of the predefined types.
pub const ATTRIBUTES: [&str; 10] = [
    "start",
    "fixed",
    "unit",
    "displayUnit",
    "min",
    "max",
    "nominal",
    "quantity",
    "stateSelect",
    "unbounded",
];

/// Refuses attributes that no predefined type has.
///
/// # Errors
/// There is one.
pub fn check_attributes(modifier: &Modifier) -> Checked<()> {
    let unknown = modifier.elements.iter().find(|(name, _)| !ATTRIBUTES.contains(&&***name));
    match unknown {
        None => Ok(()),
        Some((name, of)) => {
            let sentence = format!("a variable has no attribute {name}");
            Err(Complaint { span: of.span.clone(), sentence })
        }
    }
}

/// The sizes of a type that is an array, such as `type Axis = Real[3]`.
fn sizes_of_type(library: &Library, class: &Rc<ClassNode>, sizes: &mut Vec<Size>) -> Checked<()> {
    if class.predefined {
        return Ok(());
    }
    if let Body::Short { subscripts, .. } = &class.syntax.body {
        let outside = class.parent().unwrap_or_else(|| Rc::clone(class));
        let scope = Scope { instance: None, class: outside, frame: None };
        let size = |subscript| Size { subscript, scope: scope.clone() };
        sizes.extend(subscripts.iter().cloned().map(size));
    }
    match library.bases(class)?.first() {
        Some(base) => sizes_of_type(library, &base.class, sizes),
        None => Ok(()),
    }
}

/// `input` or `output`, as a type such as `RealInput` says it.
fn causality_of(library: &Library, class: &Rc<ClassNode>) -> Checked<Option<Causality>> {
    if let Body::Short { causality: Some(causality), .. } = &class.syntax.body {
        return Ok(Some(*causality));
    }
    for base in library.bases(class)? {
        if let Some(causality) = causality_of(library, &base.class)? {
            return Ok(Some(causality));
        }
    }
    Ok(None)
}
