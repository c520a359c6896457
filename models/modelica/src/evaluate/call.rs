//! Calls of functions: those of the language, and those whose algorithm is evaluated.

use super::arguments::is_input;
use super::{Evaluator, builtin};
use crate::instance::{
    Content, Frame, Instance, Kind, Member, Members, Scope, Type, is_of, kind_of,
};
use crate::library::ClassNode;
use crate::modifier::Modifier;
use crate::names::is_it;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{
    Arguments, Body, Causality, ClassKind, Expression, ExpressionKind, Name, Part, Reference, Word,
};
use crate::tables;
use crate::value::{Value, filled};
use equations::Bool;
use std::rc::Rc;

/// The name of the function that makes an object of another language.
const CONSTRUCTOR: &str = "constructor";

pub(super) type Named = Vec<(Rc<str>, Value)>;

impl Evaluator<'_> {
    pub(super) fn call(
        &self,
        function: &Reference,
        arguments: &Arguments,
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let words: Vec<Word> = function.parts.iter().map(|part| part.name.clone()).collect();
        let simple = (words.len() == 1 && !function.from_root).then(|| Rc::clone(&words[0].text));
        // A function that is an argument of a function.
        if let Some(Value::Function(class, given)) =
            simple.as_ref().and_then(|name| scope.frame.as_ref().and_then(|frame| frame.get(name)))
        {
            return self.call_class(&class, arguments, &given, scope, span);
        }
        // A function of one's own that has the name of a function of the language.
        if let Some(name) = simple.as_ref().filter(|name| builtin::is_of_language(name))
            && let Some(own) = self.library.lookup(&scope.class, name, true, 0)?
            && is_of(self.library, &own, ClassKind::Function)?
        {
            let parts = words.clone();
            let name = Name { from_root: false, parts, span: function.span.clone() };
            return self.call_class(&self.class(&name, scope)?, arguments, &[], scope, span);
        }
        let of_language = (words.len() == 1).then(|| Rc::clone(&words[0].text));
        if let Some(name) = &of_language {
            if let Some(unknowns) = self.unknowns()
                && let call = (&**name, &arguments.positional[..])
                && let Some(value) = unknowns.call(self, call, scope, span)?
            {
                return Ok(value);
            }
            if builtin::is_known(name) {
                return self.builtin(name, arguments, scope, span);
            }
        }
        let name =
            Name { from_root: function.from_root, parts: words, span: function.span.clone() };
        let (class, within) = match self.function_of_component(function, scope)? {
            Some((class, component)) => (Ok(class), Some(component)),
            None => (self.class(&name, scope), scope.instance.clone()),
        };
        let class = match (class, &simple) {
            (Err(_), Some(simple)) if builtin::of_equations(simple) => {
                let sentence = format!("{simple} cannot be used where a parameter is computed");
                return Err(Complaint::at(span, sentence));
            }
            (Err(_), Some(simple)) => {
                let mut known = self.library.visible(&scope.class);
                known.extend(builtin::names().map(Rc::from));
                let sentence = format!("there is no function {simple}{}", is_it(simple, known));
                return Err(Complaint::at(span, sentence));
            }
            (class, _) => class?,
        };
        let (positional, named) = self.arguments(arguments, scope)?;
        self.call_elements((&class, within.as_ref()), positional, named, span)
    }

    /// A function in the class of a component, and the component: `road.position(s)`.
    fn function_of_component(
        &self,
        function: &Reference,
        scope: &Scope,
    ) -> Checked<Option<(Rc<ClassNode>, Rc<Instance>)>> {
        let ([first, between @ .., last], Some(instance)) = (&function.parts[..], &scope.instance)
        else {
            return Ok(None);
        };
        let mut instance = Rc::clone(instance);
        for part in std::iter::once(first).chain(between) {
            let member = instance.members(self.library)?.get(&part.name.text).map(Rc::clone);
            let Some(member) = member else { return Ok(None) };
            match self.content(&instance, &member)? {
                Content::Instance(inner) if part.subscripts.is_empty() => instance = inner,
                _ => return Ok(None),
            }
        }
        let span = last.name.span.clone();
        let name = Name { from_root: false, parts: vec![last.name.clone()], span };
        let class = instance.resolve(self.library, &instance.class, &name)?;
        Ok(Some((class, instance)))
    }

    /// A function of the language.
    fn builtin(
        &self,
        name: &str,
        arguments: &Arguments,
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        if let [of] = &arguments.positional[..]
            && arguments.named.is_empty()
            && let ExpressionKind::Iteration(body, indices) = &*of.kind
        {
            match name {
                "sum" | "product" | "min" | "max" => {
                    return self.reduction(name, (body, indices), scope);
                }
                "array" => return self.comprehension(body, indices, scope),
                _ => {}
            }
        }
        if name == "getInstanceName" {
            return self.instance_name(scope, span);
        }
        let positional = arguments.positional.iter().map(|value| self.value(value, scope));
        let mut positional = positional.collect::<Checked<Vec<_>>>()?;
        if let ("size", [array, _], [value, Value::Integer(at @ 2..)]) =
            (name, &arguments.positional[..], &positional[..])
            && value.sizes() == [0]
            && let Some(sizes) = self.sizes_without_elements(array, scope, 0)?
            && let Some(size) = usize::try_from(at - 1).ok().and_then(|at| sizes.get(at))
        {
            return Ok(size.clone());
        }
        for (word, value) in &arguments.named {
            match (name, &*word.text) {
                ("homotopy", "actual") => positional.insert(0, self.value(value, scope)?),
                ("homotopy", "simplified") => {}
                ("String", _) => {}
                _ => {
                    let sentence = format!("{name} has no argument {} here", word.text);
                    return Err(Complaint::at(&word.span, sentence));
                }
            }
        }
        let first_size = match name {
            "zeros" | "ones" | "identity" => 0,
            "fill" => 1,
            "linspace" => 2,
            _ => positional.len(),
        };
        for size in positional.iter_mut().skip(first_size) {
            *size = self.settled(size.clone(), span)?;
        }
        let number = |value| self.number(value, span);
        let value = builtin::call(name, &positional, &number);
        let value = value.map_err(|why| Complaint::at(span, why))?;
        self.count_steps(value.sizes().iter().product::<usize>() as u64, span)?;
        Ok(value)
    }

    /// A function or a record constructor.
    fn call_class(
        &self,
        class: &Rc<ClassNode>,
        arguments: &Arguments,
        given: &[(Rc<str>, Value)],
        scope: &Scope,
        span: &Span,
    ) -> Checked<Value> {
        let (positional, mut named) = self.arguments(arguments, scope)?;
        named.extend_from_slice(given);
        self.call_elements((class, scope.instance.as_ref()), positional, named, span)
    }

    fn arguments(&self, of: &Arguments, scope: &Scope) -> Checked<(Vec<Value>, Named)> {
        let positional = of.positional.iter().map(|value| self.value(value, scope));
        let named = of.named.iter();
        let named =
            named.map(|(name, value)| Ok((Rc::clone(&name.text), self.value(value, scope)?)));
        Ok((positional.collect::<Checked<_>>()?, named.collect::<Checked<_>>()?))
    }

    /// The results of a function for values of its inputs. It is looked up within an instance,
    /// whose parameters a redeclaration may name.
    pub(crate) fn call_values(
        &self,
        (class, within): (&Rc<ClassNode>, Option<&Rc<Instance>>),
        positional: Vec<Value>,
        mut named: Named,
        span: &Span,
    ) -> Checked<Vec<Value>> {
        if let Kind::Type(Type::Object) = kind_of(self.library, class)? {
            return self.object(class, positional, named, span);
        }
        let is_function = is_of(self.library, class, ClassKind::Function)?;
        if !is_function && !is_of(self.library, class, ClassKind::Record)? {
            return Err(Complaint::at(span, format!("{} is no function", class.path)));
        }
        let instance = Instance::new(class.path.to_string(), class, Modifier::default(), within);
        let members = instance.members(self.library)?;
        let frame = Rc::new(Frame::default());
        let own = Scope {
            instance: Some(Rc::clone(&instance)),
            class: Rc::clone(class),
            frame: Some(Rc::clone(&frame)),
        };
        let mut positional = positional.into_iter();
        for member in &members.list {
            let declaration = &member.declaration;
            let name = Rc::clone(&declaration.name.text);
            let is_input = is_input(member, class);
            let given = if is_input {
                let by_name = named.iter().position(|(other, _)| *other == name);
                positional.next().or_else(|| by_name.map(|at| named.swap_remove(at).1))
            } else {
                None
            };
            let scope = Scope { frame: own.frame.clone(), ..member.scope.clone() };
            let value = match (given, &member.modifier.value) {
                (Some(value), _) => {
                    let value = self.converted(value, &member.class)?;
                    self.check_input((class, member), &value, &scope, span)?;
                    value
                }
                (None, Some(default)) => {
                    let is_inside = default.scope.instance.as_ref();
                    let is_inside = is_inside.is_some_and(|of| Rc::ptr_eq(of, &instance));
                    let inner = Scope { frame: own.frame.clone(), ..default.scope.clone() };
                    let scope = if is_inside { &inner } else { &default.scope };
                    let value = self.value(&default.expression, scope)?;
                    let value = self.converted(value, &member.class)?;
                    self.check_type((class, member), &value, &default.expression.span)?;
                    value
                }
                // A record in a record has the defaults of its elements.
                (None, None) if is_input && !is_function && self.is_record(member)? => {
                    let part = Part { name: declaration.name.clone(), subscripts: Vec::new() };
                    self.member(&instance, &[part], &own, span)?
                }
                (None, None) if is_input => {
                    let sentence = format!("the input {name} of {} is missing", class.path);
                    return Err(Complaint::at(span, sentence));
                }
                (None, None) => self.unset(member, &scope)?,
            };
            frame.values.borrow_mut().insert(name, value);
        }
        if let Some(sentence) = superfluous(class, members, positional.next(), &named) {
            return Err(Complaint::at(span, sentence));
        }
        if !is_function || self.is_constructor(class)? {
            let value = |member: &Rc<Member>| {
                let name = Rc::clone(&member.declaration.name.text);
                let value = frame.get(&name).unwrap_or(Value::Integer(0));
                (name, value)
            };
            return Ok(vec![Value::Record(Rc::new(members.list.iter().map(value).collect()))]);
        }
        self.run(&instance, &own, span)?;
        let outputs = members
            .list
            .iter()
            .filter(|member| member.declaration.causality == Some(Causality::Output));
        let value = |member: &Rc<Member>| {
            let missing = || Complaint::at(span, format!("{} assigns no result", class.path));
            let value = frame.get(&member.declaration.name.text).ok_or_else(missing)?;
            self.check_sizes((class, member), &value, &own, span)?;
            Ok(value)
        };
        outputs.map(value).collect()
    }

    /// An object of another language: the record of what its constructor is given.
    fn object(
        &self,
        class: &Rc<ClassNode>,
        positional: Vec<Value>,
        named: Named,
        span: &Span,
    ) -> Checked<Vec<Value>> {
        let Some(constructor) = self.library.named(class, CONSTRUCTOR, 0)? else {
            let sentence = format!("{} has no constructor", class.path);
            return Err(Complaint::at(span, sentence));
        };
        let objects = self.call_values((&constructor, None), positional, named, span)?;
        let with_file = |object| tables::with_file(object).map_err(|why| Complaint::at(span, why));
        objects.into_iter().map(with_file).collect()
    }

    /// Whether a function is the constructor of an object of another language.
    fn is_constructor(&self, function: &ClassNode) -> Checked<bool> {
        let object = function.parent().filter(|_| &**function.name() == CONSTRUCTOR);
        let kind = object.map(|object| kind_of(self.library, &object)).transpose()?;
        Ok(matches!(kind, Some(Kind::Type(Type::Object))))
    }

    /// Real numbers where the type is Real.
    fn converted(&self, value: Value, class: &Rc<ClassNode>) -> Checked<Value> {
        match kind_of(self.library, class)? {
            Kind::Type(Type::Real) => Ok(value.with_reals()),
            _ => Ok(value),
        }
    }

    /// The value of a variable of a function before something is assigned.
    fn unset(&self, member: &Member, scope: &Scope) -> Checked<Value> {
        let scalar = match kind_of(self.library, &member.class)? {
            Kind::Type(of) => of.initial(),
            Kind::Composite => {
                let name = member.class.path.to_string();
                let inner = Instance::new(name, &member.class, Modifier::default(), None);
                let fields = inner.members(self.library)?.list.iter().map(|field| {
                    let inner_scope = Scope { frame: None, ..field.scope.clone() };
                    let value = match &field.declaration.modification.value {
                        Some(default) => self.value(default, &inner_scope)?,
                        None => self.unset(field, &inner_scope)?,
                    };
                    Ok((Rc::clone(&field.declaration.name.text), value))
                });
                Value::Record(Rc::new(fields.collect::<Checked<_>>()?))
            }
        };
        let mut sizes = member.sizes(self.library)?;
        for size in &mut sizes {
            if size.scope.instance.is_some() {
                size.scope.frame.clone_from(&scope.frame);
            }
        }
        let sizes = self.declared_sizes(&sizes)?;
        Ok(filled(&scalar, &sizes.unwrap_or_default()))
    }

    /// Runs the algorithm of a function.
    fn run(&self, instance: &Rc<Instance>, scope: &Scope, span: &Span) -> Checked<()> {
        let members = instance.members(self.library)?;
        let mut has_algorithm = false;
        for text in &members.texts {
            let Body::Long(content) = &text.syntax.body else { continue };
            let inner = Scope { class: Rc::clone(text), ..scope.clone() };
            if content.external.is_some() {
                self.external(text, &inner, members, span)?;
                has_algorithm = true;
            }
            for algorithm in &content.algorithms {
                has_algorithm = true;
                match self.statements(algorithm, &inner)?.left().constant_value() {
                    Some(false) => {}
                    Some(true) => return Ok(()),
                    None if content.algorithms.len() == 1 => {}
                    None => {
                        let sentence =
                            "`return` depends on variables, and another algorithm follows";
                        return Err(Complaint::at(span, sentence));
                    }
                }
            }
        }
        match has_algorithm {
            true => Ok(()),
            false => {
                let sentence = format!("the function {} has no algorithm", instance.class.path);
                Err(Complaint::at(span, sentence))
            }
        }
    }

    /// All results of a call.
    pub(crate) fn several(&self, call: &Expression, scope: &Scope) -> Checked<Vec<Value>> {
        let ExpressionKind::Call(function, arguments) = &*call.kind else {
            return Err(Complaint::at(&call.span, "not a call"));
        };
        let parts = function.parts.iter().map(|part| part.name.clone()).collect();
        let name = Name { from_root: function.from_root, parts, span: function.span.clone() };
        let simple = (name.parts.len() == 1).then(|| &name.parts[0].text);
        let in_frame = simple.and_then(|name| scope.frame.as_ref()?.get(name));
        let (positional, mut named) = self.arguments(arguments, scope)?;
        let class = match in_frame {
            Some(Value::Function(class, given)) => {
                named.extend_from_slice(&given);
                class
            }
            _ => self.class(&name, scope)?,
        };
        self.call_values((&class, scope.instance.as_ref()), positional, named, &call.span)
    }

    /// The results of a call for targets, each of which may be missing.
    pub(crate) fn results_for(
        &self,
        targets: &[Option<Expression>],
        call: &Expression,
        scope: &Scope,
    ) -> Checked<Vec<Value>> {
        let results = self.several(call, scope)?;
        if results.len() < targets.len() {
            let (all, wanted) = (results.len(), targets.len());
            let sentence = format!("the function has {all} results, not {wanted}");
            return Err(Complaint::at(&call.span, sentence));
        }
        Ok(results)
    }

    /// `assert`, and calls whose results nobody uses.
    pub(crate) fn checked_call(&self, call: &Expression, scope: &Scope) -> Checked<()> {
        let ExpressionKind::Call(function, arguments) = &*call.kind else { return Ok(()) };
        let last = function.parts.last().map(|part| &*part.name.text);
        // Those of the library are called by their paths: `Modelica.Utilities.Streams.print`.
        let is_of_library =
            function.parts.first().is_some_and(|part| &*part.name.text == "Modelica")
                || function.parts.first().is_some_and(|part| &*part.name.text == "Streams");
        let name = last.filter(|_| function.parts.len() == 1 || is_of_library);
        match (name, &arguments.positional[..]) {
            (Some("assert"), _) => self.assertion(arguments, scope, &call.span),
            (Some("error"), [message, ..]) => {
                let text = self.value(message, scope)?;
                let text =
                    if let Value::Text(text) = text { text.to_string() } else { String::new() };
                Err(Complaint::at(&call.span, text))
            }
            (Some("print"), _) => Ok(()),
            _ => self.several(call, scope).map(|_| ()),
        }
    }

    /// Asserts a condition where the value that is computed is used.
    pub(super) fn assert_where_used(&self, condition: Bool, message: String, is_warning: bool) {
        let condition = !self.used.get() | condition;
        self.assertions.borrow_mut().push((condition, message, is_warning));
    }
}

/// What is wrong with arguments that are left when all inputs of a function have values.
fn superfluous(
    class: &ClassNode,
    members: &Members,
    positional: Option<Value>,
    named: &Named,
) -> Option<String> {
    match (named.first(), positional) {
        (Some((name, _)), _) => {
            Some(format!("{} has no input {name}{}", class.path, is_it(name, members.names())))
        }
        (None, Some(_)) => Some(format!("{} has fewer inputs", class.path)),
        (None, None) => None,
    }
}
