//! What a class is for its instances: a type of variables with attributes and sizes, or more.

use super::{Kind, Scope, Size, Type};
use crate::library::{ClassNode, Library};
use crate::modifier::Modifier;
use crate::names::is_it;
use crate::source::{Checked, Complaint};
use crate::syntax::{Body, Causality, ClassKind};
use crate::value::{Value, is_same_enumeration};
use equations::Ex;
use std::rc::Rc;

impl Type {
    /// The type of a scalar; `None` if no variable has it.
    pub fn of(scalar: &Value) -> Option<Type> {
        Some(match scalar {
            Value::Real(_) => Type::Real,
            Value::Integer(_) | Value::Whole(_) => Type::Integer,
            Value::Boolean(_) => Type::Boolean,
            Value::Text(_) => Type::Text,
            Value::Literal { of, .. } | Value::Choice { of, .. } => {
                Type::Enumeration(Rc::clone(of))
            }
            // An object of another language is a record here.
            Value::Record(_) => Type::Object,
            Value::Array(_) | Value::Function(..) => return None,
        })
    }

    /// Whether a variable of this type may have values of another type: whole numbers become real
    /// ones, and nothing else is converted.
    pub fn takes(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Real, Type::Real | Type::Integer)
            | (Type::Integer, Type::Integer)
            | (Type::Boolean, Type::Boolean)
            | (Type::Text, Type::Text)
            | (Type::Object, Type::Object) => true,
            (Type::Enumeration(a), Type::Enumeration(b)) => is_same_enumeration(a, b),
            _ => false,
        }
    }

    /// The type of both sides of an equation; `None` if they do not fit.
    pub fn common(self, other: Type) -> Option<Type> {
        match self.takes(&other) {
            true => Some(self),
            false => other.takes(&self).then_some(other),
        }
    }

    /// The first scalar of a value that a variable of this type cannot have.
    pub fn misfit(&self, value: &Value) -> Option<Value> {
        let fits = |scalar: &Value| Type::of(scalar).is_some_and(|of| self.takes(&of));
        value.scalars().into_iter().find(|scalar| !fits(scalar))
    }

    /// The value of this type that a number represents.
    pub fn value(&self, number: Ex) -> Value {
        match self {
            Type::Boolean => Value::Boolean(number.is_true()),
            Type::Integer => Value::Whole(number),
            Type::Enumeration(of) => Value::Choice { of: Rc::clone(of), number },
            Type::Real | Type::Text | Type::Object => Value::Real(number),
        }
    }

    /// A value that a variable of this type may have before something else is assigned.
    pub fn initial(&self) -> Value {
        match self {
            Type::Real => Value::from(0.0),
            Type::Integer => Value::Integer(0),
            Type::Boolean => Value::from(false),
            Type::Text => Value::Text("".into()),
            Type::Enumeration(of) => Value::Choice { of: Rc::clone(of), number: Ex::one() },
            Type::Object => Value::Record(Rc::default()),
        }
    }

    /// What a variable of this type is, in words.
    pub fn name(&self) -> String {
        match self {
            Type::Real => "a Real".to_owned(),
            Type::Integer => "an Integer".to_owned(),
            Type::Boolean => "a Boolean".to_owned(),
            Type::Text => "a String".to_owned(),
            Type::Enumeration(class) => format!("a value of {}", class.path),
            Type::Object => "an object of another language".to_owned(),
        }
    }
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
            "ExternalObject" => Type::Object,
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
    check_attributes(&own)?;
    let mut whole = own;
    for base in library.bases(class)? {
        if let Some(clause) = &base.clause {
            let scope = scope.in_text_of(class);
            let own = Modifier::of(&clause.modification, &scope)?;
            check_attributes(&own)?;
            whole = whole.over(own)?;
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
            let sentence = format!("a variable has no attribute {name}{}", is_it(name, ATTRIBUTES));
            Err(Complaint { span: of.span.clone(), sentence })
        }
    }
}

/// The sizes of a type that is an array, such as `type Axis = Real[3]`.
pub(super) fn sizes_of_type(
    library: &Library,
    class: &Rc<ClassNode>,
    sizes: &mut Vec<Size>,
) -> Checked<()> {
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
pub(super) fn causality_of(library: &Library, class: &Rc<ClassNode>) -> Checked<Option<Causality>> {
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
