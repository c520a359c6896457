//! The ends of connections: the connectors that a reference in a `connect` means, each with its
//! path in what the reference names.

use crate::evaluate::{Chosen, Evaluator};
use crate::instance::{Content, Instance, Member, Scope, Type, Variable, is_of};
use crate::leaf::leaf_of;
use crate::library::{ClassNode, Library};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Body, Causality, ClassKind, Part, Reference, Subscript, Variability};
use crate::value::{Misfit, Value};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

/// An end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// The component of one of our classes, if it is a port of one.
    pub component: Option<String>,
    /// The name of the port there, or the full name of another connector.
    pub name: String,
    /// `input` or `output` of a connector of the model itself.
    pub of_model: Option<bool>,
    /// Whether members of it come to be by connecting.
    pub expandable: bool,
    /// Whether the text of the component that has it connects it, from inside.
    pub is_inside: bool,
    /// What it consists of: the type of a signal, or names of variables; empty if it is a bus or
    /// not known.
    pub form: Rc<str>,
}

impl End {
    /// Its name in the model.
    pub fn full(&self) -> String {
        match &self.component {
            Some(component) => format!("{component}.{}", self.name),
            None => self.name.clone(),
        }
    }

    /// Whether it is a pin, a flange or a heat port of a component that the text of the component
    /// connects.
    pub fn is_inner_end(&self) -> bool {
        let forms = ["i, v", "i_, v_", "phi, tau", "f, s", "Q_flow, T"];
        self.is_inside && forms.contains(&&*self.form)
    }
}

/// A step from what a reference names to a connector in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// The element of an array, counted from 1.
    Element(usize),
    /// The member of a connector.
    Member(Rc<str>),
}

/// One side of a connection: its connectors with their paths.
#[derive(Debug, Default)]
pub struct Side {
    /// The connectors; `None` for a component whose condition is false.
    ends: Vec<(Vec<Step>, Option<End>)>,
    /// Whether it is a member that a bus gets by this connection, with the form of the other side.
    is_free: bool,
}

impl Side {
    /// The connectors of two sides in pairs. What does not exist takes its connections with it.
    ///
    /// # Errors
    /// A connector has no partner.
    pub fn pairs(mut self, mut other: Side) -> Result<Vec<(End, End)>, Misfit> {
        self.take_form_of(&other);
        other.take_form_of(&self);
        let both = self.ends.iter().chain(&other.ends);
        let absent: Vec<&[Step]> =
            both.filter(|(_, end)| end.is_none()).map(|(path, _)| &path[..]).collect();
        let is_absent = |path: &[Step]| absent.iter().any(|start| path.starts_with(start));
        let mut pairs = Vec::new();
        let mut partners: HashMap<&[Step], &Option<End>> =
            other.ends.iter().map(|(path, end)| (&path[..], end)).collect();
        for (path, end) in self.ends.iter().filter(|(path, _)| !is_absent(path)) {
            let partner = partners.remove(&path[..]).ok_or_else(|| misfit(path, &self, &other))?;
            let pair = end.clone().zip(partner.clone());
            if let Some((a, b)) = &pair
                && !(a.form.is_empty() || b.form.is_empty() || a.form == b.form)
            {
                let (name, other) = (a.full(), b.full());
                return Err(format!("{name} is of {}, but {other} of {}", a.form, b.form));
            }
            let is_free = self.is_free || other.is_free;
            if pair.as_ref().is_some_and(|(a, b)| a.expandable != b.expandable && !is_free) {
                return Err("a bus can be connected as a whole with a bus only".to_owned());
            }
            pairs.extend(pair);
        }
        let mut alone = other.ends.iter().map(|(path, _)| &path[..]);
        match alone.find(|path| partners.contains_key(path) && !is_absent(path)) {
            Some(path) => Err(misfit(path, &self, &other)),
            None => Ok(pairs),
        }
    }

    /// Gives a new member of a bus the connectors of the other side.
    fn take_form_of(&mut self, other: &Side) {
        let [(path, Some(end))] = &self.ends[..] else { return };
        if !self.is_free || other.is_free || !path.is_empty() {
            return;
        }
        let named = |(path, of): &(Vec<Step>, Option<End>)| {
            let expandable = of.as_ref().is_some_and(|of| of.expandable);
            let name = end.name.clone() + &text(path);
            (path.clone(), of.as_ref().map(|_| End { name, expandable, ..end.clone() }))
        };
        self.ends = other.ends.iter().map(named).collect();
    }
}

/// Why the connector with a path on one side has no partner.
fn misfit(path: &[Step], a: &Side, b: &Side) -> Misfit {
    let members = |path: &[Step]| {
        let members = path.iter().filter(|step| matches!(step, Step::Member(_)));
        members.cloned().collect::<Vec<_>>()
    };
    let wanted = members(path);
    let has = |side: &Side| side.ends.iter().any(|(path, _)| members(path) == wanted);
    let (count, other) = (a.ends.len(), b.ends.len());
    let is_alone = !(has(a) && has(b));
    if is_alone && !wanted.is_empty() {
        format!("only one side has the connector {}", text(&wanted).trim_start_matches('.'))
    } else if count == other {
        "the sides have different sizes".to_owned()
    } else {
        format!("{count} connectors and {other} connectors do not fit")
    }
}

/// A path as a text: `[1,2].flange`.
fn text(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Element(index) if text.ends_with(']') => {
                text.pop();
                let _ = write!(text, ",{index}]");
            }
            Step::Element(index) => {
                let _ = write!(text, "[{index}]");
            }
            Step::Member(name) => {
                let _ = write!(text, ".{name}");
            }
        }
    }
    text
}

/// The connectors that a reference in a `connect` means.
///
/// # Errors
/// There is no such connector.
pub fn side(evaluator: &Evaluator<'_>, reference: &Reference, scope: &Scope) -> Checked<Side> {
    let mut side = Side::default();
    let Some(instance) = &scope.instance else { return Ok(side) };
    let finder = Finder { evaluator, scope, span: &reference.span };
    let place = Place { instance, component: None, is_part: false, path: Vec::new() };
    finder.in_instance(&place, &reference.parts, &mut side)?;
    Ok(side)
}

/// Finds the connectors of a reference.
struct Finder<'f> {
    evaluator: &'f Evaluator<'f>,
    scope: &'f Scope,
    span: &'f Span,
}

/// A place on the way to a connector.
#[derive(Clone)]
struct Place<'p> {
    /// The instance.
    instance: &'p Rc<Instance>,
    /// The component of one of our classes that contains it.
    component: Option<&'p str>,
    /// Whether it is in a component of the one whose text connects.
    is_part: bool,
    /// The path to it.
    path: Vec<Step>,
}

impl Place<'_> {
    fn with(&self, step: Step) -> Self {
        let mut longer = self.clone();
        longer.path.push(step);
        longer
    }

    /// A connector there, by its full name.
    fn end(&self, full: &str) -> End {
        let (name, component) = match self.component {
            Some(component) => (&full[component.len() + 1..], Some(component.to_owned())),
            None => (full, None),
        };
        let (is_inside, name) = (component.is_none() && !self.is_part, name.to_owned());
        let form = Rc::default();
        End { component, name, of_model: None, expandable: false, is_inside, form }
    }
}

impl Finder<'_> {
    fn library(&self) -> &Library {
        self.evaluator.library
    }

    fn in_instance(&self, at: &Place<'_>, parts: &[Part], side: &mut Side) -> Checked<()> {
        let Some((first, rest)) = parts.split_first() else {
            return Err(Complaint::at(self.span, "a component, not a connector"));
        };
        let members = at.instance.members(self.library())?;
        let Some(member) = members.get(&first.name.text) else {
            let sentence = members.lack(&at.instance.class, &first.name.text);
            return Err(Complaint::at(&first.name.span, sentence));
        };
        if !self.scope.instance.as_ref().is_some_and(|own| Rc::ptr_eq(own, at.instance)) {
            at.instance.check_access(self.library(), &first.name)?;
        }
        let is_leaf = at.component.is_none() && leaf_of(self.evaluator, at.instance)?.is_some();
        let component = if is_leaf { Some(&*at.instance.name) } else { at.component };
        let at = Place { component, ..at.clone() };
        let content = self.evaluator.content(at.instance, member)?;
        self.in_content(&at, (member, &content), first, rest, side)
    }

    fn in_content(
        &self,
        at: &Place<'_>,
        (member, content): (&Rc<Member>, &Content),
        part: &Part,
        rest: &[Part],
        side: &mut Side,
    ) -> Checked<()> {
        match content {
            Content::Absent => {
                side.ends.push((at.path.clone(), None));
                Ok(())
            }
            Content::Variable(variable) => self.of_variable(at, (member, variable), part, side),
            Content::Array(elements) => {
                let all = Subscript::All(self.span.clone());
                let (subscript, others) = part.subscripts.split_first().unwrap_or((&all, &[]));
                let inner = Part { name: part.name.clone(), subscripts: others.to_vec() };
                let chosen =
                    self.evaluator.chosen_indices(subscript, elements.len(), self.scope, self.span);
                let several = match chosen? {
                    Chosen::One(k) => {
                        return self.in_content(at, (member, &elements[k]), &inner, rest, side);
                    }
                    several => several.positions(self.span)?,
                };
                several.into_iter().enumerate().try_for_each(|(number, k)| {
                    let at = at.with(Step::Element(number + 1));
                    self.in_content(&at, (member, &elements[k]), &inner, rest, side)
                })
            }
            Content::Instance(_) if !part.subscripts.is_empty() => {
                let sentence = format!("{} is no array of so many dimensions", part.name.text);
                Err(Complaint::at(self.span, sentence))
            }
            Content::Instance(inner) => {
                let is_connector = is_of(self.library(), &inner.class, ClassKind::Connector)?;
                let is_part = at.is_part || !is_connector;
                let at = Place { instance: inner, is_part, ..at.clone() };
                match is_connector {
                    true => self.in_connector(&at, rest, side),
                    false => self.in_instance(&at, rest, side),
                }
            }
        }
    }

    /// A connector that is a variable, such as `u` or `y[2]`.
    fn of_variable(
        &self,
        at: &Place<'_>,
        (member, variable): (&Rc<Member>, &Rc<Variable>),
        part: &Part,
        side: &mut Side,
    ) -> Checked<()> {
        let is_inside = is_of(self.library(), &at.instance.class, ClassKind::Connector)?;
        let is_connector = is_of(self.library(), &member.class, ClassKind::Connector)?;
        if !is_inside && !is_connector && variable.causality.is_none() {
            let sentence = format!("{} is a variable, not a connector", variable.name);
            return Err(Complaint::at(self.span, sentence));
        }
        let is_input = variable.is_input_of(at.instance);
        let is_output = variable.causality == Some(Causality::Output);
        let of_model = (is_input || is_output && at.instance.name.is_empty()).then_some(is_input);
        let sizes = self.evaluator.sizes_of(variable)?;
        if part.subscripts.len() > sizes.len() {
            let sentence = format!("{} is no array of so many dimensions", variable.name);
            return Err(Complaint::at(self.span, sentence));
        }
        let mut elements = vec![(String::new(), at.path.clone())];
        for (dimension, size) in sizes.iter().enumerate() {
            let all = Subscript::All(self.span.clone());
            let subscript = part.subscripts.get(dimension).unwrap_or(&all);
            let chosen = self.evaluator.chosen_indices(subscript, *size, self.scope, self.span)?;
            let is_single = matches!(chosen, Chosen::One(_));
            let positions = chosen.positions(self.span)?;
            let element = |(indices, path): &(String, Vec<Step>), number: usize, k: usize| {
                let comma = if indices.is_empty() { "" } else { "," };
                let step = (!is_single).then_some(Step::Element(number + 1));
                let path = path.iter().cloned().chain(step).collect();
                (format!("{indices}{comma}{}", k + 1), path)
            };
            let extended = elements.iter().flat_map(|known| {
                positions.iter().enumerate().map(move |(number, k)| element(known, number, *k))
            });
            elements = extended.collect();
        }
        for (indices, path) in elements {
            let brackets = if sizes.is_empty() { indices } else { format!("[{indices}]") };
            let end = at.end(&format!("{}{brackets}", variable.name));
            let form = form_of(variable);
            side.ends.push((path, Some(End { of_model, form, ..end })));
        }
        Ok(())
    }

    /// A connector with connectors or variables of its own, or what it contains.
    fn in_connector(&self, at: &Place<'_>, rest: &[Part], side: &mut Side) -> Checked<()> {
        let is_bus = is_expandable(self.library(), &at.instance.class)?;
        let members = at.instance.members(self.library())?;
        match rest.split_first() {
            Some((first, _)) if is_bus && members.get(&first.name.text).is_none() => {
                self.new_members(at, rest, side)
            }
            Some(_) => self.in_instance(at, rest, side),
            None if is_bus || !self.has_connectors(at.instance)? => {
                let names = members.list.iter().map(|member| &*member.declaration.name.text);
                let mut names: Vec<&str> = if is_bus { Vec::new() } else { names.collect() };
                names.sort_unstable();
                let (end, form) = (at.end(&at.instance.name), names.join(", ").into());
                side.ends.push((at.path.clone(), Some(End { expandable: is_bus, form, ..end })));
                Ok(())
            }
            None => members.list.iter().try_for_each(|member| self.inside(at, member, side)),
        }
    }

    /// The connectors in a member of a connector that is connected as a whole.
    fn inside(&self, at: &Place<'_>, member: &Rc<Member>, side: &mut Side) -> Checked<()> {
        let of = &member.declaration;
        if matches!(of.variability, Variability::Parameter | Variability::Constant) {
            return Ok(());
        }
        let at = at.with(Step::Member(Rc::clone(&of.name.text)));
        let content = self.evaluator.content(at.instance, member)?;
        let part = Part { name: of.name.clone(), subscripts: Vec::new() };
        match &content {
            Content::Instance(record)
                if is_of(self.library(), &record.class, ClassKind::Record)? =>
            {
                let at = Place { instance: record, ..at };
                let members = &record.members(self.library())?.list;
                members.iter().try_for_each(|member| self.inside(&at, member, side))
            }
            content => self.in_content(&at, (member, content), &part, &[], side),
        }
    }

    /// Whether a connector contains other ones, or inputs and outputs, also in records.
    fn has_connectors(&self, of: &Rc<Instance>) -> Checked<bool> {
        for member in &of.members(self.library())?.list {
            if member.declaration.causality.is_some()
                || is_of(self.library(), &member.class, ClassKind::Connector)?
            {
                return Ok(true);
            }
            if is_of(self.library(), &member.class, ClassKind::Record)?
                && let Content::Instance(record) = self.evaluator.content(of, member)?
                && self.has_connectors(&record)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Members that a bus gets by this connection.
    fn new_members(&self, at: &Place<'_>, rest: &[Part], side: &mut Side) -> Checked<()> {
        let mut named = vec![(at.instance.name.clone(), at.path.clone())];
        for part in rest {
            named.iter_mut().for_each(|(name, _)| *name += &format!(".{}", part.name.text));
            for (dimension, subscript) in part.subscripts.iter().enumerate() {
                let indices = self.indices(subscript)?;
                let element = |(name, path): &(String, Vec<Step>), number: usize, index: i64| {
                    let name = match name.strip_suffix(']').filter(|_| dimension > 0) {
                        Some(open) => format!("{open},{index}]"),
                        None => format!("{name}[{index}]"),
                    };
                    let step = (indices.1).then_some(Step::Element(number + 1));
                    (name, path.iter().cloned().chain(step).collect())
                };
                let extended = named.iter().flat_map(|known| {
                    let element = &element;
                    indices.0.iter().enumerate().map(move |(k, index)| element(known, k, *index))
                });
                named = extended.collect();
            }
        }
        side.is_free = true;
        // A member of a bus may be a bus.
        let end = |name: &str| End { expandable: true, ..at.end(name) };
        side.ends.extend(named.into_iter().map(|(name, path)| (path, Some(end(&name)))));
        Ok(())
    }

    /// The indices that a subscript of a new member of a bus means, and whether it is a range.
    fn indices(&self, subscript: &Subscript) -> Checked<(Vec<i64>, bool)> {
        let refuse = |span: &Span| {
            let sentence = "a new member of a bus has no size: its subscripts must be numbers";
            Complaint::at(span, sentence)
        };
        let Subscript::Index(expression) = subscript else { return Err(refuse(self.span)) };
        let value = self.evaluator.value(expression, self.scope)?;
        let index = |value: &Value| match value {
            Value::Integer(index) if *index > 0 => Ok(*index),
            _ => Err(refuse(&expression.span)),
        };
        match &value {
            Value::Array(several) => Ok((several.iter().map(index).collect::<Checked<_>>()?, true)),
            single => Ok((vec![index(single)?], false)),
        }
    }
}

/// Whether members of a connector come to be by connecting.
fn is_expandable(library: &Library, class: &Rc<ClassNode>) -> Checked<bool> {
    match &class.syntax.body {
        Body::Short { .. } if !class.syntax.expandable => {
            let bases = library.bases(class)?;
            bases.first().map_or(Ok(false), |base| is_expandable(library, &base.class))
        }
        _ => Ok(class.syntax.expandable),
    }
}

/// The type of a signal.
fn form_of(variable: &Variable) -> Rc<str> {
    match &variable.kind {
        Type::Real => "the type Real".into(),
        Type::Integer => "the type Integer".into(),
        Type::Boolean => "the type Boolean".into(),
        Type::Text => "the type String".into(),
        Type::Enumeration(class) => format!("the type {}", class.path).into(),
        Type::Object => "an object of another language".into(),
    }
}
