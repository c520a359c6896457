//! The values of references: variables of loops and functions, parameters, constants, literals of
//! enumerations, and classes.

use super::Evaluator;
use crate::instance::{Content, Frame, Instance, Member, Scope, Variable, is_of};
use crate::library::ClassNode;
use crate::modifier::Modifier;
use crate::names::is_it;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Body, ClassKind, Name, Part, Reference, Subscript, Variability, Word};
use crate::value::{Misfit, Value, array_of, chosen};
use equations::{Bool, Ex};
use std::collections::HashMap;
use std::rc::Rc;

impl Evaluator<'_> {
    pub(super) fn reference(&self, reference: &Reference, scope: &Scope) -> Checked<Value> {
        let Some((first, rest)) = reference.parts.split_first() else {
            return Err(Complaint::at(&reference.span, "a name is missing"));
        };
        if !reference.from_root {
            if let Some(value) = scope.frame.as_ref().and_then(|frame| frame.get(&first.name.text))
            {
                let value = self.element(&value, &first.subscripts, scope, &reference.span)?;
                return self.fields(value, rest, scope, &reference.span);
            }
            if let Some(instance) = &scope.instance
                && instance.members(self.library)?.get(&first.name.text).is_some()
            {
                return self.member(instance, &reference.parts, scope, &reference.span);
            }
            if &*first.name.text == "time" {
                return self.time(scope, &reference.span);
            }
        }
        self.constant(reference, scope)
    }

    /// Whether a name begins with that of a variable or of a component.
    pub(super) fn is_value(&self, reference: &Reference, scope: &Scope) -> Checked<bool> {
        let Some(first) = reference.parts.first().filter(|_| !reference.from_root) else {
            return Ok(false);
        };
        let name = &first.name.text;
        let in_frame = scope.frame.as_ref().and_then(|frame| frame.get(name)).is_some();
        Ok(in_frame
            || match &scope.instance {
                Some(instance) => instance.members(self.library)?.get(name).is_some(),
                None => false,
            })
    }

    fn time(&self, scope: &Scope, span: &Span) -> Checked<Value> {
        let unknowns = self.unknowns();
        let unknowns = unknowns.map(|unknowns| unknowns.call(self, ("time", &[]), scope, span));
        match unknowns.transpose()?.flatten() {
            Some(time) => Ok(time),
            None => Err(Complaint::at(span, "`time` is not known when the model is built")),
        }
    }

    /// A constant of a class, or a literal of an enumeration.
    fn constant(&self, reference: &Reference, scope: &Scope) -> Checked<Value> {
        let (parts, span) = (&reference.parts, &reference.span);
        let first = &parts[0].name;
        let in_place = |complaint: Complaint| Complaint {
            span: complaint.span.or_else(|| Some(span.clone())),
            ..complaint
        };
        // A constant of an enclosing class, or one that the class imports.
        let mut outside = if reference.from_root { None } else { Some(Rc::clone(&scope.class)) };
        while let Some(class) = outside {
            let package = self.package(&class);
            if package.members(self.library)?.get(&first.text).is_some() {
                return self.constant_member(&package, parts, scope, span);
            }
            if self.library.member(&class, &first.text, 0).map_err(in_place)?.is_some() {
                break;
            }
            if let Some(path) = self.library.import_of(&class, &first.text)
                && self.library.find(&path.to_string()).is_err()
            {
                return self.imported_constant(&path, parts, scope, span);
            }
            for path in self.library.imported_packages(&class) {
                let package = self.package(&self.library.find(&path.to_string())?);
                if package.members(self.library)?.get(&first.text).is_some() {
                    return self.constant_member(&package, parts, scope, span);
                }
            }
            outside = if class.syntax.encapsulated { None } else { class.parent() };
        }
        self.constant_of_class(reference, scope)
    }

    /// A constant by the name of its class.
    fn constant_of_class(&self, reference: &Reference, scope: &Scope) -> Checked<Value> {
        let (parts, span) = (&reference.parts, &reference.span);
        let first = &parts[0].name;
        let words = vec![first.clone()];
        let name = Name { from_root: reference.from_root, parts: words, span: first.span.clone() };
        let mut class = self.class(&name, scope).map_err(|_| self.nothing(first, scope))?;
        for (k, part) in parts.iter().enumerate().skip(1) {
            if let Some(inner) = self.library.named(&class, &part.name.text, 0)? {
                class = inner;
                continue;
            }
            if let Some(literal) = self.literal_of(&class, &part.name.text)? {
                return self.fields(literal, &parts[k + 1..], scope, span);
            }
            let package = self.package(&class);
            if package.members(self.library)?.get(&part.name.text).is_some() {
                package.check_access(self.library, &part.name)?;
                return self.constant_member(&package, &parts[k..], scope, span);
            }
            return Err(self.no_element(&package, &part.name));
        }
        if is_of(self.library, &class, ClassKind::Function)? {
            return Ok(Value::Function(class, Rc::default()));
        }
        Err(Complaint::at(span, format!("{} is a class, not a value", span.text())))
    }

    /// The error that nothing around a text has a name.
    fn nothing(&self, name: &Word, scope: &Scope) -> Complaint {
        let mut known = self.library.visible(&scope.class);
        known.extend(Frame::contents(scope).into_iter().flat_map(HashMap::into_keys));
        if let Some(members) = scope.instance.as_ref().map(|of| of.members(self.library)) {
            known.extend(members.iter().flat_map(|members| members.names()));
        }
        let hint = is_it(&name.text, known);
        let sentence = format!("there is nothing with the name {}{hint}", name.text);
        Complaint::at(&name.span, sentence)
    }

    /// The error that a class has neither a class, nor a constant, nor a literal of a name.
    fn no_element(&self, package: &Rc<Instance>, name: &Word) -> Complaint {
        let class = &package.class;
        let mut known = self.library.names_in(class);
        if let Ok(members) = package.members(self.library) {
            known.extend(members.names());
        }
        if let Ok(class) = self.enumeration(class)
            && let Body::Enumeration(literals) = &class.syntax.body
        {
            known.extend(literals.iter().map(|(literal, _)| Rc::clone(&literal.text)));
        }
        let hint = is_it(&name.text, known);
        let sentence = format!("{} has no element {}{hint}", class.path, name.text);
        Complaint::at(&name.span, sentence)
    }

    /// A constant of a class; other elements have values in instances only.
    fn constant_member(
        &self,
        package: &Rc<Instance>,
        parts: &[Part],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let (members, first) = (package.members(self.library)?, &parts[0].name);
        let is_constant = |of: &Rc<Member>| of.declaration.variability == Variability::Constant;
        if members.get(&first.text).is_some_and(is_constant) {
            return self.member(package, parts, scope, span);
        }
        let sentence = format!(
            "{} is no constant of {}, so it has no value here",
            first.text, package.class.path
        );
        Err(Complaint::at(&first.span, sentence))
    }

    /// `pi`, of a class that contains `import Modelica.Constants.pi;`.
    fn imported_constant(
        &self,
        path: &Name,
        parts: &[Part],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let plain = |word: &Word| Part { name: word.clone(), subscripts: Vec::new() };
        let mut whole: Vec<Part> = path.parts.iter().map(plain).collect();
        if let (Some(last), Some(first)) = (whole.last_mut(), parts.first()) {
            last.subscripts.clone_from(&first.subscripts);
        }
        whole.extend_from_slice(&parts[1..]);
        self.constant(&Reference { from_root: true, parts: whole, span: span.clone() }, scope)
    }

    /// A class as an instance, for its constants.
    fn package(&self, class: &Rc<ClassNode>) -> Rc<Instance> {
        let mut packages = self.packages.borrow_mut();
        let make = || Instance::new(class.path.to_string(), class, Modifier::default(), None);
        Rc::clone(packages.entry(Rc::clone(&class.path)).or_insert_with(make))
    }

    /// The class that a name refers to in a scope.
    pub(crate) fn class(&self, name: &Name, scope: &Scope) -> Checked<Rc<ClassNode>> {
        match &scope.instance {
            Some(instance) => instance.resolve(self.library, &scope.class, name),
            None => self.library.resolve(&scope.class, name),
        }
    }

    /// The value of a literal of an enumeration.
    fn literal_of(&self, class: &Rc<ClassNode>, name: &str) -> Checked<Option<Value>> {
        let class = self.enumeration(class)?;
        let Body::Enumeration(literals) = &class.syntax.body else { return Ok(None) };
        let at = literals.iter().position(|(literal, _)| &*literal.text == name);
        Ok(at.map(|at| Value::Literal {
            name: Rc::clone(&literals[at].0.text),
            number: i64::try_from(at + 1).unwrap_or(i64::MAX),
            of: Rc::clone(&class),
        }))
    }

    /// The class itself, or the one for which a short class stands.
    fn enumeration(&self, class: &Rc<ClassNode>) -> Checked<Rc<ClassNode>> {
        let mut class = Rc::clone(class);
        while let Body::Short { .. } = &class.syntax.body {
            match self.library.bases(&class)?.first() {
                Some(base) => class = Rc::clone(&base.class),
                None => break,
            }
        }
        Ok(class)
    }

    /// The value of an element of an instance.
    pub(crate) fn member(
        &self,
        instance: &Rc<Instance>,
        parts: &[Part],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let (first, rest) = parts.split_first().ok_or_else(|| Complaint::at(span, "no name"))?;
        let members = instance.members(self.library)?;
        let Some(member) = members.get(&first.name.text) else {
            let sentence = members.lack(&instance.class, &first.name.text);
            return Err(Complaint::at(&first.name.span, sentence));
        };
        let content = self.content(instance, member)?;
        self.content_value((instance, &content), first, rest, scope, span)
    }

    fn content_value(
        &self,
        (instance, content): (&Rc<Instance>, &Content),
        first: &Part,
        rest: &[Part],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        match content {
            Content::Absent => {
                let sentence =
                    format!("{} does not exist: its condition is false", first.name.text);
                Err(Complaint::at(span, sentence))
            }
            Content::Variable(variable) => {
                let is_known =
                    matches!(variable.variability, Variability::Constant | Variability::Parameter);
                let is_known = is_known
                    || variable.modifier.value.is_some()
                        && is_of(self.library, &instance.class, ClassKind::Record)?;
                let value = match self.unknowns() {
                    Some(unknowns)
                        if is_known
                            && (unknowns.is_determined(&variable.name)
                                || self.follows_unknown(variable)?) =>
                    {
                        unknowns.value(variable, (&[], &self.sizes_of(variable)?), span)?
                    }
                    _ if is_known => self.variable(instance, variable)?,
                    Some(unknowns) => {
                        let sizes = self.sizes_of(variable)?;
                        let indices =
                            self.leading_indices(&sizes, &first.subscripts, scope, span)?;
                        let others = &first.subscripts[indices.len()..];
                        let element = (&indices[..], &sizes[indices.len()..]);
                        self.count_steps(element.1.iter().product::<usize>() as u64, span)?;
                        let value = unknowns.value(variable, element, span)?;
                        let value = self.element(&value, others, scope, span)?;
                        return self.fields(value, rest, scope, span);
                    }
                    // A variable of a record.
                    None if variable.modifier.value.is_some() => {
                        self.variable(instance, variable)?
                    }
                    None => {
                        let name = &variable.name;
                        let sentence = format!("{name} is not known when the model is built");
                        return Err(Complaint::at(span, sentence));
                    }
                };
                let value = self.element(&value, &first.subscripts, scope, span)?;
                self.fields(value, rest, scope, span)
            }
            Content::Instance(inner) => match (self.given_record(inner, rest)?, rest) {
                (Some(value), _) => self.fields(value, rest, scope, span),
                (None, []) => self.record(inner, scope, span),
                (None, [next, ..]) => {
                    inner.check_access(self.library, &next.name)?;
                    self.member(inner, rest, scope, span)
                }
            },
            Content::Array(elements) => {
                let in_place = |why| Complaint::at(span, why);
                let Some((subscript, others)) = first.subscripts.split_first() else {
                    let all = elements.iter().map(|element| {
                        self.content_value((instance, element), first, rest, scope, span)
                    });
                    return array_of(all.collect::<Checked<_>>()?).map_err(in_place);
                };
                let inner = Part { name: first.name.clone(), subscripts: others.to_vec() };
                let at = |k: usize| {
                    let element = (instance, &elements[k]);
                    self.content_value(element, &inner, rest, scope, span)
                };
                match self.chosen_indices(subscript, elements.len(), scope, span)? {
                    Chosen::One(k) => at(k),
                    Chosen::Varying(index) => {
                        let all = (0..elements.len()).map(at).collect::<Checked<Vec<_>>>()?;
                        varying(index, &all).map_err(in_place)
                    }
                    Chosen::Several(several) => {
                        array_of(several.into_iter().map(at).collect::<Checked<_>>()?)
                            .map_err(in_place)
                    }
                }
            }
        }
    }

    /// The positions that the first subscripts mean, as long as each means one.
    fn leading_indices(
        &self,
        sizes: &[usize],
        subscripts: &[Subscript],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Vec<usize>> {
        let mut indices = Vec::new();
        for (subscript, size) in subscripts.iter().zip(sizes) {
            if matches!(subscript, Subscript::All(_)) {
                break;
            }
            match self.chosen_indices(subscript, *size, scope, span)? {
                Chosen::One(at) => indices.push(at),
                Chosen::Several(_) | Chosen::Varying(_) => break,
            }
        }
        Ok(indices)
    }

    /// The sizes of a variable that equations compute.
    pub(crate) fn sizes_of(&self, variable: &Variable) -> Checked<Vec<usize>> {
        match (self.declared_sizes(&variable.sizes)?, &variable.modifier.value) {
            (Some(sizes), _) => Ok(sizes),
            (None, Some(binding)) => {
                let sizes = self.bound(binding)?.sizes();
                self.check_sizes_of(variable, &sizes, &binding.expression.span)?;
                Ok(sizes)
            }
            (None, None) => {
                let sentence = format!("the size of {} is not known", variable.name);
                Err(Complaint::at(&variable.span, sentence))
            }
        }
    }

    /// The components of an instance as a record.
    pub(crate) fn record(
        &self,
        instance: &Rc<Instance>,
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let members = instance.members(self.library)?;
        let field = |member: &Rc<Member>| {
            let part = Part { name: member.declaration.name.clone(), subscripts: Vec::new() };
            let value = self.member(instance, &[part], scope, span)?;
            Ok((Rc::clone(&member.declaration.name.text), value))
        };
        Ok(Value::Record(Rc::new(members.list.iter().map(field).collect::<Checked<_>>()?)))
    }

    /// Components of records.
    fn fields(&self, value: Value, parts: &[Part], scope: &Scope, span: &Span) -> Checked<Value> {
        parts.iter().try_fold(value, |value, part| {
            let field = value.field(&part.name.text).ok_or_else(|| {
                let (kind, name) = (value.kind(), &part.name.text);
                let hint = is_it(name, value.field_names());
                let sentence = format!("{kind} has no element {name}{hint}");
                Complaint::at(span, sentence)
            })?;
            self.element(&field, &part.subscripts, scope, span)
        })
    }

    /// The element of an array, or a part of it.
    pub(super) fn element(
        &self,
        value: &Value,
        subscripts: &[Subscript],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let Some((first, rest)) = subscripts.split_first() else { return Ok(value.clone()) };
        let elements = value.elements().map_err(|why| Complaint::at(span, why))?;
        match self.chosen_indices(first, elements.len(), scope, span)? {
            Chosen::One(k) => self.element(&elements[k], rest, scope, span),
            Chosen::Varying(index) => {
                let all = elements.iter().map(|one| self.element(one, rest, scope, span));
                let all = all.collect::<Checked<Vec<_>>>()?;
                varying(index, &all).map_err(|why| Complaint::at(span, why))
            }
            Chosen::Several(several) => {
                several.into_iter().map(|k| self.element(&elements[k], rest, scope, span)).collect()
            }
        }
    }

    /// The index that a value is, if variables determine it. It is asserted to be one of an array
    /// of this size.
    fn varying_index(&self, value: &Value, size: usize, span: &Span) -> Option<Ex> {
        let (Value::Whole(index) | Value::Choice { number: index, .. }) = *value else {
            return None;
        };
        let is_whole = self.unknowns().is_some_and(|unknowns| unknowns.is_whole(index));
        if index.constant_value().is_some() || !is_whole {
            return None;
        }
        #[allow(clippy::cast_precision_loss, reason = "sizes are small")]
        let is_inside = index.gt(0.5) & index.lt(size as f64 + 0.5);
        let message = format!("the subscript {} is not from 1 to {size}", span.text());
        self.assert_where_used(is_inside, message, false);
        Some(index)
    }

    /// The positions that a subscript means, counted from zero.
    pub(crate) fn chosen_indices(
        &self,
        subscript: &Subscript,
        size: usize,
        scope: &Scope,
        span: &Span,
    ) -> Checked<Chosen> {
        let Subscript::Index(expression) = subscript else {
            return Ok(Chosen::Several((0..size).collect()));
        };
        let scope = scope.with(&"end".into(), Value::Integer(i64::try_from(size).unwrap_or(0)));
        let value = self.value(expression, &scope)?;
        if let Some(index) = self.varying_index(&value, size, &expression.span) {
            return Ok(Chosen::Varying(index));
        }
        let value = self.settled(value, span)?;
        let position = |value: &Value| {
            let index = match value {
                Value::Integer(index) => *index,
                Value::Literal { number, .. } => *number,
                Value::Boolean(truth) => i64::from(self.known_truth(*truth, span)?) + 1,
                Value::Real(index) if self.unknowns().is_some_and(|of| of.is_whole(*index)) => {
                    let sentence =
                        "several subscripts at once must be known when the model is built";
                    return Err(Complaint::at(span, sentence));
                }
                other => {
                    let sentence = format!("a subscript must be an Integer, not {}", other.kind());
                    return Err(Complaint::at(span, sentence));
                }
            };
            match usize::try_from(index - 1) {
                Ok(position) if position < size => Ok(position),
                _ => {
                    let sentence = format!("the subscript {index} is not from 1 to {size}");
                    Err(Complaint::at(&expression.span, sentence))
                }
            }
        };
        match &value {
            Value::Array(several) => {
                Ok(Chosen::Several(several.iter().map(position).collect::<Checked<_>>()?))
            }
            single => Ok(Chosen::One(position(single)?)),
        }
    }
}

/// The element of an array with an index that variables determine.
fn varying(index: Ex, elements: &[Value]) -> Result<Value, Misfit> {
    let Some((last, others)) = elements.split_last() else {
        return Err("an array without elements".to_owned());
    };
    let mut value = last.clone();
    for (k, element) in others.iter().enumerate().rev() {
        value = chosen(is_position(index, k), element, &value)?;
    }
    Ok(value)
}

/// Whether an index, which is a whole number, means a position that is counted from zero.
#[allow(clippy::cast_precision_loss, reason = "sizes are small")]
pub(super) fn is_position(index: Ex, position: usize) -> Bool {
    let index = index - 1.0;
    index.gt(position as f64 - 0.5) & index.lt(position as f64 + 0.5)
}

/// The positions that a subscript means.
pub(crate) enum Chosen {
    /// One element, whose index variables determine.
    Varying(Ex),
    /// One element.
    One(usize),
    /// A part of the array.
    Several(Vec<usize>),
}

impl Chosen {
    /// All of them.
    ///
    /// # Errors
    /// They are not known when the model is built.
    pub(crate) fn positions(self, span: &Span) -> Checked<Vec<usize>> {
        match self {
            Chosen::One(single) => Ok(vec![single]),
            Chosen::Several(several) => Ok(several),
            Chosen::Varying(_) => {
                let sentence = "a subscript here must be known when the model is built";
                Err(Complaint::at(span, sentence))
            }
        }
    }
}

/// A literal of an enumeration by its number.
pub(super) fn literal(of: &Rc<ClassNode>, number: i64, span: &Span) -> Checked<Value> {
    let literals = match &of.syntax.body {
        Body::Enumeration(literals) => &literals[..],
        _ => &[],
    };
    let at = usize::try_from(number - 1).ok().and_then(|at| literals.get(at));
    let (name, _) = at.ok_or_else(|| Complaint::at(span, "no such literal"))?;
    Ok(Value::Literal { of: Rc::clone(of), name: Rc::clone(&name.text), number })
}

impl Frame {
    /// Sets a variable of this frame or of those outside it; false if there is none.
    pub(super) fn set(&self, name: &str, value: &Value) -> bool {
        if let Some(own) = self.values.borrow_mut().get_mut(name) {
            *own = value.clone();
            return true;
        }
        self.outer.as_ref().is_some_and(|outer| outer.set(name, value))
    }
}
