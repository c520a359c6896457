//! Functions of the standard library that are written in another language.

use super::reference::literal;
use super::{Evaluator, builtin};
use crate::instance::{Member, Members, Scope};
use crate::library::ClassNode;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::Causality;
use crate::tables;
use crate::value::{Misfit, Value};
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::rc::Rc;

impl Evaluator<'_> {
    /// Gives the output of a function its value: of one of the language under another name, or of
    /// one that reads a table, a text, or the name of a file.
    pub(super) fn external(
        &self,
        class: &Rc<ClassNode>,
        scope: &Scope,
        members: &Members,
        span: &Span,
    ) -> Checked<()> {
        let of_causality = |causality| {
            let of = members.list.iter();
            of.filter(move |member| member.declaration.causality == Some(causality))
        };
        let frame = scope.frame.as_ref().map(Rc::clone).unwrap_or_default();
        let inputs = of_causality(Causality::Input);
        let inputs: Vec<Value> =
            inputs.filter_map(|member| frame.get(&member.declaration.name.text)).collect();
        let output = of_causality(Causality::Output).next();
        let value = self.external_value(class, &inputs, output, span)?;
        if let Some(output) = output {
            frame.set(&output.declaration.name.text, &value);
        }
        Ok(())
    }

    fn external_value(
        &self,
        class: &Rc<ClassNode>,
        inputs: &[Value],
        output: Option<&Rc<Member>>,
        span: &Span,
    ) -> Checked<Value> {
        let at = |why| Complaint::at(span, why);
        let number = |value| self.number(value, span);
        let name = class.name();
        if tables::is_function(&class.path) {
            let number = |value| number(value).map_err(|complaint| complaint.sentence);
            return self.tables.call(name, inputs, &number).map_err(at);
        }
        if builtin::is_known(name) && class.path.starts_with("Modelica.") {
            return builtin::call(name, inputs, &number).map_err(at);
        }
        let of_utilities = class.path.strip_prefix("Modelica.Utilities.");
        match (of_utilities, inputs, output) {
            (Some("Files.fullPathName"), [Value::Text(name)], _) => self.full_path(name, span),
            (Some("Strings.compare"), [Value::Text(a), Value::Text(b), exact], Some(output)) => {
                let is_exact = exact.truth().map_err(at)?;
                let order = match self.known_truth(is_exact, span)? {
                    true => a.cmp(b),
                    false => a.to_lowercase().cmp(&b.to_lowercase()),
                };
                let number = match order {
                    Ordering::Less => 1,
                    Ordering::Equal => 2,
                    Ordering::Greater => 3,
                };
                literal(&output.class, number, span)
            }
            (Some(name), _, _) if name.starts_with("Strings.") => match of_text(name, inputs) {
                Some(value) => value.map_err(at),
                None => Err(at(other_language(class))),
            },
            _ => Err(at(other_language(class))),
        }
    }

    /// The full name of a file, also of one in the folder of a package: `modelica://P/data.txt`.
    fn full_path(&self, name: &str, span: &Span) -> Checked<Value> {
        let path = match name.strip_prefix("modelica://") {
            Some(within) => {
                let (class, file) = within.split_once('/').unwrap_or((within, ""));
                let folder = folder_of(&*self.library.find(class)?);
                let folder = folder.ok_or_else(|| {
                    Complaint::at(span, format!("the package {class} is in no folder"))
                })?;
                folder.join(file)
            }
            None => std::path::absolute(name).unwrap_or_else(|_| PathBuf::from(name)),
        };
        Ok(Value::Text(path.to_string_lossy().into()))
    }
}

/// The folder of a package that is one, or of the file of a class.
fn folder_of(class: &ClassNode) -> Option<PathBuf> {
    let file = &class.syntax.name.span.file.path;
    class.folder.clone().or_else(|| file.parent().map(Path::to_owned))
}

fn other_language(class: &ClassNode) -> Misfit {
    format!("{} is written in another language", class.path)
}

/// The value of a function of texts; none if there is no such function. Indices count from 1.
fn of_text(name: &str, inputs: &[Value]) -> Option<Result<Value, Misfit>> {
    let index = |position: usize| Value::Integer(i64::try_from(position).unwrap_or(i64::MAX));
    let position = |index: i64| usize::try_from(index - 1).unwrap_or(0);
    Some(match (name, inputs) {
        ("Strings.length", [Value::Text(text)]) => Ok(index(text.chars().count())),
        ("Strings.substring", [Value::Text(text), Value::Integer(first), Value::Integer(last)]) => {
            let count = usize::try_from(last - first.max(&1) + 1).unwrap_or(0);
            let part: String = text.chars().skip(position(*first)).take(count).collect();
            Ok(Value::Text(part.into()))
        }
        ("Strings.Advanced.skipWhiteSpace", [Value::Text(text), Value::Integer(first)]) => {
            let from = position(*first);
            let white = text.chars().skip(from).take_while(|c| c.is_whitespace()).count();
            Ok(index(from + white + 1))
        }
        _ => return None,
    })
}
